"""Queries on the pool's sheet of a shift: what came in, who worked, who gets what. From the facts, or as it was closed."""

from __future__ import annotations

import dataclasses
import datetime
import json
from collections import defaultdict
from typing import Any

from cardroom.core.dates import utc_text
from cardroom.floor.errors import NotFound, WhyNot
from cardroom.floor.models import Round, Shift
from cardroom.people.models import Employment, Role, Staff
from cardroom.rooms.models import Room

from ..checks import why_not_close, why_not_share
from ..models import HandIn, PoolRule, PoolSheet, WorkedHours
from ..sharing import Dealt, Terms, shared_out
from .earned import Stint, by_down, stints_of, tips_won, worked_seconds
from .rules import format_rule, rule_on


@dataclasses.dataclass(frozen=True)
class DealerLine:
    """A dealer of the shift: what was won and handed in, the time worked, and what the dealer gets, in cents.

    `why_not` says why a person who dealt has no part; empty for all others.
    """

    staff: int
    name: str
    won_cents: int
    handed_cents: int
    seconds: int
    share_cents: int
    why_not: str = ""

    @property
    def brought_cents(self) -> int:
        return self.won_cents + self.handed_cents


@dataclasses.dataclass(frozen=True)
class SupportLine:
    """One of the support staff: as what, how long, and what they get, in cents; `why_not` as for dealers."""

    staff: int
    name: str
    work: str
    seconds: int
    share_cents: int
    why_not: str = ""


@dataclasses.dataclass(frozen=True)
class DownLine:
    """A dealer's down as far as it lies in the shift, with the tips of its time in cents."""

    down: int
    table_number: int
    staff: int
    name: str
    begins_at: datetime.datetime
    ends_at: datetime.datetime
    seconds: int
    won_cents: int
    handed_cents: int


@dataclasses.dataclass(frozen=True)
class HandLine:
    """Tips handed in, in cents, or taken back."""

    id: int
    at: datetime.datetime
    staff: int
    name: str
    table_number: int | None
    received_by: str
    cents: int
    reverses: int | None
    reason: str


@dataclasses.dataclass(frozen=True)
class HoursLine:
    """Hours entered for support staff, or taken back."""

    id: int
    at: datetime.datetime
    staff: int
    name: str
    work: str
    minutes: int
    made_by: str
    reverses: int | None
    reason: str


@dataclasses.dataclass(frozen=True)
class Pool:
    """The pool's sheet of a shift. The shares and `held_cents` always come to `total_cents`."""

    shift: int
    rule: int | None
    rule_text: str
    terms: Terms
    dealers: tuple[DealerLine, ...]
    support: tuple[SupportLine, ...]
    downs: tuple[DownLine, ...]
    hand_ins: tuple[HandLine, ...]
    hours: tuple[HoursLine, ...]
    held_cents: int

    @property
    def total_cents(self) -> int:
        return sum(line.brought_cents for line in self.dealers)

    @property
    def won_cents(self) -> int:
        return sum(line.won_cents for line in self.dealers)

    @property
    def handed_cents(self) -> int:
        return sum(line.handed_cents for line in self.dealers)

    @property
    def dealers_cents(self) -> int:
        return sum(line.share_cents for line in self.dealers)

    @property
    def support_cents(self) -> int:
        return sum(line.share_cents for line in self.support)


def pool_of(shift: Shift, now: datetime.datetime) -> Pool:
    """Return the sheet of a shift: as it was closed, else from the facts at `now`."""
    sheet = pool_sheet_of(shift)
    return pool_made(shift, now) if sheet is None else pool_read(sheet.body)


def pool_sheet_of(shift: Shift) -> PoolSheet | None:
    """Return the closed sheet of a shift."""
    return PoolSheet.objects.filter(shift=shift).select_related("made_by", "rule").first()


def pool_made(shift: Shift, now: datetime.datetime, roles_then: dict[int, set[Role]] | None = None) -> Pool:
    """Make the sheet of a shift from the facts. `roles_then` are roles by person, where not those of now count."""
    rule = rule_on(shift.room, shift.gaming_day)
    rounds = tips_won(shift)
    stints = stints_of(shift, now)
    hand_ins = list(
        HandIn.objects.filter(shift=shift)
        .select_related("dealer", "down__table", "received_by")
        .order_by("pk")
    )
    hours = list(WorkedHours.objects.filter(shift=shift).select_related("staff", "made_by").order_by("pk"))
    won = _summed((each.dealer, each.cents) for each in rounds)
    handed = _summed((each.dealer_id, each.cents) for each in hand_ins)
    seconds = _worked(stints, rule)
    support_hours = _support_hours(hours)
    people = Staff.objects.in_bulk({*won, *handed, *seconds, *support_hours})
    roles = roles_held(shift.room) if roles_then is None else roles_then
    why = {staff: why_not_share(roles.get(staff, set())) or "" for staff in people}
    dealers = sorted({*won, *handed, *seconds}, key=lambda staff: (str(people[staff]), staff))
    support = sorted(support_hours, key=lambda staff: (str(people[staff]), staff))
    support_seconds = {
        staff: 60 * sum(each.minutes for each in support_hours[staff]) for staff in support if not why[staff]
    }
    terms = Terms() if rule is None else rule.terms
    shares = shared_out(
        terms,
        [Dealt(staff, won[staff] + handed[staff], seconds[staff], not why[staff]) for staff in dealers],
        support_seconds,
    )
    return Pool(
        shift=shift.pk,
        rule=None if rule is None else rule.pk,
        rule_text=format_rule(rule),
        terms=terms,
        dealers=tuple(
            DealerLine(
                staff,
                str(people[staff]),
                won[staff],
                handed[staff],
                seconds[staff],
                shares.dealers.get(staff, 0),
                why[staff],
            )
            for staff in dealers
        ),
        support=tuple(
            SupportLine(
                staff,
                str(people[staff]),
                ", ".join(dict.fromkeys(each.work for each in support_hours[staff])),
                support_seconds.get(staff, 0),
                shares.support.get(staff, 0),
                why[staff],
            )
            for staff in support
        ),
        downs=_down_lines(shift, stints, by_down(rounds, shift), hand_ins),
        hand_ins=tuple(_hand_line(each) for each in hand_ins),
        hours=tuple(_hours_line(each) for each in hours),
        held_cents=shares.held_cents,
    )


def why_not_closed(shift: Shift, pool: Pool, sheet: PoolSheet | None) -> WhyNot | None:
    """Why the sheet of a shift cannot be closed now; None when it can."""
    in_play = Round.objects.filter(
        shift=shift, state__in=(Round.State.BETTING, Round.State.BETS_CLOSED)
    ).count()
    return why_not_close(shift, sheet, in_play, pool.held_cents)


def roles_held(room: Room) -> dict[int, set[Role]]:
    """Return the roles held in a room by person, also by those who have left meanwhile."""
    roles: defaultdict[int, set[Role]] = defaultdict(set)
    for staff, role in Employment.objects.filter(room=room).values_list("staff", "role"):
        roles[staff].add(Role(role))
    return roles


def dealers_of(room: Room) -> list[Staff]:
    """Return the people who may deal in a room and share in tips, by name."""
    by_staff = roles_held(room)
    dealers = [
        staff for staff, roles in by_staff.items() if Role.DEALER in roles and not why_not_share(roles)
    ]
    return list(Staff.objects.filter(pk__in=dealers, is_active=True).order_by("display_name", "username"))


def shift_of(room: Room, shift_id: int) -> Shift:
    """Return a shift of the room. Raises NotFound."""
    shift = Shift.objects.filter(room=room, pk=shift_id).select_related("room").first()
    if shift is None:
        raise NotFound("not_found", f"This room has no shift {shift_id}.")
    return shift


# --- As plain data ----------------------------------------------------------------------------------------------------


def pool_data(pool: Pool) -> dict[str, Any]:
    """Return a sheet as plain data: what is stored when it is closed. Instants are ISO 8601 in UTC."""
    data: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(pool), default=_iso))
    return data


def pool_read(data: dict[str, Any]) -> Pool:
    """Read what `pool_data` wrote."""
    lines = {
        "dealers": DealerLine,
        "support": SupportLine,
        "downs": DownLine,
        "hand_ins": HandLine,
        "hours": HoursLine,
    }
    read = {
        name: tuple(kind(**{key: _instant(key, value) for key, value in row.items()}) for row in data[name])
        for name, kind in lines.items()
    }
    return Pool(**{**data, "terms": Terms(**data["terms"]), **read})


def _iso(value: Any) -> str:
    if isinstance(value, datetime.datetime):
        return utc_text(value)
    raise TypeError(f"a sheet holds no {type(value).__name__}")


def _instant(key: str, value: Any) -> Any:
    return datetime.datetime.fromisoformat(value) if key == "at" or key.endswith("_at") else value


def _summed(pairs: Any) -> defaultdict[int, int]:
    sums: defaultdict[int, int] = defaultdict(int)
    for key, amount in pairs:
        sums[key] += amount
    return sums


def _worked(stints: list[Stint], rule: PoolRule | None) -> defaultdict[int, int]:
    mine: defaultdict[int, list[Stint]] = defaultdict(list)
    for each in stints:
        mine[each.down.dealer_id].append(each)
    pause = 0 if rule is None else rule.break_minutes
    return _summed((staff, worked_seconds(each, pause)) for staff, each in mine.items())


def _support_hours(hours: list[WorkedHours]) -> dict[int, list[WorkedHours]]:
    """Return the entries that were not taken back, by person."""
    back = {each.reverses_id for each in hours if each.reverses_id is not None}
    support_hours: defaultdict[int, list[WorkedHours]] = defaultdict(list)
    for each in hours:
        if each.reverses_id is None and each.pk not in back:
            support_hours[each.staff_id].append(each)
    return support_hours


def _down_lines(
    shift: Shift, stints: list[Stint], won: dict[int, int], hand_ins: list[HandIn]
) -> tuple[DownLine, ...]:
    handed = _summed((each.down_id, each.cents) for each in hand_ins if each.down_id is not None)
    return tuple(
        DownLine(
            each.down.pk,
            each.down.table.number,
            each.down.dealer_id,
            str(each.down.dealer),
            each.begins_at,
            each.ends_at,
            each.seconds,
            won.get(each.down.pk, 0),
            handed[each.down.pk],
        )
        for each in stints
    )


def _hand_line(each: HandIn) -> HandLine:
    table = None if each.down is None else each.down.table.number
    return HandLine(
        each.pk,
        each.made_at,
        each.dealer_id,
        str(each.dealer),
        table,
        str(each.received_by),
        each.cents,
        each.reverses_id,
        each.reason,
    )


def _hours_line(each: WorkedHours) -> HoursLine:
    return HoursLine(
        each.pk,
        each.made_at,
        each.staff_id,
        str(each.staff),
        each.work,
        each.minutes,
        str(each.made_by),
        each.reverses_id,
        each.reason,
    )
