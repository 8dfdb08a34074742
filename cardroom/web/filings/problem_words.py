"""Says what is wrong with a draft in the words of the form that mends it: `ante_min_cents` is “Main wager from” there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from django import forms

from fees.document import Problem

#: Bounds of a band of positions or tables are typed into the fields of its amounts.
_COUNTED: Final = re.compile(r"_(positions|tables)\b")
#: What a label adds in brackets, such as "(empty: no limit)".
_ADDED: Final = re.compile(r" *\([^)]*\)$")
#: How a document says that a field is empty.
_EMPTY: Final = ((r"\bwrite null for\b", "leave it empty for"), (r"\bnull\b", "empty"))


def in_form_words(problems: Iterable[Problem], *kinds: type[forms.Form]) -> list[Problem]:
    """Return the problems of a document with the labels of these forms in place of its keys; the first form that has a key names it.

    A key is known by its `_`, or by what it is said to be: "clause is missing".
    """
    labels: dict[str, str] = {}
    for kind in kinds:
        for name, field in kind.base_fields.items():
            labels.setdefault(name, f"“{_ADDED.sub('', str(field.label))}”")
    return [problem._replace(message=_said(problem.message, labels)) for problem in problems]


def _said(message: str, labels: dict[str, str]) -> str:
    def label(found: re.Match[str]) -> str:
        key = found[0]
        return labels.get(key) or labels.get(_COUNTED.sub("_cents", key)) or key

    message = re.sub(r"\b[a-z]+(?:_[a-z]+)+\b|(?<=: )[a-z]+(?= is )", label, message)
    for written, said in _EMPTY:
        message = re.sub(written, said, message)
    return message
