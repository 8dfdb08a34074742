"""The catalogue of provisions: whole, in our own words, and held to the data that the engine settles by."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import games
from games.three_card_poker.rulebook import RULEBOOKS as ENGINES
from tests.traceability.catalogue import (
    KINDS,
    RULEBOOKS,
    CatalogueError,
    catalogue,
    read_provisions,
)


def test_it_has_every_rulebook_that_a_document_prints() -> None:
    assert set(RULEBOOKS) == set(ENGINES)


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


@pytest.mark.parametrize("folder", ["rulebooks", "procedures"])
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_clause_that_the_engine_names_is_a_provision(rulebook: str, folder: str) -> None:
    path = Path(games.__file__).parent / "three_card_poker" / folder / f"{rulebook}.toml"
    named = set(clause_ids(tomllib.loads(path.read_text(encoding="utf-8"))))
    assert len(named) > 3
    known = {provision.clause for provision in catalogue().values() if provision.rulebook == rulebook}
    unknown = {clause for clause in named if not clause.startswith("ruling ")} - known
    assert not unknown


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ('kind = "wager"\nsummary = "x"\nenforced = ["games.three_card_poker.sheet"]', "no effect"),
        ('kind = "wager"\nsummary = "x"\neffect = "y"', "enforced nowhere"),
        ('kind = "wager"\nsummary = "x"\neffect = "y"\nplanned = "later: soon"', "never planned"),
        ('kind = "record"\nsummary = "x"\neffect = "y"\nplanned = "later: soon"', "why it waits"),
        (
            'kind = "record"\nsummary = "x"\neffect = "y"\nplanned = "it waits for one to be built"',
            "why it waits",
        ),
        ('kind = "wish"\nsummary = "x"\neffect = "y"', "kind is 'wish'"),
        ('kind = "physical"\nsummary = "x"\neffect = "y"', "physical"),
        ('kind = "record"\nsummary = ""\neffect = "y"\nplanned = "later: soon"', "summary"),
        ('kind = "record"\nsummary = "x"\neffect = "y"\nplaned = "later: soon"', "'planed' is no key"),
        (
            'kind = "record"\nsummary = "x"\neffect = "y"\nenforced = "games.three_card_poker.sheet"',
            "list of places",
        ),
    ],
)
def test_a_provision_at_fault_is_refused_with_its_place(tmp_path: Path, body: str, named: str) -> None:
    (tmp_path / "california.toml").write_text(f'["1(a)"]\n{body}\n', encoding="utf-8")
    with pytest.raises(CatalogueError, match=re.escape(named)) as refused:
        read_provisions("california", tmp_path)
    assert "california.toml: [1(a)]" in str(refused.value)


def test_kinds_are_those_of_the_list() -> None:
    assert {provision.kind for provision in catalogue().values()} == set(KINDS)


def test_a_plan_of_what_is_recorded_is_read(tmp_path: Path) -> None:
    plan = "placard: nobody has asked yet which size it is printed in"
    body = f'["1(a)"]\nkind = "record"\nsummary = "x"\neffect = "y"\nplanned = "{plan}"\n'
    (tmp_path / "california.toml").write_text(body, encoding="utf-8")
    assert read_provisions("california", tmp_path)[0].planned == plan
