"""Commands on tables: opening, closing, and setting what is played and charged there."""

from __future__ import annotations

import datetime
from typing import Annotated, Any

from cardroom.core.dates import day_text
from cardroom.core.json_types import MOST_CENTS, Id, Money, OneOf, Size, Whole
from cardroom.core.row_digests import rows_update
from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.people.rights import Right
from games.phrases import Phrase
from games.refusal import Refusal
from games.registry import procedure_rules_of, read_options
from games.rotation.profile import HOUSE_BANKS
from games.terms import DECKS, MOST_DECKS

from ..alerts import alert_clear
from ..checks.filings import why_not_set_to
from ..checks.limits import TIPS, limited_at, why_outside_fees
from ..checks.procedures import why_shuffler_missing
from ..checks.tables import why_not_close_table, why_not_open_table, why_not_seats, why_not_set_table
from ..checks.tray import why_tray_open
from ..errors import BadInput, NotNow
from ..execution.carry_out import table_command
from ..execution.transactions import TableTransaction
from ..models import Alert, Table, Turn
from ..models.line_up import WAITS
from ..reads.past_day import day_of_play
from ..reads.table_state import TableState, same_approval
from .bank import end_game, end_turn, pass_over, stay_data
from .decks import shuffler_back
from .meters import check_same_progressive, meter_opened
from .seat_time import time_begins_anew, time_let_go


@table_command(
    "POST open",
    Right.OPEN_TABLES,
    check=why_not_open_table,
    title="Open a table",
    tag="Tables",
    page="open",
    done=Phrase("The table is open."),
)
def table_open(tx: TableTransaction) -> None:
    """Open a closed table. Needs an open shift.

    Offers of the bank go on from where they stood, and the rounds in a row of the last bank still count (ruling 40).
    """
    tx.write(state=Table.State.OPEN, opened_at=tx.now)
    tx.journal("table_open", {"before": "closed", "after": "open"})


@table_command(
    "POST close",
    Right.OPEN_TABLES,
    check=why_not_close_table,
    title=Phrase("Close the table"),
    tag="Tables",
    page="close",
    menu="more",
    done=Phrase("The table is closed."),
)
def table_close(tx: TableTransaction) -> None:
    """Close an open table between rounds: the turn at the bank ends, players leave, the dealer's down ends, no relief waits."""
    state = tx.state()
    time_let_go(tx, None, "the table closes")
    game_over = ""
    if state.shift is not None and state.step.kind == "vacant" and state.offers:
        state = pass_over(tx, state)
        game_over = end_game(tx, state)
    if state.turn is not None:
        end_turn(tx, state, Turn.Ended.CLOSED)
    left = [stay_data(sitting) for sitting in state.places.values()]
    rows_update(tx.table.seatings.filter(left_at__isnull=True), left_at=tx.now)
    rows_update(tx.table.downs.filter(ended_at__isnull=True), ended_at=tx.now)
    rows_update(tx.table.reliefs.filter(WAITS), ended_at=tx.now, ended_by=tx.actor)
    tx.write(state=Table.State.CLOSED)
    alert_clear(tx, Alert.Kind.STUB_COUNT_DUE)  # the decks are looked over anew when it opens
    alert_clear(tx, Alert.Kind.TIME_DUE)
    over = {"game_over": game_over} if game_over else {}
    tx.journal("table_close", {"before": "open", "after": "closed", "left": left, **over})


@table_command(
    "PUT settings",
    Right.SET_TABLES,
    check=why_not_set_table,
    title=Phrase("Game, schedule and limits"),
    tag="Tables",
    example={
        "game_id": 1,
        "schedule_id": 1,
        "wager_limits": {"pair_plus": [100, 10000], "six_card_bonus": [100, 10000], "tips": [100, 10000]},
    },
    page="settings",
    menu="more",
    done=Phrase("The table is set."),
)
def table_set(
    tx: TableTransaction,
    *,
    game_id: Annotated[
        Id,
        "The filed game to play, one that is in force; it says rulebook, options, rotation and house rake.",
    ],
    schedule_id: Annotated[
        Id, "The filed fee schedule to charge, one that is in force; null for a game with a house rake."
    ]
    | None = None,
    wager_limits: Annotated[
        dict[str, Annotated[list[Annotated[int, Money(1, MOST_CENTS)]], Size(2, 2)]],
        "`[least, most]` in cents by wager, `tips` for every tip; left out, the limits stay as they are. "
        "The ante's are the schedule's. Without limits for every wager the table does not open.",
    ]
    | None = None,
    recording: Annotated[
        str, OneOf(Table.Recording), "How much of a round is recorded; left out, it stays as it is."
    ]
    | None = None,
    decks: Annotated[
        int, Whole(1, MOST_DECKS), "The decks in use, where the filed game leaves them to the table."
    ]
    | None = None,
) -> None:
    """Choose among what is filed what is played and charged at a table, between rounds (ruling 42), and set its limits.

    The filed game `game_id` says rulebook, options, paytables, rotation profile and house rake; a game without a rake
    is charged by the filed schedule `schedule_id`. Both must be in force on the gaming day of the open shift, or today's between shifts. `wager_limits` gives `[least, most]` in cents
    by wager, `tips` for every tip wager (ruling 43); those of wagers that the game has no room for fall away.
    `recording` says how much of a round is recorded: `cards`, or `fees` where the room settles by eye. Limits and
    recording stay as they are when they are left out. A game of another approval begins with nobody at the bank, and
    counts its own rounds in a row.
    """
    state = tx.state()
    day = day_of_play(state.shift, tx.room, tx.now)
    game = _game(tx, game_id, day)
    if why := why_not_seats(state, game.terms) or (why_tray_open(state) if game.book.player_banked else None):
        raise NotNow.because(why)
    if why := why_shuffler_missing(state, game.book):
        raise BadInput.because(why, "game_id")
    schedule = None if schedule_id is None else _schedule(tx, schedule_id, day)
    if recording is not None and recording not in Table.Recording.values:
        raise BadInput(
            "unknown_recording",
            Phrase(
                "A table records {values}, not {recording}.",
                values=" or ".join(Table.Recording.values),
                recording=f"{recording!r}",
            ),
            path="recording",
        )
    table = tx.table
    if refused := why_not_set_to(tx.room, game, schedule, recording or table.recording, day):
        path, why = refused
        raise BadInput.because(why, path)
    limits = _limits(table.wager_limits if wager_limits is None else wager_limits, game)
    time_begins_anew(tx, schedule)
    if procedure_rules_of(game.book).shuffler_clause is None:
        shuffler_back(tx)
    before = _settings(table)
    _bank_begins_anew(tx, state, game)
    rake = game.rake
    table.game, table.schedule = game, schedule
    # Copies of what the filing says: rounds and reports read them, and nothing else writes them.
    table.rulebook, table.options, table.rotation = game.rulebook, _options(game, decks), game.rotation
    if not game.book.player_banked:
        table.rotation = HOUSE_BANKS
    table.rake_mode, table.rake_cents = ("", None) if rake is None else rake
    table.wager_limits = _of_the_game(limits, table)
    if schedule is not None:
        names = {key: spot.name for key, spot in game.book.wagers.items()}
        if outside := why_outside_fees(table.wager_limits, schedule.schedule, names):
            raise BadInput("outside_bands", outside[1], path=f"wager_limits.{outside[0]}")
    if recording is not None:
        table.recording = recording
    check_same_progressive(tx)
    table._history_user = tx.actor  # type: ignore[attr-defined]  # read by simple_history
    table.save(
        update_fields=[
            *("game", "rulebook", "options", "schedule", "rake_mode", "rake_cents"),
            *("wager_limits", "rotation", "recording"),
        ]
    )
    tx.journal("table_set", {"before": before, "after": _settings(table)})
    meter_opened(tx)


def _options(game: GameFiling, decks: int | None) -> dict[str, Any]:
    """The options of a filed game, with the decks in use where it leaves them to the table."""
    if decks is None:
        return game.play_options
    rule = game.book.options.get(DECKS)
    if rule is None or not rule.at_table:
        what = Phrase("{game} says itself how many decks are in use.", game=game)
        raise BadInput("decks_filed", what, path="decks")
    if decks not in rule.values:
        what = Phrase(
            "{game} has {least} to {most} decks.", game=game, least=min(rule.values), most=max(rule.values)
        )
        raise BadInput("bad_option", what, path="decks")
    options = {**game.play_options, DECKS: decks}
    try:
        read_options(game.book, options)
    except Refusal as refusal:
        raise BadInput(refusal.code, refusal.message, path="decks") from refusal
    return options


def _bank_begins_anew(tx: TableTransaction, state: TableState, game: GameFiling) -> None:
    """Neither the bank nor who has declined it is one of a game of another approval (ruling 53)."""
    if same_approval(tx.table.game, game):
        return
    if state.turn is not None:
        end_turn(tx, state, Turn.Ended.GAME)
    tx.write(offer_cycle=tx.table.offer_cycle + 1)


def _game(tx: TableTransaction, game_id: int, day: datetime.date) -> GameFiling:
    """Return a game of the room that is in force on `day`."""
    game = GameFiling.objects.filter(pk=game_id, room=tx.room).first()
    if game is None:
        raise BadInput(
            "unknown_game", Phrase("This room has no game filing {game_id}.", game_id=game_id), path="game_id"
        )
    if not game.in_force(day):
        raise BadInput(
            "game_not_in_force",
            Phrase(
                "{game} is not in force on gaming day {day}: choose a version that is.",
                game=game,
                day=day_text(day),
            ),
            path="game_id",
        )
    return game


def _schedule(tx: TableTransaction, schedule_id: int, day: datetime.date) -> FeeSchedule:
    schedule = FeeSchedule.objects.filter(pk=schedule_id, room=tx.room).first()
    if schedule is None:
        raise BadInput(
            "unknown_schedule",
            Phrase("This room has no fee schedule {schedule_id}.", schedule_id=schedule_id),
            path="schedule_id",
        )
    if not schedule.in_force(day):
        raise BadInput(
            "schedule_not_in_force",
            Phrase(
                "{schedule} is not in force on gaming day {day}: choose a version that is.",
                schedule=schedule,
                day=day_text(day),
            ),
            path="schedule_id",
        )
    return schedule


def _of_the_game(limits: dict[str, list[int]], table: Table) -> dict[str, list[int]]:
    """Return the limits of the wagers that the table takes as it is set, in the order of the layout."""
    return {each.key: limits[each.key] for each in limited_at(table) if each.key in limits}


def _limits(limits: dict[str, list[int]], game: GameFiling) -> dict[str, list[int]]:
    """Check limits by their form, and that there are such wagers at all."""
    for wager, bounds in limits.items():
        if wager not in game.book.wagers and wager != TIPS:
            raise BadInput(
                "unknown_wager",
                Phrase(
                    "There is no wager {wager}. Limits are for {wagers} and {tips}.",
                    wager=f"{wager!r}",
                    wagers=", ".join(game.book.wagers),
                    tips=TIPS,
                ),
                path=f"wager_limits.{wager}",
            )
        proper = (
            isinstance(bounds, list)
            and len(bounds) == 2
            and all(isinstance(cents, int) and not isinstance(cents, bool) for cents in bounds)
            and 0 < bounds[0] <= bounds[1] <= MOST_CENTS
        )
        if not proper:
            raise BadInput(
                "bad_limits",
                Phrase(
                    "Limits are [least, most] in whole cents, both above 0, the least not above the most."
                ),
                path=f"wager_limits.{wager}",
            )
    return limits


def _settings(table: Table) -> dict[str, Any]:
    return {
        "game": table.game_id,
        "rulebook": table.rulebook,
        "options": table.options,
        "schedule": table.schedule_id,
        "rake": None if table.rake is None else table.rake._asdict(),
        "wager_limits": table.wager_limits,
        "rotation": table.rotation,
        "recording": table.recording,
    }
