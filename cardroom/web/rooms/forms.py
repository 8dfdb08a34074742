"""Forms of a room: opening a shift, its settings, the chips of its keypads, its tables."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django import forms

from cardroom.floor.commands.rooms import room_set
from cardroom.rooms.account_numbers import MOST_LETTERS
from cardroom.rooms.models import LEAST_RETENTION_YEARS, Room

from ..parts.forms.fields import DollarsField, words_field
from ..parts.forms.signed import WitnessedForm, right_to_sign

#: What most rooms call their shifts; a room may type another name.
USUAL = ("Day", "Swing", "Graveyard")


def name_after(name: str, used: Collection[str]) -> str:
    """Return the usual name that comes after `name` and is not `used` in the gaming day of now; empty without one."""
    first = USUAL.index(name) + 1 if name in USUAL else 0
    return next((each for each in (*USUAL[first:], *USUAL[:first]) if each not in used), "")


class ShiftOpenForm(forms.Form):
    """The name of the shift that begins."""

    name = forms.CharField(
        max_length=20,
        label="Name of the shift",
        widget=forms.TextInput(attrs={"list": "shift-names", "autocomplete": "off"}),
    )


class ChipsForm(forms.ModelForm[Room]):
    """The chips on the keypads of a room's tables."""

    class Meta:
        model = Room
        fields = ("chips",)
        labels = {"chips": "Chips on the keypads"}
        help_texts = {"chips": "In dollars, with blanks between: one to six amounts."}
        widgets = {"chips": forms.TextInput(attrs={"autocomplete": "off", "inputmode": "decimal"})}


def _whole(least: int, label: str) -> forms.IntegerField:
    return forms.IntegerField(
        min_value=least,
        max_value=32_767,
        label=label,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )


class RoomForm(WitnessedForm):
    """The settings of a room, which a second person signs where the room has one (`must_sign`)."""

    right = right_to_sign(room_set)

    name = words_field(120, "Name of the room")
    code = forms.SlugField(max_length=40, label="Short name, in addresses and file names")
    licence_number = words_field(40, "State gambling licence", required=False)
    time_zone = words_field(64, "Time zone, such as America/Los_Angeles")
    gaming_day_starts = forms.TimeField(
        label="A gaming day begins at", widget=forms.TimeInput(attrs={"type": "time"})
    )
    fees_on_void = forms.ChoiceField(
        label="Fees of a round voided after the deal", choices=Room.FeesOnVoid.choices
    )
    idle_minutes = _whole(1, "Alert: players without a round, after minutes")
    offer_minutes = _whole(1, "Alert: bank to be offered, after minutes")
    progressive_unit_cents = DollarsField(label="One progressive wager")
    meter_contribution_cents = DollarsField(label="Of it to the meter", required=False)
    meter_reserve_cents = DollarsField(label="Of it to the reserve", required=False)
    variance_threshold_cents = DollarsField(label="A variance is explained above", required=False)
    variance_hours = _whole(1, "Within hours")
    item_days = _whole(1, "Days after which an open exception is old")
    answer_days = _whole(1, "Days within which a player's claim is answered")
    records_shown_card = forms.BooleanField(label="The card that the bank shows is recorded", required=False)
    boxes_at_opening = forms.BooleanField(
        label="A drop box is put on every table as a shift opens", required=False
    )
    reliefs_sign = forms.BooleanField(
        label="Each relief of a push confirms with their PIN at the table", required=False
    )
    hold_choices = words_field(40, "A seat is held for minutes, such as 5 10 20")
    call_minutes = _whole(1, "A call of the waiting list is marked after minutes")
    account_numbers = words_field(
        MOST_LETTERS, "Numbers of accounts, such as cash = 1010, boxes = 1015", required=False
    )
    retention_years = _whole(LEAST_RETENTION_YEARS, "Records are kept for years (7 or more)")
    checkpoint_directory = words_field(200, "Directory of the server for checkpoints", required=False)
    checkpoint_witness = words_field(200, "https address of a witness for checkpoints", required=False)

    def __init__(self, room: Room, data: Any = None, *, must_sign: bool) -> None:
        own = [name for name in self.base_fields if name not in WitnessedForm.base_fields]
        super().__init__(data, auto_id="room-%s", initial={name: getattr(room, name) for name in own})
        self.must_sign = must_sign
        self.order_fields(own)
        if not must_sign:
            for name in WitnessedForm.base_fields:
                del self.fields[name]

    def arguments(self) -> dict[str, Any]:
        """Return the keyword arguments of the command, from valid input."""
        values = {
            name: value for name, value in self.cleaned_data.items() if name not in WitnessedForm.base_fields
        }
        values |= {name: value or 0 for name, value in values.items() if name.endswith("_cents")}
        values["gaming_day_starts"] = values["gaming_day_starts"].isoformat(timespec="minutes")
        return {**values, "approver": self.signature()} if self.must_sign else values


class TableForm(forms.Form):
    """The number of a table."""

    number = _whole(1, "Number painted on the table")
