"""A game that is filed by its spots, on the pages: its draft, its table, its placard, its rounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cardroom.filings.models import GameFiling
from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_finish, round_open
from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import Round
from cardroom.web.display.players_display import players_display_of
from tests.cast import PIN, Cast
from tests.filing import table_settings
from tests.web.conftest import Form, Person

Who = Callable[[str], Person]


TILES: dict[str, Any] = {
    "name": "Pai Gow Tiles",
    "seats": 8,
    "decks": 1,
    "spots": [
        {"id": "bet", "name": "Tiles bet", "main": True, "tip": True},
        {"id": "pairs", "name": "Pair of Eights"},
    ],
}


def page_of(answer: Any) -> str:
    return str(answer.content.decode())


class TestDraft:
    @pytest.fixture
    def where(self, cast: Cast, person: Who) -> str:
        """The page of a draft that has just been begun."""
        games = f"/rooms/{cast.room.code}/games/"
        officer = person("compliance")
        fields = Form(page_of(officer.open(games)), f"{games}new/").fields
        answer = officer.client.post(f"{games}new/", {**fields, "rulebook": "by_eye"})
        return str(answer.headers["Location"])

    def test_it_says_how_many_stand_behind_a_seat(self, where: str, person: Who) -> None:
        officer = person("compliance")
        fields = Form(page_of(officer.open(where)), where).fields
        assert fields["back_line"] == "0"
        assert officer.client.post(where, {**fields, "back_line": "2"}).status_code == 302
        assert GameFiling.objects.get().terms.back_line == 2
        assert Form(page_of(officer.open(where)), where).fields["back_line"] == "2"
        answer = officer.client.post(where, {**fields, "back_line": "8"})
        assert "Back-line bettors of a spot are a number from 0 to 7, not 8." in page_of(answer)

    def test_it_is_written_line_by_line(self, where: str, person: Who) -> None:
        officer = person("compliance")
        fields = Form(page_of(officer.open(where)), where).fields
        assert fields["spots"].strip() == "bet | Bet | main, tip"
        spots = "bet | Tiles bet | main tip\n\npairs | Pair of Eights\n"
        assert "odds" not in page_of(officer.open(where))
        typed = {**fields, "name": "Pai Gow Tiles", "title": "Tiles", "seats": "8", "spots": spots}
        assert officer.client.post(where, typed).status_code == 302
        draft = GameFiling.objects.get()
        assert draft.terms.options == GameFiling(rulebook="by_eye", options=TILES).terms.options
        page = page_of(officer.open(where.removesuffix("edit/")))
        assert "Pair of Eights" in page
        assert "/rules/by_eye" not in page
        again = Form(page_of(officer.open(where)), where).fields
        assert again["spots"].strip() == "bet | Tiles bet | main, tip\npairs | Pair of Eights"

    def test_it_lists_what_has_no_clause_yet_and_is_not_filed_so(self, where: str, person: Who) -> None:
        officer, review = person("compliance"), where.removesuffix("edit/")
        fields = Form(page_of(officer.open(where)), where).fields
        said = {"number": "GEGR-1", "direction": "counter_clockwise", "rounds": "2"}
        assert (
            officer.client.post(where, {**fields, **said, "sources": "may_bank.rounds | 3"}).status_code
            == 302
        )
        for address in (where, review):
            page = page_of(officer.open(address))
            assert "1 clause missing" in page
            assert "Deal, settlement and offers go (direction)" in page
        assert "Check and file · 1 clause missing" in page_of(officer.open(review))
        fields = Form(page_of(officer.open(where)), where).fields
        sources = "may_bank.rounds | 3\ndirection | 4"
        assert officer.client.post(where, {**fields, "sources": sources}).status_code == 302
        for address in (where, review):
            assert "missing" not in page_of(officer.open(address))

    def test_its_terms_are_typed_and_come_back(self, where: str, person: Who) -> None:
        officer = person("compliance")
        fields = Form(page_of(officer.open(where)), where).fields
        typed = {
            "decks": "3-8",
            "positions": "2",
            "direction": "counter_clockwise",
            "least_bank_cents": "100",
            "wagered_rounds": "3",
            "previous_round": "on",
            "number": "GEGR-1",
            "sources": "direction | 4, page 2",
            "spots": "ante | Ante | main, tip\nblind | Blind | no fee, counts, equals ante, pays 500:1\n"
            "raise | Raise | after deal: whole 4 x ante\nhalf | Insurance | after deal: 1/2 x ante",
        }
        assert officer.client.post(where, {**fields, **typed}).status_code == 302
        options = GameFiling.objects.get().options
        assert (options["decks"], options["positions"]) == ([3, 8], 2)
        assert (options["direction"], options["least_bank_cents"]) == ("counter_clockwise", 10_000)
        assert options["may_bank"] == {"wagered_rounds": 3, "previous_round": True}
        assert options["spots"][2]["after_deal"] == {"of": "ante", "most": 4, "whole": True}
        assert GameFiling.objects.get().state_reference == "GEGR-1"
        again = Form(page_of(officer.open(where)), where).fields
        assert {name: again[name].strip() for name in typed} == {**typed, "least_bank_cents": "100"}
        assert "multiple of Ante" in page_of(officer.open(where.removesuffix("edit/")))

    @pytest.mark.parametrize(
        ("typed", "text"),
        [
            ({"seats": "13"}, "Seats are a number from 2 to 12"),
            ({"spots": "bet | Bet"}, "No spot is main"),
            ({"spots": "bet | Bet | main\nbet | Other"}, "Spot 2: the id"),
            ({"decks": "9-3"}, "The least, 9, is above the most, 3."),
            ({"sources": "direction"}, "Line 1: write term | clause"),
            ({"spots": "bet"}, "Line 1: write id | name | words"),
            ({"spots": "bet | Bet | mian"}, "Line 1: &#x27;mian&#x27; is none of main, tip, alone"),
        ],
    )
    def test_a_slip_is_told_at_its_field(
        self, where: str, person: Who, typed: dict[str, str], text: str
    ) -> None:
        officer = person("compliance")
        fields = Form(page_of(officer.open(where)), where).fields
        answer = officer.client.post(where, {**fields, **typed})
        assert answer.status_code == 422
        assert text in page_of(answer)
        assert GameFiling.objects.get().options["seats"] == 7


class TestTable:
    @pytest.fixture
    def tiles(self, running: Cast) -> Cast:
        """A table of tiles at which seat 3 banks."""
        settings = table_settings(running.room, rulebook="by_eye", options=TILES)
        running.send(table_set, "floor", **settings, recording="fees")
        return running

    def test_the_pages_of_a_round_name_the_filed_game_and_its_spots(self, tiles: Cast, person: Who) -> None:
        dealer, table = person("dealer"), f"/tables/{tiles.table.pk}/"
        page = page_of(dealer.open(table))
        assert "Pai Gow Tiles" in page
        assert page.count('class="seat-no"') >= 8
        tiles.send(round_open, "dealer", bank_wager_cents=50_000)
        page = page_of(dealer.open(table))
        assert "Tiles bet" in page
        positions = [{"seat": 4, "wagers": {"bet": 1000, "pairs": 200}}]
        tiles.send(bets_place, "dealer", positions=positions)
        page = page_of(dealer.open(table))
        assert "even money" not in page
        assert "max payout" not in page
        tiles.send(bets_close, "dealer")
        tiles.send(round_deal, "dealer")
        assert "even money" not in page_of(dealer.open(table))
        tiles.send(round_finish, "dealer")
        record = page_of(person("floor").open(f"/rounds/{Round.objects.get().pk}/"))
        assert "Pair of Eights" in record

    def test_a_round_says_where_the_bank_ran_out_and_what_followed_the_deal(
        self, running: Cast, person: Who
    ) -> None:
        """A bank of $20 against $30 and a double of $30: $10 of them were paid, and $50 went back."""
        double = {"id": "double", "name": "Double", "after_deal": {"of": "bet", "most": 1}}
        options = {**TILES, "spots": [*TILES["spots"], double]}
        running.send(
            table_set,
            "floor",
            **table_settings(running.room, rulebook="by_eye", options=options),
            recording="fees",
        )
        dealer, table = person("dealer"), f"/tables/{running.table.pk}/"
        running.send(round_open, "dealer", bank_wager_cents=2000)
        running.send(bets_place, "dealer", positions=[{"seat": 4, "wagers": {"bet": 3000}}])
        page = page_of(dealer.open(table))
        assert "below the largest main wager of $30" in page
        running.send(bets_close, "dealer")
        running.send(round_deal, "dealer")
        page = page_of(dealer.open(table))
        assert "against wagers of $30: did it cover all?" in page
        dealer.command("later-bets", **{"later-4-double": "30"})
        page = page_of(dealer.open(table))
        assert "against wagers of $60: did it cover all?" in page
        assert players_display_of(running.state()).covers == "Covers $20 of $60 at even money"
        dealer.command("finish", ran_out_at="4", paid="10", returned="50")
        round_ = Round.objects.get()
        assert (round_.later_bets[0]["wagers"], round_.uncovered_cents) == ({"double": 3000}, 5000)
        record = page_of(person("floor").open(f"/rounds/{round_.pk}/"))
        assert "The bank ran out at seat 4" in record
        assert "Wagers after the deal" in record
        # Where it ran out is corrected on the page: at the bet, of which $20 went back, and the double behind it.
        address = f"/tables/{round_.table_id}/rounds/{round_.pk}/correct/"
        dealer.open(address)
        fields = Form(dealer.text, address).fields
        assert [fields[name] for name in ("ran_out_at", "paid", "taken", "returned")] == ["4", "10", "", "50"]
        assert dealer.post(address, ran_out_at="5", look="1").status_code == 422
        assert "Seat 5 has no such wager in this round." in dealer.text
        dealer.post(address, ran_out_at="4 bet", returned="20", look="1")
        assert "No money moves" in dealer.text
        signed = {"reason": "misheard", "correct": "1", "approver": "floor", "approver_pin": PIN}
        dealer.post(address, **signed)
        new = Round.objects.get(revision=1)
        assert new.ran_out == {"seat": 4, "spot": "bet", "paid": 1000, "taken": 0, "returned": 2000}
        assert (new.uncovered_cents, new.exhausted) == (5000, True)
        address = f"/tables/{new.table_id}/rounds/{new.pk}/correct/"
        dealer.open(address)
        dealer.post(address, ran_out_at="", paid="", returned="", **signed)
        assert (Round.objects.get(revision=2).ran_out, Round.objects.get(revision=2).exhausted) == (
            None,
            False,
        )

    def test_the_placard_on_screen_and_paper(self, tiles: Cast, person: Who) -> None:
        dealer = person("dealer")
        page = page_of(dealer.open(f"/tables/{tiles.table.pk}/placard/"))
        assert "TILES BET" in page
        assert "round.3" in page
        assert "california:" not in page
        assert "/rules/by_eye" not in page
        assert dealer.client.get("/rules/by_eye/").status_code == 404
        answer = dealer.client.get(f"/tables/{tiles.table.pk}/placard.pdf")
        assert answer.status_code == 200
        assert answer.content.startswith(b"%PDF")
