"""The words of the floor: no text that staff read uses a word that casinos do not use for the thing.

`tests.web.texts` reads the sources of pages, PDFs, report documents, alerts, emails and refusals; a page as it is
drawn is checked against the same list. Codes, addresses and names of the API are no texts and stay.
"""

from __future__ import annotations

import functools
import re

from tests.web.texts import texts

#: What is not said, and what is said instead.
NOT_SAID = {
    r"last bets again": "Repeat bets",
    r"stands ready again": "last bet",
    r"may win \$": "max payout",
    r"may not…|may not bank": "ineligible",
    r"away when offered|away from the table|^away$": "absent",
    r"bank.s wager|puts? up (a|the|its|no) ": "player-dealer wager",
    r"bank goes on": "same banker",
    r"other commands": "Table actions",
    r"\bacts? (sent|is|are|was|were|waits?|that)\b|\ban command\b|\bthis command\b": "entry",
    r"found face up while|has a wrong number of cards": "boxed card, misdeal, fouled hand",
    r"looked? (it |them )?over": "deck inspected",
    r"turn(ed)? up": "expose dealer card",
    r"\bserves\b": "in play",
    r"^no line|without (a|its) line$|line (is|was) (back|down|lost)": "Offline, Back online",
    r"\breckon": "calculated",
    r"yours to do|of the floor signs": "Not authorized, Floor approval",
    r"what this moves|what moved$": "Preview, Chip movements",
    r"leave it as it is|look again|decide anew|has moved on": "Cancel, review and try again",
    r"boxes on( tables)?$|take off the": "Set boxes, Pull boxes",
    r"count stands|hand in the": "Count verified, Submit count 1",
    r"\bweighed\b|box weighings|weigh (it|a|again)": "Variance check",
    r"counted less expected": "Over / (short)",
    r"differences between ways": "Cross-check",
    r"not known$": "Pending: a figure that is not there yet",
    r"given back$|gives? back": "Refunded",
    r"into the drop(,|$)": "Drop",
    r"another rule held": "Rule comparison",
    r"fees computed again": "Fee audit",
    r"one by one$": "Round log",
    r"days and months": "Daily and monthly",
    r"\bby eye\b": "Not carded",
    r"^brought$|no part because": "Pooled, Excluded because",
    r"tak(e|es|en) back\b": "Reverse, Undo, Reopen bets",
    r"screen of its own": "Full-screen floor view",
    r"need a look": "Attention",
    r"over sinc[e]|hold[s] on$": "cleared, ongoing",
    r"asked again and again": "Scheduled jobs",
    r"\be-mail": "email",
    r"\b(broker|celery|redis|valkey|heartbeat|sha-?256)\b|(?<!bad )\bbeat (is|and|asks)|\bworkers?\b|\bhash(es)? of": "how the server works",
    r"%H:%M|^(l, |D, )?(F|M) j|toLocaleTimeString\(\[\]": "9:14 PM, Sat Nov 21, 2026",
}
#: Places of a text that names such a word for a reason, by the beginning of the place.
ALLOWED = {
    "cardroom/api/": "documents and fields of the API, read by developers",
    "cardroom/core/counters.py": "names of metrics",
    "cardroom/floor/reads/feed.py": "documents and fields of the API, read by developers",
    "cardroom/jobs/": "models and messages of the job queue, for the server's log",
    "cardroom/floor/notify.py": "the server's log",
    "cardroom/web/live/event_hub.py": "the server's log",
    "cardroom/reports/background/overview.py": "the server's log",
    "cardroom/drop/verification.py": "findings of `manage.py verify`",
    "cardroom/reports/verification/verify.py": "findings of `manage.py verify`",
    "cardroom/floor/journal": "findings of `manage.py verify`",
    "cardroom/floor/models/": "help texts of columns, for readers of the database",
    "cardroom/web/urls.py": "addresses",
}
#: All of it at once: most texts match nothing, and are passed over in one search.
ANY = re.compile("|".join(NOT_SAID), re.IGNORECASE)
#: A code or an address: no blank in it, and nothing but small letters, digits and marks.
CODE = re.compile(r"[a-z0-9_./<>:{}=*\[\]#$@-]*")


@functools.cache
def sources() -> tuple[tuple[str, str], ...]:
    """Every text with its place, read once."""
    return tuple(texts())


def said_wrongly(text: str) -> list[str]:
    if not ANY.search(text.strip()):
        return []
    return [
        f"“{found[0]}” (say: {say})"
        for pattern, say in NOT_SAID.items()
        if (found := re.search(pattern, text.strip(), re.IGNORECASE))
    ]


def test_no_text_of_the_sources_uses_a_word_that_casinos_do_not() -> None:
    found = [
        f"{place}: {wrong} in {text.strip()[:80]!r}"
        for place, text in sources()
        if not CODE.fullmatch(text) and not place.startswith(tuple(ALLOWED))
        for wrong in said_wrongly(text)
    ]
    assert not found, "\n".join(found)


def test_the_texts_are_read_from_all_kinds_of_sources() -> None:
    """Else the test above would hold of nothing."""
    read = {place.rsplit(":", 1)[0]: text for place, text in sources()}
    assert {
        "templates/web/table/steps/offer.html",
        "cardroom/web/static/web/table/offline/outbox.js",
        "cardroom/floor/checks/rounds.py",
        "cardroom/reports/stored/document.py",
        "games/three_card_poker/procedures/california.toml",
    } <= set(read)
    assert (
        said_wrongly("The line is back")
        and said_wrongly("Fees given back")
        and not said_wrongly("Repeat bets")
    )
