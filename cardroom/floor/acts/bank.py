"""The bank: offers, answers and turns (ruling 40; `001` type 5)."""

from __future__ import annotations

from typing import Annotated, TypedDict

from cardroom.core.acts import Label, Note, OneOf, Seat
from cardroom.people.models import Player
from cardroom.people.rights import Right

from ..act_types import SeatAnswer
from ..alerts import alert_clear
from ..checks import (
    why_not_answer,
    why_not_ask_again,
    why_not_end_turn,
    why_not_offer,
    why_not_pause,
    why_not_renew,
)
from ..entries import offer_answered, turn_began, turn_ended
from ..errors import BadInput
from ..models import Alert, Offer, Pause, Turn
from ..reads.table_reading import TableReading, profile_of
from .commands import AtTable, table_act
from .expiry import permitted_act, refusal_of


class OfferAnswer(SeatAnswer):
    """What the seat answered."""

    answer: Annotated[str, OneOf(Offer.Answer)]


class PauseAnswer(TypedDict):
    """The game stops."""

    minutes: Annotated[int, "How long the game stops at least."]


@permitted_act(
    "POST offers",
    Right.RUN_ROUNDS,
    check=why_not_offer,
    title="Log the answer to an offer",
    tag="The bank",
    example={"seat": 4, "answer": "declined"},
    page="answer",
)
def offer_answer(
    at: AtTable,
    *,
    seat: Seat,
    answer: Annotated[str, OneOf(Offer.Answer)],
    reason: Annotated[Note, "Required with `ineligible`."] = "",
) -> OfferAnswer:
    """Log the answer of the seat that must be offered the bank next. Accepting begins a turn there.

    `answer` is `accepted`, `declined`, `absent` or `ineligible`; the last needs a `reason`.
    """
    if answer not in Offer.Answer.values:
        raise BadInput("bad_answer", f"An answer is one of {', '.join(Offer.Answer.values)}.", path="answer")
    view = at.view()
    if why := why_not_answer(view, seat, answer):
        raise refusal_of(why, view.seatings.get(seat))
    if answer == Offer.Answer.INELIGIBLE and not reason.strip():
        raise BadInput("reason_required", "Say why the player at this seat may not bank.", path="reason")
    assert view.shift is not None  # why_not_answer has seen to it
    player = view.seatings[seat].player
    offer = Offer.objects.create(
        room=at.room,
        table=at.table,
        shift=view.shift,
        cycle=at.table.offer_cycle,
        attempt=view.attempt,
        after_turn=view.turn,
        seat=seat,
        player=player,
        answer=answer,
        reason=reason.strip() or view.step.reason[:200],
        answered_at=at.now,
        recorded_by=at.actor,
    )
    at.journal("offer_answer", offer_answered(offer, view.step.reason), reason=reason.strip())
    if answer == Offer.Answer.ACCEPTED:
        rounds_before = view.rounds_before(player.pk)
        if view.turn is not None:
            end_turn(at, view, Turn.Ended.PASSED)
        _begin_turn(at, view, player=player, seat=seat, rounds_before=rounds_before)
    else:
        at.keep(view.with_offer(offer))
    return {"seat": seat, "answer": answer}


@permitted_act(
    "POST turn/renew",
    Right.RUN_ROUNDS,
    check=why_not_renew,
    title="Begin a new turn of the last bank",
    tag="The bank",
    page="renew",
)
def turn_renew(at: AtTable) -> SeatAnswer:
    """Begin a new turn of the last bank, after every other player has declined."""
    view = at.view()
    last = view.turn
    assert last is not None  # a step `renew` speaks of a bank that holds the position
    assert view.shift is not None
    rounds_before = view.rounds_before(last.player_id)
    end_turn(at, view, Turn.Ended.RENEWED)
    _begin_turn(at, view, player=last.player, seat=last.seat, renewed=True, rounds_before=rounds_before)
    return {"seat": last.seat}


@table_act(
    "POST turn/pause",
    Right.RUN_ROUNDS,
    check=why_not_pause,
    title="Stop the game before the last bank goes on",
    tag="The bank",
    page="stop-game",
)
def turn_pause(at: AtTable) -> PauseAnswer:
    """Stop the game, as the rotation profile asks of it before the last bank may take a new turn (rule of 2016).

    The game goes on by `turn_renew`, no sooner than the profile's minutes later.
    """
    view = at.view()
    assert view.turn is not None  # a step `pause` speaks of a bank that holds the position
    assert view.shift is not None
    pause = Pause.objects.create(
        room=at.room,
        table=at.table,
        shift=view.shift,
        cycle=at.table.offer_cycle,
        after_turn=view.turn,
        minutes=view.profile.pause_minutes,
        began_at=at.now,
        recorded_by=at.actor,
    )
    at.journal("turn_pause", {"turn": view.turn.pk, "minutes": pause.minutes, "why": view.step.reason})
    return {"minutes": pause.minutes}


@table_act(
    "POST turn/end",
    Right.RUN_ROUNDS,
    check=why_not_end_turn,
    title="The bank gives up its turn",
    tag="The bank",
    example={"reason": "wants to bet"},
    page="give-up",
    menu="more",
)
def turn_end(at: AtTable, *, reason: Annotated[Note, Label("Reason, if any")] = "") -> None:
    """The bank gives up the position between rounds; offers go on clockwise from its seat."""
    view = at.view()
    end_turn(at, view, Turn.Ended.LEFT, reason=reason)


@table_act(
    "POST offers/ask-again",
    Right.RUN_ROUNDS,
    check=why_not_ask_again,
    title="Offer the bank round again",
    tag="The bank",
    page="ask-again",
    menu="more",
)
def offers_ask_again(at: AtTable) -> None:
    """Send the offers round again after every player has declined."""
    at.write(offer_cycle=at.table.offer_cycle + 1)
    at.journal("offers_ask_again", {"cycle": at.table.offer_cycle})


def end_turn(at: AtTable, view: TableReading, why: str, *, reason: str = "") -> None:
    """End the open turn. If no player took the bank over, offers go on clockwise: from its seat, or where they stood."""
    turn = view.turn
    assert turn is not None  # who calls it has seen to it
    turn.ended_at = at.now
    turn.ended_why = why
    turn.save(update_fields=["ended_at", "ended_why"])
    if view.bank_ran_out:
        alert_clear(at, Alert.Kind.BANK_EXHAUSTED)
    at.write(offers_start_after=turn.seat)
    at.journal("turn_end", turn_ended(turn), reason=reason)


def _begin_turn(
    at: AtTable, view: TableReading, *, player: Player, seat: int, rounds_before: int, renewed: bool = False
) -> None:
    assert view.shift is not None  # the act's check has seen to it
    turn = Turn.objects.create(
        room=at.room,
        table=at.table,
        shift=view.shift,
        player=player,
        seat=seat,
        cycle=at.table.offer_cycle,
        renewed=renewed,
        rotation=profile_of(at.table).id,
        rounds_before=rounds_before,
        began_at=at.now,
    )
    at.write(offer_cycle=at.table.offer_cycle + 1)
    at.journal("turn_begin", turn_began(turn))
    at.keep(view.with_turn(turn))
