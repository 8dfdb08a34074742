"""URL of the Redis-protocol server, in the form that each client library expects."""

from __future__ import annotations


def celery_address(redis_url: str) -> str:
    """Return a redis://, rediss:// or unix:// URL in the form of Celery's transport."""
    if not redis_url.startswith("unix://"):
        return redis_url
    path, _, query = redis_url.removeprefix("unix://").partition("?")
    return f"redis+socket://{path}?virtual_host={query.removeprefix('db=') or 0}"
