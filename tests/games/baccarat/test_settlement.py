"""Baccarat settled by hand, its drawing rules against a table of their own, its refusals, and its odds."""

import itertools
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from games.baccarat.hands import banker_draws, player_draws
from games.baccarat.odds import coups
from games.baccarat.settle import format_result, verdict_on
from games.engine import read_bets, settle_json
from games.exposure import exposure
from games.odds import compare
from games.refusal import Refusal
from games.registry import game_of, load_rulebook, terms_of

CENT_FIELDS = ("paid", "taken", "returned", "toked", "short", "uncovered")


def coup(player: str, banker: str, *positions: dict[str, Any], **rest: Any) -> dict[str, Any]:
    return {
        "rulebook": "baccarat",
        "bank": {"seat": 1, "wager": 100_000},
        "player_hand": player,
        "banker_hand": banker,
        "positions": list(positions) or [{"seat": 3, "wagers": {"player": 1000}}],
        **rest,
    }


def every_wager() -> dict[str, Any]:
    wagers = {"player": 1000, "banker": 2000, "tie": 100, "dragon_7": 100, "panda_8": 100}
    return {"seat": 3, "player": "Ana", "wagers": wagers}


def by_wager(document: dict[str, Any]) -> dict[str, tuple[str, int, int]]:
    """The outcome of each wager, what is paid on it and what is taken."""
    lines = settle_json(document)["lines"]
    return {line["wager"]: (line["outcome"], line["paid"], line["taken"]) for line in lines}


@pytest.mark.parametrize(
    ("player", "banker", "outcomes"),
    [
        ("9h Kd", "8c Ts", {"player": ("win", 1000, 0), "banker": ("lose", 0, 2000)}),
        ("2h 4d", "Kc 7s", {"player": ("lose", 0, 1000), "banker": ("win", 2000, 0)}),
        ("9h Kd", "9c Ts", {"player": ("push", 0, 0), "banker": ("push", 0, 0), "tie": ("win", 800, 0)}),
        # The banker draws to a seven: the banker's wager goes back, Dragon 7 pays 40 to 1.
        ("Kh Qd 6c", "2c Ts 5d", {"banker": ("push", 0, 0), "dragon_7": ("win", 4000, 0), "player": ("lose", 0, 1000)}),
        # A seven of two cards is no dragon.
        ("Kh 6d", "2c 5s", {"banker": ("win", 2000, 0), "dragon_7": ("lose", 0, 100)}),
        # The player draws to an eight: Panda 8 pays 25 to 1 beside the even money.
        ("Kh 5d 3c", "7c Ts", {"panda_8": ("win", 2500, 0), "player": ("win", 1000, 0)}),
        ("4h 4d", "7c Ts", {"panda_8": ("lose", 0, 100), "player": ("win", 1000, 0)}),
        # An eight of three cards that ties is no panda.
        ("Kh 5d 3c", "2c 6s", {}),
    ],
)  # fmt: skip
def test_coups_settled_by_hand(player: str, banker: str, outcomes: dict[str, Any]) -> None:
    if not outcomes:  # 2 and 6 is a natural eight: the player's hand may not draw
        with pytest.raises(Refusal, match="takes no third card"):
            settle_json(coup(player, banker, every_wager()))
        return
    settled = by_wager(coup(player, banker, every_wager()))
    assert {wager: settled[wager] for wager in outcomes} == outcomes


@pytest.mark.parametrize(
    ("player", "banker", "lines"),
    [
        ("9h Kd", "8c Ts", {"player": ("win", "wagers.1"), "banker": ("lose", "wagers.2")}),
        ("9h Kd", "9c Ts", {"player": ("push", "wagers.8"), "banker": ("push", "wagers.8")}),
        ("Kh Qd 6c", "2c Ts 5d", {"player": ("lose", "wagers.1"), "banker": ("push", "wagers.2.a")}),
    ],
)
def test_each_outcome_of_a_hand_names_its_clause(
    player: str, banker: str, lines: dict[str, tuple[str, str]]
) -> None:
    settled = {line["wager"]: line for line in settle_json(coup(player, banker, every_wager()))["lines"]}
    for wager, (outcome, clause) in lines.items():
        assert (settled[wager]["outcome"], settled[wager]["clause"]) == (outcome, f"baccarat:{clause}")


def test_several_bettors_on_one_spot_are_settled_one_after_the_other_until_the_bank_is_exhausted() -> None:
    positions = (
        {"seat": 4, "player": "Cy", "wagers": {"player": 3000}},
        {"seat": 3, "player": "Ana", "wagers": {"player": 2000}, "tips": {"player": 100}},
        {"seat": 3, "player": "Bo", "wagers": {"player": 1500}},
    )
    settled = settle_json(coup("9h Kd", "8c Ts", *positions, bank={"seat": 1, "wager": 4000}, action_seat=2))
    lines = [
        (line["seat"], line["player"], line["for"], line["paid"], line["uncovered"])
        for line in settled["lines"]
    ]
    assert lines == [
        (3, "Ana", "player", 2000, 0),
        (3, "Ana", "dealer", 100, 0),
        (3, "Bo", "player", 1500, 0),
        (4, "Cy", "player", 400, 0),
    ]
    assert settled["lines"][-1]["short"] == 2600
    assert settled["bank"] == {
        "seat": 1, "wager": 4000, "won": 0, "lost": 4000, "net": -4000, "remaining": 0, "exhausted": True,
    }  # fmt: skip
    assert settled["total_table_action"] == 6500
    assert settled["tokes"] == 200


def test_total_table_action_counts_player_and_banker_alone() -> None:
    assert read_bets({key: value for key, value in coup("", "", every_wager()).items() if "hand" not in key}
    ).total_table_action == 3000  # fmt: skip


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"player_hand": "4h 4d 2c"}, "wrong_draw", "player_hand"),
        ({"player_hand": "2h 3d"}, "wrong_draw", "player_hand"),
        ({"player_hand": "2h 4d", "banker_hand": "Kc 5d"}, "wrong_draw", "banker_hand"),
        ({"banker_hand": "Kc"}, "hand_size", "banker_hand"),
        ({"banker_hand": "Kc 1d"}, "bad_card", "banker_hand"),
        ({"bank_hand": "Kc 7d"}, "unknown_key", "bank_hand"),
        ({"positions": [{"seat": 3, "wagers": {"tie": 100}}]}, "wager_needs_main", "positions[0].wagers.tie"),
        ({"positions": [{"seat": 3, "wagers": {}}]}, "no_wager", "positions[0].wagers"),
        ({"positions": [{"seat": 3, "wagers": {"ante": 100}}]}, "unknown_key", "positions[0].wagers.ante"),
        ({"positions": [{"seat": 1, "wagers": {"player": 100}}]}, "bank_has_wagers", "positions[0].seat"),
        ({"positions": [{"seat": 10, "wagers": {"player": 100}}]}, "bad_seat", "positions[0].seat"),
        ({"positions": [{"seat": 3, "wagers": {"player": 100}, "tips": {"tie": 5}}]}, "tip_needs_wager",
         "positions[0].tips.tie"),
        ({"positions": [{"seat": 3, "wagers": {"player": 100}}] * 2}, "seat_taken", "positions[1].seat"),
        ({"options": {"tips": "none"}, "positions": [{"seat": 3, "wagers": {"player": 100}, "tips": {"player": 5}}]},
         "tip_not_allowed", "positions[0].tips.player"),
        ({"options": {"version": "standard"}}, "unknown_option", "options.version"),
        ({"options": {"coverage": "funds"}}, "bad_option", "options.coverage"),
    ],
)  # fmt: skip
def test_bad_sheets_are_refused(change: dict[str, Any], code: str, path: str) -> None:
    with pytest.raises(Refusal) as refused:
        settle_json({**coup("9h Kd", "Kc 7s"), **change})
    assert (refused.value.code, refused.value.path) == (code, path)


def test_a_card_of_the_shoe_lies_there_eight_times_at_most() -> None:
    # Six cards are the most of a round, so a shoe of eight decks never runs out of one.
    assert settle_json(coup("Kh Kh Kh", "Kh Kh Kh"))["lines"][0]["outcome"] == "push"


#: When the banker draws, by its count of two cards, for each third card of the player from 0 to 9: as casinos print it.
PRINTED = {
    0: "DDDDDDDDDD", 1: "DDDDDDDDDD", 2: "DDDDDDDDDD", 3: "DDDDDDDDSD", 4: "SSDDDDDDSS", 5: "SSSSDDDDSS", 6: "SSSSSSDDSS",
    7: "SSSSSSSSSS",
}  # fmt: skip


def test_the_banker_draws_by_the_printed_table() -> None:
    for (banker, row), third in itertools.product(PRINTED.items(), range(10)):
        assert banker_draws(0, banker, third) == (row[third] == "D"), (banker, third)
    for player, banker in itertools.product(range(10), repeat=2):
        natural = player > 7 or banker > 7
        assert player_draws(player, banker) == (not natural and player <= 5)
        assert banker_draws(player, banker, None) == (not natural and banker <= 5)


def test_every_cent_of_every_wager_goes_somewhere() -> None:
    chance, game, terms = Random(4), game_of("baccarat"), terms_of("baccarat", {})
    for _ in range(300):
        hands, _ = game.draw_play(chance, terms, [])
        positions = [
            {
                "seat": seat,
                "player": f"p{number}",
                "wagers": {"player": 100 * number, "banker": 500, "dragon_7": 100},
            }
            for number, seat in enumerate((2, 2, 5, 9), 1)
        ]
        coverage = chance.choice(["gross", "net"])
        document = coup("", "", *positions, **hands, bank={"seat": 1, "wager": chance.choice([300, 2000, 90_000])},
                        options={"coverage": coverage})  # fmt: skip
        settled = settle_json(document)
        assert sum(settled["net"].values()) + settled["bank"]["net"] == 0
        for line in settled["lines"]:
            assert line["taken"] + line["returned"] == line["stake"]
            assert line["paid"] + line["short"] == line["owed"]


def test_exact_odds_round_to_the_published_ones() -> None:
    rows = game_of("baccarat").odds_of("baccarat")
    assert [row.wager for row in rows] == ["player", "banker", "tie", "dragon_7", "panda_8"]
    for row in rows:
        [comparison] = compare(row)
        assert comparison.agrees, (row.wager, float(row.edge))
    assert {row.wager: comparison.published.percent for row in rows for comparison in compare(row)}[
        "panda_8"
    ] == Decimal("10.188")


def test_the_coups_are_all_deals_of_six_cards() -> None:
    deals = 1
    for cards in range(416, 410, -1):
        deals *= cards
    assert sum(coups(8).values()) == deals


def test_exposure_is_the_most_that_any_coup_brings() -> None:
    placed = {"seat": 3, "wagers": {"player": 1000, "panda_8": 100}, "tips": {"player": 100}}
    faces = exposure(
        load_rulebook("baccarat"), {}, [placed, {"seat": 3, "wagers": {"banker": 2000}, "tips": {}}]
    )
    assert faces.by_seat == {3: 1000 + 2500 + 100 + 2000}  # a panda, and for the other bettor a banker's win


@pytest.mark.parametrize(
    ("wagers", "most"),
    [
        ({"player": 1000}, 1000),
        ({"banker": 2000}, 2000),
        ({"player": 1000, "tie": 500}, 8 * 500),
        ({"banker": 1000, "dragon_7": 100}, 40 * 100),
        ({"banker": 9000, "dragon_7": 100}, 9000),  # it pushes with the Dragon 7
        ({"player": 1000, "panda_8": 100}, 1000 + 25 * 100),
    ],
)
def test_each_wager_is_foreseen_in_the_coup_that_pays_it(wagers: dict[str, int], most: int) -> None:
    placed = {"seat": 3, "wagers": wagers, "tips": {}}
    assert exposure(load_rulebook("baccarat"), {}, [placed]).by_seat == {3: most}


def test_of_two_hands_of_which_one_wins_even_money_is_the_one_that_costs_more() -> None:
    placed = [
        {"seat": 3, "wagers": {"player": 1000, "panda_8": 100}, "tips": {"player": 100}},
        {"seat": 4, "wagers": {"banker": 900}, "tips": {}},
    ]
    faces = exposure(load_rulebook("baccarat"), {}, placed)
    assert (faces.even_money, faces.bonus) == (1100, 2500)
    faces = exposure(
        load_rulebook("baccarat"), {}, [*placed, {"seat": 5, "wagers": {"banker": 300}, "tips": {}}]
    )
    assert faces.even_money == 1200


@pytest.mark.parametrize(
    ("path", "value", "text"),
    [
        ("player_hand", 5, "a hand is a text"),
        ("banker_hand", ["Ah"], "a hand is a text"),
        ("action_seat", "3", "a seat is a number"),
        ("meter", "3", "an amount is a number of cents"),
        ("positions", 5, "positions are a list"),
    ],
)
def test_a_value_of_another_kind_is_refused_as_that(path: str, value: Any, text: str) -> None:
    with pytest.raises(Refusal) as raised:
        settle_json({**coup("Kh Qd 6c", "2c Ts 5d"), path: value})
    assert (raised.value.code, raised.value.path) == ("wrong_type", path)
    assert text in raised.value.message


@pytest.mark.parametrize(
    ("player", "banker", "points", "text"),
    [
        ("2h 4d", "Kc 6s", (6, 6), "Player 6, Banker 6: tie"),
        ("9h Kd", "8c Ts", (9, 8), "Player 9, Banker 8: Player wins"),
        ("2h 4d", "Ac 6s", (6, 7), "Player 6, Banker 7: Banker wins"),
        ("Kh Qd 6c", "2c Ts 5d", (6, 7), "Player 6, Banker 7: Banker wins · Dragon 7"),
        ("Kh 5d 3c", "7c Ts", (8, 7), "Player 8, Banker 7: Player wins · Panda 8"),
    ],
)
def test_both_hands_have_points_and_the_result_is_called(
    player: str, banker: str, points: tuple[int, int], text: str
) -> None:
    game, terms = game_of("baccarat"), terms_of("baccarat", {})
    deal = game.deal(terms)
    assert [(hand.role, hand.name) for hand in deal.hands] == [("side", "Player"), ("side", "Banker")]
    assert (deal.points(player), deal.points(banker)) == points
    hands = {"player_hand": player, "banker_hand": banker}
    assert game.format_result(terms, hands) == text
    assert settle_json(coup(player, banker))  # as the drawing rules have it


def test_the_words_agree_with_the_settlement_of_every_coup() -> None:
    """The tie that is called is the one that pays, and so are the hand that wins and the bonus beside it."""
    terms = terms_of("baccarat", {})
    for each in coups(8):
        text = format_result(each, terms).split(": ")[1]
        pays = {wager for wager in terms.rulebook.wagers if verdict_on(wager, each, terms).outcome == "win"}
        assert (text == "tie") == ("tie" in pays)
        assert ("Panda 8" in text) == ("panda_8" in pays)
        assert ("Dragon 7" in text) == ("dragon_7" in pays)
        if "player" in pays:
            assert text.startswith("Player wins")
