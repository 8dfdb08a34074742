"""What changes on the floor reaches the pages that show it: through a real site and a real broker.

The broker carries it, not the database: on PostgreSQL run those tests whose streams read rows, and the one that counts.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from cardroom.floor import notify
from cardroom.floor.commands.rounds import bets_place, round_open, round_record
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.errors import FloorError
from cardroom.floor.models import Table
from cardroom.ops.supervisor.valkey import Valkey
from cardroom.people.models import Employment, Role
from tests.cast import Cast, running_cast, sheet
from tests.conftest import environ_of_run
from tests.servers.site import Ear, Site, threads_of

pytestmark = [pytest.mark.outside, pytest.mark.django_db(transaction=True), pytest.mark.real_time]

ROOM = "/rooms/cache-slough/live/"


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """Table 7 open with seven players, and seat 3 at the bank. Committed, for the site has its own connection."""
    return running_cast()


@pytest.fixture(scope="module")
def site(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site, for all tests that leave it running."""
    with Site(environ_of_run(), tmp_path_factory.mktemp("site") / "site.log") as site:
        yield site


def session_of(cast: Cast, who: str) -> str:
    client = Client()
    client.force_login(cast.people[who])
    return client.cookies["sessionid"].value


@pytest.fixture
def ears(cast: Cast, site: Site) -> Iterator[list[Ear]]:
    """Those who listen; they hang up at the end."""
    listening: list[Ear] = []
    yield listening
    for ear in listening:
        ear.hang_up()


@pytest.mark.postgresql
def test_a_change_is_heard_by_the_room_and_the_table_within_a_second(
    cast: Cast, site: Site, ears: list[Ear]
) -> None:
    session = session_of(cast, "floor")
    ears += [Ear(site.port, ROOM, session), Ear(site.port, f"/tables/{cast.table.pk}/live/", session)]
    before = Table.objects.get(pk=cast.table.pk)
    for ear in ears:
        assert ear.headers["Content-Type"] == "text/event-stream"
        ear.next("connection", live=True)
        ear.next("table", table=before.pk, version=before.version, entry=before.chain_seq)
    began = time.monotonic()
    cast.send(round_record, "dealer", sheet=sheet({4: 1000}))
    after = Table.objects.get(pk=cast.table.pk)
    for ear in ears:
        at, data = ear.next("table", table=after.pk)
        assert data == {"table": after.pk, "version": after.version, "entry": after.chain_seq}
        assert at - began < 1


@pytest.mark.postgresql
def test_a_changed_card_is_drawn_once_for_everybody_and_holds_nothing_of_anybody(
    cast: Cast, site: Site, ears: list[Ear]
) -> None:
    ears += [Ear(site.port, ROOM, session_of(cast, who)) for who in ("floor", "inspector")]
    ears.append(Ear(site.port, f"/tables/{cast.table.pk}/live/", session_of(cast, "floor")))
    ears.append(Ear(site.port, "/rooms/gold-bar/live/", session_of(cast, "rival_floor")))
    for ear in ears:
        ear.next("connection", live=True)
    cast.send(round_record, "dealer", sheet=sheet({4: 10000}, wager=1000))  # and the bank is exhausted
    after = Table.objects.get(pk=cast.table.pk)
    cards = [ear.next("card", table=after.pk, entry=after.chain_seq)[1] for ear in ears[:2]]
    assert cards[0] == cards[1]
    assert f'id="table-{after.pk}"' in cards[0]["html"]
    assert 'name="csrfmiddlewaretoken" value=""' in cards[0]["html"]
    assert 'name="idempotency_key" value=""' in cards[0]["html"]
    time.sleep(0.5)
    assert not [ear for ear in ears[2:] if "card" in ear.drain()], (
        "a card went to somebody who shows no board"
    )


def test_nobody_hears_of_another_room_or_of_what_was_refused(cast: Cast, site: Site, ears: list[Ear]) -> None:
    ears += [
        Ear(site.port, "/rooms/gold-bar/live/", session_of(cast, "rival_floor")),
        Ear(site.port, ROOM, session_of(cast, "floor")),
    ]
    for ear in ears:
        ear.next("room")
    time.sleep(0.3)
    for ear in ears:
        ear.drain()
    with pytest.raises(FloorError):
        cast.send(bets_place, "dealer", positions=[{"seat": 4, "wagers": {"ante": 1000}}])
    assert ears[1].silent_for(0.5)
    cast.send(round_open, "dealer", bank_wager_cents=20000)
    ears[1].next("table", table=cast.table.pk)
    assert ears[0].silent_for(0.5)


def test_a_shift_that_opens_is_heard_by_its_room(cast: Cast, site: Site, ears: list[Ear]) -> None:
    ears.append(Ear(site.port, "/rooms/gold-bar/live/", session_of(cast, "rival_floor")))
    ears[0].next("room", version=0)
    cast.send_room(shift_open, "rival_shift_manager", cast.rival, name="Swing")
    _, data = ears[0].next("room")
    assert (data["room"], data["version"]) == (cast.rival.pk, 1)


@pytest.mark.parametrize(("who", "status"), [("count", 403), ("outsider", 404)])
def test_a_stream_is_for_those_who_may_see_the_floor(cast: Cast, site: Site, who: str, status: int) -> None:
    ear = Ear(site.port, ROOM, session_of(cast, who))
    assert ear.status == status
    assert not any(name.lower() == "x-cardroom-follow" for name in ear.headers)


@pytest.mark.postgresql
@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
def test_streams_hold_no_thread(cast: Cast, site: Site, ears: list[Ear]) -> None:
    session = session_of(cast, "floor")
    ears.append(Ear(site.port, ROOM, session))
    ears[0].next("room")
    assert site.process is not None
    before = threads_of(site.process)
    ears += [Ear(site.port, ROOM, session) for _ in range(20)]
    for ear in ears[1:]:
        ear.next("room")
    assert threads_of(site.process) <= before + 2


def test_a_site_that_is_told_to_stop_sends_its_listeners_off_at_once(
    cast: Cast, site_environ: dict[str, str], tmp_path: Path
) -> None:
    with Site(site_environ, tmp_path / "site.log") as site:
        ears = [Ear(site.port, ROOM, session_of(cast, "floor")) for _ in range(3)]
        for ear in ears:
            ear.next("room")
        began = time.monotonic()
        site.stop()
        assert time.monotonic() - began < 3
        assert all(ear.ended.wait(1) for ear in ears)


def test_a_broker_that_goes_is_told_and_what_was_missed_is_told_when_it_is_back(
    cast: Cast, site_environ: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Valkey(Path(settings.STATE_DIR) / "second.sock") as valkey:
        monkeypatch.setattr(settings, "REDIS_URL", valkey.url)
        notify._broker.cache_clear()
        try:
            with Site({**site_environ, "CARDROOM_REDIS_URL": valkey.url}, tmp_path / "site.log") as site:
                ear = Ear(site.port, ROOM, session_of(cast, "floor"))
                ear.next("connection", live=True)
                ear.next("table", table=cast.table.pk)
                valkey.stop()
                ear.next("connection", live=False)
                cast.send(
                    round_record, "dealer", sheet=sheet({4: 1000})
                )  # no broker keeps a round from being played
                table = Table.objects.get(pk=cast.table.pk)
                late = Ear(site.port, ROOM, session_of(cast, "floor"))
                late.next("connection", live=False)
                late.next("table", table=table.pk, entry=table.chain_seq)
                valkey.start()
                ear.next("connection", live=True)
                ear.next("table", table=table.pk, version=table.version, entry=table.chain_seq)
                cast.send(round_open, "dealer", bank_wager_cents=20000)
                ear.next("table", table=table.pk, version=table.version + 1)
        finally:
            notify._broker.cache_clear()


def test_whoever_may_listen_no_longer_is_sent_off_when_it_is_asked_again(
    cast: Cast, site_environ: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    valkey = Valkey(Path(settings.STATE_DIR) / "third.sock")
    environ = {**site_environ, "CARDROOM_REDIS_URL": valkey.url}
    with valkey, Site(environ, tmp_path / "site.log") as site:
        staying, leaving = (Ear(site.port, ROOM, session_of(cast, who)) for who in ("floor", "dealer"))
        for ear in (staying, leaving):
            ear.next("room")
        Employment.objects.filter(staff=cast.people["dealer"], role=Role.DEALER).delete()
        valkey.stop()  # it is asked again when the broker is back, as it is every few minutes
        leaving.next("connection", live=False)
        valkey.start()
        assert leaving.ended.wait(10)
        staying.next("connection", live=True)
        assert not staying.ended.is_set()
