"""The demo room's calendar: obligations of an invented Californian cardroom, most of them done by their day, one not.

Clauses of state law are those that docs/obligations.md has looked up; the city, its code and its days are invented.
"""

from __future__ import annotations

import base64
import dataclasses
import datetime
from typing import Final

from cardroom.core.dates import day_text
from cardroom.documents.document import Answer, Kind, ReportDocument
from cardroom.documents.pdf import pdf_of
from cardroom.floor.execution.locks import locked
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.obligations.commands.obligations import (
    obligation_add,
    obligation_document_attach,
    obligation_done,
    obligation_note_down,
)
from cardroom.obligations.models import Obligation
from cardroom.people.models import Staff
from cardroom.people.permits import local_day
from cardroom.rooms.models import Room

from .demo_room import DemoRoom

Every, Of = Obligation.Every, Obligation.Kind
_DAY: Final = datetime.timedelta(days=1)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Duty:
    """An obligation of the demo, due so many days after its today; done so many days before that day, or left (None)."""

    title: str
    kind: str
    rests_on: str
    due: int
    every: str
    remind: int = 30
    owned: bool = True
    done: int | None = None
    proof: str = ""
    note: str = ""


DUTIES: Final = (
    Duty(
        title="Statement of gross revenue to the city",
        kind=Of.TAX,
        rests_on="Tule Slough municipal code 5.20.110",
        due=-19,
        every=Every.QUARTER,
        done=2,
        proof="City finance receipt",
        note="Paid by cheque 4471 with the statement",
    ),
    Duty(
        title="List of employees with their work permits, to the police",
        kind=Of.FILING,
        rests_on="Tule Slough municipal code 5.20.070",
        due=-4,
        every=Every.MONTH,
        remind=7,
        note="Two permits are still with the city; the list waits for their numbers",
    ),
    Duty(
        title="City cardroom licence",
        kind=Of.LICENCE,
        rests_on="Tule Slough municipal code 5.20.040",
        due=16,
        every=Every.YEAR,
        owned=False,
    ),
    Duty(
        title="Certificate of the surveillance recorders",
        kind=Of.CONTRACT,
        rests_on="Contract SV-88 with the maker",
        due=-9,
        every=Every.HALF_YEAR,
        done=1,
        proof="Service report 2210",
    ),
    Duty(
        title="Fire permit for assembly",
        kind=Of.PERMIT,
        rests_on="County fire marshal, permit A-3071",
        due=47,
        every=Every.YEAR,
    ),
    Duty(
        title="Application to renew the state gambling licence",
        kind=Of.LICENCE,
        rests_on="B&P Code 19876(b), 4 CCR 12114(a): 120 days before it expires",
        due=74,
        every=Every.TWO_YEARS,
        remind=60,
    ),
    Duty(
        title="Annual fee by tables to the state",
        kind=Of.TABLE_FEE,
        rests_on="B&P Code 19951: 120 days after the fiscal year",
        due=155,
        every=Every.YEAR,
        remind=45,
    ),
    Duty(
        title="Annual financial statements to the Bureau",
        kind=Of.FILING,
        rests_on="120 days after the fiscal year",
        due=155,
        every=Every.YEAR,
        remind=45,
    ),
)


def duties_entered(by: RoomTransaction, compliance: Staff, today: datetime.date) -> None:
    """Enter what the room is to do, as it stands before any of it is done; `today` is that of the demo.

    What is done in time in a longer past is due on the first day of a shorter one.
    """
    first = local_day(by.room, by.now)
    for duty in DUTIES:
        due_on = today + duty.due * _DAY
        added = obligation_add.run(
            by,
            kind=duty.kind,
            title=duty.title,
            rests_on=duty.rests_on,
            due_on=due_on if duty.done is None else max(due_on, first),
            every=duty.every,
            remind_days=duty.remind,
            owner_id=compliance.pk if duty.owned else None,
        )
        if duty.note and duty.done is None:
            obligation_note_down.run(by, obligation_id=added["obligation"], note=duty.note)


def duties_done(by: RoomTransaction, manager: Staff) -> None:
    """Say that what is to be done by now is done, each with its proof; of a tax a second person signs."""
    today = local_day(by.room, by.now)
    duties = {duty.title: duty for duty in DUTIES if duty.done is not None}
    waiting = Obligation.objects.filter(room=by.room, closed_at__isnull=True, title__in=duties)
    for each in waiting.order_by("pk"):
        duty = duties[each.title]
        assert duty.done is not None  # by which they were chosen
        if each.due_on - duty.done * _DAY > today:
            continue
        if each.takes_two:
            receipt = _receipt(by.room, each, duty.proof)
            obligation_document_attach.run(by, obligation_id=each.pk, name="receipt.pdf", content=receipt)
        obligation_done.run(
            by,
            obligation_id=each.pk,
            reference="" if each.takes_two else duty.proof,
            note=duty.note,
            approver=manager if each.takes_two else None,
        )


def duties_kept(demo: DemoRoom) -> None:
    """Enter the obligations of a room that has had no past, and say what of them is done; those that are there stay."""
    if Obligation.objects.filter(room=demo.room).exists():
        return
    compliance, manager = demo.staff["compliance"], demo.staff["roommanager"]
    now = demo.clock.wait(len(DUTIES))
    with locked(Room, demo.room.pk) as room:
        by = RoomTransaction.at_instant(room, compliance, now)
        duties_entered(by, compliance, local_day(room, now))
        duties_done(by, manager)


def _receipt(room: Room, obligation: Obligation, title: str) -> str:
    """A receipt as a PDF in Base64: invented, as the city is."""
    document = ReportDocument(
        name="receipt",
        title=title,
        room=f"City of Tule Slough, to {room}",
        zone=room.zone,
        period=f"for the statement that was due {day_text(obligation.due_on)}",
        answers=[Answer("number", "Receipt number", f"TS-{obligation.due_on:%Y%m}-118", Kind.TEXT)],
        grids=[],
    )
    return base64.b64encode(pdf_of(document, printed_by="City finance", printed_at="")).decode()
