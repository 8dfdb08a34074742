"""What may be wagered, beside what, and how much: `001`, dealing procedures 1 to 5 and 11, and the bonus rules."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine import read_bets, read_sheet
from games.refusal import Refusal
from games.registry import load_rulebook
from tests.rules.rounds import at, refusal, settled

clause = pytest.mark.clause

BANK = "Kh 7d 4c"
HAND, OTHER = "Ah Qd 2c", "9s 9c 3d"


def bets(**wagers: int) -> dict[str, Any]:
    """A sheet at "no more bets" with one position."""
    position = {"seat": 1, "wagers": wagers}
    return {"rulebook": "california", "bank": {"seat": 7, "wager": 10_000}, "positions": [position]}


@clause("california:dealing.1")
@pytest.mark.parametrize(
    ("wagers", "code", "path"),
    [
        ({"ante": 1000, "call": 500}, "unknown_key", "wagers.call"),
        ({"ante": 1000, "credit": 500}, "unknown_key", "wagers.credit"),
        ({"ante": 0}, "bad_amount", "wagers.ante"),
        ({"ante": -500}, "bad_amount", "wagers.ante"),
        ({"ante": 500.5}, "bad_amount", "wagers.ante"),
        ({"ante": "$5"}, "wrong_type", "wagers.ante"),
    ],
)
def test_a_wager_is_chips_on_a_named_spot(wagers: dict[str, Any], code: str, path: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_bets(bets(**wagers))
    assert (refused.value.code, refused.value.path) == (code, f"positions[0].{path}")


@clause("california:dealing.1.2")
@pytest.mark.parametrize(("schedule", "least", "most"), [(1, 500, 10_000), (2, 5000, None)])
def test_an_ante_keeps_within_the_table_limit(schedule: int, least: int, most: int | None) -> None:
    def outside(ante: int) -> tuple[str, str]:
        return refusal("california", BANK, at(1, HAND, ante=ante), fee_schedule=schedule)

    for ante in (least, most or 10**9):
        settled("california", BANK, at(1, HAND, ante=ante), fee_schedule=schedule)
    assert outside(least - 1) == ("outside_table_limits", "positions[0].wagers.ante")
    if most is not None:
        assert outside(most + 1) == ("outside_table_limits", "positions[0].wagers.ante")


@clause("california:dealing.2")
def test_nobody_bets_on_a_position_of_somebody_else() -> None:
    behind = at(1, OTHER, player="Bo")
    assert refusal("california", BANK, at(1, HAND, player="Ana"), behind) == (
        "seat_taken",
        "positions[1].seat",
    )
    twice = (at(1, HAND, player="Ana"), at(2, OTHER, player="Ana"))
    assert refusal("california", BANK, *twice) == ("too_many_positions", "positions[1]")


@pytest.mark.parametrize(
    "wager",
    [
        pytest.param("pair_plus", marks=clause("california:pairplus.9")),
        pytest.param("six_card_bonus", marks=clause("california:sixcard.9")),
    ],
)
def test_a_bonus_spot_holds_one_bet_of_the_seats_own_player(wager: str) -> None:
    behind = {"seat": 1, "player": "Bo", "hand": OTHER, "wagers": {wager: 100}}
    code, _ = refusal("california", BANK, at(1, HAND, player="Ana", **{wager: 100}), behind)
    assert code in ("seat_taken", "wager_needs_ante")
    text = (
        '{"rulebook": "california", "bank": {"seat": 7, "wager": 10000}, "bank_hand": "Kh 7d 4c", "positions": '
        '[{"seat": 1, "hand": "Ah Qd 2c", "decision": "play", "wagers": {"ante": 500, "W": 100, "W": 200}}]}'
    )
    with pytest.raises(Refusal) as refused:
        read_sheet(text.replace("W", wager))
    assert refused.value.code == "bad_json", "a second bet on the same spot is not merged and not dropped"


@clause("california:dealing.3")
def test_a_position_without_an_ante_is_refused() -> None:
    assert refusal("california", BANK, at(1, HAND, ante=0)) == ("no_wager", "positions[0].wagers")
    assert refusal("california", BANK) == ("no_wager", "positions")


@pytest.mark.parametrize(
    "wager",
    [
        pytest.param("pair_plus", marks=clause("california:dealing.4", "california:pairplus.1")),
        pytest.param("six_card_bonus", marks=clause("california:sixcard.1")),
    ],
)
def test_a_bonus_bet_takes_an_ante_beside_it(wager: str) -> None:
    alone = at(1, HAND, ante=0, **{wager: 500})
    assert refusal("california", BANK, alone) == ("wager_needs_ante", f"positions[0].wagers.{wager}")
    assert settled("california", BANK, at(1, HAND, **{wager: 500})).line(1, wager)["stake"] == 500


@pytest.mark.parametrize(
    "wager",
    [
        pytest.param("pair_plus", marks=clause("california:pairplus")),
        pytest.param("six_card_bonus", marks=clause("california:sixcard")),
    ],
)
def test_a_bonus_bet_may_be_left_out(wager: str) -> None:
    without = settled("california", BANK, at(1, HAND))
    assert [line["wager"] for line in without.lines] == ["ante", "play"]
    both = settled("california", BANK, at(1, HAND, **{wager: 500}))
    assert [line["wager"] for line in both.lines] == ["ante", "play", wager]


@pytest.mark.parametrize(
    "wager",
    [
        pytest.param("pair_plus", marks=clause("california:pairplus.2")),
        pytest.param("six_card_bonus", marks=clause("california:sixcard.2")),
    ],
)
def test_a_bonus_bet_lies_there_at_no_more_bets(wager: str) -> None:
    placed = read_bets(bets(ante=1000, **{wager: 500}))
    assert placed.positions[0].wagers == {"ante": 1000, wager: 500}
    document = bets(ante=1000, **{wager: 500})
    document["positions"][0]["hand"] = HAND
    with pytest.raises(Refusal) as refused:
        read_bets(document)
    assert (refused.value.code, refused.value.path) == ("unknown_key", "positions[0].hand"), (
        "no card is out by then"
    )


@clause("california:dealing.3.2")
def test_a_play_wager_is_of_the_antes_size_and_never_entered() -> None:
    for ante in (500, 1234, 10_000):
        assert settled("california", BANK, at(1, HAND, ante=ante)).line(1, "play")["stake"] == ante
    entered = at(1, HAND, play=500)
    assert refusal("california", BANK, entered) == ("unknown_key", "positions[0].wagers.play")


@clause("california:dealing.11")
def test_an_ante_is_either_played_or_folded() -> None:
    assert refusal("california", BANK, at(1, HAND, None)) == ("decision_required", "positions[0].decision")
    for word in ("surrender", "call", "raise", ""):
        assert refusal("california", BANK, at(1, HAND, word)) == (
            "decision_not_allowed",
            "positions[0].decision",
        )
    assert set(settled("california", BANK, at(1, HAND, "play")).outcomes(1)) == {"ante", "play"}
    folded = settled("california", BANK, at(1, HAND, "fold"))
    assert folded.outcomes(1) == {"ante": "forfeit"} and folded.line(1, "ante")["taken"] == 1000


@pytest.mark.parametrize(
    ("wager", "label"),
    [
        pytest.param("ante", "Ante", marks=clause("california:table.areas.a")),
        pytest.param("play", "Play", marks=clause("california:table.areas.b")),
        pytest.param("pair_plus", "Pair Plus", marks=clause("california:table.areas.c")),
        pytest.param("six_card_bonus", "6 Card Bonus", marks=clause("california:table.areas.d")),
    ],
)
@clause("california:table.areas")
def test_every_spot_of_the_layout_has_its_printed_name(wager: str, label: str) -> None:
    wagers = load_rulebook("california").wagers
    assert wagers[wager].name == label
    assert set(wagers) == {"ante", "play", "pair_plus", "six_card_bonus"}, "four areas and no other"
