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

from .site import Site


def recorded(site: Site, before: int) -> list[tuple[str, dict[str, Any], str]]:
    """What the journal says since entry `before`, without what tells one row from another."""
    ids = {"turn", "offer", "cycle", "attempt", "rounds", "after_turn"}
    return [
        (entry.command, {key: value for key, value in entry.data.items() if key not in ids}, entry.reason)
        for entry in JournalEntry.objects.filter(seq__gt=before, table=site.table).order_by("seq")
    ]


def version_of(site: Site) -> int:
    return Table.objects.get(pk=site.table.pk).version


def head(site: Site) -> int:
    return JournalEntry.objects.filter(table=site.table).latest("seq").seq


def banked_twice(site: Site) -> int:
    """Seat 3 has banked its two rounds; the bank is offered to seat 4. Answers the journal's last entry."""
    site.play({4: 1000})
    site.play({4: 1000})
    return head(site)


def test_all_declined_reads_like_six_answers_and_a_renewal_in_one_version(open_site: Site) -> None:
    site = open_site
    before = banked_twice(site)
    for seat in (4, 5, 6, 7, 1, 2):
        site.send(offer_answer, seat=seat, answer="declined")
    site.send(turn_renew)
    single = recorded(site, before)
    before = banked_twice(site)
    version = version_of(site)
    answer = site.send(offers_decline)
    assert (answer["declined"], answer["bank_seat"]) == ([4, 5, 6, 7, 1, 2], 3)
    assert recorded(site, before) == single
    assert version_of(site) == version + 1
    assert [each["answer"] for each in Offer.objects.order_by("-pk").values("answer")[:6]] == ["declined"] * 6
    turn = Turn.objects.get(ended_at__isnull=True)
    assert (turn.seat, turn.renewed, turn.rounds) == (3, True, 0)
    found = table_rotation(site.table, day_period(site.room, gaming_day(site.room, timezone.now())))
    assert found.exceptions == [] and found.figures.renewed == 2
    assert [offer.seat for offer in found.runs[1].offers] == [offer.seat for offer in found.runs[2].offers]


def test_it_goes_on_from_the_answers_that_were_given_and_a_repeat_does_nothing(open_site: Site) -> None:
    site = open_site
    banked_twice(site)
    site.send(offer_answer, seat=4, answer="absent")
    meta = site.meta(site.dealer)
    first = offers_decline(meta, site.table.pk)
    assert first["declined"] == [5, 6, 7, 1, 2]
    offers = Offer.objects.count()
    assert offers_decline(meta, site.table.pk) == first
    assert Offer.objects.count() == offers


def test_a_seat_that_is_asked_later_accepts_after_those_before_it_declined(open_site: Site) -> None:
    site = open_site
    banked_twice(site)
    answer = site.send(offers_decline, accepted_by=6)
    assert (answer["declined"], answer["bank_seat"]) == ([4, 5], 6)
    given = list(Offer.objects.order_by("-pk").values_list("seat", "answer")[:3])
    assert given == [(6, "accepted"), (5, "declined"), (4, "declined")]
    assert Turn.objects.get(ended_at__isnull=True).seat == 6


@pytest.mark.parametrize("seat", [3, 8])
def test_a_seat_that_is_not_asked_takes_no_bank_and_nothing_is_recorded(open_site: Site, seat: int) -> None:
    site = open_site
    before = banked_twice(site)
    offers = Offer.objects.count()
    with pytest.raises(NotNow, match=f"Seat {seat} is not offered the bank"):
        site.send(offers_decline, accepted_by=seat)
    assert (head(site), Offer.objects.count()) == (before, offers)


def test_while_the_bank_goes_on_nobody_declines(open_site: Site) -> None:
    with pytest.raises(NotNow, match="No offer is due"):
        open_site.send(offers_decline)


def test_a_bank_whose_badge_has_expired_is_not_renewed(open_site: Site) -> None:
    """The answers stand; the new turn waits for an override, as it does when the seats are logged one by one."""
    site = open_site
    banked_twice(site)
    yesterday = local_day(site.room, timezone.now()) - datetime.timedelta(days=1)
    provider = Provider.objects.create(room=site.room, name="Levee Players")
    Player.objects.filter(pk=site.players[3].pk).update(
        provider=provider, badge_number="TP-12", badge_expires=yesterday
    )
    answer = site.send(offers_decline)
    assert (answer["declined"], answer["bank_seat"]) == ([4, 5, 6, 7, 1, 2], None)
    assert site.step().kind == "renew"
    with pytest.raises(NotNow, match="TP-12"):
        site.send(turn_renew)
