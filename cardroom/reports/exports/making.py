"""Exports gaming days that are closed, reported and verified: by a job after the day's report, again after a restatement.

In this order, so that whatever is killed in between leaves nothing that could be taken for whole:

1. The day is verified: its rounds are settled and charged again, its report is added up again and ties out.
2. Its rows are read from one snapshot and written as files under a version that has no manifest.
3. `DayExport` and an entry of the room's journal keep the manifest and the SHA-256 of each file.
4. The manifest is written. Without it a version is not whole, and nobody reads it.

A job that is run again goes on where it was: with the version of its report that the database has, whose files must be
what it says, or else with a new one.
"""

from __future__ import annotations

import datetime
import hashlib
import itertools
import logging
from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from cardroom.config.databases import snapshot
from cardroom.config.version import VERSION
from cardroom.core.dates import utc_exact
from cardroom.floor.commands.watch import clock_account
from cardroom.floor.execution.clock import command_time
from cardroom.floor.execution.locks import locked, run_again
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.models import Round, Shift
from cardroom.jobs.kinds import JobKind, JobLabels, error_words
from cardroom.jobs.lifecycle import job_ask
from cardroom.jobs.models import Job
from cardroom.jobs.progress import Progress
from cardroom.rooms.models import Room

from ..models import DayExport, PeriodReport
from ..periods.making import figures_again
from ..periods.period import period_of
from ..verification.settled_again import rounds_charged_again, rounds_settled_again
from .manifest import (
    MANIFEST,
    NotWhole,
    file_faults,
    folder_of,
    manifest_read,
    manifest_text,
    versions_in,
)
from .reading import Written, day_written, table_read
from .schema import SCHEMA
from .store import Store, StoreRefused, package

logger = logging.getLogger(__name__)

#: The kind of job that writes a day.
EXPORT: Final = "day_export"
#: The command by which the room's journal keeps that a day was written.
EXPORT_COMMAND: Final = "day_export"
#: Days that are asked for at once: a site with years behind it that begins to export gets to them bit by bit.
MOST_ASKED: Final = 60
#: Tries with at most an hour between them: six weeks, as for checkpoints.
MOST_TRIES: Final = 1000
#: How many faults of a day an error names.
_MOST_NAMED: Final = 3


class NotExported(Exception):
    """A day that is not written; the message says which, why and what to do."""


def the_store() -> Store:
    """Return the store of this site. Raises StoreRefused where it names none, or a package is missing."""
    if settings.EXPORT_URL is None:
        raise StoreRefused("The site names no place for exports: set CARDROOM_EXPORT_URL (docs/parquet.md).")
    return Store(settings.EXPORT_URL)


def exports_due(room: Room | None = None) -> QuerySet[PeriodReport]:
    """Return the current reports of gaming days that no export rests on yet, the oldest day first."""
    current = PeriodReport.objects.filter(
        kind=PeriodReport.Kind.DAY, restatement__isnull=True, day_exports__isnull=True
    )
    found = current if room is None else current.filter(room=room)
    return found.select_related("room").order_by("first", "pk")


def exports_ask() -> None:
    """Leave each day that is due to a worker, once. A day that fails is tried again by its own job."""
    if settings.EXPORT_URL is None:
        return
    asked = set(
        Job.objects.filter(kind=EXPORT).exclude(state=Job.State.FINISHED).values_list("key", flat=True)
    )
    due = (
        report
        for report in exports_due().defer("figures", "sections", "changes")
        if _key(report) not in asked
    )
    for report in itertools.islice(due, MOST_ASKED):
        try:
            with transaction.atomic():
                job_ask(
                    EXPORT,
                    room=report.room,
                    at=timezone.now(),
                    cause="restated" if report.revision else "day_closed",
                    arguments={"report": report.pk, "day": report.first.isoformat()},
                    key=_key(report),
                    at_most_one=Job.AtMostOne.EVER,
                )
        except IntegrityError:  # another worker has just asked
            logger.info("the export of %s was asked for twice", report)


def _key(report: PeriodReport) -> str:
    return f"day {report.first.isoformat()}, report {report.pk}"


def export_make(report: PeriodReport, *, again: bool = False) -> DayExport:
    """Write the gaming day of a report, or finish what was begun; return its newest version.

    `again` writes another version though one rests on this report. Raises NotExported, NotWhole and StoreRefused.
    """
    store = the_store()
    made = None if again else DayExport.objects.filter(report=report).first()
    if made is None:
        if PeriodReport.objects.filter(restates=report).exists():
            raise NotExported(f"{report} was restated. The restatement is exported by a job of its own.")
        faults = list(itertools.islice(day_faults(report), _MOST_NAMED))
        if faults:
            raise NotExported(
                f"{report} does not hold, and its day is not exported: {'; '.join(faults)}. Run manage.py verify."
            )
        with snapshot():
            files = day_written(period_of(report))
        if untied := list(_untied(files, report)):
            raise NotExported(
                f"The rows of {report} do not add up to it: {'; '.join(untied)}. Run manage.py verify."
            )
        made = _kept(store, report, files)
    manifest = manifest_read(made.manifest, str(made), report.room.code, report.first)
    if store.read(f"{manifest.folder}/{MANIFEST}") is None:
        if any(file_faults(store, manifest)):  # it was broken off, and its files are gone or half written
            return export_make(report, again=True)
        store.write(f"{manifest.folder}/{MANIFEST}", made.manifest.encode())
    return made


def day_faults(report: PeriodReport) -> Iterator[str]:
    """Verify a closed gaming day: settle and charge its rounds again, add its report up again; yield what does not hold."""
    stored = report.typed_figures
    with snapshot():
        now = figures_again(report)
        for difference in (now if now["differences"] else stored)["differences"]:
            yield f"{difference['figure']} of table {difference['number']} does not tie out"
        for figure, cents in now["total"].items():
            if stored["total"].get(figure) != cents:
                yield f"its {figure} is {stored['total'].get(figure)}, and the database adds up to {cents}"
        rounds = Round.objects.filter(shift__in=period_of(report).shifts)
        yield from rounds_settled_again(rounds)
        yield from rounds_charged_again(rounds)


def _untied(files: Sequence[Written], report: PeriodReport) -> Iterator[str]:
    """Read the files back, and compare what they add up to with the day's report."""
    total = report.typed_figures["total"]
    for figure, found in sums_of(
        {written.dataset.name: table_read(written.content) for written in files}
    ).items():
        if (said := total.get(figure)) != found:
            yield f"{figure} is {said} in the report and {found} in the files"


def sums_of(tables: dict[str, Any]) -> dict[str, int]:
    """Return figures of a day's report, added up from the Arrow tables of its files."""
    compute = package("pyarrow.compute")

    def total(of: Any, where: Any) -> int:
        return int(compute.sum(of.filter(where)).as_py() or 0)

    def flow(account: str) -> int:
        moved = tables["transfers"]
        into, out = (compute.equal(moved[side], account) for side in ("target", "source"))
        return total(moved["cents"], into) - total(moved["cents"], out)

    rounds, tips = tables["rounds"], tables["tips"]
    first = compute.and_(compute.is_null(rounds["corrects_id"]), compute.equal(rounds["state"], "settled"))
    return {
        "rounds_settled": int(compute.sum(first).as_py() or 0),
        "drop_expected_cents": flow("drop"),
        "jackpot_expected_cents": flow("jackpot"),
        "tips_cents": total(tips["cents"], compute.equal(tips["source"], "won")),
    }


def _kept(store: Store, report: PeriodReport, files: Sequence[Written]) -> DayExport:
    """Write the files of a new version, and keep it in the database; its manifest is still to be written."""
    room, day = report.room, report.first
    last = DayExport.objects.filter(room=room, gaming_day=day).first()
    # Those of the store count too: a database that was brought back to an earlier time must not write over later ones.
    version = 1 + max([0 if last is None else last.version, *versions_in(store, room.code, day)])
    folder = folder_of(room.code, day, version)
    said = []
    for written in files:
        store.write(f"{folder}/{written.dataset.file}", written.content)
        said.append(
            {
                "name": written.dataset.name,
                "file": written.dataset.file,
                "rows": written.rows,
                "bytes": len(written.content),
                "sha256": hashlib.sha256(written.content).hexdigest(),
            }
        )
    earlier = Shift.objects.filter(room=room, gaming_day__lt=day).aggregate(last=Max("gaming_day"))["last"]
    facts = {
        "files": said,
        "gaming_day": day.isoformat(),
        "previous_day": None if earlier is None else earlier.isoformat(),
        "replaces": "" if last is None else last.manifest_hash,
        "report": {"id": report.pk, "revision": report.revision, "content_hash": report.content_hash},
        "room": {"code": room.code, "id": room.pk, "time_zone": room.time_zone},
        "site": VERSION,
        "version": version,
    }
    return _recorded(report, version, facts)


@run_again
def _recorded(report: PeriodReport, version: int, facts: dict[str, Any]) -> DayExport:
    with locked(Room, report.room_id) as room:
        tx = RoomTransaction(room=room, actor=clock_account(), now=command_time(room).now)
        text = manifest_text({**facts, "made_at": utc_exact(tx.now)})
        made = DayExport.objects.create(
            room=room,
            gaming_day=report.first,
            version=version,
            report=report,
            made_at=tx.now,
            schema=SCHEMA,
            manifest=text,
            manifest_hash=manifest_read(text, "the manifest", room.code, report.first).hash,
        )
        tx.journal(EXPORT_COMMAND, export_data(made))
    return made


def export_data(made: DayExport) -> dict[str, Any]:
    """Return what the journal keeps of an export: the SHA-256 of its manifest, and of each file."""
    files = manifest_read(made.manifest, str(made), made.room.code, made.gaming_day).files
    return {
        "export": made.pk,
        "day": made.gaming_day.isoformat(),
        "version": made.version,
        "report": made.report_id,
        "manifest": made.manifest_hash,
        "files": {name: said.sha256 for name, said in files.items()},
    }


def _run(job: Job, progress: Progress) -> dict[str, int]:
    report = PeriodReport.objects.select_related("room").get(pk=job.arguments["report"])
    newer = PeriodReport.objects.filter(restates=report).exists()
    if newer and not DayExport.objects.filter(report=report).exists():
        return {"restated": 1}  # its restatement is exported by a job of its own
    return {"export": export_make(report).pk}


def _labels(jobs: Sequence[Job]) -> list[JobLabels]:
    return [
        JobLabels(
            "write a gaming day as Parquet",
            job.arguments["day"],
            f"/rooms/{job.at_room.code}/exports/",
            "its report was restated" if job.cause == "restated" else "its report was made",
        )
        for job in jobs
    ]


def _error(error: Exception) -> str:
    return str(error) if isinstance(error, (NotExported, NotWhole, StoreRefused)) else error_words(error)


EXPORT_KIND = JobKind(
    name=EXPORT,
    run=_run,
    labels=_labels,
    error=_error,
    most_tries=MOST_TRIES,
    patience=datetime.timedelta(minutes=10),
)
