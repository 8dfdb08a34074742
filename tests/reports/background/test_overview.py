"""The background as managers see it: who works, what waits, what failed and is tried again, what was done last."""

from __future__ import annotations

import datetime

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from cardroom.floor.commands.jobs import job_try_again
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.errors import Forbidden, NotFound, NotNow
from cardroom.floor.models import JournalEntry, Shift
from cardroom.jobs.lifecycle import job_run
from cardroom.jobs.models import Heartbeat, Job, heartbeat_write
from cardroom.jobs.tasks import run_due_jobs
from cardroom.reports import tasks
from cardroom.reports.background.overview import State, background_of
from cardroom.reports.commands.background_reports import background_report_start
from cardroom.reports.models import ShiftReport
from cardroom.reports.tasks import make_due_reports
from tests.cast import Cast, new_key
from tests.kept import kept

PAGE = "/rooms/cache-slough/background/"


@pytest.fixture
def cast(db: None) -> Cast:
    """A shift was closed, and nobody has made its report yet."""
    return kept(_cast)


def _cast() -> Cast:
    cast = Cast()
    cast.open()
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=Shift.objects.get().pk)
    return cast


def browser(cast: Cast, who: str = "shift_manager") -> Client:
    client = Client()
    client.force_login(cast.people[who])
    return client


def shown(cast: Cast, who: str = "shift_manager") -> str:
    answer = browser(cast, who).get(PAGE)
    assert answer.status_code == 200
    return answer.content.decode()


def fail(cast: Cast, times: int = 1) -> Job:
    """Let the errand fail as often, of a disk that is full."""

    def disk(_: int) -> ShiftReport:
        raise OSError("the disk is full")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "shift_report_make", disk)
        for _ in range(times):
            Job.objects.update(next_try_at=timezone.now())
            assert job_run(Job.objects.get().pk)
    return Job.objects.get()


def states(cast: Cast) -> list[str]:
    found = background_of(cast.room, timezone.now())
    return [str(each.job.state) for each in [*found.open, *found.ended]]


def test_an_errand_waits_is_under_way_and_is_done_and_says_how_long_it_took(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert states(cast) == [State.WAITING]
    seen, make = list[str](), tasks.shift_report_make

    def look(shift_id: int) -> ShiftReport:
        seen.extend(states(cast))
        return make(shift_id)

    monkeypatch.setattr(tasks, "shift_report_make", look)
    assert job_run(Job.objects.get().pk)
    assert (seen, states(cast)) == ([State.RUNNING], [State.FINISHED])
    (each,) = background_of(cast.room, timezone.now()).ended
    assert (each.labels.about, each.labels.cause) == (str(Shift.objects.get()), "the shift was closed")
    assert each.job.seconds is not None and each.job.seconds >= 0
    assert each.job.result == {"report": ShiftReport.objects.get().pk}
    assert "✓ done" in shown(cast)


def test_a_failure_is_shown_with_its_error_and_when_it_is_tried_next(cast: Cast) -> None:
    fail(cast)
    found = background_of(cast.room, timezone.now())
    assert [each.job.state for each in found.failures] == [State.WAITING]
    page = shown(cast)
    assert "OSError: the disk is full" in page and "is tried again" in page and "Try again" in page
    fail(cast, 7)
    assert states(cast) == [State.FAILED]
    assert "nobody tries again until somebody asks" in shown(cast)


def test_trying_again_is_a_command_in_the_journal_and_what_failed_is_done(cast: Cast) -> None:
    job = fail(cast, 8)
    make_due_reports()
    assert not ShiftReport.objects.exists(), "what was given up waits for a person"
    waiting = browser(cast).get(f"/shifts/{job.arguments['shift']}/report/").content.decode()
    assert "failed 8 times and is tried again when somebody asks" in waiting and "hx-get" in waiting
    form = {"version": "0", "idempotency_key": new_key()}
    address = f"{PAGE}{job.pk}/try-again/"
    for _ in range(2):  # the button pressed twice
        assert browser(cast).post(address, form).headers["Location"] == PAGE
    entry = JournalEntry.objects.get(command="job_try_again")
    assert entry.actor == cast.people["shift_manager"]
    assert entry.data["error"] == "OSError: the disk is full" and entry.data["tries"] == 8
    make_due_reports()
    assert ShiftReport.objects.get().shift_id == job.arguments["shift"]
    again = browser(cast).post(address, {**form, "idempotency_key": new_key()})
    assert again.status_code == 409 and "It is done." in again.content.decode()


def test_what_has_not_failed_is_not_tried_again(cast: Cast) -> None:
    with pytest.raises(NotNow, match="has not failed"):
        cast.send_room(job_try_again, "shift_manager", job_id=Job.objects.get().pk)


@pytest.mark.parametrize(
    ("who", "refusal"),
    [("inspector", Forbidden), ("dealer", Forbidden), ("outsider", NotFound), ("rival_compliance", NotFound)],
)
def test_who_may_not_does_not_try_again(cast: Cast, who: str, refusal: type[Exception]) -> None:
    job = fail(cast)
    with pytest.raises(refusal):
        cast.send_room(job_try_again, who, job_id=job.pk)
    with pytest.raises(NotFound):
        cast.send_room(job_try_again, "rival_compliance", cast.rival, job_id=job.pk)
    assert Job.objects.get().tries == 1


def test_the_page_is_for_those_who_see_reports_and_shows_nothing_of_another_room(cast: Cast) -> None:
    fail(cast)
    assert browser(cast, "outsider").get(PAGE).status_code == 404
    assert browser(cast, "dealer").get(PAGE).status_code == 403
    assert "Try again" not in shown(cast, "inspector")
    elsewhere = browser(cast, "rival_shift_manager").get("/rooms/gold-bar/background/")
    assert "the disk is full" not in elsewhere.content.decode()
    unknown = browser(cast).post(f"{PAGE}999999/try-again/", {"version": "0", "idempotency_key": new_key()})
    assert unknown.status_code == 404


def test_a_long_job_says_how_far_it_has_come(cast: Cast) -> None:
    day = Shift.objects.get().gaming_day
    answer = cast.send_room(background_report_start, "compliance", report="fee-audit", first=day, last=day)
    now = timezone.now()
    running = {"state": "running", "claimed_at": now, "claimed_until": now, "done": 400, "total": 1000}
    Job.objects.filter(pk=answer["background_report"]).update(**running)
    part = browser(cast).get(PAGE, headers={"HX-Request": "true"}).content.decode()
    assert "400 of 1000 rounds" in part and "every 2s" in part and "<html" not in part
    Job.objects.filter(pk=answer["background_report"]).update(state="waiting")
    job_run(answer["background_report"])
    assert "every 15s" in browser(cast).get(PAGE, headers={"HX-Request": "true"}).content.decode()
    assert "draw “fee audit”" in shown(cast).lower()


def test_who_works_and_who_does_not_is_said_with_the_age_of_the_last_sign_of_life(cast: Cast) -> None:
    now = timezone.now()
    heartbeat_write(Heartbeat.Kind.BEAT, now=now)
    heartbeat_write(Heartbeat.Kind.WORKER, now=now - datetime.timedelta(minutes=5))
    checks = {check["name"]: check for check in background_of(cast.room, now).checks}
    assert {name: check["ok"] for name, check in checks.items()} == {
        "database": True,
        "broker": True,
        "beat": True,
        "worker": False,
    }
    page = shown(cast)
    assert "✕ has shown no life for more than 90 seconds" in page and "✓ alive" in page


def test_with_the_broker_out_of_reach_what_lies_there_is_not_known_and_never_0(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "REDIS_URL", "redis://127.0.0.1:1/0")
    assert background_of(cast.room, timezone.now()).messages is None
    assert "the message queue cannot be reached" in shown(cast)


@pytest.mark.postgresql
def test_a_worker_notes_what_beat_asked_for_and_how_it_ended(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_due_jobs.apply()
    run = Job.objects.get(room=None)
    assert (run.kind, run.state, run.error) == (run_due_jobs.name, "waiting", "") and run.ended_at is not None

    def away(*args: object) -> list[Job]:
        raise ConnectionError("10.0.0.7 is away")

    monkeypatch.setattr(tasks, "jobs_due", away)
    run_due_jobs.apply()
    assert Job.objects.get(room=None).error == "ConnectionError"
    page = shown(cast)
    assert "✕ ConnectionError" in page and "10.0.0.7" not in page


def test_the_api_reads_the_same_and_tries_again(cast: Cast) -> None:
    job = fail(cast)
    address = f"/api/rooms/{cast.room.pk}/background"
    read = browser(cast).get(address).json()
    (read_job,) = read["open"]
    assert (read_job["kind"], read_job["id"], read_job["state"], read_job["tries"]) == (
        "shift_report",
        job.pk,
        "waiting",
        1,
    )
    assert read_job["error"] == "OSError: the disk is full" and read_job["may_be_tried_again"] is True
    assert read["messages"] is not None and read["oldest_at"] == read_job["asked_at"]
    headers = {"Idempotency-Key": new_key(), "If-Match": '"0"'}
    answer = browser(cast).post(
        f"/api/rooms/{cast.room.pk}/jobs/{job.pk}/try-again",
        content_type="application/json",
        headers=headers,
    )
    assert answer.status_code == 200, answer.json()
    assert Job.objects.get().tries == 0
    assert browser(cast, "outsider").get(address).status_code == 404
