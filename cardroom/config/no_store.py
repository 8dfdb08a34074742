"""`Cache-Control: no-store` on every answer but static files: tablets go from hand to hand, and pages go out of date."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase


def no_store(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware, inside that of static files: every answer that says nothing of caches is `no-store`.

    Neither the browser's cache nor its memory of pages gone back to then shows a page after its person has signed out. The
    service worker's own store, from which a table's page is opened while the line is down, does not go by this header.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return answer
