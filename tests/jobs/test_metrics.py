"""The site in figures, for those with the token: read back by Prometheus's own parser."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.errors import Stale
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.jobs.tasks import show_life
from tests.cast import Cast, open_cast, running_cast, sheet

pytestmark = pytest.mark.postgresql

TOKEN = "a-token-of-twenty-characters-and-more"


@pytest.fixture
def open_to_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "METRICS_TOKEN", TOKEN)


def read(client: Client) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    answer = client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }


def value(found: dict[tuple[str, tuple[tuple[str, str], ...]], float], name: str, **labels: str) -> float:
    return found.get((name, tuple(sorted(labels.items()))), 0.0)


@pytest.mark.usefixtures("db")
def test_without_a_token_in_the_environment_there_are_no_metrics(client: Client) -> None:
    assert settings.METRICS_TOKEN is None
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"authorization": "Bearer None"}).status_code == 404


@pytest.mark.usefixtures("db", "open_to_token")
@pytest.mark.parametrize("brought", ["", "Bearer ", f"Bearer {TOKEN}x", f"bearer {TOKEN}", TOKEN, "Bearer ¼"])
def test_without_the_very_token_nothing_is_told(client: Client, brought: str) -> None:
    answer = client.get("/metrics", headers={"authorization": brought})
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
    assert b"cardroom_" not in answer.content


@pytest.mark.usefixtures("db", "open_to_token")
def test_being_signed_in_is_no_token(client: Client) -> None:
    cast = Cast()
    client.force_login(cast.people["room_manager"])
    assert client.get("/metrics").status_code == 401


@pytest.mark.usefixtures("db", "open_to_token")
def test_requests_are_counted_by_view_method_and_status(client: Client) -> None:
    labels = {"view": "account_login", "method": "GET", "status": "200"}
    before = value(read(client), "cardroom_request_seconds_count", **labels)
    client.get("/accounts/login/")
    client.get("/nowhere/at/all/")
    found = read(client)
    assert value(found, "cardroom_request_seconds_count", **labels) == before + 1
    assert value(found, "cardroom_request_seconds_count", view="none", method="GET", status="404") >= 1


@pytest.mark.usefixtures("db", "open_to_token")
def test_commands_are_counted_by_how_they_end_and_rounds_by_room(client: Client) -> None:
    cast = running_cast()
    before = read(client)
    fields = sheet({4: 1000})
    cast.send(round_record, "dealer", sheet=fields)
    row = cast.table
    row.refresh_from_db()
    meta = CommandMeta(actor=cast.people["dealer"], key="again", version=row.version)
    round_record(meta, row.pk, sheet=fields)
    round_record(meta, row.pk, sheet=fields)
    with pytest.raises(Stale):
        round_record(CommandMeta(actor=cast.people["dealer"], key="late", version=1), row.pk, sheet=fields)
    after = read(client)

    def more(outcome: str) -> float:
        labels = {"command": "round_record", "outcome": outcome}
        return value(after, "cardroom_commands_total", **labels) - value(
            before, "cardroom_commands_total", **labels
        )

    assert {outcome: more(outcome) for outcome in ("done", "repeated", "Stale")} == {
        "done": 2,
        "repeated": 1,
        "Stale": 1,
    }
    assert value(after, "cardroom_rounds_settled", room="cache-slough") == 2


@pytest.mark.usefixtures("db", "open_to_token")
def test_what_waits_and_who_lives_is_told(client: Client) -> None:
    cast = Cast()
    opened = cast.send_room(shift_open, "shift_manager", name="Swing")
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=opened["shift"])
    show_life()
    found = read(client)
    assert value(found, "cardroom_reports_due") == 1
    assert value(found, "cardroom_ready", check="database") == 1
    assert value(found, "cardroom_ready", check="beat") == 0
    assert ("cardroom_heartbeat_age_seconds", (("kind", "worker"),)) in found
    assert ("cardroom_heartbeat_age_seconds", (("kind", "beat"),)) not in found
    assert ("cardroom_queue_messages", ()) in found


@pytest.mark.usefixtures("db", "open_to_token")
def test_a_figure_that_cannot_be_had_is_missing_and_not_0(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing listens on the port."""
    monkeypatch.setattr(settings, "REDIS_URL", "redis://127.0.0.1:1/0")
    found = read(client)
    assert ("cardroom_queue_messages", ()) not in found
    assert value(found, "cardroom_ready", check="broker") == 0
    assert ("cardroom_reports_due", ()) in found


@pytest.mark.usefixtures("db", "open_to_token")
def test_no_person_and_no_place_of_the_machine_is_named(client: Client) -> None:
    open_cast()
    text = client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"}).content.decode()
    assert not re.search(rf"\b(Ana|dealer_2|{re.escape(str(settings.STATE_DIR))})\b", text)
