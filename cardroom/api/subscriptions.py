"""What the API answers about subscriptions by e-mail."""

from __future__ import annotations

from rest_framework import serializers

from cardroom.reports.models import Subscription

from .answers import Shape


class SubscriptionState(Shape):
    """A subscription to e-mails, present or past."""

    id = serializers.IntegerField()
    what = serializers.ChoiceField(choices=Subscription.What.choices)
    staff = serializers.IntegerField(allow_null=True)
    reader = serializers.CharField(help_text="Who gets it: a name, or the address.")
    sent_to = serializers.CharField(
        allow_blank=True, help_text="The address now; empty for one of the staff who has none."
    )
    restatements = serializers.BooleanField()
    why_not = serializers.CharField(allow_null=True, help_text="Why nothing is sent now.")
    made_at = serializers.DateTimeField()
    made_by = serializers.CharField()
    ended_at = serializers.DateTimeField(allow_null=True)
    ended_by = serializers.CharField(allow_null=True)
