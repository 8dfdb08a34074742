"""What the API takes and answers of drop and count. Figures of a count are null until the count stands."""

from __future__ import annotations

from rest_framework import serializers

from cardroom.drop.acts.counts import REASON_LENGTH
from cardroom.drop.acts.variances import SAYS_LENGTH
from cardroom.drop.models import CountSheet, DropBox, VarianceNote

from .answers import RoomVersion, Shape
from .bodies import Approver
from .forms import Choice, Form, Id, Whole, Words

#: More lines than there are denominations, more boxes than tables: the services say what is too many.
MOST_LINES = 1000
_MOST = 10**12


class PlacedBox(Form):
    table = Id()
    number = Whole(min_value=-_MOST, max_value=_MOST, help_text="The number painted on the box.")
    kind = Choice(
        choices=DropBox.Kind.choices,
        default=DropBox.Kind.DROP,
        help_text="A jackpot's collection has a box of its own.",
    )


class Place(Form):
    boxes = PlacedBox(many=True, allow_empty=True, max_length=MOST_LINES)  # type: ignore[call-arg]  # many's own


class Drop(Form):
    boxes = serializers.ListField(child=Id(), allow_empty=True, max_length=MOST_LINES)
    witness = Approver(help_text="The second person at the drop, who signs with their own password.")


class Pieces(Form):
    kind = Words(max_length=10, help_text="`chip`, `bill` or `coin`; coin is counted in cents.")
    cents = Whole(min_value=-_MOST, max_value=_MOST, help_text="What one piece is worth.")
    pieces = Whole(min_value=-_MOST, max_value=_MOST)


class Count(Form):
    pieces = Pieces(many=True, allow_empty=True, max_length=MOST_LINES)  # type: ignore[call-arg]  # many's own


class CountCorrection(Count):
    corrects = Id(help_text="The id of the sheet that stands.")
    reason = Words(max_length=REASON_LENGTH, allow_blank=True)
    approver = Approver(help_text="A second person who may correct counts.")


class VarianceAnswer(Form):
    status = Choice(choices=VarianceNote.Status.choices)
    says = Words(
        max_length=SAYS_LENGTH,
        allow_blank=True,
        default="",
        help_text="Required to explain and to escalate.",
    )
    owner_id = Id(required=False, help_text="Who is to explain it; left out, the owner stays.")


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

    All four are empty until the count stands, and for whoever may not see what was counted.
    """

    sheets = Sheet(many=True)
    notes = Note(many=True)
    rounds = RoundDrop(many=True)
    times = TimeDrop(many=True)


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


class BoxesAnswer(RoomVersion):
    """Boxes were put on or taken off."""

    boxes = serializers.ListField(child=serializers.IntegerField())


class ShiftOpened(RoomVersion):
    """A shift was opened, with the drop boxes that were put on at once."""

    shift = serializers.IntegerField()
    boxes = serializers.ListField(child=serializers.IntegerField())


class CountAnswer(RoomVersion):
    """A count was entered. The answer holds no figure."""

    box = serializers.IntegerField()
    sheet = serializers.IntegerField()
    stands = serializers.BooleanField()
    counts = serializers.IntegerField()


class CorrectionAnswer(RoomVersion):
    """A count was corrected."""

    box = serializers.IntegerField()
    sheet = serializers.IntegerField()


class WeighingAnswer(RoomVersion):
    """A box was weighed again."""

    box = serializers.IntegerField()
    weighing = serializers.IntegerField()


class NoteAnswer(RoomVersion):
    """A variance was answered."""

    box = serializers.IntegerField()
    note = serializers.IntegerField()
