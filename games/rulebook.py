"""What a rulebook of any game says: its document, who banks, seats, wagers, options, fees, clauses.

A rulebook is one TOML file in the folder of its game, read strictly. Each game has a subclass of `Rulebook` for what it
adds, and reads the part below with `read_common`. `games.registry.load_rulebook` finds a rulebook by its id.
"""

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import Struct

from games.approval import Approval
from games.collection import PrintedSchedule, read_schedules
from games.datafile import Entry
from games.phrases import Phrase
from games.published import Published, read_published
from games.settlement_order import BACK_FROM_ACTION, FROM_ACTION, SEAT_ORDERS

#: The ways round a table (ruling 51).
CLOCKWISE, COUNTER_CLOCKWISE = DIRECTIONS = ("clockwise", "counter_clockwise")
#: Where the action starts: at the bank's next seat in that direction, or at a seat that dice or a button name.
NEXT_TO_BANK, NAMED_SEAT = STARTS = ("next_to_bank", "named_seat")
#: What follows when everybody has declined the bank (ruling 53).
LAST_BANK_MAY_RENEW, GAME_ENDS = ALL_DECLINE = ("last_bank_may_renew", "game_ends")


class Document(Struct, frozen=True):
    """Where a rulebook comes from. `in_force_from` is the date that the document prints, None where it prints none."""

    title: str
    authority: str
    jurisdiction: str
    in_force_from: date | None


class WagerRule(Struct, frozen=True):
    """One wager on offer: its name on this layout, the clause that offers it, the wagers that it requires.

    `recommended_cents` is the least bet that the document recommends. `no_fee_clause` is the clause by which no collection
    fee comes of the wager; None where the document leaves that to the schedules filed under it. `equals` is the wager as
    high as which it must be, and from which it follows; None where it is laid for itself. `action` says whether it counts
    toward total table action; None: as a main wager does, and no other.
    """

    id: str
    name: str
    clause: str
    needs: str
    recommended_cents: int | None = None
    no_fee_clause: str | None = None
    equals: str | None = None
    action: bool | None = None


class OwnLine(Struct, frozen=True):
    """One line of a paytable that a room may fill by itself: the hand's id and name, and whether it must be given."""

    id: str
    name: str
    required: bool


class OptionRule(Struct, frozen=True):
    """One choice of the room: the values it may take and its default (the first, or None where null may be).

    `own_table` lets a room give a paytable of its own, line by line of `own_lines`, never below the printed one with
    `floor`; `modes` says that the values are modes of a flat rake, given with its cents. `text` takes a text of the room's
    own, null without one. `follows` names the option on which the default depends. `at_table`: a filing may leave the choice to
    the table.
    """

    name: str
    values: tuple[Any, ...]
    may_be_null: bool = False
    own_table: bool = False
    own_lines: tuple[OwnLine, ...] = ()
    follows: str | None = None
    floor: bool = False
    modes: bool = False
    text: bool = False
    at_table: bool = False

    @property
    def printed(self) -> bool:
        """Whether the document prints the one value that it has."""
        return len(self.values) == 1 and not (self.may_be_null or self.own_table or self.modes)

    @property
    def default(self) -> Any:
        return None if self.may_be_null else self.values[0]


class PrintedMeter(Struct, frozen=True):
    """The meter of a progressive wager as a rulebook has it: what it shows when it starts, and the clause."""

    seed_cents: int
    clause: str


class MayBank(Struct, frozen=True):
    """Who may bank, as an approval says it; None where it leaves that to the rotation profile (rulings 52 and 53).

    `rounds` in a row; `another_first`: another player must bank before the last one does again; `all_decline` is
    `last_bank_may_renew` or `game_ends`. Eligible is who has wagered in so many settled `wagered_rounds` since they sat
    down, and with `previous_round` in the round before at that seat.
    """

    rounds: int | None = None
    another_first: bool | None = None
    all_decline: str | None = None
    wagered_rounds: int = 0
    previous_round: bool = False


class CardRule(Struct, frozen=True):
    """The decks in use, at least and at most, and the jokers in each.

    `shuffler` says whether an automatic one is required, `shown` which card of the bank is exposed before the decisions
    (`none`: none is); None where the rules of procedure say it.
    """

    decks: tuple[int, int] = (1, 1)
    jokers: int = 0
    shuffler: bool | None = None
    shown: str | None = None


class VoidReason(Struct, frozen=True):
    """A reason to void a round: its id, its words for the floor, its clause."""

    id: str
    name: str
    clause: str


class Rulebook(Struct, frozen=True, eq=False):
    """One jurisdiction's rules of one game.

    `game` is the id of the game. `main` are the wagers that bear the table limit and are charged a fee each, `action` those
    that count toward total table action: the same, unless an approval says otherwise. `placed` are the wagers `offered` that are laid before the deal; the others follow from a decision.
    `rotation_clause` is where the document itself says how the bank rotates, and `renewal_clause` when its last holder may
    take a new turn; None where it leaves that open.
    `needs` lists, for each wager, what it requires. `meter` is None without a progressive. `default_options` holds the
    rulebook's own choice for every option it has. `clauses` names the clause of each outcome as the document numbers it,
    `full_clauses` with the rulebook before it.

    `approval` is what a room's own document says otherwise, None for a rulebook as it ships. `sources` are the full
    clauses of its terms by their keys in the file. `direction` is the way of deal, settlement and offers (ruling 51), and
    `named_start` says that the action starts at a seat that dice or a button name. `back_line` is how many further bettors
    a spot has room for, `least_bank_cents` the least wager of a player-dealer (ruling 54).
    """

    game: str
    id: str
    name: str
    document: Document
    banked_by: str
    seats: int
    rotation: str | None
    rotation_clause: str | None
    renewal_clause: str | None
    max_positions: int
    positions_adjacent: bool
    seat_order: str
    coverage: str
    wagers: Mapping[str, WagerRule]
    main: frozenset[str]
    action: frozenset[str]
    offered: frozenset[str]
    placed: frozenset[str]
    needs: Mapping[str, str]
    tip_spots: frozenset[str]
    tip_clause: str
    options: Mapping[str, OptionRule]
    default_options: MappingProxyType[str, Any]
    meter: PrintedMeter | None
    fee_schedules: tuple[PrintedSchedule, ...]
    clauses: Mapping[str, Mapping[str, str]]
    full_clauses: Mapping[str, Mapping[str, str]]
    void_reasons: tuple[VoidReason, ...]
    published: tuple[Published, ...]
    approval: Approval | None
    sources: Mapping[str, str]
    direction: str
    named_start: bool
    back_line: int
    least_bank_cents: int | None
    cards: CardRule
    may_bank: MayBank

    @property
    def player_banked(self) -> bool:
        """Whether a player holds the bank; else the house does."""
        return self.banked_by == "player"

    @property
    def payout_columns(self) -> tuple[int, ...]:
        """The numbers of players for which a wager's payouts differ; empty where they do not."""
        return ()

    def fee_schedule(self, number: int) -> PrintedSchedule:
        """The schedule option of that number; KeyError when the document has none."""
        for schedule in self.fee_schedules:
            if schedule.number == number:
                return schedule
        raise KeyError(f"{self.id} has no fee schedule {number}")

    @property
    def main_name(self) -> str:
        """What the layout calls the main wager, or the main wagers: `Ante`, `Player or Banker`; empty before a filing says."""
        names = [wager.name for wager in self.wagers.values() if wager.id in self.main]
        joined = names[0] if names else ""
        for name in names[1:]:
            joined = Phrase("{wagers} or {wager}", wagers=joined, wager=name)
        return joined

    def called(self, wager: str) -> str:
        """What the layout calls a wager; its id where the rulebook has none of it."""
        return self.wagers[wager].name if wager in self.wagers else wager

    @property
    def without_fee(self) -> Mapping[str, str]:
        """The wagers of which no collection fee may come, by id, with the full clause that says so."""
        return {
            wager.id: self.clause_id(wager.no_fee_clause)
            for wager in self.wagers.values()
            if wager.no_fee_clause is not None
        }

    def clause_id(self, clause: str) -> str:
        """A clause with its rulebook, in the form of `clause_id`."""
        return clause_id(self.id, clause)


def clause_id(rulebook_id: str, clause: str) -> str:
    """A clause with its rulebook, `california:winners.2.a`; readings of our own stay `ruling N`.

    A clause of a room's own approval has its number before it already (`GEGR-004861:7.4`).
    """
    return clause if clause.startswith("ruling ") or ":" in clause else f"{rulebook_id}:{clause}"


def main_wagers_named(wagers: Mapping[str, int], rulebook: Rulebook) -> dict[str, int]:
    """The main wagers of one position in cents, by their names on the layout of `rulebook`."""
    return {rulebook.wagers[wager].name: cents for wager, cents in wagers.items() if wager in rulebook.main}


class Vocabulary(NamedTuple):
    """The words of a game that its rulebooks may use.

    `wagers` are all that a settlement may be about, `placed` those laid before the deal, `main` those that bear limits
    and fees, `tips` those beside which a tip may stand, `needs` what a wager may require, `options` what a room may
    choose, `own_lines` the lines of a paytable that a room may fill.
    """

    wagers: tuple[str, ...]
    placed: frozenset[str]
    main: frozenset[str]
    tips: frozenset[str]
    needs: tuple[str, ...]
    options: tuple[str, ...]
    own_lines: tuple[OwnLine, ...] = ()


def read_common(
    entry: Entry,
    order: Entry,
    bank: Entry,
    *,
    game: str,
    words: Vocabulary,
    file_stem: str,
    approval: Approval | None = None,
) -> dict[str, Any]:
    """The fields of `Rulebook` from a file, with an `approval` put in or without, but for `meter` and `default_options`.

    `order` and `bank` are tables of the file which the caller goes on to read. DataFileError names the file and the key of
    the first fault.
    """
    tips, positions = entry.table("tips"), entry.table("positions")
    rulebook_id = entry.text("id")
    if rulebook_id != file_stem:
        raise entry.error("id", f"is {rulebook_id!r} in the file of {file_stem!r}")
    banked_by = entry.one_of("banked_by", ("player", "house"))
    options = _read_options(entry.table("options"), rulebook_id, words)
    wagers = _read_wagers(entry.table("wagers"), words)
    coverage = "house"
    if banked_by == "player":
        coverage = "option" if "coverage" in options else bank.one_of("coverage", ("gross", "net", "funds"))
    clauses = _read_clauses(entry.table("clauses"))
    seats = order.one_of("seats", SEAT_ORDERS)
    direction = order.one_of("direction", DIRECTIONS) if order.has("direction") else CLOCKWISE
    fields: dict[str, Any] = {
        "game": game,
        "id": rulebook_id,
        "name": entry.text("name"),
        "document": _read_document(entry.table("document")),
        "banked_by": banked_by,
        "seats": entry.number("seats", least=1),
        "rotation": entry.text("rotation") if banked_by == "player" else None,
        "rotation_clause": entry.text("rotation_clause") if entry.has("rotation_clause") else None,
        "renewal_clause": entry.text("renewal_clause") if entry.has("renewal_clause") else None,
        "approval": approval,
        "sources": _read_sources(entry, rulebook_id, approval),
        "direction": direction,
        "named_start": order.has("starts") and order.one_of("starts", STARTS) == NAMED_SEAT,
        "back_line": positions.number("back_line") if positions.has("back_line") else 0,
        "least_bank_cents": bank.number("least_cents", least=1) if bank.has("least_cents") else None,
        "cards": _read_cards(entry.table("cards")) if entry.has("cards") else CardRule(),
        "may_bank": _read_may_bank(entry.table("may_bank")) if entry.has("may_bank") else MayBank(),
        "max_positions": positions.number("most_per_player", least=1),
        "positions_adjacent": positions.flag("adjacent"),
        "seat_order": BACK_FROM_ACTION if direction == COUNTER_CLOCKWISE and seats == FROM_ACTION else seats,
        "coverage": coverage,
        "wagers": wagers,
        "main": words.main.intersection(wagers),
        "action": _read_action(entry, wagers, words.main),
        "offered": frozenset(wagers),
        "placed": words.placed.intersection(wagers),
        "needs": {wager: rule.needs for wager, rule in wagers.items()},
        "tip_spots": frozenset(tips.texts("spots", tuple(words.tips))),
        "tip_clause": tips.text("clause"),
        "options": options,
        "fee_schedules": read_schedules(entry.table("collection")) if entry.has("collection") else (),
        "clauses": clauses,
        "full_clauses": {
            what: {cause: clause_id(rulebook_id, clause) for cause, clause in causes.items()}
            for what, causes in clauses.items()
        },
        "void_reasons": tuple(_read_void_reason(table) for table in entry.tables("void_reasons")),
        "published": tuple(read_published(table, words.wagers) for table in entry.tables("published")),
    }
    tips.done()
    positions.done()
    return fields


def _read_sources(entry: Entry, rulebook_id: str, approval: Approval | None) -> Mapping[str, str]:
    """The full clauses of terms by key: those of the file, and before them those of the approval."""
    sources = {}
    if entry.has("sources"):
        table = entry.table("sources")
        sources = {key: clause_id(rulebook_id, table.text(key)) for key in table.names()}
    return MappingProxyType(sources if approval is None else {**sources, **approval.changed})


def _read_cards(entry: Entry) -> CardRule:
    rule = CardRule(
        decks=_read_decks(entry) if entry.has("decks") else (1, 1),
        jokers=entry.number("jokers") if entry.has("jokers") else 0,
        shuffler=entry.flag("shuffler") if entry.has("shuffler") else None,
        shown=entry.text("shown") if entry.has("shown") else None,
    )
    entry.done()
    return rule


def _read_decks(entry: Entry) -> tuple[int, int]:
    bounds = entry.values("decks")
    if len(bounds) != 2 or any(type(bound) is not int for bound in bounds):
        raise entry.error("decks", "must be the least and the most in use")
    return int(bounds[0]), int(bounds[1])


def _read_may_bank(entry: Entry) -> MayBank:
    rule = MayBank(
        rounds=entry.number("rounds", least=1) if entry.has("rounds") else None,
        another_first=entry.flag("another_first") if entry.has("another_first") else None,
        all_decline=entry.one_of("all_decline", ALL_DECLINE) if entry.has("all_decline") else None,
        wagered_rounds=entry.number("wagered_rounds") if entry.has("wagered_rounds") else 0,
        previous_round=entry.flag("previous_round") if entry.has("previous_round") else False,
    )
    entry.done()
    return rule


def _read_document(entry: Entry) -> Document:
    document = Document(
        title=entry.text("title"),
        authority=entry.text("authority"),
        jurisdiction=entry.text("jurisdiction"),
        in_force_from=entry.in_force_from(),
    )
    entry.done()
    return document


def counting(wagers: Mapping[str, WagerRule], main: frozenset[str]) -> frozenset[str]:
    """The ids of the wagers that count toward total table action: those of `main`, where a rule says nothing else."""
    return frozenset(
        rule.id for rule in wagers.values() if (rule.id in main if rule.action is None else rule.action)
    )


def _read_action(entry: Entry, wagers: Mapping[str, WagerRule], main: frozenset[str]) -> frozenset[str]:
    found = counting(wagers, main)
    if wagers and not found:
        raise entry.error("wagers", "leave nothing that counts toward total table action; one at least does")
    return found


def _read_wagers(entry: Entry, words: Vocabulary) -> Mapping[str, WagerRule]:
    wagers = {}
    for wager in entry.names():
        if wager not in words.wagers:
            raise entry.error(wager, f"is no wager; there are {', '.join(words.wagers)}")
        table = entry.table(wager)
        wagers[wager] = WagerRule(
            wager,
            table.text("name"),
            table.text("clause"),
            table.one_of("needs", words.needs),
            table.number("recommended_cents", least=1) if table.has("recommended_cents") else None,
            table.text("no_fee_clause") if table.has("no_fee_clause") else None,
            table.one_of("equals", words.wagers) if table.has("equals") else None,
            table.flag("action") if table.has("action") else None,
        )
        if wagers[wager].action and wager not in words.placed:
            raise table.error("action", "is of a wager that lies there before the deal alone")
        table.done()
    return MappingProxyType(wagers)


def _read_options(entry: Entry, rulebook_id: str, words: Vocabulary) -> Mapping[str, OptionRule]:
    options = {}
    for name in entry.names():
        if name not in words.options:
            raise entry.error(name, f"is no option; there are {', '.join(words.options)}")
        table = entry.table(name)
        own_table = table.flag("own_table") if table.has("own_table") else False
        modes = table.has("modes")
        text = table.flag("text") if table.has("text") else False
        values: tuple[Any, ...] = () if text else (rulebook_id,)
        if not own_table and not text:
            values = table.values("modes" if modes else "values")
        options[name] = OptionRule(
            name=name,
            values=values,
            may_be_null=text or (table.flag("may_be_null") if table.has("may_be_null") else False),
            own_table=own_table,
            own_lines=words.own_lines if own_table else (),
            floor=table.flag("floor") if table.has("floor") else False,
            modes=modes,
            text=text,
        )
        table.done()
    return MappingProxyType(options)


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
