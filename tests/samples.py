"""The sample rounds of the suite (`tests/rules/data/`): sheets with what they come to, and sheets that are refused.

`rounds/<rulebook>.jsonl` has a round a line, `{"shows", "sheet", "settlement"}`, the settlement without clauses and
reasons; `refusals.jsonl` a sheet with one mistake a line, `{"shows", "sheet" or "text", "code", "path"}`. `shows` says
what the line is for. All were worked by hand from the rule documents.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from games.three_card_poker.rulebook import RULEBOOKS

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "rules" / "data"

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sample:
    """A round sheet as JSON text, and the settlement it must come to."""

    shows: str
    text: str
    settlement: Document

    @property
    def sheet(self) -> Document:
        document: Document = json.loads(self.text)
        return document


@dataclass(frozen=True, slots=True)
class Mistake:
    """A sheet with one mistake as JSON text, or text that is no JSON; code and path of the refusal."""

    shows: str
    text: str
    code: str
    path: str

    @property
    def rulebook(self) -> str | None:
        """The rulebook of the sheet; None for text that is no JSON."""
        try:
            return str(json.loads(self.text)["rulebook"])
        except ValueError:
            return None


@cache
def samples(rulebook: str | None = None) -> tuple[Sample, ...]:
    """The sample rounds of one rulebook, or of all."""
    books = RULEBOOKS if rulebook is None else (rulebook,)
    rows = [row for book in books for row in _rows(DATA / "rounds" / f"{book}.jsonl")]
    return tuple(Sample(row["shows"], json.dumps(row["sheet"]), row["settlement"]) for row in rows)


@cache
def mistakes() -> tuple[Mistake, ...]:
    """The sample sheets that are refused."""
    return tuple(
        Mistake(
            row["shows"], row["text"] if "text" in row else json.dumps(row["sheet"]), row["code"], row["path"]
        )
        for row in _rows(DATA / "refusals.jsonl")
    )


def _rows(path: Path) -> list[Document]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_sheets(folder: Path) -> Path:
    """Write all sample sheets, a sheet a line, as `settle --batch` and `replay` take them."""
    path = folder / "sheets.jsonl"
    path.write_text("".join(f"{sample.text}\n" for sample in samples()), encoding="utf-8")
    return path


def compared(settlement: Document) -> Document:
    """A settlement as samples have it: without clauses and reasons, fees in no order, and none of nothing.

    A table whose schedule charges nothing lists fees of 0; the sheet of a round without fees lists none.
    """
    lines = [
        {key: value for key, value in line.items() if key not in ("clause", "reason")}
        for line in settlement["lines"]
    ]
    fees = sorted((fee for fee in settlement["fees"] if fee["cents"]), key=lambda fee: fee["seat"])
    return {**settlement, "lines": lines, "fees": fees}
