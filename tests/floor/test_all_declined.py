"""All declined in one command: what is recorded is what the single answers would have recorded."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.utils import timezone

from cardroom.floor.commands.bank import offer_answer, offers_decline, turn_renew
from cardroom.floor.errors import NotNow
from cardroom.floor.models import JournalEntry, Offer, Table, Turn
from cardroom.floor.reads.rotation import day_period, table_rotation
from cardroom.people.models import Player, Provider
from cardroom.people.permits import local_day
from cardroom.rooms.gaming_day import gaming_day
from tests.cast import Cast


def recorded(cast: Cast, before: int) -> list[tuple[str, dict[str, Any], str]]:
    """What the journal says since entry `before`, without what distinguishes one row from another."""
    ids = {"turn", "offer", "cycle", "attempt", "rounds", "after_turn"}
    return [
        (entry.command, {key: value for key, value in entry.data.items() if key not in ids}, entry.reason)
        for entry in JournalEntry.objects.filter(seq__gt=before, table=cast.table).order_by("seq")
    ]


def version_of(cast: Cast) -> int:
    return Table.objects.get(pk=cast.table.pk).version


def head(cast: Cast) -> int:
    return JournalEntry.objects.filter(table=cast.table).latest("seq").seq


def banked_twice(cast: Cast) -> int:
    """Seat 3 has banked its two rounds; the bank is offered to seat 4. Answers the journal's last entry."""
    cast.play({4: 1000})
    cast.play({4: 1000})
    return head(cast)


def test_all_declined_reads_like_six_answers_and_a_renewal_in_one_version(running: Cast) -> None:
    before = banked_twice(running)
    for seat in (4, 5, 6, 7, 1, 2):
        running.send(offer_answer, seat=seat, answer="declined")
    running.send(turn_renew)
    single = recorded(running, before)
    before = banked_twice(running)
    version = version_of(running)
    answer = running.send(offers_decline)
    assert (answer["declined"], answer["bank_seat"]) == ([4, 5, 6, 7, 1, 2], 3)
    assert recorded(running, before) == single
    assert version_of(running) == version + 1
    assert [each["answer"] for each in Offer.objects.order_by("-pk").values("answer")[:6]] == ["declined"] * 6
    turn = Turn.objects.get(ended_at__isnull=True)
    assert (turn.seat, turn.renewed, turn.rounds) == (3, True, 0)
    found = table_rotation(running.table, day_period(running.room, gaming_day(running.room, timezone.now())))
    assert found.exceptions == [] and found.figures.renewed == 2
    assert [offer.seat for offer in found.runs[1].offers] == [offer.seat for offer in found.runs[2].offers]


def test_it_goes_on_from_the_answers_that_were_given_and_a_repeat_does_nothing(running: Cast) -> None:
    banked_twice(running)
    running.send(offer_answer, seat=4, answer="absent")
    meta = running.meta()
    first = offers_decline(meta, running.table.pk)
    assert first["declined"] == [5, 6, 7, 1, 2]
    offers = Offer.objects.count()
    assert offers_decline(meta, running.table.pk) == first
    assert Offer.objects.count() == offers


def test_a_seat_that_is_asked_later_accepts_after_those_before_it_declined(running: Cast) -> None:
    banked_twice(running)
    answer = running.send(offers_decline, accepted_by=6)
    assert (answer["declined"], answer["bank_seat"]) == ([4, 5], 6)
    given = list(Offer.objects.order_by("-pk").values_list("seat", "answer")[:3])
    assert given == [(6, "accepted"), (5, "declined"), (4, "declined")]
    assert Turn.objects.get(ended_at__isnull=True).seat == 6


@pytest.mark.parametrize("seat", [3, 8])
def test_a_seat_that_is_not_asked_takes_no_bank_and_nothing_is_recorded(running: Cast, seat: int) -> None:
    before = banked_twice(running)
    offers = Offer.objects.count()
    with pytest.raises(NotNow, match=f"Seat {seat} is not offered the bank"):
        running.send(offers_decline, accepted_by=seat)
    assert (head(running), Offer.objects.count()) == (before, offers)


def test_while_the_bank_goes_on_nobody_declines(running: Cast) -> None:
    with pytest.raises(NotNow, match="No offer is due"):
        running.send(offers_decline)


def test_a_bank_whose_badge_has_expired_is_not_renewed(running: Cast) -> None:
    """The answers stand; the new turn waits for an override, as it does when the seats are logged one by one."""
    banked_twice(running)
    yesterday = local_day(running.room, timezone.now()) - datetime.timedelta(days=1)
    provider = Provider.objects.create(room=running.room, name="Levee Players")
    Player.objects.filter(pk=running.players[3].pk).update(
        provider=provider, badge_number="TP-12", badge_expires=yesterday
    )
    answer = running.send(offers_decline)
    assert (answer["declined"], answer["bank_seat"]) == ([4, 5, 6, 7, 1, 2], None)
    assert running.state().step.kind == "renew"
    with pytest.raises(NotNow, match="TP-12"):
        running.send(turn_renew)
