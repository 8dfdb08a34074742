"""Rotation profiles: after how many rounds or minutes the bank is offered, to whom, which way, and what follows when all decline.

Dated data, a file each with its clause (`*.toml` in this folder): of a law or a ruling, never of one game's document. What
a document says of its own profile, and what an approval says of who may bank, is in the rulebook, and `profile_under` puts
the two together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from games.datafile import Entry, read_data_file
from games.phrases import Phrase, plural
from games.rulebook import CLOCKWISE, DIRECTIONS, GAME_ENDS, LAST_BANK_MAY_RENEW, MayBank, Rulebook

PROFILES: tuple[str, ...] = ("two_rounds", "every_hand", "intervening", "every_hour", "forty_minutes")
#: The id in place of a profile's where the house banks: nothing is offered. No filing names it.
HOUSE_BANKS = "house_banks"
AFTER_ALL_DECLINE, AFTER_PAUSE, NEVER, AFTER_GAME = RENEWALS = (
    "after_all_decline",
    "after_pause",
    "never",
    "after_game",
)
"""When the last bank may take a new turn once all others have declined.

With the last two the game ends then (ruling 53). `never`: another player banks first in any case; `after_game`: a player
whose count is not full may come back to the bank before.
"""
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

    Offers go in `direction`. Asked is who has wagered in so many settled `wagered_rounds` since sitting down, and with
    `previous_round` in the round before at that seat (ruling 52). Each has its clause.
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
    direction: str = CLOCKWISE
    wagered_rounds: int = 0
    previous_round: bool = False
    direction_clause: str = ""
    wagered_clause: str = ""
    previous_clause: str = ""

    def in_force(self, day: date) -> bool:
        """Whether the rule holds on `day`."""
        return (
            not self.suspended
            and (self.in_force_from is None or self.in_force_from <= day)
            and (self.in_force_until is None or day < self.in_force_until)
        )

    @property
    def another_first(self) -> bool:
        """Whether another player must bank before the last one does again, in the same game."""
        return self.renewal == NEVER

    @property
    def game_ends(self) -> bool:
        """Whether the game ends once everybody else has declined: until somebody else takes the bank."""
        return self.renewal in (NEVER, AFTER_GAME)

    @property
    def asks_others_first(self) -> bool:
        """Whether somebody else must have been asked before a full count may begin anew."""
        return self.renewal != AFTER_PAUSE

    @property
    def has_eligibility(self) -> bool:
        """Whether it hangs on what players have wagered whether they are asked."""
        return bool(self.wagered_rounds) or self.previous_round

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
        direction=entry.one_of("direction", DIRECTIONS) if entry.has("direction") else CLOCKWISE,
        wagered_rounds=entry.number("wagered_rounds") if entry.has("wagered_rounds") else 0,
        previous_round=entry.flag("previous_round") if entry.has("previous_round") else False,
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
    """The profile by which a game of `rulebook` is played (`profile_id_of`), with what its document says of it.

    An approval's own terms of who may bank, each with its clause, go before those of the profile.
    """
    return _under(rulebook, profile_id_of(chosen, rulebook))


@lru_cache(maxsize=1024)
def _under(rulebook: Rulebook, profile_id: str) -> Profile:
    profile = profile_supposed(rulebook, profile_id)
    if profile.house or rulebook.may_bank == MayBank():
        return profile
    return _with_terms(profile, rulebook.may_bank, rulebook)


@lru_cache(maxsize=1024)
def profile_supposed(rulebook: Rulebook, profile_id: str) -> Profile:
    """The profile of that id as if a game of `rulebook` were played by it: in the game's direction, else as it is.

    A document does not mention a profile that is not its own: one that is filed beside it keeps the profile's clauses.
    """
    profile = load_profile(profile_id)
    if profile.id == rulebook.rotation:
        clause, renewal = rulebook.rotation_clause, rulebook.renewal_clause
        profile = replace(
            profile,
            clause=profile.clause if clause is None else rulebook.clause_id(clause),
            renew_clause=profile.renew_clause if renewal is None else rulebook.clause_id(renewal),
        )
    if profile.house or rulebook.direction == profile.direction:
        return profile
    turned = replace(
        profile,
        direction=rulebook.direction,
        direction_clause=rulebook.sources.get("order.direction") or profile.clause,
    )
    return _renamed(turned)


def _with_terms(profile: Profile, terms: MayBank, rulebook: Rulebook) -> Profile:
    """The profile with an approval's own terms in place of its own (rulings 52 and 53)."""

    def clause(term: str, otherwise: str) -> str:
        return rulebook.sources.get(f"may_bank.{term}") or otherwise

    said = replace(
        profile,
        wagered_rounds=terms.wagered_rounds or profile.wagered_rounds,
        wagered_clause=clause("wagered_rounds", profile.clause),
        previous_round=terms.previous_round or profile.previous_round,
        previous_clause=clause("previous_round", profile.clause),
    )
    if terms.rounds is not None:
        said = replace(
            said,
            offer_after_rounds=terms.rounds,
            offer_after_minutes=None,
            clause=clause("rounds", profile.clause),
        )
    if (renewal := _renewal_by(terms, profile.renewal)) != profile.renewal:
        said = replace(said, renewal=renewal, pause_minutes=0)
    said = replace(said, renew_clause=clause("all_decline", clause("another_first", profile.renew_clause)))
    changed = (said.offer_after_rounds, said.renewal) != (profile.offer_after_rounds, profile.renewal)
    return _renamed(said) if changed else said


def _renewal_by(terms: MayBank, renewal: str) -> str:
    """What follows when all decline: as the approval says, else as the profile does.

    Where another player must bank first and the last bank may still renew, that is once all have declined.
    """
    if terms.all_decline == LAST_BANK_MAY_RENEW:
        return AFTER_ALL_DECLINE if renewal in (NEVER, AFTER_GAME) else renewal
    if terms.another_first:
        return NEVER
    if terms.all_decline == GAME_ENDS:
        return NEVER if renewal == NEVER and terms.another_first is None else AFTER_GAME
    return AFTER_ALL_DECLINE if terms.another_first is False and renewal == NEVER else renewal


def _renamed(profile: Profile) -> Profile:
    """The profile under a name that says its own terms, where it counts rounds alone."""
    if profile.offer_after_rounds is None or profile.others is not None:
        return profile
    way = Phrase("clockwise") if profile.direction == CLOCKWISE else Phrase("counter-clockwise")
    name: str = plural(
        "{n} round, then an offer {way}",
        "{n} rounds, then an offer {way}",
        profile.offer_after_rounds,
        way=way,
    )
    if profile.another_first:
        name = Phrase("{name}, another player-dealer in between", name=name)
    return replace(profile, name=name)


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
