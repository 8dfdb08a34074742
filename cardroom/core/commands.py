"""Declared commands: a command's endpoint, body, OpenAPI entry, right, check, button and form come from one declaration.

A command is a function whose keyword arguments are its inputs. Each annotation says what may be given, so that the API's
body, the page's form and the command read one description: `cents: Cents`, `note: Annotated[str, Text(200, blank=True)]`.
A bare string beside a kind is the help text of the API. The generators are `cardroom.api.commands` and `cardroom.web.commands`;
the decorators that declare a command, `table_command` and `room_command`, stand in `cardroom.floor.execution`.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
import importlib
import inspect
import pkgutil
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, NotRequired, Required, TypedDict

from games.phrases import Phrase

#: The greatest amount of money in one input, in cents: $10 billion.
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


class Flag:
    """True or false."""


class Day:
    """A day of the calendar."""


@dataclasses.dataclass(frozen=True)
class OneOf:
    """One of a few words: `TextChoices`, or a sequence of words."""

    choices: Any

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Each value with its words."""
        pairs = getattr(self.choices, "choices", None)
        return list(pairs) if pairs is not None else [(word, word) for word in self.choices]


@dataclasses.dataclass(frozen=True)
class Signature:
    """A second person, who signs with their user name or badge and their PIN.

    `unless` is the right whose holders give the command without a signature: a supervisor's command, that others ask them for.
    """

    unless: Any = None

    @property
    def help(self) -> str:
        """What the API's document says of it."""
        if self.unless is None:
            return "The second person, who signs with their user name or badge and their PIN."
        return "The supervisor, where whoever gives the command is none."


class Digest:
    """The digest of what was read of a thing, and has to be what stands now. The API has it as the If-Match header."""


@dataclasses.dataclass(frozen=True)
class Many:
    """A list; its bounds come from `Size`."""

    child: Input
    least: int = 0
    most: int | None = None


@dataclasses.dataclass(frozen=True)
class ByKey:
    """An object with any keys, such as wagers by their ids."""

    child: Input


class Json:
    """An object of JSON whose keys the command knows, such as a fee schedule or the options of a game."""


@dataclasses.dataclass(frozen=True)
class Group:
    """An object with the keys of a `TypedDict`."""

    name: str
    doc: str
    fields: tuple[Input, ...]


class Document:
    """An object whose shape is written by hand: a subclass names it, and `cardroom.api.documents` has its shape.

    As an input it is the whole body as it came, which the command reads; other inputs then stand in the address's query.
    """


Kind = Whole | Text | Flag | Day | OneOf | Signature | Digest | Many | ByKey | Json | Group | Document


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
    """What the form offers for an input: a function of the table as it stands, which returns values with their words."""

    options: Callable[[Any], Sequence[tuple[Any, str]]]


Cents = Annotated[int, Money(-MOST_CENTS, MOST_CENTS)]
Id = Annotated[int, Whole(1, MOST_ID)]
Seat = Annotated[int, Whole(1, MOST_SEATS)]
#: The length of reasons, and of notes.
REASON_LENGTH = 200
Reason = Annotated[str, Text(REASON_LENGTH), Label(Phrase("Reason"))]
Note = Annotated[str, Text(REASON_LENGTH, blank=True)]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Input:
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


class CommandOptions(TypedDict, total=False):
    """What a declaration says of a command beside its address and its right."""

    #: The command in a few words: its button, and the summary of its endpoint.
    title: Required[str]
    #: The heading under which the API's document lists it.
    tag: Required[str]
    #: Why it may not be done now, of the place as it stands: asked by the button, the API and before the command itself.
    check: Callable[[Any], Any]
    #: Why there is no such question, where there is none.
    no_check: str
    #: Parts of its answer that stand in facts and are not stored for a repeat: how each is read, from the rest of it.
    read_again: Mapping[str, Callable[[Mapping[str, Any]], Any]]
    #: What its refusal in the present state (409) says beside the error: a `TypedDict`.
    conflict: Any
    #: A request's body, for the API's document and the test of rights.
    example: Mapping[str, Any]
    #: Where a page has it: the last part of its address there.
    page: str
    #: The menu of the table page in which it stands: `more` or `procedures`.
    menu: str
    #: What the page says once it is done; nothing where the page itself shows it.
    done: str
    #: Whether it takes a fresh sign-in: it outlasts the session.
    fresh: bool


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Declaration:
    """A declared command: `command` carries it out. `place` is what it locks, `table` or `room`; `right` is who may give it."""

    function: Callable[..., Any]
    command: Callable[..., dict[str, Any]]
    place: str
    method: str
    address: str
    right: Any
    bumps_version: bool
    title: str
    tag: str
    check: Callable[[Any], Any] | None = None
    no_check: str = ""
    conflict: Any = None
    read_again: Mapping[str, Callable[[Mapping[str, Any]], Any]] = dataclasses.field(default_factory=dict)
    example: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    page: str = ""
    menu: str = ""
    done: str = ""
    fresh: bool = False

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def path(self) -> str:
        """The address from the API's root: `tables/{table_id}/rounds/current/void`."""
        return f"{self.place}s/{{{self.place}_id}}/{self.address}"

    @property
    def in_path(self) -> frozenset[str]:
        """The inputs that stand in the address."""
        return frozenset(re.findall(r"{(\w+)}", self.address))

    @functools.cached_property
    def inputs(self) -> tuple[Input, ...]:
        """The keyword arguments of the function; read when they are first asked for, once all modules are loaded."""
        hints = typing.get_type_hints(self.function, include_extras=True)
        given = inspect.signature(self.function).parameters.values()
        return tuple(
            _input(each.name, hints[each.name], each.default)
            for each in given
            if each.kind is inspect.Parameter.KEYWORD_ONLY
        )

    @functools.cached_property
    def body(self) -> tuple[Input, ...]:
        """The inputs that stand neither in the address nor in a header."""
        return tuple(
            each for each in self.inputs if each.name not in self.in_path and each is not self.digest
        )

    @property
    def description(self) -> str:
        """The function's docstring, a paragraph a line: what the API's document says of it."""
        parts = (inspect.getdoc(self.function) or "").split("\n\n")
        return "\n\n".join(" ".join(part.split()) for part in parts)

    @functools.cached_property
    def document(self) -> Input | None:
        """The input that is the whole body, where there is one."""
        return next((each for each in self.inputs if isinstance(each.kind, Document)), None)

    @functools.cached_property
    def signature(self) -> Input | None:
        """The input that a second person signs, where there is one."""
        return next((each for each in self.inputs if isinstance(each.kind, Signature)), None)

    @functools.cached_property
    def digest(self) -> Input | None:
        """The input that names what was read, where there is one."""
        return next((each for each in self.inputs if isinstance(each.kind, Digest)), None)

    @functools.cached_property
    def answer(self) -> Group | None:
        """What it answers beside its place and version; None for nothing."""
        hint = typing.get_type_hints(self.function, include_extras=True)["return"]
        return _group(hint) if typing.is_typeddict(hint) else None

    @functools.cached_property
    def refusal(self) -> Group | None:
        """What its 409 says beside the error; None for nothing."""
        return None if self.conflict is None else _group(self.conflict)


#: Every declared command by its name.
COMMANDS: dict[str, Declaration] = {}


def declare(command: Declaration) -> None:
    """Take a declaration in. Raises TypeError for one without a check that does not say why it needs none."""
    if (command.check is None) == (not command.no_check):
        raise TypeError(f"{command.name} has a check, or else says in no_check why it needs none")
    if command.name in COMMANDS:
        raise TypeError(f"there are two commands called {command.name}")
    COMMANDS[command.name] = command


def load_commands(package: types.ModuleType) -> None:
    """Import every module of a package, so that its commands are declared: an app calls it when it is ready."""
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")


def _input(name: str, hint: Any, default: Any = inspect.Parameter.empty) -> Input:
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
    kind = first((Whole, Text, OneOf, Signature, Digest, Json, Document)) or _kind(
        name, hint, first(Size) or Size()
    )
    return Input(
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
    plain: dict[Any, Kind] = {bool: Flag(), int: Whole(), str: Text(blank=True), datetime.date: Day()}
    if hint in plain:
        return plain[hint]
    if typing.is_typeddict(hint):
        return _group(hint)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is list:
        return Many(_input(name, args[0]), size.least, size.most)
    if origin is dict:
        return ByKey(_input(name, args[1]))
    raise TypeError(f"what {name} may be is not said: {hint!r}")


def _group(hint: Any) -> Group:
    hints = typing.get_type_hints(hint, include_extras=True)
    return Group(
        hint.__name__, inspect.getdoc(hint) or "", tuple(_input(key, each) for key, each in hints.items())
    )
