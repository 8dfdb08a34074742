"""What an approval of Ultimate Texas Hold'em may say, and the rulebook that it makes (`games.approval`)."""

import json
from functools import lru_cache
from typing import Any

from games.approval import (
    ApprovedTerm,
    Lines,
    OneOf,
    Several,
    Text,
    Times,
    approval_text,
    put_lines,
    read_approval,
    refused_by,
    without_wager,
)
from games.approved_terms import (
    BANK,
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
from games.five_cards import FIVE_CARD_IDS, FiveCardClass
from games.phrases import Phrase
from games.refusal import Refusal
from games.ultimate_texas_holdem.rulebook import (
    COMPARED,
    MOST_TIMES,
    PAID,
    PUSH,
    UltimateRulebook,
    base_data,
    rulebook_of,
)
from games.ultimate_texas_holdem.wagers import ANTE, BLIND, PLAY, TRIPS, WAGER_IDS

_QUALIFYING_WORDS = {
    "nothing": "any hand",
    "pair": "a pair or better",
    "two_pair": "two pair or better",
    "three_of_a_kind": "three of a kind or better",
}
_NEEDS = {"nothing": "nothing: it may stand alone", ANTE: "an ante"}

TERMS: tuple[ApprovedTerm, ...] = (
    *COMMON,
    *(
        ApprovedTerm(f"wagers.{wager}.name", f"{name}: name on the layout", WAGERS, Text())
        for wager, name in ((ANTE, "Ante"), (BLIND, "Blind"), (PLAY, "Play"))
    ),
    action_term(ANTE, "Ante"),
    action_term(BLIND, "Blind"),
    *payable_terms(BLIND, "Blind", tip=False),
    *payable_terms(PLAY, "Play"),
    *wager_terms(TRIPS, "Trips", _NEEDS),
    ApprovedTerm("play.before_flop", "Play before the flop, in times the ante", WAGERS, Times(MOST_TIMES)),
    ApprovedTerm("play.flop", "Play after the flop, in times the ante", WAGERS, Times(MOST_TIMES)),
    ApprovedTerm("play.river", "Play on the whole board, in times the ante", WAGERS, Times(MOST_TIMES)),
    ApprovedTerm("fold.forfeits", "A fold loses", WAGERS, Several((ANTE, BLIND, TRIPS))),
    ApprovedTerm(
        "blind_table",
        "Blind pays on a win",
        PAYTABLES,
        Lines(tuple(reversed(FIVE_CARD_IDS))),
        tuple((BLIND, cause) for cause in ("pays", "wins", "loses")),
    ),
    ApprovedTerm(
        "trips_table",
        "Trips pays",
        PAYTABLES,
        Lines(tuple(reversed(FIVE_CARD_IDS[FiveCardClass.PAIR :]))),
        ((TRIPS, "pays"), (TRIPS, "misses")),
    ),
    ApprovedTerm(
        "bank.qualifies", "The bank qualifies with", BANK, OneOf(_QUALIFYING_WORDS), ((ANTE, "unqualified"),)
    ),
    ApprovedTerm(
        "bank.unqualified_ante",
        "Ante against a bank that does not qualify",
        BANK,
        OneOf(
            {
                PUSH: "a push: goes back",
                PAID: "paid, whatever the hand",
                COMPARED: "compared: the better hand wins",
            }
        ),
        ((ANTE, "unqualified"),),
    ),
    ApprovedTerm("order.lines", "At a seat", ORDER, Several(WAGER_IDS)),
)
"""What an approval may say, in the order in which the whole is shown."""


def approved_rulebook(base: str, approval: Any) -> UltimateRulebook:
    """The rulebook `base` with a room's approval put in; equal approvals give the same object.

    Refusal `wrong_type`, `unknown_term`, `bad_term` or `forbidden_term`, with the path inside the approval; KeyError where
    there is no such rulebook.
    """
    return _approved(base, approval_text(approval))


@lru_cache(maxsize=512)
def _approved(base: str, text: str) -> UltimateRulebook:
    data = base_data(base)
    approval, whole = read_approval(json.loads(text), TERMS, data)
    lines = list(data["order"]["lines"])
    rule = whole["wagers"][TRIPS]
    if not rule.pop("offered", True):
        without_wager(whole, approval.changed, TRIPS, "Trips", "trips_table")
        whole.pop("trips_table")
        lines.remove(TRIPS)
    for tables in ("blind_table", "trips_table"):
        if tables in approval.changed:
            whole[tables] = {**whole[tables][0], "clause": approval.changed[tables] or tables}
    put_lines(whole, approval.changed, lines)
    if "fold.forfeits" in approval.changed:
        _fold(whole, approval.changed["fold.forfeits"])
    complete_common(whole, approval.changed)
    try:
        return rulebook_of(whole, f"{base}.toml", approval)
    except DataFileError as error:
        raise refused_by(error) from None


def _fold(whole: dict[str, Any], clause: str) -> None:
    """What a fold loses: the ante and the blind always, a bonus wager where the approval says so."""
    forfeits = whole["fold"]["forfeits"]
    for wager in (ANTE, BLIND):
        if wager not in forfeits:
            raise Refusal("bad_term", "fold.forfeits", Phrase("a fold loses the {wager}.", wager=wager))
    for wager in forfeits:
        whole["clauses"][wager]["folded"] = clause or "fold.forfeits"
