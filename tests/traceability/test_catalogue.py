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
    HOUSE_BANKED,
    KINDS,
    PLANNABLE,
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


def test_only_what_is_recorded_or_shown_is_planned_and_every_plan_says_what_it_waits_for() -> None:
    planned = [provision for provision in catalogue().values() if provision.planned]
    assert planned
    for provision in planned:
        assert provision.kind in PLANNABLE or provision.planned.startswith(HOUSE_BANKED), provision.id
        area, _, reason = provision.planned.partition(": ")
        assert area and len(reason.split()) > 5, provision.id


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ('kind = "wager"\nsummary = "x"\nenforced = ["games.three_card_poker.sheet"]', "no effect"),
        ('kind = "wager"\nsummary = "x"\neffect = "y"', "enforced nowhere"),
        ('kind = "wager"\nsummary = "x"\neffect = "y"\nplanned = "later: soon"', "never planned"),
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


PLAN = f'planned = "{HOUSE_BANKED}the floor has none of them as yet"'


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "physical"])
def test_what_waits_for_tables_of_a_game_that_the_house_banks_is_planned_whatever_its_kind(
    tmp_path: Path, kind: str
) -> None:
    body = f'["1"]\nkind = "{kind}"\nsummary = "x"\neffect = "y"\nenforced = ["cardroom.floor.checks"]\n'
    path = tmp_path / "massachusetts.toml"
    path.write_text(f"{body}{PLAN}\n", encoding="utf-8")
    [provision] = read_provisions("massachusetts", tmp_path)
    assert provision.planned.startswith(HOUSE_BANKED)
    path.rename(tmp_path / "california.toml")
    with pytest.raises(CatalogueError, match="players bank by these rules"):
        read_provisions("california", tmp_path)


def test_kinds_are_those_of_the_list() -> None:
    assert {provision.kind for provision in catalogue().values()} == set(KINDS)
