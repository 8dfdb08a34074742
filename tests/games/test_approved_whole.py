"""The whole of an approval: what differs where it stands, what follows from it, and its paytables worked out."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from games.approval import Lines, read_value, said_in
from games.approved_whole import edges_of, format_term, sums_of, whole_of
from games.registry import GAMES, game_of, terms_of
from games.terms import Terms
from tests.games.random_approvals import random_approval
from tests.games.test_approval import PAPER
from tests.samples import ROOT
from tests.traceability.catalogue import catalogue


def of(approval: dict[str, Any] | None, rulebook: str = "california") -> Terms:
    return terms_of(rulebook, {} if approval is None else {"approval": approval})


def test_differences_are_marked_where_they_stand_with_their_clause_and_what_follows() -> None:
    whole = {each.term.key: each for each in whole_of(of(PAPER), of(None))}
    seats, bonus = whole["seats"], whole["wagers.six_card_bonus.offered"]
    assert (seats.before, seats.now, seats.clause, seats.said) == (7, 8, "GEGR-004861:2, page 2", True)
    assert (bonus.before_text, bonus.now_text) == ("yes", "no")
    assert whole["pair_plus_tables"].before_text == "200 · 40 · 30 · 6 · 3 · 1"
    assert whole["pair_plus_tables"].now_text == "40 · 40 · 30 · 6 · 4 · 1"
    table = whole["six_card_bonus_tables"]
    assert (table.said, table.follows, table.now) == (False, True, None)
    assert whole["order.lines"].follows
    assert {key for key, each in whole.items() if each.said} == PAPER["sources"].keys()


def test_a_paytable_is_worked_out_line_by_line() -> None:
    sums = sums_of("pair_plus_tables", of(PAPER), of(None))
    assert sums is not None
    assert [(line.ways, line.units) for line in sums.lines] == [
        (None, None), (4, 160), (44, 1760), (52, 1560), (720, 4320), (1096, 4384), (3744, 3744),
    ]  # fmt: skip
    assert (sums.of, sums.lost, sums.paid) == (22_100, 16_440, Fraction(15_928))
    assert (sums.edge, sums.edge_before) == (Fraction(512, 22_100), Fraction(968, 22_100))


@pytest.mark.parametrize("rulebook", ["california", "designated_player"])
def test_ways_and_units_come_to_the_edge_that_the_placard_posts(rulebook: str) -> None:
    rng = Random(f"paytables of {rulebook}")
    worked = set()
    for _ in range(10):
        terms = of(random_approval(rng), rulebook)
        edges = edges_of(terms)
        for key in ("pair_plus_tables", "six_card_bonus_tables"):
            sums = sums_of(key, terms, of(None, rulebook))
            if sums is not None and sums.of is not None and sums.paid is not None and sums.lost is not None:
                worked.add(key)
                assert Fraction(sums.lost - sums.paid) / sums.of == sums.edge == edges[sums.wager].edge
    assert worked == {"pair_plus_tables", "six_card_bonus_tables"}


def test_what_is_said_as_the_rulebook_has_it_is_read_as_that() -> None:
    """Every value that a rulebook has of a term is one that an approval may say, and then nothing differs."""
    for game in GAMES:
        for rulebook in game.rulebooks if game.approved_terms() else ():
            base = of(None, rulebook)
            values = game.approved_values(base)
            for term in game.approved_terms():
                if term.key not in values or not values[term.key].value:
                    continue
                value = values[term.key].value
                said = [{"odds": value}] if isinstance(term.kind, Lines) else value
                read_value(term, said)
                assert format_term(term, value), term.key


def test_what_an_approval_says_is_what_the_whole_says() -> None:
    rng = Random("said and whole")
    for _ in range(60):
        approval = random_approval(rng)
        said = said_in(approval, game_of("california").approved_terms())
        for each in whole_of(of(approval), of(None)):
            if each.term.key in said and not isinstance(each.term.kind, Lines):
                now = each.now
                expected = said[each.term.key]
                if isinstance(expected, list) and each.term.key == "fold.forfeits":
                    now, expected = sorted(now), sorted(expected)
                assert now == expected, each.term.key


@pytest.mark.parametrize(
    "rulebook", [each for game in GAMES if game.approved_terms() for each in game.rulebooks]
)
def test_sources_of_a_rulebook_name_terms_and_provisions_that_there_are(rulebook: str) -> None:
    terms = of(None, rulebook)
    known = {term.key for term in game_of(rulebook).approved_terms()}
    assert terms.rulebook.sources.keys() <= known
    shown = {each.term.key for each in whole_of(terms, terms)}
    for key, clauses in terms.rulebook.sources.items():
        assert key in shown or key.split(".")[1] not in terms.offered, key
        for clause in clauses.removeprefix(f"{rulebook}:").split(", "):
            assert clause.startswith("ruling ") or is_provision(rulebook, clause), (key, clause)


def is_provision(rulebook: str, clause: str) -> bool:
    """Whether a document has it: in the catalogue of its clauses, or of rules of our own as an item of their page."""
    if any(each.startswith(f"{rulebook}:") for each in catalogue()):
        return f"{rulebook}:{clause}" in catalogue()
    page = (ROOT / "docs" / f"{rulebook}.md").read_text(encoding="utf-8")
    section, item, *_ = clause.split(".")
    items = page.split(f"\n## {section}\n")[1].split("\n## ")[0]
    return f"\n{item}. " in f"\n{items}"
