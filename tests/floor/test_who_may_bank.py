"""Who is offered the bank, and which way, by the terms of a room's approval (rulings 51 to 53)."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from cardroom.floor.commands.bank import offer_answer, offers_decline, turn_renew
from cardroom.floor.commands.rounds import round_void
from cardroom.floor.commands.seats import down_start, player_leave, player_move, player_seat
from cardroom.floor.commands.tables import table_close, table_open, table_set
from cardroom.floor.errors import FloorError
from cardroom.floor.execution.carry_out import TableCommand
from cardroom.floor.models import JournalEntry, Offer, Table, Turn
from cardroom.floor.reads.rotation import day_period, table_rotation
from cardroom.floor.reads.table_record import table_record
from cardroom.floor.reads.table_state import TableState
from cardroom.rooms.gaming_day import gaming_day
from tests.cast import Cast, closed_cast
from tests.filing import table_settings


def approval(**said: Any) -> dict[str, Any]:
    """Options of a game of california whose approval says this of who may bank; `direction` is of the order."""
    terms: dict[str, Any] = {}
    sources = {}
    for number, (term, value) in enumerate(said.items(), 1):
        group = "order" if term == "direction" else "may_bank"
        terms.setdefault(group, {})[term] = value
        sources[f"{group}.{term}"] = f"4.{number}"
    return {"approval": {"number": "GEGA-000123", **terms, "sources": sources}}


def opened(*seats: int, **said: Any) -> Cast:
    """Table 7 open on a game of that approval, with players at these seats."""
    cast = closed_cast()
    cast.open(seats=seats, options=approval(**said))
    return cast


def play(cast: Cast, times: int, *at: int) -> None:
    for _ in range(times):
        cast.play(dict.fromkeys(at, 1000))


def step(cast: Cast) -> tuple[str, int | None]:
    found = cast.state().step
    return found.kind, found.seat


def answers(cast: Cast, *seats: int, answer: str = "declined") -> None:
    for seat in seats:
        assert step(cast) == ("offer", seat)
        cast.send(offer_answer, seat=seat, answer=answer)


def refused(cast: Cast, command: TableCommand[...], **arguments: Any) -> str:
    with pytest.raises(FloorError) as refusal:
        cast.send(command, **arguments)
    return refusal.value.code


def sit(cast: Cast, *seats: int) -> None:
    for seat in seats:
        cast.send(player_seat, seat=seat, player_id=cast.players[seat].pk)


def why(state: TableState) -> dict[int, str]:
    return {seat: each.reason for seat, each in state.ineligible.items()}


def exceptions(cast: Cast) -> list[str]:
    period = day_period(cast.room, gaming_day(cast.room, timezone.now()))
    return [each.kind for each in table_rotation(Table.objects.get(pk=cast.table.pk), period).exceptions]


class TestDirection:
    def test_offers_go_counter_clockwise_where_the_approval_says_so(self, db: None) -> None:
        """Case 12: from seat 4 to seat 2, and on."""
        cast = opened(2, 4, 6, 7, direction="counter_clockwise")
        answers(cast, 7, 6)
        answers(cast, 4, answer="accepted")
        play(cast, 2, 6)
        answers(cast, 2, 7, 6)
        assert step(cast) == ("renew", 4)
        cast.send(turn_renew)
        assert exceptions(cast) == []

    def test_and_so_do_the_decisions(self, db: None) -> None:
        cast = opened(2, 4, 6, 7, direction="counter_clockwise")
        cast.bank_to(4)
        cast.deal({2: 1000, 6: 1000, 7: 1000})
        record = table_record(cast.state())["round"]
        assert record is not None and record["decision_order"] == [2, 7, 6]

    def test_it_does_not_change_in_the_middle_of_a_round(self, db: None) -> None:
        cast = opened(2, 4, 6)
        cast.bank_to(4)
        cast.bet({2: 1000})
        settings = table_settings(cast.room, options=approval(direction="counter_clockwise"))
        with pytest.raises(FloorError) as refusal:
            cast.send(table_set, "floor", **settings)
        assert refusal.value.code == "round_live"
        assert cast.state().profile.direction == "clockwise"

    def test_a_run_of_offers_that_turns_with_the_game_is_judged_by_what_was_filed(self, db: None) -> None:
        cast = opened(2, 4, 6, 7)
        cast.bank_to(4)
        play(cast, 2, 6)
        answers(cast, 6)
        cast.send(
            table_set, "floor", **table_settings(cast.room, options=approval(direction="counter_clockwise"))
        )
        answers(cast, 2, 7)
        cast.send(turn_renew)
        assert exceptions(cast) == []


class TestEligibility:
    """Three settled rounds since sitting down, and a wager at that seat in the round before."""

    @pytest.fixture
    def cast(self, db: None) -> Cast:
        """Seat 4 banks; seats 5 and 6 have wagered in four rounds, seat 7 in one, the last, and seat 1 in the first three."""
        cast = opened(1, 4, 5, 6, 7, wagered_rounds=3, previous_round=True)
        cast.bank_to(4)
        play(cast, 2, 1, 5, 6)
        assert step(cast) == ("renew", 4), "nobody has wagered in three rounds yet"
        cast.send(turn_renew)
        play(cast, 1, 1, 5, 6)
        play(cast, 1, 5, 6, 7)
        return cast

    def test_who_has_wagered_too_little_is_passed_over_with_the_reason(self, cast: Cast) -> None:
        assert why(cast.state()) == {
            1: "no wager at this seat in the round before (GEGA-000123:4.2)",
            7: "wagered in 1 of 3 rounds since sitting down (GEGA-000123:4.1)",
        }
        answers(cast, 5)
        answers(cast, 6, answer="accepted")
        # Behind seat 6 nobody has been asked yet.
        given = list(Offer.objects.order_by("-id").values_list("seat", "answer")[:2])
        assert given == [(6, "accepted"), (5, "declined")]
        assert exceptions(cast) == []

    def test_the_pass_over_is_recorded_with_the_next_answer(self, cast: Cast) -> None:
        answers(cast, 5, 6)
        assert step(cast) == ("renew", 4)
        cast.send(turn_renew)
        given = list(Offer.objects.order_by("id").values_list("seat", "answer", "reason"))[-2:]
        assert given == [
            (7, "ineligible", "wagered in 1 of 3 rounds since sitting down (GEGA-000123:4.1)"),
            (1, "ineligible", "no wager at this seat in the round before (GEGA-000123:4.2)"),
        ]
        entry = JournalEntry.objects.filter(command="offer_answer").latest("seq")
        assert (entry.data["seat"], entry.data["answer"]) == (1, "ineligible")
        assert entry.reason.startswith("no wager at this seat")
        assert (Turn.objects.latest("id").rounds_before, exceptions(cast)) == (0, [])

    def test_case_18_a_newcomer_who_never_wagered_is_not_asked(self, cast: Cast) -> None:
        cast.send(player_leave, seat=5)
        sit(cast, 5)
        assert step(cast) == ("offer", 6)
        assert refused(cast, offer_answer, seat=5, answer="accepted") == "offer_due_elsewhere"
        answers(cast, 6, answer="accepted")
        assert [each.answer for each in Offer.objects.order_by("-id")[:2]] == ["accepted", "ineligible"]
        assert exceptions(cast) == []

    def test_who_moves_has_not_sat_down_anew_and_has_no_wager_at_the_new_seat(self, cast: Cast) -> None:
        cast.send(player_move, seat=6, to_seat=3)
        assert why(cast.state())[3] == "no wager at this seat in the round before (GEGA-000123:4.2)"

    def test_it_is_on_the_record_of_the_table_with_its_clause(self, cast: Cast) -> None:
        seats = {each["seat"]: each["eligibility"] for each in table_record(cast.state())["seats"]}
        assert seats[7] == {
            "eligible": False,
            "reason": "wagered in 1 of 3 rounds since sitting down",
            "clause": "GEGA-000123:4.1",
        }
        assert seats[5] is not None and seats[5]["eligible"]
        assert seats[4] is None and seats[2] is None

    def test_before_a_round_is_settled_everybody_is_asked_also_after_the_table_was_closed(
        self, cast: Cast
    ) -> None:
        cast.send(table_close, "floor")
        cast.send(table_open, "floor")
        cast.send(down_start, "floor", dealer_id=cast.people["dealer"].pk)
        sit(cast, 1, 7)
        assert (why(cast.state()), step(cast)) == ({}, ("offer", 7))

    def test_a_void_round_is_none(self, cast: Cast) -> None:
        cast.send(offers_decline)
        cast.bet({1: 1000})
        cast.send(round_void, reason="device failure", approver=cast.people["floor"])
        assert set(why(cast.state())) == {1, 7}

    def test_ineligible_by_hand_needs_a_reason_of_the_approval_and_is_an_exception(self, cast: Cast) -> None:
        assert refused(cast, offer_answer, seat=5, answer="ineligible") == "reason_required"
        refusal = refused(cast, offer_answer, seat=5, answer="ineligible", reason="he smells")
        assert refusal == "reason_not_approved"
        cast.send(offer_answer, seat=5, answer="ineligible", reason="wagered_rounds")
        assert exceptions(cast) == ["eligible_passed_over"]
        assert step(cast) == ("offer", 6)

    def test_it_takes_one_query_and_three_at_most(
        self, cast: Cast, django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        state = cast.state()
        with django_assert_num_queries(2):
            assert set(state.ineligible) == {1, 7}
        found = why(state)
        monkeypatch.setattr("cardroom.floor.reads.wagering.FIRST_READ", 1)
        state = cast.state()
        with django_assert_num_queries(3):
            assert why(state) == found


def test_at_a_table_of_001_everybody_seated_is_asked(db: None) -> None:
    cast = closed_cast()
    cast.open(seats=(4, 6))
    cast.bank_to(4)
    play(cast, 2, 6)
    sit(cast, 5)
    assert (cast.state().ineligible, step(cast)) == ({}, ("offer", 5))
    assert all(each["eligibility"] is None for each in table_record(cast.state())["seats"])


class TestWhenAllDecline:
    def closed_and_opened(self, cast: Cast, *seats: int) -> None:
        cast.send(table_close, "floor")
        cast.send(table_open, "floor")
        cast.send(down_start, "floor", dealer_id=cast.people["dealer"].pk)
        sit(cast, *seats)

    @pytest.fixture
    def ended(self, db: None) -> Cast:
        """Seat 4 has banked two rounds of a game that ends once all have declined, and seats 5 and 6 have."""
        cast = opened(4, 5, 6, all_decline="game_ends")
        cast.bank_to(4)
        play(cast, 2, 5)
        answers(cast, 5, 6)
        return cast

    def test_the_game_ends_until_somebody_else_takes_the_bank(self, ended: Cast) -> None:
        found = ended.state().step
        assert (found.kind, found.clause) == ("vacant", "GEGA-000123:4.1")
        assert "the game has ended until somebody else takes the bank" in found.reason
        assert refused(ended, turn_renew) == "not_all_declined"
        sit(ended, 7)
        answers(ended, 7, answer="accepted")
        play(ended, 1, 5)
        assert exceptions(ended) == []

    def test_case_22_closed_and_opened_a_new_game_begins_and_the_last_bank_is_asked_last(
        self, ended: Cast
    ) -> None:
        self.closed_and_opened(ended, 4, 5, 6)
        found = ended.state().step
        assert (found.kind, found.seat) == ("offer", 5)
        assert found.reason == "a new game begins: offer the bank to seat 5"
        answers(ended, 5, 6)
        answers(ended, 4, answer="accepted")
        assert Turn.objects.latest("id").rounds_before == 0
        play(ended, 2, 5)
        assert step(ended) == ("offer", 5)
        assert exceptions(ended) == []
        closing = JournalEntry.objects.filter(command="table_close").latest("seq")
        assert "the game has ended" in closing.data["game_over"]

    def test_with_another_player_in_between_too(self, db: None) -> None:
        cast = opened(4, 5, 6, another_first=True)
        cast.bank_to(4)
        play(cast, 2, 5)
        answers(cast, 5, 6)
        assert step(cast) == ("vacant", None)
        self.closed_and_opened(cast, 4, 5)
        answers(cast, 5)
        answers(cast, 4, answer="accepted")
        play(cast, 1, 5)
        assert exceptions(cast) == []

    def test_a_closing_before_all_have_declined_ends_no_game(self, db: None) -> None:
        cast = opened(4, 5, 6, all_decline="game_ends")
        cast.bank_to(4)
        play(cast, 2, 5)
        answers(cast, 5)
        self.closed_and_opened(cast, 4, 5, 6)
        answers(cast, 6)
        assert step(cast) == ("vacant", None)

    def test_the_last_bank_may_renew_where_the_approval_says_so(self, db: None) -> None:
        cast = opened(4, 5, all_decline="last_bank_may_renew", rounds=1)
        cast.bank_to(4)
        play(cast, 1, 5)
        answers(cast, 5)
        cast.send(turn_renew)
        play(cast, 1, 5)
        assert (step(cast), exceptions(cast)) == (("offer", 5), [])


class TestAnotherApproval:
    """A count never carries over to a game of another approval, and goes on in one of the same (ruling 53)."""

    def with_number(self, cast: Cast, number: str) -> None:
        said = approval(rounds=2)
        said["approval"]["number"] = number
        settings = table_settings(cast.room, options=said, reference=number)
        cast.send(table_set, "floor", **settings)

    @pytest.fixture
    def cast(self, db: None) -> Cast:
        cast = opened(4, 5, 6)
        cast.bank_to(4)
        play(cast, 1, 5)
        return cast

    def test_a_game_of_another_approval_begins_with_nobody_at_the_bank(self, cast: Cast) -> None:
        self.with_number(cast, "GEGA-000200")
        assert Turn.objects.get().ended_why == Turn.Ended.GAME
        answers(cast, 5, 6)
        answers(cast, 4, answer="accepted")
        assert Turn.objects.latest("id").rounds_before == 0
        play(cast, 2, 5)
        assert (step(cast), exceptions(cast)) == (("offer", 5), [])

    def test_one_of_the_same_approval_counts_on(self, cast: Cast) -> None:
        self.with_number(cast, "GEGA-000123")
        assert step(cast) == ("keep", 4)
        play(cast, 1, 5)
        assert step(cast) == ("offer", 5)
