"""Queries on what has happened and who is here, as plain data: lists and records beside the reading of `table_state`.

Money is integer cents, instants are ISO 8601 in UTC, days are ISO dates. Every list is a query set or takes one query
however long it is; reading on is by id (`before`), so that a page never shifts while rounds are added.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable
from typing import Annotated, Any, TypedDict

from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django_stubs_ext import WithAnnotations

from cardroom.core.dates import utc_text
from cardroom.core.json_types import DayText, Instant, OneOf
from cardroom.people.models import Player, Role, Staff
from cardroom.people.names import Names
from cardroom.people.players import players_found
from cardroom.people.rights import RIGHTS, Right
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room

from ..journal import chain_name
from ..models import (
    Alert,
    JournalEntry,
    MeterMovement,
    Offer,
    Round,
    Seating,
    Shift,
    Table,
    Transfer,
    Withdrawal,
)
from ..settling.round_documents import SHEET
from .round_names import names_of
from .table_record import BankState, OfferState, RoundFacts, TableRow, filing_name, rake_terms, round_facts
from .table_state import TableState


class RoomRecord(TypedDict):
    """A room as one of its people sees it."""

    room: int
    code: str
    name: str
    version: Annotated[int, "Goes up by one with every command on the room."]
    time_zone: str
    gaming_day: DayText
    roles: Annotated[list[Annotated[str, OneOf(Role)]], "Your roles there."]
    shift: Annotated[ShiftRow | None, "The open shift."]


def room_record(room: Room, roles: list[Role], now: datetime.datetime) -> RoomRecord:
    """Return a room as one of its people sees it: its clock, its open shift, and their roles there."""
    shift = Shift.objects.filter(room=room, closed_at__isnull=True).first()
    return {
        "room": room.pk,
        "code": room.code,
        "name": room.name,
        "version": room.version,
        "time_zone": room.time_zone,
        "gaming_day": gaming_day(room, now).isoformat(),
        "roles": [str(role) for role in roles],
        "shift": None if shift is None else shift_row(shift),
    }


def shifts_of(room: Room) -> QuerySet[Shift]:
    """Return the shifts of a room, the latest first."""
    return Shift.objects.filter(room=room).select_related("opened_by", "closed_by").order_by("-id")


class ShiftRow(TypedDict):
    """A shift."""

    id: int
    room: int
    name: str
    gaming_day: DayText
    opened_at: Instant
    opened_by: str
    closed_at: Instant | None
    closed_by: str | None


def shift_row(shift: Shift) -> ShiftRow:
    """Return a shift as plain data."""
    return {
        "id": shift.pk,
        "room": shift.room_id,
        "name": shift.name,
        "gaming_day": shift.gaming_day.isoformat(),
        "opened_at": utc_text(shift.opened_at),
        "opened_by": str(shift.opened_by),
        "closed_at": utc_text(shift.closed_at),
        "closed_by": None if shift.closed_by is None else str(shift.closed_by),
    }


def tables_of(room: Room) -> QuerySet[Table]:
    """Return the tables of a room by number."""
    return Table.objects.filter(room=room).select_related("schedule", "game").order_by("number")


def table_row(table: Table) -> TableRow:
    """Return a table for a list: its settings, not the round in play."""
    return {
        "table": table.pk,
        "number": table.number,
        "room": table.room_id,
        "version": table.version,
        "state": table.state,
        "game": None if table.game is None else filing_name(table.game),
        "rulebook": table.rulebook,
        "options": table.options,
        "rake": rake_terms(table),
        "must_move_to": table.must_move_to_id,
        "wager_limits": table.wager_limits,
        "recording": table.recording,
        "schedule": None if table.schedule is None else filing_name(table.schedule),
    }


def players_to_seat(state: TableState, search: str = "") -> QuerySet[Player]:
    """Return whom `players_found` finds and who may sit down here: nobody who sits or stands elsewhere, or here already.

    Where the rules allow several positions, those who sit here may take another.
    """
    there = Seating.objects.filter(player=OuterRef("pk"), left_at__isnull=True)
    if state.rulebook.max_positions > 1:
        there = there.exclude(table=state.table)
    return players_found(state.table.room, search).exclude(Exists(there))


class PlayerRow(TypedDict):
    """A player of the room."""

    id: int
    number: Annotated[int, "The room's number of the player, which tells those apart whose names look alike."]
    name: str
    provider: str | None
    works_here: Annotated[bool, "Staff of the house: ineligible to bank."]
    photo: Annotated[int | None, "Id of the photograph; null where none is kept."]


def player_row(player: Player) -> PlayerRow:
    """Return a player as plain data; `works_here` marks staff of the cardroom, who may not bank (ruling 41)."""
    return {
        "id": player.pk,
        "number": player.number,
        "name": player.known_as,
        "provider": None if player.provider is None else player.provider.name,
        "works_here": player.staff_id is not None,
        "photo": player.photo_id,
    }


def dealers_of(room: Room) -> QuerySet[Staff]:
    """Return the people who may hold a down in a room, by name."""
    return (
        Staff.objects.filter(
            is_active=True, employments__room=room, employments__role__in=RIGHTS[Right.RUN_ROUNDS]
        )
        .distinct()
        .order_by("display_name", "username")
    )


def alerts_of(room: Room) -> QuerySet[Alert]:
    """Return the alerts of a room's tables, the latest first."""
    return Alert.objects.filter(room=room).select_related("table", "acknowledged_by").order_by("-id")


class AlertRow(TypedDict):
    """Something at a table that the floor had to look at. It stands until it is over and was answered."""

    id: int
    table: int
    kind: Annotated[str, OneOf(Alert.Kind)]
    subject: Annotated[str, "Which of several of one kind, where there can be."]
    text: str
    urgent: Annotated[bool, "Money or a rule is at stake."]
    times: Annotated[int, "How often it has come while it stood."]
    raised_at: Instant
    cleared_at: Annotated[Instant | None, "Null while it holds."]
    acknowledged_at: Annotated[Instant | None, "Null until somebody answers."]
    acknowledged_by: str | None
    note: str


def alert_row(alert: Alert) -> AlertRow:
    """Return an alert as plain data, as it is kept. It stands until it is over and answered."""
    return {
        "id": alert.pk,
        "table": alert.table_id,
        "kind": alert.kind,
        "subject": alert.subject,
        "text": alert.text,
        "urgent": alert.is_urgent,
        "times": alert.times,
        "raised_at": utc_text(alert.raised_at),
        "cleared_at": utc_text(alert.cleared_at),
        "acknowledged_at": utc_text(alert.acknowledged_at),
        "acknowledged_by": None if alert.acknowledged_by is None else str(alert.acknowledged_by),
        "note": alert.note,
    }


def alerts_named(alerts: Iterable[Alert], players: Iterable[Player] = ()) -> list[Alert]:
    """Return alerts to be read, with names in their texts; `players` are known, and not read again."""
    names, found = Names(players), list(alerts)
    for alert in found:
        alert.text = names.in_place(alert.text)
    return found


def offers_of(table: Table) -> QuerySet[Offer]:
    """Return the offers of the bank at a table, the latest first."""
    people = ("player", "recorded_by", "withdrawal__withdrawn_by")
    return Offer.objects.filter(table=table).select_related(*people).order_by("-id")


class OfferRow(OfferState):
    """An offer of the bank and its answer."""

    id: int
    cycle: Annotated[int, "Offers of one number belong to one run around the table."]
    reason: str
    answered_at: Instant
    recorded_by: str
    withdrawn_at: Annotated[Instant | None, "When it was reversed, having been recorded by mistake."]
    withdrawn_by: str | None


def offer_row(offer: Offer) -> OfferRow:
    """Return an offer and its answer as plain data, as they are kept. Offers of one `cycle` belong to one run around the table.

    An answer that was recorded by mistake says by whom and when it was withdrawn.
    """
    withdrawal: Withdrawal | None = getattr(offer, "withdrawal", None)
    return {
        "id": offer.pk,
        "cycle": offer.cycle,
        "seat": offer.seat,
        "player": offer.player.known_as,
        "answer": offer.answer,
        "reason": offer.reason,
        "answered_at": utc_text(offer.answered_at),
        "recorded_by": str(offer.recorded_by),
        "withdrawn_at": None if withdrawal is None else utc_text(withdrawal.withdrawn_at),
        "withdrawn_by": None if withdrawal is None else str(withdrawal.withdrawn_by),
    }


def rounds_of(
    table: Table,
    *,
    state: str | None = None,
    gaming_day: datetime.date | None = None,
    shift: int | None = None,
) -> QuerySet[Round]:
    """Return the rounds of a table, the latest first, narrowed to a state, a gaming day or a shift's id.

    As rows of a list: their documents are not read.
    """
    wanted = {"state": state, "gaming_day": gaming_day, "shift": shift}
    filters = {column: value for column, value in wanted.items() if value is not None}
    listed = Round.objects.filter(table=table, **filters).select_related("bank_player")
    return listed.defer("bets", "fees", "sheet", "settlement").order_by("-id")


class RoundBank(BankState):
    """Who banked a round."""

    player: str | None


class RoundRow(TypedDict):
    """A round in a list: its sums."""

    id: int
    table: int
    gaming_day: DayText
    number: int
    revision: int
    state: Annotated[str, OneOf(Round.State)]
    source: Annotated[str, OneOf(Round.Source)]
    recording: Annotated[str, OneOf(Table.Recording)]
    shift: int | None
    bank: RoundBank
    positions: int
    total_table_action_cents: int
    player_fees_cents: int
    bank_fee_cents: int
    refunded_cents: int
    rake_cents: Annotated[int, "House rake taken; dead hands paid none."]
    taken_cents: int
    paid_cents: int
    meter_cents: Annotated[int, "What of it the progressive meter paid."]
    uncovered_cents: int
    tips_cents: int
    exhausted: bool
    opened_at: Instant
    ended_at: Instant | None


def round_row(round_: Round) -> RoundRow:
    """Return a round as a row of a list: its sums in cents, without its documents."""
    return {
        "id": round_.pk,
        "table": round_.table_id,
        "gaming_day": round_.gaming_day.isoformat(),
        "number": round_.number,
        "revision": round_.revision,
        "state": round_.state,
        "source": round_.source,
        "recording": round_.recording,
        "shift": round_.shift_id,
        "bank": {
            "seat": round_.bank_seat,
            "player": None if round_.bank_player is None else round_.bank_player.known_as,
            "wager": round_.bank_wager_cents,
        },
        "positions": round_.positions,
        "total_table_action_cents": round_.total_table_action_cents,
        "player_fees_cents": round_.player_fees_cents,
        "bank_fee_cents": round_.bank_fee_cents,
        "refunded_cents": round_.refunded_cents,
        "rake_cents": round_.rake_cents,
        "taken_cents": round_.taken_cents,
        "paid_cents": round_.paid_cents,
        "meter_cents": round_.meter_cents,
        "uncovered_cents": round_.uncovered_cents,
        "tips_cents": round_.tips_cents,
        "exhausted": round_.exhausted,
        "opened_at": utc_text(round_.opened_at),
        "ended_at": utc_text(round_.ended_at),
    }


class RoundRecord(RoundFacts):
    """All that is known of a round."""

    sheet: Annotated[dict[str, Any] | None, SHEET]
    sums: RoundRow
    dealer: str
    voided_by: str | None
    void_approved_by: str | None
    corrects: Annotated[int | None, "The round that this correction replaces."]
    correction: Annotated[int | None, "The round that replaces this one."]
    corrected_at: Instant | None
    corrected_by: str | None
    correction_approved_by: str | None
    correction_reason: str
    transfers: list[TransferRow]


def round_data(round_: Round) -> RoundRecord:
    """Return all that is known of a round: its state, sheet and settlement, every transfer, and who was there."""
    return {
        **round_facts(round_),
        "sheet": names_of(round_).in_place(round_.sheet),
        "sums": round_row(round_),
        "dealer": str(round_.dealer),
        "voided_by": None if round_.voided_by is None else str(round_.voided_by),
        "void_approved_by": None if round_.void_approved_by is None else str(round_.void_approved_by),
        "corrects": round_.corrects_id,
        "correction": None if (later := correction_of(round_)) is None else later.pk,
        "corrected_at": utc_text(round_.corrected_at),
        "corrected_by": None if round_.corrected_by is None else str(round_.corrected_by),
        "correction_approved_by": None
        if round_.correction_approved_by is None
        else str(round_.correction_approved_by),
        "correction_reason": round_.correction_reason,
        "transfers": [transfer_row(transfer) for transfer in round_.transfers.select_related("player")],
    }


def correction_of(round_: Round) -> Round | None:
    """Return the correction that takes the place of a round, or None while the round stands as it is."""
    return Round.objects.filter(corrects=round_).select_related("corrected_by").first()


def revisions_of(round_: Round) -> list[Round]:
    """Return every record of a round, the first one first, with who corrected it and in which shift."""
    same = {column: getattr(round_, column) for column in ("table_id", "gaming_day", "number")}
    people = ("corrected_by", "correction_approved_by", "shift")
    return list(Round.objects.filter(**same).select_related(*people).order_by("revision"))


class TransferRow(TypedDict):
    """An amount that a round moved."""

    id: int
    kind: Annotated[str, OneOf(Transfer.Kind)]
    source: Annotated[str, OneOf(Transfer.Account)]
    target: Annotated[str, OneOf(Transfer.Account)]
    seat: int | None
    player: str | None
    wager: str
    line: Annotated[int | None, "The settlement's line that it comes from."]
    cents: int
    reverses: Annotated[int | None, "The transfer that this one reverses."]
    made_at: Instant


def transfer_row(transfer: Transfer) -> TransferRow:
    """Return a transfer as plain data; `line` is the line of the settlement that it comes from."""
    return {
        "id": transfer.pk,
        "kind": transfer.kind,
        "source": transfer.source,
        "target": transfer.target,
        "seat": transfer.seat,
        "player": None if transfer.player is None else transfer.player.known_as,
        "wager": transfer.wager,
        "line": transfer.line,
        "cents": transfer.cents,
        "reverses": transfer.reverses_id,
        "made_at": utc_text(transfer.made_at),
    }


def movements_at(table: Table) -> QuerySet[MeterMovement]:
    """Return the movements of a table's meter, those of linked tables too, the latest first."""
    rows = MeterMovement.objects.filter(meter=table.meter_id).order_by("-id")
    return rows.select_related("table", "round", "made_by")


class MovementRow(TypedDict):
    """A change of a meter, and what it shows since."""

    id: int
    meter: int
    table: Annotated[int, "The table that it came from."]
    round: int | None
    kind: Annotated[str, OneOf(MeterMovement.Kind)]
    cents: Annotated[int, "By how much it changed; below 0 for a win."]
    shown_cents: int
    reserve_cents: int
    reason: str
    made_at: Instant
    made_by: str


def movement_row(movement: MeterMovement) -> MovementRow:
    """Return a movement as plain data."""
    return {
        "id": movement.pk,
        "meter": movement.meter_id,
        "table": movement.table_id,
        "round": movement.round_id,
        "kind": movement.kind,
        "cents": movement.cents,
        "shown_cents": movement.shown_cents,
        "reserve_cents": movement.reserve_cents,
        "reason": movement.reason,
        "made_at": utc_text(movement.made_at),
        "made_by": str(movement.made_by),
    }


class _Follows(TypedDict):
    """The hash of the entry before, None for the first."""

    previous_hash: str | None


def journal_of(table: Table) -> QuerySet[WithAnnotations[JournalEntry, _Follows]]:
    """Return the journal of a table, the latest entry first, each with the `previous_hash` that its own covers."""
    before = JournalEntry.objects.filter(chain=OuterRef("chain"), seq=OuterRef("seq") - 1)
    entries = JournalEntry.objects.filter(chain=chain_name(table)).order_by("-seq")
    return entries.annotate(previous_hash=Subquery(before.values("hash")))


def entries_of_room(
    room: Room, commands: Collection[str], since: datetime.datetime, until: datetime.datetime
) -> QuerySet[JournalEntry]:
    """Return the entries of some commands in the room's own chain, from `since` until `until` (excluded), in their order."""
    entries = JournalEntry.objects.filter(chain=chain_name(room), command__in=commands)
    return entries.filter(at__gte=since, at__lt=until).order_by("seq")


class EntryRow(TypedDict):
    """An entry of the journal."""

    seq: int
    at: Instant
    actor: int
    actor_name: str
    roles: list[str]
    command: str
    data: dict[str, Any]
    reason: str
    previous_hash: str
    hash: str


def entry_row(entry: WithAnnotations[JournalEntry, _Follows]) -> EntryRow:
    """Return an entry of `journal_of` as plain data, its place in the chain included."""
    return {
        "seq": entry.seq,
        "at": utc_text(entry.at),
        "actor": entry.actor_id,
        "actor_name": entry.actor_name,
        "roles": entry.roles.split(",") if entry.roles else [],
        "command": entry.command,
        "data": entry.data,
        "reason": entry.reason,
        "previous_hash": entry.previous_hash or "",
        "hash": entry.hash,
    }
