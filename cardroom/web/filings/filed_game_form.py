"""The form of a draft of a game that is filed by its spots: name, seats, decks, back line, and a line for each spot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from games.refusal import Refusal
from games.registry import read_options
from games.rulebook import Rulebook
from games.terms import BACK_LINE

from .game_form import HEAD, filing_fields, rotation_field

_NUMBERS = ("seats", "decks", BACK_LINE)
_PARTS = "id | name | words"
_FLAGS = ("main", "tip", "alone")
_SPOTS = "Spots, one a line: id | name | main, tip, alone (words as they hold, or none)"


class FiledGameForm(forms.Form):
    """A whole draft of such a game. After `is_valid`, `arguments` is what the services take."""

    field_order = (*HEAD, "name", *_NUMBERS, "rotation", "spots")

    def __init__(self, rulebook: Rulebook, typed: Mapping[str, str]) -> None:
        super().__init__(typed)
        self.rulebook = rulebook
        self.options: dict[str, Any] = {}
        self.fields |= {
            **filing_fields(),
            "name": forms.CharField(label="Name of the game", max_length=200),
            "seats": forms.IntegerField(label="Seats"),
            "decks": forms.IntegerField(label="Decks"),
            BACK_LINE: forms.IntegerField(
                label="Back-line bettors on each player's spot (0 for none)", required=False
            ),
            "rotation": rotation_field(rulebook, typed.get("rotation", "")),
            "spots": forms.CharField(label=_SPOTS, widget=forms.Textarea(attrs={"rows": 8})),
        }

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        try:
            options = {
                **{name: cleaned[name] for name in ("name", *_NUMBERS) if cleaned[name] is not None},
                "spots": [_spot(number, line) for number, line in _lines(cleaned["spots"])],
            }
        except forms.ValidationError as error:
            self.add_error("spots", error)
            return cleaned
        try:
            self.options = read_options(self.rulebook, options).options
        except Refusal as refusal:
            field, _, place = refusal.path.removeprefix("options.").partition("[")
            line = f"spot {int(place.partition(']')[0]) + 1}: " if place else ""
            text = f"{line}{refusal.message}"
            self.add_error(field, f"{text[:1].upper()}{text[1:]}")
        return cleaned

    def head_fields(self) -> list[BoundField]:
        return [self[name] for name in HEAD]

    def option_fields(self) -> list[BoundField]:
        return [self[name] for name in ("name", *_NUMBERS, "rotation", "spots")]

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


def typed_options(options: Mapping[str, Any]) -> dict[str, str]:
    """What the form holds for the options of a draft, which have been checked."""
    return {
        **{name: str(options.get(name, 0)) for name in ("name", *_NUMBERS)},
        "spots": "\n".join(_line(spot) for spot in options["spots"]),
    }


def _line(spot: Mapping[str, Any]) -> str:
    words = ", ".join(flag for flag in _FLAGS if spot.get(flag))
    return f"{spot['id']} | {spot['name']}" + (f" | {words}" if words else "")


def _lines(typed: str) -> list[tuple[int, str]]:
    return [(number, line) for number, line in enumerate(typed.splitlines(), 1) if line.strip()]


def _spot(number: int, line: str) -> dict[str, Any]:
    parts = [part.strip() for part in line.split("|")]
    if len(parts) not in (2, 3):
        raise forms.ValidationError(f"Line {number}: write {_PARTS}, with | between them.")
    words = [word for word in parts[2].replace(",", " ").split() if word] if len(parts) == 3 else []
    for word in words:
        if word not in _FLAGS:
            raise forms.ValidationError(f"Line {number}: {word!r} is none of {', '.join(_FLAGS)}.")
    return {"id": parts[0], "name": parts[1], **dict.fromkeys(words, True)}
