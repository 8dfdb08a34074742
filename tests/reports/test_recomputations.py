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

from cardroom.floor.errors import BadInput, Forbidden, NotFound, NotNow
from cardroom.floor.models import JournalEntry, Round, Shift
from cardroom.reports import recomputations
from cardroom.reports.background import Kind, State, background_of
from cardroom.reports.long_runs import SILENCE
from cardroom.reports.models import Recomputation
from cardroom.reports.recomputations import (
    recomputation_paper,
    recomputation_run,
    recomputation_start,
    recomputation_try_again,
    recomputations_due,
)
from tests.cast import Cast, new_key

from .acts import as_superuser
from .shift import answers, drawn, played_cast, rows

pytestmark = pytest.mark.postgresql


@pytest.fixture
def cast(db: None) -> Cast:
    return played_cast()


def start(cast: Cast, who: str = "compliance", **days: datetime.date) -> Recomputation:
    day = Shift.objects.get().gaming_day
    said = cast.send_room(recomputation_start, who, **{"first": day, "last": day, **days})
    return Recomputation.objects.get(pk=said["recomputation"])


def browser(cast: Cast, who: str = "compliance") -> Client:
    client = Client()
    client.force_login(cast.people[who])
    return client


def test_it_waits_is_computed_and_says_the_same_as_the_report(cast: Cast) -> None:
    run = start(cast)
    assert run.state == "waiting" and recomputations_due(timezone.now()) == [run.pk]
    entry = JournalEntry.objects.get(act="recomputation_start")
    assert entry.data["recomputation"] == run.pk and entry.actor == cast.people["compliance"]
    assert recomputation_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.done, run.total, run.differing) == ("finished", 6, 6, 0)
    kept, now = recomputation_paper(run, cast.people["inspector"]), drawn(cast, "recomputed")
    assert answers(kept) == answers(now)
    assert rows(kept, "schedules") == rows(now, "schedules")
    assert recomputations_due(timezone.now()) == []


def test_of_two_workers_one_computes(cast: Cast) -> None:
    run = start(cast)
    assert [recomputation_run(run.pk), recomputation_run(run.pk)] == [True, False]


def test_one_whose_worker_fell_silent_is_begun_anew(cast: Cast) -> None:
    run = start(cast)
    now = timezone.now()
    Recomputation.objects.filter(pk=run.pk).update(state="running", told_at=now)
    assert recomputations_due(now) == [] and not recomputation_run(run.pk)
    Recomputation.objects.filter(pk=run.pk).update(told_at=now - SILENCE * 2)
    assert recomputations_due(now) == [run.pk] and recomputation_run(run.pk)


def test_one_that_loses_worker_after_worker_has_failed_and_says_so(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: object) -> None:
        raise SystemExit  # the worker is killed: nothing is written

    run = start(cast)
    rows = Recomputation.objects.filter(pk=run.pk)
    with monkeypatch.context() as patch:
        patch.setattr(recomputations, "compute_again", lost)
        for _ in range(Recomputation.MOST_BEGUN):
            with pytest.raises(SystemExit):
                recomputation_run(run.pk)
            rows.update(told_at=timezone.now() - SILENCE * 2)
    assert recomputations_due(timezone.now()) == [run.pk] and recomputation_run(run.pk)
    run.refresh_from_db()
    assert run.state == "failed" and "A worker was lost over it 5 times" in run.says
    assert recomputations_due(timezone.now()) == [] and not recomputation_run(run.pk)


def test_a_room_has_one_under_way_at_a_time(cast: Cast) -> None:
    run = start(cast)
    with pytest.raises(NotNow, match="already"):
        start(cast)
    with pytest.raises(IntegrityError), transaction.atomic():
        Recomputation.objects.create(
            room=cast.room, first=run.first, last=run.last, asked_at=run.asked_at, asked_by=run.asked_by
        )
    recomputation_run(run.pk)
    assert start(cast).state == "waiting"


def test_once_ended_it_never_changes_and_none_goes_away(cast: Cast) -> None:
    run = start(cast)
    for statement in (Recomputation.objects.filter(pk=run.pk).delete,):
        with pytest.raises(IntegrityError, match="never deleted"), transaction.atomic():
            statement()
    recomputation_run(run.pk)
    with pytest.raises(IntegrityError, match="stays as it came out"), transaction.atomic():
        Recomputation.objects.filter(pk=run.pk).update(differing=0)


def test_a_difference_found_stands_on_record_after_it_was_mended(cast: Cast) -> None:
    with as_superuser():
        Round.objects.filter(number=5).update(bank_fee_cents=900)
    run = start(cast)
    recomputation_run(run.pk)
    with as_superuser():
        Round.objects.filter(number=5).update(bank_fee_cents=100)
    run.refresh_from_db()
    assert answers(drawn(cast, "recomputed"))["differing"] == 0
    (row,) = rows(recomputation_paper(run, cast.people["compliance"]), "differences")
    assert (row["figure"], row["recorded"], row["computed"]) == (
        "player-dealer fee",
        "900 cents",
        "100 cents",
    )


@pytest.mark.parametrize(
    ("error", "says"), [(SoftTimeLimitExceeded(), "Ask for fewer days"), (ValueError("?"), "worker's log")]
)
def test_one_that_fails_says_so_and_makes_way(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, error: Exception, says: str
) -> None:
    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(recomputations, "compute_again", fail)
    run = start(cast)
    assert recomputation_run(run.pk)
    run.refresh_from_db()
    assert run.state == "failed" and says in run.says
    assert says in browser(cast).get(
        f"/rooms/cache-slough/recomputations/{run.pk}/"
    ).content.decode().replace("&#x27;", "'")
    assert browser(cast).get(f"/rooms/cache-slough/recomputations/{run.pk}.pdf").status_code == 404
    assert start(cast).state == "waiting"


def failed(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Recomputation:
    def fail(*_: Any) -> None:
        raise ValueError("torn")

    run = start(cast)
    with monkeypatch.context() as patch:
        patch.setattr(recomputations, "compute_again", fail)
        assert recomputation_run(run.pk)
    run.refresh_from_db()
    assert run.state == "failed"
    return run


def test_a_failure_stands_on_the_background_page_until_it_is_tried_again(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, officer = failed(cast, monkeypatch), browser(cast)
    [job] = background_of(cast.room, timezone.now()).failures
    assert (job.kind, job.pk, job.state, job.may_be_tried_again) == (
        Kind.RECOMPUTATION,
        run.pk,
        State.GIVEN_UP,
        True,
    )
    page = officer.get("/rooms/cache-slough/background/").content.decode()
    assert "Compute fees again" in page and "Try again" in page
    again = officer.post(
        f"/rooms/cache-slough/background/recomputation/{run.pk}/try-again/",
        {"version": str(cast.room.version), "idempotency_key": new_key()},
    )
    assert again.status_code == 302
    anew = Recomputation.objects.get(state="waiting")
    assert (anew.first, anew.last, anew.asked_by) == (run.first, run.last, cast.people["compliance"])
    assert background_of(cast.room, timezone.now()).failures == []
    assert recomputation_run(anew.pk)
    ended = {job.pk: job.state for job in background_of(cast.room, timezone.now()).ended}
    assert (ended[anew.pk], ended[run.pk]) == (State.DONE, State.GIVEN_UP)


def test_what_has_not_failed_is_not_tried_again_nor_beside_another_nor_by_just_anybody(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = failed(cast, monkeypatch)
    with pytest.raises(Forbidden):
        cast.send_room(recomputation_try_again, "inspector", recomputation_id=run.pk)
    with pytest.raises(NotFound):
        cast.send_room(recomputation_try_again, "rival_compliance", cast.rival, recomputation_id=run.pk)
    day = run.first - datetime.timedelta(days=1)
    other = start(cast, first=day, last=day)
    with pytest.raises(NotNow, match="computed again already"):
        cast.send_room(recomputation_try_again, "compliance", recomputation_id=run.pk)
    assert recomputation_run(other.pk)
    with pytest.raises(NotNow, match="has not failed"):
        cast.send_room(recomputation_try_again, "compliance", recomputation_id=other.pk)
    said = cast.send_room(recomputation_try_again, "compliance", recomputation_id=run.pk)
    assert Recomputation.objects.get(pk=said["recomputation"]).state == "waiting"


def test_days_that_cannot_be_are_refused(cast: Cast) -> None:
    day = datetime.date(2026, 11, 21)
    for first, last in (
        (day, day - datetime.timedelta(days=1)),
        (day, day.replace(year=2028)),
        (day.replace(year=1), day),
    ):
        with pytest.raises(BadInput):
            start(cast, first=first, last=last)
    assert not Recomputation.objects.exists()


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
    assert not Recomputation.objects.exists()


def test_pages_ask_show_how_far_it_is_and_then_what_came_of_it(cast: Cast) -> None:
    officer, day = browser(cast), str(Shift.objects.get().gaming_day)
    form = {"first": day, "last": day, "version": "0", "idempotency_key": new_key()}
    asked = officer.post("/rooms/cache-slough/recomputations/", form)
    assert asked.status_code == 302, asked.content.decode()
    address = asked.headers["Location"]
    assert "Waiting for the worker" in officer.get(address).content.decode()
    again = officer.post("/rooms/cache-slough/recomputations/", {**form, "idempotency_key": new_key()})
    assert again.status_code == 409 and "computed again already" in again.content.decode()
    recomputation_run(Recomputation.objects.get().pk)
    part = officer.get(address, headers={"HX-Request": "true"})
    assert part.headers["HX-Refresh"] == "true"
    shown = officer.get(address).content.decode()
    assert "Rounds that differ (must be none)" in shown and "None: every round was charged" in shown
    of_file = json.loads(officer.get(address.removesuffix("/") + ".json").content)
    of_api = officer.get(f"/api/rooms/{cast.room.pk}/recomputations/{Recomputation.objects.get().pk}").json()
    assert of_api["paper"] == of_file and of_api["state"] == "finished"
    assert officer.get(address.removesuffix("/") + ".pdf").content.startswith(b"%PDF-")
    assert browser(cast, "outsider").get(address).status_code == 404
    assert browser(cast, "dealer").get(address).status_code == 403
    assert (
        browser(cast, "rival_compliance").get(address.replace("cache-slough", "gold-bar")).status_code == 404
    )


def test_a_form_without_days_is_shown_again(cast: Cast) -> None:
    shown = browser(cast).post(
        "/rooms/cache-slough/recomputations/", {"first": "soon", "version": "0", "idempotency_key": "k"}
    )
    assert shown.status_code == 422 and "field-error" in shown.content.decode()
