"""Fees and transfers go by seat and player, never by a name: a player may be called "bank", and be renamed in a round."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Sum

from cardroom.floor.commands.rounds import bets_close, round_deal, round_settle, round_void
from cardroom.floor.commands.waivers import fee_waive
from cardroom.floor.models import Round, Transfer
from cardroom.people.models import Player
from cardroom.people.names import named
from cardroom.reports.verification.fee_audit import audit_fees
from tests.cast import BANK_HAND, HANDS, Cast
from tests.kept import kept

from .charging import WAIVING, charge


@pytest.fixture
def cast(db: None) -> Cast:
    """A table on a schedule with waivers and a jackpot, the bank at seat 3, and a player called "bank" at seat 4."""
    return kept(_cast)


def _cast() -> Cast:
    cast = Cast()
    rename(cast.players[4], "bank")
    cast.open()
    charge(cast, WAIVING)
    cast.hang_box(107, kind="jackpot")
    cast.bank_to(3)
    cast.bet({4: 1000, 5: 2000})
    return cast


def rename(player: Player, name: str) -> None:
    player.name = name
    player.save()


def fees() -> list[tuple[Any, ...]]:
    return [
        (fee["payer"], fee["seat"], fee["cents"], fee.get("waived", 0))
        for fee in named(Round.objects.get().fees)
    ]


def moved(cast: Cast, seat: int) -> dict[str, int]:
    """What transfers of the player at a seat moved, by kind."""
    of = Transfer.objects.filter(seat=seat, player=cast.players[seat])
    return dict(of.values_list("kind").order_by("kind").annotate(cents=Sum("cents")))


def settle(cast: Cast) -> dict[str, Any]:
    cast.send(round_deal)
    results = [{"seat": seat, "hand": HANDS[seat], "decision": "play"} for seat in (4, 5)]
    answer: dict[str, Any] = cast.send(round_settle, bank_hand=BANK_HAND, positions=results)["settlement"]
    return answer


@pytest.mark.postgresql
def test_a_player_called_bank_pays_the_fee_of_a_player(cast: Cast) -> None:
    cast.send(bets_close)
    assert fees() == [("bank", 4, 100, 0), ("Eve", 5, 100, 0), ("bank", 3, 100, 0)]
    round_ = Round.objects.get()
    assert (round_.player_fees_cents, round_.bank_fee_cents) == (200, 100)
    sources = Transfer.objects.filter(kind="fee").values_list("source", "seat", "player")
    assert set(sources) == {
        ("seat", 4, cast.players[4].pk),
        ("seat", 5, cast.players[5].pk),
        ("bank", 3, cast.players[3].pk),
    }
    settlement = settle(cast)
    assert set(settlement["net"]) == {"bank", "Eve"}
    assert {(line["seat"], line["player"]) for line in settlement["lines"]} == {(4, "bank"), (5, "Eve")}
    of_lines = set(Transfer.objects.filter(line__isnull=False).values_list("seat", "player"))
    assert of_lines == {(seat, cast.players[seat].pk) for seat in (4, 5)}
    assert round_.shift_id is not None
    assert audit_fees(Round.objects.all(), [round_.shift_id]).differing == 0


@pytest.mark.parametrize(
    ("rule", "seat", "due"),
    [
        ("bank_free", None, [("bank", 4, 100, 0), ("Eve", 5, 100, 0), ("bank", 3, 0, 100)]),
        ("first_hand", 4, [("bank", 4, 0, 100), ("Eve", 5, 100, 0), ("bank", 3, 100, 0)]),
    ],
    ids=["the bank's", "the player's"],
)
def test_a_waiver_of_one_of_them_leaves_the_other(
    cast: Cast, rule: str, seat: int | None, due: list[tuple[Any, ...]]
) -> None:
    of = {} if seat is None else {"seat": seat}
    cast.send(fee_waive, "floor", rule=rule, reason="slow night", **of)
    cast.send(bets_close)
    assert fees() == due


def test_a_player_who_is_renamed_in_a_round_pays_and_wins_all_the_same(cast: Cast) -> None:
    cast.send(bets_close)
    rename(cast.players[5], "Eve Marsh")
    rename(cast.players[4], "Eve")
    lines = settle(cast)["lines"]
    assert {(line["seat"], line["player"]) for line in lines} == {(4, "Eve"), (5, "Eve Marsh")}
    for seat in (4, 5):
        taken = sum(line["taken"] for line in lines if line["seat"] == seat)
        paid = sum(line["paid"] for line in lines if line["seat"] == seat)
        of = moved(cast, seat)
        assert (of["fee"], of.get("take", 0), of.get("pay", 0)) == (100, taken, paid)


def test_what_a_void_gives_back_goes_to_whom_it_came_from(cast: Cast) -> None:
    cast.send(bets_close)
    rename(cast.players[5], "Eve Marsh")
    cast.send(round_void, reason="Cards face up", approver=cast.people["floor"])
    for seat in (3, 4, 5):
        of = moved(cast, seat)
        assert of["fee_refund"] == of["fee"] == 100


def test_two_players_of_a_room_never_have_one_name(cast: Cast) -> None:
    """The sheet tells players apart by their names alone, so those of a room differ."""
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create(room=cast.room, name="Eve")
