"""The engine's documents, written down for the schema: the round sheet that goes in and the settlement that comes out.

The engine itself reads sheets; these shapes refuse nothing.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from games.registry import table_hands

Shape = serializers.Serializer[Any]

_CARDS = 'Cards are written rank then suit, parted by blanks: "Ah Td 2c".'
_AMOUNTS = "Whole cents above 0 by wager; one that is not placed is left out."


class SheetBank(Shape):
    seat = serializers.IntegerField()
    wager = serializers.IntegerField(help_text="Cents.")


class SheetPosition(Shape):
    seat = serializers.IntegerField(
        help_text="Several bettors may wager on one, where the game has a back line."
    )
    player = serializers.CharField(required=False, help_text='Who plays it; default "seat N".')
    hand = serializers.CharField(
        required=False,
        allow_null=True,
        help_text=f"{_CARDS} Null in the record of a round for a folded hand that was not exposed. Left out where the game "
        "deals no cards to positions.",
    )
    wagers = serializers.DictField(child=serializers.IntegerField(), help_text=_AMOUNTS)
    tips = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="Dealer tip wagers, in cents by spot."
    )
    decision = serializers.CharField(
        required=False, help_text="What the position decided, by the game's own words."
    )


class RoundSheet(Shape):
    """All that lay on the table in one round."""

    rulebook = serializers.CharField()
    options = serializers.DictField(
        required=False, help_text="The room's choices; what is left out takes its default."
    )
    bank = SheetBank(required=False, help_text="Where a player banks, and only there.")
    action_seat = serializers.IntegerField(required=False, help_text="Where settling starts.")
    meter = serializers.IntegerField(required=False, help_text="The progressive meter in cents.")
    positions = SheetPosition(many=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """The fields above, and a hand for each that some game deals to the table: the bank's is one."""
        fields = super().get_fields()
        for game, hand in table_hands():
            cards = str(hand.least) if hand.least == hand.most else f"{hand.least} to {hand.most}"
            fields[hand.id] = serializers.CharField(
                required=False, help_text=f"{hand.label}, in {game.name}: {cards} cards, as dealt. {_CARDS}"
            )
        return fields


class Fee(Shape):
    payer = serializers.CharField(help_text='The player\'s name, or "bank" at the seat that banks.')
    seat = serializers.IntegerField()
    behind = serializers.IntegerField(
        required=False,
        help_text="Place on the back line of the seat's spot, from 1; none for the player of the seat.",
    )
    cents = serializers.IntegerField()
    jackpot = serializers.IntegerField(
        required=False, help_text="Cents into the jackpot's own box, where there are any."
    )
    waived = serializers.IntegerField(
        required=False, help_text="Cents that would have been due, where the fee was waived."
    )
    waiver = serializers.CharField(
        required=False, help_text="Key of the published rule by which it was waived."
    )


@extend_schema_serializer(component_name="SettlementLine")
class Line(Shape):
    """What became of one wager."""

    seq = serializers.IntegerField()
    seat = serializers.IntegerField()
    player = serializers.CharField()
    wager = serializers.CharField()
    stake = serializers.IntegerField()
    outcome = serializers.ChoiceField(choices=["win", "lose", "push", "no_action", "forfeit", "uncovered"])
    odds = serializers.CharField(allow_null=True)
    owed = serializers.IntegerField(help_text="What a win is worth in full.")
    paid = serializers.IntegerField(help_text="What the bank pays of it.")
    taken = serializers.IntegerField(help_text="What the bank takes of the stake.")
    returned = serializers.IntegerField(help_text="What goes back of the stake.")
    toked = serializers.IntegerField(help_text="What a won tip brings to the tip box, its stake included.")
    short = serializers.IntegerField(help_text="What a win is short of: owed - paid.")
    uncovered = serializers.IntegerField(
        help_text="What had no action because the bank ran out; in `returned` too."
    )
    bank_remaining = serializers.IntegerField(allow_null=True)
    clause = serializers.CharField()
    reason = serializers.CharField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        # `for` is a word of Python's, so it cannot be written above.
        fields = super().get_fields()
        fields["for"] = serializers.ChoiceField(
            choices=["player", "dealer"], help_text="`dealer`: a tip wager."
        )
        return fields


class BankResult(Shape):
    seat = serializers.IntegerField()
    wager = serializers.IntegerField()
    won = serializers.IntegerField()
    lost = serializers.IntegerField()
    net = serializers.IntegerField()
    remaining = serializers.IntegerField()
    exhausted = serializers.BooleanField()


class Settlement(Shape):
    """What a round came to. Lines stand in settlement order."""

    rulebook = serializers.CharField()
    qualified = serializers.BooleanField()
    total_table_action = serializers.IntegerField()
    fees = Fee(many=True)
    lines = Line(many=True)
    bank = BankResult(allow_null=True)
    net = serializers.DictField(child=serializers.IntegerField(), help_text="By player, fees left out.")
    drop = serializers.IntegerField()
    tokes = serializers.IntegerField()
    meter_paid = serializers.IntegerField()
