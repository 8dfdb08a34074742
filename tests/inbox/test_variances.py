"""A variance is an item as it is checked; what is said of one is said of the other; within the threshold it no longer holds."""

from __future__ import annotations

import datetime

import pytest
from django.utils import timezone

from cardroom.drop.commands.variances import variance_answer
from cardroom.drop.models import DropBox, VarianceNote
from cardroom.floor.errors import Forbidden
from cardroom.inbox.commands.items import items_explain, items_refer
from cardroom.inbox.kinds import ITEM_KINDS
from cardroom.inbox.models import Item
from cardroom.inbox.search import room_search
from cardroom.reports.emails.overdue import variances_watch
from tests.drop.room import CountTeam, chips
from tests.kept import kept


@pytest.fixture
def team(db: None) -> CountTeam:
    """A box is $4 over: it holds $6, and its table collected $2."""
    return kept(_team)


def _team() -> CountTeam:
    team = CountTeam().running()
    box = team.place()
    team.play({4: 1000})
    team.drop(box)
    team.counted(box, chips(c100=6))
    return team


def test_a_variance_is_an_item_at_once_about_those_who_counted(team: CountTeam) -> None:
    item = Item.objects.get()
    assert (item.kind, item.key) == ("variance", f"box {DropBox.objects.get().pk}")
    assert (
        ITEM_KINDS["variance"].says(item.figures) == "Box 12 $4 over; the second count agrees with the first."
    )
    assert {person.staff for person in item.people.all()} == set(team.counters[:2])
    room_search(team.room.pk, timezone.now())
    assert Item.objects.filter(kind="variance").count() == 1


def test_what_is_said_of_the_item_is_a_note_of_the_box_and_the_other_way_round(team: CountTeam) -> None:
    item = Item.objects.get()
    team.send_room(items_refer, "compliance", items=[item.pk], to="the owner", note="four dollars")
    team.send_room(items_explain, "compliance", items=[item.pk], note="a chip under the rail")
    notes = [(note.status, note.text, note.owner) for note in VarianceNote.objects.order_by("seq")]
    compliance = team.people["compliance"]
    assert notes == [
        ("escalated", "To the owner: four dollars", compliance),
        ("explained", "a chip under the rail", compliance),
    ]
    box = DropBox.objects.get()
    team.send_room(
        variance_answer, "shift_manager", box_id=box.pk, status="explained", text="two chips in fact"
    )
    item.refresh_from_db()
    assert (item.state, item.explained_by) == ("explained", team.people["shift_manager"])
    assert [step.what for step in item.steps.all()] == ["refer", "explain", "explain"]


def test_who_may_not_answer_for_the_box_explains_no_item_of_it(team: CountTeam) -> None:
    item = Item.objects.get()
    with pytest.raises(Forbidden, match="explain and escalate variances"):
        team.send_room(items_explain, "room_manager", items=[item.pk], note="a chip")
    assert not VarianceNote.objects.exists()
    item.refresh_from_db()
    assert item.state == "open"


def test_a_variance_that_the_clock_escalates_is_noted_on_its_item(team: CountTeam) -> None:
    variances_watch(team.room.pk, timezone.now() + datetime.timedelta(hours=25))
    [step] = Item.objects.get().steps.all()
    assert (step.what, step.note, step.after) == ("note", "Nobody explained it within 24 hours.", "open")


def test_a_variance_that_a_correction_ends_no_longer_holds_and_its_item_stays(team: CountTeam) -> None:
    box = DropBox.objects.get()
    team.correct(box, chips(c100=2))
    room_search(team.room.pk, timezone.now())
    item = Item.objects.get()
    assert item.gone_at is not None and item.state == "open"
    team.correct(box, chips(c100=3))
    item.refresh_from_db()
    room_search(team.room.pk, timezone.now() + datetime.timedelta(seconds=1))
    item.refresh_from_db()
    assert item.gone_at is None
    assert [step.what for step in item.steps.all()] == ["gone", "again"]
