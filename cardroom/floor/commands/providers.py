"""Commands on the providers of proposition players under contract with a room."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping
from typing import Annotated, Any, TypedDict

from cardroom.core.json_types import MOST_ROWS, Id, Label, Reason, Size, Text
from cardroom.filings.models import GameFiling
from cardroom.people.models import Provider, ProviderContract
from cardroom.people.permits import local_day
from cardroom.people.rights import Right
from cardroom.rooms.models import Room
from games.phrases import Phrase

from ..errors import BadInput, NotFound, NotNow
from ..execution.carry_out import room_command
from ..execution.transactions import RoomTransaction
from ..models import Table
from .second_person import given_reason

Name = Annotated[str, Text(120), Label(Phrase("Name"))]
Contract = Annotated[
    str, Text(40, blank=True), Label(Phrase("Contract")), "Number of the contract (4 CCR 12270)."
]


class ProviderAnswer(TypedDict):
    """Which provider it was."""

    provider: int


@room_command(
    "POST providers",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the name, which no other provider of the room has",
    title=Phrase("Add a provider"),
    tag="People",
    example={"name": "Delta Players", "contract_number": "P-12"},
)
def provider_add(tx: RoomTransaction, *, name: Name, contract_number: Contract = "") -> ProviderAnswer:
    """Add a provider of proposition players under contract with the room."""
    provider = Provider(room=tx.room, name=name, contract_number=contract_number)
    _check_name(provider)
    provider.save()
    tx.journal("provider_add", provider_data(provider))
    return {"provider": provider.pk}


@room_command(
    "PUT providers/{provider_id}",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the provider",
    title=Phrase("Change a provider"),
    tag="People",
    example={"name": "Delta Players", "contract_number": "P-13"},
)
def provider_set(
    tx: RoomTransaction,
    *,
    provider_id: Id,
    name: Name,
    contract_number: Contract = "",
    active: Annotated[
        bool, Label(Phrase("under contract")), "Whether the room has a contract with them now."
    ] = True,
) -> ProviderAnswer:
    """Say what a provider is called, under which contract they are, and whether they are now."""
    provider = room_provider(tx, provider_id)
    before = provider_data(provider)
    provider.name, provider.contract_number, provider.is_active = name, contract_number, active
    _check_name(provider)
    provider.save()
    if (after := provider_data(provider)) != before:
        tx.journal("provider_set", {**after, "before": before})
    return {"provider": provider.pk}


class ContractAnswer(TypedDict):
    """Which contract it was."""

    contract: int


_Clock = Annotated[
    str | None, Text(5), "A time on the room's clock, such as `10:00`; with the other one, or not at all."
]


@room_command(
    "POST providers/{provider_id}/contracts",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the provider, and on the games and tables of the room",
    title=Phrase("Enter a provider's contract"),
    tag="People",
    example={
        "number": "P-12",
        "begins_on": "2026-01-01",
        "games": [1],
        "opens_at": "10:00",
        "closes_at": "04:00",
    },
)
def contract_enter(
    tx: RoomTransaction,
    *,
    provider_id: Id,
    number: Annotated[str, Text(40), Label(Phrase("Contract"))],
    begins_on: Annotated[datetime.date, Label(Phrase("First day"))],
    ends_on: Annotated[
        datetime.date | None, Label(Phrase("Last day")), "Left out: until it is ended."
    ] = None,
    games: Annotated[list[Id], Size(0, MOST_ROWS), "Numbers of filed games; left out: all of them."]
    | None = None,
    tables: Annotated[list[Id], Size(0, MOST_ROWS), "Numbers of tables; left out: all of them."]
    | None = None,
    opens_at: _Clock = None,
    closes_at: _Clock = None,
) -> ContractAnswer:
    """Enter the days, games, tables and hours of a contract (4 CCR 12270): the provider's players sit and bank within one.

    Hours may go over midnight. A contract never changes: it is ended, and another one entered.
    """
    provider = room_provider(tx, provider_id)
    terms = contract_terms(
        numbers_of(tx.room),
        begins_on=begins_on,
        ends_on=ends_on,
        games=games or [],
        tables=tables or [],
        opens_at=opens_at,
        closes_at=closes_at,
    )
    contract = ProviderContract.objects.create(
        room=tx.room,
        provider=provider,
        number=number,
        entered_at=tx.now,
        entered_by=tx.actor,
        **terms,
    )
    tx.journal("contract_enter", contract_data(contract))
    return {"contract": contract.pk}


def numbers_of(room: Room) -> dict[str, set[int]]:
    """Return the numbers of games and tables that a contract of the room may name."""
    return {
        "games": set(GameFiling.objects.filter(room=room).values_list("number", flat=True)),
        "tables": set(Table.objects.filter(room=room).values_list("number", flat=True)),
    }


def contract_terms(
    known: Mapping[str, Collection[int]],
    *,
    begins_on: datetime.date,
    ends_on: datetime.date | None,
    games: Collection[int],
    tables: Collection[int],
    opens_at: str | None,
    closes_at: str | None,
) -> dict[str, Any]:
    """Return what a contract allows as the columns of its row; `known` are the room's numbers. Raises BadInput."""
    if ends_on is not None and ends_on < begins_on:
        raise BadInput("bad_last_day", Phrase("The last day lies before the first."), path="ends_on")
    hours = _time(opens_at, "opens_at"), _time(closes_at, "closes_at")
    if (hours[0] is None) != (hours[1] is None) or (hours[0] is not None and hours[0] == hours[1]):
        raise BadInput(
            "bad_hours",
            Phrase("Write from when and until when, which differ, or neither for all hours."),
            path="closes_at",
        )
    for path, given in (("games", games), ("tables", tables)):
        if unknown := sorted(set(given).difference(known[path])):
            raise BadInput(
                f"unknown_{path}",
                Phrase("This room has no {what} {number}.", what=path.removesuffix("s"), number=unknown[0]),
                path=path,
            )
    return {
        "begins_on": begins_on,
        "ends_on": ends_on,
        "games": sorted(set(games)),
        "tables": sorted(set(tables)),
        "opens_at": hours[0],
        "closes_at": hours[1],
    }


@room_command(
    "POST contracts/{contract_id}/end",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the contract",
    title=Phrase("End a provider's contract"),
    tag="People",
    example={"reason": "replaced by P-13"},
)
def contract_end(tx: RoomTransaction, *, contract_id: Id, reason: Reason) -> ContractAnswer:
    """End a contract with today as its last day."""
    contract = (
        ProviderContract.objects.filter(pk=contract_id, room=tx.room).select_related("provider").first()
    )
    if contract is None:
        raise NotFound("unknown_contract", Phrase("This room has no contract {id}.", id=contract_id))
    today = local_day(tx.room, tx.now)
    if contract.last_day is not None and contract.last_day <= today:
        raise NotNow("contract_over", Phrase("{contract} is over already.", contract=contract))
    reason = given_reason(reason, Phrase("Ending a contract"))
    contract.ended_on, contract.ended_by = today, tx.actor
    contract.save()
    tx.journal("contract_end", contract_data(contract), reason=reason)
    return {"contract": contract.pk}


def contract_data(contract: ProviderContract) -> dict[str, Any]:
    """A contract as the journal has it."""
    return {"contract": contract.pk, "provider": contract.provider_id, "number": contract.number}


def _time(text: str | None, path: str) -> datetime.time | None:
    if not text:
        return None
    try:
        return datetime.time.fromisoformat(text)
    except ValueError:
        raise BadInput(
            "bad_time", Phrase("{text} is no time: write it as 10:00 or 23:30.", text=text), path=path
        ) from None


def room_provider(tx: RoomTransaction, provider_id: int) -> Provider:
    """Return the provider of the room whose address was asked for; raises NotFound."""
    provider = Provider.objects.filter(pk=provider_id, room=tx.room).first()
    if provider is None:
        raise NotFound(
            "unknown_provider", Phrase("This room has no provider {provider_id}.", provider_id=provider_id)
        )
    return provider


def provider_named(tx: RoomTransaction, provider_id: int) -> Provider:
    """Return the provider of the room that the input `provider_id` names; raises BadInput."""
    try:
        return room_provider(tx, provider_id)
    except NotFound as error:
        raise BadInput(error.code, error.message, path="provider_id") from None


def _check_name(provider: Provider) -> None:
    others = Provider.objects.filter(room=provider.room_id, name=provider.name).exclude(pk=provider.pk)
    if others.exists():
        raise BadInput(
            "name_taken",
            Phrase("The room has a provider called {name} already.", name=provider.name),
            path="name",
        )


def provider_data(provider: Provider) -> dict[str, Any]:
    """A provider as the journal has it."""
    return {
        "provider": provider.pk,
        "name": provider.name,
        "contract_number": provider.contract_number,
        "active": provider.is_active,
    }
