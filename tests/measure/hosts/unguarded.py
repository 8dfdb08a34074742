"""The site's settings without what notices a network that is gone: a negative control. No setting of the product does this."""

from __future__ import annotations

from cardroom.config import settings
from cardroom.config.databases import NETWORK_OPTIONS

globals().update({name: getattr(settings, name) for name in dir(settings) if name.isupper()})

_OPTIONS = settings.DATABASE_OPTIONS
for _name in NETWORK_OPTIONS:
    del _OPTIONS[_name]
del _OPTIONS["pool"]["reconnect_timeout"]
for _name in ("socket_timeout", "health_check_interval", "socket_keepalive"):
    del settings.CELERY_BROKER_TRANSPORT_OPTIONS[_name]
