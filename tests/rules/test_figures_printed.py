"""The figures in the rulebooks' data are those the rule documents print, read anew from their text."""

import csv
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from games.rulebook import RULEBOOKS, Rulebook, load_rulebook
from games.settle import settle
from games.sheet import read_sheet
from games.terms import default_terms
from tests.shared_data import shared

HANDS = {
    "mini royal flush of spades (ace, king, queen)": "mini_royal_spades",
    "mini royal flush (ace, king, queen)": "mini_royal",
    "mini royal flush": "mini_royal",
    "akq suited": "mini_royal",
    "akq spades": "mini_royal_spades",
    "akq hearts/diamonds/clubs": "mini_royal",
    "royal flush": "royal_flush",
    "straight flush": "straight_flush",
    "four of a kind": "four_of_a_kind",
    "full house": "full_house",
    "three of a kind": "three_of_a_kind",
    "three-of-a-kind": "three_of_a_kind",
    "3 of a kind": "three_of_a_kind",
    "flush": "flush",
    "straight": "straight",
    "one pair": "pair",
    "pair": "pair",
}


def _document(name: str) -> str:
    found = [path for path in shared("seeds").iterdir() if path.name.startswith(name)]
    assert len(found) == 1
    return found[0].read_text(encoding="utf-8")


def _rows(text: str) -> Iterator[tuple[str, list[str]]]:
    """Lines that begin with a hand, and the odds in their further columns as `N:M` or `N for 1`."""
    for line in text.splitlines():
        first, *cells = [cell.strip() for cell in line.split("\t")]
        if first.lower() in HANDS and any(cell and cell[0].isdigit() for cell in cells):
            yield HANDS[first.lower()], [_odds(cell) for cell in cells]


def _odds(cell: str) -> str:
    return re.sub(r"\s*(to|:)\s*", ":", cell.replace(",", ""))


def _between(text: str, start: str, end: str) -> str:
    return text.split(start, 1)[1].split(end, 1)[0]


def _printed(rulebook: Rulebook, kind: str, table: str) -> dict[str, str]:
    tables = getattr(rulebook, kind)
    return {hand: odds.text for hand, odds in tables[table].printed.items()}


@pytest.mark.clause("california:pairplus.10", "california:sixcard.10")
def test_california_pays_what_its_document_prints() -> None:
    text, rulebook = _document("001"), load_rulebook("california")
    pair_plus = dict(_rows(_between(text, "3- Card Hand", "6 Card Bonus")))
    assert {h: c[0] for h, c in pair_plus.items()} == _printed(rulebook, "pair_plus_tables", "california")
    six = dict(_rows(_between(text, "TCB-6B4", "House Advantage")))
    assert {h: c[0] for h, c in six.items()} == _printed(rulebook, "six_card_bonus_tables", "TCP-6B4")


@pytest.mark.clause("california:fees.s1.limit", "california:fees.s2.limit")
def test_california_charges_what_its_document_prints() -> None:
    rows = _between(_document("001"), "Player-Dealer Fee\n", "\n\n\n").splitlines()
    cells = [[cell.replace("\\$", "").strip() for cell in row.split("\t")] for row in rows if row.strip()]
    schedules: list[list[list[str]]] = []
    for row in cells:
        if row[0]:
            schedules.append([])
        schedules[-1].append(row)
    rulebook = load_rulebook("california")
    assert len(schedules) == len(rulebook.fee_schedules) == 2

    def cents(dollars: str) -> int:
        return round(float(dollars.replace("$", "")) * 100)

    for printed, schedule in zip(schedules, rulebook.fee_schedules, strict=True):
        number, limit, player_fee = printed[0][:3]
        least, most = (part.strip() for part in limit.split("-"))
        assert schedule.number == int(number)
        assert schedule.ante_min_cents == cents(least)
        assert schedule.ante_max_cents == (None if "No limit" in most else cents(most))
        assert schedule.player_fee_cents == cents(player_fee)
        bands = [(cents(re.split(r"[-+]", row[3])[0]), cents(row[4])) for row in printed]
        assert [(band.lower_cents, band.fee_cents) for band in schedule.bands] == bands


@pytest.mark.parametrize("rulebook_id", ["massachusetts", "south_dakota"])
def test_the_four_columns_of_the_six_card_bonus_are_those_printed(rulebook_id: str) -> None:
    text, rulebook = _document("000"), load_rulebook(rulebook_id)
    rows = list(_rows(_between(text, "Hand\tTCP-6B1", "7. Procedures")))
    assert len(rows) == 7
    for hand, cells in rows:
        for table, odds in zip(("TCP-6B1", "TCP-6B2", "TCP-6B3", "TCP-6B4"), cells, strict=True):
            assert _printed(rulebook, "six_card_bonus_tables", table)[hand] == odds


def test_south_dakota_prints_the_same_four_columns() -> None:
    text = _between(_document("002"), "TCP-6B4\n", "and:")
    cells = [line.strip() for line in text.splitlines() if line.strip()]
    rulebook = load_rulebook("south_dakota")
    assert len(cells) == 7 * 5
    for at in range(0, len(cells), 5):
        hand = HANDS[cells[at].lower()]
        for table, odds in zip(
            ("TCP-6B1", "TCP-6B2", "TCP-6B3", "TCP-6B4"), cells[at + 1 : at + 5], strict=True
        ):
            assert _printed(rulebook, "six_card_bonus_tables", table)[hand] == _odds(odds)


@pytest.mark.clause("massachusetts:11(a)(2).floor", "massachusetts:11(a)(3).standard")
def test_massachusetts_pays_what_its_document_prints() -> None:
    text, rulebook = _document("000"), load_rulebook("massachusetts")
    floor = {h: c[0] for h, c in _rows(_between(text, "following odds:", "(3) A player placing an ante"))}
    assert floor == _printed(rulebook, "pair_plus_tables", "massachusetts")
    bonus = {h: c[0] for h, c in _rows(_between(text, "consists of the following:", "(i) In the event"))}
    assert bonus == _printed(rulebook, "ante_bonus_tables", "standard")


@pytest.mark.clause(
    "massachusetts:11(a)(3)(i).A", "massachusetts:11(a)(3)(i).B", "massachusetts:11(a)(3)(i).C"
)
def test_massachusetts_bonus_tables_a_b_c_are_those_printed_with_one_straight_for_all() -> None:
    rulebook = load_rulebook("massachusetts")
    printed: dict[str, dict[str, str]] = {"A": {}, "B": {}, "C": {}}
    for hand, cells in _rows(_between(_document("000"), "Table A\tTable B\tTable C", "12. Cover All")):
        columns = cells[:1] * 3 if hand == "straight" else cells
        for table, odds in zip("ABC", columns, strict=True):
            if odds != "N/A":
                printed[table][hand] = odds
    assert printed == {table: _printed(rulebook, "ante_bonus_tables", table) for table in "ABC"}


@pytest.mark.clause("massachusetts:12(k)")
def test_massachusetts_cover_all_is_the_matrix_for_one_to_seven_players() -> None:
    rulebook = load_rulebook("massachusetts")
    printed: dict[str, dict[str, str]] = {str(players): {} for players in range(1, 8)}
    for hand, cells in _rows(_between(_document("000"), "matrix for 1-7 players", "13. Progressive")):
        for players, odds in zip("7654321", cells, strict=True):
            printed[players][hand] = odds
    assert printed == {table: _printed(rulebook, "cover_all_tables", table) for table in printed}


@pytest.mark.clause("massachusetts:13(e).table1", "massachusetts:13(e).table2", "massachusetts:13(e).table3")
def test_massachusetts_progressive_tables_and_envy_are_those_printed() -> None:
    rulebook = load_rulebook("massachusetts")
    assert rulebook.progressive is not None
    hands = set()
    envy = dict(zip(("mini_royal", "mini_royal_spades"), rulebook.progressive.envy_cents[6:], strict=True))
    for hand, cells in _rows(_between(_document("000"), "Table 3\tEnvy", "14. Irregularities")):
        for table, odds in zip("123", cells[:3], strict=True):
            own = _printed(rulebook, "progressive_tables", table).get(hand, "N/A")
            assert own == ("100% of the meter" if odds == "100%" else odds)
        hands.add(hand)
        if cells[3:] and cells[3]:
            assert envy.pop(hand) == int(cells[3].replace("\\", "").strip("$")) * 100
    assert not envy
    assert hands | {"mini_royal_spades"} == set(rulebook.progressive_tables["1"].printed)


@pytest.mark.clause("south_dakota:(13)", "south_dakota:(14)", "south_dakota:(16).5")
def test_south_dakota_pays_what_its_document_prints() -> None:
    text, rulebook = _document("002"), load_rulebook("south_dakota")
    pattern = r"(?:\([a-e]\)\s+)(.+?) pays ([\d,]+) to 1"
    bonus = re.findall(pattern, _between(text, "(13)", "(14)"))
    assert {HANDS[h.lower()]: f"{n}:1" for h, n in bonus} == _printed(
        rulebook, "ante_bonus_tables", "standard"
    )
    pair_plus = re.findall(pattern, _between(text, "(14)", "(15)"))
    assert {HANDS[h.lower()]: f"{n}:1" for h, n in pair_plus} == _printed(
        rulebook, "pair_plus_tables", "south_dakota"
    )
    seed = re.search(r"initial meter seeding shall be \$([\d,]+)", text)
    assert seed is not None
    assert rulebook.progressive is not None
    assert rulebook.progressive.meter_seed_cents == int(seed[1].replace(",", "")) * 100


def test_south_dakota_progressive_paytables_are_those_printed() -> None:
    text, rulebook = _document("002"), load_rulebook("south_dakota")
    for table, end in (("1", "Paytable 2\n"), ("2", "The original progressive")):
        part = _between(text, f"Paytable {table}\n", end)
        cells = [line.strip() for line in part.splitlines() if line.strip()]
        printed = {
            HANDS[hand.lower().replace("diamonds/hearts/clubs", "hearts/diamonds/clubs")]: pays
            for hand, pays in pairwise(cells)
            if pays.endswith(("for 1", "the meter"))
        }
        assert printed == _printed(rulebook, "progressive_tables", table)


def test_shuffle_master_designators_pay_what_the_summary_prints() -> None:
    text, rulebook = _document("003"), load_rulebook("shuffle_master")
    seen = set()
    for part in text.split("Paytable Designator Description")[1:]:
        block = part.split("Par per Ante")[0]
        names = re.findall(r"TCP-\d\d", block)
        rows = [line.split("\t") for line in block.splitlines() if line.split("\t")[0].lower() in HANDS]
        for column, name in enumerate(names):
            designator = rulebook.designators[name]
            bonus = {HANDS[r[0].lower()]: f"{r[1 + 2 * column]}:1" for r in rows if r[1 + 2 * column]}
            plus = {HANDS[r[0].lower()]: f"{r[2 + 2 * column]}:1" for r in rows}
            assert bonus == _printed(rulebook, "ante_bonus_tables", designator.ante_bonus)
            assert plus == _printed(rulebook, "pair_plus_tables", designator.pair_plus)
            seen.add(name)
    assert seen == set(rulebook.designators) == set(rulebook.options["designator"].values)


@pytest.mark.clause("shuffle_master:badbeat.3")
def test_shuffle_master_bad_beat_pays_what_its_document_prints() -> None:
    table = load_rulebook("shuffle_master").bad_beat_table
    assert table is not None
    printed = dict(_rows(_between(_document("003"), "Hand Beaten", "House edge")))
    assert {h: c[0] for h, c in printed.items()} == {h: o.text for h, o in table.printed.items()}


@pytest.mark.clause("designated_player:play.10.table")
def test_the_designated_players_chart_is_the_one_printed() -> None:
    chart = re.findall(
        r"^(?:Pairs plus\n)?(Mini Royal|Straight Flush|Three of a kind|Straight|Flush|Pair)(\d+) to 1",
        _document("004"),
        flags=re.MULTILINE,
    )
    names = {hand.lower(): HANDS.get(hand.lower(), "mini_royal") for hand, _ in chart}
    printed = {names[hand.lower()]: f"{odds}:1" for hand, odds in chart}
    assert printed == _printed(load_rulebook("designated_player"), "pair_plus_tables", "designated_player")


def _known_clauses() -> set[str]:
    with shared("design", "clauses.csv").open(encoding="utf-8", newline="") as file:
        return {f"{row['rulebook']}:{row['clause']}" for row in csv.DictReader(file)}


def _is_known(clause: str, known: set[str]) -> bool:
    number = clause.removeprefix("ruling ")
    return clause in known or (number != clause and 1 <= int(number) <= 48)


@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_every_clause_the_data_names_is_a_clause_of_its_document(rulebook_id: str) -> None:
    known, rulebook = _known_clauses(), load_rulebook(rulebook_id)
    tables = (
        *rulebook.pair_plus_tables.values(),
        *rulebook.six_card_bonus_tables.values(),
        *rulebook.ante_bonus_tables.values(),
        *rulebook.cover_all_tables.values(),
        *rulebook.progressive_tables.values(),
    )
    named = [table.clause for table in tables]
    named += [wager.clause for wager in rulebook.wagers.values()]
    named += [version.clause for version in rulebook.versions.values()]
    named += [designator.clause for designator in rulebook.designators.values()]
    named += [reason.clause for reason in rulebook.void_reasons]
    named += [clause for causes in rulebook.clauses.values() for clause in causes.values()]
    for schedule in rulebook.fee_schedules:
        named += [schedule.clause, schedule.player_clause, *(band.clause for band in schedule.bands)]
    if rulebook.progressive is not None:
        named += [rulebook.progressive.envy_clause, rulebook.progressive.meter_clause]
    named.append(rulebook.tip_clause)
    assert [clause for clause in named if not _is_known(rulebook.clause_id(clause), known)] == []


def test_every_line_of_the_sample_rounds_names_a_known_clause_and_a_reason() -> None:
    known = _known_clauses()
    for text in shared("rounds", "sheets.jsonl").read_text(encoding="utf-8").splitlines():
        for line in settle(read_sheet(text)).lines:
            assert _is_known(line.clause, known), line
            assert len(line.reason) > 10 and "None" not in line.reason


@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_default_options_give_the_default_terms(rulebook_id: str) -> None:
    terms = default_terms(load_rulebook(rulebook_id))
    assert dict(terms.options) == load_rulebook(rulebook_id).default_options
