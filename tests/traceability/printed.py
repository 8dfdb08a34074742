"""The figures that the rule documents print, read out of their text: to be compared with `tests/rules/data/printed.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

HANDS = {
    "mini royal flush of spades (ace, king, queen)": "mini_royal_spades",
    "mini royal flush (ace, king, queen)": "mini_royal",
    "mini royal flush": "mini_royal",
    "mini royal": "mini_royal",
    "akq suited": "mini_royal",
    "akq spades": "mini_royal_spades",
    "akq hearts/diamonds/clubs": "mini_royal",
    "akq diamonds/hearts/clubs": "mini_royal",
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
SIX_CARD_COLUMNS = ("TCP-6B1", "TCP-6B2", "TCP-6B3", "TCP-6B4")
METER = "100% of the meter"

Figures = dict[str, Any]


def printed_figures(documents: Mapping[str, str]) -> Figures:
    """The figures by rulebook; `documents` are the texts by rulebook."""
    return {
        "california": _california(documents["california"]),
        "designated_player": {"pair_plus": _designated_player(documents["designated_player"])},
        "massachusetts": _massachusetts(documents["massachusetts"]),
        "south_dakota": _south_dakota(documents["south_dakota"]),
        "shuffle_master": _shuffle_master(documents["shuffle_master"]),
    }


def _rows(text: str) -> Iterator[tuple[str, list[str]]]:
    """Lines that begin with a hand, and the odds in their further columns as `N:M` or `N for 1`."""
    for line in text.splitlines():
        first, *cells = [cell.strip() for cell in line.split("\t")]
        if first.lower() in HANDS and any(cell and cell[0].isdigit() for cell in cells):
            yield HANDS[first.lower()], [_odds(cell) for cell in cells]


def _column(text: str, at: int = 0) -> dict[str, str]:
    return {hand: cells[at] for hand, cells in _rows(text)}


def _odds(cell: str) -> str:
    return re.sub(r"\s*(to|:)\s*", ":", cell.replace(",", ""))


def _between(text: str, start: str, end: str) -> str:
    return text.split(start, 1)[1].split(end, 1)[0]


def _california(text: str) -> Figures:
    return {
        "pair_plus": _column(_between(text, "3- Card Hand", "6 Card Bonus")),
        "six_card_bonus": {"TCP-6B4": _column(_between(text, "TCB-6B4", "House Advantage"))},
        "schedules": list(_schedules(_between(text, "Player-Dealer Fee\n", "\n\n\n"))),
    }


def _schedules(text: str) -> Iterator[Figures]:
    """Each schedule: its number, limits of the ante, player fee, and `[from, fee]` of the bank's bands, in cents."""
    cells = [
        [cell.replace("\\$", "").strip() for cell in row.split("\t")]
        for row in text.splitlines()
        if row.strip()
    ]
    starts = [at for at, row in enumerate(cells) if row[0]]
    for start, end in pairwise([*starts, len(cells)]):
        number, limit, player_fee = cells[start][:3]
        least, most = (part.strip() for part in limit.split("-"))
        yield {
            "number": int(number),
            "ante_min_cents": _cents(least),
            **({} if "No limit" in most else {"ante_max_cents": _cents(most)}),
            "player_fee_cents": _cents(player_fee),
            "bands": [[_cents(re.split(r"[-+]", row[3])[0]), _cents(row[4])] for row in cells[start:end]],
        }


def _cents(dollars: str) -> int:
    return round(float(dollars.replace("$", "").replace("\\", "").replace(",", "")) * 100)


def _massachusetts(text: str) -> Figures:
    six_cards = list(_rows(_between(text, "Hand\tTCP-6B1", "7. Procedures")))
    bonuses: dict[str, dict[str, str]] = {
        "standard": _column(_between(text, "consists of the following:", "(i) In the event"))
    }
    for hand, cells in _rows(_between(text, "Table A\tTable B\tTable C", "12. Cover All")):
        columns = cells[:1] * 3 if hand == "straight" else cells  # printed once for all three
        for table, odds in zip("ABC", columns, strict=True):
            if odds != "N/A":
                bonuses.setdefault(table, {})[hand] = odds
    cover_all: dict[str, dict[str, str]] = {}
    for hand, cells in _rows(_between(text, "matrix for 1-7 players", "13. Progressive")):
        for players, odds in zip("7654321", cells, strict=True):
            cover_all.setdefault(players, {})[hand] = odds
    progressive: dict[str, dict[str, str]] = {}
    envy = {}
    for hand, cells in _rows(_between(text, "Table 3\tEnvy", "14. Irregularities")):
        for table, odds in zip("123", cells[:3], strict=True):
            if odds != "N/A":
                progressive.setdefault(table, {})[hand] = METER if odds == "100%" else odds
        if cells[3:] and cells[3]:
            envy[hand] = _cents(cells[3])
    return {
        "pair_plus": _column(_between(text, "following odds:", "(3) A player placing an ante")),
        "six_card_bonus": {
            table: {hand: cells[at] for hand, cells in six_cards} for at, table in enumerate(SIX_CARD_COLUMNS)
        },
        "ante_bonus": bonuses,
        "cover_all": cover_all,
        "progressive": progressive,
        "envy_cents": envy,
    }


def _south_dakota(text: str) -> Figures:
    pays = r"(?:\([a-e]\)\s+)(.+?) pays ([\d,]+) to 1"

    def listed(start: str, end: str) -> dict[str, str]:
        return {
            HANDS[hand.lower()]: f"{odds}:1" for hand, odds in re.findall(pays, _between(text, start, end))
        }

    cells = [line.strip() for line in _between(text, "TCP-6B4\n", "and:").splitlines() if line.strip()]
    progressive, envy = {}, {}
    for table, end in (("1", "Paytable 2\n"), ("2", "The original progressive")):
        part = _between(text, f"Paytable {table}\n", end)
        lines = [line.strip() for line in part.splitlines() if line.strip()]
        progressive[table] = {
            HANDS[hand.lower()]: odds
            for hand, odds in pairwise(lines)
            if odds.endswith(("for 1", "the meter"))
        }
        for hand, _, amount in zip(lines, lines[1:], lines[2:], strict=False):
            if amount.endswith("Envy Bonus"):
                envy[HANDS[hand.lower()]] = _cents(amount.split()[0])
    seed = re.search(r"initial meter seeding shall be \$([\d,]+)", text)
    return {
        "pair_plus": listed("(14)", "(15)"),
        "ante_bonus": {"standard": listed("(13)", "(14)")},
        "six_card_bonus": {
            table: {HANDS[cells[at].lower()]: _odds(cells[at + 1 + n]) for at in range(0, len(cells), 5)}
            for n, table in enumerate(SIX_CARD_COLUMNS)
        },
        "progressive": progressive,
        "envy_cents": envy,
        "meter_seed_cents": 0 if seed is None else _cents(seed[1]),
    }


def _shuffle_master(text: str) -> Figures:
    designators: Figures = {}
    for part in text.split("Paytable Designator Description")[1:]:
        block = part.split("Par per Ante")[0]
        rows = [line.split("\t") for line in block.splitlines() if line.split("\t")[0].lower() in HANDS]
        for column, name in enumerate(re.findall(r"TCP-\d\d", block)):
            designators[name] = {
                "ante_bonus": {
                    HANDS[row[0].lower()]: f"{row[1 + 2 * column]}:1" for row in rows if row[1 + 2 * column]
                },
                "pair_plus": {HANDS[row[0].lower()]: f"{row[2 + 2 * column]}:1" for row in rows},
            }
    return {"designators": designators, "bad_beat": _column(_between(text, "Hand Beaten", "House edge"))}


def _designated_player(text: str) -> dict[str, str]:
    chart = re.findall(
        r"^(?:Pairs plus\n)?(Mini Royal|Straight Flush|Three of a kind|Straight|Flush|Pair)(\d+) to 1",
        text,
        flags=re.MULTILINE,
    )
    return {HANDS[hand.lower()]: f"{odds}:1" for hand, odds in chart}
