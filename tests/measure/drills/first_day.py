"""The first day of a room at a new site: `python -m tests.measure.drills.first_day PASSWORD`, in the environment of the site.

PASSWORD is the administrator's. The room is made in the admin and set up on its pages, as `tests/week`
does it, by people who set up a second factor where the site asks their role for one; then a shift is opened, rounds are
played, boxes counted, and the shift is closed, whose report goes to a subscriber by e-mail. Prints the room and what the
report must say, as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

import django

#: How long the worker may take for the report.
PATIENCE_SECONDS = 120.0
OWNER = "owner@cardroom.example"
ROUNDS = 6


def main() -> None:
    """Live the day."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "cardroom.config.settings"
    django.setup()
    print(json.dumps(day(sys.argv[1])))


def day(password: str) -> dict[str, Any]:
    """Make the room and live its first day; return its code, and rounds and drop in cents by what was played."""
    from tests.week import somebody
    from tests.week.days import SEATED
    from tests.week.floor import Floor
    from tests.week.opening import CODE, first_people, settled_in
    from tests.week.somebody import Somebody

    from .wire import Wire

    somebody.Client = Wire  # type: ignore[assignment, misc]  # at the site over HTTP, in place of this process
    people = first_people(Somebody("root", password))
    settled_in(people)
    floor = Floor(_Passing(), people)  # type: ignore[arg-type]
    floor.room_does("walt", "POST", "subscriptions", {"what": "shift_report", "address": OWNER})
    floor.opens_shift()
    flo = people["flo"]
    [game] = flo.ask(f"{floor.at_room}/games")
    [fees] = flo.ask(f"{floor.at_room}/schedules")
    table = f"/tables/{floor.tables[1]}"
    chosen = {"game_id": game["id"], "schedule_id": fees["id"], "recording": "cards"}
    flo.done_at(f"{table}/", f"{table}/commands/settings/", "Three Card Poker", **chosen)
    floor.opens(1, "dot", {seat: name for seat, name in SEATED[1].items() if name != "Vinh Le"})
    for _ in range(ROUNDS):
        floor.plays(1)
    floor.clears(1)
    floor.counts_boxes()
    floor.room_does("sam", "POST", f"shifts/{floor.shift}/close", {"confirmed": True})
    report = _report(people["sam"], f"{floor.at_room}/shifts/{floor.shift}/report")
    dropped = sum(floor.sums.drop.values())
    total = report["figures"]["total"]
    assert report["figures"]["differences"] == [], report["figures"]["differences"]
    assert (total["rounds_settled"], total["drop_expected_cents"]) == (ROUNDS, dropped), total
    return {"room": CODE, "rounds": ROUNDS, "drop_cents": dropped}


def _report(who: Any, path: str) -> Any:
    """The report of the shift, once a worker has made it."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        answer = who.client.get(f"/api/{path}")
        if answer.status_code == 200:
            return answer.json()
        if time.monotonic() > deadline:
            raise TimeoutError(f"there is no report after {PATIENCE_SECONDS:.0f} s: {answer.content[:500]!r}")
        time.sleep(1)


class _Passing:
    """The real clock, which passes by itself."""

    def passes(self, time: object) -> None:
        """Wait for nothing."""


if __name__ == "__main__":
    main()
