from dataclasses import dataclass
from typing import Sequence


@dataclass(frozen=True)
class Profile:
    id: str
    rounds: int
    clause: str


@dataclass(frozen=True)
class Turn:
    seat: int
    player: str
    rounds: int


@dataclass(frozen=True)
class Answer:
    seat: int
    answer: str


@dataclass(frozen=True)
class Step:
    kind: str
    seat: int | None
    reason: str
    clause: str


def load_profile(id: str) -> Profile:
    return Profile(id, 2, "california:type.5")


def next_step(profile: Profile, *, turn: Turn | None, occupied: Sequence[int], answers: Sequence[Answer], start_after: int | None = None) -> Step:
    if turn and turn.rounds < profile.rounds:
        return Step("keep", turn.seat, f"{turn.player} has banked {turn.rounds} of {profile.rounds} rounds", profile.clause)
    for a in answers:
        if a.answer == "accepted":
            return Step("taken", a.seat, f"seat {a.seat} accepted", profile.clause)
    start = turn.seat if turn else (start_after or 0)
    order = sorted(occupied, key=lambda s: (s <= start, s))
    asked = {a.seat for a in answers}
    for s in order:
        if s in asked or (turn and s == turn.seat):
            continue
        return Step("offer", s, f"seat {s} is next clockwise after seat {start}", profile.clause)
    if turn:
        return Step("renew", turn.seat, "every other seat has declined", profile.clause)
    return Step("vacant", None, "nobody wants the bank", profile.clause)
