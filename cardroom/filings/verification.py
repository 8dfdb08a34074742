"""Verifies the documents of filings: the bytes of each against the SHA-256 that was signed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from .models import FiledDocument


def documents_verify() -> Iterator[str]:
    """Yield every document whose bytes are not those of its SHA-256, one document in memory at a time."""
    for document in FiledDocument.objects.defer(None).order_by("pk").iterator(chunk_size=1):
        content = bytes(document.content)
        if hashlib.sha256(content).hexdigest() != document.sha256 or len(content) != document.size:
            yield f"document {document.pk} ({document}): its bytes are not those of its checksum"
