"""A game written by docs/recipes/add-a-game.md works wherever the engine, the fees and the bank ask a game."""

import tomllib
from typing import Any

import pytest

from fees.charges import Ante
from fees.quote import quote
from fees.rates import read_schedule
from games import registry
from games.engine import read_bets, settle_json
from games.exposure import exposure
from games.refusal import Refusal
from games.registry import load_rulebook, main_wagers, terms_of
from games.terms import cents_on
from tests.samples import ROOT

from .toy_game import BOOK, HighCardDuel, register

SHEET: dict[str, Any] = {
    "rulebook": "toy",
    "bank": {"seat": 1, "wager": 5000},
    "action_seat": 3,
    "bank_hand": "9h",
    "positions": [
        {"seat": 2, "player": "Ana", "wagers": {"duel": 1000}, "hand": "8c"},
        {"seat": 3, "player": "Bo", "wagers": {"duel": 2000, "equal": 500}, "hand": "9c"},
        {"seat": 5, "player": "Cy", "wagers": {"duel": 3000}, "hand": "Kc"},
    ],
}


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def test_it_is_settled_and_covered_like_any_other() -> None:
    settled = settle_json(SHEET)
    lines = [
        (line["seat"], line["wager"], line["outcome"], line["paid"], line["short"])
        for line in settled["lines"]
    ]
    # From the action seat: Bo's equal ranks use the whole wager, so that nothing is left for Cy and Ana.
    assert lines == [
        (3, "duel", "push", 0, 0),
        (3, "equal", "win", 5000, 0),
        (5, "duel", "uncovered", 0, 0),
        (2, "duel", "uncovered", 0, 0),
    ]
    assert settled["bank"]["exhausted"]
    assert settled["total_table_action"] == 6000
    assert settled["net"] == {"Ana": 0, "Bo": 5000, "Cy": 0}


def test_its_main_wagers_are_charged() -> None:
    schedule = read_schedule(
        {
            "clause": "filed",
            "ante_min_cents": 500,
            "ante_max_cents": None,
            "lines": [
                {"payer": "player", "per": "ante", "fee_cents": 100},
                {
                    "payer": "bank",
                    "per": "total_table_action",
                    "lower_cents": 500,
                    "upper_cents": None,
                    "fee_cents": 200,
                },
            ],
        },
        number=1,
        title="One",
    )
    main = main_wagers("toy", {})
    positions = read_bets({key: SHEET[key] for key in ("rulebook", "bank")} | {
        "positions": [{key: each[key] for key in ("seat", "player", "wagers")} for each in SHEET["positions"]]
    }).positions  # fmt: skip
    antes = [Ante(each.seat, each.player, cents_on(each.wagers, main), each.wagers) for each in positions]
    assert quote(schedule, antes, bank_seat=1).drop_cents == 3 * 100 + 200
    assert quote(schedule, antes, bank_seat=1).total_table_action_cents == 6000


def test_the_bank_faces_what_the_game_says() -> None:
    faces = exposure(load_rulebook("toy"), {}, [{"seat": 2, "wagers": {"duel": 1000, "equal": 500}}])
    assert faces.by_seat == {2: 5000}


def test_its_spots_are_those_of_its_rulebook() -> None:
    spots = terms_of("toy", {}).spots
    assert [(spot.id, spot.charged, spot.needs) for spot in spots] == [
        ("duel", True, "nothing"),
        ("equal", False, "duel"),
    ]
    assert load_rulebook("toy") is BOOK


def test_its_refusals_name_the_place() -> None:
    broken = {**SHEET, "positions": [{**SHEET["positions"][0], "wagers": {"ante": 5}}]}
    with pytest.raises(Refusal) as refused:
        settle_json(broken)
    assert (refused.value.code, refused.value.path) == ("unknown_key", "positions[0].wagers.ante")


def test_its_shoe_of_six_decks_has_no_card_seven_times() -> None:
    positions = [
        {**SHEET["positions"][0], "seat": seat, "player": f"P{seat}", "hand": "9h"} for seat in (2, 3, 4, 5)
    ]
    assert settle_json({**SHEET, "positions": positions})["net"] == {"P2": 0, "P3": 0, "P4": 0, "P5": 0}


def test_a_game_without_approvals_refuses_one() -> None:
    options = {"approval": {"number": "GEGR-1", "seats": 4, "sources": {"seats": "1"}}}
    with pytest.raises(Refusal) as refused:
        settle_json({**SHEET, "options": options})
    assert (refused.value.code, refused.value.path) == ("unknown_option", "options.approval")
    with pytest.raises(Refusal) as refused:
        main_wagers("toy", options)
    assert (refused.value.code, refused.value.path) == ("unknown_option", "options.approval")
    assert "takes no approval" in str(refused.value.message)


def test_each_game_is_a_folder_that_both_contracts_name() -> None:
    """No tool misses a folder among those that the registry alone imports."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    [protected] = [each["protected_modules"] for each in contracts if each["type"] == "protected"]
    folders = {
        type(game).__module__.removesuffix(".game")
        for game in registry.GAMES
        if type(game) is not HighCardDuel
    }
    assert set(protected) == folders
