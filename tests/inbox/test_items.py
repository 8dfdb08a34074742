"""What goes otherwise becomes an item once, is explained, referred and closed by two, and is not deleted."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from cardroom.floor.commands.rounds import round_void
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.errors import BadInput, Forbidden, NotFound, NotNow
from cardroom.floor.models import Alert, JournalEntry, Round, Shift
from cardroom.inbox.commands.items import (
    item_camera_note,
    items_close,
    items_explain,
    items_give,
    items_note_down,
    items_refer,
    items_reopen,
)
from cardroom.inbox.kinds import ITEM_KINDS
from cardroom.inbox.models import Item, ItemStep
from cardroom.inbox.reads.items import ItemFilter, item_counts, items_not_closed
from cardroom.inbox.search import room_search
from cardroom.people.models import Role
from tests.cast import Cast

STATE = Item.State


def void(cast: Cast, reason: str = "device failure") -> Round:
    """Play a round up to the deal and void it."""
    cast.deal({4: 1000})
    cast.send(round_void, reason=reason, approver=cast.people["shift_manager"])
    return Round.objects.latest("pk")


def without_box(cast: Cast) -> Cast:
    """Open a table without a drop box, let it collect so, and let seat 3 bank."""
    cast.open(box=False)
    cast.let_collect()
    cast.bank_to(3)
    return cast


def searched(cast: Cast) -> list[Item]:
    room_search(cast.room.pk, timezone.now())
    return list(Item.objects.filter(room=cast.room))


def test_a_void_becomes_an_item_once_with_its_numbers_and_whom_it_is_about(running: Cast) -> None:
    round_ = void(running)
    [item] = searched(running)
    assert searched(running) == [item]
    assert (item.kind, item.state, item.table, item.gaming_day) == (
        "void",
        STATE.OPEN,
        running.table,
        round_.gaming_day,
    )
    assert item.happened_at == round_.ended_at and item.evidence == {"round": round_.pk}
    people = {person.staff for person in item.people.all()}
    assert people == {running.people["dealer"], running.people["shift_manager"]}
    assert ITEM_KINDS["void"].says(item.figures) == (
        "Round 1 voided after the deal: device failure; $2 refunded."
    )
    entry = JournalEntry.objects.get(command="items_find")
    assert str(item.pk) in entry.rows["inbox_item"]


def test_an_item_is_worked_off_by_two_and_each_step_is_kept(running: Cast) -> None:
    void(running)
    [item] = searched(running)
    compliance, manager = running.people["compliance"], running.people["room_manager"]
    running.send_room(items_give, "room_manager", items=[item.pk], owner_id=compliance.pk)
    running.send_room(items_note_down, "compliance", items=[item.pk], note="asked the dealer")
    with pytest.raises(NotNow, match="once it is explained"):
        running.send_room(items_close, "compliance", items=[item.pk], approver=manager)
    running.send_room(items_refer, "compliance", items=[item.pk], to="the maker", note="the shuffler")
    running.send_room(items_explain, "compliance", items=[item.pk], note="the shuffler jammed")
    with pytest.raises(Forbidden, match="may not approve it"):
        running.send_room(items_close, "compliance", items=[item.pk], approver=compliance)
    with pytest.raises(Forbidden, match="has explained"):
        running.send_room(items_close, "room_manager", items=[item.pk], approver=compliance)
    with pytest.raises(Forbidden, match="is about"):
        running.send_room(
            items_close, "compliance", items=[item.pk], approver=running.people["shift_manager"]
        )
    answer = running.send_room(items_close, "compliance", items=[item.pk], approver=manager)
    assert (answer["items"], answer["state"]) == ([item.pk], "closed")
    with pytest.raises(NotNow, match="reopen it first"):
        running.send_room(items_note_down, "compliance", items=[item.pk], note="more")
    assert items_not_closed(running.room) == 0
    running.send_room(items_reopen, "compliance", items=[item.pk], note="the camera shows another round")
    item.refresh_from_db()
    assert (item.state, item.owner, item.explained_by, item.closed_at) == (
        STATE.OPEN,
        compliance,
        None,
        None,
    )
    assert items_not_closed(running.room) == 1
    steps = [(step.what, step.before, step.after) for step in item.steps.all()]
    assert steps == [
        ("owner", "open", "open"),
        ("note", "open", "open"),
        ("refer", "open", "referred"),
        ("explain", "referred", "explained"),
        ("close", "explained", "closed"),
        ("reopen", "closed", "open"),
    ]
    assert item.steps.get(what="close").approved_by == manager
    with pytest.raises(IntegrityError):
        item.steps.update(note="otherwise")


def test_several_of_a_kind_are_worked_off_in_one_act_each_with_its_step(running: Cast) -> None:
    for _ in range(3):
        void(running)
    items = [item.pk for item in searched(running)]
    running.send_room(items_explain, "compliance", items=items, note="the shuffler jammed all evening")
    running.send_room(items_close, "compliance", items=items, approver=running.people["room_manager"])
    assert ItemStep.objects.filter(what="close").count() == 3
    assert JournalEntry.objects.filter(command="item_close").count() == 1
    with pytest.raises(NotFound, match="no item"):
        running.send_room(items_explain, "compliance", items=[items[-1] + 1], note="what")


def test_items_of_two_kinds_are_not_worked_off_at_once(cast: Cast) -> None:
    running = without_box(cast)
    void(running)
    items = searched(running)
    assert sorted(item.kind for item in items) == ["override", "void"]
    with pytest.raises(BadInput, match="one kind"):
        running.send_room(items_explain, "compliance", items=[item.pk for item in items], note="both")


def test_the_camera_is_noted_at_the_minute_nearest_to_the_item(running: Cast) -> None:
    void(running)
    [item] = searched(running)
    local = item.happened_at.astimezone(running.room.zone)
    before = local - datetime.timedelta(minutes=2)
    kept = local.date() + datetime.timedelta(days=30)
    running.send_room(
        item_camera_note,
        "compliance",
        item_id=item.pk,
        camera="T7-B",
        minute=f"{before:%H:%M}",
        kept_until=kept,
    )
    item.refresh_from_db()
    assert item.camera_at is not None
    assert (item.camera, item.kept_until) == ("T7-B", kept)
    assert item.camera_at == before.replace(second=0, microsecond=0)
    with pytest.raises(BadInput, match="Write the minute"):
        running.send_room(item_camera_note, "compliance", item_id=item.pk, camera="T7-B", minute="noon")


def test_what_waits_for_longer_than_the_rooms_days_raises_one_alert(running: Cast) -> None:
    void(running)
    [item] = searched(running)
    later = timezone.now() + datetime.timedelta(days=8)
    with time_machine.travel(later, tick=False):
        searched(running)
        searched(running)
        alert = Alert.objects.get(kind=Alert.Kind.ITEMS_OLD)
        assert "more than 7 days" in alert.text and alert.cleared_at is None
        assert ItemFilter(old=True).items(running.room, later).get() == item
        running.send_room(items_explain, "compliance", items=[item.pk], note="the shuffler jammed")
        running.send_room(items_close, "compliance", items=[item.pk], approver=running.people["room_manager"])
        room_search(running.room.pk, later + datetime.timedelta(minutes=1))
        alert.refresh_from_db()
        assert alert.cleared_at is not None


def test_filters_leave_items_by_state_kind_table_person_and_day(cast: Cast) -> None:
    running = without_box(cast)
    void(running)
    items = {item.kind: item for item in searched(running)}
    now, room, day = timezone.now(), running.room, items["void"].gaming_day
    running.send_room(
        items_give, "compliance", items=[items["void"].pk], owner_id=running.people["room_manager"].pk
    )

    def left(**chosen: object) -> set[str]:
        return {item.kind for item in ItemFilter(**chosen).items(room, now)}  # type: ignore[arg-type]

    assert left() == {"void", "override"}
    assert left(kind="void") == {"void"} == left(person=running.people["room_manager"].pk)
    assert left(person=running.people["floor"].pk) == {"override"} == left(unowned=True)
    assert left(table=running.second_table.pk) == set() == left(state="closed")
    assert left(first=day, last=day) == {"void", "override"}
    assert left(first=day + datetime.timedelta(days=1)) == set() == left(old=True)
    counts = item_counts(room, Item.objects.filter(room=room), now, day)
    assert (counts.not_closed, counts.every, counts.unowned, counts.old) == (2, 2, 1, 0)


def test_rights_decide_who_works_items_off(running: Cast) -> None:
    void(running)
    [item] = searched(running)
    for role in Role:
        if role not in (Role.COMPLIANCE, Role.SHIFT_MANAGER, Role.ROOM_MANAGER):
            with pytest.raises(Forbidden):
                running.send_room(items_explain, str(role), items=[item.pk], note="mine")


def test_a_shift_that_has_closed_is_searched_as_a_whole(running: Cast) -> None:
    void(running)
    running.play({4: 1000})
    shift = Shift.objects.get()
    running.send_room(shift_close, shift_id=shift.pk, confirmed=True)
    assert [item.kind for item in searched(running)] == ["void"]
    assert Item.objects.get().shift == shift


def test_the_api_lists_items_and_reads_one_with_its_steps(running: Cast) -> None:
    round_ = void(running)
    [item] = searched(running)
    running.send_room(items_explain, "compliance", items=[item.pk], note="the shuffler jammed")
    client = Client()
    client.force_login(running.people["inspector"])
    room = f"/api/rooms/{running.room.pk}/items"
    [row] = client.get(f"{room}?kind=void&state=explained").json()["results"]
    assert (row["id"], row["state"], row["text"][:14]) == (item.pk, "explained", "Round 1 voided")
    assert client.get(f"{room}?state=closed").json()["results"] == []
    record = client.get(f"{room}/{item.pk}").json()
    assert record["evidence"] == {"round": round_.pk}
    assert set(record["staff"]) == {running.people["dealer"].pk, running.people["shift_manager"].pk}
    assert [(step["what"], step["note"]) for step in record["steps"]] == [("explain", "the shuffler jammed")]
    assert client.get(f"/api/rooms/{running.rival.pk}/items/{item.pk}").status_code == 404
