"""Posted texts of a rulebook besides its figures: one TOML file a rulebook, read strictly."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from games.datafile import Entry, load_data_file
from games.notices import Notice
from games.phrases import Phrase
from games.three_card_poker.hands import CLASS_IDS, HandClass
from games.three_card_poker.rulebook import ThreeCardRulebook

_FOLDER = Path(__file__).parent
_TOPICS = (
    "spots", "seats", "positions", "closing", "qualifies", "stays", "order", "lines", "coverage", "cards", "suits",
    "six_cards",
)  # fmt: skip
_RANKED = CLASS_IDS[: HandClass.MINI_ROYAL + 1]
_RAKE = ("none", "dead_hand")


@dataclass(frozen=True, slots=True, eq=False)
class PlacardContent:
    """Names on the layout by wager, the clause of each topic, and the notices. Clauses are full ids.

    `spots` holds the wagers whose area bears another name than their own. `topics` are clauses of single sentences,
    `looks` of which cards a wager looks at, `needs` of the wager that it requires, `rankings` of each class of hands and
    `rake` of each form of house rake, of `none`, and of a `dead_hand` that pays none; `exhausted` is set where a player banks.
    """

    rulebook: str
    in_force_from: date | None
    spots: Mapping[str, str]
    topics: Mapping[str, str]
    looks: Mapping[str, str]
    needs: Mapping[str, str]
    rankings: Mapping[str, str]
    rake: Mapping[str, str]
    exhausted: str | None
    general_notices: tuple[Notice, ...]


@lru_cache(maxsize=512)
def placard_content_of(rulebook: ThreeCardRulebook) -> PlacardContent:
    """The placard content of a rulebook, as its approval has it; DataFileError when its file is invalid."""
    return read_placard_content(_FOLDER / f"{rulebook.id}.toml", rulebook)


#: The topics whose clause is the approval's where it says otherwise of a term.
_TOPICS_OF = {
    "seats": "seats",
    "positions.most_per_player": "positions",
    "positions.back_line": "positions",
    "bank.qualifies": "qualifies",
    "order.direction": "order",
    "order.starts": "order",
    "order.lines": "lines",
    "bank.coverage": "coverage",
    "fold.forfeits": "stays",
}


def _as_approved(data: dict[str, Any], rulebook: ThreeCardRulebook) -> dict[str, Any]:
    """The data of a file with the clauses of an approval where it says otherwise, and of the wagers it offers alone."""
    if rulebook.approval is None:
        return data
    changed, clauses = rulebook.approval.changed, data["clauses"]
    for key, topic in _TOPICS_OF.items():
        if changed.get(key):
            clauses[topic] = changed[key]
    if changed.get("bank.coverage"):
        clauses["exhausted"] = changed["bank.coverage"]
    for table in ("looks", "needs"):
        kept = {wager: clause for wager, clause in clauses[table].items() if wager in rulebook.wagers}
        added = {wager: rule.clause for wager, rule in rulebook.wagers.items() if wager not in kept}
        without = ("ante", "play") if table == "looks" else ("ante",)
        clauses[table] = kept | {wager: clause for wager, clause in added.items() if wager not in without}
    data["spots"] = {wager: name for wager, name in data["spots"].items() if wager in rulebook.wagers}
    data["notices"] = [
        notice
        for notice in data["notices"]
        if notice.get("unless") not in changed and notice.get("of_wager", "ante") in rulebook.offered
    ]
    return data


def read_placard_content(path: Path, rulebook: ThreeCardRulebook) -> PlacardContent:
    """The placard content from a file; DataFileError names the file and the key of the first fault."""
    entry = Entry(_as_approved(load_data_file(path), rulebook), path.name)
    if (named := entry.text("rulebook")) != rulebook.id:
        raise entry.error("rulebook", f"is {named!r} in the file of {rulebook.id!r}")
    spots, clauses = entry.table("spots"), entry.table("clauses")
    wagers = tuple(rulebook.wagers)
    bonuses = tuple(wager for wager in wagers if wager not in ("ante", "play"))
    rake = rulebook.options.get("house_rake")
    content = PlacardContent(
        rulebook=rulebook.id,
        in_force_from=entry.in_force_from(),
        spots=MappingProxyType({wager: spots.text(wager) for wager in wagers if spots.has(wager)}),
        topics=_clauses(clauses, _TOPICS, rulebook),
        looks=_table(clauses, "looks", bonuses, rulebook),
        needs=_table(clauses, "needs", tuple(wager for wager in wagers if wager != "ante"), rulebook),
        rankings=_table(clauses, "rankings", _RANKED, rulebook),
        rake=_table(clauses, "rake", (*rake.values, *_RAKE), rulebook) if rake else MappingProxyType({}),
        exhausted=rulebook.clause_id(clauses.text("exhausted")) if rulebook.player_banked else None,
        general_notices=tuple(_read_notice(notice, rulebook) for notice in entry.tables("notices")),
    )
    for part in (spots, clauses, entry):
        part.done()
    return content


def _clauses(entry: Entry, keys: tuple[str, ...], rulebook: ThreeCardRulebook) -> Mapping[str, str]:
    return MappingProxyType({key: rulebook.clause_id(entry.text(key)) for key in keys})


def _table(entry: Entry, key: str, keys: tuple[str, ...], rulebook: ThreeCardRulebook) -> Mapping[str, str]:
    table = entry.table(key)
    clauses = _clauses(table, keys, rulebook)
    table.done()
    return clauses


def _read_notice(entry: Entry, rulebook: ThreeCardRulebook) -> Notice:
    for key in (
        "unless",
        "of_wager",
    ):  # a term whose change by an approval takes it away; a wager with which it goes
        if entry.has(key):
            entry.text(key)
    notice = Notice(Phrase(entry.text("text")), rulebook.clause_id(entry.text("clause")))
    entry.done()
    return notice
