"""Every report answers its question in one sentence, of a time in which nothing was played too, from figures that it shows."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator

import pytest

from cardroom.documents.answering import LONGEST, Told, off_text, sentence_of
from cardroom.documents.document import Answer, Kind, Mark, ReportDocument
from cardroom.documents.export import data_of
from cardroom.documents.formatting import formatted, several
from cardroom.documents.pdf import pdf_of
from cardroom.people.rights import Right
from cardroom.reports.catalogue.questions import REPORTS
from cardroom.reports.providers.statement import statement_report
from cardroom.reports.queries.query import Report
from tests.cast import Cast
from tests.documents.samples import document
from tests.kept import kept
from tests.pdf_text import pages_of
from tests.reports.house import House
from tests.reports.played_shift import drawn, played_cast, question

_NUMBER = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?")


@pytest.fixture
def played(db: None) -> Cast:
    return played_cast()


def house_played() -> House:
    """A room whose house banks, with a tray that is not closed."""
    house = House()
    house.open()
    house.slip("opener", 100_000)
    return house


def printed(document: ReportDocument, name: str) -> Iterator[str]:
    """What the document prints of a figure that a sentence names; fails where it has none of that name."""
    answers = {answer.name: answer for answer in document.answers}
    if name in answers:
        answer = answers[name]
        yield from (answer.label, formatted(answer.value, answer.kind, document.zone))
        return
    table, _, column = name.partition(".")
    grid = document.grid(table)
    assert grid is not None, f"{document.name} has no figure {name}"
    kinds = {each.name: each.kind for each in grid.columns}
    if column:
        yield formatted((grid.totals or {})[column], kinds[column], document.zone)
        return
    yield from (grid.text, str(len(grid.rows)), f"{sum(row.mark is Mark.LOOK for row in grid.rows)}")
    for row in grid.rows:
        yield from (formatted(value, kinds[each], document.zone) for each, value in row.values.items())


def check(document: ReportDocument) -> None:
    """The sentence is one, not long, names figures of the document, and has no number that is none of them."""
    sentence = document.sentence
    assert sentence is not None
    assert 0 < len(sentence.text) <= LONGEST and not sentence.text.endswith(".")
    assert sentence.text[0].isupper() or sentence.text[0] in "$0123456789"
    assert sentence.figures, f"{document.name} names no figure"
    shown = " ".join(text for name in sentence.figures for text in printed(document, name))
    assert set(_NUMBER.findall(sentence.text)) <= set(_NUMBER.findall(shown)), sentence.text
    for word in ("None", "player:"):
        assert word not in sentence.text


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_answers_its_question_from_its_own_figures_and_where_nothing_was_played(
    played: Cast, name: str
) -> None:
    check(of_play := drawn(played, name))
    before = question(played, name).first - datetime.timedelta(days=30)
    check(of_nothing := drawn(played, name, first=before, last=before))
    if name in (
        "days",
        "breakdown",
        "collection",
        "count",
        "fee-audit",
        "rotation",
        "coverage",
        "rounds",
        "people",
    ):
        assert of_play.sentence != of_nothing.sentence


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_of_a_house_that_banks_answers_too(db: None, name: str) -> None:
    check(drawn(kept(house_played), name))


def test_a_statement_answers_too(played: Cast) -> None:
    report = statement_report(played.room.providers.get())
    query = question(played, "rounds")
    check(report.draw(query))


def test_a_report_cannot_be_declared_without_an_answer() -> None:
    with pytest.raises(TypeError, match="answer"):
        Report("a", "A", "What?", Right.SEE_REPORTS, lambda query: document())  # type: ignore[call-arg]


def test_a_sentence_notes_the_figures_that_it_names_and_refuses_others() -> None:
    of = document(
        answers=[
            Answer("off_cents", "Off", -300, Kind.MONEY),
            Answer("rounds", "Rounds", 1, Kind.COUNT),
            Answer("win_cents", "Win", None, Kind.MONEY),
        ]
    )
    sentence = sentence_of(
        of, lambda told: f"{told.several('rounds', 'round')}, {off_text(told, 'off_cents')}"
    )
    assert (sentence.text, sentence.figures) == ("1 round, $3 short", ("rounds", "off_cents"))
    assert off_text(Told(of), "win_cents") == "not known yet"
    with pytest.raises(KeyError):
        Told(of).text("drop_cents")


def test_a_count_stands_with_its_word() -> None:
    assert [several(count, "box") for count in (1, 3)] == ["1 box", "3 boxes"]
    assert [several(2, word) for word in ("person", "entry", "day")] == ["2 people", "2 entries", "2 days"]


def test_the_sentence_heads_pdf_and_data(played: Cast) -> None:
    document = drawn(played, "fee-audit")
    assert document.sentence is not None
    text = pages_of(pdf_of(document, printed_by="Ines", printed_at="now"))[0]
    assert document.sentence.text in " ".join(text.split())
    assert data_of(document)["sentence"] == document.sentence.text
