"""Rules and placards: what they show follows from the settings, on screen and on paper, and from nothing else."""

from __future__ import annotations

import datetime
import html
import re
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qsl

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from reportlab.platypus import Paragraph, Table

from cardroom.filings import services
from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import Table as FloorTable
from cardroom.web.placards.forms import ChoicesForm
from cardroom.web.placards.placard import Placard, rules_placard, table_placard
from cardroom.web.placards.placard_pdf import placard_story
from games.registry import load_rulebook, read_options
from games.three_card_poker.rulebook import RULEBOOKS
from tests.cast import Cast
from tests.filing import schedule_draft, table_settings
from tests.games.test_approval import PAPER
from tests.pdf_text import pages_of
from tests.web.conftest import Person

OWN_TABLE = {"straight_flush": 45, "three_of_a_kind": 31, "straight": 7, "flush": 5, "pair": 1}


def chosen(rulebook: str, **choices: str) -> tuple[Placard, ChoicesForm]:
    """The placard of a rulebook with choices as the rules page's form sends them."""
    form = ChoicesForm(load_rulebook(rulebook), choices)
    assert form.is_valid(), form.errors
    assert form.terms is not None
    placard = rules_placard(form.terms, limits=form.limits, schedule=form.schedule, situation=form.situation)
    return placard, form


def document(placard: Placard, players: int | None = None) -> str:
    """The words of the printed page, each cell and paragraph on a line of its own."""
    return "\n".join(_words(placard_story(placard, players=players)))


def _words(parts: Iterable[Any]) -> Iterable[str]:
    for part in parts:
        if isinstance(part, Paragraph):
            yield part.getPlainText()
        elif isinstance(part, Table):
            yield from _words(part._cellvalues)
        elif isinstance(part, list | tuple):
            yield from _words(part)


def screen(answer: Any) -> str:
    """The words of a page, without its marks."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def set_table(cast: Cast, **settings: Any) -> None:
    """Set table 7 as the floor does."""
    if "schedule_id" not in settings:
        settings["schedule_id"] = cast.schedule(1).pk
    limits = settings.pop("wager_limits", {})
    given = table_settings(cast.room, **settings)
    # Only the limits that a test names: what no limit is set for, the placard says so.
    cast.send(table_set, "floor", **{**given, "wager_limits": limits})


def placard(cast: Cast) -> Placard:
    return table_placard(FloorTable.objects.select_related("room", "schedule").get(pk=cast.table.pk))


# --- the placard of a table ---------------------------------------------------------------------------------------


@pytest.mark.clause("california:pairplus.4.2", "california:sixcard.4.2", "california:table.areas")
def test_a_tables_placard_shows_limits_paytables_odds_fees_and_rotation(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    set_table(cast, wager_limits={"pair_plus": [100, 5000]})
    shown = screen(person("dealer").open(f"/tables/{cast.table.pk}/placard/"))
    for words in (
        "limit $5 to $100",
        "limit $1 to $50",
        "Mini royal 200 to 1",
        "Flush 3 to 1",
        "Royal flush 1,000 to 1",
        "Bonus / Pair Plus",
        "4.3801%",
        "242/5,525",
        "8.5614%",
        "total table action of $101+ $2",
        "A player may bank two rounds in a row",
        placard(cast).mark,
    ):
        assert words in shown, words
    printed = document(placard(cast))
    for words in ("$5 to $100", "$1 to $50", "200 to 1", "1,000 to 1", "4.3801%", "242/5,525", "$101+"):
        assert words in printed, words


def test_it_changes_when_the_settings_do_and_so_does_its_mark(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    set_table(cast)
    floor = person("floor")
    before, mark = screen(floor.open(f"/tables/{cast.table.pk}/placard/")), placard(cast).mark
    assert "Straight flush 40 to 1" in before
    assert "$5 - $100" in before
    set_table(
        cast,
        options={"tips": "after_players", "coverage": "net"},
        schedule_id=cast.schedule(2).pk,
        wager_limits={"six_card_bonus": [500, 2500]},
    )
    after = screen(floor.open(f"/tables/{cast.table.pk}/placard/"))
    assert "Bets for the dealer are settled after all wagers of the players" in after
    assert "Straight flush 40 to 1" in after
    assert "limit from $50" in after
    assert "limit $5 to $25" in after
    assert "what it takes covers what it pays" in after
    assert placard(cast).mark != mark
    assert mark not in after
    set_table(cast, wager_limits={})
    assert placard(cast).mark == mark  # the same content bears the same mark, whenever it was set


def test_paper_and_page_mark_what_the_rooms_own_document_says(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    set_table(cast, options={"approval": PAPER})
    dealer = person("dealer")
    address = f"/tables/{cast.table.pk}/placard"
    assert len(pages_of(dealer.client.get(f"{address}.pdf").content)) == 1
    paper = document(placard(cast)).replace("\N{NO-BREAK SPACE}", " ")
    for said in (paper, screen(dealer.client.get(f"{address}/"))):
        assert "◆ as GEGR-004861 says: the room" in said
        assert "◆ 7.4, page 6" in said
        assert "◆ winners" not in said
        assert "SHFL Entertainment" not in said, "it offers no 6 Card Bonus, which is theirs"


def test_the_rotation_on_it_is_the_tables_own(cast: Cast, person: Callable[[str], Person]) -> None:
    set_table(cast)
    mark = placard(cast).mark
    set_table(cast, rotation="intervening")
    shown = screen(person("floor").open(f"/tables/{cast.table.pk}/placard/"))
    assert "Whoever has banked waits until another player has" in shown
    assert "Oliver v. County of Los Angeles" in shown
    assert "If everybody else declines" not in shown
    assert placard(cast).mark != mark


def test_a_new_version_of_the_fee_schedule_is_another_placard(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    set_table(cast)
    mark = placard(cast).mark
    filed = cast.schedule(1)
    # What is printed by number 1 stays as it is (ruling 13); where its figures come from may be written anew.
    document = {**filed.document, "lines": [dict(line) for line in filed.document["lines"]]}
    document["lines"][-1]["clause"] = "letter of March"
    manager = cast.people["room_manager"]
    draft = schedule_draft(room=cast.room, by=manager, number=1, title=filed.title, document=document)
    later = timezone.now() + datetime.timedelta(days=2)
    newer = services.file(draft, by=manager, effective_from=later.date(), state_reference="BGC-2")
    with time_machine.travel(later + datetime.timedelta(days=1)):
        set_table(cast, schedule_id=newer.pk)
        shown = screen(person("floor").open(f"/tables/{cast.table.pk}/placard/"))
    assert "letter of March" in shown
    assert "version 2" in shown
    assert "BGC-2" in shown
    assert placard(cast).mark != mark


def test_without_a_schedule_it_says_that_no_fee_is_collected(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    FloorTable.objects.filter(pk=cast.table.pk).update(schedule=None)
    assert "No fee is collected" in screen(person("floor").open(f"/tables/{cast.table.pk}/placard/"))
    assert "No fee is collected" in document(placard(cast))


@pytest.mark.clause(
    "designated_player:play.7", "designated_player:play.10.4", "designated_player:rake.notice"
)
def test_a_table_of_a_game_with_a_rake_posts_it_and_its_own_limits_and_chart(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    set_table(
        cast,
        rulebook="designated_player",
        options={"pair_plus_table": OWN_TABLE},
        rake={"mode": "bank_only", "cents": 300},
        schedule_id=None,
        wager_limits={"ante": [500, 30000], "pair_plus": [100, 2500]},
    )
    shown = screen(person("dealer").open(f"/tables/{cast.table.pk}/placard/"))
    for words in (
        "limit $5 to $300",
        "limit $1 to $25",
        "Straight flush 45 to 1",
        "The bank pays $3 a round; other players pay nothing.",
        "A player may bank one round",
        "$3 from the bank alone",
    ):
        assert words in shown, words


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_table_of_any_rulebook_has_a_placard(
    cast: Cast, person: Callable[[str], Person], rulebook: str
) -> None:
    FloorTable.objects.filter(pk=cast.table.pk).update(rulebook=rulebook)
    dealer = person("dealer")
    shown = screen(dealer.open(f"/tables/{cast.table.pk}/placard/"))
    (page,) = pages_of(dealer.client.get(f"/tables/{cast.table.pk}/placard.pdf").content)
    for wager in load_rulebook(rulebook).wagers.values():
        assert wager.name in shown
        assert wager.name in page


def test_it_names_the_versions_it_was_drawn_from(cast: Cast, person: Callable[[str], Person]) -> None:
    set_table(cast)
    versions = dict(placard(cast).versions)
    assert "version 1" in versions["Fee schedule"]
    assert versions["Rules"].endswith("Bureau of Gambling Control"), "its document prints no date"
    assert "by Floor" in versions["Table set"]
    assert "Two rounds" in versions["Rotation"]
    shown = screen(person("inspector").open(f"/tables/{cast.table.pk}/placard/"))
    assert all(which in shown for which in versions.values())


def test_the_paper_names_the_room_the_table_and_who_printed_it(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    answer: Any = person("dealer").client.get(f"/tables/{cast.table.pk}/placard.pdf")
    assert answer["Content-Type"] == "application/pdf"
    (page,) = pages_of(answer.content)
    for words in ("Three Card Poker 6 Card Bonus · Table 7", "Cache Slough", placard(cast).mark, "by Dealer"):
        assert words in page, words
    assert "Page 1 of 1" in page
    assert "placard-cache-slough-table-7.pdf" in answer["Content-Disposition"]


def test_a_placard_is_for_people_of_its_room(cast: Cast, person: Callable[[str], Person]) -> None:
    for page in ("placard/", "placard.pdf"):
        address = f"/tables/{cast.table.pk}/{page}"
        assert person("rival_floor").client.get(address).status_code == 404
        assert person("provider_lead").client.get(address).status_code == 403
        assert Client().get(address).status_code == 302


def test_table_and_rules_lead_to_each_other(running: Cast, person: Callable[[str], Person]) -> None:
    placard_address = f"/tables/{running.table.pk}/placard/"
    dealer = person("dealer")
    dealer.at_table()
    assert f'href="{placard_address}"' in dealer.text
    dealer.open(placard_address)
    assert 'href="/rules/california/' in dealer.text
    assert f'href="/tables/{running.table.pk}/placard.pdf"' in dealer.text


# --- the rules of each rulebook ------------------------------------------------------------------------------------


def test_every_rulebook_is_on_the_list_and_opens_for_anybody_signed_in(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    lead = person("provider_lead")
    lead.open("/rules/")
    for rulebook in RULEBOOKS:
        assert f'href="/rules/{rulebook}/"' in lead.text
        page: Any = lead.client.get(f"/rules/{rulebook}/")
        assert page.status_code == 200
        assert load_rulebook(rulebook).document.title in page.content.decode()
        printed = lead.client.get(f"/rules/{rulebook}/placard.pdf")
        assert printed.content.startswith(b"%PDF-")
    assert lead.client.get("/rules/nevada/").status_code == 404
    assert Client().get("/rules/").status_code == 302


@pytest.mark.clause("california:notice.1", "california:notice.2")
def test_the_owners_notice_stands_with_the_rules_of_california(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    set_table(cast)
    for answer in (
        person("dealer").open("/rules/california/"),
        person("dealer").open(f"/tables/{cast.table.pk}/placard/"),
    ):
        shown = screen(answer)
        assert "SHFL Entertainment" in shown
        assert "section 19826(g)" in shown
        assert "neither the Bureau nor this house&#x27;s software grants one" in shown
    assert "SHFL Entertainment" in document(placard(cast))


@pytest.mark.clause("designated_player:play.7", "designated_player:play.10.4")
def test_a_designated_players_placard_prints_limits_and_the_chart_of_payouts() -> None:
    posted, _ = chosen(
        "designated_player",
        **{"least-ante": "5", "most-ante": "200", "least-pair_plus": "1", "most-pair_plus": "50"},
        **{f"own-{hand}": str(number) for hand, number in OWN_TABLE.items()},
    )
    printed = document(posted)
    for words in ("$5 to $200", "$1 to $50", "45 to 1", "31 to 1", "7 to 1", "5 to 1"):
        assert words in printed, words
    assert "200 to 1" not in printed  # the document's chart is an example, and not the one in force


@pytest.mark.clause("designated_player:rake.notice")
@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("all", "Every player in the round and the bank pay $2.50 a round."),
        ("all_but_bank", "Every player in the round pays $2.50 a round; the bank pays nothing."),
        ("bank_only", "The bank pays $2.50 a round; other players pay nothing."),
    ],
)
def test_the_rake_is_posted_by_form_and_amount(
    cast: Cast, person: Callable[[str], Person], mode: str, message: str
) -> None:
    posted, _ = chosen("designated_player", **{"house_rake": mode, "house_rake-cents": "2.50"})
    assert message in document(posted)
    address = f"/rules/designated_player/?house_rake={mode}&house_rake-cents=2.50"
    assert message in screen(person("dealer").open(address))


@pytest.mark.clause("massachusetts:6(g)(4).2", "massachusetts:11(a)(2).2")
def test_massachusetts_posts_the_tables_that_the_room_chose() -> None:
    own = {**OWN_TABLE, "mini_royal": 60}
    posted, _ = chosen(
        "massachusetts",
        six_card_bonus_table="TCP-6B1",
        **{f"own-{hand}": str(number) for hand, number in own.items()},
    )
    printed = document(posted)
    assert "TCP-6B1" in printed
    assert "Flush\n20 to 1" in printed
    assert "Mini royal\n60 to 1" in printed


def test_cover_all_shows_a_column_for_each_number_of_players_and_the_one_in_force(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    shown = screen(person("dealer").open("/rules/massachusetts/?players=4"))
    assert "Highest hand 7 6 5 4 in force 3 2 1" in shown
    assert "Straight flush 12 to 1 15 to 1 20 to 1 25 to 1 30 to 1 40 to 1 60 to 1" in shown
    assert "Straight 1 to 1 1 to 1 1 to 1 3 to 2 2 to 1 3 to 1 5 to 1" in shown
    posted, form = chosen("massachusetts", players="4")
    assert "4 in force" in document(posted, players=form.players)
    assert "in force" not in document(posted).splitlines()


@pytest.mark.clause("south_dakota:(14).3", "south_dakota:(15).3")
def test_south_dakota_posts_pair_plus_and_the_six_card_table_chosen() -> None:
    posted, _ = chosen("south_dakota", six_card_bonus_table="TCP-6B3")
    printed = document(posted)
    assert "Straight flush\n40 to 1" in printed
    assert "TCP-6B3" in printed
    assert "Straight\n9 to 1\nThree of a kind\n8 to 1" in printed


@pytest.mark.clause("south_dakota:(16).3")
def test_south_dakota_posts_the_progressive_paytable_and_its_meter() -> None:
    posted, _ = chosen("south_dakota", progressive_table="2", meter="4,321")
    printed = document(posted)
    assert "Mini royal of spades\n100% of the meter" in printed
    assert "Straight flush\n100 for 1" in printed
    assert "at a meter of $4,321" in printed
    assert "at a meter of $1,000" in document(chosen("south_dakota")[0])


@pytest.mark.clause("shuffle_master:ways.2.3")
@pytest.mark.parametrize(
    ("designator", "lines"),
    [
        ("TCP-02", "Three of a kind\n25 to 1\nStraight\n6 to 1\nFlush\n4 to 1"),
        ("TCP-07", "Three of a kind\n30 to 1\nStraight\n5 to 1\nFlush\n4 to 1"),
        ("TCP-12", "Three of a kind\n30 to 1\nStraight\n6 to 1\nFlush\n3 to 1"),
    ],
)
def test_a_designators_pair_plus_table_is_the_one_printed(designator: str, lines: str) -> None:
    printed = document(chosen("shuffle_master", designator=designator)[0])
    assert f"designator {designator}" in printed
    assert lines in printed


@pytest.mark.parametrize(
    ("rulebook", "choices", "message"),
    [
        ("designated_player", "house_rake=all", "Write how much each of them pays a round."),
        ("massachusetts", "version=standard&ante_bonus_table=A", "In version standard it is"),
        ("massachusetts", "own-pair=1", "A table has odds for each of these hands"),
        (
            "massachusetts",
            "own-straight_flush=35&own-three_of_a_kind=25&own-straight=5&own-flush=2&own-pair=1",
            "Flush pays less than the least odds printed in 11(a)(2).floor",
        ),
        ("south_dakota", "progressive_table=9", "not one of the available choices"),
        ("california", "least-ante=20&most-ante=10", "The greatest is below the least."),
        ("california", "least-ante=ten", "no amount in dollars"),
    ],
)
def test_choices_that_do_not_go_together_are_refused_beside_their_field(
    cast: Cast, person: Callable[[str], Person], rulebook: str, choices: str, message: str
) -> None:
    for page in ("", "placard.pdf"):
        answer: Any = person("dealer").client.get(f"/rules/{rulebook}/{page}?{choices}")
        assert answer.status_code == 400
        assert message in screen(answer)
        assert "Wagers and odds" not in screen(answer)


@pytest.mark.parametrize(
    ("rulebook", "options"),
    [
        ("california", {"coverage": "net", "forfeits": "first"}),
        ("california", {"tips": "after_players"}),
        ("california", {"tips": "none", "pair_plus_table": "california"}),
        ("designated_player", {"pair_plus_table": OWN_TABLE}),
        ("south_dakota", {"pair_plus_on_fold": "evaluate"}),
        ("designated_player", {"house_rake": {"mode": "all", "cents": 150}, "pair_plus_requires_win": True}),
        ("designated_player", {"house_rake": None, "six_card_bonus_table": "TCP-6B4"}),
        ("massachusetts", {"version": "both_within_five", "ante_bonus_table": "C"}),
        ("massachusetts", {"progressive_on_fold": False, "progressive_table": 3}),
        ("massachusetts", {"settling": "step_by_step", "meter_wins": "They share it, & no more."}),
        ("shuffle_master", {"designator": "TCP-09", "pair_plus_table": "shuffle_master"}),
    ],
)
def test_all_rules_stand_with_the_options_of_the_table_that_led_there(
    cast: Cast, person: Callable[[str], Person], rulebook: str, options: dict[str, Any]
) -> None:
    FloorTable.objects.filter(pk=cast.table.pk).update(
        rulebook=rulebook, options=options, wager_limits={"pair_plus": [150, 5000]}
    )
    dealer = person("dealer")
    dealer.open(f"/tables/{cast.table.pk}/placard/")
    link = re.search(rf'href="/rules/{rulebook}/\?([^"]+)">All rules', dealer.text)
    assert link is not None
    form = ChoicesForm(load_rulebook(rulebook), dict(parse_qsl(html.unescape(link[1]))))
    assert form.is_valid(), form.errors
    assert form.terms is not None
    assert form.terms.options == read_options(load_rulebook(rulebook), options).options
    assert form.limits == {"pair_plus": [150, 5000]}


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_placard_fits_on_one_page(cast: Cast, person: Callable[[str], Person], rulebook: str) -> None:
    printed: Any = person("dealer").client.get(f"/rules/{rulebook}/placard.pdf")
    assert len(pages_of(printed.content)) == 1


def test_a_placard_takes_few_queries(
    cast: Cast, person: Callable[[str], Person], django_assert_max_num_queries: Any
) -> None:
    set_table(cast)
    dealer = person("dealer")
    with django_assert_max_num_queries(10):
        dealer.open(f"/tables/{cast.table.pk}/placard/")
    with django_assert_max_num_queries(3):
        dealer.open("/rules/california/")


def test_a_table_left_on_options_that_its_rules_do_not_allow_says_so_in_place_of_a_placard(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    FloorTable.objects.filter(pk=cast.table.pk).update(options={"pair_plus_table": OWN_TABLE})
    client: Any = person("dealer").client
    for page in ("placard/", "placard.pdf"):
        answer = client.get(f"/tables/{cast.table.pk}/{page}")
        assert answer.status_code == 409
        assert "the document prints the odds" in screen(answer)
        assert "Set the table to a filed game" in screen(answer)


@pytest.mark.clause("california:dealing.8.2")
def test_the_odds_of_the_ante_are_those_of_a_player_who_sees_a_card_of_the_bank(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    set_table(cast)
    for shown in (
        screen(dealer.open(f"/tables/{cast.table.pk}/placard/")),
        screen(dealer.open("/rules/california/")),
    ):
        assert "4.2964%" in shown and "4,373,389/101,792,600" in shown
        assert "74.7489% of hands played" in shown and "4.3133% for whoever goes by the one hand" in shown
        assert "A A-9-2 35.2%" in shown and "2 T-3-2 88.6%" in shown
        assert "8.6580%" not in shown and "Q-6-4" not in shown
    printed = document(placard(cast))
    assert "4.2964%" in printed and "best play by the card that the bank shows" in printed
    assert all(hand in printed for hand in ("A-9-2", "K-9-2", "Q-9-2", "J-8-2", "T-8-4", "T-7-3", "T-3-2"))
    other = screen(dealer.open("/rules/designated_player/"))
    assert "8.6580%" in other and "play Q-6-4 or better" in other
    assert "by the card that the bank shows" not in other
