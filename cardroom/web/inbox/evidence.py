"""What is on record about an item, drawn from the records each time: rounds, figures, entries of the journal, what was done."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Sequence
from typing import Final

from django.urls import reverse

from cardroom.core.commands import COMMANDS
from cardroom.core.dates import minute_text, seconds_text
from cardroom.drop.models import DropBox
from cardroom.drop.reads.boxes import BoxCount, box_count
from cardroom.floor.journal import chain_name, entry_hash
from cardroom.floor.models import Alert, JournalEntry, Round, TabletGap, Waiver
from cardroom.floor.places import Place
from cardroom.inbox.floor_kinds import waivers_of
from cardroom.inbox.models import Dispute, Item, ItemStep
from games.money import dollars
from games.rotation.record import RULES

from ..parts.cards import Face
from ..rounds.record import Record, record_of
from ..table.settlement_view import Line, settlement_view_of
from .rotation_evidence import RotationEvidence, rotation_evidence

#: Rounds that are named of the waivers of a shift.
MOST_ROUNDS: Final = 40
#: Entries of the journal that are shown, and how long before and after an item without a round.
MOST_ENTRIES: Final = 8
AROUND: Final = datetime.timedelta(minutes=2)


@dataclasses.dataclass(frozen=True)
class Fact:
    """A figure or a name of the record."""

    label: str
    value: str


@dataclasses.dataclass(frozen=True)
class Link:
    """A page of the record."""

    text: str
    address: str


@dataclasses.dataclass(frozen=True)
class Entry:
    """An entry of the journal, and whether its hash follows from it and the entry before."""

    entry: JournalEntry
    does: str
    holds: bool


@dataclasses.dataclass(frozen=True)
class ClaimLine:
    """A line of the settlement of a place: the wager, how it came out, what was paid, and the rule."""

    place: Place
    player: str
    faces: list[Face]
    line: Line


@dataclasses.dataclass
class Evidence:
    """What the opened item shows."""

    facts: list[Fact]
    links: list[Link]
    entries: list[Entry]
    steps: list[ItemStep]
    rule: str = ""
    clause: str = ""
    rotation: RotationEvidence | None = None
    slip: BoxCount | None = None
    #: The rounds that it is about with their wagers and cards: one, or a correction and what it corrects.
    records: list[Record] = dataclasses.field(default_factory=list)
    waivers: list[Waiver] = dataclasses.field(default_factory=list)
    dispute: Dispute | None = None
    lines: list[ClaimLine] = dataclasses.field(default_factory=list)

    @property
    def entries_hold(self) -> bool:
        return all(each.holds for each in self.entries)


def evidence_of(item: Item, now: datetime.datetime) -> Evidence:
    """Read what is on record about an item."""
    waivers = waivers_of([item])[item.pk] if "waivers" in item.evidence else []
    rounds = _rounds(item, waivers)
    dispute = _dispute(item)
    steps = item.steps.select_related("made_by", "owner", "approved_by")
    return Evidence(
        facts=_facts(item, rounds),
        links=_links(item, rounds),
        entries=_entries(item, rounds),
        steps=list(steps),
        rule=RULES.get(str(item.figures.get("rule", "")), ""),
        clause=str(item.figures.get("clause", "")),
        rotation=rotation_evidence(item) if "rotation" in item.evidence else None,
        slip=_slip(item),
        records=[record_of(each) for each in rounds] if _is_shown(item, rounds, dispute) else [],
        waivers=waivers[:MOST_ROUNDS],
        dispute=dispute,
        lines=[] if dispute is None else claim_lines(dispute),
    )


def _is_shown(item: Item, rounds: Sequence[Round], dispute: Dispute | None) -> bool:
    """Whether rounds are shown whole: where there is one, or two records of it, and its seat is not shown line by line."""
    return dispute is None and (len(rounds) == 1 or "before" in item.evidence)


def _dispute(item: Item) -> Dispute | None:
    """The claim that an item is, where it is one."""
    people = ("player", "round", "decided_by", "opened_by", "review_asked_by", "review_ended_by")
    return Dispute.objects.filter(item=item).select_related(*people).first()


def claim_lines(dispute: Dispute) -> list[ClaimLine]:
    """What is on record of the claimed seat in the claimed round, wager by wager, as it stands now: a correction takes its place."""
    if dispute.round is None:
        return []
    place = {
        "table": dispute.round.table_id,
        "gaming_day": dispute.round.gaming_day,
        "number": dispute.round.number,
    }
    stands = Round.objects.filter(**place).select_related("bank_player").latest("revision")
    view = settlement_view_of(stands)
    return [
        ClaimLine(seat.place, seat.player, seat.faces, line)
        for seat in (() if view is None else view.seats)
        if dispute.seat in (None, seat.place.seat)
        for line in seat.lines
    ]


def _slip(item: Item) -> BoxCount | None:
    """The counts of the box that an item is about."""
    box = DropBox.objects.filter(pk=item.evidence.get("box", 0), room=item.room_id).first()
    return None if box is None else box_count(box)


def _rounds(item: Item, waivers: Sequence[Waiver]) -> list[Round]:
    """The rounds that an item names, or whose fees were waived, in their order."""
    ids = {
        *(each.round_id for each in waivers[:MOST_ROUNDS]),
        *(item.evidence[name] for name in ("before", "round") if name in item.evidence),
    }
    rows = Round.objects.filter(pk__in=ids, room=item.room_id)
    people = rows.select_related(
        "table",
        "dealer",
        "voided_by",
        "void_approved_by",
        "corrected_by",
        "correction_approved_by",
        "room",
        "schedule",
        "bank_player",
    )
    return list(people.order_by("gaming_day", "number", "revision"))


def _facts(item: Item, rounds: Sequence[Round]) -> list[Fact]:
    people = list(item.people.select_related("player", "staff"))
    facts = [Fact("Player", person.player.label) for person in people if person.player is not None]
    if len(rounds) == 1 or (rounds and "before" in item.evidence):
        facts += _facts_of_round(rounds[-1])
    elif staff := ", ".join(str(person.staff) for person in people if person.staff is not None):
        facts.append(Fact("Staff", staff))
    return [*facts, *_facts_of_alert(item), *_facts_of_gap(item)]


def _facts_of_alert(item: Item) -> list[Fact]:
    """What the floor said of the alert that an item was found by."""
    alert = Alert.objects.filter(pk=item.evidence.get("alert", 0), room=item.room_id)
    return [
        Fact(
            "The floor's answer",
            "none yet"
            if each.acknowledged_at is None
            else f"{each.acknowledged_by}: {each.note or 'seen'}, {minute_text(each.acknowledged_at, item.room.zone)}",
        )
        for each in alert.select_related("acknowledged_by")
    ]


def _facts_of_gap(item: Item) -> list[Fact]:
    """How long a tablet was out of touch, and what was dealt at its table meanwhile."""
    facts: list[Fact] = []
    for gap in TabletGap.objects.filter(pk=item.evidence.get("gap", 0), room=item.room_id):
        meanwhile = Round.objects.filter(
            table=gap.table_id, revision=0, opened_at__gte=gap.since, opened_at__lt=gap.until
        )
        facts += [
            Fact("Heard last", seconds_text(gap.since, item.room.zone)),
            Fact("Heard again", seconds_text(gap.until, item.room.zone)),
            Fact("Rounds meanwhile", f"{meanwhile.count():,}"),
        ]
    return facts


def _facts_of_round(round_: Round) -> list[Fact]:
    facts = [Fact("Dealer", str(round_.dealer))]
    if round_.state == Round.State.VOID:
        facts += [
            Fact("Voided by", f"{round_.voided_by}, approved by {round_.void_approved_by}"),
            Fact("Fees collected", dollars(round_.player_fees_cents + round_.bank_fee_cents)),
            Fact("Refunded", dollars(round_.refunded_cents + round_.jackpot_refunded_cents)),
        ]
    if round_.corrected_by is not None:
        facts.append(
            Fact("Corrected by", f"{round_.corrected_by}, approved by {round_.correction_approved_by}")
        )
    return facts


def _links(item: Item, rounds: Sequence[Round]) -> list[Link]:
    links = [
        Link(
            f"Round {round_.number}{f', correction {round_.revision}' if round_.revision else ''}",
            reverse("web:round", args=[round_.pk]),
        )
        for round_ in rounds
    ]
    if "rotation" in item.evidence and item.table_id is not None:
        address = f"{reverse('web:rotation', args=[item.table_id])}?day={item.gaming_day.isoformat()}"
        links.append(Link("Rotation of the day", address))
    if "box" in item.evidence:
        links.append(Link("The box with its counts", reverse("web:box", args=[item.evidence["box"]])))
    if "obligation" in item.evidence:
        page = reverse("web:obligation", args=[item.room.code, item.evidence["obligation"]])
        links.append(Link("The obligation with its steps", page))
    if "alert" in item.evidence:
        links.append(Link("Alerts", reverse("web:alerts", args=[item.room.code])))
    return links


def _entries(item: Item, rounds: Sequence[Round]) -> list[Entry]:
    """The journal around an item: the entry that it names, or those of its round, or of its table in these minutes."""
    if "entry" in item.evidence:
        found = JournalEntry.objects.filter(pk=item.evidence["entry"], room=item.room_id)
        return _checked(list(found))
    if item.table is None:
        return []
    since, until = item.happened_at - AROUND, item.happened_at + AROUND
    if len(rounds) == 1 and rounds[0].revision == 0:
        since, until = rounds[0].opened_at, (rounds[0].ended_at or until) + datetime.timedelta(seconds=1)
    rows = JournalEntry.objects.filter(chain=chain_name(item.table), at__gte=since, at__lte=until)
    return _checked(list(rows.order_by("-seq")[:MOST_ENTRIES])[::-1])


def _checked(entries: Sequence[JournalEntry]) -> list[Entry]:
    """Entries of one chain with whether each follows from the one before: one query."""
    if not entries:
        return []
    rows = JournalEntry.objects.filter(chain=entries[0].chain, seq__in=[each.seq - 1 for each in entries])
    before = {(each.chain, each.seq): each.hash for each in rows}
    return [
        Entry(
            each,
            _does(each.command),
            entry_hash(each, before.get((each.chain, each.seq - 1), "")) == each.hash,
        )
        for each in entries
    ]


def _does(command: str) -> str:
    """What a command does, by its title; else by its name."""
    declared = COMMANDS.get(command)
    return str(declared.title) if declared is not None else command.replace("_", " ").capitalize()
