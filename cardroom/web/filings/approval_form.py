"""The form of an approval's differences: for each term that the room's document says otherwise, its value and its clause.

What is typed is read by the reader of approvals (`games.approval`); what it refuses stands at its field, with what was typed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from games.approval import (
    APPROVAL,
    DATE,
    MOST_LETTERS,
    SOURCES,
    TITLE,
    ApprovedTerm,
    Lines,
    approval_of,
    read_value,
    said_in,
)
from games.approved_terms import GROUPS
from games.approved_whole import (
    PaytableLine,
    PaytableSums,
    WholeTerm,
    format_id,
    format_term,
    grouped,
    sums_of,
    whole_of,
)
from games.refusal import Refusal
from games.registry import game_of, read_options, rulebook_with
from games.rotation.profile import PROFILES
from games.rulebook import Rulebook
from games.terms import Terms

from ..placards.wagers import percent_of
from .approval_fields import CLAUSE, NO_HINTS, ROTATION, VALUE, clause_of, fields_of, slug, value_of


@dataclasses.dataclass(frozen=True)
class TypedLine:
    """One line of a paytable as it is typed, with what it comes to."""

    field: BoundField
    line: PaytableLine | None
    before: str
    id: str

    @property
    def differs(self) -> bool:
        return self.line is not None and self.line.differs

    @property
    def ways(self) -> str:
        return "" if self.line is None or self.line.ways is None else f"{self.line.ways:,}"

    @property
    def units(self) -> str:
        return "" if self.line is None or self.line.units is None else plain(self.line.units)


@dataclasses.dataclass(frozen=True)
class Difference:
    """One term that differs: its fields, what the rulebook says, what was refused, and a paytable worked out."""

    term: ApprovedTerm
    before: str
    fields: tuple[BoundField, ...]
    clause: BoundField
    errors: tuple[str, ...]
    lines: tuple[TypedLine, ...] = ()
    sums: PaytableSums | None = None
    undone: tuple[str, str] | None = None

    @property
    def id(self) -> str:
        return slug(self.term.key)

    @property
    def lacks_clause(self) -> bool:
        return not str(self.clause.value() or "").strip()

    @property
    def exact(self) -> str:
        """How the edge comes about: what is lost less what is paid, of all deals."""
        sums = self.sums
        if sums is None or sums.edge is None:
            return ""
        share = f"{sums.edge.numerator:,}/{sums.edge.denominator:,}".replace("-", "−")
        if not sums.lost or sums.of is None or sums.paid is None:
            return share
        return f"{sums.lost:,} − {plain(sums.paid)} = {plain(sums.lost - sums.paid)} of {sums.of:,} = {share}"

    @property
    def edge(self) -> str:
        return "" if self.sums is None or self.sums.edge is None else percent_of(self.sums.edge)

    @property
    def edge_before(self) -> str:
        return "" if self.sums is None or self.sums.edge_before is None else percent_of(self.sums.edge_before)


class ApprovalForm(forms.Form):
    """What an approval says otherwise than the rulebook `base`. After `is_valid`, `approval` is it, and `terms` the whole.

    `differs` are the keys of the terms that differ, in their order; `typed` holds what was typed, by name of field, with
    the profile that is filed as `rotation`.
    """

    def __init__(self, base: Rulebook, typed: Mapping[str, str], differs: Sequence[str]) -> None:
        super().__init__(typed)
        self.base = base
        chosen = typed.get(ROTATION, "")
        self.rotation = chosen if chosen in PROFILES else ""
        self.game = game_of(base.id)
        self.known = {term.key: term for term in self.game.approved_terms()}
        self.base_terms = read_options(base, {})
        self.before = self.game.approved_values(self.base_terms)
        self.differs = [key for key in self.known if key in set(differs)]
        self.refused: dict[str, list[str]] = {}
        self.approval: dict[str, Any] = {}
        self.terms: Terms = self.base_terms
        self.fields["approval_title"] = forms.CharField(
            max_length=MOST_LETTERS,
            required=False,
            label="Title of your document",
            widget=forms.TextInput(attrs=NO_HINTS),
        )
        self.fields["approval_date"] = forms.DateField(
            required=False,
            label="Date of your document, if any",
            widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
            input_formats=["%Y-%m-%d"],
        )
        for key in self.differs:
            self.fields |= fields_of(self.known[key], partial(self.hand_name, key))

    def hand_name(self, key: str, hand: str) -> str:
        ways = self.game.paytable_ways(self.base_terms, key)
        return format_id(hand).capitalize() if ways is None else ways.names.get(hand, format_id(hand))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        said: dict[str, Any] = {}
        sources: dict[str, str] = {}
        for key in self.differs:
            term = self.known[key]
            try:
                said[key] = value_of(term, self.data)
                read_value(term, said[key])
            except Refusal as refusal:
                said.pop(key, None)
                self._refuse(key, refusal)
                continue
            sources[key] = clause_of(term, self.data)
        head = {TITLE: cleaned.get("approval_title") or ""}
        day = cleaned.get("approval_date")
        head[DATE] = "" if day is None else day.isoformat()
        self._read_whole(head, said, sources)
        if self.refused:
            self.add_error(None, "Mend what is marked.")
        return cleaned

    def _read_whole(self, head: Mapping[str, str], said: dict[str, Any], sources: Mapping[str, str]) -> None:
        """Read the whole; what the reader refuses is left out of it, and the rest read again, so that it can be shown."""
        while True:
            self.approval = approval_of(head, said, sources)
            try:
                self.terms = self._whole(self.approval)
            except Refusal as refusal:
                if said.pop(self._refuse_whole(refusal), None) is None:
                    return
            else:
                return

    def _whole(self, approval: Mapping[str, Any]) -> Terms:
        if not approval:
            return self.base_terms
        return read_options(rulebook_with(self.base.id, {APPROVAL: approval}), {APPROVAL: approval})

    def _refuse_whole(self, refusal: Refusal) -> str:
        """Put what the reader has against the whole at its term, and return the term's key; empty where it is of none."""
        path = refusal.path.removeprefix(f"options.{APPROVAL}").removeprefix(".")
        path = path.removeprefix(f"{SOURCES}.")
        key = next((key for key in self.known if path == key or path.startswith((f"{key}.", f"{key}["))), "")
        self._refuse(key, refusal)
        return key

    def _refuse(self, key: str, refusal: Refusal) -> None:
        text = refusal.message
        self.refused.setdefault(key, []).append(f"{text[:1].upper()}{text[1:]}")

    # -- what the page shows

    @property
    def whole(self) -> list[tuple[str, list[WholeTerm]]]:
        """Every term of the whole, under its heading."""
        return grouped(whole_of(self.terms, self.base_terms, self.rotation))

    @property
    def differs_text(self) -> str:
        """The keys of the terms that differ, as the page keeps them."""
        return " ".join(self.differs)

    @property
    def missing(self) -> int:
        """How many clauses are missing."""
        return sum(each.lacks_clause for each in self.differences())

    @property
    def as_base(self) -> int:
        """How many terms are as in the rulebook."""
        return sum(not each.said and not each.follows for _, rows in self.whole for each in rows)

    @property
    def refused_elsewhere(self) -> list[str]:
        """What was refused and belongs to no term that differs yet: the term by its name, and why."""
        return [
            f"{self.known[key].label}: {text}" if key else text
            for key, texts in self.refused.items()
            if key not in self.differs
            for text in texts
        ]

    def differences(self, now: str = "") -> list[Difference]:
        """The terms that differ; `now` is the name of the field that was typed last."""
        self.is_valid()
        return [self._difference(self.known[key], now) for key in self.differs]

    def _difference(self, term: ApprovedTerm, now: str) -> Difference:
        key, kind = term.key, term.kind
        before = self.before[key].value if key in self.before else None
        names = [
            name for name in self.fields if name == f"{VALUE}-{key}" or name.startswith(f"{VALUE}-{key}-")
        ]
        plain = Difference(
            term,
            format_term(term, before),
            tuple(self[name] for name in names),
            self[f"{CLAUSE}-{key}"],
            tuple(self.refused.get(key, ())),
        )
        if not isinstance(kind, Lines):
            return plain
        said = self.terms.rulebook.approval
        sums = sums_of(key, self.terms, self.base_terms) if said is not None and key in said.changed else None
        by_hand = {} if sums is None else {line.hand: line for line in sums.lines}
        lines = tuple(
            TypedLine(
                self[f"{VALUE}-{key}-{hand}"],
                by_hand.get(hand),
                (before or {}).get(hand, ""),
                slug(f"{key}-{hand}"),
            )
            for hand in kind.hands
        )
        return dataclasses.replace(plain, lines=lines, sums=sums, undone=self._undone(term, sums, now))

    def _undone(self, term: ApprovedTerm, sums: PaytableSums | None, now: str) -> tuple[str, str] | None:
        """What the line typed last has changed: the line as the rulebook has it, and the edge that it would have."""
        hand = now.removeprefix(f"{VALUE}-{term.key}-")
        if sums is None or sums.edge is None or hand == now:
            return None
        line = next((line for line in sums.lines if line.hand == hand), None)
        if line is None or not line.differs or not line.before:
            return None
        said = said_in(self.approval, tuple(self.known.values()))
        odds = {**said[term.key][0]["odds"], hand: line.before}
        kind = term.kind
        assert isinstance(kind, Lines)
        said[term.key] = [{"odds": {each: odds[each] for each in kind.hands if each in odds}}]
        other = sums_of(term.key, self._whole(approval_of({}, said, {})), self.base_terms)
        if other is None or other.edge is None:
            return None
        return f"{line.name} {line.before} would be", percent_of(other.edge)

    def to_add(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """The terms that do not differ yet, under their headings."""
        left = [term for term in self.known.values() if term.key not in self.differs]
        return [
            (group, found)
            for group in GROUPS
            if (found := [(term.key, term.label) for term in left if term.group == group])
        ]


def plain(number: Fraction) -> str:
    """A number of units with its thousands set apart: whole, or as a fraction."""
    text = (
        f"{number.numerator:,}" if number.denominator == 1 else f"{number.numerator:,}/{number.denominator:,}"
    )
    return text.replace("-", "−")
