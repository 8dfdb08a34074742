"""What the API's commands take, each a strict form."""

from __future__ import annotations

from rest_framework import serializers

from cardroom.floor.models import Round
from cardroom.floor.reads.rotation import MOST_HOURS
from cardroom.people.pins import MOST_DIGITS

from .forms import (
    MOST_ID,
    AddressNumber,
    Choice,
    Day,
    Form,
    Words,
)

NAME_LENGTH = 80


class Approver(Form):
    username = Words(max_length=150, help_text="Their user name, or their badge in this room.")
    pin = Words(max_length=MOST_DIGITS, style={"input_type": "password"}, help_text="Four to six digits.")


class PlayerSearch(Form):
    search = Words(
        max_length=NAME_LENGTH,
        required=False,
        default="",
        help_text="A player's number, or part of a name, in any case and with or without accents.",
    )


class Page(Form):
    before = AddressNumber(
        required=False, min_value=1, max_value=MOST_ID, help_text="Only what came before this id (`seq`)."
    )
    limit = AddressNumber(required=False, default=50, min_value=1, max_value=200)


class Revision(Form):
    revision = AddressNumber(
        required=False, min_value=0, max_value=30_000, help_text="0 as made first; without it, the last."
    )


class PeriodReportFilter(Page):
    kind = serializers.ChoiceField(choices=["day", "month"], required=False)


class RotationPeriod(Form):
    gaming_day = Day(required=False)
    shift = AddressNumber(required=False, min_value=1, max_value=MOST_ID, help_text="A shift's id.")
    hours = AddressNumber(required=False, min_value=1, max_value=MOST_HOURS, help_text="The last hours.")


class RoundFilter(Page):
    state = Choice(choices=Round.State.choices, required=False)
    gaming_day = Day(required=False)
    shift = AddressNumber(required=False, min_value=1, max_value=MOST_ID, help_text="A shift's id.")
