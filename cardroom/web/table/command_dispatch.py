"""Carries out a command posted from the table page, or refuses it with what was typed."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from cardroom.floor.checks import why_not
from cardroom.floor.errors import BadInput, FloorError, NotNow
from cardroom.floor.execution.carry_out import CommandMeta, stale
from cardroom.floor.models import Table
from cardroom.floor.reads.answers import answer_given
from cardroom.floor.reads.table_state import TableState, read_table
from games.phrases import Phrase

from ..parts.access import Permissions
from ..parts.command_headers import GIVEN_AT, GIVEN_BY, GIVEN_FOR, KEY, OFFSET, SCREEN, VERSION
from ..parts.forms.command import CommandForm
from ..parts.forms.signed import TOUCHED
from ..parts.languages import translated
from .commands import COMMANDS, FailedCommand, PageCommand
from .forms.bets import BetsForm, CloseForm
from .page import new_form
from .round_totals import totals_typed

Answer = dict[str, Any]

#: Posted, but nothing that was typed, or nothing that may be shown again.
_UNSPOKEN = {
    "csrfmiddlewaretoken",
    VERSION,
    KEY,
    GIVEN_BY,
    GIVEN_AT,
    OFFSET,
    SCREEN,
    GIVEN_FOR,
    "approver_pin",
    TOUCHED,
    "quoted_cents",
    "seat",
    "answer",
}
_SEAT_FIELD = re.compile(r"(?:(wagers|tips|hand|decision|tip)-)(\d+[b-h]?)(?:-(\w+))?")


#: Ends the key of the placing of wagers that goes before "no more bets" in one press.
PLACING = ":bets"


class Refused(Exception):
    """The command was not carried out, or not all of it. `failed` is what the page shows of it."""

    def __init__(self, failed: FailedCommand) -> None:
        super().__init__(failed.error.message)
        self.failed = failed


def carry_out(
    command: PageCommand, state: TableState, permissions: Permissions, posted: QueryDict, meta: CommandMeta
) -> Answer:
    """Give the command's service what was typed. Raises Refused."""
    form: CommandForm | None = None
    try:
        _check_fit(command, state, meta)
        form = new_form(command, state, permissions, posted)
        _check_form(state, form, meta)
        return command.service(meta, state.table.pk, **form.arguments())
    except FloorError as error:
        raise _refused(command, error, posted, form, permissions) from error


def close_bets(
    state: TableState, permissions: Permissions, posted: QueryDict, meta: CommandMeta
) -> Answer | None:
    """Place the wagers as they were typed and call "no more bets", in one press.

    Answers None when the wagers that were typed cost something else than the button said: they are placed, and the
    dealer looks at the new drop and presses again. So no dealer drops an amount that was not on the screen.
    A press that is sent again after it got no further than the wagers goes on from there.
    Raises Refused.
    """
    place, close = COMMANDS["bets"], COMMANDS["no-more-bets"]
    bets: BetsForm | None = None
    placing = dataclasses.replace(meta, key=meta.key + PLACING)
    answer = answer_given(placing.actor, placing.key)
    if answer is not None:
        meta = dataclasses.replace(meta, version=answer["version"])
    try:
        _check_fit(place, state, meta)
        bets, closing = BetsForm(state, posted), CloseForm(state, posted)
        _check_form(state, bets, meta)
        _check_form(state, closing, meta)
        changed = bool(answer)
        if answer is None and (placed := bets.changed_bets()):
            changed = True
            answer = place.service(placing, state.table.pk, positions=placed)
            meta = dataclasses.replace(meta, version=answer["version"])
            state = read_again(state)
            bets = BetsForm(state, posted)
        if state.live is not None:
            collected_cents = totals_typed(state, state.live.bets).collected_cents
            if changed and collected_cents != (closing.cleaned_data["quoted_cents"] or 0):
                return None
        return close.service(meta, state.table.pk, **closing.arguments())
    except FloorError as error:
        raise _refused(place, error, posted, bets, permissions) from error


def read_again(state: TableState) -> TableState:
    """Read the table anew."""
    return read_table(Table.objects.select_related("room", "schedule", "game").get(pk=state.table.pk))


def _check_fit(command: PageCommand, state: TableState, meta: CommandMeta) -> None:
    """Refuse a form that the table's current state has no place for."""
    if command.form.fits(state):
        return
    if meta.version != state.table.version:
        raise stale(meta.version, state)
    why = why_not(state, command.service.name)
    assert why is not None  # a form that does not fit asks for what may not be done
    raise NotNow.because(why)


def _check_form(state: TableState, form: CommandForm, meta: CommandMeta) -> None:
    """Refuse input that cannot be read; that the table has moved on is said first."""
    if form.is_valid():
        return
    if meta.version != state.table.version:
        raise stale(meta.version, state)
    messages = [error for errors in form.errors.values() for error in errors]
    more = f" (and {len(messages) - 1} more)" if len(messages) > 1 else ""
    raise BadInput(
        "bad_form", Phrase("Nothing was changed. {messages}{more}", messages=messages[0], more=more)
    )


def _refused(
    command: PageCommand,
    error: FloorError,
    posted: QueryDict,
    form: CommandForm | None,
    permissions: Permissions,
) -> Refused:
    """Keep what was typed, in its form where the table's current state still has one."""
    kept: CommandForm | None = None
    field = ""
    if form is not None:
        name = form.field_at(error.path)
        state = read_again(form.state)
        if command.form.fits(state):
            kept = new_form(command, state, permissions, posted)
            kept.is_valid()
            if name in kept.fields:
                kept.add_error(name, translated(error.message))
            wrong = next((each for each in kept.errors if each in kept.fields), None)
            field = "" if wrong is None else str(kept.fields[wrong].label)
    return Refused(FailedCommand(command, error, form=kept, field=field, typed=_typed(posted)))


def _typed(posted: QueryDict) -> list[tuple[str, str]]:
    """Say in words what was typed: label and value."""
    pairs = []
    for name, value in posted.items():
        if name in _UNSPOKEN or not value:
            continue
        match = _SEAT_FIELD.fullmatch(name)
        label = name.replace("_", " ")
        if match is not None:
            what = {"wagers": match[3], "tips": match[3]}.get(match[1], match[1]) or match[1]
            what = what.replace("_", " ")
            if match[1] == "tips":
                what = _("%(name)s tip") % {"name": what}
            label = _("Seat %(place)s: %(name)s") % {"place": match[2], "name": what}
        pairs.append((label[:1].upper() + label[1:], str(value)))
    return pairs
