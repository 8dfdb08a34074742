"""Chooses the seat of the next offer of the bank, or what else comes next, from turns, offers and a dated rotation profile.

Seats are numbered clockwise. Pure functions without state or clock: the floor passes the turn, the seats and the
recorded answers (for profiles by time also the instant and who has banked when), and carries the step out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import NamedTuple

from games.phrases import Phrase, plural

from .offers import ACCEPTED, Answer, first_without_no, is_barred, last_answers, seats_in_order
from .play import Play, Turn, minutes_banked, paused_since_turn, why_game_ends
from .profile import AFTER_ALL_DECLINE, AFTER_PAUSE, Profile


class Step(NamedTuple):
    """What comes next at the bank.

    `house`: the house banks, nobody is asked. `keep`: the turn goes on, no offer is due. `offer`: `seat` must be offered
    the bank. `taken`: `seat` accepted. `renew`: all declined, the last bank may take a new turn. `vacant`: no player
    banks. Of profiles that go by time also `pause`: the game stops for some minutes, and `end`: it is over.
    """

    kind: str
    seat: int | None
    reason: str
    clause: str


def next_step(
    profile: Profile,
    *,
    turn: Turn | None,
    occupied: Collection[int],
    answers: Sequence[Answer],
    start_seat: int | None = None,
    asked_last: int | None = None,
    play: Play | None = None,
    new_game: bool = False,
    waits: str = "",
) -> Step:
    """What must happen at the bank before the next round.

    `occupied` are the seats of eligible players, `answers` those given since the offer fell due, by the seats where
    their players sit now; of two answers of one seat the later counts. Offers go in the profile's direction from the seat after
    `asked_last`, the one that was asked last in this run of offers; before the first of a run from the seat after the
    bank's, and without a bank from `start_seat`, by default the first or the last seat. ValueError for an answer there is not, and without
    `play` where the profile needs it.

    Without a bank `waits` is the player of the last settled round, where one is at the table, and `new_game` says that the
    game ended since: everybody had declined.
    """
    given = last_answers(answers)
    if profile.needs_play and play is None:
        raise ValueError(f"the profile {profile.id} goes by what was played when: give it")
    if without := _step_without_offers(profile, play):
        return without
    if turn is None:
        why: str = Phrase("a new game begins") if new_game else Phrase("nobody holds the bank")
    else:
        left = _left(profile, turn, play)
        if left is not None:
            return Step(
                "keep",
                turn.seat,
                Phrase("{player} may bank {left} before an offer is due", player=turn.player, left=left),
                profile.clause,
            )
        why = _banked(profile, turn, play)
    others = seats_in_order(profile, turn, occupied, start_seat, asked_last)
    seat = first_without_no(others, given)
    if seat in given:
        return Step("taken", seat, Phrase("seat {seat} accepted the bank", seat=seat), profile.clause)
    if seat is not None:
        return Step(
            "offer", seat, Phrase("{why}: offer the bank to seat {seat}", why=why, seat=seat), profile.clause
        )
    if turn is None:
        return _vacant(profile, why, asked=bool(others), ended=asked_last is not None, waits=waits)
    nobody = (
        Phrase("every other seat has answered no")
        if others
        else Phrase("no other eligible player is at the table")
    )
    if turn.seat not in occupied:
        return Step(
            "vacant",
            None,
            Phrase("{nobody}, and {player} has left the bank", nobody=nobody, player=turn.player),
            profile.clause,
        )
    asked = bool(given) or asked_last is not None
    return _renewal(
        profile,
        turn,
        Phrase("{why} and {nobody}", why=why, nobody=nobody),
        given.get(turn.seat),
        play,
        asked=asked,
    )


def _vacant(profile: Profile, why: str, *, asked: bool, ended: bool, waits: str) -> Step:
    """Nobody holds the bank, and every seat was `asked`, or there is none to ask but the last bank, who `waits`.

    `ended`: somebody has answered, and so the game is over where the profile says so.
    """
    nobody = Phrase("every seat has answered no") if asked else Phrase("no eligible player is at the table")
    if (asked or ended) and profile.game_ends:
        over = Phrase("{why} and {nobody}: {ended}", why=why, nobody=nobody, ended=GAME_ENDED)
        return Step("vacant", None, over, profile.renew_clause)
    if waits and not asked and not ended:
        others = Phrase("{why}: the bank is offered to others than {player} first", why=why, player=waits)
        return Step("vacant", None, others, profile.clause)
    return Step(
        "vacant",
        None,
        Phrase("{why} and {nobody}: no round can be dealt", why=why, nobody=nobody),
        profile.clause,
    )


def _step_without_offers(profile: Profile, play: Play | None) -> Step | None:
    """The step where no bank is offered whoever holds it: the house banks, or the game is over."""
    if profile.house:
        return Step("house", None, Phrase("the house banks"), profile.clause)
    if play is not None and (ended := why_game_ends(profile, play)):
        return Step("end", None, ended, profile.clause)
    return None


def goes_on(profile: Profile, turn: Turn, play: Play | None = None) -> bool:
    """Whether `turn` goes on and no offer is due: what `next_step` calls `keep`, independent of the seats."""
    if play is not None and why_game_ends(profile, play):
        return False
    return _left(profile, turn, play) is not None


def _left(profile: Profile, turn: Turn, play: Play | None) -> str | None:
    """What the bank may still play before an offer is due, in words; None when one is due now."""
    if profile.offer_after_rounds is not None and turn.rounds >= profile.offer_after_rounds:
        return None
    if profile.offer_after_minutes is not None:
        assert play is not None  # next_step has asked for it
        minutes = profile.offer_after_minutes - minutes_banked(profile, play)
        return plural("{n} more minute", "{n} more minutes", minutes) if minutes > 0 else None
    assert profile.offer_after_rounds is not None  # read_profile has asked for one of the two
    rounds = profile.offer_after_rounds - turn.rounds
    return plural("{n} more round", "{n} more rounds", rounds)


def _banked(profile: Profile, turn: Turn, play: Play | None) -> str:
    if profile.offer_after_rounds is None and play is not None:
        minutes = minutes_banked(profile, play)
        return Phrase("{player} has banked for {minutes} minutes", player=turn.player, minutes=minutes)
    return plural(
        "{player} has banked {n} round",
        "{player} has banked {n} rounds in a row",
        turn.rounds,
        player=turn.player,
    )


def _why_not_renew(profile: Profile, turn: Turn, play: Play | None) -> str | None:
    of_provider = play is not None and bool(play.stints) and play.stints[-1].provider
    if not is_barred(profile, turn.rounds, of_provider=of_provider):
        return None
    if profile.another_first:
        return Phrase("another player must bank before {player} does again", player=turn.player)
    if of_provider and not profile.provider_may_renew:
        return Phrase(
            "{player} banks for a provider: somebody else must take the next turn", player=turn.player
        )
    return GAME_ENDED


#: What follows where the game ends once all have declined (ruling 53).
GAME_ENDED = Phrase(
    "the game has ended until somebody else takes the bank, and the floor may close the table"
)


def _renewal(
    profile: Profile, turn: Turn, why: str, answer: str | None, play: Play | None, *, asked: bool
) -> Step:
    """All others have declined: the last bank may take a new turn, if the profile allows it (ruling 40).

    Without `asked` there was no other player, and so no refusal.
    """
    if barred := _why_not_renew(profile, turn, play):
        return Step("vacant", None, Phrase("{why}: {barred}", why=why, barred=barred), profile.renew_clause)
    if profile.renewal == AFTER_ALL_DECLINE and not asked:
        return Step(
            "vacant", None, Phrase("{why}: the bank is offered when one sits down", why=why), profile.clause
        )
    if profile.renewal == AFTER_PAUSE:
        assert play is not None  # next_step has asked for it
        paused_at = paused_since_turn(play)
        if paused_at is None:
            stop = Phrase(
                "{why}: the game stops for {pause_minutes} minutes",
                why=why,
                pause_minutes=profile.pause_minutes,
            )
            return Step("pause", None, stop, profile.renew_clause)
        left = timedelta(minutes=profile.pause_minutes) - (play.now - paused_at)
        if left > timedelta(0):
            stop = Phrase(
                "{why}: the game has stopped, and may go on in {left}", why=why, left=_seconds(left)
            )
            return Step("pause", None, stop, profile.renew_clause)
    if answer == ACCEPTED:
        return Step(
            "taken",
            turn.seat,
            Phrase("{why}: {player} takes a new turn", why=why, player=turn.player),
            profile.renew_clause,
        )
    if answer is not None:
        return Step(
            "vacant",
            None,
            Phrase("{why}, and {player} takes no new turn", why=why, player=turn.player),
            profile.renew_clause,
        )
    return Step(
        "renew",
        turn.seat,
        Phrase("{why}: {player} may take a new turn", why=why, player=turn.player),
        profile.renew_clause,
    )


def _seconds(left: timedelta) -> str:
    """The rest of a stop, rounded up to the second: "1 minute 5 seconds"."""
    minutes, seconds = divmod(-(-left // timedelta(seconds=1)), 60)
    in_minutes = plural("{n} minute", "{n} minutes", minutes)
    if not seconds:
        return in_minutes
    in_seconds = plural("{n} second", "{n} seconds", seconds)
    return Phrase("{minutes} {seconds}", minutes=in_minutes, seconds=in_seconds) if minutes else in_seconds
