"""The provisions of the rule documents as the product keeps them: `docs/clauses/<rulebook>.toml`.

A provision's id is `<rulebook>:<clause>`, as settlement lines name it. The files are read strictly: a provision
without an effect, a key that does not belong, or a plan where the rules ask for a test is an error with its place.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "clauses"
RULEBOOKS = ("california", "designated_player", "massachusetts", "south_dakota", "shuffle_master")


#: Kinds on which money or play depends: each of their provisions has a test, and no plan will do.
PROVEN = ("settlement", "wager", "paytable", "fee", "bank")
#: Kinds of what is written down and shown: a test, or a plan with its reason.
PLANNABLE = ("record", "display")
#: What people do with their hands at the table: the software has nothing to do about it.
PHYSICAL = "physical"
KINDS = (*PROVEN, *PLANNABLE, PHYSICAL)

#: An area, and a reason of six words at least.
_PLAN = re.compile(r"[^:]+: (?:\S+ ){5,}\S+")
_KEYS = {"kind", "summary", "effect", "enforced", "planned"}


class CatalogueError(Exception):
    """A catalogue at fault; the message names the file, the clause and what to mend."""


@dataclass(frozen=True, slots=True)
class Provision:
    """One provision: what the document says, what the software does about it, and the places that do it.

    `enforced` are dotted names of the code, or `path/of/file.toml:key.of.it` for what is data. `planned` says what
    is still to be built and why it waits; empty where all is built.
    """

    rulebook: str
    clause: str
    kind: str
    summary: str
    effect: str
    enforced: tuple[str, ...]
    planned: str

    @property
    def id(self) -> str:
        return f"{self.rulebook}:{self.clause}"


@cache
def catalogue() -> Mapping[str, Provision]:
    """All provisions by id, rulebook by rulebook in the order of their documents."""
    return {provision.id: provision for rulebook in RULEBOOKS for provision in read_provisions(rulebook)}


def read_provisions(rulebook: str, folder: Path = FOLDER) -> tuple[Provision, ...]:
    """The provisions of one rulebook's file, in its order; CatalogueError for anything amiss in it."""
    path = folder / f"{rulebook}.toml"
    with path.open("rb") as file:
        document = tomllib.load(file)
    return tuple(
        _read(f"{path.name}: [{clause}]", rulebook, clause, body) for clause, body in document.items()
    )


def _read(place: str, rulebook: str, clause: str, body: Any) -> Provision:
    if not isinstance(body, dict):
        raise CatalogueError(f"{place}: a provision is a table")
    if foreign := sorted(body.keys() - _KEYS):
        raise CatalogueError(
            f"{place}: {foreign[0]!r} is no key of a provision; there are {', '.join(sorted(_KEYS))}"
        )
    texts = {key: body.get(key, "") for key in ("kind", "summary", "effect", "planned")}
    for key, value in texts.items():
        if not isinstance(value, str) or value != value.strip() or (key in body and not value):
            raise CatalogueError(f"{place}: {key} is a text that is not empty, without blanks around it")
    enforced = body.get("enforced", [])
    if not isinstance(enforced, list) or not all(isinstance(name, str) and name for name in enforced):
        raise CatalogueError(f"{place}: enforced is a list of places")
    provision = Provision(rulebook, clause, **texts, enforced=tuple(enforced))
    if why := _why_incomplete(provision):
        raise CatalogueError(f"{place}: {why}")
    return provision


def _why_incomplete(provision: Provision) -> str | None:
    if provision.kind not in KINDS:
        return f"kind is {provision.kind!r}, not one of {', '.join(KINDS)}"
    if not provision.summary:
        return "it has no summary"
    if provision.kind == PHYSICAL:
        extra = provision.effect or provision.enforced or provision.planned
        return "what is physical has no effect, place or plan" if extra else None
    if not provision.effect:
        return "it has no effect"
    if provision.planned and provision.kind not in PLANNABLE:
        return f"a provision of kind {provision.kind} is enforced and tested, never planned"
    if provision.planned and not _PLAN.fullmatch(provision.planned):
        return "a plan is `area: why it waits`, in a sentence"
    if not provision.enforced and not provision.planned:
        return "it is enforced nowhere and has no plan"
    return None
