"""Password that somebody sets for somebody else: an input of commands, of which nothing but its hash is ever kept."""

from __future__ import annotations

import dataclasses
import functools
from typing import Annotated

from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from cardroom.core.json_types import Label, Secret
from games.phrases import Phrase

from .models import Staff

#: The longest that a person may be given.
PASSWORD_LENGTH = 128


@dataclasses.dataclass(frozen=True)
class NewPassword:
    """A password as it was typed. It is hashed once, before the command takes its lock."""

    text: str = dataclasses.field(repr=False)

    @functools.cached_property
    def hash(self) -> str:
        """What the account is given."""
        return make_password(self.text)

    def why_not(self, person: Staff) -> str | None:
        """Return why it is no password for `person`: too short, common, or like their name; None for one that is."""
        try:
            validate_password(self.text, person)
        except ValidationError as refused:
            return " ".join(refused.messages)
        return None


#: A new password, as every command takes it; who calls the command hands over the text.
Password = Annotated[NewPassword, Secret(PASSWORD_LENGTH), Label(Phrase("New password"))]
