"""Forms about obligations: what one says, who owns it, its proof, done, not applicable, reopened."""

from __future__ import annotations

import base64
from typing import Any, NamedTuple

from django import forms

from cardroom.filings.models.documents import MOST_BYTES
from cardroom.floor.execution.carry_out import RoomCommand
from cardroom.obligations.commands.obligations import (
    obligation_change,
    obligation_document_attach,
    obligation_done,
    obligation_give,
    obligation_note_down,
    obligation_reopen,
    obligation_waive,
)
from cardroom.obligations.models import Obligation
from cardroom.obligations.models.obligations import (
    MOST_REMIND_DAYS,
    NOTE_LENGTH,
    REFERENCE_LENGTH,
    REMIND_DAYS,
    RESTS_ON_LENGTH,
    TITLE_LENGTH,
)
from cardroom.people.models import Staff

from ..parts.forms.fields import day_field, words_field
from ..parts.forms.signed import Signed, name_field, pin_field, right_to_sign
from ..parts.forms.upload import UploadForm, file_field

#: Whether a second person signs that one is done, as the form offers it; empty leaves it to the kind.
_TAKES_TWO = {"": None, "yes": True, "no": False}


class ActForm(forms.Form):
    """What is given about one obligation. It is drawn for `owners`, of whom some forms offer the choice."""

    def __init__(self, obligation: Obligation | None, owners: list[Staff], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.obligation = obligation
        if "owner_id" in self.fields:
            people = [(each.pk, str(each)) for each in owners]
            self.fields["owner_id"].choices = [("", "nobody yet"), *people]  # type: ignore[attr-defined]

    def arguments(self) -> dict[str, Any]:
        """What the command is given."""
        return dict(self.cleaned_data)


class SayForm(ActForm):
    """What an obligation says."""

    title = words_field(TITLE_LENGTH, "What is to be done")
    kind = forms.ChoiceField(label="Kind", choices=Obligation.Kind.choices)
    due_on = day_field("Due on", required=True)
    every = forms.ChoiceField(label="Recurs", choices=Obligation.Every.choices)
    last_day = forms.BooleanField(label="Always on the last day of the month", required=False)
    rests_on = words_field(RESTS_ON_LENGTH, "Rests on: clause, contract or letter", required=False)
    remind_days = forms.IntegerField(
        min_value=0,
        max_value=MOST_REMIND_DAYS,
        initial=REMIND_DAYS,
        label="Due soon, days before",
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 3}),
    )
    takes_two = forms.ChoiceField(
        required=False,
        label="A second person signs that it is done",
        choices=[("", "of taxes and table fees"), ("yes", "yes"), ("no", "no")],
    )

    @classmethod
    def of(cls, obligation: Obligation) -> dict[str, Any]:
        """What the form says of an obligation before it is changed."""
        return {
            "title": obligation.title,
            "kind": obligation.kind,
            "due_on": obligation.due_on,
            "every": obligation.every,
            "last_day": obligation.last_day,
            "rests_on": obligation.rests_on,
            "remind_days": obligation.remind_days,
            "takes_two": "yes" if obligation.takes_two else "no",
        }

    def arguments(self) -> dict[str, Any]:
        return {**self.cleaned_data, "takes_two": _TAKES_TWO[self.cleaned_data["takes_two"]]}


class AddForm(SayForm):
    """A new obligation, with its owner."""

    owner_id = forms.TypedChoiceField(coerce=int, empty_value=None, required=False, label="Owner")

    field_order = ["title", "kind", "due_on", "every", "last_day", "rests_on", "owner_id"]


class OwnerForm(ActForm):
    """Who is to do it."""

    owner_id = forms.TypedChoiceField(coerce=int, empty_value=None, label="Owner")


class NoteForm(ActForm):
    """What is noted, or the reason for which one is reopened."""

    note = words_field(NOTE_LENGTH, "Note")


class ReopenForm(ActForm):
    """Why it is opened again."""

    note = words_field(NOTE_LENGTH, "Reason")


class WaiveForm(ActForm):
    """Why it does not apply."""

    reason = words_field(NOTE_LENGTH, "Reason")


class DocumentForm(ActForm, UploadForm):
    """The document that proves it."""

    most_bytes = MOST_BYTES

    file = file_field("The document (PDF)", "application/pdf")

    def arguments(self) -> dict[str, Any]:
        given = self.cleaned_data["file"]
        return {"name": given.name, "content": base64.b64encode(given.read()).decode()}


class DoneForm(ActForm, Signed):
    """That it is done: by what it is proved, and who signs with, where it takes two."""

    right = right_to_sign(obligation_done)

    reference = words_field(REFERENCE_LENGTH, "Reference: receipt, number of confirmation", required=False)
    note = words_field(NOTE_LENGTH, "Note", required=False)
    approver = name_field("Second person's user name or badge")
    approver_pin = pin_field("Their PIN")

    def __init__(self, obligation: Obligation | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(obligation, *args, **kwargs)
        if obligation is not None and not obligation.takes_two:
            del self.fields["approver"], self.fields["approver_pin"]

    def arguments(self) -> dict[str, Any]:
        values = {name: self.cleaned_data[name] for name in ("reference", "note")}
        return {**values, "approver": self.signature()} if "approver" in self.fields else values


class Act(NamedTuple):
    """What is done about an obligation: its command, its form, what its button says, and what the page says then."""

    command: RoomCommand[...]
    form: type[ActForm]
    button: str
    done: str


#: By the last part of its address.
ACTS: dict[str, Act] = {
    "done": Act(obligation_done, DoneForm, "Done", "Done."),
    "document": Act(obligation_document_attach, DocumentForm, "Attach", "The document is attached."),
    "owner": Act(obligation_give, OwnerForm, "Give", "Given."),
    "note": Act(obligation_note_down, NoteForm, "Note", "Noted."),
    "not-applicable": Act(obligation_waive, WaiveForm, "Does not apply", "It does not apply."),
    "change": Act(obligation_change, SayForm, "Change", "Changed."),
    "reopen": Act(obligation_reopen, ReopenForm, "Reopen", "Reopened."),
}
