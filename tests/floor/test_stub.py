"""Counting the stub: when it is due, what a count leads to, and who lets a round go without one."""

from __future__ import annotations

import pytest

from cardroom.floor.commands.decks import dealing_set
from cardroom.floor.commands.rounds import round_deal, round_open, round_settle, round_void
from cardroom.floor.commands.stub import count_waive, device_report, stub_count
from cardroom.floor.models import Alert, Deck, Procedure, Round
from tests.cast import BANK_HAND, HANDS, Cast, house_cast, running_cast

from .procedures import closed, dealt_and_voided, placed, prompted, reading_of, refused

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
    massachusetts: Cast, dealing: str, of_clause: str
) -> None:
    massachusetts.send(dealing_set, "floor", shuffler="shuffles", dealing=dealing)
    dealt_and_voided(massachusetts, 3)
    massachusetts.play({4: 1000})
    assert "stub_count" not in prompted(massachusetts)
    assert open_alerts() == []
    dealt_and_voided(massachusetts)
    prompt = prompted(massachusetts)["stub_count"]
    assert prompt == ("stub_count", "5 rounds since the last count: count the stub.", f"massachusetts:{of_clause}",
                      "stub_count", True, {}, "")  # fmt: skip
    assert open_alerts() == ["stub_count_due"]
    assert refused(massachusetts, round_open) == "count_due"
    assert refused(massachusetts, count_waive, reason="shift change") == "supervisor_required"
    massachusetts.send(count_waive, reason="shift change", approver=massachusetts.people["floor"])
    assert not prompted(massachusetts)["stub_count"].blocks
    assert refused(massachusetts, count_waive, "floor", reason="again") == "count_waived"
    dealt_and_voided(massachusetts)
    assert refused(massachusetts, round_open) == "count_due", "it held for one round"
    assert massachusetts.send(stub_count, stub=52)["follows"]["clause"] == "massachusetts:7(e)(1)"
    assert open_alerts() == []
    assert "stub_count" not in prompted(massachusetts)
    massachusetts.play({4: 1000})


@clause("massachusetts:7(f)")
def test_no_count_falls_due_where_the_shuffler_counts(massachusetts: Cast) -> None:
    massachusetts.send(dealing_set, "floor", shuffler="counts", dealing="manual_shoe")
    dealt_and_voided(massachusetts, 6)
    assert "stub_count" not in prompted(massachusetts)
    assert refused(massachusetts, count_waive, "floor", reason="none is due") == "no_count_due"


def test_california_asks_for_no_regular_count(running: Cast) -> None:
    dealt_and_voided(running, 6)
    assert "stub_count" not in prompted(running)
    assert refused(running, count_waive, "floor", reason="none is due") == "no_count_due"


def site_of(rulebook: str) -> Cast:
    """A running table of this game; where a player banks, seat 3 does."""
    if rulebook == "california":
        return running_cast()
    if rulebook != "designated_player":
        return house_cast(rulebook)
    cast = Cast()
    cast.open(rulebook=rulebook, schedule=None)
    cast.bank_to(3)
    return cast


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
    cast = site_of(rulebook)
    [red] = placed(cast, "red")
    closed(cast)
    cast.send(round_deal)
    follows = cast.send(stub_count, stub=45)["follows"]
    assert (follows["round"], follows["cards"], follows["void_reason"]) == (
        "void",
        "retire_deck",
        "wrong_deck_count",
    )
    red.refresh_from_db()
    assert red.retired_why.startswith("1 card missing")
    prompt = prompted(cast)["void"]
    assert prompt.blocks
    settling = {
        "bank_hand": BANK_HAND,
        "positions": [{"seat": 4, "hand": HANDS[4], "decision": "play"}],
    }
    assert refused(cast, round_settle, **settling) == "void_due"
    cast.send(round_void, reason="Deck does not count to 52", approver=cast.people["shift_manager"])
    assert Round.objects.get().state == "void"
    assert prompted(cast)["decks"].command == "deck_place"


@clause("massachusetts:1.stub", "massachusetts:7(e)(1)")
def test_with_52_cards_in_the_deck_a_house_banked_round_is_settled(massachusetts: Cast) -> None:
    placed(massachusetts, "red")
    massachusetts.deal({3: 1000, 4: 1000, 5: 1000})
    assert massachusetts.send(stub_count, stub=40)["follows"]["clause"] == "massachusetts:7(e)(1)"
    massachusetts.settle({3: 1000, 4: 1000, 5: 1000})
    assert Deck.objects.get().retired_at is None
    assert reading_of(massachusetts).procedures.rounds_since_count == 0


def test_a_whole_deck_plays_on_and_a_second_count_puts_a_wrong_one_right(running: Cast) -> None:
    running.deal({4: 1000, 5: 1000})
    assert running.send(stub_count, stub=42)["follows"]["round"] == "void"
    assert running.send(stub_count, stub=43)["follows"] == {
        "round": "stands", "cards": "in_play", "void_reason": None, "text": "the deck is whole: play goes on",
        "clause": "ruling 45",
    }  # fmt: skip
    running.settle({4: 1000, 5: 1000})
    assert list(Procedure.objects.filter(kind="stub_count").values_list("number", flat=True)) == [42, 43]


@clause("massachusetts:7(e)(2)")
def test_a_misdeal_from_a_whole_deck_voids_the_round_and_keeps_the_deck(massachusetts: Cast) -> None:
    [red] = placed(massachusetts, "red")
    closed(massachusetts)
    massachusetts.send(round_deal)
    follows = massachusetts.send(stub_count, stub=45, dealt=7, misdealt=True)["follows"]
    assert (follows["round"], follows["cards"], follows["clause"]) == (
        "void",
        "reshuffle",
        "massachusetts:7(e)(2)",
    )
    assert prompted(massachusetts)["void"].command == "round_void"
    massachusetts.send(
        round_void, reason="Wrong number of cards dealt", approver=massachusetts.people["shift_manager"]
    )
    red.refresh_from_db()
    assert red.retired_at is None
    massachusetts.play({4: 1000})


@clause("massachusetts:7(f).2")
def test_a_shuffler_that_counts_wrong_loses_the_deck_in_it_and_the_round_stands(massachusetts: Cast) -> None:
    placed(massachusetts, "red", "blue")
    assert refused(massachusetts, device_report) == "no_counting_shuffler"
    massachusetts.send(dealing_set, "floor", shuffler="counts", dealing="manual_shoe")
    closed(massachusetts)
    massachusetts.send(round_deal)
    follows = massachusetts.send(device_report)["follows"]
    assert (follows["round"], follows["cards"], follows["clause"]) == (
        "stands",
        "retire_deck",
        "massachusetts:7(f).2",
    )
    assert list(Deck.objects.filter(retired_at__isnull=True).values_list("name", flat=True)) == ["red"]
    assert reading_of(massachusetts).procedures.in_play.name == "red"  # type: ignore[union-attr]
    massachusetts.settle({4: 1000})


@pytest.mark.parametrize("stub", [-1, 105])
def test_a_count_that_cannot_be_is_refused(running: Cast, stub: int) -> None:
    assert refused(running, stub_count, stub=stub) == "bad_count"
