"""Fees computed again in the background: asked for once, done once, and kept as it came out."""

from __future__ import annotations

import datetime
import json
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from cardroom.floor.commands.jobs import job_try_again
from cardroom.floor.errors import BadInput, Forbidden, NotFound, NotNow
from cardroom.floor.models import JournalEntry, Round, Shift
from cardroom.jobs.lifecycle import MOST_LOST, job_run, jobs_due
from cardroom.jobs.models import Job
from cardroom.reports.background import fee_audits
from cardroom.reports.background.fee_audits import Recomputation, recomputation_document
from cardroom.reports.background.lifecycle import RECOMPUTATION
from cardroom.reports.background.overview import background_of
from cardroom.reports.commands.recomputations import recomputation_start
from tests.cast import Cast, new_key

from ..commands import as_superuser
from ..played_shift import answers, drawn, played_cast, rows

MINUTE = datetime.timedelta(minutes=1)


@pytest.fixture
def cast(db: None) -> Cast:
    return played_cast()


def start(cast: Cast, who: str = "compliance", **days: datetime.date) -> Job:
    day = Shift.objects.get().gaming_day
    answer = cast.send_room(recomputation_start, who, **{"first": day, "last": day, **days})
    return Job.objects.get(pk=answer["recomputation"])


def due() -> list[int]:
    return [job.pk for job in jobs_due(timezone.now(), RECOMPUTATION)]


def browser(cast: Cast, who: str = "compliance") -> Client:
    client = Client()
    client.force_login(cast.people[who])
    return client


def test_it_waits_is_computed_and_says_the_same_as_the_report(cast: Cast) -> None:
    run = start(cast)
    assert run.state == "waiting" and due() == [run.pk]
    entry = JournalEntry.objects.get(command="recomputation_start")
    assert entry.data["recomputation"] == run.pk and entry.actor == cast.people["compliance"]
    assert job_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.done, run.total, Recomputation(run).differing) == ("finished", 6, 6, 0)
    kept, now = (
        recomputation_document(Recomputation(run), cast.people["inspector"]),
        drawn(cast, "recomputed"),
    )
    assert answers(kept) == answers(now)
    assert rows(kept, "schedules") == rows(now, "schedules")
    assert due() == []


def test_of_two_workers_one_computes(cast: Cast) -> None:
    run = start(cast)
    assert [job_run(run.pk), job_run(run.pk)] == [True, False]


def test_one_whose_worker_fell_silent_is_begun_anew(cast: Cast) -> None:
    run = start(cast)
    now = timezone.now()
    Job.objects.filter(pk=run.pk).update(state="running", claimed_at=now, claimed_until=now + MINUTE)
    assert due() == [] and not job_run(run.pk)
    Job.objects.filter(pk=run.pk).update(claimed_until=now - MINUTE)
    assert due() == [run.pk] and job_run(run.pk)


def test_one_that_loses_worker_after_worker_has_failed_and_says_so(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: object) -> None:
        raise SystemExit  # the worker is killed: nothing is written

    run = start(cast)
    rows = Job.objects.filter(pk=run.pk)
    with monkeypatch.context() as patch:
        patch.setattr(fee_audits, "compute_again", lost)
        for _ in range(MOST_LOST):
            with pytest.raises(SystemExit):
                job_run(run.pk)
            rows.update(claimed_until=timezone.now() - MINUTE)
    assert due() == [run.pk] and job_run(run.pk)
    run.refresh_from_db()
    assert run.state == "failed" and "It was broken off 5 times" in run.error
    assert due() == [] and not job_run(run.pk)


@pytest.mark.postgresql
def test_a_room_has_one_under_way_at_a_time(cast: Cast) -> None:
    run = start(cast)
    with pytest.raises(NotNow, match="already"):
        start(cast)
    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.create(
            room=cast.room,
            kind=run.kind,
            key=run.key,
            at_most_one=run.at_most_one,
            asked_at=run.asked_at,
            next_try_at=run.asked_at,
        )
    job_run(run.pk)
    assert start(cast).state == "waiting"


@pytest.mark.postgresql
def test_once_ended_it_never_changes_and_none_goes_away(cast: Cast) -> None:
    run = start(cast)
    for write in (Job.objects.filter(pk=run.pk).delete,):
        with pytest.raises(IntegrityError, match="never deleted"), transaction.atomic():
            write()
    job_run(run.pk)
    with pytest.raises(IntegrityError, match="stays as it came out"), transaction.atomic():
        Job.objects.filter(pk=run.pk).update(result={"differing": 0})


def test_a_difference_found_stands_on_record_after_it_was_mended(cast: Cast) -> None:
    with as_superuser():
        Round.objects.filter(number=5).update(bank_fee_cents=900)
    run = start(cast)
    job_run(run.pk)
    with as_superuser():
        Round.objects.filter(number=5).update(bank_fee_cents=100)
    run.refresh_from_db()
    assert answers(drawn(cast, "recomputed"))["differing"] == 0
    (row,) = rows(recomputation_document(Recomputation(run), cast.people["compliance"]), "differences")
    assert (row["figure"], row["recorded"], row["computed"]) == (
        "player-dealer fee",
        "900 cents",
        "100 cents",
    )


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("error", "text"), [(SoftTimeLimitExceeded(), "Ask for fewer days"), (ValueError("?"), "server's log")]
)
def test_one_that_fails_says_so_and_makes_way(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, error: Exception, text: str
) -> None:
    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(fee_audits, "compute_again", fail)
    run = start(cast)
    assert job_run(run.pk)
    run.refresh_from_db()
    assert run.state == "failed" and text in run.error
    assert text in browser(cast).get(
        f"/rooms/cache-slough/recomputations/{run.pk}/"
    ).content.decode().replace("&#x27;", "'")
    assert browser(cast).get(f"/rooms/cache-slough/recomputations/{run.pk}.pdf").status_code == 404
    assert start(cast).state == "waiting"


def failed(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Job:
    def fail(*_: Any) -> None:
        raise ValueError("torn")

    run = start(cast)
    with monkeypatch.context() as patch:
        patch.setattr(fee_audits, "compute_again", fail)
        assert job_run(run.pk)
    run.refresh_from_db()
    assert run.state == "failed"
    return run


def test_a_failure_stands_on_the_background_page_until_it_is_tried_again(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, officer = failed(cast, monkeypatch), browser(cast)
    [each] = background_of(cast.room, timezone.now()).failures
    assert (each.job.kind, each.job.pk, each.job.state, each.may_be_tried_again) == (
        RECOMPUTATION,
        run.pk,
        Job.State.FAILED,
        True,
    )
    page = officer.get("/rooms/cache-slough/background/").content.decode()
    assert "Compute fees again" in page and "Try again" in page
    again = officer.post(
        f"/rooms/cache-slough/background/{run.pk}/try-again/",
        {"version": str(cast.room.version), "idempotency_key": new_key()},
    )
    assert again.status_code == 302
    assert JournalEntry.objects.get(command="job_try_again").data["job"] == run.pk
    assert background_of(cast.room, timezone.now()).failures == []
    assert job_run(run.pk)
    ended = {each.job.pk: each.job.state for each in background_of(cast.room, timezone.now()).ended}
    assert ended == {run.pk: Job.State.FINISHED}


def test_what_has_not_failed_is_not_tried_again_nor_beside_another_nor_by_just_anybody(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = failed(cast, monkeypatch)
    with pytest.raises(Forbidden):
        cast.send_room(job_try_again, "inspector", job_id=run.pk)
    with pytest.raises(NotFound):
        cast.send_room(job_try_again, "rival_compliance", cast.rival, job_id=run.pk)
    day = Recomputation(run).first - datetime.timedelta(days=1)
    other = start(cast, first=day, last=day)
    with pytest.raises(NotNow, match="under way already"):
        cast.send_room(job_try_again, "compliance", job_id=run.pk)
    assert job_run(other.pk)
    with pytest.raises(NotNow, match="It is done"):
        cast.send_room(job_try_again, "compliance", job_id=other.pk)
    answer = cast.send_room(job_try_again, "compliance", job_id=run.pk)
    assert Job.objects.get(pk=answer["job"]).state == "waiting"


def test_days_that_cannot_be_are_refused(cast: Cast) -> None:
    day = datetime.date(2026, 11, 21)
    for first, last in (
        (day, day - datetime.timedelta(days=1)),
        (day, day.replace(year=2028)),
        (day.replace(year=1), day),
    ):
        with pytest.raises(BadInput):
            start(cast, first=first, last=last)
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("who", "refusal"),
    [
        ("shift_manager", Forbidden),
        ("dealer", Forbidden),
        ("outsider", NotFound),
        ("rival_compliance", NotFound),
    ],
)
def test_those_ask_who_verify(cast: Cast, who: str, refusal: type[Exception]) -> None:
    with pytest.raises(refusal):
        start(cast, who)
    assert not Job.objects.exists()


def test_pages_ask_show_how_far_it_is_and_then_what_came_of_it(cast: Cast) -> None:
    officer, day = browser(cast), str(Shift.objects.get().gaming_day)
    form = {"first": day, "last": day, "version": "0", "idempotency_key": new_key()}
    asked = officer.post("/rooms/cache-slough/recomputations/", form)
    assert asked.status_code == 302, asked.content.decode()
    address = asked.headers["Location"]
    assert "Waiting to start" in officer.get(address).content.decode()
    again = officer.post("/rooms/cache-slough/recomputations/", {**form, "idempotency_key": new_key()})
    assert again.status_code == 409 and "audit is already running" in again.content.decode()
    job_run(Job.objects.get().pk)
    part = officer.get(address, headers={"HX-Request": "true"})
    assert part.headers["HX-Refresh"] == "true"
    shown = officer.get(address).content.decode()
    assert "Rounds that differ (must be none)" in shown and "None: every round was charged" in shown
    of_file = json.loads(officer.get(address.removesuffix("/") + ".json").content)
    of_api = officer.get(f"/api/rooms/{cast.room.pk}/recomputations/{Job.objects.get().pk}").json()
    assert of_api["paper"] == of_file and of_api["state"] == "finished"
    assert officer.get(address.removesuffix("/") + ".pdf").content.startswith(b"%PDF-")
    assert browser(cast, "outsider").get(address).status_code == 404
    assert browser(cast, "dealer").get(address).status_code == 403
    assert (
        browser(cast, "rival_compliance").get(address.replace("cache-slough", "gold-bar")).status_code == 404
    )


@pytest.mark.postgresql
def test_a_form_without_days_is_shown_again(cast: Cast) -> None:
    shown = browser(cast).post(
        "/rooms/cache-slough/recomputations/", {"first": "soon", "version": "0", "idempotency_key": "k"}
    )
    assert shown.status_code == 422 and "field-error" in shown.content.decode()
