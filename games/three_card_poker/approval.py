"""What an approval of Three Card Poker may say, and the rulebook that it makes (`games.approval`)."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from games.approval import (
    ApprovedTerm,
    Lines,
    OneOf,
    Several,
    Text,
    approval_text,
    put_lines,
    read_approval,
    refused_by,
    without_wager,
)
from games.approved_terms import (
    BANK,
    CARDS,
    COMMON,
    ORDER,
    PAYTABLES,
    WAGERS,
    action_term,
    complete_common,
    payable_terms,
    wager_terms,
)
from games.datafile import DataFileError
from games.phrases import Phrase
from games.refusal import Refusal
from games.three_card_poker.hands import CLASS_IDS, QUALIFYING_WORDS, SIX_CARD_IDS, HandClass
from games.three_card_poker.rulebook import (
    COMPARED,
    NO_ACTION,
    PAID,
    PUSH,
    ThreeCardRulebook,
    base_data,
    rulebook_of,
)
from games.three_card_poker.wagers import ANTE, ANTE_BONUS, BAD_BEAT, PAIR_PLUS, PLAY, SIX_CARD_BONUS

#: The classes that a paytable of three cards may name, from the best down.
_THREE_CARDS = tuple(reversed(CLASS_IDS))
_PAIR_OR_BETTER = tuple(reversed(CLASS_IDS[HandClass.PAIR :]))
_SIX_CARDS = tuple(reversed(SIX_CARD_IDS[1:]))
_UNQUALIFIED = {
    COMPARED: "compared: the better hand wins, any other goes back",
    PAID: "paid, whatever the hand",
    PUSH: "a push: goes back",
}
_BONUSES = {PAIR_PLUS: "Pair Plus", SIX_CARD_BONUS: "6 Card Bonus", BAD_BEAT: "Bad Beat"}
_NEEDS = {
    "nothing": "nothing: it may stand alone",
    "ante": "an ante",
    "ante_or_pair_plus": "an ante or a Pair Plus",
}
_LINES = (ANTE, PLAY, ANTE_BONUS, *_BONUSES)
#: The paytables of each bonus wager in a rulebook's file, and the option that chooses among them.
_TABLES = {PAIR_PLUS: "pair_plus_tables", SIX_CARD_BONUS: "six_card_bonus_tables", BAD_BEAT: "bad_beat_table"}
_CHOICES = {
    "pair_plus_tables": "pair_plus_table",
    "six_card_bonus_tables": "six_card_bonus_table",
    "ante_bonus_tables": "ante_bonus_table",
}

TERMS: tuple[ApprovedTerm, ...] = (
    *COMMON,
    ApprovedTerm("wagers.ante.name", "Ante: name on the layout", WAGERS, Text()),
    action_term(ANTE, "Ante"),
    ApprovedTerm("wagers.play.name", "Play: name on the layout", WAGERS, Text()),
    *payable_terms(PLAY, "Play"),
    *(term for wager, name in _BONUSES.items() for term in wager_terms(wager, name, _NEEDS)),
    ApprovedTerm("fold.forfeits", "A fold loses", WAGERS, Several((ANTE, *_BONUSES))),
    ApprovedTerm(
        "pair_plus_tables",
        "Pair Plus pays",
        PAYTABLES,
        Lines(_PAIR_OR_BETTER),
        ((PAIR_PLUS, "pays"), (PAIR_PLUS, "misses")),
    ),
    ApprovedTerm(
        "six_card_bonus_tables",
        "6 Card Bonus pays",
        PAYTABLES,
        Lines(_SIX_CARDS),
        ((SIX_CARD_BONUS, "pays"), (SIX_CARD_BONUS, "misses")),
    ),
    ApprovedTerm(
        "ante_bonus_tables", "Ante bonus pays", PAYTABLES, Lines(_THREE_CARDS), ((ANTE_BONUS, "pays"),)
    ),
    ApprovedTerm(
        "bad_beat_table",
        "Bad Beat pays",
        PAYTABLES,
        Lines(_PAIR_OR_BETTER),
        ((BAD_BEAT, "pays"), (BAD_BEAT, "misses")),
    ),
    ApprovedTerm(
        "bank.qualifies",
        "The bank qualifies with",
        BANK,
        OneOf(QUALIFYING_WORDS),
        (
            *((ANTE, cause) for cause in ("beats_unqualified", "holds_unqualified", "wins_unqualified")),
            (PLAY, "unqualified"),
        ),
    ),
    ApprovedTerm(
        "bank.unqualified_ante",
        "Ante against a bank that does not qualify",
        BANK,
        OneOf(_UNQUALIFIED),
        tuple((ANTE, cause) for cause in ("beats_unqualified", "holds_unqualified", "wins_unqualified")),
    ),
    ApprovedTerm(
        "bank.unqualified_play",
        "Play against a bank that does not qualify",
        BANK,
        OneOf({**_UNQUALIFIED, NO_ACTION: "no action: goes back"}),
        ((PLAY, "unqualified"),),
    ),
    ApprovedTerm("order.lines", "At a seat", ORDER, Several(_LINES)),
    ApprovedTerm(
        "cards.shown",
        "Card of the bank shown before the decisions",
        CARDS,
        OneOf({"none": "none", "bottom": "the bottom card", "top": "the top card"}),
    ),
)
"""What an approval may say, in the order in which the whole is shown."""


def approved_rulebook(base: str, approval: Any) -> ThreeCardRulebook:
    """The rulebook `base` with a room's approval put in; equal approvals give the same object.

    Refusal `wrong_type`, `unknown_term`, `bad_term` or `forbidden_term`, with the path inside the approval; KeyError where
    there is no such rulebook.
    """
    return _approved(base, approval_text(approval))


@lru_cache(maxsize=512)
def _approved(base: str, text: str) -> ThreeCardRulebook:
    data = base_data(base)
    approval, whole = read_approval(json.loads(text), TERMS, data)
    lines = list(data["order"]["lines"])
    for wager in _BONUSES:
        _offer(whole, approval.changed, wager, lines)
    _place_tables(whole, approval.changed, lines)
    _order(whole, approval.changed, lines)
    complete_common(whole, approval.changed)
    try:
        return rulebook_of(whole, f"{base}.toml", approval)
    except DataFileError as error:
        raise refused_by(error) from None


def _offer(whole: dict[str, Any], changed: Mapping[str, str], wager: str, lines: list[str]) -> None:
    """Leave a bonus wager out, or put one in that the rulebook does not have; `lines` are those of a seat."""
    rule = whole["wagers"].get(wager, {})
    has = "clause" in rule
    if not rule.pop("offered", has):
        without_wager(whole, changed, wager, _BONUSES[wager], _TABLES[wager])
        _take_out(lines, wager)
        whole["options"].pop(_CHOICES.get(_TABLES[wager], ""), None)
        whole.pop(_TABLES[wager], None)
    elif not has:
        if _TABLES[wager] not in whole:
            what = Phrase("{wager} is offered: give its paytable.", wager=_BONUSES[wager])
            raise Refusal("bad_term", _TABLES[wager], what)
        clause = changed[f"wagers.{wager}.offered"]
        added = {"name": _BONUSES[wager], "needs": ANTE, "clause": clause or wager}
        whole["wagers"][wager] = {**added, **rule}
        lines.append(wager)
        causes = ("pays", "misses", "folded")
        whole["clauses"][wager] = {cause: clause or f"{wager}.{cause}" for cause in causes}
        if wager != SIX_CARD_BONUS and "fold.forfeits" not in changed:
            whole["fold"]["forfeits"].append(wager)


def _place_tables(whole: dict[str, Any], changed: Mapping[str, str], lines: list[str]) -> None:
    """Give the approval's paytables their clauses, and let no option choose another one."""
    for tables in (*_CHOICES, "bad_beat_table"):
        if tables not in changed:
            continue
        table = whole[tables][0]
        table["clause"] = changed[tables] or tables
        if tables == "bad_beat_table":
            whole[tables] = table
            continue
        if tables != "six_card_bonus_tables":
            _leave_designators(whole)
        if tables == "ante_bonus_tables":
            _place_ante_bonus(whole, table, lines)
        else:
            whole["options"][_CHOICES[tables]] = {"values": [table["id"]]}


def _leave_designators(whole: dict[str, Any]) -> None:
    """Take the pairings of tables away, one of which is the approval's own: the other is that of the first pairing."""
    option, designators = whole["options"].pop("designator", None), whole.pop("designators", None)
    if option is not None and designators is not None:
        first = designators[option["values"][0]]
        whole["options"]["pair_plus_table"] = {"values": [first["pair_plus"]]}
        whole["ante_bonus_tables"].sort(key=lambda table: table["id"] != first["ante_bonus"])


def _place_ante_bonus(whole: dict[str, Any], table: Mapping[str, Any], lines: list[str]) -> None:
    if ANTE_BONUS not in lines:
        lines.insert(lines.index(PLAY) + 1, ANTE_BONUS)
    whole["clauses"][ANTE_BONUS] = {"pays": table["clause"]}
    if "version" in whole["options"]:
        for version in whole["versions"].values():
            version["ante_bonus_tables"] = [table["id"]]
    if "ante_bonus_table" in whole["options"]:
        whole["options"]["ante_bonus_table"] = {"values": [table["id"]]}


def _order(whole: dict[str, Any], changed: Mapping[str, str], lines: list[str]) -> None:
    """The lines of a seat in the order that the approval says, each of them once; and the clause of what a fold loses."""
    put_lines(whole, changed, lines)
    if "fold.forfeits" in changed:
        for wager in whole["fold"]["forfeits"]:
            if wager in whole["clauses"]:
                whole["clauses"][wager]["folded"] = changed["fold.forfeits"] or "fold.forfeits"


def _take_out(names: list[str], name: str) -> None:
    if name in names:
        names.remove(name)
