"""Whose statements a person can reach. Page and API both ask here before they show."""

from __future__ import annotations

from cardroom.floor.errors import NotFound
from cardroom.people.firms import providers_within
from cardroom.people.models import Provider, Staff
from cardroom.rooms.models import Room


def get_provider_for(staff: Staff, room: Room, provider_id: int) -> Provider:
    """Return the provider, if its statement is open to `staff` in `room`; NotFound, as if it were not there, if not."""
    provider = providers_within(staff, room).filter(pk=provider_id).first()
    if provider is None:
        raise NotFound("not_found", f"There is no provider {provider_id}.")
    return provider
