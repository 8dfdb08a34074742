"""A file that a page gives to be kept, and not to be shown by the browser."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.http import content_disposition_header


def attached(content: str | bytes, kind: str, name: str) -> HttpResponse:
    """Return the file of that content, media type and name."""
    disposition = content_disposition_header(as_attachment=True, filename=name)
    return HttpResponse(
        content, content_type=kind, headers={"Content-Disposition": disposition or "attachment"}
    )
