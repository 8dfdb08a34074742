"""What a tablet needs of the site to go on without its line: its service worker, and where set-aside acts go."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from cardroom.floor.acts.line import MOST_LABELS, TEXT_LENGTH, WaitingAct, acts_set_aside
from cardroom.floor.errors import BadInput, FloorError
from games.phrases import Phrase

from ..access import table_for
from ..acts import ACTS
from ..answer_header import answered
from ..command_headers import envelope_of
from ..languages import in_own_language, translated

_STATIC = Path(__file__).resolve().parent.parent / "static" / "web"
_KEYS = WaitingAct.__required_keys__


@require_GET
def service_worker(request: HttpRequest) -> HttpResponse:
    """Serve the service worker at the root of the site, so that it is in charge of all pages.

    Its text names every static file by its present address: it changes with them, and only with them.
    """
    paths = [*_STATIC.glob("*.*"), *_STATIC.glob("fonts/*.woff2")]
    names = sorted(f"web/{path.relative_to(_STATIC).as_posix()}" for path in paths)
    # Modules import one another by their plain names.
    files = sorted(
        {static(name) for name in names}
        | {settings.STATIC_URL + name for name in names if name.endswith(".js")}
    )
    known = {
        "files": files,
        "static": settings.STATIC_URL,
        "signIn": reverse("account_login"),
        "signOut": reverse("account_logout"),
    }
    name = hashlib.sha256(json.dumps(known).encode()).hexdigest()[:12]
    context = {"known": json.dumps(known), "name": name}
    response = render(request, "web/sw.js", context, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response


@login_required
@require_POST
@answered
@in_own_language
def set_aside(request: HttpRequest, table_id: int) -> HttpResponse:
    """Note acts that waited on a tablet and that a user sets aside. Answers in plain text, for the panel to show."""
    table = table_for(request, table_id)[0]
    try:
        acts = _acts_of(request.POST.get("acts", ""))
        acts_set_aside(
            envelope_of(request), table.pk, reason=request.POST.get("reason", ""), acts=_in_english(acts)
        )
    except FloorError as error:
        return HttpResponse(translated(error.message), content_type="text/plain", status=error.status)
    return HttpResponse(_("Set aside and noted."), content_type="text/plain")


def _acts_of(text: str) -> list[WaitingAct]:
    """Read the acts as `conflict.js` writes them. Raises BadInput for anything else."""
    try:
        acts = json.loads(text)
    except ValueError:
        acts = None
    if not isinstance(acts, list) or not all(_is_act(act) for act in acts):
        raise BadInput(
            "bad_acts", Phrase("These are no entries of a tablet. Reload the page."), path="acts", status=400
        )
    return acts


def _in_english(acts: list[WaitingAct]) -> list[WaitingAct]:
    """The acts as the journal has them: a button's words are those of its reader, an act's title is English."""
    if translation.get_language() == settings.LANGUAGE_CODE:
        return acts
    titles = {slug: act.title for slug, act in ACTS.items()}
    return [{**act, "title": str(titles.get(act["act"]) or act["act"])} for act in acts]


def _is_act(act: Any) -> bool:
    if not isinstance(act, dict) or set(act) != _KEYS or type(act["version"]) is not int:
        return False
    typed = act["typed"]
    if not isinstance(typed, list) or len(typed) > MOST_LABELS:
        return False
    pairs = [part for pair in typed if isinstance(pair, list) and len(pair) == 2 for part in pair]
    texts = [*(act[key] for key in _KEYS - {"typed", "version"}), *pairs]
    return len(pairs) == 2 * len(typed) and all(
        isinstance(text, str) and len(text) <= TEXT_LENGTH for text in texts
    )
