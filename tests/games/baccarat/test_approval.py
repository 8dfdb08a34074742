"""Baccarat of a room's own approval: decks in use, paytables, wagers left out, and what is refused."""

from fractions import Fraction
from math import perm
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.cards import CARD_TEXTS
from games.engine import settle_json
from games.exposure import exposure
from games.odds import compare
from games.refusal import Refusal
from games.registry import game_of, rulebook_with, terms_of

POINTS = {rank: 0 if rank in "TJQK" else 1 if rank == "A" else int(rank) for rank in "A23456789TJQK"}
USUAL = {"player": "1:1", "banker": "1:1", "tie": "8:1", "dragon_7": "40:1", "panda_8": "25:1"}


def approved(**said: Any) -> dict[str, Any]:
    return {"approval": {"number": "GEGR-004900", **said}}


def round_of(options: dict[str, Any], wagers: dict[str, int], player: str, banker: str) -> dict[str, Any]:
    return {
        "rulebook": "baccarat", "options": options, "bank": {"seat": 1, "wager": 10**8}, "player_hand": player,
        "banker_hand": banker, "positions": [{"seat": 3, "player": "Ana", "wagers": wagers}],
    }  # fmt: skip


def lines(document: dict[str, Any]) -> dict[str, tuple[str, int, str]]:
    return {
        line["wager"]: (line["outcome"], line["paid"], line["clause"])
        for line in settle_json(document)["lines"]
    }


def test_three_to_eight_decks_are_the_tables_to_say() -> None:
    said = approved(cards={"decks": [3, 8]}, sources={"cards.decks": "3, page 2"})
    for options, decks in ((said, 8), (said | {"decks": 3}, 3), (said | {"decks": 6}, 6)):
        terms = terms_of("baccarat", options)
        assert (game_of("baccarat").deal(terms).decks, terms.options["decks"]) == (decks, decks)
    for other in (2, 9, "6", True):
        with pytest.raises(Refusal) as refused:
            terms_of("baccarat", said | {"decks": other})
        assert (refused.value.code, refused.value.path) == ("bad_option", "options.decks")


def test_a_document_of_one_number_of_decks_leaves_no_choice() -> None:
    assert "decks" not in terms_of("baccarat", {}).options
    assert game_of("baccarat").deal(terms_of("baccarat", approved(cards={"decks": 6}))).decks == 6
    with pytest.raises(Refusal, match="no such option"):
        terms_of("baccarat", {"decks": 8})


def test_a_card_lies_no_more_often_than_decks_are_in_use() -> None:
    said = approved(cards={"decks": [1, 8]})
    twice = round_of(said | {"decks": 1}, {"player": 1000}, "9h Kd", "9h Ts")
    with pytest.raises(Refusal) as refused:
        settle_json(twice)
    assert refused.value.code == "duplicate_card"
    assert settle_json({**twice, "options": said | {"decks": 2}})


def test_a_commission_is_printed_as_odds() -> None:
    options = approved(
        pays={"banker": "19:20"},
        banker={"three_card_seven": "paid"},
        sources={"pays.banker": "7.2, page 5"},
    )
    assert lines(round_of(options, {"banker": 2000}, "2h 4d", "Kc 7s"))["banker"] == (
        "win", 1900, "GEGR-004900:7.2, page 5",
    )  # fmt: skip
    # A seven of three cards is paid as any win.
    assert lines(round_of(options, {"banker": 2000}, "Kh Qd 6c", "2c Ts 5d"))["banker"][:2] == ("win", 1900)
    # A part of a cent is rounded down.
    assert lines(round_of(options, {"banker": 101}, "2h 4d", "Kc 7s"))["banker"][1] == 95


def test_wagers_are_left_out_and_paid_otherwise() -> None:
    options = approved(
        wagers={"panda_8": {"offered": False}, "tie": {"needs": "nothing", "name": "Egalité"}},
        pays={"tie": 9},
        sources={"wagers.panda_8.offered": "1", "pays.tie": "7.3", "wagers.tie.needs": "6.1"},
    )
    assert lines(round_of(options, {"tie": 500}, "9h Kd", "9c Ts"))["tie"] == ("win", 4500, "GEGR-004900:7.3")
    with pytest.raises(Refusal) as refused:
        settle_json(round_of(options, {"player": 500, "panda_8": 100}, "9h Kd", "9c Ts"))
    assert refused.value.path == "positions[0].wagers.panda_8"
    with pytest.raises(Refusal) as refused:
        settle_json(round_of(options, {"dragon_7": 100, "tie": 100}, "9h Kd", "9c Ts"))
    assert (refused.value.code, refused.value.path) == ("wager_needs_main", "positions[0].wagers.dragon_7")
    assert [spot.name for spot in terms_of("baccarat", options).spots] == [
        "Player",
        "Banker",
        "Egalité",
        "Dragon 7",
    ]
    game = game_of("baccarat")
    placard = game.placard(terms_of("baccarat", options))
    tie = next(wager for wager in placard.wagers if wager.id == "tie")
    assert tie.tables[0].lines == (("Tie", "9 to 1"),)
    assert "GEGR-004900:6.1" in {notice.clause for notice in tie.text}
    assert "panda_8" not in {row.wager for row in game.odds_on(terms_of("baccarat", options))}


@pytest.mark.parametrize(
    ("said", "code", "path"),
    [
        ({"cards": {"decks": 0}}, "bad_term", "cards.decks"),
        ({"cards": {"decks": 9}}, "bad_term", "cards.decks"),
        ({"cards": {"decks": [8, 3]}}, "bad_term", "cards.decks"),
        ({"cards": {"decks": [1, 2, 3]}}, "bad_term", "cards.decks"),
        ({"cards": {"jokers": 1}}, "unknown_term", "cards.jokers"),
        ({"pays": {"tie": "8 to 1"}}, "bad_term", "pays.tie"),
        ({"pays": {"tie": 0}}, "bad_term", "pays.tie"),
        ({"pays": {"pair": "11:1"}}, "unknown_term", "pays.pair"),
        ({"pays": {"commission": 5}}, "forbidden_term", "pays.commission"),
        ({"wagers": {"tie": {"offered": False}}, "pays": {"tie": 8}}, "bad_term", "pays.tie"),
        ({"wagers": {"player": {"offered": False}}}, "unknown_term", "wagers.player.offered"),
        ({"order": {"lines": ["player", "banker"]}}, "bad_term", "order.lines"),
        ({"bank": {"qualifies": "pair"}}, "unknown_term", "bank.qualifies"),
    ],
)
def test_what_an_approval_of_baccarat_may_not_say(said: dict[str, Any], code: str, path: str) -> None:
    with pytest.raises(Refusal) as refused:
        rulebook_with("baccarat", approved(**said))
    assert (refused.value.code, refused.value.path) == (code, f"options.approval.{path}")


@pytest.mark.parametrize(
    ("decks", "percent"),
    [
        (1, ("1.2864", "1.0117", "15.7461")),
        (6, ("1.2374", "1.0558", "14.4382")),
        (8, ("1.2351", "1.0579", "14.3596")),
    ],
)
def test_odds_go_by_the_number_of_decks(decks: int, percent: tuple[str, ...]) -> None:
    """With a banker paid 19 to 20, as they are published of the ordinary game."""
    options = approved(cards={"decks": decks}, pays={"banker": "19:20"}, banker={"three_card_seven": "paid"})
    rows = game_of("baccarat").odds_on(terms_of("baccarat", options))
    assert tuple(f"{float(row.edge * 100):.4f}" for row in rows[:3] if row.edge is not None) == percent
    assert not any(compare(row) for row in rows)  # what is published beside the rulebook is of another game


def test_exact_odds_of_one_deck_agree_with_dealing_its_cards() -> None:
    """The share of ties of four cards dealt to two hands that both stand: counted apart, over all ranks of one deck."""
    from games.baccarat.odds import coups

    dealt = coups(1)
    assert sum(dealt.values()) == perm(52, 6)
    naturals = sum(
        ways
        for coup, ways in dealt.items()
        if coup.player_cards == coup.banker_cards == 2 and coup.player >= 8 and coup.banker >= 8
    )
    cards = [POINTS[text[0]] for text in CARD_TEXTS]
    pairs: dict[int, int] = {}
    both = 0
    for first in range(52):
        for second in range(52):
            if first != second and (total := (cards[first] + cards[second]) % 10) >= 8:
                pairs[total] = pairs.get(total, 0) + 1
                for third in range(52):
                    if third not in (first, second):
                        both += sum(
                            (cards[third] + cards[fourth]) % 10 >= 8
                            for fourth in range(52)
                            if fourth not in (first, second, third)
                        )
    assert Fraction(naturals, perm(52, 6)) == Fraction(both, perm(52, 4))


def naive(
    wagers: dict[str, int], said: dict[str, Any], player: list[str], banker: list[str]
) -> dict[str, tuple[str, int]]:
    """A coup by rules written apart from the engine's: each wager's outcome, and what is paid on it."""
    mine, banks = (sum(POINTS[card[0]] for card in hand) % 10 for hand in (player, banker))
    dragon, panda = (
        banks > mine and banks == 7 and len(banker) == 3,
        mine > banks and mine == 8 and len(player) == 3,
    )
    pays = USUAL | {
        wager: f"{odds}:1" if isinstance(odds, int) else odds for wager, odds in said.get("pays", {}).items()
    }
    won = {
        "player": mine > banks,
        "banker": banks > mine,
        "tie": mine == banks,
        "dragon_7": dragon,
        "panda_8": panda,
    }
    settled = {}
    for wager, stake in wagers.items():
        goes_back = wager in ("player", "banker") and mine == banks
        if wager == "banker" and dragon and said.get("banker", {}).get("three_card_seven", "push") == "push":
            goes_back = True
        top, _, bottom = pays[wager].partition(":")
        if goes_back:
            settled[wager] = ("push", 0)
        else:
            settled[wager] = ("win", stake * int(top) // int(bottom)) if won[wager] else ("lose", 0)
    return settled


@given(st.randoms(use_true_random=False))
def test_random_approvals_settle_as_the_naive_settlement_has_it(rng: Random) -> None:
    said: dict[str, Any] = {"cards": {"decks": [rng.randint(1, 3), rng.randint(4, 8)]}}
    said["pays"] = {
        wager: rng.choice(("19:20", 1, 7, "9:1", "3:2", 30)) for wager in USUAL if rng.random() < 0.5
    }
    said["banker"] = {"three_card_seven": rng.choice(("push", "paid"))}
    out = [
        wager for wager in ("tie", "dragon_7", "panda_8") if rng.random() < 0.3 and wager not in said["pays"]
    ]
    said["wagers"] = {wager: {"offered": False} for wager in out}
    options = approved(**{key: value for key, value in said.items() if value})
    options["decks"] = rng.randint(*said["cards"]["decks"])
    terms = terms_of("baccarat", options)
    hands, _ = game_of("baccarat").draw_play(rng, terms, [])
    wagers = {wager: rng.choice((100, 333, 501)) for wager in terms.rulebook.line_order if rng.random() < 0.6}
    wagers.setdefault(rng.choice(("player", "banker")), 1000)
    player, banker = (hands[key].split() for key in ("player_hand", "banker_hand"))
    document = round_of(options, wagers, hands["player_hand"], hands["banker_hand"])
    settled = {wager: (outcome, paid) for wager, (outcome, paid, _) in lines(document).items()}
    assert settled == naive(wagers, said, player, banker)
    most = exposure(terms.rulebook, options, [{"seat": 3, "wagers": wagers}])
    assert most is not None
    assert sum(paid for _, paid in settled.values()) <= most.total
