"""A void needs a second person, who signs with a PIN that goes nowhere else."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from django.apps import apps
from django.core import serializers

from cardroom.floor.models import Round, Transfer
from cardroom.people import lockouts
from cardroom.people.journal import rooms_of_person
from cardroom.people.models import Lockout
from cardroom.people.pins import person_by_pin
from tests.cast import PIN, Cast, new_key, written, written_but_wrong_pins
from tests.figures import text_figure

from .client import Caller, Hand, Reply


def void(hand: Hand, username: str, pin: str = PIN, **more: Any) -> Reply:
    body = {"reason": "device failure", "approver": {"username": username, "pin": pin}}
    return hand.caller.post(f"{hand.table}/rounds/current/void", body, **more)


def test_before_the_first_card_the_floor_approves_and_the_fees_go_back(hand: Hand) -> None:
    hand.open()
    hand.bet({4: 1000, 5: 1000})
    hand.close_bets()
    reply = void(hand, "floor")
    assert (reply.status, reply.said["state"]) == (200, "void")
    round_ = Round.objects.get()
    assert (round_.voided_by, round_.void_approved_by) == (
        hand.caller.cast.people["dealer"],
        hand.caller.cast.people["floor"],
    )
    assert round_.refunded_cents == 300
    assert (
        sorted(Transfer.objects.values_list("kind", "cents"))
        == [("fee", 100)] * 3 + [("fee_refund", 100)] * 3
    )


def test_after_the_first_card_it_takes_a_shift_manager(hand: Hand) -> None:
    hand.open()
    hand.bet({4: 1000})
    hand.close_bets()
    hand.deal()
    before = written()
    refused = void(hand, "floor")
    assert (refused.status, refused.code) == (403, "approver_may_not")
    assert written() == before
    assert void(hand, "shift_manager").status == 200


def test_whoever_voids_does_not_approve(running: Cast) -> None:
    hand = Hand(Caller(running, "floor"))
    hand.open()
    before = written()
    reply = void(hand, "floor")
    assert (reply.status, reply.code) == (403, "second_person_required")
    assert written() == before
    assert void(hand, "floor_2").status == 200


@pytest.mark.parametrize(
    ("username", "pin"),
    [("floor", "wrong"), ("nobody", PIN), ("floor", PIN[:-1]), ("floor_3", PIN)],
)
def test_a_wrong_name_and_a_wrong_pin_are_told_alike(hand: Hand, username: str, pin: str) -> None:
    hand.open()
    before = written_but_wrong_pins()
    reply = void(hand, username, pin)
    assert (reply.status, reply.code) == (403, "approver_not_known")
    assert reply.said == void(hand, "somebody else", "99999").said
    assert written_but_wrong_pins() == before


def test_an_approver_whose_account_is_closed_is_not_known(hand: Hand) -> None:
    floor = hand.caller.cast.people["floor"]
    floor.is_active = False
    floor.save()
    hand.open()
    reply = void(hand, "floor")
    assert (reply.status, reply.code) == (403, "approver_not_known")


@pytest.mark.parametrize("who", ["dealer_2", "compliance"])
def test_an_approver_without_the_right_here_is_refused(hand: Hand, who: str) -> None:
    hand.open()
    reply = void(hand, who)
    assert (reply.status, reply.code) == (403, "approver_may_not")


@pytest.mark.parametrize("who", ["rival_floor", "outsider"])
def test_staff_of_another_room_are_nobody_here_whatever_their_pin(hand: Hand, who: str) -> None:
    hand.open()
    person = hand.caller.cast.people[who]
    before = written()
    said = [void(hand, who, pin).said for pin in (PIN, *["99999"] * lockouts.MOST_TRIES[Lockout.Kind.PIN])]
    others = [void(hand, "nobody here", "99999").said for _ in said]
    assert said == others, "the answers tell who exists elsewhere, or whether their PIN was right"
    assert written() == before, "something was written, in this room's chain or in theirs"
    assert not Lockout.objects.filter(staff=person).exists()
    if rooms := rooms_of_person(person):
        assert person_by_pin(rooms[0], who, PIN) == person


def test_a_pin_is_not_asked_for_a_command_that_cannot_be_done(hand: Hand) -> None:
    """Neither by a dealer without a down there, nor on an older state, nor where there is nothing to void."""
    hand.open()
    strangers = Hand(Caller(hand.caller.cast, "dealer_2"))
    refused = [strangers, *[hand] * 2]
    for each, version, code in zip(
        refused, (None, 1, None), ("not_your_table", "stale", "no_round"), strict=True
    ):
        if code == "no_round":
            assert void(hand, "floor").status == 200
        before = written()
        for _ in range(lockouts.MOST_TRIES[Lockout.Kind.PIN]):
            assert void(each, "floor", "99999", version=version).code == code
        assert written() == before and not Lockout.objects.exists()
        assert void(each, "floor", version=version).code == code


@pytest.mark.parametrize("username", ["floor", "nobody"])
def test_guessing_is_stopped_by_user_name_known_or_not(hand: Hand, username: str) -> None:
    hand.open()
    for _ in range(lockouts.MOST_TRIES[Lockout.Kind.PIN]):
        assert void(hand, username, "guess").code == "approver_not_known"
    # The right pin no longer helps under that name, in whatever case; another approver still can.
    resting = void(hand, username.upper())
    assert (resting.status, resting.code) == (429, "approver_resting")
    assert void(hand, "floor_2").status == 200


def test_the_right_pin_in_time_forgets_the_wrong_ones(hand: Hand) -> None:
    for _ in range(2):
        hand.open()
        for _ in range(lockouts.MOST_TRIES[Lockout.Kind.PIN] - 1):
            assert void(hand, "floor", "guess").code == "approver_not_known"
        assert void(hand, "floor").status == 200


@pytest.mark.parametrize("who", ["outsider", "rival_floor", "count"])
def test_whoever_may_not_void_here_learns_nothing_about_pins(running: Cast, who: str) -> None:
    Hand(Caller(running, "dealer")).open()
    hand = Hand(Caller(running, who))
    assert void(hand, "floor", "wrong").said == void(hand, "floor", PIN).said


def test_a_repeated_void_is_answered_as_before(hand: Hand) -> None:
    opened = hand.open()
    version = opened.said["version"]
    first = void(hand, "floor", version=version, key="void-it")
    second = void(hand, "floor", version=version, key="void-it")
    assert (second.status, second.said) == (200, first.said)
    other = void(hand, "floor_2", version=version, key="void-it")
    assert (other.status, other.code) == (422, "key_reused")


@pytest.mark.postgresql
def test_the_pin_is_neither_stored_nor_logged(hand: Hand, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    hand.open()
    void(hand, "floor", "771177")
    assert void(hand, "floor").status == 200
    for model in apps.get_models():
        stored = serializers.serialize("json", model._default_manager.all())
        assert not text_figure(stored, PIN) and not text_figure(stored, "771177"), model
    logged = json.dumps([str(record.__dict__) for record in caplog.records])
    assert not text_figure(logged, PIN) and not text_figure(logged, "771177")


def test_a_void_without_reason_or_approver_is_refused(hand: Hand) -> None:
    hand.open()
    path = f"{hand.table}/rounds/current/void"
    approver = {"username": "floor", "pin": PIN}
    for body, code, place in (
        ({"reason": "x"}, "missing_key", "approver"),
        ({"reason": " ", "approver": approver}, "empty", "reason"),
        ({"reason": "x" * 201, "approver": approver}, "too_long", "reason"),
        ({"reason": "x", "approver": {"username": "floor"}}, "missing_key", "approver.pin"),
        ({"reason": "x", "approver": {**approver, "password": 1}}, "unknown_key", "approver.password"),
        ({"reason": "x", "approver": {**approver, "pin": 7}}, "wrong_type", "approver.pin"),
    ):
        reply = hand.caller.post(path, body, key=new_key())
        assert (reply.status, reply.code, reply.path) == (400, code, place)
    assert Round.objects.get().state == "betting"
