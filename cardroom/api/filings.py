"""What the API takes and answers of what a room files: fee schedules and games."""

from __future__ import annotations

from rest_framework import serializers

from cardroom.floor.acts.filings import REFERENCE_LENGTH, TITLE_LENGTH
from cardroom.rooms.filing import Filing
from games.rotation import PROFILES

from .answers import RoomVersion, Shape
from .bodies import Approver
from .forms import Choice, Day, Document, Form, Whole, Words

REASON_LENGTH = 200
#: Numbers beyond those that there are: the services say which.
_MOST_NUMBER = 32_767
_RULEBOOK_LENGTH = 40
_SIGNS = "The second person, who signs with their own user name and password."


class Planned(Form):
    title = Words(max_length=TITLE_LENGTH, allow_blank=True, default="")
    effective_from = Day(
        required=False, allow_null=True, default=None, help_text="The first day in force that is planned."
    )
    state_reference = Words(
        max_length=REFERENCE_LENGTH, allow_blank=True, default="", help_text="The state's number, once known."
    )


class ScheduleEdit(Planned):
    document = Document(help_text="Table limit, lines and waivers, in whole cents; it may be illegal yet.")


class ScheduleDraft(ScheduleEdit):
    number = Whole(min_value=1, max_value=_MOST_NUMBER, help_text="The schedule's number in this room.")
    rulebook = Words(max_length=_RULEBOOK_LENGTH)


class GameEdit(Planned):
    options = Document(
        default=dict,
        help_text="The room's choices, as in the round sheet, a house rake too; the fee schedule is filed by itself.",
    )
    rotation = Choice(
        choices=("", *PROFILES),
        default="",
        help_text="Profile by which the bank rotates, one that is in force; empty for the rulebook's own.",
    )


class GameDraft(GameEdit):
    number = Whole(min_value=1, max_value=_MOST_NUMBER, help_text="The game's number in this room.")
    rulebook = Words(max_length=_RULEBOOK_LENGTH)


class File(Form):
    effective_from = Day(help_text="First day in force.")
    state_reference = Words(max_length=REFERENCE_LENGTH, help_text="The state's number of the filing.")
    approver = Approver(help_text=_SIGNS)


class Withdraw(Form):
    reason = Words(max_length=REASON_LENGTH)
    effective_to = Day(
        required=False,
        allow_null=True,
        default=None,
        help_text="First day without it; else as soon as may be.",
    )
    approver = Approver(help_text=_SIGNS)


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


class ScheduleAnswer(RoomVersion):
    """A schedule was drafted, changed, filed or withdrawn."""

    schedule = serializers.IntegerField()
    status = serializers.ChoiceField(choices=Filing.Status.choices)


class ScheduleGone(RoomVersion):
    """A schedule's draft was discarded."""

    schedule = serializers.IntegerField()


class GameAnswer(RoomVersion):
    """A game was drafted, changed, filed or withdrawn."""

    game = serializers.IntegerField()
    status = serializers.ChoiceField(choices=Filing.Status.choices)


class GameGone(RoomVersion):
    """A game's draft was discarded."""

    game = serializers.IntegerField()
