"""Commands on disputes: a player's claim is taken down at the table, reviewed by surveillance, and decided (4 CCR 12392, 12396).

The product decides nothing: it keeps what was claimed, what is on record, and who decided what and why.
"""

from __future__ import annotations

import datetime
from typing import Annotated, Any, TypedDict

from cardroom.core.dates import day_text
from cardroom.core.json_types import Id, Label, OneOf, Pick, Seat, Text
from cardroom.floor.commands.players import NAME_LENGTH, guest_added
from cardroom.floor.errors import BadInput, NotFound, NotNow
from cardroom.floor.execution.carry_out import room_command, table_command
from cardroom.floor.execution.transactions import RoomTransaction, TableTransaction
from cardroom.floor.models import Round
from cardroom.floor.reads.table_state import TableState
from cardroom.people.permits import local_day
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day
from games.phrases import Phrase

from ..checks import why_not_work
from ..disputes import CODE, player_at
from ..models import Dispute, Item, ItemPerson, ItemStep
from ..steps import step_note
from .items import NOTE_LENGTH, TAG, Said

#: Rounds that a claim is most often about: the last ones of the table.
_LAST = 8
Claim = Annotated[str, Text(NOTE_LENGTH), Label(Phrase("What is claimed"))]


class ClaimAnswer(TypedDict):
    """A claim was taken down: the dispute and its item."""

    dispute: int
    item: int


class DisputeAnswer(TypedDict):
    """A dispute and its item."""

    dispute: int
    item: int


def _rounds(state: TableState) -> list[tuple[Any, str]]:
    """The last rounds of a table, and none."""
    rounds = Round.objects.filter(table=state.table, corrects__isnull=True).order_by("-pk")[:_LAST]
    named = [(each.pk, Phrase("Round {number}", number=each.number)) for each in rounds]
    return [*named, ("", Phrase("no round"))]


def _seats(state: TableState) -> list[tuple[Any, str]]:
    """The seats of the table with who sits there, and none."""
    taken = [(seat, f"{seat} · {stay.player.known_as}") for seat, stay in sorted(state.seatings.items())]
    return [("", Phrase("no seat")), *taken]


@table_command(
    "POST disputes",
    Right.TAKE_CLAIMS,
    bumps_version=False,
    no_check="a claim is taken down at any time",
    title=Phrase("Player's claim"),
    tag=TAG,
    example={"claim": "says a flush was paid 3 to 1", "seat": 4},
    page="claim",
    menu="more",
    done=Phrase("The claim is taken down: it is an item under Exceptions."),
)
def dispute_open(
    tx: TableTransaction,
    *,
    claim: Claim,
    round_id: Annotated[Id | None, Label(Phrase("Round")), Pick(_rounds)] = None,
    seat: Annotated[Seat | None, Label(Phrase("Seat")), Pick(_seats)] = None,
    guest: Annotated[
        str,
        Text(NAME_LENGTH, blank=True),
        Label(Phrase("Guest")),
        "What somebody is called who is no player on file; they are a new player of that name.",
    ] = "",
) -> ClaimAnswer:
    """Take a player's claim down in words, at a round or without one. It is an item under Exceptions, to be answered in the room's days.

    The claim is the guest's who is named, else that of who sat at the seat. A name stands with the player's, where it can be erased.
    """
    claim = claim.strip()
    if not claim:
        raise BadInput("claim_required", Phrase("Write down what is claimed."), path="claim")
    round_ = None
    if round_id is not None:
        round_ = Round.objects.filter(pk=round_id, table=tx.table).first()
        if round_ is None:
            raise NotFound("unknown_round", Phrase("This table has no round {round_id}.", round_id=round_id))
    player = guest_added(tx.room, guest) if guest.strip() else player_at(round_, tx.table.pk, seat)
    about = round_ or Round.objects.filter(table=tx.table, ended_at__isnull=True).first()
    item = Item(
        room=tx.room,
        kind=CODE,
        key=f"{tx.table.pk} {tx.table.chain_seq + 1}",  # of its entry: two may come in one instant
        table=tx.table,
        shift=tx.room.shifts.filter(closed_at__isnull=True).first(),
        gaming_day=gaming_day(tx.room, tx.now),
        happened_at=tx.now,
        found_at=tx.now,
        figures={
            "by": player.ref if player is not None else "A guest",
            "seat": seat,
            "number": None if round_ is None else round_.number,
            "claim": claim,
        },
        evidence={} if round_ is None else {"round": round_.pk},
        due_on=local_day(tx.room, tx.now) + datetime.timedelta(days=tx.room.answer_days),
    )
    item.save()
    dispute = Dispute.objects.create(
        room=tx.room,
        item=item,
        table=tx.table,
        round=round_,
        seat=seat,
        player=player,
        claim=claim,
        opened_at=tx.now,
        opened_by=tx.actor,
    )
    staff = {tx.actor.pk, *([] if about is None else [about.dealer_id])}
    for pk in sorted(staff):
        ItemPerson.objects.create(item=item, staff_id=pk)
    if player is not None:
        ItemPerson.objects.create(item=item, player=player)
    tx.journal("dispute_open", {"dispute": dispute.pk, "item": item.pk, "round": round_id, "seat": seat})
    return {"dispute": dispute.pk, "item": item.pk}


@room_command(
    "POST disputes/{dispute_id}/decide",
    Right.WORK_ITEMS,
    bumps_version=False,
    no_check="it depends on the dispute, whose item is not closed",
    title="Decide a claim",
    tag=TAG,
    example={"outcome": "denied", "reason": "the approval in force says 3 to 1"},
)
def dispute_decide(
    tx: RoomTransaction,
    *,
    dispute_id: Id,
    outcome: Annotated[str, OneOf(Dispute.Outcome), Label("Decision")],
    reason: Annotated[str, Text(NOTE_LENGTH), Label("Reason")],
) -> DisputeAnswer:
    """Decide a claim, with the reason. Its item is explained by that; a second person closes it."""
    dispute = _found(tx, dispute_id)
    reason = reason.strip()
    if not reason:
        raise BadInput("reason_required", "A decision needs a reason.", path="reason")
    if dispute.is_under_review:
        raise NotNow("review_open", "Surveillance still reviews this claim: enter what it found first.")
    dispute.outcome, dispute.reason = outcome, reason
    dispute.decided_at, dispute.decided_by = tx.now, tx.actor
    dispute.save()
    item, before = dispute.item, dispute.item.state
    item.state, item.explained_by, item.owner = Item.State.EXPLAINED, tx.actor, item.owner or tx.actor
    said = f"{Dispute.Outcome(outcome).label.capitalize()}: {reason}"
    step_note(tx, item, ItemStep.What.EXPLAIN, before, note=said[:NOTE_LENGTH])
    tx.journal(
        "dispute_decide", {"dispute": dispute.pk, "item": item.pk, "outcome": outcome}, reason=reason[:200]
    )
    return {"dispute": dispute.pk, "item": item.pk}


@room_command(
    "POST disputes/{dispute_id}/review",
    Right.WORK_ITEMS,
    bumps_version=False,
    no_check="it depends on the dispute, whose item is not closed",
    title="Ask for a surveillance review",
    tag=TAG,
    example={"hold_until": "2027-12-24", "note": "the payout of round 44"},
)
def review_ask(
    tx: RoomTransaction,
    *,
    dispute_id: Id,
    hold_until: Annotated[datetime.date, Label("Hold recordings until")],
    note: Said,
) -> DisputeAnswer:
    """Ask surveillance to review a claim, and to hold its recordings until a day. Asked again, it holds until the new day."""
    dispute = _found(tx, dispute_id)
    today = local_day(tx.room, tx.now)
    if hold_until < today:
        raise BadInput("bad_hold", "The recordings are held until today at the earliest.", path="hold_until")
    dispute.review_asked_at, dispute.review_asked_by = tx.now, tx.actor
    dispute.hold_until = hold_until
    dispute.review_ended_at = dispute.review_ended_by = None
    dispute.review_found = ""
    dispute.save()
    item = dispute.item
    item.kept_until = max(hold_until, item.kept_until or hold_until)
    said = f"Surveillance review, recordings held until {day_text(hold_until)}: {note.strip()}"
    step_note(tx, item, ItemStep.What.NOTE, item.state, note=said[:NOTE_LENGTH])
    tx.journal(
        "review_ask",
        {"dispute": dispute.pk, "item": item.pk, "hold_until": hold_until.isoformat()},
        reason=note.strip()[:200],
    )
    return {"dispute": dispute.pk, "item": item.pk}


@room_command(
    "POST disputes/{dispute_id}/review/end",
    Right.END_REVIEWS,
    bumps_version=False,
    no_check="it depends on the dispute, which is under review",
    title="End a surveillance review",
    tag=TAG,
    example={"note": "the hand shows a flush, paid 3 to 1"},
)
def review_end(tx: RoomTransaction, *, dispute_id: Id, note: Said) -> DisputeAnswer:
    """Say what the surveillance review of a claim found."""
    dispute = _found(tx, dispute_id)
    note = note.strip()
    if not note:
        raise BadInput("note_required", "Write what the review found.", path="note")
    if not dispute.is_under_review:
        raise NotNow("no_review", "No surveillance review of this claim is open.")
    dispute.review_ended_at, dispute.review_ended_by, dispute.review_found = tx.now, tx.actor, note
    dispute.save()
    said = f"The review found: {note}"
    step_note(tx, dispute.item, ItemStep.What.NOTE, dispute.item.state, note=said[:NOTE_LENGTH])
    tx.journal("review_end", {"dispute": dispute.pk, "item": dispute.item_id}, reason=note[:200])
    return {"dispute": dispute.pk, "item": dispute.item_id}


def _found(tx: RoomTransaction, dispute_id: int) -> Dispute:
    """Return a dispute of the room whose item is not closed. Raises what refuses it."""
    rows = Dispute.objects.filter(pk=dispute_id, room=tx.room).select_related("item")
    dispute = rows.first()
    if dispute is None:
        raise NotFound("unknown_dispute", f"This room has no dispute {dispute_id}.")
    if why := why_not_work(dispute.item):
        raise NotNow.because(why)
    return dispute
