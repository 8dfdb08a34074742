"""Declared commands: a command's endpoint, body, OpenAPI entry, right, check, button and form come from one declaration.

A command is a function whose keyword arguments are its inputs. Each annotation says what may be given, so that the API's
body, the page's form and the command read one description: `cents: Cents`, `note: Annotated[str, Text(200, blank=True)]`.
A bare string beside a kind is the help text of the API. The generators are `cardroom.api.commands` and
`cardroom.web.table.commands`; the decorators that declare a command, `table_command` and `room_command`, are in
`cardroom.floor.execution.carry_out`.
"""

from __future__ import annotations

import abc
import dataclasses
import functools
import importlib
import inspect
import pkgutil
import re
import types
import typing
from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar, Required, TypedDict, TypeVar

from .json_types import Digest, Document, Field, Group, Secret, Signature, fields_of, group_of


class CommandOptions(TypedDict, total=False):
    """What a declaration says of a command beside its address and its right."""

    #: The command in a few words: its button, and the summary of its endpoint.
    title: Required[str]
    #: The heading under which the API's document lists it.
    tag: Required[str]
    #: Why it may not be done now, of the place in its present state: asked by the button, the API and before the command itself.
    check: Callable[[Any], Any]
    #: Why there is no such question, where there is none.
    no_check: str
    #: Parts of its answer that are not stored for a repeat but read from the database again, each by a function of the rest.
    read_again: Mapping[str, Callable[[Mapping[str, Any]], Any]]
    #: What its refusal in the present state (409) says beside the error: a `TypedDict`.
    conflict: Any
    #: A request's body, for the API's document and the test of rights.
    example: Mapping[str, Any]
    #: Where a page has it: the last part of its address there.
    page: str
    #: The menu of the table page that lists it: `more` or `procedures`.
    menu: str
    #: What the page says once it is done; nothing where the page itself shows it.
    done: str
    #: Whether it takes a fresh sign-in: it outlasts the session.
    fresh: bool
    #: The further rooms whose journals have its entry, by the room and its inputs: their rows are locked with it (room commands).
    also: Callable[[int, Mapping[str, Any]], Collection[int]]


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Declaration(abc.ABC):
    """A declared command: what is said of it. How it is carried out is in `cardroom.floor.execution.carry_out`.

    `where` is its method and its address below that of its place: `POST rounds/current/void`. `right` is who may give it. One
    with `bumps_version` false is taken on any version and leaves it: no user who works there has to look again because of it.
    """

    #: What it locks, `table` or `room`.
    place: ClassVar[str]

    function: Callable[..., Any]
    where: str
    right: Any
    bumps_version: bool = True
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
    also: Callable[[int, Mapping[str, Any]], Collection[int]] | None = None

    @abc.abstractmethod
    def __call__(self, meta: Any, pk: int, /, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Carry the command out at the place `pk`, and answer with its version."""

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def method(self) -> str:
        return self.where.partition(" ")[0]

    @property
    def address(self) -> str:
        return self.where.partition(" ")[2]

    @property
    def path(self) -> str:
        """The address from the API's root: `tables/{table_id}/rounds/current/void`."""
        return f"{self.place}s/{{{self.place}_id}}/{self.address}"

    @property
    def in_path(self) -> frozenset[str]:
        """The inputs that are parameters of the path."""
        return frozenset(re.findall(r"{(\w+)}", self.address))

    @functools.cached_property
    def inputs(self) -> tuple[Field, ...]:
        """The keyword arguments of the function; read when they are first asked for, once all modules are loaded."""
        return fields_of(self.function)

    @functools.cached_property
    def body(self) -> tuple[Field, ...]:
        """The inputs that are neither in the path nor in a header."""
        return tuple(
            each for each in self.inputs if each.name not in self.in_path and each is not self.digest
        )

    @property
    def description(self) -> str:
        """The function's docstring, a paragraph a line: what the API's document says of it."""
        parts = (inspect.getdoc(self.function) or "").split("\n\n")
        return "\n\n".join(" ".join(part.split()) for part in parts)

    @functools.cached_property
    def document(self) -> Field | None:
        """The input that is the whole body, where there is one."""
        return next((each for each in self.inputs if isinstance(each.kind, Document)), None)

    @functools.cached_property
    def signature(self) -> Field | None:
        """The input that a second person signs, where there is one."""
        return next((each for each in self.inputs if isinstance(each.kind, Signature)), None)

    @functools.cached_property
    def secrets(self) -> frozenset[str]:
        """The inputs that are kept as a hash alone."""
        return frozenset(each.name for each in self.inputs if isinstance(each.kind, Secret))

    @functools.cached_property
    def digest(self) -> Field | None:
        """The input that names what was read, where there is one."""
        return next((each for each in self.inputs if isinstance(each.kind, Digest)), None)

    @functools.cached_property
    def answer(self) -> Group | None:
        """What it answers beside its place and version; None for nothing."""
        hint = typing.get_type_hints(self.function, include_extras=True)["return"]
        return group_of(hint) if typing.is_typeddict(hint) else None

    @functools.cached_property
    def refusal(self) -> Group | None:
        """What its 409 says beside the error; None for nothing."""
        return None if self.conflict is None else group_of(self.conflict)


#: Every declared command by its name.
COMMANDS: dict[str, Declaration] = {}
D = TypeVar("D", bound=Declaration)


def declare(command: D) -> D:
    """Take a command in, and return it. Raises TypeError for one without a check that does not say why it needs none."""
    if (command.check is None) == (not command.no_check):
        raise TypeError(f"{command.name} has a check, or else says in no_check why it needs none")
    if command.name in COMMANDS:
        raise TypeError(f"there are two commands called {command.name}")
    COMMANDS[command.name] = command
    return command


def load_commands(package: types.ModuleType) -> None:
    """Import every module of a package, so that its commands are declared: an app calls it when it is ready."""
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
