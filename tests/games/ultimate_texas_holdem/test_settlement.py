"""Ultimate Texas Hold'em settled by hand: every outcome with its clause, and every refusal."""

from typing import Any

import pytest

from games.engine import check_wagers, read_bets, read_recorded_sheet, settle_json, settle_wagers
from games.exposure import exposure
from games.refusal import Refusal
from games.registry import game_of, load_rulebook, terms_of

BOARD = "9h 9c 4d 2c 7d"


def round_of(
    *positions: dict[str, Any], bank: str = "Qs Js", board: str = BOARD, **rest: Any
) -> dict[str, Any]:
    return {
        "rulebook": "ultimate_texas_holdem",
        "bank": {"seat": 1, "wager": 1_000_000},
        "bank_hand": bank,
        "board": board,
        "positions": list(positions),
        **rest,
    }


def ana(hand: str | None, decision: str, **wagers: int) -> dict[str, Any]:
    return {
        "seat": 3,
        "player": "Ana",
        "wagers": {"ante": 1000, **wagers},
        "hand": hand,
        "decision": decision,
    }


def by_wager(document: dict[str, Any]) -> dict[str, tuple[str, int, int, str]]:
    """The outcome of each wager, what is paid on it, what is taken, and the clause without its document."""
    return {
        line["wager"]: (line["outcome"], line["paid"], line["taken"], line["clause"].partition(":")[2])
        for line in settle_json(document)["lines"]
    }


@pytest.mark.parametrize(
    ("bank", "board", "hand", "decision", "outcomes"),
    [
        # Three nines beat a pair of nines: no straight, so the blind goes back.
        ("Qs Js", BOARD, "9d Ks", "4x", {
            "ante": ("win", 1000, 0, "winners.1"), "blind": ("push", 0, 0, "winners.3.a"),
            "play": ("win", 4000, 0, "winners.2"), "trips": ("win", 1500, 0, "winners.4"),
        }),
        # A flush against a pair: the blind pays 3 to 2.
        ("Qs Js", "9h 4h 2h 2c 7d", "Kh 5h", "check 2x", {
            "ante": ("win", 1000, 0, "winners.1"), "blind": ("win", 1500, 0, "winners.3"),
            "play": ("win", 2000, 0, "winners.2"), "trips": ("win", 3500, 0, "winners.4"),
        }),
        # A straight to the five.
        ("9s 9d", "Ah 2c 3d 9h Kc", "4s 5d", "check check 1x", {
            "ante": ("win", 1000, 0, "winners.1"), "blind": ("win", 1000, 0, "winners.3"),
            "play": ("win", 1000, 0, "winners.2"), "trips": ("win", 2000, 0, "winners.4"),
        }),
        # The bank wins with a better kicker; trips loses on a pair.
        ("As Js", BOARD, "Ks Qd", "3x", {
            "ante": ("lose", 0, 1000, "winners.1"), "blind": ("lose", 0, 1000, "winners.3.b"),
            "play": ("lose", 0, 3000, "winners.2"), "trips": ("lose", 0, 500, "winners.4"),
        }),
        # The bank has no pair: the ante goes back, the others are compared.
        ("Qs Ts", "Ah 8c 4d 2c 7d", "Kd Jc", "4x", {
            "ante": ("push", 0, 0, "bank.2"), "blind": ("push", 0, 0, "winners.3.a"),
            "play": ("win", 4000, 0, "winners.2"), "trips": ("lose", 0, 500, "winners.4"),
        }),
        ("Ks Ts", "Ah 8c 4d 2c 7d", "Qd Jc", "check check 1x", {
            "ante": ("push", 0, 0, "bank.2"), "blind": ("lose", 0, 1000, "winners.3.b"),
            "play": ("lose", 0, 1000, "winners.2"), "trips": ("lose", 0, 500, "winners.4"),
        }),
        # Both play the board: everything but trips goes back.
        ("2s 3s", "Th Jc Qd Kc As", "2d 3d", "check check 1x", {
            "ante": ("push", 0, 0, "winners.5"), "blind": ("push", 0, 0, "winners.5"),
            "play": ("push", 0, 0, "winners.5"), "trips": ("win", 2000, 0, "winners.4"),
        }),
        # A fold loses ante and blind; trips is still paid by the hand.
        ("Qs Js", "9h 9c 9d 2c 7d", "3s 5d", "check check fold", {
            "ante": ("forfeit", 0, 1000, "play.5"), "blind": ("forfeit", 0, 1000, "play.5"),
            "trips": ("win", 1500, 0, "winners.4"),
        }),
        # A royal flush.
        ("Qs Js", "Ah Kh Qh 2c 7d", "Jh Th", "4x", {
            "ante": ("win", 1000, 0, "winners.1"), "blind": ("win", 500_000, 0, "winners.3"),
            "play": ("win", 4000, 0, "winners.2"), "trips": ("win", 25_000, 0, "winners.4"),
        }),
    ],
)  # fmt: skip
def test_hands_settled_by_hand(
    bank: str, board: str, hand: str, decision: str, outcomes: dict[str, tuple[str, int, int, str]]
) -> None:
    assert by_wager(round_of(ana(hand, decision, trips=500), bank=bank, board=board)) == outcomes


def test_the_blind_follows_the_ante_and_may_be_written_out() -> None:
    alone, written = ana("9d Ks", "4x"), ana("9d Ks", "4x", blind=1000)
    assert settle_json(round_of(alone)) == settle_json(round_of(written))
    placed = check_wagers("ultimate_texas_holdem", None, {"seat": 3, "wagers": {"ante": 1000}})
    assert placed.wagers == {"ante": 1000, "blind": 1000}


@pytest.mark.parametrize(
    ("position", "code", "path"),
    [
        (ana("9d Ks", "4x", blind=500), "wager_not_equal", "positions[0].wagers.blind"),
        (ana("9d Ks", "4x", play=4000), "unknown_key", "positions[0].wagers.play"),
        (ana("9d Ks", "4x", pair_plus=500), "unknown_key", "positions[0].wagers.pair_plus"),
        (ana("9d Ks", "check 4x"), "decision_not_allowed", "positions[0].decision"),
        (ana("9d Ks", "2x"), "decision_not_allowed", "positions[0].decision"),
        (ana("9d Ks", "check check"), "decision_not_allowed", "positions[0].decision"),
        (ana("9d Ks", "fold"), "decision_not_allowed", "positions[0].decision"),
        (ana("9d", "4x"), "hand_size", "positions[0].hand"),
        (ana("9d 9d", "4x"), "duplicate_card", "positions[0].hand"),
        (ana("9h Ks", "4x"), "duplicate_card", "positions[0].hand"),
        (ana("9x Ks", "4x"), "bad_card", "positions[0].hand"),
        (
            {"seat": 3, "wagers": {"trips": 500}, "hand": "9d Ks"},
            "wager_needs_ante",
            "positions[0].wagers.trips",
        ),
        (
            {"seat": 3, "wagers": {"blind": 500}, "hand": "9d Ks"},
            "wager_needs_ante",
            "positions[0].wagers.blind",
        ),
        ({"seat": 3, "wagers": {}, "hand": "9d Ks"}, "no_wager", "positions[0].wagers"),
        ({"seat": 3, "wagers": {"ante": 500}, "hand": "9d Ks"}, "decision_required", "positions[0].decision"),
        ({**ana("9d Ks", "4x"), "tips": {"blind": 100}}, "tip_not_allowed", "positions[0].tips.blind"),
        (
            {**ana("9d Ks", "4x"), "tips": {"ante": 100, "play": 401}},
            "tip_not_allowed",
            "positions[0].tips.play",
        ),
        (
            {**ana("9d Ks", "check check fold"), "tips": {"ante": 100, "play": 100}},
            "tip_needs_wager",
            "positions[0].tips.play",
        ),
    ],
)
def test_what_a_position_may_not_say(position: dict[str, Any], code: str, path: str) -> None:
    with pytest.raises(Refusal) as refused:
        settle_json(round_of(position))
    assert (refused.value.code, refused.value.path) == (code, path)


def test_a_board_and_a_bank_share_no_card() -> None:
    for rest, path in (({"board": "9h 9c 4d 2c"}, "board"), ({"bank": "9h Js"}, "bank_hand")):
        with pytest.raises(Refusal) as refused:
            settle_json(round_of(ana("9d Ks", "4x"), **rest))
        assert refused.value.path == path


def test_a_fold_that_no_card_decides_may_stay_unseen_at_a_table() -> None:
    unseen = round_of(ana(None, "check check fold"))
    assert {line.outcome for line in settle_wagers(read_recorded_sheet(unseen)).lines} == {"forfeit"}
    with pytest.raises(Refusal, match="two cards must be given"):
        read_recorded_sheet(round_of(ana(None, "check check fold", trips=500)))
    # By an approval under which a fold loses trips too, nothing depends on the cards.
    loses_all = {"approval": {"fold": {"forfeits": ["ante", "blind", "trips"]}}}
    read_recorded_sheet(round_of(ana(None, "check check fold", trips=500), options=loses_all))
    game, terms = game_of("ultimate_texas_holdem"), terms_of("ultimate_texas_holdem", {})
    assert game.shows_no_cards(terms, {"ante": 1, "blind": 1}, "check check fold")
    assert not game.shows_no_cards(terms, {"ante": 1, "blind": 1, "trips": 1}, "check check fold")


def test_the_points_of_a_round_come_with_the_board_that_lies_by_then() -> None:
    game, terms = game_of("ultimate_texas_holdem"), terms_of("ultimate_texas_holdem", {})
    assert [
        (point.id, point.board, [each.id for each in point.decisions]) for point in game.points(terms)
    ] == [
        ("before_flop", 0, ["check", "4x", "3x"]),
        ("flop", 3, ["check", "2x"]),
        ("river", 5, ["1x", "fold"]),
    ]
    paths = ["check check 1x", "check check fold", "check 2x", "4x", "3x"]
    assert [each.id for each in game.decisions(terms)] == paths
    assert game.given_up(terms) == {"check check fold"}


def test_a_bank_covers_in_order_until_it_is_exhausted() -> None:
    second = {**ana("Ks Kd", "4x"), "seat": 4, "player": "Bo"}
    settled = settle_json(round_of(ana("9d As", "4x"), second, bank={"seat": 1, "wager": 6000})
                          | {"bank_hand": "Qs Js", "bank": {"seat": 1, "wager": 6000}})  # fmt: skip
    assert [(line["seat"], line["wager"], line["paid"], line["short"], line["uncovered"]) for line in settled["lines"]] == [
        (3, "ante", 1000, 0, 0), (3, "blind", 0, 0, 0), (3, "play", 4000, 0, 0),
        (4, "ante", 1000, 0, 0), (4, "blind", 0, 0, 1000), (4, "play", 0, 0, 4000),
    ]  # fmt: skip
    assert settled["bank"]["exhausted"]


def test_tips_fare_as_the_wager_beside_them() -> None:
    position = {**ana("9d Ks", "4x", trips=500), "tips": {"ante": 100, "play": 400, "trips": 50}}
    settled = settle_json(round_of(position))
    tips = {line["wager"]: line["toked"] for line in settled["lines"] if line["for"] == "dealer"}
    assert tips == {"ante": 200, "play": 800, "trips": 200}


def test_what_the_bank_may_have_to_pay() -> None:
    bets = [{"seat": 3, "wagers": {"ante": 1000, "trips": 500}, "tips": {"ante": 100}}]
    most = exposure(load_rulebook("ultimate_texas_holdem"), {}, bets)
    assert most is not None
    # A royal flush: ante, 500 times the blind, four times the play, 50 times trips; tips on ante and play.
    assert most.total == 1000 + 500_000 + 4000 + 25_000 + 100 + 400
    assert most.even_money == 1000 + 4000 + 100 + 400
    assert most.bonus == 500_000 + 25_000


def test_wagers_fix_before_the_cards() -> None:
    bets = read_bets({"rulebook": "ultimate_texas_holdem", "bank": {"seat": 1, "wager": 1000},
                      "positions": [{"seat": 3, "wagers": {"ante": 1000}}]})  # fmt: skip
    assert bets.total_table_action == 1000


def test_the_bank_is_called_as_a_dealer_does() -> None:
    game, terms = game_of("ultimate_texas_holdem"), terms_of("ultimate_texas_holdem", {})
    called = game.format_result(terms, {"bank_hand": "Qs Js", "board": BOARD})
    assert called == "The bank: pair of nines"
    called = game.format_result(terms, {"bank_hand": "Qs Ts", "board": "Ah 8c 4d 2c 7d"})
    assert called == "The bank: ace high, which does not qualify"
