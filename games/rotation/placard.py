"""Sentences for a placard on the rotation of the bank."""

from collections.abc import Iterator

from games.notices import Notice, number_in_words
from games.rotation import AFTER_PAUSE, NEVER, Profile


def rotation_rules(profile: Profile, clause: str | None = None) -> Iterator[Notice]:
    """The rotation of the bank under a profile; `clause` is the rulebook's own, where the profile is its own."""
    clause = profile.clause if clause is None else clause
    if profile.offer_after_rounds is not None:
        rounds = profile.offer_after_rounds
        many = "one round" if rounds == 1 else f"{number_in_words(rounds)} rounds in a row"
        yield Notice(f"A player may bank {many}; then the bank is offered clockwise, seat by seat.", clause)
    if profile.offer_after_minutes is not None:
        yield Notice(
            f"A player may bank for {profile.offer_after_minutes} minutes; then the bank is offered clockwise, "
            "seat by seat.",
            clause,
        )
    yield Notice("Nobody has to take the bank, and staff of the house may not.", "ruling 41")
    yield Notice(_renewal(profile), profile.renew_clause)
    if not profile.provider_may_renew:
        yield Notice("After a provider's player somebody else takes the next turn.", profile.renew_clause)
    if profile.others is not None:
        yield Notice(
            f"In any {profile.others.within_minutes} minutes at least {number_in_words(profile.others.needed)} "
            "players other than a provider's must have banked, or the game ends.",
            clause,
        )


def _renewal(profile: Profile) -> str:
    if profile.renewal == NEVER:
        return "Whoever has banked waits until another player has, before banking again."
    if profile.renewal == AFTER_PAUSE:
        minutes = number_in_words(profile.pause_minutes)
        return f"If everybody else declines, the game stops for {minutes} minutes before the same player banks again."
    return "If everybody else declines, the last bank may take a new turn."
