"""Fee schedules drafted on pages, as a compliance officer would without scripts: form, checker, file, withdrawal."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from cardroom.filings.models import FeeSchedule
from cardroom.filings.schedule_file import ScheduleFileRefused, read_schedule_file, written_schedule
from cardroom.floor.models import JournalEntry
from cardroom.web.filings.schedule_form import KINDS, fits_form
from fees.document import BANDS, RATES
from tests.cast import PIN, Cast, written
from tests.fees.documents import (
    OPTION_1,
    band,
    jackpot,
    own,
    player,
    positions,
    timed,
    wager,
    wager_band,
    waiver,
    with_lines,
)
from tests.filing import filed_game, schedule_draft
from tests.web.conftest import Form, Person

Who = Callable[[str], Person]
EVERYTHING = with_lines(
    player(100),
    wager("pair_plus", 50),
    own(500, 10000, 0),
    own(10100, None, 150),
    band(500, 10000, 100),
    band(10100, None, 200, clause="california:fees.3"),
    timed("half_hour", 700),
    jackpot("bank", "round", 100),
    wager_band("six_card_bonus", 100, 500, 50),
    wager_band("six_card_bonus", 600, None, 100),
    positions(1, 4, 200),
    positions(5, None, 300),
    band(500, None, 25, per="largest_ante"),
    band(500, 10000, 25, per="own_ante"),
)
WAIVED = {
    **EVERYTHING,
    "waivers": [waiver("short_handed", most_positions=3), waiver("half", "bank", portion_cents=50)],
}


@pytest.fixture
def draft(cast: Cast) -> FeeSchedule:
    """A draft of schedule 1's next version, which says what version 1 says."""
    return schedule_draft(room=cast.room, number=1, document=OPTION_1, by=cast.people["compliance"])


#: Wagers that may have a fee of their own, where an approval lets any.
WAGERS = ("pair_plus", "six_card_bonus")
#: What the second person types who signs a filing.
SIGNED = {"approver": "room_manager", "approver_pin": PIN}


def address(cast: Cast, rest: str = "") -> str:
    return f"/rooms/{cast.room.code}/schedules/{rest}"


def page_of(answer: Any) -> str:
    return str(answer.content.decode())


def saved(person: Person, cast: Cast, **typed: str | list[str]) -> Any:
    """Open the draft's form, change some of its fields, and save it."""
    where = address(cast, "1/2/edit/")
    fields = Form(page_of(person.open(where)), where).fields
    return person.client.post(where, {**fields, **typed})


def test_the_form_knows_every_kind_of_line_that_a_document_may_have() -> None:
    assert [value for value, _ in KINDS] == [f"{payer}:{per}" for payer, per in (*RATES, *BANDS)]


@pytest.mark.parametrize("document", [OPTION_1, EVERYTHING, WAIVED, {"ante_max_cents": None, "lines": []}])
def test_a_document_goes_through_the_form_unchanged(document: dict[str, Any]) -> None:
    assert fits_form(document, WAGERS)


@pytest.mark.parametrize(
    "document",
    [
        with_lines(player(1.5)),
        with_lines(player(100, percent=5)),
        with_lines({"payer": "player", "per": "pot", "fee_cents": 100}),
        {"lines": "none"},
        {**OPTION_1, "remark": "x"},
        {**OPTION_1, "lines": [5]},
    ],
)
def test_what_the_form_would_lose_is_not_shown_in_it(document: dict[str, Any]) -> None:
    assert not fits_form(document, WAGERS)


def test_a_draft_is_saved_with_its_problems_beside_the_lines_that_have_them(
    cast: Cast, draft: FeeSchedule, person: Who
) -> None:
    answer = saved(person("compliance"), cast, **{"lines-2-fee_cents": "", "head-title": "Dearer"})
    assert answer.status_code == 302
    draft.refresh_from_db()
    assert draft.title == "Dearer"
    assert "fee_cents" not in draft.document["lines"][2]
    page = page_of(person("compliance").open(address(cast, "1/2/edit/")))
    assert "Saved, but not to be filed yet" in page
    row = page.index('class="problem-row"')
    assert "line 3: “Fee” is missing: write the fee, 0 for none." in page[row:]
    assert page.count('class="problem-row"') == 1


def test_saving_shows_the_jumps_and_what_differs_from_the_version_in_force(
    cast: Cast, draft: FeeSchedule, person: Who
) -> None:
    saved(person("compliance"), cast, **{"lines-2-fee_cents": "3.50"})
    draft.refresh_from_db()
    assert draft.document["lines"][2]["fee_cents"] == 350
    page = page_of(person("compliance").open(address(cast, "1/2/edit/")))
    assert "option 1 of california is what its document prints" in page
    assert "Against version 1" in page
    saved(person("compliance"), cast, **{"lines-2-fee_cents": "2", "lines-2-clause": "our letter"})
    page = page_of(person("compliance").open(address(cast, "1/2/edit/")))
    assert "finds nothing against it" in page
    assert "$100 → $101 costs the player-dealer $1 more" in page


@pytest.mark.clause("california:fees.4")
def test_the_form_offers_no_fee_on_a_wager_that_bears_none(
    cast: Cast, draft: FeeSchedule, person: Who
) -> None:
    assert 'value="player:wager"' not in page_of(person("compliance").open(address(cast, "1/2/edit/")))
    typed = {"lines-0-kind": "player:wager", "lines-0-wager": "pair_plus"}
    assert saved(person("compliance"), cast, **typed).status_code == 422
    draft.refresh_from_db()
    assert draft.document == OPTION_1


def test_the_games_that_it_is_approved_for_are_ticked(cast: Cast, draft: FeeSchedule, person: Who) -> None:
    assert cast.game.number == 1
    other = filed_game(cast.room, options={"coverage": "net"})
    page = page_of(person("compliance").open(address(cast, "1/2/edit/")))
    assert f"{cast.game.number} · {cast.game.title} ({cast.game.state_reference})" in page
    assert f"{other.number} · " in page
    assert saved(person("compliance"), cast, **{"head-games": [str(other.number)]}).status_code == 302
    draft.refresh_from_db()
    assert draft.games == [other.number]
    page = page_of(person("compliance").open(address(cast, "1/2/edit/")))
    assert f'value="{other.number}" id="id_head-games_1" checked' in page
    assert saved(person("compliance"), cast, **{"head-games": []}).status_code == 302
    assert "it names no game, and this room has 2 on file under california" in page_of(
        person("compliance").open(address(cast, "1/2/edit/"))
    )
    listed = page_of(person("compliance").open(address(cast)))
    assert "every game of its rules" in listed
    assert "$5 - $100" in listed


def test_bands_of_positions_are_typed_as_numbers(cast: Cast, draft: FeeSchedule, person: Who) -> None:
    typed = {
        "lines-1-kind": "bank:positions",
        "lines-1-lower_cents": "1",
        "lines-1-upper_cents": "4",
        "lines-2-kind": "bank:positions",
        "lines-2-lower_cents": "5",
        "lines-2-upper_cents": "",
    }
    assert saved(person("compliance"), cast, **typed).status_code == 302
    draft.refresh_from_db()
    bounds = [(line["lower_positions"], line["upper_positions"]) for line in draft.document["lines"][1:]]
    assert bounds == [(1, 4), (5, None)]
    page = page_of(person("compliance").open(address(cast, "1/2/edit/")))
    assert "4 → 5 positions costs the player-dealer $1 more" in page or "option 1 of california" in page
    assert saved(person("compliance"), cast, **{**typed, "lines-1-lower_cents": "1.50"}).status_code == 422


@pytest.mark.parametrize("typed", ["5%", "1/20", "2 percent"])
def test_a_percentage_is_refused_where_it_is_typed_and_nothing_is_saved(
    typed: str, cast: Cast, draft: FeeSchedule, person: Who
) -> None:
    answer = saved(person("compliance"), cast, **{"lines-0-fee_cents": typed})
    assert answer.status_code == 422
    assert "never a fraction or percentage" in page_of(answer)
    assert f'value="{typed}"' in page_of(answer)
    draft.refresh_from_db()
    assert draft.document == OPTION_1


def test_lines_are_added_and_removed_without_scripts(cast: Cast, draft: FeeSchedule, person: Who) -> None:
    before = len(OPTION_1["lines"])
    more = page_of(saved(person("compliance"), cast, more="lines"))
    assert "not saved yet" in more
    assert f'name="lines-{before + 1}-kind"' in more
    waived = page_of(saved(person("compliance"), cast, more="waivers"))
    assert 'name="waivers-0-key"' in waived
    new = {f"lines-{before}-kind": "bank:round", f"lines-{before}-fee_cents": "1", "lines-0-remove": "on"}
    assert saved(person("compliance"), cast, **new, **{f"lines-{before}-box": "jackpot"}).status_code == 302
    draft.refresh_from_db()
    assert draft.document["lines"] == [
        *OPTION_1["lines"][1:],
        {"payer": "bank", "per": "round", "box": "jackpot", "fee_cents": 100},
    ]


def test_a_draft_is_filed_with_day_and_number_and_never_edited_again(
    cast: Cast, draft: FeeSchedule, person: Who
) -> None:
    officer = person("compliance")
    where = address(cast, "1/2/file/")
    fields = Form(page_of(officer.open(address(cast, "1/2/"))), where).fields
    day = timezone.localdate(timezone=cast.room.zone) + datetime.timedelta(days=2)
    signed = {"state_reference": "BGC 7", **SIGNED}
    early = officer.client.post(where, {**fields, "effective_from": "2025-03-01", **signed})
    assert early.status_code == 409
    assert "can take its place" in page_of(early)
    fields = Form(page_of(early), where).fields
    done = officer.client.post(where, {**fields, "effective_from": str(day), **signed})
    assert done.status_code == 302
    draft.refresh_from_db()
    assert (draft.status, draft.effective_from, draft.filed_by) == ("filed", day, cast.people["compliance"])
    assert officer.client.get(address(cast, "1/2/edit/")).status_code == 302
    assert "stays as it was filed" in page_of(officer.open(address(cast, "1/2/")))
    entry = JournalEntry.objects.filter(command="schedule_file").get()
    assert entry.data["effective_from"] == str(day)


def test_an_illegal_draft_is_not_filed(cast: Cast, person: Who) -> None:
    # A gap between the bands: what a total of $150 owes is not said.
    gap = with_lines(player(100), band(500, 10000, 100), band(20000, None, 200))
    draft = schedule_draft(room=cast.room, number=1, document=gap, by=cast.people["compliance"])
    officer, where = person("compliance"), address(cast, "1/2/file/")
    fields = Form(page_of(officer.open(address(cast, "1/2/"))), where).fields
    before = written()
    answer = officer.client.post(
        where, {**fields, "effective_from": "2027-03-01", "state_reference": "BGC 7", **SIGNED}
    )
    assert answer.status_code == 422
    draft.refresh_from_db()
    assert draft.status == "draft"
    assert written() == before


def test_a_new_schedule_and_a_next_version_are_drafted(cast: Cast, person: Who) -> None:
    officer = person("room_manager")
    fields = Form(page_of(officer.open(address(cast))), address(cast, "new/")).fields
    assert fields["number"] == "3"
    assert officer.client.post(address(cast, "new/"), {**fields, "rulebook": "california"}).headers[
        "Location"
    ] == address(cast, "3/1/edit/")
    fields = Form(page_of(officer.open(address(cast, "1/1/"))), address(cast, "1/1/next/")).fields
    assert officer.client.post(address(cast, "1/1/next/"), fields).status_code == 302
    first, second = FeeSchedule.objects.filter(room=cast.room, number=1).order_by("version")
    assert second.document == first.document


def test_a_filed_version_is_withdrawn_with_a_reason(cast: Cast, person: Who) -> None:
    officer, where = person("compliance"), address(cast, "2/1/withdraw/")
    fields = Form(page_of(officer.open(address(cast, "2/1/"))), where).fields
    assert officer.client.post(where, {**fields, "reason": "", **SIGNED}).status_code == 422
    assert (
        officer.client.post(where, {**fields, "reason": "the tables are sold", **SIGNED}).status_code == 302
    )
    assert cast.schedule(2).status == "withdrawn"
    assert JournalEntry.objects.get(command="schedule_withdraw").reason == "the tables are sold"


def test_a_draft_is_discarded_once_and_the_journal_keeps_what_it_said(
    cast: Cast, draft: FeeSchedule, person: Who
) -> None:
    officer, where = person("compliance"), address(cast, "1/2/discard/")
    fields = Form(page_of(officer.open(address(cast, "1/2/"))), where).fields
    for _ in range(2):
        assert officer.client.post(where, fields).headers["Location"] == address(cast)
    assert [each.status for each in FeeSchedule.objects.filter(room=cast.room, number=1)] == ["filed"]
    assert JournalEntry.objects.get(command="schedule_discard").data["before"]["document"] == OPTION_1
    found = FeeSchedule.history.filter(number=1, version=2).latest()
    assert (found.history_type, found.history_user) == ("-", cast.people["compliance"])
    assert "has a draft" not in page_of(officer.open(address(cast, "1/1/")))


def test_a_filed_version_has_no_button_that_discards_it_and_stays_when_asked_to_go(
    cast: Cast, draft: FeeSchedule, person: Who
) -> None:
    officer = person("compliance")
    assert "Discard" not in page_of(officer.open(address(cast, "1/1/")))
    fields = Form(page_of(officer.open(address(cast, "1/2/"))), address(cast, "1/2/discard/")).fields
    filed = FeeSchedule.objects.get(room=cast.room, number=1, version=1)
    answer = officer.client.post(address(cast, "1/1/discard/"), {**fields, "read": filed.digest})
    assert answer.status_code == 409
    assert "stays as it was filed" in page_of(answer)
    assert FeeSchedule.objects.get(room=cast.room, number=1, version=1).status == "filed"


def test_a_version_as_a_file_is_uploaded_as_a_draft(cast: Cast, draft: FeeSchedule, person: Who) -> None:
    officer = person("compliance")
    text = page_of(officer.open(address(cast, "1/2.toml")))
    given = text.replace("number = 1", "number = 9", 1)
    fields = Form(page_of(officer.open(address(cast))), address(cast, "upload/")).fields
    fields.pop("file", None)
    file = SimpleUploadedFile("nine.toml", given.encode())
    answer = officer.client.post(address(cast, "upload/"), {**fields, "file": file})
    assert answer.headers["Location"] == address(cast, "9/1/edit/")
    assert FeeSchedule.objects.get(number=9).document == draft.document


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("fee_cents = 100", "fee_percent = 5"), "line 1"),
        (("ante_min_cents", "ante_minimum"), "ante_minimum is not a key"),
        (('title = "', "title = 5 # "), "title must be a text"),
        (("number = 1", "number = [1]"), "number must be a whole number"),
        (("clause = ", "clause = = "), "line 4"),
        (("[[line]]", "[line]"), "nine.toml"),
    ],
)
def test_a_file_with_a_slip_is_refused_with_its_place(
    change: tuple[str, str], says: str, cast: Cast, draft: FeeSchedule, person: Who
) -> None:
    text = written_schedule(draft)
    assert change[0] in text
    bad = text.replace(*change, 1).encode()
    with pytest.raises(ScheduleFileRefused) as raised:
        read_schedule_file(bad, file="nine.toml")
    assert "nine.toml" in str(raised.value)
    assert says in str(raised.value)
    officer = person("compliance")
    fields = Form(page_of(officer.open(address(cast))), address(cast, "upload/")).fields
    answer = officer.client.post(
        address(cast, "upload/"), {**fields, "file": SimpleUploadedFile("nine.toml", bad)}
    )
    assert answer.status_code == 422
    assert FeeSchedule.objects.filter(room=cast.room).count() == 3


@pytest.mark.parametrize("document", [OPTION_1, WAIVED])
def test_a_version_as_a_file_says_what_it_said(document: dict[str, Any], cast: Cast) -> None:
    draft = schedule_draft(
        room=cast.room, number=5, document=document, by=cast.people["compliance"], rulebook="by_eye"
    )
    found = read_schedule_file(written_schedule(draft).encode(), file="five.toml")
    assert (found.number, found.title, found.document) == (5, draft.title, document)


@pytest.mark.parametrize("who", ["floor", "inspector", "dealer"])
def test_whoever_does_not_file_neither_sees_a_draft_nor_writes_one(
    who: str, cast: Cast, draft: FeeSchedule, person: Who
) -> None:
    before = written()
    one = person(who)
    assert one.open(address(cast, "1/2/edit/")).status_code == 403
    for command in (
        "new/",
        "upload/",
        "1/1/next/",
        "1/2/edit/",
        "1/2/discard/",
        "1/2/file/",
        "2/1/withdraw/",
    ):
        assert one.client.post(address(cast, command), {"version": "0"}).status_code == 403, command
    assert written() == before


def test_for_people_of_elsewhere_there_is_no_schedule_here(
    cast: Cast, draft: FeeSchedule, person: Who
) -> None:
    for who in ("outsider", "rival_compliance"):
        one = person(who)
        for command in (
            "new/",
            "upload/",
            "1/1/next/",
            "1/2/edit/",
            "1/2/discard/",
            "1/2/file/",
            "2/1/withdraw/",
        ):
            assert one.client.post(address(cast, command), {"version": "0"}).status_code == 404, (
                who,
                command,
            )
        assert one.open(address(cast, "1/1.toml")).status_code == 404
