"""What each payer owes: both options of the document to the cent, and what fees can never depend on."""

from __future__ import annotations

import dataclasses
import inspect
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fees import quote as quote_module
from fees.charges import Rate
from fees.errors import FeeError, OutsideSchedule
from fees.quote import Ante, Fee, Quote, quote, waived_places
from fees.rates import Schedule
from fees.seat_time import TimeRate
from games.registry import load_rulebook
from tests.samples import samples

from .documents import (
    OPTION_1,
    OPTION_2,
    band,
    bank,
    jackpot,
    own,
    per_position,
    player,
    positions,
    schedule,
    timed,
    wager,
    wager_band,
    waiver,
    with_head,
    with_lines,
)

ONE = schedule(OPTION_1)
TWO = schedule(OPTION_2, 2)


def test_the_posted_fees_are_the_players_and_then_the_banks_bands_from_the_lowest_up() -> None:
    assert [(row.payer, row.due, row.band, row.cents, row.box) for row in ONE.tariff] == [
        ("player", "ante", "", 100, "drop"),
        ("bank", "total_table_action", "$5 - $100", 100, "drop"),
        ("bank", "total_table_action", "$101+", 200, "drop"),
    ]


def test_a_posted_fee_for_a_wager_names_it_as_the_layout_does() -> None:
    rate = Rate("player", "wager", "pair_plus", 50, "4 CCR 12384")
    posted = dataclasses.replace(ONE, players=(*ONE.players, rate))
    assert [row.wager for row in posted.tariff] == ["", "pair_plus", "", ""]
    named = posted.tariff_at(load_rulebook("california"))
    assert [row.for_each for row in named[:2]] == ["Ante", "Pair Plus wager"]
    assert [row._replace(wager="", main="") for row in named] == [
        row._replace(wager="") for row in posted.tariff
    ]
    assert posted.tariff_at(load_rulebook("baccarat"))[0].for_each == "Player or Banker"
    assert posted.tariff[0].for_each == "main wager"


def antes_of(total_cents: int, least_cents: int, most_cents: int) -> list[Ante]:
    """Antes inside the limits, at seats 1, 2, …, that come to `total_cents`."""
    amounts = []
    while total_cents > most_cents:
        part = min(most_cents, total_cents - least_cents)
        amounts.append(part)
        total_cents -= part
    amounts.append(total_cents)
    return [
        Ante(seat=seat, player=f"seat {seat}", cents=cents) for seat, cents in enumerate(amounts, start=1)
    ]


def bank_fee(quoted: Quote) -> int:
    (fee,) = [fee for fee in quoted.fees if fee.payer == "bank"]
    return fee.cents


@pytest.mark.parametrize(
    ("total_cents", "fee_cents", "label"),
    [
        (500, 100, "$5 - $100"),
        (10000, 100, "$5 - $100"),
        (10001, 100, "$5 - $100"),
        (10050, 100, "$5 - $100"),
        (10099, 100, "$5 - $100"),
        (10100, 200, "$101+"),
        (60000, 200, "$101+"),
    ],
)
@pytest.mark.clause("california:fees.1")
def test_fees_s1_bank_the_first_option_to_the_cent(total_cents: int, fee_cents: int, label: str) -> None:
    quoted = quote(ONE, antes_of(total_cents, 500, 10000), bank_seat=7)
    assert quoted.total_table_action_cents == total_cents
    assert (bank_fee(quoted), quoted.band.label) == (fee_cents, label)


@pytest.mark.parametrize(
    ("total_cents", "fee_cents", "label"),
    [
        (5000, 100, "$50 - $200"),
        (20000, 100, "$50 - $200"),
        (20050, 100, "$50 - $200"),
        (20099, 100, "$50 - $200"),
        (20100, 200, "$201+"),
        (9_999_999_999, 200, "$201+"),
    ],
)
def test_fees_s2_bank_the_second_option_to_the_cent(total_cents: int, fee_cents: int, label: str) -> None:
    quoted = quote(TWO, [Ante(1, "Ann", total_cents)], bank_seat=7)
    assert (bank_fee(quoted), quoted.band.label) == (fee_cents, label)


@pytest.mark.parametrize(
    ("of", "cents", "inside"),
    [
        (ONE, 499, False),
        (ONE, 500, True),
        (ONE, 10000, True),
        (ONE, 10001, False),
        (TWO, 4999, False),
        (TWO, 5000, True),
        (TWO, 9_999_999_999, True),
    ],
)
def test_fees_limit_bounds_the_ante_to_the_cent(of: Schedule, cents: int, inside: bool) -> None:
    why = of.why_outside_limits(cents, "Ante")
    assert (why is None) == inside
    antes = [Ante(1, "Ann", cents, mains={"Ante": cents})]
    if inside:
        assert quote(of, antes, bank_seat=2).total_table_action_cents == cents
    else:
        assert why is not None
        assert of.limit_label in why
        assert of.clause not in why  # that stands beside a sentence, and never in it
        with pytest.raises(OutsideSchedule, match=r"Seat 1: Ante of") as refused:
            quote(of, antes, bank_seat=2)
        assert refused.value.code == "outside_table_limits"


def test_a_table_limit_holds_each_main_wager_by_itself() -> None:
    """Ruling 56: $60 on each of two spots is within $5 to $100, and $3 on each of two is below it."""
    both = Ante(1, "Ann", 12_000, {}, {"Player": 6000, "Banker": 6000})
    assert quote(ONE, [both], bank_seat=2).total_table_action_cents == 12_000
    with pytest.raises(OutsideSchedule, match=r"Seat 1: Player of \$3 is outside"):
        quote(ONE, [Ante(1, "Ann", 600, {}, {"Player": 300, "Banker": 300})], bank_seat=2)


def test_limits_are_printed_as_the_document_prints_them() -> None:
    assert (ONE.limit_label, TWO.limit_label) == ("$5 - $100", "$50 - no limit")


@pytest.mark.clause("california:fees.3")
def test_each_ante_and_the_bank_pay_one_fee_each_with_its_clause() -> None:
    quoted = quote(ONE, [Ante(4, "Ann", 5000), Ante(6, "Ann", 5050), Ante(1, "Bo", 500)], bank_seat=3)
    assert quoted.fees == (
        Fee("Ann", 4, 100, "california:fees.s1.player"),
        Fee("Ann", 6, 100, "california:fees.s1.player"),
        Fee("Bo", 1, 100, "california:fees.s1.player"),
        Fee("bank", 3, 200, "california:fees.s1.bank.2"),
    )
    assert quoted.drop_cents == 500


def test_payers_are_told_apart_by_seat_and_place_and_not_by_name() -> None:
    antes = [Ante(4, "bank", 5000), Ante(6, "Ann", 500), Ante(6, "Ann", 700, behind=1)]
    quoted = quote(ONE, antes, bank_seat=3, waived={(4, 0): "x", (6, 1): "y"})
    assert [(fee.payer, fee.place, fee.cents, fee.waiver) for fee in quoted.fees] == [
        ("bank", (4, 0), 0, "x"),
        ("Ann", (6, 0), 100, ""),
        ("Ann", (6, 1), 0, "y"),
        ("bank", (3, 0), 100, ""),
    ]
    kept = [fee.to_json() for fee in quoted.fees]
    assert waived_places(kept) == {(4, 0): "x", (6, 1): "y"}
    assert [fee.get("behind") for fee in kept] == [None, None, 1, None]


def test_a_line_without_a_clause_rests_on_the_schedules_own() -> None:
    site = schedule(with_lines(player(0), band(500, None, 150)))
    quoted = quote(site, [Ante(1, "Ann", 500)], bank_seat=2)
    assert quoted.fees == (
        Fee("Ann", 1, 0, "california:fees.s1.limit"),
        Fee("bank", 2, 150, "california:fees.s1.limit"),
    )


def test_a_round_without_antes_has_no_quote() -> None:
    with pytest.raises(OutsideSchedule, match="below the first band") as refused:
        quote(ONE, [], bank_seat=3)
    assert refused.value.code == "below_first_band"


@pytest.mark.parametrize("seats", [(1, 1), (1, 3)], ids=["a seat twice", "the bank's seat"])
def test_a_seat_cannot_ante_twice_nor_against_itself(seats: tuple[int, int]) -> None:
    with pytest.raises(FeeError) as refused:
        quote(ONE, [Ante(seat, "Ann", 500) for seat in seats], bank_seat=3)
    assert refused.value.code == "seat_twice"


STAIRS = schedule(
    with_head(
        ante_max_cents=None,
        lines=[
            player(50),
            band(500, 10000, 100),
            band(10100, 25000, 250),
            band(25100, 50000, 300),
            band(50100, None, 600),
        ],
    )
)


@given(st.lists(st.integers(500, 60100), min_size=2, max_size=40))
def test_the_bank_never_pays_less_for_more_action_when_the_bands_rise(totals: list[int]) -> None:
    fees = [bank_fee(quote(STAIRS, [Ante(1, "Ann", cents)], bank_seat=2)) for cents in sorted(totals)]
    assert all(lower <= higher for lower, higher in pairwise(fees))


@given(st.integers(500, 200_000))
def test_the_bands_fee_is_that_of_the_highest_lower_bound_not_above_the_total(total_cents: int) -> None:
    expected = {500: 100, 10100: 250, 25100: 300, 50100: 600}
    bound = max(lower for lower in expected if lower <= total_cents)
    assert bank_fee(quote(STAIRS, [Ante(1, "Ann", total_cents)], bank_seat=2)) == expected[bound]


@given(
    st.lists(st.integers(500, 10000), min_size=1, max_size=6),
    st.randoms(use_true_random=False),
)
@pytest.mark.clause("california:fees.2", "california:fees.4")
def test_fees_depend_on_the_antes_and_the_schedule_alone(amounts: list[int], shuffle: object) -> None:
    antes = [Ante(seat, f"player {seat}", cents) for seat, cents in enumerate(amounts, start=1)]
    quoted = quote(ONE, antes, bank_seat=7)
    # Who sits where, and in which order the antes are told, moves no cent.
    shuffle.shuffle(amounts)  # type: ignore[attr-defined]  # random.Random
    others = [Ante(7 - seat, "someone", cents) for seat, cents in enumerate(amounts, start=1)]
    again = quote(ONE, others, bank_seat=7)
    assert again.drop_cents == quoted.drop_cents == 100 * len(amounts) + bank_fee(quoted)
    assert again.band == quoted.band
    assert sum(fee.cents for fee in quoted.fees) == quoted.drop_cents
    # Nothing else can be handed in than what lies there and was waived by then: neither cards nor decisions or results.
    assert list(inspect.signature(quote_module.quote).parameters) == [
        "schedule",
        "antes",
        "bank_seat",
        "waived",
    ]
    assert set(Ante.__slots__) == {"seat", "player", "cents", "beside", "mains", "behind", "counts"}


def test_the_sample_rounds_drop_what_the_schedules_say() -> None:
    """The fees, drop and total table action of every sample round of California that runs on a schedule."""
    checked = 0
    for sample in samples("california"):
        sheet, expected = sample.sheet, sample.settlement
        number = sheet.get("options", {}).get("fee_schedule")
        if number is None:
            continue
        antes = [
            Ante(
                position["seat"],
                position.get("player", f"seat {position['seat']}"),
                position["wagers"]["ante"],
            )
            for position in sheet["positions"]
        ]
        quoted = quote({1: ONE, 2: TWO}[number], antes, bank_seat=sheet["bank"]["seat"])
        fees = {(fee.seat, fee.payer, fee.cents) for fee in quoted.fees}
        assert fees == {(fee["seat"], fee["payer"], fee["cents"]) for fee in expected["fees"]}
        assert len(quoted.fees) == len(expected["fees"])
        assert quoted.drop_cents == expected["drop"]
        assert quoted.total_table_action_cents == expected["total_table_action"]
        checked += 1
    assert checked


class TestOtherStructures:
    """Flat structures seen in the field beside those of rule document 001."""

    def test_wagers_without_an_ante_owe_for_their_position_and_themselves_and_nothing_per_ante(self) -> None:
        antes = [Ante(1, "Ann", 0, {"tie": 500}), Ante(2, "Ben", 700, {"ante": 700})]

        def due(*lines: object) -> list[int]:
            return [fee.cents for fee in quote(schedule(with_lines(*lines)), antes, bank_seat=7).fees]

        assert due(player(100), wager("tie", 50), bank("ante", 30)) == [50, 100, 30]
        assert due(per_position(100), bank("position", 30)) == [100, 100, 60]
        assert due(own(500, None, 100), band(500, None, 200)) == [0, 100, 200]
        assert (
            quote(schedule(with_lines(player(100), bank("round", 30))), antes, bank_seat=7).drop_cents == 130
        )
        with pytest.raises(OutsideSchedule):
            quote(schedule(with_lines(player(100), bank("round", 30))), [Ante(1, "Ann", 0, {})], bank_seat=7)

    @pytest.mark.parametrize("wagers", [None, {}, {"tie": 0}])
    def test_a_position_without_a_cent_on_any_wager_is_outside_the_table_limit(
        self, wagers: dict[str, int] | None
    ) -> None:
        site = schedule(with_lines(player(100), bank("round", 30)))
        antes = [Ante(1, "Ann", 0, wagers), Ante(2, "Ben", 700, {"ante": 700})]
        with pytest.raises(OutsideSchedule, match=r"^Seat 1: ") as refused:
            quote(site, antes, bank_seat=7)
        assert refused.value.code == "outside_table_limits"

    def test_a_fee_on_a_side_bet_is_due_where_it_lies_and_nowhere_else(self) -> None:
        site = schedule(with_lines(player(100), wager("pair_plus", 50), band(500, None, 100)))
        antes = [
            Ante(1, "Ann", 500, {"ante": 500, "pair_plus": 500}),
            Ante(2, "Ben", 9000, {"ante": 9000}),
            Ante(3, "Cal", 500, {"ante": 500, "pair_plus": 0}),
        ]
        assert by_seat(quote(site, antes, bank_seat=7)) == {1: 150, 2: 100, 3: 100, 7: 100}

    def test_a_fee_of_two_lines_rests_on_the_schedule_and_one_of_a_single_line_on_that(self) -> None:
        lines = [
            player(100, clause="p"),
            wager("pair_plus", 50, clause="w"),
            band(500, None, 100, clause="b"),
        ]
        site = schedule(with_head(clause="all", lines=lines))
        both, one, bank = quote(
            site, [Ante(1, "Ann", 500, {"pair_plus": 500}), Ante(2, "Ben", 500)], bank_seat=7
        ).fees
        assert [both.clause, one.clause, bank.clause] == ["all", "p", "b"]

    @pytest.mark.parametrize(("cents", "fee"), [(500, 50), (2500, 50), (2550, 50), (2600, 100), (10000, 100)])
    def test_a_player_may_pay_by_the_own_ante(self, cents: int, fee: int) -> None:
        site = schedule(with_lines(own(500, 2500, 50), own(2600, 10000, 100), band(500, None, 200)))
        quoted = quote(site, [Ante(1, "Ann", cents), Ante(2, "Ben", 500)], bank_seat=7)
        assert by_seat(quoted) == {1: fee, 2: 50, 7: 200}

    def test_the_player_dealer_may_pay_for_all(self) -> None:
        site = schedule(with_lines(player(0), bank("ante", 100)))
        antes = [Ante(seat, f"player {seat}", 500) for seat in (1, 2, 3)]
        quoted = quote(site, antes, bank_seat=7)
        assert by_seat(quoted) == {1: 0, 2: 0, 3: 0, 7: 300}
        assert (quoted.drop_cents, quoted.bank_label, quoted.band) == (300, "per main wager", None)

    def test_the_player_dealer_may_pay_by_the_round(self) -> None:
        site = schedule(with_lines(per_position(50), bank("round", 150)))
        quoted = quote(site, [Ante(1, "Ann", 500), Ante(2, "Ben", 10000)], bank_seat=7)
        assert by_seat(quoted) == {1: 50, 2: 50, 7: 150}
        assert quoted.bank_label == "per round"

    def test_half_dollars_add_up_to_the_cent(self) -> None:
        site = schedule(with_lines(player(50), band(500, 10000, 150), band(10100, None, 250)))
        quoted = quote(site, [Ante(1, "Ann", 500), Ante(2, "Ben", 750), Ante(3, "Cal", 9999)], bank_seat=7)
        assert by_seat(quoted) == {1: 50, 2: 50, 3: 50, 7: 250}
        assert quoted.drop_cents == 400

    def test_players_who_pay_by_time_pay_nothing_by_the_round(self) -> None:
        site = schedule(with_lines(timed("half_hour", 600), bank("round", 100)))
        quoted = quote(site, [Ante(1, "Ann", 500), Ante(2, "Ben", 10000)], bank_seat=7)
        assert by_seat(quoted) == {1: 0, 2: 0, 7: 100}
        assert site.time == TimeRate("half_hour", 30, 600, "california:fees.s1.limit")

    def test_a_round_without_antes_is_none_whatever_the_bank_pays_by(self) -> None:
        site = schedule(with_lines(player(0), bank("round", 100)))
        with pytest.raises(OutsideSchedule, match="at least one wager that counts"):
            quote(site, [], bank_seat=7)


class TestBanks:
    """What player-dealers of other rooms pay by, each worked by hand."""

    @staticmethod
    def of(*lines: object, antes: tuple[int, ...]) -> Quote:
        wagered = [Ante(seat, f"player {seat}", cents) for seat, cents in enumerate(antes, start=1)]
        return quote(schedule(with_lines(player(0), *lines)), wagered, bank_seat=7)

    @pytest.mark.parametrize(("count", "fee"), [(1, 200), (4, 200), (5, 300), (6, 300)])
    def test_two_dollars_for_up_to_four_positions_and_three_for_more(self, count: int, fee: int) -> None:
        quoted = self.of(positions(1, 4, 200), positions(5, None, 300), antes=(500,) * count)
        assert (bank_fee(quoted), quoted.drop_cents) == (fee, fee)
        assert quoted.bank_label == ("1 - 4 positions in play" if count < 5 else "5+ positions in play")

    def test_two_dollars_and_half_a_dollar_for_each_of_three_positions_are_three_and_a_half(self) -> None:
        quoted = self.of(bank("position", 50), bank("round", 200), antes=(500, 1000, 10000))
        assert bank_fee(quoted) == 350
        assert (quoted.bank_label, quoted.band) == ("per position + per round", None)
        by_ante = schedule(with_lines(player(0), bank("round", 200), bank("ante", 50)))
        alone = [Ante(1, "Ann", 500), Ante(2, "Ben", 0, {"tie": 500})]
        assert bank_fee(quote(by_ante, alone, bank_seat=7)) == 250, "one of the two has an ante"

    @pytest.mark.parametrize(
        ("antes", "fee"), [((500, 2500), 100), ((2599, 500), 100), ((500, 2600), 200), ((9000, 2600), 200)]
    )
    def test_the_largest_ante_sets_the_band(self, antes: tuple[int, ...], fee: int) -> None:
        by_largest = (band(500, 2500, 100, per="largest_ante"), band(2600, 10000, 200, per="largest_ante"))
        quoted = self.of(*by_largest, antes=antes)
        assert (bank_fee(quoted), quoted.bank_label) == (fee, "$5 - $25" if fee == 100 else "$26 - $100")

    def test_each_ante_pays_the_fee_of_its_own_band(self) -> None:
        """$10, $50 and $100 where the player-dealer pays a quarter up to $25 and three quarters above: $1.75."""
        by_each = (band(500, 2500, 25, per="own_ante"), band(2600, 10000, 75, per="own_ante"))
        quoted = self.of(*by_each, antes=(1000, 5000, 10000))
        assert (bank_fee(quoted), quoted.bank_label) == (175, "per main wager, by band")

    def test_a_fee_of_several_figures_rests_on_the_schedules_clause_and_one_of_one_on_that(self) -> None:
        lines = [band(500, 2500, 25, per="own_ante", clause="low"), band(2600, None, 75, per="own_ante")]
        assert self.of(*lines, antes=(500, 600)).fees[-1].clause == "low"
        assert self.of(*lines, antes=(500, 6000)).fees[-1].clause == "california:fees.s1.limit"

    def test_where_players_pay_by_time_alone_the_player_dealer_pays_nothing(self) -> None:
        site = schedule(with_lines(timed("half_hour", 500)))
        quoted = quote(site, [Ante(1, "Ann", 500), Ante(2, "Ben", 700)], bank_seat=7)
        assert (by_seat(quoted), quoted.bank_label) == ({1: 0, 2: 0, 7: 0}, "")
        assert [row.due for row in site.tariff] == ["half_hour"]

    def test_every_basis_that_a_round_may_keep_is_known_beforehand(self) -> None:
        def labels(*lines: object) -> tuple[str, ...]:
            return schedule(with_lines(player(0), *lines)).bank_labels

        assert labels(positions(1, 4, 200), positions(5, None, 300)) == (
            "1 - 4 positions in play",
            "5+ positions in play",
        )
        assert labels(bank("round", 200), bank("ante", 50)) == ("per round + per main wager",)
        assert labels(band(500, None, 25, per="own_ante")) == ("per main wager, by band",)
        assert labels(band(500, None, 25)) == ("$5+",)
        assert schedule(with_lines(timed("hour", 50))).bank_labels == ()


class TestWagersByAmount:
    """A side wager by bands of its own amount: half a dollar up to $5, a dollar up to $25."""

    SITE = schedule(
        with_lines(
            player(100),
            wager_band("pair_plus", 100, 500, 50),
            wager_band("pair_plus", 600, 2500, 100),
            bank("round", 0),
        )
    )

    @pytest.mark.parametrize(
        ("cents", "fee"), [(0, 0), (100, 50), (500, 50), (599, 50), (600, 100), (2500, 100)]
    )
    def test_it_is_due_by_the_band_of_what_lies_there(self, cents: int, fee: int) -> None:
        antes = [Ante(1, "Ann", 500, {"pair_plus": cents}), Ante(2, "Ben", 10000, {})]
        assert by_seat(quote(self.SITE, antes, bank_seat=7)) == {1: 100 + fee, 2: 100, 7: 0}

    @pytest.mark.parametrize("cents", [99, 2501])
    def test_what_no_band_holds_is_refused_for_it_has_no_fee(self, cents: int) -> None:
        with pytest.raises(
            OutsideSchedule, match=r"Seat 1: pair plus of .* is outside \$1 - \$25"
        ) as refused:
            quote(self.SITE, [Ante(1, "Ann", 500, {"pair_plus": cents})], bank_seat=7)
        assert refused.value.code == "outside_bands"
        assert self.SITE.bounds_of("pair_plus") == (100, 2500)
        assert self.SITE.bounds_of("tie") is None

    def test_the_notice_says_each_band(self) -> None:
        posted = self.SITE.tariff_at(load_rulebook("california"))
        assert [(row.for_each, row.cents) for row in posted[1:3]] == [
            ("Pair Plus wager of $1 - $5", 50),
            ("Pair Plus wager of $6 - $25", 100),
        ]
        assert self.SITE.wagers == {"pair_plus"}
        assert self.SITE.without({"pair_plus"}).wagers == frozenset()


def naive_drop(document: dict[str, Any], antes: list[Ante]) -> int:
    """What all pay together, by the lines of a document read one at a time."""
    tables: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for line in document["lines"]:
        tables.setdefault((line["payer"], line["per"]), []).append(line)
    cents = [ante.cents for ante in antes]
    #: How often each kind of line is due, and by which amounts those by bands are.
    amounts = {
        "ante": [each for each in cents if each],
        "position": cents,
        "round": [0],
        "own_ante": cents,
        "wager": [ante.beside["tie"] for ante in antes if ante.beside],
        "positions": [len(cents)],
        "largest_ante": [max(cents)],
        "total_table_action": [sum(cents)],
    }
    due = 0
    for (_, per), lines in tables.items():
        for amount in amounts[per]:
            starts = [line.get("lower_cents", line.get("lower_positions", 0)) for line in lines]
            reached = [line for line, start in zip(lines, starts, strict=True) if start <= amount]
            due += reached[-1]["fee_cents"] if reached else 0
    return due


FEE = st.sampled_from([0, 50, 100, 250])
CUTS = st.lists(st.integers(6, 99), min_size=0, max_size=2, unique=True).map(sorted)


@st.composite
def banded(draw: st.DrawFn, make: Any, first: int, unit: int) -> list[dict[str, Any]]:
    """Bands from `first` up, each a unit above the one before it, the last open."""
    cuts = [cut * unit for cut in draw(CUTS)]
    starts = [first, *cuts]
    return [
        make(lower, None if upper is None else upper - unit, draw(FEE))
        for lower, upper in zip(starts, [*cuts, None], strict=True)
    ]


def own_of_bank(lower: int, upper: int | None, fee: int) -> dict[str, Any]:
    return band(lower, upper, fee, per="own_ante")


def largest(lower: int, upper: int | None, fee: int) -> dict[str, Any]:
    return band(lower, upper, fee, per="largest_ante")


def ties(lower: int, upper: int | None, fee: int) -> dict[str, Any]:
    return wager_band("tie", lower, upper, fee)


PLAYERS_LINES = st.one_of(
    FEE.map(lambda fee: [player(fee)]),
    FEE.map(lambda fee: [per_position(fee)]),
    banded(own, 500, 100),
)
BANK_LINES = st.one_of(
    banded(band, 500, 100),
    banded(largest, 500, 100),
    banded(own_of_bank, 500, 100),
    banded(positions, 1, 1),
    st.tuples(FEE, FEE).map(lambda two: [bank("round", two[0]), bank("position", two[1])]),
    st.tuples(FEE, FEE).map(lambda two: [bank("ante", two[0]), bank("round", two[1])]),
    FEE.map(lambda fee: [bank("round", fee)]),
)
WAGERED = st.lists(
    st.tuples(st.integers(500, 10000), st.none() | st.integers(100, 9900)), min_size=1, max_size=6
)


@given(PLAYERS_LINES, banded(ties, 100, 100) | st.just([]), BANK_LINES, WAGERED)
def test_a_quote_is_what_the_lines_come_to_one_at_a_time(
    players: list[Any], sides: list[Any], banks: list[Any], wagered: list[tuple[int, int | None]]
) -> None:
    document = with_lines(*players, *sides, *banks)
    antes = [
        Ante(seat, f"player {seat}", cents, {} if tie is None else {"tie": tie})
        for seat, (cents, tie) in enumerate(wagered, start=1)
    ]
    quoted = quote(schedule(document), antes, bank_seat=7)
    assert quoted.drop_cents == sum(fee.cents for fee in quoted.fees) == naive_drop(document, antes)
    assert quoted.bank_label in schedule(document).bank_labels


@given(BANK_LINES, WAGERED, st.integers(1, 400))
def test_a_portion_is_let_go_of_each_fee_and_never_more_than_the_fee(
    banks: list[Any], wagered: list[tuple[int, int | None]], portion: int
) -> None:
    part = waiver("part", portion_cents=portion)
    antes = [Ante(seat, f"player {seat}", cents) for seat, (cents, _) in enumerate(wagered, start=1)]
    site = schedule({**with_lines(player(150), *banks), "waivers": [part]})
    plain = quote(site, antes, bank_seat=7)
    less = quote(site, antes, bank_seat=7, waived={fee.place: "part" for fee in plain.fees})
    for fee, left in zip(plain.fees, less.fees, strict=True):
        assert left.cents == max(0, fee.cents - portion)
        assert left.cents + left.waived_cents == fee.cents
    assert less.drop_cents + less.waived_cents == plain.drop_cents


class TestJackpot:
    """What is collected for the jackpot, into a box of its own."""

    def test_it_stands_beside_the_drop_and_in_no_sum_of_it(self) -> None:
        lines = [
            player(100),
            bank("round", 200),
            jackpot("player", "ante", 50),
            jackpot("bank", "round", 100),
        ]
        quoted = quote(schedule(with_lines(*lines)), [Ante(1, "Ann", 500), Ante(2, "Ben", 500)], bank_seat=7)
        assert by_seat(quoted) == {1: 100, 2: 100, 7: 200}
        assert {fee.seat: fee.jackpot_cents for fee in quoted.fees} == {1: 50, 2: 50, 7: 100}
        assert (quoted.drop_cents, quoted.jackpot_cents) == (400, 200)

    def test_it_is_posted_after_the_fees_with_the_box_that_it_goes_to(self) -> None:
        lines = [
            jackpot("bank", "round", 100),
            jackpot("player", "ante", 50),
            player(100),
            bank("round", 200),
        ]
        posted = [(row.payer, row.due, row.cents, row.box) for row in schedule(with_lines(*lines)).tariff]
        assert posted == [
            ("player", "ante", 100, "drop"),
            ("bank", "round", 200, "drop"),
            ("player", "ante", 50, "jackpot"),
            ("bank", "round", 100, "jackpot"),
        ]

    def test_a_jackpot_on_a_side_bet_is_collected_where_that_lies(self) -> None:
        site = schedule(
            with_lines(player(100), bank("round", 0), jackpot("player", "wager", 50, wager="pair_plus"))
        )
        antes = [Ante(1, "Ann", 500, {"pair_plus": 500}), Ante(2, "Ben", 500)]
        assert [fee.jackpot_cents for fee in quote(site, antes, bank_seat=7).fees] == [50, 0, 0]

    def test_a_fee_without_jackpot_or_waiver_is_kept_as_in_the_round_sheet(self) -> None:
        kept = [fee.to_json() for fee in quote(ONE, [Ante(1, "Ann", 500)], bank_seat=7).fees]
        assert kept == [
            {"payer": "Ann", "seat": 1, "cents": 100},
            {"payer": "bank", "seat": 7, "cents": 100},
        ]


class TestWaivers:
    """Fees that a published rule lets go: what would have been due stays on record."""

    HOUSE = schedule(with_lines(player(100), band(500, None, 200), jackpot("player", "ante", 50)))
    ANTES = (Ante(1, "Ann", 500), Ante(2, "Ben", 500))

    def test_a_rule_is_found_by_its_key(self) -> None:
        site = schedule(with_head(waivers=[waiver("short_handed"), waiver("bank_free", "bank")]))
        found = site.waiver("bank_free")
        assert found is not None and (found.number, found.covers) == (2, "bank")
        assert site.waiver("first_hand") is None

    def test_a_waived_fee_drops_nothing_and_says_what_it_would_have_been(self) -> None:
        quoted = quote(
            self.HOUSE, self.ANTES, bank_seat=7, waived={(1, 0): "first_hand", (7, 0): "short_handed"}
        )
        assert by_seat(quoted) == {1: 0, 2: 100, 7: 0}
        assert (quoted.drop_cents, quoted.waived_cents) == (100, 300)
        assert quoted.bank_label == "$5+", "the band it would have gone by stays"

    def test_what_goes_to_the_jackpot_is_never_waived(self) -> None:
        quoted = quote(
            self.HOUSE,
            self.ANTES,
            bank_seat=7,
            waived=dict.fromkeys([(1, 0), (2, 0), (7, 0)], "x"),
        )
        assert (quoted.drop_cents, quoted.jackpot_cents) == (0, 100)

    def test_half_of_the_player_dealers_two_dollars_is_waived_and_half_collected(self) -> None:
        half = waiver("half", "bank", portion_cents=100)
        site = schedule({**with_lines(player(100), bank("round", 200)), "waivers": [half]})
        quoted = quote(site, self.ANTES, bank_seat=7, waived={(7, 0): "half"})
        assert by_seat(quoted) == {1: 100, 2: 100, 7: 100}
        assert (quoted.drop_cents, quoted.waived_cents) == (300, 100)
        kept = [fee.to_json() for fee in quoted.fees]
        assert kept[2] == {"payer": "bank", "seat": 7, "cents": 100, "waived": 100, "waiver": "half"}
        assert quote(site, self.ANTES, bank_seat=7, waived=waived_places(kept)) == quoted
        assert site.waivers[0].whose == "$1 of the player-dealer's fee"

    def test_the_fees_as_kept_say_enough_to_compute_them_again(self) -> None:
        quoted = quote(self.HOUSE, self.ANTES, bank_seat=7, waived={(2, 0): "first_hand"})
        kept = [fee.to_json() for fee in quoted.fees]
        assert kept[1] == {
            "payer": "Ben",
            "seat": 2,
            "cents": 0,
            "jackpot": 50,
            "waived": 100,
            "waiver": "first_hand",
        }
        again = quote(self.HOUSE, self.ANTES, bank_seat=7, waived=waived_places(kept))
        assert again == quoted


def by_seat(quoted: Quote) -> dict[int, int]:
    return {fee.seat: fee.cents for fee in quoted.fees}
