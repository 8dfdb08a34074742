"""The site as an ASGI application: `uvicorn cardroom.asgi:application`."""

from __future__ import annotations

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardroom.settings")

django_application = get_asgi_application()

from cardroom.web.live import LiveStreams  # noqa: E402  # what they import needs Django to be set up
from cardroom.web.pages.floor import cards_drawn  # noqa: E402

application = LiveStreams(django_application, cards_drawn)
