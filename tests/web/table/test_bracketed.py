"""No English is left on what players and dealers read: in a language whose every text is bracketed, all letters are.

The catalogue of that language replaces the Spanish one. Names stay as they are: of people, games, wagers, filings, cards.
"""

from __future__ import annotations

import functools
import html.parser
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polib
import pytest
from django.conf import settings

from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.floor.commands.bank import turn_end
from cardroom.floor.commands.seats import back_line_join, player_leave
from cardroom.floor.commands.tables import table_close, table_set
from cardroom.floor.commands.tray import tray_open
from cardroom.floor.models import JournalEntry, Procedure, Round, StoredAnswer, Table
from cardroom.people.models import Staff
from cardroom.web.table.spots import tip_spots, wager_spots
from games.registry import game_of, load_rulebook, read_options
from tests.cast import BANK_HAND, PIN, PLAYERS, WAITING, Cast
from tests.cast import HANDS as HELD
from tests.filing import table_settings
from tests.games.by_eye.test_by_eye import BACCARAT as BY_EYE

from ..conftest import Person
from ..display.test_display import CATALOGUES, names_kept
from ..parts.test_translations import QUOTED
from ..play import ANTES, play_by_commands, play_round
from .test_house_rounds import HANDS, WAGERS

#: What is beside texts: cards, amounts, instants, what is typed, clauses.
FIGURE = re.compile(
    r"[\W\d_]*|TCP-\w+|[\dAKQJT](?:-[\dAKQJT]+)+|\d+[a-h]?|[AKQJT2-9]|10|\d\d?:\d\d(?::\d\d)? [AP]M|[acdhkqjt\d]{2,3}( [acdhkqjt\d]{2,3})*|nmb|[AP]M|y|n|absent|all|player|banker|board|fold|\dx"
)
#: What is no text: tokens of addresses and fields, and the texts that the scripts bring along.
_NO_TEXT = re.compile(
    r"<script.*?</script>|<template id=\"(?:texts|offline-state)\">.*?</template>|<style.*?</style>"
    r"|<small class=\"clause\">.*?</small>|<datalist.*?</datalist>|<(?P<tag>\w+)[^>]* lang=\"en\"[^>]*>.*?</(?P=tag)>",
    re.DOTALL,
)


class Shown(html.parser.HTMLParser):
    """What a page shows, a line a text, and what its attributes say."""

    READ = ("alt", "aria-label", "placeholder", "title", "data-why", "data-text")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.attributes: list[str] = []
        body = re.search(r"<body.*</body>", page, re.DOTALL)
        assert body is not None
        self.feed(QUOTED.sub("", _NO_TEXT.sub("", body[0])))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.attributes += [value or "" for name, value in attributes if name in self.READ]

    def handle_data(self, data: str) -> None:
        self.texts.append(" ".join(data.split()))


@pytest.fixture
def bracketed(settings: Any, tmp_path: Path) -> None:
    """Spanish has every text of the catalogues in brackets."""
    folder = tmp_path / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.mo").write_bytes(in_brackets())
    settings.LOCALE_PATHS = [tmp_path]


@functools.cache
def in_brackets() -> bytes:
    """The compiled catalogue of a language in which every text is its English in brackets."""
    catalogue = polib.pofile(str(CATALOGUES[0]))
    for entry in catalogue:
        if entry.msgid_plural:
            entry.msgstr_plural = dict.fromkeys(entry.msgstr_plural, f"⟦{entry.msgid_plural}⟧")
        else:
            entry.msgstr = f"⟦{entry.msgid}⟧"
    return bytes(catalogue.to_binary())


def names_of(table: Table) -> set[str]:
    """What is called the same in every language at a table."""
    terms = read_options(load_rulebook(table.rulebook), table.sheet_options)
    spots = [*wager_spots(terms), *tip_spots(terms)]
    staff = set(map(str, Staff.objects.all()))
    people = {*staff, *PLAYERS.values(), *WAITING, "Red", "Swing"}
    filed = {filing.title for kind in (FeeSchedule, GameFiling) for filing in kind.objects.all()}
    placard = game_of(table.rulebook).placard(terms)
    wagers = {rule.name for rule in terms.rulebook.wagers.values()} | {wager.spot for wager in placard.wagers}
    return {
        *names_kept(table),
        *(name for _, name in settings.LANGUAGES),
        table.room.name,
        *(name for spot in spots for name in (spot.name, spot.short, spot.brief)),
        *people,
        *filed,
        *wagers,
        *(name.upper() for name in wagers),
    }


def english(page: str, names: set[str]) -> set[str]:
    """What is left of a page's texts where everything in brackets is taken out, and names and figures too."""
    shown = Shown(page)
    left = "\n".join([*shown.texts, *shown.attributes])
    while (less := re.sub(r"⟦[^⟦⟧]*⟧", " ", left)) != left:
        left = less
    for name in sorted(names, key=len, reverse=True):
        left = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", left)
    lines = (line.strip() for line in left.split("\n"))
    return {line for line in lines if not all(FIGURE.fullmatch(word) for word in line.split())}


class Looker:
    """A person who looks at every page in the bracketed language, and keeps the English left on it."""

    def __init__(self, cast: Cast, who: str) -> None:
        self.person, self.table = Person(cast, who), cast.table
        self.left = set[str]()
        Staff.objects.filter(username=who).update(language="es")

    def look(self) -> Looker:
        table = Table.objects.select_related("room", "schedule", "game").get(pk=self.table.pk)
        self.left |= english(self.person.text, names_of(table))
        return self

    def command(self, slug: str, **typed: str) -> Looker:
        self.person.command(slug, self.table, **typed)
        return self.look()

    def settled(self) -> Looker:
        """Settle a round that was dealt past the pages, and look at its settlement."""
        play_by_commands(self.person.cast, until="deal")
        self.person.at_table(self.table)
        hands = {f"hand-{seat}": HELD[seat] for seat in ANTES}
        return self.command("settle", bank_hand=BANK_HAND, **hands)

    def open(self) -> Looker:
        self.person.at_table(self.table)
        return self.look()


Look = Callable[[str], Looker]


@pytest.fixture
def looker(cast: Cast, bracketed: None) -> Look:
    """Sit somebody down who looks at table 7."""
    return lambda who: Looker(cast, who)


def test_english_outside_brackets_is_found() -> None:
    page = '<body><p title="Left">⟦Seat ⟦of⟧ Ana⟧ Bo $5</p><small class="clause">of 5</small></body>'
    assert english(page, {"Bo"}) == {"Left"}


def test_the_table_page_in_every_phase_of_a_round(running: Cast, looker: Look) -> None:
    for who in ("dealer", "floor", "room_manager"):
        play = looker(who).open()
        assert sorted(play.left) == [], who
    play, floor = looker("dealer").open(), looker("floor")
    play.command("bank", bank_wager_cents="200")
    floor.open()
    play.command("bets", **{"wagers-1-ante": "10", "wagers-4-ante": "20", "tips-4-ante": "1"})
    play.command("no-more-bets")
    floor.open()
    play.command("deal")
    floor.open()
    play.command("settle", bank_hand="kh 7d 4c", **{"hand-1": "ah qd 2c", "hand-4": "js jh 5c"})
    play.open()
    floor.open()
    assert sorted(play.left | floor.left) == []


def test_the_table_page_while_the_bank_is_offered(running: Cast, looker: Look) -> None:
    play, floor = looker("dealer"), looker("floor")
    play.settled().open()
    play.settled().open()  # two rounds in a row: the bank is offered
    floor.open()
    play.command("answer", answer="declined")
    play.command("answer", answer="absent")
    play.command("all-declined")
    floor.open()
    running.send(table_close, "floor")
    play.open()
    floor.open()
    assert sorted(play.left | floor.left) == []


def test_refusals_irregularities_and_signatures(running: Cast, looker: Look) -> None:
    floor, play = looker("floor").open(), looker("dealer").open()
    floor.command("deck-place", colour="Red")
    play.open().command("inspect")
    play.command("bank", bank_wager_cents="many")
    play.command("bank", bank_wager_cents="200")
    play.command("bets", **{"wagers-1-ante": "2", "tips-1-ante": "90"})
    play.command("bets", **{"wagers-1-ante": "10", "wagers-4-ante": "7.505"})
    play.command("bets", **{"wagers-1-ante": "10", "wagers-4-ante": "20"})
    floor.open()
    play.command("no-more-bets")
    play.command("undo", reason="a slip", approver="floor", approver_pin="000000")
    play.command("recut", reason="it fell", approver="dealer", approver_pin=PIN)
    play.command("deal")
    play.command("settle", bank_hand="kh kh 4c", **{"hand-1": "ah qd", "hand-4": "zz"})
    play.command("irregularity", irregularity="boxed_cards", note="two")
    play.command("irregularity", irregularity="shuffler_failed")
    play.open()
    floor.open()
    play.command("void", approver="floor", approver_pin=PIN)
    play.command("void", approver="shift_manager", approver_pin=PIN)
    assert sorted(play.left | floor.left) == []


def test_a_table_that_the_house_banks(running: Cast, looker: Look) -> None:
    running.send(turn_end, "floor", reason="the game changes")
    running.send(table_set, "floor", **table_settings(running.room, rulebook="massachusetts"))
    play, floor = looker("dealer").open(), looker("floor").open()
    running.send(tray_open, "floor", chips={"10000": 500}, approver=running.people["dealer"])
    play.open().command("bank")
    play.command("bets", **{**WAGERS, "wagers-3-ante": "15"})
    play.command("no-more-bets")
    play.command("deal")
    floor.open()
    play.command("settle", **HANDS, **{"hand-3": "Js Jh 4d"})
    play.open()
    floor.open()
    assert sorted(play.left | floor.left) == []


@pytest.mark.parametrize("recording", ["cards", "fees"])
def test_a_table_of_baccarat(recording: str, running: Cast, looker: Look) -> None:
    running.send(table_set, "floor", **table_settings(running.room, rulebook="baccarat", recording=recording))
    play, floor = looker("dealer").open(), looker("floor")
    play.command("bank", bank_wager_cents="500")
    play.command("bets", **{"wagers-1-player": "20", "wagers-2-banker": "40", "wagers-2-dragon_7": "10"})
    play.command("no-more-bets")
    play.command("deal")
    floor.open()
    if recording == "cards":
        play.command("settle", player_hand="kh qd", banker_hand="2c ts 5d")
        play.command("settle", player_hand="kh qd 6c", banker_hand="2c 10s 5d")
    else:
        play.command("finish")
    play.open()
    assert sorted(play.left | floor.left) == []


def test_a_game_by_its_spots_with_a_back_line(running: Cast, looker: Look) -> None:
    settings = table_settings(
        running.room, rulebook="by_eye", options=BY_EYE | {"back_line": 2}, recording="fees"
    )
    running.send(table_set, "floor", **settings)
    running.send(player_leave, "floor", seat=7)
    running.send(back_line_join, "floor", seat=4, player_id=running.players[7].pk)
    play, floor = looker("dealer").open(), looker("floor").open()
    play.command("bank", bank_wager_cents="500")
    play.open()
    floor.open()
    assert sorted(play.left | floor.left) == []


@pytest.mark.parametrize("page", ["display", "placard"])
@pytest.mark.parametrize("rulebook", ["california", "massachusetts", "baccarat"])
def test_the_display_and_the_placard(page: str, rulebook: str, running: Cast, looker: Look) -> None:
    running.send(table_set, "floor", **table_settings(running.room, rulebook=rulebook))
    reader = looker("dealer")
    reader.person.open(f"/tables/{running.table.pk}/{page}/?language=es")
    assert sorted(reader.look().left) == []


def test_what_is_written_down_is_english_whoever_acts(running: Cast, person: Callable[[str], Person]) -> None:
    """The same round in Vietnamese: no letter of it in the journal, in a fact, or in a settlement."""
    dealer = person("dealer")
    dealer.client.post("/account/language/", {"language": "vi"})
    play_by_commands(running)
    before = JournalEntry.objects.count()
    play_round(dealer)
    assert '<html lang="vi">' in dealer.text
    dealer.at_table()
    dealer.command("answer", answer="declined")
    dealer.at_table()
    dealer.command("all-declined")
    play_by_commands(running, {2: "10"}, until="deal")
    dealer.at_table()
    dealer.command("irregularity", irregularity="shuffler_failed")
    dealer.command("void", approver="shift_manager", approver_pin=PIN)
    written = [
        *JournalEntry.objects.values_list("command", "data", "reason").order_by("id")[before:],
        *Round.objects.values_list("settlement", "sheet", "void_reason"),
        *Procedure.objects.values_list("text", "reason"),
        *StoredAnswer.objects.values_list("answer"),
    ]
    assert "Shuffler failed" in str(written)
    assert str(written).isascii()
