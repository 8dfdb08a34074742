"""django-structlog's middleware, which a failed request costs no second wait for the database."""

from __future__ import annotations

import sys

from django.http import HttpRequest
from django_structlog.middlewares import RequestMiddleware


class RequestsLogged(RequestMiddleware):
    """Logs each request with who is signed in, but does not ask for them once the request has failed.

    Who that is, is read from the database. Where that is away, a request would wait for the pool again to log that it has
    waited in vain: longer than a tablet has patience.
    """

    @staticmethod
    def bind_user_id(request: HttpRequest) -> None:
        """Bind the id of who is signed in to the log's context; while an exception is handled, what is bound stays."""
        if sys.exc_info()[0] is None:
            RequestMiddleware.bind_user_id(request)
