"""A player's claim is taken down at a table, reviewed, decided with a reason, and closed by two (4 CCR 12392, 12396)."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from cardroom.floor.errors import BadInput, Forbidden, NotFound, NotNow
from cardroom.floor.models import Round
from cardroom.inbox.commands.disputes import dispute_decide, dispute_open, review_ask, review_end
from cardroom.inbox.commands.items import items_close, items_explain
from cardroom.inbox.kinds import ITEM_KINDS
from cardroom.inbox.models import Dispute, Item
from cardroom.people.names import named
from cardroom.people.permits import local_day
from tests.cast import PIN, Cast
from tests.web.conftest import Form, Person
from tests.web.conftest import person as person  # noqa: PLC0414  # a fixture

CLAIM = "says the ante should have been paid"


def claimed(cast: Cast) -> Dispute:
    """Play a round, and take the claim of seat 4 about it down."""
    cast.play({4: 1000, 6: 1000})
    round_ = Round.objects.latest("pk")
    answer = cast.send(dispute_open, "floor", claim=CLAIM, round_id=round_.pk, seat=4)
    return Dispute.objects.get(pk=answer["dispute"])


def test_a_claim_is_an_item_about_who_dealt_due_in_the_rooms_days(running: Cast) -> None:
    dispute = claimed(running)
    item = dispute.item
    assert (item.kind, item.state, dispute.player) == ("dispute", "open", running.players[4])
    assert item.due_on == local_day(running.room, timezone.now()) + datetime.timedelta(days=14)
    assert named(ITEM_KINDS["dispute"].says(item.figures)) == f"Dee at seat 4 about round 1: “{CLAIM}”."
    assert {person.staff for person in item.people.all() if person.staff} == {
        running.people["dealer"],
        running.people["floor"],
    }
    with pytest.raises(Forbidden):
        running.send(dispute_open, "dealer", claim=CLAIM)
    with pytest.raises(NotFound):
        running.send(dispute_open, "floor", claim=CLAIM, round_id=10**6)
    with pytest.raises(BadInput, match="what is claimed"):
        running.send(dispute_open, "floor", claim=" ")
    with pytest.raises(IntegrityError), transaction.atomic():
        Dispute.objects.update(claim="another")


def test_a_claim_is_reviewed_decided_and_closed_by_two(running: Cast) -> None:
    dispute = claimed(running)
    item, today = dispute.item, local_day(running.room, timezone.now())
    with pytest.raises(NotNow, match="decided first"):
        running.send_room(items_explain, "compliance", items=[item.pk], note="no")
    hold = today + datetime.timedelta(days=30)
    running.send_room(
        review_ask, "compliance", dispute_id=dispute.pk, hold_until=hold, note="the payout of seat 4"
    )
    with pytest.raises(BadInput):
        running.send_room(
            review_ask,
            "compliance",
            dispute_id=dispute.pk,
            hold_until=today - datetime.timedelta(days=1),
            note="late",
        )
    with pytest.raises(NotNow, match="still reviews"):
        running.send_room(
            dispute_decide, "compliance", dispute_id=dispute.pk, outcome="denied", reason="paid as filed"
        )
    with pytest.raises(Forbidden, match="Compliance, Surveillance"):
        running.send_room(review_end, "shift_manager", dispute_id=dispute.pk, note="paid 1 to 1")
    running.send_room(review_end, "surveillance", dispute_id=dispute.pk, note="paid 1 to 1")
    with pytest.raises(NotNow, match="No surveillance review"):
        running.send_room(review_end, "compliance", dispute_id=dispute.pk, note="again")
    running.send_room(
        dispute_decide, "compliance", dispute_id=dispute.pk, outcome="denied", reason="paid as filed"
    )
    item.refresh_from_db()
    assert (item.state, item.kept_until, item.explained_by) == (
        "explained",
        hold,
        running.people["compliance"],
    )
    running.send_room(items_close, "compliance", items=[item.pk], approver=running.people["room_manager"])
    with pytest.raises(NotNow, match="reopen it first"):
        running.send_room(
            dispute_decide, "compliance", dispute_id=dispute.pk, outcome="upheld", reason="after all"
        )
    said = [step.note for step in item.steps.all()]
    assert said[0].startswith("Surveillance review, recordings held until")
    assert said[1:3] == ["The review found: paid 1 to 1", "Denied: paid as filed"]


def test_a_claim_is_taken_down_from_a_round_and_answered_on_its_item(
    running: Cast, person: Callable[[str], Person]
) -> None:
    running.play({4: 1000, 6: 1000})
    round_ = Round.objects.latest("pk")
    manager = person("shift_manager")
    form = Form(manager.client.get(f"/rounds/{round_.pk}/").content.decode(), "/claim/").fields
    page = manager.client.post(
        f"/rounds/{round_.pk}/claim/", {**form, "seat": "4", "claim": CLAIM}, follow=True
    ).content.decode()
    item = Item.objects.get()
    assert f"“{CLAIM}”." in page and "Line by line, as round 1 stands on record" in page
    lines = page[page.index("Line by line") : page.index("Journal")]
    assert lines.count("<tr>") == 3 and "$10" in lines
    empty = manager.client.post(f"/rounds/{round_.pk}/claim/", {**form, "claim": ""}, follow=True)
    assert "not taken down" in empty.content.decode()
    compliance = person("compliance")
    address, acts = f"/rooms/cache-slough/exceptions/?item={item.pk}", "/rooms/cache-slough/exceptions/"

    def post(act: str, **typed: str) -> str:
        shown = compliance.client.get(address).content.decode()
        fields = {**Form(shown, "/explain/").fields, **typed}
        return compliance.client.post(f"{acts}{act}/", fields, follow=True).content.decode()

    assert "Choose how the claim is decided" in post("decide", note="as filed")
    assert "Say until which day" in post("review", note="seat 4")
    assert "A surveillance review is asked for." in post("review", note="seat 4", hold_until="2027-01-31")
    watching = person("surveillance").client
    fields = Form(watching.get(address).content.decode(), "/review-end/").fields
    ended = watching.post(
        f"{acts}review-end/", {**fields, "note": "paid 1 to 1"}, follow=True
    ).content.decode()
    assert "The review has ended." in ended and 'id="acts"' not in ended
    assert "Decided." in post("decide", outcome="denied", note="paid as filed")
    assert "Closed." in post("close", approver="room_manager", approver_pin=PIN)
    client = Client()
    client.force_login(running.people["inspector"])
    record = client.get(f"/api/rooms/{running.room.pk}/items/{item.pk}").json()
    assert (record["dispute"]["outcome"], record["dispute"]["review_found"]) == ("denied", "paid 1 to 1")


def test_a_guest_who_claims_is_a_player_of_that_name_and_their_name_is_kept_there_alone(
    running: Cast,
) -> None:
    known = running.players[4].name
    answer = running.send(dispute_open, "floor", claim=CLAIM, seat=4, guest=known)
    dispute = Dispute.objects.get(pk=answer["dispute"])
    assert dispute.player is not None and dispute.player != running.players[4]
    assert dispute.player.name == f"{known} #{dispute.player.number}"  # another of one name
    assert dispute.by == dispute.player.label
    assert dispute.item.figures["by"] == dispute.player.ref
    assert [each.player for each in dispute.item.people.all() if each.player] == [dispute.player]
    unnamed = Dispute.objects.get(pk=running.send(dispute_open, "floor", claim=CLAIM)["dispute"])
    assert (unnamed.player, unnamed.by) == (None, "a guest")
