"""Looking for a figure in text that also holds hashes, tokens and instants, which have any few digits sooner or later."""

from __future__ import annotations

import re


def text_figure(text: str, figure: object) -> bool:
    """Whether `figure` is in `text` by itself: not within a longer word or number, nor after a decimal point."""
    return re.search(rf"(?<![\w.]){re.escape(str(figure))}(?!\w)", text) is not None
