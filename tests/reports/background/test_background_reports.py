"""Reports about more rounds than anybody waits for: asked for once, drawn by one worker, kept as they came out."""

from __future__ import annotations

import dataclasses
import datetime
import json
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from cardroom.core.canonical import canonical_hash
from cardroom.core.dates import utc_text
from cardroom.documents.export import csv_of, data_of, xlsx_of
from cardroom.documents.pdf import pdf_of
from cardroom.floor.commands.jobs import job_cancel, job_try_again
from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.errors import BadInput, Forbidden, NotFound, NotNow
from cardroom.floor.models import JournalEntry, Round, Shift
from cardroom.jobs import tasks
from cardroom.jobs.lifecycle import MOST_LOST, job_run, jobs_due, piece_run
from cardroom.jobs.models import Job
from cardroom.people.models import Provider
from cardroom.reports.background import background_reports, limits
from cardroom.reports.background.background_reports import (
    BACKGROUND_REPORT_KIND,
    BackgroundReport,
    background_report_document,
    background_reports_read,
)
from cardroom.reports.background.lifecycle import run_hash
from cardroom.reports.background.limits import draw, too_many_at_once
from cardroom.reports.background.overview import background_of
from cardroom.reports.catalogue.questions import REPORTS
from cardroom.reports.commands.background_reports import background_report_start, background_statement_start
from cardroom.reports.providers import statement
from cardroom.reports.providers.statement import statement_report
from cardroom.reports.queries.query import Report, ReportQuery
from tests.cast import Cast, new_key

from ..commands import as_superuser, close_shift
from ..played_shift import answers, drawn, named, played_cast, question, rows

ROOM = "/rooms/cache-slough"
#: As many rounds as may be asked about at once in these tests; the shift has seven rows, its correction too.
FEW = 3


@pytest.fixture
def cast(db: None) -> Cast:
    return played_cast()


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a shift be too long to wait for."""
    for name in ("rotation", "what-if"):
        monkeypatch.setitem(REPORTS, name, dataclasses.replace(REPORTS[name], at_once=FEW))
    monkeypatch.setattr(statement, "AT_ONCE", FEW)


def place(**more: Any) -> dict[str, Any]:
    day = Shift.objects.get().gaming_day
    return {"first": day, "last": day, "table": None, "shift": None, **more}


def start(cast: Cast, name: str = "rotation", who: str = "compliance", **more: Any) -> Job:
    options = {"profile": "forty_minutes"} if name == "what-if" else {}
    answer = cast.send_room(background_report_start, who, report=name, options=options, **place(**more))
    return Job.objects.get(pk=answer["background_report"])


def start_statement(cast: Cast, who: str = "provider_lead") -> Job:
    firm = cast.room.providers.get()
    answer = cast.send_room(background_statement_start, who, provider_id=firm.pk, **place())
    return Job.objects.get(pk=answer["background_report"])


def ran(run: Job) -> Job:
    assert job_run(run.pk)
    run.refresh_from_db()
    return run


def read(run: Job) -> BackgroundReport:
    [report] = background_reports_read([run])
    return report


def due() -> list[int]:
    return [job.pk for job in jobs_due(timezone.now(), BACKGROUND_REPORT_KIND.name)]


def browser(cast: Cast, who: str = "compliance") -> Client:
    client = Client()
    client.force_login(cast.people[who])
    return client


def form() -> dict[str, str]:
    return {"version": "0", "idempotency_key": new_key()}


@pytest.mark.parametrize("name", ["rotation", "what-if", "fee-audit"])
def test_what_a_worker_drew_is_what_the_report_says_row_by_row_in_every_form(cast: Cast, name: str) -> None:
    run = start(cast, name)
    assert run.state == "waiting" and due() == [run.pk]
    entry = JournalEntry.objects.get(command="background_report_start")
    assert entry.data["background_report"] == run.pk and entry.actor == cast.people["compliance"]
    ran(run)
    rounds = limits.rounds_asked(question(cast, name))
    assert (run.state, run.done, run.total) == ("finished", rounds, rounds) and rounds > FEW
    kept, now = background_report_document(read(run), cast.people["inspector"]), drawn(cast, name)
    assert kept.notes[0].startswith("Asked for by") and "drawn in the background" in kept.notes[0]
    kept = dataclasses.replace(kept, notes=kept.notes[1:])
    assert data_of(kept) == data_of(now) and xlsx_of(kept) == xlsx_of(now)
    assert list(kept.answers) == list(now.answers)
    for first, again in zip(kept.grids, now.grids, strict=True):
        assert csv_of(first) == csv_of(again) and list(first.rows) == list(again.rows)
    signed = {"printed_by": "Ada", "printed_at": "now"}
    assert len(pdf_of(kept, **signed)) == len(pdf_of(now, **signed))
    assert due() == []


def test_a_statement_is_drawn_to_the_cent_and_opens_reports_for_those_alone_who_see_them(cast: Cast) -> None:
    firm = cast.room.providers.get()
    lead = cast.people["provider_lead"]
    of_lead, of_officer = ran(start_statement(cast)), ran(start_statement(cast, "compliance"))
    now = statement_report(firm).make(dataclasses.replace(question(cast, "rotation"), staff=lead))
    for run in (of_lead, of_officer):
        kept = background_report_document(read(run), lead)
        assert data_of(kept)["answers"] == data_of(now)["answers"]
        assert data_of(kept)["grids"] == data_of(now)["grids"]
        assert not any(row.links for grid in kept.grids for row in grid.rows)
    opened = background_report_document(read(of_officer), cast.people["compliance"])
    assert any(row.links for grid in opened.grids for row in grid.rows) or not opened.grids[1].rows


def test_what_was_recorded_later_is_not_in_it(cast: Cast) -> None:
    run = ran(start(cast))
    cast.send(round_record, "dealer", sheet=named(cast, {1: 1000, 5: 2500}, bank=4))
    kept = background_report_document(read(run), cast.people["compliance"])
    assert data_of(kept)["answers"]["rounds"] == data_of(drawn(cast, "rotation"))["answers"]["rounds"] - 1


def test_a_difference_found_stands_on_record_after_it_was_mended(cast: Cast) -> None:
    with as_superuser():
        Round.objects.filter(number=5).update(bank_fee_cents=900)
    run = ran(start(cast, "fee-audit"))
    with as_superuser():
        Round.objects.filter(number=5).update(bank_fee_cents=100)
    assert answers(drawn(cast, "fee-audit"))["differing"] == 0
    (row,) = rows(background_report_document(read(run), cast.people["compliance"]), "differences")
    assert (row["figure"], row["recorded"], row["computed"]) == (
        "player-dealer fee",
        "900 cents",
        "100 cents",
    )


@pytest.mark.postgresql
def test_the_same_question_joins_what_is_under_way_and_another_one_does_not(cast: Cast) -> None:
    run = start(cast)
    for state in ("waiting", "running"):
        Job.objects.filter(pk=run.pk).update(
            state=state, claimed_at=timezone.now(), claimed_until=timezone.now()
        )
        answer = cast.send_room(
            background_report_start, "inspector", report="rotation", options={}, **place()
        )
        assert (answer["background_report"], answer["joined"]) == (run.pk, True)
    assert JournalEntry.objects.filter(command="background_report_start").count() == 1
    others = [start(cast, "what-if"), start(cast, table=cast.table.number), start_statement(cast)]
    assert len({run.pk, *(other.pk for other in others)}) == 4
    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.create(
            room=cast.room,
            kind=run.kind,
            key=run.key,
            at_most_one=run.at_most_one,
            asked_at=run.asked_at,
            next_try_at=run.asked_at,
        )
    Job.objects.filter(pk=run.pk).update(state="waiting")
    ran(run)
    assert start(cast).pk != run.pk, "once it has ended, the same question is drawn anew"


def test_of_two_workers_one_draws(cast: Cast) -> None:
    run = start(cast)
    assert [job_run(run.pk), job_run(run.pk)] == [True, False]


def test_a_lost_worker_is_survived_and_five_are_the_most(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(_: ReportQuery) -> None:
        raise SystemExit  # the worker is killed: nothing is written

    run = start(cast)
    row = Job.objects.filter(pk=run.pk)
    with monkeypatch.context() as patch:
        patch.setitem(REPORTS, "rotation", dataclasses.replace(REPORTS["rotation"], make=lost))
        for _ in range(MOST_LOST):
            with pytest.raises(SystemExit):
                job_run(run.pk)
            assert due() == [], "it may still be alive"
            row.update(claimed_until=timezone.now() - datetime.timedelta(seconds=1))
            assert due() == [run.pk]
    ran(run)
    assert run.state == "failed" and "It was broken off 5 times" in run.error
    assert due() == [] and not job_run(run.pk)


@pytest.mark.postgresql
def test_once_ended_it_never_changes_and_none_goes_away(cast: Cast) -> None:
    run = start(cast)
    with pytest.raises(IntegrityError, match="never deleted"), transaction.atomic():
        Job.objects.filter(pk=run.pk).delete()
    ran(run)
    with pytest.raises(IntegrityError, match="stays as it came out"), transaction.atomic():
        Job.objects.filter(pk=run.pk).update(done=0)


@pytest.mark.parametrize(
    ("error", "text"),
    [(SoftTimeLimitExceeded(), "Ask for fewer days"), (ValueError("?"), "server's log")],
)
def test_a_failure_stands_on_the_background_page_until_it_is_tried_again(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, error: Exception, text: str
) -> None:
    def fail(_: ReportQuery) -> None:
        raise error

    run = start(cast)
    with monkeypatch.context() as patch:
        patch.setitem(REPORTS, "rotation", dataclasses.replace(REPORTS["rotation"], make=fail))
        ran(run)
    assert run.state == "failed" and text in run.error
    [each] = background_of(cast.room, timezone.now()).failures
    assert (each.job.kind, each.job.pk, each.job.state, each.may_be_tried_again) == (
        "background_report",
        run.pk,
        Job.State.FAILED,
        True,
    )
    officer = browser(cast)
    page = officer.get(f"{ROOM}/background/").content.decode().replace("&#x27;", "'")
    assert text in page and "Draw “Rotation of the bank”" in page and "Try again" in page
    assert officer.get(f"{ROOM}/background-reports/{run.pk}.pdf").status_code == 404
    assert text in officer.get(f"{ROOM}/background-reports/{run.pk}/").content.decode().replace("&#x27;", "'")
    again = officer.post(f"{ROOM}/background/{run.pk}/try-again/", form())
    assert again.status_code == 302
    entry = JournalEntry.objects.get(command="job_try_again")
    assert (entry.data["job"], entry.data["error"]) == (run.pk, run.error)
    assert background_of(cast.room, timezone.now()).failures == []
    ran(run)
    ended = {each.job.pk: each.job.state for each in background_of(cast.room, timezone.now()).ended}
    assert ended == {run.pk: Job.State.FINISHED}
    with pytest.raises(NotNow, match="It is done"):
        cast.send_room(job_try_again, "compliance", job_id=run.pk)


def test_a_failure_is_no_failure_once_the_same_was_asked_for_anew(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: ReportQuery) -> None:
        raise ValueError("?")

    failed = start(cast)
    with monkeypatch.context() as patch:
        patch.setitem(REPORTS, "rotation", dataclasses.replace(REPORTS["rotation"], make=fail))
        ran(failed)
    anew = start(cast)
    assert anew.pk != failed.pk and background_of(cast.room, timezone.now()).failures == []
    with pytest.raises(NotNow, match="under way already"):
        cast.send_room(job_try_again, "compliance", job_id=failed.pk)
    ran(anew)
    ended = {each.job.pk: each.job.state for each in background_of(cast.room, timezone.now()).ended}
    assert ended == {anew.pk: Job.State.FINISHED, failed.pk: Job.State.FAILED}


def test_what_waits_is_cancelled_and_stays_on_record_and_what_has_ended_is_not(cast: Cast) -> None:
    run, officer = start(cast), browser(cast)
    assert "Cancel" in officer.get(f"{ROOM}/background/").content.decode()
    assert officer.post(f"{ROOM}/background/{run.pk}/cancel/", form()).status_code == 302
    run.refresh_from_db()
    assert run.state == "cancelled" and due() == [] and not job_run(run.pk)
    assert JournalEntry.objects.get(command="job_cancel").data["job"] == run.pk
    assert "It was cancelled" in officer.get(f"{ROOM}/background-reports/{run.pk}/").content.decode()
    assert start(cast).pk != run.pk, "the same may be asked for anew"
    for command in (job_cancel, job_try_again):
        with pytest.raises(NotNow):
            cast.send_room(command, "compliance", job_id=run.pk)
        with pytest.raises(Forbidden):
            cast.send_room(command, "inspector", job_id=run.pk)
        with pytest.raises(NotFound):
            cast.send_room(command, "rival_compliance", cast.rival, job_id=run.pk)
    Job.objects.filter(state="waiting").update(
        state="running", claimed_at=timezone.now(), claimed_until=timezone.now()
    )
    with pytest.raises(NotNow, match="It is running"):
        cast.send_room(job_cancel, "compliance", job_id=Job.objects.get(state="running").pk)


def test_beat_has_what_is_due_drawn(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    run, rung = start(cast), list[int]()
    monkeypatch.setattr(tasks.run_job, "delay", rung.append)
    tasks.run_due_jobs()
    assert rung == [run.pk]
    tasks.run_job(run.pk)
    run.refresh_from_db()
    assert run.state == "finished"


@pytest.mark.usefixtures("short")
def test_the_page_says_how_large_it_is_and_offers_the_worker_and_shows_what_came_of_it(cast: Cast) -> None:
    officer, day = browser(cast), str(Shift.objects.get().gaming_day)
    address = f"{ROOM}/reports/rotation/?from={day}&to={day}"
    shown = officer.get(address)
    rounds = limits.rounds_asked(question(cast, "rotation"))
    assert shown.status_code == 200 and f"{rounds} rounds: too many to wait for" in shown.content.decode()
    assert "Turns at the bank" not in shown.content.decode()
    as_file = officer.get(f"{ROOM}/reports/rotation.csv?from={day}&to={day}")
    assert as_file.status_code == 400 and "have it drawn in the background" in as_file.content.decode()
    response = officer.post(f"{ROOM}/reports/rotation/in-background/?from={day}&to={day}", form())
    assert response.status_code == 302, response.content.decode()
    run = Job.objects.get()
    place = response.headers["Location"]
    assert place == f"{ROOM}/background-reports/{run.pk}/"
    assert "Waiting to start" in officer.get(place).content.decode()
    again = browser(cast, "inspector").post(
        f"{ROOM}/reports/rotation/in-background/?from={day}&to={day}", form()
    )
    assert again.headers["Location"] == place
    Job.objects.filter(pk=run.pk).update(
        state="running", claimed_at=timezone.now(), claimed_until=timezone.now(), done=1234, total=98765
    )
    part = officer.get(place, headers={"HX-Request": "true"}).content.decode()
    assert "1,234 of 98,765 rounds are gone through" in part and f'hx-get="{place}"' in part
    assert "1234 of 98765 rounds" in officer.get(f"{ROOM}/background/").content.decode()
    Job.objects.filter(pk=run.pk).update(state="waiting")
    ran(run)
    assert officer.get(place, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    page = officer.get(place).content.decode()
    assert "Turns at the bank" in page and "What was recorded since is not in it" in page
    listed = officer.get(address).content.decode()
    assert f'href="{place}"' in listed and "✓ finished" in listed
    of_file = json.loads(officer.get(place.removesuffix("/") + ".json").content)
    of_api = officer.get(f"/api/rooms/{cast.room.pk}/background-reports/{run.pk}").json()
    assert of_api["paper"] == of_file and of_api["state"] == "finished"
    pdf = officer.get(place.removesuffix("/") + ".pdf")
    assert pdf.content.startswith(b"%PDF-") and f"rotation-{day}" in pdf.headers["Content-Disposition"]
    assert officer.get(place.removesuffix("/") + ".csv?grid=tables").status_code == 200
    assert browser(cast, "outsider").get(place).status_code == 404
    assert browser(cast, "dealer").get(place).status_code == 403
    assert browser(cast, "provider_lead").get(place).status_code == 404
    assert browser(cast, "rival_compliance").get(place.replace("cache-slough", "gold-bar")).status_code == 404


@pytest.mark.postgresql
@pytest.mark.usefixtures("short")
def test_a_lead_has_their_firms_statement_drawn_and_no_other_firms(cast: Cast) -> None:
    firm, day = cast.room.providers.get(), str(Shift.objects.get().gaming_day)
    other = Provider.objects.create(room=cast.room, name="Delta Players")
    lead = browser(cast, "provider_lead")
    address = f"{ROOM}/statements/{firm.pk}/"
    assert "too many to wait for" in lead.get(f"{address}?from={day}&to={day}").content.decode()
    response = lead.post(f"{address}in-background/?from={day}&to={day}", form())
    place = response.headers["Location"]
    run = ran(Job.objects.get())
    shown = lead.get(place)
    assert shown.status_code == 200 and "Net: won less lost" in shown.content.decode()
    assert f'href="{ROOM}/"' not in shown.content.decode()
    assert lead.get(f"{ROOM}/background-reports/{run.pk}.xlsx").status_code == 200
    assert lead.post(f"{ROOM}/statements/{other.pk}/in-background/", form()).status_code == 404
    with pytest.raises(NotFound):
        cast.send_room(background_statement_start, "provider_lead", provider_id=other.pk, **place_of(run))
    delta = cast.send_room(background_statement_start, "compliance", provider_id=other.pk, **place_of(run))
    assert lead.get(f"{ROOM}/background-reports/{delta['background_report']}/").status_code == 404
    assert browser(cast, "shift_manager").get(place).status_code == 404, "statements are none of theirs"
    api = f"/api/rooms/{cast.room.pk}/statements/{firm.pk}/background-reports"
    assert [row["id"] for row in lead.get(api).json()] == [run.pk]
    assert lead.get(f"{api}/{delta['background_report']}").status_code == 404
    assert lead.get(f"/api/rooms/{cast.room.pk}/background-reports").status_code == 403


def place_of(run: Job) -> dict[str, Any]:
    query = read(run).query
    return {"first": query.first, "last": query.last, "table": None, "shift": None}


@pytest.mark.postgresql
@pytest.mark.usefixtures("short")
def test_the_api_says_where_to_ask_and_draws_in_the_background(cast: Cast) -> None:
    officer, day = browser(cast), str(Shift.objects.get().gaming_day)
    api = f"/api/rooms/{cast.room.pk}"
    refused = officer.get(f"{api}/reports/what-if?from={day}&to={day}")
    assert refused.status_code == 400 and refused.json()["error"]["code"] == "too_many_rounds"

    def post(**body: Any) -> Any:
        headers = {"Idempotency-Key": new_key(), "If-Match": '"0"'}
        content = json.dumps({"from": day, "to": day, **body})
        return officer.post(
            f"{api}/background-reports", content, content_type="application/json", headers=headers
        )

    response = post(report="what-if", options={"profile": "every_hour"}, table=7)
    assert response.status_code == 200, response.json()
    assert post(report="what-if", options={"profile": "every_hour"}, table=7).json()["joined"] is True
    run = Job.objects.get()
    query = read(run).query
    assert (query.options, query.table) == ({"profile": "every_hour"}, cast.table)
    waiting = officer.get(f"{api}/background-reports/{run.pk}").json()
    assert (waiting["state"], waiting["paper"]) == ("waiting", None) and "table 7" in waiting["about"]
    ran(run)
    assert officer.get(f"{api}/background-reports/{run.pk}").json()["paper"]["grids"]["tables"]["rows"]
    assert [row["id"] for row in officer.get(f"{api}/background-reports").json()] == [run.pk]
    assert post(report="statement").status_code == 404
    of_access = post(report="access")
    assert of_access.json()["error"]["code"] == "drawn_at_once"
    assert post(report="what-if", options={"profile": "hourly"}).json()["error"]["code"] == "unknown_choice"


def test_under_the_bound_nothing_is_left_to_a_worker(cast: Cast) -> None:
    rounds = limits.rounds_asked(question(cast, "rotation"))

    def of(at_once: int | None) -> Report:
        return dataclasses.replace(REPORTS["rotation"], at_once=at_once)

    assert too_many_at_once(of(rounds), question(cast, "rotation")) is None
    assert too_many_at_once(of(rounds - 1), question(cast, "rotation")) == rounds
    assert too_many_at_once(of(None), question(cast, "rotation")) is None
    assert data_of(draw(of(rounds), question(cast, "rotation"))) == data_of(drawn(cast, "rotation"))


@pytest.mark.usefixtures("short")
def test_more_than_a_worker_goes_through_is_refused(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_ROUNDS", FEW + 1)
    day = str(Shift.objects.get().gaming_day)
    with pytest.raises(BadInput, match="more than the 4 rounds"):
        draw(REPORTS["rotation"], question(cast, "rotation"))
    refused = browser(cast).post(f"{ROOM}/reports/rotation/in-background/?from={day}&to={day}", form())
    assert refused.status_code == 400 and "more than the 4 rounds" in refused.content.decode()
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("who", "refusal"),
    [
        ("dealer", Forbidden),
        ("provider_lead", Forbidden),
        ("outsider", NotFound),
        ("rival_compliance", NotFound),
    ],
)
def test_those_ask_who_see_reports(cast: Cast, who: str, refusal: type[Exception]) -> None:
    with pytest.raises(refusal):
        start(cast, who=who)
    with pytest.raises(BadInput):
        start(cast, table=10**6)
    assert not Job.objects.exists()


@pytest.fixture
def two_shifts(cast: Cast) -> Cast:
    """A shift after the one that was played, with a round of a wrong fee in each."""
    close_shift(cast)
    cast.send_room(shift_open, name="Graveyard")
    cast.send(round_record, "dealer", sheet=named(cast, {1: 1000, 5: 2500}, bank=4))
    with as_superuser():
        for shift in Shift.objects.all():
            last = Round.objects.filter(shift=shift).latest("pk")
            Round.objects.filter(pk=last.pk).update(bank_fee_cents=last.bank_fee_cents + 800)
    return cast


def of_days(cast: Cast) -> dict[str, Any]:
    day = Shift.objects.earliest("pk").gaming_day
    return {"first": day, "last": Shift.objects.latest("pk").gaming_day, "table": None, "shift": None}


def test_parts_of_a_fee_audit_come_to_what_one_worker_comes_to(
    two_shifts: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = of_days(two_shifts)

    def asked() -> Job:
        answer = two_shifts.send_room(
            background_report_start, "compliance", report="fee-audit", options={}, **days
        )
        return Job.objects.get(pk=answer["background_report"])

    alone = ran(asked())
    assert not alone.pieces.exists()
    monkeypatch.setattr(background_reports, "PIECE_ROUNDS", 1)
    shared = ran(asked())
    assert (shared.state, shared.pieces.count()) == ("waiting", 2)
    assert (
        "0 of 2 parts are done"
        in browser(two_shifts).get(f"{ROOM}/background-reports/{shared.pk}/").content.decode()
    )
    while piece_run([background_reports.PIECE]):
        pass
    shown = background_of(two_shifts.room, timezone.now())
    assert {each.job.pk: each.parts for each in shown.open}[shared.pk] == "2 of 2 parts"
    ran(shared)
    assert (shared.state, shared.done, shared.total) == ("finished", alone.done, alone.total)
    assert shared.result == alone.result
    assert (
        answers(background_report_document(read(shared), two_shifts.people["compliance"]))["differing"] == 2
    )


def test_the_hash_of_an_end_of_0_1_0_is_what_it_was(cast: Cast) -> None:
    """That release had no column for the whole that a job is a part of."""
    run = ran(start(cast))
    columns = sorted(field.attname for field in run._meta.concrete_fields if field.attname != "part_of_id")
    assert "part_of_id" in {field.attname for field in run._meta.concrete_fields}
    plain = {name: getattr(run, name) for name in columns}
    plain = {
        name: utc_text(value) if isinstance(value, datetime.datetime) else value
        for name, value in plain.items()
    }
    assert run_hash(run) == canonical_hash(plain)
