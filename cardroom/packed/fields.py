"""The two kinds of packed columns."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from .text import pack, unpack


class PackedJSONField(models.JSONField):
    """A JSON document, stored as `cardroom.packed.text` packs it. Keys stay in the order in which they were written.

    The database cannot look into it: whether it is there at all is the one thing that can be asked.
    """

    def get_internal_type(self) -> str:
        return "BinaryField"

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        if value is None or hasattr(value, "as_sql"):
            return value
        return pack(value)

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        if value is None:
            return None
        # SQLite lets text stand in any column, for whoever writes past the program.
        return unpack(value.encode() if isinstance(value, str) else bytes(value))

    def get_lookup(self, lookup_name: str) -> Any:
        return super().get_lookup(lookup_name) if lookup_name == "isnull" else None

    def get_transform(self, lookup_name: str) -> Any:
        return None


class DigestField(models.CharField):  # type: ignore[type-arg]  # Django has no such argument when it runs
    """A digest: hexadecimal digits to the program, half as many bytes in the database."""

    def get_internal_type(self) -> str:
        return "BinaryField"

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        if value is None or hasattr(value, "as_sql"):
            return value
        return bytes.fromhex(value)

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> str | None:
        return None if value is None else bytes(value).hex()
