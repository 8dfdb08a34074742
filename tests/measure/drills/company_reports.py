"""What the reports of a room say of each month, for the drill `company`: `python -m tests.measure.drills.company_reports ROOM`."""

from __future__ import annotations

import datetime
import json
import os
import sys
from collections import Counter, defaultdict
from typing import Any

import django


def main(room: str) -> None:
    """Read the day reports and print JSON: a list of months, with the keys of `company_figures --json`."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "cardroom.config.settings"
    django.setup()
    print(json.dumps(months_of(room)))


def months_of(code: str) -> list[dict[str, Any]]:
    """Add up the current day reports of a room by month; times are those of the reports' own queries."""
    from cardroom.company.figures import NOBODYS, game_text
    from cardroom.floor.commands.watch import clock_account
    from cardroom.floor.reads.bank_time import bank_time, whole_seconds
    from cardroom.reports.models import PeriodReport
    from cardroom.reports.periods.period import period_of
    from cardroom.reports.queries.query import ReportQuery
    from cardroom.reports.queries.table_time import times_at_tables
    from cardroom.reports.summary.key_figures import rounds_an_hour

    days = PeriodReport.objects.filter(room__code=code, kind="day", restatement__isnull=True).order_by(
        "first"
    )
    by_month: defaultdict[str, list[PeriodReport]] = defaultdict(list)
    for report in days.select_related("room"):
        by_month[f"{report.first:%Y-%m}"].append(report)
    found = []
    for month, reports in by_month.items():
        totals = [report.typed_figures["total"] for report in reports]
        games: Counter[str] = Counter()
        held: defaultdict[str, list[datetime.timedelta]] = defaultdict(list)
        for report in reports:
            for game in report.typed_figures["games"]:
                title = "" if game["game"] is None else game["title"]
                games[game_text(title, game["number"], game["version"])] += (
                    game["drop_cents"] + game["jackpot_cents"]
                )
            period = period_of(report)
            for share in bank_time(report.room, period.since, period.until).shares:
                held[NOBODYS if share.provider is None else share.provider.name].append(share.held)
        query = ReportQuery(
            room=reports[0].room,
            first=reports[0].first,
            last=reports[-1].first,
            staff=clock_account(),
            now=period_of(reports[-1]).until,
        )
        seconds = whole_seconds(each.time for each in times_at_tables(query))
        rounds = sum(total["rounds_settled"] for total in totals)
        found.append(
            {
                "month": month,
                "days": len(reports),
                "rounds": rounds,
                "drop_cents": sum(total["drop_expected_cents"] for total in totals),
                "jackpot_cents": sum(total["jackpot_expected_cents"] for total in totals),
                "games": {game: cents for game, cents in games.items() if cents},
                "table_seconds": seconds,
                "rounds_an_hour": rounds_an_hour(rounds, seconds),
                "bank_seconds": {name: whole_seconds(times) for name, times in held.items()},
            }
        )
    return found


if __name__ == "__main__":
    main(sys.argv[1])
