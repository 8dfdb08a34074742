"""Forms of waivers and of time: which rule lets a fee go, which seats pay for their time, what is taken back."""

from __future__ import annotations

from typing import Any

from django import forms

from cardroom.floor.acts.second_person import REASON_LENGTH
from cardroom.floor.reads.charges import collections_at
from cardroom.floor.seat_time import time_due
from cardroom.people.rights import Right
from games.money import dollars

from .command import CommandForm
from .signed import SignedForm, SupervisedForm

#: So many collections at most stand ready to be taken back.
MOST_COLLECTIONS = 6


def _reason(label: str) -> forms.CharField:
    return forms.CharField(
        max_length=REASON_LENGTH, label=label, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


class WaiveFeeForm(SupervisedForm):
    """Let a fee go by a published rule."""

    right = Right.WAIVE_FEES

    rule = forms.ChoiceField(label="Published rule")
    seat = forms.TypedChoiceField(
        coerce=int, empty_value=None, required=False, label="Seat, for one player's fee"
    )
    reason = _reason("Why it is waived")

    def build(self) -> None:
        rules = () if self.view.schedule is None else self.view.schedule.waivers
        live = self.view.live
        seats = [
            (seat, f"Seat {seat} · {sitting.player}")
            for seat, sitting in sorted(self.view.seatings.items())
            if live is not None and seat != live.bank_seat
        ]
        self.fields["rule"].choices = [(rule.key, f"{rule.title}: {rule.whose}") for rule in rules]  # type: ignore[attr-defined]
        self.fields["seat"].choices = [("", "as the rule says"), *seats]  # type: ignore[attr-defined]
        super().build()


class WaiverWithdrawForm(CommandForm):
    """Have a waived fee due again."""

    waiver_id = forms.IntegerField(widget=forms.HiddenInput)


class TimeSeatsForm(CommandForm):
    """The seats that pay for their time now; the others are carried."""

    seats = forms.TypedMultipleChoiceField(
        coerce=int, label="Seats that pay now", widget=forms.CheckboxSelectMultiple
    )

    def build(self) -> None:
        dues = time_due(self.view)
        self.fields["seats"].choices = [  # type: ignore[attr-defined]
            (due.seat, f"Seat {due.seat} · {due.sitting.player} · {dollars(due.cents)}") for due in dues
        ]
        self.fields["seats"].initial = [due.seat for due in dues]


class TimeBackForm(SignedForm):
    """Take a collection of time back, whole."""

    collection_id = forms.TypedChoiceField(coerce=int, label="Collection")
    reason = _reason("Why it is taken back")

    def build(self) -> None:
        super().build()
        zone = self.view.table.room.zone
        standing = collections_at(self.view.table).filter(reverses__isnull=True, reversal__isnull=True)
        self.fields["collection_id"].choices = [  # type: ignore[attr-defined]
            (
                each.pk,
                f"{each.made_at.astimezone(zone):%H:%M} · {len(each.fees)} seats · {dollars(each.cents)}",
            )
            for each in standing[:MOST_COLLECTIONS]
        ]

    def arguments(self) -> dict[str, Any]:
        said = {key: self.cleaned_data[key] for key in ("collection_id", "reason")}
        return {**said, "approver": self.signature()}
