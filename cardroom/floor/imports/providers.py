"""Files of providers: each line is a provider, one of its contracts, or one of its authorized players with the badge.

A provider that the room does not know has a line of its own above those of its contracts and players. A contract never changes: one of
a known number says what is on record, or is refused. A player's line is judged as in a file of players.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from cardroom.core.names import looks_like
from cardroom.core.row_digests import rows_create
from cardroom.people.models import Player, Provider, ProviderContract, Staff
from cardroom.rooms.models import Room

from ..commands.providers import contract_data, contract_terms, numbers_of, provider_data
from ..errors import BadInput
from ..execution.transactions import RoomTransaction
from .kinds import (
    Fault,
    FileKind,
    Judge,
    Judged,
    Known,
    Outcome,
    day_in,
    name_in,
    several_in,
    text_in,
    word,
    yes_in,
)
from .lines import BETWEEN, Columns, Line
from .players import PlayersJudge, players_written

_CONTRACT: Final = ("contract", "begins_on", "ends_on", "games", "tables", "opens_at", "closes_at")
_PLAYER: Final = ("number", "name", "other_name", "badge_number", "badge_expires")
_MOST_NUMBERS: Final = 200


class ProvidersJudge(Judge):
    """The providers, contracts and players of a room, and the numbers of its games and tables; seven queries."""

    def __init__(self, room: Room, by: Staff, decisions: Mapping[str, str]) -> None:
        super().__init__(room, by, decisions)
        self.players = PlayersJudge(room, by, decisions)
        self.known = self.players.providers
        self.by_key: dict[str, list[Provider]] = defaultdict(list)
        for provider in self.known.values():
            self.by_key[looks_like(provider.name)].append(provider)
        self.contracts: dict[tuple[int, str], list[ProviderContract]] = defaultdict(list)
        for contract in ProviderContract.objects.filter(room=room).select_related("provider"):
            self.contracts[contract.provider_id, contract.number].append(contract)
        self.numbers = numbers_of(room)

    def alike(self, line: Line) -> list[Known]:
        if _said(line, _PLAYER):
            return self.players.alike(line)
        return [_known(each) for each in self.by_key.get(looks_like(line.given.get("provider", "")), ())]

    def accepted(self, line: Line) -> Judged:
        name = name_in(line, "provider", 120)
        if not name:
            raise Fault("provider", "No provider. Each line names one.")
        of_contract, of_player = _said(line, _CONTRACT), _said(line, _PLAYER)
        if of_contract and of_player:
            raise Fault(of_player, "A line is about a contract or about a player: part it in two.")
        if not of_contract and not of_player:
            return self._provider(line, name)
        if line.given.get("under_contract"):
            raise Fault(
                "under_contract", "It is said in the provider's own line, without contract and player."
            )
        provider = self.known.get(name)
        if provider is None:
            raise Fault(
                "provider",
                f"The room has no provider {name!r}. Give it a line of its own above, with no contract and no player.",
            )
        return self._contract(line, provider) if of_contract else self._player(line, provider)

    def _provider(self, line: Line, name: str) -> Judged:
        active, known = yes_in(line, "under_contract"), self.known.get(name)
        if known is None and (meant := self.decided(line, column="provider")) is not None:
            known = meant.row
        if known is None:
            self.take(line, "provider", name, "this provider")
            # What stands below may name it already.
            self.known[name] = Provider(room=self.room, name=name, is_active=active)
            return Judged(line, Outcome.NEW, columns={"name": name, "added": self.known[name]})
        self.take(line, "provider", known.name, "this provider")
        self.known.setdefault(name, known)
        says = "under_contract" in line.given and known.is_active != active
        return Judged(
            line,
            Outcome.CHANGED if says else Outcome.SAME,
            known=_known(known),
            columns={"is_active": active} if says else {},
            changes={"under_contract": (word(known.is_active), word(active))} if says else {},
        )

    def _contract(self, line: Line, provider: Provider) -> Judged:
        number, begins = text_in(line, "contract", 40), day_in(line, "begins_on")
        if not number:
            raise Fault("contract", "No number of the contract.")
        if begins is None:
            raise Fault("begins_on", "No first day of the contract. Write days as 2027-06-30.")
        try:
            terms = contract_terms(
                self.numbers,
                begins_on=begins,
                ends_on=day_in(line, "ends_on"),
                games=_numbers(line, "games"),
                tables=_numbers(line, "tables"),
                opens_at=line.given.get("opens_at"),
                closes_at=line.given.get("closes_at"),
            )
        except BadInput as refused:
            raise Fault(refused.path, str(refused.message)) from None
        self.take(line, "contract", (provider.name, number), "this contract")
        recorded = self.contracts.get((provider.pk, number), []) if provider.pk is not None else []
        for each in recorded:
            if _terms_of(each) == terms:
                if each.ended_on is not None:
                    raise Fault(
                        "contract",
                        f"{each} was ended, and never begins again: give the new one a number of its own.",
                    )
                return Judged(line, Outcome.SAME, known=Known(str(each.pk), str(each), each))
        if recorded:
            was = _terms_of(recorded[-1])
            [column, *_] = [name for name, value in terms.items() if was[name] != value]
            raise Fault(
                column,
                f"{recorded[-1]} is on record with {_in_words(was[column])}, and never changes: end it on the page, and give the new one "
                "a number of its own.",
            )
        return Judged(
            line,
            Outcome.NEW,
            columns={"name": f"{number} of {provider.name}", "contract": (provider, number, terms)},
        )

    def _player(self, line: Line, provider: Provider) -> Judged:
        given = {name: value for name, value in line.given.items() if name in _PLAYER}
        judged = self.players.accepted(Line(line.number, line.text, {**given, "provider": provider.name}))
        judged.line = line
        return judged


class ProvidersFile(FileKind):
    """Providers with their contracts and their authorized players."""

    name, one, many = "providers", "provider", "providers"
    columns = Columns("provider", ("provider", "under_contract", *_CONTRACT, *_PLAYER), "provider")
    about = (
        "A line is a provider alone, one of its contracts (number, first and last day, numbers of games and tables with + between, hours "
        "such as 10:00), or one of its players with the badge; each names the provider. A new provider has a line of its own above its "
        "contracts and players. A contract on record never changes: it is ended on the page of the providers."
    )
    example = "provider,contract,begins_on\r\nDelta Players,,\r\nDelta Players,P-12,2027-01-01\r\n"

    def judge(
        self, room: Room, by: Staff, decisions: Mapping[str, str], lines: Sequence[Line]
    ) -> ProvidersJudge:
        return ProvidersJudge(room, by, decisions)

    def write(self, tx: RoomTransaction, judged: Sequence[Judged], signed: dict[str, Any]) -> dict[str, Any]:
        written = [each for each in judged if each.outcome in (Outcome.NEW, Outcome.CHANGED)]
        entries: list[tuple[str, dict[str, Any]]] = []
        for each in written:
            if (new := each.columns.get("added")) is not None:
                new.save(force_insert=True)
                entries.append(("provider_add", provider_data(new)))
            elif each.known is not None and isinstance(each.known.row, Provider):
                provider = each.known.row
                before, provider.is_active = provider_data(provider), each.columns["is_active"]
                provider.save()
                entries.append(("provider_set", {**provider_data(provider), "before": before}))
        contracts = [
            ProviderContract(
                room=tx.room,
                provider=provider,
                number=number,
                entered_at=tx.now,
                entered_by=tx.actor,
                **terms,
            )
            for provider, number, terms in (
                each.columns["contract"] for each in written if "contract" in each.columns
            )
        ]
        entries += [("contract_enter", contract_data(each)) for each in rows_create(contracts)]
        players = players_written(tx.room, [each for each in written if _is_player(each)], tx.actor, tx.now)
        tx.journal_all([(command, {**data, **signed}) for command, data in entries])
        return {"numbers": [player.number for player in players]}

    def rows(self, room: Room) -> Iterable[Iterable[Any]]:
        """Providers, each with the contracts that are not over by their own last day or by being ended, and its players."""
        none: tuple[None, ...] = (None,) * len(_PLAYER)
        contracts, players = defaultdict(list), defaultdict(list)
        for contract in ProviderContract.objects.filter(room=room, ended_on__isnull=True):
            contracts[contract.provider_id].append(contract)
        for player in Player.objects.filter(room=room, provider__isnull=False).order_by("number"):
            players[player.provider_id].append(player)
        for provider in Provider.objects.filter(room=room):
            yield provider.name, provider.is_active, *(None,) * len(_CONTRACT), *none
            for each in contracts[provider.pk]:
                terms = _terms_of(each)
                yield provider.name, None, each.number, *terms.values(), *none
            for player in players[provider.pk]:
                badge = player.badge_number, player.badge_expires
                yield (
                    *(provider.name, None, *(None,) * len(_CONTRACT)),
                    *(player.number, player.name, player.other_name, *badge),
                )


def _is_player(judged: Judged) -> bool:
    return isinstance(judged.known.row, Player) if judged.known is not None else "number" in judged.columns


def _said(line: Line, columns: Iterable[str]) -> str:
    """Return the first of some columns that a line fills in; empty for none."""
    return next((column for column in columns if line.given.get(column)), "")


def _numbers(line: Line, column: str) -> list[int]:
    """Return the numbers of a column, parted by + or blanks. Raises Fault."""
    words = [each for several in several_in(line, column) for each in several.split()]
    if wrong := [each for each in words if not (each.isascii() and each.isdigit() and len(each) < 6)]:
        raise Fault(column, f"{wrong[0]!r} is no number of one of the room's {column}.")
    if len(words) > _MOST_NUMBERS:
        raise Fault(column, f"There are {len(words)} numbers, and {_MOST_NUMBERS} are kept.")
    return [int(each) for each in words]


def _terms_of(contract: ProviderContract) -> dict[str, Any]:
    """What a contract says, in order of the columns of the file."""
    return {name: getattr(contract, name) for name in _CONTRACT[1:]}


def _in_words(value: Any) -> str:
    if isinstance(value, list):
        return BETWEEN.join(str(each) for each in value) or "all"
    return word(value)


def _known(provider: Provider) -> Known:
    return Known(str(provider.pk), provider.name, provider)
