"""What a room may say of itself."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from cardroom.rooms.models import Room

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("time_zone", "America/Sacramento", "no IANA time zone; write one such as"),
        ("jurisdiction", "nevada", "no jurisdiction; there are california"),
    ],
)
def test_an_unknown_zone_or_jurisdiction_is_refused_at_its_field(field: str, value: str, words: str) -> None:
    room = Room(name="Cache Slough", code="cache-slough", **{field: value})
    with pytest.raises(ValidationError) as refused:
        room.full_clean()
    [message] = refused.value.message_dict[field]
    assert words in message
