"""Views of the inbox: the list with one item opened, and the acts by which items are worked off."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from cardroom.floor.errors import FloorError
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.inbox.models import Item
from cardroom.people.rights import Right

from ..parts.access import room_for
from ..parts.command_headers import done_once
from .evidence import evidence_of
from .forms import ACTS, ActForm, items_of
from .page import Chosen, InboxPage, lines_of, next_after

#: Acts after which nothing more is to be done with an item for now.
_GOES_ON = frozenset({"explain", "refer", "decide"})
#: The field that keeps the query of the address with which a form was drawn.
SHOWN = "shown"


@login_required
@require_GET
def inbox_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show the items of a room, the oldest first, and one of them with its evidence."""
    room, permissions = room_for(request, code, Right.SEE_ITEMS)
    page = InboxPage(room, permissions, Chosen.of(request.GET))
    if page.chosen.item is not None and page.opened is None:
        raise Http404(f"This room has no item {page.chosen.item}.")
    return _show(request, page)


@sensitive_post_parameters("approver_pin")
@login_required
@require_POST
def item_act(request: HttpRequest, code: str, slug: str) -> HttpResponse:
    """Work one item off, or several of a kind at once; what is refused comes back with what was typed."""
    room, permissions = room_for(request, code, Right.SEE_ITEMS)
    if slug not in ACTS:
        raise Http404(f"There is no action {slug} of an item.")
    act, done = ACTS[slug]
    page = InboxPage(room, permissions, Chosen.of(QueryDict(request.POST.get(SHOWN, ""))))
    form = ActForm(page.owners, _posted(room.pk, request), request.POST)
    if not form.is_valid():
        return _show(request, page, form, status=422)
    after = _after(page, slug)
    worked: list[int] = []

    def command(meta: CommandMeta) -> str:
        items = items_of(request.POST.getlist("items"))
        act(meta, room.pk, **form.arguments(slug, items))
        worked.extend(items)
        return f"{done}{_following(page, slug, after)}" if len(items) == 1 else f"{done} {len(items)} items."

    if error := done_once(request, command):
        return _show(request, page, form, error=error)
    return redirect(f"{reverse('web:inbox', args=[code])}?{_query_after(page.chosen, slug, worked, after)}")


def _after(page: InboxPage, slug: str) -> int | None:
    """The id of the item that is shown next: one that is not explained, or once one is closed the one after it."""
    if page.opened is None or page.chosen.several:
        return None
    if slug == "close":
        return next_after(page.items, page.opened)
    return page.next_to_explain if slug in _GOES_ON else None


def _following(page: InboxPage, slug: str, after: int | None) -> str:
    """What is said beside what was done with one item: the next one is shown, or none is left to be explained."""
    if after is not None:
        return " Here is the next one."
    last = slug in _GOES_ON and not page.chosen.several
    return " None is left to be explained." if last else ""


def _query_after(chosen: Chosen, slug: str, worked: list[int], after: int | None) -> str:
    """The query of the page that is shown then: the next item, the same one, or after several what is left of all kinds."""
    if chosen.several:
        return chosen.query(kind="", state="", several="", item="", page="")
    return chosen.query(item=after or ("" if slug == "close" else worked[0]))


def _posted(room: int, request: HttpRequest) -> list[Item]:
    """The items that were posted, those of them that there are: of whom they are says who does not sign."""
    ids = [
        each for each in request.POST.getlist("items") if each.isascii() and each.isdigit() and len(each) < 19
    ]
    return list(Item.objects.filter(room=room, pk__in=ids).prefetch_related("people"))


def _show(
    request: HttpRequest,
    page: InboxPage,
    form: ActForm | None = None,
    *,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    several, opened = page.chosen.several, page.opened
    concerned: list[Item] = []
    if several:
        concerned = [line.item for line in page.lines]
    elif opened is not None:
        concerned = [opened]
    context: dict[str, Any] = {
        "room": page.room,
        "permissions": page.permissions,
        "page": page,
        "form": form or ActForm(page.owners, concerned, initial=_initial(opened)),
        "line": None if opened is None or several else lines_of([opened], page.now)[0],
        "evidence": None if opened is None or several else evidence_of(opened, page.now),
        "posted": set(request.POST.getlist("items")),
        "shown": page.chosen.query(),
        "error": error,
        "now": page.now,
    }
    return render(request, "web/inbox/inbox.html", context, status=error.status if error else status)


def _initial(item: Item | None) -> dict[str, Any]:
    if item is None:
        return {}
    at = item.camera_at or item.happened_at
    return {
        "owner_id": item.owner_id,
        "camera": item.camera,
        "minute": at.astimezone(item.room.zone).time().replace(second=0, microsecond=0),
        "kept_until": item.kept_until,
    }
