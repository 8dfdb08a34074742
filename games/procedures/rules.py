"""A rulebook's procedures besides the money: decks, dealing, counts, and the consequences of irregularities.

One dated TOML file a rulebook, in the folder `procedures` of its game, read strictly. The decisions are pure and made in
the other modules of this package; the floor calls them and stores the results.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from games.datafile import Entry, load_data_file
from games.rulebook import Rulebook

ROUND_STANDS, ROUND_VOID = ROUND_FATES = ("stands", "void")
IN_PLAY, SET_ASIDE, RESHUFFLE, RETIRE_DECK = CARD_FATES = ("in_play", "set_aside", "reshuffle", "retire_deck")
CALLS = ("no_more_bets", "fee_drop", "bank_card")
INSPECTORS = ("dealer", "floor", "first_player")


class Objection(NamedTuple):
    """Why something may not be done now: a sentence for the floor that says what to do, and the clause."""

    reason: str
    clause: str


class Consequence(NamedTuple):
    """The consequence of an event at the table.

    `round` is `stands` or `void`; of a void round every stake goes back (ruling 44) for the rulebook's reason
    `void_reason`. `cards` are `in_play`, `set_aside` (the card alone), `reshuffle` or `retire_deck`.
    """

    round: str
    cards: str
    void_reason: str | None
    reason: str
    clause: str


@dataclass(frozen=True, slots=True)
class DeckRule:
    """How many decks a table has, whether their backs differ and whether they take turns; clauses by topic."""

    least: int
    most: int
    most_without_shuffler: int
    colours_differ: bool
    alternate: bool
    clauses: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class InspectionRule:
    """Who inspects a deck before it is used, and who again after the table was idle.

    `pre_shuffled_clause` is set where a deck that came pre-shuffled is handled by other rules instead.
    """

    by: tuple[str, ...]
    clause: str
    pre_shuffled_clause: str | None
    after_idle: str | None
    after_idle_clause: str | None


@dataclass(frozen=True, slots=True)
class DealingMethod:
    """A way of dealing; `device` says that it is a machine on the table."""

    id: str
    name: str
    clause: str
    needs_shuffler: bool
    device: bool


@dataclass(frozen=True, slots=True)
class StubRule:
    """When the stub is counted, and the clauses of the consequences; `every_rounds` None: no count falls due.

    `methods` gives the clause by way of dealing.
    """

    every_rounds: int | None
    methods: Mapping[str, str]
    clauses: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Irregularity:
    """The consequence of an irregularity that happened `at_least` so many times in a round."""

    id: str
    name: str
    at_least: int
    consequence: Consequence


@dataclass(frozen=True, slots=True, eq=False)
class ProcedureRules:
    """One rulebook's procedure rules, in force from the date that it prints, if any. Clauses are full ids.

    `shuffler_clause` is the clause that asks for an automatic shuffler, None where the document asks for none.
    `calls` gives the clause of what the house dealer calls out, drops or turns up in every round: `no_more_bets`,
    `fee_drop` and `bank_card`, as far as the rules ask for it.
    """

    rulebook: str
    in_force_from: date | None
    decks: DeckRule
    inspection: InspectionRule
    recut_clause: str
    order_clause: str
    shuffler_clause: str | None
    removal_clause: str | None
    calls: Mapping[str, str]
    methods: Mapping[str, DealingMethod]
    stub: StubRule
    irregularities: tuple[Irregularity, ...]


def read_procedure_rules(path: Path, rulebook: Rulebook) -> ProcedureRules:
    """The procedure rules of a rulebook from a file, with what its approval says of the cards.

    DataFileError names the file and the key of the first fault.
    """
    entry = Entry(_as_approved(load_data_file(path), rulebook), path.name)
    if (named := entry.text("rulebook")) != rulebook.id:
        raise entry.error("rulebook", f"is {named!r} in the file of {rulebook.id!r}")
    recut, dealing, calls = entry.table("recut"), entry.table("dealing"), entry.table("calls")
    methods = tuple(_read_method(method, rulebook) for method in dealing.tables("methods"))
    rules = ProcedureRules(
        rulebook=rulebook.id,
        in_force_from=entry.in_force_from(),
        decks=_read_decks(entry.table("decks"), rulebook),
        inspection=_read_inspection(entry.table("inspection"), rulebook),
        recut_clause=rulebook.clause_id(recut.text("clause")),
        order_clause=rulebook.clause_id(dealing.text("order_clause")),
        shuffler_clause=_clause(dealing, "shuffler_clause", rulebook),
        removal_clause=_clause(dealing, "removal_clause", rulebook),
        calls=_clauses(calls, CALLS, rulebook),
        methods=MappingProxyType({method.id: method for method in methods}),
        stub=_read_stub(entry.table("stub_count"), rulebook),
        irregularities=tuple(_read_irregularity(item, rulebook) for item in entry.tables("irregularities")),
    )
    for part in (recut, dealing, calls, entry):
        part.done()
    return rules


def _as_approved(data: dict[str, Any], rulebook: Rulebook) -> dict[str, Any]:
    """The data of a file with the terms of the cards that a rulebook says itself (`Rulebook.cards`)."""
    cards, source = rulebook.cards, rulebook.sources.get
    if cards.shuffler is not None:
        data["dealing"].pop("shuffler_clause", None)
        if cards.shuffler:
            data["dealing"]["shuffler_clause"] = source("cards.shuffler") or "cards.shuffler"
    if cards.shown is not None:
        data["calls"].pop("bank_card", None)
        if cards.shown != "none":
            data["calls"]["bank_card"] = source("cards.shown") or "cards.shown"
    return data


def _clause(entry: Entry, key: str, rulebook: Rulebook) -> str | None:
    return rulebook.clause_id(entry.text(key)) if entry.has(key) else None


def _clauses(entry: Entry, keys: tuple[str, ...], rulebook: Rulebook) -> Mapping[str, str]:
    found = {key.removesuffix("_clause"): _clause(entry, key, rulebook) for key in keys}
    return MappingProxyType({key: clause for key, clause in found.items() if clause is not None})


def _read_decks(entry: Entry, rulebook: Rulebook) -> DeckRule:
    least, most = entry.number("least", least=1), entry.number("most", least=1)
    rule = DeckRule(
        least=least,
        most=most,
        most_without_shuffler=entry.number("most_without_shuffler", least=1)
        if entry.has("most_without_shuffler")
        else most,
        colours_differ=entry.flag("colours_differ") if entry.has("colours_differ") else False,
        alternate=entry.flag("alternate") if entry.has("alternate") else False,
        clauses=_clauses(
            entry, ("number_clause", "shuffler_clause", "colours_clause", "alternate_clause"), rulebook
        ),
    )
    needed = {
        "number": True,
        "shuffler": rule.most_without_shuffler < most,
        "colours": rule.colours_differ,
        "alternate": rule.alternate,
    }
    for topic, asked in needed.items():
        if asked and topic not in rule.clauses:
            raise entry.error(f"{topic}_clause", "is missing")
    entry.done()
    return rule


def _read_inspection(entry: Entry, rulebook: Rulebook) -> InspectionRule:
    rule = InspectionRule(
        by=entry.texts("by", INSPECTORS),
        clause=rulebook.clause_id(entry.text("clause")),
        pre_shuffled_clause=_clause(entry, "pre_shuffled_clause", rulebook),
        after_idle=entry.one_of("after_idle", INSPECTORS) if entry.has("after_idle") else None,
        after_idle_clause=_clause(entry, "after_idle_clause", rulebook),
    )
    entry.done()
    return rule


def _read_method(entry: Entry, rulebook: Rulebook) -> DealingMethod:
    method = DealingMethod(
        id=entry.text("id"),
        name=entry.text("name"),
        clause=rulebook.clause_id(entry.text("clause")),
        needs_shuffler=entry.flag("needs_shuffler"),
        device=entry.flag("device"),
    )
    entry.done()
    return method


def _read_stub(entry: Entry, rulebook: Rulebook) -> StubRule:
    every = entry.number("every_rounds", least=1) if entry.has("every_rounds") else None
    by_method = {}
    if entry.has("methods"):
        methods = entry.table("methods")
        by_method = {key: rulebook.clause_id(methods.text(key)) for key in methods.names()}
    rule = StubRule(
        every_rounds=every,
        methods=MappingProxyType(by_method),
        clauses=_clauses(entry, ("right", "misdeal", "wrong", "counting_shuffler", "device_wrong"), rulebook),
    )
    for key in ("misdeal", "wrong"):
        if key not in rule.clauses:
            raise entry.error(key, "is missing")
    entry.done()
    return rule


def _read_irregularity(entry: Entry, rulebook: Rulebook) -> Irregularity:
    name, fate = entry.text("name"), entry.one_of("round", ROUND_FATES)
    void_reason = None
    if fate == ROUND_VOID:
        void_reason = entry.one_of("void_reason", tuple(reason.id for reason in rulebook.void_reasons))
    irregularity = Irregularity(
        id=entry.text("id"),
        name=name,
        at_least=entry.number("at_least", least=1) if entry.has("at_least") else 1,
        consequence=Consequence(
            round=fate,
            cards=entry.one_of("cards", CARD_FATES),
            void_reason=void_reason,
            reason=name,
            clause=rulebook.clause_id(entry.text("clause")),
        ),
    )
    entry.done()
    return irregularity
