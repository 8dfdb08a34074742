"""What may be done at a table now. Each check answers None or why not; the button, the API and the act all ask it.

Every act has one check for the table as a whole (`table_checks`); acts that concern a seat or a player have further
questions, which take them. A check of a table is computed at most once for a reading of it (`once_a_reading`), however
many buttons ask.
"""

from __future__ import annotations

import datetime
import functools
from collections.abc import Sequence
from typing import Any

from cardroom.core.acts import ACTS
from cardroom.core.dates import day_text
from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.filings.selectors import in_force
from cardroom.people.models import Player, Role, Staff
from cardroom.people.rights import RIGHTS, Right
from cardroom.rooms.models import Room
from games.registry import game_of
from games.rotation import why_not_play_by
from games.rotation.record import PROVIDER_CLAUSE
from games.terms import Terms

from .box_checks import why_no_box, why_no_box_for_time
from .errors import WhyNot
from .expiry import why_badge_expired
from .limits import limits_missing
from .models import Alert, Offer, Round, Shift, Table
from .places import Place, place_of
from .procedure_checks import why_count_due, why_void_due, why_win_waits
from .reads.table_reading import Check, TableReading, once_a_reading, profile_of
from .reads.undoing import IRREGULARITY
from .seat_time import rate_of, time_due
from .shift_checks import why_no_shift
from .tray_checks import why_tray_not_counted, why_tray_open
from .waiver_rules import why_rule_ends

_SET_TABLE = "The floor sets the table between rounds, under Game, schedule and limits."
#: How long "no more bets" can be taken back without a signature.
TAKE_BACK = datetime.timedelta(seconds=10)


def bound_to_own_table(roles: frozenset[Role], right: Right) -> bool:
    """Whether `right` holds at the table of one's open down alone: a dealer's does, floor staff work anywhere."""
    return right in (Right.RUN_ROUNDS, Right.SEAT_PLAYERS) and not roles & RIGHTS[Right.RUN_ROUNDS_ANYWHERE]


def why_not_own_table(
    actor: Staff, roles: frozenset[Role], right: Right, table: Table, dealer_id: int | None
) -> WhyNot | None:
    """A dealer works at the table of the open down, whose dealer is `dealer_id`."""
    if not bound_to_own_table(roles, right) or dealer_id == actor.pk:
        return None
    return WhyNot(
        "not_your_table",
        f"{actor} has no open down at {table}. The floor starts one there, or acts in your place.",
    )


@once_a_reading
def why_not_open_table(reading: TableReading) -> WhyNot | None:
    """A closed table may open once a shift is open, on what is filed and with limits for every wager."""
    if reading.table.state == Table.State.OPEN:
        return WhyNot("table_open", f"{reading.table} is open already.")
    return why_no_shift(reading) or why_not_on_file(reading)


@once_a_reading
def why_not_close_table(reading: TableReading) -> WhyNot | None:
    """An open table may close between rounds, and with its tray closed where the house banks."""
    return _why_closed(reading) or _why_round_live(reading, "close the table") or why_tray_open(reading)


@once_a_reading
def why_not_set_table(reading: TableReading) -> WhyNot | None:
    """Game, fee schedule and limits change between rounds only (ruling 42; `001` fees: one schedule)."""
    return _why_round_live(reading, "change what is played or charged here")


def why_not_seat(reading: TableReading, seat: int, player: Player) -> WhyNot | None:
    """A player may take a free seat, and further ones as far as the rulebook allows several positions."""
    if why := _why_closed(reading) or _why_no_seat(reading, seat):
        return why
    if sitting := reading.seatings.get(seat):
        return WhyNot(
            "seat_taken",
            f"{sitting.player} sits at seat {seat}. Choose a free seat, or let them leave first.",
        )
    if why := _why_no_player(reading, player) or _why_on_back_line(reading, player):
        return why
    own_seats = [other for other, sitting in reading.seatings.items() if sitting.player_id == player.pk]
    if len(own_seats) >= (most := reading.rulebook.max_positions):
        if most == 1:
            says = f"{player} already sits at seat {own_seats[0]} of this table. Move them instead."
            return WhyNot("player_elsewhere", says)
        return WhyNot(
            "too_many_positions", f"{player} holds {most} positions here, the most that the rules allow."
        )
    if own_seats and reading.rulebook.positions_adjacent and not _side_by_side([*own_seats, seat]):
        held = ", ".join(map(str, own_seats))
        return WhyNot(
            "positions_not_adjacent",
            f"{player} holds seat {held}: the positions of one player stand side by side.",
        )
    return why_not_of_provider(reading, player)


def _why_no_seat(reading: TableReading, seat: int) -> WhyNot | None:
    if 1 <= seat <= reading.rulebook.seats:
        return None
    return WhyNot(
        "bad_seat", f"{reading.table} has seats 1 to {reading.rulebook.seats}; there is no seat {seat}."
    )


def _why_no_player(reading: TableReading, player: Player) -> WhyNot | None:
    if player.room_id == reading.table.room_id and player.is_active:
        return None
    return WhyNot("unknown_player", f"{player} is no active player of this room.")


def _why_on_back_line(reading: TableReading, player: Player) -> WhyNot | None:
    stay = next((stay for stay in reading.behind.values() if stay.player_id == player.pk), None)
    if stay is None:
        return None
    return WhyNot(
        "player_elsewhere",
        f"{player} stands on the back line at seat {stay.place} of this table. Move them instead.",
    )


@once_a_reading
def why_not_back_line(reading: TableReading) -> WhyNot | None:
    """Further bettors may wager on players' spots where the filed game has a back line."""
    if reading.table.game is None or not reading.terms.back_line:
        return WhyNot(
            "no_back_line",
            f"{reading.rulebook.name} as filed has no back line: a spot is its player's alone. Seat the player at a "
            "free seat.",
        )
    if why := _why_closed(reading):
        return why
    if not reading.seatings:
        return WhyNot(
            "seat_empty",
            "Nobody sits here yet: a back-line bettor wagers on a player's spot. Seat a player first.",
        )
    return None


def why_not_stand_behind(reading: TableReading, seat: int, player: Player) -> WhyNot | None:
    """A further bettor joins the spot of a player who sits there, as far as the filed game has room on its back line."""
    if why := why_not_back_line(reading) or _why_no_seat(reading, seat):
        return why
    most = reading.terms.back_line
    if seat not in reading.seatings:
        return WhyNot(
            "seat_empty",
            f"Nobody sits at seat {seat}: a back-line bettor wagers on a player's spot. Seat {player} there.",
        )
    if free_behind(reading, seat) is None:
        return WhyNot(
            "spot_full",
            f"The spot of seat {seat} is full: {reading.rulebook.name} as filed has up to {most} behind a seat. "
            "Choose another spot, or let somebody leave first.",
        )
    if why := _why_no_player(reading, player) or _why_on_back_line(reading, player):
        return why
    own = next((at for at, sitting in reading.seatings.items() if sitting.player_id == player.pk), None)
    if own is not None:
        return WhyNot(
            "player_elsewhere", f"{player} already sits at seat {own} of this table. Move them instead."
        )
    return why_not_of_provider(reading, player)


def free_behind(reading: TableReading, seat: int) -> Place | None:
    """The first free place on the back line of a seat's spot; None where it is full or the game has none."""
    places = (Place(seat, behind) for behind in range(1, reading.terms.back_line + 1))
    return next((place for place in places if place not in reading.behind), None)


def _side_by_side(seats: Sequence[int]) -> bool:
    return max(seats) - min(seats) < len(seats)


def why_not_of_provider(reading: TableReading, player: Player) -> WhyNot | None:
    """Of each provider one player at most plays at a table: every contract with one says so (4 CCR 12270(b)(5))."""
    if player.provider_id is None:
        return None
    for place, sitting in reading.places.items():
        if sitting.player.provider_id == player.provider_id and sitting.player_id != player.pk:
            return WhyNot(
                "provider_seated",
                f"{player} and {sitting.player} at seat {place} both play for {player.provider}: of each provider "
                f"one player may play at a table ({PROVIDER_CLAUSE}). Let {sitting.player} leave first.",
            )
    return None


def why_not_leave(reading: TableReading, place: Place) -> WhyNot | None:
    """A live seat cannot be vacated before the round ends (ruling 41), nor while back-line bettors wager on its spot."""
    if place.behind:
        return _why_not_leave_back_line(reading, place)
    seat = place.seat
    if seat not in reading.seatings:
        return WhyNot("seat_empty", f"Nobody sits at seat {seat}.")
    player = reading.seatings[seat].player_id
    others = [at for at, sitting in reading.seatings.items() if sitting.player_id == player and at != seat]
    if others and reading.rulebook.positions_adjacent and not _side_by_side(others):
        return WhyNot(
            "positions_not_adjacent",
            f"The positions of one player stand side by side: let seat {others[0]} or seat {others[-1]} go first.",
        )
    live = reading.live
    if live is not None and live.bank_seat == seat:
        return WhyNot(
            "seat_live", f"Seat {seat} banks the round in play. It can leave when the round has ended."
        )
    if live is not None and any(bet["seat"] == seat and bet["wagers"] for bet in live.bets):
        own = any(place_of(bet) == place and bet["wagers"] for bet in live.bets)
        return _seat_live(place, "wagers" if own else "wagers of its back line")
    return None


def _why_not_leave_back_line(reading: TableReading, place: Place) -> WhyNot | None:
    if place not in reading.behind:
        return WhyNot("seat_empty", f"Nobody stands at seat {place}.")
    live = reading.live
    if live is not None and any(place_of(bet) == place and bet["wagers"] for bet in live.bets):
        return _seat_live(place, "wagers")
    return None


def _seat_live(place: Place, what: str) -> WhyNot:
    return WhyNot(
        "seat_live", f"Seat {place} has {what} in the round in play. It can leave when the round has ended."
    )


@once_a_reading
def why_not_offer(reading: TableReading) -> WhyNot | None:
    """The bank is offered between rounds, while an offer is due (ruling 40)."""
    if why := _why_closed(reading) or why_no_shift(reading) or _why_round_live(reading, "offer the bank"):
        return why
    if reading.step.kind in ("keep", "house"):
        return WhyNot("no_offer_due", f"No offer is due: {reading.step.reason}")
    if reading.step.kind in ("renew", "vacant", "pause"):
        return WhyNot("all_asked", f"Every seat has answered: {reading.step.reason}")
    return _why_game_over(reading)


def why_not_answer(reading: TableReading, seat: int, answer: str) -> WhyNot | None:
    """Seats answer clockwise, one after the other; staff of the cardroom may not accept (ruling 41)."""
    if why := why_not_offer(reading):
        return why
    if seat != reading.step.seat:
        return WhyNot(
            "offer_due_elsewhere",
            f"Seat {reading.step.seat} must be offered the bank first: {reading.step.reason}",
        )
    if answer == Offer.Answer.ACCEPTED and (why := why_not_bank(reading, reading.seatings[seat].player)):
        return why
    return None


def why_not_bank(reading: TableReading, player: Player) -> WhyNot | None:
    """The house may not bank (`001` winners 4, ruling 41), nor a provider's player whose badge has expired."""
    if player.staff_id is not None:
        return WhyNot(
            "staff_cannot_bank",
            f"{player} works for the house, which is ineligible to bank. Record the seat as ineligible.",
        )
    return why_badge_expired(reading, player)


@once_a_reading
def why_not_renew(reading: TableReading) -> WhyNot | None:
    """The last bank may take a new turn once every other player has declined (ruling 40)."""
    if why := _why_closed(reading) or why_no_shift(reading) or _why_round_live(reading, "begin a new turn"):
        return why
    if why := _why_game_over(reading):
        return why
    if reading.step.kind == "pause":
        return WhyNot(
            "game_stopped", f"No new turn begins before the game has stopped: {reading.step.reason}"
        )
    if reading.step.kind != "renew":
        return WhyNot(
            "not_all_declined", f"A new turn begins when every other seat has declined: {reading.step.reason}"
        )
    return None if reading.turn is None else why_badge_expired(reading, reading.turn.player)


@once_a_reading
def why_not_pause(reading: TableReading) -> WhyNot | None:
    """The game stops when no other player takes the bank, where the rotation profile says so, and once a turn."""
    if why := _why_closed(reading) or why_no_shift(reading) or _why_round_live(reading, "stop the game"):
        return why
    if reading.step.kind != "pause":
        return WhyNot("no_stop_due", f"The game need not stop: {reading.step.reason}")
    if (
        reading.paused is not None
        and reading.turn is not None
        and reading.paused.after_turn_id == reading.turn.pk
    ):
        return WhyNot("game_stopped", f"The game has been stopped: {reading.step.reason}")
    return None


@once_a_reading
def why_not_ask_again(reading: TableReading) -> WhyNot | None:
    """When no player banks and all have declined, the offers may go round again."""
    if reading.house_banks:
        return _house_banks(reading)
    if (
        why := _why_closed(reading)
        or why_no_shift(reading)
        or _why_round_live(reading, "offer the bank again")
    ):
        return why
    if not reading.offers:
        return WhyNot("not_all_declined", f"Nobody has been asked: {reading.step.reason}")
    if reading.step.kind not in ("vacant", "renew", "pause"):
        return WhyNot("not_all_declined", f"Not every seat has answered yet: {reading.step.reason}")
    return None


@once_a_reading
def why_not_end_turn(reading: TableReading) -> WhyNot | None:
    """The bank may give up the position between rounds."""
    if reading.house_banks:
        return _house_banks(reading)
    if reading.turn is None:
        return WhyNot("no_bank", "Nobody holds the bank.")
    return _why_round_live(reading, "give up the bank")


@once_a_reading
def why_not_open_round(reading: TableReading) -> WhyNot | None:
    """A round needs an open table and shift, a dealer, and a bank whose turn goes on (`001` type 5, ruling 40)."""
    if why := _why_closed(reading) or why_no_shift(reading):
        return why
    if reading.down is None:
        return WhyNot("no_dealer", "No dealer has a down at this table. The floor starts one first.")
    if reading.live is not None:
        return WhyNot("round_live", f"Round {reading.live.number} is in play. Settle it or void it first.")
    if why := why_count_due(reading) or why_win_waits(reading) or why_not_on_file(reading):
        return why
    if why := _why_game_over(reading):
        return why
    if reading.house_banks:
        return why_tray_not_counted(reading)
    if reading.turn is None:
        return WhyNot("no_bank", f"Nobody holds the bank: {reading.step.reason}")
    if reading.step.kind != "keep":
        return WhyNot(
            "offer_due", f"{reading.turn.player} is ineligible for a further round yet: {reading.step.reason}"
        )
    return None


@once_a_reading
def why_not_bet(reading: TableReading) -> WhyNot | None:
    """Wagers are placed, changed and withdrawn until "no more bets" (`001` dealing 5, ruling 42)."""
    if reading.live is None:
        return WhyNot("no_round", "No round is open. Open one before wagers are placed.")
    if reading.live.state != Round.State.BETTING:
        return WhyNot(
            "bets_closed",
            f'Bets of round {reading.live.number} are closed: after "no more bets" wagers stand.',
        )
    return why_void_due(reading)


@once_a_reading
def why_not_bank_wager(reading: TableReading) -> WhyNot | None:
    """The bank's wager changes until "no more bets", where a player banks (ruling 41)."""
    if reading.house_banks:
        return WhyNot("house_banks", f"The house banks at {reading.table}: no player-dealer wager is taken.")
    return why_not_bet(reading)


@once_a_reading
def why_not_close_bets(reading: TableReading) -> WhyNot | None:
    """Bets close on at least one ante, under an open shift: its report will hold the round."""
    if why := why_not_bet(reading) or why_no_shift(reading) or _why_filing_expired(reading):
        return why
    assert reading.live is not None  # why_not_bet has seen to it
    if why := why_no_box(reading) or why_tray_not_counted(reading):
        return why
    if not any(bet["wagers"] for bet in reading.live.bets):
        return WhyNot("no_wager", "No wager has been placed. A round needs at least one ante.")
    return why_waiver_ends(reading, reading.live.bets)


@once_a_reading
def why_not_waive(reading: TableReading) -> WhyNot | None:
    """A fee is waived until "no more bets" fixes it, by a rule that the schedule publishes (ruling 13)."""
    if reading.schedule is None or not reading.schedule.waivers:
        what = (
            f"{reading.schedule.title} publishes"
            if reading.schedule
            else "No fee is collected here; there is"
        )
        return WhyNot("no_waiver_rule", f"{what} no rule by which a fee could be waived.")
    if reading.live is None:
        return WhyNot("no_round", "No round is open. A waiver is of the fees of a round.")
    if reading.live.state != Round.State.BETTING:
        return WhyNot(
            "fees_fixed",
            f'The fees of round {reading.live.number} were fixed at "no more bets" and are not waived any more; '
            "a void gives them back.",
        )
    return why_void_due(reading)


@once_a_reading
def why_not_withdraw_waiver(reading: TableReading) -> WhyNot | None:
    """A waiver is withdrawn while the fees are not fixed yet."""
    if why := why_not_waive(reading):
        return why
    if not reading.waivers:
        return WhyNot("no_waiver", "No fee of this round is waived.")
    return None


@once_a_reading
def why_not_collect_time(reading: TableReading) -> WhyNot | None:
    """Time is collected at an open table whose schedule says so, under an open shift, once a period has begun."""
    rate = rate_of(reading)
    if rate is None:
        return WhyNot("no_time", f"No time is collected at {reading.table}: players pay by the round here.")
    if why := _why_closed(reading) or why_no_shift(reading) or _why_filing_expired(reading):
        return why
    if not time_due(reading):
        return WhyNot("no_time_due", f"No seat owes time: everybody has paid for this {rate.period}.")
    return why_no_box_for_time(reading)


@once_a_reading
def why_not_take_back_time(reading: TableReading) -> WhyNot | None:
    """A collection of time is taken back under an open shift, whose drop it lowers, while the table collects time."""
    if rate_of(reading) is None:
        return WhyNot("no_time", f"No time is collected at {reading.table}: players pay by the round here.")
    return why_no_shift(reading)


def _house_banks(reading: TableReading) -> WhyNot:
    return WhyNot("house_banks", f"The house banks at {reading.table}: no player holds the bank.")


def why_waiver_ends(reading: TableReading, bets: list[dict[str, Any]]) -> WhyNot | None:
    """Fees are not fixed by a waiver whose rule does not hold for these wagers."""
    for waiver in reading.waivers:
        assert reading.schedule is not None  # a waiver rests on one
        rule = reading.schedule.waiver(waiver.rule)
        why = None if rule is None else why_rule_ends(rule, bets)
        if why is not None:
            return WhyNot("waiver_ends", f"{why} Withdraw the waiver first.")
    return None


@once_a_reading
def why_not_deal(reading: TableReading) -> WhyNot | None:
    """Cards are dealt after "no more bets" and the drop of the fees (`001` fees 5)."""
    if reading.live is None:
        return WhyNot("no_round", "No round is open.")
    if reading.live.state != Round.State.BETS_CLOSED:
        return WhyNot(
            "bets_open", f"Bets of round {reading.live.number} are still open. Close them before the deal."
        )
    if reading.live.dealt_at is not None:
        return WhyNot("cards_dealt", f"The cards of round {reading.live.number} have been dealt.")
    return why_void_due(reading)


@once_a_reading
def why_not_settle(reading: TableReading) -> WhyNot | None:
    """A round is settled after the deal, by its cards where the table records them."""
    if why := _why_not_dealt(reading):
        return why
    assert reading.live is not None  # _why_not_dealt has seen to it
    if reading.live.by_eye:
        return WhyNot(
            "settled_by_eye",
            f"Round {reading.live.number} is not carded. Finish the round instead.",
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
            f"{reading.table} records cards: round {reading.live.number} is settled by its hands and decisions.",
        )
    return None


@once_a_reading
def why_not_record(reading: TableReading) -> WhyNot | None:
    """A whole sheet is recorded as a round is opened, where the table records cards."""
    if reading.table.recording == Table.Recording.FEES:
        return WhyNot(
            "settled_by_eye",
            f"{reading.table} records wagers and fees alone. Set it to record cards before whole sheets are given.",
        )
    return why_not_open_round(reading)


@once_a_reading
def why_not_void(reading: TableReading) -> WhyNot | None:
    """A live round may be voided, before the deal and after it; a settled one is corrected, never voided."""
    if reading.live is None:
        return WhyNot("no_round", "No round is in play. A settled round cannot be voided.")
    return why_no_shift(reading)


@once_a_reading
def why_not_undo(reading: TableReading) -> WhyNot | None:
    """The last step within a round or a run of offers can be taken back; what has ended is corrected instead."""
    step = reading.step_back
    if (step is None or step.act != IRREGULARITY) and (why := why_void_due(reading)):
        return why
    if step is None:
        return WhyNot(
            "nothing_to_undo",
            "There is no step to undo. A round that has ended is corrected, one in play can be voided.",
        )
    if step.problem:
        return WhyNot(
            "cannot_undo", f"{step.says[:1].upper()}{step.says[1:]} cannot be undone: {step.problem}"
        )
    return None


@once_a_reading
def why_not_reopen_bets(reading: TableReading) -> WhyNot | None:
    """For ten seconds, and while no card is out, "no more bets" is taken back by a user who may call it, unsigned."""
    live = reading.live
    if live is None or live.bets_closed_at is None:
        return WhyNot("bets_open", "Bets are open already.")
    if why := why_void_due(reading):
        return why
    step = reading.step_back
    if live.dealt_at is not None or step is None or step.act != "bets_close":
        return WhyNot("cards_out", "Bets stay closed: a card is out, or was recorded as dealt.")
    if reading.now - live.bets_closed_at > TAKE_BACK:
        return WhyNot(
            "too_late",
            f"Bets can be reopened within {TAKE_BACK.seconds} seconds. "
            "Undo it with a reason and a second person's signature.",
        )
    return None


def why_not_correct(reading: TableReading, round_: Round) -> WhyNot | None:
    """A settled round is corrected once; what is wrong with a correction is corrected in its turn."""
    if round_.is_live:
        return WhyNot(
            "round_live", f"Round {round_.number} is in play. Undo the last step, or void it, instead."
        )
    if round_.state == Round.State.VOID:
        return WhyNot("round_void", f"Round {round_.number} is void; there is nothing to correct.")
    later = Round.objects.filter(corrects=round_).first()
    if later is not None:
        return WhyNot(
            "corrected_before",
            f"Round {round_.number} was corrected by {later.corrected_by}. Correct that correction, if it is wrong.",
        )
    return why_no_shift(reading)


@once_a_reading
def why_not_end_down(reading: TableReading) -> WhyNot | None:
    """A down that is open may end at any time: dealers change in mid-round."""
    if reading.down is None:
        return WhyNot("no_dealer", f"No dealer has a down at {reading.table}.")
    return None


def why_not_acknowledge(alert: Alert) -> WhyNot | None:
    """An alert is answered once; who did it first is who has seen it."""
    if alert.acknowledged_at is not None:
        return WhyNot("answered_before", f"{alert.acknowledged_by} has answered this alert already.")
    return None


def why_not_seats(reading: TableReading, terms: Terms) -> WhyNot | None:
    """A game with fewer seats, or less room on the back lines, begins when no player is beyond them."""
    book = terms.rulebook
    beyond = [sitting for seat, sitting in reading.seatings.items() if seat > book.seats]
    if beyond:
        return WhyNot(
            "seat_beyond",
            f"{book.name} by these rules has seats 1 to {book.seats}, and {beyond[0].player} sits at seat "
            f"{beyond[0].seat}. Let them leave or move first.",
        )
    too_many = [sitting for place, sitting in reading.behind.items() if place.behind > terms.back_line]
    if too_many:
        return WhyNot(
            "back_line_beyond",
            f"{book.name} by these rules has {_back_line_says(terms)}, and {too_many[0].player} stands at seat "
            f"{too_many[0].place}. Let them leave or move first.",
        )
    return None


def _back_line_says(terms: Terms) -> str:
    if not terms.back_line:
        return "no back line: a spot is its player's alone"
    return f"up to {terms.back_line} back-line bettor{'s' if terms.back_line > 1 else ''} on a spot"


def why_not_collect(game: GameFiling, schedule: FeeSchedule | None, recording: str) -> WhyNot | None:
    """A game with a house rake collects that, by the cards (ruling 20), and every other one a filed schedule's fees.

    A game whose cards no table records collects fees alone.
    """
    if recording == Table.Recording.CARDS and not game_of(game.rulebook).records_cards:
        return WhyNot(
            "settled_by_eye",
            f"{game.book.name} is not carded. Let the table record wagers and fees alone.",
        )
    if not game.book.player_banked:
        if schedule is None:
            return None
        return WhyNot(
            "house_banks", f"In {game} the house banks: it collects no fee by a schedule. Choose none."
        )
    if game.rake is None:
        if schedule is None:
            return WhyNot(
                "schedule_missing",
                f"{game} has no house rake: a filed fee schedule says what is collected. Choose one.",
            )
        return None
    if schedule is not None:
        return WhyNot(
            "fees_or_rake",
            f"{game} is filed with a house rake. A table collects fees by a schedule or takes a rake, never both: "
            "choose no schedule.",
        )
    if recording != Table.Recording.CARDS:
        return WhyNot(
            "rake_needs_cards",
            "A hand that the bank cannot cover pays no rake, and the cards alone tell which that is: where a rake is "
            "taken, everything is recorded.",
        )
    return None


def why_not_play(room: Room, game: GameFiling, day: datetime.date) -> WhyNot | None:
    """A room plays on `day` what its jurisdiction permits, by a rotation profile that is in force."""
    if why := room.rules_of.why_not(game.rulebook, day):
        return WhyNot("rulebook_of_another_jurisdiction", why)
    if why := why_not_play_by(game.rotation, game.book, day):
        return WhyNot("rotation_not_in_force", f"{game} cannot be played: {why}")
    return None


@once_a_reading
def why_not_on_file(reading: TableReading) -> WhyNot | None:
    """A table plays a filed game and collects by a filed schedule or the game's rake, all in force on the gaming day.

    Limits must stand for every wager that the game offers (ruling 43). A table that was set before its settings came
    from filings plays again once the floor has set it.
    """
    table, shift = reading.table, reading.shift
    if table.game is None:
        return WhyNot(
            "game_not_filed",
            f"No filed game is set at {table}: what is played comes from a filing. {_SET_TABLE}",
        )
    if why := _why_filing_expired(reading):
        return why
    if shift is not None and (why := why_not_play(table.room, table.game, shift.gaming_day)):
        return why
    if why := why_not_collect(table.game, table.schedule, table.recording):
        return WhyNot(why.code, f"{why.message} {_SET_TABLE}")
    if table.schedule is not None and table.schedule.rulebook != table.game.rulebook:
        return WhyNot(
            "schedule_of_another_game",
            f"{table.schedule} is filed for {table.schedule.rulebook}, and {table} plays {table.game}. {_SET_TABLE}",
        )
    if not plays_as_filed(table):
        return WhyNot(
            "settings_not_filed",
            f"{table} was set to something else than {table.game} says. {_SET_TABLE}",
        )
    if missing := limits_missing(table):
        return WhyNot(
            "limits_missing",
            f"No limits are set at {table} for {', '.join(each.name for each in missing)}. {_SET_TABLE}",
        )
    return None


def plays_as_filed(table: Table) -> bool:
    """Whether the table's copies of rulebook, options, rotation and rake are what its filed game says."""
    game = table.game
    if game is None:
        return False
    says = (game.rulebook, game.play_options, game.rake)
    return (table.rulebook, table.options, table.rake) == says and (profile_of(table).id == game.profile_id)


@once_a_reading
def _why_game_over(reading: TableReading) -> WhyNot | None:
    """The rotation profile ends a game that too few others have banked; a new one begins as the table opens again."""
    if reading.step.kind != "end":
        return None
    return WhyNot(
        "game_over",
        f"{reading.step.reason[:1].upper()}{reading.step.reason[1:]}. The floor closes the table.",
    )


@once_a_reading
def _why_not_dealt(reading: TableReading) -> WhyNot | None:
    if reading.live is None:
        return WhyNot("no_round", "No round is in play.")
    if reading.live.state != Round.State.BETS_CLOSED:
        return WhyNot(
            "bets_open", f"Bets of round {reading.live.number} are still open. Close them before the deal."
        )
    if reading.live.dealt_at is None:
        return WhyNot("not_dealt", f"The cards of round {reading.live.number} have not been dealt yet.")
    return why_void_due(reading)


def _why_closed(reading: TableReading) -> WhyNot | None:
    if reading.table.state != Table.State.OPEN:
        return WhyNot("table_closed", f"{reading.table} is closed. The floor opens it first.")
    return None


@once_a_reading
def _why_filing_expired(reading: TableReading) -> WhyNot | None:
    """Game and fees are filed, and in force on the gaming day of the open shift, which the round will join."""
    if reading.shift is None:
        return None
    for filing, code in (
        (reading.table.schedule, "schedule_not_in_force"),
        (reading.table.game, "game_not_in_force"),
    ):
        if filing is not None and not filing.in_force(reading.shift.gaming_day):
            return _not_in_force(reading.shift, filing, code)
    return None


def _not_in_force(shift: Shift, filing: FeeSchedule | GameFiling, code: str) -> WhyNot:
    return WhyNot(
        code,
        f"{filing} is not in force on gaming day {day_text(shift.gaming_day)}{_instead(filing, shift)} "
        "A round whose bets are still open is voided first.",
    )


def _instead(filing: FeeSchedule | GameFiling, shift: Shift) -> str:
    """What to do about a filing that is no longer in force; it names the version of its number that is."""
    now = in_force(type(filing), shift.room, shift.gaming_day).filter(number=filing.number).first()
    if now is None:
        return f": no version of it is. {_SET_TABLE}"
    return f": {now} is. The floor sets the table to it between rounds, and posts its placard."


def _why_round_live(reading: TableReading, what: str) -> WhyNot | None:
    if reading.live is not None:
        return WhyNot("round_live", f"Round {reading.live.number} is in play. End it before you {what}.")
    return None


def why_not(reading: TableReading, act: str) -> WhyNot | None:
    """Answer for one act by its name; None too where it has no check for the table as a whole."""
    check = table_checks().get(act)
    return None if check is None else check(reading)


def why_nots(reading: TableReading) -> dict[str, WhyNot | None]:
    """Answer for every act at a table, by its name."""
    return {act: check(reading) for act, check in table_checks().items()}


@functools.cache
def table_checks() -> dict[str, Check]:
    """Return the check of every act at a table that has one, by its name; asked when all acts are declared."""
    return {act.name: act.check for act in ACTS.values() if act.place == "table" and act.check}
