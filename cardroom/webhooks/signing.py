"""Secrets of webhooks, and the signature of what is sent: Standard Webhooks (https://www.standardwebhooks.com), version 1.

webhook-id: job_41
webhook-timestamp: 1763496000
webhook-signature: v1,<Base64 of HMAC-SHA256 over "job_41.1763496000.<body>"> v1,<the same with the secret before>
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import datetime
import hashlib
import hmac
import secrets
from typing import Final

from cryptography.fernet import InvalidToken

from cardroom.people.second_factor import cipher

from .models import Webhook

SECRET_BEGIN: Final = "whsec_"  # noqa: S105  # no secret, but how each begins
#: How long the secret before signs too, after another was made.
OVERLAP: Final = datetime.timedelta(hours=24)
_BYTES: Final = 32


class SecretClosed(Exception):
    """A secret that cannot be opened; the message says what to do."""


def new_secret() -> str:
    """Return a new secret, as it is shown to people once."""
    return SECRET_BEGIN + base64.b64encode(secrets.token_bytes(_BYTES)).decode()


def sealed(secret: str) -> str:
    """Return what is kept of a secret."""
    return cipher().encrypt(secret.encode()).decode()


def headers(webhook: Webhook, message: str, content: bytes, now: datetime.datetime) -> dict[str, str]:
    """Return the headers that sign `content`, the delivery called `message`, as it is sent at `now`. Raises SecretClosed."""
    stamp = int(now.timestamp())
    opened = [_opened(webhook.secret)]
    if webhook.before_until is not None and now < webhook.before_until:
        with contextlib.suppress(SecretClosed):  # the one that was given in its place signs alone
            opened.append(_opened(webhook.secret_before))
    return {
        "webhook-id": message,
        "webhook-timestamp": str(stamp),
        "webhook-signature": " ".join(signature(each, message, stamp, content) for each in opened),
    }


def _opened(kept: str) -> str:
    try:
        return cipher().decrypt(kept.encode()).decode()
    except InvalidToken as error:
        raise SecretClosed(
            "Its secret was kept by another key of the site, which is neither the present one nor among those before it: make "
            "another secret on the page Programs"
        ) from error


def signature(secret: str, message: str, stamp: int, content: bytes) -> str:
    """Return one signature: `v1,` and the Base64 of HMAC-SHA256 over id, seconds since 1970 and body."""
    try:
        key = base64.b64decode(secret.removeprefix(SECRET_BEGIN), validate=True)
    except binascii.Error as error:
        raise ValueError("a webhook's secret is whsec_ and Base64") from error
    signed = b".".join((message.encode(), str(stamp).encode(), content))
    return f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}"
