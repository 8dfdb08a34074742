"""Collection fees: `001`, schedule options 1 and 2 and the paragraph above them, in the engine and as filed."""

from __future__ import annotations

from typing import Any

import pytest

from fees.charges import Rate
from fees.printed import printed_schedules
from fees.quote import Ante, quote
from fees.rates import Schedule, problems, read_schedule
from games.collection import read_schedules
from games.datafile import DataFileError, Entry
from tests.rules.rounds import Settled, at, refusal, settled

clause = pytest.mark.clause

BANK = "Kh 7d 4c"
HANDS = ("Ah Qd 2c", "Qs 8s 3h", "9s 9c 3d", "Ts Th 5d", "6s 6h Jd", "Js 4s 2h")


def played(schedule: int, *antes: int, **wagers: int) -> Settled:
    """A round of as many positions as there are antes, each with the further wagers."""
    positions = [at(seat, HANDS[seat - 1], ante=ante, **wagers) for seat, ante in enumerate(antes, 1)]
    return settled("california", BANK, *positions, fee_schedule=schedule)


def fees(round_: Settled) -> dict[str, int]:
    return {fee["payer"]: fee["cents"] for fee in round_["fees"]}


def filed(number: int) -> Schedule:
    """The printed schedule as a room files it."""
    document = dict(printed_schedules("california"))[number]
    return read_schedule(document, number=number, title=f"Option {number}")


def filed_bank_fee(schedule: int, *antes: int) -> int:
    seated = [Ante(seat, f"seat {seat}", cents) for seat, cents in enumerate(antes, 1)]
    (fee,) = (fee.cents for fee in quote(filed(schedule), seated, bank_seat=7).fees if fee.payer == "bank")
    return fee


@clause("california:fees.1")
@pytest.mark.parametrize(
    ("antes", "cents"),
    [((5000, 5000), 100), ((5000, 5100), 200), ((3000, 3000, 4100), 200), ((10_000,), 100)],
)
def test_the_player_dealers_fee_goes_by_the_sum_of_the_antes(antes: tuple[int, ...], cents: int) -> None:
    round_ = played(1, *antes)
    assert (round_["total_table_action"], fees(round_)["bank"]) == (sum(antes), cents)
    assert filed_bank_fee(1, *antes) == cents


@clause("california:fees.1")
def test_a_player_called_bank_is_told_from_the_bank_by_the_seat() -> None:
    positions = [at(1, HANDS[0], player="bank"), at(2, HANDS[1], player="Ann")]
    round_ = settled("california", BANK, *positions, fee_schedule=1)
    assert {(fee["payer"], fee["seat"], fee["cents"]) for fee in round_["fees"]} == {
        ("bank", 1, 100),
        ("Ann", 2, 100),
        ("bank", 7, 100),
    }
    assert set(round_["net"]) == {"bank", "Ann"}
    assert sum(round_["net"].values()) == -round_["bank"]["net"]


@clause("california:fees.2", "california:fees.4")
def test_play_bonus_and_tip_wagers_leave_action_and_fees_as_they_are() -> None:
    bare = played(1, 10_000)
    laden = settled(
        "california",
        BANK,
        at(
            1, HANDS[0], ante=10_000, pair_plus=50_000, six_card_bonus=50_000, tips={"ante": 500, "play": 500}
        ),
        fee_schedule=1,
    )
    folded = settled("california", BANK, at(1, HANDS[0], "fold", ante=10_000), fee_schedule=1)
    for round_ in (bare, laden, folded):
        assert round_["total_table_action"] == 10_000
        assert fees(round_) == {"seat 1": 100, "bank": 100}


@clause("california:fees.3")
def test_every_ante_pays_one_player_fee() -> None:
    round_ = played(1, 500, 10_000, 700)
    assert {payer: cents for payer, cents in fees(round_).items() if payer != "bank"} == {
        "seat 1": 100,
        "seat 2": 100,
        "seat 3": 100,
    }
    assert len(round_["fees"]) == 4 and round_["drop"] == 500


@clause("california:table.dropbox")
def test_the_fees_of_a_round_are_its_drop() -> None:
    round_ = played(2, 5000, 15_100, 5000)
    assert round_["drop"] == 100 + 100 + 100 + 200 == sum(fee["cents"] for fee in round_["fees"])


@pytest.mark.parametrize(
    ("schedule", "outside", "inside"),
    [
        pytest.param(1, (1, 499, 10_001, 50_000), (500, 10_000), marks=clause("california:fees.s1.limit")),
        pytest.param(2, (1, 500, 4999), (5000, 10_001, 10**9), marks=clause("california:fees.s2.limit")),
    ],
)
def test_each_schedule_is_for_antes_of_its_table_limit(
    schedule: int, outside: tuple[int, ...], inside: tuple[int, ...]
) -> None:
    for ante in outside:
        found = refusal("california", BANK, at(1, HANDS[0], ante=ante), fee_schedule=schedule)
        assert found == ("outside_table_limits", "positions[0].wagers.ante")
        assert filed(schedule).why_outside_limits(ante) is not None
    for ante in inside:
        assert played(schedule, ante)["total_table_action"] == ante
        assert filed(schedule).why_outside_limits(ante) is None


@pytest.mark.parametrize(
    "schedule",
    [
        pytest.param(1, marks=clause("california:fees.s1.player")),
        pytest.param(2, marks=clause("california:fees.s2.player")),
    ],
)
def test_a_player_pays_a_dollar_for_an_ante_of_whatever_size(schedule: int) -> None:
    for ante in (5000, 7777, 10_000):
        assert fees(played(schedule, ante))["seat 1"] == 100
    assert [charge.fee_cents for charge in filed(schedule).players if isinstance(charge, Rate)] == [100]


@pytest.mark.parametrize(
    ("schedule", "antes", "cents"),
    [
        pytest.param(1, [500], 100, marks=clause("california:fees.s1.bank.1")),
        pytest.param(1, [5000, 5000], 100, marks=clause("california:fees.s1.bank.1")),
        pytest.param(1, [5000, 5050], 100, marks=clause("california:fees.s1.bank.1")),
        pytest.param(1, [5000, 5099], 100, marks=clause("california:fees.s1.bank.1")),
        pytest.param(1, [5000, 5100], 200, marks=clause("california:fees.s1.bank.2")),
        pytest.param(1, [10_000] * 6, 200, marks=clause("california:fees.s1.bank.2")),
        pytest.param(2, [5000], 100, marks=clause("california:fees.s2.bank.1")),
        pytest.param(2, [10_000, 10_000], 100, marks=clause("california:fees.s2.bank.1")),
        pytest.param(2, [10_000, 10_099], 100, marks=clause("california:fees.s2.bank.1")),
        pytest.param(2, [10_000, 10_100], 200, marks=clause("california:fees.s2.bank.2")),
        pytest.param(2, [1_000_000] * 3, 200, marks=clause("california:fees.s2.bank.2")),
    ],
)
def test_the_player_dealers_bands_to_the_cent(schedule: int, antes: list[int], cents: int) -> None:
    assert fees(played(schedule, *antes))["bank"] == cents
    assert filed_bank_fee(schedule, *antes) == cents


@clause("california:winners.4.4")
def test_no_fee_grows_with_what_is_wagered_within_a_band() -> None:
    for ante in (5000, 9999, 20_000):
        assert fees(played(2, ante)) == {"seat 1": 100, "bank": 100}
    # Nor with what is won: the same antes against a bank that loses to all of them, and one that beats them.
    for bank_hand in ("5h 3d 2h", "Kh Ks Kd"):
        round_ = settled("california", bank_hand, at(1, HANDS[0], ante=20_000), fee_schedule=2)
        assert fees(round_) == {"seat 1": 100, "bank": 100}


def lines(*bands: tuple[int, int]) -> list[dict[str, Any]]:
    """A player fee of $1, and bands of the player-dealer from lower bound to fee."""
    found: list[dict[str, Any]] = [{"payer": "player", "per": "ante", "fee_cents": 100}]
    for index, (lower, cents) in enumerate(bands):
        upper = bands[index + 1][0] - 100 if index + 1 < len(bands) else None
        found.append(
            {
                "payer": "bank",
                "per": "total_table_action",
                "lower_cents": lower,
                "upper_cents": upper,
                "fee_cents": cents,
            }
        )
    return found


def codes(found: list[dict[str, Any]]) -> list[str]:
    document = {
        "clause": "california:fees.8",
        "ante_min_cents": 500,
        "ante_max_cents": 10_000,
        "lines": found,
    }
    return [problem.code for problem in problems(document)]


@clause("california:fees.7")
@pytest.mark.parametrize("fee", ["1%", "0.5%", 0.01, 1.5, "2 percent", "1/100"])
def test_a_rate_that_is_a_share_of_wagers_or_winnings_cannot_be_filed(fee: object) -> None:
    assert codes(lines((500, 100))) == []
    proportional = lines((500, 100))
    proportional[1]["fee_cents"] = fee
    assert codes(proportional) != []
    of_players = lines((500, 100))
    of_players[0]["fee_cents"] = fee
    assert codes(of_players) != []


@clause("california:fees.8")
def test_five_different_rates_a_table_limit_and_no_sixth() -> None:
    five = [(500, 100), (2000, 200), (4000, 300), (6000, 400), (8000, 500)]
    assert codes(lines(*five)) == []
    assert codes(lines(*five, (9000, 300))) == [], "a rate that is there already is no further one"
    assert codes(lines(*five, (9000, 600))) == ["too_many_rates"]


@clause("california:fees.8")
def test_a_rulebook_that_prints_a_sixth_rate_is_not_read_either() -> None:
    def printed(*cents: int) -> Entry:
        bands = [
            {"from_cents": 500 * (n + 1), "fee_cents": fee, "clause": "x"} for n, fee in enumerate(cents)
        ]
        schedule = {
            "number": 1,
            "limit_clause": "x",
            "ante_min_cents": 500,
            "player_clause": "x",
            "player_fee_cents": 100,
            "bands": bands,
        }
        return Entry({"most_rates": 5, "schedules": [schedule]}, "test.toml")

    assert read_schedules(printed(100, 200, 300, 400, 500))
    with pytest.raises(DataFileError, match="6 rates"):
        read_schedules(printed(200, 300, 400, 500, 600))


@clause("california:fees.6")
@pytest.mark.parametrize("choice", [3, 0, "1", [1, 2], True])
def test_one_schedule_of_the_two_is_in_force_in_a_round(choice: object) -> None:
    both = refusal("california", BANK, at(1, HANDS[0], ante=5000), fee_schedule=choice)
    assert both == ("bad_option", "options.fee_schedule")
    assert fees(played(1, 5000, 10_000)) != fees(played(2, 5000, 10_000))
