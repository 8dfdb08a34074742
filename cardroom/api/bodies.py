"""What the API's commands take, each a strict form."""

from __future__ import annotations

from rest_framework import serializers

from cardroom.floor.acts.alerts import NOTE_LENGTH
from cardroom.floor.acts.second_person import REASON_LENGTH
from cardroom.floor.correction_preview import Drop
from cardroom.floor.models import Offer, Round, Table
from cardroom.floor.reads.rotation import MOST_HOURS

from .forms import (
    MOST_ID,
    AddressNumber,
    ByWager,
    Cents,
    Choice,
    Day,
    Flag,
    Form,
    Id,
    Seat,
    Words,
)

#: Longer than any hand of cards or decision; the engine says which ones there are.
ENGINE_WORDS = 80
NAME_LENGTH = 80
PASSWORD_LENGTH = 256


class ShiftName(Form):
    name = Words(max_length=20)


class CloseShift(Form):
    confirmed = Flag(default=False, help_text="Close it with what is open; without it, that is listed first.")


class Settings(Form):
    game_id = Id(
        help_text="The filed game to play, one that is in force; it says rulebook, options, rotation and house rake.",
    )
    schedule_id = Id(
        allow_null=True,
        default=None,
        help_text="The filed fee schedule to charge, one that is in force; null for a game with a house rake.",
    )
    wager_limits = ByWager(
        child=serializers.ListField(child=Cents(min_value=1), min_length=2, max_length=2),
        required=False,
        help_text="`[least, most]` in cents by wager, `tips` for every tip; left out, the limits stay as they are. "
        "The ante's are the schedule's. Without limits for every wager the table does not open.",
    )
    recording = Choice(
        choices=Table.Recording.choices,
        required=False,
        help_text="How much of a round is recorded; left out, it stays as it is.",
    )


class PlayerAtSeat(Form):
    player_id = Id()


class Move(Form):
    to_seat = Seat()


class Dealer(Form):
    dealer_id = Id()


class BankAnswer(Form):
    seat = Seat()
    answer = Choice(choices=Offer.Answer.choices)
    reason = Words(
        max_length=REASON_LENGTH, allow_blank=True, default="", help_text="Required with `ineligible`."
    )


class Reason(Form):
    reason = Words(max_length=REASON_LENGTH, allow_blank=True, default="")


class Note(Form):
    note = Words(max_length=NOTE_LENGTH, allow_blank=True, default="", help_text="What was done about it.")


class PositionBets(Form):
    seat = Seat()
    wagers = ByWager(child=Cents(), help_text="Cents by wager; none at all means sitting out.")
    tips = ByWager(child=Cents(), default=dict, help_text="Dealer tip wagers, in cents by spot.")


_SHOWN = "The bank's card that lay face up before the decisions, as in `Kh`"


class Approver(Form):
    username = Words(max_length=150)
    password = Words(max_length=PASSWORD_LENGTH, trim_whitespace=False, style={"input_type": "password"})


class Undo(Form):
    reason = Words(
        max_length=REASON_LENGTH,
        allow_blank=True,
        default="",
        help_text='Required to undo "no more bets" and the deal.',
    )
    approver = Approver(
        required=False, help_text='A second person, who signs: required to undo "no more bets" and the deal.'
    )


class CorrectedPosition(PositionBets):
    hand = Words(
        max_length=ENGINE_WORDS,
        required=False,
        allow_null=True,
        help_text="Left out where no cards are recorded, or where a folded hand was not exposed.",
    )
    decision = Words(max_length=ENGINE_WORDS, required=False, allow_null=True, help_text="`play` or `fold`.")


class Correction(Form):
    bank_wager_cents = Cents()
    action_seat = Seat(required=False, allow_null=True, help_text="Where settling starts.")
    bank_hand = Words(
        max_length=ENGINE_WORDS, required=False, help_text="Left out where no cards are recorded."
    )
    positions = CorrectedPosition(many=True, allow_empty=False, max_length=20)  # type: ignore[call-arg]  # of the list
    shown_card = Words(
        max_length=3,
        required=False,
        allow_blank=True,
        help_text=f"{_SHOWN}; left out as it is on record, empty where none was recorded.",
    )
    drop = Choice(
        choices=[str(drop) for drop in Drop],
        default=str(Drop.AS_RECORDED),
        help_text="What the drop box holds: what the record shows, or what the corrected wagers cost.",
    )
    reason = Words(max_length=REASON_LENGTH)
    approver = Approver(help_text="The second person, who signs with their own user name and password.")


class PlayerSearch(Form):
    search = Words(
        max_length=NAME_LENGTH, required=False, default="", help_text="Part of a name, in any case."
    )


class Page(Form):
    before = AddressNumber(
        required=False, min_value=1, max_value=MOST_ID, help_text="Only what came before this id (`seq`)."
    )
    limit = AddressNumber(required=False, default=50, min_value=1, max_value=200)


class Revision(Form):
    revision = AddressNumber(
        required=False, min_value=0, max_value=30_000, help_text="0 as made first; without it, the last."
    )


class RollUpFilter(Page):
    kind = serializers.ChoiceField(choices=["day", "month"], required=False)


class RotationPeriod(Form):
    gaming_day = Day(required=False)
    shift = AddressNumber(required=False, min_value=1, max_value=MOST_ID, help_text="A shift's id.")
    hours = AddressNumber(required=False, min_value=1, max_value=MOST_HOURS, help_text="The last hours.")


class RoundFilter(Page):
    state = Choice(choices=Round.State.choices, required=False)
    gaming_day = Day(required=False)
    shift = AddressNumber(required=False, min_value=1, max_value=MOST_ID, help_text="A shift's id.")
