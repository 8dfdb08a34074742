"""Who may bank, and which way the offers go, by the terms of an approval (rulings 51 to 53)."""

from __future__ import annotations

from typing import Any

import pytest

from games.phrases import Phrase
from games.registry import rulebook_with
from games.rotation.offers import Answer, round_table
from games.rotation.placard import rotation_rules
from games.rotation.play import Turn
from games.rotation.profile import (
    AFTER_ALL_DECLINE,
    AFTER_GAME,
    NEVER,
    Profile,
    profile_supposed,
    profile_under,
)
from games.rotation.steps import next_step
from games.rulebook import COUNTER_CLOCKWISE

SEATS = (1, 2, 4, 5, 7)


def profile(chosen: str = "", **said: Any) -> Profile:
    """The profile of a game of california under an approval that says this of who may bank, and of the order."""
    order = {"order": {"direction": said.pop("direction")}} if "direction" in said else {}
    keys = [*(f"may_bank.{key}" for key in said), *(["order.direction"] if order else [])]
    sources = {key: f"4.{number}" for number, key in enumerate(keys, 1)}
    approval = {"number": "GEGR-1", "may_bank": said, **order, "sources": sources}
    return profile_under(rulebook_with("california", {"approval": approval}), chosen)


def asked(by: Profile, bank: int, seats: tuple[int, ...] = SEATS) -> list[int]:
    """The seats that are asked, one after the other, while all decline."""
    answers: list[Answer] = []
    while (step := _step(by, bank, seats, answers)).kind == "offer":
        assert step.seat is not None
        answers.append(Answer(step.seat, "declined"))
    return [answer.seat for answer in answers]


def _step(by: Profile, bank: int, seats: tuple[int, ...], answers: list[Answer]) -> Any:
    return next_step(by, turn=Turn(bank, "Ann", by.offer_after_rounds or 0), occupied=seats, answers=answers)


def test_ruling_51_offers_go_in_the_filed_direction() -> None:
    assert asked(profile(), 4) == [5, 7, 1, 2]
    assert asked(profile(direction=COUNTER_CLOCKWISE), 4) == [2, 1, 7, 5]
    assert asked(profile(direction=COUNTER_CLOCKWISE), 1) == [7, 5, 4, 2]


@pytest.mark.parametrize(
    ("first", "clockwise", "back"),
    [
        (4, [4, 5, 7, 1, 2], [4, 2, 1, 7, 5]),
        (3, [4, 5, 7, 1, 2], [2, 1, 7, 5, 4]),
        (0, [1, 2, 4, 5, 7], [7, 5, 4, 2, 1]),
        (9, [1, 2, 4, 5, 7], [7, 5, 4, 2, 1]),
    ],
)
def test_seats_once_round_the_table_from_any_number(
    first: int, clockwise: list[int], back: list[int]
) -> None:
    assert round_table(SEATS, first, "clockwise") == clockwise
    assert round_table(SEATS, first, COUNTER_CLOCKWISE) == back


def test_without_a_bank_they_begin_at_the_seat_before_or_at_the_last_one() -> None:
    by = profile(direction=COUNTER_CLOCKWISE)
    step = next_step(by, turn=None, occupied=SEATS, answers=[], start_seat=3)
    assert step.seat == 2
    assert next_step(by, turn=None, occupied=SEATS, answers=[]).seat == 7
    assert next_step(by, turn=None, occupied=SEATS, answers=[Answer(7, "declined")], asked_last=7).seat == 5
    assert next_step(profile(), turn=None, occupied=SEATS, answers=[]).seat == 1


def test_the_placard_offers_in_the_filed_direction() -> None:
    def first(by: Profile) -> tuple[str, str]:
        notice = next(rotation_rules(by))
        return notice.text, notice.clause

    turned = profile(rounds=1, direction=COUNTER_CLOCKWISE)
    text = "A player may bank one round; then the bank is offered counter-clockwise, seat by seat."
    assert first(turned) == (text, "GEGR-1:4.1")
    text = "A player may bank two rounds in a row; then the bank is offered clockwise, seat by seat."
    assert first(profile()) == (text, "california:type.5")
    assert (turned.name, turned.direction_clause) == (
        "1 round, then an offer counter-clockwise",
        "GEGR-1:4.2",
    )


@pytest.mark.parametrize(
    ("chosen", "said", "rounds", "renewal", "clauses"),
    [
        ("", {}, 2, AFTER_ALL_DECLINE, ("california:type.5", "ruling 40")),
        ("", {"rounds": 3}, 3, AFTER_ALL_DECLINE, ("GEGR-1:4.1", "ruling 40")),
        ("", {"all_decline": "game_ends"}, 2, AFTER_GAME, ("california:type.5", "GEGR-1:4.1")),
        ("", {"another_first": True}, 2, NEVER, ("california:type.5", "GEGR-1:4.1")),
        (
            "",
            {"another_first": True, "all_decline": "game_ends"},
            2,
            NEVER,
            ("california:type.5", "GEGR-1:4.2"),
        ),
        (
            "",
            {"another_first": True, "all_decline": "last_bank_may_renew"},
            2,
            AFTER_ALL_DECLINE,
            ("california:type.5", "GEGR-1:4.2"),
        ),
        ("intervening", {"rounds": 1}, 1, NEVER, ("GEGR-1:4.1", None)),
        ("intervening", {"another_first": False}, 2, AFTER_ALL_DECLINE, ("ruling 40", "GEGR-1:4.1")),
        ("every_hour", {"rounds": 2}, 2, "after_pause", ("GEGR-1:4.1", None)),
    ],
)
def test_a_rotation_is_made_of_the_approvals_terms_and_else_of_the_named_profiles(
    chosen: str, said: dict[str, Any], rounds: int, renewal: str, clauses: tuple[str, str | None]
) -> None:
    by = profile(chosen, **said)
    assert (by.offer_after_rounds, by.renewal) == (rounds, renewal)
    assert by.clause == clauses[0]
    assert clauses[1] in (None, by.renew_clause)
    assert by.id == (chosen or "two_rounds")


def test_under_another_rule_the_direction_stays_and_the_terms_are_the_other_rules() -> None:
    approval = {"may_bank": {"rounds": 1}, "order": {"direction": COUNTER_CLOCKWISE}}
    book = rulebook_with("california", {"approval": approval})
    supposed = profile_supposed(book, "two_rounds")
    assert (supposed.offer_after_rounds, supposed.direction) == (2, COUNTER_CLOCKWISE)
    assert profile_under(book).offer_after_rounds == 1
    assert isinstance(supposed.name, Phrase)
