"""Strict JSON bodies of requests: what two parsers could read in two ways (duplicate keys, NaN) is refused."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from rest_framework.parsers import BaseParser

from cardroom.core.json_types import Base64
from cardroom.floor.errors import BadInput
from games.sheet_json import NotJson, load_json

#: Nothing that the API reads is nested deeper than a round sheet; far below what the interpreter could stack.
MOST_LEVELS = 20
#: Text that no database stores: NUL, and halves of characters.
_NOT_STORED = re.compile("[\0\ud800-\udfff]")


class StrictJSONParser(BaseParser):
    """Reads JSON as sheets are read (`load_json`), and refuses what no database stores, and great depth, besides."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the document; raises BadInput `bad_json` (400), `bad_text` (400) or `too_large` (413)."""
        limit, of_file = settings.DATA_UPLOAD_MAX_MEMORY_SIZE, file_taken(parser_context or {})
        if limit is not None and of_file is not None:
            limit += of_file.most or 0
        raw = stream.read(-1 if limit is None else limit + 1)
        if limit is not None and len(raw) > limit:
            file = f", and the file in it at most {of_file.most_bytes:,}" if of_file is not None else ""
            raise BadInput("too_large", f"A body has at most {limit:,} bytes{file}.", status=413)
        try:
            document = load_json(raw)
        except NotJson as error:
            raise BadInput("bad_json", f"The body is no proper JSON: {error}.", status=400) from error
        _check(document)
        return document


def file_taken(parser_context: Mapping[str, Any]) -> Base64 | None:
    """The kind of the file that the operation takes in its body; None where it takes none."""
    request = parser_context.get("request")
    handler = None if request is None else getattr(parser_context.get("view"), request.method.lower(), None)
    body = getattr(getattr(handler, "operation", None), "body", None)
    return next((each.kind for each in getattr(body, "fields", ()) if isinstance(each.kind, Base64)), None)


def _check(document: Any) -> None:
    """Refuse depth, and numbers and text that cannot be stored; walks without recursion, so that depth cannot hurt it."""
    waiting: list[tuple[Any, str, int]] = [(document, "", 0)]
    while waiting:
        value, path, level = waiting.pop()
        if level > MOST_LEVELS:
            raise BadInput("bad_json", f"The body is nested deeper than {MOST_LEVELS} levels.", status=400)
        if isinstance(value, float) and math.isinf(value):
            raise BadInput("bad_json", "The body holds a number that is too large.", status=400)
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
