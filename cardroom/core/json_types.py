"""The types of what the API takes and answers: annotations that say what a value may be, and what they are read as.

A command's keyword arguments, a body's rows and the `TypedDict` of an answer are written in one way: plain Python types, a kind
beside a type where it says more (`Annotated[str, Text(200, blank=True)]`), and a bare string as the help text of the API.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
import inspect
import types
import typing
from collections.abc import Callable, Sequence
from typing import Annotated, Any, NotRequired, Required, Self

from games.phrases import Phrase

#: The greatest amount of money in one input, in cents: $10 billion. The rules set no ceiling on the bank's wager (`001`
#: winners 4); a column of the database does.
MOST_CENTS = 10**12
#: Ids fit the database's big integers.
MOST_ID = 2**63 - 1
MOST_SEATS = 99


@dataclasses.dataclass(frozen=True)
class Whole:
    """A whole number; without bounds only in answers."""

    least: int | None = None
    most: int | None = None


class Money(Whole):
    """An amount in cents, which a form takes in dollars."""


@dataclasses.dataclass(frozen=True)
class Text:
    """Text on one line of at most so many characters; `blank`: it may be empty."""

    most: int | None = None
    blank: bool = False


@dataclasses.dataclass(frozen=True)
class Secret(Text):
    """Text that is kept as a hash alone, taken as it is, blanks included: no answer, entry or page has it."""


@dataclasses.dataclass(frozen=True)
class Base64(Text):
    """The bytes of a file of at most `most_bytes`, in Base64 (RFC 4648) on one line; `Base64.of` makes it."""

    most_bytes: int = 0

    @classmethod
    def of(cls, most_bytes: int) -> Self:
        return cls(most=-(-most_bytes // 3) * 4, most_bytes=most_bytes)


class Flag:
    """True or false."""


class Day:
    """A day of the calendar."""


class Moment:
    """An instant as ISO 8601 in UTC; only in answers."""


class Anything:
    """Any value; only in answers."""


@dataclasses.dataclass(frozen=True)
class OneOf:
    """One of a few words: `TextChoices`, or a sequence of words; `blank`: or none of them."""

    choices: Any
    blank: bool = False

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Each value with its words."""
        pairs = getattr(self.choices, "choices", None)
        return list(pairs) if pairs is not None else [(word, word) for word in self.choices]


@dataclasses.dataclass(frozen=True)
class Signature:
    """A second person, who signs with their user name or badge and their PIN.

    `unless` is the right whose holders give the command without a signature: a supervisor's command, that others ask them for.
    `right` is what the second person must hold, where that is always the same.
    """

    unless: Any = None
    right: Any = None

    @property
    def held(self) -> Any:
        """The right that whoever signs must hold; None where it depends on the round, or on who gives the command."""
        return self.unless if self.unless is not None else self.right

    @property
    def help(self) -> str:
        """What the API's document says of it."""
        said = "The second person, who signs with their user name or badge and their PIN"
        if self.unless is not None:
            said = "The supervisor, where whoever gives the command is none"
        return f"{said}." if self.held is None else f"{said}: somebody who may {self.held.value}."


class Digest:
    """The digest of what was read of an object, which must still be the current one. The API has it as the If-Match header."""


@dataclasses.dataclass(frozen=True)
class Many:
    """A list; its bounds come from `Size`."""

    child: Field
    least: int = 0
    most: int | None = None


@dataclasses.dataclass(frozen=True)
class ByKey:
    """An object with any keys, such as wagers by their ids."""

    child: Field


class Json:
    """An object whose keys another part knows, such as a fee schedule or the options of a game."""


@dataclasses.dataclass(frozen=True, eq=False)
class Group:
    """An object with the keys of a `TypedDict`."""

    name: str
    doc: str
    fields: tuple[Field, ...]


@dataclasses.dataclass(frozen=True)
class Document:
    """An object that is kept and read as it came, by the engine or from a record; `shape`, a `TypedDict`, describes it.

    As an input it is the whole body, and other inputs of the command are in the query string.
    """

    shape: Any

    @property
    def group(self) -> Group:
        return self.shape if isinstance(self.shape, Group) else group_of(self.shape)


Kind = (
    Whole
    | Text
    | Flag
    | Day
    | Moment
    | Anything
    | OneOf
    | Signature
    | Digest
    | Many
    | ByKey
    | Json
    | Group
    | Document
)


@dataclasses.dataclass(frozen=True)
class Size:
    """How many rows a list may have."""

    least: int = 0
    most: int | None = None


@dataclasses.dataclass(frozen=True)
class Key:
    """What JSON calls an input whose name is a word of the language: `from`."""

    text: str


@dataclasses.dataclass(frozen=True)
class Label:
    """What the form calls an input; without it, its name."""

    text: str


@dataclasses.dataclass(frozen=True)
class Pick:
    """What the form offers for an input: a function of the table's present state, which returns values with their words."""

    options: Callable[[Any], Sequence[tuple[Any, str]]]


#: An instant in an answer.
Instant = Annotated[str, Moment()]
#: A day in an answer, as `isoformat` writes it.
DayText = Annotated[str, Day()]
Cents = Annotated[int, Money(-MOST_CENTS, MOST_CENTS)]
Id = Annotated[int, Whole(1, MOST_ID)]
#: An input that takes any number: the command says what is wrong with one.
AnyNumber = Annotated[int, Whole(-(10**12), 10**12)]
#: More rows than there are tables or denominations.
MOST_ROWS = 1000
Seat = Annotated[int, Whole(1, MOST_SEATS)]
#: The length of reasons, and of notes.
REASON_LENGTH = 200
Reason = Annotated[str, Text(REASON_LENGTH), Label(Phrase("Reason"))]
Note = Annotated[str, Text(REASON_LENGTH, blank=True)]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Field:
    """One input of a command, or one field of an answer, as its annotation says."""

    name: str
    kind: Kind
    #: Its name in JSON.
    key: str
    required: bool = True
    default: Any = None
    nullable: bool = False
    help: str = ""
    label: str = ""
    pick: Callable[[Any], Sequence[tuple[Any, str]]] | None = None


def fields_of(function: Callable[..., Any]) -> tuple[Field, ...]:
    """Return a field for each keyword argument of a function."""
    hints = typing.get_type_hints(function, include_extras=True)
    return tuple(
        field_of(each.name, hints[each.name], each.default)
        for each in inspect.signature(function).parameters.values()
        if each.kind is inspect.Parameter.KEYWORD_ONLY
    )


def field_of(name: str, hint: Any, default: Any = inspect.Parameter.empty) -> Field:
    """Return what an annotation says of an argument, a key or a row."""
    required, nullable, metadata = default is inspect.Parameter.empty, False, []
    while True:
        origin = typing.get_origin(hint)
        if origin is Annotated:
            metadata += hint.__metadata__
            hint = hint.__origin__
        elif origin in (Required, NotRequired):
            required = origin is Required
            [hint] = typing.get_args(hint)
        elif origin in (typing.Union, types.UnionType):
            nullable = True
            [hint] = [each for each in typing.get_args(hint) if each is not type(None)]
        else:
            break

    def first(kind: type | tuple[type, ...]) -> Any:
        return next((each for each in metadata if isinstance(each, kind)), None)

    key, label, pick = first(Key), first(Label), first(Pick)
    kind = first((Whole, Text, OneOf, Day, Moment, Signature, Digest, Document)) or _kind(
        name, hint, first(Size) or Size()
    )
    return Field(
        name=name,
        kind=kind,
        key=key.text if key else name,
        required=required,
        default=None if default is inspect.Parameter.empty else default,
        nullable=nullable,
        help=first(str) or getattr(kind, "help", ""),
        label=label.text if label else Phrase(name.replace("_", " ").capitalize()),
        pick=pick.options if pick else None,
    )


def _kind(name: str, hint: Any, size: Size) -> Kind:
    """What a type without a kind beside it says by itself."""
    plain: dict[Any, Kind] = {
        bool: Flag(),
        int: Whole(),
        str: Text(blank=True),
        datetime.date: Day(),
        Any: Anything(),
        dict[str, Any]: Json(),
    }
    if hint in plain:
        return plain[hint]
    if typing.is_typeddict(hint):
        return group_of(hint)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is list:
        return Many(field_of(name, args[0]), size.least, size.most)
    if origin is dict:
        return ByKey(field_of(name, args[1]))
    raise TypeError(f"what {name} may be is not said: {hint!r}")


@functools.cache
def group_of(hint: Any) -> Group:
    """Return what a `TypedDict` says of its keys."""
    hints = typing.get_type_hints(hint, include_extras=True)
    return Group(
        hint.__name__,
        inspect.cleandoc(hint.__doc__ or ""),
        tuple(field_of(key, each) for key, each in hints.items()),
    )
