"""The figures in the rulebooks' data are those that the rule documents print (`tests/rules/data/printed.toml`)."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine import read_sheet, settle
from games.paytables import Paytable
from games.registry import load_rulebook
from games.three_card_poker.rulebook import RULEBOOKS
from games.three_card_poker.terms import default_terms
from tests.samples import samples
from tests.traceability.catalogue import catalogue
from tests.traceability.documents import kept_figures

PRINTED: dict[str, Any] = kept_figures()
#: The number of the last reading of the project's own: a clause may be `ruling 1` to `ruling 49`.
LAST_RULING = 49


def odds(table: Paytable) -> dict[str, str]:
    return {hand: each.text for hand, each in table.printed.items()}


def tables(rulebook_id: str, kind: str) -> dict[str, dict[str, str]]:
    return {name: odds(table) for name, table in getattr(load_rulebook(rulebook_id), kind).items()}


def envy(rulebook_id: str) -> dict[str, int]:
    rule = load_rulebook(rulebook_id).progressive
    assert rule is not None
    return dict(zip(("mini_royal", "mini_royal_spades"), rule.envy_cents[6:], strict=True))


@pytest.mark.clause("california:pairplus.10", "california:sixcard.10")
def test_california_pays_what_its_document_prints() -> None:
    printed = PRINTED["california"]
    assert tables("california", "pair_plus_tables") == {"california": printed["pair_plus"]}
    assert tables("california", "six_card_bonus_tables") == printed["six_card_bonus"]
    assert list(printed["six_card_bonus"]) == ["TCP-6B4"]


@pytest.mark.clause("california:fees.s1.limit", "california:fees.s2.limit")
def test_california_charges_what_its_document_prints() -> None:
    schedules = load_rulebook("california").fee_schedules
    assert len(schedules) == len(PRINTED["california"]["schedules"]) == 2
    for printed, schedule in zip(PRINTED["california"]["schedules"], schedules, strict=True):
        assert schedule.number == printed["number"]
        assert schedule.ante_min_cents == printed["ante_min_cents"]
        assert schedule.ante_max_cents == printed.get("ante_max_cents")
        assert schedule.player_fee_cents == printed["player_fee_cents"]
        assert [[band.lower_cents, band.fee_cents] for band in schedule.bands] == printed["bands"]


@pytest.mark.parametrize("rulebook_id", ["massachusetts", "south_dakota"])
def test_the_four_columns_of_the_six_card_bonus_are_those_printed(rulebook_id: str) -> None:
    printed = PRINTED[rulebook_id]["six_card_bonus"]
    assert {name: len(lines) for name, lines in printed.items()} == {f"TCP-6B{n}": 7 for n in (1, 2, 3, 4)}
    assert tables(rulebook_id, "six_card_bonus_tables") == printed


@pytest.mark.clause(
    "massachusetts:11(a)(2).floor",
    "massachusetts:11(a)(3).standard",
    "massachusetts:11(a)(3)(i).A",
    "massachusetts:11(a)(3)(i).B",
    "massachusetts:11(a)(3)(i).C",
)
def test_massachusetts_pays_what_its_document_prints() -> None:
    printed = PRINTED["massachusetts"]
    assert tables("massachusetts", "pair_plus_tables") == {"massachusetts": printed["pair_plus"]}
    assert set(printed["ante_bonus"]) == {"standard", "A", "B", "C"}
    assert tables("massachusetts", "ante_bonus_tables") == printed["ante_bonus"]


@pytest.mark.clause("massachusetts:12(k)")
def test_massachusetts_cover_all_is_the_matrix_for_one_to_seven_players() -> None:
    assert set(PRINTED["massachusetts"]["cover_all"]) == set("1234567")
    assert tables("massachusetts", "cover_all_tables") == PRINTED["massachusetts"]["cover_all"]


@pytest.mark.clause("massachusetts:13(e).table1", "massachusetts:13(e).table2", "massachusetts:13(e).table3")
def test_massachusetts_progressive_tables_and_envy_are_those_printed() -> None:
    assert set(PRINTED["massachusetts"]["progressive"]) == set("123")
    assert tables("massachusetts", "progressive_tables") == PRINTED["massachusetts"]["progressive"]
    assert envy("massachusetts") == PRINTED["massachusetts"]["envy_cents"]


@pytest.mark.clause("south_dakota:(13)", "south_dakota:(14)", "south_dakota:(16).5")
def test_south_dakota_pays_what_its_document_prints() -> None:
    printed, book = PRINTED["south_dakota"], load_rulebook("south_dakota")
    rule, meter = book.progressive, book.meter
    assert tables("south_dakota", "pair_plus_tables") == {"south_dakota": printed["pair_plus"]}
    assert tables("south_dakota", "ante_bonus_tables") == printed["ante_bonus"]
    assert rule is not None
    assert meter is not None
    assert meter.seed_cents == printed["meter_seed_cents"] == 100_000


def test_south_dakota_progressive_paytables_and_envy_are_those_printed() -> None:
    assert set(PRINTED["south_dakota"]["progressive"]) == set("12")
    assert tables("south_dakota", "progressive_tables") == PRINTED["south_dakota"]["progressive"]
    assert envy("south_dakota") == PRINTED["south_dakota"]["envy_cents"]


def test_shuffle_master_designators_pay_what_the_summary_prints() -> None:
    rulebook, printed = load_rulebook("shuffle_master"), PRINTED["shuffle_master"]["designators"]
    assert set(printed) == set(rulebook.designators) == set(rulebook.options["designator"].values)
    assert len(printed) == 12
    for name, designator in rulebook.designators.items():
        assert odds(rulebook.ante_bonus_tables[designator.ante_bonus]) == printed[name]["ante_bonus"]
        assert odds(rulebook.pair_plus_tables[designator.pair_plus]) == printed[name]["pair_plus"]


@pytest.mark.clause("shuffle_master:badbeat.3")
def test_shuffle_master_bad_beat_pays_what_its_document_prints() -> None:
    table = load_rulebook("shuffle_master").bad_beat_table
    assert table is not None and odds(table) == PRINTED["shuffle_master"]["bad_beat"]


@pytest.mark.clause("designated_player:play.10.table")
def test_the_designated_players_chart_is_the_one_printed() -> None:
    printed = PRINTED["designated_player"]["pair_plus"]
    assert tables("designated_player", "pair_plus_tables") == {"designated_player": printed}


def _is_known(clause: str) -> bool:
    number = clause.removeprefix("ruling ")
    return clause in catalogue() or (number != clause and 1 <= int(number) <= LAST_RULING)


@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_every_clause_the_data_names_is_a_clause_of_its_document(rulebook_id: str) -> None:
    rulebook = load_rulebook(rulebook_id)
    paytables = (
        *rulebook.pair_plus_tables.values(),
        *rulebook.six_card_bonus_tables.values(),
        *rulebook.ante_bonus_tables.values(),
        *rulebook.cover_all_tables.values(),
        *rulebook.progressive_tables.values(),
    )
    named = [table.clause for table in paytables]
    named += [wager.clause for wager in rulebook.wagers.values()]
    named += [version.clause for version in rulebook.versions.values()]
    named += [designator.clause for designator in rulebook.designators.values()]
    named += [reason.clause for reason in rulebook.void_reasons]
    named += [clause for causes in rulebook.clauses.values() for clause in causes.values()]
    for schedule in rulebook.fee_schedules:
        named += [schedule.clause, schedule.player_clause, *(band.clause for band in schedule.bands)]
    if rulebook.progressive is not None:
        named += [rulebook.progressive.envy_clause, rulebook.meter.clause]
    named.append(rulebook.tip_clause)
    assert [clause for clause in named if not _is_known(rulebook.clause_id(clause))] == []


def test_every_line_of_the_sample_rounds_names_a_known_clause_and_a_reason() -> None:
    for sample in samples():
        for line in settle(read_sheet(sample.text)).lines:
            assert _is_known(line.clause), line
            assert len(line.reason) > 10 and "None" not in line.reason


@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_default_options_give_the_default_terms(rulebook_id: str) -> None:
    terms = default_terms(load_rulebook(rulebook_id))
    assert dict(terms.options) == load_rulebook(rulebook_id).default_options
