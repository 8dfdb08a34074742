"""The typeface that the site serves: which signs it has, and that pages, the admin's too, take it and may load it."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from django.contrib.staticfiles import finders
from django.test import Client

from tests.cast import Cast

PROJECT = Path(__file__).resolve().parents[3]
STATIC = PROJECT / "cardroom" / "web" / "static" / "web"
SCRIPT = (PROJECT / "docs" / "typeface.sh").read_text(encoding="utf-8")


def ranges(listed: str) -> set[int]:
    """The code points of "U+0020-007E,U+2212"."""
    found: set[int] = set()
    for part in listed.replace(" ", "").removeprefix("U+").split(",U+"):
        first, _, last = part.partition("-")
        found |= set(range(int(first, 16), int(last or first, 16) + 1))
    return found


def made_of(name: str) -> set[int]:
    [listed] = re.findall(rf"^{name}=(.*)$", SCRIPT, re.MULTILINE)
    return ranges(listed)


def test_every_sign_of_the_pages_is_served_with_them() -> None:
    """Letters that a font of the device may draw (Han) are left to it; a sign that it lacks would be an empty box."""
    known = made_of("LATIN") | made_of("SUITS") | made_of("SIGNS")
    sources = [
        *(PROJECT / "templates").rglob("*.html"),
        *STATIC.rglob("*.js"),
        *STATIC.rglob("*.css"),
        *(PROJECT / "cardroom" / "web").rglob("*.py"),
    ]
    missing = {
        (sign, source.name)
        for source in sources
        for sign in source.read_text(encoding="utf-8")
        if ord(sign) > 126 and unicodedata.category(sign)[0] in "SPL" and ord(sign) not in known
        if not 0x2E80 <= ord(sign) <= 0xFFEF
    }
    assert missing == set()


def test_the_signs_have_their_range_and_every_vietnamese_letter_is_there() -> None:
    sheet = (STATIC / "parts" / "typeface.css").read_text(encoding="utf-8")
    [listed] = re.findall(r"unicode-range: ([^;]+);", sheet)
    assert ranges(listed) == made_of("SIGNS")
    assert {ord(letter) for letter in "ĂăĐđƠơƯưẠạẢảẤấỆệỘộỢợỰựỸỹ"} <= made_of("LATIN")


def test_pages_and_the_admin_take_the_typeface_and_may_load_it(cast: Cast) -> None:
    client = Client()
    person = cast.people["room_manager"]
    person.is_staff = person.is_superuser = True
    person.save()
    client.force_login(person)
    for address in (f"/tables/{cast.table.pk}/", "/admin/"):
        page = client.get(address, follow=True)
        assert "web/parts/typeface.css" in page.content.decode(), address
        policy = page.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "font-src" not in policy or "font-src 'self'" in policy
    for name in ("text.woff2", "signs.woff2", "text-licence.md", "signs-licence.txt"):
        assert finders.find(f"web/fonts/{name}"), name
    assert "fonts/text" in client.get("/sw.js").content.decode()  # there while the tablet is offline
