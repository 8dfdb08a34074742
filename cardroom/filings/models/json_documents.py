"""Reads the document of a filing, which came from elsewhere, as plain JSON that both databases can hold."""

from __future__ import annotations

import json
from typing import Any

from ..errors import FilingError


def storable(document: Any, word: str) -> dict[str, Any]:
    """Return `document` as plain JSON that both databases can hold; `word` is what people call its filing."""
    try:
        text = json.dumps(dict(document), allow_nan=False, ensure_ascii=False)
        text.encode()  # PostgreSQL takes no lone surrogate
    except (TypeError, ValueError) as error:
        raise FilingError(
            "bad_json", f"A {word}'s document is a JSON object: {error}.", path="document"
        ) from error
    if "\\u0000" in text:
        raise FilingError(
            "bad_json", f"A {word}'s document cannot hold the character U+0000.", path="document"
        )
    stored: dict[str, Any] = json.loads(text)
    return stored
