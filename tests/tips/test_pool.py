"""The tips of a shift tie to its rounds and hand-ins, are shared out under the rule of the day, and are then closed."""

from __future__ import annotations

import datetime

import pytest
from django.db import DatabaseError, connection, models, transaction
from django.utils import timezone

from cardroom.floor.acts.corrections import round_correct
from cardroom.floor.acts.rounds import round_void
from cardroom.floor.acts.shifts import shift_open
from cardroom.floor.errors import BadInput, Forbidden, NotFound, NotNow
from cardroom.floor.models import Down, JournalEntry, Shift, Transfer
from cardroom.people.models import Employment, Role
from cardroom.tips.acts.entries import hand_in_reverse, hours_reverse, tips_hand_in
from cardroom.tips.acts.rules import pool_rule_set, pool_rule_withdraw
from cardroom.tips.acts.sheets import pool_close
from cardroom.tips.models import HandIn, PoolRule, PoolSheet, WorkedHours
from cardroom.tips.reads.earned import stints_of, tips_won, worked_seconds
from cardroom.tips.reads.pools import data_hash, pool_data, pool_of, pool_read
from cardroom.tips.reads.rules import rule_in_words, rule_on
from cardroom.tips.verification import pools_verify
from tests.floor.house import BANK_HAND, HANDS, House
from tests.reports.acts import as_superuser

from .room import TokeRoom

pytestmark = pytest.mark.postgresql


def put_back(house: TokeRoom, **hours: int) -> None:
    """Let downs have begun so many hours ago, by the username's last part: `put_back(house, dealer=3)`.

    The shift began five hours ago.
    """
    Shift.objects.update(opened_at=timezone.now() - datetime.timedelta(hours=5))
    for name, ago in hours.items():
        Down.objects.filter(dealer__username__endswith=name.replace("_", "-")).update(
            started_at=timezone.now() - datetime.timedelta(hours=ago)
        )


def shares(house: TokeRoom) -> dict[int, int]:
    return {line.staff: line.share_cents for line in house.pool().dealers}


# --- What came in -----------------------------------------------------------------------------------------------------


def test_tips_won_are_the_dealers_whose_down_it_was_and_tie_to_the_transfers(house: TokeRoom) -> None:
    first = house.tipped(tip_cents=500)
    house.relieve(house.second)
    second = house.tipped(tip_cents=300)
    pool = house.pool()
    assert {line.staff: line.won_cents for line in pool.dealers} == {
        house.dealer.pk: 1000,
        house.second.pk: 600,
    }
    assert [line.won_cents for line in pool.downs] == [1000, 600]
    assert [(each.round, each.cents) for each in tips_won(house.shift)] == [
        (first.pk, 1000),
        (second.pk, 600),
    ]
    moved = Transfer.objects.filter(target="tokes").aggregate(cents=models.Sum("cents"))["cents"]
    assert pool.won_cents == pool.total_cents == moved == first.tokes_cents + second.tokes_cents


def test_a_lost_tip_and_a_void_bring_none(house: TokeRoom) -> None:
    house.tipped(seat=6)  # ten high loses to the bank
    house.deal({4: 2000})
    house.send(round_void, house.floor, reason="device failure", approver=house.manager)
    assert house.pool().total_cents == 0


def test_a_correction_counts_as_what_it_changes_in_the_shift_in_which_it_was_made(house: TokeRoom) -> None:
    round_ = house.tipped(tip_cents=500)
    house.close_shift()
    first = house.shift
    house.send_room(shift_open, name="Night")
    house.send(
        round_correct,
        round_id=round_.pk,
        bank_wager_cents=100_000,
        bank_hand=BANK_HAND,
        positions=[
            {"seat": 5, "wagers": {"ante": 1000}, "tips": {"ante": 200}, "hand": HANDS[5], "decision": "play"}
        ],
        reason="the tip was $2",
        approver=house.floor,
    )
    assert pool_of(first, timezone.now()).total_cents == 1000
    pool = house.pool()
    (line,) = pool.dealers
    assert (line.staff, line.won_cents, pool.total_cents) == (house.dealer.pk, -600, -600)
    assert shares(house) == {house.dealer.pk: -600}


def test_a_hand_in_belongs_to_the_dealer_and_down_and_is_taken_back_by_two(house: TokeRoom) -> None:
    down = Down.objects.get()
    made = house.hand_in(house.dealer, 1250, down_id=down.pk)["hand_in"]
    (line,) = house.pool().dealers
    assert (line.handed_cents, house.pool().downs[0].handed_cents) == (1250, 1250)
    for approver, code in ((house.floor, "same_person"), (house.dealer, "approver_may_not")):
        with pytest.raises(Forbidden) as refused:
            house.send_room(
                hand_in_reverse, house.floor, hand_in_id=made, reason="counted twice", approver=approver
            )
        assert refused.value.code == code
    back = {"hand_in_id": made, "reason": "counted twice", "approver": house.manager}
    with pytest.raises(BadInput, match="why it is taken back"):
        house.send_room(hand_in_reverse, house.floor, **{**back, "reason": " "})
    house.send_room(hand_in_reverse, house.floor, **back)
    with pytest.raises(NotNow, match="taken back before"):
        house.send_room(hand_in_reverse, house.floor, **back)
    assert house.pool().total_cents == 0
    assert [row.cents for row in HandIn.objects.all()] == [1250, -1250]


@pytest.mark.parametrize("cents", [0, -500, 10**10])
def test_what_is_no_amount_is_not_handed_in(house: TokeRoom, cents: int) -> None:
    with pytest.raises(BadInput) as refused:
        house.hand_in(house.dealer, cents)
    assert refused.value.path == "cents"
    assert not HandIn.objects.exists()


def test_tips_are_handed_in_by_dealers_of_the_room_to_somebody_else(house: TokeRoom) -> None:
    other = House("Gold Bar")
    for dealer, match in ((other.dealer, "Nobody with number"), (house.runner, "does not deal")):
        with pytest.raises(BadInput, match=match):
            house.hand_in(dealer, 500)
    with pytest.raises(BadInput, match="had no down"):
        house.hand_in(house.second, 500, down_id=Down.objects.get().pk)
    Employment.objects.create(staff=house.floor, room=house.room, role=Role.DEALER)
    with pytest.raises(Forbidden, match="Somebody else than the dealer"):
        house.hand_in(house.floor, 500)
    assert not HandIn.objects.exists()


def test_hours_are_those_of_downs_within_the_shift_and_of_breaks_that_are_short_enough(
    house: TokeRoom,
) -> None:
    begins = house.shift.opened_at
    at = lambda minutes: begins + datetime.timedelta(minutes=minutes)  # noqa: E731
    Down.objects.all().delete()
    for table, start, end in ((house.table, -30, 40), (house.table, 60, 100), (house.table, 130, None)):
        Down.objects.create(
            room=house.room,
            table=table,
            dealer=house.dealer,
            started_at=at(start),
            ended_at=None if end is None else at(end),
        )
    stints = stints_of(house.shift, at(190))
    assert [stint.seconds // 60 for stint in stints] == [40, 40, 60]
    assert [worked_seconds(stints, pause) // 60 for pause in (0, 19, 20, 30)] == [140, 140, 160, 190]


# --- Rules ------------------------------------------------------------------------------------------------------------


def test_without_a_rule_every_dealer_keeps_their_own(house: TokeRoom) -> None:
    house.tipped(tip_cents=500)
    house.hand_in(house.second, 700)
    assert house.pool().rule is None
    assert shares(house) == {house.dealer.pk: 1000, house.second.pk: 700}


def test_a_pool_by_hours_with_a_share_for_support_staff(house: TokeRoom) -> None:
    house.rule(support="share", support_bp=1000, support_roles=["support"])
    house.tipped(tip_cents=500)
    house.relieve(house.second)
    house.hand_in(house.dealer, 201)
    house.hours(90)
    put_back(house, dealer=4, dealer_2=1)
    Down.objects.filter(dealer=house.dealer).update(ended_at=timezone.now() - datetime.timedelta(hours=1))
    pool = house.pool()
    assert (pool.total_cents, pool.support_cents, pool.dealers_cents, pool.held_cents) == (1201, 120, 1081, 0)
    assert [(line.name, line.work, line.seconds, line.share_cents) for line in pool.support] == [
        (str(house.runner), "chip runner", 5400, 120)
    ]
    assert shares(house) == {house.dealer.pk: 811, house.second.pk: 270}
    assert "10% of the tips goes to support staff by hours worked" in pool.rule_says


@pytest.mark.parametrize("role", ["floor", "shift_manager", "room_manager"])
def test_no_rule_lets_a_supervisor_share(house: TokeRoom, role: str) -> None:
    with pytest.raises(BadInput, match="may not share in tips") as refused:
        house.rule(support="share", support_bp=500, support_roles=["support", role])
    assert (refused.value.code, refused.value.path) == ("supervisor_shares", "support_roles[1]")
    assert "Lab. Code 351" in refused.value.message
    assert not PoolRule.objects.exists()


def test_a_supervisor_who_deals_and_one_who_helps_have_no_part(house: TokeRoom) -> None:
    house.rule(support="share", support_bp=1000, support_roles=["support"])
    house.tipped(tip_cents=500)
    Employment.objects.create(staff=house.dealer, room=house.room, role=Role.FLOOR)
    Employment.objects.create(staff=house.manager, room=house.room, role=Role.SUPPORT)
    house.relieve(house.second)
    with pytest.raises(NotNow, match="no part in tips"):
        house.hours(60, house.manager)
    put_back(house, dealer_2=1)
    pool = house.pool()
    by_staff = {line.staff: line for line in pool.dealers}
    assert (by_staff[house.dealer.pk].won_cents, by_staff[house.dealer.pk].share_cents) == (1000, 0)
    assert "supervisor has no part in tips" in by_staff[house.dealer.pk].why_not
    assert by_staff[house.second.pk].share_cents == 1000


def test_hours_count_for_those_alone_whom_the_rule_names(house: TokeRoom) -> None:
    with pytest.raises(NotNow, match="nothing of the tips goes to support staff"):
        house.hours(60)
    house.rule(support="hourly", support_bp=5000, support_hourly_cents=300, support_roles=["count"])
    with pytest.raises(NotNow, match="none of those who share"):
        house.hours(60)
    house.hours(60, house.people[Role.COUNT])
    with pytest.raises(BadInput, match="60 minutes are entered already"):
        house.hours(24 * 60, house.people[Role.COUNT])
    made = WorkedHours.objects.get()
    house.send_room(
        hours_reverse, house.floor, hours_id=made.pk, reason="another day", approver=house.manager
    )
    assert house.pool().support == ()
    house.hours(24 * 60, house.people[Role.COUNT])


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
    house: TokeRoom, terms: dict[str, object], path: str
) -> None:
    with pytest.raises(BadInput) as refused:
        house.rule(**terms)
    assert refused.value.path == path
    assert not PoolRule.objects.exists()


def test_a_rule_holds_from_a_gaming_day_that_has_not_begun_and_the_later_one_of_a_day_holds(
    house: TokeRoom,
) -> None:
    today, tomorrow = house.today(), house.today(1)
    with pytest.raises(NotNow, match="is over"):
        house.rule(effective_from=house.today(-1))
    house.rule(title="First")  # there was none: it may begin today
    with pytest.raises(NotNow, match="has begun under another rule"):
        house.rule(title="In the middle of it")
    house.rule(title="Second", sharing="keep", effective_from=tomorrow)
    house.rule(title="Third", effective_from=tomorrow)
    assert [rule_on(house.room, day).title for day in (today, tomorrow, house.today(9))] == [
        "First",
        "Third",
        "Third",
    ]
    assert rule_on(house.room, house.today(-1)) is None


def test_a_rule_is_withdrawn_with_a_reason_and_then_everybody_keeps_their_own(house: TokeRoom) -> None:
    rule = house.rule()["rule"]
    later = house.rule(title="Later", effective_from=house.today(9))["rule"]
    with pytest.raises(NotNow, match="can start that day"):
        house.rule(title="Before it", effective_from=house.today(1))
    house.send_room(pool_rule_withdraw, house.room_manager, rule_id=later, reason="agreed otherwise")
    with pytest.raises(NotNow, match="only a filed version is withdrawn"):
        house.send_room(pool_rule_withdraw, house.room_manager, rule_id=rule, reason="it is superseded")
    assert [str(rule_on(house.room, house.today(day))) for day in (0, 8, 9)] == ["Rule 1: House pool"] * 2 + [
        "None"
    ]
    third = house.rule(title="Third", effective_from=house.today(9))["rule"]
    with pytest.raises(BadInput, match="needs a reason"):
        house.send_room(pool_rule_withdraw, house.room_manager, rule_id=third, reason=" ")
    house.send_room(pool_rule_withdraw, house.room_manager, rule_id=third, reason="no more")
    assert rule_on(house.room, house.today(9)) is None
    entry = JournalEntry.objects.filter(act="rule_withdraw").latest("pk")
    assert (entry.reason, entry.data["version"], entry.data["effective_to"]) == (
        "no more",
        3,
        str(house.today(9)),
    )
    assert list(pools_verify()) == []


def test_a_rule_reads_as_a_sentence(house: TokeRoom) -> None:
    house.rule(
        support="hourly",
        support_bp=1250,
        support_hourly_cents=350,
        support_roles=["support", "count"],
        break_minutes=20,
    )
    assert rule_in_words(PoolRule.objects.get()) == (
        "Dealers pool their tips by hours worked. A break of up to 20 minutes between two downs counts as worked. "
        "Before that, support staff and count team get $3.50 for each hour worked, but together no more than 12.50% "
        "of the tips."
    )


# --- Closing ----------------------------------------------------------------------------------------------------------


def test_a_sheet_is_closed_once_after_its_shift_and_then_takes_nothing_more(house: TokeRoom) -> None:
    house.rule()
    house.tipped(tip_cents=500)
    with pytest.raises(NotNow, match="is open"):
        house.close_pool()
    house.close_shift()
    house.hand_in(house.dealer, 99)
    with pytest.raises(NotNow, match="have changed since you looked"):
        house.close_pool(1000)
    house.close_pool()
    sheet = PoolSheet.objects.get()
    assert (sheet.total_cents, sheet.made_by, sheet.rule.title) == (1099, house.manager, "House pool")
    assert JournalEntry.objects.get(act="pool_close").data["hash"] == sheet.hash == data_hash(sheet.body)
    assert pool_read(sheet.body) == house.pool()
    assert pool_data(house.pool()) == sheet.body
    for late in (lambda: house.hand_in(house.dealer, 5), house.close_pool):
        with pytest.raises(NotNow, match="were shared out"):
            late()
    with pytest.raises(NotNow, match="were shared out"):
        house.send_room(
            hand_in_reverse,
            house.floor,
            hand_in_id=HandIn.objects.get().pk,
            reason="late",
            approver=house.manager,
        )
    assert list(pools_verify()) == []


def test_a_sheet_waits_for_the_last_round_of_its_shift(house: TokeRoom) -> None:
    house.deal({4: 2000})
    house.close_shift()
    with pytest.raises(NotNow, match="is still in play"):
        house.close_pool()
    assert not PoolSheet.objects.exists()


def test_a_sheet_whose_cents_have_no_owner_is_not_closed(house: TokeRoom) -> None:
    house.tipped()
    Employment.objects.create(staff=house.dealer, room=house.room, role=Role.FLOOR)
    house.close_shift()
    assert house.pool().held_cents == 1000
    with pytest.raises(NotNow, match="may share in its tips"):
        house.close_pool()


def test_a_closed_sheet_stays_as_it_was_when_people_and_roles_change(house: TokeRoom) -> None:
    house.tipped()
    house.close_shift()
    house.close_pool()
    before = house.pool()
    Employment.objects.create(staff=house.dealer, room=house.room, role=Role.FLOOR)
    house.dealer.display_name = "Somebody else"
    house.dealer.save()
    assert house.pool() == before
    assert list(pools_verify()) == []


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("UPDATE tips_poolsheet SET total_cents = 5", "says 5 cents, its lines come to 1700"),
        (
            "UPDATE tips_poolsheet SET body = REPLACE(CAST(body AS text), '1700', '1701'){json}",
            "was changed after",
        ),
        ("DELETE FROM tips_poolsheet", "stands in the journal, but there is none"),
        ("UPDATE tips_handin SET cents = 701", "handed in by dealer has changed since"),
        (
            "UPDATE floor_transfer SET cents = cents + 1 WHERE target = 'tokes'",
            "won by dealer has changed since",
        ),
    ],
)
def test_what_somebody_with_the_keys_changed_shows(house: TokeRoom, sql: str, said: str) -> None:
    house.tipped()
    house.hand_in(house.dealer, 700)
    house.close_shift()
    house.close_pool()
    with as_superuser() as cursor:
        cursor.execute(sql.format(json="::jsonb" if connection.vendor == "postgresql" else ""))
    assert any(said in each for each in pools_verify()), list(pools_verify())


@pytest.mark.parametrize("fact", [PoolRule, HandIn, WorkedHours, PoolSheet], ids=lambda fact: fact.__name__)
def test_nothing_about_tips_is_changed_or_removed(house: TokeRoom, fact: type[models.Model]) -> None:
    house.rule(support="share", support_bp=1000, support_roles=["support"])
    house.hand_in(house.dealer, 700)
    house.hours(60)
    house.close_shift()
    house.close_pool()
    count, table = fact._default_manager.count(), fact._meta.db_table
    statements = [f"DELETE FROM {table}", f"UPDATE {table} SET id = id + 1000"]
    if connection.vendor == "postgresql":
        statements.append(f"TRUNCATE {table} CASCADE")
    for sql in statements:
        with pytest.raises(DatabaseError, match=table), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)
    assert fact._default_manager.count() == count == 1


def test_the_database_refuses_entries_by_one_person_and_rules_that_add_up_to_nothing(house: TokeRoom) -> None:
    kept = {"room": house.room, "shift": house.shift, "made_at": timezone.now()}
    handed = {**kept, "dealer": house.dealer, "received_by": house.floor}
    hours = {**kept, "staff": house.runner, "made_by": house.floor, "work": "host"}
    rule = {
        "room": house.room,
        "number": 1,
        "title": "x",
        "sharing": "hours",
        "support": "none",
        "effective_from": house.today(),
        "version": 1,
    }
    for model, bad in (
        (HandIn, {**handed, "cents": 0}),
        (HandIn, {**handed, "cents": -5}),
        (HandIn, {**handed, "cents": 5, "received_by": house.dealer}),
        (WorkedHours, {**hours, "minutes": 0}),
        (WorkedHours, {**hours, "minutes": 5, "made_by": house.runner}),
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


def test_each_act_is_for_its_roles_and_an_outsider_finds_nothing(house: TokeRoom) -> None:
    other = TokeRoom("Gold Bar")
    hand_in = {"shift_id": house.shift.pk, "dealer_id": house.dealer.pk, "cents": 500}
    rule = {"title": "x", "sharing": "keep", "support": "none", "effective_from": house.today()}
    close = {"shift_id": house.shift.pk, "total_cents": 0}
    for command, arguments, mays in (
        (tips_hand_in, hand_in, {Role.FLOOR, Role.SHIFT_MANAGER}),
        (pool_rule_set, rule, {Role.ROOM_MANAGER}),
        (pool_close, close, {Role.SHIFT_MANAGER}),
    ):
        for role, staff in house.people.items():
            if role not in mays:
                with pytest.raises(Forbidden):
                    house.send_room(command, staff, **arguments)
        for role in mays:
            with pytest.raises(NotFound):
                house.send_room(command, other.people[role], **arguments)
    assert not HandIn.objects.exists() and not PoolRule.objects.exists()


def test_a_shift_of_another_room_is_none(house: TokeRoom) -> None:
    other = TokeRoom("Gold Bar")
    other.open()
    with pytest.raises(NotFound, match="no shift"):
        house.send_room(pool_close, shift_id=other.shift.pk, total_cents=0)
