"""People of the cast at a browser that runs no script: forms are read from the page and posted unchanged."""

from __future__ import annotations

import html.parser
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from cardroom.floor.models import Table
from tests.cast import Cast

#: The tags that `Form` reads, a textarea with its text: the rest of a page, nine parts in ten, is passed over by one expression.
_TAGS = re.compile(
    r"""<(?:/?form|/?select|option|input)\b(?:[^>"']|"[^"]*"|'[^']*')*>|<textarea\b[^>]*>[^<]*</textarea>"""
)


class Form(html.parser.HTMLParser):
    """A form of a page by its address: what its fields hold, as a browser would send them."""

    def __init__(self, page: str, action: str) -> None:
        super().__init__()
        self.action, self.fields = action, dict[str, str]()
        self._id: str | None = None
        self._inside = False
        self._select: str | None = None
        self._text: tuple[dict[str, str], list[str]] | None = None
        self._outside: list[tuple[str, str, str]] = []
        self.found = False
        self.feed("".join(_TAGS.findall(page)))
        if not self.found:
            raise AssertionError(f"the page has no form for {action}")
        for owner, name, value in self._outside:
            if owner == self._id:
                self.fields.setdefault(name, value)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attributes}
        if tag == "form":
            self._inside = not self.found and has.get("action", "").endswith(self.action)
            if self._inside:
                self.found, self._id = True, has.get("id")
        elif tag == "select":
            self._select = has["name"]
        elif tag == "textarea":
            self._text = has, []
        elif tag == "option" and "selected" in has and self._select:
            self._note(has, self._select, has.get("value", ""))
        elif tag == "input" and "name" in has and "disabled" not in has:
            if has.get("type") in ("radio", "checkbox") and "checked" not in has:
                return
            self._note(has, has["name"], has.get("value", "on" if has.get("type") == "checkbox" else ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = False
        elif tag == "select":
            self._select = None
        elif tag == "textarea" and self._text is not None:
            has, parts = self._text
            # A browser drops the line break right behind the tag.
            self._note(has, has["name"], "".join(parts).removeprefix("\n"))
            self._text = None

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text[1].append(data)

    def _note(self, has: dict[str, str], name: str, value: str) -> None:
        if "form" in has:
            self._outside.append((has["form"], name, value))
        elif self._inside:
            self.fields[name] = value


class Person:
    """Somebody of the cast at a browser."""

    def __init__(self, cast: Cast, who: str) -> None:
        self.cast = cast
        self.client = Client()
        self.client.force_login(cast.people[who])
        self.page: Any = None

    def open(self, address: str) -> HttpResponse:
        """Open a page; it stays open until the next."""
        self.page = self.client.get(address, follow=True)
        return self.page

    @property
    def text(self) -> str:
        return self.page.content.decode()

    def post(self, address: str, form: str | None = None, /, **typed: str) -> Any:
        """Fill in the open page's form (`form`, or the one for the address) and post it; follow where it leads."""
        fields = {**Form(self.text, form or address).fields, **typed}
        self.page = self.client.post(address, fields, follow=True)
        return self.page

    def command(self, slug: str, table: Table | None = None, /, **typed: str) -> Any:
        """Give a command on the table page that is open."""
        address = f"/tables/{(table or self.cast.table).pk}/commands/{slug}/"
        return self.post(address, "/commands/bets/" if slug == "no-more-bets" else None, **typed)

    def at_table(self, table: Table | None = None) -> Any:
        """Open the table page."""
        return self.open(f"/tables/{(table or self.cast.table).pk}/")


@pytest.fixture
def person(cast: Cast) -> Callable[[str], Person]:
    """Sit somebody down at a browser: `person("dealer")`."""
    return lambda who: Person(cast, who)
