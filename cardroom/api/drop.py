"""What the API answers of drop and count. Figures of a count are null until the count stands."""

from __future__ import annotations

from rest_framework import serializers

from cardroom.drop.models import CountSheet, DropBox, VarianceNote

from .answers import Shape


class Box(Shape):
    """A drop box's stay at a table. What was counted, and what is expected, is null until the count stands."""

    id = serializers.IntegerField()
    number = serializers.IntegerField(help_text="The number painted on it.")
    kind = serializers.ChoiceField(choices=DropBox.Kind.choices)
    table = serializers.IntegerField()
    table_number = serializers.IntegerField()
    shift = serializers.IntegerField()
    state = serializers.ChoiceField(choices=DropBox.State.choices)
    placed_at = serializers.DateTimeField()
    placed_by = serializers.CharField()
    dropped_at = serializers.DateTimeField(allow_null=True)
    dropped_by = serializers.CharField(allow_null=True)
    witness = serializers.CharField(allow_null=True)
    counted_at = serializers.DateTimeField(allow_null=True, help_text="When its count came to stand.")
    counts = serializers.IntegerField(help_text="How many counts are in, corrections left out.")
    recount_due = serializers.BooleanField(help_text="Two counts are in and differ.")
    expected_cents = serializers.IntegerField(allow_null=True)
    counted_cents = serializers.IntegerField(allow_null=True)
    difference_cents = serializers.IntegerField(
        allow_null=True, help_text="Counted less expected: negative is short."
    )
    variance = serializers.ChoiceField(
        choices=VarianceNote.Status.choices, allow_null=True, help_text="Null where there is none."
    )
    owner = serializers.CharField(allow_null=True, help_text="Who is to explain the variance.")


class PieceCount(Shape):
    kind = serializers.CharField()
    cents = serializers.IntegerField()
    pieces = serializers.IntegerField()


class Sheet(Shape):
    id = serializers.IntegerField()
    seq = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=CountSheet.Kind.choices)
    pieces = PieceCount(many=True)
    total_cents = serializers.IntegerField()
    made_at = serializers.DateTimeField()
    made_by = serializers.CharField()
    corrects = serializers.IntegerField(allow_null=True, help_text="The sheet that it strikes through.")
    reason = serializers.CharField(allow_blank=True)
    approved_by = serializers.CharField(allow_null=True)


class Note(Shape):
    status = serializers.ChoiceField(choices=VarianceNote.Status.choices)
    owner = serializers.CharField(
        allow_null=True, help_text="Null where nobody had taken it on when the clock escalated it."
    )
    says = serializers.CharField(allow_blank=True)
    made_at = serializers.DateTimeField()
    made_by = serializers.CharField()


class RoundDrop(Shape):
    """What one round put into the box."""

    round = serializers.IntegerField()
    gaming_day = serializers.DateField()
    number = serializers.IntegerField()
    in_cents = serializers.IntegerField()
    out_cents = serializers.IntegerField(help_text="Fees given back.")


class TimeDrop(Shape):
    """What one collection of time put into the box, or took back out of it (below 0)."""

    collection = serializers.IntegerField()
    made_at = serializers.DateTimeField()
    seats = serializers.IntegerField()
    cents = serializers.IntegerField()


class BoxRecord(Box):
    """A box with its sheets, what was said of its variance, and what makes the expected figure: rounds, and time.

    The lists are empty until the count stands, and for a user who may not see what was counted.
    """

    sheets = Sheet(many=True)
    notes = Note(many=True)
    rounds = RoundDrop(many=True)
    times = TimeDrop(many=True)
    bought_in_cents = serializers.IntegerField(
        allow_null=True,
        help_text="Cash for chips, where the house banks; null as long as the others are empty.",
    )


class TableWithoutBox(Shape):
    table_number = serializers.IntegerField()
    cents = serializers.IntegerField(help_text="What it collected.")
    kind = serializers.ChoiceField(choices=DropBox.Kind.choices, help_text="The kind of box that it lacked.")


class CountSums(Shape):
    """Sums over the boxes whose count stands."""

    counted = serializers.IntegerField(help_text="Boxes counted.")
    counted_cents = serializers.IntegerField()
    expected_cents = serializers.IntegerField()
    difference_cents = serializers.IntegerField()


class TableCount(CountSums):
    """The boxes of a table."""

    table_number = serializers.IntegerField()


class ShiftCount(CountSums):
    """The boxes of a shift."""

    shift = serializers.IntegerField()
    complete = serializers.BooleanField(help_text="Every box is counted, and no table collected without one.")
    tables = TableCount(many=True)
    boxes = Box(many=True)
    without_box = TableWithoutBox(many=True)
