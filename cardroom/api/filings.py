"""What the API answers of what a room has filed: fee schedules and games."""

from __future__ import annotations

from rest_framework import serializers

from cardroom.filings.models import Filing

from .answers import Shape


class Filed(Shape):
    id = serializers.IntegerField()
    number = serializers.IntegerField()
    version = serializers.IntegerField()
    rulebook = serializers.CharField()
    title = serializers.CharField()
    status = serializers.ChoiceField(choices=Filing.Status.choices)
    in_force = serializers.BooleanField(help_text="On today's gaming day.")
    effective_from = serializers.DateField(allow_null=True)
    effective_to = serializers.DateField(allow_null=True, help_text="First day no longer in force.")
    state_reference = serializers.CharField(allow_blank=True)
    filed_at = serializers.DateTimeField(allow_null=True)
    filed_by = serializers.CharField(allow_null=True)
    approved_by = serializers.CharField(allow_null=True, help_text="The second person who signed.")
    revision = serializers.IntegerField(help_text="Counts what the draft has said: each edit is the next.")
    edited_by = serializers.CharField(allow_null=True, help_text="Who wrote it last, and may not sign it.")
    digest = serializers.CharField(help_text="Of what it says now: the ETag of one version.")


class Schedule(Filed):
    """One version of a fee schedule."""


class ScheduleProblem(Shape):
    line = serializers.IntegerField(help_text="Lines count from 1; 0 is the head.")
    code = serializers.CharField()
    message = serializers.CharField()


class ScheduleChange(Shape):
    what = serializers.CharField()
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)
    kind = serializers.CharField()


class ScheduleRecord(Schedule):
    """One version with its document, what the checker has against it, its jumps, and what it changed."""

    document = serializers.DictField(child=serializers.JSONField())
    problems = ScheduleProblem(many=True)
    cliffs = serializers.ListField(child=serializers.CharField())
    follows = serializers.IntegerField(allow_null=True, help_text="The filed version that it follows.")
    changes = ScheduleChange(many=True, allow_null=True)


class Game(Filed):
    """One version of a game that the room offers."""

    options = serializers.DictField(child=serializers.JSONField())
    rotation = serializers.CharField(
        help_text="The profile by which the bank rotates; empty where the house banks."
    )
