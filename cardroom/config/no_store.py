"""Middleware that sets `Cache-Control: no-store` on all responses but static files: users share tablets."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase


def no_store(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware, inside that of static files: a response without a Cache-Control header gets `no-store`.

    Neither the browser's cache nor its back/forward cache then shows a page after its user has signed out. The service
    worker's cache, from which a table's page opens while offline, ignores this header.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return answer
