"""View that corrects a settled round: the record, what a change of it would move, and two people's signatures."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from cardroom.floor.checks.corrections import why_not_correct
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.errors import BadInput, FloorError
from cardroom.floor.reads.answers import was_answered
from cardroom.floor.reads.records import correction_of
from cardroom.floor.reads.table_state import read_table
from cardroom.floor.settling.correction_preview import Correction, correction_computed, there_then

from ..account.fresh_sign_in import fresh_sign_in_required
from ..parts.access import round_for, table_for
from ..parts.command_headers import meta_of
from .correction_form import CorrectionForm


@sensitive_post_parameters("approver_pin")
@fresh_sign_in_required
@require_http_methods(["GET", "POST"])
def correct_page(request: HttpRequest, table_id: int, round_id: int) -> HttpResponse:
    """Show a settled round to be corrected; posted by "look" say what it would move, by "correct" do it."""
    table, permissions = table_for(request, table_id)
    round_, _ = round_for(request, round_id)
    if round_.table_id != table.pk:
        raise Http404(f"There is no round {round_id} at {table}.")
    state = read_table(table)
    why = permissions.why_not_at(round_correct.right, state) or why_not_correct(state, round_)
    later = correction_of(round_)
    if request.method == "POST" and later is not None and _was_mine(request):
        return redirect("web:round", round_id=later.pk)
    form = made = error = None
    if why is None:
        data = request.POST if request.method == "POST" else None
        form = CorrectionForm(state, data, round_=round_, there=there_then(round_))
        if data is not None:
            try:
                made = _worked_out(form)
                if "correct" in data:
                    answer = round_correct(meta_of(request), table.pk, **form.arguments())
                    messages.success(request, f"Round {round_.number} is corrected.")
                    return redirect("web:round", round_id=answer["round"])
            except FloorError as refused:
                error = _noted(form, refused)
    context: dict[str, Any] = {
        "round": round_,
        "state": state,
        "room": table.room,
        "permissions": permissions,
        "form": form,
        "made": made,
        "edited": form.edited if form is not None else {},
        "error": error,
        "why": why,
        "later": later,
        "version": table.version,
    }
    return render(request, "web/rounds/correct.html", context, status=200 if error is None else error.status)


def _was_mine(request: HttpRequest) -> bool:
    """Whether this very form was carried out before: a page that was posted twice."""
    try:
        meta = meta_of(request)
    except FloorError:
        return False
    return was_answered(meta.actor, meta.key)


def _worked_out(form: CorrectionForm) -> Correction:
    """What the correction would be. Raises FloorError for what cannot be read or played."""
    if not form.is_valid():
        messages = [error for errors in form.errors.values() for error in errors]
        raise BadInput("bad_form", f"Nothing was changed. {messages[0]}")
    return correction_computed(form.round, **form.record())


def _noted(form: CorrectionForm, refused: FloorError) -> FloorError:
    """Put a refusal beside the field that it names."""
    name = form.field_at(refused.path) if form.is_bound and hasattr(form, "cleaned_data") else None
    if name is not None and name in form.fields and not form.has_error(name):
        form.add_error(name, refused.message)
    return refused
