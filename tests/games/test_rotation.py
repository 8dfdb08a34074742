"""Who must be offered the bank next: two rounds in a row (california), every hand (designated player)."""

from pathlib import Path

import pytest

from games.datafile import DataFileError
from games.registry import RULEBOOKS as ALL_RULEBOOKS
from games.registry import load_rulebook
from games.rotation.offers import Answer, clockwise, seats_to_ask, starts_anew
from games.rotation.play import Turn
from games.rotation.profile import PROFILES, load_profile, profile_under, read_profile
from games.rotation.steps import Step, next_step
from games.three_card_poker.rulebook import RULEBOOKS

TWO_ROUNDS = profile_under(load_rulebook("california"))
EVERY_HAND = profile_under(load_rulebook("designated_player"))
SEATS = (1, 2, 4, 5, 7)


def _declined(*seats: int) -> list[Answer]:
    return [Answer(seat, "declined") for seat in seats]


@pytest.mark.parametrize(("rounds", "left"), [(0, "2 more rounds"), (1, "1 more round")])
def test_the_bank_goes_on_until_two_rounds_are_settled(rounds: int, left: str) -> None:
    step = next_step(TWO_ROUNDS, turn=Turn(4, "Ann", rounds), occupied=SEATS, answers=[])
    assert (step.kind, step.seat, step.clause) == ("keep", 4, "california:type.5")
    assert step.reason == f"Ann may bank {left} before an offer is due"


def test_after_two_rounds_the_next_seat_clockwise_is_offered() -> None:
    step = next_step(TWO_ROUNDS, turn=Turn(4, "Ann", 2), occupied=SEATS, answers=[])
    assert (step.kind, step.seat) == ("offer", 5)
    assert step.reason == "Ann has banked 2 rounds in a row: offer the bank to seat 5"


def test_each_no_passes_the_offer_on_and_past_the_last_seat_it_comes_to_the_first() -> None:
    turn, asked = Turn(5, "Ann", 2), []
    answers: list[Answer] = []
    for no in ("declined", "absent", "ineligible", "declined"):
        step = next_step(TWO_ROUNDS, turn=turn, occupied=SEATS, answers=answers)
        assert step.kind == "offer" and step.seat is not None
        asked.append(step.seat)
        answers.append(Answer(step.seat, no))
    assert asked == [7, 1, 2, 4]
    step = next_step(TWO_ROUNDS, turn=turn, occupied=SEATS, answers=answers)
    assert (step.kind, step.seat, step.clause) == ("renew", 5, "ruling 40")


def test_who_accepts_takes_the_bank() -> None:
    answers = [*_declined(5, 7), Answer(1, "accepted")]
    step = next_step(TWO_ROUNDS, turn=Turn(4, "Ann", 2), occupied=SEATS, answers=answers)
    assert (step.kind, step.seat) == ("taken", 1)


def test_a_seat_cannot_accept_before_those_between_were_offered() -> None:
    answers = [Answer(1, "accepted")]
    step = next_step(TWO_ROUNDS, turn=Turn(4, "Ann", 2), occupied=SEATS, answers=answers)
    assert (step.kind, step.seat) == ("offer", 5)


def test_of_two_answers_of_a_seat_the_later_counts() -> None:
    answers = [Answer(5, "declined"), Answer(5, "accepted")]
    step = next_step(TWO_ROUNDS, turn=Turn(4, "Ann", 2), occupied=SEATS, answers=answers)
    assert (step.kind, step.seat) == ("taken", 5)


def test_a_seat_that_emptied_is_passed_over_and_one_that_filled_is_asked() -> None:
    turn = Turn(4, "Ann", 2)
    step = next_step(TWO_ROUNDS, turn=turn, occupied=(1, 4, 7), answers=_declined(5))
    assert (step.kind, step.seat) == ("offer", 7)
    step = next_step(TWO_ROUNDS, turn=turn, occupied=(1, 4, 6, 7), answers=_declined(7, 1))
    assert (step.kind, step.seat) == ("offer", 6)


@pytest.mark.parametrize(("answer", "kind", "seat"), [("accepted", "taken", 4), ("declined", "vacant", None)])
def test_when_all_decline_the_last_bank_says_whether_it_takes_a_new_turn(
    answer: str, kind: str, seat: int | None
) -> None:
    answers = [*_declined(1, 2, 5, 7), Answer(4, answer)]
    step = next_step(TWO_ROUNDS, turn=Turn(4, "Ann", 2), occupied=SEATS, answers=answers)
    assert (step.kind, step.seat) == (kind, seat)


def test_the_last_banks_own_yes_does_not_go_before_the_others() -> None:
    step = next_step(TWO_ROUNDS, turn=Turn(4, "Ann", 2), occupied=SEATS, answers=[Answer(4, "accepted")])
    assert (step.kind, step.seat) == ("offer", 5)


def test_a_bank_alone_at_the_table_waits_for_somebody_to_be_offered_the_bank() -> None:
    step = next_step(TWO_ROUNDS, turn=Turn(4, "Ann", 2), occupied=(4,), answers=[])
    assert (step.kind, step.seat) == ("vacant", None)
    assert "the bank is offered when one sits down" in step.reason
    # Who was asked has declined, and left.
    step = next_step(TWO_ROUNDS, turn=Turn(4, "Ann", 2), occupied=(4,), answers=[], asked_last=7)
    assert (step.kind, step.seat) == ("renew", 4)


def test_offers_go_on_from_where_they_stood_and_come_back_to_a_seat_that_filled_behind_them() -> None:
    def asked(answers: list[Answer], turn: Turn | None = None) -> int | None:
        last = answers[-1].seat
        step = next_step(
            TWO_ROUNDS, turn=turn, occupied=SEATS, answers=answers, asked_last=last, start_seat=5
        )
        return step.seat

    # Seat 5 filled after seat 7 was asked: seats 1, 2 and 4 come before it.
    assert [asked(_declined(7)), asked(_declined(7, 1)), asked(_declined(7, 1, 2, 4))] == [1, 2, 5]
    assert asked(_declined(7, 1, 2), Turn(4, "Ann", 2)) == 5


def test_offers_go_on_behind_the_seat_that_was_asked_last_when_its_player_has_left() -> None:
    step = next_step(TWO_ROUNDS, turn=None, occupied=(1, 2, 4, 7), answers=[], asked_last=5)
    assert (step.kind, step.seat) == ("offer", 7)
    step = next_step(TWO_ROUNDS, turn=None, occupied=(2, 4), answers=[], asked_last=3)
    assert (step.kind, step.seat) == ("offer", 4)
    # Somebody else sits there by now, who is asked when the offers come round.
    step = next_step(TWO_ROUNDS, turn=None, occupied=(2, 4), answers=[], asked_last=2)
    assert (step.kind, step.seat) == ("offer", 4)


class TestTheLastBankWithoutATurn:
    """Cy banked the last settled round, sits at seat 3, and holds the bank no more."""

    def to_ask(self, occupied: tuple[int, ...], answered: tuple[int, ...], *, rounds: int) -> list[int]:
        return seats_to_ask(
            TWO_ROUNDS,
            occupied,
            last_bank=[3] if 3 in occupied else [],
            of_provider=False,
            answered=answered,
            rounds=rounds,
            asked=bool(answered),
        )

    @pytest.mark.parametrize("rounds", [1, 2, 7])
    def test_is_asked_when_everybody_else_has_answered(self, rounds: int) -> None:
        assert self.to_ask((1, 3, 5), (), rounds=rounds) == [1, 5]
        assert self.to_ask((1, 3, 5), (5,), rounds=rounds) == [1, 5]
        assert self.to_ask((1, 3, 5), (5, 1), rounds=rounds) == [1, 3, 5]

    @pytest.mark.parametrize(
        ("profile", "of_provider", "asked"),
        [
            ("two_rounds", True, [1, 3, 5]),
            ("forty_minutes", False, [1, 3, 5]),
            ("forty_minutes", True, [1, 5]),
            ("intervening", False, [1, 5]),
        ],
    )
    def test_is_asked_as_a_providers_player_where_the_profile_lets_one_go_on(
        self, profile: str, of_provider: bool, asked: list[int]
    ) -> None:
        found = seats_to_ask(
            load_profile(profile),
            (1, 3, 5),
            last_bank=[3],
            of_provider=of_provider,
            answered=[1, 5],
            rounds=1,
            asked=True,
        )
        assert found == asked

    def test_is_not_asked_alone_with_a_full_count(self) -> None:
        assert self.to_ask((3,), (), rounds=2) == []
        assert self.to_ask((3,), (), rounds=1) == [3]


def test_the_count_begins_anew_when_every_other_player_was_asked_and_none_accepted() -> None:
    assert starts_anew("Cy", ["Ana", "Cy", "Eve"], {"Ana": "declined", "Eve": "absent"})
    assert starts_anew("Cy", ["Ana", "Cy"], {"Ana": "ineligible", "Eve": "declined", "Cy": "accepted"})
    assert starts_anew("Cy", ["Cy"], {"Eve": "declined"})
    assert not starts_anew("Cy", ["Ana", "Cy", "Eve"], {"Ana": "declined"})
    assert not starts_anew("Cy", ["Ana", "Cy"], {"Ana": "accepted"})
    assert not starts_anew("Cy", ["Cy"], {})
    assert not starts_anew("Cy", ["Cy"], {"Cy": "accepted"})


def test_a_bank_that_left_takes_no_new_turn() -> None:
    step = next_step(TWO_ROUNDS, turn=Turn(4, "Ann", 2), occupied=(1, 2), answers=_declined(1, 2))
    assert (step.kind, step.seat) == ("vacant", None)


def test_without_a_bank_offers_begin_at_seat_one_or_where_told() -> None:
    assert next_step(TWO_ROUNDS, turn=None, occupied=SEATS, answers=[]).seat == 1
    assert next_step(TWO_ROUNDS, turn=None, occupied=SEATS, answers=[], start_seat=3).seat == 4
    assert next_step(TWO_ROUNDS, turn=None, occupied=SEATS, answers=[], start_seat=8).seat == 1


def test_without_a_bank_and_without_a_taker_the_table_waits() -> None:
    for occupied, answers in ((SEATS, _declined(*SEATS)), ((), [])):
        step = next_step(TWO_ROUNDS, turn=None, occupied=occupied, answers=answers)
        assert (step.kind, step.seat) == ("vacant", None)


@pytest.mark.parametrize(
    ("turn", "occupied", "answers", "expected"),
    [
        (
            Turn(4, "Ann", 2),
            SEATS,
            [*_declined(5, 7), Answer(1, "accepted")],
            Step("taken", 1, "seat 1 accepted the bank", "california:type.5"),
        ),
        (
            None,
            SEATS,
            _declined(*SEATS),
            Step(
                "vacant",
                None,
                "nobody holds the bank and every seat has answered no: no round can be dealt",
                "california:type.5",
            ),
        ),
        (
            None,
            (),
            [],
            Step(
                "vacant",
                None,
                "nobody holds the bank and no eligible player is at the table: no round can be dealt",
                "california:type.5",
            ),
        ),
        (
            Turn(4, "Ann", 2),
            (1, 5),
            _declined(1, 5),
            Step(
                "vacant",
                None,
                "every other seat has answered no, and Ann has left the bank",
                "california:type.5",
            ),
        ),
        (
            Turn(4, "Ann", 2),
            (),
            [],
            Step(
                "vacant",
                None,
                "no other eligible player is at the table, and Ann has left the bank",
                "california:type.5",
            ),
        ),
        (
            Turn(4, "Ann", 2),
            (1, 4),
            [*_declined(1), Answer(4, "accepted")],
            Step(
                "taken",
                4,
                "Ann has banked 2 rounds in a row and every other seat has answered no: Ann takes a new turn",
                "ruling 40",
            ),
        ),
        (
            Turn(4, "Ann", 2),
            (1, 4),
            _declined(1, 4),
            Step(
                "vacant",
                None,
                "Ann has banked 2 rounds in a row and every other seat has answered no, and Ann takes no new turn",
                "ruling 40",
            ),
        ),
    ],
)
def test_a_step_says_what_comes_at_which_seat_why_and_by_which_clause(
    turn: Turn | None, occupied: tuple[int, ...], answers: list[Answer], expected: Step
) -> None:
    assert next_step(TWO_ROUNDS, turn=turn, occupied=occupied, answers=answers) == expected


def test_where_the_house_banks_nobody_is_offered_the_bank() -> None:
    house = load_profile("house_banks")
    step = next_step(house, turn=None, occupied=SEATS, answers=[])
    assert step == Step("house", None, "the house banks", house.clause)


def test_a_designated_player_is_offered_onward_after_every_hand() -> None:
    assert next_step(EVERY_HAND, turn=Turn(8, "Ann", 0), occupied=(2, 8), answers=[]).kind == "keep"
    step = next_step(EVERY_HAND, turn=Turn(8, "Ann", 1), occupied=(2, 8), answers=[])
    assert (step.kind, step.seat) == ("offer", 2)
    step = next_step(EVERY_HAND, turn=Turn(8, "Ann", 1), occupied=(2, 8), answers=_declined(2))
    assert (step.kind, step.clause) == ("renew", "designated_player:play.6.2")


def test_an_answer_there_is_not_is_an_error_of_the_caller() -> None:
    with pytest.raises(ValueError, match="'maybe' is no answer"):
        next_step(TWO_ROUNDS, turn=None, occupied=SEATS, answers=[Answer(1, "maybe")])


def test_a_third_round_in_a_row_without_an_offer_is_stopped_with_a_reason() -> None:
    def step(rounds: int, answers: list[Answer]) -> Step:
        return next_step(TWO_ROUNDS, turn=Turn(4, "Ann", rounds), occupied=SEATS, answers=answers)

    assert step(1, [])[:2] == ("keep", 4)
    due = step(2, [])
    assert due.kind == "offer" and "offer the bank to seat 5" in due.reason
    due = step(2, _declined(1, 2, 5, 7))
    assert due.kind == "renew" and "new turn" in due.reason
    assert step(2, [*_declined(1, 2, 5, 7), Answer(4, "accepted")])[:2] == ("taken", 4)


def test_nobody_banks_out_of_turn() -> None:
    def step(turn: Turn | None, answers: list[Answer]) -> Step:
        return next_step(TWO_ROUNDS, turn=turn, occupied=SEATS, answers=answers)

    assert step(Turn(4, "Ann", 1), [])[:2] == ("keep", 4)
    assert step(Turn(4, "Ann", 2), [Answer(5, "accepted")])[:2] == ("taken", 5)
    assert step(None, [])[:2] == ("offer", 1)


def test_clockwise_goes_once_round_from_a_seat() -> None:
    assert clockwise((7, 2, 5, 1), 5) == [5, 7, 1, 2]
    assert clockwise((7, 2, 5, 1), 6) == [7, 1, 2, 5]
    assert clockwise((), 1) == []


def test_every_player_banked_rulebook_names_a_profile_and_no_other_does() -> None:
    for rulebook_id in RULEBOOKS:
        rulebook = load_rulebook(rulebook_id)
        assert (rulebook.rotation in PROFILES) == rulebook.player_banked


def test_a_profile_there_is_not_is_named() -> None:
    with pytest.raises(KeyError, match="hourly"):
        load_profile("hourly")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("offer_after_rounds = 0", "offer_after_rounds must be at least 1"),
        ("offer_after_rounds = true", "offer_after_rounds must be a whole number"),
        ("offer_after_rounds = 2\nminutes = 40", "minutes is not a key"),
        ("offer_after_rounds = 2\nin_force_until = 2026-01-01", "must be after in_force_from"),
        ("", "offer_after_rounds is missing"),
        (
            "offer_after_rounds = 1\nothers = { needed = 0, within_minutes = 40 }",
            "others.needed must be at least 1",
        ),
        (
            "offer_after_rounds = 1\nothers = { needed = 2, within_minutes = 0 }",
            "others.within_minutes must be at least 1",
        ),
    ],
)
def test_a_profile_with_a_mistake_in_it_is_refused_by_file_and_key(
    tmp_path: Path, line: str, message: str
) -> None:
    file = tmp_path / "broken.toml"
    file.write_text(
        f'id = "broken"\nname = "n"\nin_force_from = 2026-01-01\nclause = "c"\nrenew_clause = "r"\n{line}\n'
    )
    with pytest.raises(DataFileError, match=f"broken.toml.*{message}"):
        read_profile(file)


@pytest.mark.parametrize("chosen", ["", *PROFILES])
@pytest.mark.parametrize("rulebook", ALL_RULEBOOKS)
def test_a_table_cites_its_own_document_or_none(rulebook: str, chosen: str) -> None:
    profile = profile_under(load_rulebook(rulebook), chosen)
    for clause in (profile.clause, profile.renew_clause):
        assert clause.partition(":")[0] not in set(ALL_RULEBOOKS) - {rulebook}


@pytest.mark.parametrize(
    ("rulebook", "clause"),
    [("california", "california:type.5"), ("baccarat", "baccarat:bank.4"), ("by_eye", "by_eye:round.3")],
)
def test_what_a_document_says_of_the_rotation_is_cited_at_its_tables(rulebook: str, clause: str) -> None:
    assert profile_under(load_rulebook(rulebook)).clause == clause
