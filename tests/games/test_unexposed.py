"""A folded hand that was not exposed: settled without cards where no wager depends on them, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine import read_recorded_sheet, read_sheet, settle, settle_json
from games.refusal import Refusal
from games.registry import game_of, terms_of

PLAYS: dict[str, Any] = {"seat": 5, "hand": "Th 8c 3d", "wagers": {"ante": 1000}, "decision": "play"}


def sheet(position: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "rulebook": "california",
        "bank": {"seat": 3, "wager": 20000},
        "bank_hand": "Kh 7d 4c",
        "positions": [{"seat": 4, "decision": "fold", **position}, PLAYS],
        **more,
    }


@pytest.mark.parametrize(
    ("rulebook", "options"),
    [
        ("california", {}),
        ("california", {"coverage": "net", "forfeits": "first"}),
        ("designated_player", {"house_rake": {"mode": "all", "cents": 50}}),
    ],
)
def test_an_unexposed_fold_settles_as_the_same_fold_with_any_cards(
    rulebook: str, options: dict[str, Any]
) -> None:
    position = {"wagers": {"ante": 1000, "pair_plus": 500}, "tips": {"ante": 100}}
    unseen = sheet({**position, "hand": None}, rulebook=rulebook, options=options)
    for hand in ("2s 3h 7h", "As Ks Qs", "9s 9c 9d"):
        seen = sheet({**position, "hand": hand}, rulebook=rulebook, options=options)
        assert settle(read_recorded_sheet(unseen)).to_json() == settle_json(seen)
        assert read_recorded_sheet(seen).to_json() == read_sheet(seen).to_json()


def test_the_record_keeps_that_it_was_not_exposed_and_can_be_read_again() -> None:
    recorded = read_recorded_sheet(sheet({"wagers": {"ante": 1000}, "hand": None})).to_json()
    assert recorded["positions"][0] == {
        "seat": 4,
        "player": "seat 4",
        "wagers": {"ante": 1000},
        "hand": None,
        "decision": "fold",
    }
    assert read_recorded_sheet(recorded).to_json() == recorded


@pytest.mark.parametrize(
    "position",
    [
        {"wagers": {"ante": 1000, "six_card_bonus": 500}},
        {"wagers": {"ante": 1000}, "decision": "play"},
    ],
)
def test_a_hand_on_which_a_wager_hangs_must_be_exposed(position: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as refused:
        read_recorded_sheet(sheet({**position, "hand": None}))
    assert (refused.value.code, refused.value.path) == ("missing_key", "positions[0].hand")


def test_a_round_sheet_from_outside_names_every_hand() -> None:
    with pytest.raises(Refusal) as refused:
        read_sheet(sheet({"wagers": {"ante": 1000}, "hand": None}))
    assert (refused.value.code, refused.value.path) == ("wrong_type", "positions[0].hand")
    for read in (read_sheet, read_recorded_sheet):
        with pytest.raises(Refusal) as refused:
            read(sheet({"wagers": {"ante": 1000}}))
        assert (refused.value.code, refused.value.path) == ("missing_key", "positions[0].hand")


def test_which_folds_need_no_cards() -> None:
    assert folds_unseen("california", {"ante": 1, "pair_plus": 1})
    assert not folds_unseen("california", {"ante": 1, "six_card_bonus": 1})
    # Where the house banks, a folded hand counts for cover all and envy, or its pair plus is looked at.
    for rulebook in ("massachusetts", "south_dakota", "shuffle_master"):
        assert not folds_unseen(rulebook, {"ante": 1})


def folds_unseen(rulebook: str, wagers: dict[str, int]) -> bool:
    return game_of(rulebook).shows_no_cards(terms_of(rulebook, {}), wagers, "fold")
