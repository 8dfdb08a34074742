"""The address of the Redis-protocol server in the words of those who talk to it."""

from __future__ import annotations


def celery_address(redis_url: str) -> str:
    """Return a redis://, rediss:// or unix:// address as Celery's transport words it."""
    if not redis_url.startswith("unix://"):
        return redis_url
    path, _, query = redis_url.removeprefix("unix://").partition("?")
    return f"redis+socket://{path}?virtual_host={query.removeprefix('db=') or 0}"
