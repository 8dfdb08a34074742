"""ASGI entry point of the site: `uvicorn cardroom.config.asgi:application`.

Django's own handler answers every request. Its views and middleware are synchronous: Django runs those of one request in
one thread, opens the database connection there, and gives it back to the pool when the request ends. Live streams
(`cardroom.web.live.streams`) stay on the event loop and hold neither a thread nor a connection.
"""

from __future__ import annotations

import gc
import os
import warnings

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardroom.config.settings")

# WhiteNoise returns a synchronous iterator, which Django under ASGI reads whole first. Static files are small.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")

django_application = get_asgi_application()

from cardroom.web.board.views import rendered_cards  # noqa: E402
from cardroom.web.live.streams import LiveStreams  # noqa: E402  # what they import needs Django to be set up

application = LiveStreams(django_application, rendered_cards)

# What is loaded now stays for good. Left to itself, the collector of reference cycles looks through these 300,000 objects
# every few pages, and begins a look at young objects after 700 of them: a page makes thousands.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 10)
