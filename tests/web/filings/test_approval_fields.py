"""How terms of an approval are typed: each kind of value is typed, read, and typed again."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cardroom.web.filings.approval_fields import fields_of, typed_approval, value_of
from cardroom.web.filings.approval_form import ApprovalForm
from games.approval import (
    ApprovedTerm,
    Flag,
    Lines,
    OneOf,
    Pays,
    Range,
    Several,
    Text,
    Times,
    Whole,
    read_value,
    said_in,
)
from games.refusal import Refusal
from games.registry import load_rulebook
from games.three_card_poker.approval import TERMS
from tests.games.random_approvals import random_approval


def term(kind: Any, key: str = "it") -> ApprovedTerm:
    return ApprovedTerm(key, "It", "Cards", kind)


HANDS = Lines(("full_house", "flush"))


@pytest.mark.parametrize(
    ("each", "typed", "value"),
    [
        (term(Whole(2, 12)), {"say-it": " 8 "}, 8),
        (term(Whole(2, 12)), {"say-it": "eight"}, "eight"),
        (term(Whole(2, 12)), {}, ""),
        (term(Whole(1, 10_000), "bank.least_cents"), {"say-bank.least_cents": "$12.50"}, 1250),
        (term(Range(1, 8)), {"say-it": "3 to 8"}, [3, 8]),
        (term(Range(1, 8)), {"say-it": "3-8"}, [3, 8]),
        (term(Range(1, 8)), {"say-it": "6"}, 6),
        (term(Range(1, 8)), {"say-it": "3 to 8 to 9"}, [3, 8, 9]),
        (term(Times(9)), {"say-it": "3, 4"}, [3, 4]),
        (term(Times(9)), {"say-it": "4"}, [4]),
        (term(Times(9)), {"say-it": "four"}, ["four"]),
        (term(Pays()), {"say-it": "19:20"}, "19:20"),
        (term(Pays()), {"say-it": "3 to 2"}, "3:2"),
        (term(Pays()), {"say-it": "8"}, 8),
        (term(OneOf({"a": "A", "b": "B"})), {"say-it": "b"}, "b"),
        (term(Flag()), {"say-it": "true"}, True),
        (term(Flag()), {"say-it": "false"}, False),
        (term(Flag()), {"say-it": "perhaps"}, "perhaps"),
        (term(Text()), {"say-it": " Three  Card "}, "Three  Card"),
        (term(Several(("a", "b", "c"))), {"say-it-a": "3", "say-it-c": "1", "say-it-b": ""}, ["c", "a"]),
        (term(HANDS), {"say-it-full_house": "40", "say-it-flush": "3 to 2"}, [{"odds": {"full_house": 40, "flush": "3:2"}}]),
        (term(HANDS), {"say-it-full_house": "70 for 1", "say-it-flush": ""}, [{"odds": {"full_house": "70 for 1"}}]),
    ],
)  # fmt: skip
def test_what_is_typed_is_the_value_that_an_approval_has(
    each: ApprovedTerm, typed: dict[str, str], value: Any
) -> None:
    assert value_of(each, typed) == value
    assert {*typed, f"clause-{each.key}"} <= {*fields_of(each, str), f"say-{each.key}", f"clause-{each.key}"}


@pytest.mark.parametrize(
    ("each", "typed", "why"),
    [
        (term(Several(("a", "b"))), {"say-it-a": "1", "say-it-b": "1"}, "each number once"),
        (term(Several(("a", "b"))), {"say-it-a": "x"}, "each number once"),
        (term(Whole(1, 10_000), "bank.least_cents"), {"say-bank.least_cents": "ten"}, "no amount in dollars"),
    ],
)
def test_what_cannot_be_said_is_refused(each: ApprovedTerm, typed: dict[str, str], why: str) -> None:
    with pytest.raises(Refusal, match=why) as refused:
        value_of(each, typed)
    assert refused.value.path == each.key


def test_every_approval_is_typed_as_it_was_saved_and_means_the_same() -> None:
    rng, base = Random("typed and saved"), load_rulebook("california")
    for _ in range(60):
        approval = random_approval(rng)
        form = ApprovalForm(base, *typed_approval(base, approval))
        assert form.is_valid(), (form.refused, approval)
        before, after = said_in(approval, TERMS), said_in(form.approval, TERMS)
        assert before.keys() == after.keys()
        for each in TERMS:
            if each.key in before:
                assert read_value(each, after[each.key]) == read_value(each, before[each.key]), each.key
        assert form.approval.get("sources", {}) == approval.get("sources", {})


def test_what_cannot_be_read_is_left_out_of_the_whole_that_is_shown_and_the_rest_stands() -> None:
    base = load_rulebook("california")
    typed = {
        "say-seats": "99",
        "say-bank.qualifies": "pair",
        "clause-bank.qualifies": "5",
        "say-order.lines-ante": "1",
    }
    form = ApprovalForm(base, typed, ["seats", "bank.qualifies", "order.lines", "stars"])
    assert not form.is_valid()
    assert form.refused.keys() == {"seats", "order.lines"}
    assert form.terms.rulebook.seats == 7
    assert {row.term.key for _, rows in form.whole for row in rows if row.said} == {"bank.qualifies"}
