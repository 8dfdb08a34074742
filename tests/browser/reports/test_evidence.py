"""The page that checks a bundle: opened from a file, with the network off, against an honest bundle and tampered ones."""

from __future__ import annotations

import datetime
import hashlib
import json
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import time_machine
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import override_settings
from playwright.sync_api import Browser, Page
from pytest_django import Settings

from cardroom.config.checkpoint_key import checkpoint_key_make, private_key_read
from cardroom.floor.commands.shifts import shift_open
from cardroom.people.models import Employment, Role
from cardroom.reports.checkpoints.bundle import CHECKER
from cardroom.reports.checkpoints.document import SignedDocument, signed
from cardroom.reports.models import SignedCheckpoint
from tests.kept import kept
from tests.reports.verification.test_verify_attacks import NOON, _room
from tests.verify.rewriting import database_rewritten
from tests.verify.signed import sign_due
from tests.verify.test_rewritten import LATER, tips_kept_back

pytestmark = [pytest.mark.outside, pytest.mark.django_db]
DAY = NOON.date()


@pytest.fixture
def place(settings: Settings, tmp_path: Path) -> Path:
    """A directory with a bundle of two gaming days and the page; beside it the first checkpoint, as it was received."""
    shutil.copytree(kept(bundled, fresh=datetime.timedelta(days=1)), tmp_path, dirs_exist_ok=True)
    settings.CHECKPOINT_KEY_FILE = tmp_path / "keys" / "checkpoint_key"
    return tmp_path


@pytest.fixture
def key(place: Path) -> str:
    """The public key, as somebody has noted it."""
    return (place / "noted.key").read_text()


def bundled() -> Path:
    """Make that directory, once for all tests, with the key that signs."""
    place = Path(tempfile.mkdtemp(dir=settings.STATE_DIR))
    key_file = place / "keys" / "checkpoint_key"
    with (
        override_settings(CHECKPOINT_KEY_FILE=key_file),
        time_machine.travel(LATER, tick=False) as clock,
    ):
        (place / "noted.key").write_text(str(checkpoint_key_make(key_file)))
        room = _room()
        clock.move_to(LATER)
        first = sign_due()
        (place / "received.checkpoint").write_bytes(first.signed.file())
        room.send_room(shift_open, name="Graveyard")
        room.place(13)
        room.play({4: 2000})
        clock.shift(3600)
        sign_due()
        _bundle(place)
    return place


def _bundle(place: Path) -> None:
    """Draw it, and take it apart: its parts lie beside it, to be changed one by one."""
    compliance = Employment.objects.filter(role=Role.COMPLIANCE).select_related("staff").first()
    assert compliance is not None
    days = (str(DAY), str(LATER.date()))
    for old in place.glob("*.zip"):
        old.unlink()
    call_command("evidence_bundle", "cache-slough", *days, str(place), by=compliance.staff.username)
    (path,) = place.glob("*.zip")
    with zipfile.ZipFile(path) as archive:
        archive.extractall(place)


class Inspector:
    """Somebody with the page, a bundle, and what they have noted before."""

    def __init__(self, page: Page, place: Path) -> None:
        self.page, self.place = page, place
        (self.path,), (self.archive,) = place.glob("*.evidence"), place.glob("*.zip")
        self.asked: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))

    def lines(self) -> list[list[str]]:
        return [line.split("\t") for line in self.path.read_text(encoding="utf-8").splitlines()]

    def write(self, lines: list[list[str]]) -> None:
        self.path.write_text("".join("\t".join(parts) + "\n" for parts in lines), encoding="utf-8")

    def check(self, *, key: str = "", own: bool = False, whole: bool = False) -> tuple[str, list[str]]:
        """Open the page, choose the files (`whole`: the archive), and read the verdict and the faults."""
        self.page.goto((self.place / CHECKER.name).as_uri())
        self.page.set_input_files("#bundle", self.archive if whole else self.path)
        if own:
            self.page.set_input_files("#own", self.place / "received.checkpoint")
        self.page.fill("#keys", key)
        self.page.click("#check")
        self.page.wait_for_selector("#result:not([hidden])")
        faults = self.page.locator("#faults li").all_inner_texts()
        return self.page.inner_text("#verdict"), faults


@pytest.fixture
def inspector(chromium: Browser, place: Path) -> Iterator[Inspector]:
    context = chromium.new_context(offline=True)
    yield Inspector(context.new_page(), place)
    context.close()


def test_an_honest_bundle_holds_and_nothing_is_asked_of_a_network(inspector: Inspector, key: str) -> None:
    assert inspector.check(key=key, own=True) == ("✓ Everything holds.", [])
    assert {url.split(":")[0] for url in inspector.asked} == {"file"}
    shown = inspector.page.inner_text("#facts")
    entries = sum(parts[0] == "entry" for parts in inspector.lines())
    assert f"{entries} in 3 journals" in shown and key in shown
    report = inspector.page.locator("#reports details").first
    report.locator("summary").click()
    report.locator("pre").wait_for()
    assert '"figures"' in report.inner_text()


def test_without_a_key_or_a_checkpoint_of_ones_own_it_says_what_was_not_compared(
    inspector: Inspector,
) -> None:
    verdict, faults = inspector.check()
    assert faults == [] and "neither the key nor a checkpoint of your own was compared" in verdict


def test_the_page_computes_what_its_docs_say(inspector: Inspector) -> None:
    """By hand, as docs/checkpoints.md describes it: the hash of an entry is what the next one names."""
    entries = [json.loads(parts[1]) | {"sha": hashlib.sha256(parts[1].encode()).hexdigest()} for parts in inspector.lines() if parts[0] == "entry"]  # fmt: skip
    followed = [(entry, after) for entry, after in pairwise(entries) if entry["chain"] == after["chain"]]
    assert len(followed) > 20 and all(after["previous"] == entry["sha"] for entry, after in followed)


def packed(inspector: Inspector, change: Callable[[dict[str, bytes]], None]) -> None:
    """Pack the archive anew, with its files as `change` leaves them."""
    with zipfile.ZipFile(inspector.archive) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    with zipfile.ZipFile(inspector.archive, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)


def test_the_whole_archive_holds_with_each_of_its_files(inspector: Inspector, key: str) -> None:
    assert inspector.check(key=key, own=True, whole=True) == ("✓ Everything holds.", [])
    assert {url.split(":")[0] for url in inspector.asked} == {"file"}
    with zipfile.ZipFile(inspector.archive) as archive:
        listed = archive.read("MANIFEST.txt").decode().splitlines()
    shown = inspector.page.locator("#files li").all_inner_texts()
    assert shown == [f"✓ {line[66:]}" for line in listed] and "✓ reports/exceptions.pdf" in shown
    rows = sum(parts[0] == "row" for parts in inspector.lines())
    assert (
        rows > 20
        and f"Rows, each as the journal says it was written\t{rows}" in inspector.page.inner_text("#facts")
    )


def report_in_another_form(files: dict[str, bytes]) -> None:
    files["reports/exceptions.pdf"] += b"%"


def report_left_out(files: dict[str, bytes]) -> None:
    del files["reports/exceptions.pdf"]


def file_slipped_in(files: dict[str, bytes]) -> None:
    files["reports/other.pdf"] = b"%PDF"


def file_and_list_changed(files: dict[str, bytes]) -> None:
    name = "reports/exceptions.pdf"
    before = hashlib.sha256(files[name]).hexdigest()
    files[name] += b"%"
    after = hashlib.sha256(files[name]).hexdigest()
    files["MANIFEST.txt"] = files["MANIFEST.txt"].replace(before.encode(), after.encode())


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (report_in_another_form, "reports/exceptions.pdf: is not the file that was listed. It was changed."),
        (report_left_out, "reports/exceptions.pdf: is on the list and not in the archive."),
        (file_slipped_in, "reports/other.pdf: is in the archive and not on the list."),
        (file_and_list_changed, "MANIFEST.txt: no entry of the journal names this list. It was changed."),
    ],
)
def test_each_kind_of_tampering_with_a_file_is_named(
    inspector: Inspector, key: str, change: Callable[[dict[str, bytes]], None], text: str
) -> None:
    packed(inspector, change)
    assert text in inspector.check(key=key, whole=True)[1]


def test_an_archive_that_is_cut_off_is_refused(inspector: Inspector) -> None:
    inspector.archive.write_bytes(inspector.archive.read_bytes()[:-100])
    assert "It is no whole ZIP archive" in inspector.check(whole=True)[1][0]


def index_of(lines: list[list[str]], kind: str, nth: int = 0) -> int:
    return [number for number, parts in enumerate(lines) if parts[0] == kind][nth]


def entry_changed(lines: list[list[str]]) -> None:
    lines[index_of(lines, "entry", 9)][1] = lines[index_of(lines, "entry", 9)][1].replace(
        '"actor":', '"actor": '
    )


def entry_taken_out(lines: list[list[str]]) -> None:
    del lines[index_of(lines, "entry", 9)]


def entries_swapped(lines: list[list[str]]) -> None:
    at = index_of(lines, "entry", 9)
    lines[at], lines[at + 1] = lines[at + 1], lines[at]


def entry_put_in(lines: list[list[str]]) -> None:
    at = index_of(lines, "entry", 9)
    lines.insert(at, lines[at])


def end_cut_off(lines: list[list[str]]) -> None:
    """The last entries of the last chain, with the count of lines made to fit."""
    last = index_of(lines, "entry", -1)
    del lines[last - 2 : last + 1]
    lines[-1][1] = str(len(lines) - 1)


def file_cut_off(lines: list[list[str]]) -> None:
    del lines[-3:]


def checkpoint_changed(lines: list[list[str]]) -> None:
    at = index_of(lines, "checkpoint")
    lines[at][1] = lines[at][1].replace('"cause":"hour"', '"cause":"shift"')


def report_changed(lines: list[list[str]]) -> None:
    at = index_of(lines, "report")
    lines[at][3] = lines[at][3].replace('"cents":', '"cents": ', 1)
    assert '"cents": ' in lines[at][3]


def report_taken_out(lines: list[list[str]]) -> None:
    del lines[index_of(lines, "report")]


def row_changed(lines: list[list[str]]) -> None:
    at = index_of(lines, "row")
    lines[at][3] = lines[at][3].replace(":", ": ", 1)


def row_put_in(lines: list[list[str]]) -> None:
    """A row that nobody wrote, of a number that is free."""
    at = index_of(lines, "row")
    table, facts = json.loads(lines[at][3])
    facts["id"] = 987654
    lines.insert(at, ["row", table, "987654", json.dumps([table, facts])])


def row_under_another_number(lines: list[list[str]]) -> None:
    at = index_of(lines, "row")
    other = next(parts for parts in lines[at + 1 :] if parts[:2] == lines[at][:2])
    lines[at][3] = other[3]


def chain_taken_out(lines: list[list[str]]) -> None:
    begins, ends = index_of(lines, "chain", 1), index_of(lines, "entry", -1)
    del lines[begins : ends + 1]
    lines[-1][1] = str(len(lines) - 1)


@pytest.mark.parametrize(
    ("tamper", "text"),
    [
        (entry_changed, "does not follow from the entry before it. One of them was changed."),
        (entry_taken_out, "Entries are missing, or out of their order."),
        (entries_swapped, "Entries are missing, or out of their order."),
        (entry_put_in, "Entries are missing, or out of their order."),
        (end_cut_off, "The end was cut off."),
        (file_cut_off, "The bundle has no last line: it was cut off."),
        (checkpoint_changed, "the signature is not that of its text."),
        (report_changed, "does not say what the journal and the checkpoints name. It was changed."),
        (report_taken_out, "the journal names it, and it is not in the bundle."),
        (row_changed, "is not what the journal says was written. It was changed."),
        (row_put_in, "no entry of the bundle names it."),
        (row_under_another_number, "says that it is another one."),
        (chain_taken_out, "The end was cut off."),
    ],
)
def test_each_kind_of_tampering_is_named(
    inspector: Inspector, key: str, tamper: Callable[[list[list[str]]], None], text: str
) -> None:
    lines = inspector.lines()
    tamper(lines)
    inspector.write(lines)
    verdict, faults = inspector.check(key=key, own=True)
    assert verdict.startswith("✕") and any(text in fault for fault in faults), faults


def test_a_checkpoint_that_is_left_out_is_named(inspector: Inspector, key: str) -> None:
    lines = inspector.lines()
    (path,) = [parts for parts in lines if parts[0] == "checkpoint" and json.loads(parts[1])["number"] == 2]
    document = SignedDocument(path[1], path[2])
    third = signed(
        {**document.facts, "number": 3}, private_key_read(inspector.place / "keys" / "checkpoint_key")
    )
    path[1:] = [third.text, third.signature]
    inspector.write(lines)
    _, faults = inspector.check(key=key)
    assert "checkpoint 3: follows number 1. Those between them are missing." in faults


def test_a_database_rewritten_whole_and_bundled_again_is_named_by_what_was_received(
    inspector: Inspector, key: str
) -> None:
    inspector.path.unlink()
    database_rewritten(tips_kept_back)
    _bundle(inspector.place)
    assert inspector.check(key=key)[1] == []  # it agrees with itself, and is signed by the key
    verdict, faults = inspector.check(key=key, own=True)
    assert verdict.startswith("✕")
    assert any("is not what checkpoint 1 (received.checkpoint) has signed" in fault for fault in faults)
    assert any("The room has signed two, or one was changed." in fault for fault in faults)


def test_records_signed_with_another_key_are_named(
    inspector: Inspector, key: str, settings: Settings
) -> None:
    inspector.path.unlink()
    other = checkpoint_key_make(settings.CHECKPOINT_KEY_FILE, renew=True)
    database_rewritten(tips_kept_back)
    _bundle(inspector.place)
    assert SignedCheckpoint.objects.filter(document__contains=str(other)).count() == 2
    assert (
        f"checkpoint 1: is signed by the key {other}, which you did not note." in inspector.check(key=key)[1]
    )


def test_a_file_that_is_no_bundle_is_refused(inspector: Inspector) -> None:
    inspector.path.write_text("hello\n")
    assert "This is no bundle" in inspector.check()[1][0]


def test_the_command_refuses_what_it_cannot_write(place: Path) -> None:
    for arguments, text in (
        (
            ("no-room", "2026-11-30", "2026-11-30", str(place)),
            "There is no room 'no-room'. Rooms of this site: cache-slough",
        ),
        (("cache-slough", "2026-11-30", "2026-11-29", str(place)), "2026-11-29 is before 2026-11-30"),
        (("cache-slough", "2026-11-30", "2026-11-30", str(place)), "Nobody is called 'x'"),
    ):
        with pytest.raises(CommandError, match=text):
            call_command("evidence_bundle", *arguments, by="x")
