"""The kinds of items that the floor's own records tell of: voids, corrections, waivers, overrides, rotation, badges, tablets, clocks."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from django.db.models import F

from cardroom.core.dates import day_text
from cardroom.floor.execution.clock import STEP_COMMAND
from cardroom.floor.journal import chain_name
from cardroom.floor.models import (
    Alert,
    ExpiryOverride,
    JournalEntry,
    Procedure,
    Round,
    Table,
    TabletGap,
    Waiver,
)
from cardroom.floor.places import place_of
from cardroom.floor.reads.rotation_days import Stretch as RotationStretch
from cardroom.floor.reads.rotation_days import TableDays, room_days
from games.money import dollars
from games.rotation.record import Deviation

from .kinds import Finding, ItemKind, Stretch
from .models import Item
from .reads.times import shifts_in

#: So long a tablet may be out of touch before that is an item.
LONG_GAP: Final = datetime.timedelta(minutes=10)
#: What a supervisor let happen, by the procedure that says so.
_OVERRIDES: Final = {
    Procedure.Kind.BOX_WAIVED: "Floor let the table collect without a drop box",
    Procedure.Kind.NO_SHUFFLER: "Floor let the table play without the automatic shuffler",
    Procedure.Kind.COUNT_WAIVED: "Floor let a round go without a count of the stub",
}


def round_key(round_: Round) -> str:
    """What an item about a round, or a correction of one, is about (`Finding.key`)."""
    return f"round {round_.pk}"


def waiver_key(waiver: Waiver) -> str:
    """The same of waivers: those by one rule at a table in a shift are one item."""
    return f"{waiver.round.shift_id} {waiver.table_id} {waiver.rule}"


def override_key(override: ExpiryOverride | Procedure) -> str:
    """The same of what a supervisor let happen."""
    return f"{'expiry' if isinstance(override, ExpiryOverride) else 'procedure'} {override.pk}"


def alert_key(alert: Alert) -> str:
    """The same of what an alert tells of."""
    return f"alert {alert.pk}"


def _voids(stretch: Stretch) -> Iterator[Finding]:
    rounds = Round.objects.filter(
        shift__in=shifts_in(stretch.room, stretch.since, stretch.until),
        state=Round.State.VOID,
        ended_at__gte=stretch.since,
        ended_at__lt=stretch.until,
    )
    for void in rounds.order_by("ended_at", "pk").defer("bets", "fees", "options"):
        yield Finding(
            key=round_key(void),
            at=void.ended_at or stretch.since,
            table=void.table_id,
            shift=void.shift_id,
            day=void.gaming_day,
            staff=(void.dealer_id, void.voided_by_id, void.void_approved_by_id),
            figures={
                "number": void.number,
                "dealt": void.dealt_at is not None,
                "reason": void.void_reason,
                "refunded_cents": void.refunded_cents + void.jackpot_refunded_cents,
            },
            evidence={"round": void.pk},
        )


def _void_says(figures: Mapping[str, Any]) -> str:
    when = "after the deal" if figures["dealt"] else "before the deal"
    back = f"; {dollars(figures['refunded_cents'])} refunded" if figures["refunded_cents"] else ""
    return f"Round {figures['number']} voided {when}: {figures['reason']}{back}."


def _corrections(stretch: Stretch) -> Iterator[Finding]:
    """Corrections that were made in another shift than that of their round: its report was out."""
    made = Round.objects.filter(
        shift__in=shifts_in(stretch.room, stretch.since, stretch.until),
        corrects__isnull=False,
        corrected_at__gte=stretch.since,
        corrected_at__lt=stretch.until,
    )
    changes = {
        f"{name}_change": F(column) - F(f"corrects__{column}")
        for name, column in (
            ("fees", "player_fees_cents"),
            ("bank_fee", "bank_fee_cents"),
            ("rake", "rake_cents"),
            ("taken", "taken_cents"),
            ("paid", "paid_cents"),
        )
    }
    rows = made.annotate(**changes).order_by("corrected_at", "pk").defer("bets", "fees", "options", "sheet")
    for each in rows:
        first = Round.objects.filter(
            table=each.table_id, gaming_day=each.gaming_day, number=each.number, revision=0
        ).select_related("shift")
        of = first.get()
        if of.shift is None or of.shift_id == each.shift_id:
            continue
        row: Any = each
        yield Finding(
            key=round_key(each),
            at=each.corrected_at or stretch.since,
            table=each.table_id,
            shift=each.shift_id,
            staff=(of.dealer_id, each.corrected_by_id, each.correction_approved_by_id),
            figures={
                "number": each.number,
                "gaming_day": each.gaming_day.isoformat(),
                "shift": of.shift.name,
                "reason": each.correction_reason,
                "drop_cents": row.fees_change + row.bank_fee_change + row.rake_change,
                "taken_cents": row.taken_change,
                "paid_cents": row.paid_change,
            },
            evidence={"round": each.pk, "before": each.corrects_id},
        )


def _correction_says(figures: Mapping[str, Any]) -> str:
    day = day_text(datetime.date.fromisoformat(figures["gaming_day"]))
    drop = figures["drop_cents"]
    fees = f"Fees {_change(drop)}" if drop else "Fees unchanged"
    return (
        f"Round {figures['number']} of {figures['shift']}, {day}, corrected after its shift: {figures['reason']}. {fees}, "
        f"taken {_change(figures['taken_cents'])}, paid {_change(figures['paid_cents'])}."
    )


def _change(cents: int) -> str:
    return "unchanged" if not cents else f"{'−' if cents < 0 else '+'}{dollars(abs(cents))}"


def _waivers(stretch: Stretch) -> Iterator[Finding]:
    """Waivers of a shift by table and published rule, by the first of them."""
    assert stretch.shift is not None  # it is found by shift
    for (_, table, rule), waivers in _waived([stretch.shift.pk]).items():
        people = [pk for each in waivers for pk in (each.ordered_by_id, each.recorded_by_id)]
        yield Finding(
            key=waiver_key(waivers[0]),
            at=waivers[0].made_at,
            table=table,
            shift=stretch.shift.pk,
            day=stretch.shift.gaming_day,
            staff=tuple(people),
            figures={"rule": rule, "title": waivers[0].title, "reason": waivers[0].reason},
            evidence={"waivers": rule, "round": waivers[0].round_id},
        )


def _waived(shifts: Collection[int | None]) -> dict[tuple[int | None, int, str], list[Waiver]]:
    """The waivers of shifts that stand, by shift, table and rule, each in their order: one query."""
    made = Waiver.objects.filter(round__shift__in=shifts, withdrawn_at__isnull=True)
    groups: dict[tuple[int | None, int, str], list[Waiver]] = defaultdict(list)
    for waiver in made.select_related("round").order_by("made_at", "pk"):
        groups[waiver.round.shift_id, waiver.table_id, waiver.rule].append(waiver)
    return groups


def waivers_of(items: Collection[Item]) -> dict[int, list[Waiver]]:
    """Return the waivers that items are about, as they stand now, by the item's id: one query."""
    groups = _waived({item.shift_id for item in items})
    return {
        item.pk: groups.get((item.shift_id, item.table_id or 0, str(item.figures["rule"])), [])
        for item in items
    }


def _waivers_stand(items: Sequence[Item]) -> dict[int, dict[str, Any]]:
    return {
        pk: {
            "rounds": len({each.round_id for each in waivers}),
            "cents": sum(waived_cents(each) for each in waivers),
        }
        for pk, waivers in waivers_of(items).items()
    }


def waived_cents(waiver: Waiver) -> int:
    """Return what a waiver came to: the fees of its round that carry its rule; nothing once it was withdrawn."""
    if waiver.withdrawn_at is not None:
        return 0
    return sum(
        fee.get("waived", 0)
        for fee in waiver.round.fees
        if fee.get("waiver") == waiver.rule and waiver.place in (None, place_of(fee))
    )


def _waiver_says(figures: Mapping[str, Any]) -> str:
    rounds = figures["rounds"]
    of = "one round" if rounds == 1 else f"{rounds} rounds"
    by = f"by the published rule “{figures['title']}”"
    if not rounds:
        return f"Fees waived {by}, and the waiver withdrawn since: {figures['reason']}."
    return f"Fees of {of} waived {by}, {dollars(figures['cents'])} in all: {figures['reason']}."


def _overrides(stretch: Stretch) -> Iterator[Finding]:
    made = ExpiryOverride.objects.filter(
        room=stretch.room, made_at__gte=stretch.since, made_at__lt=stretch.until
    ).select_related("player", "staff")
    for each in made.order_by("made_at", "pk"):
        yield Finding(
            key=override_key(each),
            at=each.made_at,
            table=each.table_id,
            day=each.gaming_day,
            staff=(each.ordered_by_id, each.recorded_by_id, each.staff_id),
            players=(each.player_id,),
            figures={
                "person": str(each.staff) if each.player is None else each.player.ref,
                "what": each.what,
                "number": each.number,
                "expired_on": each.expired_on.isoformat(),
                "reason": each.reason,
            },
            evidence={"override": each.pk},
        )
    tables = list(stretch.room.tables.values_list("pk", flat=True))
    words = Procedure.objects.filter(
        table__in=tables, kind__in=list(_OVERRIDES), made_at__gte=stretch.since, made_at__lt=stretch.until
    )
    for word in words.order_by("made_at", "pk"):
        yield Finding(
            key=override_key(word),
            at=word.made_at,
            table=word.table_id,
            staff=(word.ordered_by_id, word.recorded_by_id),
            figures={"procedure": word.kind, "reason": word.reason},
            evidence={"round": word.round_id} if word.round_id else {},
        )


def _override_says(figures: Mapping[str, Any]) -> str:
    if "procedure" in figures:
        return f"{_OVERRIDES[Procedure.Kind(figures['procedure'])]}: {figures['reason']}."
    expired = day_text(datetime.date.fromisoformat(figures["expired_on"]))
    number = f" {figures['number']}" if figures["number"] else ""
    return (
        f"{figures['person']} let play or deal on an expired {figures['what']}{number}, valid through {expired}: "
        f"{figures['reason']}."
    )


def _badges(stretch: Stretch) -> Iterator[Finding]:
    raised = Alert.objects.filter(
        room=stretch.room,
        kind=Alert.Kind.PERMIT_EXPIRED,
        raised_at__gte=stretch.since,
        raised_at__lt=stretch.until,
    )
    for alert in raised.order_by("raised_at", "pk"):
        kind, _, number = alert.subject.partition(":")
        pk = int(number) if number.isdigit() else None
        yield Finding(
            key=alert_key(alert),
            at=alert.raised_at,
            table=alert.table_id,
            staff=(pk if kind == "staff" else None,),
            players=(pk if kind == "player" else None,),
            figures={"alert": alert.pk, "text": alert.text},
            evidence={"alert": alert.pk},
        )


def _alert_says(figures: Mapping[str, Any]) -> str:
    """What the alert says, as its own row has it and never changes."""
    text: str = figures["text"]
    return text


def _gaps(stretch: Stretch) -> Iterator[Finding]:
    heard = TabletGap.objects.filter(room=stretch.room, until__gte=stretch.since, until__lt=stretch.until)
    for gap in heard.order_by("until", "pk"):
        lasted = gap.until - gap.since
        if lasted < LONG_GAP:
            continue
        yield Finding(
            key=f"gap {gap.pk}",
            at=gap.since,
            table=gap.table_id,
            figures={"screen": gap.screen, "minutes": int(lasted.total_seconds()) // 60},
            evidence={"gap": gap.pk},
        )


def _gap_says(figures: Mapping[str, Any]) -> str:
    return f"The table's tablet was out of touch for {figures['minutes']} minutes."


def _clock_steps(stretch: Stretch) -> Iterator[Finding]:
    """Steps back of the server's clock, as the chains have them that met one; one item each, by its instant."""
    tables = list(Table.objects.filter(room=stretch.room).only("pk"))
    chains = [chain_name(stretch.room), *(chain_name(table) for table in tables)]
    alerts = Alert.objects.filter(
        room=stretch.room,
        kind=Alert.Kind.CLOCK_BACK,
        raised_at__gte=stretch.since,
        raised_at__lt=stretch.until,
    )
    if not alerts.exists():
        return
    for alert in alerts.order_by("raised_at", "pk"):
        entry = (
            JournalEntry.objects.filter(chain__in=chains, command=STEP_COMMAND, at__lte=alert.raised_at)
            .order_by("-at")
            .first()
        )
        behind = 0 if entry is None else int(entry.data.get("behind_seconds", 0))
        yield Finding(
            key=alert_key(alert),
            at=alert.raised_at,
            figures={"seconds": behind},
            evidence={"alert": alert.pk} | ({} if entry is None else {"entry": entry.pk}),
        )


def _clock_says(figures: Mapping[str, Any]) -> str:
    behind = datetime.timedelta(seconds=figures["seconds"])
    minutes = max(1, round(behind.total_seconds() / 60))
    return (
        f"The server's clock was {minutes} minute{'' if minutes == 1 else 's'} behind what was on record; entries were "
        "recorded right after the last one until it had caught up."
    )


def _rotation(stretch: Stretch) -> Iterator[Finding]:
    """What the review of a shift has against the rotation of the bank, by what it is about: a correction changes ids of rounds."""
    shift = stretch.shift
    assert shift is not None  # it is found by shift
    looked_at = RotationStretch(shift.gaming_day, stretch.since, stretch.until)
    for days in room_days(stretch.room, None, [looked_at]):
        names = _round_names(days)
        for each in days.exceptions:
            round_name = names.get(each.round, "") if each.round else ""
            yield Finding(
                key=_rotation_key(days, each, round_name),
                at=each.at,
                table=days.table.pk,
                shift=shift.pk,
                day=shift.gaming_day,
                staff=_dealer_of(each.round),
                figures={
                    "rule": each.kind,
                    "seat": each.seat,
                    "player": each.player,
                    "round": round_name,
                    "clause": each.clause,
                },
                evidence={
                    "rotation": True,
                    **({"round": each.round} if each.round else {}),
                    **({"turn": each.turn} if each.turn else {}),
                    **({"offer": each.offer} if each.offer else {}),
                },
            )


def rotation_keys(days: TableDays) -> list[tuple[str, str]]:
    """Return the kinds and keys of the items of a table's exceptions, in the order of these."""
    names = _round_names(days)
    return [
        (ROTATION.code, _rotation_key(days, each, names.get(each.round, "") if each.round else ""))
        for each in days.exceptions
    ]


def _round_names(days: TableDays) -> dict[int, str]:
    return {each.id: each.name for each in days.record.rounds}


def _rotation_key(days: TableDays, each: Deviation, round_name: str) -> str:
    about = round_name or f"{each.turn or 0}/{each.offer or 0}"
    return f"{each.kind} {days.table.pk} {each.seat} {about}"[:120]


def _dealer_of(round_id: int | None) -> tuple[int | None, ...]:
    if round_id is None:
        return ()
    return tuple(Round.objects.filter(pk=round_id).values_list("dealer", flat=True))


#: What happened, by the kind of deviation: {who} is seat and player, {round} the round.
_ROTATION_SAYS: Final = {
    "over_limit": "{who} banked {round} although the turn had had its rounds.",
    "offer_due": "{round} was dealt while the bank was to be offered.",
    "out_of_order": "The bank was offered to {who} when another seat was next.",
    "not_accepted": "{who} took the bank, and no accepted offer is on record.",
    "renewed_early": "{who} began a new turn before everybody else had answered.",
    "no_intervening": "{who} banked again, and nobody else had banked in between.",
    "provider_renewed": "{who} followed as a provider's player on a provider's player.",
    "pause_missing": "{who} banked again, and the game had not stopped.",
    "game_over": "{round} was dealt although too few others had banked.",
    "house_banked": "{who} works for the house, and took the bank.",
    "other_bank": "{who} banked {round} without holding the turn.",
    "two_of_provider": "{who} sat down while another player of the same provider was seated.",
    "game_ended": "{round} was dealt although everybody had declined and the game was over.",
    "not_eligible": "The bank was offered to {who}, who had not wagered as the approved rules ask.",
    "eligible_passed_over": "{who} was recorded as ineligible, and had wagered as the approved rules ask.",
}


def _rotation_says(figures: Mapping[str, Any]) -> str:
    says = _ROTATION_SAYS.get(figures["rule"], "{who}: not by the rule of the rotation.")
    seat = f"Seat {figures['seat']}, " if figures["seat"] else ""
    number = str(figures["round"]).rpartition(" ")[2]
    named = says.format(who=f"{seat}{figures['player']}", round=f"round {number}" if number else "a round")
    return f"{named[:1].upper()}{named[1:]}"


VOID = ItemKind(code="void", name="Void", find=_voids, says=_void_says)
CORRECTION = ItemKind(code="correction", name="Correction", find=_corrections, says=_correction_says)
WAIVER = ItemKind(
    code="waiver", name="Waiver", find=_waivers, says=_waiver_says, by_shift=True, stands=_waivers_stand
)
OVERRIDE = ItemKind(code="override", name="Override", find=_overrides, says=_override_says)
TABLET = ItemKind(code="tablet", name="Tablet out of touch", find=_gaps, says=_gap_says)
CLOCK = ItemKind(code="clock", name="Clock step", find=_clock_steps, says=_clock_says)
BADGE = ItemKind(code="badge", name="Expired badge", find=_badges, says=_alert_says)
ROTATION = ItemKind(code="rotation", name="Rotation", find=_rotation, says=_rotation_says, by_shift=True)
FLOOR_KINDS: Final = (VOID, CORRECTION, WAIVER, OVERRIDE, BADGE, TABLET, CLOCK, ROTATION)
