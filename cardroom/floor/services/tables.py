"""Tables: opening, closing, and what is played and charged there."""

from __future__ import annotations

from typing import Any

from cardroom.offered.models import GameFiling
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day
from fees.models import FeeSchedule
from fees.rake import OPTION
from games.refusal import Refusal
from games.rulebook import RULEBOOKS, load_rulebook
from games.terms import read_options

from ..alerts import alert_clear
from ..checks import (
    why_not_close_table,
    why_not_open_table,
    why_not_rake,
    why_not_rotation,
    why_not_rulebook,
    why_not_seats,
    why_not_set_table,
)
from ..errors import BadInput, NotNow
from ..models import Alert, Table, Turn
from .bank import end_turn
from .commands import Answer, AtTable, table_command
from .seat_time import time_begins_anew, time_let_go


@table_command(Right.OPEN_TABLES)
def table_open(at: AtTable) -> Answer:
    """Open a closed table. Needs an open shift."""
    if why := why_not_open_table(at.view()):
        raise NotNow.because(why)
    at.write(
        state=Table.State.OPEN,
        opened_at=at.now,
        offer_cycle=at.table.offer_cycle + 1,
        offers_start_after=None,
    )
    at.journal("table_open", {"before": "closed", "after": "open"})
    return {}


@table_command(Right.OPEN_TABLES)
def table_close(at: AtTable) -> Answer:
    """Close an open table between rounds: the turn at the bank ends, players leave, the dealer's down ends."""
    view = at.view()
    if why := why_not_close_table(view):
        raise NotNow.because(why)
    time_let_go(at, None, "the table closes")
    if view.turn is not None:
        end_turn(at, view.turn, Turn.Ended.CLOSED)
    left = [{"seat": seat, "player": sitting.player.name} for seat, sitting in view.seatings.items()]
    at.table.seatings.filter(left_at__isnull=True).update(left_at=at.now)
    at.table.downs.filter(ended_at__isnull=True).update(ended_at=at.now)
    at.write(state=Table.State.CLOSED)
    alert_clear(at, Alert.Kind.STUB_COUNT_DUE)  # the decks are looked over anew when it opens
    alert_clear(at, Alert.Kind.TIME_DUE)
    at.journal("table_close", {"before": "open", "after": "closed", "left": left})
    return {}


@table_command(Right.SET_TABLES)
def table_set(
    at: AtTable,
    *,
    rulebook: str | None = None,
    options: dict[str, Any] | None = None,
    game_id: int | None = None,
    schedule_id: int | None,
    wager_limits: dict[str, list[int]] | None = None,
    rotation: str | None = None,
    recording: str | None = None,
    rake: dict[str, Any] | None = None,
) -> Answer:
    """Set what is played and charged at a table, between rounds (ruling 42).

    What is played is a filed game that is in force, named by `game_id`; or else a `rulebook` with `options`, which are
    the round sheet's, without `fee_schedule` and `house_rake`. The filed schedule `schedule_id` (or none) says what is
    charged, and it must be in force. In its place `rake` may be `{"mode", "cents"}`, a house rake where the rules know
    one; a table has one of them or neither. `wager_limits` gives `[least, most]` in cents by wager (ruling 43).
    `rotation` is the id of a profile that is in force, by which the bank rotates; empty for the one that the rulebook
    names. `recording` says how much of a round is recorded: `cards`, or `fees` where the room settles by eye. Limits,
    rotation and recording stay as they are when they are left out.
    """
    view = at.view()
    if why := why_not_set_table(view):
        raise NotNow.because(why)
    game, rulebook, options = _game(at, game_id, rulebook, options)
    if rulebook not in RULEBOOKS:
        raise BadInput("unknown_rulebook", f"There is no rulebook {rulebook!r}.", path="rulebook")
    if why := why_not_rulebook(rulebook):
        raise BadInput(why.code, why.message, path="rulebook")
    if why := why_not_seats(view, rulebook):
        raise NotNow.because(why)
    _check_charge_apart(options)
    try:
        read_options(load_rulebook(rulebook), options)
    except Refusal as refusal:
        raise BadInput(refusal.code, refusal.message, path=refusal.path) from refusal
    schedule = None if schedule_id is None else _schedule(at, rulebook, schedule_id)
    _check_ways(at, rotation, recording)
    table = at.table
    if rake is not None and (
        why := why_not_rake(rulebook, rake, schedule_id=schedule_id, recording=recording or table.recording)
    ):
        raise BadInput(why.code, why.message, path="rake")
    time_begins_anew(at, schedule)
    before = _settings(table)
    table.game, table.rulebook, table.options, table.schedule = game, rulebook, options, schedule
    table.rake_mode, table.rake_cents = ("", None) if rake is None else (rake["mode"], rake["cents"])
    if wager_limits is not None:
        table.wager_limits = _limits(wager_limits)
    if rotation is not None:
        table.rotation = rotation
    if recording is not None:
        table.recording = recording
    table._history_user = at.actor  # type: ignore[attr-defined]  # read by simple_history
    table.save(
        update_fields=[
            *("game", "rulebook", "options", "schedule", "rake_mode", "rake_cents"),
            *("wager_limits", "rotation", "recording"),
        ]
    )
    at.journal("table_set", {"before": before, "after": _settings(table)})
    return {}


def _game(
    at: AtTable, game_id: int | None, rulebook: str | None, options: dict[str, Any] | None
) -> tuple[GameFiling | None, str, dict[str, Any]]:
    """Return what is played: the filed game with what it says, or none and what was said by hand."""
    if game_id is None:
        if rulebook is None:
            raise BadInput(
                "game_missing",
                "Name a filed game by game_id, or else a rulebook with its options.",
                path="game_id",
            )
        return None, rulebook, options or {}
    if rulebook is not None or options is not None:
        raise BadInput(
            "game_says_it",
            "A filed game says by itself which rulebook and options are played: leave both out beside game_id.",
            path="rulebook" if rulebook is not None else "options",
        )
    game = GameFiling.objects.filter(pk=game_id, room=at.room).first()
    if game is None:
        raise BadInput("unknown_game", f"This room has no game filing {game_id}.", path="game_id")
    day = gaming_day(at.room, at.now)
    if not game.in_force(day):
        raise BadInput(
            "game_not_in_force",
            f"{game} is not in force on gaming day {day}: choose a version that is.",
            path="game_id",
        )
    return game, game.rulebook, dict(game.options)


def _check_charge_apart(options: dict[str, Any]) -> None:
    """Refuse a charge among the options: it is no part of the game, and is set beside it."""
    if "fee_schedule" in options:
        raise BadInput(
            "schedule_is_filed",
            "A table's fee schedule is a filing of its own: give it as schedule_id.",
            path="options.fee_schedule",
        )
    if OPTION in options:
        raise BadInput(
            "rake_is_apart",
            "A table's house rake is a setting of its own: give it as rake.",
            path=f"options.{OPTION}",
        )


def _check_ways(at: AtTable, rotation: str | None, recording: str | None) -> None:
    """Refuse a rotation or a way of recording that there is not."""
    if rotation is not None and (why := why_not_rotation(rotation, gaming_day(at.room, at.now))):
        raise BadInput(why.code, why.message, path="rotation")
    if recording is not None and recording not in Table.Recording.values:
        raise BadInput(
            "unknown_recording",
            f"A table records {' or '.join(Table.Recording.values)}, not {recording!r}.",
            path="recording",
        )


def _schedule(at: AtTable, rulebook: str, schedule_id: int) -> FeeSchedule:
    schedule = FeeSchedule.objects.filter(pk=schedule_id, room=at.room).first()
    if schedule is None:
        raise BadInput(
            "unknown_schedule", f"This room has no fee schedule {schedule_id}.", path="schedule_id"
        )
    if schedule.rulebook != rulebook:
        raise BadInput(
            "schedule_of_another_game", f"{schedule} is filed for {schedule.rulebook}.", path="schedule_id"
        )
    day = gaming_day(at.room, at.now)
    if not schedule.in_force(day):
        raise BadInput(
            "schedule_not_in_force",
            f"{schedule} is not in force on gaming day {day}: choose a version that is.",
            path="schedule_id",
        )
    return schedule


def _limits(limits: dict[str, list[int]]) -> dict[str, list[int]]:
    for wager, bounds in limits.items():
        proper = (
            isinstance(bounds, list)
            and len(bounds) == 2
            and all(isinstance(cents, int) and not isinstance(cents, bool) for cents in bounds)
            and 0 < bounds[0] <= bounds[1]
        )
        if not proper:
            raise BadInput(
                "bad_limits",
                "Limits are [least, most] in whole cents, both above 0, the least not above the most.",
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
