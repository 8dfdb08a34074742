"""Makes a bundle for an inspector: one ZIP archive of documents to read and of the records by which they are checked.

    index.html              what is in it, with links
    filings/                games and fee schedules that the rounds were played on: TOML, and the room's own documents
    placards/               what was posted of each
    rotation/               offers, answers and turns of each table, a gaming day each
    reports/                fees computed again, exceptions, people with their permits and badges …
    MANIFEST.txt            SHA-256 and name of each of these files
    records.evidence        journal, checkpoints, reports and rows (`cardroom.reports.checkpoints.bundle`)
    check_evidence.html     the page that checks all of it in a browser, without the site and without a network

The digest of the list of files is an entry of the room's journal, written before the records are read: so the records name it.
"""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import zipfile
from collections.abc import Iterator, Sequence
from typing import IO, Final, NamedTuple

from django.template.loader import render_to_string

from cardroom.core.dates import day_text, minute_text
from cardroom.documents.export import csv_file, csv_of, json_of
from cardroom.documents.pdf import pdf_of
from cardroom.filings.approval_file import approval_toml
from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.filings.schedule_file import written_schedule
from cardroom.floor.models import Round, Table
from cardroom.floor.reads.rotation import day_period, table_rotation
from cardroom.people.journal import administration_noted
from cardroom.people.models import Staff
from cardroom.people.names import named
from cardroom.reports.background.limits import rounds_asked
from cardroom.reports.catalogue.bank_time import BANK_TIME
from cardroom.reports.catalogue.coverage import COVERAGE
from cardroom.reports.catalogue.exceptions import EXCEPTIONS
from cardroom.reports.catalogue.fee_audit import FEE_AUDIT
from cardroom.reports.catalogue.irregularities import IRREGULARITIES
from cardroom.reports.catalogue.items import ITEMS
from cardroom.reports.catalogue.people import PEOPLE
from cardroom.reports.catalogue.rotation import ROTATION
from cardroom.reports.catalogue.rounds import ROUNDS
from cardroom.reports.checkpoints.bundle import CHECKER, SUFFIX, bundle_lines
from cardroom.reports.queries.parser import report_query_of
from cardroom.reports.queries.query import Report, ReportQuery
from cardroom.rooms.models import Room
from games.registry import WITH_RULES

from ..placards.placard import filed_placard
from ..placards.placard_pdf import PrintContext, placard_pdf
from ..rotation.files import rotation_csv, rotation_pdf

MANIFEST: Final = "MANIFEST.txt"
RECORDS: Final = f"records{SUFFIX}"
#: Gaming days, and rounds, of one bundle that a page gives; `manage.py evidence_bundle` takes any number.
MOST_DAYS: Final = 7
MOST_ROUNDS: Final = 5_000
#: The reports of a bundle, in the order in which an inspector reads them.
_REPORTS: Final[tuple[Report, ...]] = (
    ITEMS,
    EXCEPTIONS,
    ROTATION,
    BANK_TIME,
    FEE_AUDIT,
    COVERAGE,
    IRREGULARITIES,
    PEOPLE,
    ROUNDS,
)
#: Of the round log figures alone: on paper a week of a table would be hundreds of sheets.
_FIGURES_ALONE: Final = {ROUNDS.name}


@dataclasses.dataclass(frozen=True)
class Asked:
    """What a bundle is about: gaming days `first` to `last`, both included, of some tables; drawn by `staff` at `now` (UTC)."""

    room: Room
    first: datetime.date
    last: datetime.date
    tables: Sequence[Table]
    staff: Staff
    now: datetime.datetime

    @property
    def file_name(self) -> str:
        """The name of the archive: `alder-creek-table-7-2026-11-01-2026-11-07.zip`."""
        table = f"-table-{self.tables[0].number}" if len(self.tables) == 1 else ""
        return f"{self.room.code}{table}-{self.first}-{self.last}.zip"

    def query(self, report: Report) -> ReportQuery:
        """The same as a report is asked, with the report's usual choices."""
        table = self.tables[0].number if len(self.tables) == 1 and report.by_table else None
        return report_query_of(
            report, self.room, self.staff, self.now, first=self.first, last=self.last, table=table
        )

    @property
    def days(self) -> list[datetime.date]:
        """The gaming days."""
        day = datetime.timedelta(days=1)
        return [self.first + day * at for at in range((self.last - self.first).days + 1)]

    @property
    def rounds(self) -> int:
        """How many rounds it is about."""
        return rounds_asked(self.query(ROUNDS))


class File(NamedTuple):
    """A file of a bundle: its name in the archive, what it is, and its bytes."""

    name: str
    title: str
    content: bytes


def archive_write(asked: Asked, out: IO[bytes]) -> None:
    """Write a bundle to `out`; that it was drawn, and the digest of the list of its files, is an entry of the room's journal."""
    with zipfile.ZipFile(out, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        listed = []
        files: list[File] = []
        for file in _files(asked):
            listed.append(f"{hashlib.sha256(file.content).hexdigest()}  {file.name}\n")
            archive.writestr(file.name, file.content)
            files.append(file._replace(content=b""))
        index = _index(asked, files)
        listed.append(f"{hashlib.sha256(index).hexdigest()}  index.html\n")
        archive.writestr("index.html", index)
        manifest = "".join(listed).encode()
        archive.writestr(MANIFEST, manifest)
        drawn = {
            "first": asked.first.isoformat(),
            "last": asked.last.isoformat(),
            "tables": [table.number for table in asked.tables],
            "files": len(listed),
            "manifest": hashlib.sha256(manifest).hexdigest(),
        }
        administration_noted(asked.room, asked.staff, "evidence_bundle", drawn)
        asked.room.refresh_from_db()  # with the head of its journal, which that entry is
        archive.write(CHECKER, CHECKER.name)
        with archive.open(RECORDS, "w", force_zip64=False) as records:
            for line in bundle_lines(asked.room, asked.first, asked.last, asked.tables):
                records.write(line.encode())


def _files(asked: Asked) -> Iterator[File]:
    played = Round.objects.filter(table__in=asked.tables, gaming_day__range=(asked.first, asked.last))
    pairs = set(played.order_by().values_list("game", "schedule").distinct())
    games = GameFiling.objects.select_related("document").in_bulk({game for game, _ in pairs if game})
    schedules = FeeSchedule.objects.in_bulk({schedule for _, schedule in pairs if schedule})
    for _, game in sorted(games.items()):
        yield from _game_files(game)
    for _, schedule in sorted(schedules.items()):
        name = f"filings/schedule-{schedule.number}-version-{schedule.version}.toml"
        yield File(name, str(schedule), written_schedule(schedule).encode())
    for game_id, schedule_id in sorted((game, schedule or 0) for game, schedule in pairs if game):
        if games[game_id].rulebook in WITH_RULES:
            yield _placard_file(asked, games[game_id], schedules.get(schedule_id))
    yield from _rotation_files(asked)
    for report in _REPORTS:
        yield from _report_files(asked, report)


def _game_files(game: GameFiling) -> Iterator[File]:
    name = f"filings/game-{game.number}-version-{game.version}"
    if game.book.approval is not None:
        yield File(f"{name}.toml", f"{game}, what its approval says", approval_toml(game).encode())
    if game.document is not None:
        yield File(f"{name}-{game.document.name}", f"{game}, the document", bytes(game.document.content))


def _placard_file(asked: Asked, game: GameFiling, schedule: FeeSchedule | None) -> File:
    charged = "" if schedule is None else f"-schedule-{schedule.number}-version-{schedule.version}"
    context = PrintContext(
        where=str(game), room=asked.room, printed_by=str(asked.staff), printed_at=asked.now
    )
    page = placard_pdf(filed_placard(game, schedule), context)
    title = f"Placard of {game}" + ("" if schedule is None else f", {schedule}")
    return File(f"placards/game-{game.number}-version-{game.version}{charged}.pdf", title, page)


def _rotation_files(asked: Asked) -> Iterator[File]:
    for table in asked.tables:
        if not table.book.player_banked:
            continue
        for day in asked.days:
            rotation = table_rotation(table, day_period(asked.room, day))
            if not rotation.runs and not rotation.strays:
                continue
            name = f"rotation/table-{table.number}-{day}"
            title = f"Offers and turns at {table}, {day_text(day)}"
            page = rotation_pdf([rotation], asked.room, printed_by=str(asked.staff), printed_at=asked.now)
            yield File(f"{name}.pdf", title, page)
            yield File(
                f"{name}.csv", f"{title}, line by line", csv_file(rotation_csv([rotation], asked.room))
            )


def _report_files(asked: Asked, report: Report) -> Iterator[File]:
    document = named(report.draw(asked.query(report)))
    if report.name not in _FIGURES_ALONE:
        printed_at = minute_text(asked.now, document.zone)
        page = pdf_of(document, printed_by=str(asked.staff), printed_at=printed_at)
        yield File(f"reports/{report.name}.pdf", report.title, page)
    yield File(f"reports/{report.name}.json", f"{report.title}, all figures", json_of(document).encode())
    for grid in document.grids:
        if grid.rows:
            title = f"{report.title}: {grid.title}"
            yield File(f"reports/{report.name}-{grid.name}.csv", title, csv_file(csv_of(grid)))


def _index(asked: Asked, files: Sequence[File]) -> bytes:
    folders: dict[str, list[File]] = {}
    for file in files:
        folders.setdefault(file.name.split("/")[0], []).append(file)
    context = {
        "asked": asked,
        "period": asked.query(ROUNDS).period,
        "drawn_at": minute_text(asked.now, asked.room.zone),
        "folders": folders,
        "records": RECORDS,
        "manifest": MANIFEST,
        "checker": CHECKER.name,
    }
    return render_to_string("web/inspection/index.html", context).encode()
