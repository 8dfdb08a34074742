"""One position of a sheet: its wagers and tips, and once the cards are out its hand and decision."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, UnsetType

from games.bet_forms import Amounts, BetForm, RecordedDealtForm
from games.bets import BetPosition, read_player
from games.cards import Hand, hand_text
from games.collection import why_outside_limits
from games.fields import read_cents, read_seat
from games.money import dollars
from games.phrases import Phrase
from games.refusal import Refusal
from games.sheet_json import show
from games.three_card_poker.hands import read_hand
from games.three_card_poker.rulebook import Version
from games.three_card_poker.terms import ThreeCardTerms
from games.three_card_poker.wagers import ANTE, PAIR_PLUS, PLACED_BEFORE_DEAL, PLAY, TIP_SPOTS


class Position(BetPosition, frozen=True):
    """A position with its three cards and its decision, None where no ante asks for one.

    `wagers` are those that were placed: the play wager follows from the decision, and is as much as the ante. `hand` is
    None for a folded hand that was not exposed, on which no wager depends (`games.three_card_poker.sheet.read_recorded_sheet`).
    """

    hand: Hand | None
    decision: str | None

    def to_json(self) -> dict[str, Any]:
        """The position as the sheet has it, the player's name spelled out."""
        document = super().to_json()
        document["hand"] = None if self.hand is None else hand_text(self.hand)
        if self.decision is not None:
            document["decision"] = self.decision
        return document


def read_bet_position(terms: ThreeCardTerms, form: BetForm) -> BetPosition:
    """One position before the deal; a refusal's path starts inside the position."""
    seat = read_seat(form.seat, terms.rulebook.seats, "seat")
    wagers = _read_wagers(terms, form.wagers)
    tips = {} if form.tips is UNSET else _read_tips(terms, form.tips, wagers, None)
    return BetPosition(seat, read_player(form.player, seat), wagers, tips)


def read_position(terms: ThreeCardTerms, form: RecordedDealtForm) -> Position:
    """One position of a whole round; a refusal's path starts inside the position.

    A hand that was not exposed is refused where a wager depends on its cards.
    """
    seat = read_seat(form.seat, terms.rulebook.seats, "seat")
    wagers = _read_wagers(terms, form.wagers)
    decision = _read_decision(terms, form.decision, wagers)
    tips = {} if form.tips is UNSET else _read_tips(terms, form.tips, wagers, decision)
    player = read_player(form.player, seat)
    if form.hand is not None:
        return Position(seat, player, wagers, tips, read_hand(form.hand, "hand"), decision)
    if not depends_on_no_card(terms, wagers, decision):
        what = Phrase("the position's three cards must be given: a wager is settled by them.")
        raise Refusal("missing_key", "hand", what)
    return Position(seat, player, wagers, tips, None, decision)


def depends_on_no_card(terms: ThreeCardTerms, wagers: Mapping[str, int], decision: str | None) -> bool:
    """Whether every wager of a position is given up by its decision, so that its cards affect no settlement.

    Where the house banks, a hand that was given up still counts for others (cover all, envy).
    """
    if decision is None or decision == "play" or not terms.rulebook.player_banked:
        return False
    return terms.forfeited[decision].issuperset(wagers)


def _read_wagers(terms: ThreeCardTerms, given: Amounts) -> dict[str, int]:
    """Cents by wager; each must be offered, and placed with the wagers it requires."""
    wagers, placed = {}, terms.placed
    for wager, amount in given.items():
        if wager not in placed:
            raise _no_wager_of(terms, wager)
        wagers[wager] = read_cents(amount, "wagers", wager)
    ante = wagers.get(ANTE)
    if ante is None:
        _check_without_ante(terms, wagers)
    elif terms.fee_schedule is not None:
        outside = why_outside_limits(terms.fee_schedule, ante)
        if outside is not None:
            what = Phrase(
                "{wager} is {outside} in schedule {number}.",
                wager=terms.rulebook.called(ANTE),
                outside=outside,
                number=terms.fee_schedule.number,
            )
            raise Refusal("outside_table_limits", "wagers.ante", what)
    if terms.version is not None:
        _check_ratio(terms.version, ante or 0, wagers.get(PAIR_PLUS, 0))
    return wagers


def _no_wager_of(terms: ThreeCardTerms, wager: str) -> Refusal:
    """The refusal of a wager that no sheet may have, or that these terms do not offer."""
    if wager not in PLACED_BEFORE_DEAL:
        hint = (
            Phrase("it equals {base} once the decision is play", base=terms.rulebook.called(ANTE))
            if wager == PLAY
            else Phrase("leave it out")
        )
        return Refusal(
            "unknown_key",
            f"wagers.{wager}",
            Phrase("{wager} is no wager to be given; {hint}.", wager=show(wager), hint=hint),
        )
    return Refusal(
        "wager_not_offered",
        f"wagers.{wager}",
        Phrase(
            "{id} does not offer {wager} on these options; return the wager.",
            id=terms.rulebook.id,
            wager=terms.rulebook.called(wager),
        ),
    )


def _check_without_ante(terms: ThreeCardTerms, wagers: Mapping[str, int]) -> None:
    called = terms.rulebook.called
    for wager in wagers:
        if terms.needs[wager] == ANTE:
            what = Phrase(
                "{name} needs a wager on {main} on the same position; add or return.",
                name=called(wager),
                main=called(ANTE),
            )
            raise Refusal("wager_needs_ante", f"wagers.{wager}", what)
    if not any(terms.needs[wager] == "nothing" for wager in wagers):
        what = (
            Phrase("{wagers} cannot stand alone", wagers=" and ".join(map(called, wagers)))
            if wagers
            else Phrase("the position has no wager")
        )
        alone = terms.needs.get(PAIR_PLUS, ANTE) == "nothing"
        base = called(ANTE)
        if alone:
            base = Phrase("{wagers} or {wager}", wagers=base, wager=called(PAIR_PLUS))
        raise Refusal(
            "no_wager",
            "wagers",
            Phrase("{what}; place {base}, or leave the position out.", what=what, base=base),
        )


def _check_ratio(version: Version, ante: int, pair_plus: int) -> None:
    """The bounds that a version of the game sets between ante and pair plus (massachusetts 6(f))."""
    path = "wagers.pair_plus"
    if ante and not pair_plus:
        if PAIR_PLUS in version.compulsory:
            raise Refusal(
                "wager_ratio",
                path,
                Phrase("this version of the game asks for a pair plus beside the ante; add one."),
            )
        return
    most = version.most_pair_plus_per_ante
    if most is not None and pair_plus > most * ante:
        raise Refusal(
            "wager_ratio",
            path,
            Phrase(
                "this version of the game lets a pair plus be {most} times the ante at most: {most_} cents.",
                most=most,
                most_=most * ante,
            ),
        )
    most = version.most_ante_per_pair_plus
    if most is not None and ante > most * pair_plus:
        raise Refusal(
            "wager_ratio",
            path,
            Phrase("this version of the game lets an ante be {most} times the pair plus at most.", most=most),
        )


def _read_decision(terms: ThreeCardTerms, decision: str | UnsetType, wagers: Mapping[str, int]) -> str | None:
    if decision is UNSET:
        if ANTE in wagers:
            raise Refusal(
                "decision_required",
                "decision",
                Phrase(
                    "{wager} asks for {decisions}.",
                    wager=terms.rulebook.called(ANTE),
                    decisions=_allowed_decisions(terms),
                ),
            )
        return None
    if decision not in terms.rulebook.decisions:
        raise Refusal(
            "decision_not_allowed",
            "decision",
            Phrase(
                "{decision} is no decision of {id}; it is {terms}.",
                decision=show(decision),
                id=terms.rulebook.id,
                terms=_allowed_decisions(terms),
            ),
        )
    if ANTE not in wagers:
        raise Refusal(
            "decision_not_allowed",
            "decision",
            Phrase("without {wager} there is nothing to decide.", wager=terms.rulebook.called(ANTE)),
        )
    return decision


def _allowed_decisions(terms: ThreeCardTerms) -> str:
    return " or ".join(terms.rulebook.decisions)


def _read_tips(
    terms: ThreeCardTerms, given: Amounts, wagers: Mapping[str, int], decision: str | None
) -> dict[str, int]:
    """Cents by spot, each tip beside an own wager (ruling 4)."""
    tips = {}
    for spot, amount in given.items():
        if spot not in terms.tip_spots:
            raise _no_tip_on(terms, spot)
        tips[spot] = read_cents(amount, "tips", spot)
        if spot != PLAY and spot not in wagers:
            raise Refusal(
                "tip_needs_wager",
                f"tips.{spot}",
                Phrase("the player has no {spot} beside this tip.", spot=terms.rulebook.called(spot)),
            )
    if PLAY in tips:
        _check_play_tip(terms, tips[PLAY], tips.get(ANTE, 0), decision)
    return tips


def _no_tip_on(terms: ThreeCardTerms, spot: str) -> Refusal:
    """The refusal of a tip on an unknown spot, or on one where this table allows no tips."""
    if spot not in TIP_SPOTS:
        return Refusal(
            "unknown_key",
            f"tips.{spot}",
            Phrase("{spot} is no spot for a tip; leave it out.", spot=show(spot)),
        )
    what = Phrase("this table has no tips on {spot}; return it.", spot=terms.rulebook.called(spot))
    return Refusal("tip_not_allowed", f"tips.{spot}", what)


def _check_play_tip(terms: ThreeCardTerms, cents: int, on_ante: int, decision: str | None) -> None:
    path, spot, base = "tips.play", terms.rulebook.called(PLAY), terms.rulebook.called(ANTE)
    if decision != "play":
        what = Phrase("a tip on {spot} comes with the decision play; leave it out.", spot=spot)
        raise Refusal("tip_needs_wager", path, what)
    if not on_ante:
        what = Phrase("a tip on {spot} needs a tip on {base} beside it.", spot=spot, base=base)
        raise Refusal("tip_needs_wager", path, what)
    if cents > on_ante:
        what = Phrase(
            "a tip on {spot} may not exceed the {cents} on {base}.",
            spot=spot,
            cents=dollars(on_ante),
            base=base,
        )
        raise Refusal("tip_not_allowed", path, what)
