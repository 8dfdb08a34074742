"""What a table of a filed game posts: its wagers by name, and that the dealer settles by the approved rules."""

from functools import lru_cache

from games.by_eye.filed import procedure_rules_of
from games.by_eye.terms import ByEyeTerms
from games.notices import Notice, back_line_notice, format_number
from games.phrases import Phrase
from games.placard import GamePlacard, PostedWager, Section
from games.procedures.placard import dealing_rules, irregularity_rules
from games.spots import Spot


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
                *back_line_notice(terms.back_line, clause("filing.6")),
            )),
            Section("round", "A round", (
                Notice("After “no more bets” nothing is placed, raised or withdrawn.", clause("round.1")),
            )),
            Section("order", Phrase("Order of settlement"), (
                Notice(Phrase("The house dealer settles every wager by the rules that the state has approved."), clause("round.2")),
            )),
            Section("bank", Phrase("What the bank covers"), (
                Notice(Phrase("The bank pays and collects as far as its wager goes; the rest goes back."), clause("round.2")),
            )),
        ),
        procedures=(
            Section("decks", "Decks", (
                Notice(f"Decks of cards, or sets of tiles, in play: {format_number(terms.decks)}.", clause("filing.2")),
            )),
            Section("dealing", "Dealing and counting", tuple(dealing_rules(rules))),
            Section("irregularities", "When something goes wrong", tuple(irregularity_rules(rules))),
        ),
        rake=(),
        general_notices=(),
    )  # fmt: skip


def _posted(terms: ByEyeTerms, spot: Spot) -> PostedWager:
    if spot.charged:
        what = Phrase("Bears the table limit and the collection fee.")
    elif spot.needs == "main":
        what = Phrase("May be placed beside a main wager.")
    else:
        what = Phrase("May be placed with or without another wager.")
    text = [Notice(what, spot.clause)]
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
