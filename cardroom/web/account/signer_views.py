"""Views of the faces that may sign: a part of the sheet on which a second person signs, asked for when it opens."""

from __future__ import annotations

import dataclasses

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.views.decorators.http import require_GET

from cardroom.floor.reads.signers import Signer, WhyNotSign, signers_of
from cardroom.people.rights import Right, roles_with
from cardroom.people.sessions import is_locked
from cardroom.rooms.models import Room
from games.phrases import Phrase

from ..parts.access import room_for, staff_of, table_for
from ..parts.faces import Face, face_of
from ..parts.languages import language_asked, translated

#: So many faces are shown at once, and so many of those who may not sign; all faces by one touch more.
MOST_FACES = 8
MOST_OTHERS = 4
WHY_NOT = {
    WhyNotSign.ACTOR: Phrase("asks for it, and cannot sign their own"),
    WhyNotSign.ROLE: Phrase("{roles}: may not sign this"),
    WhyNotSign.NO_PIN: Phrase("has no PIN yet"),
    WhyNotSign.WROTE: Phrase("wrote what is signed"),
    WhyNotSign.ABOUT: Phrase("is whom it is about"),
}


@dataclasses.dataclass(frozen=True)
class SignerLine:
    """A person as the sheet shows them: `says` is a line of words beneath the name."""

    signer: Signer
    face: Face
    says: str
    at_once: bool = True


@login_required
@require_GET
def table_signers(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show who may sign at a table for what takes the right `?right=`."""
    table, _permissions = table_for(request, table_id, Right.SEE_WHO_SIGNS)
    return _answer(request, table.room)


@login_required
@require_GET
def room_signers(request: HttpRequest, code: str) -> HttpResponse:
    """Show who may sign in a room for what takes the right `?right=`."""
    room, _permissions = room_for(request, code, Right.SEE_WHO_SIGNS)
    return _answer(request, room)


def _answer(request: HttpRequest, room: Room) -> HttpResponse:
    """The faces in the language of the page that asks; `?own=1` where one signs for oneself; `?also=`: a second right; `?wrote=`, `?about=`: ids."""
    right = Right.__members__.get(request.GET.get("right", ""))
    also = Right.__members__.get(request.GET.get("also", ""))
    if right is None or (also is None and request.GET.get("also")):
        raise Http404("There is no such right.")
    own = request.GET.get("own") == "1"
    if is_locked(request) and not own:
        raise PermissionDenied("This session is locked: unlock it by your PIN or password.")
    actor = None if own else staff_of(request)
    found = signers_of(
        room,
        right,
        timezone.now(),
        actor=actor,
        also=also,
        wrote=_ids(request, "wrote"),
        about=_ids(request, "about"),
    )
    if own:  # whoever is signed in is the last to be looked for
        found.may.sort(key=lambda each: (not each.on_duty, each.person.pk == staff_of(request).pk))
    with translation.override(language_asked(request)):
        context = {
            "room": room,
            "lines": [
                _line(each, _roles(each, roles_with(right, also)), at_once=number < MOST_FACES)
                for number, each in enumerate(found.may)
            ],
            "has_more": len(found.may) > MOST_FACES,
            "others": [_line(each, _why_not(each)) for each in found.may_not[:MOST_OTHERS]],
            "others_more": max(len(found.may_not) - MOST_OTHERS, 0),
            "own": own,
        }
        return render(request, "web/parts/signers.html", context)


def _ids(request: HttpRequest, name: str) -> set[int]:
    return {int(pk) for pk in request.GET.get(name, "").split(",") if pk.isascii() and pk.isdigit()}


def _line(signer: Signer, says: str, *, at_once: bool = True) -> SignerLine:
    return SignerLine(signer, face_of(signer.person), says, at_once)


def _roles(signer: Signer, among: frozenset[str]) -> str:
    """The roles of a person that hold the right, in words."""
    return ", ".join(sorted(translated(role.label) for role in signer.roles if role in among))


def _why_not(signer: Signer) -> str:
    assert signer.why_not is not None
    template = translated(WHY_NOT[signer.why_not])
    return template.format(roles=_roles(signer, frozenset(signer.roles)))
