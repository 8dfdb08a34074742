"""Computes which fees of a round are waived, and by which published rule (ruling 13). Nothing is written here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fees.document import ALL, BANK, PLAYER, PLAYERS, WaiverRule
from games.phrases import Phrase

from ..models import Round, Waiver
from ..places import Place, place_of


def current_waivers(round_: Round) -> list[Waiver]:
    """Return the waivers of a round that are not withdrawn, in their order."""
    return [waiver for waiver in waivers_of(round_) if waiver.withdrawn_at is None]


def waivers_of(round_: Round) -> list[Waiver]:
    """Return the waivers of a round, for any of its revisions, in their order."""
    same = {f"round__{column}": getattr(round_, column) for column in ("table_id", "gaming_day", "number")}
    waivers = Waiver.objects.filter(**same)
    return list(waivers.select_related("ordered_by", "recorded_by", "withdrawn_by").order_by("id"))


def places_waived(
    waivers: Iterable[Waiver], bets: Sequence[dict[str, Any]], bank_seat: int | None
) -> dict[tuple[int, int], str]:
    """Return by place the rule that lets a fee go, of those with wagers and the bank; the first rule holds."""
    playing = [place_of(bet) for bet in bets if bet["wagers"]]
    waived: dict[tuple[int, int], str] = {}
    for waiver in waivers:
        for place in _covered(waiver, playing, bank_seat):
            waived.setdefault(place, waiver.rule)
    return waived


def _covered(waiver: Waiver, playing: Sequence[Place], bank_seat: int | None) -> list[Place]:
    bank = [] if bank_seat is None else [Place(bank_seat)]
    return {
        PLAYER: [place for place in playing if place == waiver.place],
        PLAYERS: [*playing],
        BANK: bank,
        ALL: [*playing, *bank],
    }[waiver.covers]


def why_rule_ends(rule: WaiverRule, bets: Sequence[dict[str, Any]]) -> str | None:
    """Return why `rule` does not hold for a round with these wagers, or None while it does."""
    positions = sum(1 for bet in bets if bet["wagers"])
    if rule.most_positions is None or positions <= rule.most_positions:
        return None
    return Phrase(
        "{title} is published for at most {most} positions, and {positions} have wagers here.",
        title=rule.title,
        most=rule.most_positions,
        positions=positions,
    )
