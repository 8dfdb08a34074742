"""Who may be offered the bank by what they have wagered at the table, where an approval asks for it (ruling 52)."""

from __future__ import annotations

from typing import NamedTuple

from games.phrases import Phrase, plural

from .profile import Profile

#: The terms of an approval that say who is not eligible: the reasons of an `ineligible` that is recorded by hand.
WAGERED_ROUNDS, PREVIOUS_ROUND = TERMS = ("wagered_rounds", "previous_round")


class Wagering(NamedTuple):
    """What a player has wagered at a table: in so many settled rounds since sitting down, and in the last one at that seat.

    The player-dealer's own wager counts. Of `rounds` as many are known as the profile asks for, or more.
    """

    rounds: int
    previous: bool


class Ineligible(NamedTuple):
    """Why a player is not offered the bank: the approval's term, in words, and its clause."""

    term: str
    text: str
    clause: str

    @property
    def reason(self) -> str:
        """Why, with its clause."""
        return f"{self.text} ({self.clause})"


def why_ineligible(profile: Profile, wagering: Wagering) -> Ineligible | None:
    """None for a player who may be offered the bank."""
    if wagering.rounds < profile.wagered_rounds:
        return Ineligible(
            WAGERED_ROUNDS,
            plural(
                "wagered in {rounds} of {n} round since sitting down",
                "wagered in {rounds} of {n} rounds since sitting down",
                profile.wagered_rounds,
                rounds=wagering.rounds,
            ),
            profile.wagered_clause,
        )
    if profile.previous_round and not wagering.previous:
        return Ineligible(
            PREVIOUS_ROUND, Phrase("no wager at this seat in the round before"), profile.previous_clause
        )
    return None


def eligible_words(profile: Profile) -> str:
    """What a player has done who may be offered the bank."""
    if not profile.wagered_rounds:
        return Phrase("wagered at this seat in the round before")
    wagered = plural(
        "wagered in {n} round since sitting down",
        "wagered in {n} rounds since sitting down",
        profile.wagered_rounds,
    )
    return (
        Phrase("{wagered}, and in the round before", wagered=wagered) if profile.previous_round else wagered
    )


def terms_asked(profile: Profile) -> dict[str, str]:
    """The terms that the profile asks for, each with its words where a player does not meet it."""
    asked: dict[str, str] = {}
    if profile.wagered_rounds:
        asked[WAGERED_ROUNDS] = plural(
            "wagered in fewer than {n} round since sitting down",
            "wagered in fewer than {n} rounds since sitting down",
            profile.wagered_rounds,
        )
    if profile.previous_round:
        asked[PREVIOUS_ROUND] = Phrase("no wager at this seat in the round before")
    return asked
