"""Codes of an authenticator app as RFC 6238 computes them, without the library that checks them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import struct
import time


def code_of(key: str, ahead: int = 0) -> str:
    """Return the code that the app shows now, or so many seconds ahead."""
    digest = hmac.new(
        base64.b32decode(key), struct.pack(">Q", (int(time.time()) + ahead) // 30), hashlib.sha1
    ).digest()
    place = digest[-1] & 15
    number = struct.unpack(">I", digest[place : place + 4])[0] & 0x7FFFFFFF
    return f"{number % 10**6:06}"
