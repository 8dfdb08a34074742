"""What the API takes and answers about tips. Sheets are papers, as reports are."""

from __future__ import annotations

from rest_framework import serializers

from cardroom.people.models import Role
from cardroom.tips.acts.entries import REASON_LENGTH, WORK_LENGTH
from cardroom.tips.acts.rules import TITLE_LENGTH
from cardroom.tips.models import PoolRule

from .answers import RoomVersion, Shape
from .bodies import Approver
from .forms import Cents, Choice, Day, Form, Id, Whole, Words

_MOST = 10**9


class HandIn(Form):
    dealer_id = Id()
    cents = Cents()
    down_id = Id(required=False, help_text="The down in which they were given, where it is known.")


class Hours(Form):
    staff_id = Id()
    minutes = Whole(min_value=-_MOST, max_value=_MOST)
    work = Words(max_length=WORK_LENGTH, allow_blank=True, help_text="As what: chip runner, host.")


class Reversal(Form):
    reason = Words(max_length=REASON_LENGTH, allow_blank=True)
    approver = Approver(help_text="A second person who may receive tips.")


class PoolClose(Form):
    total_cents = Cents(
        help_text="The sum that you have seen: the sheet is closed only while it is the same."
    )


class RuleSet(Form):
    title = Words(max_length=TITLE_LENGTH, allow_blank=True)
    effective_from = Day(help_text="First gaming day in force.")
    sharing = Choice(choices=PoolRule.Sharing.choices)
    support = Choice(choices=PoolRule.Support.choices)
    break_minutes = Whole(min_value=-_MOST, max_value=_MOST, default=0)
    support_bp = Whole(
        min_value=-_MOST,
        max_value=_MOST,
        default=0,
        help_text="Basis points of the pool: the share, or the most that the hourly sums may take.",
    )
    support_hourly_cents = Cents(default=0)
    support_roles = serializers.ListField(
        child=Choice(choices=Role.choices),
        default=list,
        max_length=len(Role),
        help_text="Who shares as support staff. A supervisor is refused (Lab. Code 351).",
    )


class Rule(Shape):
    """A rule by which tips are shared, from a gaming day on."""

    id = serializers.IntegerField()
    number = serializers.IntegerField()
    title = serializers.CharField()
    says = serializers.CharField(help_text="The rule in words.")
    effective_from = serializers.DateField()
    in_force = serializers.BooleanField(help_text="On the gaming day of now.")
    sharing = serializers.ChoiceField(choices=PoolRule.Sharing.choices)
    support = serializers.ChoiceField(choices=PoolRule.Support.choices)
    break_minutes = serializers.IntegerField()
    support_bp = serializers.IntegerField()
    support_hourly_cents = serializers.IntegerField()
    support_roles = serializers.ListField(child=serializers.CharField())


class HandInLine(Shape):
    """Tips handed in; below 0 where it takes another hand-in back."""

    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    staff = serializers.IntegerField()
    name = serializers.CharField()
    table_number = serializers.IntegerField(allow_null=True)
    received_by = serializers.CharField()
    cents = serializers.IntegerField()
    reverses = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)


class HoursLine(Shape):
    """Minutes of one of the support staff; below 0 where it takes another entry back."""

    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    staff = serializers.IntegerField()
    name = serializers.CharField()
    work = serializers.CharField()
    minutes = serializers.IntegerField()
    made_by = serializers.CharField()
    reverses = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)


class HandInAnswer(RoomVersion):
    """Tips were received, or taken back."""

    hand_in = serializers.IntegerField()


class HoursAnswer(RoomVersion):
    """Hours were entered, or taken back."""

    hours = serializers.IntegerField()


class RuleAnswer(RoomVersion):
    """A rule was made."""

    rule = serializers.IntegerField()
    number = serializers.IntegerField()


class PoolAnswer(RoomVersion):
    """The tips of a shift were shared out."""

    sheet = serializers.IntegerField()
    shift = serializers.IntegerField()
