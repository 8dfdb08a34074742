"""Redis cache backend that falls back to local memory: a cache outage never fails a request."""

from __future__ import annotations

import logging
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import TimeoutError as TooSlow

logger = logging.getLogger(__name__)

_Timeout = float | None


class SteadyRedisCache(BaseCache):
    """Django's Redis cache with a local-memory fallback while the server cannot be reached.

    The sign-in rate limit counts wrong passwords in this cache. An outage must neither lock users out nor disable the
    limit: each process then counts for itself.
    """

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._shared = RedisCache(server, params)
        self._own = LocMemCache(server, params)

    def _ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        try:
            return getattr(self._shared, method)(*args, **kwargs)
        except (Unreachable, TooSlow) as fault:
            logger.warning(
                "the cache's server cannot be reached; this process keeps its own meanwhile: %s", fault
            )
            return getattr(self._own, method)(*args, **kwargs)

    def add(
        self, key: str, value: Any, timeout: _Timeout = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        return bool(self._ask("add", key, value, timeout=timeout, version=version))

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        return self._ask("get", key, default=default, version=version)

    def set(
        self, key: str, value: Any, timeout: _Timeout = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        self._ask("set", key, value, timeout=timeout, version=version)

    def touch(self, key: str, timeout: _Timeout = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return bool(self._ask("touch", key, timeout=timeout, version=version))

    def delete(self, key: str, version: int | None = None) -> bool:
        return bool(self._ask("delete", key, version=version))

    def has_key(self, key: str, version: int | None = None) -> bool:
        return bool(self._ask("has_key", key, version=version))

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        return int(self._ask("incr", key, delta=delta, version=version))

    def clear(self) -> None:
        self._ask("clear")
