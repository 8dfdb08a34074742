"""Rulebooks: one TOML file a jurisdiction, read strictly into frozen values.

Behaviour differs between rulebooks by named switches of the data alone; nothing asks for a rulebook's name.
"""

from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from games.collection import FeeSchedule, read_schedules
from games.datafile import Entry, read_data_file
from games.three_card_poker.hands import CLASS_IDS
from games.three_card_poker.paytables import Paytable, read_paytable, read_six_card_paytable
from games.three_card_poker.published import Published, read_published
from games.three_card_poker.wagers import PLACED_BEFORE_DEAL, TIP_SPOTS, WAGER_IDS

RULEBOOKS: tuple[str, ...] = (
    "california",
    "designated_player",
    "massachusetts",
    "south_dakota",
    "shuffle_master",
)
"""Ids of all rulebooks; `load_rulebook` takes one."""

SEAT_ORDERS = ("clockwise_from_action", "clockwise_from_first", "counterclockwise_from_last")
NEEDS = ("nothing", "ante", "ante_or_pair_plus")
DECISIONS = ("play", "fold", "surrender")
OPTIONS = (
    "coverage", "forfeits", "tips", "fee_schedule", "house_rake", "pair_plus_requires_win", "pair_plus_on_fold",
    "pair_plus_table", "six_card_bonus_table", "version", "ante_bonus_table", "designator", "progressive_table",
    "progressive_on_fold",
)  # fmt: skip

_FOLDER = Path(__file__).parent / "rulebooks"


class Document(Struct, frozen=True):
    """Where a rulebook comes from.

    `in_force_from` is the date the document prints, or with `date_printed` false the month it was read in.
    """

    title: str
    authority: str
    jurisdiction: str
    in_force_from: date
    date_printed: bool


class WagerRule(Struct, frozen=True):
    """One wager on offer: its name on this layout, the clause that offers it, the wagers that it requires."""

    id: str
    name: str
    clause: str
    needs: str


class OptionRule(Struct, frozen=True):
    """One choice of the room: the values it may take and its default (the first, or None where null may be).

    `own_table` lets a room give a paytable of its own, never below the printed one with `floor`;
    `modes` says that the values are modes of a flat rake, given with its cents.
    """

    name: str
    values: tuple[Any, ...]
    may_be_null: bool = False
    own_table: bool = False
    floor: bool = False
    modes: bool = False

    @property
    def default(self) -> Any:
        return None if self.may_be_null else self.values[0]


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
    """The meter's seed, and what envy pays each other bettor in cents by class of the hand that hits.

    `hit_needs_progressive`: a hand brings envy only when it carries a progressive wager itself.
    """

    meter_seed_cents: int
    meter_clause: str
    envy_clause: str
    envy_cents: tuple[int, ...]
    hit_needs_progressive: bool


class VoidReason(Struct, frozen=True):
    """A reason to void a round: its id, its words for the floor, its clause."""

    id: str
    name: str
    clause: str


class Rulebook(Struct, frozen=True, eq=False):
    """One jurisdiction's rules. Tables are by id in the order of the file, the first being the default.

    `placed` are the wagers `offered` that a sheet may give. `needs` lists, for each, the wagers that it requires.
    `forfeited` are the wagers that a decision gives up, by decision: none where there is nothing to decide (None).
    `default_options` holds the rulebook's own choice for every option it has. `clauses` names the clause of each outcome
    as the document numbers it, `full_clauses` with the rulebook before it.
    """

    id: str
    name: str
    document: Document
    banked_by: str
    seats: int
    rotation: str | None
    decisions: tuple[str, ...]
    max_positions: int
    positions_adjacent: bool
    seat_order: str
    line_order: tuple[str, ...]
    after_all_seats: tuple[str, ...]
    after_all_seats_order: str
    unqualified_ante: str
    unqualified_play: str
    coverage: str
    forfeited: Mapping[str | None, frozenset[str]]
    wagers: Mapping[str, WagerRule]
    offered: frozenset[str]
    placed: frozenset[str]
    needs: Mapping[str, str]
    tip_spots: frozenset[str]
    tip_clause: str
    options: Mapping[str, OptionRule]
    default_options: MappingProxyType[str, Any]
    pair_plus_tables: Mapping[str, Paytable]
    six_card_bonus_tables: Mapping[str, Paytable]
    ante_bonus_tables: Mapping[str, Paytable]
    bad_beat_table: Paytable | None
    cover_all_tables: Mapping[str, Paytable]
    progressive_tables: Mapping[str, Paytable]
    progressive: ProgressiveRule | None
    versions: Mapping[str, Version]
    designators: Mapping[str, Designator]
    fee_schedules: tuple[FeeSchedule, ...]
    clauses: Mapping[str, Mapping[str, str]]
    full_clauses: Mapping[str, Mapping[str, str]]
    void_reasons: tuple[VoidReason, ...]
    published: tuple[Published, ...]

    @property
    def player_banked(self) -> bool:
        """Whether a player holds the bank; else the house does."""
        return self.banked_by == "player"

    def fee_schedule(self, number: int) -> FeeSchedule:
        """The schedule option of that number; KeyError when the document has none."""
        for schedule in self.fee_schedules:
            if schedule.number == number:
                return schedule
        raise KeyError(f"{self.id} has no fee schedule {number}")

    def clause_id(self, clause: str) -> str:
        """A clause with its rulebook, in the form of `clause_id`."""
        return clause_id(self.id, clause)


@cache
def load_rulebook(rulebook_id: str) -> Rulebook:
    """The rulebook of that id; KeyError when there is none, DataFileError when its file is invalid."""
    if rulebook_id not in RULEBOOKS:
        raise KeyError(f"{rulebook_id!r} is no rulebook; there are {', '.join(RULEBOOKS)}")
    return read_rulebook(_FOLDER / f"{rulebook_id}.toml")


def read_rulebook(path: Path) -> Rulebook:
    """A rulebook from a file; DataFileError names the file and the key of the first fault."""
    entry = read_data_file(path)
    order, bank, fold, positions = (entry.table(key) for key in ("order", "bank", "fold", "positions"))
    tips = entry.table("tips")
    rulebook_id = entry.text("id")
    if rulebook_id != path.stem:
        raise entry.error("id", f"is {rulebook_id!r} in the file of {path.stem!r}")
    banked_by = entry.one_of("banked_by", ("player", "house"))
    decisions = entry.texts("decisions", DECISIONS)
    options = _read_options(entry.table("options"), rulebook_id)
    versions = _read_versions(entry.table("versions")) if "version" in options else {}
    wagers = _read_wagers(entry.table("wagers"))
    coverage = "house"
    if banked_by == "player":
        coverage = "option" if "coverage" in options else bank.one_of("coverage", ("gross", "net", "funds"))
    clauses = _read_clauses(entry.table("clauses"))
    rulebook = Rulebook(
        id=rulebook_id,
        name=entry.text("name"),
        document=_read_document(entry.table("document")),
        banked_by=banked_by,
        seats=entry.number("seats", least=1),
        rotation=entry.text("rotation") if banked_by == "player" else None,
        decisions=decisions,
        max_positions=positions.number("most_per_player", least=1),
        positions_adjacent=positions.flag("adjacent"),
        seat_order=order.one_of("seats", SEAT_ORDERS),
        line_order=order.texts("lines", WAGER_IDS),
        after_all_seats=order.texts("after_all_seats", ("progressive", "envy", "cover_all")),
        after_all_seats_order=order.one_of("after_all_seats_order", SEAT_ORDERS),
        unqualified_ante=bank.one_of("unqualified_ante", ("compared", "wins")),
        unqualified_play=bank.one_of("unqualified_play", ("no_action", "push")),
        coverage=coverage,
        forfeited=_read_forfeited(fold, decisions),
        wagers=wagers,
        offered=frozenset(wagers),
        placed=PLACED_BEFORE_DEAL.intersection(wagers),
        needs={wager: rule.needs for wager, rule in wagers.items()},
        tip_spots=frozenset(tips.texts("spots", tuple(TIP_SPOTS))),
        tip_clause=tips.text("clause"),
        options=options,
        default_options=_default_options(options, versions),
        pair_plus_tables=_by_id([read_paytable(table) for table in entry.tables("pair_plus_tables")]),
        six_card_bonus_tables=_by_id(
            [read_six_card_paytable(table) for table in entry.tables("six_card_bonus_tables")]
        ),
        ante_bonus_tables=_by_id([read_paytable(table) for table in entry.tables("ante_bonus_tables")]),
        bad_beat_table=read_paytable(entry.table("bad_beat_table")) if entry.has("bad_beat_table") else None,
        cover_all_tables=_by_id([read_paytable(table) for table in entry.tables("cover_all_tables")]),
        progressive_tables=_by_id([read_paytable(table) for table in entry.tables("progressive_tables")]),
        progressive=_read_progressive(entry.table("progressive")) if entry.has("progressive") else None,
        versions=versions,
        designators=_read_designators(entry.table("designators"))
        if "designator" in options
        else MappingProxyType({}),
        fee_schedules=read_schedules(entry.table("collection")) if entry.has("collection") else (),
        clauses=clauses,
        full_clauses={
            what: {cause: clause_id(rulebook_id, clause) for cause, clause in causes.items()}
            for what, causes in clauses.items()
        },
        void_reasons=tuple(_read_void_reason(table) for table in entry.tables("void_reasons")),
        published=tuple(read_published(table) for table in entry.tables("published")),
    )
    for part in (order, bank, fold, positions, tips, entry):
        part.done()
    _check_clauses(rulebook, entry)
    return rulebook


def clause_id(rulebook_id: str, clause: str) -> str:
    """A clause with its rulebook, `california:winners.2.a`; readings of our own stay `ruling N`."""
    return clause if clause.startswith("ruling ") else f"{rulebook_id}:{clause}"


def _check_clauses(rulebook: Rulebook, entry: Entry) -> None:
    """Refuse a file in which an outcome that the engine can come to has no clause."""
    compared = rulebook.unqualified_ante == "compared"
    causes: dict[str, tuple[str, ...]] = {
        "ante": (
            "beats", "loses", "ties", *(("beats_unqualified", "holds_unqualified") if compared else ("wins_unqualified",)),
        ),
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


def _check_causes(rulebook: Rulebook, entry: Entry, what: str, causes: tuple[str, ...]) -> None:
    for cause in causes:
        if cause not in rulebook.clauses.get(what, {}):
            raise entry.error(f"clauses.{what}.{cause}", "is missing")


def _by_id(tables: list[Paytable]) -> Mapping[str, Paytable]:
    return MappingProxyType({table.id: table for table in tables})


def _read_document(entry: Entry) -> Document:
    document = Document(
        title=entry.text("title"),
        authority=entry.text("authority"),
        jurisdiction=entry.text("jurisdiction"),
        in_force_from=entry.day("in_force_from"),
        date_printed=entry.flag("date_printed"),
    )
    entry.done()
    return document


def _read_wagers(entry: Entry) -> Mapping[str, WagerRule]:
    wagers = {}
    for wager in entry.names():
        if wager not in WAGER_IDS:
            raise entry.error(wager, f"is no wager; there are {', '.join(WAGER_IDS)}")
        table = entry.table(wager)
        wagers[wager] = WagerRule(
            wager, table.text("name"), table.text("clause"), table.one_of("needs", NEEDS)
        )
        table.done()
    return MappingProxyType(wagers)


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


def _read_options(entry: Entry, rulebook_id: str) -> Mapping[str, OptionRule]:
    options = {}
    for name in entry.names():
        if name not in OPTIONS:
            raise entry.error(name, f"is no option; there are {', '.join(OPTIONS)}")
        table = entry.table(name)
        own_table = table.flag("own_table") if table.has("own_table") else False
        modes = table.has("modes")
        options[name] = OptionRule(
            name=name,
            values=(rulebook_id,) if own_table else table.values("modes" if modes else "values"),
            may_be_null=table.flag("may_be_null") if table.has("may_be_null") else False,
            own_table=own_table,
            floor=table.flag("floor") if table.has("floor") else False,
            modes=modes,
        )
        table.done()
    return MappingProxyType(options)


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


def _read_progressive(entry: Entry) -> ProgressiveRule:
    amounts = entry.table("envy_cents")
    rule = ProgressiveRule(
        meter_seed_cents=entry.number("meter_seed_cents", least=1),
        meter_clause=entry.text("meter_clause"),
        envy_clause=entry.text("envy_clause"),
        envy_cents=tuple(amounts.number(name, least=1) if amounts.has(name) else 0 for name in CLASS_IDS),
        hit_needs_progressive=entry.flag("envy_hit_needs_progressive"),
    )
    amounts.done()
    entry.done()
    return rule


def _read_clauses(entry: Entry) -> Mapping[str, Mapping[str, str]]:
    clauses = {}
    for what in entry.names():
        table = entry.table(what)
        clauses[what] = MappingProxyType({cause: table.text(cause) for cause in table.names()})
    return MappingProxyType(clauses)


def _read_void_reason(entry: Entry) -> VoidReason:
    reason = VoidReason(entry.text("id"), entry.text("name"), entry.text("clause"))
    entry.done()
    return reason
