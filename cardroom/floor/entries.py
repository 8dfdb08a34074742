"""What the journal says of a command at a table: one function a command.

What a round's row holds for good is not repeated: the entry has a digest of the row (`cardroom.core.row_digests`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardroom.people.models import Staff

from .models import Alert, Down, Offer, Round, Seating, TimeCollection, Turn, Waiver
from .places import place_as_json

JournalData = dict[str, Any]


def player_seated(sitting: Seating) -> JournalData:
    """A player sat down, or joined the back line of a seat's spot."""
    return {**place_as_json(sitting.place), "player": sitting.player_id, "name": sitting.player.name}


#: A player left: the entry says the same of the stay that ended.
player_left = player_seated


def player_moved(before: Seating, after: Seating) -> JournalData:
    """A player moved to another seat or back line of the table."""
    return {
        "player": after.player_id,
        "name": after.player.name,
        "before": before.seat,
        "after": after.seat,
        **({"before_behind": before.behind} if before.behind else {}),
        **({"after_behind": after.behind} if after.behind else {}),
    }


def down_started(before: Down | None, down: Down) -> JournalData:
    """A dealer's down began; `before` is the one that it ended."""
    return {"before": str(before.dealer) if before else None, "after": str(down.dealer)}


def down_ended(down: Down) -> JournalData:
    """A dealer's down ended, and none began."""
    return {"before": str(down.dealer), "after": None}


def offer_answered(offer: Offer, why: str, behind: Iterable[Seating]) -> JournalData:
    """A seat answered the offer of the bank; `why` is the rule's reason for asking it.

    `behind` are the bettors on the back lines, who play and are not asked: the entry names them.
    """
    player = offer.player
    not_asked = [player_seated(stay) for stay in behind]
    return {
        "seat": offer.seat,
        "player": player.pk,
        "name": player.name,
        "answer": offer.answer,
        "why": why,
        **({"not_asked": not_asked} if not_asked else {}),
    }


def turn_began(turn: Turn) -> JournalData:
    """A turn at the bank began."""
    return {
        "turn": turn.pk,
        "seat": turn.seat,
        "player": turn.player_id,
        "name": turn.player.name,
        "renewed": turn.renewed,
        "rounds_before": turn.rounds_before,
    }


def turn_ended(turn: Turn) -> JournalData:
    """A turn at the bank ended, and why."""
    return {
        "turn": turn.pk,
        "seat": turn.seat,
        "player": turn.player_id,
        "rounds": turn.rounds,
        "why": turn.ended_why,
    }


def round_opened(round_: Round) -> JournalData:
    """The bank put up its wager, and betting began."""
    return {
        "round": round_.pk,
        "gaming_day": round_.gaming_day.isoformat(),
        "number": round_.number,
        "bank": {
            "seat": round_.bank_seat,
            "player": round_.bank_player_id,
            "wager": round_.bank_wager_cents,
        },
        "recording": round_.recording,
    }


def bets_closed(round_: Round) -> JournalData:
    """Bets closed ("no more bets"): what they came to, and what they cost; each wager is in the entry that placed it."""
    return {
        "round": round_.pk,
        "gaming_day": round_.gaming_day.isoformat(),
        "number": round_.number,
        "shift": round_.shift_id,
        "bank_wager": round_.bank_wager_cents,
        "total_table_action": round_.total_table_action_cents,
        "schedule": round_.schedule_id,
        "schedule_version": round_.schedule_version,
        "player_fees": round_.player_fees_cents,
        "bank_fee": round_.bank_fee_cents,
        "jackpot": round_.jackpot_cents,
        **({} if round_.rake is None else {"rake": round_.rake._asdict()}),
        "action_seat": round_.action_seat,
    }


def round_settled(round_: Round) -> JournalData:
    """A round was settled by its cards."""
    settlement = round_.settlement
    assert settlement is not None  # a settled round has its settlement
    return {
        "round": round_.pk,
        "number": round_.number,
        "turn": round_.turn_id,
        "turn_round": round_.turn_round,
        **({"shown_card": round_.shown_card} if round_.shown_card else {}),
        "bank": settlement["bank"],
        "drop": settlement["drop"],
        "tips": settlement["tokes"],
        "uncovered": round_.uncovered_cents,
    }


def round_finished(round_: Round) -> JournalData:
    """A round was settled by eye."""
    return {
        "round": round_.pk,
        "number": round_.number,
        "turn": round_.turn_id,
        "turn_round": round_.turn_round,
    }


def fee_waived(waiver: Waiver) -> JournalData:
    """Fees of the round were waived by a published rule; the entry's reason says why."""
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
        "ordered_by": {"id": ordered_by.pk, "name": str(ordered_by)},
    }


def time_collected(collected: TimeCollection, carried: list[int]) -> JournalData:
    """Time was collected; the seats in `carried` owe on."""
    return {
        "collection": collected.pk,
        "shift": collected.shift_id,
        "schedule": collected.schedule_id,
        "schedule_version": collected.schedule_version,
        "period": collected.period,
        "fees": collected.fees,
        "cents": collected.cents,
        "carried": carried,
    }


def time_gone(fees: list[dict[str, Any]], why: str) -> JournalData:
    """Time that was owed is collected no more; `fees` are as in a collection of time."""
    return {"why": why, "fees": fees, "cents": sum(fee["cents"] for fee in fees)}


def round_voided(round_: Round, approver: Staff) -> JournalData:
    """A round was voided; the entry's reason says why."""
    return {
        "round": round_.pk,
        "number": round_.number,
        "after_deal": round_.dealt_at is not None,
        "refunded_cents": round_.refunded_cents,
        "approved_by": {"id": approver.pk, "name": str(approver)},
    }


def alert_raised(alert: Alert) -> JournalData:
    """An alert came, or came again."""
    return {
        "alert": alert.pk,
        "kind": alert.kind,
        "subject": alert.subject,
        "text": alert.text,
        "times": alert.times,
    }


def alert_over(alert: Alert) -> JournalData:
    """The condition of an alert has gone."""
    return {"alert": alert.pk, "kind": alert.kind, "subject": alert.subject}


def alert_acknowledged(alert: Alert) -> JournalData:
    """A user has seen an alert; the entry's reason is their note."""
    return {"alert": alert.pk, "kind": alert.kind, "text": alert.text}
