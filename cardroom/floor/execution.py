"""How a command is carried out: one transaction, one lock, one check of key, right and version, one journal.

Before it, where a second person signs: what would refuse the command now (2 to 4, 6 and 8 below) is asked without the lock,
and only then their PIN, which takes long and counts a wrong one (`_signed`). So nobody can try PINs on a command that cannot be
done, and no PIN is hashed under a lock.

In order (`_carried_out`):

1. the table's (or room's) row is locked, waiting at most two seconds;
2. a repeated key gives the answer stored under it;
3. the right is checked;
4. a stale version is refused with the present state;
5. the clock gives the command its instant;
6. at a table, a dealer who has no open down there is refused, and a command that names other people than are there;
7. a step back of the clock is noted in the journal;
8. the command's check is asked;
9. the command runs;
10. the version goes up by one;
11. what was given offline is noted with its own instant; at a table, rows that the command has changed or added, journal entries and the table's row are written together; on a
    room each entry is written as the command makes it, and the row at 10;
12. the answer is stored under its key.

Any error rolls all of it back.

`table_command` and `room_command` declare a command (`cardroom.core.commands`): its endpoint, form, button and tests are made from it.
"""

from __future__ import annotations

import abc
import contextlib
import dataclasses
import datetime
import functools
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, Unpack

from django.db import IntegrityError, models

from cardroom.core.commands import CommandOptions, Declaration, declare
from cardroom.core.counters import Outcome, command_counted
from cardroom.core.names import why_no_text
from cardroom.people.approval import SignatureGiven
from cardroom.people.journal import JournalBusy
from cardroom.people.models import Role, Staff
from cardroom.people.pins import PinRefused, person_by_pin
from cardroom.people.rights import Right, roles_of, why_not_with
from cardroom.rooms.models import Room
from games.phrases import Phrase

from .checks.own_table import bound_to_own_table, why_not_own_table
from .clock import command_time, journal_clock_step
from .errors import BadInput, Busy, FloorError, Forbidden, NotNow, SignatureRefused, Stale, WhyNot
from .given_for import GivenFor, check_given_for
from .locks import locked, no_such, run_again
from .models import StoredAnswer, Table
from .notify import room_changed, table_changed
from .offline import GivenOffline, offline_note
from .reads.access import row_found
from .reads.answers import was_answered
from .reads.table_record import table_record
from .reads.table_state import TableState, read_table
from .transactions import RoomTransaction, TableTransaction

KEY_LENGTH = 80

Answer = dict[str, Any]
#: What a command returns: its part of the answer, a `TypedDict` for one that is declared; None for nothing.
Returned = Mapping[str, Any] | None
P = ParamSpec("P")
At = TypeVar("At")


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


class Command(Declaration, Generic[At, P]):
    """A command at a place whose row it locks: a table, or a room.

    Called with a `CommandMeta` it is the whole command; `run` is check and command alone, for another command that already
    holds the row, and `carry_out` counts the version up too.
    """

    def __post_init__(self) -> None:
        functools.update_wrapper(self, self.function)

    def run(self, tx: At, *args: P.args, **kwargs: P.kwargs) -> Answer:
        """Ask the check and carry the command out where the row is locked already."""
        self.ask(tx)
        return {**(self.function(tx, *args, **kwargs) or {})}

    def carry_out(self, tx: At, *args: P.args, **kwargs: P.kwargs) -> Answer:
        """The same, and the place moves on by it: what a whole command does under its lock."""
        answer = self.run(tx, *args, **kwargs)
        if self.bumps_version:
            self.move_on(tx)
        return answer

    @abc.abstractmethod
    def move_on(self, tx: At) -> None:
        """Count the version of the place up, and tell those who look on once this is committed."""

    def stored(self, meta: CommandMeta, fingerprint: str) -> Answer | None:
        """Return the answer that was given under the envelope's key; None where there was none."""
        answer = _stored(meta, fingerprint)
        if answer is None:
            return None
        return {**answer, **{name: read(answer) for name, read in self.read_again.items()}}

    def store(
        self, meta: CommandMeta, fingerprint: str, room: Room, answer: Answer, now: datetime.datetime
    ) -> None:
        """Store an answer for a repeat of the command, without what is read again."""
        kept = {name: value for name, value in answer.items() if name not in self.read_again}
        _store(meta, fingerprint, room, kept, now)

    @abc.abstractmethod
    def why_refused(self, meta: CommandMeta, pk: int) -> Room:
        """Raise what would refuse the command now, in the order of `_carried_out` but without its lock; answer with the room."""

    def _signed(self, meta: CommandMeta, pk: int, kwargs: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments with who signed in the place of what they typed. Raises what refuses command or signature."""
        given = {name: value for name, value in kwargs.items() if isinstance(value, SignatureGiven)}
        if not given:
            return kwargs
        room = self.why_refused(meta, pk)
        people: dict[str, Staff] = {}
        for name, signature in given.items():
            try:
                people[name] = person_by_pin(room, signature.named, signature.pin)
            except PinRefused as refused:
                raise SignatureRefused(refused, signature.path) from refused
        return {**kwargs, **people}

    @abc.abstractmethod
    def ask(self, tx: At) -> None:
        """Raise the refusal of a command that may not be done now."""

    @abc.abstractmethod
    def __call__(self, meta: CommandMeta, pk: int, /, *args: P.args, **kwargs: P.kwargs) -> Answer:
        """Carry the command out at the place `pk`, and answer with its version."""


class TableCommand(Command[TableTransaction, P]):
    """A command at one table. Its check is a question of a `TableState`."""

    place = "table"

    def move_on(self, tx: TableTransaction) -> None:
        tx.move_on()
        table_changed(tx.table)

    def ask(self, tx: TableTransaction) -> None:
        if self.check is not None:
            state, why = tx.ask(self.check)
            if why is not None:
                raise self.refused(state, why)

    def refused(self, state: TableState, why: WhyNot) -> FloorError:
        """The refusal for what the check answered."""
        return NotNow.because(why)

    def __call__(self, meta: CommandMeta, table_id: int, /, *args: P.args, **kwargs: P.kwargs) -> Answer:
        if args:
            raise TypeError(f"{self.name} takes keyword arguments only")
        _check_text(kwargs)
        with (
            command_counted(self.name) as outcome,
            _hidden_from_outsiders(Table, table_id, meta.actor),
        ):
            signed = self._signed(meta, table_id, kwargs)
            return run_again(self._carried_out)(meta, table_id, signed, outcome)

    def why_refused(self, meta: CommandMeta, pk: int) -> Room:
        table = row_found(Table.objects.select_related("room", "schedule", "game"), pk)
        roles = _roles_there(meta.actor, table)
        if not was_answered(meta.actor, meta.key):
            self._check_given(meta, table, roles)
            state = read_table(table, command_time(table).now)
            _check_own_table(state, meta.actor, self.right, roles)
            if self.check is not None and (why := self.check(state)) is not None:
                raise self.refused(state, why)
        return table.room

    def _check_given(self, meta: CommandMeta, table: Table, roles: frozenset[Role]) -> None:
        # The right comes before the version: a stale answer shows the table, which an outsider may not see.
        _check_right(roles, meta.actor, self.right, table.room)
        if self.bumps_version and meta.version != table.version:
            raise stale(meta.version, read_table(table))

    def _carried_out(
        self, meta: CommandMeta, table_id: int, kwargs: dict[str, Any], outcome: Outcome
    ) -> Answer:
        """The whole transaction of the command."""
        with locked(Table, table_id, "room", "schedule", "game") as table:
            roles = _roles_there(meta.actor, table)
            fingerprint = _fingerprint(self.name, table_id, kwargs)
            if (stored := self.stored(meta, fingerprint)) is not None:
                outcome.word = "repeated"
                return stored
            self._check_given(meta, table, roles)
            moment = command_time(table)
            tx = TableTransaction(table=table, actor=meta.actor, now=moment.now, roles=roles, collects=True)
            if bound_to_own_table(roles, self.right):
                _check_own_table(tx.look(), tx.actor, self.right, roles)
            if meta.given_for:
                check_given_for(tx.look(), meta.given_for)
            journal_clock_step(tx, table, moment)
            answer = self.carry_out(tx, **kwargs)  # type: ignore[call-arg]  # arguments go by name alone
            if meta.given is not None:
                offline_note(tx, meta.given, self.name)
            tx.written()
            answer = {**answer, "table": table.pk, "version": table.version}
            self.store(meta, fingerprint, table.room, answer, tx.now)
        return answer


class RoomCommand(Command[RoomTransaction, P]):
    """A command on a room itself. Its check is a question of a `Room`."""

    place = "room"

    def move_on(self, tx: RoomTransaction) -> None:
        tx.room.version += 1
        Room.objects.filter(pk=tx.room.pk).update(version=tx.room.version)
        room_changed(tx.room)

    def ask(self, tx: RoomTransaction) -> None:
        if self.check is not None and (why := self.check(tx.room)) is not None:
            raise NotNow.because(why)

    def __call__(self, meta: CommandMeta, room_id: int, /, *args: P.args, **kwargs: P.kwargs) -> Answer:
        if args:
            raise TypeError(f"{self.name} takes keyword arguments only")
        _check_text(kwargs)
        with command_counted(self.name) as outcome, _hidden_from_outsiders(Room, room_id, meta.actor):
            signed = self._signed(meta, room_id, kwargs)
            return run_again(self._carried_out)(meta, room_id, signed, outcome)

    def why_refused(self, meta: CommandMeta, pk: int) -> Room:
        room = row_found(Room.objects.all(), pk)
        roles = _roles_there(meta.actor, room)
        if not was_answered(meta.actor, meta.key):
            self._check_given(meta, room, roles)
            if self.check is not None and (why := self.check(room)) is not None:
                raise NotNow.because(why)
        return room

    def _check_given(self, meta: CommandMeta, room: Room, roles: frozenset[Role]) -> None:
        _check_right(roles, meta.actor, self.right, room)
        if self.bumps_version and meta.version != room.version:
            raise Stale(
                "stale",
                Phrase(
                    "Someone else updated the room (version {version}, now {room_version}): review and try again.",
                    version=meta.version,
                    room_version=room.version,
                ),
                extra={"state": {"room": room.pk, "version": room.version}},
            )

    def _carried_out(
        self, meta: CommandMeta, room_id: int, kwargs: dict[str, Any], outcome: Outcome
    ) -> Answer:
        """The whole transaction of the command."""
        with locked(Room, room_id) as room:
            roles = _roles_there(meta.actor, room)
            fingerprint = _fingerprint(self.name, room_id, kwargs)
            if (stored := self.stored(meta, fingerprint)) is not None:
                outcome.word = "repeated"
                return stored
            self._check_given(meta, room, roles)
            moment = command_time(room)
            tx = RoomTransaction(
                room=room, actor=meta.actor, now=moment.now, clock=lambda: command_time(room).now
            )
            journal_clock_step(tx, room, moment)
            answer = self.carry_out(tx, **kwargs)  # type: ignore[call-arg]  # arguments go by name alone
            answer = {**answer, "room": room.pk, "version": room.version}
            self.store(meta, fingerprint, room, answer, tx.now)
        return answer


def table_command(
    where: str, right: Right, *, bumps_version: bool = True, **options: Unpack[CommandOptions]
) -> Callable[[Callable[Concatenate[TableTransaction, P], Returned]], TableCommand[P]]:
    """Declare a command at a table. `where` is its method and its address below the table's: `POST rounds/current/void`."""
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
            for room in held:
                moment = command_time(room)
                tx = RoomTransaction(room=room, actor=by, now=moment.now)
                journal_clock_step(tx, room, moment)
                tx.journal(command, data)
    except Busy as busy:
        raise JournalBusy(busy.message) from busy


def _roles_there(actor: Staff, holder: Table | Room) -> frozenset[Role]:
    """Return a user's roles in the room of a place, read once a command; without any, the place is not there."""
    roles = roles_of(actor, holder.room if isinstance(holder, Table) else holder)
    if not roles:
        raise no_such(type(holder), holder.pk)
    return roles


def _check_right(roles: frozenset[Role], actor: Staff, right: Right, room: Room) -> None:
    if why := why_not_with(roles, actor, right, room):
        raise Forbidden("forbidden", why)


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


def _check_own_table(state: TableState, actor: Staff, right: Right, roles: frozenset[Role]) -> None:
    """Refuse a dealer who acts at another table than the one of the open down."""
    dealer_id = None if state.down is None else state.down.dealer_id
    if why := why_not_own_table(actor, roles, right, state.table, dealer_id):
        raise Forbidden(why.code, why.message)


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
