"""The last checkpoint of each gaming day gets a time stamp of an authority, which is verified before it is kept."""

from __future__ import annotations

import base64
import datetime
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import time_machine
from pytest_django import Settings
from rfc3161_client import HashAlgorithm, TimestampRequestBuilder

from cardroom.jobs.models import Job
from cardroom.reports.models import SignedCheckpoint, TimeStamp
from tests.cast import Cast, running_cast
from tests.reports.commands import as_superuser
from tests.servers.time_stamps import TimeStampAuthority

from .signed import keyed, sign_due
from .test_signed_checkpoints import HOUR, verify

pytestmark = [pytest.mark.outside, pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture
def authority(settings: Settings) -> Iterator[TimeStampAuthority]:
    with TimeStampAuthority() as made:
        settings.TSA_URL, settings.TSA_CERTIFICATE = made.address, made.certificate
        yield made


@pytest.fixture
def cast(settings: Settings, tmp_path: Path) -> Cast:
    """A running room with a key, whose checkpoints go to a directory."""
    keyed(settings, tmp_path)
    (tmp_path / "share").mkdir()
    cast = running_cast()
    cast.room.refresh_from_db()
    cast.room.checkpoint_directory = str(tmp_path / "share")
    cast.room.save()
    return cast


def day_over() -> tuple[SignedCheckpoint, SignedCheckpoint, SignedCheckpoint]:
    """Two checkpoints of one gaming day, and the first of the next."""
    first = sign_due()
    with time_machine.travel(first.made_at + HOUR, tick=False) as clock:
        second = sign_due()
        clock.shift(datetime.timedelta(days=1))
        third = sign_due()
    return first, second, third


def test_the_last_of_a_gaming_day_is_stamped_and_delivered(
    cast: Cast, authority: TimeStampAuthority, tmp_path: Path
) -> None:
    _, second, third = day_over()
    stamp = TimeStamp.objects.get()
    assert (stamp.checkpoint, authority.asked) == (second, 1)
    assert third.gaming_day > second.gaming_day
    names = sorted(path.name for path in (tmp_path / "share").iterdir())
    assert names == [*(f"cache-slough-00000{number}.checkpoint" for number in (1, 2)), "cache-slough-000002.tsr", "cache-slough-000003.checkpoint"]  # fmt: skip
    status, out = verify()
    assert status == 0, out


def test_openssl_verifies_what_was_delivered(
    cast: Cast, authority: TimeStampAuthority, tmp_path: Path
) -> None:
    """By hand, as docs/checkpoints.md describes it."""
    day_over()
    share = tmp_path / "share"
    (tmp_path / "document").write_bytes(
        (share / "cache-slough-000002.checkpoint").read_bytes().split(b"\n")[0]
    )
    done = subprocess.run(
        ["openssl", "ts", "-verify", "-data", tmp_path / "document", "-in", share / "cache-slough-000002.tsr",
         "-CAfile", authority.certificate],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout.strip()) == (0, "Verification: OK"), done.stderr


def test_without_an_authority_nothing_is_stamped(cast: Cast) -> None:
    day_over()
    assert not Job.objects.filter(kind="checkpoint_stamp").exists()


def test_a_stamp_of_something_else_is_refused_and_asked_for_again(
    cast: Cast, authority: TimeStampAuthority, tmp_path: Path
) -> None:
    """Another checkpoint's stamp, which an authority that was taken over could send."""
    request = TimestampRequestBuilder().data(b"another").hash_algorithm(HashAlgorithm.SHA256).build()
    authority.answer = authority.stamped(request.as_bytes())
    day_over()
    job = Job.objects.get(kind="checkpoint_stamp")
    assert (job.state, TimeStamp.objects.count()) == ("waiting", 0)
    assert "The authority's time stamp does not verify" in job.error


def test_a_stamp_of_an_authority_with_another_certificate_is_refused(
    cast: Cast, authority: TimeStampAuthority, settings: Settings
) -> None:
    with TimeStampAuthority() as other:
        settings.TSA_CERTIFICATE = other.certificate
        day_over()
    assert "does not verify" in Job.objects.get(kind="checkpoint_stamp").error


@pytest.mark.parametrize("answer", [b"", b"hello", b"0\x03\x02\x01\x02"])
def test_an_answer_that_is_no_stamp_is_refused(
    cast: Cast, authority: TimeStampAuthority, answer: bytes
) -> None:
    authority.answer = answer
    day_over()
    assert "does not verify" in Job.objects.get(kind="checkpoint_stamp").error


def test_a_stamp_that_was_exchanged_is_named_by_verify(cast: Cast, authority: TimeStampAuthority) -> None:
    day_over()
    stamp = TimeStamp.objects.get()
    token = bytearray(base64.b64decode(stamp.token))
    token[-1] ^= 1
    with as_superuser() as cursor:
        cursor.execute("UPDATE reports_timestamp SET token = %s", [base64.b64encode(token).decode()])
    assert f"{stamp}: The authority's time stamp does not verify" in verify()[1]
