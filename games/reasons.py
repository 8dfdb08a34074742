"""Why a line came out so, in a sentence that a player at the table understands."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from games.hands import CLASS_NAMES, SIX_CARD_NAMES, full_name_of, name_of
from games.money import dollars
from games.wagers import ANTE_BONUS, BAD_BEAT, COVER_ALL, ENVY, PROGRESSIVE, SIX_CARD_BONUS

if TYPE_CHECKING:
    from games.line import Line
    from games.outcome import Claim


def reason(line: Line) -> str:
    """The sentence of a settled line, with what the bank did not cover named at its end."""
    claim, limit = line.claim, line.limit
    if not limit:
        return sentence(claim)
    if line.outcome == "uncovered":
        return f"{_UNCOVERED[limit]}: {dollars(claim.stake)} goes back"
    if line.short:
        return f"{sentence(claim)}; bank exhausted: {dollars(line.short)} of {dollars(line.owed)} is not paid"
    return f"{sentence(claim)}; {_UNCOVERED[limit]}: {dollars(line.uncovered)} goes back"


def sentence(claim: Claim) -> str:
    """Why a wager came out so, the bank's cover left out of it.

    Looks at the verdict, the wager and the two hands, and for envy and the meter at the cents owed.
    """
    return _SENTENCES[claim.verdict.cause](claim)


_UNCOVERED = {
    "exhausted": "bank exhausted",
    "capped": "the bank may not win more than its wager",
    "dead": "the bank cannot cover this hand",
}


def _names(claim: Claim) -> tuple[str, str]:
    """Both hands in words, with their side cards when the words alone would be the same."""
    mine, other = name_of(claim.hand), name_of(claim.against)
    if mine == other:
        return full_name_of(claim.hand), full_name_of(claim.against)
    return mine, other


def _beats(claim: Claim) -> str:
    mine, other = _names(claim)
    return f"{mine} beats {other}"


def _loses(claim: Claim) -> str:
    mine, other = _names(claim)
    return f"the bank's {other} beats {mine}"


def _ties(claim: Claim) -> str:
    return f"both hands are {full_name_of(claim.hand)}: a push"


def _beats_unqualified(claim: Claim) -> str:
    return f"{_beats(claim)}, which does not qualify"


def _holds_unqualified(claim: Claim) -> str:
    mine, other = _names(claim)
    what = "equals" if claim.hand == claim.against else "beats"
    return f"the bank's {other} does not qualify but {what} {mine}: a push"


def _wins_unqualified(claim: Claim) -> str:
    return f"the bank's {name_of(claim.against)} does not qualify: paid whatever the hand"


def _unqualified(claim: Claim) -> str:
    return f"the bank's {name_of(claim.against)} does not qualify: the wager goes back"


def _folded(claim: Claim) -> str:
    if claim.wager == PROGRESSIVE:
        return "a folded hand wins no progressive here"
    return "given up by folding"


def _surrendered(claim: Claim) -> str:
    return "given up by surrendering the hand unseen"


def _not_won(claim: Claim) -> str:
    return f"{name_of(claim.hand)} did not beat the bank's {name_of(claim.against)}, as this table asks"


def _pays(claim: Claim) -> str:
    wager = claim.wager
    if wager == ENVY:
        return f"{CLASS_NAMES[claim.hand]} at seat {claim.against} brings envy of {dollars(claim.owed)}"
    odds = claim.verdict.odds.text if claim.verdict.odds is not None else ""
    if wager == SIX_CARD_BONUS:
        return f"{SIX_CARD_NAMES[claim.hand]} with the bank's cards pays {odds}"
    if wager == BAD_BEAT:
        return f"{name_of(claim.hand)} was beaten by {name_of(claim.against)}: pays {odds}"
    if wager == COVER_ALL:
        return f"{CLASS_NAMES[claim.hand]} is the table's highest hand among {claim.against}: pays {odds}"
    if wager in (ANTE_BONUS, PROGRESSIVE):
        return f"{CLASS_NAMES[claim.hand]} pays {odds} whatever the bank holds"
    return f"{name_of(claim.hand)} pays {odds}"


def _misses(claim: Claim) -> str:
    wager = claim.wager
    if wager == SIX_CARD_BONUS:
        return f"{SIX_CARD_NAMES[claim.hand]} with the bank's cards pays nothing"
    if wager == BAD_BEAT:
        return f"{name_of(claim.hand)} against {name_of(claim.against)}: no pair or better was beaten"
    if wager == COVER_ALL:
        return f"{CLASS_NAMES[claim.hand]} is the table's highest hand and pays nothing"
    if wager == PROGRESSIVE:
        return f"{CLASS_NAMES[claim.hand]} pays nothing on the progressive"
    return f"{name_of(claim.hand)} pays nothing"


def _meter(claim: Claim) -> str:
    return f"{CLASS_NAMES[claim.hand]} takes the meter of {dollars(claim.owed)}"


_SENTENCES: dict[str, Callable[[Claim], str]] = {
    "beats": _beats,
    "loses": _loses,
    "ties": _ties,
    "beats_unqualified": _beats_unqualified,
    "holds_unqualified": _holds_unqualified,
    "wins_unqualified": _wins_unqualified,
    "unqualified": _unqualified,
    "folded": _folded,
    "surrendered": _surrendered,
    "not_won": _not_won,
    "pays": _pays,
    "misses": _misses,
    "meter": _meter,
}
