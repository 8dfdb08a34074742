"""Clauses stand beside a sentence, behind "why", and never in it: who deals reads what to do."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cast import Cast

from ..conftest import Person
from ..play import play_by_commands

ROOT = Path(__file__).parents[3]
#: What a page keeps folded, and what is no text of it.
_FOLDED = re.compile(
    r'<details class="clause-why">.*?</details>|<span class="pay-why">.*?</small></span>|<template.*?</template>|<[^>]*>',
    re.DOTALL,
)
_CLAUSE = re.compile(r"\bruling \d|\bCCR\b|\b[a-z_]+:[a-z_]+(?:\.\w+)+")


def unfolded(page: str) -> str:
    return _FOLDED.sub(" ", page)


def templates() -> Iterator[tuple[str, str]]:
    """Every template of a sentence for people of the floor: file and English text."""
    for folder in ("games", "fees", "cardroom/floor", "cardroom/drop", "cardroom/tips"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Phrase", "plural"):
                    for said in node.args[:2]:
                        if isinstance(said, ast.Constant) and isinstance(said.value, str):
                            yield f"{path.relative_to(ROOT)}:{node.lineno}", said.value


def test_no_sentence_of_the_floor_has_a_clause_in_it() -> None:
    found = [each for each in templates() if "clause}" in each[1] or _CLAUSE.search(each[1])]
    assert found == []


@pytest.mark.parametrize("until", ["bank", "bets", "no-more-bets", "deal", "settle"])
def test_no_clause_stands_unfolded_on_the_table_page(
    running: Cast, person: Callable[[str], Person], until: str
) -> None:
    play_by_commands(running, until=until)
    dealer = person("dealer")
    dealer.at_table()
    assert not _CLAUSE.search(unfolded(dealer.text))


def test_what_voids_a_round_and_the_refusals_after_it_keep_their_clause_behind_why(
    running: Cast, person: Callable[[str], Person]
) -> None:
    play_by_commands(running, until="deal")
    dealer = person("dealer")
    dealer.at_table()
    dealer.command("irregularity", irregularity="wrong_number_of_cards")
    void = dealer.text
    refused = dealer.post(f"/tables/{running.table.pk}/commands/deal/", "/commands/irregularity/")
    assert refused.status_code == 409
    for page in (void, refused.content.decode()):
        assert not _CLAUSE.search(unfolded(page)), _CLAUSE.search(unfolded(page))
        assert _CLAUSE.search(page), "the source is a touch away"
