"""The catalogue of provisions: whole, in our own words, and held to the data that the engine settles by."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import games
from games.rulebook import RULEBOOKS as ENGINES
from tests.shared_data import shared
from tests.traceability.catalogue import (
    KINDS,
    PLANNABLE,
    RULEBOOKS,
    CatalogueError,
    catalogue,
    read_provisions,
)

DOCUMENTS = {
    "massachusetts": "000_d45402b30e37446f.txt",
    "california": "001_34e5950a5e42f216.txt",
    "south_dakota": "002_48056b3154e47cfa.txt",
    "shuffle_master": "003_917b405562984162.txt",
    "designated_player": "004_61aa20e801c4fa4b.txt",
}
#: So many words in a row that a document has too are a sentence of it, and not how one happens to say a thing.
RUN = 9
#: Names of hands are facts, and so is the order in which a document lists them: they do not count as words.
NAMES_OF_HANDS = {"high", "card", "pair", "flush", "straight", "three", "of", "a", "kind"}


def test_every_provision_of_the_documents_is_in_it_and_no_other() -> None:
    with shared("design", "clauses.csv").open(encoding="utf-8", newline="") as file:
        listed = {f"{row['rulebook']}:{row['clause']}": row["kind"] for row in csv.DictReader(file)}
    assert {id_: provision.kind for id_, provision in catalogue().items()} == listed


def test_it_has_every_rulebook_that_the_engine_has() -> None:
    assert set(RULEBOOKS) == set(ENGINES)


def words(text: str) -> list[str]:
    return [word for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in NAMES_OF_HANDS]


def runs(text: str) -> Iterator[str]:
    found = words(text)
    return (" ".join(found[n : n + RUN]) for n in range(len(found) - RUN + 1))


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_no_sentence_of_a_document_is_copied(rulebook: str) -> None:
    document = f" {' '.join(words(shared('seeds', DOCUMENTS[rulebook]).read_text(encoding='utf-8')))} "
    for provision in catalogue().values():
        if provision.rulebook == rulebook:
            for run in runs(provision.summary + ". " + provision.effect):
                assert f" {run} " not in document, f"{provision.id} copies: {run}"


def clause_ids(node: object) -> Iterator[str]:
    """Every clause that a rules file names, wherever its key says that it is one."""
    if isinstance(node, dict):
        for key, value in node.items():
            if isinstance(value, str) and (key == "clause" or key.endswith("_clause")):
                yield value
            elif key == "clauses":
                yield from (clause for causes in value.values() for clause in causes.values())
            else:
                yield from clause_ids(value)
    elif isinstance(node, list):
        for item in node:
            yield from clause_ids(item)


@pytest.mark.parametrize("folder", ["rulebooks", "conduct"])
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_clause_that_the_engine_names_is_a_provision(rulebook: str, folder: str) -> None:
    path = Path(games.__file__).parent / folder / f"{rulebook}.toml"
    named = set(clause_ids(tomllib.loads(path.read_text(encoding="utf-8"))))
    assert len(named) > 3
    known = {provision.clause for provision in catalogue().values() if provision.rulebook == rulebook}
    unknown = {clause for clause in named if not clause.startswith("ruling ")} - known
    assert not unknown


def test_only_what_is_recorded_or_shown_is_planned_and_every_plan_says_what_it_waits_for() -> None:
    planned = [provision for provision in catalogue().values() if provision.planned]
    assert {provision.kind for provision in planned} <= set(PLANNABLE)
    for provision in planned:
        area, _, reason = provision.planned.partition(": ")
        assert area and len(reason.split()) > 5, provision.id


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ('kind = "wager"\nsummary = "x"\nenforced = ["games.sheet"]', "no effect"),
        ('kind = "wager"\nsummary = "x"\neffect = "y"', "enforced nowhere"),
        ('kind = "wager"\nsummary = "x"\neffect = "y"\nplanned = "later: soon"', "never planned"),
        ('kind = "wish"\nsummary = "x"\neffect = "y"', "kind is 'wish'"),
        ('kind = "physical"\nsummary = "x"\neffect = "y"', "physical"),
        ('kind = "record"\nsummary = ""\neffect = "y"\nplanned = "later: soon"', "summary"),
        ('kind = "record"\nsummary = "x"\neffect = "y"\nplaned = "later: soon"', "'planed' is no key"),
        ('kind = "record"\nsummary = "x"\neffect = "y"\nenforced = "games.sheet"', "list of places"),
    ],
)
def test_a_provision_at_fault_is_refused_with_its_place(tmp_path: Path, body: str, named: str) -> None:
    (tmp_path / "california.toml").write_text(f'["1(a)"]\n{body}\n', encoding="utf-8")
    with pytest.raises(CatalogueError, match=re.escape(named)) as refused:
        read_provisions("california", tmp_path)
    assert "california.toml: [1(a)]" in str(refused.value)


def test_kinds_are_those_of_the_list() -> None:
    assert {provision.kind for provision in catalogue().values()} == set(KINDS)
