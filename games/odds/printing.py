"""Odds as people read them: one table a rulebook, in plain text or Markdown."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from games.money import dollars
from games.odds.listing import OddsRow, compare
from games.rulebook import load_rulebook

HEADINGS = (
    "wager", "table", "advantage", "hit frequency", "exact advantage", "exact frequency", "printed", "difference",
    "remarks",
)  # fmt: skip


def _percent(share: Fraction) -> str:
    return f"{float(share * 100):.4f}%"


def _printed(row: OddsRow) -> tuple[str, str]:
    """The document's own figures, and how far the exact ones lie above them."""
    printed, apart = [], []
    for each in compare(row):
        printed.append(f"{each.published.percent}%")
        apart.append(f"{float(each.apart):+.4f}" + ("" if each.agrees else " (not as printed)"))
    return " / ".join(printed), " / ".join(apart)


def _remarks(row: OddsRow) -> str:
    """What only some rows have to say, in one sentence or two."""
    remarks = []
    if row.favours_players:
        remarks.append("FAVOURS THE PLAYERS")
    if row.options.get("pair_plus_requires_win"):
        remarks.append("paid only if the hand wins")
    detail = row.detail
    if "decision" in detail:
        remarks.append(detail["decision"])
    if "fair_meter_cents" in detail:
        at_table = (
            f"beside {detail['envy_hands']} hands that bring envy"
            if detail["envy_hands"]
            else "envy left out"
        )
        remarks.append(
            f"{dollars(detail['unit_cents'])} at a meter of {dollars(detail['meter_cents'])}, {at_table}; "
            f"{_fair(detail['fair_meter_cents'])}; "
            f"envy adds {float(Fraction(detail['envy_cents_per_hand'])):.4f} cents a hand"
        )
    if "bank_fee_cents" in detail:
        remarks.append(
            f"ante {dollars(detail['ante_cents'])}, fee {dollars(detail['player_fee_cents'])}: costs "
            f"{_cents(detail['player_loss_cents'])} a round; bank's action {dollars(detail['action_cents'])}, "
            f"fee {dollars(detail['bank_fee_cents'])}: brings {_cents(detail['bank_win_cents'])}"
        )
    return "; ".join(remarks)


def _fair(meter_cents: int | None) -> str:
    return "fair at no meter" if meter_cents is None else f"fair at {dollars(meter_cents)}"


def _cents(exact: str) -> str:
    """An average in cents, which need not be whole, in dollars."""
    return f"{'-' if Fraction(exact) < 0 else ''}${abs(float(Fraction(exact))) / 100:.4f}"


def _cells(row: OddsRow) -> tuple[str, ...]:
    return (
        row.wager,
        row.table or "",
        _percent(row.edge),
        _percent(row.hit),
        str(row.edge),
        str(row.hit),
        *_printed(row),
        _remarks(row),
    )


def _by_rulebook(rows: Iterable[OddsRow]) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    for rulebook_id, own in groupby(rows, key=lambda row: row.rulebook):
        yield f"{rulebook_id}: {load_rulebook(rulebook_id).name}", [_cells(row) for row in own]


def _in_columns(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lines in columns as wide as their widest cell; the last column is as long as it likes."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def as_text(rows: Iterable[OddsRow]) -> str:
    """A table for the terminal."""
    return "\n\n".join(
        "\n".join((title, *_in_columns([HEADINGS, *lines]))) for title, lines in _by_rulebook(rows)
    )


def as_markdown(rows: Iterable[OddsRow]) -> str:
    """The same tables for a document."""
    parts = []
    for title, lines in _by_rulebook(rows):
        table = [HEADINGS, tuple("---" for _ in HEADINGS), *lines]
        parts.append("\n".join((f"### {title}", "", *(f"| {' | '.join(line)} |" for line in table))))
    return "\n\n".join(parts)
