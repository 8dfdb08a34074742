"""Waivers: a fee of the round let go by a published rule, before it is fixed or after; and the jackpot's own box beside it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Sum

from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_void
from cardroom.floor.commands.undo import bets_reopen, undo
from cardroom.floor.commands.waivers import fee_waive, waiver_withdraw
from cardroom.floor.errors import BadInput, Forbidden, NotFound, NotNow
from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import JournalEntry, Round, Transfer, Waiver
from cardroom.floor.reads.prompts import prompts_of
from cardroom.floor.reads.table_state import read_table
from cardroom.people.models import Staff
from cardroom.reports.verification.fee_audit import audit_fees
from tests.cast import BANK_HAND, HANDS, Cast, running_cast, table_7
from tests.kept import kept
from tests.reports.commands import of_table, report
from tests.reports.played_shift import drawn, rows

from .charging import WAIVING, charge, live


@pytest.fixture
def cast(db: None) -> Cast:
    """The running table on a schedule that publishes waivers, with betting open on seats 4 and 5."""
    return kept(_cast)


def _cast() -> Cast:
    cast = Cast().running()
    charge(cast, WAIVING)
    cast.hang_box(107, kind="jackpot")
    cast.bet({4: 1000, 5: 2000})
    return cast


def waive(cast: Cast, rule: str, by: str | Staff = "floor", **more: Any) -> dict[str, Any]:
    return cast.send(fee_waive, by, **{"rule": rule, "reason": "slow night", **more})


def moved(target: str) -> int:
    return Transfer.objects.filter(target=target).aggregate(cents=Sum("cents"))["cents"] or 0


def fees() -> dict[int, tuple[int, int, str]]:
    return {fee["seat"]: (fee["cents"], fee.get("waived", 0), fee.get("waiver", "")) for fee in live().fees}


def test_a_waived_round_drops_nothing_and_keeps_on_record_what_would_have_been_due(cast: Cast) -> None:
    waive(cast, "short_handed")
    cast.send(bets_close)
    assert fees() == {
        3: (0, 100, "short_handed"),
        4: (0, 100, "short_handed"),
        5: (0, 100, "short_handed"),
    }
    round_ = live()
    assert (round_.player_fees_cents, round_.bank_fee_cents, round_.waived_cents) == (0, 0, 300)
    assert moved("drop") == 0
    assert (round_.jackpot_cents, moved("jackpot")) == (100, 100), "the jackpot is the players' own money"


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("rule", "seat", "due"),
    [("first_hand", 5, {3: 100, 4: 100, 5: 0}), ("bank_free", None, {3: 0, 4: 100, 5: 100})],
)
def test_a_rule_covers_whom_it_names_and_nobody_else(
    cast: Cast, rule: str, seat: int | None, due: dict[int, int]
) -> None:
    waive(cast, rule, seat=seat)
    cast.send(bets_close)
    assert {at: cents for at, (cents, _, _) in fees().items()} == due
    assert moved("drop") == 200


def test_a_waiver_names_its_rule_its_people_and_why(cast: Cast) -> None:
    waive(cast, "first_hand", "dealer", seat=4, approver=cast.people["floor"])
    made = Waiver.objects.get()
    assert (made.rule, made.title, made.covers, made.seat, made.reason) == (
        "first_hand",
        "First hand",
        "player",
        4,
        "slow night",
    )
    assert (made.recorded_by, made.ordered_by) == (cast.people["dealer"], cast.people["floor"])
    entry = JournalEntry.objects.get(command="fee_waive")
    assert (entry.reason, entry.data["rule"], entry.data["ordered_by"]["id"]) == (
        "slow night",
        "first_hand",
        cast.people["floor"].pk,
    )
    text = [prompt.text for prompt in prompts_of(read_table(table_7())) if prompt.kind == "waived"]
    assert text == ["Waived by Floor: the fee of seat 4 (First hand: slow night)."]


def test_a_dealer_alone_waives_nothing_and_an_outsider_learns_nothing(cast: Cast) -> None:
    with pytest.raises(Forbidden, match="waive a fee") as refused:
        waive(cast, "bank_free", "dealer")
    assert refused.value.code == "supervisor_required"
    with pytest.raises(Forbidden, match="waive a fee"):
        waive(cast, "bank_free", "dealer", approver=cast.people["compliance"])
    with pytest.raises(NotFound):
        waive(cast, "bank_free", "rival_floor")
    assert not Waiver.objects.exists()


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"rule": "because_i_say_so"}, "unknown_waiver"),
        ({"rule": "first_hand"}, "seat_required"),
        ({"rule": "first_hand", "seat": 3}, "bad_seat"),
        ({"rule": "first_hand", "seat": 20}, "bad_seat"),
        ({"rule": "bank_free", "seat": 4}, "bad_seat"),
        ({"rule": "bank_free", "reason": "  "}, "reason_required"),
    ],
)
def test_a_waiver_that_no_published_rule_bears_is_refused(
    cast: Cast, fields: dict[str, Any], code: str
) -> None:
    before = JournalEntry.objects.count()
    with pytest.raises(BadInput) as refused:
        cast.send(fee_waive, "floor", **{"reason": "slow night", **fields})
    assert refused.value.code == code
    assert (Waiver.objects.count(), JournalEntry.objects.count()) == (0, before)


class TestAfterNoMoreBets:
    """Fees that were dropped already go back from the drop in the same command (Penal Code 337j(f))."""

    @pytest.mark.postgresql
    def test_the_players_dollars_go_back_to_their_seats_after_the_deal(self, cast: Cast) -> None:
        cast.send(bets_close)
        cast.send(round_deal)
        assert moved("drop") == 300
        answer = waive(cast, "promotion")
        assert answer["returned_cents"] == 200
        assert fees() == {3: (100, 0, ""), 4: (0, 100, "promotion"), 5: (0, 100, "promotion")}
        round_ = live()
        assert (round_.player_fees_cents, round_.bank_fee_cents, round_.waived_cents) == (0, 100, 200)
        assert back() == [("seat", 4, 100), ("seat", 5, 100)]
        assert balance("drop") == 100
        assert balance("jackpot") == 100, "the jackpot is the players' own money"
        assert list(chain_breaks(table_7())) == []
        entry = JournalEntry.objects.get(command="fee_waive")
        assert (entry.data["rule"], entry.data["returned"]) == ("promotion", 200)

    def test_half_a_dollar_of_the_banks_dollar_goes_back_and_half_stays(self, cast: Cast) -> None:
        cast.send(bets_close)
        waive(cast, "half")
        assert fees()[3] == (50, 50, "half")
        assert (live().bank_fee_cents, live().waived_cents, balance("drop")) == (50, 50, 250)
        made = Waiver.objects.get()
        assert (made.portion_cents, made.returned_cents) == (50, 50)
        assert made.whose == "$0.50 of the player-dealer's fee"

    def test_the_table_says_to_whom_what_goes_back_until_the_round_ends(self, cast: Cast) -> None:
        cast.send(bets_close)
        cast.send(round_deal)
        waive(cast, "short_handed")
        (text,) = [prompt.text for prompt in prompts_of(read_table(table_7())) if prompt.kind == "waived"]
        assert text == (
            "Waived by Floor: all fees of the round (Short-handed: slow night). Return from the drop box: "
            "$1 to seat 4, $1 to seat 5, $1 to the player-dealer."
        )
        cast.settle({4: 1000, 5: 2000})
        assert [prompt for prompt in prompts_of(read_table(table_7())) if prompt.kind == "waived"] == []

    def test_an_undo_drops_the_cents_again(self, cast: Cast) -> None:
        cast.send(bets_close)
        cast.send(round_deal)
        waive(cast, "first_hand", seat=4)
        assert balance("drop") == 200
        assert cast.send(undo)["undone"] == "the waiver (First hand)"
        assert (balance("drop"), live().waived_cents, live().player_fees_cents) == (300, 0, 200)
        assert fees()[4] == (100, 0, "")

    def test_it_is_withdrawn_by_itself_and_one_from_before_is_not(self, cast: Cast) -> None:
        early = waive(cast, "bank_free")["waiver"]
        cast.send(bets_close)
        with pytest.raises(NotNow, match="what was waived before stays waived") as refused:
            cast.send(waiver_withdraw, waiver_id=early)
        assert refused.value.code == "fees_fixed"
        late = waive(cast, "promotion")["waiver"]
        assert balance("drop") == 0
        assert cast.send(waiver_withdraw, waiver_id=late)["returned_cents"] == -200
        assert balance("drop") == 200
        with pytest.raises(NotNow):
            cast.send(waiver_withdraw, waiver_id=early)

    def test_nothing_is_waived_that_was_waived_before(self, cast: Cast) -> None:
        waive(cast, "promotion")
        cast.send(bets_close)
        with pytest.raises(NotNow, match="no fee of this round goes back") as refused:
            waive(cast, "first_hand", seat=4)
        assert refused.value.code == "nothing_to_waive"
        assert Waiver.objects.count() == 1
        assert waive(cast, "short_handed")["returned_cents"] == 100, "the bank's alone"

    def test_bets_are_not_reopened_over_it(self, cast: Cast) -> None:
        cast.send(bets_close)
        waive(cast, "bank_free")
        with pytest.raises(NotNow):
            cast.send(bets_reopen)
        cast.send(undo)
        cast.send(undo, reason="tapped too early", approver=cast.people["floor"])
        assert balance("drop") == 0
        cast.send(bets_close)
        assert balance("drop") == 300

    def test_a_void_gives_back_what_was_not_given_back_before(self, cast: Cast) -> None:
        cast.send(bets_close)
        waive(cast, "bank_free")
        cast.send(round_void, reason="device failure", approver=cast.people["floor"])
        assert balance("drop") == 0
        made = report(cast)
        assert made.typed_figures["differences"] == []
        assert of_table(made)["fees_refunded_cents"] == 200

    def test_the_shift_report_the_fee_audit_and_the_list_of_waivers_say_the_same(self, cast: Cast) -> None:
        cast.send(bets_close)
        cast.send(round_deal)
        waive(cast, "half")
        waive(cast, "promotion")
        cast.settle({4: 1000, 5: 2000})
        made = report(cast)
        assert made.typed_figures["differences"] == []
        sums = of_table(made)
        assert (sums["player_fees_cents"], sums["bank_fees_cents"], sums["fees_waived_cents"]) == (0, 50, 250)
        assert (sums["drop_expected_cents"], sums["jackpot_expected_cents"]) == (50, 100)
        assert audit_fees(Round.objects.all(), [made.shift_id]).differing == 0
        listed = rows(drawn(cast, "exceptions"), "waivers")
        assert [(row["covers"], row["waived_cents"], row["returned_cents"]) for row in listed] == [
            ("bank, $0.50 of each fee", 50, 50),
            ("players", 200, 200),
        ]

    def test_a_correction_of_the_drop_keeps_what_was_given_back(self, cast: Cast) -> None:
        cast.send(bets_close)
        cast.send(round_deal)
        waive(cast, "half")
        cast.settle({4: 1000, 5: 2000})
        played = Waiver.objects.get().round
        positions = [
            {"seat": seat, "wagers": {"ante": cents}, "hand": HANDS[seat], "decision": "play"}
            for seat, cents in {4: 9000, 5: 2000}.items()
        ]
        cast.send(
            round_correct,
            round_id=played.pk,
            bank_wager_cents=20000,
            positions=positions,
            bank_hand=BANK_HAND,
            drop="as_due",
            reason="ante typed wrong",
            approver=cast.people["floor"],
        )
        # $110 of table action cost the bank $2 and not $1, of which half a dollar is let go.
        assert (played.correction.bank_fee_cents, played.correction.waived_cents) == (150, 50)
        made = report(cast)
        assert made.typed_figures["differences"] == []
        assert of_table(made)["drop_expected_cents"] == 350

    def test_the_dollar_goes_back_to_the_player_who_paid_it(self, cast: Cast) -> None:
        cast.send(bets_close)
        transfers = Transfer.objects.filter(kind="fee", source="seat").order_by("seat")
        payers = {row.seat: row.player_id for row in transfers}
        waive(cast, "first_hand", seat=5)
        (row,) = Transfer.objects.filter(kind="fee", reverses__isnull=False)
        assert (row.player_id, row.reverses.seat, row.target) == (payers[5], 5, "seat")


def back() -> list[tuple[str, int | None, int]]:
    """What went back from the drop: to which account, seat and how many cents."""
    rows = Transfer.objects.filter(source="drop").order_by("seat")
    return [(row.target, row.seat, row.cents) for row in rows]


def balance(account: str) -> int:
    came = Transfer.objects.filter(target=account).aggregate(cents=Sum("cents"))["cents"] or 0
    went = Transfer.objects.filter(source=account).aggregate(cents=Sum("cents"))["cents"] or 0
    return came - went


def test_where_no_rule_is_published_nothing_is_waived(db: None) -> None:
    cast = running_cast()
    cast.bet({4: 1000})
    with pytest.raises(NotNow, match="no rule by which") as refused:
        waive(cast, "short_handed")
    assert refused.value.code == "no_waiver_rule"


def test_the_same_fee_is_waived_once(cast: Cast) -> None:
    waive(cast, "first_hand", seat=4)
    with pytest.raises(NotNow, match="The fee of seat 4 is waived"):
        waive(cast, "first_hand", seat=4)
    waive(cast, "first_hand", seat=5)
    waive(cast, "bank_free")
    cast.send(bets_close)
    assert {cents for cents, _, _ in fees().values()} == {0}


def test_a_rule_for_few_positions_ends_when_more_have_wagers(cast: Cast) -> None:
    waive(cast, "short_handed")
    cast.send(bets_place, positions=[{"seat": 6, "wagers": {"ante": 500}}])
    with pytest.raises(NotNow, match="at most 2 positions, and 3 have wagers") as refused:
        cast.send(bets_close)
    assert refused.value.code == "waiver_ends"
    cast.send(waiver_withdraw, waiver_id=Waiver.objects.get().pk)
    cast.send(bets_close)
    assert moved("drop") == 400
    with pytest.raises(NotNow):
        cast.send(waiver_withdraw, waiver_id=Waiver.objects.get().pk)


def test_a_rule_for_few_positions_is_not_taken_up_by_more(cast: Cast) -> None:
    cast.send(bets_place, positions=[{"seat": 6, "wagers": {"ante": 500}}])
    with pytest.raises(BadInput, match="at most 2 positions"):
        waive(cast, "short_handed")


@pytest.mark.postgresql
def test_an_undo_withdraws_the_waiver_and_says_which_it_was(cast: Cast) -> None:
    waive(cast, "bank_free")
    assert cast.send(undo)["undone"] == "the waiver (Bank goes free)"
    made = Waiver.objects.get()
    assert made.withdrawn_by == cast.people["dealer"]
    cast.send(bets_close)
    assert (live().waived_cents, moved("drop")) == (0, 300)
    assert list(chain_breaks(table_7())) == []


def test_an_undo_passes_over_a_waiver_that_was_withdrawn(cast: Cast) -> None:
    made = waive(cast, "bank_free")
    cast.send(waiver_withdraw, waiver_id=made["waiver"])
    assert cast.send(undo)["command"] == "bets_place"


def test_undoing_no_more_bets_gives_the_jackpot_back_and_leaves_the_waiver(cast: Cast) -> None:
    waive(cast, "bank_free")
    cast.send(bets_close)
    cast.send(undo, reason="tapped too early", approver=cast.people["floor"])
    assert (live().waived_cents, live().jackpot_cents) == (0, 0)
    cast.send(bets_close)
    assert (live().waived_cents, live().jackpot_cents) == (100, 100)
    back = Transfer.objects.filter(reverses__isnull=False, source="jackpot")
    assert sum(row.cents for row in back) == 100


def test_a_void_gives_the_jackpot_back_with_the_fees(cast: Cast) -> None:
    waive(cast, "bank_free")
    cast.send(bets_close)
    cast.send(round_void, reason="device failure", approver=cast.people["floor"])
    made = report(cast)
    assert made.typed_figures["differences"] == []
    sums = of_table(made)
    assert (sums["fees_refunded_cents"], sums["drop_expected_cents"], sums["jackpot_expected_cents"]) == (
        200,
        0,
        0,
    )


def test_a_shift_report_tells_drop_jackpot_and_waived_fees_apart(cast: Cast) -> None:
    waive(cast, "first_hand", seat=5)
    cast.send(bets_close)
    cast.send(round_deal)
    cast.settle({4: 1000, 5: 2000})
    made = report(cast)
    assert made.typed_figures["differences"] == []
    sums = of_table(made)
    assert (sums["player_fees_cents"], sums["bank_fees_cents"], sums["fees_waived_cents"]) == (100, 100, 100)
    assert (sums["drop_expected_cents"], sums["jackpot_expected_cents"]) == (200, 100)


def test_a_correction_of_the_drop_keeps_the_waiver(cast: Cast) -> None:
    waive(cast, "bank_free")
    cast.send(bets_close)
    cast.send(round_deal)
    cast.settle({4: 1000, 5: 2000})
    played = Waiver.objects.get().round
    positions = [
        {"seat": seat, "wagers": {"ante": cents}, "hand": HANDS[seat], "decision": "play"}
        for seat, cents in {4: 9000, 5: 2000}.items()
    ]
    cast.send(
        round_correct,
        round_id=played.pk,
        bank_wager_cents=20000,
        positions=positions,
        bank_hand=BANK_HAND,
        drop="as_due",
        reason="ante typed wrong",
        approver=cast.people["floor"],
    )
    corrected = played.correction
    # $110 of table action would have cost the bank $2 now; it is waived all the same.
    assert (corrected.waived_cents, corrected.player_fees_cents, corrected.jackpot_cents) == (200, 200, 100)
    made = report(cast)
    assert made.typed_figures["differences"] == []
    assert of_table(made)["fees_waived_cents"] == 200


@pytest.mark.postgresql
def test_the_database_keeps_a_waiver_as_it_was_made(cast: Cast) -> None:
    waive(cast, "bank_free")
    made = Waiver.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        Waiver.objects.filter(pk=made.pk).update(reason="another")
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM floor_waiver")
    cast.send(waiver_withdraw, waiver_id=made.pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        Waiver.objects.filter(pk=made.pk).update(withdrawn_at=None, withdrawn_by=None)
