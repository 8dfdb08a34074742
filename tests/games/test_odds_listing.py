"""`manage.py odds`: every wager, paytable and option of every rulebook, beside what the documents print."""

import io
import json
import resource
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from games.command_odds import all_odds, main
from games.datafile import DataFileError, Entry
from games.odds import OddsRow, Situation, compare
from games.odds_printing import as_markdown, as_text
from games.published import read_published
from games.registry import WITH_RULES, load_rulebook, read_options
from games.three_card_poker.odds.listing import odds_of, odds_on
from games.three_card_poker.rulebook import RULEBOOKS
from tests.samples import ROOT

#: Every figure of its own odds that one of the five documents prints, read off by eye.
PRINTED: dict[tuple[str, str, str | None], dict[str, str]] = {
    ("california", "six_card_bonus", "TCP-6B4"): {"edge": "8.56", "hit": "7.2798"},
    **{
        ("shuffle_master", "ante", f"TCP-{number:02}"): {"edge": par}
        for par, numbers in (("3.37", (1, 2, 7, 10)), ("3.61", (3, 4, 8, 11)), ("3.83", (5, 6, 9, 12)))
        for number in numbers
    },
    ("shuffle_master", "bad_beat", None): {"edge": "19.87", "hit": "6.59"},
}


def run(*words: str) -> tuple[int, str]:
    out = io.StringIO()
    return main(words, out), out.getvalue()


def rows_as_json(*words: str) -> list[dict[str, Any]]:
    status, text = run("--json", *words)
    assert status == 0
    rows: list[dict[str, Any]] = json.loads(text)
    return rows


def row_of(rulebook: str, wager: str, table: str | None = None) -> OddsRow:
    (row,) = [each for each in odds_of(rulebook) if (each.wager, each.table) == (wager, table)]
    return row


@pytest.fixture(scope="module")
def rows() -> list[OddsRow]:
    return [row for row in all_odds() if row.rulebook in RULEBOOKS]


def test_every_figure_a_document_prints_stands_beside_the_exact_one(rows: list[OddsRow]) -> None:
    found = {
        (row.rulebook, row.wager, row.table): {
            each.published.figure: str(each.published.percent) for each in compare(row)
        }
        for row in rows
        if row.published
    }
    assert found == PRINTED


def test_exact_figures_round_to_the_printed_ones_but_for_bad_beat_ruling_39(rows: list[OddsRow]) -> None:
    apart = [(row.wager, each.published.figure) for row in rows for each in compare(row) if not each.agrees]
    assert apart == [("bad_beat", "edge")]
    assert round(float(row_of("shuffle_master", "bad_beat").edge * 100), 4) == 19.8595


def test_each_wager_stands_on_each_table_its_document_prints(rows: list[OddsRow]) -> None:
    """The tables named here are those of the documents, counted by eye."""
    designators = {f"TCP-{number:02}" for number in range(1, 13)}
    six_cards = {f"TCP-6B{number}" for number in range(1, 5)}
    players = {"1 player", *(f"{number} players" for number in range(2, 8))}
    expected = {
        "california": {"ante": {None}, "pair_plus": {"california"}, "six_card_bonus": {"TCP-6B4"}},
        "designated_player": {
            "ante": {None},
            "pair_plus": {"designated_player"},
            "six_card_bonus": {"TCP-6B4"},
        },
        "massachusetts": {
            "ante": {"standard", "A", "B", "C"},
            "pair_plus": {"massachusetts"},
            "six_card_bonus": six_cards,
            "cover_all": players,
            "progressive": {"1", "2", "3"},
        },
        "south_dakota": {
            "ante": {"standard"},
            "pair_plus": {"south_dakota"},
            "six_card_bonus": six_cards,
            "progressive": {"1", "2"},
        },
        "shuffle_master": {"ante": designators, "pair_plus": designators, "bad_beat": {None}},
    }
    found: dict[str, dict[str, set[str | None]]] = {}
    for row in rows:
        found.setdefault(row.rulebook, {}).setdefault(row.wager, set()).add(row.table)
    assert found == expected


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_no_wager_and_no_paytable_of_a_rulebook_is_left_out(rulebook: str) -> None:
    """Against the rulebook's data: a table added there must turn up here."""
    book = load_rulebook(rulebook)
    listed = {(row.wager, row.table) for row in odds_of(rulebook)}
    assert {wager for wager, _ in listed} == set(book.wagers) - {"play"}
    pair_plus = [*(book.designators or book.pair_plus_tables)]
    ante = [*(book.designators or book.ante_bonus_tables)] or [None]
    assert listed == {
        *(("ante", table) for table in ante),
        *(("pair_plus", table) for table in pair_plus),
        *(("six_card_bonus", table) for table in book.six_card_bonus_tables),
        *(("progressive", table) for table in book.progressive_tables),
        *(("cover_all", f"{n} player{'s' * (n != '1')}") for n in book.cover_all_tables),
        *((("bad_beat", None),) if book.bad_beat_table else ()),
    }


def test_options_of_a_row_lead_back_to_it(rows: list[OddsRow]) -> None:
    for row in rows:
        terms = read_options(load_rulebook(row.rulebook), row.options)
        again = [
            (each.edge, each.hit)
            for each in odds_on(terms)
            if (each.wager, each.table) == (row.wager, row.table)
        ]
        assert again == [(row.edge, row.hit)], row


def test_the_example_of_the_designated_player_rules_favours_the_players(rows: list[OddsRow]) -> None:
    """The paytable printed as an example in 004, and progressive table 3 of 000, which pays 400 for 1."""
    assert {(row.rulebook, row.wager, row.table) for row in rows if row.favours_players} == {
        ("designated_player", "pair_plus", "designated_player"),
        ("massachusetts", "progressive", "3"),
    }
    free, tied = [row for row in rows if (row.rulebook, row.wager) == ("designated_player", "pair_plus")]
    assert free.edge == Fraction(-142, 5525)
    assert not free.options["pair_plus_requires_win"]
    assert tied.options["pair_plus_requires_win"]
    assert tied.edge > 0
    assert as_text([free]).count("FAVOURS THE PLAYERS") == 1
    assert "FAVOURS" not in as_text([tied])


def test_json_is_as_the_contract_writes_it() -> None:
    rows = rows_as_json("--rulebook", "california")
    (six,) = [row for row in rows if row["wager"] == "six_card_bonus"]
    contract = {
        "rulebook": "california",
        "wager": "six_card_bonus",
        "table": "TCP-6B4",
        "edge": "12816/149695",
        "edge_percent": 8.561408,
        "hit": "185258/2544815",
        "hit_percent": 7.279822,
    }
    assert {key: six[key] for key in contract} == contract
    assert six["published"] == {
        "edge_percent": 8.56,
        "edge_difference": 0.001408,
        "edge_agrees": True,
        "edge_clause": "california:sixcard.10.2",
        "hit_percent": 7.2798,
        "hit_difference": 0.000022,
        "hit_agrees": True,
        "hit_clause": "california:sixcard.10.3",
    }
    assert [row["published"] for row in rows if row is not six] == [None, None]


def test_json_fractions_and_percentages_are_one_figure() -> None:
    not_worked_out = []
    for row in rows_as_json():
        if row["edge"] is None:
            assert row["hit"] is row["edge_percent"] is row["hit_percent"] is None
            not_worked_out.append((row["rulebook"], row["wager"]))
            continue
        for figure in ("edge", "hit"):
            assert row[f"{figure}_percent"] == round(float(Fraction(row[figure]) * 100), 6)
            assert 0 < Fraction(row["hit"]) < 1
    ultimate = [wager for rulebook, wager in not_worked_out if rulebook == "ultimate_texas_holdem"]
    assert ultimate == ["ante", "blind"]


def test_the_ante_says_which_hands_to_play(rows: list[OddsRow]) -> None:
    antes = [row for row in rows if row.wager == "ante" and row.rulebook != "california"]
    assert {row.detail["decision"] for row in antes} == {"play Q-6-4 or better"}
    for row in antes:
        assert Fraction(row.detail["highest_folded_would_be_worth"]) < -1
        assert Fraction(row.detail["lowest_played_is_worth"]) > -1


def test_fees_of_a_schedule_make_a_row_of_their_own() -> None:
    *rows, last = rows_as_json(
        "--rulebook", "california", "--schedule", "1", "--ante", "1000", "--action", "6000"
    )
    (ante,) = [row for row in rows if row["wager"] == "ante"]
    assert last["table"] == "fee schedule 1"
    assert Fraction(last["edge"]) == Fraction(ante["edge"]) + Fraction(1, 10)
    assert last["detail"]["player_fee_cents"] == last["detail"]["bank_fee_cents"] == 100
    assert Fraction(last["detail"]["bank_win_cents"]) == 6000 * Fraction(ante["edge"]) - 100
    text = run("--rulebook", "california", "--schedule", "1", "--ante", "1000", "--action", "6000")[1]
    assert "costs $1.4296 a round" in text
    assert "brings $1.5778" in text


def test_the_meter_and_the_table_move_the_progressive() -> None:
    (seed,) = [row for row in rows_as_json("--rulebook", "south_dakota") if row["table"] == "1"]
    assert seed["detail"]["meter_cents"] == 100_000
    fair = str(seed["detail"]["fair_meter_cents"])
    (even,) = [
        row for row in rows_as_json("--rulebook", "south_dakota", "--meter", fair) if row["table"] == "1"
    ]
    assert even["edge"] == "0"
    assert not even["favours_players"]
    (full,) = [
        row for row in rows_as_json("--rulebook", "south_dakota", "--others", "6") if row["table"] == "1"
    ]
    # Six other hands, each worth (3 x $25 + $100) / 22,100.
    assert Fraction(seed["edge"]) - Fraction(full["edge"]) == 6 * Fraction(175, 22_100)


def test_a_rooms_own_paytable_is_counted_on_its_options() -> None:
    own = {"straight_flush": 35, "three_of_a_kind": 33, "straight": 6, "flush": 4, "pair": 1}
    rows = rows_as_json("--rulebook", "massachusetts", "--options", json.dumps({"pair_plus_table": own}))
    (pair_plus,) = [row for row in rows if row["wager"] == "pair_plus"]
    assert pair_plus["table"] == "room"
    assert round(pair_plus["edge_percent"], 2) == 2.70
    assert pair_plus["options"]["pair_plus_table"] == own
    (ante,) = [row for row in rows if row["wager"] == "ante"]
    assert ante["table"] == "standard"


def test_a_wager_that_a_room_does_not_offer_is_not_listed() -> None:
    offered = {row.wager for row in odds_on(read_options(load_rulebook("designated_player"), {}))}
    assert offered == {"ante", "pair_plus"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rulebook", "nevada"], "nevada"),
        (["--schedule", "1"], "go together"),
        (["--schedule", "1", "--ante", "500", "--action", "500"], "--rulebook"),
        (["--options", "{}"], "--rulebook"),
        (["--rulebook", "california", "--options", "{"], "bad_json"),
        (["--rulebook", "california", "--options", "[]"], "object"),
        (["--rulebook", "california", "--options", '{"coverage": "most"}'], "bad_option"),
        (["--rulebook", "california", "--schedule", "3", "--ante", "500", "--action", "500"], "schedule 3"),
        (["--rulebook", "california", "--schedule", "1", "--ante", "499", "--action", "500"], "least ante"),
        (["--meter", "-1"], "whole number"),
        (["--meter", "9" * 400], "whole number"),
        (["--unit", "0"], "whole number"),
        (["--unit", "ten"], "ten"),
        (["--rulebook", "south_dakota", "--others", "7"], "7 seats"),
        (["--json", "--markdown"], "not allowed"),
    ],
)
def test_words_that_make_no_sense_end_with_status_2_and_say_why(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*words) == (2, "")
    assert message in capsys.readouterr().err


def test_help_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--help") == (0, "")
    assert "--rulebook" in capsys.readouterr().out


def test_the_table_for_people_shows_printed_figures_with_their_difference(rows: list[OddsRow]) -> None:
    (line,) = [line for line in as_text(rows).splitlines() if line.startswith("bad_beat")]
    assert "505387/2544815" in line
    assert "19.87% / 6.59%" in line
    assert "-0.0105 (not as printed) / -0.0036" in line


def test_the_document_of_odds_is_what_the_command_prints(rows: list[OddsRow]) -> None:
    """docs/odds.md ends with the table; make it anew with `manage.py odds --markdown` when this fails."""
    assert as_markdown(all_odds()) in (ROOT / "docs" / "odds.md").read_text(encoding="utf-8")


@pytest.mark.outside
def test_all_odds_from_a_cold_process_take_less_than_two_seconds_of_work() -> None:
    """Without an environment; the processor's time, so that a busy machine does not matter."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-E", ROOT / "manage.py", "odds", "--json"],
        env={},
        cwd="/",
        capture_output=True,
        text=True,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert {row["rulebook"] for row in json.loads(done.stdout)} == {*WITH_RULES}
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 2


PUBLISHED = {"wager": "ante", "table": "A", "figure": "edge", "percent": "3.37", "clause": "tcp.par"}


def test_a_printed_figure_keeps_its_digits() -> None:
    published = read_published(Entry({**PUBLISHED, "percent": "3.370"}, "room.toml"), ("ante",))
    assert str(published.percent) == "3.370"
    assert published.half_a_digit == Decimal("0.0005")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("percent", "NaN"),
        ("percent", "3,37"),
        ("wager", "insurance"),
        ("figure", "par"),
        ("note", "hm"),
        ("table", ""),
    ],
)
def test_a_slip_in_a_printed_figure_names_file_and_key(key: str, value: str) -> None:
    with pytest.raises(DataFileError, match=rf"room\.toml: .*{key}"):
        read_published(Entry({**PUBLISHED, key: value}, "room.toml"), ("ante",))


def test_situations_are_checked_by_what_they_mean() -> None:
    with pytest.raises(ValueError, match="unit"):
        odds_of("south_dakota", Situation(unit_cents=0))


def test_an_unknown_rulebook_is_no_rulebook() -> None:
    with pytest.raises(KeyError, match="nevada"):
        odds_of("nevada")
