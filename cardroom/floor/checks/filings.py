"""Precondition checks: whether a table plays what is filed and in force, and collects by it."""

from __future__ import annotations

import datetime

from cardroom.core.dates import day_text
from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.filings.selectors import in_force
from cardroom.rooms.models import Room
from games.phrases import Phrase
from games.registry import game_of
from games.rotation.profile import why_not_play_by
from games.terms import without_table_choices

from ..errors import WhyNot
from ..models import Shift, Table
from ..reads.table_state import TableState, cached_per_state, profile_of
from .limits import limits_missing

_SET_TABLE = Phrase("The floor sets the table between rounds, under Game, schedule and limits.")


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
        return _why_not_charge(game, schedule)
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


def _why_not_charge(game: GameFiling, schedule: FeeSchedule) -> WhyNot | None:
    """A schedule is approved for the game, and charges for wagers that it has and that may bear a fee (ruling 13)."""
    if schedule.games and not schedule.is_for(game):
        return WhyNot(
            "schedule_of_another_approval",
            Phrase(
                "{schedule} is approved for {games}, and not for {game} (game {number}). Choose a schedule that names it, or "
                "have the next version filed for it too.",
                schedule=schedule,
                games=_named_games(schedule),
                game=game,
                number=game.number,
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
    for wager, clause in game.book.without_fee.items():
        if wager in schedule.schedule.wagers:
            return WhyNot(
                "wager_without_fee",
                Phrase(
                    "{schedule} has a fee for {wager}, of which no fee comes in {game}. Choose another schedule.",
                    schedule=schedule,
                    wager=game.book.wagers[wager].name,
                    game=game,
                ),
                clause,
            )
    return None


def _named_games(schedule: FeeSchedule) -> str:
    """The games that a schedule is for, by their numbers: `games 2, 5`."""
    numbers = ", ".join(map(str, schedule.games))
    if len(schedule.games) == 1:
        return Phrase("game {numbers}", numbers=numbers)
    return Phrase("games {numbers}", numbers=numbers)


def why_not_play(room: Room, game: GameFiling, day: datetime.date) -> WhyNot | None:
    """A room plays on `day` what its jurisdiction permits, by a rotation profile that is in force."""
    if why := room.rules_of.why_not(game.rulebook, day):
        return WhyNot("rulebook_of_another_jurisdiction", why)
    if why := why_not_play_by(game.rotation, game.book, day):
        return WhyNot("rotation_not_in_force", Phrase("{game} cannot be played: {why}", game=game, why=why))
    return None


def why_not_set_to(
    room: Room, game: GameFiling, schedule: FeeSchedule | None, recording: str, day: datetime.date
) -> tuple[str, WhyNot] | None:
    """Why no table of a room is set to a game and a schedule on a day on which both are in force: the argument, and the reason."""
    if why := why_not_play(room, game, day):
        return "game_id", why
    if schedule is not None and schedule.rulebook != game.rulebook:
        what = Phrase("{schedule} is filed for {rulebook}.", schedule=schedule, rulebook=schedule.rulebook)
        return "schedule_id", WhyNot("schedule_of_another_game", what)
    if why := why_not_collect(game, schedule, recording):
        by_recording = why.code in ("rake_needs_cards", "settled_by_eye")
        return "recording" if by_recording else "schedule_id", why
    return None


@cached_per_state
def why_not_on_file(state: TableState) -> WhyNot | None:
    """A table plays a filed game and collects by a filed schedule or the game's rake, all in force on the gaming day.

    Limits must stand for every wager that the game offers (ruling 43). A table that was set before its settings came
    from filings plays again once the floor has set it.
    """
    table, shift = state.table, state.shift
    if table.game is None:
        return WhyNot(
            "game_not_filed",
            Phrase(
                "No filed game is set at {table}: what is played comes from a filing. {set_table}",
                table=table,
                set_table=_SET_TABLE,
            ),
        )
    if why := why_filing_expired(state):
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
    filed, set_ = (without_table_choices(game.book, each) for each in (game.play_options, table.options))
    text = (game.rulebook, filed, game.rake)
    return (table.rulebook, set_, table.rake) == text and (profile_of(table).id == game.profile_id)


@cached_per_state
def why_filing_expired(state: TableState) -> WhyNot | None:
    """Game and fees are filed, and in force on the gaming day of the open shift, which the round will join."""
    if state.shift is None:
        return None
    for filing, code in (
        (state.table.schedule, "schedule_not_in_force"),
        (state.table.game, "game_not_in_force"),
    ):
        if filing is not None and not filing.in_force(state.shift.gaming_day):
            return _not_in_force(state.shift, filing, code)
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
