"""The bank: offers, answers and turns (ruling 40; `001` type 5)."""

from __future__ import annotations

from typing import Annotated, TypedDict

from cardroom.core.acts import Label, Note, OneOf, Seat, Size
from cardroom.people.models import Player
from cardroom.people.rights import Right
from games.phrases import Phrase

from ..act_types import SeatAnswer
from ..alerts import alert_clear
from ..checks.bank import (
    why_not_answer,
    why_not_ask_again,
    why_not_end_turn,
    why_not_offer,
    why_not_pause,
    why_not_renew,
)
from ..checks.seats import why_not_play_on
from ..commands import AtTable, table_act
from ..entries import offer_answered, turn_began, turn_ended
from ..errors import BadInput, NotNow
from ..models import Alert, Offer, Pause, Turn
from ..reads.table_reading import TableReading, profile_of
from .expiry import permitted_act, refusal_of


class OfferAnswer(SeatAnswer):
    """What the seat answered."""

    answer: Annotated[str, OneOf(Offer.Answer)]


class RunAnswer(TypedDict):
    """Who declined, and who banks now."""

    declined: Annotated[list[Annotated[int, "A seat."]], Size()]
    bank_seat: Annotated[int | None, "The seat that banks next; null while nobody does."]


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
        raise BadInput(
            "bad_answer",
            Phrase("An answer is one of {values}.", values=", ".join(Offer.Answer.values)),
            path="answer",
        )
    reading = at.reading()
    if why := why_not_answer(reading, seat, answer):
        raise refusal_of(why, reading.seatings.get(seat))
    if answer == Offer.Answer.INELIGIBLE and not reason.strip():
        raise BadInput(
            "reason_required", Phrase("Say why the player at this seat is ineligible."), path="reason"
        )
    reading = pass_over(at, reading)
    player = reading.seatings[seat].player
    answered = _answer_record(at, reading, seat, answer, reason.strip())
    if answer == Offer.Answer.ACCEPTED:
        rounds_before = reading.rounds_before(player.pk)
        if reading.turn is not None:
            end_turn(at, reading, Turn.Ended.PASSED)
        _begin_turn(at, reading, player=player, seat=seat, rounds_before=rounds_before)
    else:
        at.keep(answered)
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
    reading = pass_over(at, at.reading())
    last = reading.turn
    assert last is not None  # a step `renew` speaks of a bank that holds the position
    assert reading.shift is not None
    rounds_before = reading.rounds_before(last.player_id)
    end_turn(at, reading, Turn.Ended.RENEWED)
    _begin_turn(at, reading, player=last.player, seat=last.seat, renewed=True, rounds_before=rounds_before)
    return {"seat": last.seat}


@permitted_act(
    "POST offers/declined",
    Right.RUN_ROUNDS,
    check=why_not_offer,
    title="All declined",
    tag="The bank",
    example={},
    page="all-declined",
)
def offers_decline(
    at: AtTable,
    *,
    accepted_by: Annotated[Seat, "The seat that takes the bank, after those asked before it declined."]
    | None = None,
) -> RunAnswer:
    """Log that every seat still to be asked has declined; then the last bank begins a new turn, where the rules let it.

    Each answer is a fact of its own, as if the seats had been logged one by one (`offer_answer`, `turn_renew`).
    Where the profile stops the game first, or the last bank may not go on, what comes next is left to its own act.

    With `accepted_by` only the seats that are asked before that seat have declined, and it accepts.
    """
    reading = at.reading()
    declined = []
    while (step := reading.step).kind == "offer" and step.seat != accepted_by:
        assert step.seat is not None  # an offer is made to a seat
        offer_answer.run(at, seat=step.seat, answer=Offer.Answer.DECLINED)
        declined.append(step.seat)
        reading = at.look()
    if accepted_by is not None:
        if reading.step.kind != "offer":
            raise NotNow(
                "offer_not_due",
                Phrase(
                    "Seat {accepted_by} is not offered the bank in this run of offers.",
                    accepted_by=accepted_by,
                ),
            )
        offer_answer.run(at, seat=accepted_by, answer=Offer.Answer.ACCEPTED)
        return {"declined": declined, "bank_seat": accepted_by}
    if why_not_renew(reading) is None:
        turn_renew.run(at)
        return {"declined": declined, "bank_seat": reading.step.seat}
    return {"declined": declined, "bank_seat": None}


@table_act(
    "POST turn/pause",
    Right.RUN_ROUNDS,
    check=why_not_pause,
    title="Stop the game before the same banker continues",
    tag="The bank",
    page="stop-game",
)
def turn_pause(at: AtTable) -> PauseAnswer:
    """Stop the game, as the rotation profile asks of it before the last bank may take a new turn (rule of 2016).

    The game goes on by `turn_renew`, no sooner than the profile's minutes later.
    """
    reading = at.reading()
    assert reading.turn is not None  # a step `pause` speaks of a bank that holds the position
    assert reading.shift is not None
    pause = Pause.objects.create(
        room=at.room,
        table=at.table,
        shift=reading.shift,
        cycle=at.table.offer_cycle,
        after_turn=reading.turn,
        minutes=reading.profile.pause_minutes,
        began_at=at.now,
        recorded_by=at.actor,
    )
    at.journal("turn_pause", {"turn": reading.turn.pk, "minutes": pause.minutes, "why": reading.step.reason})
    return {"minutes": pause.minutes}


@table_act(
    "POST turn/end",
    Right.RUN_ROUNDS,
    check=why_not_end_turn,
    title=Phrase("The bank gives up its turn"),
    tag="The bank",
    example={"reason": "wants to bet"},
    page="give-up",
    menu="more",
)
def turn_end(at: AtTable, *, reason: Annotated[Note, Label(Phrase("Reason, if any"))] = "") -> None:
    """The bank gives up the position between rounds; offers go on clockwise from its seat."""
    reading = at.reading()
    end_turn(at, reading, Turn.Ended.LEFT, reason=reason)


@table_act(
    "POST offers/ask-again",
    Right.RUN_ROUNDS,
    check=why_not_ask_again,
    title=Phrase("Offer the bank round again"),
    tag="The bank",
    page="ask-again",
    menu="more",
)
def offers_ask_again(at: AtTable) -> None:
    """Send the offers round again after every player has declined."""
    reading = pass_over(at, at.reading())
    at.write(offer_cycle=at.table.offer_cycle + 1)
    at.journal("offers_ask_again", {"cycle": at.table.offer_cycle})
    at.keep(reading.with_new_cycle())


def pass_over(at: AtTable, reading: TableReading) -> TableReading:
    """Record that those who may no longer play here are not asked, up to the seat that is; return the table after it.

    A bank who may no longer play gives up its turn.
    """
    if reading.bank_is_out:
        end_turn(at, reading, Turn.Ended.INACTIVE)
        reading = at.reading()
    for seat in reading.passed_over:
        why = why_not_play_on(reading.seatings[seat].player)
        assert why is not None  # `out` holds nobody else
        reading = _answer_record(at, reading, seat, Offer.Answer.INELIGIBLE, why.message)
    return reading


def _answer_record(at: AtTable, reading: TableReading, seat: int, answer: str, reason: str) -> TableReading:
    """Write what a seat answered, or why it was not asked, and return the table after it."""
    assert reading.shift is not None  # why_not_offer has seen to it
    offer = Offer(
        room=at.room,
        table=at.table,
        shift=reading.shift,
        cycle=at.table.offer_cycle,
        attempt=reading.attempt,
        after_turn=reading.turn,
        seat=seat,
        player=reading.seatings[seat].player,
        answer=answer,
        reason=reason[:200] or reading.step.reason[:200],
        answered_at=at.now,
        recorded_by=at.actor,
    )
    at.add([offer])
    at.journal(
        "offer_answer", offer_answered(offer, reading.step.reason, reading.behind.values()), reason=reason
    )
    return reading.with_offer(offer)


def end_turn(at: AtTable, reading: TableReading, why: str, *, reason: str = "") -> None:
    """End the open turn. If no player took the bank over, offers go on clockwise: from its seat, or where they stood."""
    turn = reading.turn
    assert turn is not None  # who calls it has seen to it
    turn.ended_at = at.now
    turn.ended_why = why
    at.save(turn)
    if reading.bank_ran_out:
        alert_clear(at, Alert.Kind.BANK_EXHAUSTED)
    at.write(offers_start_after=turn.seat)
    at.journal("turn_end", turn_ended(turn), reason=reason)


def _begin_turn(
    at: AtTable,
    reading: TableReading,
    *,
    player: Player,
    seat: int,
    rounds_before: int,
    renewed: bool = False,
) -> None:
    assert reading.shift is not None  # the act's check has seen to it
    turn = Turn(
        room=at.room,
        table=at.table,
        shift=reading.shift,
        player=player,
        seat=seat,
        cycle=at.table.offer_cycle,
        renewed=renewed,
        rotation=profile_of(at.table).id,
        rounds_before=rounds_before,
        began_at=at.now,
    )
    at.create(turn)
    at.write(offer_cycle=at.table.offer_cycle + 1)
    at.journal("turn_begin", turn_began(turn))
    at.keep(reading.with_turn(turn))
