"""What the API takes and answers about tips. Sheets are documents, as reports are."""

from __future__ import annotations

from rest_framework import serializers

from cardroom.tips.models import PoolRule

from .answers import Shape

_MOST = 10**9


class Rule(Shape):
    """A rule by which tips are shared, from a gaming day on."""

    id = serializers.IntegerField()
    number = serializers.IntegerField()
    title = serializers.CharField()
    text = serializers.CharField(help_text="The rule in words.")
    digest = serializers.CharField(help_text="Of what it says now: If-Match of its withdrawal.")
    status = serializers.ChoiceField(choices=PoolRule.Status.choices)
    effective_from = serializers.DateField()
    effective_to = serializers.DateField(allow_null=True, help_text="First gaming day no longer in force.")
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
