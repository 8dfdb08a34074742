"""A room's own payouts: dated, checked against the printed floor, and never guessed before the first posting."""

import io
import json
from datetime import date
from pathlib import Path

import pytest

from games.command_odds import main
from games.datafile import DataFileError
from games.posted_tables import NoTablePosted, read_posted_tables

LINES = "straight_flush = 40\nthree_of_a_kind = 30\nstraight = 6\nflush = 4\npair = 1\n"


def posted_table(day: str, lines: str = LINES) -> str:
    return f'[[pair_plus]]\nin_force_from = {day}\nreference = "placard"\n{lines}'


def written(folder: Path, *postings: str, rulebook: str = "designated_player") -> Path:
    path = folder / "house.toml"
    path.write_text(f'rulebook = "{rulebook}"\n' + "\n".join(postings))
    return path


def test_the_posting_of_the_day_holds_until_the_next(tmp_path: Path) -> None:
    later = LINES.replace("flush = 4", "flush = 3", 1).replace("straight_flush = 3", "straight_flush = 40")
    tables = read_posted_tables(
        written(tmp_path, posted_table("2026-01-01"), posted_table("2026-03-01", later))
    )
    assert tables.on(date(2026, 2, 28)) is tables.versions[0]
    assert tables.on(date(2026, 3, 1)) is tables.versions[1]
    assert tables.on(date(2030, 1, 1)) is tables.versions[1]


def test_before_the_first_posting_nothing_is_guessed(tmp_path: Path) -> None:
    tables = read_posted_tables(written(tmp_path, posted_table("2026-01-01")))
    with pytest.raises(NoTablePosted, match="before 2026-01-01"):
        tables.on(date(2025, 12, 31))


@pytest.mark.clause("massachusetts:11(a)(2)", "massachusetts:11(a)(2).floor")
@pytest.mark.parametrize("line", ["straight_flush = 34", "three_of_a_kind = 24", "straight = 4", "flush = 2"])
def test_no_line_may_be_posted_below_the_printed_odds(tmp_path: Path, line: str) -> None:
    hand, _, _ = line.partition(" ")
    lines = "".join(
        f"{line}\n" if kept.startswith(f"{hand} ") else f"{kept}\n" for kept in LINES.splitlines()
    )
    with pytest.raises(DataFileError, match=r"pair_plus\[0\].*cannot be posted"):
        read_posted_tables(written(tmp_path, posted_table("2026-01-01", lines), rulebook="massachusetts"))


@pytest.mark.parametrize(
    ("postings", "what"),
    [
        ([], "pair_plus is missing"),
        (
            [posted_table("2026-03-01"), posted_table("2026-03-01")],
            r"pair_plus\[1\].in_force_from is not after",
        ),
        (
            [posted_table("2026-03-01"), posted_table("2026-01-01")],
            r"pair_plus\[1\].in_force_from is not after",
        ),
        ([posted_table('"soon"')], r"pair_plus\[0\].in_force_from must be a date"),
        ([posted_table("2026-03-01", LINES + "five_aces = 9\n")], r"pair_plus\[0\] cannot be posted"),
        ([posted_table("2026-03-01", LINES.replace("pair = 1\n", ""))], r"pair_plus\[0\] cannot be posted"),
        (
            [posted_table("2026-03-01", LINES.replace("pair = 1", "pair = 0.5"))],
            r"pair must be a whole number",
        ),
        ([posted_table("2026-03-01", LINES.replace("pair = 1", "pair = 0"))], r"pair must be at least 1"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_by_key(tmp_path: Path, postings: list[str], what: str) -> None:
    with pytest.raises(DataFileError, match=what):
        read_posted_tables(written(tmp_path, *postings))


def test_odds_are_told_of_what_was_posted_on_a_day(tmp_path: Path) -> None:
    out = io.StringIO()
    path = written(tmp_path, posted_table("2026-01-01"))
    assert main(["--house", str(path), "--on", "2026-02-01", "--json"], out) == 0
    (row,) = [row for row in json.loads(out.getvalue()) if row["wager"] == "pair_plus"]
    # 48 straight flushes, 52 trips, 720 straights, 1,096 flushes and 3,744 pairs of 22,100 hands; 16,440 lose.
    assert row["edge"] == "128/5525"
    assert (16_440 - 40 * 48 - 30 * 52 - 6 * 720 - 4 * 1_096 - 3_744) * 5525 == 128 * 22_100


@pytest.mark.parametrize(
    "words", [["--house", "house.toml"], ["--on", "2026-01-01"], ["--house", "no.toml", "--on", "x"]]
)
def test_words_that_make_no_sense_end_with_status_2(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert "--on" in capsys.readouterr().err
