"""The room's own document of a filing, such as the state's approval of a game: a PDF, kept in the database as it came."""

from __future__ import annotations

import hashlib
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from cardroom.core.row_digests import DigestPolicy
from cardroom.core.triggers import append_only
from cardroom.rooms.models import Room

from ..errors import FilingError

#: The most bytes of a document: some two hundred scanned pages.
MOST_BYTES = 10_000_000
NAME_LENGTH = 120
#: How the content of a PDF begins and ends; the end may have blanks and a few lines behind it.
_BEGINS, _ENDS, _TAIL = b"%PDF-", b"%%EOF", 1024


class _WithoutContent(models.Manager["FiledDocument"]):
    """Documents without their bytes, which are read when they are asked for: a page names a document and no more."""

    def get_queryset(self) -> models.QuerySet[FiledDocument]:
        return super().get_queryset().defer("content")


class FiledDocument(models.Model):
    """One document of a room, known by its SHA-256. It is never changed: another one takes its place in the draft."""

    digest_policy = DigestPolicy(
        columns={"content": "its checksum stands beside it, and verify works it out again"}
    )
    guards = append_only()

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="filed_documents")
    name = models.CharField(max_length=NAME_LENGTH, help_text="The name of its file.")
    sha256 = models.CharField(
        max_length=64, help_text="Checksum of its bytes (FIPS 180-4, 256 bits), in hexadecimal digits."
    )
    size = models.PositiveIntegerField(help_text="Its bytes.")
    content = models.BinaryField()
    added_at = models.DateTimeField(default=timezone.now)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    objects = _WithoutContent()

    class Meta:
        base_manager_name = "objects"  # by which a filing reaches its document
        constraints = [
            models.UniqueConstraint(
                fields=["room", "sha256", "name"], name="one_document_of_a_name_and_content"
            ),
            models.CheckConstraint(
                condition=Q(size__gt=0) & Q(size__lte=MOST_BYTES), name="a_document_has_its_size"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @classmethod
    def of(cls, room: Room, name: str, content: bytes, **more: Any) -> Self:
        """A document of these bytes. Raises FilingError for what is no PDF by its content, or too large."""
        if len(content) > MOST_BYTES:
            raise FilingError(
                "document_too_large",
                f"The document has {len(content):,} bytes, and at most {MOST_BYTES:,} are kept.",
                path="content",
            )
        if not content.startswith(_BEGINS) or _ENDS not in content[-_TAIL:]:
            raise FilingError(
                "not_a_pdf",
                "The document is no PDF, or not the whole of one: its content does not begin with %PDF- and end with %%EOF.",
                path="content",
            )
        return cls(
            room=room,
            name=file_name(name),
            sha256=hashlib.sha256(content).hexdigest(),
            size=len(content),
            content=content,
            **more,
        )

    @property
    def named(self) -> dict[str, Any]:
        """What a filing says of it."""
        return {"name": self.name, "sha256": self.sha256, "size": self.size}


def file_name(name: str) -> str:
    """The last part of a file's name, without what a header or a page could misread; it ends in .pdf."""
    last = "".join(
        each
        for each in name.replace("\\", "/").rpartition("/")[2]
        if each.isprintable() and each not in '"<>'
    )
    stem = last.strip().removesuffix(".pdf").removesuffix(".PDF")[: NAME_LENGTH - 4].strip(" .")
    return f"{stem or 'document'}.pdf"
