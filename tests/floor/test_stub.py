"""Counting the stub: when it is due, what a count leads to, and who lets a round go without one."""

from __future__ import annotations

import pytest

from cardroom.floor.commands.decks import dealing_set
from cardroom.floor.commands.rounds import round_deal, round_open, round_settle, round_void
from cardroom.floor.commands.stub import count_waive, device_report, stub_count
from cardroom.floor.models import Alert, Deck, Procedure, Round

from .procedures import closed, dealt_and_voided, placed, prompted, reading_of, refused
from .site import BANK_HAND, HANDS, Site, house_site, running_site

clause = pytest.mark.clause


def open_alerts() -> list[str]:
    return list(Alert.objects.filter(cleared_at__isnull=True).values_list("kind", flat=True))


@pytest.mark.parametrize(
    ("dealing", "of_clause"),
    [
        pytest.param("manual_shoe", "7(e)", marks=clause("massachusetts:7(e)")),
        pytest.param("hand", "8(e)", marks=clause("massachusetts:8(e)")),
        pytest.param("automated_shoe", "9(e)", marks=clause("massachusetts:9(e)")),
    ],
)
@clause("massachusetts:7(e)(1)")
def test_a_sixth_round_without_a_count_takes_a_supervisor(
    massachusetts: Site, dealing: str, of_clause: str
) -> None:
    site = massachusetts
    site.send(dealing_set, site.floor, shuffler="shuffles", dealing=dealing)
    dealt_and_voided(site, 3)
    site.play({4: 1000})
    assert "stub_count" not in prompted(site)
    assert open_alerts() == []
    dealt_and_voided(site)
    prompt = prompted(site)["stub_count"]
    assert prompt == ("stub_count", "5 rounds since the last count: count the stub.", f"massachusetts:{of_clause}",
                      "stub_count", True, {}, "")  # fmt: skip
    assert open_alerts() == ["stub_count_due"]
    assert refused(site, round_open) == "count_due"
    assert refused(site, count_waive, reason="shift change") == "supervisor_required"
    site.send(count_waive, reason="shift change", approver=site.floor)
    assert not prompted(site)["stub_count"].blocks
    assert refused(site, count_waive, site.floor, reason="again") == "count_waived"
    dealt_and_voided(site)
    assert refused(site, round_open) == "count_due", "it held for one round"
    assert site.send(stub_count, stub=52)["follows"]["clause"] == "massachusetts:7(e)(1)"
    assert open_alerts() == []
    assert "stub_count" not in prompted(site)
    site.play({4: 1000})


@clause("massachusetts:7(f)")
def test_no_count_falls_due_where_the_shuffler_counts(massachusetts: Site) -> None:
    site = massachusetts
    site.send(dealing_set, site.floor, shuffler="counts", dealing="manual_shoe")
    dealt_and_voided(site, 6)
    assert "stub_count" not in prompted(site)
    assert refused(site, count_waive, site.floor, reason="none is due") == "no_count_due"


def test_california_asks_for_no_regular_count(open_site: Site) -> None:
    dealt_and_voided(open_site, 6)
    assert "stub_count" not in prompted(open_site)
    assert refused(open_site, count_waive, open_site.floor, reason="none is due") == "no_count_due"


def site_of(rulebook: str) -> Site:
    """A running table of this game; where a player banks, seat 3 does."""
    if rulebook == "california":
        return running_site()
    if rulebook != "designated_player":
        return house_site(rulebook)
    site = Site()
    site.open(rulebook=rulebook, schedule=None)
    site.bank_to(3)
    return site


@pytest.mark.django_db
@pytest.mark.parametrize(
    "rulebook",
    [
        "california",
        pytest.param("massachusetts", marks=clause("massachusetts:1.stub", "massachusetts:7(e)(2).2")),
        "designated_player",
        "shuffle_master",
    ],
)
def test_a_wrong_count_retires_the_deck_and_stops_the_settlement(rulebook: str) -> None:
    site = site_of(rulebook)
    [red] = placed(site, "red")
    closed(site)
    site.send(round_deal)
    follows = site.send(stub_count, stub=45)["follows"]
    assert (follows["round"], follows["cards"], follows["void_reason"]) == (
        "void",
        "retire_deck",
        "wrong_deck_count",
    )
    red.refresh_from_db()
    assert red.retired_why.startswith("1 card missing")
    prompt = prompted(site)["void"]
    assert prompt.blocks
    settling = {
        "bank_hand": BANK_HAND,
        "positions": [{"seat": 4, "hand": HANDS[4], "decision": "play"}],
    }
    assert refused(site, round_settle, **settling) == "void_due"
    site.send(round_void, reason="Deck does not count to 52", approver=site.manager)
    assert Round.objects.get().state == "void"
    assert prompted(site)["decks"].command == "deck_place"


@clause("massachusetts:1.stub", "massachusetts:7(e)(1)")
def test_with_52_cards_in_the_deck_a_house_banked_round_is_settled(massachusetts: Site) -> None:
    site = massachusetts
    placed(site, "red")
    site.deal({3: 1000, 4: 1000, 5: 1000})
    assert site.send(stub_count, stub=40)["follows"]["clause"] == "massachusetts:7(e)(1)"
    site.settle({3: 1000, 4: 1000, 5: 1000})
    assert Deck.objects.get().retired_at is None
    assert reading_of(site).procedures.rounds_since_count == 0


def test_a_whole_deck_plays_on_and_a_second_count_puts_a_wrong_one_right(open_site: Site) -> None:
    open_site.deal({4: 1000, 5: 1000})
    assert open_site.send(stub_count, stub=42)["follows"]["round"] == "void"
    assert open_site.send(stub_count, stub=43)["follows"] == {
        "round": "stands", "cards": "in_play", "void_reason": None, "text": "the deck is whole: play goes on",
        "clause": "ruling 45",
    }  # fmt: skip
    open_site.settle({4: 1000, 5: 1000})
    assert list(Procedure.objects.filter(kind="stub_count").values_list("number", flat=True)) == [42, 43]


@clause("massachusetts:7(e)(2)")
def test_a_misdeal_from_a_whole_deck_voids_the_round_and_keeps_the_deck(massachusetts: Site) -> None:
    site = massachusetts
    [red] = placed(site, "red")
    closed(site)
    site.send(round_deal)
    follows = site.send(stub_count, stub=45, dealt=7, misdealt=True)["follows"]
    assert (follows["round"], follows["cards"], follows["clause"]) == (
        "void",
        "reshuffle",
        "massachusetts:7(e)(2)",
    )
    assert prompted(site)["void"].command == "round_void"
    site.send(round_void, reason="Wrong number of cards dealt", approver=site.manager)
    red.refresh_from_db()
    assert red.retired_at is None
    site.play({4: 1000})


@clause("massachusetts:7(f).2")
def test_a_shuffler_that_counts_wrong_loses_the_deck_in_it_and_the_round_stands(massachusetts: Site) -> None:
    site = massachusetts
    placed(site, "red", "blue")
    assert refused(site, device_report) == "no_counting_shuffler"
    site.send(dealing_set, site.floor, shuffler="counts", dealing="manual_shoe")
    closed(site)
    site.send(round_deal)
    follows = site.send(device_report)["follows"]
    assert (follows["round"], follows["cards"], follows["clause"]) == (
        "stands",
        "retire_deck",
        "massachusetts:7(f).2",
    )
    assert list(Deck.objects.filter(retired_at__isnull=True).values_list("name", flat=True)) == ["red"]
    assert reading_of(site).procedures.in_play.name == "red"  # type: ignore[union-attr]
    site.settle({4: 1000})


@pytest.mark.parametrize("stub", [-1, 105])
def test_a_count_that_cannot_be_is_refused(open_site: Site, stub: int) -> None:
    assert refused(open_site, stub_count, stub=stub) == "bad_count"
