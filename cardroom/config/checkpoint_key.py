"""Generates and reads the Ed25519 key that signs checkpoints: a file outside the database, its public keys beside it.

`FILE` holds the private key as PEM (PKCS #8), readable by its owner alone. `FILE.pub` holds every public key that the site
has had, a line each, the newest last: the 64 hexadecimal digits of the key and when it was made. A checkpoint names its
public key, so that what an earlier key has signed keeps verifying after a new one was made.
"""

from __future__ import annotations

import datetime
import os
import re
import stat
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

PUBLIC_KEY = re.compile(r"[0-9a-f]{64}")


class KeyRefused(Exception):
    """A key file that cannot be used; the message says why, and what to do."""


def checkpoint_key_make(path: Path, *, renew: bool = False) -> str | None:
    """Write a new private key to a file (mode 0600), and its public key behind those of before; return the public key.

    None where there is a key already: it stays, unless `renew` asks for another one in its place.
    """
    if path.exists() and not renew:
        return None
    key = Ed25519PrivateKey.generate()
    public = public_hex(key)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # First the public key: a checkpoint is never signed by one that is not listed.
    with _public_keys_file(path).open("a", encoding="ascii") as listed:
        listed.write(f"{public} {datetime.datetime.now(datetime.UTC):%Y-%m-%dT%H:%M:%SZ}\n")
    written = path.with_name(path.name + ".new")
    written.unlink(missing_ok=True)
    descriptor = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
    written.replace(path)
    return public


def private_key_read(path: Path) -> Ed25519PrivateKey:
    """Read the private key of a file. Raises KeyRefused."""
    try:
        mode, text = path.stat().st_mode, path.read_bytes()
    except OSError as fault:
        raise KeyRefused(
            f"the key of checkpoints cannot be read: {fault.strerror}: {path}. Make one: manage.py checkpoint_key"
        ) from None
    if stat.S_IMODE(mode) & 0o077:
        raise KeyRefused(f"{path} can be read by others: chmod 600 it")
    try:
        key = serialization.load_pem_private_key(text, password=None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyRefused(f"{path} holds no Ed25519 key in PEM without a password")
    return key


def public_keys_read(path: Path) -> list[str]:
    """Return the public keys that a site with this key file has had, the newest last; none where there is no list."""
    try:
        lines = _public_keys_file(path).read_text(encoding="ascii").splitlines()
    except FileNotFoundError:
        return []
    return [line.split()[0] for line in lines if PUBLIC_KEY.match(line)]


def public_hex(key: Ed25519PrivateKey) -> str:
    """Return the public key of a private one as 64 hexadecimal digits."""
    raw = key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return raw.hex()


def _public_keys_file(path: Path) -> Path:
    return path.with_name(path.name + ".pub")
