"""Names of players: they stand in one place, `verify` finds one that was changed there, and once erased none is left."""

from __future__ import annotations

import base64
import datetime
import hashlib
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models
from django.test import Client
from django.utils import timezone
from PIL import Image

from cardroom.floor.commands.exclusions import exclusion_enter, exclusion_lift
from cardroom.floor.commands.player_erase import player_erase, whys_not_erase
from cardroom.floor.commands.player_photos import player_photo_set
from cardroom.floor.commands.players import player_add, player_merge, player_set
from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_open, round_settle
from cardroom.floor.commands.seats import player_leave, player_seat
from cardroom.floor.commands.set_aside import commands_set_aside
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.commands.waiting import waiting_add, waiting_remove
from cardroom.floor.commands.wins import win_key, win_withdraw
from cardroom.floor.errors import FloorError
from cardroom.floor.models import JournalEntry, Round, Shift, StoredAnswer
from cardroom.floor.reads.typed_texts import NAMES_STAND_IN, TYPED, texts_naming
from cardroom.inbox.commands.disputes import dispute_decide, dispute_open, review_ask, review_end
from cardroom.inbox.commands.items import items_close, items_reopen
from cardroom.inbox.models import Dispute, Item, ItemPerson
from cardroom.people.models import Exclusion, Player, PlayerName, PlayerPhoto
from cardroom.people.names import named
from cardroom.people.permits import local_day
from cardroom.reports.shift.making import shift_report_make
from cardroom.reports.verification import verify
from cardroom.reports.verification.verify import Checked
from tests.cast import Cast, house_cast
from tests.floor.test_waiting_list import game_of
from tests.verify.world import checks_off

pytestmark = pytest.mark.django_db

NAME, OTHER, BEFORE = "Zebulon Quist", "澤布倫", "Zeb Qwist"
CHECKS = (
    *(verify.journal_verify, verify.rows_held, verify.histories_held, verify.names_held),
    *(verify.rounds_again, verify.reports_verify),
)


@pytest.fixture
def played(running: Cast) -> Cast:
    """A shift in which somebody sits, is renamed, banks, wagers and tips, waits, is excluded by mistake, and its report."""
    added = running.send_room(player_add, "floor", name=BEFORE, other_name=OTHER)
    who = Player.objects.get(pk=added["player"])
    running.send(player_leave, "floor", seat=6)
    running.send(player_seat, "floor", seat=6, player_id=who.pk)
    running.send_room(player_set, "floor", player_id=who.pk, name=NAME, other_name=OTHER)
    running.play({4: 1000, 6: 1000})
    running.play({4: 1000, 6: 2000})
    running.bank_to(6)
    running.play({4: 1000})
    running.play({4: 1000})
    running.bank_to(3)
    running.play({4: 1000})
    running.send(player_leave, "floor", seat=6)
    waits = running.send_room(waiting_add, "floor", game=game_of(running), player_id=who.pk)
    running.send_room(waiting_remove, "floor", entry_id=waits["entry"])
    return running


def erase(cast: Cast, who: Player) -> Any:
    signed = {"reason": "asked for it in writing", "approver": cast.people["compliance"]}
    return cast.send_room(player_erase, "room_manager", player_id=who.pk, **signed)


def refused(cast: Cast, who: Player) -> str:
    with pytest.raises(FloorError) as refusal:
        erase(cast, who)
    return refusal.value.code


def found(*texts: str) -> set[tuple[str, str]]:
    """Each table and column in which one of the texts is, in a text or in a document."""
    places = set()
    for model in apps.get_models(include_auto_created=True):
        if not model._meta.managed:
            continue
        columns = [field.column for field in model._meta.concrete_fields]
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT * FROM "{model._meta.db_table}"')
            for row in cursor.fetchall():
                for column, value in zip(columns, row, strict=False):
                    said = (
                        value
                        if isinstance(value, str)
                        else json.dumps(value, default=str, ensure_ascii=False)
                    )
                    if any(text in said or json.dumps(text)[1:-1] in said for text in texts):
                        places.add((model._meta.db_table, str(column)))
    return places


def photographed(cast: Cast, who: Player) -> PlayerPhoto:
    """Set a photograph that is like no other, and return the row."""
    drawn = io.BytesIO()
    Image.effect_noise((64, 64), 90).save(drawn, "PNG")
    content = base64.b64encode(drawn.getvalue()).decode()
    answer = cast.send_room(player_photo_set, "floor", player_id=who.pk, content=content)
    return PlayerPhoto.objects.get(pk=answer["photo"])


def traces_of(photo: PlayerPhoto) -> list[str]:
    """What would tell of a photograph: its bytes as a column shows them, their plain digests, and the salt."""
    content = bytes(photo.content)
    plain = hashlib.sha256(content).hexdigest()
    return [
        str(content[300:340])[2:-1],
        base64.b64encode(content).decode()[:60],
        plain,
        plain[:40],
        photo.salt,
    ]


def breaks() -> Iterator[str]:
    for check in CHECKS:
        yield from check(Checked())


def test_names_stand_in_one_place_and_are_erased_there(played: Cast) -> None:
    who = Player.objects.get(name=NAME)
    in_one_place = {("people_player", "name"), ("people_player", "other_name"), ("people_playername", "name")}
    answers = (StoredAnswer._meta.db_table, "answer")
    assert found(NAME, OTHER, BEFORE) - {answers} == in_one_place | {
        ("people_player", "other_name_key"),
        ("people_playername", "other_name"),
    }
    assert who.ref in str(Round.objects.filter(bets__icontains=who.ref).values_list("bets", flat=True)[0])
    shift = Shift.objects.get()
    played.send_room(shift_close, "shift_manager", confirmed=True, shift_id=shift.pk)
    report = shift_report_make(shift.pk)
    assert report is not None
    assert list(breaks()) == []

    erase(played, who)

    who.refresh_from_db()
    assert (who.name, who.other_name, who.name_salt, who.is_active) == (
        f"Player #{who.number}",
        "",
        "",
        False,
    )
    assert not PlayerName.objects.exists()
    # Answers to commands are kept for seven days, for their repeats.
    StoredAnswer.objects.all().delete()
    assert found(NAME, OTHER, BEFORE, NAME.upper(), NAME.lower()) == set()
    assert list(breaks()) == []
    assert named(f"{who.ref} banked") == f"Player #{who.number} banked"
    [entry] = JournalEntry.objects.filter(command="player_erase")
    assert entry.data["player"] == who.pk
    assert refused(played, who) == "player_erased"


@pytest.mark.parametrize(
    "column", ["name", "other_name", "name_key", "other_name_key", "name_salt", "name_digest"]
)
def test_a_name_that_was_changed_past_the_commands_is_found(played: Cast, column: str) -> None:
    assert list(breaks()) == []
    with checks_off(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE people_player SET {column} = 'Somebody Else' WHERE name = %s", [NAME])
    assert any("people.Player" in what for what in breaks())


def test_a_name_of_before_that_was_changed_is_found(played: Cast) -> None:
    with checks_off(), connection.cursor() as cursor:
        cursor.execute("UPDATE people_playername SET name = 'Somebody Else'")
    assert any("people.PlayerName" in what for what in breaks())


def test_a_photograph_stands_in_one_place_goes_with_the_names_and_leaves_no_trace(played: Cast) -> None:
    who = Player.objects.get(name=NAME)
    merged = Player.objects.get(pk=played.send_room(player_add, "floor", name="Old Zeb")["player"])
    kept = [photographed(played, each) for each in (merged, who, who)]
    assert PlayerPhoto.objects.count() == 2  # the one before is gone
    signed = {"reason": "one person", "approver": played.people["floor_2"]}
    played.send_room(player_merge, "floor", player_id=merged.pk, into_id=who.pk, **signed)
    traces = [trace for photo in kept for trace in traces_of(photo)]
    assert found(*traces) == {("people_playerphoto", column) for column in ("content", "salt")}
    assert list(breaks()) == []
    erase(played, who)
    assert not PlayerPhoto.objects.exists()
    assert found(*traces) == set()
    assert list(breaks()) == []


def test_a_photograph_that_was_changed_past_the_commands_is_found(played: Cast) -> None:
    who = Player.objects.get(name=NAME)
    photographed(played, who)
    assert list(breaks()) == []
    with checks_off(), connection.cursor() as cursor:
        cursor.execute("UPDATE people_playerphoto SET salt = 'x'")
    assert any("is not what its digest proves" in what for what in breaks())
    with checks_off(), connection.cursor() as cursor:
        cursor.execute("UPDATE people_player SET photo_id = NULL")
    assert any("it is nobody's" in what for what in breaks())


def test_texts_that_name_a_person_are_found_before_their_names_are_erased(played: Cast) -> None:
    who = Player.objects.get(name=NAME)
    assert texts_naming(who) == []
    claimed = played.send(dispute_open, "floor", claim=f"{NAME.upper()} says so", guest="Somebody")
    played.send(dispute_open, "floor", claim=f"{NAME}ow and {NAME[:-1]}, who are somebody else")
    typed = [["Name", OTHER]]
    entry = {"command": "seat", "title": f"Seat {BEFORE}", "typed": typed, "at": "", "by": "", "key": "k"}
    played.send(commands_set_aside, "floor", reason="on paper", commands=[{**entry, "version": 1}])
    signed = {"reason": f"form of {NAME}", "kind": "self_excluded", "ends_on": None}
    excluded = played.send_room(exclusion_enter, "shift_manager", player_id=who.pk, **signed)
    texts = texts_naming(who)
    assert [(each["record"], each["column"]) for each in texts] == [
        ("alert", "text"),
        ("journal entry", "data"),  # of the command
        ("journal entry", "data"),  # of its alert
        ("dispute", "claim"),
        ("item", "figures"),
        ("exclusion", "reason"),
    ]
    assert (texts[3]["id"], texts[3]["text"]) == (claimed["dispute"], f"{NAME.upper()} says so")
    assert any(OTHER in each["text"] for each in texts[1:3])
    assert (texts[5]["id"], texts[5]["text"]) == (excluded["exclusion"], "")
    assert texts_naming(played.rival_player) == []


def test_every_text_of_a_room_is_searched_or_is_written_by_the_site() -> None:
    """A new column of text: name it in `TYPED` where people type into it, or here."""
    by_the_site = {
        *("actor_name", "address", "claimed_by", "clause", "content_hash", "document", "error", "fingerprint", "hash"),
        *("chain_hash", "inputs_hash", "key", "kind", "roles", "salt", "sha256", "signature", "subject", "password"),
        *("manifest", "manifest_hash", "position", "secret", "secret_before"),
    }  # fmt: skip
    unknown = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        if model.__module__.startswith("cardroom.") and model not in NAMES_STAND_IN
        if any(each.name == "room" for each in model._meta.concrete_fields)
        if not hasattr(model, "instance_type")
        for field in model._meta.concrete_fields
        if isinstance(field, (models.CharField, models.TextField)) and not field.choices
        if (field.max_length or 60) >= 60 and field.name not in {*TYPED, *by_the_site}
    }
    assert unknown == set()


def test_nobody_is_erased_whom_the_room_needs_by_name(played: Cast) -> None:
    who = Player.objects.get(name=NAME)
    played.send(player_seat, "floor", seat=6, player_id=who.pk)
    assert refused(played, who) == "player_seated"
    played.send(player_leave, "floor", seat=6)
    waits = played.send_room(waiting_add, "floor", game=game_of(played), player_id=who.pk)
    assert refused(played, who) == "player_waits"
    played.send_room(waiting_remove, "floor", entry_id=waits["entry"])
    entered = played.send_room(
        exclusion_enter, "shift_manager", player_id=who.pk, kind="barred", reason="loud", ends_on=None
    )
    assert refused(played, who) == "player_excluded"
    Player.objects.filter(pk=who.pk).update(staff=played.people["support"])
    who.refresh_from_db()
    assert [why.code for why in whys_not_erase(who, timezone.now())] == ["works_here", "player_excluded"]
    page = Client()
    page.force_login(played.people["room_manager"])
    shown = page.get(f"/rooms/{played.room.code}/players/{who.pk}/").content.decode()
    whys = shown.partition("Erase the names")[2].partition("</details>")[0]
    assert "Take the mark off first." in whys and "Ask a shift manager." in whys and "<form" not in whys
    Player.objects.filter(pk=who.pk).update(staff=None)
    signed = {"reason": "somebody else", "approver": played.people["compliance"]}
    played.send_room(exclusion_lift, "shift_manager", exclusion_id=entered["exclusion"], **signed)
    assert refused(played, who) == "kept_by_name"
    ended = timezone.now() - datetime.timedelta(days=7 * 366)
    with checks_off():
        Exclusion.objects.update(entered_at=ended, lifted_at=ended)
    erase(played, who)
    assert not Player.objects.filter(name=NAME).exists()
    address = f"/rooms/{played.room.code}/players/{who.pk}/"
    erased, texts = (page.get(f"{address}{part}").content.decode() for part in ("", "texts/"))
    assert "nobody any more" in erased and "nobody can look for texts" in texts and "<table" not in texts


def test_nobody_is_erased_of_whom_a_claim_an_item_or_a_recording_is_open(played: Cast) -> None:
    who = Player.objects.get(name=NAME)
    other = Player.objects.get(pk=played.send_room(player_add, "floor", name="Old Zeb")["player"])
    signed = {"reason": "one person", "approver": played.people["floor_2"]}
    played.send_room(player_merge, "floor", player_id=other.pk, into_id=who.pk, **signed)
    erasable = Player.objects.get(pk=played.send_room(player_add, "floor", name="Somebody")["player"])
    round_ = Round.objects.filter(bets__icontains=who.ref).earliest("pk")
    opened = played.send(dispute_open, "floor", claim="paid short", round_id=round_.pk, seat=6)
    item, dispute = opened["item"], {"dispute_id": opened["dispute"]}
    assert refused(played, who) == "claim_open"
    today = local_day(played.room, timezone.now())
    until = today + datetime.timedelta(days=30)
    decided = {**dispute, "outcome": "denied", "reason": "paid as filed"}
    played.send_room(dispute_decide, "compliance", **decided)
    played.send_room(review_ask, "compliance", **dispute, hold_until=until, note="seat 6")
    closed = {"items": [item], "approver": played.people["room_manager"]}
    played.send_room(items_close, "compliance", **closed)
    assert refused(played, who) == "review_open"
    played.send_room(items_reopen, "compliance", items=[item], note="the review")
    played.send_room(review_end, "compliance", **dispute, note="paid 1 to 1")
    played.send_room(dispute_decide, "compliance", **decided)
    played.send_room(items_close, "compliance", **closed)
    assert refused(played, who) == "recording_held"
    Dispute.objects.update(hold_until=today - datetime.timedelta(days=1))
    assert (
        refused(played, who) == "recording_held"
    )  # by the item, whose camera was noted with a day of its own
    Item.objects.filter(pk=item).update(kept_until=today - datetime.timedelta(days=1))
    found = Item.objects.create(
        room=played.room,
        kind="void",
        key="1",
        gaming_day=today,
        happened_at=timezone.now(),
        found_at=timezone.now(),
    )
    ItemPerson.objects.create(item=found, player=other)
    assert refused(played, who) == "named_by_item"
    erase(played, erasable)
    erasable.refresh_from_db()
    assert erasable.erased_at is not None


def test_nobody_is_erased_whose_win_is_not_answered(db: None) -> None:
    cast = house_cast()
    cast.send(round_open)
    cast.send(bets_place, positions=[{"seat": 4, "wagers": {"ante": 1000, "progressive": 100}}])
    cast.send(bets_close)
    cast.send(round_deal)
    hand = {"seat": 4, "hand": "9h 9d 9c", "decision": "play"}
    cast.send(round_settle, bank_hand="2c 4d 7h", positions=[hand])
    win = cast.send(win_key, seat=4)["win"]
    cast.send(player_leave, "floor", seat=4)
    cast.send(player_leave, "floor", seat=5)
    assert refused(cast, cast.players[4]) == "win_pending"
    erase(cast, cast.players[5])
    cast.send(win_withdraw, "floor", win_id=win, reason="misread")
    erase(cast, cast.players[4])


def test_a_name_like_that_of_somebody_erased_is_told_apart(played: Cast) -> None:
    who = Player.objects.get(name=NAME)
    other = Player.objects.get(
        pk=played.send_room(player_add, "floor", name=f"player  #{who.number}")["player"]
    )
    assert other.name == f"player #{who.number} #{other.number}"
    Player.objects.filter(pk=other.pk).update(name=who.nameless)  # as a room's file may have it
    erase(played, who)
    who.refresh_from_db()
    assert who.name == who.nameless


def test_the_names_of_every_entry_of_a_person_go(played: Cast) -> None:
    who = Player.objects.get(name=NAME)
    other = Player.objects.get(pk=played.send_room(player_add, "floor", name="Old Zeb")["player"])
    signed = {"reason": "one person", "approver": played.people["floor_2"]}
    played.send_room(player_merge, "floor", player_id=other.pk, into_id=who.pk, **signed)
    erase(played, who)
    other.refresh_from_db()
    StoredAnswer.objects.all().delete()
    assert (other.name, found("Old Zeb", NAME)) == (f"Player #{other.number}", set())
