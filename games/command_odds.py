"""`manage.py odds`: exact odds of every wager and paytable, for reading or as JSON."""

import argparse
import json
from collections.abc import Sequence
from typing import Any, TextIO

from games.odds.listing import OddsRow, Situation, ante_with_fees, odds_of, odds_on
from games.odds.printing import as_markdown, as_text
from games.refusal import Refusal
from games.rulebook import RULEBOOKS, load_rulebook
from games.terms import Terms, read_options

_EXAMPLE = """\
examples:
  manage.py odds                                    every wager of every rulebook
  manage.py odds --rulebook california --json
  manage.py odds --rulebook south_dakota --meter 750000 --others 5
  manage.py odds --rulebook california --schedule 1 --ante 1000 --action 6000
  manage.py odds --rulebook designated_player --options \
'{"pair_plus_table": {"straight_flush": 40, "three_of_a_kind": 30, "straight": 6, "flush": 4, "pair": 1}}'
"""


def _not_below(least: int) -> Any:
    def whole_number(text: str) -> int:
        number = int(text)
        if number < least:
            raise argparse.ArgumentTypeError(f"{number} is below {least}")
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
        "--meter", metavar="CENTS", type=_not_below(0), help="the progressive meter; default: its seed"
    )
    parser.add_argument(
        "--unit", metavar="CENTS", type=_not_below(1), default=100, help="one progressive wager; default: 100"
    )
    parser.add_argument(
        "--others", metavar="HANDS", type=_not_below(0), default=0, help="hands of others that can bring envy"
    )
    fees = parser.add_argument_group(
        "the ante after collection fees", "all three together, with --rulebook; adds a row for them"
    )
    fees.add_argument("--schedule", metavar="NUMBER", type=int, help="the fee schedule's number")
    fees.add_argument("--ante", metavar="CENTS", type=_not_below(1), help="the ante of one player")
    fees.add_argument("--action", metavar="CENTS", type=_not_below(1), help="total table action: all antes")
    return parser


def _read_terms(parser: argparse.ArgumentParser, rulebook_id: str, text: str) -> Terms:
    try:
        options = json.loads(text)
    except (ValueError, RecursionError) as error:
        parser.error(f"--options is no JSON: {error}")
    if not isinstance(options, dict):
        parser.error("--options must be a JSON object")
    try:
        return read_options(load_rulebook(rulebook_id), options)
    except Refusal as refusal:
        parser.error(str(refusal))


def _rows(parser: argparse.ArgumentParser, argv: Sequence[str]) -> tuple[argparse.Namespace, list[OddsRow]]:
    given = parser.parse_args(argv)
    fees = (given.schedule, given.ante, given.action)
    if any(amount is not None for amount in fees) and None in fees:
        parser.error("--schedule, --ante and --action go together")
    if given.rulebook is None and (given.options is not None or given.schedule is not None):
        parser.error("say with --rulebook whose options or fees these are")
    situation = Situation(given.meter, given.unit, given.others)
    if given.rulebook is None:
        return given, [row for rulebook_id in RULEBOOKS for row in odds_of(rulebook_id, situation)]
    if given.options is None:
        rows = odds_of(given.rulebook, situation)
    else:
        rows = odds_on(_read_terms(parser, given.rulebook, given.options), situation)
    if given.schedule is not None:
        terms = _read_terms(parser, given.rulebook, given.options or "{}")
        try:
            rows.append(
                ante_with_fees(terms, given.schedule, ante_cents=given.ante, action_cents=given.action)
            )
        except (KeyError, ValueError) as error:
            parser.error(str(error.args[0]))
    return given, rows


def main(argv: Sequence[str], stdout: TextIO) -> int:
    """Print the odds asked for by `argv`, the words after `odds`.

    Returns the exit status: 0, or 2 when the words make no sense, with the reason on standard error.
    """
    try:
        given, rows = _rows(_parser(), argv)
    except SystemExit as leaving:  # argparse has said why
        return leaving.code if isinstance(leaving.code, int) else 2
    if given.json:
        json.dump([row.to_json() for row in rows], stdout, indent=1, ensure_ascii=False)
        stdout.write("\n")
    else:
        print(as_markdown(rows) if given.markdown else as_text(rows), file=stdout)
    return 0
