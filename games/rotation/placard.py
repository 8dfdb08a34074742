"""Sentences for a placard on the rotation of the bank."""

from collections.abc import Iterator

from games.notices import Notice, format_number
from games.phrases import Phrase, plural
from games.rotation.offers import way_round
from games.rotation.profile import AFTER_PAUSE, Profile


def rotation_rules(profile: Profile) -> Iterator[Notice]:
    """The rotation of the bank under a profile (`games.rotation.profile.profile_under`)."""
    clause = profile.clause
    way = way_round(profile.direction)
    if profile.offer_after_rounds == 1:
        yield Notice(
            Phrase("A player may bank one round; then the bank is offered {way}, seat by seat.", way=way),
            clause,
        )
    elif profile.offer_after_rounds is not None:
        yield Notice(
            Phrase(
                "A player may bank {rounds} rounds in a row; then the bank is offered {way}, seat by seat.",
                rounds=format_number(profile.offer_after_rounds),
                way=way,
            ),
            clause,
        )
    if profile.offer_after_minutes is not None:
        yield Notice(
            Phrase(
                "A player may bank for {minutes} minutes; then the bank is offered {way}, seat by seat.",
                minutes=str(profile.offer_after_minutes),
                way=way,
            ),
            clause,
        )
    if profile.wagered_rounds:
        yield Notice(
            plural(
                "The bank is offered to who has wagered in {n} round since sitting down.",
                "The bank is offered to who has wagered in {n} rounds since sitting down.",
                profile.wagered_rounds,
            ),
            profile.wagered_clause,
        )
    if profile.previous_round:
        yield Notice(
            Phrase("The bank is offered to who wagered at that seat in the round before."),
            profile.previous_clause,
        )
    yield Notice(Phrase("Nobody has to take the bank, and staff of the house may not."), "ruling 41")
    yield Notice(_renewal(profile), profile.renew_clause)
    if not profile.provider_may_renew:
        yield Notice(
            Phrase("After a provider's player somebody else takes the next turn."), profile.renew_clause
        )
    if profile.others is not None:
        yield Notice(
            Phrase(
                "In any {minutes} minutes at least {players} players other than a provider's must have banked, or the "
                "game ends.",
                minutes=str(profile.others.within_minutes),
                players=format_number(profile.others.needed),
            ),
            clause,
        )


def _renewal(profile: Profile) -> Phrase:
    if profile.game_ends and not profile.another_first:
        return Phrase("If everybody else declines, the game ends until somebody else takes the bank.")
    if profile.another_first:
        return Phrase("Whoever has banked waits until another player has, before banking again.")
    if profile.renewal == AFTER_PAUSE:
        return Phrase(
            "If everybody else declines, the game stops for {minutes} minutes before the same player banks again.",
            minutes=format_number(profile.pause_minutes),
        )
    return Phrase("If everybody else declines, the last bank may take a new turn.")
