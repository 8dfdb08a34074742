"""Times at the bank: who has banked and when, and what the profiles that go by time count of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from games.phrases import Phrase

from .profile import Profile

_FOR_EVER = datetime.max.replace(tzinfo=UTC)


class Turn(NamedTuple):
    """A player's stay at the bank, and the settled `rounds` in a row that count against its limit (ruling 40).

    Voids do not count. Rounds of the same player's earlier turns at the table do, unless the count was reset.
    """

    seat: int
    player: str
    rounds: int


class Stint(NamedTuple):
    """Who banked from when until when (UTC; `ended_at` None: still), and whether for a provider of players.

    `began_by` is who began it, where another of the provider's players has taken the rack over since (ruling 62).
    """

    player: str
    provider: bool
    began_at: datetime
    ended_at: datetime | None = None
    began_by: str = ""

    @property
    def first(self) -> str:
        """Who began it."""
        return self.began_by or self.player


class Play(NamedTuple):
    """The game at the instant `now`: its stints at the bank, the present one last, and since when it pauses."""

    now: datetime
    stints: tuple[Stint, ...]
    paused_at: datetime | None = None


def minutes_banked(profile: Profile, play: Play) -> int:
    """Whole minutes that the same player has banked, turn after turn, since the game stopped last.

    A hand-over of a provider's rack changes who holds the bank, and begins nothing anew.

    It stopped where a pause is on record, and where the bank was vacant for as long as the profile's pause: a table
    that was closed for less has not stopped.
    """
    present = play.stints[-1]
    began_at, player = present.began_at, present.first
    paused_at = play.paused_at if play.paused_at is not None and play.paused_at <= began_at else None
    least = timedelta(minutes=profile.pause_minutes)
    for stint in reversed(play.stints[:-1]):
        if stint.player != player or (paused_at is not None and stint.began_at < paused_at):
            break
        if least and stint.ended_at is not None and began_at - stint.ended_at >= least:
            break
        began_at, player = stint.began_at, stint.first
    return (play.now - began_at) // timedelta(minutes=1)


def why_game_ends(profile: Profile, play: Play) -> str | None:
    """Why the game is over: too few players besides a provider's have banked in the time up to now."""
    rule = profile.others
    if rule is None or not play.stints:
        return None
    since = play.now - timedelta(minutes=rule.within_minutes)
    if play.stints[0].began_at > since:
        return None
    others: set[str] = set()
    for player, provider, _, ended_at, _ in reversed(
        play.stints
    ):  # from the last one: mostly two or three are enough
        if ended_at is not None and ended_at <= since:
            break  # and so did all before it
        if not provider:
            others.add(player)
            if len(others) >= rule.needed:
                return None
    return Phrase(
        "{others} of the {needed} players other than a provider's that must bank within {within_minutes} minutes have done so: the game ends",
        others=len(others),
        needed=rule.needed,
        within_minutes=rule.within_minutes,
    )


def game_lasts_until(profile: Profile, play: Play) -> datetime:
    """A lower bound of when the game ends, from who has banked up to `play.now`, independent of who banks later.

    It is not after `play.now` where the game is over, or where too little is known to say.
    """
    rule = profile.others
    if rule is None:
        return _FOR_EVER
    if not play.stints:
        return play.now
    within = timedelta(minutes=rule.within_minutes)
    if (begun := play.stints[0].began_at + within) > play.now:
        return begun
    others: set[str] = set()
    lasts = play.now
    for player, provider, _, ended_at, _ in reversed(play.stints):
        if ended_at is not None and ended_at <= play.now - within:
            break
        if not provider:
            others.add(player)
            lasts = min(lasts, ended_at or play.now)
            if len(others) >= rule.needed:
                return lasts + within
    return play.now


def paused_since_turn(play: Play) -> datetime | None:
    """Since when the game is stopped in the present turn; a stop before the turn does not count."""
    began_at = play.stints[-1].began_at if play.stints else None
    if play.paused_at is None or (began_at is not None and play.paused_at < began_at):
        return None
    return play.paused_at
