"""A company's figures over two cells, against the rooms' own reports to the cent; and what is left out, by name."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import io
import json
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow
import pytest
import time_machine
from django.core.cache import cache
from django.core.management import CommandError, call_command
from pyarrow import parquet
from pytest_django import Settings

from cardroom.company import cells
from cardroom.company.cells import PATIENCE, Cell, Company, company_read
from cardroom.company.figures import NOBODYS, CompanyFigures, company_figures, game_text
from cardroom.floor.commands.rounds import round_void
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.models import Shift
from cardroom.floor.reads.bank_time import bank_time, whole_seconds
from cardroom.people.models import Provider, Staff
from cardroom.reports.exports.making import export_make
from cardroom.reports.exports.store import Store
from cardroom.reports.models import PeriodReport
from cardroom.reports.periods.period import period_of
from cardroom.reports.queries.query import ReportQuery
from cardroom.reports.queries.table_time import times_at_tables
from cardroom.reports.summary.key_figures import rounds_an_hour
from cardroom.reports.tasks import make_due_reports
from cardroom.rooms.models import Room
from tests.cast import Cast
from tests.kept import kept
from tests.reports.periods.test_period_reports import MORNING, OVER, play_two_shifts

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]
FIRST, LAST = datetime.date(2026, 11, 1), datetime.date(2026, 12, 31)
NEXT = OVER + datetime.timedelta(days=1)


def _two_rooms() -> Cast:
    """One room plays two shifts of November's last day; another that day and the first of December, for a provider."""
    with time_machine.travel(MORNING, tick=False) as clock:
        cast = play_two_shifts(clock)
        rival = cast.at_rival()
        firm = Provider.objects.create(room=rival.room, name="Levee Players")
        rival.players[3].provider = firm
        rival.players[3].save()
        clock.move_to(OVER - datetime.timedelta(minutes=5))
        _play(rival, clock, {4: 1000, 5: 2000})
        clock.move_to(OVER + datetime.timedelta(hours=2))
        rival.send_room(shift_open, name="Day")
        rival.table.refresh_from_db()
        rival.play({4: 3000})
        clock.shift(4567)
        _close(rival)
        clock.move_to(NEXT)
        for _ in range(4):
            make_due_reports()
    return cast


def _play(cast: Cast, clock: time_machine.Traveller, wagers: dict[int, int]) -> None:
    cast.running()
    cast.play(wagers)
    clock.shift(61.5)
    cast.deal(wagers)
    cast.send(round_void, reason="device failure", approver=cast.people["shift_manager"])
    clock.shift(100.25)
    _close(cast)


def _close(cast: Cast) -> None:
    shift = Shift.objects.get(room=cast.room, closed_at__isnull=True)
    cast.send_room(shift_close, confirmed=True, shift_id=shift.pk)


@pytest.fixture
def company(db: None, settings: Settings, tmp_path: Path) -> Iterator[Company]:
    """Two cells, whose sites have exported all days, each to a store of its own."""
    with time_machine.travel(NEXT, tick=False):
        kept(_two_rooms)
        cache.clear()
        text = ['company = "Delta Cardrooms"']
        for room in Room.objects.order_by("pk"):
            settings.EXPORT_URL = str(tmp_path / room.code)
            (tmp_path / room.code).mkdir()
            for report in PeriodReport.objects.filter(room=room, kind="day"):
                export_make(report)
            text += [
                "[[cell]]",
                f'name = "cell-{room.code}"',
                'url = "http://127.0.0.1:9"',
                f'store = "{tmp_path / room.code}"',
            ]
        path = tmp_path / "company.toml"
        path.write_text("\n".join(text))
        settings.COMPANY_FILE = path
        yield company_read(path)


def figures(company: Company) -> CompanyFigures:
    return company_figures(company, FIRST, LAST)


def test_the_figures_are_those_of_the_rooms_reports_to_the_cent(company: Company) -> None:
    found = figures(company)
    assert found.faults == []
    assert [(each.cell, each.month) for each in found.months] == [
        ("cell-cache-slough", "2026-11"),
        ("cell-gold-bar", "2026-11"),
        ("cell-gold-bar", "2026-12"),
    ]
    for each in found.months:
        room = Room.objects.get(code=each.room)
        reports = [
            report
            for report in PeriodReport.objects.filter(room=room, kind="day")
            if f"{report.first:%Y-%m}" == each.month
        ]
        totals = [report.typed_figures["total"] for report in reports]
        ours = each.figures
        assert ours.rounds == sum(total["rounds_settled"] for total in totals) > 0
        assert ours.drop_cents == sum(total["drop_expected_cents"] for total in totals) > 0
        assert ours.jackpot_cents == sum(total["jackpot_expected_cents"] for total in totals)
        games: Counter[str] = Counter()
        for report in reports:
            for game in report.typed_figures["games"]:
                title = "" if game["game"] is None else game["title"]
                games[game_text(title, game["number"], game["version"])] += (
                    game["drop_cents"] + game["jackpot_cents"]
                )
        assert ours.games == games
        voids = sum(total["voids_before_deal"] + total["voids_after_deal"] for total in totals)
        assert ours.exceptions["void"] == voids
        assert ours.exceptions["correction"] == sum(total["corrections"] for total in totals)
        assert ours.exception_cents["void"] == sum(total["fees_refunded_cents"] for total in totals)
        periods = [period_of(report) for report in reports]
        held: Counter[str] = Counter()
        for period in periods:
            for share in bank_time(room, period.since, period.until).shares:
                firm = NOBODYS if share.provider is None else share.provider.name
                held[firm] += share.held // datetime.timedelta(microseconds=1)
        assert ours.bank_us == held
        query = ReportQuery(
            room=room, first=periods[0].first, last=periods[-1].first, staff=room_manager(), now=NEXT
        )
        seconds = whole_seconds(at.time for at in times_at_tables(query))
        assert (ours.table_seconds, ours.rounds_an_hour) == (seconds, rounds_an_hour(ours.rounds, seconds))
    assert found.total.drop_cents == sum(each.figures.drop_cents for each in found.months)
    assert found.total.exceptions["correction"] == 1 and found.total.exceptions["void"] == 1
    assert found.total.bank_seconds["Levee Players"] > 0


def room_manager() -> Staff:
    return Staff.objects.get(username="room_manager")


def test_the_month_report_of_a_room_says_the_same(company: Company) -> None:
    month = PeriodReport.objects.get(kind="month", first=FIRST, room__code="cache-slough")
    [ours] = [each for each in figures(company).months if each.room == "cache-slough"]
    total = month.typed_figures["total"]
    assert (ours.figures.drop_cents, ours.figures.rounds) == (
        total["drop_expected_cents"],
        total["rounds_settled"],
    )


def test_a_day_is_read_once_for_each_version_and_only_sums_are_kept(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = figures(company)
    monkeypatch.setattr(duckdb, "connect", None)
    assert figures(company) == before


def faults(company: Company) -> list[str]:
    cache.clear()
    return figures(company).faults


def test_what_is_half_written_changed_missing_or_of_another_schema_is_left_out_by_name(
    company: Company, tmp_path: Path
) -> None:
    day = tmp_path / "gold-bar" / "gold-bar" / "2026-11-30"
    manifest, fees = day / "v1" / "manifest.json", day / "v1" / "fees.parquet"
    text, content = manifest.read_text(), fees.read_bytes()
    fees.write_bytes(content[:100])
    [fault] = faults(company)
    assert (
        fault.startswith("cell-gold-bar, room gold-bar: ") and "fees.parquet (gaming day 2026-11-30)" in fault
    )
    assert "has 100 bytes instead of" in fault and "export_days gold-bar 2026-11-30 --again" in fault
    assert {each.cell for each in figures(company).months} == {"cell-cache-slough"}
    fees.write_bytes(content)
    manifest.write_text(text.replace('"schema":1', '"schema":2'))
    assert "has schema 2, and this version of the software reads schema 1" in faults(company)[0]
    manifest.unlink()
    assert "2026-11-30 has no manifest.json: it is not whole" in faults(company)[0]
    manifest.write_text("{")
    assert "cannot be read as a manifest" in faults(company)[0]
    manifest.write_text(text)
    assert faults(company) == []
    day.with_name("2026-13-45").mkdir()  # no day, and nobody's export
    assert faults(company) == []
    day.rename(day.with_name("taken-away"))
    [fault] = faults(company)
    assert (
        "gaming day 2026-11-30 is missing" in fault and "manage.py export_days gold-bar 2026-11-30" in fault
    )


def put(manifest: Path, content: bytes, **more: int) -> None:
    """Write other content for the fees, and a manifest to fit, as whoever may write to the store could."""
    manifest.with_name("fees.parquet").write_bytes(content)
    facts = json.loads(manifest.read_text())
    [said] = [each for each in facts["files"] if each["name"] == "fees"]
    said |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest(), **more}
    manifest.write_text(json.dumps(facts))


def test_what_has_the_fingerprint_of_its_manifest_and_is_not_of_the_schema_is_left_out_by_name(
    company: Company, tmp_path: Path
) -> None:
    manifest = tmp_path / "gold-bar" / "gold-bar" / "2026-11-30" / "v1" / "manifest.json"
    content = manifest.with_name("fees.parquet").read_bytes()
    table = parquet.read_table(io.BytesIO(content))

    def as_file(other: pyarrow.Table) -> bytes:
        parquet.write_table(other, into := io.BytesIO())
        return into.getvalue()

    cents = table.column_names.index("cents")
    names = pyarrow.array([b"\xff"] * table.num_rows, type=pyarrow.binary()).view(pyarrow.string())
    of_schema = "does not have the columns and types of schema 1"
    for other, why in (
        (b"no Parquet", "cannot be read as Parquet (ArrowInvalid)"),
        (b"", "cannot be read as Parquet (ArrowInvalid)"),
        (b"PAR1" + bytes(100) + content[-8:], "cannot be read as Parquet"),
        (content[:300] + bytes(400) + content[700:], "cannot be read as Parquet"),
        (as_file(table.drop_columns(["cents"])), of_schema),
        (as_file(table.set_column(cents, "cents", table["cents"].cast("string"))), of_schema),
        (as_file(table.set_column(cents, table.schema.field("cents").with_nullable(True), table["cents"])), of_schema),
        (as_file(table.set_column(0, table.schema.field("room"), names)), "cannot be read as Parquet (ArrowInvalid)"),
        (as_file(table.slice(1)), f"has {table.num_rows - 1} rows and not the {table.num_rows} of its manifest"),
    ):  # fmt: skip
        put(manifest, other)
        [fault] = faults(company)
        assert fault.startswith("cell-gold-bar, room gold-bar: ") and why in fault
        assert "fees.parquet (gaming day 2026-11-30)" in fault
        assert fault.endswith(
            "Have the site write the day again: manage.py export_days gold-bar 2026-11-30 --again."
        )
        assert {each.cell for each in figures(company).months} == {"cell-cache-slough"}
    put(manifest, as_file(table.slice(1)), rows=table.num_rows - 1)
    assert faults(company) == [], (
        "nothing of the file itself says that a row is gone: audit_exports does, at the site"
    )
    put(manifest, content, rows=table.num_rows)
    assert faults(company) == []


@pytest.mark.parametrize(
    ("was", "becomes", "why"),
    [
        ('"format":"cardroom parquet"', '"format":"x"', "is no manifest of an exported gaming day"),
        ('"schema":1', '"schema":0', "has schema 0, and this version of the software reads schema 1"),
        ('"version":1', '"version":Infinity', "cannot be read as a manifest"),
        ('"version":1', '"version":3', "is of gold-bar/2026-11-30/v3: it was moved there"),
        ('"bytes":', '"bytes":0.', "does not name the files of schema 1"),
        ('"rows":', '"rows":0.', "does not name the files of schema 1"),
        ('"name":"fees"', '"name":"fines"', "does not name the files of schema 1"),
    ],
)
def test_a_manifest_that_cannot_be_used_is_named_with_the_command_that_writes_the_day_again(
    company: Company, tmp_path: Path, was: str, becomes: str, why: str
) -> None:
    manifest = tmp_path / "gold-bar" / "gold-bar" / "2026-11-30" / "v1" / "manifest.json"
    text = manifest.read_text()
    assert was in text
    manifest.write_text(text.replace(was, becomes))
    [fault] = faults(company)
    assert why in fault and "manage.py export_days gold-bar 2026-11-30 --again." in fault
    manifest.write_bytes(b"\xff")
    [fault] = faults(company)
    assert "is no text" in fault and "manage.py export_days gold-bar 2026-11-30 --again." in fault


def test_a_store_that_is_not_there_is_named(company: Company, tmp_path: Path) -> None:
    (tmp_path / "gold-bar").rename(tmp_path / "elsewhere")
    [fault] = faults(company)
    assert fault.startswith(f"cell-gold-bar: {tmp_path / 'gold-bar'} is no directory that is there.")
    (tmp_path / "gold-bar").mkdir()
    [fault] = faults(company)
    assert fault.startswith("cell-gold-bar: ") and "holds no exported gaming day" in fault


def test_the_stores_are_read_side_by_side(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    both = threading.Barrier(2, timeout=60)
    opened = Cell.opened

    def at_once(self: Cell) -> Store:
        both.wait()  # one after the other, the first would wait for ever
        return opened(self)

    monkeypatch.setattr(Cell, "opened", at_once)
    found = figures(company)
    assert (
        found.faults == []
        and [each.cell for each in found.months] == ["cell-cache-slough"] + ["cell-gold-bar"] * 2
    )


@pytest.mark.real_time
def test_a_store_that_takes_a_request_and_never_answers_is_left_out_after_its_tries(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setattr(cells, "PATIENCE", PATIENCE._replace(read=1))
    with socket.create_server(("127.0.0.1", 0)) as server:
        endpoint = f"http://127.0.0.1:{server.getsockname()[1]}"
        silent = Cell("silent", "http://127.0.0.1:9", "s3://silent/days", endpoint=endpoint)
        found = figures(Company("Delta Cardrooms", (silent, *company.cells)))
        server.settimeout(0.1)
        asked = 0
        with contextlib.suppress(TimeoutError):
            while True:
                server.accept()[0].close()
                asked += 1
    [fault] = found.faults
    assert fault.startswith("silent: Cannot list it at s3://silent/days: ")
    assert asked == PATIENCE.tries
    assert {each.cell for each in found.months} == {"cell-cache-slough", "cell-gold-bar"}


def test_the_command_says_the_sums_and_refuses_what_is_no_month(company: Company, settings: Settings) -> None:
    out = io.StringIO()
    call_command("company_figures", "2026-11", "2026-12", "--json", stdout=out)
    said = json.loads(out.getvalue())
    assert said["total"]["drop_cents"] == figures(company).total.drop_cents
    assert "Levee Players" in said["total"]["bank_seconds"] and said["left_out"] == []
    out = io.StringIO()
    call_command("company_figures", "2026-11", stdout=out)
    assert "cell-cache-slough, cache-slough, 2026-11 (2026-11-30 to 2026-11-30)" in out.getvalue()
    for words, refusal in ((["2026-13"], "'2026-13' is no month"), (["2026-11", "2026-10"], "is before")):
        with pytest.raises(CommandError, match=refusal):
            call_command("company_figures", *words)
    settings.COMPANY_FILE = None
    with pytest.raises(CommandError, match="set CARDROOM_COMPANY_FILE"):
        call_command("company_figures", "2026-11")
