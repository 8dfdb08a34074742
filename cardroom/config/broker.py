"""Redis URLs of the broker: of the private server on a Unix socket, and in the form that each client library expects."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

#: Seconds that anybody waits for a connection to the broker, and for an answer of it.
BROKER_SECONDS = 2.0
#: Longest portable path of a Unix socket, in bytes (macOS: 104 with the ending NUL).
_LONGEST_SOCKET_PATH = 100


def private_socket(state_dir: Path) -> Path:
    """Return the socket path of a state directory's private Valkey, the same in every process.

    That is inside the directory, unless its path is too long for a socket; then in one of this user's own under the
    system's temporary directory.
    """
    path = state_dir / "valkey.sock"
    if len(os.fsencode(path)) <= _LONGEST_SOCKET_PATH:
        return path
    name = hashlib.sha256(os.fsencode(state_dir)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"cardroom-{os.getuid()}-{name}" / "valkey.sock"


def private_url(state_dir: Path, *, database: int = 0) -> str:
    """Return the address of a state directory's private Valkey, whether it runs or not."""
    return f"unix://{private_socket(state_dir)}?db={database}"


def celery_address(redis_url: str) -> str:
    """Return a redis://, rediss:// or unix:// URL in the form of Celery's transport."""
    if not redis_url.startswith("unix://"):
        return redis_url
    path, _, query = redis_url.removeprefix("unix://").partition("?")
    return f"redis+socket://{path}?virtual_host={query.removeprefix('db=') or 0}"
