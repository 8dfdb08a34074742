"""JSON bodies, read strictly: what two readers could understand in two ways is refused instead of guessed at."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from rest_framework.parsers import BaseParser

from cardroom.floor.errors import BadInput

#: Nothing that the API reads is nested deeper than a round sheet; far below what the interpreter could stack.
MOST_LEVELS = 20
#: Text that no database stores: NUL, and halves of characters.
_NOT_STORED = re.compile("[\0\ud800-\udfff]")


class StrictJSONParser(BaseParser):
    """Reads UTF-8 JSON. Refuses a repeated key, NaN and Infinity, text that no database stores, and great depth."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the document; raises BadInput `bad_json` (400), `bad_text` (400) or `too_large` (413)."""
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        raw = stream.read(-1 if limit is None else limit + 1)
        if limit is not None and len(raw) > limit:
            raise BadInput("too_large", f"A body has at most {limit} bytes.", status=413)
        return read_json(raw)


def read_json(raw: bytes) -> Any:
    """Read one strict JSON document."""
    try:
        document = json.loads(
            raw.decode("utf-8"), object_pairs_hook=_object, parse_constant=_constant, parse_float=_number
        )
    except (
        ValueError,
        RecursionError,
    ) as error:  # bad UTF-8 and numbers of thousands of digits are ValueErrors too
        raise BadInput("bad_json", f"The body is no proper JSON: {_why(error)}.", status=400) from error
    _check(document)
    return document


def _why(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    return str(error)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for key, value in pairs:
        if key in read:
            raise ValueError(f"the key {key!r} stands twice in one object")
        read[key] = value
    return read


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _number(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text[:40]} is too large")
    return number


def _check(document: Any) -> None:
    """Refuse depth and text that cannot be stored; walks without recursion, so that depth cannot hurt it."""
    waiting: list[tuple[Any, str, int]] = [(document, "", 0)]
    while waiting:
        value, path, level = waiting.pop()
        if level > MOST_LEVELS:
            raise BadInput("bad_json", f"The body is nested deeper than {MOST_LEVELS} levels.", status=400)
        if isinstance(value, str):
            _check_text(value, path)
        elif isinstance(value, dict):
            for key, inner in value.items():
                _check_text(key, path)
                waiting.append((inner, f"{path}.{key}" if path else key, level + 1))
        elif isinstance(value, list):
            waiting.extend((inner, f"{path}[{index}]", level + 1) for index, inner in enumerate(value))


def _check_text(text: str, path: str) -> None:
    if _NOT_STORED.search(text):
        raise BadInput(
            "bad_text", "Text holds a NUL or half a character, which cannot be stored.", path=path, status=400
        )
