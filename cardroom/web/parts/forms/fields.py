"""Form fields of the project: dollars that become cents, cards that become a hand, days between the ends of the calendar."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator

from cardroom.rooms.gaming_day import FIRST_DAY, LAST_DAY, why_no_day

from ..cards import hand_of, typed_example
from ..money import NotMoney, cents_of, typed_of


class DollarsField(forms.CharField):
    """An amount typed in dollars; its value is int cents, or None when nothing (or 0) is typed."""

    def __init__(self, **options: Any) -> None:
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
            return cents_of(typed) or None
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


#: Validators of a field.
DAYS = (
    MinValueValidator(FIRST_DAY, message=why_no_day(FIRST_DAY.replace(year=1))),
    MaxValueValidator(LAST_DAY, message=why_no_day(FIRST_DAY.replace(year=1))),
)
