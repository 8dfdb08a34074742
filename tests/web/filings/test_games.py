"""The pages of the games that a room files: drafted in a form, shown with exact odds, filed, and set at a table."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from cardroom.filings.models import GameFiling
from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import Table
from cardroom.web.placards.placard import rules_placard, table_placard
from cardroom.web.placards.placard_pdf import PrintContext, placard_pdf
from fees.rates import read_schedule
from games.jurisdictions import jurisdictions
from games.registry import load_rulebook, read_options
from games.three_card_poker.rulebook import RULEBOOKS
from tests.cast import PIN, Cast, written
from tests.fees.documents import OPTION_1, band, jackpot, own, player, timed, wager, waiver, with_lines
from tests.filing import game_draft, table_settings
from tests.pdf_text import pages_of
from tests.web.conftest import Form, Person

Who = Callable[[str], Person]
OWN_ANTE = with_lines(own(500, 10000, 100), own(10100, None, 200), band(500, None, 100))
BY_TIME = with_lines(timed("half_hour", 700), band(500, None, 0), jackpot("bank", "round", 100))
LONGEST = with_lines(
    player(100),
    wager("pair_plus", 50),
    *(band(500 + 10000 * n, 10400 + 10000 * n if n < 11 else None, 100 + 100 * (n > 5)) for n in range(12)),
    jackpot("bank", "round", 100),
)
LONGEST["waivers"] = [
    waiver(f"rule_{n}", text="No fee is collected while three players or fewer have wagers on the layout.")
    for n in range(4)
]
SIGNED = {"approver": "room_manager", "approver_pin": PIN}
OWN = {"straight_flush": 40, "three_of_a_kind": 30, "straight": 6, "flush": 4, "pair": 1}


def address(cast: Cast, rest: str = "") -> str:
    return f"/rooms/{cast.room.code}/games/{rest}"


def page_of(answer: Any) -> str:
    return str(answer.content.decode())


def drafted(cast: Cast, rulebook: str = "designated_player", **more: Any) -> GameFiling:
    if not cast.room.rules_of.permits(rulebook):
        permitting = (each.id for each in jurisdictions().values() if each.permits(rulebook))
        cast.room.jurisdiction = next(permitting)
        cast.room.save()
    return game_draft(room=cast.room, number=1, rulebook=rulebook, by=cast.people["compliance"], **more)


def of_designated_players(cast: Cast) -> None:
    cast.room.jurisdiction = "designated_player"
    cast.room.save()


def test_a_game_is_drafted_with_its_options_and_own_paytable_and_filed(cast: Cast, person: Who) -> None:
    of_designated_players(cast)
    officer = person("compliance")
    fields = Form(page_of(officer.open(address(cast))), address(cast, "new/")).fields
    answer = officer.client.post(address(cast, "new/"), {**fields, "rulebook": "designated_player"})
    where = address(cast, "1/1/edit/")
    assert answer.headers["Location"] == where
    fields = Form(page_of(officer.open(where)), where).fields
    assert not {"fee_schedule", "least-ante"} & fields.keys()
    own = {f"own-{hand}": str(odds) for hand, odds in OWN.items()}
    typed = {**fields, **own, "pair_plus_requires_win": "True", "title": "House game"}
    typed |= {"house_rake": "all", "house_rake-cents": "1.50", "rotation": "intervening"}
    assert officer.client.post(where, typed).status_code == 302
    draft = GameFiling.objects.get()
    assert draft.options["pair_plus_table"] == OWN
    assert draft.options["pair_plus_requires_win"] is True
    assert (draft.options["house_rake"], draft.rotation) == ({"mode": "all", "cents": 150}, "intervening")
    page = page_of(officer.open(address(cast, "1/1/")))
    assert "the house&#x27;s own" in page
    assert "40 to 1" in page
    assert "$1.50 from every player and the bank" in page
    assert "Two rounds, then another player-dealer in between" in page
    fields = Form(page, address(cast, "1/1/file/")).fields
    filing = {"effective_from": "2026-01-01", "state_reference": "GEGA-77"}
    where_filed = address(cast, "1/1/file/")
    for signs, why in (
        ({}, "This field is required"),
        ({"approver": "compliance", "approver_pin": PIN}, "ask a second person"),
        ({"approver": "room_manager", "approver_pin": "x"}, "belong to nobody here"),
    ):
        refused = officer.client.post(where_filed, {**fields, **filing, **signs})
        assert refused.status_code in (403, 422)
        assert why in page_of(refused)
        assert "GEGA-77" in page_of(refused)
        fields = Form(page_of(refused), where_filed).fields
    assert officer.client.post(where_filed, {**fields, **filing, **SIGNED}).status_code == 302
    draft.refresh_from_db()
    assert (draft.status, draft.state_reference) == ("filed", "GEGA-77")
    assert (draft.filed_by, draft.approved_by) == (cast.people["compliance"], cast.people["room_manager"])
    assert "stays as it was filed" in page_of(officer.open(address(cast, "1/1/")))
    assert officer.client.get(where).headers["Location"] == address(cast, "1/1/")


def test_half_a_paytable_is_refused_where_it_is_missing_and_nothing_is_saved(cast: Cast, person: Who) -> None:
    draft = drafted(cast)
    where = address(cast, "1/1/edit/")
    fields = Form(page_of(person("compliance").open(where)), where).fields
    answer = person("compliance").client.post(where, {**fields, "own-straight_flush": "40"})
    assert answer.status_code == 422
    assert "A table has odds for each of these hands" in page_of(answer)
    draft.refresh_from_db()
    assert draft.options == {}


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_rulebook_is_filed_and_shown_with_its_odds(rulebook: str, cast: Cast, person: Who) -> None:
    drafted(cast, rulebook)
    page = page_of(person("room_manager").open(address(cast, "1/1/")))
    assert "Wagers, paytables and exact odds" in page
    assert page.count('<article class="panel wager') >= 3


def test_the_next_version_begins_by_saying_what_this_one_says_and_a_withdrawal_needs_a_reason(
    cast: Cast, person: Who
) -> None:
    assert cast.game.version == 1
    officer = person("compliance")
    page = page_of(officer.open(address(cast, "1/1/")))
    where = address(cast, "1/1/withdraw/")
    fields = Form(page, where).fields
    assert officer.client.post(where, {**fields, "reason": "", **SIGNED}).status_code == 422
    fields = Form(page, address(cast, "1/1/next/")).fields
    answer = officer.client.post(address(cast, "1/1/next/"), fields)
    assert answer.headers["Location"] == address(cast, "1/2/edit/")
    fields = Form(page_of(officer.open(address(cast, "1/1/"))), where).fields
    assert officer.client.post(where, {**fields, "reason": "sold", **SIGNED}).status_code == 302
    assert GameFiling.objects.get(version=1).status == "withdrawn"


def test_a_draft_of_a_game_is_discarded(cast: Cast, person: Who) -> None:
    drafted(cast)
    officer, where = person("compliance"), address(cast, "1/1/discard/")
    fields = Form(page_of(officer.open(address(cast, "1/1/"))), where).fields
    assert officer.client.post(where, fields).headers["Location"] == address(cast)
    assert not GameFiling.objects.exists()


def test_a_table_is_set_to_a_filed_game_on_its_page_and_its_placard_says_which(
    cast: Cast, person: Who
) -> None:
    game = cast.game
    floor, where = person("floor"), f"/tables/{cast.table.pk}/commands/settings/"
    fields = Form(page_of(floor.open(f"/tables/{cast.table.pk}/")), where).fields
    answer = floor.client.post(where, {**fields, "game_id": str(game.pk)})
    assert answer.status_code == 302
    table = Table.objects.get(pk=cast.table.pk)
    assert (table.game, table.rulebook) == (game, "california")
    fields = Form(page_of(floor.open(f"/tables/{cast.table.pk}/")), where).fields
    assert fields["game_id"] == str(game.pk)
    assert not {"coverage", "rulebook", "rotation", "rake_mode"} & fields.keys()
    # Limits are proposed, and stand once the form is sent.
    assert table.wager_limits == {
        "pair_plus": [100, 10000],
        "six_card_bonus": [100, 10000],
        "tips": [100, 10000],
    }
    assert ("Game as filed", f"{game}, in force from Wed Jan 1, 2025, GEGA-000123") in table_placard(
        table
    ).versions
    listed = page_of(person("inspector").open(address(cast)))
    assert f'<a href="/tables/{table.pk}/">7</a>' in listed


def test_a_placard_bears_another_mark_once_the_table_plays_another_filing(cast: Cast) -> None:
    cast.send(table_set, "floor", **table_settings(cast.room, schedule_id=cast.schedule(1).pk))
    mark = table_placard(Table.objects.get(pk=cast.table.pk)).mark
    cast.send(table_set, "floor", **table_settings(cast.room, options={"coverage": "net"}))
    assert table_placard(Table.objects.get(pk=cast.table.pk)).mark != mark


@pytest.mark.parametrize("rulebook", ["california", "designated_player"])
@pytest.mark.parametrize(
    "document", [OPTION_1, OWN_ANTE, BY_TIME, LONGEST], ids=["ante", "own", "time", "long"]
)
def test_every_structure_of_fees_stays_on_one_page_of_the_placard(
    rulebook: str, document: dict[str, Any]
) -> None:
    schedule = read_schedule(document, number=1, title="Schedule option 1")
    placard = rules_placard(read_options(load_rulebook(rulebook), {}), schedule=schedule)
    sheet = PrintContext(where="Table 7", room=None, printed_by="Ada", printed_at=timezone.now())
    assert len(pages_of(placard_pdf(placard, sheet))) == 1


@pytest.mark.parametrize("who", ["floor", "inspector"])
def test_whoever_does_not_file_neither_sees_a_draft_nor_writes_one(who: str, cast: Cast, person: Who) -> None:
    drafted(cast)
    before, one = written(), person(who)
    assert one.open(address(cast, "1/1/")).status_code == 404
    assert "✎ draft" not in page_of(one.open(address(cast)))
    for command in ("new/", "1/1/next/", "1/1/edit/", "1/1/discard/", "1/1/file/", "1/1/withdraw/"):
        assert one.client.post(address(cast, command), {"version": "0"}).status_code == 403, command
    assert written() == before


def test_for_people_of_elsewhere_there_is_no_game_here(cast: Cast, person: Who) -> None:
    assert cast.game.in_force(timezone.localdate() + datetime.timedelta(days=1))
    for who in ("outsider", "rival_compliance"):
        one = person(who)
        for page in ("", "1/1/", "1/1/edit/"):
            assert one.open(address(cast, page)).status_code == 404, (who, page)
        for command in ("new/", "1/1/next/", "1/1/edit/", "1/1/discard/", "1/1/file/", "1/1/withdraw/"):
            assert one.client.post(address(cast, command), {"version": "0"}).status_code == 404, (
                who,
                command,
            )
