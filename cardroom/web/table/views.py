"""Views of the table page: the page, the commands posted from it, and the settlement of a round played there."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from cardroom.floor.errors import FloorError
from cardroom.floor.models import Round
from cardroom.floor.reads.answers import answer_given
from cardroom.floor.reads.records import players_to_seat
from cardroom.floor.reads.seating import people_found, people_here
from cardroom.floor.reads.table_state import TableState, read_table
from cardroom.floor.reads.waiting_list import must_moves_to
from cardroom.people.rights import Right

from ..parts.access import Permissions, table_for
from ..parts.command_headers import meta_of
from ..parts.languages import in_own_language, translated
from ..procedures.reminders import format_answer
from ..templatetags.formatting import options
from .answer_header import answered
from .command_dispatch import Answer, Refused, carry_out, close_bets, read_again
from .commands import COMMANDS, FailedCommand, PageCommand
from .forms.bets import BetsForm
from .forms.seats import MOST_OFFERED
from .offline_state import offline_state_of
from .page import TablePage, preview_of, table_page_of
from .round_totals import totals_typed
from .script_texts import script_texts
from .settlement_view import settlement_view_of
from .sheet import lines_of, next_guest, waiting_lines

#: More than any name with its number has.
MOST_LETTERS = 100


@login_required
@require_GET
@answered
@in_own_language
def table_page(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show a table: its state, and the next step."""
    table, permissions = table_for(request, table_id)
    return _show(request, table_page_of(read_table(table), permissions))


@login_required
@require_GET
@answered
@in_own_language
def settlement_page(request: HttpRequest, table_id: int, round_id: int) -> HttpResponse:
    """Show the table with a round's settlement, for the dealer to pay by; the next step leads to the next hand."""
    table, permissions = table_for(request, table_id)
    round_ = get_object_or_404(Round.objects.select_related("bank_player"), pk=round_id, table=table)
    settlement_view = settlement_view_of(round_)
    if settlement_view is None:
        return redirect("web:round", round_id=round_.pk)
    return _show(
        request, table_page_of(read_table(table), permissions, shown=round_, settlement_view=settlement_view)
    )


@sensitive_post_parameters("approver_pin")
@login_required
@require_POST
@answered
@in_own_language
def table_command(request: HttpRequest, table_id: int, slug: str) -> HttpResponse:
    """Carry out one command. What the floor refuses comes back on the same page, with what was typed."""
    if slug not in COMMANDS:
        raise Http404(f"There is no action {slug} at a table.")
    command = COMMANDS[slug]
    table, permissions = table_for(request, table_id)
    state = read_table(table)
    answer: Answer | None = None
    try:
        meta = meta_of(request)
        given = answer_given(meta.actor, meta.key)
        if given is not None:
            return _next_page(request, state, command, given)
        if slug == "no-more-bets":
            answer = close_bets(state, permissions, request.POST, meta)
            if answer is None:
                messages.warning(
                    request, _("The wagers are placed, and the drop has changed. Look at it and close again.")
                )
        else:
            answer = carry_out(command, state, permissions, request.POST, meta)
    except Refused as refused:
        return _refuse(request, state, permissions, refused.failed)
    except FloorError as error:
        return _refuse(request, state, permissions, FailedCommand(command, error))
    return _next_page(request, state, command, answer)


@login_required
@require_POST
@in_own_language
def bets_preview(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show what the wagers in the form would cost, with nothing placed: a part of the page, asked for while typing."""
    table, permissions = table_for(request, table_id)
    state = read_table(table)
    if not BetsForm.fits(state) or state.live is None or state.live.bets_closed_at is not None:
        # The page keeps what is typed; pressing a button of it will say that the table has moved on.
        return HttpResponse(_("Bets are closed."), content_type="text/plain", status=409)
    form = BetsForm(state, request.POST)
    problem = ""
    if not form.is_valid():
        problem = str(next(iter(form.errors.values()))[0])
    bets = [bet for bet in form.bets() if bet["wagers"]]
    context = {
        "table_page": preview_of(state, permissions, form),
        "totals": totals_typed(state, bets),
        "problem": problem,
    }
    return render(request, "web/table/entry/preview.html", context)


@login_required
@require_GET
def players_offered(request: HttpRequest, table_id: int) -> HttpResponse:
    """Answer a seat's field while a player's name or number is typed: options of its list."""
    table, permissions = table_for(request, table_id)
    if permissions.why_not(Right.SEAT_PLAYERS) is not None:
        return HttpResponse(status=403)
    found = players_to_seat(read_table(table), request.GET.get("search", "")[:MOST_LETTERS])
    return HttpResponse(options([player.label for player in found[:MOST_OFFERED]]))


@login_required
@require_GET
@in_own_language
def seat_sheet(request: HttpRequest, table_id: int, seat: int) -> HttpResponse:
    """Show who may sit down at a free seat: found by `search`, lately here, or (`here`) at the table. A part of the page.

    While the name is typed, `results` alone are drawn: what stands beside them keeps its place.
    """
    table, permissions = table_for(request, table_id)
    state = read_table(table)
    if permissions.why_not_at(Right.SEAT_PLAYERS, state) is not None:
        return HttpResponse(status=403)
    if not 1 <= seat <= state.rulebook.seats:
        raise Http404(f"There is no seat {seat} at this table.")
    search = request.GET.get("search", "")[:MOST_LETTERS]
    here, part = "here" in request.GET, "results" in request.GET
    found = people_here(state, seat) if here else people_found(state, seat, search)
    context = {
        "state": state,
        "table": table,
        "seat": seat,
        "version": table.version,
        "found": found,
        "lines": lines_of(state, seat, found, search),
        "search": search.strip(),
        "here": here,
        "guest": next_guest(state),
        "room": table.room,
        "waiting": []
        if part
        else waiting_lines(table.room, None if table.game is None else table.game.number, state.now),
        "may_call": permissions.may(Right.CALL_WAITING),
        "must_moves": [] if part else must_moves_to(table),
        "part": part,
    }
    return render(request, "web/table/seats/seatable.html", context)


def _show(request: HttpRequest, page: TablePage, *, status: int = 200) -> HttpResponse:
    context: dict[str, Any] = {
        "table_page": page,
        "offline_state": (offline_state := offline_state_of(page)),
        "offline_state_json": json.dumps(offline_state),
        "room": page.table.room,
        "permissions": page.permissions,
        "version": page.table.version,
        "now": timezone.now(),
        "language": translation.get_language(),
        "script_texts": script_texts(),
    }
    return render(request, "web/table/table.html", context, status=status)


def _refuse(
    request: HttpRequest, state: TableState, permissions: Permissions, failed: FailedCommand
) -> HttpResponse:
    if failed.error.status == 404:
        raise Http404(failed.error.message)
    return _show(request, table_page_of(read_again(state), permissions, failed), status=failed.error.status)


def _next_page(
    request: HttpRequest, state: TableState, command: PageCommand, answer: Answer | None
) -> HttpResponse:
    """Redirect after a command: to the table, which shows the settlement until the next round is open."""
    if command.done:
        messages.success(request, translated(command.done))
    # That the round is void by the rules is said by the next step, and once.
    if (
        answer is not None
        and (follows := format_answer(answer))
        and read_again(state).procedures.voiding is None
    ):
        messages.info(request, translated(follows))
    return redirect("web:table", table_id=state.table.pk)
