"""Printouts of the site: every page says which room, which period, who printed it when, and how many pages there are."""

from __future__ import annotations

from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph

from cardroom.documents.pdf_layout import printout
from tests.pdf_text import pages_of

SAID = {
    "title": "Rotation of the bank, Table 7",
    "room": "Alder Creek",
    "period": "gaming day 2026-11-20",
    "printed_by": "Ines Inspector",
    "printed_at": "2026-11-21 09:14:05 PST",
}


def _pages(*words: str) -> list[str]:
    style = getSampleStyleSheet()["Normal"]
    story = [flowable for word in words for flowable in (Paragraph(word, style), PageBreak())]
    return pages_of(printout(**SAID, story=story))


def test_every_page_names_room_period_printer_and_its_place() -> None:
    pages = _pages("first words", "words in the middle", "last words")
    assert len(pages) == 3
    for number, page in enumerate(pages, start=1):
        assert "Rotation of the bank, Table 7" in page
        assert "Alder Creek · gaming day 2026-11-20" in page
        assert "Printed 2026-11-21 09:14:05 PST by Ines Inspector" in page
        assert f"Page {number} of 3" in page


def test_the_story_stands_on_its_pages_in_order() -> None:
    pages = _pages("first words", "last words")
    assert "first words" in pages[0] and "last words" not in pages[0]
    assert "last words" in pages[1] and "Page 2 of 2" in pages[1]


def test_the_same_words_are_the_same_paper_to_the_byte() -> None:
    style = getSampleStyleSheet()["Normal"]
    made = {printout(**SAID, story=[Paragraph("words", style)]) for _ in range(2)}
    assert len(made) == 1
