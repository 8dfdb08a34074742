"""Languages of pages that players read: which one an address asks for, and texts of the rules in it."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from cardroom.floor.models import Table
from games import words
from games.phrases import Phrase, first_letter
from games.registry import GAMES

from .floor_words import SENTENCES

#: A part of a template.
_PART = re.compile(r"\{\w+\}")
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
    return translated(table)


def translated(said: object) -> str:
    """Return a text of the rules or the floor in the active language: a phrase by its template, its phrases too.

    Names that a room or a game has given, figures and amounts are not translated. What is no text is named by its `str`.
    """
    text = said if isinstance(said, str) else str(said)
    if not text:
        return text
    if isinstance(text, Phrase):
        if translation.get_language() == settings.LANGUAGE_CODE:
            return str(text)  # the language that it is written in
        template = _(text.template) if text.forms is None else ngettext(*text.forms)
        if template == text.template and not text.parts:
            return found_again(text)
        parts = {name: translated(part) for name, part in text.parts.items() if isinstance(part, Phrase)}
        says = template.format(**{**text.parts, **parts}) if text.parts else template
        return first_letter(says, text.first) if text.first else says
    return text


def format_choices(choices: Iterable[tuple[Any, str]]) -> list[tuple[Any, str]]:
    """The choices of a field with their words in the active language."""
    return [(value, translated(words)) for value, words in choices]


def stored(text: str) -> str:
    """A text that is stored in English, such as the reason of a line of a settlement, in the active language."""
    return translated(Phrase(text)) if text else text


def found_again(text: str) -> str:
    """Find the template of a stored text by its English, and return the text in the active language, its parts too.

    A text that no template of the floor, of `games.words` or of a game fits, such as a name, is returned as it is.
    """
    if translation.get_language() == settings.LANGUAGE_CODE:
        return str(text)
    if "; " in text:
        return "; ".join(stored(part) for part in text.split("; "))
    if " + " in text:
        return " + ".join(stored(part) for part in text.split(" + "))
    if _PAYS.fullmatch(text):
        return format_pays(text)
    for pattern, forms in _templates():
        if found := pattern.fullmatch(text):
            one, *many = forms
            template = ngettext(one, many[0], int(found["n"])) if many else _(one)
            return template.format(**{name: stored(part) for name, part in found.groupdict().items()})
    return str(text)


@functools.cache
def _templates() -> list[tuple[re.Pattern[str], tuple[str, ...]]]:
    """The English of stored texts as patterns, each with its template or its plural forms; what says most comes first."""
    sentences = [*SENTENCES, *words.SENTENCES, *(each for game in GAMES for each in game.sentences)]
    forms = [each.forms[:2] if each.forms else (each.template,) for each in sentences]
    said = [(template, of) for of in forms for template in of if "{" in template]
    said.sort(key=lambda each: (-len(_PART.sub("", each[0])), each[0]))
    return [(re.compile("".join(_patterns(template))), of) for template, of in said]


def _patterns(template: str) -> Iterator[str]:
    """A template's regular expression piece by piece: its literal text, and a group for each placeholder."""
    for rest, part in re.findall(r"([^{]*)(?:\{(\w+)\})?", template):
        yield re.escape(rest)
        if part:
            yield rf"(?P<{part}>.+?)"


def format_hand(hand: str) -> str:
    """A hand of a paytable in the active language; each is a phrase where its game names it."""
    return _(hand)


def format_pays(pays: str) -> str:
    """What a hand pays in the active language: "40 to 1", "500 for 1", "100% of the meter"."""
    found = _PAYS.fullmatch(pays)
    if found is None:
        return _(pays)
    text = _("%(odds)s to %(one)s") if found["way"] == "to" else _("%(odds)s for %(one)s")
    return text % {"odds": found["odds"], "one": found["one"]}
