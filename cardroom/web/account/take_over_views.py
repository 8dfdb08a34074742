"""View with which the next person takes over a table's tablet, by user name or badge and PIN."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from cardroom.floor.commands.pushes import relief_take
from cardroom.floor.errors import FloorError
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.models import Relief, Table
from cardroom.floor.models.line_up import WAITS
from cardroom.people.models import Staff
from cardroom.people.pins import PinRefused, person_by_pin
from cardroom.people.rights import Right, why_not_may
from cardroom.people.sessions import sign_in_by_pin, unlock

from ..parts.access import table_for
from ..parts.command_headers import fresh_key
from ..parts.forms.signed import TOUCHED, Signed, name_field, pin_field


class TakeOverForm(Signed):
    """Who works at the table from now on."""

    right = Right.RUN_ROUNDS
    person = name_field("Your user name or badge")
    pin = pin_field("Your PIN")


@sensitive_post_parameters("pin")
@login_required
@require_http_methods(["GET", "POST"])
def take_over(request: HttpRequest, table_id: int) -> HttpResponse:
    """Sign the next person in at this tablet; what they do there is done in their name.

    Somebody is signed in already, as a PIN alone opens no browser of its own. The new session may do what is done at
    this table, and nothing else (`cardroom.web.account.session_guard`). Who is the relief of a push here begins their down with it.
    """
    table, permissions = table_for(request, table_id)
    here = reverse("web:table", args=[table.pk])
    back = request.GET.get("next", "")
    if not back.startswith(here):
        back = here
    relief = Relief.objects.filter(WAITS, table=table).select_related("incoming").first()
    form = TakeOverForm(
        request.POST if request.method == "POST" else None,
        auto_id="take-over-%s",
        initial={"person": "" if relief is None else relief.incoming.username},
    )
    status = 200
    if form.is_bound:
        status = 422
        if form.is_valid():
            try:
                given = form.cleaned_data
                touched = request.POST.get(TOUCHED) == "1"
                person = person_by_pin(table.room, given["person"], given["pin"], touched=touched)
            except PinRefused as refused:
                form.add_error("pin", refused.message)
                status = refused.status
            else:
                why = why_not_may(person, Right.RUN_ROUNDS, table.room) or _why_not_relieve(
                    table, relief, person
                )
                if why is None:
                    if person == request.user:
                        unlock(request, by_password=False)
                    else:
                        sign_in_by_pin(request, person, table.pk)
                    messages.success(request, f"{person} works at {table}.")
                    return redirect(back)
                form.add_error("person", why)
                status = 403
    context = {
        "table": table,
        "room": table.room,
        "permissions": permissions,
        "form": form,
        "back": back,
        "relief": relief,
    }
    return render(request, "web/account/take_over.html", context, status=status)


def _why_not_relieve(table: Table, relief: Relief | None, person: Staff) -> str | None:
    """Begin the down of a person who is the relief that waits at the table; return why that is refused."""
    if relief is None or relief.incoming != person:
        return None
    version = Table.objects.values_list("version", flat=True).get(pk=table.pk)
    meta = CommandMeta(actor=person, key=fresh_key(), version=version)
    try:
        relief_take(meta, table.pk, relief_id=relief.pk)
    except FloorError as refused:
        return refused.message
    return None
