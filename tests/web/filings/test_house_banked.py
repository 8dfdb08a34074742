"""Pages of games that the house banks: what a room files, what its table posts for the hands in play, folded hands."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from cardroom.filings import services
from cardroom.filings.models import GameFiling
from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import Table
from tests.api.feed import Feed
from tests.cast import HANDS, PLAYERS, Cast
from tests.filing import SINCE, table_settings
from tests.pdf_text import pages_of
from tests.web.conftest import Form, Person
from tests.web.filings.test_games import address, drafted, page_of

clause = pytest.mark.clause
Who = Callable[[str], Person]
SHARED = "The prize is shared in equal parts, odd cents to the lowest seat."


@pytest.fixture
def feed(cast: Cast) -> Feed:
    """Table 7 is open with a dealer, and nobody sits there; what it plays is set by the first sheet."""
    cast.open(seats=())
    return Feed(cast)


def round_sheet(rulebook: str, wagers: dict[int, dict[str, int]], **more: Any) -> dict[str, Any]:
    """A sheet of the cast's players and hands; whoever has an ante plays, seat 1 folds."""
    positions = [
        {
            "seat": seat,
            "player": PLAYERS[seat],
            "hand": HANDS[seat],
            "wagers": placed,
            **({"decision": "fold" if seat == 1 else "play"} if "ante" in placed else {}),
        }
        for seat, placed in wagers.items()
    ]
    return {"rulebook": rulebook, "bank_hand": "Kh 7d 4c", "positions": positions, **more}


def filed(cast: Cast, rulebook: str, **options: Any) -> GameFiling:
    """Game 1 of the room with these options, and table 7 set to it."""
    manager = cast.people["room_manager"]
    game = services.file(
        drafted(cast, rulebook, options=options), by=manager, effective_from=SINCE, state_reference="A-1"
    )
    settings = table_settings(cast.room, rulebook=rulebook, options=options)
    assert settings["game_id"] == game.pk
    cast.send(table_set, "floor", **settings)
    return game


@clause("massachusetts:10(c).2", "massachusetts:13(d)(c)")
def test_a_room_files_its_procedure_and_what_is_done_when_several_hands_win_the_meter(
    cast: Cast, person: Who
) -> None:
    drafted(cast, "massachusetts")
    where = address(cast, "1/1/edit/")
    officer = person("compliance")
    fields = Form(page_of(officer.open(where)), where).fields
    assert (fields["settling"], fields["meter_wins"], fields["game-version"]) == (
        "seat_by_seat",
        "",
        "standard",
    )
    typed = {
        **fields,
        "settling": "step_by_step",
        "meter_wins": f" {SHARED} ",
        "game-version": "ante_covers_half",
    }
    assert officer.client.post(where, typed).status_code == 302
    draft = GameFiling.objects.get()
    wanted = ("step_by_step", SHARED, "ante_covers_half")
    assert tuple(draft.options[name] for name in ("settling", "meter_wins", "version")) == wanted
    again = Form(page_of(officer.open(where)), where).fields
    assert tuple(again[name] for name in ("settling", "meter_wins", "game-version")) == wanted
    services.file(draft, by=cast.people["room_manager"], effective_from=SINCE, state_reference="GEGA-000123")
    shown = person("floor").open(address(cast, "1/1/"))
    assert "step by step: all losing wagers, then all winning ones" in page_of(shown)
    assert SHARED in page_of(shown)


@clause("massachusetts:10(c).2", "massachusetts:13(d)(c)", "south_dakota:(16)(a)(iv)")
@pytest.mark.parametrize("rulebook", ["massachusetts", "south_dakota"])
def test_a_placard_says_what_the_room_has_filed(cast: Cast, person: Who, rulebook: str) -> None:
    first = {"settling": "step_by_step"} if rulebook == "massachusetts" else {}
    filed(cast, rulebook, meter_wins=SHARED, **first)
    dealer = person("dealer")
    dealer.open(f"/tables/{cast.table.pk}/placard/")
    (paper,) = pages_of(dealer.client.get(f"/tables/{cast.table.pk}/placard.pdf").content)
    for words in (dealer.text, " ".join(paper.split())):
        assert f"When several hands win the meter in one round: {SHARED}" in words
        assert ("All losing wagers are collected, then all winning ones" in words) == bool(first)


@clause("massachusetts:10(c).2")
def test_the_other_procedure_is_the_default_and_posted_too(cast: Cast, person: Who) -> None:
    filed(cast, "massachusetts")
    dealer = person("dealer")
    dealer.open(f"/tables/{cast.table.pk}/placard/")
    assert "Seats are settled counterclockwise from the dealer&#x27;s right, all of one player" in dealer.text
    assert "nothing is filed" in dealer.text


@clause("massachusetts:12(e).2", "massachusetts:12(c)")
def test_cover_all_is_posted_by_the_hands_in_play_once_no_more_bets_is_called(
    feed: Feed, cast: Cast, person: Who
) -> None:
    wagers = {2: {"ante": 1000, "cover_all": 500}, 4: {"ante": 1000}, 5: {"pair_plus": 500}}
    feed.prepare(round_sheet("massachusetts", wagers))
    where = f"tables/{cast.table.pk}"
    dealer = person("dealer")

    def marked() -> list[str]:
        """The number of players at the head of each column that is marked."""
        page = page_of(dealer.open(f"/{where}/placard/"))
        return re.findall(r'class="in-force" aria-current="true">(\d)', page)

    bets = [{"seat": seat, "wagers": placed} for seat, placed in wagers.items()]
    assert feed.dealer.send("POST", f"{where}/rounds", {}).status == 200
    assert feed.dealer.send("PUT", f"{where}/rounds/current/bets", {"positions": bets}).status == 200
    dealer.open(f"/{where}/")
    assert "Cover All pays" not in dealer.text, "another hand may still come"
    assert marked() == []
    assert feed.dealer.send("POST", f"{where}/rounds/current/close-bets", {}).status == 200
    dealer.open(f"/{where}/")
    assert (
        "3 hands are in play: Cover All pays mini royal 80 to 1, straight flush 30 to 1, three of a kind 25 to 1, "
        "straight 2 to 1."
    ) in " ".join(dealer.text.split())
    assert marked() == ["3"]


@clause("south_dakota:(8).7")
def test_a_folded_hand_of_a_round_in_south_dakota_is_seen_when_somebody_asks(feed: Feed, person: Who) -> None:
    sheet = round_sheet("south_dakota", {1: {"ante": 1000}, 2: {"ante": 1000}})
    feed.prepare(sheet)
    played = feed.step_through(sheet)["round"]
    floor = person("floor")
    floor.open(f"/rounds/{played}/")
    assert "face down" in floor.text and "Queen of diamonds" not in floor.text
    floor.open(f"/rounds/{played}/?folded=show")
    assert "Queen of diamonds" in floor.text and "face down" not in floor.text


@clause("shuffle_master:badbeat.note")
def test_the_settings_of_a_table_propose_the_least_bad_beat_that_is_recommended(
    cast: Cast, person: Who
) -> None:
    manager = cast.people["room_manager"]
    game = services.file(
        drafted(cast, "shuffle_master"), by=manager, effective_from=SINCE, state_reference="A-1"
    )
    floor, where = person("floor"), f"/tables/{cast.table.pk}/commands/settings/"
    fields = Form(page_of(floor.open(f"/tables/{cast.table.pk}/")), where).fields
    assert floor.client.post(where, {**fields, "game_id": str(game.pk), "schedule_id": ""}).status_code == 302
    limits = Table.objects.get(pk=cast.table.pk).wager_limits
    assert (limits["bad_beat"], limits["ante"]) == ([100, 10000], [500, 10000])
