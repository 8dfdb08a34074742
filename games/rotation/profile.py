"""Rotation profiles: after how many rounds or minutes the bank is offered, and when its last holder may renew.

Dated data, a file each with its clause (`*.toml` in this folder): of a law or a ruling, never of one game's document. What
a document says of its own profile is in its rulebook, and `profile_under` puts the two together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import NamedTuple

from games.datafile import Entry, read_data_file
from games.phrases import Phrase
from games.rulebook import Rulebook

PROFILES: tuple[str, ...] = ("two_rounds", "every_hand", "intervening", "every_hour", "forty_minutes")
#: The id in place of a profile's where the house banks: nothing is offered. No filing names it.
HOUSE_BANKS = "house_banks"
AFTER_ALL_DECLINE, AFTER_PAUSE, NEVER = RENEWALS = ("after_all_decline", "after_pause", "never")
"""When the last bank may take a new turn once all others have declined."""
_FOLDER = Path(__file__).parent


class OthersRule(NamedTuple):
    """So many players who are not a provider's must have banked in any so many minutes, or the game ends."""

    needed: int
    within_minutes: int


@dataclass(frozen=True, slots=True)
class Profile:
    """One rule of rotation: an offer is due after so many settled rounds in a row, or so many minutes.

    In force from `in_force_from` until the day before `in_force_until`, each where its document prints it (ruling 59),
    and on no day at all once `suspended`; `note` says so in words. `pause_minutes` is how long the game stops before the
    last bank goes on; `provider_may_renew` false requires another player after a provider's player. Where the `house`
    banks nobody is offered anything.
    """

    id: str
    name: str
    in_force_from: date | None
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
            and (self.in_force_from is None or self.in_force_from <= day)
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
        in_force_from=entry.in_force_from(),
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
    since, until = profile.in_force_from, profile.in_force_until
    if since is not None and until is not None and until <= since:
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


def profile_under(rulebook: Rulebook, chosen: str = "") -> Profile:
    """The profile by which a game of `rulebook` is played (`profile_id_of`), with the clauses of its document."""
    return with_clauses(load_profile(profile_id_of(chosen, rulebook)), rulebook)


def with_clauses(profile: Profile, rulebook: Rulebook) -> Profile:
    """The profile with the clauses of the rulebook whose own it is.

    A document does not mention a profile that is not its own: one that is filed beside it keeps the profile's clauses.
    """
    if profile.id != rulebook.rotation:
        return profile
    clause, renewal = rulebook.rotation_clause, rulebook.renewal_clause
    return replace(
        profile,
        clause=profile.clause if clause is None else rulebook.clause_id(clause),
        renew_clause=profile.renew_clause if renewal is None else rulebook.clause_id(renewal),
    )


def profile_id_of(chosen: str, rulebook: Rulebook) -> str:
    """The id of the profile that a game is played by: the one that is filed, or else the rulebook's own."""
    if not rulebook.player_banked:
        return HOUSE_BANKS
    assert rulebook.rotation is not None  # the rulebook's reader asks every player-banked one for it
    return chosen or rulebook.rotation


def why_not_play_by(profile_id: str, rulebook: Rulebook, day: date) -> str | None:
    """None where a game of `rulebook` may be played by a profile on `day`, else why not in a sentence.

    An empty id is the rulebook's own profile.
    """
    if not (chosen := profile_id or rulebook.rotation or ""):
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
    if profile.in_force(day):
        return None
    since = (
        Phrase(" from {in_force_from}", in_force_from=profile.in_force_from)
        if profile.in_force_from is not None
        else ""
    )
    ended = Phrase(" and is suspended") if profile.suspended else ""
    until = (
        Phrase(" until {in_force_until}", in_force_until=profile.in_force_until)
        if profile.in_force_until is not None
        else ""
    )
    note = Phrase(" {note}.", note=profile.note) if profile.note else ""
    return Phrase(
        "{name} was in force{since}{until}{ended}: it is not on {day}.{note}",
        name=profile.name,
        since=since,
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


def is_full(profile: Profile, rounds: int) -> bool:
    """Whether a player who has banked `rounds` in a row has reached the profile's limit; false where it has none."""
    return profile.offer_after_rounds is not None and rounds >= profile.offer_after_rounds
