"""Commands on the providers of proposition players under contract with a room."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from cardroom.core.json_types import Id, Label, Text
from cardroom.people.models import Provider
from cardroom.people.rights import Right
from games.phrases import Phrase

from ..errors import BadInput, NotFound
from ..execution.carry_out import room_command
from ..execution.transactions import RoomTransaction

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
    tx.journal("provider_add", _data(provider))
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
    before = _data(provider)
    provider.name, provider.contract_number, provider.is_active = name, contract_number, active
    _check_name(provider)
    provider.save()
    if (after := _data(provider)) != before:
        tx.journal("provider_set", {**after, "before": before})
    return {"provider": provider.pk}


def room_provider(tx: RoomTransaction, provider_id: int) -> Provider:
    """Return a provider of the room; raises NotFound."""
    provider = Provider.objects.filter(pk=provider_id, room=tx.room).first()
    if provider is None:
        raise NotFound(
            "unknown_provider", Phrase("This room has no provider {provider_id}.", provider_id=provider_id)
        )
    return provider


def _check_name(provider: Provider) -> None:
    others = Provider.objects.filter(room=provider.room_id, name=provider.name).exclude(pk=provider.pk)
    if others.exists():
        raise BadInput(
            "name_taken",
            Phrase("The room has a provider called {name} already.", name=provider.name),
            path="name",
        )


def _data(provider: Provider) -> dict[str, Any]:
    """A provider as the journal has it."""
    return {
        "provider": provider.pk,
        "name": provider.name,
        "contract_number": provider.contract_number,
        "active": provider.is_active,
    }
