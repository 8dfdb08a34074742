"""Composes e-mails to subscribers: plain text, the answer first, what differs named, and where to read on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.conf import settings

from cardroom.documents.document import Kind, Mark, ReportDocument
from cardroom.documents.formatting import cell_text, formatted
from cardroom.drop.models import VarianceNote
from games.money import dollars

from ..models import SignedCheckpoint, Subscription

#: The text of a verdict is in the subject too, up to this length.
MOST_OF_SUBJECT = 80
#: Lines of a list; of the others it says how many there are.
MOST_LINES = 20
#: Tables of a report that are in the e-mail too, where it has them.
_GRIDS = ("changes", "differences", "over_limit")
#: Those whose lines are aligned under each other, as sums.
_LADDERS = ("drop_ladder", "jackpot_ladder")
#: The sign after an answer that needs attention, and what it means.
_SIGNS = {Mark.STOP: ("  (!)", "(!) is not as it must be."), Mark.LOOK: ("  (*)", "(*) is to be looked at.")}


class EmailText(NamedTuple):
    """Subject and body."""

    subject: str
    body: str


def report_text(document: ReportDocument, path: str, subscription: Subscription) -> EmailText:
    """Return the words about a report: its verdict in the subject, its answers, what a restatement changes, what differs.

    `path` is its place on the site.
    """
    [verdict] = [answer for answer in document.answers if answer.name == "verdict"]
    text = f": {verdict.text}" if 0 < len(verdict.text) <= MOST_OF_SUBJECT else ""
    subject = f"{document.room}: {document.title}, {document.period} – {verdict.value}{text}"
    lines = [f"{document.title} of {document.room}", document.period, ""]
    width = max(len(answer.label) for answer in document.answers)
    for answer in document.answers:
        sign = _SIGNS.get(answer.mark, ("", ""))[0]
        value = formatted(answer.value, answer.kind, document.zone)
        lines.append(f"{answer.label:<{width}}  {value}{f', {answer.text}' if answer.text else ''}{sign}")
    marks = {answer.mark for answer in document.answers}
    lines += [meant for mark, (_, meant) in _SIGNS.items() if mark in marks]
    for name in _LADDERS:
        lines += _ladder_lines(document, name)
    for name in _GRIDS:
        lines += _grid_lines(document, name)
    lines += ["", "The whole report is attached, with lines to sign.", *_feet(path, subscription)]
    return _text(subject, lines)


def variance_text(note: VarianceNote, path: str, subscription: Subscription) -> EmailText:
    """Return the words about a variance that was not explained in time."""
    check = note.variance_check
    box = check.box
    short = "short" if check.difference_cents < 0 else "over"
    difference = dollars(abs(check.difference_cents))
    lines = [
        f"{box} of {box.table}, {box.shift}, is {difference} {short}, and nobody has explained it.",
        "",
        f"Expected  {dollars(check.expected_cents)}",
        f"Counted   {dollars(check.counted_cents)}",
        f"Checked   {formatted(check.made_at, Kind.INSTANT, note.room.zone)}",
        f"Owner     {note.owner or 'nobody yet'}",
        "",
        note.text,
        *_feet(path, subscription),
    ]
    return _text(f"{note.room}: variance of {difference} at {box.table}, {box.shift}, not explained", lines)


def checkpoint_text(checkpoint: SignedCheckpoint, path: str, subscription: Subscription) -> EmailText:
    """Return the words about a signed checkpoint, which is attached."""
    lines = [
        f"{checkpoint}, {checkpoint.get_cause_display()}.",
        "",
        f"Signed       {formatted(checkpoint.made_at, Kind.INSTANT, checkpoint.room.zone)}",
        f"Fingerprint  {checkpoint.hash}",
        "",
        "The checkpoint is attached. Keep it where the room cannot change it: `manage.py verify --against` and the page for",
        "inspectors compare the room's records with it.",
        *_feet(path, subscription),
    ]
    return _text(f"{checkpoint.room}: checkpoint {checkpoint.number}", lines)


def _ladder_lines(document: ReportDocument, name: str) -> Iterator[str]:
    grid = document.grid(name)
    if grid is None:
        return
    yield from ("", f"{grid.title}:")
    lines = [[cell_text(row, column, document.zone) for column in grid.columns] for row in grid.rows]
    wide, amount = (max(len(line[at]) for line in lines) for at in (0, 1))
    for line, cents, detail in lines:
        yield f"{line:<{wide}}  {cents:>{amount}}  {detail}".rstrip()


def _grid_lines(document: ReportDocument, name: str) -> Iterator[str]:
    grid = document.grid(name)
    if grid is None or not grid.rows:
        return
    yield from ("", f"{grid.title}:")
    for row in grid.rows[:MOST_LINES]:
        values = (
            f"{column.heading.lower()} {cell_text(row, column, document.zone)}" for column in grid.columns
        )
        yield f"- {', '.join(values)}"
    if len(grid.rows) > MOST_LINES:
        yield f"- and {len(grid.rows) - MOST_LINES} more, in the report"


def _feet(path: str, subscription: Subscription) -> Iterator[str]:
    if settings.PUBLIC_URL is not None:
        yield f"On the site: {settings.PUBLIC_URL}{path}"
    yield ""
    yield (
        f"You get {subscription.get_what_display()} because {subscription.made_by} subscribed {subscription.reader}. "
        "Whoever keeps the subscriptions of the room can end that."
    )


def _text(subject: str, lines: list[str]) -> EmailText:
    """A subject is one line, even if the name of a room or shift is not."""
    return EmailText(" ".join(subject.split()), "\n".join(lines) + "\n")
