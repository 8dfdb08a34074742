"""Sentences with their clause, names in a row, and formatting of odds and numbers in words."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from games.money import Odds
from games.phrases import Phrase

_NUMBERS = (
    Phrase("no"), Phrase("one"), Phrase("two"), Phrase("three"), Phrase("four"), Phrase("five"), Phrase("six"),
    Phrase("seven"), Phrase("eight"), Phrase("nine"), Phrase("ten"),
)  # fmt: skip


class Notice(NamedTuple):
    """One sentence of the rules in our own words, and its full clause id or `ruling N`."""

    text: str
    clause: str


def format_odds(odds: Odds) -> str:
    """Odds as a placard prints them: `40 to 1`, `70 for 1`, `100% of the meter`; `1 to 1` is even money."""
    if odds.meter or odds.for_one:
        return odds.text
    return f"{odds.num:,} to {odds.den}"


def format_number(number: int) -> str:
    """A small number as a word, a larger one in figures."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def back_line_notice(most: int, clause: str) -> Iterator[Notice]:
    """That up to `most` further bettors may wager on a player's spot; nothing where there may be none."""
    if most:
        bettors = "bettor" if most == 1 else "bettors"
        text = f"Up to {format_number(most)} back-line {bettors} may wager on a player's spot, each with wagers and a fee of their own."
        yield Notice(text, clause)


def listed(names: Iterable[str]) -> str:
    """Names in a row: `ante`, `ante and play`, `ante, play and pair plus`."""
    row: Sequence[str] = tuple(names)
    return row[0] if len(row) == 1 else Phrase("{names} and {last}", names=in_a_row(row[:-1]), last=row[-1])


def in_order(names: Iterable[str]) -> str:
    """Names in an order: `ante`, `ante, then play`, `ante, play, then pair plus`."""
    row: Sequence[str] = tuple(names)
    return row[0] if len(row) == 1 else Phrase("{names}, then {last}", names=in_a_row(row[:-1]), last=row[-1])


def in_a_row(names: Iterable[str]) -> str:
    """Names with commas between them; a phrase, where one of them is."""
    text, *others = names
    for name in others:
        text = Phrase("{names}, {next}", names=text, next=name)
    return text


def sentence(text: str) -> str:
    """The text with a capital at its beginning and a full stop at its end."""
    return f"{text[:1].upper()}{text[1:]}."
