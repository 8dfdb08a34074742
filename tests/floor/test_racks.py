"""A provider's rack: its counts, and its hand-over between two of the provider's authorized players (rulings 62 and 63)."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
import time_machine
from django.db import DatabaseError, transaction
from django.utils import timezone

from cardroom.core.triggers import append_only
from cardroom.floor.commands.bank import offer_answer, turn_end, turn_renew
from cardroom.floor.commands.exclusions import exclusion_enter
from cardroom.floor.commands.racks import rack_close, rack_hand_over, rack_open
from cardroom.floor.commands.rounds import bets_place, round_open
from cardroom.floor.commands.seats import player_leave, player_seat
from cardroom.floor.commands.undo import undo
from cardroom.floor.errors import FloorError
from cardroom.floor.models import Alert, JournalEntry, RackCount, Round, Seating, Turn
from cardroom.floor.reads.bank_time import bank_time
from cardroom.floor.reads.racks import rack_sessions
from cardroom.floor.reads.rotation import hours_period, table_rotation
from cardroom.floor.tasks import watch_floors
from cardroom.floor.verification.rows import rows_verify
from cardroom.people.models import Exclusion, Player, Provider, ProviderContract
from cardroom.people.names import named
from cardroom.people.permits import local_day
from cardroom.reports.shift.consecutive_rounds import runs_over_limit
from games.rotation.play import Play, Stint, minutes_banked
from games.rotation.profile import load_profile
from tests.cast import Cast

DAY, HOUR = datetime.timedelta(days=1), datetime.timedelta(hours=1)


@pytest.fixture
def levee(cast: Cast) -> Cast:
    """Cy banks at seat 3 for Levee; Hal plays for it too and sits nowhere. Seats 1 to 7 are taken."""
    firm = Provider.objects.create(room=cast.room, name="Levee")
    for player in (cast.players[3], cast.waiting[0]):
        player.provider = firm
        player.save()
    return cast.running()


def hand_over(
    cast: Cast, to: Player | None = None, *, seat: int = 3, cents: int = 1_250_000, who: str = "floor"
) -> dict[str, Any]:
    """Let Hal, or another player, take the rack of seat 3 over."""
    return cast.send(rack_hand_over, who, seat=seat, to_player_id=(to or cast.waiting[0]).pk, cents=cents)


def refused(cast: Cast, to: Player | None = None, **given: object) -> FloorError:
    with pytest.raises(FloorError) as refusal:
        hand_over(cast, to, **given)  # type: ignore[arg-type]
    assert not RackCount.objects.exists()
    return refusal.value


def all_decline(cast: Cast) -> None:
    while cast.state().step.kind == "offer":
        cast.send(offer_answer, seat=cast.state().step.seat, answer="declined")


class TestAHandOver:
    def test_gives_seat_and_bank_to_the_other_player_and_the_turn_goes_on(self, levee: Cast) -> None:
        levee.play({4: 1000})
        turn = levee.state().turn
        assert turn is not None
        answer = hand_over(levee)
        state, hal, cy = levee.state(), levee.waiting[0], levee.players[3]
        assert state.seatings[3].player == hal and state.turn is not None
        assert (state.turn.pk, state.turn.player, state.turn.in_a_row) == (turn.pk, hal, 1)
        assert (state.turn.relieved, state.turn.rounds) == ([cy.pk], 1)
        assert (state.step.kind, state.step.reason) == (
            "keep",
            "Hal may bank 1 more round before an offer is due",
        )
        made = RackCount.objects.get(pk=answer["rack_count"])
        assert (made.player, made.relieved, made.cents, made.turn, made.chips) == (
            hal,
            cy,
            1_250_000,
            turn,
            {},
        )
        assert (made.left.player, made.stay.player, made.left.left_at) == (cy, hal, made.stay.seated_at)
        assert (made.recorded_by, made.witnessed_by) == (levee.people["floor"], levee.people["floor"])
        entry = JournalEntry.objects.filter(command="rack_hand_over").get()
        assert (entry.data["player"], entry.data["relieved"], entry.data["cents"]) == (
            hal.pk,
            cy.pk,
            1_250_000,
        )
        levee.play({4: 1000})
        assert [each.bank_player for each in Round.objects.order_by("id")] == [cy, hal]
        assert Turn.objects.count() == 1 and levee.state().step.kind == "offer"

    def test_of_a_player_who_does_not_bank_touches_no_turn(self, levee: Cast) -> None:
        levee.send(turn_end)
        answer = hand_over(levee)
        assert (answer["turn"], levee.state().turn, levee.state().seatings[3].player) == (
            None,
            None,
            levee.waiting[0],
        )

    def test_is_witnessed_by_the_floor_where_the_dealer_records_it(self, levee: Cast) -> None:
        given = {"seat": 3, "to_player_id": levee.waiting[0].pk, "cents": 500}
        with pytest.raises(FloorError) as refusal:
            levee.send(rack_hand_over, "dealer", **given)
        assert refusal.value.code == "supervisor_required"
        levee.send(rack_hand_over, "dealer", **given, approver=levee.people["floor"])
        made = RackCount.objects.get()
        assert (made.recorded_by, made.witnessed_by) == (levee.people["dealer"], levee.people["floor"])

    def test_may_tell_the_chips_which_come_to_the_count(self, levee: Cast) -> None:
        given = {"seat": 3, "to_player_id": levee.waiting[0].pk, "chips": {"2500": 40, "500": 1}}
        with pytest.raises(FloorError) as refusal:
            levee.send(rack_hand_over, "floor", **given, cents=100_000)
        assert (refusal.value.code, refusal.value.path) == ("count_differs", "cents")
        levee.send(rack_hand_over, "floor", **given, cents=100_500)
        assert RackCount.objects.get().chips == {"2500": 40, "500": 1}

    def test_never_changes_again(self, levee: Cast) -> None:
        hand_over(levee)
        assert RackCount.guards == append_only()
        with pytest.raises(DatabaseError), transaction.atomic():
            RackCount.objects.update(cents=1)


class TestAnUndo:
    """A hand-over goes back in one touch until a round opens; it stays on record and counts nowhere."""

    def test_gives_seat_and_turn_back(self, levee: Cast) -> None:
        levee.play({4: 1000})
        hand_over(levee)
        step = levee.state().step_back
        assert step is not None and step.text == "the hand-over of the rack at seat 3"
        assert levee.send(undo)["command"] == "rack_hand_over"
        state = levee.state()
        assert state.turn is not None and (state.turn.player, state.turn.relieved, state.turn.in_a_row) == (
            levee.players[3],
            [],
            1,
        )
        assert state.seatings[3].player == levee.players[3]
        assert RackCount.objects.get().withdrawal.withdrawn_by == levee.people["dealer"]
        levee.play({4: 1000})
        assert table_rotation(levee.table, hours_period(1, timezone.now())).exceptions == []
        now = timezone.now()
        [session] = rack_sessions(levee.room, now - DAY, now + DAY)
        assert (session.players, session.counts) == ([levee.players[3].ref, levee.waiting[0].ref], [])
        assert not list(rows_verify())

    def test_is_none_once_a_round_has_opened(self, levee: Cast) -> None:
        hand_over(levee)
        levee.play({4: 1000})
        assert levee.state().step_back is None

    def test_is_refused_where_the_one_who_was_relieved_sits_elsewhere_by_now(self, levee: Cast) -> None:
        hand_over(levee)
        Seating.objects.create(
            room=levee.room,
            table=levee.second_table,
            seat=1,
            player=levee.players[3],
            seated_at=timezone.now(),
        )
        with pytest.raises(FloorError) as refusal:
            levee.send(undo)
        assert refusal.value.code == "player_elsewhere"
        assert levee.state().seatings[3].player == levee.waiting[0]


class TestRefused:
    def test_is_whoever_plays_for_another_provider_or_for_none(self, levee: Cast) -> None:
        delta = Provider.objects.create(room=levee.room, name="Delta")
        for provider in (delta, None):
            levee.waiting[1].provider = provider
            levee.waiting[1].save()
            error = refused(levee, levee.waiting[1])
            assert (error.code, error.path) == ("other_provider", "to_player_id")
            assert error.extra == {"clause": "4 CCR 12290(b)"}

    def test_is_the_rack_of_a_seat_without_one(self, levee: Cast) -> None:
        assert refused(levee, seat=4).code == "no_provider"
        levee.send(player_leave, seat=4)
        assert refused(levee, seat=4).code == "seat_empty"

    def test_is_the_player_who_has_it_already(self, levee: Cast) -> None:
        assert refused(levee, levee.players[3]).code == "same_player"

    def test_is_a_hand_over_in_the_middle_of_a_round_that_the_seat_banks_or_wagers_in(
        self, levee: Cast
    ) -> None:
        levee.begin()
        assert refused(levee).code == "seat_live"

    def test_but_a_seat_with_nothing_in_play_may_hand_over(self, levee: Cast) -> None:
        levee.send(turn_end)
        levee.bank_to(5)
        levee.send(round_open, bank_wager_cents=20000)
        levee.send(bets_place, positions=[{"seat": 3, "wagers": {"ante": 1000}}])
        assert refused(levee).code == "seat_live"
        levee.send(bets_place, positions=[{"seat": 3, "wagers": {}}])
        hand_over(levee)
        assert levee.state().seatings[3].player == levee.waiting[0]

    def test_is_whoever_sits_elsewhere(self, levee: Cast) -> None:
        Seating.objects.create(
            room=levee.room,
            table=levee.second_table,
            seat=1,
            player=levee.waiting[0],
            seated_at=timezone.now(),
        )
        assert refused(levee).code == "player_elsewhere"

    def test_is_whoever_is_excluded_in_words_that_do_not_tell(self, levee: Cast) -> None:
        levee.send_room(
            exclusion_enter,
            "shift_manager",
            player_id=levee.waiting[0].pk,
            kind=Exclusion.Kind.BARRED,
            reason="took chips",
            ends_on=local_day(levee.room, timezone.now()) + 30 * DAY,
        )
        error = refused(levee)
        assert (error.code, error.message) == (
            "player_inactive",
            "Hal may no longer play in this room: ask a shift manager.",
        )

    def test_is_an_expired_badge_which_raises_an_alert(self, levee: Cast) -> None:
        levee.waiting[0].badge_number = "A-7"
        levee.waiting[0].badge_expires = local_day(levee.room, timezone.now()) - DAY
        levee.waiting[0].save()
        assert refused(levee).code == "badge_expired"
        assert Alert.objects.filter(kind=Alert.Kind.PERMIT_EXPIRED).exists()

    def test_is_a_table_outside_the_contract(self, levee: Cast) -> None:
        day = local_day(levee.room, timezone.now())
        ProviderContract.objects.create(
            room=levee.room,
            provider=Provider.objects.get(name="Levee"),
            number="C-1",
            begins_on=day - DAY,
            ends_on=day + 30 * DAY,
            tables=[1],
            entered_by=levee.people["room_manager"],
            entered_at=timezone.now(),
        )
        assert refused(levee).code == "outside_contract"


class TestTheLimit:
    def test_is_that_of_the_provider_however_often_the_rack_changes_hands(self, levee: Cast) -> None:
        levee.play({4: 1000})
        hand_over(levee)
        levee.play({4: 1000})
        hand_over(levee, levee.players[3])
        with pytest.raises(FloorError) as refusal:
            levee.begin()
        assert refusal.value.code == "offer_due"

    def test_holds_where_who_took_over_gives_the_bank_up(self, levee: Cast) -> None:
        """Two rounds by Cy, and Hal takes over: he is the last bank, asked last, with two rounds on his count."""
        levee.play({4: 1000})
        levee.play({4: 1000})
        hand_over(levee)
        levee.send(turn_end)
        last = levee.state().last_bank
        assert last is not None and (last.player, last.rounds) == (levee.waiting[0].pk, 2)
        asked = []
        while (step := levee.state().step).kind == "offer" and step.seat != 3:
            asked.append(step.seat)
            levee.send(offer_answer, seat=step.seat, answer="declined")
        assert asked == [4, 5, 6, 7, 1, 2]

    def test_holds_where_who_was_relieved_comes_back_by_another_way(self, levee: Cast) -> None:
        """One round by Cy, one by Hal; Hal leaves and Cy sits down again: the count is theirs together."""
        levee.play({4: 1000})
        hand_over(levee)
        levee.play({4: 1000})
        levee.send(player_leave, seat=3)
        levee.send(player_seat, seat=3, player_id=levee.players[3].pk)
        assert levee.state().rounds_before(levee.players[3].pk) == 2
        levee.bank_to(3)
        assert table_rotation(levee.table, hours_period(1, timezone.now())).exceptions == []

    def test_holds_where_the_rack_changes_hands_before_the_first_round_of_a_turn(self, levee: Cast) -> None:
        """One round by Cy, who gives the bank up and takes it again alone: Hal takes over with that round on his count."""
        levee.play({4: 1000})
        for seat in (1, 2, 4, 5, 6, 7):
            levee.send(player_leave, seat=seat)
        levee.send(turn_end)
        levee.bank_to(3)
        hand_over(levee)
        levee.send(turn_end)
        assert levee.state().rounds_before(levee.waiting[0].pk) == 1
        assert levee.state().rounds_before(levee.players[3].pk) == 1

    def test_of_minutes_goes_on_too(self, levee: Cast) -> None:
        began = timezone.now()
        later = began + datetime.timedelta(minutes=40)
        handed = Stint("Hal", provider=True, began_at=later, began_by="Cy")
        play = Play(began + datetime.timedelta(minutes=50), (Stint("Cy", True, began, later), handed))
        assert minutes_banked(load_profile("every_hour"), play) == 50


class TestReports:
    def test_the_rotation_calls_a_hand_over_no_exception(self, levee: Cast) -> None:
        levee.play({4: 1000})
        hand_over(levee)
        levee.play({4: 1000})
        all_decline(levee)
        levee.send(turn_renew)
        levee.play({4: 1000})
        found = table_rotation(levee.table, hours_period(1, timezone.now()))
        assert found.exceptions == [] and runs_over_limit(levee.state().shift.pk) == []  # type: ignore[union-attr]
        [first, second] = [run for run in found.runs if run.turn is not None]
        assert (first.held_by, second.held_by) == (["Cy", "Hal"], ["Hal"])
        assert [each.relieved.known_as for each in first.hand_overs if each.relieved] == ["Cy"]

    def test_the_rotation_finds_a_round_too_many_over_a_hand_over(
        self, levee: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        levee.play({4: 1000})
        hand_over(levee)
        levee.play({4: 1000})
        monkeypatch.setattr(
            "cardroom.floor.commands.rounds.why_no_more_rounds_in_a_row", lambda state: None, raising=False
        )
        monkeypatch.setattr(
            "cardroom.floor.checks.rounds.why_no_more_rounds_in_a_row", lambda state: None, raising=False
        )
        levee.play({4: 1000})
        found = table_rotation(levee.table, hours_period(1, timezone.now()))
        assert [each.kind for each in found.exceptions] == ["over_limit"]
        [run] = runs_over_limit(levee.state().shift.pk)  # type: ignore[union-attr]
        assert len(run["rounds"]) == 3

    def test_time_at_the_bank_is_of_whoever_held_it_when(self, levee: Cast) -> None:
        levee.play({4: 1000})
        hand_over(levee)
        levee.play({4: 1000})
        since = timezone.now() - DAY
        found = {share.player.name: share for share in bank_time(levee.room, since, since + 2 * DAY).shares}
        assert {name: (share.turns, share.rounds) for name, share in found.items()} == {
            "Cy": (1, 1),
            "Hal": (0, 1),
        }
        assert all(share.held for share in found.values())
        turn, made = Turn.objects.get(), RackCount.objects.get()
        assert found["Cy"].held == made.counted_at - turn.began_at

    def test_a_session_goes_from_the_first_player_to_the_last_with_its_counts(self, levee: Cast) -> None:
        levee.send(rack_open, "floor", seat=3, cents=1_000_000)
        levee.play({4: 1000})
        hand_over(levee, cents=1_001_000)
        levee.send(rack_close, "floor", seat=3, cents=990_000)
        levee.send(player_leave, seat=3)
        levee.send(player_seat, seat=3, player_id=levee.players[3].pk)
        now = timezone.now()
        first, second = rack_sessions(levee.room, now - DAY, now + DAY)
        assert (named(first.players), named(second.players)) == (["Cy", "Hal"], ["Cy"])
        assert [count.cents for count in first.counts] == [1_000_000, 1_001_000, 990_000]
        assert (first.difference_cents, second.difference_cents) == (-10_000, None)
        assert first.ended_at is not None and second.ended_at is None
        [whole] = rack_sessions(levee.room, first.stays[1].seated_at, first.ended_at)
        assert whole.stays == first.stays

    def test_an_opening_count_comes_before_a_hand_over(self, levee: Cast) -> None:
        hand_over(levee)
        with pytest.raises(FloorError) as refusal:
            levee.send(rack_open, "floor", seat=3, cents=1_000_000)
        assert refusal.value.code == "rack_taken_over"


class TestTheWatch:
    """What ends while somebody holds the bank is noticed by time, without a command."""

    def test_raises_an_alert_once_the_badge_of_the_bank_has_ended_and_for_whoever_has_the_rack(
        self, levee: Cast
    ) -> None:
        bank = levee.players[3]
        bank.badge_number, bank.badge_expires = "A-7", local_day(levee.room, timezone.now())
        bank.save()
        watch_floors()
        here = Alert.objects.filter(kind=Alert.Kind.PERMIT_EXPIRED, cleared_at__isnull=True)
        assert not here.exists()
        with time_machine.travel(
            timezone.now() + 13 * HOUR, tick=False
        ):  # one o'clock at night: the gaming day goes on
            watch_floors()
            assert [alert.subject for alert in here] == [f"player:{bank.pk}"]
            hand_over(levee)
            watch_floors()
            assert not here.all().exists()

    def test_raises_an_alert_as_the_hours_of_the_contract_end(self, levee: Cast) -> None:
        day = local_day(levee.room, timezone.now())
        ProviderContract.objects.create(
            room=levee.room,
            provider=Provider.objects.get(name="Levee"),
            number="C-1",
            begins_on=day,
            opens_at=datetime.time(10),
            closes_at=datetime.time(14),
            entered_by=levee.people["room_manager"],
            entered_at=timezone.now(),
        )
        here = Alert.objects.filter(kind=Alert.Kind.PERMIT_EXPIRED, cleared_at__isnull=True)
        watch_floors()
        assert not here.exists()
        with time_machine.travel(timezone.now() + 3 * HOUR, tick=False):
            watch_floors()
            assert [alert.subject for alert in here] == [f"contract:{levee.players[3].pk}"]
