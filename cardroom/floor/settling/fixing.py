"""Fills the columns of a `Round` that follow from its wagers and cards: fees, settlement and their sums.

Nothing is written here; the caller that records or corrects a round saves the row and moves the cents.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from cardroom.filings.models import FeeSchedule
from fees.quote import Ante, quote
from games.bets import Bets
from games.engine import settle_wagers
from games.registry import rulebook_with
from games.round_fees import round_fees
from games.rulebook import Rulebook, main_wagers_named
from games.settlement import RoundResult
from games.terms import cents_on

from ..models import Round, Waiver
from .waiver_rules import places_waived

#: The columns of a round that "no more bets" fixes, and its undoing loosens; its number and gaming day stay.
FIXED_AT_CLOSE = (
    *("state", "bets_closed_at", "shift_id", "action_seat", "positions", "total_table_action_cents"),
    *("schedule_id", "schedule_version", "fees", "player_fees_cents", "bank_fee_cents", "bank_fee_band"),
    *("waived_cents", "jackpot_cents"),
)


def fix_action(round_: Round) -> None:
    """Count positions and total table action, the sum in cents of the wagers that count toward it, in `round_`."""
    round_.positions = len(round_.bets)
    action = rulebook_with(round_.rulebook, round_.options).action
    round_.total_table_action_cents = sum(cents_on(bet["wagers"], action) for bet in round_.bets)


def largest_main(bets: Iterable[Mapping[str, Any]], main: Collection[str]) -> int:
    """The largest single main wager of `bets` in cents; 0 without one."""
    return max([cents for bet in bets for wager, cents in bet["wagers"].items() if wager in main], default=0)


def main_above_bank(round_: Round) -> int | None:
    """The largest main wager in cents, where the bank's own is below it: it is asked about once (ruling 54). Else None."""
    largest = largest_main(round_.bets, round_.book.main)
    return None if round_.bank_wager_cents is None or round_.bank_wager_cents >= largest else largest


def antes_of(bets: Iterable[Mapping[str, Any]], rulebook: Rulebook) -> list[Ante]:
    """Return the positions of `bets` as fees are quoted for them; the main wagers of `rulebook` count as ante."""
    return [
        Ante(
            bet["seat"],
            bet["player"],
            cents_on(bet["wagers"], rulebook.main),
            bet["wagers"],
            main_wagers_named(bet["wagers"], rulebook),
            bet.get("behind", 0),
            cents_on(bet["wagers"], rulebook.action),
        )
        for bet in bets
    ]


def fix_fees(round_: Round, schedule: FeeSchedule, waivers: Iterable[Waiver] = ()) -> None:
    """Quote the fees of the wagers of `round_` by `schedule` (`001` fees 5), less what is waived. Raises FeeError.

    They are kept as in the round sheet, beside what each gives to the jackpot and what of it was waived by which rule,
    with their sums in cents and the band that set the bank's fee.
    """
    antes = antes_of(round_.bets, rulebook_with(round_.rulebook, round_.options))
    assert round_.bank_seat is not None  # a round of the floor has a bank
    waived = places_waived(waivers, round_.bets, round_.bank_seat)
    quoted = quote(schedule.schedule, antes, bank_seat=round_.bank_seat, waived=waived)
    round_.schedule, round_.schedule_version = schedule, schedule.version
    round_.fees = [fee.to_json() for fee in quoted.fees]
    round_.bank_fee_cents = sum(fee["cents"] for fee in round_.fees if fee["seat"] == round_.bank_seat)
    round_.player_fees_cents = quoted.drop_cents - round_.bank_fee_cents
    round_.jackpot_cents, round_.waived_cents = quoted.jackpot_cents, quoted.waived_cents
    round_.bank_fee_band = quoted.bank_label


def fix_settlement(round_: Round, sheet: Bets, *, takes_rake: bool = True) -> RoundResult:
    """Settle the wagers of `sheet` by the engine; keep sheet and settlement with their sums in cents.

    The settlement's fees are those that the round has: quoted by the room's filed schedule when bets closed, or a house
    rake. The rake is fixed here, for only now is it known which hands are dead and pay none (ruling 20); without
    `takes_rake` it stays as the round has it.
    """
    result = settle_wagers(sheet)
    if sheet.terms.rake is not None and takes_rake:
        round_.fees = [fee.to_json() for fee in round_fees(sheet, result.dead_hands)]
        round_.rake_cents = sum(fee["cents"] for fee in round_.fees)
    drop_cents = sum(fee["cents"] for fee in round_.fees)
    settlement = {**result.to_json(), "fees": round_.fees, "drop": drop_cents}
    round_.sheet, round_.settlement = sheet.to_json(), settlement
    round_.taken_cents = sum(line["taken"] for line in settlement["lines"])
    round_.paid_cents = sum(line["paid"] for line in settlement["lines"])
    round_.meter_cents = settlement["meter_paid"]
    round_.uncovered_cents = sum(line["uncovered"] for line in settlement["lines"])
    round_.tips_cents = settlement["tokes"]
    round_.exhausted = settlement["bank"] is not None and settlement["bank"]["exhausted"]
    return result
