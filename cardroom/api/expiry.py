"""What the API's command about an expired badge or permit takes and answers, for the schema."""

from __future__ import annotations

from rest_framework import serializers

from cardroom.floor.acts.second_person import REASON_LENGTH

from .answers import TableAnswer
from .bodies import Approver
from .forms import Form, Id, Words


class OverrideExpiry(Form):
    player_id = Id(required=False, allow_null=True, help_text="A provider's player whose badge has expired.")
    dealer_id = Id(required=False, allow_null=True, help_text="A dealer whose work permit has expired.")
    reason = Words(max_length=REASON_LENGTH)
    approver = Approver(required=False, help_text="The supervisor, where whoever gives the command is none.")


class OverrideAnswer(TableAnswer):
    override = serializers.IntegerField()
