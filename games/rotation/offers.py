"""Offers of the bank: which seats are asked, in which order, and what their answers count for.

Seats are numbered clockwise.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, TypeVar

from .play import Turn
from .profile import AFTER_ALL_DECLINE, NEVER, Profile, is_full

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


def seats_in_order(
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


def first_without_no(seats: Sequence[int], answers: Mapping[int, str]) -> int | None:
    """The first of `seats` that has accepted or not answered yet; None where all have said no."""
    return next((seat for seat in seats if answers.get(seat, ACCEPTED) == ACCEPTED), None)


def last_answers(answers: Sequence[Answer]) -> dict[int, str]:
    """What each seat answered last; ValueError for an answer there is not."""
    for answer in answers:
        if answer.answer not in ANSWERS:
            raise ValueError(f"{answer.answer!r} is no answer; there are {', '.join(ANSWERS)}")
    return {answer.seat: answer.answer for answer in answers}
