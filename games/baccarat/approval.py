"""What an approval of baccarat may say, and the rulebook that it makes (`games.approval`)."""

import json
from functools import lru_cache
from typing import Any

from games.approval import (
    ApprovedTerm,
    OneOf,
    Pays,
    Range,
    Several,
    Text,
    approval_text,
    put_lines,
    read_approval,
    refused_by,
    without_wager,
)
from games.approved_terms import (
    CARDS,
    COMMON,
    ORDER,
    PAYTABLES,
    WAGERS,
    action_term,
    complete_common,
    wager_terms,
)
from games.baccarat.rulebook import PAID, PUSHES, BaccaratRulebook, base_data, rulebook_of
from games.baccarat.wagers import BANKER, DRAGON_7, PANDA_8, PLAYER, TIE, WAGER_IDS
from games.datafile import DataFileError

MOST_DECKS = 8

_SIDES = {PLAYER: "Player", BANKER: "Banker"}
_BONUSES = {TIE: "Tie", DRAGON_7: "Dragon 7", PANDA_8: "Panda 8"}
_NEEDS = {"nothing": "nothing: it may stand alone", "main": "a wager on player or banker"}

TERMS: tuple[ApprovedTerm, ...] = (
    *COMMON,
    *(
        term
        for wager, name in _SIDES.items()
        for term in (
            ApprovedTerm(f"wagers.{wager}.name", f"{name}: name on the layout", WAGERS, Text()),
            action_term(wager, name),
        )
    ),
    *(term for wager, name in _BONUSES.items() for term in wager_terms(wager, name, _NEEDS)),
    *(
        ApprovedTerm(f"pays.{wager}", f"{name} pays", PAYTABLES, Pays(), ((wager, "pays"), (wager, "misses")))
        for wager, name in {**_SIDES, **_BONUSES}.items()
    ),
    ApprovedTerm(
        "banker.three_card_seven",
        "Banker that wins with a seven of three cards",
        PAYTABLES,
        OneOf({PUSHES: "a push: goes back", PAID: "paid as any win"}),
        ((BANKER, "seven"),),
    ),
    ApprovedTerm("order.lines", "At a seat", ORDER, Several(WAGER_IDS)),
    ApprovedTerm("cards.decks", "Decks in use", CARDS, Range(1, MOST_DECKS)),
)
"""What an approval may say, in the order in which the whole is shown."""


def approved_rulebook(base: str, approval: Any) -> BaccaratRulebook:
    """The rulebook `base` with a room's approval put in; equal approvals give the same object.

    Refusal `wrong_type`, `unknown_term`, `bad_term` or `forbidden_term`, with the path inside the approval; KeyError where
    there is no such rulebook.
    """
    return _approved(base, approval_text(approval))


@lru_cache(maxsize=512)
def _approved(base: str, text: str) -> BaccaratRulebook:
    data = base_data(base)
    approval, whole = read_approval(json.loads(text), TERMS, data)
    changed = approval.changed
    lines = list(data["order"]["lines"])
    for wager, name in _BONUSES.items():
        if whole["wagers"][wager].pop("offered", True):
            continue
        without_wager(whole, changed, wager, name, f"pays.{wager}")
        whole["pays"].pop(wager)
        lines.remove(wager)
    put_lines(whole, changed, lines)
    whole["published"] = [each for each in whole["published"] if not _differs(each["wager"], changed)]
    complete_common(whole, changed)
    try:
        return rulebook_of(whole, f"{base}.toml", approval)
    except DataFileError as error:
        raise refused_by(error) from None


def _differs(wager: str, changed: Any) -> bool:
    """Whether a figure that is published of a wager is no longer one of this game."""
    keys = {"cards.decks", f"pays.{wager}", *(["banker.three_card_seven"] if wager == BANKER else [])}
    return not keys.isdisjoint(changed)
