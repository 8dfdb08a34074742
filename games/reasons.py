"""Why a line came out so, in a sentence that a player at the table understands."""

from collections.abc import Callable

from games.hands import CLASS_NAMES, SIX_CARD_NAMES, full_name_of, name_of
from games.money import dollars
from games.verdict import UNCOVERED, Figures, Verdict
from games.wagers import ANTE_BONUS, BAD_BEAT, COVER_ALL, ENVY, PROGRESSIVE, SIX_CARD_BONUS


def reason(figures: Figures, hand: int, against: int) -> str:
    """The sentence of a settled wager, with what the bank did not cover named at its end."""
    limit = figures.limit
    if figures.outcome == UNCOVERED:
        return goes_back(limit, figures.stake)
    why = sentence(figures.verdict, hand, against)
    if not limit:
        return why
    if figures.short:
        return f"{why}; {limit}: {dollars(figures.short)} of {dollars(figures.owed)} is not paid"
    return f"{why}; {goes_back(limit, figures.uncovered)}"


def goes_back(limit: str, cents: int) -> str:
    """Why the bank did not cover so many cents of a stake (`Figures.limit`), and what becomes of them."""
    return f"{limit}: {dollars(cents)} goes back"


def sentence(verdict: Verdict, hand: int, against: int) -> str:
    """Why a wager came out so, the bank's cover left out of it.

    Two hands that differ in class or first rank are told apart by those: their other cards are not looked at.
    """
    return _SENTENCES[verdict.cause](verdict, hand, against)


def _names(hand: int, against: int) -> tuple[str, str]:
    """Both hands in words, with their side cards when the words alone would be the same."""
    mine, other = name_of(hand), name_of(against)
    if mine == other:
        return full_name_of(hand), full_name_of(against)
    return mine, other


def _beats(verdict: Verdict, hand: int, against: int) -> str:
    mine, other = _names(hand, against)
    return f"{mine} beats {other}"


def _loses(verdict: Verdict, hand: int, against: int) -> str:
    mine, other = _names(hand, against)
    return f"the bank's {other} beats {mine}"


def _ties(verdict: Verdict, hand: int, against: int) -> str:
    return f"both hands are {full_name_of(hand)}: a push"


def _beats_unqualified(verdict: Verdict, hand: int, against: int) -> str:
    return f"{_beats(verdict, hand, against)}, which does not qualify"


def _holds_unqualified(verdict: Verdict, hand: int, against: int) -> str:
    mine, other = _names(hand, against)
    what = "equals" if hand == against else "beats"
    return f"the bank's {other} does not qualify but {what} {mine}: a push"


def _wins_unqualified(verdict: Verdict, hand: int, against: int) -> str:
    return f"the bank's {name_of(against)} does not qualify: paid whatever the hand"


def _unqualified(verdict: Verdict, hand: int, against: int) -> str:
    return f"the bank's {name_of(against)} does not qualify: the wager goes back"


def _folded(verdict: Verdict, hand: int, against: int) -> str:
    if verdict.wager == PROGRESSIVE:
        return "a folded hand wins no progressive here"
    return "given up by folding"


def _surrendered(verdict: Verdict, hand: int, against: int) -> str:
    return "given up by surrendering the hand unseen"


def _not_won(verdict: Verdict, hand: int, against: int) -> str:
    return f"{name_of(hand)} did not beat the bank's {name_of(against)}, as this table asks"


def _pays(verdict: Verdict, hand: int, against: int) -> str:
    wager = verdict.wager
    if wager == ENVY:
        return f"{CLASS_NAMES[hand]} at seat {against} brings envy of {dollars(verdict.fixed_cents)}"
    odds = verdict.odds.text if verdict.odds is not None else ""
    if wager == SIX_CARD_BONUS:
        return f"{SIX_CARD_NAMES[hand]} with the bank's cards pays {odds}"
    if wager == BAD_BEAT:
        return f"{name_of(hand)} was beaten by {name_of(against)}: pays {odds}"
    if wager == COVER_ALL:
        return f"{CLASS_NAMES[hand]} is the table's highest hand among {against}: pays {odds}"
    if wager in (ANTE_BONUS, PROGRESSIVE):
        return f"{CLASS_NAMES[hand]} pays {odds} whatever the bank holds"
    return f"{name_of(hand)} pays {odds}"


def _misses(verdict: Verdict, hand: int, against: int) -> str:
    wager = verdict.wager
    if wager == SIX_CARD_BONUS:
        return f"{SIX_CARD_NAMES[hand]} with the bank's cards pays nothing"
    if wager == BAD_BEAT:
        return f"{name_of(hand)} against {name_of(against)}: no pair or better was beaten"
    if wager == COVER_ALL:
        return f"{CLASS_NAMES[hand]} is the table's highest hand and pays nothing"
    if wager == PROGRESSIVE:
        return f"{CLASS_NAMES[hand]} pays nothing on the progressive"
    return f"{name_of(hand)} pays nothing"


def _meter(verdict: Verdict, hand: int, against: int) -> str:
    return f"{CLASS_NAMES[hand]} takes the meter of {dollars(verdict.fixed_cents)}"


_SENTENCES: dict[str, Callable[[Verdict, int, int], str]] = {
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
