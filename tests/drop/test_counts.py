"""Blind double counts: who may count what when, what stands, and how it is corrected."""

from __future__ import annotations

import json

import pytest

from cardroom.core.row_digests import digest_of
from cardroom.drop.commands.counts import count_again, count_correct, count_enter
from cardroom.drop.models import CountSheet, DropBox
from cardroom.drop.pieces import DENOMINATIONS, MOST_PIECES, pieces_read
from cardroom.drop.reads.boxes import box_count
from cardroom.floor.errors import BadInput, Forbidden, NotFound, NotNow
from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import JournalEntry, StoredAnswer
from cardroom.people.models import Role
from tests.figures import text_figure

from .room import CountTeam, chips, worth

TWENTY = chips(c500=3, c100=5)


def test_two_counts_that_agree_stand(team: CountTeam) -> None:
    box = team.dropped()
    assert team.count(box, 0, TWENTY)["stands"] is False
    answer = team.count(box, 1, list(reversed(TWENTY)))  # the order in which it was typed says nothing
    assert answer["stands"] is True
    read = box_count(DropBox.objects.get(pk=box.pk))
    assert read.counted_cents == 2000 == worth(TWENTY)
    assert [staff.pk for staff in read.counters] == [team.counters[0].pk, team.counters[1].pk]


def test_counts_differ_when_the_sum_is_the_same_in_other_pieces(team: CountTeam) -> None:
    box = team.dropped()
    team.count(box, 0, TWENTY)
    assert team.count(box, 1, chips(c500=4))["stands"] is False
    assert box_count(box).differs


def test_the_recount_stands_and_agreeing_with_one_of_the_two_settles_it(team: CountTeam) -> None:
    box = team.dropped(12, {4: 2000, 5: 2000})
    collected = chips(c100=3)
    team.count(box, 0, collected)
    team.count(box, 1, chips(c100=4))
    assert team.recount(box, collected)["stands"] is True
    read = box_count(DropBox.objects.get(pk=box.pk))
    assert (read.counted_cents, read.disputed) == (300, False)


def test_a_recount_that_agrees_with_neither_is_a_variance_however_small(team: CountTeam) -> None:
    team.room.variance_threshold_cents = 100_000
    team.room.save(update_fields=["variance_threshold_cents"])
    box = team.dropped()
    for who, dollars in ((0, 1), (1, 2)):
        team.count(box, who, chips(c100=dollars))
    team.recount(box, chips(c100=3))
    read = box_count(DropBox.objects.get(pk=box.pk))
    assert (read.counted_cents, read.disputed, read.is_over) == (300, True, True)


def test_nobody_counts_a_box_twice(team: CountTeam) -> None:
    box = team.dropped()
    team.count(box, 0, TWENTY)
    with pytest.raises(NotNow, match="Another person makes the second count") as refused:
        team.count(box, 0, TWENTY)
    assert refused.value.code == "counted_by_you"
    team.count(box, 1, chips())
    for who in (0, 1):
        with pytest.raises(NotNow, match="Another person makes the recount"):
            team.recount(box, TWENTY, team.counters[who])
    assert box.sheets.count() == 2


def test_a_third_count_is_made_as_the_recount_and_by_nobody_unawares(team: CountTeam) -> None:
    box = team.dropped()
    with pytest.raises(NotNow, match="not to be recounted"):
        team.recount(box, TWENTY)
    team.count(box, 0, TWENTY)
    team.count(box, 1, chips())
    with pytest.raises(NotNow, match="counted twice by now") as refused:
        team.count(box, 2, TWENTY)
    assert refused.value.code == "counts_differ"


def test_a_box_that_hangs_and_one_that_is_counted_are_not_counted(team: CountTeam) -> None:
    box = team.place()
    with pytest.raises(NotNow, match="Box 12 still hangs at Table 7"):
        team.count(box, 0, TWENTY)
    team.drop(box)
    team.counted(box, TWENTY)
    for again in (lambda: team.count(box, 2, TWENTY), lambda: team.recount(box, TWENTY)):
        with pytest.raises(NotNow, match="The count of Box 12 is verified"):
            again()
    with pytest.raises(NotFound):
        team.send_room(count_enter, team.counters[0], box_id=999, pieces=[])


BAD_LINES = [
    ([{"kind": "chip", "cents": 500, "pieces": -1}], "bad_pieces", "pieces[0].pieces"),
    ([{"kind": "chip", "cents": 500, "pieces": 1.0}], "bad_pieces", "pieces[0].pieces"),
    ([{"kind": "chip", "cents": 500, "pieces": float("nan")}], "bad_pieces", "pieces[0].pieces"),
    ([{"kind": "chip", "cents": 500, "pieces": True}], "bad_pieces", "pieces[0].pieces"),
    ([{"kind": "chip", "cents": 500, "pieces": MOST_PIECES + 1}], "bad_pieces", "pieces[0].pieces"),
    ([{"kind": "chip", "cents": 500, "pieces": 10**40}], "bad_pieces", "pieces[0].pieces"),
    ([*TWENTY, {"kind": "chip", "cents": 777, "pieces": 1}], "unknown_denomination", "pieces[2].cents"),
    ([{"kind": "bill", "cents": 300, "pieces": 1}], "unknown_denomination", "pieces[0].cents"),
    ([{"kind": "chip", "cents": 500.0, "pieces": 1}], "unknown_denomination", "pieces[0].cents"),
    ([{"kind": "chip", "cents": True, "pieces": 1}], "unknown_denomination", "pieces[0].cents"),
    ([*TWENTY, {"kind": "chip", "cents": 500, "pieces": 1}], "denomination_twice", "pieces[2].cents"),
    ([{"kind": "chip", "cents": 500}], "wrong_type", "pieces[0]"),
    (["500"], "wrong_type", "pieces[0]"),
]


@pytest.mark.parametrize(("given", "code", "path"), BAD_LINES)
def test_what_is_no_count_is_refused_with_its_place_and_nothing_is_written(
    team: CountTeam, given: list[object], code: str, path: str
) -> None:
    box = team.dropped()
    entries = JournalEntry.objects.count()
    with pytest.raises(BadInput) as refused:
        team.send_room(count_enter, team.counters[0], box_id=box.pk, pieces=given)
    assert (refused.value.code, refused.value.path) == (code, path)
    assert not CountSheet.objects.exists()
    assert JournalEntry.objects.count() == entries


def test_pieces_sum_up_to_the_cent_over_every_denomination() -> None:
    given = [{"kind": each.kind, "cents": each.cents, "pieces": n} for n, each in enumerate(DENOMINATIONS, 1)]
    pieces, total = pieces_read(given)
    assert pieces == given
    assert total == sum(n * each.cents for n, each in enumerate(DENOMINATIONS, 1))
    assert pieces_read([{"kind": "coin", "cents": 1, "pieces": 37}])[1] == 37
    assert pieces_read([]) == ([], 0)


@pytest.mark.parametrize("role", [role for role in Role if role not in (Role.COUNT, Role.PROVIDER_LEAD)])
def test_only_the_count_team_counts(team: CountTeam, role: Role) -> None:
    box = team.dropped()
    with pytest.raises(Forbidden, match="Not authorized to count the drop: that is for Count team"):
        team.send_room(count_enter, team.people[role], box_id=box.pk, pieces=TWENTY)
    outsider = team.people["rival_count"]
    with pytest.raises(NotFound):
        team.send_room(count_enter, outsider, box_id=box.pk, pieces=TWENTY)


def test_a_shift_manager_may_recount_where_the_team_has_no_third(team: CountTeam) -> None:
    box = team.dropped()
    team.count(box, 0, TWENTY)
    team.count(box, 1, chips())
    assert team.recount(box, TWENTY, team.people["shift_manager"])["stands"] is True


# --- Blind --------------------------------------------------------------------------------------------------------------


def test_the_journal_and_the_stored_answers_tell_no_figure_before_the_count_stands(team: CountTeam) -> None:
    box = team.dropped()
    odd = chips(c500=7131)
    team.count(box, 0, odd)
    output = json.dumps(
        [
            *JournalEntry.objects.values_list("data", flat=True),
            *StoredAnswer.objects.values_list("answer", flat=True),
        ]
    )
    assert not text_figure(output, 7131) and not text_figure(output, 7131 * 500)
    team.count(box, 1, chips(c500=9))
    assert not text_figure(json.dumps(list(JournalEntry.objects.values_list("data", flat=True))), 7131)
    team.recount(box, odd)
    stands = JournalEntry.objects.get(command="count_stands").data
    assert [sheet["total_cents"] for sheet in stands["sheets"]] == [7131 * 500, 4500, 7131 * 500]
    assert text_figure(json.dumps(stands), 7131 * 500), "a figure that is told is found"


def test_the_digest_of_each_count_is_in_the_chain_before_its_figure_and_tells_nothing_of_it(
    team: CountTeam,
) -> None:
    box = team.counted(team.dropped(), TWENTY)
    entries = JournalEntry.objects.filter(command="count_enter").order_by("seq")
    first, second = box.sheets.order_by("seq")
    digests = [
        entry.rows["drop_countsheet"][str(sheet.pk)]
        for entry, sheet in zip(entries, (first, second), strict=True)
    ]
    assert digests == [digest_of(first), digest_of(second)]
    # With every column known but the salt, a figure that is tried does not show whether it is the right one.
    assert first.salt != second.salt and len(first.salt) == 64
    first.salt = "0" * 64
    assert digest_of(first) != digests[0]
    team.room.refresh_from_db()
    assert list(chain_breaks(team.room)) == []


# --- Corrections ----------------------------------------------------------------------------------------------------------


def test_a_correction_strikes_through_and_keeps_what_stood(team: CountTeam) -> None:
    box = team.counted(team.dropped(), TWENTY)
    team.correct(box, chips(c500=3, c100=6))
    read = box_count(box)
    assert read.counted_cents == 2100
    assert [sheet.total_cents for sheet in read.sheets] == [2000, 2000, 2100]
    last = read.sheets[-1]
    assert (last.corrects_id, last.made_by, last.approved_by, last.reason) == (
        read.sheets[1].pk,
        team.counters[0],
        team.counters[1],
        "a stack was overlooked",
    )
    entry = JournalEntry.objects.get(command="count_correct")
    assert (entry.data["before_cents"], entry.data["after_cents"]) == (2000, 2100)
    assert entry.reason == "a stack was overlooked"


def test_a_correction_needs_a_reason_a_second_person_a_change_and_a_count_that_stands(
    team: CountTeam,
) -> None:
    box = team.dropped()
    more = chips(c500=4)
    with pytest.raises(NotNow, match="No count of Box 12 is verified"):
        team.send_room(
            count_correct,
            team.counters[0],
            box_id=box.pk,
            corrects=1,
            pieces=more,
            reason="x",
            approver=team.counters[1],
        )
    team.counted(box, TWENTY)
    for reason in ("", "   ", "x" * 201):
        with pytest.raises(BadInput) as refused:
            team.correct(box, more, reason=reason)
        assert (refused.value.code, refused.value.path) == ("bad_reason", "reason")
    with pytest.raises(BadInput, match="already the count of Box 12"):
        team.correct(box, TWENTY)
    current = box.sheets.latest("seq").pk
    for approver, code in (
        (team.counters[0], "same_person"),
        (team.people["floor"], "approver_may_not"),
        (team.people["rival_count"], "approver_may_not"),
    ):
        with pytest.raises(Forbidden) as forbidden:
            team.send_room(
                count_correct,
                team.counters[0],
                box_id=box.pk,
                corrects=current,
                pieces=more,
                reason="x",
                approver=approver,
            )
        assert forbidden.value.code == code
    assert box.sheets.count() == 2


def test_of_two_corrections_of_one_sheet_the_second_is_told(team: CountTeam) -> None:
    box = team.counted(team.dropped(), TWENTY)
    seen = box.sheets.latest("seq").pk
    team.correct(box, chips(c500=4))
    with pytest.raises(NotNow, match="was corrected meanwhile"):
        team.send_room(
            count_correct,
            team.counters[0],
            box_id=box.pk,
            corrects=seen,
            pieces=chips(c500=5),
            reason="late",
            approver=team.counters[1],
        )
    team.correct(box, chips(c500=5))
    assert [sheet.total_cents for sheet in box_count(box).sheets] == [2000, 2000, 2000, 2500]


def test_a_person_of_two_roles_still_counts_once(team: CountTeam) -> None:
    team.hire("count", Role.SHIFT_MANAGER)
    box = team.dropped()
    team.count(box, 0, TWENTY)
    team.count(box, 1, chips())
    with pytest.raises(NotNow, match="Another person"):
        team.send_room(count_again, team.counters[0], box_id=box.pk, pieces=TWENTY)
