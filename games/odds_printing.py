"""Formats odds as one table a rulebook, in plain text or Markdown."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from games.money import dollars
from games.odds import NOT_WORKED_OUT, OddsRow, compare
from games.registry import load_rulebook

HEADINGS = (
    "wager", "table", "advantage", "hit frequency", "exact advantage", "exact frequency", "printed", "difference",
    "remarks",
)  # fmt: skip


SHOWN_CARD_HEADINGS = (
    "bank shows",
    "play",
    "every hand from",
    "hands played",
    "also played",
    "folded all the same",
)
SHOWN_CARD_TITLE = "The best play of the ante by the card that the bank shows"
SHOWN_CARD_NOTE = "A hand with * is played, or folded, with some suits alone."


def _percent(share: Fraction | None) -> str:
    return NOT_WORKED_OUT if share is None else f"{float(share * 100):.4f}%"


def _printed(row: OddsRow) -> tuple[str, str]:
    """The document's own figures, and how far the exact ones lie above them."""
    printed, apart = [], []
    for each in compare(row):
        printed.append(f"{each.published.percent}%")
        apart.append(f"{float(each.apart):+.4f}" + ("" if each.agrees else " (not as printed)"))
    return " / ".join(printed), " / ".join(apart)


def _remarks(row: OddsRow) -> str:
    """Remarks that apply to some rows only, in one sentence or two."""
    remarks = []
    if row.favours_players:
        remarks.append("FAVOURS THE PLAYERS")
    remarks.extend(row.remarks)
    detail = row.detail
    if "decision" in detail:
        remarks.append(detail["decision"])
    if "edge_by_limits" in detail:
        by_limits = _percent(Fraction(detail["edge_by_limits"]))
        remarks.append(f"{_percent(Fraction(detail['played']))} of hands played")
        remarks.append(f"{by_limits} by one limit for each card")
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
        "" if row.edge is None else str(row.edge),
        "" if row.hit is None else str(row.hit),
        *_printed(row),
        _remarks(row),
    )


def _shown_cards(rows: Iterable[OddsRow]) -> list[tuple[str, ...]]:
    """The best play by the card that the bank shows, a line for each card; nothing where none is shown."""
    return [
        (
            each["card"],
            f"{each['play_from']} or better",
            each["always_from"],
            _percent(Fraction(each["played"])),
            " ".join(each["also_played"]),
            " ".join(each["also_folded"]),
        )
        for row in rows
        for each in row.detail.get("shown_card", ())
    ]


def _by_rulebook(rows: Iterable[OddsRow]) -> Iterator[tuple[str, list[OddsRow]]]:
    for rulebook_id, own in groupby(rows, key=lambda row: row.rulebook):
        yield f"{rulebook_id}: {load_rulebook(rulebook_id).name}", list(own)


def _in_columns(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lines in columns as wide as their widest cell; the last column is not padded."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def as_text(rows: Iterable[OddsRow]) -> str:
    """A table for the terminal."""
    parts = []
    for title, own in _by_rulebook(rows):
        parts.append("\n".join((title, *_in_columns([HEADINGS, *map(_cells, own)]))))
        if cards := _shown_cards(own):
            table = _in_columns([SHOWN_CARD_HEADINGS, *cards])
            parts.append("\n".join((f"{SHOWN_CARD_TITLE}. {SHOWN_CARD_NOTE}", *table)))
    return "\n\n".join(parts)


def as_markdown(rows: Iterable[OddsRow]) -> str:
    """The same tables for a document."""
    parts = []
    for title, own in _by_rulebook(rows):
        parts.append(f"### {title}\n\n{_markdown_table(HEADINGS, [_cells(row) for row in own])}")
        if cards := _shown_cards(own):
            # In Markdown a star would begin italics.
            lines = [tuple(cell.replace("*", "\\*") for cell in line) for line in cards]
            note = SHOWN_CARD_NOTE.replace("*", "\\*")
            parts.append(f"{SHOWN_CARD_TITLE}. {note}\n\n{_markdown_table(SHOWN_CARD_HEADINGS, lines)}")
    return "\n\n".join(parts)


def _markdown_table(headings: tuple[str, ...], lines: Sequence[tuple[str, ...]]) -> str:
    table = [headings, tuple("---" for _ in headings), *lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in table)
