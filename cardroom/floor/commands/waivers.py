"""Commands that waive a fee of the round in play by a published rule, and withdraw the waiver (ruling 13).

Before "no more bets" a waiver holds for the fees that are fixed there. After it the cents go back from the drop in the
same command: the transfer of each fee is reversed, and what is left of it is dropped anew.
"""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from cardroom.core.json_types import Id, Label, Pick, Reason, Seat, Signature, Text
from cardroom.core.row_digests import rows_create
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from fees.document import PLAYER, WaiverRule
from games.phrases import Phrase, capital

from ..checks.waivers import may_be_withdrawn, why_fees_fixed, why_not_waive, why_not_withdraw_waiver
from ..errors import BadInput, NotFound, NotNow
from ..execution.carry_out import table_command
from ..execution.transactions import TableTransaction
from ..models import Round, Seating, Transfer, Waiver
from ..places import Place, place_of
from ..reads.table_state import TableState
from ..reads.undoing import WITHDRAW
from ..settling.correction_preview import current_transfers, there_then
from ..settling.fixing import fix_fees
from ..settling.ledger import Ledger
from ..settling.waiver_rules import why_rule_ends
from .command_types import Behind
from .procedures import supervisor_of
from .round_steps import live_round
from .second_person import given_reason

_Supervisor = Annotated[Staff, Signature(Right.WAIVE_FEES)]


class WaivedAnswer(TypedDict):
    """Which waiver, of which round."""

    waiver: int
    round: int
    returned_cents: Annotated[
        int, 'What went back from the drop; 0 before "no more bets", below 0 if withdrawn.'
    ]


def _rules(state: TableState) -> list[tuple[str, str]]:
    """The published rules, as a form offers them."""
    rules = () if state.schedule is None else state.schedule.waivers
    return [(rule.key, Phrase("{title}: {whose}", title=rule.title, whose=rule.whose)) for rule in rules]


def _seats(state: TableState) -> list[tuple[Any, str]]:
    """The seats that pay a fee of their own."""
    return [
        ("", Phrase("as the rule says")),
        *((place.seat, _said(place, stay)) for place, stay in _paying(state).items() if not place.behind),
    ]


def _back_lines(state: TableState) -> list[tuple[Any, str]]:
    """The places on back lines that pay a fee of their own."""
    behind = sorted({place.behind for place in _paying(state) if place.behind})
    named = {
        number: ", ".join(
            _said(place, stay) for place, stay in state.behind.items() if place.behind == number
        )
        for number in behind
    }
    return [("", Phrase("the player of the seat")), *named.items()]


def _paying(state: TableState) -> dict[Place, Seating]:
    live = state.live
    return {
        place: stay
        for place, stay in state.places.items()
        if live is not None and place.seat != live.bank_seat
    }


def _said(place: Place, stay: Seating) -> str:
    return f"Seat {place} · {stay.player}"


@table_command(
    "POST rounds/current/waivers",
    Right.RUN_ROUNDS,
    check=why_not_waive,
    title=Phrase("Waive a fee"),
    tag="Fees",
    example={"rule": "short_handed", "reason": "two players wait for a third"},
    page="waive",
    menu="more",
)
def fee_waive(
    tx: TableTransaction,
    *,
    rule: Annotated[
        str,
        Text(40),
        Label(Phrase("Published rule")),
        Pick(_rules),
        "Key of a waiver rule that the table's schedule publishes.",
    ],
    reason: Annotated[Reason, Label(Phrase("Why it is waived"))],
    seat: Annotated[
        Seat,
        Label(Phrase("Seat, for one player's fee")),
        Pick(_seats),
        "Where the rule covers one player's fee.",
    ]
    | None = None,
    behind: Annotated[
        Behind,
        Label(Phrase("On its back line")),
        Pick(_back_lines),
        "Where that player stands on the back line of `seat`.",
    ]
    | None = None,
    approver: _Supervisor | None = None,
) -> WaivedAnswer:
    """Waive fees of the round by a rule that its schedule publishes, at a supervisor's word and for a reason.

    `rule` is the rule's key; it says whose fees it covers, and how much of each. `seat` names the player where it covers
    one alone. What the fees would have been stands with the round. Before "no more bets" they are not collected; after
    it, until the round ends, they go back from the drop at once. What goes into the jackpot is never waived.
    """
    state = tx.state()
    round_, schedule, published = live_round(state), tx.table.schedule, _published(state, rule)
    assert schedule is not None  # why_not_waive has seen to it
    place = _place(state, published, seat, behind or 0)
    if why_ends := why_rule_ends(published, round_.bets):
        raise BadInput("waiver_ends", why_ends, path="rule")
    if any(
        (waiver.rule, waiver.place) == (rule, place) or (place and waiver.place == place)
        for waiver in state.waivers
    ):
        whose = f"the fee of seat {place}" if place else published.whose
        raise NotNow(
            "waived_before", Phrase("{whose} is waived in this round already.", whose=capital(whose))
        )
    supervisor = supervisor_of(tx, approver, Right.WAIVE_FEES)
    waiver = Waiver(
        room=tx.room,
        table=tx.table,
        round=round_,
        schedule=schedule,
        rule=rule,
        title=published.title,
        covers=published.covers,
        portion_cents=published.portion_cents,
        seat=seat,
        behind=0 if place is None else place.behind,
        reason=given_reason(reason, Phrase("A waiver")),
        made_at=tx.now,
        recorded_by=tx.actor,
        ordered_by=supervisor,
    )
    if round_.state == Round.State.BETS_CLOSED:
        waiver.returned_cents = _charge_again(tx, state, round_, [*state.waivers, waiver])
        if not waiver.returned_cents:
            raise NotNow(
                "nothing_to_waive",
                Phrase(
                    "By {title} no fee of this round goes back: none of them was dropped.",
                    title=published.title,
                ),
            )
    waiver.save()
    tx.journal("fee_waive", _fee_waived_data(waiver), reason=waiver.reason)
    return {"waiver": waiver.pk, "round": round_.pk, "returned_cents": waiver.returned_cents}


@table_command(
    "POST rounds/current/waivers/{waiver_id}/withdraw",
    Right.RUN_ROUNDS,
    check=why_not_withdraw_waiver,
    title="Withdraw a waiver",
    tag="Fees",
    page="waiver-off",
    done=Phrase("The waiver is withdrawn."),
)
def waiver_withdraw(tx: TableTransaction, *, waiver_id: Id) -> WaivedAnswer:
    """Withdraw a waiver: the fee is due again. It stays on record as withdrawn.

    One from before "no more bets" is withdrawn until then; one from after it until the round ends, and its fees go
    into the drop again.
    """
    state = tx.state()
    waiver = next((each for each in state.waivers if each.pk == waiver_id), None)
    if waiver is None:
        raise NotFound(
            "not_found", Phrase("The round in play has no waiver {waiver_id}.", waiver_id=waiver_id)
        )
    if not may_be_withdrawn(waiver, state):
        raise NotNow.because(why_fees_fixed(state))
    returned_cents = withdraw(tx, state, waiver)
    tx.journal(
        WITHDRAW,
        {
            "waiver": waiver.pk,
            "round": waiver.round_id,
            "rule": waiver.rule,
            **({"returned": returned_cents} if returned_cents else {}),
        },
    )
    return {"waiver": waiver.pk, "round": waiver.round_id, "returned_cents": returned_cents}


def withdraw(tx: TableTransaction, state: TableState, waiver: Waiver) -> int:
    """Mark a waiver as withdrawn; who calls it writes the entry in the journal.

    Where its cents had gone back they go into the drop again; returns them as an amount below 0.
    """
    waiver.withdrawn_at, waiver.withdrawn_by = max(tx.now, waiver.made_at), tx.actor
    waiver.save(update_fields=["withdrawn_at", "withdrawn_by"])
    if not waiver.returned_cents:
        return 0
    return _charge_again(
        tx, state, live_round(state), [each for each in state.waivers if each.pk != waiver.pk]
    )


def _charge_again(tx: TableTransaction, state: TableState, round_: Round, waivers: list[Waiver]) -> int:
    """Fix the fees of a round anew by `waivers`, and move what differs; return the cents that went back from the drop."""
    schedule, shift_id = round_.schedule, round_.shift_id
    assert schedule is not None  # bets that were closed have both
    assert shift_id is not None
    before, waived_before = {place_of(fee): fee for fee in round_.fees}, round_.waived_cents
    fix_fees(round_, schedule, waivers)
    changed = [fee for fee in round_.fees if fee != before[place_of(fee)]]
    ledger = Ledger(round_, shift_id, there_then(round_), tx.now, state.boxes)
    moved = current_transfers(round_)
    ledger.reverse(
        _transfer_of(before[place_of(fee)], moved, ledger)
        for fee in changed
        if before[place_of(fee)]["cents"]
    )
    ledger.fees([{**fee, "jackpot": 0} for fee in changed])  # what went into the jackpot's box stays there
    rows_create(ledger.rows)
    round_.save()
    return round_.waived_cents - waived_before


def _transfer_of(fee: dict[str, Any], moved: list[Transfer], ledger: Ledger) -> Transfer:
    """The transfer by which a fee was dropped; several bettors on one spot share its seat, and are told apart by who they are."""
    place = place_of(fee)
    stay = ledger.there.get(place)
    dropped = [
        each
        for each in moved
        if (each.kind, each.seat, each.cents) == (Transfer.Kind.FEE, place.seat, fee["cents"])
    ]
    mine = [each for each in dropped if stay is not None and each.player_id == stay.player_id]
    return (mine or dropped)[0]


def _published(state: TableState, key: str) -> WaiverRule:
    assert state.schedule is not None  # why_not_waive has seen to it
    rule = state.schedule.waiver(key)
    if rule is None:
        known = ", ".join(each.key for each in state.schedule.waivers)
        raise BadInput(
            "unknown_waiver",
            Phrase(
                "{title} publishes no waiver {key}. A waiver rests on a published rule: {known}.",
                title=state.schedule.title,
                key=f"{key!r}",
                known=known,
            ),
            path="rule",
        )
    return rule


def _place(state: TableState, rule: WaiverRule, seat: int | None, behind: int) -> Place | None:
    """The place of the player whose fee is waived: there is a player there, who does not bank.

    A rule of one player's fee names it; no other rule does.
    """
    if rule.covers != PLAYER:
        if seat is not None:
            raise BadInput(
                "bad_seat",
                Phrase("{title} covers {whose}; it names no seat.", title=rule.title, whose=rule.whose),
                path="seat",
            )
        return None
    if seat is None:
        raise BadInput(
            "seat_required",
            Phrase("{title} covers one player's fee: name the seat.", title=rule.title),
            path="seat",
        )
    place = Place(seat, behind)
    if place not in state.places or seat == live_round(state).bank_seat:
        raise BadInput(
            "bad_seat",
            Phrase("No player with a fee of their own stands at seat {place}.", place=place)
            if behind
            else Phrase("No player with a fee of their own sits at seat {place}.", place=place),
            path="behind" if behind else "seat",
        )
    return place


def _fee_waived_data(waiver: Waiver) -> dict[str, Any]:
    """Fees of the round were waived by a published rule, and went back from the drop if it held them; the reason says why."""
    ordered_by = waiver.ordered_by
    return {
        "waiver": waiver.pk,
        "round": waiver.round_id,
        "schedule": waiver.schedule_id,
        "rule": waiver.rule,
        "title": waiver.title,
        "whose": waiver.whose,
        "seat": waiver.seat,
        **({"behind": waiver.behind} if waiver.behind else {}),
        **({"portion": waiver.portion_cents} if waiver.portion_cents is not None else {}),
        **({"returned": waiver.returned_cents} if waiver.returned_cents else {}),
        "ordered_by": {"id": ordered_by.pk, "name": str(ordered_by)},
    }
