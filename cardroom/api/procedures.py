"""What the API's commands about procedures take and answer, for the schema: decks, counts, irregularities, wins."""

from __future__ import annotations

from rest_framework import serializers

from cardroom.floor.acts.decks import COLOUR_LENGTH
from cardroom.floor.acts.incidents import MOST_TIMES
from cardroom.floor.acts.second_person import REASON_LENGTH
from cardroom.floor.models import Procedure, ProgressiveWin, Table
from games.stub_count import DECK
from games.table_conduct import CARD_FATES, ROUND_FATES

from .answers import Shape, TableAnswer
from .bodies import Approver, Reason
from .forms import Choice, Flag, Form, Id, Seat, Whole, Words

_SUPERVISOR = "The supervisor, where whoever gives the command is none."


class Colour(Form):
    colour = Words(max_length=COLOUR_LENGTH, help_text="Of the backs.")


class Inspection(Form):
    by = Choice(choices=Procedure.Inspector.choices)
    approver = Approver(required=False, help_text="For the floor's own look, where a dealer records it.")


class DeckChoice(Form):
    deck_id = Id()
    reason = Words(
        max_length=REASON_LENGTH, allow_blank=True, default="", help_text="Required for a deck out of turn."
    )


class Dealing(Form):
    shuffler = Choice(choices=Table.Shuffler.choices)
    dealing = Words(
        max_length=20,
        allow_blank=True,
        default="",
        help_text="Id of a way of dealing, where the rules name some.",
    )
    removed = serializers.ListField(
        child=Words(max_length=20),
        default=list,
        max_length=10,
        help_text="Machines that have left the table: `shuffler`, or the way of dealing whose machine it was.",
    )


class StubCount(Form):
    stub = Whole(min_value=0, max_value=2 * DECK, help_text="Cards left.")
    dealt = Whole(
        min_value=0,
        max_value=2 * DECK,
        required=False,
        allow_null=True,
        help_text="Cards on the table; left out, three a hand of the round in play.",
    )
    misdealt = Flag(default=False, help_text="Some hand has more or fewer than three.")


class Ordered(Reason):
    approver = Approver(required=False, help_text=_SUPERVISOR)


class Confirmed(Form):
    approver = Approver(required=False, help_text=_SUPERVISOR)


class IrregularityReport(Form):
    irregularity = Words(max_length=40, help_text="An id of the rulebook's.")
    times = Whole(min_value=1, max_value=MOST_TIMES, default=1)
    note = Words(max_length=REASON_LENGTH, allow_blank=True, default="")


class CardUp(Form):
    card = Words(max_length=5, help_text="As in `Kh`.")


class WinSeat(Form):
    seat = Seat()


class Follows(Shape):
    """What follows by the rules."""

    round = serializers.ChoiceField(choices=ROUND_FATES)
    cards = serializers.ChoiceField(choices=CARD_FATES)
    void_reason = serializers.CharField(allow_null=True, help_text="The rulebook's id of the reason.")
    says = serializers.CharField()
    clause = serializers.CharField()


class FollowsAnswer(TableAnswer):
    follows = Follows()


class IrregularityAnswer(FollowsAnswer):
    times = serializers.IntegerField(help_text="How often it has happened in the round by now.")


class DeckAnswer(TableAnswer):
    deck = serializers.IntegerField()


class PlacedAnswer(DeckAnswer):
    name = serializers.CharField()


class InspectedAnswer(DeckAnswer):
    by = serializers.ChoiceField(choices=Procedure.Inspector.choices)


class CardAnswer(TableAnswer):
    card = serializers.CharField()
    before = serializers.CharField(allow_null=True, help_text="The card that was recorded before it.")


class WinAnswer(TableAnswer):
    win = serializers.IntegerField()


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


class MeterState(Shape):
    shown_cents = serializers.IntegerField()
    reserve_cents = serializers.IntegerField()


class WinState(Shape):
    id = serializers.IntegerField()
    seat = serializers.IntegerField()
    state = serializers.ChoiceField(choices=ProgressiveWin.State.choices)


class PromptState(Shape):
    kind = serializers.CharField()
    says = serializers.CharField()
    clause = serializers.CharField()
    act = serializers.CharField(allow_blank=True, help_text="The act that answers it, where one does.")
    blocks = serializers.BooleanField(help_text="Whether an act is refused until it is answered.")
    given = serializers.DictField(help_text="Arguments of that act that are known already.")
    does = serializers.CharField(allow_blank=True)


class Care(Shape):
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
