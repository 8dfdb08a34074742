"""`manage.py odds`: exact odds of every wager and paytable, for reading or as JSON."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import TextIO

from games.datafile import DataFileError
from games.money import MOST_CENTS
from games.odds import OddsRow, Situation
from games.odds_printing import as_markdown, as_text
from games.posted_tables import NoTablePosted, read_posted_tables
from games.refusal import Refusal
from games.registry import RULEBOOKS, game_of, load_rulebook, read_options
from games.sheet_json import parse_json
from games.terms import Terms

_EXAMPLE = """\
examples:
  manage.py odds                                    every wager of every rulebook
  manage.py odds --rulebook california --json
  manage.py odds --rulebook south_dakota --meter 750000 --others 5
  manage.py odds --rulebook california --schedule 1 --ante 1000 --action 6000
  manage.py odds --rulebook designated_player --options \
'{"pair_plus_table": {"straight_flush": 40, "three_of_a_kind": 30, "straight": 6, "flush": 4, "pair": 1}}'
"""


def _at_least(least: int) -> Callable[[str], int]:
    def whole_number(text: str) -> int:
        number = int(text)
        if not least <= number <= MOST_CENTS:
            raise argparse.ArgumentTypeError(f"must be a whole number from {least} to {MOST_CENTS}")
        return number

    return whole_number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="manage.py odds",
        description="Exact house advantage and hit frequency of every wager and paytable. Amounts are in cents.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rulebook", choices=RULEBOOKS, help="this rulebook alone")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="a list of objects, one a wager and table")
    form.add_argument("--markdown", action="store_true", help="tables for a document")
    parser.add_argument(
        "--options", metavar="JSON", help="one room's options, as on a round sheet; needs --rulebook"
    )
    parser.add_argument(
        "--house",
        metavar="FILE",
        type=Path,
        help="a room's own payouts by date (games/posted_tables.py)",
    )
    parser.add_argument(
        "--on", metavar="DATE", type=date.fromisoformat, help="the day of --house, 2026-03-01"
    )
    parser.add_argument(
        "--meter", metavar="CENTS", type=_at_least(0), help="the progressive meter; default: its seed"
    )
    parser.add_argument(
        "--unit", metavar="CENTS", type=_at_least(1), default=100, help="one progressive wager; default: 100"
    )
    parser.add_argument(
        "--others", metavar="HANDS", type=_at_least(0), default=0, help="hands of others that can bring envy"
    )
    fees = parser.add_argument_group(
        "the ante after collection fees", "all three together, with --rulebook; adds a row for them"
    )
    fees.add_argument("--schedule", metavar="NUMBER", type=_at_least(1), help="the fee schedule's number")
    fees.add_argument("--ante", metavar="CENTS", type=_at_least(1), help="the ante of one player")
    fees.add_argument("--action", metavar="CENTS", type=_at_least(1), help="total table action: all antes")
    return parser


def _read_terms(parser: argparse.ArgumentParser, rulebook_id: str, text: str) -> Terms:
    try:
        options = parse_json(text)
        if not isinstance(options, dict):
            parser.error("--options must be an object of options by name")
        return read_options(load_rulebook(rulebook_id), options)
    except Refusal as refusal:
        parser.error(f"--options: {refusal.code}: {refusal.message}")


def _posted_terms(parser: argparse.ArgumentParser, path: Path, day: date) -> Terms:
    try:
        tables = read_posted_tables(path)
        return read_options(load_rulebook(tables.rulebook), tables.on(day).options)
    except (DataFileError, NoTablePosted) as error:
        parser.error(f"--house: {error}")


def _check(parser: argparse.ArgumentParser, given: argparse.Namespace) -> None:
    """Exit with an error if arguments are missing or do not go together."""
    fees = (given.schedule, given.ante, given.action)
    if any(amount is not None for amount in fees) and None in fees:
        parser.error("--schedule, --ante and --action go together")
    if (given.house is None) != (given.on is None):
        parser.error("--house and --on go together: which postings, and on which day")
    if given.house is not None and (given.rulebook is not None or given.options is not None):
        parser.error("--house says which rulebook and options hold on the day --on; leave yours out")
    if given.rulebook is None and (given.options is not None or given.schedule is not None):
        parser.error("say with --rulebook whose options or fees these are")
    seats = max(load_rulebook(each).seats for each in ([given.rulebook] if given.rulebook else RULEBOOKS))
    if given.others >= seats:
        parser.error(f"--others: a table of {seats} seats has at most {seats - 1} hands of others")


def all_odds(situation: Situation | None = None) -> list[OddsRow]:
    """Exact odds of every wager of every rulebook."""
    return [row for rulebook in RULEBOOKS for row in game_of(rulebook).odds_of(rulebook, situation)]


def _odds_on(terms: Terms, situation: Situation) -> list[OddsRow]:
    return game_of(terms.rulebook.id).odds_on(terms, situation)


def _rows(parser: argparse.ArgumentParser, given: argparse.Namespace) -> list[OddsRow]:
    situation = Situation(given.meter, given.unit, given.others)
    if given.house is not None:
        return _odds_on(_posted_terms(parser, given.house, given.on), situation)
    if given.rulebook is None:
        return all_odds(situation)
    if given.options is None:
        rows = game_of(given.rulebook).odds_of(given.rulebook, situation)
    else:
        rows = _odds_on(_read_terms(parser, given.rulebook, given.options), situation)
    if given.schedule is not None:
        terms = _read_terms(parser, given.rulebook, given.options or "{}")
        try:
            rows.append(
                game_of(given.rulebook).main_wager_with_fees(
                    terms, given.schedule, cents=given.ante, action_cents=given.action
                )
            )
        except (KeyError, ValueError) as error:
            parser.error(str(error.args[0]))
    return rows


def main(argv: Sequence[str], stdout: TextIO | None = None) -> int:
    """Print the odds asked for by `argv`, the words after `odds`.

    Returns the exit status: 0, or 2 for invalid arguments, with the reason on standard error.
    """
    out = sys.stdout if stdout is None else stdout
    parser = _parser()
    try:
        given = parser.parse_args(argv)
        _check(parser, given)
        rows = _rows(parser, given)
    except SystemExit as leaving:  # argparse has printed the reason
        return leaving.code if isinstance(leaving.code, int) else 2
    if given.json:
        text = json.dumps([row.to_json() for row in rows], indent=1, ensure_ascii=False)
    else:
        text = as_markdown(rows) if given.markdown else as_text(rows)
    try:
        print(text, file=out, flush=True)
    except BrokenPipeError:
        # The reader closed the pipe; without this Python would report it once more at exit.
        sys.stderr.close()
    return 0
