"""API reads: the OpenAPI schema, its Swagger UI page, and the 404 of addresses that are none."""

from __future__ import annotations

from typing import Any

from csp.decorators import csp_update
from django.contrib.auth.mixins import LoginRequiredMixin
from django.utils.decorators import method_decorator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.errors import NotFound

from ..base import SessionOrNobody, SignedInView


class ApiNotFound(SignedInView):
    """Any other address under /api/: answers 404 in the API's own shape."""

    @extend_schema(exclude=True)
    def _missing(self, request: Request, rest: str) -> Response:
        hint = " Addresses here have no slash at their end." if rest.endswith("/") else ""
        raise NotFound(
            "not_found", f"There is nothing at this address.{hint} See /api/docs/ for what there is."
        )

    get = post = put = patch = delete = _missing


class Schema(SpectacularAPIView):
    """The OpenAPI document."""

    authentication_classes = [SessionOrNobody]
    get_exception_handler = SignedInView.get_exception_handler


@method_decorator(
    # Swagger UI draws its icons from data addresses and sets styles on elements; it loads nothing from elsewhere.
    csp_update({"img-src": ["'self'", "data:"], "style-src": ["'self'", "'unsafe-inline'"]}),
    name="dispatch",
)
class Docs(LoginRequiredMixin, SpectacularSwaggerSplitView):
    """The OpenAPI document as a page on which to try things out."""

    authentication_classes: Any = [SessionOrNobody]
