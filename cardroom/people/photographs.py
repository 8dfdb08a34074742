"""Reads a photograph that somebody took of a player, and makes of it the small picture that is kept.

What comes in is known by its content, whatever its file is called. What is kept is drawn anew from its points: where and by what
it was taken, a comment, or anything else that stands in the file is left behind.
"""

from __future__ import annotations

import hashlib
import io
import struct
from typing import Final

from PIL import Image, ImageOps

from games.phrases import Phrase

#: The most bytes and points that are read, a tablet's camera at its finest; the fewest points a side in which a face is seen.
MOST_BYTES: Final = 8_000_000
MOST_POINTS: Final = 25_000_000
LEAST_SIDE: Final = 32
#: The longer side of what is kept: on the player's page twice the points of its place.
SIDE: Final = 400
_QUALITY: Final = 85
#: How each kind of file begins, and by which of Pillow's readers it is read: no other is asked.
_KINDS: Final = ((b"\xff\xd8\xff", "JPEG"), (b"\x89PNG\r\n\x1a\n", "PNG"), (b"RIFF....WEBP", "WEBP"))
_HEAD: Final = 12


class PhotoRefused(ValueError):
    """The file is no photograph that is taken here: a code, and a sentence that says why and what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def photograph_read(given: bytes) -> bytes:
    """Return the JPEG that is kept of a photograph: upright, its longer side at most `SIDE`. Raises PhotoRefused."""
    if len(given) > MOST_BYTES:
        raise PhotoRefused(
            "photo_too_large",
            Phrase("A photograph of at most {most} MB is taken here.", most=MOST_BYTES // 1_000_000),
        )
    try:
        with Image.open(io.BytesIO(given), formats=[_kind_of(given)]) as image:
            _check_size(*image.size)
            image.draft("RGB", (2 * SIDE, 2 * SIDE))  # of a JPEG no more points are read than are kept
            return _small(ImageOps.exif_transpose(image))
    except (OSError, ValueError, SyntaxError, EOFError, struct.error, Image.DecompressionBombError) as error:
        if isinstance(error, PhotoRefused):
            raise
        raise _no_photograph() from error


def photograph_digest(salt: str, content: bytes) -> str:
    """Return what proves the photograph of a player, and tells nothing without the salt."""
    return hashlib.sha256(salt.encode() + content).hexdigest()


def _kind_of(given: bytes) -> str:
    head = given[:_HEAD]
    if head.startswith(b"RIFF"):
        head = head[:4] + b"...." + head[8:]  # between them its length
    found = next((kind for begins, kind in _KINDS if head.startswith(begins)), None)
    if found is None:
        raise _no_photograph()
    return found


def _no_photograph() -> PhotoRefused:
    return PhotoRefused(
        "not_a_photo",
        Phrase(
            "By its content the file is no whole JPEG, PNG or WebP. Take the photograph again, or choose another file."
        ),
    )


def _check_size(width: int, height: int) -> None:
    if width * height > MOST_POINTS:
        raise PhotoRefused(
            "photo_too_large",
            Phrase(
                "The photograph has {width} by {height} points, and at most {most} million are read. Take a smaller one.",
                width=width,
                height=height,
                most=MOST_POINTS // 1_000_000,
            ),
        )
    if min(width, height) < LEAST_SIDE:
        raise PhotoRefused(
            "photo_too_small",
            Phrase(
                "The photograph has {width} by {height} points: each side has at least {least}.",
                width=width,
                height=height,
                least=LEAST_SIDE,
            ),
        )


def _small(image: Image.Image) -> bytes:
    """Draw the points of an image, and nothing else of it, small and on white."""
    drawn = image.convert("RGBA") if image.has_transparency_data else image.convert("RGB")
    drawn.thumbnail((SIDE, SIDE), Image.Resampling.LANCZOS)
    kept = Image.new("RGB", drawn.size, "white")
    kept.paste(drawn, mask=drawn.getchannel("A") if drawn.mode == "RGBA" else None)
    written = io.BytesIO()
    kept.save(written, "JPEG", quality=_QUALITY, optimize=True)
    return written.getvalue()
