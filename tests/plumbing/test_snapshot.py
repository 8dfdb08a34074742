"""A snapshot of the database: it sees nothing of what others commit meanwhile, and keeps nobody from writing."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, transaction

from cardroom.config.databases import snapshot
from cardroom.rooms.models import Room

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


def _made_by_another_connection(code: str) -> None:
    """Write a room in a thread, which has its own connection, and wait until it is committed."""

    def write() -> None:
        try:
            with transaction.atomic():
                Room.objects.create(code=code, name=code, time_zone="America/Los_Angeles")
        finally:
            connection.close()

    thread = threading.Thread(target=write)
    thread.start()
    thread.join(timeout=30)
    assert not thread.is_alive()


def test_what_is_committed_meanwhile_is_seen_after_it() -> None:
    with snapshot():
        before = Room.objects.count()
        _made_by_another_connection("meanwhile")
        with transaction.atomic(), snapshot():  # blocks inside join it
            assert Room.objects.count() == before
    assert Room.objects.count() == before + 1


def _read_and_fail() -> None:
    with snapshot():
        raise ValueError(f"bad figures of {Room.objects.count()} rooms")


def test_after_an_error_inside_the_connection_writes_again() -> None:
    with pytest.raises(ValueError, match="bad figures"):
        _read_and_fail()
    assert connection.get_autocommit() and not connection.in_atomic_block
    with transaction.atomic():
        Room.objects.create(code="after", name="After", time_zone="America/Los_Angeles")
    with snapshot():
        assert Room.objects.filter(code="after").exists()
