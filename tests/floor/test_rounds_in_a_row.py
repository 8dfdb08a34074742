"""What alone starts the count of rounds in a row anew (ruling 40), tried on the services: everything else is no way around."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from cardroom.documents.document import Mark
from cardroom.floor.commands.bank import offer_answer, offers_ask_again, turn_end, turn_renew
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.rounds import round_open, round_void
from cardroom.floor.commands.seats import down_end, down_start, player_leave, player_move, player_seat
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.commands.tables import table_close, table_open, table_set
from cardroom.floor.commands.undo import undo
from cardroom.floor.errors import FloorError
from cardroom.floor.execution.carry_out import TableCommand
from cardroom.floor.models import JournalEntry, Offer, Round, Shift, Table, Turn
from cardroom.floor.reads.board import room_board
from cardroom.floor.reads.rotation import day_period, table_rotation
from cardroom.floor.reads.rotation_days import day_stretches, tables_days
from cardroom.floor.reads.table_state import TableState, last_bank_of, read_table
from cardroom.people.names import named
from cardroom.reports.catalogue.exceptions import exceptions_with_rotation
from cardroom.reports.queries.query import ReportQuery
from cardroom.rooms.gaming_day import gaming_day
from tests.cast import Cast
from tests.filing import table_settings
from tests.kept import kept

OTHERS = (1, 5, 6)


@pytest.fixture
def full(db: None) -> Cast:
    """Cy sits at seat 3 and has banked two rounds; Ana, Eve and Fay sit at seats 1, 5 and 6."""
    return kept(_full)


def _full() -> Cast:
    cast = Cast()
    cast.open(seats=(3, *OTHERS))
    cast.bank_to(3)
    play(cast, 2)
    return cast


def play(cast: Cast, times: int = 1, at: int = 5) -> None:
    for _ in range(times):
        cast.play({at: 1000})


def state(cast: Cast) -> TableState:
    return read_table(Table.objects.get(pk=cast.table.pk))


def step(cast: Cast) -> tuple[str, int | None]:
    found = state(cast).step
    return found.kind, found.seat


def in_a_row(cast: Cast) -> int:
    """How many rounds in a row the last bank has by the floor."""
    seen = state(cast)
    if seen.turn is not None and seen.turn.in_a_row:
        return seen.turn.in_a_row
    found = last_bank_of(cast.table)
    return 0 if found is None else found.rounds


def refused(cast: Cast, command: TableCommand[...], **arguments: Any) -> str:
    with pytest.raises(FloorError) as refusal:
        cast.send(command, **arguments)
    return refusal.value.code


def sit(cast: Cast, *seats: int) -> None:
    for seat in seats:
        cast.send(player_seat, seat=seat, player_id=cast.players[seat].pk)


def close_and_open(cast: Cast) -> None:
    """Nobody sits at the table any more."""
    cast.send(table_close, "floor")
    cast.send(table_open, "floor")
    cast.send(down_start, "floor", dealer_id=cast.people["dealer"].pk)


def answers(cast: Cast, *seats: int, answer: str = "declined") -> None:
    """The seats are asked in this order, and give this answer."""
    for seat in seats:
        assert step(cast) == ("offer", seat)
        cast.send(offer_answer, seat=seat, answer=answer)


def board_step(cast: Cast) -> Any:
    glance, _ = room_board(cast.room, Shift.objects.filter(closed_at=None).first(), timezone.now())
    return glance.state.step


def set_to(cast: Cast, **settings: Any) -> None:
    cast.send(table_set, "floor", **table_settings(cast.room, **settings))


class TestNothingElseStartsTheCountAnew:
    @pytest.mark.clause("california:type.5")
    def test_closing_opening_and_sitting_down_first(self, full: Cast) -> None:
        """One player banked seven rounds that way, and no other seat was asked."""
        for _ in range(3):
            close_and_open(full)
            sit(full, 3)
            assert step(full) == ("vacant", None)
            assert refused(full, offer_answer, seat=3, answer="accepted") == "all_asked"
        sit(full, *OTHERS)
        assert step(full) == ("offer", 5)
        assert board_step(full) == state(full).step
        assert refused(full, offer_answer, seat=3, answer="accepted") == "offer_due_elsewhere"
        assert refused(full, round_open, bank_wager_cents=10000) == "no_bank"
        assert in_a_row(full) == 2

    def test_after_everybody_else_was_asked_the_same_bank_has_two_rounds_more(self, full: Cast) -> None:
        close_and_open(full)
        sit(full, 3, *OTHERS)
        answers(full, 5, 6, 1)
        answers(full, 3, answer="accepted")
        assert in_a_row(full) == 0
        play(full, 2)
        assert step(full) == ("offer", 5)

    def test_a_round_before_the_closing_counts(self, db: None) -> None:
        cast = Cast()
        cast.open(seats=(3, *OTHERS))
        cast.bank_to(3)
        play(cast)
        close_and_open(cast)
        sit(cast, 3)
        answers(cast, 3, answer="accepted")
        sit(cast, *OTHERS)
        assert (step(cast), in_a_row(cast)) == (("keep", 3), 1)
        play(cast)
        assert step(cast) == ("offer", 5)
        turn = Turn.objects.latest("id")
        assert (turn.rounds_before, turn.rounds) == (1, 1)
        began = JournalEntry.objects.filter(command="turn_begin").latest("seq")
        assert began.data["rounds_before"] == 1

    @pytest.mark.parametrize("by", ["turn_end", "leave", "move"])
    def test_leaving_the_bank_or_the_seat(self, full: Cast, by: str) -> None:
        seat = 3
        if by == "turn_end":
            full.send(turn_end)
        elif by == "leave":
            full.send(player_leave, seat=3)
            full.send(player_seat, seat=4, player_id=full.players[3].pk)
            seat = 4
        else:
            full.send(player_move, seat=3, to_seat=7)
            seat = 7
        assert refused(full, offer_answer, seat=seat, answer="accepted") == "offer_due_elsewhere"
        answers(full, 5, 6, 1)
        assert (step(full), in_a_row(full)) == (("offer", seat), 2)

    def test_another_player_who_takes_the_bank_and_settles_no_round(self, full: Cast) -> None:
        answers(full, 5, answer="accepted")
        full.bet({6: 1000})
        full.send(round_void, reason="device failure", approver=full.people["floor"])
        full.send(turn_end)
        # Cy is not next, though seats 6 and 1 are the only others who have not held the bank.
        answers(full, 6, 1, 5)
        assert (step(full), in_a_row(full)) == (("offer", 3), 2)

    def test_everybody_else_who_stands_up_for_a_moment(self, full: Cast) -> None:
        for seat in OTHERS:
            full.send(player_leave, seat=seat)
        assert step(full) == ("vacant", None)
        assert refused(full, turn_renew) == "not_all_declined"
        assert refused(full, offers_ask_again) == "not_all_declined"
        sit(full, *OTHERS)
        assert step(full) == ("offer", 5)

    def test_a_new_shift_and_another_dealer(self, full: Cast) -> None:
        full.send_room(shift_close, confirmed=True, shift_id=Shift.objects.get(closed_at=None).pk)
        full.send_room(shift_open, name="Graveyard")
        full.send(down_end, "floor")
        full.send(down_start, "floor", dealer_id=full.people["floor"].pk)
        assert (step(full), in_a_row(full)) == (("offer", 5), 2)

    def test_the_name_of_the_table_and_its_number(self, full: Cast) -> None:
        Table.objects.filter(pk=full.table.pk).update(number=12)
        assert (step(full), in_a_row(full)) == (("offer", 5), 2)

    def test_a_change_of_game_and_back(self, full: Cast) -> None:
        set_to(full, rulebook="designated_player")
        assert (step(full), in_a_row(full)) == (("offer", 5), 2)
        set_to(full)
        assert (step(full), in_a_row(full)) == (("offer", 5), 2)

    def test_a_change_of_profile_while_the_table_is_closed(self, full: Cast) -> None:
        full.send(table_close, "floor")
        set_to(full, rotation="every_hand")
        set_to(full, rotation="two_rounds")
        full.send(table_open, "floor")
        full.send(down_start, "floor", dealer_id=full.people["dealer"].pk)
        sit(full, 3)
        assert (step(full), in_a_row(full)) == (("vacant", None), 2)

    def test_voids_and_a_correction_in_the_run(self, db: None) -> None:
        cast = Cast()
        cast.open(seats=(3, *OTHERS))
        cast.bank_to(3)
        play(cast)
        cast.bet({5: 1000})
        cast.send(round_void, reason="device failure", approver=cast.people["floor"])
        first = Round.objects.get(number=1)
        assert first.sheet is not None
        cast.send(
            round_correct,
            "floor",
            round_id=first.pk,
            bank_wager_cents=15000,
            bank_hand=first.sheet["bank_hand"],
            positions=first.sheet["positions"],
            reason="The bank's wager was keyed in wrong",
            approver=cast.people["shift_manager"],
        )
        assert (step(cast), in_a_row(cast)) == (("keep", 3), 1)
        play(cast)
        assert (step(cast), in_a_row(cast)) == (("offer", 5), 2)

    def test_two_rounds_then_an_intervening_bank_is_not_got_around(self, full: Cast) -> None:
        set_to(full, rotation="intervening")
        answers(full, 5, answer="accepted")
        full.send(turn_end)
        answers(full, 6, 1, 5)
        assert step(full) == ("vacant", None)
        close_and_open(full)
        sit(full, 3)
        assert step(full) == ("vacant", None)


class TestWhatStartsItAnew:
    def test_another_players_settled_round(self, full: Cast) -> None:
        answers(full, 5, answer="accepted")
        play(full, at=6)
        last = last_bank_of(full.table)
        assert last is not None and (last.player, last.rounds) == (full.players[5].pk, 1)
        full.send(turn_end)
        answers(full, 6, 1)
        answers(full, 3, answer="accepted")
        assert Turn.objects.latest("id").rounds_before == 0
        play(full, 2)
        assert step(full) == ("offer", 5)

    def test_everybody_elses_no_each_logged(self, full: Cast) -> None:
        answers(full, 5, answer="absent")
        answers(full, 6, 1)
        full.send(turn_renew)
        play(full)
        assert (step(full), in_a_row(full)) == (("keep", 3), 1)

    def test_it_begins_anew_once(self, full: Cast) -> None:
        """A renewed turn that is given up after one round leaves that one on the count."""
        answers(full, 5, 6, 1)
        full.send(turn_renew)
        play(full)
        close_and_open(full)
        sit(full, 3)
        answers(full, 3, answer="accepted")
        assert in_a_row(full) == 1


class TestOffersGoOn:
    def test_from_where_they_stood_after_a_closing(self, full: Cast) -> None:
        answers(full, 5)
        close_and_open(full)
        sit(full, 3, *OTHERS)
        answers(full, 6, 1)
        answers(full, 3, answer="accepted")
        assert in_a_row(full) == 0

    def test_and_an_answer_is_the_players_not_the_seats(self, full: Cast) -> None:
        answers(full, 5)
        full.send(player_move, seat=5, to_seat=7)
        full.send(player_seat, seat=5, player_id=full.players[2].pk)
        # Eve, who declined at seat 5, sits at seat 7; Bo has taken seat 5 behind the offers, and is asked too.
        answers(full, 6, 1, 5)
        assert step(full) == ("renew", 3)
        asked = Offer.objects.filter(seat=5, answer="declined").values_list("player__name", flat=True)
        assert set(asked) == {"Bo", "Eve"}

    def test_a_player_answers_once_in_a_run(self, full: Cast) -> None:
        answers(full, 5)
        given = Offer.objects.latest("id")
        given.pk = None
        with pytest.raises(IntegrityError), transaction.atomic():
            given.save(force_insert=True)

    def test_whoever_sits_down_behind_them_is_asked_before_the_last_bank(self, full: Cast) -> None:
        answers(full, 5, 6)
        sit(full, 4)
        answers(full, 1, 4)
        full.send(turn_renew)

    def test_undoing_the_answer_that_began_a_turn_puts_all_of_it_back(self, full: Cast) -> None:
        answers(full, 5)
        answers(full, 6, answer="accepted")
        full.send(undo)
        assert (step(full), in_a_row(full)) == (("offer", 6), 2)
        answers(full, 6, 1)
        assert step(full) == ("offer", 3)
        answers(full, 3, answer="accepted")
        assert in_a_row(full) == 0
        full.send(undo)
        assert (step(full), in_a_row(full)) == (("offer", 3), 2)


class TestWhatReportsFind:
    """Rows as today's floor would not let them come to be: the last bank was forgotten at each opening."""

    @pytest.fixture
    def seven(self, full: Cast, monkeypatch: pytest.MonkeyPatch) -> Cast:
        monkeypatch.setattr("cardroom.floor.reads.table_state.last_bank_of", lambda table: None)
        for rounds in (2, 2, 1):
            close_and_open(full)
            sit(full, 3)
            answers(full, 3, answer="accepted")
            sit(full, *OTHERS)
            play(full, rounds)
        assert not Offer.objects.exclude(answer="accepted").filter(after_turn__isnull=False).exists()
        return full

    def test_the_review_names_each_round_over_the_limit(self, seven: Cast) -> None:
        period = day_period(seven.room, gaming_day(seven.room, timezone.now()))
        found = table_rotation(Table.objects.get(pk=seven.table.pk), period).exceptions
        assert [each.kind for each in found] == ["over_limit"] * 5
        assert found[-1].text.endswith("as the 7th in a row; the bank goes round after 2.")

    def test_one_that_begins_after_the_first_of_them_knows_of_them(self, seven: Cast) -> None:
        [last] = Round.objects.order_by("-id")[:1]
        day = day_period(seven.room, gaming_day(seven.room, timezone.now()))
        [found] = table_rotation(
            Table.objects.get(pk=seven.table.pk),
            type(day)(last.opened_at, timezone.now(), "the last round"),
        ).exceptions
        assert (found.round, found.kind) == (last.pk, "over_limit") and "7th" in found.text

    def test_the_exception_report_lists_them(self, seven: Cast) -> None:
        today = gaming_day(seven.room, timezone.now())
        document = named(
            exceptions_with_rotation(
                ReportQuery(
                    room=seven.room,
                    first=today,
                    last=today,
                    staff=seven.people["shift_manager"],
                    now=timezone.now(),
                    options={},
                )
            )
        )
        grid = document.grid("rotation")
        assert grid is not None
        assert [row.values["player"] for row in grid.rows] == ["Cy"] * 5
        [answer] = [each for each in document.answers if each.name == "rotation"]
        assert (answer.value, answer.mark) == (5, Mark.STOP)

    def test_what_if_another_rule_held_counts_over_the_same_span(self, seven: Cast) -> None:
        today = gaming_day(seven.room, timezone.now())
        [days] = tables_days([seven.table], day_stretches(seven.room, today, today), under="every_hand")
        assert [each.kind for each in days.exceptions] == ["over_limit"] * 5
        assert [each.kind for each in days.under("every_hand")] == ["over_limit"] * 6


def test_the_review_looks_back_over_as_many_rounds_as_any_profile_counts() -> None:
    from cardroom.floor.reads.rotation import ROUNDS_BACK
    from games.approved_terms import MOST_ROUNDS
    from games.rotation.profile import PROFILES, load_profile

    limits = [load_profile(each).offer_after_rounds or 0 for each in PROFILES]
    assert max(*limits, MOST_ROUNDS) <= ROUNDS_BACK


def test_the_last_bank_is_found_without_walking_through_the_turns(full: Cast) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL plans by what it has counted, and reads small tables whole")
    from cardroom.floor.reads.table_state import last_banks

    found = last_banks().filter(table=full.table.pk).values_list("player", "counted")[:1]
    plan = found.explain()
    assert "SCAN" not in plan and "turns_of_a_time" in plan, plan
