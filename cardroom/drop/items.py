"""Variances of the drop as items of the inbox: how one is found, said and worked off.

What is said of a variance stands once: explaining or referring its item writes the note of the box, and a note of the box is a step
of the item.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cardroom.floor.errors import Forbidden, NotNow
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.inbox.kinds import Finding, ItemKind, Stretch
from cardroom.inbox.models import Item, ItemStep
from cardroom.inbox.search import items_note
from cardroom.inbox.steps import step_note
from cardroom.people.rights import Right, why_not_may
from games.money import dollars

from .checks import why_not_answer
from .models import CountSheet, DropBox, VarianceCheck, VarianceNote
from .variance_notes import note_told, note_write

_CODE = "variance"


def variance_item(tx: RoomTransaction, check: VarianceCheck) -> None:
    """Make an item of a variance that is over, as it is checked."""
    if check.is_over:
        items_note(tx, VARIANCE, [_finding(check)])


def item_of(box: DropBox) -> Item | None:
    """The item of a box's variance, closed or not."""
    return Item.objects.filter(room=box.room_id, kind=_CODE, key=_key_of(box.pk)).first()


def note_followed(tx: RoomTransaction, note: VarianceNote) -> None:
    """Let the item of a box say what was said of its variance; one that is closed stays closed."""
    item = Item.objects.filter(
        room=tx.room, kind=_CODE, key=_key(note.variance_check), closed_at__isnull=True
    ).first()
    if item is None:
        return
    what = ItemStep.What.NOTE if note.text else ItemStep.What.OWNER
    before = item.state
    if note.owner is not None:
        item.owner = note.owner
    if note.status == VarianceNote.Status.EXPLAINED:
        what, item.state, item.explained_by = ItemStep.What.EXPLAIN, Item.State.EXPLAINED, note.made_by
    step_note(tx, item, what, before, note=note.text, owner=note.owner)


def _worked(tx: RoomTransaction, item: Item, step: ItemStep) -> None:
    """Write what was said of an item as a note of its box. Raises what refuses that."""
    said = {
        ItemStep.What.EXPLAIN: VarianceNote.Status.EXPLAINED,
        ItemStep.What.REFER: VarianceNote.Status.ESCALATED,
    }
    status = said.get(ItemStep.What(step.what))
    if status is None:
        return
    if why := why_not_may(tx.actor, Right.ANSWER_VARIANCES, tx.room):
        raise Forbidden("forbidden", why)
    check = VarianceCheck.objects.filter(box=item.evidence["box"]).select_related("box").latest("pk")
    counters = list(check.box.sheets.values_list("made_by", flat=True))
    if check.is_over:
        if why_not := why_not_answer(check.box, check, counters, tx.actor):
            raise NotNow.because(why_not)
        text = f"To {step.to}: {step.note}" if step.to else step.note
        note_told(tx, note_write(tx, check, status=status, owner=item.owner or tx.actor, text=text[:500]))


def _find(stretch: Stretch) -> Iterator[Finding]:
    checks = VarianceCheck.objects.filter(
        room=stretch.room, is_over=True, made_at__gte=stretch.since, made_at__lt=stretch.until
    ).select_related("box__shift", "sheet")
    for check in checks.order_by("pk"):
        if check.box.variance_checks.latest("pk").is_over:
            yield _finding(check)


def _gone(stretch: Stretch) -> Iterator[str]:
    """The boxes that were checked again and are within the room's threshold since."""
    checks = VarianceCheck.objects.filter(
        room=stretch.room, is_over=False, made_at__gte=stretch.since, made_at__lt=stretch.until
    )
    for check in checks.select_related("box"):
        if check.box.variance_checks.latest("pk") == check:
            yield _key(check)


def _key(check: VarianceCheck) -> str:
    return _key_of(check.box_id)


def _key_of(box: int) -> str:
    return f"box {box}"


def _finding(check: VarianceCheck) -> Finding:
    box = check.box
    sheets: list[CountSheet] = list(box.sheets.order_by("seq"))
    first = box.variance_checks.filter(is_over=True).earliest("pk")
    return Finding(
        key=_key(check),
        at=first.made_at,
        table=box.table_id,
        shift=box.shift_id,
        day=box.shift.gaming_day,
        staff=tuple(sheet.made_by_id for sheet in sheets),
        figures={
            "box": box.number,
            "jackpot": box.kind == "jackpot",
            "difference_cents": check.difference_cents,
            "counts": sum(sheet.kind != CountSheet.Kind.CORRECTION for sheet in sheets),
            "disputed": check.disputed,
            "corrected": any(sheet.kind == CountSheet.Kind.CORRECTION for sheet in sheets),
        },
        evidence={"box": box.pk, "check": check.pk},
    )


def _says(figures: Mapping[str, Any]) -> str:
    """A variance in one sentence."""
    cents = figures["difference_cents"]
    name = f"{'Jackpot box' if figures['jackpot'] else 'Box'} {figures['box']}"
    if cents == 0:
        by = "to the cent"
    else:
        by = f"({dollars(-cents)}) short" if cents < 0 else f"{dollars(cents)} over"
    if figures["disputed"]:
        counts = "the recount agrees with neither count"
    elif figures["counts"] > 2:
        counts = "two counts differed, and the recount agrees with one of them"
    else:
        counts = "the second count agrees with the first"
    corrected = "; the count was corrected since" if figures["corrected"] else ""
    return f"{name} {by}; {counts}{corrected}."


VARIANCE = ItemKind(code=_CODE, name="Variance", find=_find, says=_says, gone=_gone, worked=_worked)
