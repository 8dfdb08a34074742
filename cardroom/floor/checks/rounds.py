"""Precondition checks: the steps of a round, from its opening to its end."""

from __future__ import annotations

from games.phrases import Phrase, capital

from ..errors import WhyNot
from ..models import Round, Table
from ..reads.table_state import TableState, cached_per_state
from .bank import why_game_over, why_no_more_rounds_in_a_row
from .boxes import why_no_box
from .filings import why_filing_expired, why_not_on_file
from .procedures import why_count_due, why_deck_repeats, why_void_due, why_win_waits
from .seats import why_not_play_on
from .shifts import why_no_shift
from .tables import why_closed
from .tray import why_tray_not_counted
from .waivers import why_waiver_ends


@cached_per_state
def why_not_open_round(state: TableState) -> WhyNot | None:
    """A round needs an open table and shift, a dealer, and a bank whose turn goes on (`001` type 5, ruling 40)."""
    if why := why_closed(state) or why_no_shift(state):
        return why
    if state.down is None:
        return WhyNot("no_dealer", Phrase("No dealer has a down at this table. The floor starts one first."))
    if state.live is not None:
        return WhyNot(
            "round_live",
            Phrase("Round {number} is in play. Settle it or void it first.", number=state.live.number),
        )
    if why := why_count_due(state) or why_win_waits(state) or why_not_on_file(state):
        return why
    if why := why_game_over(state):
        return why
    if state.house_banks:
        return why_tray_not_counted(state)
    if state.turn is None:
        return WhyNot("no_bank", capital(state.step.reason))
    if state.bank_is_out:
        return why_not_play_on(state.turn.player, state.now)
    return why_no_more_rounds_in_a_row(state)


@cached_per_state
def why_not_bet(state: TableState) -> WhyNot | None:
    """Wagers are placed, changed and withdrawn until "no more bets" (`001` dealing 5, ruling 42)."""
    if state.live is None:
        return WhyNot("no_round", Phrase("No round is open. Open one before wagers are placed."))
    if state.live.state != Round.State.BETTING:
        return WhyNot(
            "bets_closed",
            Phrase(
                'Bets of round {number} are closed: after "no more bets" wagers stand.',
                number=state.live.number,
            ),
        )
    return why_void_due(state)


@cached_per_state
def why_not_bank_wager(state: TableState) -> WhyNot | None:
    """The bank's wager changes until "no more bets", where a player banks (ruling 41)."""
    if state.house_banks:
        return WhyNot(
            "house_banks",
            Phrase("The house banks at {table}: no player-dealer wager is taken.", table=state.table),
        )
    return why_not_bet(state)


@cached_per_state
def why_not_close_bets(state: TableState) -> WhyNot | None:
    """Bets close on at least one main wager, under an open shift: its report will hold the round."""
    if why := why_not_bet(state) or why_no_shift(state) or why_filing_expired(state):
        return why
    assert state.live is not None  # why_not_bet has seen to it
    if why := why_no_box(state) or why_tray_not_counted(state):
        return why
    if not any(bet["wagers"] for bet in state.live.bets):
        main = " / ".join(spot.name for spot in state.terms.spots if spot.charged)
        return WhyNot(
            "no_wager",
            Phrase("No wager has been placed. A round needs at least a wager on {main}.", main=main),
        )
    return why_waiver_ends(state, state.live.bets)


@cached_per_state
def why_not_deal(state: TableState) -> WhyNot | None:
    """Cards are dealt after "no more bets" and the drop of the fees (`001` fees 5)."""
    if state.live is None:
        return WhyNot("no_round", Phrase("No round is open."))
    if state.live.state != Round.State.BETS_CLOSED:
        return WhyNot(
            "bets_open",
            Phrase(
                "Bets of round {number} are still open. Close them before the deal.",
                number=state.live.number,
            ),
        )
    if state.live.dealt_at is not None:
        return WhyNot(
            "cards_dealt", Phrase("The cards of round {number} have been dealt.", number=state.live.number)
        )
    return why_void_due(state) or why_deck_repeats(state)


@cached_per_state
def why_not_settle(state: TableState) -> WhyNot | None:
    """A round is settled after the deal, by its cards where the table records them."""
    if why := _why_not_dealt(state):
        return why
    assert state.live is not None  # _why_not_dealt has seen to it
    if state.live.by_eye:
        return WhyNot(
            "settled_by_eye",
            Phrase("Round {number} is not carded. Finish the round instead.", number=state.live.number),
        )
    return None


@cached_per_state
def why_not_finish(state: TableState) -> WhyNot | None:
    """A round is finished without its cards after the deal, where the table records wagers and fees alone."""
    if why := _why_not_dealt(state):
        return why
    assert state.live is not None  # _why_not_dealt has seen to it
    if not state.live.by_eye:
        return WhyNot(
            "cards_recorded",
            Phrase(
                "{table} records cards: round {number} is settled by its hands and decisions.",
                table=state.table,
                number=state.live.number,
            ),
        )
    return None


@cached_per_state
def why_not_bet_later(state: TableState) -> WhyNot | None:
    """Wagers after the deal are recorded until the round is finished, where the filing names any (ruling 55)."""
    if why := why_not_finish(state):
        return why
    if not state.terms.later:
        return WhyNot(
            "no_later_bets",
            Phrase("{name} as filed has no wagers after the deal.", name=state.terms.rulebook.name),
        )
    return None


@cached_per_state
def why_not_record(state: TableState) -> WhyNot | None:
    """A whole sheet is recorded as a round is opened, where the table records cards."""
    if state.table.recording == Table.Recording.FEES:
        return WhyNot(
            "settled_by_eye",
            Phrase(
                "{table} records wagers and fees alone. Set it to record cards before whole sheets are given.",
                table=state.table,
            ),
        )
    return why_not_open_round(state) or why_deck_repeats(state)


@cached_per_state
def why_not_void(state: TableState) -> WhyNot | None:
    """A live round may be voided, before the deal and after it; a settled one is corrected, never voided."""
    if state.live is None:
        return WhyNot("no_round", Phrase("No round is in play. A settled round cannot be voided."))
    return why_no_shift(state)


@cached_per_state
def _why_not_dealt(state: TableState) -> WhyNot | None:
    if state.live is None:
        return WhyNot("no_round", Phrase("No round is in play."))
    if state.live.state != Round.State.BETS_CLOSED:
        return WhyNot(
            "bets_open",
            Phrase(
                "Bets of round {number} are still open. Close them before the deal.",
                number=state.live.number,
            ),
        )
    if state.live.dealt_at is None:
        return WhyNot(
            "not_dealt",
            Phrase("The cards of round {number} have not been dealt yet.", number=state.live.number),
        )
    return why_void_due(state)
