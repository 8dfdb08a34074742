"""Who must be offered the bank next, and why: turns, offers and answers against a dated profile.

Seats are numbered clockwise. Nothing here keeps state: the floor passes in the turn, the seats and the
answers it has recorded, and does what the step says.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import NamedTuple

from games.datafile import read_data_file

PROFILES: tuple[str, ...] = ("two_rounds", "every_hand")
ACCEPTED, DECLINED, ABSENT, INELIGIBLE = ANSWERS = ("accepted", "declined", "absent", "ineligible")

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Profile:
    """One rule of rotation: after `offer_after_rounds` settled rounds in a row an offer is due.

    In force from `in_force_from` until, where given, the day before `in_force_until`.
    """

    id: str
    name: str
    in_force_from: date
    in_force_until: date | None
    offer_after_rounds: int
    clause: str
    renew_clause: str


class Turn(NamedTuple):
    """A player's stay at the bank, and how many rounds in a row it has settled; voids do not count."""

    seat: int
    player: str
    rounds: int


class Answer(NamedTuple):
    """What a seat said to the offer: `accepted`, `declined`, `absent` or `ineligible`."""

    seat: int
    answer: str


class Step(NamedTuple):
    """What comes next at the bank.

    `keep`: the turn goes on, no offer is due. `offer`: `seat` must be offered the bank. `taken`: `seat`
    accepted. `renew`: all declined, the last bank may take a new turn. `vacant`: nobody banks.
    """

    kind: str
    seat: int | None
    reason: str
    clause: str


@cache
def load_profile(profile_id: str) -> Profile:
    """The profile of that id; KeyError when there is none, DataFileError when its file is at fault."""
    if profile_id not in PROFILES:
        raise KeyError(f"{profile_id!r} is no rotation profile; there are {', '.join(PROFILES)}")
    return read_profile(_FOLDER / f"{profile_id}.toml")


def read_profile(path: Path) -> Profile:
    """A profile from a file; DataFileError names the file and the key of anything amiss."""
    entry = read_data_file(path)
    profile = Profile(
        id=entry.text("id"),
        name=entry.text("name"),
        in_force_from=entry.day("in_force_from"),
        in_force_until=entry.day("in_force_until") if entry.has("in_force_until") else None,
        offer_after_rounds=entry.number("offer_after_rounds", least=1),
        clause=entry.text("clause"),
        renew_clause=entry.text("renew_clause"),
    )
    if profile.in_force_until is not None and profile.in_force_until <= profile.in_force_from:
        raise entry.error("in_force_until", "must be after in_force_from")
    entry.done()
    return profile


def clockwise(seats: Collection[int], first: int) -> list[int]:
    """The seats once round the table, from seat `first` on."""
    by_number = sorted(set(seats))
    return [seat for seat in by_number if seat >= first] + [seat for seat in by_number if seat < first]


def next_step(
    profile: Profile,
    *,
    turn: Turn | None,
    occupied: Collection[int],
    answers: Sequence[Answer],
    start_seat: int | None = None,
) -> Step:
    """What must happen at the bank before the next round.

    `occupied` are the seats of eligible players, `answers` those given since the offer fell due; of two
    answers of one seat the later counts. Offers go clockwise from the seat after the last bank's; without
    a last bank they begin at `start_seat`, by default seat 1. ValueError for an answer there is not.
    """
    said = _last_answers(answers)
    if turn is not None and turn.rounds < profile.offer_after_rounds:
        left = profile.offer_after_rounds - turn.rounds
        rounds = "1 more round" if left == 1 else f"{left} more rounds"
        return Step(
            "keep", turn.seat, f"{turn.player} may bank {rounds} before an offer is due", profile.clause
        )
    if turn is None:
        others = clockwise(occupied, start_seat or 1)
        why = "nobody holds the bank"
    else:
        others = [seat for seat in clockwise(occupied, turn.seat) if seat != turn.seat]
        count = "1 round" if turn.rounds == 1 else f"{turn.rounds} rounds in a row"
        why = f"{turn.player} has banked {count}"
    for seat in others:
        answer_given = said.get(seat)
        if answer_given is None:
            return Step("offer", seat, f"{why}: offer the bank to seat {seat}", profile.clause)
        if answer_given == ACCEPTED:
            return Step("taken", seat, f"seat {seat} accepted the bank", profile.clause)
    nobody = "every other seat has answered no" if others else "no other eligible player is at the table"
    if turn is None:
        nobody = "every seat has answered no" if others else "no eligible player is at the table"
        return Step("vacant", None, f"{why} and {nobody}: no round can be dealt", profile.clause)
    if turn.seat not in occupied:
        return Step("vacant", None, f"{nobody}, and {turn.player} has left the bank", profile.clause)
    return _renewal(profile, turn, f"{why} and {nobody}", said.get(turn.seat))


def _last_answers(answers: Sequence[Answer]) -> dict[int, str]:
    for answer in answers:
        if answer.answer not in ANSWERS:
            raise ValueError(f"{answer.answer!r} is no answer; there are {', '.join(ANSWERS)}")
    return {answer.seat: answer.answer for answer in answers}


def _renewal(profile: Profile, turn: Turn, why: str, answer: str | None) -> Step:
    """Nobody else wants the bank: the last one may take a new turn, and says so (ruling 40)."""
    if answer == ACCEPTED:
        return Step("taken", turn.seat, f"{why}: {turn.player} takes a new turn", profile.renew_clause)
    if answer is not None:
        return Step("vacant", None, f"{why}, and {turn.player} takes no new turn", profile.renew_clause)
    return Step("renew", turn.seat, f"{why}: {turn.player} may take a new turn", profile.renew_clause)


def why_not_bank(
    profile: Profile,
    *,
    turn: Turn | None,
    seat: int,
    occupied: Collection[int],
    answers: Sequence[Answer],
    start_seat: int | None = None,
) -> str | None:
    """None when the player at `seat` may bank the next round, else the reason in a sentence for the floor.

    The same check serves the page, the API and the act of opening a round.
    """
    step = next_step(profile, turn=turn, occupied=occupied, answers=answers, start_seat=start_seat)
    if step.kind in ("keep", "taken"):
        if step.seat == seat:
            return None
        return f"seat {seat} cannot bank: {step.reason} ({step.clause})"
    if step.kind == "renew" and seat == step.seat:
        return f"record first that the last bank takes a new turn: {step.reason} ({step.clause})"
    return f"seat {seat} cannot bank: {step.reason} ({step.clause})"
