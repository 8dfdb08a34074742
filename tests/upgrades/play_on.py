"""Goes on in an upgraded database of a release: `python -m tests.upgrades.play_on`, as whoever CARDROOM_DATABASE_URL signs in as.

The round whose cards were out before the upgrade is settled, another is played, the shift is closed and reported; then
`verify`. Prints what the report says of the shift as JSON, and fails where any of it does.
"""

from __future__ import annotations

import datetime
import json

import django
import time_machine

if __name__ == "__main__":
    django.setup()

from django.core.management import call_command

from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.models import JournalEntry, Round, Shift, Table
from cardroom.people.models import Staff
from cardroom.reports.models import ShiftReport
from cardroom.reports.tasks import make_due_reports
from cardroom.rooms.models import Room
from tests.cast import Cast

ANTES = {4: 1000, 5: 1000}


def cast_of_the_release() -> Cast:
    """The cast that played the release's database, as the rows have it."""
    cast = Cast.__new__(Cast)
    cast.people = {person.username: person for person in Staff.objects.all()}
    cast.people["dealer"] = cast.people["dealer_day"]  # who deals there
    cast.room = Room.objects.get(code="cache-slough")
    cast.table = Table.objects.get(room=cast.room, number=7)
    return cast


def main() -> None:
    """Play on, a minute after the last entry of the journal."""
    last = JournalEntry.objects.latest("at").at
    with time_machine.travel((last + datetime.timedelta(minutes=1)).timestamp()):
        cast = cast_of_the_release()
        shift = Shift.objects.get(room=cast.room, closed_at=None)
        dealt = Round.objects.get(table=cast.table, state=Round.State.BETS_CLOSED)
        cast.settle(ANTES)
        dealt.refresh_from_db()
        assert dealt.state == Round.State.SETTLED, dealt.state
        cast.bank_to(4)  # seat 3 has banked its two rounds
        cast.play({1: 1000, 5: 1000})
        cast.send_room(shift_close, "shift_manager", shift_id=shift.pk, confirmed=True)
        make_due_reports()
        report = ShiftReport.objects.get(shift=shift)
        call_command("verify")
    total = report.figures["total"]
    print(json.dumps({"rounds": total["rounds_settled"], "drop": total["drop_expected_cents"]}))


if __name__ == "__main__":
    main()
