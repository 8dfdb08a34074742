"""What the API's commands about waivers and time collection take and answer, for the schema."""

from __future__ import annotations

from rest_framework import serializers

from fees.document import BOXES, COVERS, PERIODS

from .answers import Shape


class TariffRow(Shape):
    """One posted fee."""

    payer = serializers.CharField()
    due = serializers.CharField(help_text="What it is due for each of.")
    wager = serializers.CharField(allow_blank=True)
    band = serializers.CharField(allow_blank=True)
    cents = serializers.IntegerField()
    clause = serializers.CharField()
    box = serializers.ChoiceField(choices=BOXES)
    text = serializers.CharField(help_text="Who pays, and for each of what, in words.")


class WaiverRule(Shape):
    """A published rule by which fees may be waived."""

    key = serializers.CharField()
    title = serializers.CharField()
    text = serializers.CharField()
    covers = serializers.ChoiceField(choices=COVERS)
    most_positions = serializers.IntegerField(allow_null=True)


class WaiverRow(Shape):
    """A waiver; one that was withdrawn says by whom and when."""

    id = serializers.IntegerField()
    table = serializers.IntegerField()
    round = serializers.IntegerField()
    schedule = serializers.IntegerField()
    rule = serializers.CharField()
    title = serializers.CharField()
    covers = serializers.ChoiceField(choices=COVERS)
    seat = serializers.IntegerField(allow_null=True)
    behind = serializers.IntegerField(
        help_text="Above 0, the fee of the bettor at that place of the seat's back line."
    )
    reason = serializers.CharField()
    made_at = serializers.DateTimeField()
    recorded_by = serializers.CharField()
    ordered_by = serializers.CharField()
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    withdrawn_by = serializers.CharField(allow_null=True)


class SeatTimeDue(Shape):
    seat = serializers.IntegerField()
    behind = serializers.IntegerField(
        required=False, help_text="Of a back-line bettor: the place behind the seat, from 1."
    )
    player = serializers.CharField()
    periods = serializers.IntegerField()
    since = serializers.DateTimeField(help_text="When the first of them began.")
    cents = serializers.IntegerField()


class TimeState(Shape):
    """What each seat pays by the clock, and what is due now."""

    period = serializers.ChoiceField(choices=tuple(PERIODS))
    fee_cents = serializers.IntegerField()
    due = SeatTimeDue(many=True)


class Charges(Shape):
    """The fees of a table as posted, its waivers, and the time that is due."""

    table = serializers.IntegerField()
    version = serializers.IntegerField()
    tariff = TariffRow(many=True)
    waiver_rules = WaiverRule(many=True)
    waivers = WaiverRow(many=True, help_text="Those that stand in the round in play.")
    time = TimeState(allow_null=True, help_text="Null where no time is collected.")


class SeatTime(Shape):
    seat = serializers.IntegerField()
    behind = serializers.IntegerField(
        required=False, help_text="Of a back-line bettor: the place behind the seat, from 1."
    )
    payer = serializers.CharField()
    periods = serializers.IntegerField()
    cents = serializers.IntegerField()
    paid_to = serializers.DateTimeField(help_text="When the last period that it pays for began.")


class TimeCollectionRow(Shape):
    """Time collected in one command; one that reverses another has its sums below 0."""

    id = serializers.IntegerField()
    table = serializers.IntegerField()
    shift = serializers.IntegerField()
    schedule = serializers.IntegerField()
    schedule_version = serializers.IntegerField()
    period = serializers.ChoiceField(choices=tuple(PERIODS))
    fee_cents = serializers.IntegerField()
    fees = SeatTime(many=True)
    periods = serializers.IntegerField()
    cents = serializers.IntegerField()
    made_at = serializers.DateTimeField()
    recorded_by = serializers.CharField()
    reverses = serializers.IntegerField(allow_null=True)
    taken_back = serializers.IntegerField(allow_null=True, help_text="The collection that reverses this one.")
    reason = serializers.CharField(allow_blank=True)
    approved_by = serializers.CharField(allow_null=True)
