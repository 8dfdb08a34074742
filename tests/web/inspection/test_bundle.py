"""Bundles for an inspector: who draws one, what is in it, and that its records prove its rows and files by hand."""

from __future__ import annotations

import csv
import datetime
import hashlib
import io
import json
import zipfile

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from cardroom.core.dates import day_text
from cardroom.floor.models import JournalEntry, Offer, Round, Turn
from cardroom.reports.checkpoints.bundle import CHECKER
from cardroom.web.inspection import views
from tests.cast import Cast
from tests.kept import kept
from tests.reports.played_shift import played_cast

PAGE = "/rooms/cache-slough/inspection/"


@pytest.fixture
def played(db: None) -> Cast:
    """A shift at table 7 in which the bank was offered, rounds were settled, one was void and one corrected."""
    return kept(played_cast)


def drawn(cast: Cast, who: str = "inspector", *, table: str = "7", days: int = 0, status: int = 200) -> bytes:
    """Have somebody draw a bundle of the day that was played, and as many before it."""
    last = Round.objects.latest("pk").gaming_day
    browser = Client()
    browser.force_login(cast.people[who])
    first = last - datetime.timedelta(days=days)
    answer = browser.post(f"{PAGE}bundle/", {"table": table, "first": first, "last": last})
    assert answer.status_code == status
    return answer.getvalue() if answer.streaming else answer.content


def archive(cast: Cast) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(drawn(cast)))


def lines(bundle: zipfile.ZipFile) -> list[list[str]]:
    return [line.split("\t") for line in bundle.read("records.evidence").decode().splitlines()]


def test_it_has_the_documents_of_the_table_and_its_days(played: Cast) -> None:
    names = archive(played).namelist()
    for name in (
        *("index.html", "MANIFEST.txt", "records.evidence", "check_evidence.html"),
        *("reports/exceptions.pdf", "reports/fee-audit.json", "reports/people-dealers.csv"),
        "reports/rounds-rounds.csv",
    ):
        assert name in names
    assert any(name.startswith("filings/schedule-") for name in names)
    assert any(name.startswith("placards/game-") for name in names)
    assert any(name.startswith("rotation/table-7-") and name.endswith(".pdf") for name in names)
    assert "reports/rounds.pdf" not in names
    assert not any(name.startswith("rotation/table-8") for name in names)


def test_each_file_is_on_a_list_whose_digest_is_in_the_journal(played: Cast) -> None:
    bundle = archive(played)
    manifest = bundle.read("MANIFEST.txt")
    found = (line.split("  ", 1) for line in manifest.decode().splitlines())
    listed = {name: digest for digest, name in found}
    for name, digest in listed.items():
        assert hashlib.sha256(bundle.read(name)).hexdigest() == digest
    assert set(bundle.namelist()) - set(listed) == {"MANIFEST.txt", "records.evidence", "check_evidence.html"}
    entry = JournalEntry.objects.get(command="evidence_bundle")
    assert entry.actor == played.people["inspector"]
    assert entry.data["manifest"] == hashlib.sha256(manifest).hexdigest()
    assert entry.data["tables"] == [7] and entry.data["files"] == len(listed)
    named = [json.loads(parts[1]) for parts in lines(bundle) if parts[0] == "entry"]
    assert entry.data in [each["data"] for each in named if each["command"] == "evidence_bundle"]
    assert bundle.read("check_evidence.html") == CHECKER.read_bytes()


def test_each_row_has_the_digest_that_the_journal_names(played: Cast) -> None:
    """By hand, as docs/checkpoints.md describes it."""
    found = lines(archive(played))
    digests: dict[tuple[str, str], set[str]] = {}
    for parts in found:
        if parts[0] == "entry":
            for table, of_table in json.loads(parts[1])["rows"].items():
                for pk, digest in of_table.items():
                    digests.setdefault((table, pk), set()).add(digest)
    rows = {(parts[1], parts[2]): parts[3] for parts in found if parts[0] == "row"}
    for key, text in rows.items():
        assert hashlib.sha256(text.encode()).hexdigest()[:40] in digests[key]
        assert json.loads(text)[0] == key[0]
    for model in (Round, Offer, Turn):
        there = {str(pk) for pk in model._default_manager.values_list("pk", flat=True)}
        assert {pk for table, pk in rows if table == model._meta.db_table} == there
    assert not any(table.startswith("people_") for table, _ in rows)


def test_its_figures_are_those_of_the_reports(played: Cast) -> None:
    bundle = archive(played)
    log = list(csv.DictReader(io.StringIO(bundle.read("reports/rounds-rounds.csv").decode("utf-8-sig"))))
    assert len([row for row in log if row != log[-1]]) == Round.objects.count()
    dealers = bundle.read("reports/people-dealers.csv").decode("utf-8-sig")
    assert str(played.people["dealer"]) in dealers


def test_the_page_lists_what_was_drawn_and_leads_from_compliance(played: Cast) -> None:
    browser = Client()
    browser.force_login(played.people["inspector"])
    assert f'href="{PAGE}"' in browser.get("/rooms/cache-slough/compliance/").content.decode()
    assert "None was drawn yet" in browser.get(PAGE).content.decode()
    drawn(played)
    page = browser.get(PAGE).content.decode()
    entry = JournalEntry.objects.get(command="evidence_bundle")
    assert entry.data["manifest"][:16] in page and day_text(Round.objects.latest("pk").gaming_day) in page


@pytest.mark.parametrize("who", ["room_manager", "shift_manager", "surveillance", "floor"])
def test_nobody_else_draws_one(played: Cast, who: str) -> None:
    drawn(played, who, status=403)
    assert not JournalEntry.objects.filter(command="evidence_bundle").exists()


def test_too_many_days_or_rounds_and_no_table_are_refused(
    played: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert b"Choose 1 to 7 gaming days" in drawn(played, days=7, status=422)
    assert b"Select a valid choice" in drawn(played, table="99", status=422)
    monkeypatch.setattr(views, "MOST_ROUNDS", 2)
    refused = drawn(played, status=422).decode()
    assert "rounds, and 2 are drawn while you wait" in refused and "manage.py evidence_bundle" in refused
    assert not JournalEntry.objects.filter(command="evidence_bundle").exists()


def test_the_command_names_what_it_cannot_do(played: Cast) -> None:
    user = played.people["inspector"].username
    for more, text in (
        (("--by", "nobody"), "Nobody is called 'nobody'"),
        (("--by", played.people["floor"].username), "that is for Compliance, Inspector"),
        (("--by", user, "--table", "99"), "has no table 99; it has"),
    ):
        with pytest.raises(CommandError, match=text):
            call_command("evidence_bundle", "cache-slough", "2026-11-30", "2026-11-30", "none", *more)
