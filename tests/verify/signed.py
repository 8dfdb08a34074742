"""What tests of checkpoints do: give the site a key, sign as beat would ask for it, and deliver what is asked for."""

from __future__ import annotations

from pathlib import Path

from pytest_django import Settings

from cardroom.config.checkpoint_key import checkpoint_key_make
from cardroom.jobs.lifecycle import job_run
from cardroom.jobs.models import Job
from cardroom.reports.checkpoints.making import checkpoints_ask
from cardroom.reports.models import SignedCheckpoint

KINDS = ("checkpoint", "checkpoint_to_directory", "checkpoint_to_witness", "checkpoint_stamp", "email")


def keyed(settings: Settings, directory: Path) -> str:
    """Make a key in a directory, for the site; return its public key."""
    settings.CHECKPOINT_KEY_FILE = directory / "keys" / "checkpoint_key"
    made = checkpoint_key_make(settings.CHECKPOINT_KEY_FILE)
    assert made is not None
    return made


def run_jobs() -> None:
    """Run the jobs of checkpoints that wait, and those that they ask for."""
    while waiting := list(Job.objects.filter(kind__in=KINDS, state="waiting", tries=0).order_by("pk")):
        for job in waiting:
            job_run(job.pk)


def sign_due() -> SignedCheckpoint:
    """Ask for what is due, run it with its deliveries, and return the newest checkpoint."""
    checkpoints_ask()
    run_jobs()
    return SignedCheckpoint.objects.latest("pk")
