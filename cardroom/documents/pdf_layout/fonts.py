"""Fonts of PDFs: built-in Helvetica, and embedded fonts for text that Helvetica lacks.

DejaVu Sans Condensed has Latin with all its marks, Greek and Cyrillic; Droid Sans Fallback has Han. A file embeds the
letters of them that it uses. Text that they lack too (Thai), or that needs right-to-left layout (Arabic, Hebrew), is
transliterated to Latin letters between « and », which mark it as a transliteration.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from anyascii import anyascii
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

PLAIN: Final = "Helvetica"
BOLD: Final = "Helvetica-Bold"

_FONTS: Final = Path(__file__).parent / "typefaces"
_DEJAVU: Final = {PLAIN: "DejaVuSansCondensed", BOLD: "DejaVuSansCondensed-Bold"}
#: Regular alone: bold text in Han is set in it too.
_HAN: Final = "DroidSansFallback"
_HAN_LETTERS: Final = re.compile("([\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+)")
#: Blanks are kept, so that lines wrap as they would without a change of font.
_WORDS: Final = re.compile(r"\s+|\S+")
_RIGHT_TO_LEFT: Final = ("R", "AL")


def fonts_of(language: str) -> tuple[str, str]:
    """Return the plain and the bold font of a text in a language: for Vietnamese DejaVu, lest a line has two fonts."""
    if language != "vi":
        return PLAIN, BOLD
    for name in _DEJAVU.values():
        _letters(name)
    return _DEJAVU[PLAIN], _DEJAVU[BOLD]


def markup(text: str, font: str = PLAIN) -> str:
    """Return `text` as paragraph markup with font tags where needed; `font` is that of its style."""
    return "".join(
        escape(words) if name == font else f'<font name="{name}">{escape(words)}</font>'
        for name, words in _runs(text, font)
    )


def in_helvetica(text: str) -> str | None:
    """Return `text` as written in Helvetica; None if a letter needs another font."""
    return text.replace("−", "-") if _written(text) else None


def width_of(text: str, font: str, size: float) -> float:
    """Return the width of `text` in its fonts, in points."""
    return sum(stringWidth(words, name, size) for name, words in _runs(text, font))


def draw(canvas: Canvas, x: float, y: float, text: str, *, font: str = PLAIN, size: float) -> None:
    """Draw `text` on the canvas from `x` on, in points."""
    for name, words in _runs(text, font):
        canvas.setFont(name, size)
        canvas.drawString(x, y, words)
        x += stringWidth(words, name, size)


def _runs(text: str, font: str) -> Iterator[tuple[str, str]]:
    """Split `text` into runs of one font each, in order; each of these fonts is loaded."""
    for name, run in _runs_by_name(text, font):
        if name not in _DEJAVU:
            _letters(name)
        yield name, run


def _runs_by_name(text: str, font: str) -> Iterator[tuple[str, str]]:
    if font in _DEJAVU:
        if _written(text):
            yield font, text.replace("−", "-")
            return
    elif _all_known(text, _letters(font)):
        yield font, text
        return
    name, run = font, ""
    for found in _WORDS.finditer(unicodedata.normalize("NFC", text)):
        for of_piece, piece in _pieces(found[0], font):
            # A blank goes with what comes before it, but for Han, whose font has none.
            if of_piece != name and (name == _HAN or not piece.isspace()):
                if run:
                    yield name, run
                name, run = of_piece, ""
            run += piece
    if run:
        yield name, run


def _written(text: str) -> bool:
    """Whether Helvetica has every letter; a minus sign is written as a hyphen."""
    try:
        text.replace("−", "-").encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


def _pieces(word: str, font: str) -> Iterator[tuple[str, str]]:
    """Split a word by the fonts that have its letters."""
    other = _DEJAVU.get(font, font)
    if any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in word):
        yield other, _latin(word)
        return
    for part in _HAN_LETTERS.split(word):
        if not part:
            continue
        if _HAN_LETTERS.fullmatch(part) and _all_known(part, _letters(_HAN)):
            yield _HAN, part
        elif font in _DEJAVU and _written(part):
            yield font, part.replace("−", "-")
        else:
            known = _letters(other)
            parts = [part] if _all_known(part, known) else re.split(r"([^\x00-\u02ff]+)", part)
            yield other, "".join(each if _all_known(each, known) else _latin(each) for each in parts)


def _all_known(part: str, known: dict[int, int]) -> bool:
    return all(ord(letter) in known for letter in part)


def _latin(part: str) -> str:
    return f"«{anyascii(part).strip() or '?'}»"


@functools.cache
def _letters(name: str) -> dict[int, int]:
    """The code points of an embedded font, which is loaded on first use: reportlab knows no name that was not registered."""
    font = TTFont(name, _FONTS / f"{name}.ttf")
    registerFont(font)
    known: dict[int, int] = font.face.charToGlyph
    return known
