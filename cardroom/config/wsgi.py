"""WSGI entry point of the site, for servers without ASGI (the live board needs ASGI)."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardroom.config.settings")

application = get_wsgi_application()
