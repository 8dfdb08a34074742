"""Contracts of providers: whether a provider's player may sit and bank at a table now, and who sits there outside of one."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from cardroom.core.dates import clock_text
from cardroom.people.models import Player, ProviderContract
from cardroom.people.permits import local_day
from games.phrases import Phrase

from .errors import WhyNot
from .models import Table
from .reads.table_state import TableState

#: The clause that asks for a contract, and for what it says.
CLAUSE = "4 CCR 12270(b)"
OUTSIDE = "outside_contract"

Contracts = Mapping[int, list[ProviderContract]]


def why_outside_contract(state: TableState, player: Player) -> WhyNot | None:
    """A provider's player sits and banks within a contract of the provider, where the room has entered any.

    Asks the database about a provider's player alone.
    """
    if player.provider_id is None:
        return None
    return why_outside(state.table, player, contracts_of([player.provider_id]), state.now)


def contracts_of(providers: Iterable[int]) -> Contracts:
    """Return the contracts of providers, those that were entered first before the others."""
    found: dict[int, list[ProviderContract]] = defaultdict(list)
    for contract in ProviderContract.objects.filter(provider__in=set(providers)).order_by("pk"):
        found[contract.provider_id].append(contract)
    return found


def why_outside(table: Table, player: Player, contracts: Contracts, now: datetime.datetime) -> WhyNot | None:
    """The same with the contracts read before."""
    mine = contracts.get(player.provider_id or 0, [])
    day, time = local_day(table.room, now), now.astimezone(table.room.zone).time()
    game = None if table.game is None else table.game.number
    in_force = [contract for contract in mine if contract.holds_on(day)]
    if not mine or any(_allows(contract, table.number, game, time) for contract in in_force):
        return None
    said: dict[str, Any] = {"player": player, "provider": player.provider}
    if not in_force:
        text = Phrase(
            "{player} plays for {provider}, which has no contract in force today. The room manager enters contracts.",
            **said,
        )
        return WhyNot(OUTSIDE, text, CLAUSE)
    contract = in_force[-1]
    said |= {"number": contract.number}
    if contract.games and game not in contract.games:
        text = Phrase(
            "{player} plays for {provider}, whose contract {number} is for games {games}, not for this one.",
            games=_listed(contract.games),
            **said,
        )
    elif contract.tables and table.number not in contract.tables:
        text = Phrase(
            "{player} plays for {provider}, whose contract {number} is for tables {tables}, not for this one.",
            tables=_listed(contract.tables),
            **said,
        )
    else:
        assert contract.opens_at is not None  # games and tables are right, so that its hours are not
        assert contract.closes_at is not None
        text = Phrase(
            "{player} plays for {provider}, whose contract {number} is from {opens} to {closes}.",
            opens=clock_text(contract.opens_at),
            closes=clock_text(contract.closes_at),
            **said,
        )
    return WhyNot(OUTSIDE, text, CLAUSE)


def _allows(contract: ProviderContract, table: int, game: int | None, time: datetime.time) -> bool:
    return (
        (not contract.games or game in contract.games)
        and (not contract.tables or table in contract.tables)
        and contract.holds_at(time)
    )


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))
