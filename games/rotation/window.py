"""The remaining time under a rotation profile: of the bank's stay, of a stop, or until the game ends."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from games.phrases import Phrase, plural

from .play import Play, Turn, minutes_banked, paused_since_turn
from .profile import AFTER_PAUSE, OthersRule, Profile

_MINUTE = timedelta(minutes=1)


class Window(NamedTuple):
    """Whole minutes that are left (rounded up, 0 when the time is over) of `of_minutes`, and what then, in words."""

    minutes_left: int
    of_minutes: int
    text: str


def window_of(profile: Profile, *, turn: Turn | None, play: Play) -> Window | None:
    """Return the window that runs at `play.now`; None where the profile has none, or before its game has begun."""
    if profile.renewal == AFTER_PAUSE and (paused_at := paused_since_turn(play)) is not None:
        left = _rounded_up(paused_at + profile.pause_minutes * _MINUTE - play.now)
        then = Phrase("may go on in {left}", left=_minutes(left)) if left else Phrase("may go on")
        return Window(left, profile.pause_minutes, Phrase("the game has stopped and {then}", then=then))
    if profile.offer_after_minutes is not None:
        if turn is None or not play.stints:
            return None
        left = max(0, profile.offer_after_minutes - minutes_banked(profile, play))
        text = (
            Phrase("the bank goes round in {left}", left=_minutes(left))
            if left
            else Phrase("the bank is due to go round")
        )
        return Window(left, profile.offer_after_minutes, text)
    if profile.others is not None and play.stints:
        return _until_the_end(profile.others, play)
    return None


def _until_the_end(rule: OthersRule, play: Play) -> Window:
    """How long the game may go on if no other player banks from now on."""
    within = rule.within_minutes * _MINUTE
    banked_until: dict[str, timedelta] = {}
    for stint in play.stints:
        if not stint.provider:
            banked_until[stint.player] = (stint.ended_at or play.now) - play.now
    lately = sorted(banked_until.values(), reverse=True)
    left = play.stints[0].began_at - play.now + within
    if len(lately) >= rule.needed:
        left = max(left, lately[rule.needed - 1] + within)
    counted = sum(1 for until in lately if until + within > timedelta(0))
    minutes = _rounded_up(left)
    then = (
        Phrase("the game ends in {minutes} unless others bank", minutes=_minutes(minutes))
        if minutes
        else Phrase("the game ends")
    )
    others = Phrase(
        "{counted} of {needed} players other than a provider's",
        counted=min(counted, rule.needed),
        needed=rule.needed,
    )
    return Window(
        minutes,
        rule.within_minutes,
        Phrase(
            "{others} have banked within {within_minutes} minutes: {then}",
            others=others,
            within_minutes=rule.within_minutes,
            then=then,
        ),
    )


def _rounded_up(left: timedelta) -> int:
    return max(0, -(-left // _MINUTE))


def _minutes(count: int) -> str:
    return plural("{n} minute", "{n} minutes", count)
