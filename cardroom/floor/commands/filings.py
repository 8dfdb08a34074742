"""Commands on what a room files in versions: of each kind draft, edit, discard, file and withdraw, by one declaration.

What a draft may say and when a version may begin is for `cardroom.filings`; here are the lock, the right, the second
person and the journal. Filings move nothing on the floor: any version of the room is taken. Rules on tips, which are
filed as they are made, have their commands in `cardroom.tips.commands.rules`.
"""

from __future__ import annotations

import contextlib
import datetime
import inspect
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Final, Generic, TypedDict, TypeVar

from cardroom.core.json_types import Digest, Id, OneOf, Reason, Signature, Text, Whole
from cardroom.filings import services
from cardroom.filings.errors import FilingConflict, FilingError
from cardroom.filings.models import FeeSchedule, Filing, GameFiling, Levy, StateFiling
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from games.rotation.profile import PROFILES

from ..errors import BadInput, Forbidden, NotFound, NotNow, Stale
from ..execution.carry_out import RoomCommand, room_command
from ..execution.transactions import RoomTransaction
from .second_person import check_second_person

F = TypeVar("F", bound=Filing)
V = TypeVar("V", bound=Filing)

_Approval = Annotated[Staff, Signature(right=Right.APPROVE_FILING)]

TITLE_LENGTH: Final = 80
REFERENCE_LENGTH: Final = 80
MOST_NUMBER: Final = 999

#: Inputs that every kind takes. Numbers beyond those that there are: the command says which.
Number = Annotated[int, Whole(1, 32_767)]
Title = Annotated[str, Text(TITLE_LENGTH, blank=True)]
RulebookId = Annotated[str, Text(40)]
PlannedDay = Annotated[datetime.date | None, "The first day in force that is planned."]
PlannedReference = Annotated[str, Text(REFERENCE_LENGTH, blank=True), "The state's number, once known."]
FirstDay = Annotated[datetime.date, "First day in force."]
Reference = Annotated[str, Text(REFERENCE_LENGTH), "The state's number of the filing."]
LastDay = Annotated[datetime.date | None, "First day without it; else as soon as may be."]
Status = Annotated[str, OneOf(Filing.Status)]
#: The digest of the version that was read (`Filing.digest`).
Read = Annotated[str, Digest()]
_NOW = "Of what it says now."
#: Columns, and inputs, that only what the state approves has.
_OF_STATE: Final = frozenset({"rulebook", "state_reference"})


class FilingCommands(Generic[V]):
    """The commands of one kind of filing, declared as this is made: `draft`, `edit`, `discard`, `file` and `withdraw`.

    `says` is a function from keyword arguments, which are inputs of `draft` and `edit`, to the columns that a version of
    the kind says (`Filing.drafted`).
    """

    def __init__(
        self,
        kind: type[V],
        where: str,
        says: Callable[..., dict[str, Any]],
        *,
        called: str,
        example: Mapping[str, Any],
    ) -> None:
        self.kind, self.says = kind, says
        #: Inputs that the kind has not.
        self.left_out = frozenset() if issubclass(kind, StateFiling) else _OF_STATE
        word = kind.word
        of_state = {} if self.left_out else {"rulebook": "california"}
        filed_as = {} if self.left_out else {"state_reference": "BGC 12-345"}
        one, stands = f"{where}/{{{word}_id}}", {"status": Status, "digest": Annotated[str, _NOW]}
        answer = _answer(
            f"{word.capitalize()}Answer",
            f"A {word} was drafted, changed, filed or withdrawn.",
            {word: int, **stands},
        )
        gone = _answer(f"{word.capitalize()}Gone", f"A {word}'s draft was discarded.", {word: int})

        def declared(
            step: Callable[..., Any], address: str, title: str, answer: Any = answer, **options: Any
        ) -> RoomCommand[...]:
            return room_command(
                address,
                Right.FILE_SCHEDULES,
                bumps_version=False,
                no_check="it depends on the version that is named: cardroom.filings.services",
                title=title,
                tag="Filings",
                **options,
            )(self._command(step, answer))

        self.draft = declared(
            self._draft,
            f"POST {where}",
            f"Draft the next version of a {called}",
            example={"number": 3, **of_state, **example},
        )
        self.edit = declared(self._edit, f"PUT {one}", f"Change the draft of a {called}", example=example)
        self.discard = declared(self._discard, f"DELETE {one}", f"Discard the draft of a {called}", gone)
        self.file = declared(
            self._file,
            f"POST {one}/file",
            f"File the draft of a {called}",
            fresh=True,
            example={"effective_from": "2027-01-01", **filed_as},
        )
        self.withdraw = declared(
            self._withdraw,
            f"POST {one}/withdraw",
            f"Withdraw a filed {called}",
            fresh=True,
            example={"reason": "no longer offered"},
        )

    def _command(self, step: Callable[..., Any], answer: Any) -> Callable[..., Any]:
        """A step as the function of a command: its inputs are the step's, what a draft says, and the version as it was read."""
        word, parameters, inputs = self.kind.word, inspect.signature(step).parameters, _inputs(step)
        if "version" in parameters:
            inputs = [_input(f"{word}_id", Id), _input("digest", Read), *inputs]
        if "said" in parameters:
            inputs += _inputs(self.says)
        missing = dict.fromkeys(self.left_out & parameters.keys(), "")
        inputs = [each for each in inputs if each.name not in missing]

        def command(tx: RoomTransaction, **given: Any) -> dict[str, Any]:
            if "version" in parameters:
                given["version"] = read_version(tx, self.kind, given.pop(f"{word}_id"), given.pop("digest"))
            version = step(tx, **given, **missing)
            stands = {word: version.pk, "status": version.status, "digest": version.digest}
            return {name: stands[name] for name in answer.__annotations__}

        command.__name__, command.__doc__ = f"{word}{step.__name__}", step.__doc__
        command.__annotations__ = {**{each.name: each.annotation for each in inputs}, "return": answer}
        command.__signature__ = inspect.Signature(inputs)  # type: ignore[attr-defined]  # `inspect` reads it
        return command

    def _draft(
        self,
        tx: RoomTransaction,
        *,
        number: Number,
        rulebook: RulebookId,
        title: Title = "",
        effective_from: PlannedDay = None,
        state_reference: PlannedReference = "",
        **said: Any,
    ) -> V:
        """Of a new number, or of one that has no draft."""
        columns = self._columns(rulebook=rulebook, state_reference=state_reference)
        columns |= {"title": title, "effective_from": effective_from, **self.says(**said)}
        new = self.kind(room=tx.room, number=number, **columns)
        _check_text(new)
        if number > MOST_NUMBER:
            raise BadInput("bad_number", f"Numbers go from 1 to {MOST_NUMBER}, not {number}.", path="number")
        with refused_by_the_floor():
            draft = services.draft(new, by=tx.actor, now=tx.now)
        tx.journal(f"{draft.word}_draft", {**version_data(draft), "after": draft.content()})
        return draft

    def _edit(
        self,
        tx: RoomTransaction,
        version: V,
        *,
        title: Title = "",
        effective_from: PlannedDay = None,
        state_reference: PlannedReference = "",
        **said: Any,
    ) -> V:
        """The whole of it; without a title it keeps its own. A filed version is never changed: draft the next one."""
        columns = {
            "title": title.strip() or version.title,
            "effective_from": effective_from,
            **self._columns(state_reference=state_reference),
            **self.says(**said),
        }
        before = version.content()
        _check_text(self.kind(**columns))
        with refused_by_the_floor():
            draft = services.edit(version, by=tx.actor, **columns)
        tx.journal(f"{draft.word}_edit", {**version_data(draft), "before": before, "after": draft.content()})
        return draft

    def _discard(self, tx: RoomTransaction, version: V) -> V:
        """The journal keeps what it said. A filed version is never deleted: withdraw it."""
        named, before = version_data(version), version.content()
        with refused_by_the_floor():
            services.discard(version, by=tx.actor)
        tx.journal(f"{version.word}_discard", {**named, "before": before})
        return version

    def _file(
        self,
        tx: RoomTransaction,
        version: V,
        *,
        effective_from: FirstDay,
        state_reference: Reference,
        approver: _Approval,
    ) -> V:
        """In force from its first day on, in the place of the version before it, on the next gaming day at the earliest.

        An illegal one is refused with every problem. A second person who may file signs it.
        """
        check_second_person(tx, approver, Right.APPROVE_FILING, "files")
        if version.edited_by_id == approver.pk:
            raise Forbidden(
                "edited_by_signer",
                f"{approver} wrote what this draft says now, and may not sign it: let somebody else sign who has read "
                "it.",
                path="approver",
            )
        reference = self._columns(state_reference=state_reference)
        _check_text(self.kind(**reference))
        with refused_by_the_floor():
            filed = services.file(
                version,
                by=tx.actor,
                effective_from=effective_from,
                approved_by=approver,
                now=tx.now,
                **reference,
            )
        tx.journal(
            f"{filed.word}_file", {**version_data(filed), **_period_data(filed), **_approver_data(approver)}
        )
        return filed

    def _columns(self, **given: str) -> dict[str, Any]:
        """Those of the columns that the kind has."""
        return {name: value for name, value in given.items() if name not in self.left_out}

    def _withdraw(
        self,
        tx: RoomTransaction,
        version: V,
        *,
        reason: Reason,
        approver: _Approval,
        effective_to: LastDay = None,
    ) -> V:
        """Without another in its place. A second person who may file signs it."""
        return withdrawn(tx, version, approver, reason, effective_to)


def filing_commands(
    kind: type[V], where: str, *, called: str, example: Mapping[str, Any]
) -> Callable[[Callable[..., dict[str, Any]]], FilingCommands[V]]:
    """Declare the commands of a kind of filing below the address `where` of a room, over what a draft of it says."""
    return lambda says: FilingCommands(kind, where, says, called=called, example=example)


def version_of(tx: RoomTransaction, kind: type[F], pk: int) -> F:
    """Return one version of a kind of filing in the room; NotFound for another room's too."""
    found = kind._default_manager.filter(pk=pk, room=tx.room).first()
    if found is None:
        raise NotFound("not_found", f"There is no {kind._meta.verbose_name} {pk} in this room.")
    return found


def read_version(tx: RoomTransaction, kind: type[F], pk: int, digest: str) -> F:
    """Return one version as it was read: `digest` is what its reader has seen. Stale where it says something else now."""
    found = version_of(tx, kind, pk)
    if found.digest != digest:
        by = f" by {found.edited_by}" if found.edited_by is not None else ""
        raise Stale(
            "filing_changed",
            f"{found} is not what was read: it is {found.status}, and its text number {found.revision} was "
            f"written{by}. Read it again, and decide on that.",
            extra={
                "state": {
                    "id": found.pk,
                    "status": found.status,
                    "revision": found.revision,
                    "digest": found.digest,
                }
            },
        )
    return found


def withdrawn(
    tx: RoomTransaction, version: F, approver: Staff | None, reason: str, effective_to: datetime.date | None
) -> F:
    """Withdraw a filed version; a second person signs what two have filed."""
    if approver is not None:
        check_second_person(tx, approver, Right.APPROVE_FILING, "withdraws a filing")
    with refused_by_the_floor():
        version = services.withdraw(
            version, by=tx.actor, effective_to=effective_to, reason=reason, now=tx.now
        )
    tx.journal(
        f"{version.word}_withdraw",
        {**version_data(version), **_period_data(version), **_approver_data(approver)},
        reason=reason.strip(),
    )
    return version


@contextlib.contextmanager
def refused_by_the_floor() -> Iterator[None]:
    """Turn the refusals of filings into those that a command answers with."""
    try:
        yield
    except FilingConflict as conflict:
        raise NotNow(conflict.code, conflict.message, path=conflict.path) from conflict
    except FilingError as refused:
        raise BadInput(refused.code, refused.message, path=refused.path) from refused


def _inputs(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The keyword arguments of a function with what their annotations stand for."""
    hints = typing.get_type_hints(function, include_extras=True)
    given = inspect.signature(function).parameters.values()
    return [each.replace(annotation=hints[each.name]) for each in given if each.kind is each.KEYWORD_ONLY]


def _input(name: str, hint: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=hint)


def _answer(name: str, doc: str, fields: dict[str, Any]) -> Any:
    made = TypedDict(name, fields)  # type: ignore[misc]  # a kind's word is a key of it
    made.__doc__ = doc
    return made


def _check_text(version: Filing) -> None:
    """Text comes from pages too, which do not read it by the API's strict body."""
    for name, most in (("title", TITLE_LENGTH), ("state_reference", REFERENCE_LENGTH)):
        words = getattr(version, name, "")
        if len(words.strip()) > most:
            raise BadInput("too_long", f"At most {most} characters, not {len(words.strip())}.", path=name)


def version_data(version: Filing) -> dict[str, Any]:
    """What an entry of the journal says of a version: which one, and the digest of its text."""
    return {
        "id": version.pk,
        "number": version.number,
        "version": version.version,
        "revision": version.revision,
        "digest": version.digest,
    }


def _period_data(version: Filing) -> dict[str, Any]:
    period = {"effective_from": _day(version.effective_from), "effective_to": _day(version.effective_to)}
    if isinstance(version, StateFiling):
        period["state_reference"] = version.state_reference
    return period


def _approver_data(approver: Staff | None) -> dict[str, Any]:
    return {} if approver is None else {"approved_by": {"id": approver.pk, "name": str(approver)}}


def _day(day: datetime.date | None) -> str | None:
    return None if day is None else day.isoformat()


@filing_commands(
    FeeSchedule,
    "schedules/versions",
    called="fee schedule",
    example={
        "games": [1],
        "document": {
            "clause": "california:fees.s1",
            "ante_min_cents": 500,
            "ante_max_cents": None,
            "lines": [{"payer": "player", "per": "ante", "fee_cents": 100}],
        },
    },
)
def schedules(
    *,
    document: Annotated[
        dict[str, Any],
        "Table limit, lines and waivers, in whole cents; it may be illegal yet.",
    ],
    games: Annotated[
        list[Annotated[int, Whole(1, MOST_NUMBER)]] | None,
        "Numbers of the room's filed games that it is approved for; none: every game of its rulebook, which is filed only "
        "in a room with one such game at most.",
    ] = None,
) -> dict[str, Any]:
    """What a fee schedule says."""
    return {"document": document, "games": games or []}


@filing_commands(GameFiling, "games", called="game", example={"options": {"coverage": "gross"}})
def games(
    *,
    options: Annotated[
        dict[str, Any] | None,
        "The room's choices, as in the round sheet, a house rake too; the fee schedule is filed by itself.",
    ] = None,
    rotation: Annotated[
        str,
        OneOf(("", *PROFILES)),
        "Profile by which the bank rotates, one that is in force; empty for the rulebook's own.",
    ] = "",
) -> dict[str, Any]:
    """What a game says: its fee schedule is filed by itself."""
    return {"options": options or {}, "rotation": rotation}


@filing_commands(
    Levy,
    "levies",
    called="levy",
    example={
        "document": {
            "levied_by": "city",
            "authority": "City of Alder Creek",
            "source": "Alder Creek Municipal Code 5.24.080",
            "period": "month",
            "base": ["collection"],
            "lines": [
                {"per": "part", "lower_cents": 0, "upper_cents": 10_000_000, "basis_points": 800},
                {"per": "part", "lower_cents": 10_000_000, "upper_cents": None, "basis_points": 1_100},
            ],
        }
    },
)
def levies(
    *,
    document: Annotated[
        dict[str, Any],
        "Who takes it, the section that says it, what it is of and its tiers, in whole cents and basis points; it may be "
        "unfinished yet.",
    ],
) -> dict[str, Any]:
    """What a levy says: a tax of a city or a fee of the state on the room's own collections."""
    return {"document": document}
