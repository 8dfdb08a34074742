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
from games.phrases import Phrase, capital, plural
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

_SET_TABLE = Phrase("The floor sets the table between rounds, under Game, schedule and limits.")
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
        Phrase(
            "{actor} has no open down at {table}. The floor starts one there, or acts in your place.",
            actor=actor,
            table=table,
        ),
    )


@once_a_reading
def why_not_open_table(reading: TableReading) -> WhyNot | None:
    """A closed table may open once a shift is open, on what is filed and with limits for every wager."""
    if reading.table.state == Table.State.OPEN:
        return WhyNot("table_open", Phrase("{table} is open already.", table=reading.table))
    return why_no_shift(reading) or why_not_on_file(reading)


@once_a_reading
def why_not_close_table(reading: TableReading) -> WhyNot | None:
    """An open table may close between rounds, and with its tray closed where the house banks."""
    return (
        _why_closed(reading) or _why_round_live(reading, Phrase("close the table")) or why_tray_open(reading)
    )


@once_a_reading
def why_not_set_table(reading: TableReading) -> WhyNot | None:
    """Game, fee schedule and limits change between rounds only (ruling 42; `001` fees: one schedule)."""
    return _why_round_live(reading, Phrase("change what is played or charged here"))


def why_not_seat(reading: TableReading, seat: int, player: Player) -> WhyNot | None:
    """A player may take a free seat, and further ones as far as the rulebook allows several positions."""
    if why := _why_closed(reading) or _why_no_seat(reading, seat):
        return why
    if sitting := reading.seatings.get(seat):
        return WhyNot(
            "seat_taken",
            Phrase(
                "{player} sits at seat {seat}. Choose a free seat, or let them leave first.",
                player=sitting.player,
                seat=seat,
            ),
        )
    if why := _why_no_player(reading, player) or _why_on_back_line(reading, player):
        return why
    own_seats = [other for other, sitting in reading.seatings.items() if sitting.player_id == player.pk]
    if len(own_seats) >= (most := reading.rulebook.max_positions):
        if most == 1:
            says = Phrase(
                "{player} already sits at seat {own} of this table. Move them instead.",
                player=player,
                own=own_seats[0],
            )
            return WhyNot("player_elsewhere", says)
        return WhyNot(
            "too_many_positions",
            Phrase(
                "{player} holds {most} positions here, the most that the rules allow.",
                player=player,
                most=most,
            ),
        )
    if own_seats and reading.rulebook.positions_adjacent and not _side_by_side([*own_seats, seat]):
        held = ", ".join(map(str, own_seats))
        return WhyNot(
            "positions_not_adjacent",
            Phrase(
                "{player} holds seat {held}: the positions of one player stand side by side.",
                player=player,
                held=held,
            ),
        )
    return why_not_of_provider(reading, player)


def _why_no_seat(reading: TableReading, seat: int) -> WhyNot | None:
    if 1 <= seat <= reading.rulebook.seats:
        return None
    return WhyNot(
        "bad_seat",
        Phrase(
            "{table} has seats 1 to {seats}; there is no seat {seat}.",
            table=reading.table,
            seats=reading.rulebook.seats,
            seat=seat,
        ),
    )


def _why_no_player(reading: TableReading, player: Player) -> WhyNot | None:
    if player.room_id == reading.table.room_id and player.is_active:
        return None
    return WhyNot("unknown_player", Phrase("{player} is no active player of this room.", player=player))


def _why_on_back_line(reading: TableReading, player: Player) -> WhyNot | None:
    stay = next((stay for stay in reading.behind.values() if stay.player_id == player.pk), None)
    if stay is None:
        return None
    return WhyNot(
        "player_elsewhere",
        Phrase(
            "{player} stands on the back line at seat {place} of this table. Move them instead.",
            player=player,
            place=stay.place,
        ),
    )


@once_a_reading
def why_not_back_line(reading: TableReading) -> WhyNot | None:
    """Further bettors may wager on players' spots where the filed game has a back line."""
    if reading.table.game is None or not reading.terms.back_line:
        return WhyNot(
            "no_back_line",
            Phrase(
                "{name} as filed has no back line: a spot is its player's alone. Seat the player at a free seat.",
                name=reading.rulebook.name,
            ),
        )
    if why := _why_closed(reading):
        return why
    if not reading.seatings:
        return WhyNot(
            "seat_empty",
            Phrase(
                "Nobody sits here yet: a back-line bettor wagers on a player's spot. Seat a player first."
            ),
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
            Phrase(
                "Nobody sits at seat {seat}: a back-line bettor wagers on a player's spot. Seat {player} there.",
                seat=seat,
                player=player,
            ),
        )
    if free_behind(reading, seat) is None:
        return WhyNot(
            "spot_full",
            Phrase(
                "The spot of seat {seat} is full: {name} as filed has up to {most} behind a seat. Choose another spot, or let somebody leave first.",
                seat=seat,
                name=reading.rulebook.name,
                most=most,
            ),
        )
    if why := _why_no_player(reading, player) or _why_on_back_line(reading, player):
        return why
    own = next((at for at, sitting in reading.seatings.items() if sitting.player_id == player.pk), None)
    if own is not None:
        return WhyNot(
            "player_elsewhere",
            Phrase(
                "{player} already sits at seat {own} of this table. Move them instead.",
                player=player,
                own=own,
            ),
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
                Phrase(
                    "{player} and {sitting_player} at seat {place} both play for {provider}: of each provider one player may play at a table ({provider_clause}). Let {sitting_player} leave first.",
                    player=player,
                    sitting_player=sitting.player,
                    place=place,
                    provider=player.provider,
                    provider_clause=PROVIDER_CLAUSE,
                ),
            )
    return None


def why_not_leave(reading: TableReading, place: Place) -> WhyNot | None:
    """A live seat cannot be vacated before the round ends (ruling 41), nor while back-line bettors wager on its spot."""
    if place.behind:
        return _why_not_leave_back_line(reading, place)
    seat = place.seat
    if seat not in reading.seatings:
        return WhyNot("seat_empty", Phrase("Nobody sits at seat {seat}.", seat=seat))
    player = reading.seatings[seat].player_id
    others = [at for at, sitting in reading.seatings.items() if sitting.player_id == player and at != seat]
    if others and reading.rulebook.positions_adjacent and not _side_by_side(others):
        return WhyNot(
            "positions_not_adjacent",
            Phrase(
                "The positions of one player stand side by side: let seat {first} or seat {last} go first.",
                first=others[0],
                last=others[-1],
            ),
        )
    live = reading.live
    if live is not None and live.bank_seat == seat:
        return WhyNot(
            "seat_live",
            Phrase("Seat {seat} banks the round in play. It can leave when the round has ended.", seat=seat),
        )
    if live is not None and any(bet["seat"] == seat and bet["wagers"] for bet in live.bets):
        own = any(place_of(bet) == place and bet["wagers"] for bet in live.bets)
        return _seat_live(place, Phrase("wagers") if own else Phrase("wagers of its back line"))
    return None


def _why_not_leave_back_line(reading: TableReading, place: Place) -> WhyNot | None:
    if place not in reading.behind:
        return WhyNot("seat_empty", Phrase("Nobody stands at seat {place}.", place=place))
    live = reading.live
    if live is not None and any(place_of(bet) == place and bet["wagers"] for bet in live.bets):
        return _seat_live(place, Phrase("wagers"))
    return None


def _seat_live(place: Place, what: str) -> WhyNot:
    return WhyNot(
        "seat_live",
        Phrase(
            "Seat {place} has {what} in the round in play. It can leave when the round has ended.",
            place=place,
            what=what,
        ),
    )


@once_a_reading
def why_not_offer(reading: TableReading) -> WhyNot | None:
    """The bank is offered between rounds, while an offer is due (ruling 40)."""
    if (
        why := _why_closed(reading)
        or why_no_shift(reading)
        or _why_round_live(reading, Phrase("offer the bank"))
    ):
        return why
    if reading.step.kind in ("keep", "house"):
        return WhyNot("no_offer_due", Phrase("No offer is due: {reason}", reason=reading.step.reason))
    if reading.step.kind in ("renew", "vacant", "pause"):
        return WhyNot("all_asked", Phrase("Every seat has answered: {reason}", reason=reading.step.reason))
    return _why_game_over(reading)


def why_not_answer(reading: TableReading, seat: int, answer: str) -> WhyNot | None:
    """Seats answer clockwise, one after the other; staff of the cardroom may not accept (ruling 41)."""
    if why := why_not_offer(reading):
        return why
    if seat != reading.step.seat:
        return WhyNot(
            "offer_due_elsewhere",
            Phrase(
                "Seat {seat} must be offered the bank first: {reason}",
                seat=reading.step.seat,
                reason=reading.step.reason,
            ),
        )
    if answer == Offer.Answer.ACCEPTED and (why := why_not_bank(reading, reading.seatings[seat].player)):
        return why
    return None


def why_not_bank(reading: TableReading, player: Player) -> WhyNot | None:
    """The house may not bank (`001` winners 4, ruling 41), nor a provider's player whose badge has expired."""
    if player.staff_id is not None:
        return WhyNot(
            "staff_cannot_bank",
            Phrase(
                "{player} works for the house, which is ineligible to bank. Record the seat as ineligible.",
                player=player,
            ),
        )
    return why_badge_expired(reading, player)


@once_a_reading
def why_not_renew(reading: TableReading) -> WhyNot | None:
    """The last bank may take a new turn once every other player has declined (ruling 40)."""
    if (
        why := _why_closed(reading)
        or why_no_shift(reading)
        or _why_round_live(reading, Phrase("begin a new turn"))
    ):
        return why
    if why := _why_game_over(reading):
        return why
    if reading.step.kind == "pause":
        return WhyNot(
            "game_stopped",
            Phrase("No new turn begins before the game has stopped: {reason}", reason=reading.step.reason),
        )
    if reading.step.kind != "renew":
        return WhyNot(
            "not_all_declined",
            Phrase(
                "A new turn begins when every other seat has declined: {reason}", reason=reading.step.reason
            ),
        )
    return None if reading.turn is None else why_badge_expired(reading, reading.turn.player)


@once_a_reading
def why_not_pause(reading: TableReading) -> WhyNot | None:
    """The game stops when no other player takes the bank, where the rotation profile says so, and once a turn."""
    if (
        why := _why_closed(reading)
        or why_no_shift(reading)
        or _why_round_live(reading, Phrase("stop the game"))
    ):
        return why
    if reading.step.kind != "pause":
        return WhyNot("no_stop_due", Phrase("The game need not stop: {reason}", reason=reading.step.reason))
    if (
        reading.paused is not None
        and reading.turn is not None
        and reading.paused.after_turn_id == reading.turn.pk
    ):
        return WhyNot(
            "game_stopped", Phrase("The game has been stopped: {reason}", reason=reading.step.reason)
        )
    return None


@once_a_reading
def why_not_ask_again(reading: TableReading) -> WhyNot | None:
    """When no player banks and all have declined, the offers may go round again."""
    if reading.house_banks:
        return _house_banks(reading)
    if (
        why := _why_closed(reading)
        or why_no_shift(reading)
        or _why_round_live(reading, Phrase("offer the bank again"))
    ):
        return why
    if not reading.offers:
        return WhyNot(
            "not_all_declined", Phrase("Nobody has been asked: {reason}", reason=reading.step.reason)
        )
    if reading.step.kind not in ("vacant", "renew", "pause"):
        return WhyNot(
            "not_all_declined",
            Phrase("Not every seat has answered yet: {reason}", reason=reading.step.reason),
        )
    return None


@once_a_reading
def why_not_end_turn(reading: TableReading) -> WhyNot | None:
    """The bank may give up the position between rounds."""
    if reading.house_banks:
        return _house_banks(reading)
    if reading.turn is None:
        return WhyNot("no_bank", Phrase("Nobody holds the bank."))
    return _why_round_live(reading, Phrase("give up the bank"))


@once_a_reading
def why_not_open_round(reading: TableReading) -> WhyNot | None:
    """A round needs an open table and shift, a dealer, and a bank whose turn goes on (`001` type 5, ruling 40)."""
    if why := _why_closed(reading) or why_no_shift(reading):
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
    if why := _why_game_over(reading):
        return why
    if reading.house_banks:
        return why_tray_not_counted(reading)
    if reading.turn is None:
        return WhyNot("no_bank", Phrase("Nobody holds the bank: {reason}", reason=reading.step.reason))
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
    if why := why_not_bet(reading) or why_no_shift(reading) or _why_filing_expired(reading):
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
def why_not_waive(reading: TableReading) -> WhyNot | None:
    """A fee is waived until "no more bets" fixes it, by a rule that the schedule publishes (ruling 13)."""
    if reading.schedule is None or not reading.schedule.waivers:
        if reading.schedule is None:
            says = Phrase("No fee is collected here; there is no rule by which a fee could be waived.")
        else:
            says = Phrase(
                "{title} publishes no rule by which a fee could be waived.", title=reading.schedule.title
            )
        return WhyNot("no_waiver_rule", says)
    if reading.live is None:
        return WhyNot("no_round", Phrase("No round is open. A waiver is of the fees of a round."))
    if reading.live.state != Round.State.BETTING:
        return WhyNot(
            "fees_fixed",
            Phrase(
                'The fees of round {number} were fixed at "no more bets" and are not waived any more; a void gives them back.',
                number=reading.live.number,
            ),
        )
    return why_void_due(reading)


@once_a_reading
def why_not_withdraw_waiver(reading: TableReading) -> WhyNot | None:
    """A waiver is withdrawn while the fees are not fixed yet."""
    if why := why_not_waive(reading):
        return why
    if not reading.waivers:
        return WhyNot("no_waiver", Phrase("No fee of this round is waived."))
    return None


@once_a_reading
def why_not_collect_time(reading: TableReading) -> WhyNot | None:
    """Time is collected at an open table whose schedule says so, under an open shift, once a period has begun."""
    rate = rate_of(reading)
    if rate is None:
        return WhyNot(
            "no_time",
            Phrase("No time is collected at {table}: players pay by the round here.", table=reading.table),
        )
    if why := _why_closed(reading) or why_no_shift(reading) or _why_filing_expired(reading):
        return why
    if not time_due(reading):
        return WhyNot(
            "no_time_due",
            Phrase("No seat owes time: everybody has paid for this {period}.", period=rate.period),
        )
    return why_no_box_for_time(reading)


@once_a_reading
def why_not_take_back_time(reading: TableReading) -> WhyNot | None:
    """A collection of time is taken back under an open shift, whose drop it lowers, while the table collects time."""
    if rate_of(reading) is None:
        return WhyNot(
            "no_time",
            Phrase("No time is collected at {table}: players pay by the round here.", table=reading.table),
        )
    return why_no_shift(reading)


def _house_banks(reading: TableReading) -> WhyNot:
    return WhyNot(
        "house_banks", Phrase("The house banks at {table}: no player holds the bank.", table=reading.table)
    )


def why_waiver_ends(reading: TableReading, bets: list[dict[str, Any]]) -> WhyNot | None:
    """Fees are not fixed by a waiver whose rule does not hold for these wagers."""
    for waiver in reading.waivers:
        assert reading.schedule is not None  # a waiver rests on one
        rule = reading.schedule.waiver(waiver.rule)
        why = None if rule is None else why_rule_ends(rule, bets)
        if why is not None:
            return WhyNot("waiver_ends", Phrase("{why} Withdraw the waiver first.", why=why))
    return None


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
    return why_not_open_round(reading)


@once_a_reading
def why_not_void(reading: TableReading) -> WhyNot | None:
    """A live round may be voided, before the deal and after it; a settled one is corrected, never voided."""
    if reading.live is None:
        return WhyNot("no_round", Phrase("No round is in play. A settled round cannot be voided."))
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
            Phrase(
                "There is no step to undo. A round that has ended is corrected, one in play can be voided."
            ),
        )
    if step.problem:
        return WhyNot(
            "cannot_undo",
            Phrase("{says} cannot be undone: {problem}", says=capital(step.says), problem=step.problem),
        )
    return None


@once_a_reading
def why_not_reopen_bets(reading: TableReading) -> WhyNot | None:
    """For ten seconds, and while no card is out, "no more bets" is taken back by a user who may call it, unsigned."""
    live = reading.live
    if live is None or live.bets_closed_at is None:
        return WhyNot("bets_open", Phrase("Bets are open already."))
    if why := why_void_due(reading):
        return why
    step = reading.step_back
    if live.dealt_at is not None or step is None or step.act != "bets_close":
        return WhyNot("cards_out", Phrase("Bets stay closed: a card is out, or was recorded as dealt."))
    if reading.now - live.bets_closed_at > TAKE_BACK:
        return WhyNot(
            "too_late",
            Phrase(
                "Bets can be reopened within {seconds} seconds. Undo it with a reason and a second person's signature.",
                seconds=TAKE_BACK.seconds,
            ),
        )
    return None


def why_not_correct(reading: TableReading, round_: Round) -> WhyNot | None:
    """A settled round is corrected once; what is wrong with a correction is corrected in its turn."""
    if round_.is_live:
        return WhyNot(
            "round_live",
            Phrase(
                "Round {number} is in play. Undo the last step, or void it, instead.", number=round_.number
            ),
        )
    if round_.state == Round.State.VOID:
        return WhyNot(
            "round_void", Phrase("Round {number} is void; there is nothing to correct.", number=round_.number)
        )
    later = Round.objects.filter(corrects=round_).first()
    if later is not None:
        return WhyNot(
            "corrected_before",
            Phrase(
                "Round {number} was corrected by {corrected_by}. Correct that correction, if it is wrong.",
                number=round_.number,
                corrected_by=later.corrected_by,
            ),
        )
    return why_no_shift(reading)


@once_a_reading
def why_not_end_down(reading: TableReading) -> WhyNot | None:
    """A down that is open may end at any time: dealers change in mid-round."""
    if reading.down is None:
        return WhyNot("no_dealer", Phrase("No dealer has a down at {table}.", table=reading.table))
    return None


def why_not_acknowledge(alert: Alert) -> WhyNot | None:
    """An alert is answered once; who did it first is who has seen it."""
    if alert.acknowledged_at is not None:
        return WhyNot(
            "answered_before",
            Phrase(
                "{acknowledged_by} has answered this alert already.", acknowledged_by=alert.acknowledged_by
            ),
        )
    return None


def why_not_seats(reading: TableReading, terms: Terms) -> WhyNot | None:
    """A game with fewer seats, or less room on the back lines, begins when no player is beyond them."""
    book = terms.rulebook
    beyond = [sitting for seat, sitting in reading.seatings.items() if seat > book.seats]
    if beyond:
        return WhyNot(
            "seat_beyond",
            Phrase(
                "{name} by these rules has seats 1 to {seats}, and {player} sits at seat {seat}. Let them leave or move first.",
                name=book.name,
                seats=book.seats,
                player=beyond[0].player,
                seat=beyond[0].seat,
            ),
        )
    too_many = [sitting for place, sitting in reading.behind.items() if place.behind > terms.back_line]
    if too_many:
        return WhyNot(
            "back_line_beyond",
            Phrase(
                "{name} by these rules has {terms}, and {player} stands at seat {place}. Let them leave or move first.",
                name=book.name,
                terms=_back_line_says(terms),
                player=too_many[0].player,
                place=too_many[0].place,
            ),
        )
    return None


def _back_line_says(terms: Terms) -> str:
    if not terms.back_line:
        return Phrase("no back line: a spot is its player's alone")
    return plural(
        "up to {n} back-line bettor on a spot", "up to {n} back-line bettors on a spot", terms.back_line
    )


def why_not_collect(game: GameFiling, schedule: FeeSchedule | None, recording: str) -> WhyNot | None:
    """A game with a house rake collects that, by the cards (ruling 20), and every other one a filed schedule's fees.

    A game whose cards no table records collects fees alone.
    """
    if recording == Table.Recording.CARDS and not game_of(game.rulebook).records_cards:
        return WhyNot(
            "settled_by_eye",
            Phrase("{name} is not carded. Let the table record wagers and fees alone.", name=game.book.name),
        )
    if not game.book.player_banked:
        if schedule is None:
            return None
        return WhyNot(
            "house_banks",
            Phrase("In {game} the house banks: it collects no fee by a schedule. Choose none.", game=game),
        )
    if game.rake is None:
        if schedule is None:
            return WhyNot(
                "schedule_missing",
                Phrase(
                    "{game} has no house rake: a filed fee schedule says what is collected. Choose one.",
                    game=game,
                ),
            )
        if not_there := sorted(schedule.schedule.wagers - game.book.wagers.keys()):
            return WhyNot(
                "schedule_names_other_wagers",
                Phrase(
                    "{schedule} has a fee for {wagers}, and {game} has no such wager. Choose a schedule for its spots.",
                    schedule=schedule,
                    wagers=", ".join(not_there),
                    game=game,
                ),
            )
        return None
    if schedule is not None:
        return WhyNot(
            "fees_or_rake",
            Phrase(
                "{game} is filed with a house rake. A table collects fees by a schedule or takes a rake, never both: choose no schedule.",
                game=game,
            ),
        )
    if recording != Table.Recording.CARDS:
        return WhyNot(
            "rake_needs_cards",
            Phrase(
                "A hand that the bank cannot cover pays no rake, and the cards alone tell which that is: where a rake is "
                "taken, everything is recorded."
            ),
        )
    return None


def why_not_play(room: Room, game: GameFiling, day: datetime.date) -> WhyNot | None:
    """A room plays on `day` what its jurisdiction permits, by a rotation profile that is in force."""
    if why := room.rules_of.why_not(game.rulebook, day):
        return WhyNot("rulebook_of_another_jurisdiction", why)
    if why := why_not_play_by(game.rotation, game.book, day):
        return WhyNot("rotation_not_in_force", Phrase("{game} cannot be played: {why}", game=game, why=why))
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
            Phrase(
                "No filed game is set at {table}: what is played comes from a filing. {set_table}",
                table=table,
                set_table=_SET_TABLE,
            ),
        )
    if why := _why_filing_expired(reading):
        return why
    if shift is not None and (why := why_not_play(table.room, table.game, shift.gaming_day)):
        return why
    if why := why_not_collect(table.game, table.schedule, table.recording):
        return WhyNot(why.code, Phrase("{message} {set_table}", message=why.message, set_table=_SET_TABLE))
    if table.schedule is not None and table.schedule.rulebook != table.game.rulebook:
        return WhyNot(
            "schedule_of_another_game",
            Phrase(
                "{schedule} is filed for {rulebook}, and {table} plays {game}. {set_table}",
                schedule=table.schedule,
                rulebook=table.schedule.rulebook,
                table=table,
                game=table.game,
                set_table=_SET_TABLE,
            ),
        )
    if not plays_as_filed(table):
        return WhyNot(
            "settings_not_filed",
            Phrase(
                "{table} was set to something else than {game} says. {set_table}",
                table=table,
                game=table.game,
                set_table=_SET_TABLE,
            ),
        )
    if missing := limits_missing(table):
        return WhyNot(
            "limits_missing",
            Phrase(
                "No limits are set at {table} for {names}. {set_table}",
                table=table,
                names=", ".join(each.name for each in missing),
                set_table=_SET_TABLE,
            ),
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
        Phrase("{reason}. The floor closes the table.", reason=capital(reading.step.reason)),
    )


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


def _why_closed(reading: TableReading) -> WhyNot | None:
    if reading.table.state != Table.State.OPEN:
        return WhyNot(
            "table_closed", Phrase("{table} is closed. The floor opens it first.", table=reading.table)
        )
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
        Phrase(
            "{filing} is not in force on gaming day {day}{instead} A round whose bets are still open is voided first.",
            filing=filing,
            day=day_text(shift.gaming_day),
            instead=_instead(filing, shift),
        ),
    )


def _instead(filing: FeeSchedule | GameFiling, shift: Shift) -> str:
    """What to do about a filing that is no longer in force; it names the version of its number that is."""
    now = in_force(type(filing), shift.room, shift.gaming_day).filter(number=filing.number).first()
    if now is None:
        return Phrase(": no version of it is. {set_table}", set_table=_SET_TABLE)
    return Phrase(
        ": {now} is. The floor sets the table to it between rounds, and posts its placard.", now=now
    )


def _why_round_live(reading: TableReading, what: str) -> WhyNot | None:
    if reading.live is not None:
        return WhyNot(
            "round_live",
            Phrase(
                "Round {number} is in play. End it before you {what}.", number=reading.live.number, what=what
            ),
        )
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
