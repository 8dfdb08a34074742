"""No page shows a link that leads whoever sees it to a refusal: every page is walked as every role."""

from __future__ import annotations

import collections
import html
import re
from collections.abc import Iterator
from urllib.parse import urljoin

import pytest
from django.test import Client
from django.utils import timezone

from cardroom.floor.alerts import alert_raise
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.execution.locks import locked
from cardroom.floor.execution.transactions import TableTransaction
from cardroom.floor.models import Alert, Shift, Table
from cardroom.people.models import Role, Staff
from cardroom.reports.tasks import make_due_reports
from tests.cast import Cast
from tests.kept import kept
from tests.reports.played_shift import played_cast

pytestmark = [pytest.mark.django_db, pytest.mark.outside]

_LINK = re.compile(r'<a\b[^>]*?\bhref="([^"#]+)[^"]*"')
#: What says in a page's address how one of its grids is shown (cardroom/web/parts/grid_view.py).
_GRID = re.compile(r".*-(page|sort|find|only|size)$")
#: What a page shows that is there and refuses its reader all the same: which roles may do what it is for.
_REFUSED = re.compile(r'class="banner stop".{0,300}Not authorized', re.DOTALL)


@pytest.fixture
def cast(db: None) -> Cast:
    """A room with a closed and reported shift and an open one, and something of everything that pages link to."""
    return kept(_linked_cast)


@pytest.fixture(autouse=True)
def papers_undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer with an empty PDF, once the view has let its reader in: a paper links nowhere, and its tests draw it."""
    monkeypatch.setattr("cardroom.web.placards.views.placard_pdf", lambda *_, **__: b"%PDF-1.4")
    for module in ("documents.pdf", "web.rotation.files", "web.count.sheet_pdf"):
        monkeypatch.setattr(f"cardroom.{module}.printout", lambda *_, **__: b"%PDF-1.4")


def _linked_cast() -> Cast:
    cast = played_cast()
    cast.game  # noqa: B018  # is filed when it is asked for
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=Shift.objects.get().pk)
    make_due_reports()
    cast.send_room(shift_open, "shift_manager", name="Late")
    with locked(Table, cast.table.pk) as table:
        tx = TableTransaction(table=table, actor=cast.people["dealer"], now=timezone.now())
        alert_raise(tx, Alert.Kind.TABLE_IDLE, "", "Players wait.")
    # As in a room: lets its manager into the admin.
    Staff.objects.filter(pk=cast.people["room_manager"].pk).update(is_staff=True)
    return cast


def links(page: str, address: str) -> Iterator[str]:
    """Addresses of this site to which the page at `address` links, without what scrolls inside a page.

    Lists of the admin, filtered and sorted by every column, are left out: they are the list itself.
    """
    for found in _LINK.findall(page):
        linked = urljoin(address, html.unescape(found))
        if linked.startswith("/admin/") and "?" in linked:
            continue
        if linked.startswith("/") and not linked.startswith(("//", "/static/")):
            yield linked


def kinds(address: str) -> set[str]:
    """What an address has in common with those that differ from it in a number or a question alone.

    A report's file asks for the right of its page, which is opened for every report, whatever its form: of the files
    one of each form is opened, and one of each form of question. How the grids of a page are sorted, filtered and parted
    is one form, whichever grids: they are the page itself, in more ways than can be walked.
    """
    path, _, query = address.partition("?")
    names = "&".join(sorted({_GRID.sub("grid", name) for name in re.findall(r"(?:^|&)([^=&]+)=", query)}))
    file = re.fullmatch(r"(.*/)[^/]+\.(csv|json|pdf|xlsx)", re.sub(r"\d[\d-]*", "N", path))
    if file is None:
        return {re.sub(r"\d[\d-]*", "N", path) + (f"?{names}" if names else "")}
    return {f"{file[1]}*.{file[2]}", f"{file[1]}*?{names}"}


@pytest.mark.parametrize("role", [str(role) for role in Role])
def test_no_link_that_a_page_shows_leads_to_a_refusal(cast: Cast, role: str) -> None:
    client = Client()
    client.force_login(cast.people[role])
    seen: set[str] = set()
    opened: set[str] = set()
    refused: list[str] = []
    waiting = collections.deque([("/", "signing in")])
    while waiting:
        address, shown_by = waiting.popleft()
        if kinds(address) <= seen:
            continue
        opened.add(address)
        seen |= kinds(address)
        answer = client.get(address, follow=True)
        reached = answer.redirect_chain[-1][0] if answer.redirect_chain else address
        is_page = answer["Content-Type"].startswith("text/html") and not answer.streaming
        page = answer.content.decode() if is_page else ""
        if answer.status_code >= 400 or "/login/" in reached or _REFUSED.search(page):
            refused.append(f"{shown_by} links to {address}: {answer.status_code} at {reached}")
        waiting.extend((each, reached) for each in links(page, reached))
    assert not refused
    at_the_counter = (Role.COUNT, Role.SUPPORT, Role.PROVIDER_LEAD)  # who see few pages
    assert len(opened) >= (1 if role in at_the_counter else 8), sorted(opened)
