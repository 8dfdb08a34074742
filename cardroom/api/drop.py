"""What the API answers of drop and count. Figures of a count are null until the count stands."""

from __future__ import annotations

from rest_framework import serializers

from cardroom.drop.models import CountSheet, DropBox, VarianceNote

from .answers import Shape


class ShareOfShift(Shape):
    """What a shift put into a box, less what it took out of it."""

    shift = serializers.IntegerField()
    cents = serializers.IntegerField()


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
    of_other_shifts = ShareOfShift(
        many=True,
        help_text="What the rounds of other shifts than its own put into it: it hung over a change of shift.",
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
    text = serializers.CharField(allow_blank=True)
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
    cents = serializers.IntegerField(
        help_text="What it collected; below 0 what it gave back, more than it collected."
    )
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


class KindCount(CountSums):
    """The boxes of one kind that were hung in a shift.

    Once all are counted, `expected_cents` is `dropped_cents` + `over_change_cents` - `without_box_cents`.
    """

    dropped_cents = serializers.IntegerField(
        allow_null=True,
        help_text="Null until every box with money of the shift is counted. What the shift dropped, into whichever box or none, less what it gave back.",
    )
    over_change_cents = serializers.IntegerField(
        allow_null=True,
        help_text="What other shifts dropped into these boxes, less what this shift dropped into boxes of others; null "
        "while one of them is not counted.",
    )
    without_box_cents = serializers.IntegerField()
    waiting = serializers.IntegerField(help_text="Boxes not counted.")
    tables = TableCount(many=True)


class BoxOverChange(Shape):
    """A box that hung over a change of shift and is counted."""

    box = serializers.IntegerField()
    other_shift = serializers.IntegerField()
    cents = serializers.IntegerField(
        help_text="Above 0: the other shift dropped it into a box of this one. Below 0: this one into a box of the other."
    )


class ShiftCount(KindCount):
    """The boxes that were hung in a shift: its drop boxes, and beside them the jackpot's, in no sum of theirs."""

    shift = serializers.IntegerField()
    complete = serializers.BooleanField(
        help_text="Every box with money of the shift is counted, and no table collected without one."
    )
    jackpot = KindCount()
    boxes = Box(many=True)
    without_box = TableWithoutBox(many=True)
    over_change = BoxOverChange(many=True)
