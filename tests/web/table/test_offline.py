"""What a tablet that is offline asks of the site: its service worker, the facts it goes on by, commands set aside."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from cardroom.floor.commands.bank import offer_answer
from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.seats import down_start, player_leave, player_seat
from cardroom.floor.commands.tables import table_close, table_open
from cardroom.floor.models import Alert, JournalEntry, Round, Table
from cardroom.web.parts.access import Permissions
from cardroom.web.table.offline_state import offline_state_of
from cardroom.web.table.page import table_page_of
from tests.cast import Cast, new_key, sheet, written

from ..conftest import Person


def command(**changes: Any) -> dict[str, Any]:
    """A command as a tablet reports it."""
    plain = {
        "command": "deal",
        "title": "Deal",
        "typed": [["Seat 4", "ante $20"]],
        "at": "2026-11-21T20:00:00.000Z",
        "by": "Dealer",
        "key": "0123",
        "version": 12,
    }
    return {**plain, **changes}


def set_aside(person: Person, cast: Cast, **changes: Any) -> Any:
    posted = {
        "reason": "Played on paper",
        "commands": json.dumps([command()]),
        "version": 1,
        "idempotency_key": new_key(),
    }
    return person.client.post(f"/tables/{cast.table.pk}/set-aside/", {**posted, **changes})


def test_commands_that_are_set_aside_stand_in_the_journal_and_tell_the_floor(
    running: Cast, person: Callable[[str], Person]
) -> None:
    version = Table.objects.get(pk=running.table.pk).version
    assert set_aside(person("dealer"), running).status_code == 200
    entry = JournalEntry.objects.get(command="commands_set_aside")
    assert (entry.reason, entry.data) == ("Played on paper", {"commands": [command()]})
    alert = Alert.objects.get(kind=Alert.Kind.SYNC_LOST)
    assert alert.text == "An entry made offline will not be sent (Deal): Played on paper"
    assert alert.waits, "somebody has to look at it"
    assert alert.cleared_at is not None, "and there is nothing that the clock could see end"
    assert Table.objects.get(pk=running.table.pk).version == version, "screens are not behind because of it"


def test_the_title_of_a_command_that_is_set_aside_is_written_down_in_english(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    dealer.client.post("/account/language/", {"language": "vi"})
    answer = set_aside(dealer, running, commands=json.dumps([command(title="Chia bài")]))
    assert answer.status_code == 200
    entry = JournalEntry.objects.get(command="commands_set_aside")
    assert entry.data == {"commands": [command(title="Record the deal")]}
    assert Alert.objects.get(kind=Alert.Kind.SYNC_LOST).text.isascii()
    refused = set_aside(dealer, running, reason="")
    assert (refused.status_code, "reason" in refused.content.decode()) == (422, False)


def test_the_same_report_sent_twice_is_one_entry(running: Cast, person: Callable[[str], Person]) -> None:
    key = new_key()
    for _ in range(2):
        assert set_aside(person("dealer"), running, idempotency_key=key).status_code == 200
    assert JournalEntry.objects.filter(command="commands_set_aside").count() == 1


@pytest.mark.parametrize(
    ("changes", "status", "text"),
    [
        ({"reason": "  "}, 422, "needs a reason"),
        ({"reason": "x" * 201}, 422, "needs a reason"),
        ({"commands": "[]"}, 422, "Between 1 and 500"),
        ({"commands": json.dumps([command()] * 501)}, 422, "Between 1 and 500"),
        ({"commands": "{"}, 400, "no entries"),
        ({"commands": '"deal"'}, 400, "no entries"),
        ({"commands": json.dumps([command(version="12")])}, 400, "no entries"),
        ({"commands": json.dumps([command(title="x" * 401)])}, 400, "no entries"),
        ({"commands": json.dumps([command(typed=[["Seat 4"]])])}, 400, "no entries"),
        ({"commands": json.dumps([command(more="")])}, 400, "no entries"),
        ({"idempotency_key": ""}, 400, "Idempotency-Key"),
    ],
)
def test_a_report_that_is_none_is_refused_and_leaves_nothing(
    changes: dict[str, Any], status: int, text: str, running: Cast, person: Callable[[str], Person]
) -> None:
    dealer, before = person("dealer"), written()
    answer = set_aside(dealer, running, **changes)
    assert (answer.status_code, text in answer.content.decode()) == (status, True)
    assert written() == before


@pytest.mark.parametrize(("who", "status"), [("inspector", 403), ("rival_floor", 404), ("outsider", 404)])
def test_only_who_runs_rounds_here_sets_commands_aside(
    who: str, status: int, running: Cast, person: Callable[[str], Person]
) -> None:
    browser, before = person(who), written()
    assert set_aside(browser, running).status_code == status
    assert written() == before


def test_a_command_that_somebody_else_gave_is_not_done(
    running: Cast, person: Callable[[str], Person]
) -> None:
    """It waited on the tablet while the dealer went and the floor signed in."""
    floor = person("floor")
    floor.at_table()
    refused = floor.command("bank", bank_wager_cents="200", given_by=str(running.people["dealer"].pk))
    assert refused.status_code == 403
    assert "entered by somebody else than Floor" in refused.content.decode()
    assert not Round.objects.exists()
    assert (
        floor.command("bank", bank_wager_cents="200", given_by=str(running.people["floor"].pk)).status_code
        == 200
    )
    assert Round.objects.exists()


def offline_state(cast: Cast, who: str = "dealer") -> dict[str, Any]:
    state = cast.state()
    return offline_state_of(table_page_of(state, Permissions(cast.people[who], cast.room)))


def test_the_order_of_offers_is_that_of_the_rotation(running: Cast) -> None:
    """Seat 3 banks: whoever the turn goes to, the offers after it go clockwise and end with the last bank."""
    facts = offline_state(running)
    assert facts["turn"] == {"seat": 3, "rounds": 0}
    assert facts["turnRounds"] == 2
    assert facts["offersAfter"][3] == {"order": [4, 5, 6, 7, 1, 2], "then": "renew", "renews": True}
    assert facts["offersAfter"][7] == {"order": [1, 2, 3, 4, 5, 6], "then": "renew", "renews": True}
    assert facts["offers"] is None
    for _ in range(2):
        running.send(round_record, "dealer", sheet=sheet({4: 1000}))
    running.send(offer_answer, "dealer", seat=4, answer="declined")
    assert offline_state(running)["offers"] == {"order": [5, 6, 7, 1, 2], "then": "renew", "renews": True}


def test_a_tablet_knows_the_rounds_that_the_last_bank_still_has_on_its_count(running: Cast) -> None:
    """Seat 3 banked one round before the table closed: asked alone, its player goes on with the second (ruling 40)."""
    running.send(round_record, "dealer", sheet=sheet({4: 1000}))
    running.send(table_close, "floor")
    running.send(table_open, "floor")
    running.send(down_start, "floor", dealer_id=running.people["dealer"].pk)
    running.send(player_seat, "floor", seat=3, player_id=running.players[3].pk)
    facts = offline_state(running)
    assert facts["offers"] == {"order": [3], "then": "vacant", "counted": {3: 1}}
    assert facts["offersAfter"][3] == {"order": [], "then": "vacant"}
    running.send(player_seat, "floor", seat=5, player_id=running.players[5].pk)
    facts = offline_state(running)
    assert facts["offers"] == {"order": [5, 3], "then": "vacant"}
    running.send(offer_answer, "dealer", seat=5, answer="absent")
    running.send(offer_answer, "dealer", seat=3, answer="accepted")
    assert offline_state(running)["turn"] == {"seat": 3, "rounds": 0}


def test_a_rotation_by_the_clock_stops_a_tablet_after_the_round_in_play(running: Cast) -> None:
    running.table.refresh_from_db()
    running.table.rotation = "every_hour"
    running.table.save(update_fields=["rotation"])
    facts = offline_state(running)
    assert "depends on the time" in facts["stops"]
    assert facts["offersAfter"] == {}


def test_the_facts_come_with_the_page_and_ask_the_database_nothing_more(
    running: Cast, django_assert_num_queries: Any
) -> None:
    table_page = table_page_of(running.state(), Permissions(running.people["dealer"], running.room))
    with django_assert_num_queries(0):
        facts = offline_state_of(table_page)
    assert facts["runs"] is True
    assert [each["player"] for each in facts["places"]] == ["Ana", "Bo", "Cy", "Dee", "Eve", "Fay", "Gus"]
    assert not offline_state(running, "inspector")["runs"]
    assert json.loads(json.dumps(facts))["schedule"]["bank"][0]["bands"][0]["lower"] == 500


def test_the_service_worker_is_served_at_the_root_and_knows_every_file(client: Client) -> None:
    answer = client.get("/sw.js")
    text = answer.content.decode()
    assert answer["Content-Type"] == "text/javascript"
    assert answer["Cache-Control"] == "no-cache"
    files = json.loads(text.split("const KNOWN = ", 1)[1].split(";\n", 1)[0])["files"]
    for name in (
        "table/offline/outbox.js",
        "table/offline/queue.js",
        "table/table_page.css",
        "parts/site.css",
        "icon.svg",
    ):
        assert any(address.endswith(f"/web/{name}") for address in files), name
    assert client.get("/sw.js").content.decode() == text, "the same files, the same worker"


def given_for(**people: int) -> str:
    return json.dumps(people)


def test_a_command_that_names_whom_it_was_given_for_is_for_nobody_else(
    running: Cast, person: Callable[[str], Person]
) -> None:
    """A tablet's commands say who banked, dealt and sat there; on the present version too, others get nothing by them."""
    dealer = person("dealer")
    cy, ann = running.players[3], running.players[1]
    deals = running.people["dealer"].pk
    dealer.at_table()
    dealer.command("bank", bank_wager_cents="200", given_for=given_for(dealer=deals, bank=cy.pk))
    assert Round.objects.count() == 1
    running.send(player_leave, "floor", seat=1)
    running.send(player_seat, "floor", seat=1, player_id=running.waiting[0].pk)
    dealer.at_table()
    wagers = {"wagers-1-ante": "20", "quoted_cents": "200"}
    for slug in ("bets", "no-more-bets"):
        refused = dealer.command(slug, given_for=given_for(**{"1": ann.pk}), **wagers)
        assert refused.status_code == 409
        assert f"seat 1 was {ann}, and is {running.waiting[0]} now" in html.unescape(refused.content.decode())
    refused = dealer.command(
        "bets", given_for=given_for(dealer=running.people["floor"].pk, **{"1": 9**9}), **wagers
    )
    assert refused.status_code == 409
    assert Round.objects.get().bets == []
    named = given_for(dealer=deals, bank=cy.pk, **{"1": running.waiting[0].pk})
    assert dealer.command("bets", given_for=named, **wagers).status_code == 200
    assert [bet["player"] for bet in Round.objects.get().bets] == [running.waiting[0].ref]


@pytest.mark.parametrize("named", ["[]", "{", '{"1": "4"}', '{"1": true}', '{"1": 0}', '"x"'])
def test_what_names_nobody_is_refused(running: Cast, person: Callable[[str], Person], named: str) -> None:
    dealer = person("dealer")
    dealer.at_table()
    assert dealer.command("bank", bank_wager_cents="200", given_for=named).status_code == 400
    assert Round.objects.count() == 0
