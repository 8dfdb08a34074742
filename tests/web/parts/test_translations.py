"""What players and dealers read in their language: placards, with every text marked, translated, and in a font that draws it."""

from __future__ import annotations

import ast
import functools
import html.parser
import itertools
import json
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils import timezone, translation
from django.utils.translation import gettext

from cardroom.documents.pdf_layout import fonts
from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import Table
from cardroom.web.management.commands.makemessages import in_order
from cardroom.web.parts.languages import translated
from cardroom.web.placards.forms import schedules_of
from cardroom.web.placards.placard import Placard, rules_placard
from cardroom.web.placards.placard_pdf import PrintContext, placard_pdf
from cardroom.web.table.script_texts import TEXTS, script_texts
from fees.document import WHOSE
from games.phrases import Phrase
from games.refusal import Refusal
from games.registry import RULEBOOKS, game_of, load_rulebook, read_options
from games.rotation.placard import rotation_rules
from games.rotation.profile import load_profile
from games.three_card_poker.placard.notice_texts import NOTICES
from tests.cast import Cast
from tests.documents.test_print import mapped
from tests.filing import table_settings
from tests.games.by_eye.test_by_eye import BACCARAT as BY_EYE

from ..conftest import Person
from ..display.test_display import CATALOGUES, TRANSLATED, Texts, names_kept
from ..play import play_round

PROJECT = Path(settings.LOCALE_PATHS[0]).parents[1]
TEMPLATES = PROJECT / "templates" / "web"
_PARTS = ("navigation.html", "refusal.html", "signature.html", "signing.html", "signers.html", "pad.html")
#: Templates in which every text is marked for translation.
MARKED = sorted(
    [
        TEMPLATES.parent / "base.html",
        TEMPLATES / "display" / "display.html",
        *(TEMPLATES / "parts" / name for name in _PARTS),
        *(each for each in (TEMPLATES / "placards").glob("*.html") if not each.name.startswith("rule")),
        *(TEMPLATES / "procedures" / name for name in ("irregularity.html", "prompts.html")),
        *(TEMPLATES / "table").rglob("*.html"),
    ]
)
#: Packages whose texts for those templates are marked where they are written.
MODULES = ("cardroom/web", "cardroom/documents", "fees", "games")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w*\}")
#: What a placard was drawn from is quoted as it is on record: clauses, versions, the mark, when.
QUOTED = re.compile(
    r'<(d[dt]|div) lang="en">.*?</\1>|<small class="clause">.*?</small>|<b class="mark-no">.*?</b>|<dd>\w{3} \w{3} \d.*?</dd>',
    re.DOTALL,
)
#: Amounts, shares and cards.
FIGURE = re.compile(r"[\dAKQJT][\w-]*|[\d\W_]*")
_MARK = re.compile(
    r"\{% block (?:body_class|styles|scripts) %\}.*?\{% endblock %\}|\{% blocktranslate.*?endblocktranslate %\}|\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}",
    re.DOTALL,
)


class Bare(html.parser.HTMLParser):
    """Letters of a template that are in no tag of Django's, as text or in an attribute that people read."""

    READ = ("alt", "aria-label", "placeholder", "title", "data-why", "data-text")

    def __init__(self, template: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(_MARK.sub("", template))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        read = [(value or "").strip() for name, value in attributes if name in self.READ]
        self.found += [value for value in read if re.search(r"[A-Za-z]", value)]

    def handle_data(self, data: str) -> None:
        if re.search(r"[A-Za-z]", data):
            self.found.append(" ".join(data.split()))


@pytest.mark.parametrize("template", MARKED, ids=lambda path: str(path.relative_to(TEMPLATES.parent)))
def test_every_text_of_a_template_is_marked(template: Path) -> None:
    assert Bare(template.read_text(encoding="utf-8")).found == []


def test_a_text_that_is_not_marked_is_found() -> None:
    assert Bare(
        '<p title="Left {{ n }}">{% if a %}Not marked{% endif %} {% translate "Marked" %}</p>'
    ).found == [
        "Left",
        "Not marked",
    ]


def texts_of(template: str) -> Iterator[str]:
    """The texts that a template marks, as `makemessages` collects them."""
    for _, text in re.findall(r"""\{% translate (["'])(.*?)\1""", template):
        yield text
    for block in re.findall(r"\{% blocktranslate[^%]*%\}(.*?)\{% endblocktranslate %\}", template, re.DOTALL):
        for text in re.split(r"\{% plural %\}", block):
            yield re.sub(r"\{\{ (\w+) \}\}", r"%(\1)s", text)


def calls_of(module: str) -> Iterator[str]:
    """The texts that a module marks by `Phrase` or `gettext`, called `_`."""
    for node in ast.walk(ast.parse(module)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("Phrase", "_", "plural")
            and isinstance(node.args[0], ast.Constant)
        ):
            yield str(node.args[0].value)


def test_every_text_that_is_marked_is_in_the_catalogues() -> None:
    texts = {text for path in MARKED for text in texts_of(path.read_text(encoding="utf-8"))}
    for folder in MODULES:
        for path in (PROJECT / folder).rglob("*.py"):
            texts |= set(calls_of(path.read_text(encoding="utf-8")))
    assert len(texts) > 450
    for path in CATALOGUES:
        catalogue = {
            text for entry in polib.pofile(str(path)) for text in (entry.msgid, entry.msgid_plural) if text
        }
        assert texts - {""} - catalogue == set(), path


#: A call of `text` or `texts` in a script, up to the parts that are put in.
CALL = re.compile(r"""\btexts?\(((?:[^()"]|"(?:[^"\\]|\\.)*")*?)(?:, \{|, n\b|, \w+[.\w]*(?:,|\))|\))""")


def test_the_texts_of_the_scripts_are_those_that_the_page_brings_along() -> None:
    called = set()
    for path in (PROJECT / "cardroom" / "web" / "static" / "web").rglob("*.js"):
        if path.name != "texts.js":
            for arguments in CALL.findall(path.read_text(encoding="utf-8")):
                called |= set(re.findall(r'"((?:[^"\\]|\\.)*)"', arguments))
    cards = {"Ace", "King", "Queen", "Jack", "spades", "hearts", "diamonds", "clubs"}
    bases = {"per round", "per position", "per main wager"}
    assert called | cards | bases == set(TEXTS)
    for language in TRANSLATED:
        with translation.override(language):
            assert len(json.loads(script_texts())) > 95


def test_the_table_page_is_in_the_language_that_its_reader_has_chosen(
    running: Cast, person: Callable[[str], Person]
) -> None:
    dealer, table = person("dealer"), f"/tables/{running.table.pk}/"

    def page() -> str:
        return str(dealer.client.get(table).content.decode())

    assert '<html lang="en">' in page()
    assert "Open betting" in page()
    dealer.client.post("/account/language/", {"language": "vi"})
    assert '<html lang="vi">' in page()
    assert "Mở đặt cược" in page()
    assert "Open betting" not in page()
    # Nobody else's page, no other page, and no browser's wish changes by it.
    assert (
        '<html lang="en">'
        in person("floor").client.get(table, headers={"accept-language": "es"}).content.decode()
    )
    assert '<html lang="en">' in dealer.client.get("/about/").content.decode()
    dealer.client.post("/account/language/", {"language": "tlh"})
    assert '<html lang="vi">' in page()


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_round_is_played_in_every_language(
    language: str, running: Cast, person: Callable[[str], Person]
) -> None:
    dealer = person("dealer")
    dealer.client.post("/account/language/", {"language": language})
    play_round(dealer)
    assert f'<html lang="{language}">' in dealer.text
    with translation.override(language):
        assert str(gettext("Line by line")) in dealer.text
    assert "Line by line" not in dealer.text


def terms_of_every_rulebook() -> Iterator[tuple[str, object]]:
    for rulebook_id in RULEBOOKS:
        rulebook = load_rulebook(rulebook_id)
        if rulebook_id == "by_eye":
            yield rulebook_id, read_options(rulebook, BY_EYE)
            continue
        named = {name: rule.values for name, rule in rulebook.options.items()}
        single = ({name: value} for name, values in named.items() for value in values)
        for options in itertools.chain([dict[str, object]()], single):
            try:
                yield rulebook_id, read_options(rulebook, options)
            except Refusal:  # what another option has to go with
                continue


@functools.cache
def phrases() -> frozenset[Phrase]:
    """Every sentence, title and table name that a placard may show, of every rulebook, option and rotation."""
    found = set[str](WHOSE.values())
    for rulebook_id, terms in terms_of_every_rulebook():
        game = game_of(rulebook_id).placard(terms)
        sections = [game.section("order"), game.section("bank")]
        found |= {game.ranking_title, *(section.title for section in sections)}
        found |= {notice.text for section in sections for notice in section.notices}
        found |= {notice.text for notice in (*game.rake, *game.general_notices)}
        for wager in game.wagers:
            found |= {notice.text for notice in wager.text}
            found |= {table.name for table in wager.tables if table.name and not table.players}
            found |= {row.detail["decision"] for row in wager.odds if "decision" in row.detail}
    for path in sorted((PROJECT / "games" / "rotation").glob("*.toml")):
        if path.stem != "house_banks":
            found |= {notice.text for notice in rotation_rules(load_profile(path.stem))}
    for rulebook_id in ("california", "designated_player"):
        for schedule in schedules_of(load_rulebook(rulebook_id)):
            found |= {fee.who for fee in schedule.tariff} | {fee.for_each for fee in schedule.tariff}
    return frozenset(text for text in found if not re.fullmatch(r"TCP-\w+", text))  # type: ignore[misc]


def test_every_sentence_of_a_placard_is_translated() -> None:
    assert len(phrases()) > 90
    assert [text for text in phrases() if not isinstance(text, Phrase)] == []
    kept = {"ante"}  # the name of a wager, which stays
    for language in TRANSLATED:
        with translation.override(language):
            assert [text for text in phrases() - kept if translated(text) == text] == [], language


def test_sentences_of_data_files_are_listed_for_the_translators() -> None:
    files = (PROJECT / "games" / "three_card_poker" / "placard").glob("*.toml")
    in_files = {
        notice["text"]
        for path in files
        for notice in tomllib.loads(path.read_text(encoding="utf-8")).get("notices", [])
    }
    assert in_files == set(NOTICES)


def test_what_the_data_files_of_every_game_name_is_listed_for_the_translators() -> None:
    """Irregularities, ways of dealing, reasons to void a round, and the hands of the table."""
    named = set[str]()
    for rulebook_id, terms in terms_of_every_rulebook():
        game, book = game_of(rulebook_id), load_rulebook(rulebook_id)
        rules = game.procedure_rules_of(book)
        named |= {each.name for each in (*rules.irregularities, *rules.methods.values(), *book.void_reasons)}
        named |= {hand.label for hand in game.deal(terms).hands}
    assert len(named) > 25
    for path in CATALOGUES:
        assert named <= {entry.msgid for entry in polib.pofile(str(path))}, path


HEAD = '# Head.\nmsgid ""\nmsgstr ""\n"POT-Creation-Date: {day}\\n"\n'


def test_texts_that_are_collected_again_stay_where_they_are() -> None:
    """In whatever order xgettext comes upon their files; a new one comes after the one that it was found after."""
    deal, seat, fold = (
        'msgid "Deal"\nmsgstr "Repartir"',
        'msgid "Seat"\nmsgstr "Asiento"',
        'msgid "fold"\nmsgstr ""',
    )
    many = 'msgid "{n} seat"\nmsgid_plural "{n} seats"\nmsgstr[0] "{n} asiento"\nmsgstr[1] "{n} asientos"'
    gone = 'msgid "Gone"\nmsgstr "Ido"'
    before = "\n\n".join((HEAD.format(day="2026-11-25").strip(), deal, gone, seat, many)) + "\n"
    found = "\n\n".join((HEAD.format(day="2026-11-26").strip(), many, seat, fold, deal, f"#~ {gone}")) + "\n"
    assert in_order(before, before) == before
    assert in_order(before, found).split("\n\n") == [
        HEAD.format(day="2026-11-25").strip(), deal, f"#~ {gone}", seat, fold, f"{many}\n",
    ]  # fmt: skip


def test_translations_have_the_placeholders_of_their_text() -> None:
    for path in CATALOGUES:
        for entry in polib.pofile(str(path)):
            wanted = set(PLACEHOLDER.findall(entry.msgid_plural or entry.msgid))
            for text in [entry.msgstr] if not entry.msgid_plural else entry.msgstr_plural.values():
                assert set(PLACEHOLDER.findall(text)) == wanted, f"{path}: {entry.msgid}"


def test_plural_forms_are_as_many_as_the_language_has() -> None:
    for path in CATALOGUES:
        catalogue = polib.pofile(str(path))
        (forms,) = re.findall(r"nplurals=(\d)", catalogue.metadata["Plural-Forms"])
        for entry in catalogue:
            assert not entry.msgid_plural or len(entry.msgstr_plural) == int(forms), entry.msgid


@pytest.mark.parametrize("rulebook", ["california", "massachusetts", "baccarat"])
def test_every_text_of_a_placard_on_the_screen_is_translated(
    cast: Cast, person: Callable[[str], Person], rulebook: str
) -> None:
    cast.send(table_set, "floor", **table_settings(cast.room, rulebook=rulebook))
    table = Table.objects.get(pk=cast.table.pk)
    client = person("dealer").client

    def shown(language: str) -> set[str]:
        page = client.get(f"/tables/{table.pk}/placard/?language={language}").content.decode()
        assert f'<html lang="{language}">' in page
        # What it was drawn from is quoted as it is on record.
        page = QUOTED.sub("", page)
        return {text for text in Texts(page).found if not FIGURE.fullmatch(text)}

    spots = {
        wager.spot
        for wager in game_of(rulebook)
        .placard(read_options(load_rulebook(rulebook), table.sheet_options))
        .wagers
    }
    schedule = "" if table.schedule is None else table.schedule.title
    kept = names_kept(table) | spots | {schedule, "ante", table.room.name}
    english = shown("en") - kept - {str(table)}
    assert len(english) > 25
    for language in TRANSLATED:
        assert {text for text in english & shown(language) if "TCP-" not in text} == set(), language


def california() -> Placard:
    rulebook = load_rulebook("california")
    return rules_placard(read_options(rulebook, {}), schedule=schedules_of(rulebook)[0])


def test_the_mark_of_what_is_posted_is_the_same_in_every_language() -> None:
    marks = set()
    for language in ["en", *TRANSLATED]:
        with translation.override(language):
            marks.add(california().mark)
    assert len(marks) == 1


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_printed_placard_has_every_letter_of_its_language(language: str) -> None:
    with translation.override(language):
        placard = california()
        context = PrintContext(where="", room=None, printed_by="Nguyễn", printed_at=timezone.now())
        pdf = placard_pdf(placard, context)
        posted = "".join(
            translated(notice.text)
            for notice in (*placard.rotation, *placard.game.general_notices, *placard.sections[0].notices)
        )
        plain, _bold = fonts.fonts_of(language)
    assert pdf.count(b"/Type /Page\n") == 1
    # No letter is transliterated, and each is one of the letters of the fonts that the file brings along.
    assert "«" not in fonts.markup(posted, plain)
    beyond = {letter for letter in posted if ord(letter) > 0x2FF}
    assert bool(beyond) == (language != "es")
    assert [letter for letter in beyond if f"{ord(letter):04X}" not in mapped(pdf)] == []


def test_a_placard_is_printed_in_the_language_that_the_page_shows(
    running: Cast, person: Callable[[str], Person]
) -> None:
    client = person("dealer").client
    page = client.get(f"/tables/{running.table.pk}/placard/?language=vi").content.decode()
    assert f'href="/tables/{running.table.pk}/placard.pdf?language=vi"' in page
    answer = client.get(f"/tables/{running.table.pk}/placard.pdf?language=vi")
    assert answer["Content-Disposition"].endswith('-vi.pdf"')
    assert b"DejaVuSansCondensed" in answer.content
    # The choice is the address's alone.
    assert b"DejaVu" not in client.get(f"/tables/{running.table.pk}/placard.pdf").content
