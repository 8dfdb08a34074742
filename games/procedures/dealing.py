"""Ways of dealing, the order of the deal, recuts, and what has to leave the table first (ruling 45)."""

from collections.abc import Collection
from typing import NamedTuple

from games.phrases import Phrase, no_capital
from games.procedures.rules import Objection, ProcedureRules
from games.rotation.offers import clockwise

BANK = "bank"
SHUFFLER = "shuffler"


class Setup(NamedTuple):
    """How a table shuffles and deals: with a shuffling machine or by hand, and the id of the way of dealing."""

    shuffler: bool
    method: str


def dealing_order(seats: Collection[int], *, first: int = 1) -> tuple[int | str, ...]:
    """Who receives cards and is asked to decide, in turn: positions clockwise from seat `first`, the bank last."""
    return (*clockwise(seats, first), BANK)


def why_not_dealing(rules: ProcedureRules, setup: Setup) -> Objection | None:
    """None when the rules have this way of dealing and the table has the shuffler it needs.

    Documents that name no ways of dealing leave it to the room.
    """
    if not rules.methods:
        return None
    method = rules.methods.get(setup.method)
    if method is None:
        return Objection(
            Phrase(
                "there is no way of dealing {method}; use {methods}",
                method=f"{setup.method!r}",
                methods=", ".join(rules.methods),
            ),
            rules.order_clause,
        )
    if method.needs_shuffler and not setup.shuffler:
        return Objection(
            Phrase(
                "dealing {name} needs a shuffling machine: register one", name=no_capital(Phrase(method.name))
            ),
            method.clause,
        )
    return None


def why_not_change(
    rules: ProcedureRules, before: Setup, after: Setup, *, removed: Collection[str] = ()
) -> Objection | None:
    """None when a table may change from one way of dealing to another: machines no longer used have left the table.

    `removed` names those that left: `shuffler`, or the way of dealing whose machine it is.
    """
    if rules.removal_clause is None:
        return None
    devices = {SHUFFLER} if before.shuffler and not after.shuffler else set()
    old = rules.methods.get(before.method)
    if old is not None and old.device and after.method != before.method:
        devices.add(old.id)
    for device in sorted(devices - set(removed)):
        return Objection(
            Phrase(
                "the {machine} is still on the table: take it away and record it",
                machine=Phrase("shuffler")
                if device == SHUFFLER
                else no_capital(Phrase(rules.methods[device].name)),
            ),
            rules.removal_clause,
        )
    return None


def why_not_recut(rules: ProcedureRules, *, supervisor: bool, reason: str, dealt: bool) -> Objection | None:
    """None when the cut may be done again: ordered by a supervisor, for a reason, before the first card."""
    clause = rules.recut_clause
    if dealt:
        return Objection(Phrase("the first card has been dealt: there is nothing to recut"), clause)
    if not supervisor:
        return Objection(Phrase("a supervisor orders a recut: ask one"), clause)
    if not reason.strip():
        return Objection(Phrase("a recut needs a reason"), clause)
    return None
