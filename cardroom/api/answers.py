"""What the API answers, written down for the schema. Selectors and services make the data; nothing is computed here.

A field may be called what the framework calls something of its own (`source`, `data`): it sets fields aside before
they could get in each other's way, which the type checker cannot know.

Amounts are whole cents, instants ISO 8601 in UTC, seats count clockwise from the house dealer's left.
"""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from cardroom.floor import models as floor_models
from cardroom.floor.models import Offer, Round, Table, Transfer
from cardroom.people.models import Role
from games.rotation.profile import HOUSE_BANKS, PROFILES

from .settlements import Fee, RoundSheet, Settlement

Shape = serializers.Serializer[Any]


class ErrorDetails(Shape):
    code = serializers.CharField(help_text="Stable, for programs.")
    message = serializers.CharField(help_text="For people: what is wrong and what to do.")
    path = serializers.CharField(
        allow_blank=True, help_text="The place in the body, header or parameter; else empty."
    )


class Error(Shape):
    """A refusal. Nothing has been written."""

    error = ErrorDetails()


class NamedRow(Shape):
    id = serializers.IntegerField()
    name = serializers.CharField()


class ProviderName(NamedRow):
    contract_number = serializers.CharField(allow_blank=True)
    is_active = serializers.BooleanField()


class FilingName(Shape):
    id = serializers.IntegerField()
    number = serializers.IntegerField(help_text="The number in the room, as filed.")
    version = serializers.IntegerField()
    title = serializers.CharField(allow_blank=True)


class Shift(Shape):
    id = serializers.IntegerField()
    room = serializers.IntegerField()
    name = serializers.CharField()
    gaming_day = serializers.DateField()
    opened_at = serializers.DateTimeField()
    opened_by = serializers.CharField()
    closed_at = serializers.DateTimeField(allow_null=True)
    closed_by = serializers.CharField(allow_null=True)


class Room(Shape):
    """A room as one of its people sees it."""

    room = serializers.IntegerField()
    code = serializers.CharField()
    name = serializers.CharField()
    version = serializers.IntegerField(help_text="Goes up by one with every command on the room.")
    time_zone = serializers.CharField()
    gaming_day = serializers.DateField()
    roles = serializers.ListField(
        child=serializers.ChoiceField(choices=Role.choices), help_text="Your roles there."
    )
    shift = Shift(allow_null=True, help_text="The open shift.")


class RakeState(Shape):
    mode = serializers.CharField(help_text="Who pays it: `all`, `all_but_bank` or `bank_only`.")
    cents = serializers.IntegerField(help_text="What each of them pays a round.")


class TableSummary(Shape):
    table = serializers.IntegerField()
    number = serializers.IntegerField()
    room = serializers.IntegerField()
    version = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Table.State.choices)
    game = FilingName(
        allow_null=True, help_text="The filed game that is played; null where it is set by hand."
    )
    rulebook = serializers.CharField()
    options = serializers.DictField()
    wager_limits = serializers.DictField(child=serializers.ListField(child=serializers.IntegerField()))
    recording = serializers.ChoiceField(
        choices=Table.Recording.choices, help_text="How much of a round is recorded."
    )
    schedule = FilingName(allow_null=True)
    rake = RakeState(allow_null=True, help_text="The house rake, in place of a schedule's fees.")


class BackLineState(Shape):
    """A further bettor on the spot of a seat."""

    behind = serializers.IntegerField(help_text="The place on the back line, from 1.")
    player = NamedRow()


class SeatState(Shape):
    seat = serializers.IntegerField()
    player = NamedRow(allow_null=True)
    back_line = BackLineState(many=True)


class TurnState(Shape):
    id = serializers.IntegerField()
    seat = serializers.IntegerField()
    player = serializers.CharField()
    rounds = serializers.IntegerField(help_text="Settled rounds in this turn.")
    in_a_row = serializers.IntegerField(
        help_text="Settled rounds in a row that count against the limit: those of the player's earlier turns too."
    )
    renewed = serializers.BooleanField()


#: What a table's bank goes by: a profile, or the house banks.
TABLE_ROTATIONS = [(each, each) for each in (*PROFILES, HOUSE_BANKS)]


class OfferState(Shape):
    seat = serializers.IntegerField()
    player = serializers.CharField()
    answer = serializers.ChoiceField(choices=Offer.Answer.choices)


class NextStep(Shape):
    """What the rotation asks for, and why."""

    kind = serializers.ChoiceField(
        choices=["house", "keep", "offer", "taken", "renew", "vacant", "pause", "end"]
    )
    seat = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField()
    clause = serializers.CharField()


class BankState(Shape):
    seat = serializers.IntegerField(allow_null=True)
    wager = serializers.IntegerField(allow_null=True)


class BetState(Shape):
    seat = serializers.IntegerField()
    behind = serializers.IntegerField(
        required=False, help_text="Of a back-line bettor: the place behind the seat, from 1."
    )
    player = serializers.CharField()
    wagers = serializers.DictField(child=serializers.IntegerField())
    tips = serializers.DictField(child=serializers.IntegerField())


class RoundState(Shape):
    """What is known of a round so far."""

    id = serializers.IntegerField()
    table = serializers.IntegerField()
    gaming_day = serializers.DateField()
    number = serializers.IntegerField(help_text="Counts the table's rounds of the gaming day, without gaps.")
    revision = serializers.IntegerField(help_text="0 as recorded first; one more with every correction.")
    state = serializers.ChoiceField(
        choices=Round.State.choices,
        help_text='`bets_closed` begins at "no more bets": fees are dropped. The first card is `dealt_at`.',
    )
    source = serializers.ChoiceField(choices=Round.Source.choices)  # type: ignore[assignment]
    recording = serializers.ChoiceField(choices=Table.Recording.choices)
    shift = serializers.IntegerField(allow_null=True)
    bank = BankState()
    action_seat = serializers.IntegerField(allow_null=True)
    shown_card = serializers.CharField(
        allow_null=True,
        help_text="The bank's card that lay face up before the decisions; null: not recorded.",
    )
    decision_order = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Seats in the order in which they decide: clockwise from the bank's left.",
    )
    rulebook = serializers.CharField()
    options = serializers.DictField()
    schedule = serializers.IntegerField(allow_null=True)
    schedule_version = serializers.IntegerField(allow_null=True)
    bets = BetState(many=True)
    fees = Fee(many=True)
    total_table_action_cents = serializers.IntegerField()
    rake_cents = serializers.IntegerField(help_text="House rake taken as the round was settled.")
    drop_cents = serializers.IntegerField()
    opened_at = serializers.DateTimeField()
    bets_closed_at = serializers.DateTimeField(allow_null=True)
    dealt_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    settlement = Settlement(allow_null=True)
    void_reason = serializers.CharField(allow_blank=True)


class MeterState(Shape):
    """The progressive meter that a table plays for, alone or with linked tables."""

    id = serializers.IntegerField(allow_null=True, help_text="Null of a table whose meter was never opened.")
    name = serializers.CharField()
    shown_cents = serializers.IntegerField()
    reserve_cents = serializers.IntegerField()
    tables = serializers.ListField(
        child=serializers.IntegerField(), help_text="Numbers of all tables that play for it."
    )


class MeterMovementRow(Shape):
    """A change of a meter, and what it shows since."""

    id = serializers.IntegerField()
    meter = serializers.IntegerField()
    table = serializers.IntegerField(help_text="The table that it came from.")
    round = serializers.IntegerField(allow_null=True)
    kind = serializers.ChoiceField(choices=floor_models.MeterMovement.Kind.choices)
    cents = serializers.IntegerField(help_text="By how much it changed; below 0 for a win.")
    shown_cents = serializers.IntegerField()
    reserve_cents = serializers.IntegerField()
    reason = serializers.CharField()
    made_at = serializers.DateTimeField()
    made_by = serializers.CharField()


class WhyNotState(Shape):
    code = serializers.CharField()
    message = serializers.CharField()
    clause = serializers.CharField(help_text="The source of the rule that says so; empty where no rule does.")


class TableState(TableSummary):
    """A table as it stands. Its `version` is what `If-Match` speaks of."""

    rotation = serializers.ChoiceField(
        choices=TABLE_ROTATIONS,
        help_text="Profile by which the bank rotates: the table's own, or its rulebook's; house_banks: the house does.",
    )
    shift = NamedRow(allow_null=True)
    meter = MeterState(allow_null=True, help_text="Null where the game has no progressive.")
    dealer = NamedRow(allow_null=True)
    seats = SeatState(many=True)
    turn = TurnState(allow_null=True)
    offers = OfferState(many=True, help_text="Answers in this run of offers.")
    next = NextStep()
    round = RoundState(allow_null=True, help_text="The live round.")
    why_not = serializers.DictField(
        child=WhyNotState(allow_null=True),
        help_text="By command: null when it may be done now, else why not.",
    )


class RoomVersion(Shape):
    room = serializers.IntegerField()
    version = serializers.IntegerField()


class StaleTable(Error):
    """Given on an older version; `state` is the present one."""

    state = TableState()


class StaleRoom(Error):
    """Given on an older version; `state` holds the present one."""

    state = RoomVersion()


class FilingNow(Shape):
    """What a version of a filing is now."""

    id = serializers.IntegerField()
    status = serializers.CharField()
    revision = serializers.IntegerField()
    digest = serializers.CharField()


class StaleFiling(Error):
    """Given on another text than the filing has; `state` says what it is now."""

    state = FilingNow()


class Player(Shape):
    id = serializers.IntegerField()
    number = serializers.IntegerField(
        help_text="The room's number of the player, which tells those apart whose names look alike."
    )
    name = serializers.CharField()
    provider = serializers.CharField(allow_null=True)
    works_here = serializers.BooleanField(help_text="Staff of the house, who may not bank.")


class Alert(Shape):
    """Something at a table that the floor had to look at. It stands until it is over and was answered."""

    id = serializers.IntegerField()
    table = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=floor_models.Alert.Kind.choices)
    subject = serializers.CharField(
        allow_blank=True, help_text="Which of several of one kind, where there can be."
    )
    text = serializers.CharField()
    urgent = serializers.BooleanField(help_text="Money or a rule hangs on it.")
    times = serializers.IntegerField(help_text="How often it has come while it stood.")
    raised_at = serializers.DateTimeField()
    cleared_at = serializers.DateTimeField(allow_null=True, help_text="Null while it holds.")
    acknowledged_at = serializers.DateTimeField(allow_null=True, help_text="Null until somebody answers.")
    acknowledged_by = serializers.CharField(allow_null=True)
    note = serializers.CharField(allow_blank=True)


class OfferRow(OfferState):
    id = serializers.IntegerField()
    cycle = serializers.IntegerField(help_text="Offers of one number belong to one run around the table.")
    reason = serializers.CharField(allow_blank=True)
    answered_at = serializers.DateTimeField()
    recorded_by = serializers.CharField()
    withdrawn_at = serializers.DateTimeField(
        allow_null=True, help_text="When it was taken back, having been recorded by mistake."
    )
    withdrawn_by = serializers.CharField(allow_null=True)


class RoundBank(BankState):
    player = serializers.CharField(allow_null=True)


class RoundRow(Shape):
    """A round in a list: its sums."""

    id = serializers.IntegerField()
    table = serializers.IntegerField()
    gaming_day = serializers.DateField()
    number = serializers.IntegerField()
    revision = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Round.State.choices)
    source = serializers.ChoiceField(choices=Round.Source.choices)  # type: ignore[assignment]
    recording = serializers.ChoiceField(choices=Table.Recording.choices)
    shift = serializers.IntegerField(allow_null=True)
    bank = RoundBank()
    positions = serializers.IntegerField()
    total_table_action_cents = serializers.IntegerField()
    player_fees_cents = serializers.IntegerField()
    bank_fee_cents = serializers.IntegerField()
    refunded_cents = serializers.IntegerField()
    rake_cents = serializers.IntegerField(help_text="House rake taken; dead hands paid none.")
    taken_cents = serializers.IntegerField()
    paid_cents = serializers.IntegerField()
    meter_cents = serializers.IntegerField(help_text="What of it the progressive meter paid.")
    uncovered_cents = serializers.IntegerField()
    tips_cents = serializers.IntegerField()
    exhausted = serializers.BooleanField()
    opened_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class TransferRow(Shape):
    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Transfer.Kind.choices)
    source = serializers.ChoiceField(choices=Transfer.Account.choices)  # type: ignore[assignment]
    target = serializers.ChoiceField(choices=Transfer.Account.choices)
    seat = serializers.IntegerField(allow_null=True)
    player = serializers.CharField(allow_null=True)
    wager = serializers.CharField(allow_blank=True)
    line = serializers.IntegerField(allow_null=True, help_text="The settlement's line that it comes from.")
    cents = serializers.IntegerField()
    reverses = serializers.IntegerField(allow_null=True, help_text="The transfer that this one takes back.")
    made_at = serializers.DateTimeField()


class RoundRecord(RoundState):
    """All that is known of a round."""

    sheet = RoundSheet(allow_null=True)
    sums = RoundRow()
    dealer = serializers.CharField()
    voided_by = serializers.CharField(allow_null=True)
    void_approved_by = serializers.CharField(allow_null=True)
    corrects = serializers.IntegerField(allow_null=True, help_text="The round that this correction replaces.")
    correction = serializers.IntegerField(allow_null=True, help_text="The round that replaces this one.")
    corrected_at = serializers.DateTimeField(allow_null=True)
    corrected_by = serializers.CharField(allow_null=True)
    correction_approved_by = serializers.CharField(allow_null=True)
    correction_reason = serializers.CharField(allow_blank=True)
    transfers = TransferRow(many=True)


class JournalRow(Shape):
    seq = serializers.IntegerField()
    at = serializers.DateTimeField()
    actor = serializers.IntegerField()
    actor_name = serializers.CharField()
    roles = serializers.ListField(child=serializers.CharField())
    command = serializers.CharField()
    data = serializers.DictField()  # type: ignore[assignment]
    reason = serializers.CharField(allow_blank=True)
    previous_hash = serializers.CharField(allow_blank=True)
    hash = serializers.CharField()


class Head(Shape):
    chain = serializers.CharField()
    seq = serializers.IntegerField()
    hash = serializers.CharField(allow_blank=True)


class ReportChange(Shape):
    """A value that a restatement changes; null is not known, or not there."""

    where = serializers.CharField()
    what = serializers.CharField()
    kind = serializers.CharField(help_text="`money` is in cents.")
    was = serializers.JSONField()
    now = serializers.JSONField()


class ShiftReportAnswer(Shape):
    """The report of a closed shift, as it was made."""

    shift = serializers.IntegerField()
    made_at = serializers.DateTimeField()
    revision = serializers.IntegerField(help_text="0 as made first; one more a restatement.")
    superseded = serializers.BooleanField(help_text="Whether a later restatement stands.")
    changes = ReportChange(many=True, help_text="What differs from the report before.")
    figures = serializers.DictField(help_text="The figures by table and in total; amounts end in `_cents`.")
    sections = serializers.ListField(
        child=serializers.DictField(), help_text="What the reports of the catalogue said of the shift."
    )
    inputs_hash = serializers.CharField()
    content_hash = serializers.CharField(
        help_text="Of figures, sections and changes; the room's journal has it too."
    )
    heads = Head(many=True, help_text="Heads of the journal's chains when the report was made.")


class PeriodReportRow(Shape):
    """The report of a gaming day or month that stands."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=["day", "month"])
    period = serializers.CharField(help_text="2026-11-20 or 2026-11, as its address has it.")
    made_at = serializers.DateTimeField()
    revision = serializers.IntegerField(help_text="0 as made first; one more a restatement.")
    ties_out = serializers.BooleanField(help_text="Whether the ways of adding its figures up agree.")
    content_hash = serializers.CharField(
        help_text="Of figures, sections and changes; the room's journal has it too."
    )


class PeriodReportAnswer(PeriodReportRow):
    """The report of a gaming day or month, as it was made."""

    superseded = serializers.BooleanField(help_text="Whether a later restatement stands.")
    changes = ReportChange(many=True, help_text="What differs from the report before.")
    figures = serializers.DictField(
        help_text="The figures by table and in total; `parts` are the shift reports that it rests on."
    )
    sections = serializers.ListField(
        child=serializers.DictField(), help_text="The sections of the shift reports, brought together."
    )
    inputs_hash = serializers.CharField(help_text="Of the hashes of the shift reports and of the heads.")
    heads = Head(many=True, help_text="Heads of the journal's chains when the report was made.")


class TableAnswer(Shape):
    """A command was carried out; `version` is the table's new one."""

    table = serializers.IntegerField()
    version = serializers.IntegerField()


class Moved(Shape):
    """What a correction moves for one account: above 0 it gets more than before, below 0 it gives back."""

    account = serializers.ChoiceField(choices=Transfer.Account.choices)
    seat = serializers.IntegerField(allow_null=True)
    behind = serializers.IntegerField(
        required=False, help_text="Of a back-line bettor: the place behind the seat, from 1."
    )
    player = serializers.CharField(allow_blank=True)
    cents = serializers.IntegerField()


def page_of(row: type[Shape]) -> type[Shape]:
    """Return the shape of one page of a list of `row`."""
    fields = {
        "results": row(many=True),
        "next": serializers.CharField(
            allow_null=True, help_text="Address of the next page; null at the end."
        ),
        "__doc__": "One page, the latest first.",
    }
    return type(f"PageOf{row.__name__}", (serializers.Serializer,), fields)
