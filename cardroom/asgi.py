"""The site as an ASGI application: `uvicorn cardroom.asgi:application`."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardroom.settings")

from cardroom.one_thread import site

django_application = site()

from cardroom.web.live import LiveStreams  # noqa: E402  # what they import needs Django to be set up
from cardroom.web.pages.floor import cards_drawn  # noqa: E402

application = LiveStreams(django_application, cards_drawn)
