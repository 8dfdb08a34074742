"""Commands on the bank: offers, answers, new turns, pauses and ends of turns (ruling 40; `001` type 5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, TypedDict

from cardroom.core.dates import time_text
from cardroom.core.json_types import Label, Note, OneOf, Seat, Size
from cardroom.people.models import Player
from cardroom.people.names import referring
from cardroom.people.rights import Right
from games.phrases import Phrase
from games.rotation.eligibility import terms_asked

from ..alerts import alert_clear
from ..checks.bank import (
    why_not_answer,
    why_not_ask_again,
    why_not_bank,
    why_not_end_turn,
    why_not_offer,
    why_not_pause,
    why_not_renew,
)
from ..checks.seats import why_not_play_on
from ..errors import BadInput, NotNow
from ..execution.carry_out import table_command
from ..execution.transactions import TableTransaction
from ..models import Alert, Offer, Pause, Seating, Turn
from ..places import place_as_json
from ..reads.table_state import TableState, last_bank_of, profile_of
from .command_types import SeatAnswer
from .expiry import permitted_command, refusal_of


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


@permitted_command(
    "POST offers",
    Right.RUN_ROUNDS,
    check=why_not_offer,
    title="Log the answer to an offer",
    tag="The bank",
    example={"seat": 4, "answer": "declined"},
    page="answer",
)
def offer_answer(
    tx: TableTransaction,
    *,
    seat: Seat,
    answer: Annotated[str, OneOf(Offer.Answer)],
    reason: Annotated[
        Note,
        "Required with `ineligible`. Where the approval says who may bank, its term: `wagered_rounds` or `previous_round`.",
    ] = "",
) -> OfferAnswer:
    """Log the answer of the seat that must be offered the bank next. Accepting begins a turn there.

    `answer` is `accepted`, `declined`, `absent` or `ineligible`; the last needs a `reason`. Who is not eligible by the
    filed terms is passed over: that is recorded with the next answer. An `ineligible` of one who is by the record is an
    exception of the rotation's review.
    """
    if answer not in Offer.Answer.values:
        raise BadInput(
            "bad_answer",
            Phrase("An answer is one of {values}.", values=", ".join(Offer.Answer.values)),
            path="answer",
        )
    state = tx.state()
    if why := why_not_answer(state, seat, answer):
        raise refusal_of(why, state.seatings.get(seat))
    if answer == Offer.Answer.INELIGIBLE:
        reason = _why_by_hand(state, seat, reason.strip())
    state = pass_over(tx, state)
    player = state.seatings[seat].player
    tx.left = answer_record(tx, state, seat, answer, reason.strip())
    if answer == Offer.Answer.ACCEPTED:
        rounds_before = state.rounds_before(player.pk)
        if state.turn is not None:
            end_turn(tx, state, Turn.Ended.PASSED)
        _begin_turn(tx, state, player=player, seat=seat, rounds_before=rounds_before)
    return {"seat": seat, "answer": answer}


@permitted_command(
    "POST turn/renew",
    Right.RUN_ROUNDS,
    check=why_not_renew,
    title="Begin a new turn of the last bank",
    tag="The bank",
    page="renew",
)
def turn_renew(tx: TableTransaction) -> SeatAnswer:
    """Begin a new turn of the last bank, after every other player has declined."""
    state = pass_over(tx, tx.state())
    last = state.turn
    assert last is not None  # a step `renew` implies a bank that holds the position
    assert state.shift is not None
    rounds_before = state.rounds_before(last.player_id)
    end_turn(tx, state, Turn.Ended.RENEWED)
    _begin_turn(tx, state, player=last.player, seat=last.seat, renewed=True, rounds_before=rounds_before)
    return {"seat": last.seat}


@permitted_command(
    "POST offers/declined",
    Right.RUN_ROUNDS,
    check=why_not_offer,
    title="All declined",
    tag="The bank",
    example={},
    page="all-declined",
)
def offers_decline(
    tx: TableTransaction,
    *,
    accepted_by: Annotated[Seat, "The seat that takes the bank, after those asked before it declined."]
    | None = None,
) -> RunAnswer:
    """Log that every seat still to be asked has declined; then the last bank begins a new turn, where the rules let it.

    Each answer is a fact of its own, as if the seats had been logged one by one (`offer_answer`, `turn_renew`).
    Where the profile stops the game first, or the last bank may not go on, what comes next is left to its own command.

    With `accepted_by` only the seats that are asked before that seat have declined, and it accepts.
    """
    state = tx.look()
    declined = []
    while (step := state.step).kind == "offer" and step.seat != accepted_by:
        assert step.seat is not None  # an offer is made to a seat
        offer_answer.run(tx, seat=step.seat, answer=Offer.Answer.DECLINED)
        declined.append(step.seat)
        state = tx.look()
    if accepted_by is not None:
        if state.step.kind != "offer":
            raise NotNow(
                "offer_not_due",
                Phrase(
                    "Seat {accepted_by} is not offered the bank in this run of offers.",
                    accepted_by=accepted_by,
                ),
            )
        offer_answer.run(tx, seat=accepted_by, answer=Offer.Answer.ACCEPTED)
        return {"declined": declined, "bank_seat": accepted_by}
    if why_not_renew(state) is None:
        turn_renew.run(tx)
        return {"declined": declined, "bank_seat": state.step.seat}
    return {"declined": declined, "bank_seat": None}


@table_command(
    "POST turn/pause",
    Right.RUN_ROUNDS,
    check=why_not_pause,
    title="Stop the game before the same banker continues",
    tag="The bank",
    page="stop-game",
)
def turn_pause(tx: TableTransaction) -> PauseAnswer:
    """Stop the game, as the rotation profile asks of it before the last bank may take a new turn (rule of 2016).

    The game goes on by `turn_renew`, no sooner than the profile's minutes later.
    """
    state = tx.state()
    assert state.turn is not None  # a step `pause` implies a bank that holds the position
    assert state.shift is not None
    pause = Pause.objects.create(
        room=tx.room,
        table=tx.table,
        shift=state.shift,
        cycle=tx.table.offer_cycle,
        after_turn=state.turn,
        minutes=state.profile.pause_minutes,
        began_at=tx.now,
        recorded_by=tx.actor,
    )
    tx.journal("turn_pause", {"turn": state.turn.pk, "minutes": pause.minutes, "why": state.kept_reason})
    return {"minutes": pause.minutes}


@table_command(
    "POST turn/end",
    Right.RUN_ROUNDS,
    check=why_not_end_turn,
    title=Phrase("The bank gives up its turn"),
    tag="The bank",
    example={"reason": "wants to bet"},
    page="give-up",
    menu="more",
)
def turn_end(tx: TableTransaction, *, reason: Annotated[Note, Label(Phrase("Reason, if any"))] = "") -> None:
    """The bank gives up the position between rounds; offers go on clockwise from its seat."""
    state = tx.state()
    end_turn(tx, state, Turn.Ended.LEFT, reason=reason)


@table_command(
    "POST offers/ask-again",
    Right.RUN_ROUNDS,
    check=why_not_ask_again,
    title=Phrase("Offer the bank round again"),
    tag="The bank",
    page="ask-again",
    menu="more",
)
def offers_ask_again(tx: TableTransaction) -> None:
    """Send the offers round again after every player has declined."""
    pass_over(tx, tx.state())
    tx.write(offer_cycle=tx.table.offer_cycle + 1)
    tx.journal("offers_ask_again", {"cycle": tx.table.offer_cycle})


def pass_over(tx: TableTransaction, state: TableState) -> TableState:
    """Record why those who are not asked are not, up to the seat that is; return the table after it.

    Who may not bank is ineligible, and for whom a seat is held absent. A bank who may no longer play gives up its turn.
    """
    if state.bank_is_out:
        end_turn(tx, state, Turn.Ended.INACTIVE)
        state = tx.state()
    for seat in state.passed_over:
        answer, reason = state.unasked[seat], _why_unasked(state, seat)
        state = answer_record(tx, state, seat, answer, reason, passed_over=True)
    return state


def _why_unasked(state: TableState, seat: int) -> str:
    """Why nobody asks a seat: its player may not play, is not eligible, or is away while it is held."""
    sitting = state.seatings[seat]
    if (why := why_not_play_on(sitting.player, state.now)) is not None:
        return why.message
    if seat in state.ineligible:
        return state.ineligible[seat].reason
    assert sitting.held_until is not None  # nobody else is not asked
    until = time_text(sitting.held_until, state.table.room.zone)
    return Phrase("away: the seat is held until {time}", time=until)


def _why_by_hand(state: TableState, seat: int, reason: str) -> str:
    """Why a seat that is asked was recorded as ineligible; an approval that says who may bank says the reason."""
    if not reason:
        raise BadInput(
            "reason_required", Phrase("Say why the player at this seat is ineligible."), path="reason"
        )
    terms = terms_asked(state.profile)
    if not terms or why_not_bank(state, state.seatings[seat].player) is not None:
        return reason
    if reason not in terms:
        raise BadInput(
            "reason_not_approved",
            Phrase(
                "By the approved rules the ineligible are: {terms}. Choose what holds.",
                terms=", ".join(f"{term} ({words})" for term, words in terms.items()),
            ),
            path="reason",
        )
    return Phrase("{term}, by hand", term=terms[reason])


def answer_record(
    tx: TableTransaction, state: TableState, seat: int, answer: str, reason: str, *, passed_over: bool = False
) -> TableState:
    """Write what a seat answered, or why it was not asked, and return the table after it."""
    assert state.shift is not None  # why_not_offer has seen to it
    offer = Offer(
        room=tx.room,
        table=tx.table,
        shift=state.shift,
        cycle=tx.table.offer_cycle,
        attempt=state.attempt,
        after_turn=state.turn,
        seat=seat,
        player=state.seatings[seat].player,
        answer=answer,
        reason=referring(reason or state.step.reason, state.players, 200),
        game=tx.table.game,
        passed_over=passed_over,
        answered_at=tx.now,
        recorded_by=tx.actor,
    )
    offer.save()
    tx.journal(
        "offer_answer",
        _offer_answered_data(offer, state.kept_reason, state.behind.values()),
        reason=referring(reason, state.players),
    )
    return state.with_offer(offer)


def end_game(tx: TableTransaction, state: TableState) -> str:
    """Record that the game is over as its table closes, where everybody has declined; return why, or an empty text.

    The offers of the next game begin anew (ruling 53); also where they stood still with a rule that ends no game.
    """
    last = last_bank_of(tx.table)
    if state.profile.game_ends and last is not None and last.turn is not None:
        assert state.shift is not None  # a game is played in one
        Pause.objects.create(
            room=tx.room,
            table=tx.table,
            shift=state.shift,
            cycle=tx.table.offer_cycle,
            after_turn_id=last.turn,
            minutes=0,
            began_at=tx.now,
            recorded_by=tx.actor,
        )
    tx.write(offer_cycle=tx.table.offer_cycle + 1)
    return state.kept_reason


def end_turn(tx: TableTransaction, state: TableState, why: str, *, reason: str = "") -> None:
    """End the open turn. If no player took the bank over, offers go on clockwise: from its seat, or where they stood."""
    turn = state.turn
    assert turn is not None  # who calls it has seen to it
    turn.ended_at = tx.now
    turn.ended_why = why
    turn.save()
    if state.bank_ran_out:
        alert_clear(tx, Alert.Kind.BANK_EXHAUSTED)
    tx.write(offers_start_after=turn.seat)
    tx.journal("turn_end", _turn_ended_data(turn), reason=reason)


def _begin_turn(
    tx: TableTransaction,
    state: TableState,
    *,
    player: Player,
    seat: int,
    rounds_before: int,
    renewed: bool = False,
) -> None:
    assert state.shift is not None  # the command's check has seen to it
    turn = Turn(
        room=tx.room,
        table=tx.table,
        shift=state.shift,
        player=player,
        seat=seat,
        cycle=tx.table.offer_cycle,
        renewed=renewed,
        rotation=profile_of(tx.table).id,
        game=tx.table.game,
        rounds_before=rounds_before,
        began_at=tx.now,
    )
    turn.save()
    tx.write(offer_cycle=tx.table.offer_cycle + 1)
    tx.journal("turn_begin", _turn_began_data(turn))
    tx.left = None if state.bank_ran_out else state.with_turn(turn)  # its alert is cleared with the turn


def _offer_answered_data(offer: Offer, why: str, behind: Iterable[Seating]) -> dict[str, Any]:
    """A seat answered the offer of the bank; `why` is the rule's reason for asking it.

    `behind` are the bettors on the back lines, who play and are not asked: the entry names them.
    """
    player = offer.player
    not_asked = [stay_data(stay) for stay in behind]
    return {
        "seat": offer.seat,
        "player": player.pk,
        "answer": offer.answer,
        "why": why,
        **({"not_asked": not_asked} if not_asked else {}),
    }


def _turn_began_data(turn: Turn) -> dict[str, Any]:
    """A turn at the bank began."""
    return {
        "turn": turn.pk,
        "seat": turn.seat,
        "player": turn.player_id,
        "renewed": turn.renewed,
        "rounds_before": turn.rounds_before,
    }


def _turn_ended_data(turn: Turn) -> dict[str, Any]:
    """A turn at the bank ended, and why."""
    return {
        "turn": turn.pk,
        "seat": turn.seat,
        "player": turn.player_id,
        "rounds": turn.rounds,
        "why": turn.ended_why,
    }


def stay_data(sitting: Seating) -> dict[str, Any]:
    """A player sat down, or joined the back line of a seat's spot; of who leaves the same is said."""
    return {**place_as_json(sitting.place), "player": sitting.player_id}
