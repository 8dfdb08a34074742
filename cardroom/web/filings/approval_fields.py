"""How the terms of an approval are typed: the fields of each kind of term, what they hold, and the value that is meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict

from games.approval import (
    DATE,
    MOST_LETTERS,
    SOURCES,
    TITLE,
    ApprovedTerm,
    Flag,
    Lines,
    OneOf,
    Pays,
    Range,
    Several,
    Times,
    Whole,
    said_in,
)
from games.approved_whole import format_id
from games.refusal import Refusal
from games.registry import game_of, read_options
from games.rulebook import Rulebook

from ..parts.money import NotMoney, cents_of, typed_of

#: Names of posted fields: which terms differ, the one to be added, a value (`say-seats`), a clause (`clause-seats`).
DIFFERS, ADD = "differs", "add"
VALUE, CLAUSE = "say", "clause"
#: The field of the rotation profile that is filed, which stands among the options.
ROTATION = "rotation"
NO_HINTS = {"autocomplete": "off"}
_HEAD = (("approval_title", TITLE), ("approval_date", DATE))
#: What asks the server for the whole as it is typed (`htmx`).
ASKS = {
    "hx-post": "",
    "hx-trigger": "input changed delay:300ms",
    "hx-swap": "none",
    "hx-sync": "closest form:queue last",
}


def fields_of(term: ApprovedTerm, hand_name: Callable[[str], str]) -> dict[str, forms.Field]:
    """The fields of a term by their names: its value, of a paytable or a list one a line, and its clause."""
    name, kind = f"{VALUE}-{term.key}", term.kind
    values: dict[str, forms.Field]
    if isinstance(kind, Lines):
        values = {f"{name}-{hand}": _text(hand_name(hand), 20, inputmode="numeric") for hand in kind.hands}
    elif isinstance(kind, Several):
        values = {
            f"{name}-{each}": _text(format_id(each).capitalize(), 2, inputmode="numeric")
            for each in kind.values
        }
    elif isinstance(kind, OneOf):
        values = {name: _choice(term.label, kind.words.items())}
    elif isinstance(kind, Flag):
        values = {name: _choice(term.label, (("true", "yes"), ("false", "no")))}
    elif _is_money(term):
        values = {name: _text(term.label, 20, inputmode="decimal", placeholder="$")}
    elif isinstance(kind, Whole | Range | Times | Pays):
        values = {name: _text(term.label, 20, inputmode="numeric")}
    else:
        values = {name: _text(term.label, MOST_LETTERS)}
    clause = _text(f"{term.label}: clause of your document", MOST_LETTERS, placeholder="clause, page")
    fields = {**values, f"{CLAUSE}-{term.key}": clause}
    for field in fields.values():
        field.widget.attrs["aria-describedby"] = f"errors-{slug(term.key)}"
    return fields


def slug(key: str) -> str:
    """A key as part of an id in the page."""
    return key.replace(".", "-").replace("_", "-")


def value_of(term: ApprovedTerm, typed: Mapping[str, Any]) -> Any:
    """The value of a term as an approval has it, from what was typed; what is no number stays a text.

    Refusal where it cannot even be said: no amount of dollars, no order.
    """
    name, kind = f"{VALUE}-{term.key}", term.kind
    if isinstance(kind, Lines):
        odds = {hand: _said(typed, f"{name}-{hand}") for hand in kind.hands}
        return [{"odds": {hand: _odds(text) for hand, text in odds.items() if text}}]
    if isinstance(kind, Several):
        return _placed(term, typed, kind.values)
    said = _said(typed, name)
    if isinstance(kind, Flag):
        return {"true": True, "false": False}.get(said, said)
    if _is_money(term):
        try:
            return cents_of(said)
        except NotMoney as error:
            raise Refusal("bad_term", term.key, str(error)) from None
    if isinstance(kind, Whole):
        return _number(said)
    if isinstance(kind, Times):
        return [_number(part.strip()) for part in said.split(",")]
    if isinstance(kind, Pays):
        return _odds(said)
    if isinstance(kind, Range):
        parts = [_number(part.strip()) for part in said.replace("to", "-").split("-")]
        return parts[0] if len(parts) == 1 else parts
    return said


def clause_of(term: ApprovedTerm, typed: Mapping[str, Any]) -> str:
    """The clause of a term as it was typed."""
    return _said(typed, f"{CLAUSE}-{term.key}")


def _placed(term: ApprovedTerm, typed: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """The names that have a place, by their places."""
    places = {each: _number(text) for each in names if (text := _said(typed, f"{VALUE}-{term.key}-{each}"))}
    if any(type(place) is not int for place in places.values()) or len(set(places.values())) != len(places):
        what = "Number them 1, 2, 3 in their order, each number once; leave out what is not there."
        raise Refusal("bad_term", term.key, what)
    return sorted(places, key=lambda each: int(places[each]))


def _said(typed: Mapping[str, Any], name: str) -> str:
    return str(typed.get(name, "")).strip()


def posted(post: QueryDict) -> tuple[dict[str, str], list[str]]:
    """What was typed and which terms differ, from a posted form: one is added or dropped where a button asked for it."""
    typed = {name: str(value) for name, value in post.items()}
    more = typed.get("more", "")
    differs = [each for each in typed.get(DIFFERS, "").split() if f"drop:{each}" != more]
    if more == ADD and (added := typed.get(ADD, "")):
        differs.append(added)
    return typed, differs


def first_typed(base: Rulebook, key: str) -> dict[str, str]:
    """What the fields of a term hold as it is added: what the rulebook says, or the other of two."""
    game = game_of(base.id)
    term = next((each for each in game.approved_terms() if each.key == key), None)
    value = game.approved_values(read_options(base, {})).get(key)
    if term is None or value is None or value.value is None:
        return {}
    if isinstance(term.kind, Flag):
        return _typed_value(term, not value.value)
    return _typed_value(term, value.value)


def typed_approval(base: Rulebook, approval: Mapping[str, Any]) -> tuple[dict[str, str], list[str]]:
    """What the form holds for an approval that was saved, and which terms differ."""
    terms = game_of(base.id).approved_terms()
    said, sources = said_in(approval, terms), approval.get(SOURCES, {})
    typed = {name: str(approval.get(key, "")) for name, key in _HEAD}
    for term in terms:
        if term.key in said:
            typed |= _typed_value(term, said[term.key])
            typed[f"{CLAUSE}-{term.key}"] = sources.get(term.key, "")
    return typed, list(said)


def _typed_value(term: ApprovedTerm, value: Any) -> dict[str, str]:
    name, kind = f"{VALUE}-{term.key}", term.kind
    if isinstance(kind, Lines):
        odds = value[0]["odds"] if isinstance(value, list) else value
        return {f"{name}-{hand}": str(each).removesuffix(":1") for hand, each in odds.items()}
    if isinstance(kind, Several):
        return {f"{name}-{each}": str(place) for place, each in enumerate(value, 1)}
    if isinstance(kind, Flag):
        return {name: "true" if value else "false"}
    if isinstance(kind, Times):
        return {name: ", ".join(str(each) for each in value)}
    if isinstance(kind, Pays):
        return {name: str(value).removesuffix(":1")}
    if isinstance(kind, Range) and isinstance(value, list | tuple):
        return {name: " to ".join(str(each) for each in dict.fromkeys(value))}
    return {name: typed_of(value) if _is_money(term) else str(value)}


def _is_money(term: ApprovedTerm) -> bool:
    return term.key.endswith("_cents")


def _number(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def _odds(text: str) -> int | str:
    """Odds as typed: 40 is 40:1; "3 to 2" is 3:2."""
    found = _number(text)
    return found if isinstance(found, int) else text.replace(" to ", ":")


def _text(label: str, most: int, **attrs: str) -> forms.CharField:
    widget = forms.TextInput(attrs={**NO_HINTS, **ASKS, **attrs})
    return forms.CharField(required=False, max_length=most, label=label, widget=widget)


def _choice(label: str, choices: Any) -> forms.ChoiceField:
    return forms.ChoiceField(
        required=False, label=label, choices=list(choices), widget=forms.Select(attrs=ASKS)
    )
