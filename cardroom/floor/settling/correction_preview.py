"""Dry run of a round's correction: the settlement it would come to, and the cents it moves. Nothing is written.

A correction mends the record: wagers that were entered wrongly, cards, decisions, tips on play, the bank's wager and
where settling started. Who sat where, who banked, and what the table was set to are what they were.
"""

from __future__ import annotations

import dataclasses
import enum
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from cardroom.core.json_types import MOST_CENTS
from fees.errors import FeeError
from games.ran_out import laid_at, read_ran_out
from games.registry import game_of
from games.round_fees import round_fees

from ..boxes import boxes_hung
from ..errors import BadInput
from ..models import DropBox, Round, Seating, Transfer
from ..places import Place, place_as_json, place_of
from .by_eye import fix_ran_out, ran_out_read
from .fixing import fix_action, fix_fees, fix_settlement
from .ledger import Ledger
from .sheets import action_seat_checked, bets_read, card_named, sheet_with_cards
from .waiver_rules import current_waivers

_ACCOUNT = Transfer.Account
#: What moves when fees are dropped.
_FEES = (Transfer.Kind.FEE, Transfer.Kind.JACKPOT, Transfer.Kind.RAKE)

#: The columns that a correction takes from the round it corrects as they are.
_KEPT = (
    *("room_id", "table_id", "gaming_day", "number", "state", "source", "recording", "dealer_id", "turn_id"),
    *(
        "turn_round",
        "bank_seat",
        "bank_player_id",
        "game_id",
        "rulebook",
        "options",
        "rotation",
        "schedule_id",
    ),
    *("schedule_version", "fees", "opened_at", "bets_closed_at", "dealt_at", "ended_at"),
    *("player_fees_cents", "bank_fee_cents", "bank_fee_band", "waived_cents", "jackpot_cents"),
    "rake_cents",
)


class Drop(enum.StrEnum):
    """What lay in the drop box for the round: the box is never opened to mend a record."""

    AS_RECORDED = "as_recorded"
    AS_DUE = "as_due"


@dataclasses.dataclass(frozen=True)
class Moved:
    """What a correction moves for one account, in cents: above 0 it gets more than before, below 0 it gives back.

    `account` is one of `Transfer.Account`; `seat`, `behind` and `player` say whose, where it is a bettor's or the bank's.
    """

    account: str
    seat: int | None
    player: str
    cents: int
    behind: int = 0

    @property
    def place(self) -> Place | None:
        """Whose place it is, where it is a bettor's or the bank's."""
        return None if self.seat is None else Place(self.seat, self.behind)

    def to_json(self) -> dict[str, Any]:
        """The same as plain data; `behind` is left out for the player of the seat."""
        plain = dataclasses.asdict(self)
        if not self.behind:
            del plain["behind"]
        return plain


@dataclasses.dataclass(frozen=True)
class Correction:
    """A correction as it would be made.

    `round` is its row, not yet saved; `undone` are the transfers that it takes back and `rows` those that it makes
    instead, in the `boxes` that hung for the round: what lay in them is mended, and no box that hangs now is opened.
    `fees_due_cents` is what the wagers as corrected would have cost, None where the schedule has no fee for
    them; `drop_cents` is what the record says of the drop afterwards, and the jackpot's own box goes with it.
    """

    round: Round
    undone: list[Transfer]
    rows: list[Transfer]
    boxes: list[DropBox]
    moved: list[Moved]
    fees_due_cents: int | None

    @property
    def drop_cents(self) -> int:
        return self.round.drop_cents

    @property
    def drop_differs(self) -> bool:
        """Whether another drop would have been due than the one that the record shows."""
        return self.fees_due_cents != self.drop_cents


def there_then(round_: Round) -> dict[Place, Seating]:
    """Return who sat at each seat, and who stood on its back line, when bets of `round_` closed; if they never did, as it ended."""
    at = round_.bets_closed_at or round_.ended_at
    there = Seating.objects.filter(table_id=round_.table_id)
    if at is not None:
        there = there.filter(Q(left_at__isnull=True) | Q(left_at__gt=at), seated_at__lte=at)
    else:
        there = there.filter(left_at__isnull=True)
    sitting = there.select_related("player").order_by("seat", "behind", "id")
    return {seating.place: seating for seating in sitting}


def places_by_player(there: Mapping[Place, Seating]) -> dict[tuple[int, int], Place]:
    """Return the place of each player who was there, by seat and the player's id: a transfer has these two."""
    return {(place.seat, stay.player_id): place for place, stay in there.items()}


def current_transfers(round_: Round) -> list[Transfer]:
    """Return what moved in a round and was not taken back, by any of its revisions."""
    of_round = {
        f"round__{column}": getattr(round_, column) for column in ("table_id", "gaming_day", "number")
    }
    return list(Transfer.objects.filter(**of_round, reverses__isnull=True, reversals__isnull=True))


def correction_computed(
    old: Round,
    *,
    bank_wager_cents: int | None,
    action_seat: int | None,
    hands: Mapping[str, str],
    positions: list[dict[str, Any]],
    drop: str,
    shown_card: str | None = None,
    ran_out: Mapping[str, Any] | None = None,
    covered_all: bool = False,
) -> Correction:
    """Work out the correction of `old`, a settled round.

    `positions` is one `{"seat", "behind", "wagers", "tips", "hand", "decision"}` for each position that was in play,
    cents as in the round sheet, `hands` those of the table by key; a round settled by eye has no hands. `shown_card` is
    the card that the bank showed: None as it is on record, empty where none was recorded; `ran_out` is where the bank of a
    round settled by eye ran out, None as it is on record, `covered_all` that it did not. Raises BadInput for what the
    rules refuse, for a seat at which no player sat, and where nothing differs from the record.
    """
    there = there_then(old)
    new = Round(**{column: getattr(old, column) for column in _KEPT})
    new.revision, new.corrects = old.revision + 1, old
    new.bank_wager_cents, new.action_seat = bank_wager_cents, action_seat
    new.shown_card = (
        old.shown_card if shown_card is None else shown_card and card_named(shown_card, "shown_card")
    )
    if new.shown_card and (old.by_eye or not game_of(old.rulebook).deal(old.terms).shown):
        raise BadInput("no_card_up", "No card of the bank was shown in this round.", path="shown_card")
    late = old.terms.late_tips
    new.bets = _bets(old, there, positions)
    action_seat_checked(new)
    bets_read(new, new.bets)
    fix_action(new)
    fees_due_cents = _fees_due(new, drop)
    if not old.by_eye:
        results = [
            {
                **place_as_json(place_of(position)),
                "hand": position.get("hand"),
                "decision": position.get("decision"),
                "tips": {spot: cents for spot, cents in _tips(position).items() if spot in late},
            }
            for position in positions
            if position["wagers"]
        ]
        sheet = sheet_with_cards(new, hands, results)
        result = fix_settlement(new, sheet, takes_rake=drop == Drop.AS_DUE)
        if new.rake is not None:
            fees_due_cents = sum(fee.cents for fee in round_fees(sheet, result.dead_hands))
    else:
        placed = {place_of(bet) for bet in new.bets}
        new.later_bets = [bet for bet in old.later_bets if place_of(bet) in placed]
        said = None if old.ran_out is None or covered_all else read_ran_out(old.ran_out)
        if ran_out is not None:
            said = ran_out_read(new, ran_out)
        elif said is not None and not laid_at(new.laid_in_order, said):
            what = "The bank ran out at a wager that the correction takes away: say where it ran out, or that it covered all."
            raise BadInput("ran_out_elsewhere", what, path="ran_out")
        fix_ran_out(new, said)
    if _content(new) == _content(old):
        raise BadInput("nothing_corrected", "Nothing differs from the round as it is on record.")
    undone = current_transfers(old)
    boxes = _boxes(old, undone)
    ledger = Ledger(new, 0, there, old.opened_at, boxes)
    if new.settlement is not None:
        for line in new.settlement["lines"]:
            ledger.line(line)
    if new.fees == old.fees:
        undone = [transfer for transfer in undone if transfer.kind not in _FEES]
    else:
        ledger.fees(new.fees)
    return Correction(
        new, undone, ledger.rows, boxes, _moved(new, undone, ledger.rows, there), fees_due_cents
    )


def _boxes(old: Round, moved: Iterable[Transfer]) -> list[DropBox]:
    """The boxes that the fees of a round went into; of a kind that it gave nothing to, the one that hung as bets closed."""
    named = {transfer.box_id for transfer in moved if transfer.box_id is not None}
    found = {box.kind: box for box in DropBox.objects.filter(pk__in=named)}
    given = {transfer.target for transfer in moved if transfer.kind in _FEES}
    if old.bets_closed_at is not None:
        for box in boxes_hung(old.table_id, old.bets_closed_at):
            if box.kind not in given:
                found[box.kind] = box
    return list(found.values())


def _bets(
    old: Round, there: Mapping[Place, Seating], positions: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The wagers as they lay at "no more bets", place by place; a seat without any sat out."""
    named, late = {place_of(bet): bet["player"] for bet in old.bets}, old.terms.late_tips
    bets: dict[Place, dict[str, Any]] = {}
    for index, position in enumerate(positions):
        place = place_of(position)
        if place not in there:
            who = "stood" if place.behind else "sat"
            raise BadInput(
                "seat_empty", f"Nobody {who} at seat {place} in this round.", path=f"positions[{index}].seat"
            )
        if place in bets:
            raise BadInput("bad_seat", f"Seat {place} is listed twice.", path=f"positions[{index}].seat")
        for kind, amounts in (("wagers", position["wagers"]), ("tips", _tips(position))):
            for spot, cents in amounts.items():
                if isinstance(cents, int) and cents > MOST_CENTS:
                    here = f"positions[{index}].{kind}.{spot}"
                    raise BadInput("bad_amount", "No wager is that large.", path=here)
        bets[place] = {
            **place_as_json(place),
            # As the record has them: one player may be merged into another since.
            "player": named.get(place, there[place].player.ref),
            "wagers": dict(position["wagers"]),
            "tips": {spot: cents for spot, cents in _tips(position).items() if spot not in late},
        }
    order = {place: number for number, place in enumerate(named)}  # on one spot, as it was settled
    settled = sorted(bets, key=lambda place: (place.seat, order.get(place, len(order)), place))
    return [bets[place] for place in settled if bets[place]["wagers"] or bets[place]["tips"]]


def _tips(position: dict[str, Any]) -> dict[str, int]:
    return dict(position.get("tips") or {})


def _fees_due(new: Round, drop: str) -> int | None:
    """What the corrected wagers would have cost in cents; with `drop` as due, it becomes what the record says."""
    if new.schedule is None:
        return 0
    due = Round(rulebook=new.rulebook, options=new.options, bets=new.bets, bank_seat=new.bank_seat)
    try:
        fix_fees(due, new.schedule, current_waivers(new))
    except FeeError as error:
        if drop == Drop.AS_DUE:
            raise BadInput(error.code, error.message, path="drop") from error
        return None
    if drop == Drop.AS_DUE:
        new.fees, new.bank_fee_band = due.fees, due.bank_fee_band
        new.player_fees_cents, new.bank_fee_cents = due.player_fees_cents, due.bank_fee_cents
        new.waived_cents, new.jackpot_cents = due.waived_cents, due.jackpot_cents
    return due.player_fees_cents + due.bank_fee_cents


def _content(round_: Round) -> tuple[Any, ...]:
    """Everything that a correction may change."""
    bets = {place_of(bet): (bet["wagers"], bet.get("tips") or {}) for bet in round_.bets}
    return (
        *(round_.bank_wager_cents, round_.action_seat, bets, round_.sheet, round_.fees),
        *(round_.shown_card, round_.later_bets, round_.ran_out),
    )


def _moved(
    round_: Round, undone: Iterable[Transfer], rows: Iterable[Transfer], there: Mapping[Place, Seating]
) -> list[Moved]:
    """Sum up what moves for each account: places in their order, then the bank, the tray, the meter and the boxes."""
    at = places_by_player(there)
    sums: defaultdict[tuple[str, Place | None], int] = defaultdict(int)
    for sign, transfers in ((-1, undone), (1, rows)):
        for transfer in transfers:
            for account, cents in ((transfer.target, transfer.cents), (transfer.source, -transfer.cents)):
                place = None
                if account == _ACCOUNT.SEAT and transfer.seat is not None:
                    place = at.get((transfer.seat, transfer.player_id or 0), Place(transfer.seat))
                sums[account, place] += sign * cents
    order: list[str] = [
        *(_ACCOUNT.SEAT, _ACCOUNT.BANK, _ACCOUNT.TRAY, _ACCOUNT.METER),
        *(_ACCOUNT.TIPS, _ACCOUNT.DROP, _ACCOUNT.JACKPOT),
    ]
    moved = []
    for (account, place), cents in sorted(
        sums.items(), key=lambda each: (order.index(each[0][0]), each[0][1] or Place(0))
    ):
        if cents:
            at_bank = account == _ACCOUNT.BANK and round_.bank_seat is not None
            whose = Place(round_.bank_seat or 0) if at_bank else place
            stay = None if whose is None else there.get(whose)
            moved.append(
                Moved(
                    account=str(account),
                    seat=None if whose is None else whose.seat,
                    behind=0 if whose is None else whose.behind,
                    player="" if stay is None else stay.player.known_as,
                    cents=cents,
                )
            )
    return moved
