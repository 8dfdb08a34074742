"""Views of a table's tray: what lies there, its slips and buy-ins, and the forms that write them."""

from __future__ import annotations

import dataclasses
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from cardroom.core.commands import COMMANDS
from cardroom.floor.checks import why_not
from cardroom.floor.checks.tray import opener_of
from cardroom.floor.commands.tray import right_to_sign_slip
from cardroom.floor.errors import FloorError, WhyNot
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.models import Table, TraySlip
from cardroom.floor.reads.slips import buy_ins_of, slips_of
from cardroom.floor.reads.table_state import TableState, read_table
from cardroom.floor.reads.tray import Tray, last_tray
from cardroom.people.rights import Right

from ..parts.access import Permissions, staff_of, table_for
from ..parts.command_headers import done_once
from ..parts.forms.command import CommandForm
from ..parts.forms.signed import Signed
from .forms import TRAY_FORMS, ChipsForm
from .slip_pdf import slip_pdf

ROWS = 30
#: The latest buy-ins on the page.
MOST_BUY_INS = 30


@dataclasses.dataclass(frozen=True)
class TrayCommand:
    """A command of the page: its form, why it may not be given now, and whether it has just been refused."""

    slug: str
    title: str
    form: CommandForm
    why_not: WhyNot | None
    open: bool

    @property
    def counts_chips(self) -> bool:
        return isinstance(self.form, ChipsForm)


@login_required
@require_GET
def tray_page(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show what lies in the tray of a table, its slips and its buy-ins."""
    table, permissions = table_for(request, table_id)
    return _show(request, table, permissions)


@sensitive_post_parameters("approver_pin")
@login_required
@require_POST
def tray_command(request: HttpRequest, table_id: int, slug: str) -> HttpResponse:
    """Write a slip or a buy-in, or take one back. What is refused comes back with what was typed."""
    if slug not in TRAY_FORMS:
        raise Http404(f"There is no action {slug} at a tray.")
    table, permissions = table_for(request, table_id)
    name, form_of = TRAY_FORMS[slug]
    command, form = COMMANDS[name], form_of(read_table(table), request.POST)
    if not form.is_valid():
        return _show(request, table, permissions, form, status=422)

    def carry_out(meta: CommandMeta) -> str:
        command(meta, table.pk, **form.arguments())
        return command.done

    if error := done_once(request, carry_out):
        if error.status == 404:
            raise Http404(error.message)
        if (field := _field_at(form, error.path)) is not None:
            form.add_error(field, error.message)
        table, permissions = table_for(request, table_id)
        return _show(request, table, permissions, form, error=error)
    return redirect("web:tray", table_id=table.pk)


@login_required
@require_GET
def slip_print(request: HttpRequest, table_id: int, slip_id: int) -> HttpResponse:
    """Give a slip as a PDF to be signed."""
    table, _ = table_for(request, table_id)
    rows = slips_of(TraySlip.objects.filter(table=table)).select_related("room")
    slip = get_object_or_404(rows, pk=slip_id)
    document = slip_pdf(slip, printed_by=str(staff_of(request)), printed_at=timezone.now())
    name = f"{slugify(slip.kind)}-{table.room.code}-{slip.number}"
    return HttpResponse(
        document,
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{name}.pdf"'},
    )


def _field_at(form: CommandForm, path: str) -> str | None:
    """The field that a refusal's path names: `chips.2500` is the field of that chip."""
    if path.startswith("chips."):
        path = path.replace(".", "-", 1)
    return form.field_at(path)


def _label_at(form: CommandForm, path: str) -> str | None:
    field = _field_at(form, path)
    return None if field is None else str(form.fields[field].label)


def _show(
    request: HttpRequest,
    table: Table,
    permissions: Permissions,
    given: CommandForm | None = None,
    *,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the page; the form that was `given` with what was typed."""
    state = read_table(table)
    tray = last_tray(table)
    context: dict[str, Any] = {
        "table": table,
        "room": table.room,
        "permissions": permissions,
        "version": table.version,
        "state": state,
        "tray": tray,
        "parts": [] if tray is None else _parts(tray),
        "is_open": tray is not None and tray.closer is None,
        "commands": _commands(state, permissions, given),
        "page": Paginator(slips_of(TraySlip.objects.filter(table=table)), ROWS).get_page(
            request.GET.get("page")
        ),
        "buy_ins": buy_ins_of(table)[:MOST_BUY_INS],
        "error": error,
        "refused_at": None if error is None or given is None else _label_at(given, error.path),
    }
    return render(request, "web/tray/tray.html", context, status=error.status if error else status)


def _parts(tray: Tray) -> list[tuple[str, int]]:
    """What moved in the tray since its opener, in cents; what left it is negative."""
    return [
        ("Fills", tray.filled_cents),
        ("Credits", -tray.credited_cents),
        ("Buy-ins", -tray.bought_in_cents),
        ("Won at the table", tray.won_cents),
        ("Lost at the table", -tray.lost_cents),
    ]


def _commands(state: TableState, permissions: Permissions, given: CommandForm | None) -> list[TrayCommand]:
    """The commands that the tray's state allows: to open it where it is closed, and all else where it is open."""
    if not state.house_banks:
        return []
    closed, found = opener_of(state) is None, []
    for slug, (name, form_of) in TRAY_FORMS.items():
        if (name == "tray_open") != closed:
            continue
        command, typed = COMMANDS[name], isinstance(given, form_of)
        why = permissions.why_not_at(command.right, state) or why_not(state, name)
        form = given if typed and given is not None else form_of(state)
        if isinstance(form, Signed):
            form.right = right_to_sign_slip(permissions.may(Right.KEEP_TRAY))
        found.append(TrayCommand(slug, command.title, form, why, typed))
    return found
