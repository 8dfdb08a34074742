"""Who must be offered the bank next, and why: turns, offers and answers against a dated profile.

Seats are numbered clockwise. Pure functions without state or clock: the floor passes the turn, the seats and the
recorded answers (for profiles by time also the instant and who has banked when), and carries the step out.
"""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from games.datafile import Entry, read_data_file
from games.phrases import Phrase, plural
from games.rulebook import Rulebook

PROFILES: tuple[str, ...] = ("two_rounds", "every_hand", "intervening", "every_hour", "forty_minutes")
#: What stands for a profile where the house banks: nothing is offered. No filing names it.
HOUSE_BANKS = "house_banks"
ACCEPTED, DECLINED, ABSENT, INELIGIBLE = ANSWERS = ("accepted", "declined", "absent", "ineligible")

AFTER_ALL_DECLINE, AFTER_PAUSE, NEVER = RENEWALS = ("after_all_decline", "after_pause", "never")
"""When the last bank may take a new turn once all others have declined."""

_FOLDER = Path(__file__).parent
#: How a caller names players: by id, or by name.
Key = TypeVar("Key", int, str)
_FOR_EVER = datetime.max.replace(tzinfo=UTC)


class OthersRule(NamedTuple):
    """So many players who are not a provider's must have banked in any so many minutes, or the game ends."""

    needed: int
    within_minutes: int


@dataclass(frozen=True, slots=True)
class Profile:
    """One rule of rotation: an offer is due after so many settled rounds in a row, or so many minutes.

    In force from `in_force_from` until, where given, the day before `in_force_until`, and on no day at all once
    `suspended`; `note` says so in words. `pause_minutes` is how long the game stops before the last bank goes on;
    `provider_may_renew` false requires another player after a provider's player. Where the `house` banks nobody is
    offered anything.
    """

    id: str
    name: str
    in_force_from: date
    in_force_until: date | None
    suspended: bool
    note: str
    offer_after_rounds: int | None
    offer_after_minutes: int | None
    renewal: str
    pause_minutes: int
    provider_may_renew: bool
    others: OthersRule | None
    clause: str
    renew_clause: str
    house: bool = False

    def in_force(self, day: date) -> bool:
        """Whether the rule holds on `day`."""
        return (
            not self.suspended
            and self.in_force_from <= day
            and (self.in_force_until is None or day < self.in_force_until)
        )

    @property
    def needs_play(self) -> bool:
        """Whether the profile depends on times or on who is a provider's player: `next_step` then takes `play`."""
        return (
            self.offer_after_minutes is not None
            or self.renewal == AFTER_PAUSE
            or self.others is not None
            or not self.provider_may_renew
        )


class Turn(NamedTuple):
    """A player's stay at the bank, and the settled `rounds` in a row that count against its limit (ruling 40).

    Voids do not count. Rounds of the same player's earlier turns at the table do, unless the count was reset.
    """

    seat: int
    player: str
    rounds: int


class Stint(NamedTuple):
    """Who banked from when until when (UTC; `ended_at` None: still), and whether for a provider of players."""

    player: str
    provider: bool
    began_at: datetime
    ended_at: datetime | None = None


class Play(NamedTuple):
    """The game at the instant `now`: its stints at the bank, the present one last, and since when it pauses."""

    now: datetime
    stints: tuple[Stint, ...]
    paused_at: datetime | None = None


class Answer(NamedTuple):
    """What a seat said to the offer: `accepted`, `declined`, `absent` or `ineligible`."""

    seat: int
    answer: str


class Step(NamedTuple):
    """What comes next at the bank.

    `house`: the house banks, nobody is asked. `keep`: the turn goes on, no offer is due. `offer`: `seat` must be offered the bank. `taken`: `seat`
    accepted. `renew`: all declined, the last bank may take a new turn. `vacant`: no player banks. Of profiles that
    go by time also `pause`: the game stops for some minutes, and `end`: it is over.
    """

    kind: str
    seat: int | None
    reason: str
    clause: str


@cache
def load_profile(profile_id: str) -> Profile:
    """The profile of that id; KeyError when there is none, DataFileError when its file is invalid."""
    if profile_id not in (*PROFILES, HOUSE_BANKS):
        raise KeyError(f"{profile_id!r} is no rotation profile; there are {', '.join(PROFILES)}")
    return read_profile(_FOLDER / f"{profile_id}.toml")


def read_profile(path: Path) -> Profile:
    """A profile from a file; DataFileError names the file and the key of the first fault."""
    entry = read_data_file(path)
    profile = Profile(
        id=entry.text("id"),
        name=entry.text("name"),
        in_force_from=entry.day("in_force_from"),
        in_force_until=entry.day("in_force_until") if entry.has("in_force_until") else None,
        suspended=entry.flag("suspended") if entry.has("suspended") else False,
        note=entry.text("note") if entry.has("note") else "",
        offer_after_rounds=_optional(entry, "offer_after_rounds"),
        offer_after_minutes=_optional(entry, "offer_after_minutes"),
        renewal=entry.one_of("renewal", RENEWALS) if entry.has("renewal") else AFTER_ALL_DECLINE,
        pause_minutes=_optional(entry, "pause_minutes") or 0,
        provider_may_renew=entry.flag("provider_may_renew") if entry.has("provider_may_renew") else True,
        others=_read_others(entry.table("others")) if entry.has("others") else None,
        clause=entry.text("clause"),
        renew_clause=entry.text("renew_clause"),
        house=entry.flag("house") if entry.has("house") else False,
    )
    if profile.in_force_until is not None and profile.in_force_until <= profile.in_force_from:
        raise entry.error("in_force_until", "must be after in_force_from")
    counts = profile.offer_after_rounds is not None or profile.offer_after_minutes is not None
    if profile.house:
        if counts:
            raise entry.error("house", "asks nobody: leave out after how many rounds or minutes")
    elif not counts:
        raise entry.error(
            "offer_after_rounds", "is missing, and so is offer_after_minutes: one of them must be given"
        )
    if (profile.renewal == AFTER_PAUSE) != (profile.pause_minutes > 0):
        raise entry.error("pause_minutes", f"belongs to the renewal {AFTER_PAUSE}, which needs it")
    entry.done()
    return profile


def profile_id_of(chosen: str, rulebook: Rulebook) -> str:
    """The id of the profile that a game is played by: the one that is filed, or else the rulebook's own."""
    if not rulebook.player_banked:
        return HOUSE_BANKS
    assert rulebook.rotation is not None  # the rulebook's reader asks every player-banked one for it
    return chosen or rulebook.rotation


def why_not_play_by(profile_id: str, rulebook: Rulebook, day: date) -> str | None:
    """None where a game of `rulebook` may be played by a profile on `day`, else why not in a sentence.

    An empty id is the rulebook's own profile, which holds as long as the rulebook does: its first day is the one on
    which the document was read, and is not compared with `day`.
    """
    own = rulebook.rotation or ""
    if not (chosen := profile_id or own):
        return None
    if not rulebook.player_banked:
        return Phrase(
            "By the rules of {id} the house banks: nothing rotates. Name no rotation profile.", id=rulebook.id
        )
    if chosen not in PROFILES:
        return Phrase(
            "There is no rotation profile {chosen}. There are {profiles}.",
            chosen=f"{chosen!r}",
            profiles=", ".join(PROFILES),
        )
    profile = load_profile(chosen)
    if profile.in_force(max(day, profile.in_force_from) if chosen == own else day):
        return None
    ended = Phrase(" and is suspended") if profile.suspended else ""
    until = (
        Phrase(" until {in_force_until}", in_force_until=profile.in_force_until)
        if profile.in_force_until is not None
        else ""
    )
    note = Phrase(" {note}.", note=profile.note) if profile.note else ""
    return Phrase(
        "{name} was in force from {in_force_from}{until}{ended}: it is not on {day}.{note}",
        name=profile.name,
        in_force_from=profile.in_force_from,
        until=until,
        ended=ended,
        day=day,
        note=note,
    )


def _optional(entry: Entry, key: str) -> int | None:
    return entry.number(key, least=1) if entry.has(key) else None


def _read_others(entry: Entry) -> OthersRule:
    rule = OthersRule(entry.number("needed", least=1), entry.number("within_minutes", least=1))
    entry.done()
    return rule


def clockwise(seats: Collection[int], first: int) -> list[int]:
    """The seats once round the table, from seat `first` on."""
    by_number = sorted(seats if isinstance(seats, dict) else set(seats))
    place = bisect_left(by_number, first)
    return by_number[place:] + by_number[:place]


def starts_anew(player: Key, seated: Collection[Key], answers: Mapping[Key, str]) -> bool:
    """Whether a turn that `player` begins now resets the count of rounds in a row (ruling 40).

    It does when the bank was offered to every other player and none accepted: each player of `seated` has an answer
    among `answers`, which are those of this run of offers by player. Without another player to ask there is no refusal:
    a table with the last bank alone does not reset the count.
    """
    others = {other: answer for other, answer in answers.items() if other != player}
    return (
        bool(others)
        and ACCEPTED not in others.values()
        and all(other in others for other in seated if other != player)
    )


def is_full(profile: Profile, rounds: int) -> bool:
    """Whether a player who has banked `rounds` in a row has reached the profile's limit; false where it has none."""
    return profile.offer_after_rounds is not None and rounds >= profile.offer_after_rounds


def seats_to_ask(
    profile: Profile,
    occupied: Collection[int],
    *,
    last_bank: Collection[int],
    of_provider: bool,
    answered: Collection[int],
    rounds: int = 0,
    asked: bool = True,
) -> list[int]:
    """The seats, of those `occupied`, that offers go to while the bank is vacant.

    `last_bank` is where the player of the last settled round sits now (`of_provider`: for a provider), who has banked
    `rounds` in a row. That player is asked once all others have answered, after a move, a pause or a closing of the
    table too. With a full count another player must have been asked first (`asked`). Where the profile has another
    player follow, the last bank is not asked at all.
    """
    others = sorted(set(occupied) - set(last_bank))
    barred = profile.renewal == NEVER or (of_provider and not profile.provider_may_renew)
    if barred or not set(answered).issuperset(others):
        return others
    if not asked and profile.renewal == AFTER_ALL_DECLINE and is_full(profile, rounds):
        return others
    return sorted(occupied)


def next_step(
    profile: Profile,
    *,
    turn: Turn | None,
    occupied: Collection[int],
    answers: Sequence[Answer],
    start_seat: int | None = None,
    asked_last: int | None = None,
    play: Play | None = None,
) -> Step:
    """What must happen at the bank before the next round.

    `occupied` are the seats of eligible players, `answers` those given since the offer fell due, by the seats where
    their players sit now; of two answers of one seat the later counts. Offers go clockwise from the seat after
    `asked_last`, the one that was asked last in this run of offers; before the first of a run from the seat after the
    bank's, and without a bank from `start_seat`, by default seat 1. ValueError for an answer there is not, and without
    `play` where the profile needs it.
    """
    given = _last_answers(answers)
    if profile.needs_play and play is None:
        raise ValueError(f"the profile {profile.id} goes by what was played when: give it")
    if without := _step_without_offers(profile, play):
        return without
    if turn is None:
        why: str = Phrase("nobody holds the bank")
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
    others = _others(turn, occupied, start_seat, asked_last)
    for seat in others:
        answer_given = given.get(seat)
        if answer_given is None:
            return Step(
                "offer",
                seat,
                Phrase("{why}: offer the bank to seat {seat}", why=why, seat=seat),
                profile.clause,
            )
        if answer_given == ACCEPTED:
            return Step("taken", seat, Phrase("seat {seat} accepted the bank", seat=seat), profile.clause)
    nobody = (
        Phrase("every other seat has answered no")
        if others
        else Phrase("no other eligible player is at the table")
    )
    if turn is None:
        nobody = (
            Phrase("every seat has answered no") if others else Phrase("no eligible player is at the table")
        )
        return Step(
            "vacant",
            None,
            Phrase("{why} and {nobody}: no round can be dealt", why=why, nobody=nobody),
            profile.clause,
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


def _step_without_offers(profile: Profile, play: Play | None) -> Step | None:
    """The step where no bank is offered whoever holds it: the house banks, or the game is over."""
    if profile.house:
        return Step("house", None, Phrase("the house banks"), profile.clause)
    if play is not None and (ended := _why_game_ends(profile, play)):
        return Step("end", None, ended, profile.clause)
    return None


def seat_to_offer(
    profile: Profile,
    *,
    turn: Turn | None,
    occupied: Collection[int],
    answers: Sequence[Answer],
    start_seat: int | None = None,
    asked_last: int | None = None,
    play: Play | None = None,
) -> int | None:
    """The seat that must be offered the bank: that of `next_step` where it says `offer`, and else None."""
    if profile.house or (play is not None and _why_game_ends(profile, play)):
        return None
    if turn is not None and _left(profile, turn, play) is not None:
        return None
    given = dict(answers)
    for seat in _others(turn, occupied, start_seat, asked_last):
        if seat not in given:
            return seat
        if given[seat] == ACCEPTED:
            return None
    return None


def _others(
    turn: Turn | None, occupied: Collection[int], start_seat: int | None, asked_last: int | None
) -> list[int]:
    """The seats that offers go to, in their order: clockwise from where they stand. The bank's is not among them."""
    if asked_last is not None:
        first = asked_last + 1
    elif turn is not None:
        first = turn.seat
    else:
        first = start_seat or 1
    seats = clockwise(occupied, first)
    return seats if turn is None else [seat for seat in seats if seat != turn.seat]


def goes_on(profile: Profile, turn: Turn, play: Play | None = None) -> bool:
    """Whether `turn` goes on and no offer is due: what `next_step` calls `keep`, independent of the seats."""
    if play is not None and _why_game_ends(profile, play):
        return False
    return _left(profile, turn, play) is not None


def _last_answers(answers: Sequence[Answer]) -> dict[int, str]:
    for answer in answers:
        if answer.answer not in ANSWERS:
            raise ValueError(f"{answer.answer!r} is no answer; there are {', '.join(ANSWERS)}")
    return {answer.seat: answer.answer for answer in answers}


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


def minutes_banked(profile: Profile, play: Play) -> int:
    """Whole minutes that the same player has banked, turn after turn, since the game stopped last.

    It stopped where a pause is on record, and where the bank was vacant for as long as the profile's pause: a table
    that was closed for less has not stopped.
    """
    present = play.stints[-1]
    began_at = present.began_at
    paused_at = play.paused_at if play.paused_at is not None and play.paused_at <= began_at else None
    least = timedelta(minutes=profile.pause_minutes)
    for stint in reversed(play.stints[:-1]):
        if stint.player != present.player or (paused_at is not None and stint.began_at < paused_at):
            break
        if least and stint.ended_at is not None and began_at - stint.ended_at >= least:
            break
        began_at = stint.began_at
    return (play.now - began_at) // timedelta(minutes=1)


def _why_game_ends(profile: Profile, play: Play) -> str | None:
    """Why the game is over: too few players besides a provider's have banked in the time up to now."""
    rule = profile.others
    if rule is None or not play.stints:
        return None
    since = play.now - timedelta(minutes=rule.within_minutes)
    if play.stints[0].began_at > since:
        return None
    others: set[str] = set()
    for player, provider, _, ended_at in reversed(play.stints):  # from the last one: mostly two or three tell
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
    for player, provider, _, ended_at in reversed(play.stints):
        if ended_at is not None and ended_at <= play.now - within:
            break
        if not provider:
            others.add(player)
            lasts = min(lasts, ended_at or play.now)
            if len(others) >= rule.needed:
                return lasts + within
    return play.now


def _why_not_renew(profile: Profile, turn: Turn, play: Play | None) -> str | None:
    if profile.renewal == NEVER:
        return Phrase("another player must bank before {player} does again", player=turn.player)
    if not profile.provider_may_renew and play is not None and play.stints and play.stints[-1].provider:
        return Phrase(
            "{player} banks for a provider: somebody else must take the next turn", player=turn.player
        )
    return None


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


def paused_since_turn(play: Play) -> datetime | None:
    """Since when the game is stopped in the present turn; a stop before the turn does not count."""
    began_at = play.stints[-1].began_at if play.stints else None
    if play.paused_at is None or (began_at is not None and play.paused_at < began_at):
        return None
    return play.paused_at


def _seconds(left: timedelta) -> str:
    """The rest of a stop, rounded up to the second: "1 minute 5 seconds"."""
    minutes, seconds = divmod(-(-left // timedelta(seconds=1)), 60)
    in_minutes = plural("{n} minute", "{n} minutes", minutes)
    if not seconds:
        return in_minutes
    in_seconds = plural("{n} second", "{n} seconds", seconds)
    return Phrase("{minutes} {seconds}", minutes=in_minutes, seconds=in_seconds) if minutes else in_seconds


def why_not_bank(
    profile: Profile,
    *,
    turn: Turn | None,
    seat: int,
    occupied: Collection[int],
    answers: Sequence[Answer],
    start_seat: int | None = None,
    asked_last: int | None = None,
    play: Play | None = None,
) -> str | None:
    """None when the player at `seat` may bank the next round, else the reason in a sentence for the floor.

    The same check serves the page, the API and the act of opening a round.
    """
    step = next_step(
        profile,
        turn=turn,
        occupied=occupied,
        answers=answers,
        start_seat=start_seat,
        asked_last=asked_last,
        play=play,
    )
    if step.kind in ("keep", "taken"):
        if step.seat == seat:
            return None
        return Phrase(
            "seat {seat} cannot bank: {reason} ({clause})", seat=seat, reason=step.reason, clause=step.clause
        )
    if step.kind == "renew" and seat == step.seat:
        return Phrase(
            "record first that the last bank takes a new turn: {reason} ({clause})",
            reason=step.reason,
            clause=step.clause,
        )
    return Phrase(
        "seat {seat} cannot bank: {reason} ({clause})", seat=seat, reason=step.reason, clause=step.clause
    )
