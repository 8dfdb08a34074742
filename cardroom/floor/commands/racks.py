"""Commands on a provider's rack of chips: its counts as a session begins and ends, and its hand-over between two of its players.

The chips are the provider's, and only its authorized players have them in hand (4 CCR 12290(b)): the players count, whoever works
the table records what they say, and the floor witnesses it.
"""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from cardroom.core.json_types import Cents, Id, Label, Seat, Signature
from cardroom.people.models import Player, Staff
from cardroom.people.rights import Right
from games.money import dollars
from games.phrases import Phrase

from ..checks.racks import (
    seats_of,
    why_not_close_rack,
    why_not_hand_over,
    why_not_open_rack,
    why_not_take_over,
)
from ..checks.seats import why_not_play_on
from ..chips import Chips, chips_read
from ..contracts import why_outside_contract
from ..errors import BadInput, NotNow
from ..execution.carry_out import table_command
from ..execution.transactions import TableTransaction
from ..expiry import why_badge_expired
from ..models import JournalEntry, RackCount, RackWithdrawal, Seating
from ..places import Place
from ..reads.table_state import TableState
from ..seat_time import paid_to
from .expiry import Expired, permitted_command
from .procedures import supervisor_of
from .round_steps import whole_cents
from .seats import player_named
from .stays import stay_begin, why_at_another_table

_TAG = "Providers' racks"
_Witness = Annotated[Staff, Signature(Right.WITNESS_RACK)]
_Counted = Annotated[
    Cents, Label(Phrase("Count of the rack")), "What the provider's players count and agree on, in cents."
]
_Chips = Annotated[Chips | None, "The same by denomination, where it was told; it must come to `cents`."]


class RackAnswer(TypedDict):
    """Which count was written."""

    rack_count: int
    seat: int
    cents: int


class HandOverAnswer(RackAnswer):
    """Who has the rack now."""

    player: int
    relieved: int
    turn: Annotated[int | None, "The turn at the bank that goes on; null where the rack held no bank."]


@permitted_command(
    "POST seats/{seat}/rack/hand-over",
    Right.SEAT_PLAYERS,
    no_check="it depends on the seat and the player: why_not_take_over",
    title=Phrase("Hand over the rack"),
    tag=_TAG,
    example={"to_player_id": 12, "cents": 1250000},
    page="rack-hand-over",
    done=Phrase("The rack is handed over."),
)
def rack_hand_over(
    tx: TableTransaction,
    *,
    seat: Seat,
    to_player_id: Annotated[
        Id, Label(Phrase("Takes over")), "Another authorized player of the same provider."
    ],
    cents: _Counted,
    chips: _Chips = None,
    approver: _Witness | None = None,
) -> HandOverAnswer:
    """Let another authorized player of the provider take the rack and the seat over, with the count that the two agree on.

    Between rounds, or while the seat has nothing in the round in play. Where the rack holds the bank its turn goes on: neither
    rounds in a row nor minutes begin anew, and no offer falls due by it (ruling 62). A floor supervisor or shift manager
    witnesses the count: whoever gives the command, or one who signs it.
    """
    state = tx.state()
    player = player_named(tx, to_player_id, "to_player_id")
    if why := (
        why_not_take_over(state, seat, player)
        or why_at_another_table(tx, player)
        or why_outside_contract(state, player)
    ):
        raise NotNow(why.code, why.message, path="to_player_id", extra=why.extra)
    if why := why_badge_expired(state, player):
        raise Expired(why, f"player:{player.pk}")
    counted = _counted(cents, chips)
    left = state.seatings[seat]
    began = _relieve(tx, state, seat, player)
    turn = state.turn if state.turn is not None and state.turn.player_id == left.player_id else None
    if turn is not None:
        turn.relieved = [*turn.relieved, left.player_id]
        turn.player = player
        turn.save()
    made = _write(
        tx,
        state,
        began,
        kind=RackCount.Kind.HAND_OVER,
        counted=counted,
        approver=approver,
        relieved=left.player,
        left=left,
        turn=turn,
    )
    tx.journal("rack_hand_over", rack_data(made))
    return {
        **_answer(made),
        "player": player.pk,
        "relieved": left.player_id,
        "turn": made.turn_id,
    }


def hand_over_undone(tx: TableTransaction, entry: JournalEntry) -> dict[str, Any]:
    """Take a hand-over back: who was relieved has seats, rack and turn again. Returns what the journal says of it."""
    state = tx.state()
    made = RackCount.objects.select_related("relieved").get(pk=entry.data["rack_count"], table=tx.table)
    player, turn = made.relieved, state.turn
    assert player is not None  # who handed over
    if why := (
        why_not_hand_over(state, made.seat)
        or why_not_play_on(player, tx.now)
        or why_at_another_table(tx, player)
    ):
        raise NotNow.because(why)
    if made.turn_id is not None:
        if turn is None or turn.pk != made.turn_id:
            raise NotNow("turn_ended", Phrase("The turn at the bank has ended since."))
        turn.relieved, turn.player = turn.relieved[:-1], player
        turn.save()
    _relieve(tx, state, made.seat, player)
    RackWithdrawal.objects.create(
        room=tx.room, table=tx.table, count=made, withdrawn_at=tx.now, withdrawn_by=tx.actor
    )
    return {"seat": made.seat, "player": player.pk, "rack_count": made.pk}


def _relieve(tx: TableTransaction, state: TableState, seat: int, player: Player) -> Seating:
    """End the stays of the player at a seat and begin those of another one in their places; return the one at `seat`."""
    seats = seats_of(state, seat)
    for at in seats:
        state.seatings[at].left_at = tx.now
        state.seatings[at].save()
    began: dict[int, Seating] = {}
    for at in seats:
        owed_from = paid_to(state.seatings[at])
        began[at] = stay_begin(tx, Place(at), player, beside=began.get(seats[0]), time_paid_to=owed_from)
    return began[seat]


@table_command(
    "POST seats/{seat}/rack/opening",
    Right.SEAT_PLAYERS,
    bumps_version=False,
    no_check="it depends on the seat: why_not_open_rack",
    title=Phrase("Opening count of the rack"),
    tag=_TAG,
    example={"cents": 1250000},
    page="rack-opening",
    done=Phrase("The opening count is recorded."),
)
def rack_open(
    tx: TableTransaction,
    *,
    seat: Seat,
    cents: _Counted,
    chips: _Chips = None,
    approver: _Witness | None = None,
) -> RackAnswer:
    """Record with what a provider's player opens the session at the table. Optional; the last of several counts.

    A floor supervisor or shift manager witnesses the count.
    """
    state = tx.state()
    if why := why_not_open_rack(state, seat):
        raise NotNow.because(why)
    made = _write(
        tx,
        state,
        state.seatings[seat],
        kind=RackCount.Kind.OPENING,
        counted=_counted(cents, chips),
        approver=approver,
    )
    tx.journal("rack_open", rack_data(made))
    return _answer(made)


@table_command(
    "POST seats/{seat}/rack/closing",
    Right.SEAT_PLAYERS,
    bumps_version=False,
    no_check="it depends on the seat: why_not_close_rack",
    title=Phrase("Closing count of the rack"),
    tag=_TAG,
    example={"cents": 1250000},
    page="rack-closing",
    done=Phrase("The closing count is recorded."),
)
def rack_close(
    tx: TableTransaction,
    *,
    seat: Seat,
    cents: _Counted,
    chips: _Chips = None,
    approver: _Witness | None = None,
) -> RackAnswer:
    """Record with what a provider's player ends the session at the table, before they leave. Optional; the last of several counts.

    A floor supervisor or shift manager witnesses the count.
    """
    state = tx.state()
    if why := why_not_close_rack(state, seat):
        raise NotNow.because(why)
    made = _write(
        tx,
        state,
        state.seatings[seat],
        kind=RackCount.Kind.CLOSING,
        counted=_counted(cents, chips),
        approver=approver,
    )
    tx.journal("rack_close", rack_data(made))
    return _answer(made)


def rack_data(made: RackCount) -> dict[str, Any]:
    """What the journal says of a count: who counted, what, and who of the floor witnessed it."""
    relieved = made.relieved
    return {
        "rack_count": made.pk,
        "kind": str(made.kind),
        "seat": made.seat,
        "player": made.player_id,
        "provider": made.provider_id,
        "cents": made.cents,
        **({"chips": made.chips} if made.chips else {}),
        **({} if relieved is None else {"relieved": relieved.pk, "turn": made.turn_id}),
        "witnessed_by": {"id": made.witnessed_by_id, "name": str(made.witnessed_by)},
    }


def _counted(cents: int, chips: dict[str, int] | None) -> tuple[dict[str, int], int]:
    """Return what was counted, by denomination as far as that was told, and its sum."""
    whole_cents(cents, "cents", least=0)
    if not chips:
        return {}, cents
    read, total = chips_read(chips)
    if total != cents:
        raise BadInput(
            "count_differs",
            Phrase(
                "The chips come to {chips}, and the count to {cents}. Count again.",
                chips=dollars(total),
                cents=dollars(cents),
            ),
            path="cents",
        )
    return read, total


def _answer(made: RackCount) -> RackAnswer:
    return {"rack_count": made.pk, "seat": made.seat, "cents": made.cents}


def _write(
    tx: TableTransaction,
    state: TableState,
    stay: Seating,
    *,
    kind: RackCount.Kind,
    counted: tuple[dict[str, int], int],
    approver: Staff | None,
    **of_hand_over: Any,
) -> RackCount:
    """Write a count, which the floor has witnessed: whoever gives the command, or who signs it."""
    witness = supervisor_of(tx, approver, Right.WITNESS_RACK)
    assert state.shift is not None  # why_not_count_rack has seen to both
    assert stay.player.provider is not None
    chips, cents = counted
    return RackCount.objects.create(
        room=tx.room,
        table=tx.table,
        shift=state.shift,
        kind=kind,
        provider=stay.player.provider,
        player=stay.player,
        seat=stay.seat,
        stay=stay,
        chips=chips,
        cents=cents,
        counted_at=tx.now,
        recorded_by=tx.actor,
        witnessed_by=witness,
        **of_hand_over,
    )
