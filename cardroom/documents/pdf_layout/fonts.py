"""Fonts of PDFs: built-in Helvetica, and an embedded DejaVu Sans Condensed for text that Helvetica lacks.

DejaVu is embedded as a subset: Latin with all its marks, Greek, Cyrillic. Text that it lacks too (Han, Thai), or that
needs right-to-left layout (Arabic, Hebrew), is transliterated to Latin letters between « and », which mark it as a
transliteration.
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
_FILES: Final = {PLAIN: "DejaVuSansCondensed", BOLD: "DejaVuSansCondensed-Bold"}
#: Blanks are kept, so that lines wrap as they would without a change of font.
_WORDS: Final = re.compile(r"\s+|\S+")
_RIGHT_TO_LEFT: Final = ("R", "AL")


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
    """Split `text` into runs of one font each, in order."""
    if _written(text):
        yield font, text.replace("−", "-")
        return
    name, run = font, ""
    for found in _WORDS.finditer(unicodedata.normalize("NFC", text)):
        word = found[0]
        of_word, piece = (font, word.replace("−", "-")) if _written(word) else _other(word, font)
        if of_word != name and not word.isspace():
            if run:
                yield name, run
            name, run = of_word, ""
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


def _other(word: str, font: str) -> tuple[str, str]:
    """A word that Helvetica lacks: in DejaVu, with the parts that DejaVu lacks transliterated in « »."""
    name = _FILES[font]
    known = _letters(name)
    if not any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in word):
        if all(ord(letter) in known for letter in word):
            return name, word
        parts = re.split(r"([^\x00-\u02ff]+)", word)
        return name, "".join(part if _all_known(part, known) else _latin(part) for part in parts)
    return name, _latin(word)


def _all_known(part: str, known: dict[int, int]) -> bool:
    return all(ord(letter) in known for letter in part)


def _latin(part: str) -> str:
    return f"«{anyascii(part).strip() or '?'}»"


@functools.cache
def _letters(name: str) -> dict[int, int]:
    """The code points of an embedded font, which is loaded on first use."""
    font = TTFont(name, _FONTS / f"{name}.ttf")
    registerFont(font)
    known: dict[int, int] = font.face.charToGlyph
    return known
