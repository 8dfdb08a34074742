"""A table of Three Card Poker that plays a room's own approval: seats, wagers, paytables, the bank's least wager, a back line."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from cardroom.filings import services
from cardroom.filings.errors import FilingError
from cardroom.filings.models import GameFiling
from cardroom.floor.commands.bank import offer_answer
from cardroom.floor.commands.filings import games
from cardroom.floor.commands.rounds import (
    bank_wager_set,
    bets_close,
    bets_place,
    round_deal,
    round_open,
    round_settle,
)
from cardroom.floor.commands.seats import back_line_join, player_seat
from cardroom.floor.commands.tables import table_set
from cardroom.floor.errors import FloorError
from cardroom.floor.models import Round, Shift
from cardroom.people.models import Player
from cardroom.people.names import named
from cardroom.reports.verification.fee_audit import audit_fees
from cardroom.reports.verification.verify import Checked, rounds_again
from cardroom.web.table.round_totals import totals_typed
from tests.cast import BANK_HAND, HANDS, Cast
from tests.fees.documents import band, player, wager_band, with_lines
from tests.filing import SINCE, filed_game, schedule_draft, table_settings, wide_limits
from tests.floor.charging import WAIVING, filed
from tests.reports.commands import as_superuser

APPROVAL: dict[str, Any] = {
    "number": "GEGR-004861",
    "title": "Three Card Poker",
    "seats": 8,
    "wagers": {"six_card_bonus": {"offered": False}},
    "positions": {"back_line": 1},
    "bank": {"least_cents": 10_000},
    "pair_plus_tables": [
        {"odds": {"straight_flush": 40, "three_of_a_kind": 30, "straight": 6, "flush": 4, "pair": 2}}
    ],
    "ante_bonus_tables": [{"odds": {"straight_flush": 5, "three_of_a_kind": 4, "straight": 1}}],
    "sources": {
        "seats": "2", "wagers.six_card_bonus.offered": "1", "positions.back_line": "2.1", "bank.least_cents": "5",
        "pair_plus_tables": "7", "ante_bonus_tables": "8",
    },
}  # fmt: skip


@pytest.fixture
def approved(cast: Cast) -> Cast:
    """A table that plays it: the bank at seat 3, players at 1 to 7, and one at seat 8."""
    cast.open(options={"approval": APPROVAL})
    cast.send(player_seat, seat=8, player_id=Player.objects.create(room=cast.room, name="Uma").pk)
    cast.send(offer_answer, seat=cast.state().step.seat, answer="accepted")
    return cast


def refused(cast: Cast, command: Any, **arguments: Any) -> tuple[str, str]:
    with pytest.raises(FloorError) as raised:
        cast.send(command, **arguments)
    return raised.value.code, raised.value.path


def test_a_bank_puts_up_no_less_than_the_approval_asks(approved: Cast) -> None:
    """Ruling 54."""
    assert refused(approved, round_open, bank_wager_cents=9_999) == ("bank_below_least", "bank_wager_cents")
    approved.send(round_open, bank_wager_cents=10_000)
    assert refused(approved, bank_wager_set, bank_wager_cents=1) == ("bank_below_least", "bank_wager_cents")


def test_a_round_is_settled_by_the_approval_and_stands_when_it_is_settled_again(approved: Cast) -> None:
    bank = approved.state().step.seat
    assert bank == 1
    behind = Player.objects.create(room=approved.room, name="Vic")
    approved.send(back_line_join, seat=2, player_id=behind.pk)
    approved.send(round_open, bank_wager_cents=100_000)
    approved.send(
        bets_place,
        positions=[
            {"seat": 2, "wagers": {"ante": 1000, "pair_plus": 500}},
            {"seat": 2, "behind": 1, "wagers": {"ante": 500}},
            {"seat": 8, "wagers": {"ante": 1000}},
        ],
    )
    approved.send(bets_close)
    approved.send(round_deal)
    nines, straight = HANDS[2], "8c 9d Th"
    approved.send(
        round_settle,
        hands={"bank_hand": BANK_HAND},
        positions=[
            {"seat": 2, "hand": nines, "decision": "play"},
            {"seat": 2, "behind": 1, "hand": nines, "decision": "play"},
            {"seat": 8, "hand": straight, "decision": "play"},
        ],
    )
    settled = Round.objects.get(state=Round.State.SETTLED).settlement
    assert settled is not None
    paid = {
        (line["player"], line["wager"]): (line["paid"], line["clause"]) for line in named(settled["lines"])
    }
    # A pair of nines pays 2 to 1 by the approval's table, and the straight its ante bonus of 1 to 1.
    assert paid[("Bo", "pair_plus")] == (1000, "GEGR-004861:7")
    assert paid[("Uma", "ante_bonus")] == (1000, "GEGR-004861:8")
    assert paid[("Vic", "ante")] == paid[("Vic", "play")] == (500, "california:winners.2.a")
    assert ("Bo", "ante_bonus") not in paid
    assert not list(rounds_again(Checked()))


def test_a_wager_that_the_approval_leaves_out_is_refused(approved: Cast) -> None:
    approved.send(round_open, bank_wager_cents=20_000)
    bet = {"seat": 2, "wagers": {"ante": 1000, "six_card_bonus": 100}}
    assert refused(approved, bets_place, positions=[bet]) == (
        "wager_not_offered",
        "positions[0].wagers.six_card_bonus",
    )


def test_a_wager_that_counts_toward_table_action_by_the_approval_sets_the_fee_of_the_bank(
    cast: Cast,
) -> None:
    """$60 and $50 beside it are $110: the bank pays $2 and not $1, and audit and report find the same."""
    counted = {"wagers": {"pair_plus": {"action": True}}, "sources": {"wagers.pair_plus.action": "3, page 3"}}
    options = {"approval": {"number": "GEGR-004861", **counted}}
    cast.open(options=options)
    charged = table_settings(cast.room, options=options, schedule_id=filed(cast, WAIVING).pk)
    cast.send(table_set, "floor", **charged)
    cast.hang_box(107, kind="jackpot")
    cast.bank_to(3)
    wagers = {4: {"ante": 6000, "pair_plus": 5000}}
    cast.send(round_open, bank_wager_cents=100_000)
    cast.send(bets_place, positions=[{"seat": seat, "wagers": each} for seat, each in wagers.items()])
    typed = totals_typed(cast.state(), cast.state().live.bets)
    assert (typed.action_cents, typed.main_cents, typed.bank_fee_cents) == (11_000, 6000, 200)
    cast.send(bets_close)
    cast.send(round_deal)
    positions = [{"seat": seat, "hand": HANDS[seat], "decision": "play"} for seat in wagers]
    cast.send(round_settle, bank_hand=BANK_HAND, positions=positions)
    made = Round.objects.get()
    assert (made.total_table_action_cents, made.player_fees_cents, made.bank_fee_cents) == (11_000, 100, 200)
    assert made.settlement is not None and made.settlement["total_table_action"] == 11_000
    assert not list(rounds_again(Checked()))
    assert made.shift_id is not None
    assert audit_fees(Round.objects.all(), [made.shift_id]).differing == 0
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_round SET total_table_action_cents = 6000")
    assert audit_fees(Round.objects.all(), [made.shift_id]).differing == 1


def draft_of(cast: Cast, **approval: Any) -> GameFiling:
    made = cast.send_room(
        games.draft,
        "compliance",
        number=9,
        rulebook="california",
        options={"approval": {**APPROVAL, **approval}},
    )
    return GameFiling.objects.get(pk=made["game"])


def test_an_approval_is_filed_under_its_own_number(cast: Cast) -> None:
    draft = draft_of(cast)
    assert draft.state_reference == "GEGR-004861"
    given = {
        "game_id": draft.pk,
        "digest": draft.digest,
        "effective_from": datetime.date(2027, 1, 1),
        "approver": cast.people["room_manager"],
    }
    with pytest.raises(FloorError) as raised:
        cast.send_room(games.file, "compliance", **given, state_reference="GEGR-1")
    assert (raised.value.code, raised.value.path) == ("approval_number", "options.approval.number")
    cast.send_room(games.file, "compliance", **given, state_reference="GEGR-004861")
    draft.refresh_from_db()
    assert draft.status == GameFiling.Status.FILED


def test_a_draft_may_lack_a_clause_and_what_is_filed_may_not(cast: Cast) -> None:
    sources = {key: text for key, text in APPROVAL["sources"].items() if key != "seats"}
    draft = draft_of(cast, sources=sources)
    with pytest.raises(FloorError) as raised:
        cast.send_room(
            games.file,
            "compliance",
            game_id=draft.pk,
            digest=draft.digest,
            effective_from=datetime.date(2027, 1, 1),
            state_reference="GEGR-004861",
            approver=cast.people["room_manager"],
        )
    assert (raised.value.code, raised.value.path) == ("clause_missing", "options.approval.sources.seats")


@pytest.mark.parametrize(
    ("says", "code", "path"),
    [
        ({"seats": 40}, "bad_term", "options.approval.seats"),
        ({"chairs": 4}, "unknown_term", "options.approval.chairs"),
    ],
)
def test_what_no_approval_may_say_is_not_even_drafted(cast: Cast, says: Any, code: str, path: str) -> None:
    with pytest.raises(FloorError) as raised:
        draft_of(cast, **says)
    assert (raised.value.code, raised.value.path) == (code, path)
    assert not GameFiling.objects.filter(number=9).exists()


def test_a_wager_that_the_approval_lets_bear_a_fee_is_charged_by_its_size_and_computes_again(
    cast: Cast,
) -> None:
    """50 cents of a Pair Plus of $1 to $5, $1 up to $25; under California's own document none comes of it (fees 4)."""
    bearing = {"wagers": {"pair_plus": {"fee": True}}, "sources": {"wagers.pair_plus.fee": "9"}}
    options = {"approval": {"number": "GEGR-004861", **bearing}}
    document = with_lines(
        player(100),
        wager_band("pair_plus", 100, 500, 50),
        wager_band("pair_plus", 600, 2500, 100),
        band(500, None, 200),
    )
    by, said = cast.people["room_manager"], {"room": cast.room, "number": 60, "document": document}
    with pytest.raises(FilingError, match=r"wagers\.pair_plus\.fee"):
        schedule_draft(**said, by=by)
    game = filed_game(cast.room, options=options, reference="GEGR-004861")
    drafted = schedule_draft(**said, by=by, games=[game.number])
    assert drafted.layout is game.book
    schedule = services.file(drafted, by=by, effective_from=SINCE, state_reference="fees")
    cast.open(options=options, schedule=None)
    limits = {"pair_plus": [100, 2500]}
    cast.send(
        table_set,
        "floor",
        game_id=game.pk,
        schedule_id=schedule.pk,
        wager_limits={**wide_limits(game), **limits},
    )
    cast.bank_to(3)
    cast.send(round_open, bank_wager_cents=100_000)
    wagers = {1: {"ante": 1000}, 4: {"ante": 1000, "pair_plus": 500}, 5: {"ante": 1000, "pair_plus": 2500}}
    cast.send(bets_place, positions=[{"seat": seat, "wagers": each} for seat, each in wagers.items()])
    cast.send(bets_close)
    assert [(fee["seat"], fee["cents"]) for fee in Round.objects.get().fees] == [
        (1, 100),
        (4, 150),
        (5, 200),
        (3, 200),
    ]
    audited = audit_fees(Round.objects.all(), Shift.objects.values_list("pk", flat=True))
    assert (audited.rounds, audited.differing) == (1, 0)
