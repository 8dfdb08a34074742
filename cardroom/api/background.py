"""What the API answers about the background, for the schema. The data are of `cardroom.reports.background.overview`."""

from __future__ import annotations

from rest_framework import serializers

from cardroom.jobs.models import Job as Row

from .answers import Shape


class SystemCheck(Shape):
    """Something that the whole site stands on."""

    name = serializers.CharField(help_text="database, broker, beat or worker.")
    ok = serializers.BooleanField()
    text = serializers.CharField()
    age = serializers.IntegerField(
        allow_null=True, help_text="Seconds since the last sign of life, of beat and worker."
    )


class Job(Shape):
    """Something that the background does for the room."""

    kind = serializers.CharField(help_text="What is done, as a word: `shift_report`, `email`, `long_report`.")
    id = serializers.IntegerField()
    what = serializers.CharField()
    about = serializers.CharField(help_text="The shift or the days that it is about.")
    link = serializers.CharField(help_text="The page of what it is about, on the site.")
    cause = serializers.CharField()
    state = serializers.ChoiceField(
        choices=Row.State.choices,
        help_text="`waiting` with failures: it is tried again at `next_at`. `failed`: when a person asks for that.",
    )
    asked_at = serializers.DateTimeField()
    began_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    next_at = serializers.DateTimeField(
        allow_null=True, help_text="When it is tried next; null: not by itself."
    )
    tries = serializers.IntegerField(help_text="Failures so far.")
    error = serializers.CharField(allow_blank=True, help_text="That of the last failure.")
    done = serializers.IntegerField(allow_null=True, help_text="Rounds gone through, where that is told.")
    total = serializers.IntegerField(allow_null=True)
    may_be_tried_again = serializers.BooleanField()
    may_be_cancelled = serializers.BooleanField()


class PeriodicTask(Shape):
    """A question that beat asks again and again, for the whole site."""

    task = serializers.CharField()
    text = serializers.CharField()
    every_seconds = serializers.IntegerField()
    began_at = serializers.DateTimeField(allow_null=True, help_text="When it ran last; null: not yet.")
    ended_at = serializers.DateTimeField(allow_null=True, help_text="Null while it runs.")
    error = serializers.CharField(allow_blank=True, help_text="The kind of error of the last run.")


class BackgroundState(Shape):
    """The background at one moment."""

    at = serializers.DateTimeField()
    checks = SystemCheck(many=True)
    messages = serializers.IntegerField(
        allow_null=True,
        help_text="Messages at the broker that no worker has taken; null where it does not answer.",
    )
    oldest_at = serializers.DateTimeField(
        allow_null=True, help_text="Since when the oldest job has been asked for that is not done."
    )
    open = Job(many=True, help_text="What is not done, the oldest first.")
    ended = Job(many=True, help_text="What ended last, the latest first.")
    asked = PeriodicTask(many=True)
