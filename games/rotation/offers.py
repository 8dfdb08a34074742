"""Offers of the bank: which seats are asked, in which order, and what their answers count for.

Seats are numbered clockwise; offers go in the direction that is filed (ruling 51).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, TypeVar

from games.phrases import Phrase

from ..rulebook import CLOCKWISE
from .play import Turn
from .profile import Profile, is_full

ACCEPTED, DECLINED, ABSENT, INELIGIBLE = ANSWERS = ("accepted", "declined", "absent", "ineligible")
#: How a caller names players: by id, or by name.
Key = TypeVar("Key", int, str)


class Answer(NamedTuple):
    """What a seat said to the offer: `accepted`, `declined`, `absent` or `ineligible`."""

    seat: int
    answer: str


def clockwise(seats: Collection[int], first: int) -> list[int]:
    """The seats once round the table, from seat `first` on."""
    by_number = sorted(seats if isinstance(seats, dict) else set(seats))
    place = bisect_left(by_number, first)
    return by_number[place:] + by_number[:place]


def round_table(seats: Collection[int], first: int, direction: str) -> list[int]:
    """The seats once round the table in `direction`, from seat `first` on."""
    if direction == CLOCKWISE:
        return clockwise(seats, first)
    return clockwise(seats, first + 1)[::-1]


def way_round(direction: str) -> Phrase:
    """A direction in words."""
    return Phrase("clockwise") if direction == CLOCKWISE else Phrase("counter-clockwise")


def seat_after(seat: int, direction: str) -> int:
    """The number of the seat that follows `seat` in `direction`; there may be none of that number."""
    return seat + 1 if direction == CLOCKWISE else seat - 1


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


def seats_to_ask(
    profile: Profile,
    occupied: Collection[int],
    *,
    last_bank: Collection[int],
    of_provider: bool,
    answered: Collection[int],
    rounds: int,
    asked: bool,
    new_game: bool = False,
) -> list[int]:
    """The seats, of those `occupied`, that offers go to while the bank is vacant.

    `last_bank` is where the player of the last settled round sits now (`of_provider`: for a provider), who has banked
    `rounds` in a row. That player is asked once all others have answered, after a move, a pause or a closing of the
    table too. With a full count another player must have been asked first (`asked`). Where another player must follow, or
    the game ends once all have declined, the last bank is not asked at all, until a `new_game` has begun (ruling 53).
    """
    others = sorted(set(occupied) - set(last_bank))
    if is_barred(profile, rounds, of_provider=of_provider, new_game=new_game):
        return others
    if not set(answered).issuperset(others):
        return others
    if not asked and profile.asks_others_first and is_full(profile, rounds):
        return others
    return sorted(occupied)


def is_barred(profile: Profile, rounds: int, *, of_provider: bool, new_game: bool = False) -> bool:
    """Whether the last bank, with `rounds` in a row, may not be the next one before another player has banked."""
    if of_provider and not profile.provider_may_renew:
        return True
    if new_game:
        return False
    return profile.another_first or (profile.game_ends and is_full(profile, rounds))


def seats_in_order(
    profile: Profile,
    turn: Turn | None,
    occupied: Collection[int],
    start_seat: int | None,
    asked_last: int | None,
) -> list[int]:
    """The seats that offers go to, in their order: in the profile's direction from where they stand.

    The bank's is not among them.
    """
    if asked_last is not None:
        first = seat_after(asked_last, profile.direction)
    elif turn is not None:
        first = turn.seat
    elif start_seat is not None:
        first = start_seat
    else:
        first = 1 if profile.direction == CLOCKWISE else max(occupied, default=1)
    seats = round_table(occupied, first, profile.direction)
    return seats if turn is None else [seat for seat in seats if seat != turn.seat]


def first_without_no(seats: Sequence[int], answers: Mapping[int, str]) -> int | None:
    """The first of `seats` that has accepted or not answered yet; None where all have said no."""
    return next((seat for seat in seats if answers.get(seat, ACCEPTED) == ACCEPTED), None)


def last_answers(answers: Sequence[Answer]) -> dict[int, str]:
    """What each seat answered last; ValueError for an answer there is not."""
    for answer in answers:
        if answer.answer not in ANSWERS:
            raise ValueError(f"{answer.answer!r} is no answer; there are {', '.join(ANSWERS)}")
    return {answer.seat: answer.answer for answer in answers}
