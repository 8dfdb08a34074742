"""Languages of pages that players read: which one an address asks for, and texts of the rules in it."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext as _

from cardroom.floor.models import Table
from games.notices import Phrase

#: How a paytable says what a hand pays: "40 to 1", "500 for 1".
_PAYS = re.compile(r"(?P<odds>[\d,]+(?:\.\d+)?) (?P<way>to|for) (?P<one>\d+)")


def language_asked(request: HttpRequest) -> str:
    """Return the language of `?language=`; English where that names none of `LANGUAGES`."""
    asked = request.GET.get("language", "")
    return asked if asked in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def in_own_language(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Have a view answer in the language that the person signed in has chosen; English where the site has it no more."""

    @functools.wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        chosen = getattr(request.user, "language", "")
        language = chosen if chosen in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
        with translation.override(language):
            return view(request, *args, **kwargs)

    return answer


def table_called(table: Table) -> str:
    """The name of a table in the active language."""
    return _("Table %(number)s") % {"number": table.number}


def translated(text: str) -> str:
    """Return a text of the rules in the active language: a phrase by its template, with its phrases translated too.

    Names that a room or a game has given, figures and amounts stand as they are.
    """
    if not text:
        return text
    if isinstance(text, Phrase):
        template = _(text.template)
        parts = {name: translated(part) for name, part in text.parts.items() if isinstance(part, Phrase)}
        return template.format(**{**text.parts, **parts}) if text.parts else template
    return text


def hand_in_words(hand: str) -> str:
    """A hand of a paytable in the active language; `game_words` lists them."""
    return _(hand)


def pays_in_words(pays: str) -> str:
    """What a hand pays in the active language: "40 to 1", "500 for 1", "100% of the meter"."""
    found = _PAYS.fullmatch(pays)
    if found is None:
        return _(pays)
    text = _("%(odds)s to %(one)s") if found["way"] == "to" else _("%(odds)s for %(one)s")
    return text % {"odds": found["odds"], "one": found["one"]}
