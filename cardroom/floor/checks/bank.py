"""Precondition checks: whether the bank may be offered, taken and given up, and whether the game goes on."""

from __future__ import annotations

from cardroom.people.models import Player
from games.phrases import Phrase, capital

from ..contracts import why_outside_contract
from ..errors import WhyNot
from ..expiry import why_badge_expired
from ..models import Offer
from ..reads.table_state import TableState, cached_per_state
from .seats import why_not_play_on
from .shifts import why_no_shift
from .tables import why_closed, why_round_live


@cached_per_state
def why_not_offer(state: TableState) -> WhyNot | None:
    """The bank is offered between rounds, while an offer is due (ruling 40)."""
    if why := why_closed(state) or why_no_shift(state) or why_round_live(state, Phrase("offer the bank")):
        return why
    if state.step.kind in ("keep", "house"):
        return WhyNot("no_offer_due", Phrase("No offer is due: {reason}", reason=state.step.reason))
    if state.step.kind in ("renew", "vacant", "pause"):
        return WhyNot("all_asked", Phrase("Every seat has answered: {reason}", reason=state.step.reason))
    return why_game_over(state)


def why_no_more_rounds_in_a_row(state: TableState) -> WhyNot | None:
    """Who has banked as many rounds in a row as the rotation allows has the bank offered on first (`001` type 5, ruling 40)."""
    if state.turn is None or state.step.kind == "keep":
        return None
    return WhyNot(
        "offer_due",
        Phrase(
            "{player} is ineligible for a further round yet: {reason}",
            player=state.turn.player,
            reason=state.step.reason,
        ),
    )


def why_not_answer(state: TableState, seat: int, answer: str) -> WhyNot | None:
    """Seats answer clockwise, one after the other; staff of the cardroom may not accept (ruling 41)."""
    if why := why_not_offer(state):
        return why
    if seat != state.step.seat:
        return WhyNot(
            "offer_due_elsewhere",
            Phrase(
                "Seat {seat} must be offered the bank first: {reason}",
                seat=state.step.seat,
                reason=state.step.reason,
            ),
        )
    if answer == Offer.Answer.ACCEPTED and (why := why_not_bank(state, state.seatings[seat].player)):
        return why
    return None


def why_not_bank(state: TableState, player: Player) -> WhyNot | None:
    """The house may not bank (`001` winners 4, ruling 41), nor who is no longer active, nor on an expired badge."""
    if player.staff_id is not None:
        return WhyNot(
            "staff_cannot_bank",
            Phrase(
                "{player} works for the house, which is ineligible to bank. Record the seat as ineligible.",
                player=player,
            ),
        )
    return (
        why_not_play_on(player, state.now)
        or why_badge_expired(state, player)
        or why_outside_contract(state, player)
    )


@cached_per_state
def why_not_renew(state: TableState) -> WhyNot | None:
    """The last bank may take a new turn once every other player has declined (ruling 40)."""
    if why := why_closed(state) or why_no_shift(state) or why_round_live(state, Phrase("begin a new turn")):
        return why
    if why := why_game_over(state):
        return why
    if state.step.kind == "pause":
        return WhyNot(
            "game_stopped",
            Phrase("No new turn begins before the game has stopped: {reason}", reason=state.step.reason),
        )
    if state.step.kind != "renew":
        return WhyNot(
            "not_all_declined",
            Phrase(
                "A new turn begins when every other seat has declined: {reason}", reason=state.step.reason
            ),
        )
    if state.turn is None:
        return None
    player = state.turn.player
    return why_badge_expired(state, player) or why_outside_contract(state, player)


@cached_per_state
def why_not_pause(state: TableState) -> WhyNot | None:
    """The game stops when no other player takes the bank, where the rotation profile says so, and once a turn."""
    if why := why_closed(state) or why_no_shift(state) or why_round_live(state, Phrase("stop the game")):
        return why
    if state.step.kind != "pause":
        return WhyNot("no_stop_due", Phrase("The game need not stop: {reason}", reason=state.step.reason))
    if state.paused is not None and state.turn is not None and state.paused.after_turn_id == state.turn.pk:
        return WhyNot("game_stopped", Phrase("The game has been stopped: {reason}", reason=state.step.reason))
    return None


@cached_per_state
def why_not_ask_again(state: TableState) -> WhyNot | None:
    """When no player banks and all have declined, the offers may go round again."""
    if state.house_banks:
        return _house_banks(state)
    if (
        why := why_closed(state)
        or why_no_shift(state)
        or why_round_live(state, Phrase("offer the bank again"))
    ):
        return why
    if not state.offers:
        return WhyNot("not_all_declined", Phrase("Nobody has been asked: {reason}", reason=state.step.reason))
    if state.step.kind not in ("vacant", "renew", "pause"):
        return WhyNot(
            "not_all_declined",
            Phrase("Not every seat has answered yet: {reason}", reason=state.step.reason),
        )
    return None


@cached_per_state
def why_not_end_turn(state: TableState) -> WhyNot | None:
    """The bank may give up the position between rounds."""
    if state.house_banks:
        return _house_banks(state)
    if state.turn is None:
        return WhyNot("no_bank", Phrase("Nobody holds the bank."))
    return why_round_live(state, Phrase("give up the bank"))


def _house_banks(state: TableState) -> WhyNot:
    return WhyNot(
        "house_banks", Phrase("The house banks at {table}: no player holds the bank.", table=state.table)
    )


@cached_per_state
def why_game_over(state: TableState) -> WhyNot | None:
    """The rotation profile ends a game that too few others have banked; a new one begins as the table opens again."""
    if state.step.kind != "end":
        return None
    return WhyNot(
        "game_over",
        Phrase("{reason}. The floor closes the table.", reason=capital(state.step.reason)),
    )
