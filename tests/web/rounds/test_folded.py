"""Folded hands lie face down on a round's page until somebody asks to see them, whatever the rulebook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.models import Round, Shift
from games.engine import settle_json
from games.registry import load_rulebook
from games.three_card_poker.rulebook import RULEBOOKS
from tests.cast import BANK_HAND, HANDS, Cast
from tests.web.conftest import Person

#: Cards of seat 1, which folds in these rounds, as a reader of the page hears them; and of seat 2, which plays.
FOLDED = ("Ace of hearts", "Queen of diamonds", "2 of clubs")
PLAYED = ("9 of spades", "9 of clubs", "3 of diamonds")


def folded_round(cast: Cast, rulebook: str, decision: str = "fold") -> Round:
    """A settled round in which seat 1 folded and seat 2 played."""
    cast.send_room(shift_open, "shift_manager", name="Swing")
    player_banked = load_rulebook(rulebook).player_banked
    sheet: dict[str, Any] = {
        "rulebook": rulebook,
        "bank_hand": BANK_HAND,
        "positions": [
            {
                "seat": seat,
                "player": cast.players[seat].name,
                "hand": HANDS[seat],
                "wagers": {"ante": 1000},
                "decision": choice,
            }
            for seat, choice in ((1, decision), (2, "play"))
        ],
    }
    if player_banked:
        sheet["bank"] = {"seat": 3, "wager": 20000}
    now = timezone.now()
    return Round.objects.create(
        room=cast.room,
        table=cast.table,
        shift=Shift.objects.get(),
        gaming_day=now.date(),
        number=1,
        state=Round.State.SETTLED,
        rulebook=rulebook,
        bank_seat=3 if player_banked else None,
        bank_player=cast.players[3] if player_banked else None,
        bank_wager_cents=20000 if player_banked else None,
        dealer=cast.people["dealer"],
        opened_at=now,
        bets_closed_at=now,
        dealt_at=now,
        ended_at=now,
        sheet=sheet,
        settlement=settle_json(sheet),
    )


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_folded_hand_is_face_down_until_somebody_asks_to_see_it(
    cast: Cast, person: Callable[[str], Person], rulebook: str
) -> None:
    round_ = folded_round(cast, rulebook)
    inspector = person("inspector")
    inspector.open(f"/rounds/{round_.pk}/")
    assert "face down" in inspector.text
    assert not any(card in inspector.text for card in FOLDED)
    assert all(card in inspector.text for card in PLAYED)
    assert f'href="/rounds/{round_.pk}/?folded=show#cards"' in inspector.text
    inspector.open(f"/rounds/{round_.pk}/?folded=show")
    assert all(card in inspector.text for card in (*FOLDED, *PLAYED))
    assert "face down" not in inspector.text
    assert "Turn folded hands down" in inspector.text


def test_a_hand_given_up_unseen_is_face_down_too(cast: Cast, person: Callable[[str], Person]) -> None:
    round_ = folded_round(cast, "massachusetts", "surrender")
    floor = person("floor")
    floor.open(f"/rounds/{round_.pk}/")
    assert not any(card in floor.text for card in FOLDED)


def test_nobody_is_offered_folded_hands_where_there_are_none(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    round_ = folded_round(cast, "california", "play")
    floor = person("floor")
    floor.open(f"/rounds/{round_.pk}/")
    assert all(card in floor.text for card in FOLDED)
    assert "folded hands" not in floor.text
