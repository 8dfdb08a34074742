"""Rulebooks of Three Card Poker: what the game adds to a rulebook of any game (`games.rulebook`).

Behaviour differs between rulebooks by named switches of the data alone; nothing asks for a rulebook's name.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from games.approval import Approval
from games.datafile import Entry, load_data_file
from games.paytables import Paytable
from games.procedures.rules import ProcedureRules, read_procedure_rules
from games.rulebook import OptionRule, OwnLine, PrintedMeter, Rulebook, Vocabulary, read_common
from games.settlement_order import SEAT_ORDERS
from games.three_card_poker.hands import CLASS_IDS, HAND_NAMES, QUALIFYING
from games.three_card_poker.paytables import OWN_LINES, read_six_card_paytable, read_three_card_paytable
from games.three_card_poker.wagers import MAIN, PLACED_BEFORE_DEAL, TIP_SPOTS, WAGER_IDS

GAME_ID = "three_card_poker"

RULEBOOKS: tuple[str, ...] = (
    "california",
    "designated_player",
    "massachusetts",
    "south_dakota",
    "shuffle_master",
)
"""Ids of the game's rulebooks; `load_rulebook` takes one."""

#: What ante and play do against a bank that does not qualify: they are compared, paid, or go back.
UNQUALIFIED_ANTE = (COMPARED, PAID, PUSH) = ("compared", "paid", "push")
UNQUALIFIED_PLAY = (COMPARED, PAID, PUSH, NO_ACTION) = (*UNQUALIFIED_ANTE, "no_action")
NEEDS = ("nothing", "ante", "ante_or_pair_plus")
DECISIONS = ("play", "fold", "surrender")
OPTIONS = (
    "coverage", "forfeits", "tips", "fee_schedule", "house_rake", "pair_plus_requires_win", "pair_plus_on_fold",
    "pair_plus_table", "six_card_bonus_table", "version", "ante_bonus_table", "designator", "progressive_table",
    "progressive_on_fold", "settling", "meter_wins",
)  # fmt: skip

_OWN_LINES = tuple(OwnLine(hand, HAND_NAMES[hand], hand in OWN_LINES) for hand in (*OWN_LINES, "mini_royal"))
_WORDS = Vocabulary(WAGER_IDS, PLACED_BEFORE_DEAL, MAIN, TIP_SPOTS, NEEDS, OPTIONS, _OWN_LINES)
_FOLDER = Path(__file__).parent / "rulebooks"
_PROCEDURES = Path(__file__).parent / "procedures"


class Version(Struct, frozen=True):
    """A version of the game that ties pair plus to the ante (massachusetts 6(f)).

    `compulsory` wagers must all stand; one wager may be at most so many times the other.
    """

    clause: str
    ante_bonus_tables: tuple[str, ...]
    compulsory: tuple[str, ...] = ()
    pair_plus_needs: str = "nothing"
    most_pair_plus_per_ante: int | None = None
    most_ante_per_pair_plus: int | None = None


class Designator(Struct, frozen=True):
    """A printed pairing of an ante bonus table with a pair plus table."""

    clause: str
    ante_bonus: str
    pair_plus: str


class ProgressiveRule(Struct, frozen=True):
    """What envy pays each other bettor of the progressive, in cents by class of the hand that hits.

    `hit_needs_progressive`: a hand brings envy only when it carries a progressive wager itself.
    """

    envy_clause: str
    envy_cents: tuple[int, ...]
    hit_needs_progressive: bool


class ThreeCardRulebook(Rulebook, frozen=True, eq=False):
    """One jurisdiction's rules of Three Card Poker. Tables are by id in the order of the file, the first being the default.

    `forfeited` are the wagers that a decision gives up, by decision: none where there is nothing to decide (None).
    `qualifies` is the least hand with which the bank qualifies (`games.three_card_poker.hands.QUALIFYING`).
    """

    decisions: tuple[str, ...]
    line_order: tuple[str, ...]
    after_all_seats: tuple[str, ...]
    after_all_seats_order: str
    qualifies: str
    unqualified_ante: str
    unqualified_play: str
    forfeited: Mapping[str | None, frozenset[str]]
    pair_plus_tables: Mapping[str, Paytable]
    six_card_bonus_tables: Mapping[str, Paytable]
    ante_bonus_tables: Mapping[str, Paytable]
    bad_beat_table: Paytable | None
    cover_all_tables: Mapping[str, Paytable]
    progressive_tables: Mapping[str, Paytable]
    progressive: ProgressiveRule | None
    versions: Mapping[str, Version]
    designators: Mapping[str, Designator]

    @property
    def payout_columns(self) -> tuple[int, ...]:
        return tuple(sorted(map(int, self.cover_all_tables)))


@cache
def load_rulebook(rulebook_id: str) -> ThreeCardRulebook:
    """The rulebook of that id; KeyError when there is none, DataFileError when its file is invalid."""
    if rulebook_id not in RULEBOOKS:
        raise KeyError(f"{rulebook_id!r} is no rulebook; there are {', '.join(RULEBOOKS)}")
    return read_rulebook(_FOLDER / f"{rulebook_id}.toml")


def base_data(rulebook_id: str) -> dict[str, Any]:
    """The data of a rulebook's file, for an approval to be put into; KeyError when there is none."""
    if rulebook_id not in RULEBOOKS:
        raise KeyError(f"{rulebook_id!r} is no rulebook; there are {', '.join(RULEBOOKS)}")
    return load_data_file(_FOLDER / f"{rulebook_id}.toml")


@lru_cache(maxsize=512)
def procedure_rules_of(rulebook: Rulebook) -> ProcedureRules:
    """The procedure rules of a rulebook; DataFileError when their file is invalid."""
    return read_procedure_rules(_PROCEDURES / f"{rulebook.id}.toml", rulebook)


def read_rulebook(path: Path) -> ThreeCardRulebook:
    """A rulebook from a file; DataFileError names the file and the key of the first fault."""
    return rulebook_of(load_data_file(path), path.name)


def rulebook_of(data: Mapping[str, Any], file: str, approval: Approval | None = None) -> ThreeCardRulebook:
    """A rulebook from the data of `file`, with an `approval` put in or without; DataFileError as `read_rulebook`."""
    entry = Entry(data, file)
    order, bank, fold = (entry.table(key) for key in ("order", "bank", "fold"))
    common = read_common(
        entry,
        order,
        bank,
        game=GAME_ID,
        words=_WORDS,
        file_stem=file.removesuffix(".toml"),
        approval=approval,
    )
    options = dict(common.pop("options"))
    decisions = entry.texts("decisions", DECISIONS)
    versions = _read_versions(entry.table("versions")) if "version" in options else {}
    if versions and "ante_bonus_table" in options:
        options["ante_bonus_table"] = replace(options["ante_bonus_table"], follows="version")
    meter, progressive = None, None
    if entry.has("progressive"):
        meter, progressive = _read_progressive(entry.table("progressive"))
    rulebook = ThreeCardRulebook(
        **common,
        options=MappingProxyType(options),
        default_options=_default_options(options, versions),
        meter=meter,
        decisions=decisions,
        line_order=order.texts("lines", WAGER_IDS),
        after_all_seats=order.texts("after_all_seats", ("progressive", "envy", "cover_all")),
        after_all_seats_order=order.one_of("after_all_seats_order", SEAT_ORDERS),
        qualifies=bank.one_of("qualifies", tuple(QUALIFYING)),
        unqualified_ante=bank.one_of("unqualified_ante", UNQUALIFIED_ANTE),
        unqualified_play=bank.one_of("unqualified_play", UNQUALIFIED_PLAY),
        forfeited=_read_forfeited(fold, decisions),
        pair_plus_tables=_by_id(
            [read_three_card_paytable(table) for table in entry.tables("pair_plus_tables")]
        ),
        six_card_bonus_tables=_by_id(
            [read_six_card_paytable(table) for table in entry.tables("six_card_bonus_tables")]
        ),
        ante_bonus_tables=_by_id(
            [read_three_card_paytable(table) for table in entry.tables("ante_bonus_tables")]
        ),
        bad_beat_table=read_three_card_paytable(entry.table("bad_beat_table"))
        if entry.has("bad_beat_table")
        else None,
        cover_all_tables=_by_id(
            [read_three_card_paytable(table) for table in entry.tables("cover_all_tables")]
        ),
        progressive_tables=_by_id(
            [read_three_card_paytable(table) for table in entry.tables("progressive_tables")]
        ),
        progressive=progressive,
        versions=versions,
        designators=_read_designators(entry.table("designators"))
        if "designator" in options
        else MappingProxyType({}),
    )
    for part in (order, bank, fold, entry):
        part.done()
    _check_clauses(rulebook, entry)
    return rulebook


#: The outcomes of an ante against a bank that does not qualify.
_UNQUALIFIED_CAUSES = {
    COMPARED: ("beats_unqualified", "holds_unqualified"),
    PAID: ("wins_unqualified",),
    PUSH: ("holds_unqualified",),
}


def _check_clauses(rulebook: ThreeCardRulebook, entry: Entry) -> None:
    """Refuse a file in which an outcome that the engine can come to has no clause."""
    causes: dict[str, tuple[str, ...]] = {
        "ante": ("beats", "loses", "ties", *_UNQUALIFIED_CAUSES[rulebook.unqualified_ante]),
        "play": ("beats", "loses", "ties", "unqualified"),
        "pair_plus": ("pays", "misses", *(("not_won",) if "pair_plus_requires_win" in rulebook.options else ())),
        "progressive": (
            "pays", "meter", "misses", *(("folded",) if "progressive_on_fold" in rulebook.options else ()),
        ),
        "envy": ("pays",),
        "ante_bonus": ("pays",),
    }  # fmt: skip
    for wager in {*rulebook.wagers, *rulebook.line_order, *rulebook.after_all_seats}:
        needed = causes.get(wager, ("pays", "misses"))
        needed += ("folded",) if wager in rulebook.forfeited["fold"] else ()
        needed += ("surrendered",) if wager in rulebook.forfeited["surrender"] else ()
        _check_causes(rulebook, entry, wager, needed)
    bank = {"house": (), "funds": ("uncovered",)}.get(rulebook.coverage, ("uncovered", "short", "capped"))
    _check_causes(rulebook, entry, "bank", bank)


def _check_causes(rulebook: ThreeCardRulebook, entry: Entry, what: str, causes: tuple[str, ...]) -> None:
    for cause in causes:
        if cause not in rulebook.clauses.get(what, {}):
            raise entry.error(f"clauses.{what}.{cause}", "is missing")


def _by_id(tables: list[Paytable]) -> Mapping[str, Paytable]:
    return MappingProxyType({table.id: table for table in tables})


def _read_forfeited(entry: Entry, decisions: tuple[str, ...]) -> Mapping[str | None, frozenset[str]]:
    surrendered = entry.texts("surrender_forfeits", WAGER_IDS) if "surrender" in decisions else ()
    return MappingProxyType(
        {
            None: frozenset(),
            "play": frozenset(),
            "fold": frozenset(entry.texts("forfeits", WAGER_IDS)),
            "surrender": frozenset(surrendered),
        }
    )


def _default_options(
    options: Mapping[str, OptionRule], versions: Mapping[str, Version]
) -> MappingProxyType[str, Any]:
    """The default of every option; a version has an ante bonus table of its own."""
    defaults = {name: rule.default for name, rule in options.items()}
    if versions and "ante_bonus_table" in defaults:
        defaults["ante_bonus_table"] = versions[defaults["version"]].ante_bonus_tables[0]
    return MappingProxyType(defaults)


def _read_versions(entry: Entry) -> Mapping[str, Version]:
    versions = {}
    for name in entry.names():
        table = entry.table(name)
        versions[name] = Version(
            clause=table.text("clause"),
            ante_bonus_tables=table.texts("ante_bonus_tables"),
            compulsory=table.texts("compulsory", WAGER_IDS) if table.has("compulsory") else (),
            pair_plus_needs=table.one_of("pair_plus_needs", NEEDS),
            most_pair_plus_per_ante=table.number("most_pair_plus_per_ante", least=1)
            if table.has("most_pair_plus_per_ante")
            else None,
            most_ante_per_pair_plus=table.number("most_ante_per_pair_plus", least=1)
            if table.has("most_ante_per_pair_plus")
            else None,
        )
        table.done()
    return MappingProxyType(versions)


def _read_designators(entry: Entry) -> Mapping[str, Designator]:
    designators = {}
    for name in entry.names():
        table = entry.table(name)
        designators[name] = Designator(
            table.text("clause"), table.text("ante_bonus"), table.text("pair_plus")
        )
        table.done()
    return MappingProxyType(designators)


def _read_progressive(entry: Entry) -> tuple[PrintedMeter, ProgressiveRule]:
    amounts = entry.table("envy_cents")
    meter = PrintedMeter(entry.number("meter_seed_cents", least=1), entry.text("meter_clause"))
    rule = ProgressiveRule(
        envy_clause=entry.text("envy_clause"),
        envy_cents=tuple(amounts.number(name, least=1) if amounts.has(name) else 0 for name in CLASS_IDS),
        hit_needs_progressive=entry.flag("envy_hit_needs_progressive"),
    )
    amounts.done()
    entry.done()
    return meter, rule
