"""Views of a room's people: the list with its search, one person and what is done about them, requests for passwords."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from cardroom.floor.commands.accounts import account_make
from cardroom.floor.commands.password_resets import password_consent, password_refuse
from cardroom.floor.commands.roles import role_give
from cardroom.floor.errors import FloorError
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.reads.staff import people_of, people_without_password
from cardroom.people.accounts import resets_waiting
from cardroom.people.duties import Duty
from cardroom.people.lockouts import locked_out
from cardroom.people.models import Employment, Role, Staff, WorkPermit
from cardroom.people.permits import expiring, local_day
from cardroom.people.rights import PEOPLE_ROLES, Right
from cardroom.people.sessions import is_fresh
from cardroom.rooms.models import Room

from ..account.fresh_sign_in import why_not_fresh
from ..parts.access import Permissions, room_for
from ..parts.command_headers import done_once
from ..parts.faces import face_of
from .forms import AccountForm, EmployForm, PersonForm
from .person import ACTS, END_SESSION, ROLE_ACTS, WHO_CHANGES, Act, PersonPage

ROWS = 50
#: What the list may be narrowed to, beside a role.
NARROWED = {
    "expiring": "Permit ends or has ended",
    "locked": "Locked out",
    "closed": "Closed accounts",
    "no-password": "No password yet",
}
_EMPLOY = Act(role_give, EmployForm, Duty.GIVE_ROLE, "room")
_ANSWERS = {
    "consent": (password_consent, "Consented. The last room's consent sets the password."),
    "refuse": (password_refuse, "Refused. The password stays as it is."),
}


@login_required
@require_GET
def people_page(request: HttpRequest, code: str) -> HttpResponse:
    """List the people of a room, found by name, user name, badge or role."""
    _room, permissions = room_for(request, code, Right.SET_PEOPLE)
    return _show_list(request, permissions)


@sensitive_post_parameters("password")
@login_required
@require_POST
def account_made(request: HttpRequest, code: str) -> HttpResponse:
    """Make an account, and lead to the person's page."""
    room, permissions = room_for(request, code, Right.SET_PEOPLE)
    if late := why_not_fresh(request):
        return late
    form, made = AccountForm(request.POST, auto_id="make-%s"), dict[str, Any]()
    if not form.is_valid():
        return _show_list(request, permissions, make=form, status=422)

    def command(meta: CommandMeta) -> str:
        made.update(account_make(meta, room.pk, **form.arguments()))
        return form.done

    if error := done_once(request, command):
        return _show_list(request, permissions, make=form, error=error)
    return redirect("web:person", code=code, staff_id=made["staff"])


@sensitive_post_parameters("approver_pin")
@login_required
@require_POST
def person_employed(request: HttpRequest, code: str) -> HttpResponse:
    """Give a role to somebody who is named exactly."""
    room, permissions = room_for(request, code, Right.SET_PEOPLE)
    if late := why_not_fresh(request):
        return late
    named = request.POST.get("person", "")
    about = Staff.objects.filter(Q(username=named) | Q(badge=named)).first()
    form = EmployForm(
        request.POST, must_sign=_page(request, permissions, about).must_sign(_EMPLOY), auto_id="employ-%s"
    )
    form.fill(room)
    if not form.is_valid():
        return _show_list(request, permissions, employ=form, status=422)

    def command(meta: CommandMeta) -> str:
        role_give(meta, room.pk, **form.arguments())
        return form.done

    if error := done_once(request, command):
        return _show_list(request, permissions, employ=form, error=error)
    return redirect("web:people", code=code)


@login_required
@require_POST
def reset_answered(request: HttpRequest, code: str, reset_id: int, slug: str) -> HttpResponse:
    """Consent to a new password of somebody of several rooms, or refuse it."""
    room, permissions = room_for(request, code, Right.SET_PEOPLE)
    if slug not in _ANSWERS:
        raise Http404
    if late := why_not_fresh(request):
        return late
    answer, done = _ANSWERS[slug]

    def command(meta: CommandMeta) -> str:
        answer(meta, room.pk, reset_id=reset_id)
        return done

    if error := done_once(request, command):
        return _show_list(request, permissions, error=error)
    return redirect("web:people", code=code)


@login_required
@require_GET
def person_page(request: HttpRequest, code: str, staff_id: int) -> HttpResponse:
    """Show a person: every fact with what changes it, and who signs for that."""
    room, permissions = room_for(request, code, Right.SET_PEOPLE)
    return _show(request, _page(request, permissions, _person(room, staff_id)))


@sensitive_post_parameters("approver_pin", "password")
@login_required
@require_POST
def person_command(request: HttpRequest, code: str, staff_id: int, slug: str) -> HttpResponse:
    """Carry out what was asked about a person."""
    room, permissions = room_for(request, code, Right.SET_PEOPLE)
    person = _person(room, staff_id)
    if (act := ACTS.get(slug)) is None:
        raise Http404
    inputs = {"person": person.username} if slug == "role" else {"staff_id": person.pk}
    return _carried_out(request, _page(request, permissions, person), slug, act, **inputs)


@sensitive_post_parameters("approver_pin")
@login_required
@require_POST
def role_command(
    request: HttpRequest, code: str, staff_id: int, employment_id: int, slug: str
) -> HttpResponse:
    """Change a role of a person, or take it away."""
    room, permissions = room_for(request, code, Right.SET_PEOPLE)
    person = _person(room, staff_id)
    role = get_object_or_404(Employment, pk=employment_id, staff=person, room=room)
    if (act := ROLE_ACTS.get(slug)) is None:
        raise Http404
    page = _page(request, permissions, person)
    return _carried_out(request, page, f"role-{role.pk}-{slug}", act, employment_id=role.pk)


@login_required
@require_POST
def session_ended(request: HttpRequest, code: str, staff_id: int, session_id: int) -> HttpResponse:
    """End a session of a person."""
    room, permissions = room_for(request, code, Right.SET_PEOPLE)
    person = _person(room, staff_id)
    page = _page(request, permissions, person)
    inputs = {"staff_id": person.pk, "session_id": session_id}
    return _carried_out(request, page, f"session-{session_id}", END_SESSION, **inputs)


def _carried_out(request: HttpRequest, page: PersonPage, slug: str, act: Act, **inputs: Any) -> HttpResponse:
    """Carry out an act about a person with what its form says; its page again where that is refused."""
    if act.command.fresh and (late := why_not_fresh(request)):
        return late
    room, person = page.room, page.person
    form = act.form(request.POST, must_sign=page.must_sign(act), auto_id=f"{slug}-%s")
    form.fill(room)
    page.given = {slug: form}
    if not form.is_valid():
        return _show(request, page, status=422)

    def command(meta: CommandMeta) -> str:
        act.command(meta, room.pk, **inputs, **form.arguments())
        return form.done

    if error := done_once(request, command):
        return _show(request, page, error=error)
    if not people_of(room).filter(pk=person.pk).exists():
        return redirect("web:people", code=room.code)
    return redirect("web:person", code=room.code, staff_id=person.pk)


def _person(room: Room, staff_id: int) -> Staff:
    return get_object_or_404(people_of(room), pk=staff_id)


def _page(request: HttpRequest, permissions: Permissions, person: Staff | None) -> PersonPage:
    return PersonPage(permissions, person or permissions.staff, timezone.now(), is_fresh(request))


def _show(
    request: HttpRequest, page: PersonPage, *, error: FloorError | None = None, status: int = 200
) -> HttpResponse:
    context = {
        "room": page.room,
        "permissions": page.permissions,
        "page": page,
        "person": page.person,
        "error": error,
        "who_changes": WHO_CHANGES,
    }
    return render(request, "web/people/person.html", context, status=error.status if error else status)


def _show_list(
    request: HttpRequest,
    permissions: Permissions,
    *,
    make: PersonForm | None = None,
    employ: PersonForm | None = None,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    room, now = permissions.room, timezone.now()
    search, only = request.GET.get("search", "").strip()[:80], request.GET.get("only", "")
    locked = {row.staff_id for row in locked_out(room) if row.staff_id is not None}
    ending = {
        int(subject.partition(":")[2])
        for subject in (each.subject for each in expiring(room, local_day(room, now)))
        if subject.startswith("staff:")
    }
    people = people_of(room)
    if search:
        found = Q(display_name__icontains=search) | Q(username__icontains=search, home=room)
        people = people.filter(found | Q(badge=search))
    if only in Role.values:
        people = people.filter(pk__in=Employment.objects.filter(room=room, role=only).values("staff"))
    elif only == "closed":
        people = people.filter(is_active=False)
    elif only == "no-password":
        people = people.filter(pk__in=people_without_password(room).values("pk"))
    elif only in NARROWED:
        people = people.filter(pk__in=locked if only == "locked" else ending)
    page = Paginator(people, ROWS).get_page(request.GET.get("page"))
    permits = {
        each.staff_id: each for each in WorkPermit.objects.filter(room=room, staff__in=page.object_list)
    }
    rows = [
        {
            "person": each,
            "face": face_of(each),
            "roles": [role.get_role_display() for role in each.employments.all() if role.room_id == room.pk],
            "is_at_home": each.home_id == room.pk,
            "expires": permits[each.pk].expires if each.pk in permits else each.licence_expires,
            "is_ending": each.pk in ending,
            "is_locked": each.pk in locked,
            "has_no_password": each.home_id == room.pk and not each.has_usable_password(),
        }
        for each in page.object_list
    ]
    if employ is None:
        must_sign = _page(request, permissions, None).must_sign(_EMPLOY)
        employ = EmployForm(must_sign=must_sign, auto_id="employ-%s")
        employ.fill(room)
    context = {
        "room": room,
        "permissions": permissions,
        "search": search,
        "only": only,
        "narrowed": [*NARROWED.items(), *((role.value, str(role.label)) for role in PEOPLE_ROLES)],
        "page": page,
        "rows": rows,
        "today": local_day(room, now),
        "resets": _resets(permissions),
        "make": make or AccountForm(auto_id="make-%s"),
        "employ": employ,
        "fresh": is_fresh(request),
        "error": error,
    }
    return render(request, "web/people/people.html", context, status=error.status if error else status)


def _resets(permissions: Permissions) -> list[dict[str, Any]]:
    """Requests for new passwords that wait, each with whether this room has consented."""
    waiting = resets_waiting(permissions.room, timezone.now()).prefetch_related("consents__room")
    return [
        {
            "reset": each,
            "has_consented": permissions.room.pk in {consent.room_id for consent in each.consents.all()},
        }
        for each in waiting
    ]
