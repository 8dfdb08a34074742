"""Forms of programs, tokens and webhooks: each is that of one command."""

from __future__ import annotations

from django import forms

from cardroom.floor.commands.programs import (
    NAME_LENGTH,
    PURPOSE_LENGTH,
    program_make,
    program_token_make,
)
from cardroom.people.programs import MOST_DAYS
from cardroom.people.rights import PROGRAM_RIGHTS, scope_of
from cardroom.webhooks.commands.webhooks import (
    MOST_KINDS,
    URL_LENGTH,
    webhook_make,
    webhook_secret_make,
)

from ..parts.forms.fields import words_field
from ..parts.forms.signed import right_to_sign
from ..people.forms import PersonForm


def _days() -> forms.IntegerField:
    return forms.IntegerField(
        label=f"Token holds for, in days (at most {MOST_DAYS})", min_value=1, max_value=MOST_DAYS, initial=90
    )


class ProgramForm(PersonForm):
    """A new program, with its first token."""

    right = right_to_sign(program_make)
    button, done = "Make the program", "The program is made. Copy its token now: it is not shown again."

    name = words_field(NAME_LENGTH, "Name, as the journal has it")
    purpose = words_field(PURPOSE_LENGTH, "What it does, and who looks after it")
    rights = forms.MultipleChoiceField(
        label="What it may do",
        choices=[(scope_of(right), right.value.capitalize()) for right in PROGRAM_RIGHTS],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Tick what the program may do: without a right it can do nothing."},
    )
    days = _days()


class TokenForm(PersonForm):
    """A further token of a program."""

    right = right_to_sign(program_token_make)
    button, done = "Make a token", "The token is made. Copy it now: it is not shown again."

    days = _days()


class WebhookForm(PersonForm):
    """A webhook of a program."""

    right = right_to_sign(webhook_make)
    button, done = "Make the webhook", "The webhook is made. Copy its secret now: it is not shown again."

    url = words_field(URL_LENGTH, "Address")
    kinds = forms.CharField(
        label="Kinds of entries, with blanks between (empty: all)",
        required=False,
        max_length=MOST_KINDS * 41,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}),
    )

    def clean_kinds(self) -> list[str]:
        kinds: list[str] = self.cleaned_data["kinds"].replace(",", " ").split()
        return kinds


class SecretForm(PersonForm):
    """Another secret of a webhook."""

    right = right_to_sign(webhook_secret_make)
    button = "Make another secret"
    done = "There is another secret. Copy it now: it is not shown again. For 24 hours both sign."
