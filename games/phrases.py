"""Texts that can be translated: a phrase keeps its English template and its parts, and forms for one and for many."""

from typing import Self


class Phrase(str):
    """A text in English that keeps its template and the parts in it, for whoever translates it.

    `makemessages` collects the templates, so they are written out: `Phrase("{rounds} rounds in a row", rounds=number)`.
    Parts that are phrases themselves are translated too; names of wagers, figures and amounts are not. A part
    that is no text is formatted by `str`, which may be a phrase. `first` is "upper" or "lower" where its first letter is to
    be so in every language; `forms` are the English forms for one and for many, and the number, where it goes by one.
    """

    __slots__ = ("first", "forms", "parts", "template")
    template: str
    parts: dict[str, str]
    first: str
    forms: tuple[str, str, int] | None

    def __new__(cls, template: str, **parts: object) -> Self:
        texts = {name: part if isinstance(part, str) else str(part) for name, part in parts.items()}
        phrase = super().__new__(cls, template.format(**texts) if texts else template)
        phrase.template, phrase.parts, phrase.first, phrase.forms = template, texts, "", None
        return phrase


def plural(one: str, many: str, n: int, **parts: object) -> Phrase:
    """The one of two templates that suits `n`, which is in both as {n}; each language has its own forms."""
    phrase = Phrase(one if n == 1 else many, n=n, **parts)
    phrase.forms = (one, many, n)
    return phrase


def capital(text: str) -> str:
    """The text with a capital at its beginning; a phrase stays one, and has it in every language."""
    return _begins(text, "upper")


def no_capital(text: str) -> str:
    """The same with a small letter there: a text that goes on within a sentence."""
    return _begins(text, "lower")


def first_letter(text: str, case: str) -> str:
    """The text with its first letter "upper" or "lower"."""
    return f"{text[:1].upper() if case == 'upper' else text[:1].lower()}{text[1:]}"


def _begins(text: str, case: str) -> str:
    english = first_letter(text, case)
    if not isinstance(text, Phrase):
        return english
    phrase = str.__new__(Phrase, english)
    phrase.template, phrase.parts, phrase.forms, phrase.first = text.template, text.parts, text.forms, case
    return phrase
