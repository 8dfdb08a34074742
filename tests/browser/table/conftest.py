"""Tables that several modules play at."""

from __future__ import annotations

import pytest

from cardroom.floor.commands.seats import back_line_join, player_leave
from cardroom.floor.commands.tables import table_set
from tests.cast import Cast
from tests.filing import table_settings


@pytest.fixture
def baccarat(cast: Cast) -> Cast:
    """Table 7 plays baccarat; seat 3 banks. Fay and Gus stand behind seat 1, Hal behind seat 4."""
    for seat in (6, 7):
        cast.send(player_leave, "floor", seat=seat)
    cast.send(table_set, "floor", **table_settings(cast.room, rulebook="baccarat", recording="cards"))
    for seat, player in ((1, cast.players[6]), (1, cast.players[7]), (4, cast.waiting[0])):
        cast.send(back_line_join, "floor", seat=seat, player_id=player.pk)
    return cast
