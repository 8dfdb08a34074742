"""The kinds of columns that take little room."""

from __future__ import annotations

import datetime
import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from django.core.exceptions import FieldError
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Lookup
from django.db.models.query_utils import RegisterLookupMixin

from .text import pack, unpack

if TYPE_CHECKING:
    _Text = models.CharField[Any, str]
    _Instant = models.DateTimeField[Any, datetime.datetime]
else:
    # Django's own field takes no such arguments when it runs.
    _Text = models.CharField
    _Instant = models.DateTimeField


class _Packed(RegisterLookupMixin):
    """A value that is stored as `cardroom.packed.text` packs it.

    The database cannot look into it: whether it is there at all is the one thing that can be asked.
    """

    def get_internal_type(self) -> str:
        return "BinaryField"

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        if value is None or hasattr(value, "as_sql"):
            return value
        return pack(self._document(value))

    def _document(self, value: Any) -> Any:
        """What is packed of a value."""
        return value

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        if value is None:
            return None
        # SQLite lets text stand in any column, for whoever writes past the program.
        return unpack(value.encode() if isinstance(value, str) else bytes(value))

    def get_lookup(self, lookup_name: str) -> Any:
        return super().get_lookup(lookup_name) if lookup_name == "isnull" else None

    def get_transform(self, lookup_name: str) -> Any:
        return None


class PackedJSONField(_Packed, models.JSONField):
    """A JSON document, packed. Keys stay in the order in which they were written."""


class DigestField(_Text):
    """A digest: hexadecimal digits to the program, half as many bytes in the database."""

    def get_internal_type(self) -> str:
        return "BinaryField"

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        if value is None or hasattr(value, "as_sql"):
            return value
        return bytes.fromhex(value)

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> str | None:
        return None if value is None else bytes(value).hex()


class PackedTextField(_Packed, _Text):
    """A sentence, packed."""

    def _document(self, value: Any) -> Any:
        return str(value)


class WordField(_Text):
    """A word that is said over and over: whole to the program, a code of one to three letters in the database.

    `codes` gives the code of each word; any other word is stored as it is. A code stays that word's for ever. A word
    that was stored whole gets one by a migration of its rows alone, for it is looked for by its code from then on.

    The database compares codes: equal or not is what can be asked, beginnings and the order of words cannot.
    """

    non_db_attrs = (*models.CharField.non_db_attrs, "codes")

    def __init__(self, *args: Any, codes: Mapping[str, str], **options: Any) -> None:
        self.codes = dict(codes)
        self.words = {code: word for word, code in self.codes.items()}
        if len(self.words) < len(self.codes) or not self.words.keys().isdisjoint(self.codes):
            raise ValueError("two words have one code, or one has another as its code")
        super().__init__(*args, **options)

    def deconstruct(self) -> Any:
        name, path, args, options = super().deconstruct()
        return name, path, args, {**options, "codes": self.codes}

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        if not isinstance(value, str):
            return value
        if value in self.words:
            raise ValueError(f"{value!r} is a code of the column {self.name}, and no word")
        return self.codes.get(value, str(value))

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        return self.words.get(value, value)

    def get_lookup(self, lookup_name: str) -> Any:
        return super().get_lookup(lookup_name) if lookup_name in ("exact", "in", "isnull") else None

    def get_transform(self, lookup_name: str) -> Any:
        return None


class ChainField(_Text):
    """The name of a journal's chain, `table:N` or `room:N` to the program: N or -N in the database."""

    def get_internal_type(self) -> str:
        return "IntegerField"

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        if not isinstance(value, str):
            return value
        kind, _, number = value.partition(":")
        if kind not in ("table", "room"):
            raise ValueError(f"a chain is named table:N or room:N, not {value!r}")
        return int(number) if kind == "table" else -int(number)

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> str | None:
        if value is None:
            return None
        return f"table:{value}" if value >= 0 else f"room:{-value}"

    def get_lookup(self, lookup_name: str) -> Any:
        return super().get_lookup(lookup_name) if lookup_name in ("exact", "in", "isnull") else None


class InstantField(_Instant):
    """An instant, kept on SQLite as microseconds since 1970 (UTC) and not as the 26 letters that Django writes.

    It is sorted, and compared with instants that the program gives or with others of its kind. Days and hours are not
    asked of it, nor is it compared with columns that hold letters, for SQLite would answer, and wrongly.
    """

    _EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
    _MICROSECOND = datetime.timedelta(microseconds=1)

    def get_internal_type(self) -> str:
        # Not a DateTimeField's: Django would read letters.
        return "InstantField"

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        return "bigint" if connection.vendor == "sqlite" else "timestamp with time zone"

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        value = value if prepared else self.get_prep_value(value)
        if connection.vendor == "sqlite" and isinstance(value, datetime.datetime):
            return (value - self._EPOCH) // self._MICROSECOND
        return value

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        return self._EPOCH + value * self._MICROSECOND if isinstance(value, int) else value

    def get_lookup(self, lookup_name: str) -> Any:
        found: Any = super().get_lookup(lookup_name)
        return None if found is None else _of_instants(found)

    def get_transform(self, lookup_name: str) -> Any:
        return None


@functools.cache
def _of_instants(lookup: type[Lookup[Any]]) -> type[Lookup[Any]]:
    """Return `lookup` as one that refuses to compare an instant with a column of another kind."""

    class OfInstants(lookup):  # type: ignore[valid-type, misc]  # a class that is known when it runs
        def get_prep_lookup(self) -> Any:
            other = getattr(self.rhs, "output_field", None)
            if other is not None and not isinstance(other, InstantField):
                raise FieldError(f"{self.lhs.output_field} is compared with instants alone, not with {other}")
            return super().get_prep_lookup()

    return OfInstants


_Set = TypeVar("_Set")
_Get = TypeVar("_Get")


class ShortKey(models.ForeignKey[_Set, _Get]):
    """A foreign key of four bytes where PostgreSQL would take eight: to what a house has some thousands of.

    Ids are eight bytes where they stand as keys; a fact that named one above 2,147,483,647 would be refused.
    """

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        return "integer" if connection.vendor == "postgresql" else super().db_type(connection)
