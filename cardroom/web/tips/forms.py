"""Forms about tips: handed in, hours of support staff, taking either back, and the rule by which they are shared."""

from __future__ import annotations

from typing import Any

from django import forms

from cardroom.core.json_types import REASON_LENGTH
from cardroom.people.models import Role, Staff
from cardroom.tips.commands.entries import MOST_MINUTES, WORK_LENGTH, hand_in_reverse
from cardroom.tips.models import PoolRule
from cardroom.tips.models.rules import MOST_BREAK, SUPPORTERS, TITLE_LENGTH
from cardroom.tips.reads.earned import Stint

from ..parts.clock import clock_of
from ..parts.forms.fields import DollarsField, day_field, words_field
from ..parts.forms.signed import WitnessedForm, right_to_sign


def _whole(most: int, label: str, **more: Any) -> forms.IntegerField:
    return forms.IntegerField(
        min_value=0,
        max_value=most,
        label=label,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 6}),
        **more,
    )


class HandInForm(forms.Form):
    """Tips that a dealer hands in: of one of the shift's downs, or of a dealer without saying of which."""

    dealer = forms.ChoiceField(label="Dealer and down")
    cents = DollarsField(label="Handed in, in dollars")

    def __init__(self, stints: list[Stint], dealers: list[Staff], *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "hand-in-%s")
        super().__init__(*args, **kwargs)
        downs = [
            (
                f"{each.down.dealer_id}-{each.down.pk}",
                f"{each.down.dealer} · {each.down.table}, from {clock_of(each.down.room, each.begins_at)}",
            )
            for each in stints
        ]
        people = [(f"{each.pk}-", f"{each} · no one down") for each in dealers]
        self.fields["dealer"].choices = [*downs, *people]  # type: ignore[attr-defined]

    def arguments(self) -> dict[str, Any]:
        """What the service takes, from valid input."""
        dealer, _, down = self.cleaned_data["dealer"].partition("-")
        return {
            "dealer_id": int(dealer),
            "down_id": int(down) if down else None,
            "cents": self.cleaned_data["cents"] or 0,
        }


class HoursForm(forms.Form):
    """Hours of one of the support staff."""

    staff_id = forms.TypedChoiceField(coerce=int, label="Name")
    work = words_field(WORK_LENGTH, "Work")
    hours = _whole(24, "Hours", required=False)
    minutes = _whole(59, "Minutes", required=False)

    def __init__(self, people: list[Staff], *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "hours-%s")
        super().__init__(*args, **kwargs)
        self.fields["staff_id"].choices = [(each.pk, str(each)) for each in people]  # type: ignore[attr-defined]

    def arguments(self) -> dict[str, Any]:
        """What the service takes, from valid input."""
        data = self.cleaned_data
        minutes = (data["hours"] or 0) * 60 + (data["minutes"] or 0)
        return {"staff_id": data["staff_id"], "work": data["work"], "minutes": min(minutes, MOST_MINUTES + 1)}


class ReverseForm(WitnessedForm):
    """Why an entry is taken back; a second person signs."""

    right = right_to_sign(hand_in_reverse)
    reason = words_field(REASON_LENGTH, "Why it is reversed")
    field_order = ("reason", "approver", "approver_pin")


class RuleForm(forms.Form):
    """A rule and the gaming day from which it holds. A share is typed in percent with at most two places."""

    title = words_field(TITLE_LENGTH, "Title")
    effective_from = day_field("First gaming day", required=True)
    sharing = forms.ChoiceField(label="Dealers", choices=PoolRule.Sharing.choices)
    break_minutes = _whole(MOST_BREAK, "Breaks that count as worked, up to minutes", initial=0)
    support = forms.ChoiceField(label="Support staff get", choices=PoolRule.Support.choices)
    support_percent = forms.DecimalField(
        label="Share of the tips, or at most, in percent",
        min_value=0,
        max_value=100,
        decimal_places=2,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off", "maxlength": 6}),
    )
    support_hourly_cents = DollarsField(label="Sum an hour, in dollars", required=False)
    support_roles = forms.MultipleChoiceField(
        label="Support staff are",
        required=False,
        choices=[(str(role), role.label) for role in Role if role in SUPPORTERS],
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "rule-%s")
        super().__init__(*args, **kwargs)

    def arguments(self) -> dict[str, Any]:
        """What the service takes, from valid input."""
        data = dict(self.cleaned_data)
        percent = data.pop("support_percent") or 0
        return {
            **data,
            "support_bp": int(percent * 100),
            "support_hourly_cents": data["support_hourly_cents"] or 0,
        }
