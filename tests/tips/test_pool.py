"""The tips of a shift tie to its rounds and hand-ins, are shared out under the rule of the day, and are then closed."""

from __future__ import annotations

import datetime

import pytest
from django.db import DatabaseError, connection, models, transaction
from django.utils import timezone

from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.rounds import round_void
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.errors import BadInput, Forbidden, NotFound, NotNow
from cardroom.floor.models import Down, JournalEntry, Shift, Transfer
from cardroom.floor.verification.rows import rows_verify
from cardroom.people.models import Role
from cardroom.tips.commands.entries import hand_in_reverse, hours_reverse, tips_hand_in
from cardroom.tips.commands.rules import pool_rule_set, pool_rule_withdraw
from cardroom.tips.commands.sheets import pool_close
from cardroom.tips.models import HandIn, PoolRule, PoolSheet, WorkedHours
from cardroom.tips.reads.earned import stints_of, tips_won, worked_seconds
from cardroom.tips.reads.pools import pool_data, pool_of, pool_read
from cardroom.tips.reads.rules import format_rule, rule_on
from cardroom.tips.verification import pools_verify
from tests.cast import BANK_HAND, HANDS
from tests.reports.commands import as_superuser

from .room import TipRoom


def put_back(tips: TipRoom, **hours: int) -> None:
    """Let downs have begun so many hours ago, by who dealt: `put_back(tips, dealer=3)`.

    The shift began five hours ago.
    """
    Shift.objects.update(opened_at=timezone.now() - datetime.timedelta(hours=5))
    for name, ago in hours.items():
        began = timezone.now() - datetime.timedelta(hours=ago)
        Down.objects.filter(dealer=tips.people[name]).update(started_at=began)


def shares(tips: TipRoom) -> dict[int, int]:
    return {line.staff: line.share_cents for line in tips.pool().dealers}


# --- What came in -----------------------------------------------------------------------------------------------------


def test_tips_won_are_the_dealers_whose_down_it_was_and_tie_to_the_transfers(tips: TipRoom) -> None:
    first = tips.tipped(tip_cents=500)
    tips.relieve(tips.people["dealer_2"])
    second = tips.tipped(tip_cents=300)
    pool = tips.pool()
    assert {line.staff: line.won_cents for line in pool.dealers} == {
        tips.people["dealer"].pk: 1000,
        tips.people["dealer_2"].pk: 600,
    }
    assert [line.won_cents for line in pool.downs] == [1000, 600]
    assert [(each.round, each.cents) for each in tips_won(tips.shift)] == [
        (first.pk, 1000),
        (second.pk, 600),
    ]
    moved = Transfer.objects.filter(target="tips").aggregate(cents=models.Sum("cents"))["cents"]
    assert pool.won_cents == pool.total_cents == moved == first.tips_cents + second.tips_cents


def test_a_lost_tip_and_a_void_bring_none(tips: TipRoom) -> None:
    tips.tipped(seat=6)  # ten high loses to the bank
    tips.deal({4: 2000})
    tips.send(round_void, "floor", reason="device failure", approver=tips.people["shift_manager"])
    assert tips.pool().total_cents == 0


def test_a_correction_counts_as_what_it_changes_in_the_shift_in_which_it_was_made(tips: TipRoom) -> None:
    round_ = tips.tipped(tip_cents=500)
    tips.close_shift()
    first = tips.shift
    tips.send_room(shift_open, name="Night")
    tips.send(
        round_correct,
        round_id=round_.pk,
        bank_wager_cents=100_000,
        bank_hand=BANK_HAND,
        positions=[
            {"seat": 5, "wagers": {"ante": 1000}, "tips": {"ante": 200}, "hand": HANDS[5], "decision": "play"}
        ],
        reason="the tip was $2",
        approver=tips.people["floor"],
    )
    assert pool_of(first, timezone.now()).total_cents == 1000
    pool = tips.pool()
    (line,) = pool.dealers
    assert (line.staff, line.won_cents, pool.total_cents) == (tips.people["dealer"].pk, -600, -600)
    assert shares(tips) == {tips.people["dealer"].pk: -600}


def test_a_hand_in_belongs_to_the_dealer_and_down_and_is_taken_back_by_two(tips: TipRoom) -> None:
    down = Down.objects.get()
    made = tips.hand_in(tips.people["dealer"], 1250, down_id=down.pk)["hand_in"]
    (line,) = tips.pool().dealers
    assert (line.handed_cents, tips.pool().downs[0].handed_cents) == (1250, 1250)
    for approver, code in (
        (tips.people["floor"], "same_person"),
        (tips.people["dealer"], "approver_may_not"),
    ):
        with pytest.raises(Forbidden) as refused:
            tips.send_room(
                hand_in_reverse, "floor", hand_in_id=made, reason="counted twice", approver=approver
            )
        assert refused.value.code == code
    back = {"hand_in_id": made, "reason": "counted twice", "approver": tips.people["shift_manager"]}
    with pytest.raises(BadInput, match="why it is reversed"):
        tips.send_room(hand_in_reverse, "floor", **{**back, "reason": " "})
    tips.send_room(hand_in_reverse, "floor", **back)
    with pytest.raises(NotNow, match="reversed before"):
        tips.send_room(hand_in_reverse, "floor", **back)
    assert tips.pool().total_cents == 0
    assert [row.cents for row in HandIn.objects.all()] == [1250, -1250]


@pytest.mark.parametrize("cents", [0, -500, 10**10])
def test_what_is_no_amount_is_not_handed_in(tips: TipRoom, cents: int) -> None:
    with pytest.raises(BadInput) as refused:
        tips.hand_in(tips.people["dealer"], cents)
    assert refused.value.path == "cents"
    assert not HandIn.objects.exists()


def test_tips_are_handed_in_by_dealers_of_the_room_to_somebody_else(tips: TipRoom) -> None:
    other = tips.at_rival()
    for dealer, match in (
        (other.people["dealer"], "Nobody with number"),
        (tips.people["support"], "does not deal"),
    ):
        with pytest.raises(BadInput, match=match):
            tips.hand_in(dealer, 500)
    with pytest.raises(BadInput, match="had no down"):
        tips.hand_in(tips.people["dealer_2"], 500, down_id=Down.objects.get().pk)
    tips.hire("floor", Role.DEALER)
    with pytest.raises(Forbidden, match="Somebody else than the dealer"):
        tips.hand_in(tips.people["floor"], 500)
    assert not HandIn.objects.exists()


def test_hours_are_those_of_downs_within_the_shift_and_of_breaks_that_are_short_enough(
    tips: TipRoom,
) -> None:
    begins = tips.shift.opened_at
    at = lambda minutes: begins + datetime.timedelta(minutes=minutes)  # noqa: E731
    Down.objects.all().delete()
    for table, start, end in ((tips.table, -30, 40), (tips.table, 60, 100), (tips.table, 130, None)):
        Down.objects.create(
            room=tips.room,
            table=table,
            dealer=tips.people["dealer"],
            started_at=at(start),
            ended_at=None if end is None else at(end),
        )
    stints = stints_of(tips.shift, at(190))
    assert [stint.seconds // 60 for stint in stints] == [40, 40, 60]
    assert [worked_seconds(stints, pause) // 60 for pause in (0, 19, 20, 30)] == [140, 140, 160, 190]


# --- Rules ------------------------------------------------------------------------------------------------------------


def test_without_a_rule_every_dealer_keeps_their_own(tips: TipRoom) -> None:
    tips.tipped(tip_cents=500)
    tips.hand_in(tips.people["dealer_2"], 700)
    assert tips.pool().rule is None
    assert shares(tips) == {tips.people["dealer"].pk: 1000, tips.people["dealer_2"].pk: 700}


def test_a_pool_by_hours_with_a_share_for_support_staff(tips: TipRoom) -> None:
    tips.rule(support="share", support_bp=1000, support_roles=["support"])
    tips.tipped(tip_cents=500)
    tips.relieve(tips.people["dealer_2"])
    tips.hand_in(tips.people["dealer"], 201)
    tips.hours(90)
    put_back(tips, dealer=4, dealer_2=1)
    Down.objects.filter(dealer=tips.people["dealer"]).update(
        ended_at=timezone.now() - datetime.timedelta(hours=1)
    )
    pool = tips.pool()
    assert (pool.total_cents, pool.support_cents, pool.dealers_cents, pool.held_cents) == (1201, 120, 1081, 0)
    assert [(line.name, line.work, line.seconds, line.share_cents) for line in pool.support] == [
        (str(tips.people["support"]), "chip runner", 5400, 120)
    ]
    assert shares(tips) == {tips.people["dealer"].pk: 811, tips.people["dealer_2"].pk: 270}
    assert "10% of the tips goes to support staff by hours worked" in pool.rule_text


@pytest.mark.parametrize("role", ["floor", "shift_manager", "room_manager"])
def test_no_rule_lets_a_supervisor_share(tips: TipRoom, role: str) -> None:
    with pytest.raises(BadInput, match="may not share in tips") as refused:
        tips.rule(support="share", support_bp=500, support_roles=["support", role])
    assert (refused.value.code, refused.value.path) == ("supervisor_shares", "support_roles[1]")
    assert "Lab. Code 351" in refused.value.message
    assert not PoolRule.objects.exists()


def test_a_supervisor_who_deals_and_one_who_helps_have_no_part(tips: TipRoom) -> None:
    tips.rule(support="share", support_bp=1000, support_roles=["support"])
    tips.tipped(tip_cents=500)
    tips.hire("dealer", Role.FLOOR)
    tips.hire("shift_manager", Role.SUPPORT)
    tips.relieve(tips.people["dealer_2"])
    with pytest.raises(NotNow, match="no part in tips"):
        tips.hours(60, tips.people["shift_manager"])
    put_back(tips, dealer_2=1)
    pool = tips.pool()
    by_staff = {line.staff: line for line in pool.dealers}
    assert (by_staff[tips.people["dealer"].pk].won_cents, by_staff[tips.people["dealer"].pk].share_cents) == (
        1000,
        0,
    )
    assert "supervisor has no part in tips" in by_staff[tips.people["dealer"].pk].why_not
    assert by_staff[tips.people["dealer_2"].pk].share_cents == 1000


@pytest.mark.postgresql
def test_hours_count_for_those_alone_whom_the_rule_names(tips: TipRoom) -> None:
    with pytest.raises(NotNow, match="nothing of the tips goes to support staff"):
        tips.hours(60)
    tips.rule(support="hourly", support_bp=5000, support_hourly_cents=300, support_roles=["count"])
    with pytest.raises(NotNow, match="none of those who share"):
        tips.hours(60)
    tips.hours(60, tips.people["count"])
    with pytest.raises(BadInput, match="60 minutes are entered already"):
        tips.hours(24 * 60, tips.people["count"])
    made = WorkedHours.objects.get()
    tips.send_room(
        hours_reverse, "floor", hours_id=made.pk, reason="another day", approver=tips.people["shift_manager"]
    )
    assert tips.pool().support == ()
    tips.hours(24 * 60, tips.people["count"])


@pytest.mark.parametrize(
    ("terms", "path"),
    [
        ({"title": " "}, "title"),
        ({"sharing": "points"}, "sharing"),
        ({"support": "half"}, "support"),
        ({"break_minutes": 121}, "break_minutes"),
        ({"support_bp": 500}, "support"),
        ({"support": "share", "support_bp": 500}, "support_roles"),
        ({"support": "share", "support_bp": 500, "support_roles": ["inspector"]}, "support_roles[0]"),
        ({"support": "share", "support_bp": 0, "support_roles": ["support"]}, "support_bp"),
        ({"support": "share", "support_bp": 10_001, "support_roles": ["support"]}, "support_bp"),
        ({"support": "hourly", "support_bp": 500, "support_roles": ["support"]}, "support_hourly_cents"),
        (
            {"support": "share", "support_bp": 5, "support_hourly_cents": 5, "support_roles": ["support"]},
            "support_hourly_cents",
        ),
    ],
)
def test_what_is_no_rule_is_refused_with_its_place(
    tips: TipRoom, terms: dict[str, object], path: str
) -> None:
    with pytest.raises(BadInput) as refused:
        tips.rule(**terms)
    assert refused.value.path == path
    assert not PoolRule.objects.exists()


def test_a_rule_holds_from_a_gaming_day_that_has_not_begun_and_the_later_one_of_a_day_holds(
    tips: TipRoom,
) -> None:
    today, tomorrow = tips.today(), tips.today(1)
    with pytest.raises(NotNow, match="is over"):
        tips.rule(effective_from=tips.today(-1))
    tips.rule(title="First")  # there was none: it may begin today
    with pytest.raises(NotNow, match="has begun under another rule"):
        tips.rule(title="In the middle of it")
    tips.rule(title="Second", sharing="keep", effective_from=tomorrow)
    tips.rule(title="Third", effective_from=tomorrow)
    assert [rule_on(tips.room, day).title for day in (today, tomorrow, tips.today(9))] == [
        "First",
        "Third",
        "Third",
    ]
    assert rule_on(tips.room, tips.today(-1)) is None


def digest_of(rule: int) -> str:
    return PoolRule.objects.get(pk=rule).digest


@pytest.mark.postgresql
def test_a_rule_is_withdrawn_with_a_reason_and_then_everybody_keeps_their_own(tips: TipRoom) -> None:
    rule = tips.rule()["rule"]
    later = tips.rule(title="Later", effective_from=tips.today(9))["rule"]
    with pytest.raises(NotNow, match="can start that day"):
        tips.rule(title="Before it", effective_from=tips.today(1))
    tips.send_room(
        pool_rule_withdraw,
        "room_manager",
        rule_id=later,
        digest=digest_of(later),
        reason="agreed otherwise",
    )
    with pytest.raises(NotNow, match="only a filed version is withdrawn"):
        tips.send_room(
            pool_rule_withdraw,
            "room_manager",
            rule_id=rule,
            digest=digest_of(rule),
            reason="it is superseded",
        )
    assert [str(rule_on(tips.room, tips.today(day))) for day in (0, 8, 9)] == ["Rule 1: House pool"] * 2 + [
        "None"
    ]
    third = tips.rule(title="Third", effective_from=tips.today(9))["rule"]
    with pytest.raises(BadInput, match="needs a reason"):
        tips.send_room(pool_rule_withdraw, "room_manager", rule_id=third, digest=digest_of(third), reason=" ")
    tips.send_room(
        pool_rule_withdraw, "room_manager", rule_id=third, digest=digest_of(third), reason="no more"
    )
    assert rule_on(tips.room, tips.today(9)) is None
    entry = JournalEntry.objects.filter(command="rule_withdraw").latest("pk")
    assert (entry.reason, entry.data["version"], entry.data["effective_to"]) == (
        "no more",
        3,
        str(tips.today(9)),
    )
    assert list(pools_verify()) == []


def test_a_rule_reads_as_a_sentence(tips: TipRoom) -> None:
    tips.rule(
        support="hourly",
        support_bp=1250,
        support_hourly_cents=350,
        support_roles=["support", "count"],
        break_minutes=20,
    )
    assert format_rule(PoolRule.objects.get()) == (
        "Dealers pool their tips by hours worked. A break of up to 20 minutes between two downs counts as worked. "
        "Before that, support staff and count team get $3.50 for each hour worked, but together no more than 12.50% "
        "of the tips."
    )


# --- Closing ----------------------------------------------------------------------------------------------------------


def test_a_sheet_is_closed_once_after_its_shift_and_then_takes_nothing_more(tips: TipRoom) -> None:
    tips.rule()
    tips.tipped(tip_cents=500)
    with pytest.raises(NotNow, match="is open"):
        tips.close_pool()
    tips.close_shift()
    tips.hand_in(tips.people["dealer"], 99)
    with pytest.raises(NotNow, match="have changed since you looked"):
        tips.close_pool(1000)
    tips.close_pool()
    sheet = PoolSheet.objects.get()
    assert (sheet.total_cents, sheet.made_by, sheet.rule.title) == (
        1099,
        tips.people["shift_manager"],
        "House pool",
    )
    assert JournalEntry.objects.get(command="pool_close").data["total_cents"] == 1099
    assert pool_read(sheet.body) == tips.pool()
    assert pool_data(tips.pool()) == sheet.body
    for late in (lambda: tips.hand_in(tips.people["dealer"], 5), tips.close_pool):
        with pytest.raises(NotNow, match="were shared out"):
            late()
    with pytest.raises(NotNow, match="were shared out"):
        tips.send_room(
            hand_in_reverse,
            "floor",
            hand_in_id=HandIn.objects.get().pk,
            reason="late",
            approver=tips.people["shift_manager"],
        )
    assert list(pools_verify()) == []


def test_a_sheet_waits_for_the_last_round_of_its_shift(tips: TipRoom) -> None:
    tips.deal({4: 2000})
    tips.close_shift()
    with pytest.raises(NotNow, match="is still in play"):
        tips.close_pool()
    assert not PoolSheet.objects.exists()


def test_a_sheet_whose_cents_have_no_owner_is_not_closed(tips: TipRoom) -> None:
    tips.tipped()
    tips.hire("dealer", Role.FLOOR)
    tips.close_shift()
    assert tips.pool().held_cents == 1000
    with pytest.raises(NotNow, match="may share in its tips"):
        tips.close_pool()


def test_a_closed_sheet_stays_as_it_was_when_people_and_roles_change(tips: TipRoom) -> None:
    tips.tipped()
    tips.close_shift()
    tips.close_pool()
    before = tips.pool()
    tips.hire("dealer", Role.FLOOR)
    tips.people["dealer"].display_name = "Somebody else"
    tips.people["dealer"].save()
    assert tips.pool() == before
    assert list(pools_verify()) == []


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("UPDATE tips_poolsheet SET total_cents = 5", "says 5 cents, its lines come to 1700"),
        (
            "UPDATE tips_poolsheet SET body = REPLACE(CAST(body AS text), '1700', '1701'){json}",
            "a column of it was changed",
        ),
        ("DELETE FROM tips_poolsheet", "tips.PoolSheet"),
        ("UPDATE tips_handin SET cents = 701", "handed in by dealer has changed since"),
        (
            "UPDATE floor_transfer SET cents = cents + 1 WHERE target = 'tips'",
            "won by dealer has changed since",
        ),
    ],
)
def test_what_somebody_with_the_keys_changed_shows(tips: TipRoom, sql: str, message: str) -> None:
    tips.tipped()
    tips.hand_in(tips.people["dealer"], 700)
    tips.close_shift()
    tips.close_pool()
    with as_superuser() as cursor:
        cursor.execute(sql.format(json="::jsonb" if connection.vendor == "postgresql" else ""))
    found = [*pools_verify(), *map(str, rows_verify())]
    assert any(message in each for each in found), found


@pytest.mark.postgresql
@pytest.mark.parametrize("fact", [PoolRule, HandIn, WorkedHours, PoolSheet], ids=lambda fact: fact.__name__)
def test_nothing_about_tips_is_changed_or_removed(tips: TipRoom, fact: type[models.Model]) -> None:
    tips.rule(support="share", support_bp=1000, support_roles=["support"])
    tips.hand_in(tips.people["dealer"], 700)
    tips.hours(60)
    tips.close_shift()
    tips.close_pool()
    count, table = fact._default_manager.count(), fact._meta.db_table
    queries = [f"DELETE FROM {table}", f"UPDATE {table} SET id = id + 1000"]
    if connection.vendor == "postgresql":
        queries.append(f"TRUNCATE {table} CASCADE")
    for sql in queries:
        with pytest.raises(DatabaseError, match=table), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)
    assert fact._default_manager.count() == count == 1


@pytest.mark.postgresql
def test_the_database_refuses_entries_by_one_person_and_rules_that_add_up_to_nothing(tips: TipRoom) -> None:
    kept = {"room": tips.room, "shift": tips.shift, "made_at": timezone.now()}
    handed = {**kept, "dealer": tips.people["dealer"], "received_by": tips.people["floor"]}
    hours = {**kept, "staff": tips.people["support"], "made_by": tips.people["floor"], "work": "host"}
    rule = {
        "room": tips.room,
        "number": 1,
        "title": "x",
        "sharing": "hours",
        "support": "none",
        "effective_from": tips.today(),
        "version": 1,
    }
    for model, bad in (
        (HandIn, {**handed, "cents": 0}),
        (HandIn, {**handed, "cents": -5}),
        (HandIn, {**handed, "cents": 5, "received_by": tips.people["dealer"]}),
        (WorkedHours, {**hours, "minutes": 0}),
        (WorkedHours, {**hours, "minutes": 5, "made_by": tips.people["support"]}),
        (PoolRule, {**rule, "support_bp": 5}),
        (PoolRule, {**rule, "support": "share"}),
        (PoolRule, {**rule, "support": "hourly", "support_bp": 5}),
        (PoolRule, {**rule, "sharing": "points"}),
        (PoolRule, {**rule, "number": 2}),
        (PoolRule, {**rule, "status": "filed"}),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            model._default_manager.create(**bad)


# --- Who may ----------------------------------------------------------------------------------------------------------


def test_each_command_is_for_its_roles_and_an_outsider_finds_nothing(tips: TipRoom) -> None:
    hand_in = {"shift_id": tips.shift.pk, "dealer_id": tips.people["dealer"].pk, "cents": 500}
    rule = {"title": "x", "sharing": "keep", "support": "none", "effective_from": tips.today()}
    close = {"shift_id": tips.shift.pk, "total_cents": 0}
    for command, arguments, mays in (
        (tips_hand_in, hand_in, {Role.FLOOR, Role.SHIFT_MANAGER}),
        (pool_rule_set, rule, {Role.ROOM_MANAGER}),
        (pool_close, close, {Role.SHIFT_MANAGER}),
    ):
        for role in Role:
            if role not in mays:
                with pytest.raises(Forbidden):
                    tips.send_room(command, role, **arguments)
        for role in mays:
            with pytest.raises(NotFound):
                tips.send_room(command, f"rival_{role}", **arguments)
    assert not HandIn.objects.exists() and not PoolRule.objects.exists()


def test_a_shift_of_another_room_is_none(tips: TipRoom) -> None:
    other = tips.at_rival()
    other.open()
    with pytest.raises(NotFound, match="no shift"):
        tips.send_room(pool_close, shift_id=other.shift.pk, total_cents=0)
