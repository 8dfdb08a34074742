"""Closes shifts one after another, in a process of its own: `python -m tests.measure.faults.driver [--unguarded]`.

Each shift has two rounds. The second is settled only after its shift was closed, so that the report has to wait for it;
the first of every other shift is corrected in the shift after, so that its report has to be restated. What was done is
printed as it is committed, a JSON object a line: that list owes nothing to the database which is then held to it. Ends
with its input.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
from typing import TYPE_CHECKING, Any

import django

if TYPE_CHECKING:
    from tests.cast import Cast

#: Seconds between two shifts.
PAUSE_SECONDS = 0.5
ANTES = {4: 1000, 5: 2000}


def main() -> None:
    """Open the site and close shifts until nobody wants more."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--unguarded", action="store_true")
    given = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "cardroom.config.settings"
    django.setup()
    import cardroom.config.celery  # noqa: F401  # whose application notify_worker sends by
    from tests.cast import Cast

    if given.unguarded:
        from .unguarded import put_messages_in_place_of_jobs

        put_messages_in_place_of_jobs()
    ended = threading.Event()

    def listen() -> None:
        sys.stdin.read()
        ended.set()

    threading.Thread(target=listen, daemon=True).start()
    cast = Cast()
    cast.open()
    wrong: int | None = None
    while not ended.wait(PAUSE_SECONDS):
        first = play_and_close(cast, correcting=wrong)
        wrong = first if wrong is None else None


def play_and_close(cast: Cast, *, correcting: int | None) -> int:
    """Play the open shift, correct a round of the one before, close it and open the next; return its first round."""
    from cardroom.floor.commands.bank import offer_answer
    from cardroom.floor.commands.corrections import round_correct
    from cardroom.floor.commands.shifts import shift_close, shift_open
    from cardroom.floor.models import Round, Shift
    from tests.floor.test_corrections import as_recorded

    shift = Shift.objects.get(room=cast.room, closed_at__isnull=True)
    bank = cast.state().step.seat
    cast.send(offer_answer, seat=bank, answer="accepted")
    antes = {seat: cents for seat, cents in ANTES.items() if seat != bank}
    first = int(cast.play(antes)["round"])
    if correcting is not None:
        round_ = Round.objects.get(pk=correcting)
        record = as_recorded(round_)
        record["positions"][0]["wagers"]["ante"] += 100
        cast.send(round_correct, **record, reason="an ante misread", approver=cast.people["floor"])
        tell(corrected=round_.shift_id)
    cast.deal(antes)
    cast.send_room(shift_close, confirmed=True, shift_id=shift.pk)
    tell(closed=shift.pk)
    cast.settle(antes)
    cast.send_room(shift_open, name=f"Shift {shift.pk + 1}")
    return first


def tell(**what: Any) -> None:
    """Say what is committed."""
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    main()
