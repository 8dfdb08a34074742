"""Executes a command: one transaction, one row lock, one check of idempotency key, right and version, one journal.

Before it, where a second person signs: what would refuse the command now (4 to 6 and 8 below) is asked without the lock,
and only then their PIN, which takes long and counts a wrong one (`_signed`). So nobody can try PINs on a command that cannot be
done, and no PIN is hashed under a lock.

In order (`_carried_out`):

1. the table's (or room's) row is locked, waiting at most two seconds;
2. the clock gives the command its instant;
3. a repeated key gives the answer stored under it;
4. the right is checked;
5. a stale version is refused with the present state;
6. at a table, a dealer who has no open down there is refused, and a command that names other people than are there;
7. a step back of the clock is noted in the journal;
8. the command's check is asked;
9. the version goes up by one; it is written with the command's first entry, beside the head of the chain;
10. the command runs;
11. what was given offline is noted with its own instant;
12. the answer is stored under its key.

Any error rolls all of it back.

`table_command` and `room_command` declare a command (`cardroom.core.commands`): its endpoint, form, button and tests are
made from it.
"""

from __future__ import annotations

import abc
import contextlib
import dataclasses
import datetime
import functools
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, Concatenate, Generic, ParamSpec, TypeVar, Unpack

from django.db import IntegrityError, models

from cardroom.core.commands import CommandOptions, Declaration, declare
from cardroom.core.counters import Outcome, command_counted
from cardroom.core.names import why_no_text
from cardroom.people.approval import SignatureGiven
from cardroom.people.journal import JournalBusy, rooms_of_person
from cardroom.people.models import Role, Staff
from cardroom.people.passwords import NewPassword
from cardroom.people.pins import PinRefused, person_by_pin
from cardroom.people.rights import Right, roles_of, why_not_with
from cardroom.rooms.models import Room
from games.phrases import Phrase

from ..checks.own_table import bound_to_own_table, why_not_own_table
from ..errors import BadInput, Busy, FloorError, Forbidden, NotNow, SignatureRefused, Stale, WhyNot
from ..models import StoredAnswer, Table
from ..reads.access import row_found
from ..reads.answers import was_answered
from ..reads.table_record import table_record
from ..reads.table_state import TableState, cached_per_state, read_table
from .clock import command_time, journal_clock_step
from .given_for import GivenFor, check_given_for
from .locks import lock_row, locked, no_such, run_again
from .offline import GivenOffline, offline_note
from .transactions import RoomTransaction, TableTransaction

KEY_LENGTH = 80

Answer = dict[str, Any]
#: What a command returns: its part of the answer, a `TypedDict` for one that is declared; None for nothing.
Returned = Mapping[str, Any] | None
P = ParamSpec("P")
Tx = TypeVar("Tx", bound=RoomTransaction | TableTransaction)


@dataclasses.dataclass(frozen=True, kw_only=True)
class CommandMeta:
    """What comes with every command: who gives it, its idempotency key, and the version it was given on.

    A command that may have waited on a tablet names the people `given_for` whom it was given.
    """

    actor: Staff
    key: str
    version: int
    #: When and where it was given, of a command that has waited on a tablet.
    given: GivenOffline | None = None
    given_for: GivenFor = dataclasses.field(default_factory=dict)


class Command(Declaration, Generic[Tx, P]):
    """A command at a place whose row it locks: a table, or a room.

    Called with a `CommandMeta` it is the whole command; `run` is check and command alone, for another command that already
    holds the row, and `carry_out` counts the version up too.
    """

    #: The model of the place, and what is read with its row.
    model: ClassVar[type[Table | Room]]
    related: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        functools.update_wrapper(self, self.function)

    def run(self, tx: Tx, *args: P.args, **kwargs: P.kwargs) -> Answer:
        """Ask the check and carry the command out where the row is locked already."""
        self.ask(tx)
        return {**(self.function(tx, *args, **kwargs) or {})}

    def carry_out(self, tx: Tx, *args: P.args, **kwargs: P.kwargs) -> Answer:
        """The same, and the place moves on by it: what a whole command does under its lock."""
        self.ask(tx)
        with tx.moving_on() if self.bumps_version else contextlib.nullcontext():
            return {**(self.function(tx, *args, **kwargs) or {})}

    def __call__(self, meta: CommandMeta, pk: int, /, *args: P.args, **kwargs: P.kwargs) -> Answer:
        if args:
            raise TypeError(f"{self.name} takes keyword arguments only")
        _check_text(kwargs)
        for name in self.secrets & kwargs.keys():
            kwargs[name] = secret = NewPassword(str(kwargs[name]))
            secret.hash  # noqa: B018  # which takes long: not under the lock
        with command_counted(self.name) as outcome, _hidden_from_outsiders(self.model, pk, meta.actor):
            signed = self._signed(meta, pk, kwargs)
            return run_again(self._carried_out)(meta, pk, signed, outcome)

    def locked_place(self, pk: int, kwargs: dict[str, Any]) -> contextlib.AbstractContextManager[Any]:
        """Open the transaction and lock the row of the place, after rows that come before it in the order of locks."""
        return locked(self.model, pk, *self.related)

    @abc.abstractmethod
    def begin(self, meta: CommandMeta, holder: Any, now: datetime.datetime) -> Tx:
        """Begin at a place whose row was read, at the instant `now`; raises NotFound for a user without a role there."""

    def check_given(self, meta: CommandMeta, tx: Tx) -> None:
        """Refuse whoever may not give the command, and one that was given on an older version."""
        # The right comes before the version: a stale answer shows the table, which an outsider may not see.
        if why := why_not_with(tx.roles or frozenset(), tx.actor, self.right, tx.room):
            raise Forbidden("forbidden", why)
        if self.bumps_version and meta.version != tx.holder.version:
            raise self.stale(meta.version, tx)

    @abc.abstractmethod
    def stale(self, version: int, tx: Tx) -> Stale:
        """Return the refusal of a command that was given on an older version, with the present state."""

    def ask(self, tx: Tx) -> None:
        """Raise the refusal of a command that may not be done now."""
        if self.check is not None and (why := self.check(seen := tx.look())) is not None:
            raise self.refused(seen, why)

    def refused(self, seen: Any, why: WhyNot) -> FloorError:
        """The refusal for what the check answered."""
        return NotNow.because(why)

    def _signed(self, meta: CommandMeta, pk: int, kwargs: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments with who signed in the place of what they typed. Raises what refuses command or signature."""
        given = {name: value for name, value in kwargs.items() if isinstance(value, SignatureGiven)}
        if not given:
            return kwargs
        holder: Any = row_found(self.model._default_manager.select_related(*self.related), pk)
        tx = self.begin(meta, holder, command_time(holder).now)
        if not was_answered(meta.actor, meta.key):
            self.check_given(meta, tx)
            if Role.PROGRAM in (tx.roles or frozenset()):
                raise Forbidden(
                    "takes_two_people",
                    "What a second person signs is done by two people, and a program is none of them.",
                    path=next(iter(given.values())).path,
                )
            self.ask(tx)
        people: dict[str, Staff] = {}
        for name, signature in given.items():
            try:
                people[name] = person_by_pin(
                    tx.room, signature.named, signature.pin, touched=signature.touched
                )
            except PinRefused as refused:
                raise SignatureRefused(refused, signature.path) from refused
        return {**kwargs, **people}

    def _carried_out(self, meta: CommandMeta, pk: int, kwargs: dict[str, Any], outcome: Outcome) -> Answer:
        """The whole transaction of the command."""
        with self.locked_place(pk, kwargs) as holder:
            moment = command_time(holder)
            tx = self.begin(meta, holder, moment.now)
            fingerprint = _fingerprint(self.name, pk, kwargs)
            if (stored := _stored(meta, fingerprint)) is not None:
                outcome.word = "repeated"
                return {**stored, **{name: read(stored) for name, read in self.read_again.items()}}
            self.check_given(meta, tx)
            journal_clock_step(tx, holder, moment)
            answer = self.carry_out(tx, **kwargs)  # type: ignore[call-arg]  # arguments go by name alone
            if meta.given is not None and isinstance(tx, TableTransaction):
                offline_note(tx, meta.given, self.name)
            answer = {**answer, self.place: pk, "version": tx.holder.version}
            kept = {name: value for name, value in answer.items() if name not in self.read_again}
            _store(meta, fingerprint, tx.room, kept, tx.now)
        return answer


class TableCommand(Command[TableTransaction, P]):
    """A command at one table. Its check is a question of a `TableState`."""

    place, model, related = "table", Table, ("room", "schedule", "game")

    def begin(self, meta: CommandMeta, holder: Table, now: datetime.datetime) -> TableTransaction:
        roles = _roles_there(meta.actor, holder)
        return TableTransaction(table=holder, actor=meta.actor, now=now, roles=roles)

    def check_given(self, meta: CommandMeta, tx: TableTransaction) -> None:
        """Refuse a dealer who has no open down there besides, and a command that names other people than are there."""
        super().check_given(meta, tx)
        roles = tx.roles or frozenset()
        if bound_to_own_table(tx.actor, roles, self.right):
            down = tx.look().down
            dealer_id = None if down is None else down.dealer_id
            if why := why_not_own_table(tx.actor, roles, self.right, tx.table, dealer_id):
                raise Forbidden(why.code, why.message)
        if meta.given_for:
            check_given_for(tx.look(), meta.given_for)

    def stale(self, version: int, tx: TableTransaction) -> Stale:
        return stale(version, read_table(tx.table))


class RoomCommand(Command[RoomTransaction, P]):
    """A command on a room itself. Its check is a question of a `Room`."""

    place, model = "room", Room

    @contextlib.contextmanager
    def locked_place(self, pk: int, kwargs: dict[str, Any]) -> Iterator[Room]:
        """Lock the room, and the rows of further rooms whose journals have the entry, all in order of their ids."""
        first, *more = sorted({pk, *(self.also(pk, kwargs) if self.also is not None else ())})
        with locked(Room, first) as room:
            held = {first: room, **{each: lock_row(Room, each) for each in more}}
            yield held[pk]

    def begin(self, meta: CommandMeta, holder: Room, now: datetime.datetime) -> RoomTransaction:
        return RoomTransaction(
            room=holder,
            actor=meta.actor,
            now=now,
            roles=_roles_there(meta.actor, holder),
            clock=lambda: command_time(holder).now,
        )

    def stale(self, version: int, tx: RoomTransaction) -> Stale:
        return Stale(
            "stale",
            Phrase(
                "Someone else updated the room (version {version}, now {room_version}): review and try again.",
                version=version,
                room_version=tx.room.version,
            ),
            extra={"state": {"room": tx.room.pk, "version": tx.room.version}},
        )


def table_command(
    where: str, right: Right, *, bumps_version: bool = True, **options: Unpack[CommandOptions]
) -> Callable[[Callable[Concatenate[TableTransaction, P], Returned]], TableCommand[P]]:
    """Declare a command at a table. `where` is its method and its address below the table's: `POST rounds/current/void`.

    However many buttons ask, its check is computed once for a reading of the table.
    """
    if (check := options.get("check")) is not None:
        options["check"] = cached_per_state(check)
    return lambda function: declare(
        TableCommand(function=function, where=where, right=right, bumps_version=bumps_version, **options)
    )


def room_command(
    where: str, right: Right, *, bumps_version: bool = True, **options: Unpack[CommandOptions]
) -> Callable[[Callable[Concatenate[RoomTransaction, P], Returned]], RoomCommand[P]]:
    """Declare a command on a room, the same way."""
    return lambda function: declare(
        RoomCommand(function=function, where=where, right=right, bumps_version=bumps_version, **options)
    )


@contextlib.contextmanager
def people_journal(rooms: list[Room], by: Staff, command: str, data: dict[str, Any]) -> Iterator[None]:
    """Hold the locks of `rooms`, which come in order of their ids, and write the entry into the chain of each at the end.

    The first one covers the rows that were written inside. Raises JournalBusy.
    """
    try:
        with contextlib.ExitStack() as locks:
            held = [locks.enter_context(locked(Room, room.pk)) for room in rooms]
            yield
            _written_in(held, by, command, data)
    except Busy as busy:
        raise JournalBusy(busy.message) from busy


def journal_of_person(tx: RoomTransaction, person: Staff, command: str, data: dict[str, Any]) -> None:
    """Write the entry of a command about a person: into the room's chain, and that of each further room of theirs.

    The command's `also` has locked these rooms in order (`rooms_beside`); one that has employed the person since is locked now.
    """
    tx.journal(command, data)
    others = [lock_row(Room, each.pk) for each in rooms_of_person(person) if each != tx.room]
    _written_in(others, tx.actor, command, data)


def rooms_beside(room: int, person: Staff | None) -> list[int]:
    """Return the further rooms whose journals record a person of `room`; none of somebody who is none of its people."""
    rooms = [] if person is None else [each.pk for each in rooms_of_person(person)]
    return [each for each in rooms if each != room] if room in rooms else []


def _written_in(rooms: Iterable[Room], by: Staff, command: str, data: dict[str, Any]) -> None:
    """Write an entry into the chains of rooms whose rows are locked."""
    for room in rooms:
        moment = command_time(room)
        tx = RoomTransaction(room=room, actor=by, now=moment.now)
        journal_clock_step(tx, room, moment)
        tx.journal(command, data)


def _roles_there(actor: Staff, holder: Table | Room) -> frozenset[Role]:
    """Return a user's roles in the room of a place, read once a command; without any, the place is not there."""
    roles = roles_of(actor, holder.room if isinstance(holder, Table) else holder)
    if not roles:
        raise no_such(type(holder), holder.pk)
    return roles


@contextlib.contextmanager
def _hidden_from_outsiders(model: type[Table | Room], pk: int, actor: Staff) -> Iterator[None]:
    """Answer a user without a role there that the place is not there, also while another transaction has it locked."""
    try:
        yield
    except Busy:
        holder = model._default_manager.filter(pk=pk).first()
        if holder is not None:
            _roles_there(actor, holder)
        raise


def stale(version: int, state: TableState) -> Stale:
    """Return the refusal of a command that was given on an older version, with the present state."""
    return Stale(
        "stale",
        Phrase(
            "Someone else updated {table} (version {version}, now {table_version}): review and try again.",
            table=state.table,
            version=version,
            table_version=state.table.version,
        ),
        extra={"state": table_record(state)},
    )


def _check_text(given: Any, path: str = "") -> None:
    """Refuse text that holds characters nobody sees, wherever it comes from: page, API or file."""
    if isinstance(given, str):
        if why := why_no_text(given):
            raise BadInput("bad_text", why, path=path)
    elif isinstance(given, Mapping):
        for key, value in given.items():
            _check_text(value, f"{path}.{key}" if path else str(key))
    elif isinstance(given, list | tuple):
        for number, value in enumerate(given):
            _check_text(value, f"{path}[{number}]")


def _fingerprint(name: str, holder_id: int, body: dict[str, Any]) -> str:
    text = json.dumps([name, holder_id, body], sort_keys=True, default=_plain)
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, models.Model):
        return [value._meta.label, value.pk]
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, NewPassword):
        return "a password"  # whoever could read the digest could try passwords at it
    raise TypeError(f"a command's argument must be plain data or a row, not {type(value).__name__}")


def _stored(meta: CommandMeta, fingerprint: str) -> Answer | None:
    if not meta.key or len(meta.key) > KEY_LENGTH:
        raise BadInput(
            "bad_idempotency_key",
            Phrase(
                "Every command needs an Idempotency-Key of 1 to {key_length} characters.",
                key_length=KEY_LENGTH,
            ),
            status=400,
        )
    given = StoredAnswer.objects.filter(actor=meta.actor, key=meta.key)
    found = given.values_list("fingerprint", "answer").first()  # one at most: a constraint of the model
    if found is None:
        return None
    if found[0] != fingerprint:
        raise _key_reused()
    answer: Answer = found[1]
    return answer


def _key_reused() -> BadInput:
    return BadInput(
        "key_reused",
        Phrase(
            "This Idempotency-Key was already used for another command. Give every new command a key of its own."
        ),
    )


def _store(meta: CommandMeta, fingerprint: str, room: Room, answer: Answer, now: datetime.datetime) -> None:
    try:
        StoredAnswer.objects.create(
            room=room,
            actor=meta.actor,
            key=meta.key,
            fingerprint=fingerprint,
            answer=answer,
            made_at=now,
        )
    except IntegrityError as error:  # the same key at another table, at the same moment: no lock in common
        raise _key_reused() from error


def stored_answers_purge(*, now: datetime.datetime) -> int:
    """Delete stored answers older than seven days; return how many."""
    deleted, _ = StoredAnswer.objects.filter(made_at__lt=now - datetime.timedelta(days=7)).delete()
    return deleted
