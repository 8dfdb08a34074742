"""Form fields of the project: dollars that become cents, cards that become a hand, lines of text, days of the calendar."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator

from cardroom.rooms.gaming_day import FIRST_DAY, LAST_DAY, why_no_day

from ..cards import hand_of, typed_example
from ..money import NotMoney, cents_of, typed_of


class DollarsField(forms.CharField):
    """An amount typed in dollars; its value is int cents, or None when nothing (or 0) is typed.

    With `zero` a typed 0 is an amount: what was counted may be nothing.
    """

    def __init__(self, *, zero: bool = False, **options: Any) -> None:
        self.zero = zero
        options.setdefault(
            "widget",
            forms.TextInput(
                attrs={"inputmode": "decimal", "autocomplete": "off", "class": "dollars", "maxlength": 20}
            ),
        )
        super().__init__(**options)

    def to_python(self, value: Any) -> int | None:  # type: ignore[override]  # CharField says str; the value is cents
        typed = super().to_python(value)
        if not typed:
            return None
        try:
            return cents_of(typed) or (0 if self.zero else None)
        except NotMoney as error:
            raise forms.ValidationError(str(error), code="not_money") from error

    def prepare_value(self, value: Any) -> Any:
        return typed_of(value) if isinstance(value, int) else value


class HandField(forms.CharField):
    """Cards typed anyhow ("ah kd2c"), from `least` to `most`; its value is a hand as the round sheet has it ("Ah Kd 2c")."""

    def __init__(self, least: int, most: int, **options: Any) -> None:
        options.setdefault(
            "widget",
            forms.TextInput(
                attrs={
                    "autocomplete": "off",
                    "autocapitalize": "off",
                    "spellcheck": "false",
                    "class": "hand",
                    "placeholder": typed_example(least),
                    "maxlength": 40,
                    "data-least": least,
                    "data-most": most,
                }
            ),
        )
        super().__init__(**options)

    def to_python(self, value: Any) -> str:
        return hand_of(super().to_python(value) or "")


def words_field(most: int, label: Any, *, required: bool = True, **attributes: Any) -> forms.CharField:
    """A line of text of at most so many characters; `attributes` are those of its input."""
    return forms.CharField(
        max_length=most,
        label=label,
        required=required,
        widget=forms.TextInput(attrs={"autocomplete": "off", **attributes}),
    )


#: Validators of a day.
_DAYS = (
    MinValueValidator(FIRST_DAY, message=why_no_day(FIRST_DAY.replace(year=1))),
    MaxValueValidator(LAST_DAY, message=why_no_day(FIRST_DAY.replace(year=1))),
)


def day_field(label: str, *, required: bool = False) -> forms.DateField:
    """A day between the ends of the calendar, chosen in the browser's own."""
    return forms.DateField(
        required=required,
        label=label,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        input_formats=["%Y-%m-%d"],
        validators=_DAYS,
        error_messages={"invalid": "Write a day as 2026-11-20."},
    )
