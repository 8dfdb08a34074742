"""The shapes of a rotation as the API answers it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from cardroom.floor.models import Offer, Round, Turn
from games.rotation.record import RULES

Shape = serializers.Serializer[Any]


class RotationOffer(Shape):
    id = serializers.IntegerField()
    seat = serializers.IntegerField()
    player = serializers.CharField()
    answer = serializers.ChoiceField(choices=Offer.Answer.choices)
    reason = serializers.CharField(allow_blank=True)
    answered_at = serializers.DateTimeField()
    recorded_by = serializers.CharField()
    stands = serializers.BooleanField(help_text="False when it was withdrawn as a mistake.")


class RotationStop(Shape):
    began_at = serializers.DateTimeField()
    minutes = serializers.IntegerField(help_text="How long the game stops at least.")
    recorded_by = serializers.CharField()


class RotationRound(Shape):
    id = serializers.IntegerField()
    gaming_day = serializers.DateField()
    number = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Round.State.choices)
    opened_at = serializers.DateTimeField()


class RotationTurn(Shape):
    id = serializers.IntegerField()
    seat = serializers.IntegerField()
    player = serializers.CharField()
    renewed = serializers.BooleanField(help_text="A new turn of the last bank, as all others declined.")
    rotation = serializers.CharField(
        allow_blank=True, help_text="Profile as it began; empty: the rulebook's."
    )
    began_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    ended_why = serializers.ChoiceField(choices=Turn.Ended.choices, allow_blank=True)
    rounds = RotationRound(many=True)


class RotationBackLine(Shape):
    """A bettor on the back line of a seat's spot while the offers went round; the bank is offered at seats."""

    seat = serializers.IntegerField()
    behind = serializers.IntegerField()
    player = serializers.CharField()


class RotationRun(Shape):
    """One run of offers around the table, and the turn that came of it."""

    cycle = serializers.IntegerField()
    offers = RotationOffer(many=True)
    not_asked = RotationBackLine(many=True)
    stop = RotationStop(allow_null=True)
    turn = RotationTurn(allow_null=True)


class RotationException(Shape):
    """Something that the rotation does not allow; `turn`, `round` and `offer` are ids of what it shows in."""

    kind = serializers.ChoiceField(choices=list(RULES))
    rule = serializers.CharField()
    clause = serializers.CharField()
    at = serializers.DateTimeField()
    seat = serializers.IntegerField()
    player = serializers.CharField()
    text = serializers.CharField()
    turn = serializers.IntegerField(allow_null=True)
    round = serializers.IntegerField(allow_null=True)
    offer = serializers.IntegerField(allow_null=True)


class RotationFigures(Shape):
    turns = serializers.IntegerField(help_text="Begun in the period.")
    renewed = serializers.IntegerField()
    banks = serializers.IntegerField(help_text="Different players who banked a settled round.")
    rounds = serializers.IntegerField(help_text="Settled.")
    voids = serializers.IntegerField()
    accepted = serializers.IntegerField()
    declined = serializers.IntegerField()
    absent = serializers.IntegerField()
    ineligible = serializers.IntegerField()
    withdrawn = serializers.IntegerField(help_text="Answers recorded by mistake, which count nowhere else.")
    stops = serializers.IntegerField()
    exceptions = serializers.IntegerField()


class JournalHead(Shape):
    entry = serializers.IntegerField(
        help_text="The last entry of the table's journal as this was read; 0 for none."
    )
    hash = serializers.CharField(allow_blank=True)


class Rotation(Shape):
    """The rotation at a table in a period, `until` exclusive."""

    table = serializers.IntegerField()
    number = serializers.IntegerField()
    period = serializers.CharField()
    since = serializers.DateTimeField()
    until = serializers.DateTimeField()
    journal = JournalHead()
    figures = RotationFigures()
    exceptions = RotationException(many=True)
    runs = RotationRun(many=True)


class RoomRotation(Shape):
    """The rotation at every table of a room."""

    room = serializers.IntegerField()
    tables = Rotation(many=True)
