"""Views for a tablet that goes offline: its service worker, and where commands that were set aside go."""

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

from cardroom import web
from cardroom.floor.commands.set_aside import MOST_LABELS, TEXT_LENGTH, WaitingCommand, commands_set_aside
from cardroom.floor.errors import BadInput, FloorError
from games.phrases import Phrase

from ..parts.access import table_for
from ..parts.command_headers import meta_of
from ..parts.languages import in_own_language, translated
from .answer_header import answered
from .commands import COMMANDS

_STATIC = Path(web.__file__).resolve().parent / "static" / "web"
#: Kinds of files that a tablet keeps; the pictures of the guides are none.
_KEPT = {".js", ".css", ".svg", ".woff2"}
_KEYS = WaitingCommand.__required_keys__


@require_GET
def service_worker(request: HttpRequest) -> HttpResponse:
    """Serve the service worker at the root of the site, so that it is in charge of all pages.

    Its text names every static file by its present address: it changes with them, and only with them.
    """
    paths = (path for path in _STATIC.rglob("*") if path.suffix in _KEPT)
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
    response = render(request, "web/table/sw.js", context, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response


@login_required
@require_POST
@answered
@in_own_language
def set_aside(request: HttpRequest, table_id: int) -> HttpResponse:
    """Note commands that waited on a tablet and that a user sets aside. Answers in plain text, for the panel to show."""
    table = table_for(request, table_id)[0]
    try:
        commands = _commands_of(request.POST.get("commands", ""))
        commands_set_aside(
            meta_of(request), table.pk, reason=request.POST.get("reason", ""), commands=_in_english(commands)
        )
    except FloorError as error:
        return HttpResponse(translated(error.message), content_type="text/plain", status=error.status)
    return HttpResponse(_("Set aside and noted."), content_type="text/plain")


def _commands_of(text: str) -> list[WaitingCommand]:
    """Read the commands as `conflict.js` writes them. Raises BadInput for anything else."""
    try:
        commands = json.loads(text)
    except ValueError:
        commands = None
    if not isinstance(commands, list) or not all(_is_command(command) for command in commands):
        raise BadInput(
            "bad_commands",
            Phrase("These are no entries of a tablet. Reload the page."),
            path="commands",
            status=400,
        )
    return commands


def _in_english(commands: list[WaitingCommand]) -> list[WaitingCommand]:
    """The commands as the journal has them: a button's words are those of its reader, a command's title is English."""
    if translation.get_language() == settings.LANGUAGE_CODE:
        return commands
    titles = {slug: command.title for slug, command in COMMANDS.items()}
    return [
        {**command, "title": str(titles.get(command["command"]) or command["command"])}
        for command in commands
    ]


def _is_command(command: Any) -> bool:
    if not isinstance(command, dict) or set(command) != _KEYS or type(command["version"]) is not int:
        return False
    typed = command["typed"]
    if not isinstance(typed, list) or len(typed) > MOST_LABELS:
        return False
    pairs = [part for pair in typed if isinstance(pair, list) and len(pair) == 2 for part in pair]
    texts = [*(command[key] for key in _KEYS - {"typed", "version"}), *pairs]
    return len(pairs) == 2 * len(typed) and all(
        isinstance(text, str) and len(text) <= TEXT_LENGTH for text in texts
    )
