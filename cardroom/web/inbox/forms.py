"""The form by which items are worked off: one note, and a button for each act; closing is signed by a second person."""

from __future__ import annotations

from typing import Any

from django import forms

from cardroom.core.json_types import MOST_ID
from cardroom.floor.errors import BadInput
from cardroom.floor.execution.carry_out import RoomCommand
from cardroom.inbox.commands.disputes import dispute_decide, review_ask, review_end
from cardroom.inbox.commands.items import (
    NOTE_LENGTH,
    item_camera_note,
    items_close,
    items_explain,
    items_give,
    items_note_down,
    items_refer,
    items_reopen,
)
from cardroom.inbox.models import Dispute, Item
from cardroom.people.models import Staff

from ..parts.forms.fields import day_field, words_field
from ..parts.forms.signed import Signed, name_field, pin_field, right_to_sign

#: By the last part of its address: what is done about items, and what the page says then.
ACTS: dict[str, tuple[RoomCommand[...], str]] = {
    "explain": (items_explain, "Explained."),
    "refer": (items_refer, "Referred."),
    "close": (items_close, "Closed."),
    "reopen": (items_reopen, "Reopened."),
    "note": (items_note_down, "Noted."),
    "owner": (items_give, "Given."),
    "camera": (item_camera_note, "Camera noted."),
    "decide": (dispute_decide, "Decided."),
    "review": (review_ask, "A surveillance review is asked for."),
    "review-end": (review_end, "The review has ended."),
}
_TAKES = {
    "explain": ("note",),
    "refer": ("to", "note"),
    "close": ("note",),
    "reopen": ("note",),
    "note": ("note",),
    "owner": ("owner_id",),
    "camera": ("camera", "minute", "kept_until"),
    "decide": ("outcome", "note"),
    "review": ("hold_until", "note"),
    "review-end": ("note",),
}
#: Acts on a claim, by its own id.
_OF_CLAIMS = frozenset({"decide", "review", "review-end"})


class ActForm(Signed):
    """What is typed about items; every act takes some of it (`arguments`)."""

    right = right_to_sign(items_close)

    note = forms.CharField(
        max_length=NOTE_LENGTH,
        required=False,
        label="Note, kept with your name and the time",
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    to = words_field(80, "Refer to", required=False)
    owner_id = forms.TypedChoiceField(coerce=int, empty_value=None, required=False, label="Give to")
    camera = words_field(60, "Camera", required=False)
    minute = forms.TimeField(required=False, label="At", widget=forms.TimeInput(attrs={"type": "time"}))
    kept_until = day_field("Recording kept until")
    outcome = forms.ChoiceField(
        required=False, label="Decision", choices=[("", "choose"), *Dispute.Outcome.choices]
    )
    hold_until = day_field("Hold recordings until")
    approver = name_field("Second person's user name or badge")
    approver_pin = pin_field("Their PIN")

    def __init__(self, owners: list[Staff], items: list[Item], *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "act-%s")
        super().__init__(*args, **kwargs)
        self.fields["owner_id"].choices = [("", "nobody yet"), *((each.pk, str(each)) for each in owners)]  # type: ignore[attr-defined]
        for name in ("approver", "approver_pin"):
            self.fields[name].required = False
        self.wrote = tuple({item.explained_by_id for item in items if item.explained_by_id})
        self.about = tuple(
            {person.staff_id for item in items for person in item.people.all() if person.staff_id}
        )

    def clean_note(self) -> str:
        """A note stands on one line."""
        return " ".join(self.cleaned_data["note"].split())

    def arguments(self, slug: str, items: list[int]) -> dict[str, Any]:
        """What the command of an act takes. Raises BadInput where something is left out that it needs."""
        values = {name: self.cleaned_data[name] for name in _TAKES[slug]}
        if slug == "owner" and values["owner_id"] is None:
            raise BadInput("unknown_owner", "Choose who it is given to.", path="owner_id")
        if slug == "camera":
            minute = values["minute"]
            values["minute"] = "" if minute is None else minute.isoformat(timespec="minutes")
            return {"item_id": items[0], **values}
        if slug in _OF_CLAIMS:
            return self._of_claim(slug, values, items[0])
        if slug == "close":
            values["approver"] = self.signature()
        return {"items": items, **values}

    @staticmethod
    def _of_claim(slug: str, values: dict[str, Any], item: int) -> dict[str, Any]:
        """What an act on the claim of an item takes. Raises BadInput."""
        dispute = Dispute.objects.filter(item=item).values_list("pk", flat=True).first()
        if dispute is None:
            raise BadInput("no_claim", "This item is no player's claim.", path="items")
        if slug == "decide":
            if not values["outcome"]:
                raise BadInput("outcome_required", "Choose how the claim is decided.", path="outcome")
            values["reason"] = values.pop("note")
        if slug == "review" and values["hold_until"] is None:
            raise BadInput("hold_required", "Say until which day the recordings are held.", path="hold_until")
        return {"dispute_id": dispute, **values}


def items_of(typed: list[str]) -> list[int]:
    """Read the ids of items that were posted. Raises BadInput for none, and for what is no id."""
    if not typed:
        raise BadInput("no_items", "Choose the items first.", path="items")
    if not all(each.isascii() and each.isdigit() and 0 < int(each[:20]) <= MOST_ID for each in typed):
        raise BadInput("bad_form", "This page has lost its items. Reload it.", path="items", status=400)
    return [int(each) for each in typed]
