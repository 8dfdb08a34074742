"""Odds as any game lists them: one row a wager and paytable, beside the figures that its document prints."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from games.phrases import Phrase
from games.published import Published
from games.rulebook import clause_id


@dataclass(frozen=True, slots=True)
class Situation:
    """The inputs of odds besides the rules.

    `meter_cents` None is the rulebook's seed; `unit_cents` is one progressive wager (ruling 43: $1 unless
    the room sets another); `others` counts the hands of other players that can bring envy.
    """

    meter_cents: int | None = None
    unit_cents: int = 100
    others: int = 0


NOT_WORKED_OUT = Phrase("not worked out")


@dataclass(frozen=True, slots=True)
class OddsRow:
    """One wager on one table. A negative `edge` is the player's advantage; None: edge and hit are not worked out.

    `table` is None where the wager has but one way to be paid. `options` are the room's choices on which the
    row depends; `remarks` say in words what the row assumes; `detail` holds figures of this kind
    of wager alone, ready for JSON.
    """

    rulebook: str
    wager: str
    table: str | None
    edge: Fraction | None
    hit: Fraction | None
    published: tuple[Published, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    detail: Mapping[str, Any] = field(default_factory=dict)

    @property
    def favours_players(self) -> bool:
        return self.edge is not None and self.edge < 0

    def to_json(self) -> dict[str, Any]:
        """The row as `odds --json` prints it: fractions as text, percentages to six places; null: not worked out."""
        return {
            "rulebook": self.rulebook,
            "wager": self.wager,
            "table": self.table,
            "edge": None if self.edge is None else str(self.edge),
            "edge_percent": None if self.edge is None else percent(self.edge),
            "hit": None if self.hit is None else str(self.hit),
            "hit_percent": None if self.hit is None else percent(self.hit),
            "published": _published_json(self),
            "favours_players": self.favours_players,
            "options": dict(self.options),
            "detail": dict(self.detail),
        }


def percent(share: Fraction) -> float:
    """A share as percent, to six places."""
    return float(round(share * 100, 6))


@dataclass(frozen=True, slots=True)
class Comparison:
    """An exact share beside the percentage a document prints for it.

    `apart` is how far the exact one lies above the printed one, in percent; `agrees` whether it rounds to it
    at the digits printed.
    """

    published: Published
    apart: Fraction
    agrees: bool


def compare(row: OddsRow) -> list[Comparison]:
    """Every figure the document prints for this row, beside the exact one; none where that is not worked out."""
    comparisons = []
    for published in row.published:
        exact = row.edge if published.figure == "edge" else row.hit
        if exact is None:
            continue
        apart = exact * 100 - Fraction(published.percent)
        comparisons.append(Comparison(published, apart, abs(apart) <= Fraction(published.half_a_digit)))
    return comparisons


def _published_json(row: OddsRow) -> dict[str, Any] | None:
    shown: dict[str, Any] = {}
    for each in compare(row):
        figure = each.published.figure
        shown[f"{figure}_percent"] = float(each.published.percent)
        shown[f"{figure}_difference"] = float(round(each.apart, 6))
        shown[f"{figure}_agrees"] = each.agrees
        shown[f"{figure}_clause"] = clause_id(row.rulebook, each.published.clause)
    return shown or None
