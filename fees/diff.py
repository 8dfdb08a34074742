"""Compares two versions of a schedule: the differences as text for a filing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from fees.document import PLAYER, Document, RateLine, read_document
from fees.errors import ScheduleRefused
from games.money import dollars

LIMIT = "table limit"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. `before` is empty for an addition, `after` for a removal.

    `what` names it: the table limit, a fee by what it is due per, a band by its lower bound, or the source of one of
    these.
    """

    what: str
    before: str
    after: str

    @property
    def kind(self) -> str:
        """`added`, `removed` or `changed`."""
        if not self.before:
            return "added"
        return "changed" if self.after else "removed"

    @property
    def sentence(self) -> str:
        """The change in words: `player fee per main wager: $1 becomes $2`."""
        match self.kind:
            case "added":
                return f"{self.what}: new, {self.after}"
            case "removed":
                return f"{self.what}: gone, it was {self.before}"
            case _:
                return f"{self.what}: {self.before} becomes {self.after}"


def changes(before: Mapping[str, object], after: Mapping[str, object]) -> tuple[Change, ...]:
    """Return what differs between two documents (`fees.document`): limit, players, bands, waivers.

    Documents need not be legal, only well-formed: drafts are compared too. Raises ScheduleRefused with every problem of
    form of the first malformed document.
    """
    one, other = _items(before), _items(after)
    places = {**other, **one}
    found = [
        Change(what, one[what].words if what in one else "", other[what].words if what in other else "")
        for what in sorted(places, key=lambda what: places[what].place)
    ]
    return tuple(change for change in found if change.before != change.after)


class _Item(NamedTuple):
    """One item of a document as text, with its sort key: limit, players, player-dealer by bands, waivers."""

    place: tuple[int, str, int]
    words: str


def _items(document: Mapping[str, object]) -> dict[str, _Item]:
    """The items of a document; the sources of its figures after them."""
    read, problems = read_document(document)
    if read is None:
        raise ScheduleRefused(problems)
    items = {LIMIT: _Item((0, "", 0), _limit(read)), f"{LIMIT}, source": _Item((0, "", 0), read.clause)}
    for line in read.lines:
        who = 1 if line.payer == PLAYER else 2
        if isinstance(line, RateLine):
            place, words = (who, line.name, 0), dollars(line.fee_cents)
        else:
            place = (who, f"band of {line.basis}", line.lower)
            words = f"{dollars(line.fee_cents)} for {line.label}"
        items[line.name] = _Item(place, words)
        if line.clause is not None:
            items[f"{line.name}, source"] = _Item(place, line.clause)
    for rule in read.waivers:
        few = "" if rule.most_positions is None else f", at most {rule.most_positions} positions"
        place = (3, rule.key, 0)
        items[rule.name] = _Item(place, f"{rule.title}: {rule.whose}{few}. {rule.text}")
        if rule.clause is not None:
            items[f"{rule.name}, source"] = _Item(place, rule.clause)
    return items


def _limit(read: Document) -> str:
    most = "no limit" if read.ante_max_cents is None else dollars(read.ante_max_cents)
    return f"{dollars(read.ante_min_cents)} - {most}"
