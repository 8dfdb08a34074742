"""The steps of a round that its commands share, whether they come one by one or from a whole sheet.

A command is called noun first (`round_settle`), and its step verb first (`settle_round`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypedDict

from cardroom.core.json_types import MOST_CENTS, Document, OneOf
from cardroom.core.row_digests import row_update, rows_create
from cardroom.jobs.notify_worker import wake_worker
from cardroom.people.names import named
from fees.errors import FeeError
from games.bets import Bets
from games.money import dollars
from games.phrases import Phrase
from games.ran_out import RanOut

from ..alerts import alert_clear, alert_raise
from ..checks.limits import check_limits, names_limited_at
from ..checks.rounds import why_not_close_bets
from ..checks.seats import why_not_bet_here
from ..errors import BadInput, NotNow
from ..execution.transactions import TableTransaction
from ..models import Alert, Round, Seating, Turn
from ..places import Place, place_as_json, place_of
from ..reads.round_names import names_of
from ..reads.table_state import TableState
from ..settling.by_eye import fix_ran_out
from ..settling.fixing import fix_action, fix_fees, fix_settlement
from ..settling.ledger import Ledger
from ..settling.round_documents import Fee, Settlement
from ..settling.sheets import action_seat_checked, bets_read
from .bank import end_turn
from .command_types import PositionBets
from .decks import deal_note
from .meters import check_not_won, meter_wagered
from .stub import check_stub_count

Bet = dict[str, Any]


class RoundAnswer(TypedDict):
    """What every command on a round answers."""

    round: int
    number: int
    state: Annotated[Round.State, OneOf(Round.State)]


class QuotedRound(RoundAnswer):
    """A round with the fees that were fixed."""

    fees: list[Annotated[dict[str, Any], Document(Fee)]]


class SettledRound(RoundAnswer):
    """A round with its settlement."""

    settlement: Annotated[dict[str, Any], Document(Settlement)]


def open_round(
    tx: TableTransaction, state: TableState, bank_wager_cents: int | None, path: str, source: str
) -> Round:
    """Open a round, without wagers as yet; `path` is where the caller's input names the bank's wager.

    That a round may be opened is seen to by the check of the command.
    """
    turn, shift, down = state.turn, state.shift, state.down
    wager = bank_wager(state.house_banks, bank_wager_cents, path)
    check_least_bank(state, wager, path)
    assert shift is not None  # the command's check has seen to both, and to the turn
    assert down is not None
    round_ = Round(
        room=tx.room,
        table=tx.table,
        gaming_day=shift.gaming_day,
        number=state.last_number + 1,  # the table's lock keeps two rounds from sharing one
        source=source,
        dealer=down.dealer,
        turn=turn,
        bank_seat=None if turn is None else turn.seat,
        bank_player=None if turn is None else turn.player,
        bank_wager_cents=wager,
        game=tx.table.game,
        rulebook=tx.table.rulebook,
        options=tx.table.sheet_options,
        rotation=state.profile.id,
        recording=tx.table.recording,
        opened_at=tx.now,
    )
    round_.save()
    tx.journal("round_open", _round_opened_data(round_))
    if state.bank_ran_out:
        alert_clear(tx, Alert.Kind.BANK_EXHAUSTED)  # it has put up a wager again
    return round_


def bank_wager(house_banks: bool, cents: int | None, path: str) -> int | None:
    """Return the wager of a bank in cents, None where the house banks, which puts up none.

    Raises BadInput that names `path` for a player's bank without its wager, and for a wager of the house.
    """
    if house_banks:
        if cents is not None:
            raise BadInput(
                "bank_not_allowed",
                Phrase("Here the house banks: leave the player-dealer wager out."),
                path=path,
            )
        return None
    if cents is None:
        raise BadInput("bank_required", Phrase("Enter the player-dealer wager."), path=path)
    return whole_cents(cents, path)


def check_least_bank(state: TableState, cents: int | None, path: str) -> None:
    """Refuse a wager of the bank below the least that the approval asks for (ruling 54)."""
    book = state.rulebook
    if cents is not None and book.least_bank_cents is not None and cents < book.least_bank_cents:
        what = Phrase("The least player-dealer wager here is {least}.", least=dollars(book.least_bank_cents))
        raise BadInput("bank_below_least", what, path=path)


def checked_bets(
    tx: TableTransaction, state: TableState, round_: Round, bets: Sequence[PositionBets]
) -> list[Bet]:
    """Check the given bets, each by itself, and return them as the round keeps them."""
    named: list[Bet] = []
    places = state.places
    for index, bet in enumerate(bets):
        place = place_of(bet)
        sitting = places.get(place)
        if sitting is None or place.seat not in state.seatings:
            raise BadInput("seat_empty", _empty_text(place, sitting), path=f"positions[{index}].seat")
        if (bet.get("wagers") or bet.get("tips")) and (why := why_not_bet_here(state, place)):
            raise BadInput.because(why, f"positions[{index}].seat")
        named.append(
            {
                **place_as_json(place),
                "player": sitting.player.ref,
                "wagers": dict(bet.get("wagers") or {}),
                "tips": dict(bet.get("tips") or {}),
            }
        )
    check_bets(tx, state, round_, named)
    return named


def _empty_text(place: Place, standing: Seating | None) -> str:
    if standing is None:
        if place.behind:
            return Phrase("Nobody stands at seat {place}.", place=place)
        return Phrase("Nobody sits at seat {seat}.", seat=place)
    return Phrase(
        "Nobody sits at seat {seat}, so {player} on its back line cannot bet. Move them to the seat, or seat somebody there.",
        seat=place.seat,
        player=standing.player,
    )


def check_bets(tx: TableTransaction, state: TableState, round_: Round, bets: list[Bet]) -> None:
    """Refuse wagers that the rules, the schedule's table limit or the table's own limits do not allow.

    A seat without wagers or tips sits out and has nothing to check. Paths name the place in `bets`. A wager that equals
    another one is put in.
    """
    limited = names_limited_at(tx.table)
    for index, bet in enumerate(bets):
        if not bet["wagers"] and not bet["tips"]:
            continue
        here = f"positions[{index}]"
        for kind in ("wagers", "tips"):
            for spot, cents in bet[kind].items():
                if isinstance(cents, int) and cents > MOST_CENTS:
                    raise BadInput(
                        "bad_amount", Phrase("No wager is that large."), path=f"{here}.{kind}.{spot}"
                    )
        [placed] = bets_read(round_, [bet], here).positions
        bet["wagers"] = dict(placed.wagers)  # with the wagers that equal another one
        check_limits(state, limited, bet, here)


def check_play_tips(state: TableState, results: Sequence[Mapping[str, Any]]) -> None:
    """Refuse a tip on play, which comes with the decision, outside the table's limits for tips."""
    if not any(result.get("tips") for result in results):
        return
    limited = names_limited_at(state.table)
    for index, result in enumerate(results):
        bet = {**place_as_json(place_of(result)), "wagers": {}, "tips": result.get("tips") or {}}
        check_limits(state, limited, bet, f"positions[{index}]")


def freeze_wagers(tx: TableTransaction, state: TableState, action_seat: int | None) -> Ledger:
    """Freeze the wagers, quote the fees, and name the shift and number that the round belongs to.

    Round and ledger, which holds the fees that are dropped, are yet to be saved.
    """
    if why := why_not_close_bets(state):
        raise NotNow.because(why)
    round_, shift, schedule = live_round(state), state.shift, tx.table.schedule
    assert shift is not None
    round_.action_seat = action_seat
    action_seat_checked(round_)
    bets_read(round_, round_.bets)
    limited = names_limited_at(tx.table)
    for index, bet in enumerate(round_.bets):
        check_limits(state, limited, bet, f"positions[{index}]")
    if round_.gaming_day != shift.gaming_day:
        # The shift changed between the bank's wager and "no more bets": the round belongs to the new one, and as the
        # last of its old day it leaves no gap there.
        round_.gaming_day, round_.number = shift.gaming_day, state.last_number + 1
    round_.shift = shift
    round_.state = Round.State.BETS_CLOSED
    round_.bets_closed_at = tx.now
    fix_action(round_)
    if schedule is not None:
        try:
            fix_fees(round_, schedule, state.waivers)
        except FeeError as error:  # no main wager lies there, only such as stand without one
            raise BadInput(error.code, error.message, path="positions") from error
    ledger = Ledger(round_, shift.pk, state.places, tx.now, state.boxes)
    ledger.fees(round_.fees)
    return ledger


def deal(tx: TableTransaction, state: TableState, round_: Round) -> None:
    """Note the instant of the first card, the deck that it came from, and that the fees were dropped before it."""
    noted = deal_note(tx, state, round_)
    round_.dealt_at = tx.now
    round_.save()  # whole: of a round that is recorded at once, the wagers that were frozen are yet to be saved
    tx.journal("round_deal", {"round": round_.pk, **noted})


def settle_round(
    tx: TableTransaction,
    state: TableState,
    ledger: Ledger,
    sheet: Bets,
) -> None:
    """Settle by the engine, move the cents that its lines move, and count the turn up by one; all is saved.

    `ledger` is one of the round, and may hold transfers of it that are yet to be written. The meter of a sheet with
    progressive wagers is locked (`meter_lock`) since before the sheet was read.
    """
    round_ = ledger.round
    turn = _end_settled(tx, round_)
    fix_settlement(round_, sheet)
    if round_.meter_cents:
        check_not_won(tx)
    settlement = round_.settlement
    assert settlement is not None
    for line in settlement["lines"]:
        ledger.line(line)
    if round_.rake is not None:
        ledger.fees(round_.fees)
    round_.save()
    rows_create(ledger.rows)
    tx.journal("round_settle", _round_settled_data(round_))
    if round_.exhausted:
        assert turn is not None  # the bank of the house has no end
        alert_raise(tx, Alert.Kind.BANK_EXHAUSTED, "", exhausted_text(turn, round_))
    meter_wagered(tx, round_)
    check_stub_count(tx)
    end_round(tx, state, round_)


def exhausted_text(turn: Turn, round_: Round) -> str:
    """The alert raised when the bank ran out before every wager was settled, or its funds did not reach a hand."""
    by_funds = round_.book.coverage == "funds"
    what = "did not cover every hand" if by_funds else "ran out"
    return (
        f"The bank of {turn.player.ref} at seat {turn.seat} {what} in round {round_.number}; "
        f"{dollars(round_.uncovered_cents)} of wagers went back uncovered."
    )


def finish_round(tx: TableTransaction, state: TableState, round_: Round, ran_out: RanOut | None) -> None:
    """End a round that was settled by eye: known of it are wagers, fees and where the bank ran out; it counts for the turn."""
    turn = _end_settled(tx, round_)
    fix_ran_out(round_, ran_out)
    round_.save()
    tx.journal("round_finish", _round_finished_data(round_))
    if round_.exhausted and turn is not None:
        alert_raise(tx, Alert.Kind.BANK_EXHAUSTED, "", exhausted_text(turn, round_))
    check_stub_count(tx)
    end_round(tx, state, round_)


def _end_settled(tx: TableTransaction, round_: Round) -> Turn | None:
    """Mark the round as settled at this instant and count its turn at the bank up by one, where a player banks."""
    turn = round_.turn
    if turn is not None:
        row_update(turn, rounds=turn.rounds + 1)
        round_.turn_round = turn.rounds
    round_.state = Round.State.SETTLED
    round_.ended_at = tx.now
    return turn


def end_round(tx: TableTransaction, state: TableState, round_: Round) -> None:
    """Do what comes with the end of a round, when it is saved: its bank may have become inactive in it.

    The report of a closed shift waits for its last round: this may have been it.
    """
    if round_.turn is not None and not round_.turn.player.may_play(tx.now):
        end_turn(tx, tx.state(), Turn.Ended.INACTIVE)
    if state.shift is None or state.shift.pk != round_.shift_id:
        wake_worker()


def live_round(state: TableState) -> Round:
    """Return the round in play, which a check has seen to be there."""
    assert state.live is not None  # the check before it has seen to it
    return state.live


def whole_cents(cents: Any, path: str, *, least: int = 1) -> int:
    """Return `cents` if it is an amount of `least` or more; raises BadInput that names `path` if not."""
    if isinstance(cents, bool) or not isinstance(cents, int) or not least <= cents <= MOST_CENTS:
        raise BadInput(
            "bad_amount",
            Phrase("An amount is a whole number of cents above 0 (and below $10 billion).")
            if least
            else Phrase("A count is a whole number of cents from 0 (and below $10 billion)."),
            path=path,
        )
    return cents


def settled_answer(round_: Round, state: TableState) -> SettledRound:
    """Return what is answered of a round that was settled by its cards."""
    assert round_.settlement is not None  # it has just been settled
    return {**round_answer(round_), "settlement": names_of(round_, state.players).in_place(round_.settlement)}


def settlement_again(answer: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the settlement of the round of an answer, which never changes."""
    return named(Round.objects.values_list("settlement", flat=True).get(pk=answer["round"]))


def round_answer(round_: Round) -> RoundAnswer:
    """Return what every command on a round answers."""
    return {"round": round_.pk, "number": round_.number, "state": Round.State(round_.state)}


def _round_opened_data(round_: Round) -> dict[str, Any]:
    """The bank put up its wager, and betting began."""
    return {
        "round": round_.pk,
        "gaming_day": round_.gaming_day.isoformat(),
        "number": round_.number,
        "bank": {
            "seat": round_.bank_seat,
            "player": round_.bank_player_id,
            "wager": round_.bank_wager_cents,
        },
        "recording": round_.recording,
    }


def _round_settled_data(round_: Round) -> dict[str, Any]:
    """A round was settled by its cards."""
    settlement = round_.settlement
    assert settlement is not None  # a settled round has its settlement
    return {
        "round": round_.pk,
        "number": round_.number,
        "turn": round_.turn_id,
        "turn_round": round_.turn_round,
        **({"shown_card": round_.shown_card} if round_.shown_card else {}),
        "bank": settlement["bank"],
        "drop": settlement["drop"],
        "tips": settlement["tokes"],
        "uncovered": round_.uncovered_cents,
    }


def _round_finished_data(round_: Round) -> dict[str, Any]:
    """A round was settled by eye."""
    return {
        "round": round_.pk,
        "number": round_.number,
        "turn": round_.turn_id,
        "turn_round": round_.turn_round,
        **(
            {} if round_.ran_out is None else {"ran_out": round_.ran_out, "uncovered": round_.uncovered_cents}
        ),
    }
