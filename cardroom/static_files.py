"""Static files under ASGI: WhiteNoise's, whose answers are whole."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # it ships no types
    """WhiteNoise, but a file is read when it is asked for.

    It would hand Django a file to iterate, which Django under ASGI warns of and reads whole in any case.
    """

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        found = static_file.get_response(request.method, request.META)
        content = b""
        if found.file is not None:
            with found.file as file:
                content = file.read()
        response = HttpResponse(content, status=int(found.status))
        del response["Content-Type"]  # WhiteNoise says which it is
        for name, value in found.headers:
            response[name] = value
        return response
