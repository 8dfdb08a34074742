"""View decorator that marks the product's own answers to a command (`X-Answer`), unlike those of a proxy or sign-in page.

A proxy's error page, a captive portal, a sign-in page or a failed CSRF check comes without the mark. The tablet then
keeps the command in its queue and sends it again (docs/offline.md).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.views.defaults import page_not_found, permission_denied

HEADER = "X-Answer"
DONE, REFUSED = "done", "refused"

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def answered(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Set `X-Answer` on what a view answers: `done` for a page, `refused` for a status of 400 to 499.

    The 404 and 403 pages that a view asks for are answers of the product too. A redirect is none: the page that it
    leads to is.
    """

    @functools.wraps(view)
    def marked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        response: HttpResponseBase
        try:
            response = view(request, *args, **kwargs)
        except Http404 as error:
            response = page_not_found(request, error)
        except PermissionDenied as error:
            response = permission_denied(request, error)
        if 200 <= response.status_code < 300:
            response[HEADER] = DONE
        elif 400 <= response.status_code < 500:
            response[HEADER] = REFUSED
        return response

    return marked
