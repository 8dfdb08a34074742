"""The pages on which an approval is drafted by its words, reviewed with its differences marked, and filed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cardroom.filings.models import GameFiling
from games.jurisdictions import jurisdictions
from games.registry import GAMES, game_of
from tests.cast import PIN, Cast
from tests.filing import game_draft
from tests.games.test_approval import PAPER
from tests.web.conftest import Form, Person

Who = Callable[[str], Person]
SIGNED = {"approver": "room_manager", "approver_pin": PIN}
FLUSH = "say-pair_plus_tables-flush"


def page_of(answer: Any) -> str:
    return str(answer.content.decode())


def drafted(cast: Cast, approval: dict[str, Any] | None = None) -> GameFiling:
    options = {} if approval is None else {"approval": approval}
    return game_draft(
        room=cast.room, number=1, rulebook="california", by=cast.people["compliance"], options=options
    )


def address(cast: Cast, rest: str = "edit/") -> str:
    return f"/rooms/{cast.room.code}/games/1/1/{rest}"


def with_added(officer: Person, where: str, fields: dict[str, Any], key: str) -> dict[str, Any]:
    """The fields of the page once a term is added to it; nothing is saved."""
    answer = officer.client.post(where, {**fields, "more": "add", "add": key})
    assert answer.status_code == 200
    return Form(page_of(answer), where).fields


def test_an_approval_is_drafted_by_its_words_and_signed_by_a_second_person(cast: Cast, person: Who) -> None:
    draft, officer, where = drafted(cast), person("compliance"), address(cast)
    fields = Form(page_of(officer.open(where)), where).fields
    for key in ("seats", "wagers.six_card_bonus.offered", "pair_plus_tables"):
        fields = with_added(officer, where, fields, key)
    assert fields["say-seats"] == "7"
    assert fields["say-wagers.six_card_bonus.offered"] == "false"
    assert (fields["say-pair_plus_tables-mini_royal"], fields[FLUSH]) == ("200", "3")
    fields |= {"say-seats": "8", "say-pair_plus_tables-mini_royal": "40", FLUSH: "4"}
    fields |= {"clause-seats": "2, page 2", "clause-pair_plus_tables": "7.4, page 6"}
    fields |= {
        "approval_title": "Three Card Poker",
        "approval_date": "2026-10-14",
        "state_reference": "GEGR-004861",
    }
    assert officer.client.post(where, fields).status_code == 302
    review = address(cast, "")
    page = page_of(officer.open(review))
    assert "1 clause missing" in page
    assert '<button class="primary" disabled>Check and file · 1 clause missing' in page
    fields = Form(page_of(officer.open(where)), where).fields
    fields["clause-wagers.six_card_bonus.offered"] = "1, page 1"
    assert officer.client.post(where, fields).status_code == 302
    draft.refresh_from_db()
    assert draft.book is GameFiling(rulebook="california", options={"approval": PAPER}).book or (
        draft.options["approval"]["sources"] == PAPER["sources"]
    )
    page = page_of(officer.open(review))
    assert "every clause given" in page
    lodge = address(cast, "file/")
    fields = Form(page, lodge).fields
    filing = {"effective_from": "2026-01-01", "state_reference": "GEGR-004861", **SIGNED}
    assert officer.client.post(lodge, {**fields, **filing}).status_code == 302
    draft.refresh_from_db()
    assert (draft.status, draft.approval.number if draft.approval else "") == ("filed", "GEGR-004861")
    assert draft.terms.rulebook.seats == 8
    assert "GEGR-004861" in page_of(person("inspector").open(review))


def test_a_wrong_value_stands_at_its_field_with_what_was_typed_and_nothing_is_saved(
    cast: Cast, person: Who
) -> None:
    draft, officer, where = drafted(cast, PAPER), person("compliance"), address(cast)
    fields = Form(page_of(officer.open(where)), where).fields
    answer = officer.client.post(where, {**fields, "say-seats": "ninety", FLUSH: ""})
    assert answer.status_code == 422
    page = page_of(answer)
    assert "It is a whole number from 2 to 12, not &quot;ninety&quot;." in page
    assert "flush pays nothing, and a lower hand is paid: give its odds." in page.lower()
    assert Form(page, where).fields["say-seats"] == "ninety"
    draft.refresh_from_db()
    assert draft.options["approval"]["seats"] == 8


def test_what_a_term_needs_besides_is_said_at_the_top(cast: Cast, person: Who) -> None:
    drafted(cast)
    officer, where = person("compliance"), address(cast)
    fields = with_added(
        officer, where, Form(page_of(officer.open(where)), where).fields, "wagers.bad_beat.offered"
    )
    answer = officer.client.post(where, fields)
    assert answer.status_code == 422
    assert "Bad Beat pays: Bad Beat is offered: give its paytable." in page_of(answer)
    fields = with_added(officer, where, fields, "bad_beat_table")
    fields |= {
        f"say-bad_beat_table-{hand}": odds
        for hand, odds in (
            ("straight_flush", "5000"),
            ("three_of_a_kind", "400"),
            ("straight", "100"),
            ("flush", "60"),
            ("pair", "10"),
        )
    }
    assert officer.client.post(where, fields).status_code == 302
    page = page_of(officer.open(where))
    assert "House edge" in page
    assert "407,170,400" in page  # 22,100 hands against 18,424


def test_the_edge_is_worked_out_as_it_is_typed_and_says_what_the_last_line_changed(
    cast: Cast, person: Who
) -> None:
    drafted(cast, PAPER)
    officer, where = person("compliance"), address(cast)
    fields = Form(page_of(officer.open(where)), where).fields
    answer = officer.client.post(where, fields, headers={"HX-Request": "true", "HX-Trigger-Name": FLUSH})
    part = page_of(answer)
    assert answer.status_code == 200
    assert "<html" not in part
    assert "2.3167%" in part
    assert "16,440 − 15,928 = 512 of 22,100 = 128/5,525" in part
    assert "own 4.3801%" in part
    assert "Flush 3:1 would be<br><b>7.2760%</b>" in part
    part = page_of(officer.client.post(where, {**fields, FLUSH: "x"}, headers={"HX-Request": "true"}))
    assert "The house edge is worked out once every line can be read." in part


def test_who_may_bank_is_that_of_the_rotation_that_is_filed_and_marked_as_differing(
    cast: Cast, person: Who
) -> None:
    """The rulebook's is two rounds; what the room's document says goes before either."""
    drafted(
        cast, {**PAPER, "may_bank": {"rounds": 3}, "sources": {**PAPER["sources"], "may_bank.rounds": "5"}}
    )
    officer, where = person("compliance"), address(cast)
    fields = Form(page_of(officer.open(where)), where).fields
    fields["rotation"] = "intervening"
    first = '<dt><span title="by the rotation that is filed">◆</span> Another player banks before'
    typed = page_of(officer.client.post(where, fields, headers={"HX-Request": "true"}))
    assert officer.client.post(where, fields).status_code == 302
    for page in (typed, page_of(officer.open(where)), page_of(officer.open(address(cast, "")))):
        who_may_bank = page.partition("<h3>Who may bank</h3>")[2].partition("<h3>")[0]
        assert first in who_may_bank
        assert '<span class="unseen">before: </span>no</s> <b>yes</b></dd>' in who_may_bank
        assert "the rotation filed, Oliver v. County of Los Angeles (1998)" in who_may_bank
        assert '<span class="unseen">before: </span>2</s> <b>3</b>' in who_may_bank


def test_a_difference_is_dropped_and_the_rest_of_the_page_keeps_what_was_typed(
    cast: Cast, person: Who
) -> None:
    drafted(cast, PAPER)
    officer, where = person("compliance"), address(cast)
    fields = Form(page_of(officer.open(where)), where).fields
    answer = officer.client.post(where, {**fields, "say-pair_plus_tables-pair": "2", "more": "drop:seats"})
    fields = Form(page_of(answer), where).fields
    assert "say-seats" not in fields
    assert fields["say-pair_plus_tables-pair"] == "2"


@pytest.mark.parametrize("who", ["floor", "inspector"])
def test_whoever_does_not_file_is_shown_no_odds_as_they_are_typed(who: str, cast: Cast, person: Who) -> None:
    drafted(cast, PAPER)
    answer = person(who).client.post(address(cast), {"version": "0"}, headers={"HX-Request": "true"})
    assert answer.status_code == 403


@pytest.mark.outside
@pytest.mark.parametrize(
    "rulebook", [each for game in GAMES if game.approved_terms() for each in game.rulebooks]
)
def test_every_term_of_every_game_is_added_and_saved_or_says_what_it_needs(
    rulebook: str, cast: Cast, person: Who
) -> None:
    cast.room.jurisdiction = next(each.id for each in jurisdictions().values() if each.permits(rulebook))
    cast.room.save()
    draft = game_draft(room=cast.room, number=1, rulebook=rulebook, by=cast.people["compliance"])
    officer, where = person("compliance"), address(cast)
    saved = 0
    for term in game_of(rulebook).approved_terms():
        fields = {**Form(page_of(officer.open(where)), where).fields, "differs": ""}
        fields = with_added(officer, where, fields, term.key)
        answer = officer.client.post(where, {**fields, f"clause-{term.key}": "1", "stay": "1"})
        if answer.status_code == 302:
            draft.refresh_from_db()
            assert draft.approval is not None
            assert list(draft.approval.changed) == [term.key]
            saved += 1
        else:
            assert answer.status_code == 422
            assert "field-error" in page_of(answer), term.key
    assert saved > len(game_of(rulebook).approved_terms()) // 2
