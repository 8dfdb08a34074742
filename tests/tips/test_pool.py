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
from cardroom.floor.row_verification import rows_verify
from cardroom.people.models import Employment, Role
from cardroom.tips.commands.entries import hand_in_reverse, hours_reverse, tips_hand_in
from cardroom.tips.commands.rules import pool_rule_set, pool_rule_withdraw
from cardroom.tips.commands.sheets import pool_close
from cardroom.tips.models import HandIn, PoolRule, PoolSheet, WorkedHours
from cardroom.tips.reads.earned import stints_of, tips_won, worked_seconds
from cardroom.tips.reads.pools import pool_data, pool_of, pool_read
from cardroom.tips.reads.rules import format_rule, rule_on
from cardroom.tips.verification import pools_verify
from tests.floor.site import BANK_HAND, HANDS, Site
from tests.reports.commands import as_superuser

from .room import TipRoom


def put_back(site: TipRoom, **hours: int) -> None:
    """Let downs have begun so many hours ago, by the username's last part: `put_back(site, dealer=3)`.

    The shift began five hours ago.
    """
    Shift.objects.update(opened_at=timezone.now() - datetime.timedelta(hours=5))
    for name, ago in hours.items():
        Down.objects.filter(dealer__username__endswith=name.replace("_", "-")).update(
            started_at=timezone.now() - datetime.timedelta(hours=ago)
        )


def shares(site: TipRoom) -> dict[int, int]:
    return {line.staff: line.share_cents for line in site.pool().dealers}


# --- What came in -----------------------------------------------------------------------------------------------------


def test_tips_won_are_the_dealers_whose_down_it_was_and_tie_to_the_transfers(site: TipRoom) -> None:
    first = site.tipped(tip_cents=500)
    site.relieve(site.second)
    second = site.tipped(tip_cents=300)
    pool = site.pool()
    assert {line.staff: line.won_cents for line in pool.dealers} == {
        site.dealer.pk: 1000,
        site.second.pk: 600,
    }
    assert [line.won_cents for line in pool.downs] == [1000, 600]
    assert [(each.round, each.cents) for each in tips_won(site.shift)] == [
        (first.pk, 1000),
        (second.pk, 600),
    ]
    moved = Transfer.objects.filter(target="tips").aggregate(cents=models.Sum("cents"))["cents"]
    assert pool.won_cents == pool.total_cents == moved == first.tips_cents + second.tips_cents


def test_a_lost_tip_and_a_void_bring_none(site: TipRoom) -> None:
    site.tipped(seat=6)  # ten high loses to the bank
    site.deal({4: 2000})
    site.send(round_void, site.floor, reason="device failure", approver=site.manager)
    assert site.pool().total_cents == 0


def test_a_correction_counts_as_what_it_changes_in_the_shift_in_which_it_was_made(site: TipRoom) -> None:
    round_ = site.tipped(tip_cents=500)
    site.close_shift()
    first = site.shift
    site.send_room(shift_open, name="Night")
    site.send(
        round_correct,
        round_id=round_.pk,
        bank_wager_cents=100_000,
        bank_hand=BANK_HAND,
        positions=[
            {"seat": 5, "wagers": {"ante": 1000}, "tips": {"ante": 200}, "hand": HANDS[5], "decision": "play"}
        ],
        reason="the tip was $2",
        approver=site.floor,
    )
    assert pool_of(first, timezone.now()).total_cents == 1000
    pool = site.pool()
    (line,) = pool.dealers
    assert (line.staff, line.won_cents, pool.total_cents) == (site.dealer.pk, -600, -600)
    assert shares(site) == {site.dealer.pk: -600}


def test_a_hand_in_belongs_to_the_dealer_and_down_and_is_taken_back_by_two(site: TipRoom) -> None:
    down = Down.objects.get()
    made = site.hand_in(site.dealer, 1250, down_id=down.pk)["hand_in"]
    (line,) = site.pool().dealers
    assert (line.handed_cents, site.pool().downs[0].handed_cents) == (1250, 1250)
    for approver, code in ((site.floor, "same_person"), (site.dealer, "approver_may_not")):
        with pytest.raises(Forbidden) as refused:
            site.send_room(
                hand_in_reverse, site.floor, hand_in_id=made, reason="counted twice", approver=approver
            )
        assert refused.value.code == code
    back = {"hand_in_id": made, "reason": "counted twice", "approver": site.manager}
    with pytest.raises(BadInput, match="why it is reversed"):
        site.send_room(hand_in_reverse, site.floor, **{**back, "reason": " "})
    site.send_room(hand_in_reverse, site.floor, **back)
    with pytest.raises(NotNow, match="reversed before"):
        site.send_room(hand_in_reverse, site.floor, **back)
    assert site.pool().total_cents == 0
    assert [row.cents for row in HandIn.objects.all()] == [1250, -1250]


@pytest.mark.parametrize("cents", [0, -500, 10**10])
def test_what_is_no_amount_is_not_handed_in(site: TipRoom, cents: int) -> None:
    with pytest.raises(BadInput) as refused:
        site.hand_in(site.dealer, cents)
    assert refused.value.path == "cents"
    assert not HandIn.objects.exists()


def test_tips_are_handed_in_by_dealers_of_the_room_to_somebody_else(site: TipRoom) -> None:
    other = Site("Gold Bar")
    for dealer, match in ((other.dealer, "Nobody with number"), (site.runner, "does not deal")):
        with pytest.raises(BadInput, match=match):
            site.hand_in(dealer, 500)
    with pytest.raises(BadInput, match="had no down"):
        site.hand_in(site.second, 500, down_id=Down.objects.get().pk)
    Employment.objects.create(staff=site.floor, room=site.room, role=Role.DEALER)
    with pytest.raises(Forbidden, match="Somebody else than the dealer"):
        site.hand_in(site.floor, 500)
    assert not HandIn.objects.exists()


def test_hours_are_those_of_downs_within_the_shift_and_of_breaks_that_are_short_enough(
    site: TipRoom,
) -> None:
    begins = site.shift.opened_at
    at = lambda minutes: begins + datetime.timedelta(minutes=minutes)  # noqa: E731
    Down.objects.all().delete()
    for table, start, end in ((site.table, -30, 40), (site.table, 60, 100), (site.table, 130, None)):
        Down.objects.create(
            room=site.room,
            table=table,
            dealer=site.dealer,
            started_at=at(start),
            ended_at=None if end is None else at(end),
        )
    stints = stints_of(site.shift, at(190))
    assert [stint.seconds // 60 for stint in stints] == [40, 40, 60]
    assert [worked_seconds(stints, pause) // 60 for pause in (0, 19, 20, 30)] == [140, 140, 160, 190]


# --- Rules ------------------------------------------------------------------------------------------------------------


def test_without_a_rule_every_dealer_keeps_their_own(site: TipRoom) -> None:
    site.tipped(tip_cents=500)
    site.hand_in(site.second, 700)
    assert site.pool().rule is None
    assert shares(site) == {site.dealer.pk: 1000, site.second.pk: 700}


def test_a_pool_by_hours_with_a_share_for_support_staff(site: TipRoom) -> None:
    site.rule(support="share", support_bp=1000, support_roles=["support"])
    site.tipped(tip_cents=500)
    site.relieve(site.second)
    site.hand_in(site.dealer, 201)
    site.hours(90)
    put_back(site, dealer=4, dealer_2=1)
    Down.objects.filter(dealer=site.dealer).update(ended_at=timezone.now() - datetime.timedelta(hours=1))
    pool = site.pool()
    assert (pool.total_cents, pool.support_cents, pool.dealers_cents, pool.held_cents) == (1201, 120, 1081, 0)
    assert [(line.name, line.work, line.seconds, line.share_cents) for line in pool.support] == [
        (str(site.runner), "chip runner", 5400, 120)
    ]
    assert shares(site) == {site.dealer.pk: 811, site.second.pk: 270}
    assert "10% of the tips goes to support staff by hours worked" in pool.rule_text


@pytest.mark.parametrize("role", ["floor", "shift_manager", "room_manager"])
def test_no_rule_lets_a_supervisor_share(site: TipRoom, role: str) -> None:
    with pytest.raises(BadInput, match="may not share in tips") as refused:
        site.rule(support="share", support_bp=500, support_roles=["support", role])
    assert (refused.value.code, refused.value.path) == ("supervisor_shares", "support_roles[1]")
    assert "Lab. Code 351" in refused.value.message
    assert not PoolRule.objects.exists()


def test_a_supervisor_who_deals_and_one_who_helps_have_no_part(site: TipRoom) -> None:
    site.rule(support="share", support_bp=1000, support_roles=["support"])
    site.tipped(tip_cents=500)
    Employment.objects.create(staff=site.dealer, room=site.room, role=Role.FLOOR)
    Employment.objects.create(staff=site.manager, room=site.room, role=Role.SUPPORT)
    site.relieve(site.second)
    with pytest.raises(NotNow, match="no part in tips"):
        site.hours(60, site.manager)
    put_back(site, dealer_2=1)
    pool = site.pool()
    by_staff = {line.staff: line for line in pool.dealers}
    assert (by_staff[site.dealer.pk].won_cents, by_staff[site.dealer.pk].share_cents) == (1000, 0)
    assert "supervisor has no part in tips" in by_staff[site.dealer.pk].why_not
    assert by_staff[site.second.pk].share_cents == 1000


@pytest.mark.postgresql
def test_hours_count_for_those_alone_whom_the_rule_names(site: TipRoom) -> None:
    with pytest.raises(NotNow, match="nothing of the tips goes to support staff"):
        site.hours(60)
    site.rule(support="hourly", support_bp=5000, support_hourly_cents=300, support_roles=["count"])
    with pytest.raises(NotNow, match="none of those who share"):
        site.hours(60)
    site.hours(60, site.people[Role.COUNT])
    with pytest.raises(BadInput, match="60 minutes are entered already"):
        site.hours(24 * 60, site.people[Role.COUNT])
    made = WorkedHours.objects.get()
    site.send_room(hours_reverse, site.floor, hours_id=made.pk, reason="another day", approver=site.manager)
    assert site.pool().support == ()
    site.hours(24 * 60, site.people[Role.COUNT])


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
    site: TipRoom, terms: dict[str, object], path: str
) -> None:
    with pytest.raises(BadInput) as refused:
        site.rule(**terms)
    assert refused.value.path == path
    assert not PoolRule.objects.exists()


def test_a_rule_holds_from_a_gaming_day_that_has_not_begun_and_the_later_one_of_a_day_holds(
    site: TipRoom,
) -> None:
    today, tomorrow = site.today(), site.today(1)
    with pytest.raises(NotNow, match="is over"):
        site.rule(effective_from=site.today(-1))
    site.rule(title="First")  # there was none: it may begin today
    with pytest.raises(NotNow, match="has begun under another rule"):
        site.rule(title="In the middle of it")
    site.rule(title="Second", sharing="keep", effective_from=tomorrow)
    site.rule(title="Third", effective_from=tomorrow)
    assert [rule_on(site.room, day).title for day in (today, tomorrow, site.today(9))] == [
        "First",
        "Third",
        "Third",
    ]
    assert rule_on(site.room, site.today(-1)) is None


def digest_of(rule: int) -> str:
    return PoolRule.objects.get(pk=rule).digest


@pytest.mark.postgresql
def test_a_rule_is_withdrawn_with_a_reason_and_then_everybody_keeps_their_own(site: TipRoom) -> None:
    rule = site.rule()["rule"]
    later = site.rule(title="Later", effective_from=site.today(9))["rule"]
    with pytest.raises(NotNow, match="can start that day"):
        site.rule(title="Before it", effective_from=site.today(1))
    site.send_room(
        pool_rule_withdraw,
        site.room_manager,
        rule_id=later,
        digest=digest_of(later),
        reason="agreed otherwise",
    )
    with pytest.raises(NotNow, match="only a filed version is withdrawn"):
        site.send_room(
            pool_rule_withdraw,
            site.room_manager,
            rule_id=rule,
            digest=digest_of(rule),
            reason="it is superseded",
        )
    assert [str(rule_on(site.room, site.today(day))) for day in (0, 8, 9)] == ["Rule 1: House pool"] * 2 + [
        "None"
    ]
    third = site.rule(title="Third", effective_from=site.today(9))["rule"]
    with pytest.raises(BadInput, match="needs a reason"):
        site.send_room(
            pool_rule_withdraw, site.room_manager, rule_id=third, digest=digest_of(third), reason=" "
        )
    site.send_room(
        pool_rule_withdraw, site.room_manager, rule_id=third, digest=digest_of(third), reason="no more"
    )
    assert rule_on(site.room, site.today(9)) is None
    entry = JournalEntry.objects.filter(command="rule_withdraw").latest("pk")
    assert (entry.reason, entry.data["version"], entry.data["effective_to"]) == (
        "no more",
        3,
        str(site.today(9)),
    )
    assert list(pools_verify()) == []


def test_a_rule_reads_as_a_sentence(site: TipRoom) -> None:
    site.rule(
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


def test_a_sheet_is_closed_once_after_its_shift_and_then_takes_nothing_more(site: TipRoom) -> None:
    site.rule()
    site.tipped(tip_cents=500)
    with pytest.raises(NotNow, match="is open"):
        site.close_pool()
    site.close_shift()
    site.hand_in(site.dealer, 99)
    with pytest.raises(NotNow, match="have changed since you looked"):
        site.close_pool(1000)
    site.close_pool()
    sheet = PoolSheet.objects.get()
    assert (sheet.total_cents, sheet.made_by, sheet.rule.title) == (1099, site.manager, "House pool")
    assert JournalEntry.objects.get(command="pool_close").data["total_cents"] == 1099
    assert pool_read(sheet.body) == site.pool()
    assert pool_data(site.pool()) == sheet.body
    for late in (lambda: site.hand_in(site.dealer, 5), site.close_pool):
        with pytest.raises(NotNow, match="were shared out"):
            late()
    with pytest.raises(NotNow, match="were shared out"):
        site.send_room(
            hand_in_reverse,
            site.floor,
            hand_in_id=HandIn.objects.get().pk,
            reason="late",
            approver=site.manager,
        )
    assert list(pools_verify()) == []


def test_a_sheet_waits_for_the_last_round_of_its_shift(site: TipRoom) -> None:
    site.deal({4: 2000})
    site.close_shift()
    with pytest.raises(NotNow, match="is still in play"):
        site.close_pool()
    assert not PoolSheet.objects.exists()


def test_a_sheet_whose_cents_have_no_owner_is_not_closed(site: TipRoom) -> None:
    site.tipped()
    Employment.objects.create(staff=site.dealer, room=site.room, role=Role.FLOOR)
    site.close_shift()
    assert site.pool().held_cents == 1000
    with pytest.raises(NotNow, match="may share in its tips"):
        site.close_pool()


def test_a_closed_sheet_stays_as_it_was_when_people_and_roles_change(site: TipRoom) -> None:
    site.tipped()
    site.close_shift()
    site.close_pool()
    before = site.pool()
    Employment.objects.create(staff=site.dealer, room=site.room, role=Role.FLOOR)
    site.dealer.display_name = "Somebody else"
    site.dealer.save()
    assert site.pool() == before
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
def test_what_somebody_with_the_keys_changed_shows(site: TipRoom, sql: str, message: str) -> None:
    site.tipped()
    site.hand_in(site.dealer, 700)
    site.close_shift()
    site.close_pool()
    with as_superuser() as cursor:
        cursor.execute(sql.format(json="::jsonb" if connection.vendor == "postgresql" else ""))
    found = [*pools_verify(), *map(str, rows_verify())]
    assert any(message in each for each in found), found


@pytest.mark.postgresql
@pytest.mark.parametrize("fact", [PoolRule, HandIn, WorkedHours, PoolSheet], ids=lambda fact: fact.__name__)
def test_nothing_about_tips_is_changed_or_removed(site: TipRoom, fact: type[models.Model]) -> None:
    site.rule(support="share", support_bp=1000, support_roles=["support"])
    site.hand_in(site.dealer, 700)
    site.hours(60)
    site.close_shift()
    site.close_pool()
    count, table = fact._default_manager.count(), fact._meta.db_table
    queries = [f"DELETE FROM {table}", f"UPDATE {table} SET id = id + 1000"]
    if connection.vendor == "postgresql":
        queries.append(f"TRUNCATE {table} CASCADE")
    for sql in queries:
        with pytest.raises(DatabaseError, match=table), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)
    assert fact._default_manager.count() == count == 1


@pytest.mark.postgresql
def test_the_database_refuses_entries_by_one_person_and_rules_that_add_up_to_nothing(site: TipRoom) -> None:
    kept = {"room": site.room, "shift": site.shift, "made_at": timezone.now()}
    handed = {**kept, "dealer": site.dealer, "received_by": site.floor}
    hours = {**kept, "staff": site.runner, "made_by": site.floor, "work": "host"}
    rule = {
        "room": site.room,
        "number": 1,
        "title": "x",
        "sharing": "hours",
        "support": "none",
        "effective_from": site.today(),
        "version": 1,
    }
    for model, bad in (
        (HandIn, {**handed, "cents": 0}),
        (HandIn, {**handed, "cents": -5}),
        (HandIn, {**handed, "cents": 5, "received_by": site.dealer}),
        (WorkedHours, {**hours, "minutes": 0}),
        (WorkedHours, {**hours, "minutes": 5, "made_by": site.runner}),
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


def test_each_command_is_for_its_roles_and_an_outsider_finds_nothing(site: TipRoom) -> None:
    other = TipRoom("Gold Bar")
    hand_in = {"shift_id": site.shift.pk, "dealer_id": site.dealer.pk, "cents": 500}
    rule = {"title": "x", "sharing": "keep", "support": "none", "effective_from": site.today()}
    close = {"shift_id": site.shift.pk, "total_cents": 0}
    for command, arguments, mays in (
        (tips_hand_in, hand_in, {Role.FLOOR, Role.SHIFT_MANAGER}),
        (pool_rule_set, rule, {Role.ROOM_MANAGER}),
        (pool_close, close, {Role.SHIFT_MANAGER}),
    ):
        for role, staff in site.people.items():
            if role not in mays:
                with pytest.raises(Forbidden):
                    site.send_room(command, staff, **arguments)
        for role in mays:
            with pytest.raises(NotFound):
                site.send_room(command, other.people[role], **arguments)
    assert not HandIn.objects.exists() and not PoolRule.objects.exists()


def test_a_shift_of_another_room_is_none(site: TipRoom) -> None:
    other = TipRoom("Gold Bar")
    other.open()
    with pytest.raises(NotFound, match="no shift"):
        site.send_room(pool_close, shift_id=other.shift.pk, total_cents=0)
