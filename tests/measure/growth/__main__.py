"""`python -m tests.measure.growth`: name the queries of pages and SQL views whose cost grows with history. Exit status 1 when any do."""

from __future__ import annotations

import argparse
import io
import os
import re
import sys

from tests.servers.postgres import Postgres

#: Rows that one step of a query may examine: more than any page shows, far fewer than a table of years holds.
MOST = 3000
_DAYS = 4
#: Pages that read more, and why that is left.
KNOWN = {
    "/tables/N/procedures/": "counts the pages of a table's list, from its index alone",
    "/rooms/tule-slough-demo/people/N/": "looks for one person among the entries about accounts",
    "/rooms/tule-slough-demo/players/N/texts/": "looks for a name in every text that is kept, before it is erased",
    "/shifts/N/tips/": "downs that overlap a shift of years ago: all others ended after it began",
}
#: Of the demo room, one of each desk.
_USERS = ("manager", "floor", "roommanager", "compliance", "inspector", "count")


def main(thousands: float) -> int:
    """Make a demo room with years behind it, and say what its pages and the SQL views read."""
    # The settings of the test run need the database first, and Django the settings.
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from django.core.management import call_command
    from django.test.utils import setup_test_environment

    from cardroom.floor.models import Round, Table
    from cardroom.rooms.models import Room
    from tests.databases import tables_made

    from .facts import facts_put_in
    from .pages import crawled, most_read
    from .views import questions
    from .years import RARE, repeat_past

    setup_test_environment()
    tables_made("default")
    call_command("load_demo", past=_DAYS, stdout=io.StringIO(), stderr=io.StringIO())
    room = Room.objects.get(code="tule-slough-demo")
    for number in range(90, 95):
        Table.objects.create(room=room, number=number)  # where nobody ever played
    facts_put_in()
    repeat_past(2 * _DAYS, thousands)
    read: dict[str, str] = {}
    pages = 0
    for user in _USERS:
        for page, queries in crawled(user):
            pages += 1
            for query in queries:
                if query.startswith(("SELECT", "WITH")):
                    read.setdefault(query, page)
    worst = sorted((most_read(page, query) for query, page in read.items()), key=lambda found: -found.rows)
    over = [found for found in worst if found.rows > MOST]
    growing = [found for found in over if re.sub(r"\d+", "N", found.page) not in KNOWN]
    print(
        f"{Round.objects.count():,} rounds; {pages} pages, {len(read):,} queries; {len(over)} of them read more than "
        f"{MOST:,} rows, {len(growing)} of which are not known."
    )
    for found in growing:
        print(f"{found.rows:>9,} {found.relation} ({found.step}) of {found.page}: {found.query}")
    repeat_past(2 * _DAYS, thousands, RARE)
    # A month may be so much of the copies that PostgreSQL reads their tables whole, and is right; the suite asks for months
    # with such plans forbidden (tests/reports/test_view_plans.py).
    asked = [each for each in questions() if ", a month" not in each.name]
    grown = [
        (found, each)
        for each in asked
        if (found := most_read(each.name, each.query)).rows > max(MOST, each.most)
    ]
    print(
        f"{len(asked)} questions to SQL views; {len(grown)} of them read more rows than the days asked about have."
    )
    for found, each in grown:
        print(
            f"{found.rows:>9,} {found.relation} ({found.step}) of {found.page}, more than {each.most:,}: {each.query}"
        )
    return 1 if growing or grown else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--thousands", type=float, default=4.5, help="copies of four days of rounds, in thousands"
    )
    wanted = parser.parse_args()
    with Postgres(
        settings={"shared_buffers": "512MB", "maintenance_work_mem": "256MB", "max_wal_size": "4GB"}
    ) as server:
        os.environ["CARDROOM_DATABASE_URL"] = server.url.replace("/cardroom?", "/postgres?")
        sys.exit(main(wanted.thousands))
