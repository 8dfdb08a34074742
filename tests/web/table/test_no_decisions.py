"""A carded game whose positions get cards and decide nothing at a table: the tests' own game of one card of six decks."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_open, round_settle
from cardroom.floor.commands.stub import stub_count
from cardroom.floor.errors import BadInput
from cardroom.floor.models import Round
from cardroom.people.names import named
from cardroom.reports.verification.settled_again import rounds_settled_again
from cardroom.web.parts.access import Permissions
from cardroom.web.table.offline_state import offline_state_of
from cardroom.web.table.page import table_page_of
from tests.cast import PIN, Cast
from tests.games.toy_game import register

from ..conftest import Person

SIGNED = {"approver": "shift_manager", "approver_pin": PIN}
BETS = [{"seat": 1, "wagers": {"duel": 1000}}, {"seat": 4, "wagers": {"duel": 2000, "equal": 500}}]


@pytest.fixture
def duel(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Cast:
    """A running table of High Card Duel; seat 3 banks."""
    register(monkeypatch)
    cast.open(rulebook="toy", schedule=None, seats=(1, 2, 3, 4, 5))
    cast.bank_to(3)
    return cast


def deal(cast: Cast) -> Round:
    cast.send(round_open, bank_wager_cents=20000)
    cast.send(bets_place, positions=BETS)
    cast.send(bets_close)
    cast.send(round_deal)
    return Round.objects.get()


def settled(cast: Cast) -> Round:
    deal(cast)
    hands = [{"seat": 1, "hand": "Ah"}, {"seat": 4, "hand": "9c"}]
    cast.send(round_settle, bank_hand="9h", positions=hands)
    return Round.objects.get()


def test_a_round_is_played_on_the_page_without_decisions(duel: Cast, person: Callable[[str], Person]) -> None:
    dealer = person("dealer")
    dealer.at_table()
    dealer.command("bank", bank_wager_cents="200")
    dealer.command("bets", **{"wagers-1-duel": "10", "wagers-4-duel": "20", "wagers-4-equal": "5"})
    dealer.command("no-more-bets")
    dealer.command("deal")
    assert "Enter each hand as it is shown" in dealer.text
    for word in ("usual decision", "Decision", "given up", "decision-"):
        assert word not in dealer.text.split('<template id="offline-state">')[0], word
    assert 'data-decks="6"' in dealer.text
    dealer.command("settle", bank_hand="9h", **{"hand-1": "ah", "hand-4": "9c"})
    round_ = Round.objects.get()
    assert round_.settlement is not None
    assert named(round_.settlement["net"]) == {"Ana": 1000, "Dee": 5000}
    assert "the higher card wins" in dealer.text
    assert "decision" not in round_.sheet["positions"][0]
    assert list(rounds_settled_again(Round.objects.all())) == []


def test_a_missing_card_is_asked_for_and_no_decision(duel: Cast, person: Callable[[str], Person]) -> None:
    deal(duel)
    with pytest.raises(BadInput) as refused:
        duel.send(round_settle, bank_hand="9h", positions=[{"seat": 1, "hand": "Ah"}])
    assert refused.value.code == "missing_key"
    assert str(refused.value.message) == "Seat 4 has wagers, but its cards were not given."
    dealer = person("dealer")
    dealer.at_table()
    dealer.command("settle", bank_hand="9h", **{"hand-1": "ah", "hand-4": ""})
    assert Round.objects.get().settlement is None
    assert "required" in dealer.text


def test_a_correction_has_cards_and_no_decisions(duel: Cast, person: Callable[[str], Person]) -> None:
    round_ = settled(duel)
    address = f"/tables/{duel.table.pk}/rounds/{round_.pk}/correct/"
    floor = person("floor")
    floor.open(address)
    assert 'name="hand-1"' in floor.text
    assert 'name="decision-1"' not in floor.text
    assert "Decision" not in floor.text
    floor.post(address, **{"hand-1": "8d", "look": "1"})
    assert "Chip movements" in floor.text
    floor.post(address, reason="misread", correct="1", **SIGNED)
    corrected = Round.objects.get(corrects=round_)
    assert corrected.settlement is not None
    assert named(corrected.settlement["net"]) == {"Ana": -1000, "Dee": 5000}


def test_a_tablet_offline_goes_on_without_decisions(duel: Cast) -> None:
    deal(duel)
    facts = offline_state_of(table_page_of(duel.state(), Permissions(duel.people["dealer"], duel.room)))
    assert facts["runs"]
    assert (facts["decisions"], facts["usual"], facts["givenUp"]) == ([], "", [])
    assert (facts["each"], facts["bankCards"], facts["decks"], facts["typedCards"]) == (1, 1, 6, "ah")
    assert json.loads(json.dumps(facts))["live"]["bets"][0]["wagers"] == {"duel": 1000}


def test_its_stub_is_counted_against_six_decks(duel: Cast) -> None:
    deal(duel)
    with pytest.raises(BadInput) as refused:
        duel.send(stub_count, stub=309)
    assert refused.value.code == "cards_required"
    assert duel.send(stub_count, stub=49, dealt=3)["follows"]["round"] == "void"
    assert duel.send(stub_count, stub=309, dealt=3)["follows"]["round"] == "stands"


def test_its_record_and_its_placard_are_drawn(duel: Cast, person: Callable[[str], Person]) -> None:
    round_ = settled(duel)
    floor = person("floor")
    floor.open(f"/rounds/{round_.pk}/")
    assert "Ace of hearts" in floor.text
    floor.open(f"/tables/{duel.table.pk}/placard/")
    assert "The higher card wins." in floor.text
