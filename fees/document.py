"""Parses a fee schedule's document, a JSON object, into typed lines.

    {"clause": "california:fees.s1",
     "ante_min_cents": 500,
     "ante_max_cents": 10000,
     "lines": [
       {"payer": "player", "per": "ante", "fee_cents": 100},
       {"payer": "bank", "per": "total_table_action",
        "lower_cents": 500, "upper_cents": 10000, "fee_cents": 100},
       {"payer": "bank", "per": "total_table_action",
        "lower_cents": 10100, "upper_cents": null, "fee_cents": 200},
       {"payer": "bank", "per": "round", "box": "jackpot", "fee_cents": 100}],
     "waivers": [
       {"key": "short_handed", "title": "Short-handed game", "covers": "all", "most_positions": 3,
        "text": "No fee is collected while three players or fewer have wagers."}]}

All amounts are whole cents; `ante_max_cents` null is "no limit", `upper_cents` or `upper_positions` null is "and up".
Every line may carry a `clause` of its own. A line's payer and `per` determine the charge:

| payer | per | due |
|---|---|---|
| player | ante | for each ante |
| player | position | for each position in play |
| player | wager | for each wager of the kind that `wager` names by its id: beside the ante, or the spot of a filed game |
| player | wager, with `lower_cents` and `upper_cents` | by band of the amount of that wager |
| player | own_ante | by band of the payer's own ante |
| bank | total_table_action | by band of the sum of the antes |
| bank | largest_ante | by band of the largest ante of the round |
| bank | own_ante | for each ante of the round, by its own band |
| bank | positions | by band of the number of positions in play: `lower_positions` and `upper_positions` |
| bank | ante, position | for each ante, or position, of the round: the player-dealer pays for all |
| bank | round | for each round; a line per ante or per position may stand beside it |
| player | half_hour, hour | for each half hour, or hour, by the clock that begins while the player sits there |

A flat line of a round may name a `box`: `jackpot` is collected into a box of its own (4 CCR 12384(a)(2)), beside
what goes into the drop. `waivers`, which may be left out, publishes the rules by which a fee may be waived: each has
a `key`, a `title`, the `text` that patrons read, what it `covers` (`player`: one player's fee at a time; `players`;
`bank`; `all`), where it holds for short-handed games alone at `most_positions` how many positions, and where it lets go
of a part alone at `portion_cents` how much of each fee.

This module checks the form of a document; `fees.rates` checks whether it is legal, and whether its game has the wagers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from games.money import dollars
from games.phrases import Phrase

FLAT = (
    "Collection fees are flat amounts, never a fraction or percentage of wagers or winnings "
    "(Penal Code 337j(f); california:fees.7)."
)
#: What is written under a key that is missing, in the words of the page that drafts a schedule.
_WANTED = {
    "clause": "the source of the figures, such as the document and its page",
    "ante_min_cents": "from what main wager on",
    "fee_cents": "the fee, 0 for none",
    "lower_cents": "from what amount on",
    "lower_positions": "from how many positions on",
    "wager": "the kind of wager",
}
#: Bounds any amount at $100 million, so that sums of a year's rounds stay far inside 64 bits.
MOST_CENTS = 10_000_000_000
#: More positions than any table has.
MOST_POSITIONS = 999


class Problem(NamedTuple):
    """One reason why a schedule is refused. `line` counts the schedule's lines from 1; 0 is its head."""

    line: int
    code: str
    message: str


PLAYER, BANK = "player", "bank"
ANTE, POSITION, WAGER, ROUND = "ante", "position", "wager", "round"
OWN_ANTE, LARGEST_ANTE, TOTAL_TABLE_ACTION = "own_ante", "largest_ante", "total_table_action"
POSITIONS = "positions"
HALF_HOUR, HOUR = "half_hour", "hour"
#: Minutes of each period of time collection.
PERIODS = {HALF_HOUR: 30, HOUR: 60}
#: The boxes for fees: the drop box, or the jackpot's own box.
DROP, JACKPOT = "drop", "jackpot"
BOXES = (DROP, JACKPOT)
#: Whose fees a waiver rule covers; `player` is one player at a time.
PLAYERS, ALL = "players", "all"
COVERS = (PLAYER, PLAYERS, BANK, ALL)
#: The same in words.
WHOSE = {
    PLAYER: Phrase("one player's fee"),
    PLAYERS: Phrase("the players' fees"),
    BANK: Phrase("the player-dealer's fee"),
    ALL: Phrase("all fees of the round"),
}
#: The same of a rule that lets go of a part of each fee.
_PART = {
    PLAYER: Phrase("{portion} of one player's fee"),
    PLAYERS: Phrase("{portion} of each player's fee"),
    BANK: Phrase("{portion} of the player-dealer's fee"),
    ALL: Phrase("{portion} of each fee of the round"),
}
_PEOPLE = {PLAYER: "player", BANK: "player-dealer"}


@dataclass(frozen=True, slots=True)
class RateLine:
    """`payer` pays `fee_cents` for each unit of `per`; `wager` names the kind if the unit is a wager.

    It goes into `box`.
    """

    number: int
    payer: str
    per: str
    wager: str | None
    fee_cents: int
    clause: str | None
    box: str = DROP

    @property
    def due(self) -> str:
        """What the fee is due for, in words: `main wager`, `pair_plus wager`, `half hour`."""
        return f"{self.wager} wager" if self.wager else per_in_words(self.per)

    @property
    def by_time(self) -> bool:
        """Whether the fee is due by time, not by round."""
        return self.per in PERIODS

    @property
    def name(self) -> str:
        """Whose fee it is, and what for: `player fee per main wager`, `player-dealer jackpot collection per round`."""
        what = "jackpot collection" if self.box == JACKPOT else "fee"
        return f"{_PEOPLE[self.payer]} {what} per {self.due}"

    @property
    def place(self) -> str:
        return f"line {self.number}: {self.name}"


@dataclass(frozen=True, slots=True)
class BandLine:
    """`payer` pays `fee_cents` for an amount, or a number of positions, in this band. `upper` None: open above.

    Bounds are in cents, or in positions where the band is of those. `wager` names the kind if the amount is a wager's.
    """

    number: int
    payer: str
    per: str
    lower: int
    upper: int | None
    fee_cents: int
    clause: str | None
    wager: str | None = None

    @property
    def label(self) -> str:
        return band_label(self.lower, self.upper, self.per)

    @property
    def basis(self) -> str:
        """What the band is of, in words: `total table action`, `pair_plus wager`."""
        return f"{self.wager} wager" if self.wager else per_in_words(self.per)

    @property
    def name(self) -> str:
        """Payer, basis and lower bound: `player-dealer band of total table action from $101`."""
        return f"{_PEOPLE[self.payer]} band of {self.basis} from {bound_label(self.lower, self.per)}"

    @property
    def place(self) -> str:
        return f"line {self.number}: {_PEOPLE[self.payer]} band {self.label}"


@dataclass(frozen=True, slots=True)
class WaiverRule:
    """A published rule by which fees of a round may be waived, before the cards or after them (Penal Code 337j(f)).

    `covers` says whose (one of `COVERS`), `text` is what patrons read. It holds with at most `most_positions`
    positions in play; None: with any number. Of each fee it lets go of `portion_cents`, or of less where the fee is
    less; None: of all of it.
    """

    number: int
    key: str
    title: str
    text: str
    covers: str
    most_positions: int | None
    clause: str | None
    portion_cents: int | None = None

    def waived_cents(self, fee_cents: int) -> int:
        """What of a fee of `fee_cents` it lets go."""
        return fee_cents if self.portion_cents is None else min(self.portion_cents, fee_cents)

    @property
    def name(self) -> str:
        return f"waiver {self.key}"

    @property
    def place(self) -> str:
        return f"waiver {self.number} ({self.key})"

    @property
    def whose(self) -> str:
        """Whose fees it covers, in words, and how much of each where it is not all of it."""
        return whose_fees(self.covers, self.portion_cents)


def whose_fees(covers: str, portion_cents: int | None) -> str:
    """Whose fees a waiver covers, in words, and how much of each where it is not all of it."""
    if portion_cents is None:
        return WHOSE[covers]
    return Phrase(_PART[covers].template, portion=dollars(portion_cents))


@dataclass(frozen=True, slots=True)
class Document:
    """A document in proper form. Lines are in the order written and need not be legal."""

    clause: str
    ante_min_cents: int
    ante_max_cents: int | None
    lines: tuple[RateLine | BandLine, ...]
    waivers: tuple[WaiverRule, ...] = ()


def per_in_words(per: str) -> str:
    """What a fee is due per, in words; "ante" is the document's word for main wagers, which few layouts have."""
    return per.replace("_", " ").replace("ante", "main wager")


def band_label(lower: int, upper: int | None, per: str = "") -> str:
    """Return a band as schedules print it: `$5 - $100`, `$101+`; of positions `1`, `2 - 4`, `5+`."""
    if upper is None:
        return f"{bound_label(lower, per)}+"
    if per == POSITIONS and lower == upper:
        return str(lower)
    return f"{bound_label(lower, per)} - {bound_label(upper, per)}"


def bound_label(bound: int, per: str = "") -> str:
    """Return one bound of a band: dollars, or the plain number of positions."""
    return str(bound) if per == POSITIONS else dollars(bound)


def read_document(document: object) -> tuple[Document | None, list[Problem]]:
    """Parse `document`; return it typed, or None and every problem of form, line by line."""
    problems: list[Problem] = []
    if not isinstance(document, Mapping):
        return None, [Problem(0, "wrong_type", "schedule: write an object with clause, limits and lines.")]
    head = _Entry(document, 0, "schedule", problems)
    head.refuse_unknown({"clause", "ante_min_cents", "ante_max_cents", "lines", "waivers"})
    clause = head.text("clause", required=True)
    ante_min_cents = head.cents("ante_min_cents")
    ante_max_cents = head.cents("ante_max_cents", or_null="for no limit")
    lines = _lines(head)
    waivers = _waivers(head)
    if problems:
        return None, problems
    assert clause is not None
    assert ante_min_cents is not None
    return Document(clause, ante_min_cents, ante_max_cents, tuple(lines), tuple(waivers)), []


def _lines(head: _Entry) -> list[RateLine | BandLine]:
    written = head.value("lines")
    if not isinstance(written, list):
        if written is not _MISSING:
            head.problem("wrong_type", "lines is a list of fees; write one object a line.")
        return []
    lines = []
    for number, entry in enumerate(written, start=1):
        if not isinstance(entry, Mapping):
            head.problems.append(
                Problem(
                    number, "wrong_type", f"line {number}: a line is an object with payer, per and fee_cents."
                )
            )
            continue
        line = _line(_Entry(entry, number, f"line {number}", head.problems))
        if line is not None:
            lines.append(line)
    return lines


def _waivers(head: _Entry) -> list[WaiverRule]:
    written = head.entry.get("waivers", [])
    if not isinstance(written, list):
        head.problem("wrong_type", "waivers is a list of rules; write one object a rule, or leave it out.")
        return []
    rules = []
    for number, entry in enumerate(written, start=1):
        if not isinstance(entry, Mapping):
            head.problem(
                "wrong_type", f"waiver {number}: a rule is an object with key, title, text and covers."
            )
            continue
        if (rule := _waiver(_Entry(entry, 0, f"waiver {number}", head.problems), number)) is not None:
            rules.append(rule)
    return rules


def _waiver(entry: _Entry, number: int) -> WaiverRule | None:
    entry.refuse_unknown({"key", "title", "text", "covers", "most_positions", "portion_cents", "clause"})
    key, title, text = (entry.words(name, most) for name, most in _WAIVER_WORDS.items())
    covers, clause = entry.one_of("covers", COVERS), entry.text("clause")
    most = entry.entry.get("most_positions")
    if most is not None and (isinstance(most, bool) or not isinstance(most, int) or most < 1):
        entry.problem(
            "wrong_type", f"most_positions is {most!r}; write how many positions at most, or leave it out."
        )
        return None
    portion_cents = entry.cents("portion_cents") if "portion_cents" in entry.entry else None
    if key is None or title is None or text is None or covers is None:
        return None
    if not _KEY.fullmatch(key):
        entry.problem("bad_key", f"key is {key!r}; write small letters, digits and _ alone: short_handed.")
        return None
    return WaiverRule(number, key, title, text, covers, most, clause, portion_cents)


#: Greatest length of each text of a waiver rule.
_WAIVER_WORDS = {"key": 40, "title": 80, "text": 300}
_KEY = re.compile(r"[a-z][a-z0-9_]*")


def _line(entry: _Entry) -> RateLine | BandLine | None:
    payer, per = entry.value("payer"), entry.value("per")
    if _MISSING in (payer, per):
        return None
    if (payer, per) == (PLAYER, WAGER) and entry.entry.keys() & _BOUNDS[False]:
        return _band_line(entry, payer, per)
    if (payer, per) in RATES:
        return _rate_line(entry, payer, per)
    if (payer, per) in BANDS:
        return _band_line(entry, payer, per)
    if _is_proportional(per):
        entry.problem("proportional", f"per is {per!r}. {FLAT}")
        return None
    known = ", ".join(f"{payer} per {per}" for payer, per in (*RATES, *BANDS))
    if isinstance(per, str) and _AFTER.search(per):
        why = (
            "It is not known before the cards, and a fee depends on what is known before the deal "
            "(Penal Code 337j(f); california:fees.1, california:fees.3). Write"
        )
    else:
        why = "That is no kind of fee that a schedule here can have; write"
    entry.problem("unknown_basis", f"there is no fee of payer {payer!r} per {per!r}. {why} one of {known}.")
    return None


#: Every kind of flat line, by payer and `per`; `BANDS` are the kinds by bands. A fee per wager may be either.
RATES = (
    (PLAYER, ANTE), (PLAYER, POSITION), (PLAYER, WAGER), (BANK, ANTE), (BANK, POSITION), (BANK, ROUND),
    (PLAYER, HALF_HOUR), (PLAYER, HOUR),
)  # fmt: skip
BANDS = (
    (PLAYER, OWN_ANTE), (BANK, TOTAL_TABLE_ACTION), (BANK, LARGEST_ANTE), (BANK, OWN_ANTE), (BANK, POSITIONS),
)  # fmt: skip
#: What a band's bounds are called: of amounts, and of positions.
_BOUNDS = {False: ("lower_cents", "upper_cents"), True: ("lower_positions", "upper_positions")}
#: Words of what a round comes to, which nobody knows before the cards.
_AFTER = re.compile(
    r"win|won|loss|lose|lost|pot|pay|result|outcome|profit|raise|call|fold|decision|\bplay\b", re.IGNORECASE
)


def _rate_line(entry: _Entry, payer: str, per: str) -> RateLine | None:
    known, wager = {"payer", "per", "fee_cents", "clause"}, None
    if per == WAGER:
        known.add("wager")
        wager = _wager(entry)
    if per not in PERIODS:
        known.add("box")
    box = entry.one_of("box", BOXES) if "box" in known & entry.entry.keys() else DROP
    entry.refuse_unknown(known)
    fee_cents, clause = entry.cents("fee_cents"), entry.text("clause")
    if fee_cents is None or box is None or (per == WAGER and wager is None):
        return None
    return RateLine(entry.line, payer, per, wager, fee_cents, clause, box)


def _wager(entry: _Entry) -> str | None:
    wager = entry.value("wager")
    if wager is _MISSING:
        return None
    if isinstance(wager, str) and _KEY.fullmatch(wager):
        return wager
    entry.problem("unknown_wager", f"{wager!r} is no id of a wager; write one, such as pair_plus.")
    return None


def _band_line(entry: _Entry, payer: str, per: str) -> BandLine | None:
    counted = per == POSITIONS
    lower_key, upper_key = _BOUNDS[counted]
    known, wager = {"payer", "per", lower_key, upper_key, "fee_cents", "clause"}, None
    if per == WAGER:
        known.add("wager")
        wager = _wager(entry)
    if counted and (typed := [key for key in _BOUNDS[False] if key in entry.entry]):
        entry.problem(
            "unknown_key",
            f"{' and '.join(typed)}: a band of positions is of numbers, not of cents; write {lower_key} (1) and "
            f"{upper_key} (4, or null for an open band).",
        )
        return None
    entry.refuse_unknown(known)
    bound = entry.count if counted else entry.cents
    lower, upper = bound(lower_key), bound(upper_key, or_null="for an open band")
    fee_cents, clause = entry.cents("fee_cents"), entry.text("clause")
    if lower is None or fee_cents is None or (per == WAGER and wager is None):
        return None
    return BandLine(entry.line, payer, per, lower, upper, fee_cents, clause, wager)


_MISSING: Any = object()
_PROPORTIONAL = re.compile(r"%|percent|pct|ratio|fraction|proportion|share|basis_?point|bps", re.IGNORECASE)
_FRACTION = re.compile(r"\d\s*/\s*\d")


class _Entry:
    """One object of the document, and the problems found while its keys are read."""

    def __init__(self, entry: Mapping[Any, Any], line: int, place: str, problems: list[Problem]) -> None:
        self.entry = entry
        self.line = line
        self.place = place
        self.problems = problems

    def problem(self, code: str, message: str) -> None:
        self.problems.append(Problem(self.line, code, f"{self.place}: {message}"))

    def refuse_unknown(self, known: set[str]) -> None:
        """Refuse keys that are not `known`; for one that looks like a percentage the message says why."""
        for key in self.entry:
            if key in known:
                continue
            value = self.entry[key]
            if _is_proportional(key) or _is_proportional(value) or isinstance(value, float):
                self.problem("proportional", f"{key!r} charges a proportion. {FLAT} Write fee_cents.")
            else:
                self.problem(
                    "unknown_key", f"there is no {key!r} here; known are {', '.join(sorted(known))}."
                )

    def value(self, key: str) -> Any:
        if key not in self.entry:
            says = f": write {_WANTED[key]}" if key in _WANTED else ""
            self.problem("missing_key", f"{key} is missing{says}.")
            return _MISSING
        return self.entry[key]

    def text(self, key: str, *, required: bool = False) -> str | None:
        if not required and key not in self.entry:
            return None
        value = self.value(key)
        if value is _MISSING:
            return None
        if not isinstance(value, str) or not value.strip():
            self.problem("wrong_type", f"{key} names the source of the figures; write it as text.")
            return None
        return value

    def words(self, key: str, most: int) -> str | None:
        """Return a text of 1 to `most` characters; None when it is refused."""
        value = self.value(key)
        if value is _MISSING:
            return None
        if not isinstance(value, str) or not value.strip() or len(value) > most:
            self.problem("wrong_type", f"{key} is a text of 1 to {most} characters.")
            return None
        return value

    def one_of(self, key: str, known: tuple[str, ...]) -> str | None:
        """Return one of the `known` words; None when it is refused."""
        value = self.value(key)
        if value is _MISSING:
            return None
        if isinstance(value, str) and value in known:
            return value
        self.problem("unknown_word", f"{key} is {value!r}; write one of {', '.join(known)}.")
        return None

    def count(self, key: str, *, or_null: str | None = None) -> int | None:
        """Return a number of positions; None when it is null and may be, or when it is refused."""
        value = self.value(key)
        if value is _MISSING or (value is None and or_null is not None):
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= MOST_POSITIONS:
            null = f", or null {or_null}" if or_null else ""
            self.problem(
                "wrong_type",
                f"{key} is {value!r}; write a number of positions from 1 to {MOST_POSITIONS}{null}.",
            )
            return None
        return value

    def cents(self, key: str, *, or_null: str | None = None) -> int | None:
        """Return a whole number of cents; None when it is null and may be, or when it is refused."""
        value = self.value(key)
        if value is _MISSING or (value is None and or_null is not None):
            return None
        if _is_proportional(value):
            self.problem("proportional", f"{key} is {value!r}. {FLAT} Write the amount in cents.")
        elif isinstance(value, float) or (isinstance(value, str) and _FRACTION.search(value)):
            self.problem("fraction", f"{key} is {value!r}, no whole number of cents. {FLAT}")
        elif isinstance(value, bool) or not isinstance(value, int):
            null = f", or null {or_null}" if or_null else ""
            self.problem(
                "wrong_type", f"{key} is {value!r}; write a whole number of cents (100 for $1){null}."
            )
        elif abs(value) > MOST_CENTS:
            self.problem(
                "too_large", f"{key} is above {dollars(MOST_CENTS)}: check that it is written in cents."
            )
        else:
            return value
        return None


def _is_proportional(value: object) -> bool:
    return isinstance(value, str) and _PROPORTIONAL.search(value) is not None
