"""The players' display: the bank, the offer, fees and what wagers pay, in every language, and nothing private."""

from __future__ import annotations

import gettext
import html.parser
import re
from collections.abc import Callable
from pathlib import Path

import polib
import pytest
from django.conf import settings

from cardroom.floor.commands.rounds import bets_close, bets_place, round_open, round_record
from cardroom.floor.commands.tables import table_close, table_set
from cardroom.floor.models import Table
from cardroom.web.parts.floor_words import PAYS
from games.refusal import Refusal
from games.registry import WITH_RULES, game_of, load_rulebook, read_options
from tests.cast import PLAYERS, Cast, sheet
from tests.filing import table_settings

from ..conftest import Person

TRANSLATED = [code for code, _ in settings.LANGUAGES if code != "en"]
CATALOGUES = sorted(Path(settings.LOCALE_PATHS[0]).glob("*/LC_MESSAGES/django.po"))
#: Figures, and names that stay as they are in every language: games, wagers, languages.
_FIGURE = re.compile(r"[\d\W_]*")


class Texts(html.parser.HTMLParser):
    """The texts of the display, without its links to languages."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        main = re.search(r"<main.*?</main>", page, re.DOTALL)
        assert main is not None
        self.feed(main[0])

    def handle_data(self, data: str) -> None:
        if text := " ".join(data.split()):
            self.found.append(text)


def names_kept(table: Table) -> set[str]:
    """Names that are the same in every language."""
    rulebook = load_rulebook(table.rulebook)
    wagers = game_of(table.rulebook).placard(read_options(rulebook, table.sheet_options)).wagers
    return {rulebook.name, *(wager.name for wager in wagers)}


def play(cast: Cast, stage: str) -> None:
    """Bring table 7 to a stage of a round."""
    if stage == "closed":
        cast.send(table_close, "floor")
    if stage in ("betting", "dealt"):
        cast.send(round_open, "dealer", bank_wager_cents=5000)
        bets = [
            {"seat": 4, "wagers": {"ante": 3000, "pair_plus": 500}},
            {"seat": 5, "wagers": {"ante": 6000}},
        ]
        cast.send(bets_place, "dealer", positions=bets)
    if stage == "dealt":
        cast.send(bets_close, "dealer")


def shown(person: Person, table: Table, language: str = "en") -> list[str]:
    """The texts of the display in a language."""
    answer = person.client.get(f"/tables/{table.pk}/display/?language={language}")
    assert answer.status_code == 200
    return Texts(answer.content.decode()).found


def test_it_shows_the_bank_its_cover_the_next_offer_and_the_fees(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    before = " ".join(shown(dealer, running.table))
    assert "Player-dealer Seat 3 Round 1 of 2" in before
    assert "Covers" not in before
    play(running, "betting")
    text = " ".join(shown(dealer, running.table))
    assert "Seat 3 $50 Round 1 of 2" in text
    assert "Covers $50 of $90 at even money" in text
    # Two antes at $1 each, and the band of $90 for the player-dealer.
    assert "This round: $3 2 positions $2, player-dealer $1" in text
    assert "Straight flush 40 to 1" in text


def test_a_bank_that_is_offered_has_banked_its_rounds(running: Cast, person: Callable[[str], Person]) -> None:
    for _ in range(2):
        running.send(round_record, "dealer", sheet=sheet({1: 1000, 5: 2000}))
    text = " ".join(shown(person("dealer"), running.table))
    assert "Seat 3 Round 2 of 2 Offered next: seat 4" in text


def test_nobody_is_named(running: Cast, person: Callable[[str], Person]) -> None:
    play(running, "dealt")
    text = " ".join(shown(person("dealer"), running.table))
    assert not [name for name in PLAYERS.values() if re.search(rf"\b{name}\b", text)]
    assert "Pair Plus $5" not in text


@pytest.mark.parametrize("stage", ["ready", "betting", "dealt", "closed"])
def test_every_text_is_translated(running: Cast, person: Callable[[str], Person], stage: str) -> None:
    play(running, stage)
    dealer = person("dealer")
    kept = names_kept(running.table)
    english = {text for text in shown(dealer, running.table) if not _FIGURE.fullmatch(text)} - kept
    assert len(english) > 8
    for language in TRANSLATED:
        assert english.isdisjoint(shown(dealer, running.table, language)), language


@pytest.mark.parametrize("rulebook", ["baccarat", "massachusetts", "south_dakota"])
def test_paytables_of_other_games_are_translated(
    cast: Cast, person: Callable[[str], Person], rulebook: str
) -> None:
    cast.send(table_set, "floor", **table_settings(cast.room, rulebook=rulebook))
    table = Table.objects.get(pk=cast.table.pk)
    dealer = person("dealer")
    english = {text for text in shown(dealer, table) if not _FIGURE.fullmatch(text)} - names_kept(table)
    assert english
    for language in TRANSLATED:
        assert english.isdisjoint(shown(dealer, table, language)), language


def test_a_language_that_there_is_none_of_is_english(running: Cast, person: Callable[[str], Person]) -> None:
    dealer = person("dealer")
    assert shown(dealer, running.table, "tlh") == shown(dealer, running.table)
    page = dealer.client.get(f"/tables/{running.table.pk}/display/?language=vi").content.decode()
    assert '<html lang="vi">' in page
    # The choice is the address's: other pages stay as they are.
    assert '<html lang="en">' in dealer.client.get("/about/").content.decode()


def test_every_hand_of_every_paytable_is_listed_for_the_translators() -> None:
    hands, pays = set[str](), set[str]()
    for rulebook_id in WITH_RULES:
        rulebook = load_rulebook(rulebook_id)
        choices = [
            {name: value}
            for name, rule in rulebook.options.items()
            if name.endswith("_table")
            for value in rule.values
        ]
        for options in [dict[str, object](), *choices]:
            try:
                terms = read_options(rulebook, options)
            except Refusal:  # a table of another version of the document
                continue
            for wager in game_of(rulebook_id).placard(terms).wagers:
                for table in wager.tables:
                    hands |= {hand for hand, _ in table.lines}
                    pays |= {
                        text for _, text in table.lines if not re.fullmatch(r"[\d,]+ (to|for) \d+", text)
                    }
    for path in CATALOGUES:
        assert hands <= {entry.msgid for entry in polib.pofile(str(path))}, path
    assert pays <= set(PAYS)


def test_the_catalogues_are_complete_and_compiled() -> None:
    assert len(CATALOGUES) == len(TRANSLATED)
    english = [{entry.msgid for entry in polib.pofile(str(path))} for path in CATALOGUES]
    assert all(each == english[0] for each in english)
    for path in CATALOGUES:
        with path.with_suffix(".mo").open("rb") as file:
            compiled = gettext.GNUTranslations(file)
        for entry in polib.pofile(str(path)):
            assert not entry.fuzzy
            if entry.msgid_plural:
                assert all(entry.msgstr_plural.values())
                for count in (1, 2):
                    text = compiled.ngettext(entry.msgid, entry.msgid_plural, count)
                    assert text in entry.msgstr_plural.values()
            else:
                assert entry.msgstr, f"{path}: {entry.msgid}"
                context = entry.msgctxt
                text = compiled.pgettext(context, entry.msgid) if context else compiled.gettext(entry.msgid)
                assert text == entry.msgstr
