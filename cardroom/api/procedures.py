"""What the API's commands about procedures take and answer, for the schema: decks, counts, irregularities, wins."""

from __future__ import annotations

from rest_framework import serializers

from cardroom.floor.models import Procedure, ProgressiveWin, Table
from games.procedures.rules import CARD_FATES, ROUND_FATES

from .answers import MeterState, Shape


class Follows(Shape):
    """What follows by the rules."""

    round = serializers.ChoiceField(choices=ROUND_FATES)
    cards = serializers.ChoiceField(choices=CARD_FATES)
    void_reason = serializers.CharField(allow_null=True, help_text="The rulebook's id of the reason.")
    text = serializers.CharField()
    clause = serializers.CharField()


class NamedDeck(Shape):
    id = serializers.IntegerField()
    name = serializers.CharField()


class DeckState(NamedDeck):
    colour = serializers.CharField()
    looked_over_by = serializers.ListField(child=serializers.ChoiceField(choices=Procedure.Inspector.choices))
    why_not_in_use = serializers.CharField(allow_null=True)


class CountState(Shape):
    due = serializers.BooleanField()
    reason = serializers.CharField()
    clause = serializers.CharField(allow_null=True)


class WinState(Shape):
    id = serializers.IntegerField()
    seat = serializers.IntegerField()
    state = serializers.ChoiceField(choices=ProgressiveWin.State.choices)


class PromptState(Shape):
    kind = serializers.CharField()
    text = serializers.CharField()
    clause = serializers.CharField()
    command = serializers.CharField(
        allow_blank=True, help_text="The command that answers it, where one does."
    )
    blocks = serializers.BooleanField(help_text="Whether a command is refused until it is answered.")
    given = serializers.DictField(help_text="Arguments of that command that are known already.")
    does = serializers.CharField(allow_blank=True)


class TableProcedures(Shape):
    """Decks, counts, wins and reminders of a table as they stand."""

    table = serializers.IntegerField()
    version = serializers.IntegerField()
    shuffler = serializers.ChoiceField(choices=Table.Shuffler.choices)
    dealing = serializers.CharField(allow_blank=True)
    decks = DeckState(many=True)
    deck_due = serializers.CharField(allow_null=True, help_text="Name of the deck that is dealt next.")
    count = CountState()
    meter = MeterState(allow_null=True)
    wins = WinState(many=True, help_text="Of the last settled round, withdrawn ones left out.")
    prompts = PromptState(many=True)


class ProcedureRow(Shape):
    """One thing that was done at a table beside the money."""

    id = serializers.IntegerField()
    table = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Procedure.Kind.choices)
    round = serializers.IntegerField(allow_null=True)
    deck = NamedDeck(allow_null=True)
    subject = serializers.CharField(
        allow_blank=True, help_text="Who looked a deck over, the irregularity's id, or the card."
    )
    number = serializers.IntegerField(
        allow_null=True, help_text="Cards in the stub, or how often it happened."
    )
    follows = Follows(allow_null=True)
    clause = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    made_at = serializers.DateTimeField()
    recorded_by = serializers.CharField()
    ordered_by = serializers.CharField(allow_null=True)
