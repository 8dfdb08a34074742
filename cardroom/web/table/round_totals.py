"""Computes what a round costs and the bank's exposure in it, before a card is dealt, for the table page."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from cardroom.floor.checks.waivers import why_waiver_ends
from cardroom.floor.errors import BadInput
from cardroom.floor.models import Round
from cardroom.floor.places import Place, place_of
from cardroom.floor.reads.bets import quote_preview, rake_preview
from cardroom.floor.reads.table_state import TableState
from cardroom.floor.settling.fixing import largest_main
from fees.rake import RakeQuote
from games.exposure import Exposure, exposure
from games.refusal import Refusal
from games.rulebook import Rulebook


@dataclasses.dataclass(frozen=True)
class RoundTotals:
    """A round's figures in cents: as they would be if bets closed now, or as they were fixed when bets closed.

    `charges`: a schedule is in force. `main_cents` lie on main wagers, `later_cents` followed after the deal. `rake` is what is owed to the house as hands are settled, while none is dead;
    `funds`: the bank covers by its funds, a hand at a time. `problem` says what is wrong with the wagers. `exposure` is
    what the bank may have to pay on them; None while they are wrong, and of a game whose payouts are not on record.
    """

    charges: bool
    action_cents: int
    positions: int
    wager_cents: int
    main_cents: int = 0
    later_cents: int = 0
    player_fees_cents: int = 0
    bank_fee_cents: int = 0
    jackpot_cents: int = 0
    waived_cents: int = 0
    band: str = ""
    problem: str = ""
    exposure: Exposure | None = None
    rake: RakeQuote | None = None
    funds: bool = False
    worst_by_place: Mapping[Place, int] = dataclasses.field(default_factory=dict)
    largest_cents: int = 0

    @property
    def asks_small_bank(self) -> bool:
        """Whether the bank's wager is below the largest single main wager: it is asked about before "no more bets" (ruling 54)."""
        return 0 < self.wager_cents < self.largest_cents

    @property
    def drop_cents(self) -> int:
        return self.player_fees_cents + self.bank_fee_cents

    @property
    def collected_cents(self) -> int:
        """What is collected in all: into the drop box, and into the jackpot's."""
        return self.drop_cents + self.jackpot_cents

    @property
    def even_cents(self) -> int | None:
        """What the main wagers cost the bank at 1 to 1; None where nobody knows it."""
        return self.exposure.even_money if self.exposure else None

    @property
    def covered_cents(self) -> int:
        """How much of that the bank's wager covers."""
        return min(self.wager_cents, self.even_cents or 0)

    @property
    def covers_all(self) -> bool:
        return self.covered_cents == self.even_cents

    @property
    def bonus_cents(self) -> int:
        """What the bonus wagers cost at their top odds: over several seats an upper bound."""
        return self.exposure.bonus if self.exposure else 0


def totals_typed(state: TableState, bets: list[dict[str, Any]]) -> RoundTotals:
    """Return what `bets` would come to at "no more bets"."""
    live = state.live
    assert live is not None  # wagers lie in a round
    antes = [cents for bet in bets if (cents := state.terms.main_cents(bet["wagers"]))]
    charges = state.table.schedule is not None
    plain = RoundTotals(
        charges,
        sum(state.terms.action_cents(bet["wagers"]) for bet in bets),
        len(antes),
        live.bank_wager_cents or 0,
        sum(antes),
        funds=state.rulebook.coverage == "funds",
        largest_cents=largest_main(bets, state.rulebook.main),
    )
    try:
        quoted = quote_preview(state, live, bets)
        if why := why_waiver_ends(state, bets):
            return dataclasses.replace(plain, problem=why.message)
        plain = dataclasses.replace(plain, rake=rake_preview(state, live, bets))
    except BadInput as error:
        return dataclasses.replace(plain, problem=error.message)
    exposure, problem = None, ""
    worst: dict[Place, int] = {}
    try:
        exposure, worst = _exposure(live, state.rulebook, bets)
    except Refusal as error:
        problem = error.message
    plain = dataclasses.replace(plain, exposure=exposure, worst_by_place=worst, problem=problem)
    if quoted is None:
        return plain
    bank_fee = sum(fee.cents for fee in quoted.fees if fee.seat == live.bank_seat)
    return dataclasses.replace(
        plain,
        player_fees_cents=quoted.drop_cents - bank_fee,
        bank_fee_cents=bank_fee,
        jackpot_cents=quoted.jackpot_cents,
        waived_cents=quoted.waived_cents,
        band=quoted.bank_label,
    )


def totals_fixed(state: TableState) -> RoundTotals:
    """Return the sums of the live round as they were fixed at "no more bets"."""
    live = state.live
    assert live is not None
    exposure, worst = _exposure(live, state.rulebook, live.bets)
    return RoundTotals(
        charges=live.schedule_id is not None,
        action_cents=live.total_table_action_cents,
        positions=live.positions,
        wager_cents=live.bank_wager_cents or 0,
        main_cents=sum(state.terms.main_cents(bet["wagers"]) for bet in live.bets),
        later_cents=sum(cents for bet in live.later_bets for cents in bet["wagers"].values()),
        player_fees_cents=live.player_fees_cents,
        bank_fee_cents=live.bank_fee_cents,
        jackpot_cents=live.jackpot_cents,
        waived_cents=live.waived_cents,
        band=live.bank_fee_band,
        exposure=exposure,
        worst_by_place=worst,
        rake=rake_preview(state, live, live.bets),
        funds=state.rulebook.coverage == "funds",
    )


def _exposure(
    live: Round, rulebook: Rulebook, bets: list[dict[str, Any]]
) -> tuple[Exposure | None, dict[Place, int]]:
    """What the bank may have to pay, in all and by place; None where the house banks, whose bank has no end."""
    placed = [bet for bet in bets if bet["wagers"]]
    most = None if live.house_banks else exposure(rulebook, live.options, placed)
    return most, {} if most is None else dict(zip(map(place_of, placed), most.each, strict=True))
