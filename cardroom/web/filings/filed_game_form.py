"""The form of a draft of a game that is filed by its spots: name, seats, decks, terms, a line for each spot and each clause."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from games.refusal import Refusal
from games.registry import read_options
from games.rulebook import CLOCKWISE, COUNTER_CLOCKWISE, NAMED_SEAT, Rulebook
from games.terms import BACK_LINE

from ..parts.forms.fields import DollarsField
from ..parts.money import typed_of
from .game_form import HEAD, filing_fields, rotation_field

MAY_BANK = "may_bank"
#: Fields of the approval that go by other names here: the filing has a title of its own.
_NAMED = {"title": "approval_title", "date": "approval_date"}
_PARTS = "id | name | words"
_CLAUSE_PARTS = "term | clause"
_FLAGS = ("main", "tip", "alone")
#: Whether a spot counts toward total table action, where that is not as of every main wager and of no other.
_COUNTS, _NOT_COUNTED = "counts", "not counted"
_SPOTS = (
    "Spots, one a line: id | name | words as they hold, with commas between them: main, tip, alone, no fee, counts, not counted, "
    "equals ante, after deal: 2 x bet (or 1/2 x bet, whole 3 x bet), pays 8:1"
)
_LEFT = [
    ("", "as the rotation says"),
    ("last_bank_may_renew", "the last bank may renew"),
    ("game_ends", "the game ends"),
]
_AFTER_DEAL = re.compile(r"after deal:?\s+(whole\s+)?([0-9]+(?:/[0-9]+)?)\s*(?:x|times)\s+(\S+)")


class FiledGameForm(forms.Form):
    """A whole draft of such a game. After `is_valid`, `arguments` is what the services take."""

    def __init__(self, rulebook: Rulebook, typed: Mapping[str, str]) -> None:
        super().__init__(typed)
        self.rulebook = rulebook
        self.options: dict[str, Any] = {}
        self.fields |= {
            **filing_fields(),
            "name": forms.CharField(label="Name of the game", max_length=200),
            "seats": forms.IntegerField(label="Seats"),
            "decks": forms.CharField(label="Decks, or the least and the most in use: 3-8", max_length=10),
            BACK_LINE: forms.IntegerField(
                label="Back-line bettors on each player's spot (0 for none)", required=False
            ),
            "positions": forms.IntegerField(label="Positions a player may hold", required=False),
            "adjacent": forms.BooleanField(label="Positions of a player stand side by side", required=False),
            "direction": forms.ChoiceField(
                label="Deal, settlement and offers go",
                choices=[(CLOCKWISE, "clockwise"), (COUNTER_CLOCKWISE, "counter-clockwise")],
                required=False,
            ),
            "starts": forms.ChoiceField(
                label="The action starts",
                choices=[("", "next to the bank"), (NAMED_SEAT, "at a seat named by dice or a button")],
                required=False,
            ),
            "least_bank_cents": DollarsField(label="Least player-dealer wager", required=False),
            "rotation": rotation_field(rulebook, typed.get("rotation", "")),
            "rounds": forms.IntegerField(label="Rounds in a row at the bank", required=False),
            "wagered_rounds": forms.IntegerField(
                label="Who may bank: rounds wagered in since sitting down", required=False
            ),
            "previous_round": forms.BooleanField(
                label="Who may bank: a wager at that seat in the round before", required=False
            ),
            "another_first": forms.BooleanField(
                label="Another player banks before the last one does again", required=False
            ),
            "all_decline": forms.ChoiceField(label="When all decline", choices=_LEFT, required=False),
            "spots": forms.CharField(label=_SPOTS, widget=forms.Textarea(attrs={"rows": 8})),
            "number": forms.CharField(label="Number of the approval", max_length=120, required=False),
            "approval_title": forms.CharField(label="Title of the approval", max_length=120, required=False),
            "approval_date": forms.CharField(label="Date of the approval", max_length=10, required=False),
            "sources": forms.CharField(
                label="Clauses of the approval, one a line: direction | 4, page 2",
                widget=forms.Textarea(attrs={"rows": 4}),
                required=False,
            ),
        }

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        try:
            options = self._options(cleaned)
        except forms.ValidationError as error:
            self.add_error(None, error)
            return cleaned
        try:
            self.options = read_options(self.rulebook, options).options
        except Refusal as refusal:
            field, _, place = refusal.path.removeprefix("options.").partition("[")
            table, _, term = field.partition(".")
            field = term if table == MAY_BANK and term in self.fields else _NAMED.get(table, table)
            line = f"spot {int(place.partition(']')[0]) + 1}: " if place else ""
            text = f"{line}{refusal.message}"
            self.add_error(field if field in self.fields else None, f"{text[:1].upper()}{text[1:]}")
        return cleaned

    def _options(self, cleaned: Mapping[str, Any]) -> dict[str, Any]:
        """The options as the services take them; ValidationError by field for a line that cannot be read."""
        options = {name: cleaned[name] for name in _PLAIN if cleaned[name] not in (None, "", False)}
        options |= {name: cleaned[field] for name, field in _NAMED.items() if cleaned[field]}
        if cleaned[BACK_LINE] is not None:
            options[BACK_LINE] = cleaned[BACK_LINE]
        options["decks"] = _decks(cleaned["decks"])
        may_bank = {
            name: cleaned[name] for name in _MAY_BANK_FIELDS if cleaned[name] not in (None, "", False)
        }
        if may_bank:
            options[MAY_BANK] = may_bank
        try:
            options["spots"] = [_spot(number, line) for number, line in _lines(cleaned["spots"])]
        except forms.ValidationError as error:
            raise forms.ValidationError({"spots": error}) from error
        if sources := dict(_source(number, line) for number, line in _lines(cleaned["sources"])):
            options["sources"] = sources
        return options

    def head_fields(self) -> list[BoundField]:
        return [self[name] for name in HEAD]

    def option_fields(self) -> list[BoundField]:
        return [self[name] for name in self.fields if name not in HEAD]

    def own_fields(self) -> list[BoundField]:
        """The fields of a paytable of the room's own: none, payouts are not on record."""
        return []

    def arguments(self) -> dict[str, Any]:
        """What the services take, from valid input."""
        return {
            "options": self.options,
            "rotation": self.cleaned_data["rotation"],
            **{name: self.cleaned_data[name] for name in HEAD},
        }


_PLAIN = (
    *("name", "seats", "positions", "adjacent", "direction", "starts"),
    *("least_bank_cents", "number"),
)
_MAY_BANK_FIELDS = ("rounds", "wagered_rounds", "previous_round", "another_first", "all_decline")


def typed_options(options: Mapping[str, Any]) -> dict[str, str]:
    """What the form holds for the options of a draft, which have been checked."""
    decks, may_bank = options["decks"], options.get(MAY_BANK, {})
    typed = {name: options[name] for name in _PLAIN if name in options and name != "least_bank_cents"}
    typed |= {name: may_bank[name] for name in _MAY_BANK_FIELDS if name in may_bank}
    typed |= {field: options[name] for name, field in _NAMED.items() if name in options}
    held = {name: "on" if value is True else str(value) for name, value in typed.items()}
    if (least := options.get("least_bank_cents")) is not None:
        held["least_bank_cents"] = typed_of(least)
    return {
        "positions": "1",
        **held,
        "decks": "-".join(map(str, decks)) if isinstance(decks, list) else str(decks),
        BACK_LINE: str(options.get(BACK_LINE, 0)),
        "spots": "\n".join(_line(spot) for spot in options["spots"]),
        "sources": "\n".join(f"{term} | {clause}" for term, clause in options.get("sources", {}).items()),
    }


def _line(spot: Mapping[str, Any]) -> str:
    words = [flag for flag in _FLAGS if spot.get(flag)]
    if spot.get("fee") is False:
        words.append("no fee")
    if (action := spot.get("action")) is not None:
        words.append(_COUNTS if action else _NOT_COUNTED)
    if base := spot.get("equals"):
        words.append(f"equals {base}")
    if later := spot.get("after_deal"):
        whole = "whole " if later.get("whole") else ""
        words.append(f"after deal: {whole}{later['most']} x {later['of']}")
    if odds := spot.get("pays_at_most"):
        words.append(f"pays {odds}")
    return f"{spot['id']} | {spot['name']}" + (f" | {', '.join(words)}" if words else "")


def _lines(typed: str) -> list[tuple[int, str]]:
    return [(number, line) for number, line in enumerate(typed.splitlines(), 1) if line.strip()]


def _decks(typed: str) -> Any:
    """The number of decks, or the least and the most; what is neither goes to the reader of filings, which refuses it."""
    parts = [part.strip() for part in re.split(r"-|–|to", typed)]
    numbers = [int(part) if part.isdecimal() else part for part in parts]
    return numbers[0] if len(numbers) == 1 else numbers


def _source(number: int, line: str) -> tuple[str, str]:
    term, found, clause = line.partition("|")
    if not found or not term.strip() or not clause.strip():
        raise forms.ValidationError(
            {"sources": f"Line {number}: write {_CLAUSE_PARTS}, with | between them."}
        )
    return term.strip(), clause.strip()


def _spot(number: int, line: str) -> dict[str, Any]:
    parts = [part.strip() for part in line.split("|")]
    if len(parts) not in (2, 3):
        raise forms.ValidationError(f"Line {number}: write {_PARTS}, with | between them.")
    spot: dict[str, Any] = {"id": parts[0], "name": parts[1]}
    for words in _phrases(parts[2]) if len(parts) == 3 else ():
        spot |= _said(number, words)
    return spot


def _phrases(typed: str) -> list[str]:
    """What is said of a spot: parts with commas between them, and plain words with blanks alone."""
    phrases: list[str] = []
    for part in typed.split(","):
        words = part.split()
        phrases += words if all(word in _FLAGS for word in words) else [" ".join(words)]
    return phrases


def _said(number: int, words: str) -> dict[str, Any]:
    if words in _FLAGS:
        return {words: True}
    if words == "no fee":
        return {"fee": False}
    if words in (_COUNTS, _NOT_COUNTED):
        return {"action": words == _COUNTS}
    if words.startswith("equals "):
        return {"equals": words.removeprefix("equals ").strip()}
    if words.startswith("pays "):
        return {"pays_at_most": words.removeprefix("pays ").strip()}
    if later := _AFTER_DEAL.fullmatch(words):
        whole, most, of = later.groups()
        times = int(most) if most.isdecimal() else most
        return {"after_deal": {"of": of, "most": times, **({"whole": True} if whole else {})}}
    raise forms.ValidationError(f"Line {number}: {words!r} is none of {', '.join(_FLAGS)}.")
