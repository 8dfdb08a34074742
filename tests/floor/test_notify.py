"""News for pages cost a command half a second at most where the broker is cut off."""

from __future__ import annotations

import os
import socket

import pytest
import redis
from django.test import override_settings

from cardroom.floor import notify


def test_news_are_published_once_to_a_broker_that_says_nothing() -> None:
    """Where the redis library tries again by itself, a command waits for its timeout as often."""
    with socket.create_server(("127.0.0.1", 0), backlog=32) as silent:
        with override_settings(REDIS_URL=f"redis://127.0.0.1:{silent.getsockname()[1]}/0"):
            notify._broker.cache_clear()
            try:
                with pytest.raises(redis.TimeoutError):
                    notify._broker(os.getpid()).publish("channel", "news")
            finally:
                notify._broker.cache_clear()
        silent.settimeout(0.2)
        silent.accept()[0].close()
        with pytest.raises(TimeoutError):
            silent.accept()
