"""What a table of a filed game posts: its wagers by name, and that the dealer settles by the approved rules."""

from collections.abc import Iterator
from functools import lru_cache

from games.by_eye.filed import procedure_rules_of
from games.by_eye.terms import ByEyeTerms
from games.money import dollars
from games.notices import Notice, back_line_notice, format_number
from games.phrases import Phrase
from games.placard import GamePlacard, PostedWager, Section, action_notices
from games.procedures.placard import dealing_rules, irregularity_rules
from games.rulebook import COUNTER_CLOCKWISE
from games.spots import Spot
from games.terms import LaterWager


@lru_cache(maxsize=64)
def game_placard_of(terms: ByEyeTerms) -> GamePlacard:
    """The placard on these terms; payouts, rankings and odds are the approved rules', which are not on record."""
    rulebook = terms.rulebook
    clause, rules = rulebook.clause_id, procedure_rules_of(rulebook)
    return GamePlacard(
        rulebook=rulebook,
        terms=terms,
        wagers=tuple(_posted(terms, spot) for spot in terms.spots),
        spots_clause=clause("filing.3"),
        ranking=(),
        sections=(
            Section("seats", "Seats", (
                Notice(f"{format_number(rulebook.seats).capitalize()} seats, one of which banks.", clause("filing.2")),
                *_positions(terms),
                *back_line_notice(terms.back_line, _source(terms, "positions.back_line", "filing.6")),
            )),
            Section("round", "A round", (
                Notice("After “no more bets” nothing is placed, raised or withdrawn.", clause("round.1")),
            )),
            Section("order", Phrase("Order of settlement"), (
                *_direction(terms),
                Notice(Phrase("The house dealer settles every wager by the rules that the state has approved."), clause("round.2")),
            )),
            Section("bank", Phrase("What the bank covers"), (
                *_least_bank(terms),
                Notice(Phrase("The bank pays and collects as far as its wager goes; the rest goes back."), clause("round.2")),
            )),
        ),
        procedures=(
            Section("decks", "Decks", (
                Notice(_decks(terms), _source(terms, "cards.decks", "filing.2")),
            )),
            Section("dealing", "Dealing and counting", tuple(dealing_rules(rules))),
            Section("irregularities", "When something goes wrong", tuple(irregularity_rules(rules))),
        ),
        rake=(),
        general_notices=(),
    )  # fmt: skip


def _source(terms: ByEyeTerms, key: str, clause: str) -> str:
    """The clause of the room's document for a term, or else the one by which a filing says it."""
    return terms.rulebook.sources.get(key) or terms.rulebook.clause_id(clause)


def _decks(terms: ByEyeTerms) -> str:
    least, most = terms.rulebook.cards.decks
    if least == most:
        return f"Decks of cards, or sets of tiles, in play: {format_number(most)}."
    return f"Decks of cards, or sets of tiles, in play: {format_number(least)} to {format_number(most)}."


def _positions(terms: ByEyeTerms) -> Iterator[Notice]:
    rulebook = terms.rulebook
    if rulebook.max_positions > 1:
        beside = ", side by side" if rulebook.positions_adjacent else ""
        number = format_number(rulebook.max_positions)
        yield Notice(
            f"A player may hold up to {number} positions{beside}, each with wagers and a fee of its own.",
            _source(terms, "positions.most_per_player", "filing.5"),
        )


def _direction(terms: ByEyeTerms) -> Iterator[Notice]:
    rulebook = terms.rulebook
    clause = _source(terms, "order.direction", "filing.7")
    if rulebook.direction == COUNTER_CLOCKWISE:
        yield Notice(
            Phrase("Hands are dealt and settled, and the bank is offered, counter-clockwise."), clause
        )
    if rulebook.named_start:
        yield Notice(
            Phrase("The action starts at the seat that dice or the button name."),
            _source(terms, "order.starts", "filing.7"),
        )


def _least_bank(terms: ByEyeTerms) -> Iterator[Notice]:
    least = terms.rulebook.least_bank_cents
    if least is not None:
        text = Phrase("The least player-dealer wager is {least}.", least=dollars(least))
        yield Notice(text, _source(terms, "bank.least_cents", "filing.9"))


def _posted(terms: ByEyeTerms, spot: Spot) -> PostedWager:
    rules = terms.rulebook.wagers
    if (later := terms.later.get(spot.id)) is not None:
        what = _later(later, rules[later.of].name)
    elif (base := rules[spot.id].equals) is not None:
        what = Phrase("Is as high as {wager}, and is laid with it.", wager=rules[base].name)
    elif spot.charged:
        what = Phrase("Bears the table limit and the collection fee.")
    elif spot.needs == "main":
        what = Phrase("May be placed beside a main wager.")
    else:
        what = Phrase("May be placed with or without another wager.")
    text = [Notice(what, spot.clause)]
    if rules[spot.id].no_fee_clause is not None:
        text.append(Notice(Phrase("No fee comes of it."), spot.clause))
    text += action_notices(terms, spot.id)
    if spot.tip:
        text.append(
            Notice(Phrase("A bet for the dealer may stand beside it."), terms.rulebook.clause_id("filing.4"))
        )
    return PostedWager(
        id=spot.id,
        name=spot.name,
        spot=spot.name.upper(),
        clause=spot.clause,
        text=tuple(text),
        tables=(),
        odds=(),
    )


def _later(later: LaterWager, base: str) -> Phrase:
    if later.most_den > 1:
        return Phrase("May be placed after the deal: up to {part} of {wager}.", part=later.most, wager=base)
    if later.whole:
        return Phrase(
            "May be placed after the deal: a multiple of {wager}, up to {times} times as much.",
            times=later.most,
            wager=base,
        )
    if later.most_num == 1:
        return Phrase("May be placed after the deal: up to as much as {wager}.", wager=base)
    return Phrase("May be placed after the deal: up to {times} times {wager}.", times=later.most, wager=base)
