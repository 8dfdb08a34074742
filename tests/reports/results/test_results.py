"""How a room did, by reports made by hand: sums, differences as printed, and what is compared with what, or with nothing."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from django.utils import timezone

from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.models import Shift
from cardroom.inbox.models import Item, Search
from cardroom.reports.results.figures import DROP, EXCEPTIONS, JACKPOT, OVER_SHORT, PACE, TIPS, UNCOVERED
from cardroom.reports.results.headline import basis, headline, reports_to_come
from cardroom.reports.results.overview import Line, Overview, overview_of
from cardroom.reports.results.result import result_of
from cardroom.reports.results.so_far import result_until, same_minute_before
from cardroom.reports.shift.making import shift_report_make
from tests.cast import Cast, closed_cast, sheet

from ..handmade import report_at, shift_at
from ..played_shift import play_hours, play_shift

#: Tuesday, and the Wednesday morning after it, 9:04 AM in California.
TUESDAY = datetime.date(2026, 11, 24)
WEDNESDAY = datetime.datetime(2026, 11, 25, 17, 4, tzinfo=datetime.UTC)
DAY = datetime.timedelta(days=1)
WEEK = 7 * DAY


def overview(cast: Cast, now: datetime.datetime = WEDNESDAY) -> Overview:
    return overview_of(cast.room, cast.people["room_manager"], now)


def said(cast: Cast, now: datetime.datetime = WEDNESDAY) -> tuple[str, str]:
    found = overview(cast, now)
    return headline(found, players_bank=True), " ".join(basis(found, players_bank=True))


def changes(line: Line | None) -> dict[str, str]:
    """What stands below each figure of a line."""
    assert line is not None
    assert line.was is not None, line.against
    return {
        figure.name: figure.change_text(figure.read(line.now), figure.read(line.was))
        for figure in (DROP, OVER_SHORT, PACE, TIPS, UNCOVERED, EXCEPTIONS, JACKPOT)
    }


@pytest.fixture
def cast(db: None) -> Cast:
    return closed_cast()


def test_a_day_is_its_shifts_added_up_beside_the_same_weekday(cast: Cast) -> None:
    week_ago = TUESDAY - WEEK
    report_at(cast, week_ago, "Day", drop=749800, tips=64800, uncovered=37000, rounds=334, seconds=36000)
    report_at(cast, week_ago, "Swing", drop=3429800, tips=292000, rounds=328, seconds=36000, jackpot=61300)
    report_at(
        cast,
        TUESDAY,
        "Day",
        drop=820000,
        tips=61700,
        uncovered=46200,
        rounds=333,
        seconds=36000,
        boxes=[(820000, 820000)],
    )
    report_at(
        cast,
        TUESDAY,
        "Swing",
        drop=3502700,
        tips=279000,
        rounds=332,
        seconds=36000,
        jackpot=63400,
        boxes=[(3000000, 2999500), (500000, 500200), None],
    )
    found = overview(cast)
    day, swing = found.shifts
    assert changes(day) == {
        "drop": "+$702 · +9.4%",
        "over_short": "",
        "pace": "−0.1",
        "tips": "−$31 · −4.8%",
        "uncovered": "+$92 · +24.9%",
        "exceptions": "",
        "jackpot": "±$0",
    }
    assert changes(swing)["pace"] == "+0.4"
    assert changes(swing)["jackpot"] == "+$21 · +3.4%", "beside the drop, and in no sum of it"
    assert (day.part, swing.part) == ("", "count not over")
    total = found.in_all
    assert total is not None
    assert total.now.drop_cents == 820000 + 3502700
    assert (total.now.boxes_counted, total.now.boxes) == (3, 4)
    assert OVER_SHORT.text(total.now.over_short_cents) == "($3)"
    assert total.now.pace == 333, "665 rounds in 20 hours, half a tenth up"
    assert changes(total)["drop"] == "+$1,431 · +3.4%"
    assert said(cast) == (
        "Yesterday the room took $43,227, 3.4% more than the Tuesday before",
        (
            "The drop (fees put into the drop boxes) was $43,227, and $41,796 on Tue Nov 17, 2026. Yesterday's boxes: 3 of 4 "
            "counted so far, $3 short: Box 1 of Swing, Box 2 of Swing. The month stands at $85,023; $42,511.50 a day over 2 days."
        ),
    )


def test_a_week_and_a_month_to_date_stand_beside_the_same_days_before(cast: Cast) -> None:
    october = datetime.date(2026, 10, 1)
    for day in (october + DAY * at for at in range(55)):
        # A dollar more each Tuesday; October has the double on its first day.
        report_at(cast, day, drop=10000 if day != october else 20000, rounds=10, seconds=3600)
    found = overview(cast)
    week, month = found.week, found.month
    assert week is not None
    assert month is not None
    assert (week.days, week.against, week.part) == ("2 of 7 days", "against Nov 16 – 17", "")
    assert week.now.drop_cents == 20000
    assert changes(week)["drop"] == "±$0 · ±0.0%"
    assert (month.days, month.against) == ("24 of 30 days", "against Oct 1 – 24")
    assert month.now.drop_cents == 240000
    assert changes(month)["drop"] == "−$100 · −4.0%"
    assert changes(month)["pace"] == "±0.0"
    _, rests = said(cast)
    assert rests.endswith(
        "The month stands at $2,400, 4.0% below October at the same day; $100 a day over 24 days."
    )
    assert found.drops[TUESDAY] == 10000
    assert len(found.drops) == 24
    assert len(found.month_of_days) == 30


def test_a_month_is_compared_with_all_of_a_shorter_one_before_it_and_says_so(cast: Cast) -> None:
    for day in (datetime.date(2026, 2, 1), datetime.date(2026, 2, 28), datetime.date(2026, 3, 31)):
        report_at(cast, day, drop=10000)
    month = overview(cast, datetime.datetime(2026, 4, 1, 20, tzinfo=datetime.UTC)).month
    assert month is not None
    assert (month.days, month.against) == ("31 of 31 days", "against Feb 1 – 28, 3 days fewer")
    assert month.was is not None
    assert (month.now.drop_cents, month.was.drop_cents) == (10000, 20000)


def test_the_first_day_has_nothing_to_compare_with_and_says_it_once(cast: Cast) -> None:
    report_at(cast, TUESDAY, drop=10000)
    found = overview(cast)
    assert [line.was for line in (*found.shifts, found.in_all, found.week, found.month) if line] == [None] * 4
    first, rests = said(cast)
    assert first == "Yesterday the room took $100"
    assert rests == (
        "Nothing before Tue Nov 24, 2026 to compare with. Yesterday's tables had no box. The month stands at $100."
    )


def test_like_is_held_against_like_alone(cast: Cast) -> None:
    """A day with a Graveyard is not held against one without, nor a week with such a day."""
    report_at(cast, TUESDAY - WEEK - DAY, drop=10000)
    report_at(cast, TUESDAY - WEEK, drop=10000)
    report_at(cast, TUESDAY, drop=10000)
    report_at(cast, TUESDAY, "Graveyard", drop=5000)
    found = overview(cast)
    swing, graveyard = found.shifts
    assert changes(swing)["drop"] == "±$0 · ±0.0%"
    assert (graveyard.was, graveyard.against) == (
        None,
        "there was no Graveyard shift on Tue Nov 17, 2026 to compare with",
    )
    for line in (found.in_all, found.week):
        assert line is not None
        assert line.was is None
        assert line.against == "there was no Graveyard shift on Tue Nov 17, 2026 to compare with"


def test_a_usual_day_is_the_mean_of_the_same_weekday_in_four_weeks(cast: Cast) -> None:
    """By hand: ($231 + $100 + $200 + $470.01) / 4 = $250.2525, and $261 is 4.3% above it, though 13.0% above the last."""
    for weeks, drop in ((1, 23100), (2, 10000), (3, 20000), (4, 47001)):
        report_at(cast, TUESDAY - weeks * WEEK, drop=drop)
    report_at(cast, TUESDAY - 5 * WEEK, drop=9_999_900)  # of no account
    report_at(cast, TUESDAY - DAY, drop=60000)
    report_at(cast, TUESDAY, drop=26100)
    first, rests = said(cast)
    assert first == "Yesterday the room took $261, 4.3% more than on a usual Tuesday"
    assert rests == (
        "A usual Tuesday has a drop (fees put into the drop boxes) of $250.25, the mean of the 4 from Oct 27 – Nov 17; the last "
        "had $231. Yesterday's tables had no box. The month stands at $1,392; $278.40 a day over 5 days."
    )


@pytest.mark.parametrize("unlike", ["missing", "of another shift", "open", "not reported"])
def test_what_is_usual_is_not_said_of_fewer_than_four_such_days(cast: Cast, unlike: str) -> None:
    for weeks in (1, 2, 4):
        report_at(cast, TUESDAY - weeks * WEEK, drop=20000)
    third = TUESDAY - 3 * WEEK
    if unlike == "of another shift":
        report_at(cast, third, "Day", drop=20000)
    elif unlike in ("open", "not reported"):
        shift_at(cast, third, is_open=unlike == "open")
    report_at(cast, TUESDAY, drop=26100)
    found = overview(cast)
    assert found.weekdays == []
    first, rests = said(cast)
    assert first == "Yesterday the room took $261, 30.5% more than the Tuesday before"
    assert "usual" not in rests


def test_the_open_shift_says_why_it_stands_beside_nothing(cast: Cast) -> None:
    report_at(cast, TUESDAY, drop=10000)
    wednesday = TUESDAY + DAY
    shift_at(cast, wednesday - WEEK, "Swing")
    for name in ("Day", "Swing"):
        shift_at(cast, wednesday, name, is_open=True)
        [line] = overview(cast).today_lines
        Shift.objects.filter(gaming_day=wednesday).delete()
        assert line.was is None
        assert (
            line.against
            == {
                "Day": "until 9:04 AM; there was no Day shift on Wed Nov 18, 2026 to compare with",
                "Swing": "until 9:04 AM; the Swing shift of Wed Nov 18, 2026 opened later, so there is nothing to compare with",
            }[name]
        )


def test_a_day_before_which_nothing_was_dropped_is_told_without_per_cent(cast: Cast) -> None:
    report_at(cast, TUESDAY - WEEK)
    report_at(cast, TUESDAY, drop=10000)
    assert changes(overview(cast).in_all)["drop"] == "+$100"
    assert said(cast)[0] == "Yesterday the room took $100"


@pytest.mark.parametrize(
    ("boxes", "counted"),
    [
        ([(100, 100)], "Yesterday's box is counted, nothing over or short."),
        ([(100, 100), (200, 200)], "Yesterday's 2 boxes are counted, nothing over or short."),
        (
            [(100, 200), (200, 100)],
            "Yesterday's 2 boxes are counted, even in all: Box 1 of Swing, Box 2 of Swing.",
        ),
        ([(100, 350)], "Yesterday's box is counted, $2.50 over: Box 1 of Swing."),
        ([None, None], "Yesterday's boxes: 0 of 2 counted so far."),
        ([(100, 100), None], "Yesterday's boxes: 1 of 2 counted so far, nothing over or short."),
    ],
)
def test_what_the_boxes_say_is_told_by_how_many_are_counted(
    cast: Cast, boxes: list[tuple[int, int] | None], counted: str
) -> None:
    report_at(cast, TUESDAY, drop=10000, boxes=boxes)
    assert counted in said(cast)[1]


def test_the_same_minute_is_that_of_the_clock_on_the_wall(cast: Cast) -> None:
    """Clocks are set back on Sun Nov 1, 2026 in California, so that a week has an hour more; forward on Sun Mar 8."""
    after = datetime.datetime(2026, 11, 4, 17, 4, tzinfo=datetime.UTC)  # 9:04 AM PST
    assert same_minute_before(cast.room, after) == datetime.datetime(2026, 10, 28, 16, 4, tzinfo=datetime.UTC)
    march = datetime.datetime(2026, 3, 11, 16, 4, tzinfo=datetime.UTC)  # 9:04 AM PDT
    assert same_minute_before(cast.room, march) == datetime.datetime(2026, 3, 4, 17, 4, tzinfo=datetime.UTC)


def test_a_weekday_before_a_change_of_clocks_is_the_same_weekday(cast: Cast) -> None:
    sunday = datetime.date(2026, 11, 1)
    report_at(cast, sunday - WEEK, drop=20000)
    report_at(cast, sunday, drop=21000)
    found = overview(cast, datetime.datetime(2026, 11, 2, 20, tzinfo=datetime.UTC))
    assert found.day == sunday
    assert changes(found.in_all)["drop"] == "+$10 · +5.0%"
    month = found.month
    assert month is not None
    assert month.days == "1 of 30 days"


def test_a_shift_whose_report_is_not_there_yet_is_counted_and_marked(cast: Cast) -> None:
    report_at(cast, TUESDAY - WEEK, drop=10000)
    report_at(cast, TUESDAY - DAY, drop=10000)
    shift_at(cast, TUESDAY)
    found = overview(cast)
    [line] = found.shifts
    assert (line.part, line.now.drop_cents, line.now.exceptions) == ("report being made", 0, None)
    assert found.in_all is not None
    assert found.in_all.part == "0 of 1 shift reported"
    assert found.week is not None
    assert (found.week.part, found.week.now.drop_cents) == ("1 of 2 shifts reported", 10000)
    assert TUESDAY in found.not_over
    assert said(cast)[1].endswith("The month stands at $200 with 2 of 3 shifts reported.")


def test_while_reports_of_the_month_are_to_come_it_is_not_added_up_and_the_page_says_so_once(
    cast: Cast,
) -> None:
    shift_at(cast, TUESDAY - 9 * DAY)
    report_at(cast, TUESDAY - DAY, drop=10000)
    report_at(cast, TUESDAY, drop=10000)
    found = overview(cast)
    assert (found.closed, found.reported) == (3, 2)
    assert (found.week is not None, found.month, found.drops) == (True, None, {})
    assert reports_to_come(found) == (
        "Reports of earlier shifts are being made, the newest first: 2 of 3 are there. The week and the month follow."
    )
    shift_report_make(Shift.objects.get(gaming_day=TUESDAY - 9 * DAY).pk)
    found = overview(cast)
    assert reports_to_come(found) == ""
    assert found.month is not None
    assert found.month.now.drop_cents == sum(found.drops.values()) == 20000


def test_a_day_is_compared_before_the_report_of_the_week_before_is_made(db: None) -> None:
    morning = datetime.datetime(2026, 11, 18, 18, 10, tzinfo=datetime.UTC)
    with time_machine.travel(morning, tick=False) as clock:
        cast = closed_cast()
        cast.open()
        play_hours(cast, clock, 3)
        shift = Shift.objects.get(closed_at__isnull=True)
        cast.send_room(shift_close, "shift_manager", shift_id=shift.pk, confirmed=True)
        clock.move_to(morning + WEEK)
        cast.send_room(shift_open, "shift_manager", name=shift.name)
        play_hours(cast, clock, 2)
        last = Shift.objects.get(closed_at__isnull=True)
        cast.send_room(shift_close, "shift_manager", shift_id=last.pk, confirmed=True)
        shift_report_make(last.pk)
        clock.shift(DAY)
        before = overview(cast, timezone.now())
        shift_report_make(shift.pk)
        after = overview(cast, timezone.now())
    assert before.in_all is not None
    assert before.in_all.was is not None
    assert (before.in_all.now.rounds, before.in_all.was.rounds) == (2, 3)
    assert changes(before.in_all) == changes(after.in_all)
    assert changes(before.in_all)["drop"].endswith("−33.3%")


def test_today_stands_against_the_week_before_until_the_same_minute(db: None) -> None:
    morning = datetime.datetime(2026, 11, 18, 18, 10, tzinfo=datetime.UTC)
    with time_machine.travel(morning, tick=False) as clock:
        cast = closed_cast()
        cast.open()
        play_hours(cast, clock, 3)
        shift = Shift.objects.get(closed_at__isnull=True)
        cast.send_room(shift_close, "shift_manager", shift_id=shift.pk, confirmed=True)
        whole = result_of(shift_report_make(shift.pk))
        clock.move_to(morning + WEEK)
        cast.send_room(shift_open, "shift_manager", name=shift.name)
        play_hours(cast, clock, 1)
        clock.shift(30 * datetime.timedelta(minutes=1))
        found = overview(cast, timezone.now())
    [line] = found.today_lines
    assert line.part == "in play"
    assert line.against == "until 11:40 AM, as was Nov 18"
    assert line.was is not None
    assert (line.was.rounds, whole.rounds) == (2, 3), "those settled until the same minute"
    assert 3 * line.was.drop_cents == 2 * whole.drop_cents
    assert line.now.rounds == 1
    assert changes(line)["drop"] == "−$2 · −50.0%"
    assert found.in_all is not None
    assert found.in_all.name == "Wednesday in all"


@pytest.mark.postgresql
def test_what_is_counted_of_a_shift_is_what_its_report_says(db: None) -> None:
    with time_machine.travel(
        datetime.datetime(2026, 11, 14, 18, 10, tzinfo=datetime.UTC), tick=False
    ) as clock:
        cast = closed_cast()
        play_shift(cast)  # with voids, a correction and an exhausted bank
        tipped = sheet({5: 2000}, bank=cast.state().turn.seat)  # type: ignore[union-attr]
        tipped["positions"][0]["tips"] = {"ante": 500}
        clock.shift(datetime.timedelta(hours=1))
        cast.send(round_record, "dealer", sheet=tipped)
        clock.shift(datetime.timedelta(hours=1))
        shift = Shift.objects.get()
        cast.send_room(shift_close, "shift_manager", shift_id=shift.pk, confirmed=True)
        reported = result_of(shift_report_make(shift.pk))
        shift.refresh_from_db()
        counted = result_until(shift, cast.people["room_manager"], timezone.now())
    for name in (
        "drop_cents",
        "jackpot_cents",
        "tips_cents",
        "uncovered_cents",
        "rounds",
        "table_seconds",
        "tables",
    ):
        assert getattr(counted, name) == getattr(reported, name), name
    assert counted.rounds > 0
    assert counted.uncovered_cents > 0


def test_exceptions_are_the_items_of_the_inbox_by_the_shift_in_which_they_happened(cast: Cast) -> None:
    day = report_at(cast, TUESDAY, "Day").shift
    swing = report_at(cast, TUESDAY, "Swing").shift
    [line, _] = overview(cast).shifts
    assert line.now.exceptions is None, "nobody has searched yet"
    Search.objects.create(room=cast.room, until=WEDNESDAY)
    for number, (shift, at, closed) in enumerate(
        ((day, day.opened_at, False), (None, swing.opened_at, False), (swing, swing.opened_at, True))
    ):
        more = (
            {"state": "closed", "closed_at": at, "explained_by": cast.people["compliance"]} if closed else {}
        )
        Item.objects.create(
            room=cast.room,
            kind="void",
            key=str(number),
            shift=shift,
            gaming_day=TUESDAY,
            happened_at=at,
            found_at=at,
            **more,
        )
    found = overview(cast)
    assert [(line.now.exceptions, line.now.exceptions_open) for line in found.shifts] == [(1, 1), (2, 1)]
    assert found.in_all is not None
    assert (found.in_all.now.exceptions, found.in_all.now.exceptions_open) == (3, 2)
