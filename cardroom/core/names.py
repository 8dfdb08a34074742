"""Validates and normalizes text that people type: allowed characters, how a name is written, and which names look alike."""

from __future__ import annotations

import functools
import unicodedata
from typing import TYPE_CHECKING, Any, Final

from confusable_homoglyphs import confusables
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Trim

from games.phrases import Phrase

KEY_LENGTH: Final = 400
#: Controls, format characters (bidirectional and zero-width ones are among them), half pairs, private use, line ends.
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
#: Characters of other categories that Unicode shows as nothing: joiners, fillers and variation selectors.
_IGNORABLE: Final = frozenset(
    (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x3164, 0xFFA0)
) | frozenset(range(0xFE00, 0xFE10))
_SUPPLEMENT: Final = range(0xE0000, 0xE1000)
#: What a constraint of the database looks for in a name; the whole list is `hidden_in`'s.
_REFUSED_IN_SQL: Final = (
    *(0x09, 0x0A, 0x0D, 0x85, 0xA0, 0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2028, 0x2029),
    *(0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0x3000, 0xFEFF),
)


def hidden_in(text: str) -> str | None:
    """Return the first character of `text` that nobody sees, as `U+202E`; None where all of it can be seen."""
    if text.isascii() and text.isprintable():
        return None
    for character in text:
        code = ord(character)
        if (
            unicodedata.category(character) in _HIDDEN
            or code in _IGNORABLE
            or code in _SUPPLEMENT  # variation selectors and tags
        ):
            return f"U+{code:04X}"
    return None


def why_no_text(text: str) -> str | None:
    """Say why `text` may not be kept: it holds a character that nobody sees."""
    hidden = hidden_in(text)
    if hidden is None:
        return None
    return Phrase(
        "Text may not hold characters that nobody sees, such as line ends, controls and marks of writing direction: {hidden}.",
        hidden=hidden,
    )


def plain_name(text: str) -> str:
    """Return a name as it is kept: composed (NFC), one blank between words and none around. ValidationError (`bad_text`)."""
    if why := why_no_text(text):
        raise ValidationError(why, code="bad_text")
    return " ".join(unicodedata.normalize("NFC", text).split())


def looks_like(name: str) -> str:
    """Return what names that people would take for one have in common.

    Width, accents, case and blanks are left out, and a letter of another script that looks like a Latin one, in either
    case, is that one. At most `KEY_LENGTH` characters.
    """
    apart = unicodedata.normalize("NFKD", name)
    letters = (_latin(each) for each in apart if not unicodedata.combining(each))
    return " ".join("".join(letters).casefold().split())[:KEY_LENGTH]


@functools.lru_cache(maxsize=4096)
def _latin(character: str) -> str:
    """The ASCII character that `character` looks like in capitals, or else in small letters; else itself."""
    if character.isascii():
        return character
    for form in (character.upper(), character.lower()):
        found = confusables.is_confusable(form, greedy=True) if len(form) == 1 else None
        alike = sorted(each["c"] for each in (found or [{}])[0].get("homoglyphs", ()))
        # Letters sort after signs and digits: what looks like both is read as the letter.
        if ascii_ := [each for each in alike if len(each) == 1 and each.isascii()]:
            return str(ascii_[-1])
    return character


def is_plain_in_sql(column: str) -> Q:
    """What a constraint asks of a column of names: no blank around or beside another, and nothing that hides."""
    plain = Q(**{column: Trim(F(column))}) & ~Q(**{f"{column}__contains": "  "})
    for code in _REFUSED_IN_SQL:
        plain &= ~Q(**{f"{column}__contains": chr(code)})
    return plain


if TYPE_CHECKING:
    _CharField = models.CharField[str, str]
else:
    _CharField = models.CharField  # generic for the types alone


class NameField(_CharField):
    """A name, which is written one way whoever writes it: a form, a file, a command or `manage.py` (`plain_name`)."""

    def deconstruct(self) -> Any:
        """Deconstruct as a plain `CharField`, so that migrations do not name this class."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs

    def to_python(self, value: Any) -> Any:
        value = super().to_python(value)
        return plain_name(value) if isinstance(value, str) else value

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = self.to_python(super().pre_save(model_instance, add))
        setattr(model_instance, self.attname, value)
        return value
