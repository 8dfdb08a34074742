"""Middleware: widens the Content-Security-Policy on admin pages (eval, inline styles, data: images); others allow 'self' alone."""

from __future__ import annotations

from collections.abc import Callable

from csp.constants import SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.decorators import csp_replace
from django.http import HttpRequest
from django.http.response import HttpResponseBase

#: Unfold's pages are built on Alpine, which evaluates its attributes (eval) and sets style attributes; icons are data:
#: images. Inline scripts stay refused.
ADMIN_DIRECTIVES = {
    "script-src": [SELF, UNSAFE_EVAL],
    "style-src": [SELF, UNSAFE_INLINE],
    "img-src": [SELF, "data:"],
}


def admin_content_policy(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: widen django-csp's policy for pages of the admin, known by their URL's namespace."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        match = request.resolver_match
        if match is not None and match.namespaces[:1] == ["admin"]:
            return csp_replace(ADMIN_DIRECTIVES)(lambda _: response)(request)
        return response

    return answer
