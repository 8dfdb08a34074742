"""Checkpoints: signed hourly and at each close, chained, delivered where the room says, and what they are compared with."""

from __future__ import annotations

import datetime
import hashlib
import http.server
import io
import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import time_machine
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.core import mail
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection
from pytest_django import Settings

from cardroom.config.checkpoint_key import checkpoint_key_make, public_keys_read
from cardroom.config.environment import PROJECT_DIR
from cardroom.floor.models import JournalEntry, Table
from cardroom.jobs.lifecycle import job_run
from cardroom.jobs.models import Job
from cardroom.reports.background.overview import background_of
from cardroom.reports.checkpoints.making import cause_due, checkpoint_make, checkpoints_ask
from cardroom.reports.commands.subscriptions import subscription_make
from cardroom.reports.models import ShiftReport, SignedCheckpoint
from cardroom.rooms.models import Room
from tests import kept as worlds
from tests.cast import Cast, running_cast
from tests.reports.commands import as_superuser, report

from .signed import keyed, run_jobs, sign_due

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]
HOUR = datetime.timedelta(hours=1)


@pytest.fixture
def cast() -> Cast:
    """A running table with a round played."""
    return worlds.kept(_played)


def _played() -> Cast:
    found = running_cast()
    found.play({4: 1000})
    return found


@pytest.fixture
def key(settings: Settings, tmp_path: Path) -> str:
    return keyed(settings, tmp_path)


def verify(**options: Any) -> tuple[int, str]:
    out = io.StringIO()
    try:
        call_command("verify", stdout=out, **options)
    except SystemExit as ended:
        return int(str(ended.code)), out.getvalue()
    return 0, out.getvalue()


def facts(checkpoint: SignedCheckpoint) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(checkpoint.document)
    return found


def kept(checkpoint: SignedCheckpoint, directory: Path) -> Path:
    """A checkpoint as it is kept outside the database."""
    path = directory / f"{checkpoint.file_name}.checkpoint"
    path.write_bytes(checkpoint.signed.file())
    return path


def test_without_a_key_nothing_is_due_and_nothing_fails(cast: Cast) -> None:
    assert cause_due(cast.room, datetime.datetime.now(datetime.UTC)) is None
    checkpoints_ask()
    assert not Job.objects.filter(kind="checkpoint").exists()


def test_it_names_the_head_of_each_chain_and_is_signed_by_the_key(cast: Cast, key: str) -> None:
    table = Table.objects.get(pk=cast.table.pk)
    room = Room.objects.get(pk=cast.room.pk)
    made = sign_due()
    said = facts(made)
    assert said["heads"] == [
        {"chain": f"room:{room.pk}", "seq": room.chain_seq, "hash": room.chain_hash},
        {"chain": f"table:{table.pk}", "seq": table.chain_seq, "hash": table.chain_hash},
    ]
    assert (said["number"], said["cause"], said["previous"], said["key"]) == (1, "hour", "", key)
    # By hand, as docs/checkpoints.md describes it: the first line is what is hashed and signed.
    line, signature = made.signed.file().split(b"\n")[:2]
    assert made.hash == hashlib.sha256(line).hexdigest()
    Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
        bytes.fromhex(json.loads(signature)["signature"]), line
    )


@pytest.mark.outside
@pytest.mark.skipif(shutil.which("xxd") is None, reason="xxd is not installed: apt-get install -y xxd")
def test_openssl_verifies_it_by_the_commands_of_the_docs(cast: Cast, key: str, tmp_path: Path) -> None:
    (tmp_path / "alder-creek-000017.checkpoint").write_bytes(sign_due().signed.file())
    page = (PROJECT_DIR / "docs" / "checkpoints.md").read_text()
    commands = page.partition("## By hand")[2].split("```")[1].replace("PUBLIC-KEY", key)
    done = subprocess.run(
        ["bash", "-euc", commands], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert SignedCheckpoint.objects.get().hash in done.stdout
    assert "Signature Verified Successfully" in done.stdout


def test_one_is_signed_each_hour_and_as_a_shift_closes_with_its_report(cast: Cast, key: str) -> None:
    first = sign_due()
    checkpoints_ask()
    assert not Job.objects.filter(kind="checkpoint", state="waiting").exists()
    with time_machine.travel(first.made_at + HOUR, tick=False) as clock:
        second = sign_due()
        clock.shift(datetime.timedelta(minutes=10))
        stored = report(cast)
        third = sign_due()
        checkpoints_ask()
        assert not Job.objects.filter(kind="checkpoint", state="waiting").exists()
    assert [facts(each)["cause"] for each in (first, second, third)] == ["hour", "hour", "shift"]
    assert [facts(each)["previous"] for each in (first, second, third)] == ["", first.hash, second.hash]
    (named,) = facts(third)["reports"]
    entry = JournalEntry.objects.get(chain=f"room:{cast.room.pk}", seq=named["seq"])
    assert (named["report"], named["content_hash"], entry.command) == (
        stored.pk,
        stored.content_hash,
        "shift_report",
    )
    assert verify()[0] == 0


def test_a_job_that_runs_twice_signs_once(cast: Cast, key: str) -> None:
    checkpoints_ask()
    job = Job.objects.get(kind="checkpoint")
    run_jobs()
    assert checkpoint_make(cast.room.pk, "hour", job.arguments["after"]) == SignedCheckpoint.objects.get()


def test_a_key_that_is_gone_is_a_failure_on_the_page_of_the_background(
    cast: Cast, key: str, settings: Settings
) -> None:
    first = sign_due()
    settings.CHECKPOINT_KEY_FILE.unlink()
    with time_machine.travel(first.made_at + HOUR, tick=False):
        checkpoints_ask()
        run_jobs()
        (failed,) = background_of(cast.room, first.made_at + HOUR).failures
    assert "cannot be read" in failed.job.error and "manage.py checkpoint_key" in failed.job.error
    assert failed.labels.what == "sign a checkpoint"


def test_a_row_never_changes(cast: Cast, key: str) -> None:
    sign_due()
    with pytest.raises(IntegrityError, match="as it was signed"), connection.cursor() as cursor:
        cursor.execute("UPDATE reports_signedcheckpoint SET number = 2")


class TestDelivery:
    def test_a_directory_gets_each_as_a_file(self, cast: Cast, key: str, tmp_path: Path) -> None:
        place = tmp_path / "share"
        place.mkdir()
        Room.objects.update(checkpoint_directory=str(place))
        made = sign_due()
        assert [path.name for path in place.iterdir()] == ["cache-slough-000001.checkpoint"]
        assert (place / "cache-slough-000001.checkpoint").read_bytes() == made.signed.file()

    def test_a_file_that_is_there_is_never_written_over(self, cast: Cast, key: str, tmp_path: Path) -> None:
        Room.objects.update(checkpoint_directory=str(tmp_path))
        there = tmp_path / "cache-slough-000001.checkpoint"
        there.write_text("another")
        made = sign_due()
        (failed,) = background_of(cast.room, made.made_at).failures
        assert "is there with another content" in failed.job.error
        assert (
            there.read_text() == "another" and len(list(tmp_path.iterdir())) == 2
        )  # and the folder of the key

    def test_a_directory_that_is_not_mounted_holds_up_nothing_and_is_tried_again(
        self, cast: Cast, key: str, tmp_path: Path
    ) -> None:
        place = tmp_path / "share"
        Room.objects.update(checkpoint_directory=str(place))
        made = sign_due()
        job = Job.objects.get(kind="checkpoint_to_directory")
        assert (job.state, job.tries) == ("waiting", 1) and "There is no directory" in job.error
        place.mkdir()
        with time_machine.travel(made.made_at + HOUR, tick=False):
            assert job_run(job.pk)
        assert (place / f"{made.file_name}.checkpoint").exists()

    def test_subscribers_get_it_by_email(self, cast: Cast, key: str) -> None:
        cast.send_room(subscription_make, "room_manager", what="checkpoint", address="gc@state.example")
        made = sign_due()
        (sent,) = mail.outbox
        assert sent.to == ["gc@state.example"] and sent.subject == "Cache Slough: checkpoint 1"
        assert made.hash in str(sent.body)
        assert sent.attachments[0][:2] == ("cache-slough-000001.checkpoint", made.signed.file())

    def test_a_witness_gets_it_posted(self, cast: Cast, key: str, witness: Witness) -> None:
        Room.objects.update(checkpoint_witness=witness.address)
        made = sign_due()
        assert witness.got == [("/in?room=1", made.signed.file())]

    def test_a_witness_that_fails_is_tried_again(self, cast: Cast, key: str, witness: Witness) -> None:
        witness.status = 503
        Room.objects.update(checkpoint_witness=witness.address)
        made = sign_due()
        (failed,) = background_of(cast.room, made.made_at).failures
        assert failed.job.error == "127.0.0.1 answers 503 Service Unavailable"

    def test_a_redirect_is_not_followed(self, cast: Cast, key: str, witness: Witness) -> None:
        witness.status = 307
        Room.objects.update(checkpoint_witness=witness.address)
        sign_due()
        assert (
            Job.objects.get(kind="checkpoint_to_witness").error == "127.0.0.1 answers 307 Temporary Redirect"
        )

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("checkpoint_witness", "http://witness.example/"),
            ("checkpoint_witness", "https://who:secret@witness.example/"),
            ("checkpoint_witness", "ftp://127.0.0.1/"),
            ("checkpoint_witness", "https://witness.example/a b"),
            ("checkpoint_directory", "share/checkpoints"),
        ],
    )
    def test_a_place_that_is_none_is_refused(self, cast: Cast, field: str, value: str) -> None:
        setattr(cast.room, field, value)
        with pytest.raises(ValidationError) as refused:
            cast.room.full_clean()
        assert list(refused.value.message_dict) == [field]


class Witness:
    """A service on this machine that notes what it gets."""

    def __init__(self) -> None:
        self.status = 201
        self.got: list[tuple[str, bytes]] = []
        witness = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                content = self.rfile.read(int(self.headers["Content-Length"]))
                witness.got.append((self.path, content))
                self.send_response(witness.status)
                if witness.status == 307:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                """Say nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/in?room=1"


@pytest.fixture
def witness() -> Iterator[Witness]:
    made = Witness()
    thread = threading.Thread(target=made.server.serve_forever, daemon=True)
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()


class TestAgainst:
    def test_an_honest_database_holds(self, cast: Cast, key: str, tmp_path: Path) -> None:
        first = sign_due()
        kept(first, tmp_path)
        cast.play({4: 2000})
        with time_machine.travel(first.made_at + 2 * HOUR, tick=False):
            kept(sign_due(), tmp_path)
            status, out = verify(against=[str(tmp_path)])
        assert status == 0, out
        assert "the database compared with 2 checkpoints from outside: all holds." in out

    def test_a_file_that_was_changed_is_named(self, cast: Cast, key: str, tmp_path: Path) -> None:
        path = kept(sign_due(), tmp_path)
        path.write_bytes(path.read_bytes().replace(b'"number":1,', b'"number":2,'))
        status, out = verify(against=[str(path)])
        assert status == 1 and f"{path}: checkpoint 2 of Cache Slough does not carry the signature" in out

    def test_what_another_key_has_signed_is_named(
        self, cast: Cast, key: str, tmp_path: Path, settings: Settings
    ) -> None:
        path = kept(sign_due(), tmp_path)
        settings.CHECKPOINT_KEY_FILE = tmp_path / "elsewhere"
        checkpoint_key_make(settings.CHECKPOINT_KEY_FILE)
        status, out = verify(against=[str(path)])
        assert status == 1 and f"is signed by the key {key}, which is not known here" in out
        out = verify(against=[str(path)], key=[key])[1]
        assert f"{path}: checkpoint" not in out

    def test_after_a_new_key_was_made_the_earlier_one_still_verifies(
        self, cast: Cast, key: str, tmp_path: Path, settings: Settings
    ) -> None:
        first = sign_due()
        kept(first, tmp_path)
        newer = checkpoint_key_make(settings.CHECKPOINT_KEY_FILE, renew=True)
        with time_machine.travel(first.made_at + HOUR, tick=False):
            second = sign_due()
            kept(second, tmp_path)
            assert verify(against=[str(tmp_path)])[0] == 0
        assert [facts(each)["key"] for each in (first, second)] == [key, newer]
        assert public_keys_read(settings.CHECKPOINT_KEY_FILE) == [key, newer]

    def test_a_night_that_was_taken_out_is_named(self, cast: Cast, key: str, tmp_path: Path) -> None:
        path = kept(sign_due(), tmp_path)
        (seq,) = [
            head["seq"]
            for head in json.loads(path.read_text().split("\n")[0])["heads"]
            if "table" in head["chain"]
        ]
        with as_superuser() as cursor:
            cursor.execute("DELETE FROM floor_journalentry WHERE chain LIKE 'table:%%' AND seq = %s", [seq])
        assert f"names entry {seq} of table:{cast.table.pk}, which is gone" in verify(against=[str(path)])[1]

    def test_a_report_that_was_rewritten_is_named(self, cast: Cast, key: str, tmp_path: Path) -> None:
        stored = report(cast)
        path = kept(sign_due(), tmp_path)
        with as_superuser() as cursor:
            cursor.execute("UPDATE reports_shiftreport SET sections = '{}'")
        assert (
            f"names {ShiftReport.objects.get(pk=stored.pk)}, which does not say what was signed"
            in (verify(against=[str(path)])[1])
        )

    @pytest.mark.parametrize(
        "content", ["", "{}\n{}\n", "hello\nworld\n", '{"format":"x"}\n{"signature":"zz"}\n']
    )
    def test_a_file_that_is_no_checkpoint_is_refused(self, cast: Cast, tmp_path: Path, content: str) -> None:
        (tmp_path / "x.checkpoint").write_text(content)
        with pytest.raises(CommandError, match=r"x\.checkpoint is no checkpoint"):
            call_command("verify", against=[str(tmp_path)])


class TestOwn:
    """Without any file: the rows themselves, as `verify` by itself looks at them."""

    def test_a_signature_that_was_exchanged_is_named(self, cast: Cast, key: str) -> None:
        sign_due()
        with as_superuser() as cursor:
            cursor.execute("UPDATE reports_signedcheckpoint SET signature = %s", ["0" * 128])
        assert "Checkpoint 1 of Cache Slough: does not carry the signature of its text" in verify()[1]

    def test_a_copy_on_a_machine_without_the_key_verifies(
        self, cast: Cast, key: str, settings: Settings, tmp_path: Path
    ) -> None:
        sign_due()
        settings.CHECKPOINT_KEY_FILE = tmp_path / "nothing"
        assert verify()[0] == 0


@pytest.mark.outside
def test_the_command_makes_a_key_that_openssl_reads(settings: Settings, tmp_path: Path) -> None:
    settings.CHECKPOINT_KEY_FILE = tmp_path / "key"
    out, again = io.StringIO(), io.StringIO()
    call_command("checkpoint_key", stdout=out, stderr=io.StringIO())
    call_command("checkpoint_key", stdout=again, stderr=io.StringIO())
    assert out.getvalue() == again.getvalue() and settings.CHECKPOINT_KEY_FILE.stat().st_mode & 0o077 == 0
    shown = subprocess.run(
        ["openssl", "pkey", "-in", settings.CHECKPOINT_KEY_FILE, "-noout", "-text_pub"],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert "".join(shown.partition("pub:")[2].split()).replace(":", "") == out.getvalue().strip()


def test_a_key_that_others_can_read_is_refused(cast: Cast, key: str, settings: Settings) -> None:
    settings.CHECKPOINT_KEY_FILE.chmod(0o644)
    checkpoints_ask()
    run_jobs()
    assert "can be read by others: chmod 600" in Job.objects.get(kind="checkpoint").error
