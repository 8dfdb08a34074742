"""What one version of a schedule says otherwise than another, in words that a filing can carry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fees.document import BANK, PLAYER, BandLine, Document, RateLine, dollars, read_document
from fees.errors import ScheduleRefused

LIMIT = "table limit"
_PEOPLE = {PLAYER: "player", BANK: "player-dealer"}


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that differs. `before` is empty for what is new, `after` for what is gone.

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
        """The change in words: `player fee per ante: $1 becomes $2`."""
        match self.kind:
            case "added":
                return f"{self.what}: new, {self.after}"
            case "removed":
                return f"{self.what}: gone, it was {self.before}"
            case _:
                return f"{self.what}: {self.before} becomes {self.after}"


def changes(before: Mapping[str, object], after: Mapping[str, object]) -> tuple[Change, ...]:
    """Return what differs between two documents (`fees.document`), in the order of a schedule: limit, players, bands.

    Documents need not be legal, only readable: drafts are compared too. Raises ScheduleRefused with every problem of
    form of the first document that cannot be read.
    """
    one, other = _said(before), _said(after)
    order = [*one, *(what for what in other if what not in one)]
    found = [Change(what, one.get(what, ""), other.get(what, "")) for what in order]
    return tuple(
        sorted((each for each in found if each.before != each.after), key=lambda each: _place(each.what))
    )


def _said(document: Mapping[str, object]) -> dict[str, str]:
    """What a document says, thing by thing, in words; the sources of its figures beside them."""
    read, problems = read_document(document)
    if read is None:
        raise ScheduleRefused(problems)
    said = {LIMIT: _limit(read), f"{LIMIT}, source": read.clause}
    for line in read.lines:
        what = _name(line)
        said[what] = _figure(line)
        if line.clause is not None:
            said[f"{what}, source"] = line.clause
    return said


def _limit(read: Document) -> str:
    most = "no limit" if read.ante_max_cents is None else dollars(read.ante_max_cents)
    return f"{dollars(read.ante_min_cents)} - {most}"


def _name(line: RateLine | BandLine) -> str:
    who = _PEOPLE[line.payer]
    if isinstance(line, RateLine):
        return f"{who} fee per {line.due}"
    return f"{who} band from {dollars(line.lower_cents)}"


def _figure(line: RateLine | BandLine) -> str:
    if isinstance(line, RateLine):
        return dollars(line.fee_cents)
    return f"{dollars(line.fee_cents)} for {line.label}"


def _place(what: str) -> tuple[int, str, int]:
    """Limit, then players, then the player-dealer, bands by their lower bounds; a source follows its figure."""
    if what.startswith(LIMIT):
        return 0, "", 0
    who = 1 if what.startswith(_PEOPLE[PLAYER] + " ") else 2
    name = what.removesuffix(", source")
    if " band from $" not in name:
        return who, name, 0
    whole, _, rest = name.rpartition("$")[2].replace(",", "").partition(".")
    return who, "band", int(whole) * 100 + int(rest or 0)
