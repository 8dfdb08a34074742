"""What the API answers about trays, for the schema."""

from __future__ import annotations

from rest_framework import serializers

from cardroom.floor.models import TraySlip

from .answers import Shape


class TrayState(Shape):
    """What lies in a tray since its opener, or lay there until the last closer; null where there was no opener yet."""

    table = serializers.IntegerField()
    is_open = serializers.BooleanField()
    shift = serializers.IntegerField(allow_null=True, help_text="The shift of its opener.")
    opener = serializers.IntegerField(allow_null=True, help_text="The slip that opened it.")
    closer = serializers.IntegerField(
        allow_null=True, help_text="The slip that closed it; null while it is open."
    )
    opened_cents = serializers.IntegerField(allow_null=True)
    filled_cents = serializers.IntegerField(allow_null=True)
    credited_cents = serializers.IntegerField(allow_null=True)
    bought_in_cents = serializers.IntegerField(allow_null=True)
    won_cents = serializers.IntegerField(allow_null=True, help_text="Wagers taken into the tray.")
    lost_cents = serializers.IntegerField(allow_null=True, help_text="Paid out of the tray.")
    expected_cents = serializers.IntegerField(
        allow_null=True, help_text="Opened + filled - credited - bought in + won - lost."
    )
    counted_cents = serializers.IntegerField(allow_null=True, help_text="What the closer counted.")
    variance_cents = serializers.IntegerField(allow_null=True, help_text="Counted less expected.")


class TraySlipRow(Shape):
    """A slip of a tray; one that reverses another has its chips and cents below 0."""

    id = serializers.IntegerField()
    number = serializers.IntegerField(help_text="Counts the slips of the room, without gaps.")
    table = serializers.IntegerField()
    table_number = serializers.IntegerField()
    shift = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=TraySlip.Kind.choices)
    chips = serializers.DictField(
        child=serializers.IntegerField(), help_text="Number of chips by their worth in cents."
    )
    cents = serializers.IntegerField()
    expected_cents = serializers.IntegerField(
        allow_null=True, help_text="What should lie there, of an opener or closer."
    )
    difference_cents = serializers.IntegerField(allow_null=True, help_text="Counted less expected.")
    note = serializers.CharField(allow_blank=True)
    made_at = serializers.DateTimeField()
    made_by = serializers.CharField()
    approved_by = serializers.CharField()
    reverses = serializers.IntegerField(allow_null=True)
    taken_back = serializers.IntegerField(allow_null=True, help_text="The slip that reverses this one.")
    reason = serializers.CharField(allow_blank=True)


class BuyInRow(Shape):
    """Cash for chips at a seat; a buy-in that reverses another has its cents below 0."""

    id = serializers.IntegerField()
    table = serializers.IntegerField()
    shift = serializers.IntegerField()
    seat = serializers.IntegerField()
    player = serializers.CharField()
    cents = serializers.IntegerField()
    made_at = serializers.DateTimeField()
    recorded_by = serializers.CharField()
    reverses = serializers.IntegerField(allow_null=True)
    taken_back = serializers.IntegerField(allow_null=True, help_text="The buy-in that reverses this one.")
    reason = serializers.CharField(allow_blank=True)
    approved_by = serializers.CharField(allow_null=True)
