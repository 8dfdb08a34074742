"""What may be done in a round, from its opening to its end."""

from __future__ import annotations

from games.phrases import Phrase

from ..errors import WhyNot
from ..models import Round, Table
from ..reads.table_reading import TableReading, once_a_reading
from .bank import why_game_over
from .boxes import why_no_box
from .filings import why_filing_expired, why_not_on_file
from .procedures import why_count_due, why_deck_repeats, why_void_due, why_win_waits
from .seats import why_not_play_on
from .shifts import why_no_shift
from .tables import why_closed
from .tray import why_tray_not_counted
from .waivers import why_waiver_ends


@once_a_reading
def why_not_open_round(reading: TableReading) -> WhyNot | None:
    """A round needs an open table and shift, a dealer, and a bank whose turn goes on (`001` type 5, ruling 40)."""
    if why := why_closed(reading) or why_no_shift(reading):
        return why
    if reading.down is None:
        return WhyNot("no_dealer", Phrase("No dealer has a down at this table. The floor starts one first."))
    if reading.live is not None:
        return WhyNot(
            "round_live",
            Phrase("Round {number} is in play. Settle it or void it first.", number=reading.live.number),
        )
    if why := why_count_due(reading) or why_win_waits(reading) or why_not_on_file(reading):
        return why
    if why := why_game_over(reading):
        return why
    if reading.house_banks:
        return why_tray_not_counted(reading)
    if reading.turn is None:
        return WhyNot("no_bank", Phrase("Nobody holds the bank: {reason}", reason=reading.step.reason))
    if reading.bank_is_out:
        return why_not_play_on(reading.turn.player)
    if reading.step.kind != "keep":
        return WhyNot(
            "offer_due",
            Phrase(
                "{player} is ineligible for a further round yet: {reason}",
                player=reading.turn.player,
                reason=reading.step.reason,
            ),
        )
    return None


@once_a_reading
def why_not_bet(reading: TableReading) -> WhyNot | None:
    """Wagers are placed, changed and withdrawn until "no more bets" (`001` dealing 5, ruling 42)."""
    if reading.live is None:
        return WhyNot("no_round", Phrase("No round is open. Open one before wagers are placed."))
    if reading.live.state != Round.State.BETTING:
        return WhyNot(
            "bets_closed",
            Phrase(
                'Bets of round {number} are closed: after "no more bets" wagers stand.',
                number=reading.live.number,
            ),
        )
    return why_void_due(reading)


@once_a_reading
def why_not_bank_wager(reading: TableReading) -> WhyNot | None:
    """The bank's wager changes until "no more bets", where a player banks (ruling 41)."""
    if reading.house_banks:
        return WhyNot(
            "house_banks",
            Phrase("The house banks at {table}: no player-dealer wager is taken.", table=reading.table),
        )
    return why_not_bet(reading)


@once_a_reading
def why_not_close_bets(reading: TableReading) -> WhyNot | None:
    """Bets close on at least one main wager, under an open shift: its report will hold the round."""
    if why := why_not_bet(reading) or why_no_shift(reading) or why_filing_expired(reading):
        return why
    assert reading.live is not None  # why_not_bet has seen to it
    if why := why_no_box(reading) or why_tray_not_counted(reading):
        return why
    if not any(bet["wagers"] for bet in reading.live.bets):
        main = " / ".join(spot.name for spot in reading.terms.spots if spot.main)
        return WhyNot(
            "no_wager",
            Phrase("No wager has been placed. A round needs at least a wager on {main}.", main=main),
        )
    return why_waiver_ends(reading, reading.live.bets)


@once_a_reading
def why_not_deal(reading: TableReading) -> WhyNot | None:
    """Cards are dealt after "no more bets" and the drop of the fees (`001` fees 5)."""
    if reading.live is None:
        return WhyNot("no_round", Phrase("No round is open."))
    if reading.live.state != Round.State.BETS_CLOSED:
        return WhyNot(
            "bets_open",
            Phrase(
                "Bets of round {number} are still open. Close them before the deal.",
                number=reading.live.number,
            ),
        )
    if reading.live.dealt_at is not None:
        return WhyNot(
            "cards_dealt", Phrase("The cards of round {number} have been dealt.", number=reading.live.number)
        )
    return why_void_due(reading) or why_deck_repeats(reading)


@once_a_reading
def why_not_settle(reading: TableReading) -> WhyNot | None:
    """A round is settled after the deal, by its cards where the table records them."""
    if why := _why_not_dealt(reading):
        return why
    assert reading.live is not None  # _why_not_dealt has seen to it
    if reading.live.by_eye:
        return WhyNot(
            "settled_by_eye",
            Phrase("Round {number} is not carded. Finish the round instead.", number=reading.live.number),
        )
    return None


@once_a_reading
def why_not_finish(reading: TableReading) -> WhyNot | None:
    """A round is finished without its cards after the deal, where the table records wagers and fees alone."""
    if why := _why_not_dealt(reading):
        return why
    assert reading.live is not None  # _why_not_dealt has seen to it
    if not reading.live.by_eye:
        return WhyNot(
            "cards_recorded",
            Phrase(
                "{table} records cards: round {number} is settled by its hands and decisions.",
                table=reading.table,
                number=reading.live.number,
            ),
        )
    return None


@once_a_reading
def why_not_record(reading: TableReading) -> WhyNot | None:
    """A whole sheet is recorded as a round is opened, where the table records cards."""
    if reading.table.recording == Table.Recording.FEES:
        return WhyNot(
            "settled_by_eye",
            Phrase(
                "{table} records wagers and fees alone. Set it to record cards before whole sheets are given.",
                table=reading.table,
            ),
        )
    return why_not_open_round(reading) or why_deck_repeats(reading)


@once_a_reading
def why_not_void(reading: TableReading) -> WhyNot | None:
    """A live round may be voided, before the deal and after it; a settled one is corrected, never voided."""
    if reading.live is None:
        return WhyNot("no_round", Phrase("No round is in play. A settled round cannot be voided."))
    return why_no_shift(reading)


@once_a_reading
def _why_not_dealt(reading: TableReading) -> WhyNot | None:
    if reading.live is None:
        return WhyNot("no_round", Phrase("No round is in play."))
    if reading.live.state != Round.State.BETS_CLOSED:
        return WhyNot(
            "bets_open",
            Phrase(
                "Bets of round {number} are still open. Close them before the deal.",
                number=reading.live.number,
            ),
        )
    if reading.live.dealt_at is None:
        return WhyNot(
            "not_dealt",
            Phrase("The cards of round {number} have not been dealt yet.", number=reading.live.number),
        )
    return why_void_due(reading)
