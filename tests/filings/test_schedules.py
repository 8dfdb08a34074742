"""Drafting, filing, superseding and withdrawing; which version is in force; what the database keeps."""

from __future__ import annotations

import datetime
import threading
from typing import Any

import pytest
from django.db import IntegrityError, connection, connections, transaction

from cardroom.demo.filings import schedules_seed
from cardroom.filings import services
from cardroom.filings.errors import FilingConflict, FilingError, NotInForce
from cardroom.filings.models import FeeSchedule
from cardroom.filings.models.schedules import ScheduleIllegal
from cardroom.filings.selectors import changes_since, in_force, version_in_force
from cardroom.people.models import Staff
from cardroom.rooms.models import Room
from fees.errors import ScheduleRefused
from fees.printed import why_not_called
from tests.fees.documents import OPTION_1, OPTION_2, band, player, wager, with_line, with_lines
from tests.filing import filed_game, schedule_draft

from .conftest import LONG_AGO, TODAY, Refused

DAY = datetime.timedelta(days=1)
TOMORROW = TODAY + DAY
DEARER = with_line(3, fee_cents=300)
TO_JACKPOT = {"payer": "player", "per": "ante", "box": "jackpot", "fee_cents": 50}
#: A number of which the document prints no option: a room's own figures go under one of these (ruling 13).
OWN = 3


def drafted(room: Room, by: Staff, document: dict[str, Any] = OPTION_1, number: int = OWN) -> FeeSchedule:
    return schedule_draft(room=room, number=number, document=document, by=by)


def filed(
    room: Room,
    by: Staff,
    effective_from: datetime.date = LONG_AGO,
    document: dict[str, Any] = OPTION_1,
    number: int = OWN,
) -> FeeSchedule:
    draft = drafted(room, by, document, number)
    return services.file(draft, by=by, effective_from=effective_from, state_reference="BGC 12-345")


def code_of(raised: pytest.ExceptionInfo[FilingError]) -> str:
    return raised.value.code


class TestDrafts:
    def test_versions_of_a_number_count_from_one(self, room: Room, filer: Staff) -> None:
        first = filed(room, filer)
        second = drafted(room, filer, DEARER)
        other = drafted(room, filer, OPTION_2, number=2)
        assert [first.version, second.version, other.version] == [1, 2, 1]
        assert str(second) == "Schedule option 3, version 2"

    def test_two_rooms_number_their_own(self, room: Room, filer: Staff) -> None:
        elsewhere = Room.objects.create(name="Bay Street", code="bay-street")
        filed(room, filer)
        assert drafted(elsewhere, filer).version == 1

    def test_a_number_has_one_draft_at_a_time(self, room: Room, filer: Staff) -> None:
        drafted(room, filer)
        with pytest.raises(FilingConflict) as raised:
            drafted(room, filer)
        assert code_of(raised) == "draft_exists"
        assert FeeSchedule.objects.count() == 1

    def test_a_draft_may_be_illegal_until_it_is_filed(self, room: Room, filer: Staff) -> None:
        draft = drafted(room, filer, with_line(3, fee_cents="5%"))
        with pytest.raises(ScheduleRefused):
            _ = draft.schedule
        edited = services.edit(draft, by=filer, document=OPTION_1, title="Low limit")
        assert (edited.title, edited.schedule.title) == ("Low limit", "Low limit")
        assert edited.schedule.ante_max_cents == 10000

    @pytest.mark.parametrize(
        ("changes", "code"),
        [
            ({"rulebook": "nevada"}, "unknown_rulebook"),
            ({"number": 0}, "bad_number"),
            ({"document": {"clause": float("nan")}}, "bad_json"),
            ({"document": {"clause": {1, 2}}}, "bad_json"),
            ({"document": {"clause": "\x00"}}, "bad_json"),
            ({"document": {"clause": "\ud800"}}, "bad_json"),
        ],
    )
    def test_what_cannot_be_kept_is_refused(
        self, room: Room, filer: Staff, changes: dict[str, Any], code: str
    ) -> None:
        with pytest.raises(FilingError) as raised:
            schedule_draft(**{"room": room, "number": 1, "document": OPTION_1, "by": filer, **changes})
        assert code_of(raised) == code
        assert not FeeSchedule.objects.exists()

    def test_a_draft_can_be_deleted(self, room: Room, filer: Staff) -> None:
        drafted(room, filer).delete()
        assert not FeeSchedule.objects.exists()

    def test_the_history_says_who_wrote_what(self, room: Room, filer: Staff) -> None:
        draft = drafted(room, filer, DEARER)
        services.edit(draft, by=filer, document=OPTION_1, title="Low limit")
        services.file(draft, by=filer, effective_from=TODAY, state_reference="BGC 12-345")
        commands = draft.history.order_by("history_id")
        assert list(commands.values_list("history_change_reason", flat=True)) == [
            "drafted",
            "edited",
            "filed",
        ]
        assert {command.history_user for command in commands} == {filer}


class TestFiling:
    def test_a_filing_says_when_by_whom_and_from_which_day(self, room: Room, filer: Staff) -> None:
        version = filed(room, filer, TODAY)
        version.refresh_from_db()
        assert version.status == FeeSchedule.Status.FILED
        assert (version.effective_from, version.effective_to) == (TODAY, None)
        assert (version.filed_by, version.state_reference) == (filer, "BGC 12-345")
        assert version.filed_at == datetime.datetime(2026, 3, 10, 19, tzinfo=datetime.UTC)

    def test_an_illegal_draft_is_refused_with_every_line_and_stays_a_draft(
        self, room: Room, filer: Staff
    ) -> None:
        draft = drafted(room, filer, with_lines(player(-100), band(500, 10000, 100), band(10300, 20000, 200)))
        with pytest.raises(ScheduleIllegal) as raised:
            services.file(draft, by=filer, effective_from=TODAY, state_reference="BGC 12-345")
        assert [(problem.line, problem.code) for problem in raised.value.problems] == [
            (1, "negative_fee"),
            (3, "bands_gap"),
            (3, "last_band_closed"),
        ]
        draft.refresh_from_db()
        assert (draft.status, draft.filed_at) == (FeeSchedule.Status.DRAFT, None)

    def test_a_filing_needs_the_states_reference(self, room: Room, filer: Staff) -> None:
        with pytest.raises(FilingError) as raised:
            services.file(drafted(room, filer), by=filer, effective_from=TODAY, state_reference=" ")
        assert code_of(raised) == "state_reference_missing"

    def test_what_is_filed_is_neither_filed_again_nor_edited(self, room: Room, filer: Staff) -> None:
        version = filed(room, filer)
        with pytest.raises(FilingConflict) as again:
            services.file(version, by=filer, effective_from=TOMORROW, state_reference="BGC 12-346")
        with pytest.raises(FilingConflict) as edit:
            services.edit(version, by=filer, document=DEARER, title="Dearer")
        assert code_of(again) == code_of(edit) == "not_a_draft"

    def test_a_draft_that_somebody_deleted_is_told(self, room: Room, filer: Staff) -> None:
        draft = drafted(room, filer)
        FeeSchedule.objects.filter(pk=draft.pk).delete()
        with pytest.raises(FilingConflict) as raised:
            services.file(draft, by=filer, effective_from=TODAY, state_reference="BGC 12-345")
        assert code_of(raised) == "draft_gone"

    def test_a_next_version_closes_the_one_before_on_the_day_it_begins(
        self, room: Room, filer: Staff
    ) -> None:
        first = filed(room, filer)
        change = TODAY + 30 * DAY
        second = filed(room, filer, change, DEARER)
        first.refresh_from_db()
        assert (first.status, first.effective_to) == (FeeSchedule.Status.SUPERSEDED, change)
        assert version_in_force(FeeSchedule, room, OWN, TODAY) == first
        assert version_in_force(FeeSchedule, room, OWN, change - DAY) == first
        assert version_in_force(FeeSchedule, room, OWN, change) == second
        assert second.schedule.bands[-1].fee_cents == 300
        assert first.history.first().history_change_reason == "superseded by version 2"

    @pytest.mark.parametrize("day", [TODAY, TODAY - DAY])
    def test_a_day_that_has_been_played_keeps_its_schedule(
        self, room: Room, filer: Staff, day: datetime.date
    ) -> None:
        first = filed(room, filer)
        with pytest.raises(FilingConflict, match="from Wed Mar 11, 2026 on") as raised:
            filed(room, filer, day, DEARER)
        assert code_of(raised) == "too_early"
        first.refresh_from_db()
        assert first.status == FeeSchedule.Status.FILED

    def test_today_is_the_rooms_day_and_not_utcs(self, room: Room, filer: Staff) -> None:
        # In Auckland it is already the 11th: the earliest day there is the 12th.
        Room.objects.filter(pk=room.pk).update(time_zone="Pacific/Auckland")
        room.refresh_from_db()
        filed(room, filer)
        with pytest.raises(FilingConflict, match="from Thu Mar 12, 2026 on"):
            filed(room, filer, TOMORROW, DEARER)

    def test_a_version_cannot_begin_before_the_coming_one_that_it_replaces(
        self, room: Room, filer: Staff
    ) -> None:
        coming = filed(room, filer, TODAY + 10 * DAY)
        with pytest.raises(FilingConflict) as raised:
            filed(room, filer, TODAY + 5 * DAY, DEARER)
        assert code_of(raised) == "too_early"
        FeeSchedule.objects.filter(status=FeeSchedule.Status.DRAFT).delete()
        replaced = filed(room, filer, TODAY + 10 * DAY, DEARER)
        assert version_in_force(FeeSchedule, room, OWN, TODAY + 10 * DAY) == replaced
        assert coming not in in_force(FeeSchedule, room, TODAY + 10 * DAY)

    def test_a_period_that_overlaps_a_closed_one_is_refused(self, room: Room, filer: Staff) -> None:
        first = filed(room, filer)
        services.withdraw(first, by=filer, effective_to=TODAY + 20 * DAY, reason="game dropped")
        with pytest.raises(FilingConflict) as raised:
            filed(room, filer, TODAY + 19 * DAY, DEARER)
        assert code_of(raised) == "periods_overlap"
        FeeSchedule.objects.filter(status=FeeSchedule.Status.DRAFT).delete()
        assert filed(room, filer, TODAY + 20 * DAY, DEARER).status == FeeSchedule.Status.FILED

    def test_a_version_that_never_came_into_force_is_in_nobodys_way(self, room: Room, filer: Staff) -> None:
        coming = filed(room, filer, TODAY + 10 * DAY)
        services.withdraw(coming, by=filer, reason="a misprint")
        coming.refresh_from_db()
        assert coming.effective_to == coming.effective_from
        earlier = filed(room, filer, TOMORROW, DEARER)
        assert version_in_force(FeeSchedule, room, OWN, TODAY + 10 * DAY) == earlier

    @pytest.mark.parametrize(
        ("called", "refused"),
        [
            ({"number": 1}, True),
            ({"number": 2, "title": "House fees"}, True),
            ({"number": OWN, "title": "Schedule option 1"}, True),
            ({"number": OWN, "title": "Low limit (Option no. 2)"}, True),
            ({"number": OWN, "title": "Option 11"}, False),
            ({"number": OWN, "title": "House fees"}, False),
            ({"number": 1, "title": "Schedule option 1", "rulebook": "baccarat"}, False),
        ],
    )
    def test_what_differs_from_an_option_as_printed_may_not_bear_its_name(
        self, room: Room, filer: Staff, called: dict[str, Any], refused: bool
    ) -> None:
        draft = schedule_draft(room=room, document=DEARER, by=filer, **called)
        assert [each.code for each in draft.problems] == ["not_as_printed"] * refused
        if refused:
            with pytest.raises(ScheduleIllegal):
                services.file(draft, by=filer, effective_from=TODAY, state_reference="BGC 12-345")
        else:
            services.file(draft, by=filer, effective_from=TODAY, state_reference="BGC 12-345")

    @pytest.mark.parametrize(
        "change",
        [
            {"ante_max_cents": None},
            {"lines": OPTION_1["lines"][:2]},
            {"lines": [*OPTION_1["lines"], TO_JACKPOT]},
        ],
    )
    def test_limits_and_lines_are_compared(self, room: Room, filer: Staff, change: dict[str, Any]) -> None:
        draft = schedule_draft(room=room, number=1, document={**OPTION_1, **change}, by=filer)
        assert "not_as_printed" in [each.code for each in draft.problems]

    def test_sources_order_and_waivers_are_no_part_of_what_is_printed(self, room: Room, filer: Staff) -> None:
        lines = [{**line, "clause": "our letter"} for line in reversed(OPTION_1["lines"])]
        document = {**OPTION_1, "clause": "our letter", "lines": lines}
        assert why_not_called("california", 1, "Schedule option 1", document) is None

    @pytest.mark.clause("california:fees.4")
    @pytest.mark.parametrize("number", [1, 61])
    @pytest.mark.parametrize("box", ["drop", "jackpot"])
    @pytest.mark.parametrize("wager", ["pair_plus", "six_card_bonus", "play"])
    def test_a_fee_on_a_wager_that_bears_none_is_no_draft_under_any_number(
        self, room: Room, filer: Staff, wager: str, box: str, number: int
    ) -> None:
        charged = {"payer": "player", "per": "wager", "wager": wager, "box": box, "fee_cents": 50}
        document = {**OPTION_1, "lines": [*OPTION_1["lines"], charged]}
        with pytest.raises(ScheduleIllegal, match=r"california:fees\.4"):
            schedule_draft(room=room, number=number, document=document, by=filer)
        draft = drafted(room, filer)
        with pytest.raises(ScheduleIllegal):
            services.edit(draft, by=filer, document=document)

    @pytest.mark.parametrize(
        ("games", "code", "says"),
        [
            ([], "games_missing", "names no game, and this room has 2 on file under california"),
            ([1, 7], "game_not_filed", "game 7 is not one that this room has on file under california"),
            ([2], "game_not_filed", "game 2 is not one"),
            ([3], "game_not_filed", "game 3 is not one"),
        ],
        ids=["none", "one that there is not", "one of other rules", "one that was withdrawn"],
    )
    def test_it_is_filed_for_games_that_are_on_file(
        self, room: Room, filer: Staff, games: list[int], code: str, says: str
    ) -> None:
        assert filed_game(room, by=filer).number == 1
        assert filed_game(room, rulebook="baccarat", by=filer).number == 2
        gone = filed_game(room, options={"coverage": "net"}, by=filer)
        services.withdraw(gone, by=filer, reason="no longer offered")
        assert filed_game(room, options={"forfeits": "first"}, by=filer).number == 4
        draft = schedule_draft(room=room, number=OWN, document=OPTION_1, by=filer, games=games)
        assert [(problem.line, problem.code) for problem in draft.problems] == [(0, code)]
        with pytest.raises(FilingError, match=says) as raised:
            services.file(draft, by=filer, effective_from=TODAY, state_reference="BGC 12-345")
        assert (raised.value.code, raised.value.path) == (code, "games")
        named = services.edit(draft, by=filer, games=[1])
        version = services.file(named, by=filer, effective_from=TODAY, state_reference="BGC 12-345")
        assert [game.number for game in version.approvals()] == [1]

    @pytest.mark.parametrize("games", [["1"], [0], [True], [1000], "1", {"1": 1}])
    def test_games_are_numbers(self, room: Room, filer: Staff, games: Any) -> None:
        with pytest.raises(FilingError) as raised:
            schedule_draft(room=room, number=OWN, document=OPTION_1, by=filer, games=games)
        assert (raised.value.code, raised.value.path) == ("bad_games", "games")

    def test_a_fee_for_a_spot_is_of_one_that_every_game_has(self, room: Room, filer: Staff) -> None:
        def spots(*ids: str) -> dict[str, Any]:
            named = [{"id": each, "name": each.title(), "main": each == "bet"} for each in ids]
            return {"name": "Pai Gow", "seats": 7, "decks": 1, "spots": named}

        one = filed_game(room, rulebook="by_eye", options=spots("bet", "pairs"), by=filer).number
        other = filed_game(room, rulebook="by_eye", options=spots("bet", "aces"), by=filer).number
        charged = with_lines(player(100), wager("pairs", 50), band(500, None, 100))
        told = {"room": room, "document": charged, "by": filer, "rulebook": "by_eye"}
        assert schedule_draft(number=4, games=[one], **told).problems == []
        (problem,) = schedule_draft(number=5, games=[one, other], **told).problems
        assert (problem.line, problem.code) == (2, "unknown_wager")

    def test_a_version_for_other_games_says_so_among_its_changes(self, room: Room, filer: Staff) -> None:
        before = filed(room, filer)
        assert filed_game(room, by=filer).number == 1
        other = filed_game(room, options={"coverage": "net"}, by=filer).number
        after = schedule_draft(room=room, number=OWN, document=OPTION_1, by=filer, games=[1, other])
        changed = changes_since(before, after)
        assert changed is not None
        assert [change.sentence for change in changed] == [
            f"approved for games: every one becomes 1, {other}"
        ]

    def test_another_approval_may_let_a_wager_bear_a_fee(self, room: Room, filer: Staff) -> None:
        charged = {"payer": "player", "per": "wager", "wager": "dragon_7", "fee_cents": 50}
        document = {**OPTION_1, "lines": [*OPTION_1["lines"], charged]}
        draft = schedule_draft(room=room, number=1, document=document, rulebook="baccarat", by=filer)
        assert draft.problems == []

    def test_a_refused_filing_closes_nothing(self, room: Room, filer: Staff) -> None:
        first = filed(room, filer)
        with pytest.raises(ScheduleIllegal):
            filed(room, filer, TOMORROW, with_line(1, fee_cents=-1))
        first.refresh_from_db()
        assert (first.status, first.effective_to) == (FeeSchedule.Status.FILED, None)


class TestWithdrawing:
    def test_it_ends_tomorrow_unless_a_later_day_is_given(self, room: Room, filer: Staff) -> None:
        first, second = filed(room, filer, number=1), filed(room, filer, document=OPTION_2, number=2)
        services.withdraw(first, by=filer, reason="game dropped")
        services.withdraw(second, by=filer, effective_to=TODAY + 9 * DAY, reason="game dropped")
        assert list(in_force(FeeSchedule, room, TODAY)) == [first, second]
        assert list(in_force(FeeSchedule, room, TOMORROW)) == [second]
        assert not in_force(FeeSchedule, room, TODAY + 9 * DAY).exists()

    @pytest.mark.parametrize(
        ("changes", "code"),
        [({"effective_to": TODAY}, "too_early"), ({"reason": " "}, "reason_missing")],
    )
    def test_it_needs_a_day_to_come_and_a_reason(
        self, room: Room, filer: Staff, changes: dict[str, Any], code: str
    ) -> None:
        version = filed(room, filer)
        with pytest.raises(FilingError) as raised:
            services.withdraw(version, **{"by": filer, "reason": "game dropped", **changes})
        assert code_of(raised) == code

    def test_only_what_is_filed_can_be_withdrawn(self, room: Room, filer: Staff) -> None:
        version = filed(room, filer)
        services.withdraw(version, by=filer, reason="game dropped")
        for schedule in (version, drafted(room, filer)):
            with pytest.raises(FilingConflict) as raised:
                services.withdraw(schedule, by=filer, reason="again")
            assert code_of(raised) == "not_filed"


class TestInForce:
    @pytest.mark.parametrize("day", [LONG_AGO - DAY, TODAY + 5 * DAY])
    def test_outside_the_filed_dates_there_is_no_schedule(
        self, room: Room, filer: Staff, day: datetime.date
    ) -> None:
        version = filed(room, filer)
        services.withdraw(version, by=filer, effective_to=TODAY + 5 * DAY, reason="game dropped")
        assert (
            version_in_force(FeeSchedule, room, OWN, LONG_AGO)
            == version_in_force(FeeSchedule, room, OWN, TODAY + 4 * DAY)
            == version
        )
        with pytest.raises(NotInForce, match=str(day)) as raised:
            version_in_force(FeeSchedule, room, OWN, day)
        assert code_of(raised) == "no_schedule_in_force"

    @pytest.mark.postgresql
    def test_drafts_and_other_rooms_do_not_count(self, room: Room, filer: Staff) -> None:
        elsewhere = Room.objects.create(name="Bay Street", code="bay-street")
        filed(elsewhere, filer)
        drafted(room, filer)
        with pytest.raises(NotInForce):
            version_in_force(FeeSchedule, room, OWN, TODAY)
        assert not in_force(FeeSchedule, room, TODAY).exists()


class TestSeed:
    def test_both_options_of_the_document_are_filed_once(self, room: Room, filer: Staff) -> None:
        first = schedules_seed(room, filer)
        assert [version.document for version in first] == [OPTION_1, OPTION_2]
        assert list(in_force(FeeSchedule, room, TODAY)) == first
        assert schedules_seed(room, filer) == []
        assert FeeSchedule.objects.count() == 2

    def test_a_number_that_the_room_has_is_left_alone(self, room: Room, filer: Staff) -> None:
        own = filed(room, filer, number=1)
        assert [version.number for version in schedules_seed(room, filer)] == [2]
        assert version_in_force(FeeSchedule, room, 1, TODAY) == own


class TestTheDatabaseKeepsWhatWasFiled:
    @pytest.mark.postgresql
    @pytest.mark.parametrize(
        ("column", "value"),
        [
            ("document", '{"lines": []}'),
            ("number", 9),
            ("version", 9),
            ("rulebook", "nevada"),
            ("title", "Another"),
            ("effective_from", "2026-01-01"),
            ("state_reference", "BGC 99-999"),
            ("filed_at", "2026-01-01 00:00:00"),
            ("created_at", "2026-01-01 00:00:00"),
            ("status", "draft"),
            ("effective_to", "2026-05-01"),
        ],
    )
    def test_no_column_of_it_can_be_changed(
        self, room: Room, filer: Staff, refused_by_the_database: Refused, column: str, value: str | int
    ) -> None:
        version = filed(room, filer)
        refused_by_the_database(
            f"UPDATE filings_feeschedule SET {column} = %s WHERE id = %s",
            value,
            version.pk,
            words="stays as it was filed",
        )

    @pytest.mark.postgresql
    def test_neither_orm_nor_queryset_can_change_it(self, room: Room, filer: Staff) -> None:
        version = filed(room, filer)
        version.document = DEARER
        with pytest.raises(IntegrityError, match="stays as it was filed"), transaction.atomic():
            version.save()
        with pytest.raises(IntegrityError, match="stays as it was filed"), transaction.atomic():
            FeeSchedule.objects.update(document=DEARER)
        with pytest.raises(IntegrityError, match="stays as it was filed"), transaction.atomic():
            FeeSchedule.objects.bulk_update([version], ["document"])
        version.refresh_from_db()
        assert version.document == OPTION_1

    def test_saving_it_unchanged_changes_nothing_and_is_allowed(self, room: Room, filer: Staff) -> None:
        version = filed(room, filer)
        version.refresh_from_db()
        version.save()

    @pytest.mark.postgresql
    def test_it_cannot_be_deleted(self, room: Room, filer: Staff, refused_by_the_database: Refused) -> None:
        version = filed(room, filer)
        services.withdraw(version, by=filer, reason="game dropped")
        with pytest.raises(IntegrityError, match="never deleted"), transaction.atomic():
            version.delete()
        with pytest.raises(IntegrityError, match="never deleted"), transaction.atomic():
            FeeSchedule.objects.all().delete()
        refused_by_the_database("DELETE FROM filings_feeschedule", words="never deleted")
        if connection.vendor == "postgresql":
            connection.check_constraints()  # foreign keys still to be checked would refuse it first
            refused_by_the_database("TRUNCATE filings_feeschedule CASCADE", words="never")
        assert FeeSchedule.objects.count() == 1

    @pytest.mark.postgresql
    def test_a_closed_version_is_not_opened_nor_its_end_moved(
        self, room: Room, filer: Staff, refused_by_the_database: Refused
    ) -> None:
        version = filed(room, filer)
        services.withdraw(version, by=filer, reason="game dropped")
        for change in (
            "status = 'filed', effective_to = NULL",
            "status = 'superseded'",
            "effective_to = '2030-01-01'",
        ):
            refused_by_the_database(f"UPDATE filings_feeschedule SET {change}", words="stays as it was filed")

    @pytest.mark.postgresql
    def test_a_draft_cannot_become_filed_without_its_facts(
        self, room: Room, filer: Staff, refused_by_the_database: Refused
    ) -> None:
        drafted(room, filer)
        refused_by_the_database("UPDATE filings_feeschedule SET status = 'filed'", words="(?i)constraint")

    @pytest.mark.postgresql
    def test_two_open_versions_or_two_drafts_of_a_number_cannot_stand_beside_each_other(
        self, room: Room, filer: Staff
    ) -> None:
        for made in (filed(room, filer), drafted(room, filer, DEARER)):
            made.refresh_from_db()
            made.pk, made.version = None, 9
            with pytest.raises(IntegrityError), transaction.atomic():
                made.save(force_insert=True)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_of_two_people_who_file_the_same_draft_one_does(room: Room, filer: Staff) -> None:
    filed(room, filer)
    draft = drafted(room, filer, DEARER)
    both = threading.Barrier(2)
    results: list[str] = []

    def file() -> None:
        mine = FeeSchedule.objects.get(pk=draft.pk)
        both.wait(timeout=10)
        try:
            services.file(mine, by=filer, effective_from=TOMORROW, state_reference="BGC 12-346")
            results.append("filed")
        except FilingConflict as error:
            results.append(error.code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=file) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert sorted(results) == ["filed", "not_a_draft"]
    assert FeeSchedule.objects.filter(status=FeeSchedule.Status.FILED).count() == 1
