"""Several bettors on one spot: who stands behind a seat, what they bet and pay, and in what order they are settled."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.utils import timezone

from cardroom.filings import services
from cardroom.floor.commands.bank import offer_answer
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.rounds import (
    bets_close,
    bets_place,
    round_deal,
    round_finish,
    round_open,
    round_record,
    round_settle,
    round_void,
)
from cardroom.floor.commands.seat_time import time_collect, time_take_back
from cardroom.floor.commands.seats import (
    back_line_join,
    back_line_leave,
    back_line_move,
    player_leave,
    player_move,
    player_seat,
)
from cardroom.floor.commands.tables import table_close, table_set
from cardroom.floor.commands.undo import undo
from cardroom.floor.commands.waivers import fee_waive
from cardroom.floor.errors import BadInput, FloorError
from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import JournalEntry, Round, Seating, Table, TimeCollection, Transfer, Waiver
from cardroom.floor.places import place_of
from cardroom.floor.reads.rotation import hours_period, table_rotation
from cardroom.floor.reads.table_record import table_record
from cardroom.floor.reads.table_state import read_table
from cardroom.people.models import Player, Provider
from cardroom.people.names import named
from cardroom.reports.shift.tie_out import ways_read
from cardroom.reports.verification.fee_audit import audit_fees
from cardroom.reports.verification.verify import Checked, journal_verify, reports_verify, rounds_again
from cardroom.web.rounds.record import record_of
from games.engine import settle_json
from tests.cast import Cast
from tests.fees.documents import band, bank, player, timed, waiver, with_head
from tests.filing import SINCE, filer, schedule_draft, table_settings
from tests.kept import kept
from tests.reports.commands import of_table, report
from tests.reports.played_shift import drawn, rows

#: Players $1 and the bank $2, up to $500; one player's fee may be waived.
DOCUMENT = with_head(
    ante_max_cents=50_000,
    lines=[player(100), band(500, None, 200)],
    waivers=[waiver("first_hand", "player", title="First hand")],
)
NATURAL = {"player_hand": "9h Kd", "banker_hand": "8c Ts"}
"""The player's hand wins with nine to eight."""
BLACKJACK: dict[str, Any] = {
    "name": "Blackjack",
    "seats": 7,
    "decks": 6,
    "back_line": 1,
    "spots": [{"id": "bet", "name": "Bet", "main": True, "tip": True}, {"id": "pairs", "name": "Pairs"}],
}


def newcomer(cast: Cast, name: str) -> Player:
    return Player.objects.get_or_create(room=cast.room, name=name)[0]


def join(cast: Cast, seat: int, name: str) -> dict[str, Any]:
    return cast.send(back_line_join, seat=seat, player_id=newcomer(cast, name).pk)


def set_to(
    cast: Cast, *, recording: str = "cards", document: dict[str, Any] | None = None, **game: Any
) -> None:
    """Set the table to a game and a schedule of its own."""
    by = filer(cast.room)
    number = 40 + cast.room.feeschedule_versions.count()
    draft = schedule_draft(
        by=by, rulebook=game["rulebook"], room=cast.room, number=number, document=document or DOCUMENT
    )
    schedule = services.file(draft, by=by, effective_from=SINCE, state_reference="GEGA-000124")
    settings = table_settings(cast.room, schedule_id=schedule.pk, recording=recording, **game)
    cast.send(table_set, "floor", **settings)


def _baccarat() -> Cast:
    cast = Cast()
    cast.open(seats=(1, 3, 4))
    set_to(cast, rulebook="baccarat")
    join(cast, 3, "Hal")
    join(cast, 3, "Ida")
    cast.bank_to(1)
    return cast


@pytest.fixture
def cast(db: None) -> Cast:
    """Baccarat with Ana, Cy and Dee at seats 1, 3 and 4, and Hal and Ida on the back line of seat 3; seat 1 banks."""
    return kept(_baccarat)


def there(cast: Cast) -> dict[str, str]:
    """Everybody at the table by place."""
    return {str(place): stay.player.name for place, stay in read_table(cast.table).places.items()}


def dealt(cast: Cast, positions: list[dict[str, Any]], wager: int = 50_000) -> Round:
    cast.send(round_open, bank_wager_cents=wager)
    cast.send(bets_place, positions=positions)
    cast.send(bets_close)
    cast.send(round_deal)
    return Round.objects.latest("pk")


def balances(round_: Round) -> dict[str, int]:
    """What the transfers of a round come to for each player, fees among them, in cents."""
    sums: dict[str, int] = {}
    for transfer in round_.transfers.select_related("player"):
        for account, cents in ((transfer.target, transfer.cents), (transfer.source, -transfer.cents)):
            if account == "seat":
                assert transfer.player is not None
                sums[transfer.player.name] = sums.get(transfer.player.name, 0) + cents
    return sums


#: Cy, Hal and Ida on the spot of seat 3, Dee at seat 4.
BETS = [
    {"seat": 4, "wagers": {"banker": 4000}},
    {"seat": 3, "behind": 2, "wagers": {"player": 1500}, "tips": {"player": 100}},
    {"seat": 3, "wagers": {"player": 2000}},
    {"seat": 3, "behind": 1, "wagers": {"banker": 1000, "tie": 500}},
]


def refusal(send: Any, *arguments: Any, **more: Any) -> tuple[str, str]:
    """The refusal of a command, which leaves everything as it was."""
    before = Seating.objects.count(), JournalEntry.objects.count()
    with pytest.raises(FloorError) as refused:
        send(*arguments, **more)
    assert (Seating.objects.count(), JournalEntry.objects.count()) == before
    return refused.value.code, refused.value.message


class TestPlaces:
    def test_bettors_join_in_order_and_a_place_that_is_left_is_taken_again(self, cast: Cast) -> None:
        assert there(cast) == {"1": "Ana", "3": "Cy", "3b": "Hal", "3c": "Ida", "4": "Dee"}
        assert cast.send(back_line_leave, seat=3, behind=1) == {
            "table": cast.table.pk,
            "version": Table.objects.get(pk=cast.table.pk).version,
            "seat": 3,
            "behind": 1,
        }
        assert there(cast) == {"1": "Ana", "3": "Cy", "3c": "Ida", "4": "Dee"}
        assert join(cast, 3, "Jo")["behind"] == 1
        assert table_record(read_table(cast.table))["seats"][2]["back_line"] == [
            {"behind": 1, "player": {"id": newcomer(cast, "Jo").pk, "name": "Jo"}},
            {"behind": 2, "player": {"id": newcomer(cast, "Ida").pk, "name": "Ida"}},
        ]

    def test_the_player_leaves_and_a_bettor_takes_the_seat(self, cast: Cast) -> None:
        cast.send(player_leave, seat=3)
        assert there(cast) == {"1": "Ana", "3b": "Hal", "3c": "Ida", "4": "Dee"}
        cast.send(round_open, bank_wager_cents=50_000)
        with pytest.raises(BadInput, match="so Hal on its back line cannot bet") as refused:
            cast.send(bets_place, positions=[{"seat": 3, "behind": 1, "wagers": {"player": 1000}}])
        assert (refused.value.code, refused.value.path) == ("seat_empty", "positions[0].seat")
        cast.send(back_line_move, seat=3, behind=1, to_seat=3)
        assert there(cast)["3"] == "Hal"
        entry = JournalEntry.objects.get(command="back_line_move")
        assert {"before": 3, "before_behind": 1, "after": 3}.items() <= entry.data.items()

    def test_players_move_between_seats_and_back_lines(self, cast: Cast) -> None:
        cast.send(player_move, seat=4, to_seat=3, to_back_line=True)
        cast.send(back_line_move, seat=3, behind=1, to_seat=1, to_back_line=True)
        cast.send(back_line_move, seat=3, behind=2, to_seat=6)
        assert there(cast) == {"1": "Ana", "1b": "Hal", "3": "Cy", "3d": "Dee", "6": "Ida"}
        assert list(chain_breaks(Table.objects.get(pk=cast.table.pk))) == []

    def test_what_cannot_be_is_refused_and_says_what_to_do(self, cast: Cast) -> None:
        assert refusal(join, cast, 5, "Jo") == (
            "seat_empty",
            "Nobody sits at seat 5: a back-line bettor wagers on a player's spot. Seat Jo there.",
        )
        assert refusal(join, cast, 10, "Jo")[0] == "bad_seat"
        assert refusal(join, cast, 3, "Dee") == (
            "player_elsewhere",
            "Dee already sits at seat 4 of this table. Move them instead.",
        )
        assert refusal(join, cast, 3, "Hal")[1] == (
            "Hal stands on the back line at seat 3b of this table. Move them instead."
        )
        hal = newcomer(cast, "Hal")
        assert refusal(cast.send, player_seat, seat=6, player_id=hal.pk)[0] == "player_elsewhere"
        assert refusal(cast.send, back_line_leave, seat=3, behind=4) == (
            "seat_empty",
            "Nobody stands at seat 3e.",
        )
        assert refusal(cast.send, back_line_move, seat=3, behind=1, to_seat=4)[0] == "seat_taken"

    def test_a_spot_holds_as_many_as_the_game_is_filed_with(self, cast: Cast) -> None:
        for seat, number in ((3, 2), (3, 1)):
            cast.send(back_line_leave, seat=seat, behind=number)
        set_to(cast, rulebook="by_eye", options=BLACKJACK, recording="fees")
        join(cast, 3, "Hal")
        code, message = refusal(join, cast, 3, "Ida")
        assert code == "spot_full"
        assert message.startswith(
            "The spot of seat 3 is full: Blackjack as filed has up to 1 behind a seat. Choose"
        )
        assert join(cast, 4, "Ida")["behind"] == 1

    def test_a_game_without_a_back_line_has_none(self, cast: Cast) -> None:
        settings = table_settings(cast.room, rulebook="baccarat", options={"back_line": 1}, recording="cards")
        settings["schedule_id"] = Table.objects.get(pk=cast.table.pk).schedule_id
        code, message = refusal(cast.send, table_set, "floor", **settings)
        assert (code, "and Ida stands at seat 3c" in message) == ("back_line_beyond", True)
        for behind in (2, 1):
            cast.send(back_line_leave, seat=3, behind=behind)
        schedule = cast.room.feeschedule_versions.get(number=1)
        cast.send(table_set, "floor", **table_settings(cast.room, schedule_id=schedule.pk))
        code, message = refusal(join, cast, 3, "Hal")
        assert (code, "has no back line" in message) == ("no_back_line", True)
        assert table_record(read_table(cast.table))["why_not"]["back_line_join"]["code"] == "no_back_line"

    def test_the_database_keeps_two_from_one_place(self, cast: Cast) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            Seating.objects.create(
                room=cast.room,
                table=cast.table,
                seat=3,
                behind=1,
                player=newcomer(cast, "Jo"),
                seated_at=timezone.now(),
            )

    def test_one_player_of_a_provider_counts_there_too(self, cast: Cast) -> None:
        firm = Provider.objects.create(room=cast.room, name="Levee")
        for name in ("Hal", "Jo"):
            newcomer(cast, name)
        Player.objects.filter(room=cast.room, name__in=("Hal", "Jo")).update(provider=firm)
        jo = Player.objects.get(room=cast.room, name="Jo")
        code, message = refusal(cast.send, player_seat, seat=6, player_id=jo.pk)
        assert (code, "Hal at seat 3b" in message) == ("provider_seated", True)

    def test_closing_the_table_lets_them_leave(self, cast: Cast) -> None:
        cast.send(table_close, "floor")
        assert there(cast) == {}
        entry = JournalEntry.objects.get(command="table_close")
        assert {"seat": 3, "behind": 1, "player": Player.objects.get(name="Hal").pk} in entry.data["left"]


class TestRound:
    def test_each_pays_a_fee_counts_toward_the_action_and_is_settled_in_turn(self, cast: Cast) -> None:
        round_ = dealt(cast, BETS)
        assert [(fee["seat"], fee["payer"], fee["cents"]) for fee in named(round_.fees)] == [
            (3, "Cy", 100),
            (3, "Hal", 100),
            (3, "Ida", 100),
            (4, "Dee", 100),
            (1, "bank", 200),
        ]
        assert (round_.positions, round_.total_table_action_cents) == (4, 8500)
        settled = cast.send(round_settle, hands=NATURAL, positions=[])["settlement"]
        assert [
            (line["player"], line["wager"], line["for"], line["outcome"]) for line in settled["lines"]
        ] == [
            ("Cy", "player", "player", "win"),
            ("Hal", "banker", "player", "lose"),
            ("Hal", "tie", "player", "lose"),
            ("Ida", "player", "player", "win"),
            ("Ida", "player", "dealer", "win"),
            ("Dee", "banker", "player", "lose"),
        ]
        round_.refresh_from_db()
        assert balances(round_) == {"Cy": 1900, "Hal": -1600, "Ida": 1300, "Dee": -4100}
        assert settled["net"] == {"Cy": 2000, "Hal": -1500, "Ida": 1400, "Dee": -4000}
        assert round_.sheet is not None
        assert settle_json(named(round_.sheet))["lines"] == settled["lines"]

    def test_the_bank_runs_out_in_their_order(self, cast: Cast) -> None:
        dealt(cast, BETS, wager=2600)
        lines = cast.send(round_settle, hands=NATURAL, positions=[])["settlement"]["lines"]
        # Cy's win leaves $6 of cover, and Hal's loss uses it up: the rest of his wager and all of Ida's go back.
        assert [(line["player"], line["paid"], line["taken"], line["uncovered"]) for line in lines] == [
            ("Cy", 2000, 0, 0),
            ("Hal", 0, 600, 400),
            ("Hal", 0, 0, 500),
            ("Ida", 0, 0, 1500),
            ("Ida", 0, 0, 100),
            ("Dee", 0, 0, 4000),
        ]

    def test_its_rounds_tie_out_its_fees_are_found_again_and_the_report_has_them(self, cast: Cast) -> None:
        round_ = dealt(cast, BETS)
        cast.send(round_settle, hands=NATURAL, positions=[])
        assert round_.shift is not None
        again = audit_fees(Round.objects.all(), [round_.shift.pk])
        assert (again.rounds, again.differing) == (1, 0)
        assert ways_read(round_.shift.pk)[1] == []
        made = report(cast)
        assert made.typed_figures["differences"] == []
        sums = of_table(made, cast.table.number)
        assert (sums["total_table_action_cents"], sums["drop_expected_cents"]) == (8500, 600)
        checked = Checked()
        assert list(journal_verify(checked)) == []
        assert list(rounds_again(checked)) == []
        assert list(reports_verify(checked)) == []
        assert checked.rounds >= 1

    def test_a_game_settled_by_eye_takes_their_wagers_and_fees(self, cast: Cast) -> None:
        cast.send(back_line_leave, seat=3, behind=2)
        set_to(cast, rulebook="by_eye", options=BLACKJACK, recording="fees")
        round_ = dealt(
            cast,
            [
                {"seat": 3, "wagers": {"bet": 1000}},
                {"seat": 3, "behind": 1, "wagers": {"bet": 2000, "pairs": 100}, "tips": {"bet": 100}},
            ],
        )
        cast.send(round_finish)
        round_.refresh_from_db()
        assert (round_.state, round_.total_table_action_cents, round_.positions) == ("settled", 3000, 2)
        assert balances(round_) == {"Cy": -100, "Hal": -100}
        assert [bet.get("behind") for bet in round_.bets] == [None, 1]

    def test_wagers_are_refused_by_place(self, cast: Cast) -> None:
        cast.send(round_open, bank_wager_cents=50_000)
        for position, code, text in (
            ({"seat": 3, "behind": 3, "wagers": {"player": 1000}}, "seat_empty", "Nobody stands at seat 3d."),
            ({"seat": 3, "behind": 1, "wagers": {"tie": 1000}}, "wager_needs_main", "Player or Banker"),
            ({"seat": 3, "behind": 1, "wagers": {"player": 100}}, "outside_table_limits", "Seat 3b"),
            ({"seat": 3, "behind": 1, "wagers": {"player": 90_000}}, "outside_table_limits", "Seat 3b"),
        ):
            with pytest.raises(BadInput, match=text) as refused:
                cast.send(bets_place, positions=[BETS[2], position])
            assert refused.value.code == code
            assert refused.value.path.startswith("positions[1].")
        assert Round.objects.get().bets == []

    def test_nobody_wagers_behind_the_bank(self, cast: Cast) -> None:
        cast.send(back_line_move, seat=3, behind=1, to_seat=1, to_back_line=True)
        cast.send(round_open, bank_wager_cents=50_000)
        with pytest.raises(BadInput, match="seat 1 banks"):
            cast.send(bets_place, positions=[{"seat": 1, "behind": 1, "wagers": {"player": 1000}}])

    def test_a_bettor_in_play_stays_and_so_does_the_player_before_them(self, cast: Cast) -> None:
        dealt(cast, BETS[3:])
        code, message = refusal(cast.send, back_line_leave, seat=3, behind=1)
        assert (code, message.startswith("Seat 3b has wagers in")) == ("seat_live", True)
        code, message = refusal(cast.send, player_leave, seat=3)
        assert (code, message.startswith("Seat 3 has wagers of its back line in")) == ("seat_live", True)
        cast.send(back_line_leave, seat=3, behind=2)

    def test_wagers_repeat_and_are_undone_by_place(self, cast: Cast) -> None:
        dealt(cast, BETS)
        cast.send(round_settle, hands=NATURAL, positions=[])
        cast.send(back_line_leave, seat=3, behind=2)
        cast.send(round_open, bank_wager_cents=50_000, repeat_bets=True)
        live = Round.objects.get(ended_at__isnull=True)
        assert [(bet["player"], bet["wagers"]) for bet in named(live.bets)] == [
            ("Cy", {"player": 2000}),
            ("Hal", {"banker": 1000, "tie": 500}),
            ("Dee", {"banker": 4000}),
        ]
        cast.send(bets_place, positions=[{"seat": 3, "behind": 1, "wagers": {"player": 700}}])
        assert cast.send(undo)["undone"] == "seat 3b's wagers"
        live.refresh_from_db()
        assert [bet["wagers"] for bet in live.bets] == [
            {"player": 2000},
            {"banker": 1000, "tie": 500},
            {"banker": 4000},
        ]

    def test_a_void_gives_each_their_fee_back(self, cast: Cast) -> None:
        round_ = dealt(cast, BETS)
        cast.send(round_void, reason="device failure", approver=cast.people["shift_manager"])
        assert set(balances(round_).values()) == {0}
        backs = round_.transfers.filter(kind=Transfer.Kind.FEE_REFUND, seat=3)
        assert sorted(back.player.name for back in backs if back.player) == ["Cy", "Hal", "Ida"]

    def test_a_correction_moves_the_chips_of_the_one_whom_it_concerns(self, cast: Cast) -> None:
        dealt(cast, BETS)
        old = Round.objects.get(pk=cast.send(round_settle, hands=NATURAL, positions=[])["round"])
        right = [*BETS[:3], {"seat": 3, "behind": 1, "wagers": {"player": 1000}}]
        answer = cast.send(
            round_correct,
            round_id=old.pk,
            bank_wager_cents=50_000,
            hands=NATURAL,
            positions=right,
            reason="Hal was on the player",
            approver=cast.people["shift_manager"],
        )
        assert answer["moved"] == [
            {"account": "seat", "seat": 3, "player": "Hal", "cents": 2500, "behind": 1},
            {"account": "bank", "seat": 1, "player": "Ana", "cents": -2500},
        ]
        corrected = Round.objects.get(revision=1)
        assert corrected.settlement is not None
        assert named(corrected.settlement["net"])["Hal"] == 1000
        twice = [*right, {"seat": 3, "behind": 1, "wagers": {"player": 1000}}]
        with pytest.raises(BadInput, match="Seat 3b is listed twice"):
            cast.send(
                round_correct,
                round_id=corrected.pk,
                bank_wager_cents=50_000,
                hands=NATURAL,
                positions=twice,
                reason="again",
                approver=cast.people["shift_manager"],
            )

    def test_a_whole_sheet_names_them_and_keeps_its_order(self, cast: Cast) -> None:
        sheet = {
            "rulebook": "baccarat",
            "bank": {"seat": 1, "wager": 2600},
            "positions": [
                {"seat": 3, "player": "Ida", "wagers": {"player": 1500}},
                {"seat": 3, "wagers": {"player": 2000}},
                {"seat": 3, "player": "Hal", "wagers": {"banker": 1000}},
            ],
            **NATURAL,
        }
        answer = cast.send(round_record, sheet=sheet)
        whole = {**sheet, "positions": [*sheet["positions"]]}
        whole["positions"][1] = {**sheet["positions"][1], "player": "Cy"}
        assert answer["settlement"]["lines"] == settle_json(whole)["lines"]
        round_ = Round.objects.get()
        assert [(bet["seat"], bet.get("behind", 0), bet["player"]) for bet in named(round_.bets)] == [
            (3, 2, "Ida"),
            (3, 0, "Cy"),
            (3, 1, "Hal"),
        ]
        stranger = {**sheet, "positions": [{"seat": 3, "player": "Dee", "wagers": {"player": 1000}}]}
        with pytest.raises(BadInput, match="At seat 3 Cy and Hal and Ida sit, not Dee") as refused:
            cast.send(round_record, sheet=stranger)
        assert refused.value.code == "player_not_at_seat"


class TestFees:
    def test_the_fee_of_one_of_them_is_waived(self, cast: Cast) -> None:
        cast.send(round_open, bank_wager_cents=50_000)
        cast.send(bets_place, positions=BETS)
        waived = {"rule": "first_hand", "reason": "new here", "seat": 3}
        with pytest.raises(BadInput, match="stands at seat 3d") as refused:
            cast.send(fee_waive, "floor", **waived, behind=3)
        assert refused.value.path == "behind"
        cast.send(fee_waive, "floor", **waived, behind=1)
        assert Waiver.objects.get().whose == "the fee of seat 3b"
        with pytest.raises(FloorError, match="The fee of seat 3b is waived in this round already"):
            cast.send(fee_waive, "floor", **waived, behind=1)
        cast.send(fee_waive, "floor", **waived)
        fees = cast.send(bets_close)["fees"]
        assert {fee["payer"]: (fee["cents"], fee.get("waived", 0)) for fee in fees} == {
            "Cy": (0, 100),
            "Hal": (0, 100),
            "Ida": (100, 0),
            "Dee": (100, 0),
            "bank": (200, 0),
        }
        shift = Round.objects.get().shift
        cast.send(round_deal)
        cast.send(round_settle, hands=NATURAL, positions=[])
        assert shift is not None
        assert audit_fees(Round.objects.all(), [shift.pk]).differing == 0

    def test_after_the_deal_the_fee_of_one_of_them_goes_back_to_that_one(self, cast: Cast) -> None:
        cast.send(round_open, bank_wager_cents=50_000)
        cast.send(bets_place, positions=BETS)
        cast.send(bets_close)
        cast.send(round_deal)
        cast.send(fee_waive, "floor", rule="first_hand", reason="new here", seat=3, behind=1)
        (row,) = Transfer.objects.filter(kind="fee", reverses__isnull=False)
        assert row.player is not None
        assert (row.target, row.seat, row.player.name, row.cents) == ("seat", 3, "Hal", 100)
        waived = {fee["payer"]: fee.get("waived", 0) for fee in named(Round.objects.get().fees)}
        assert waived == {"Cy": 0, "Hal": 100, "Ida": 0, "Dee": 0, "bank": 0}

    def test_each_of_them_pays_time(self, cast: Cast) -> None:
        evening = timezone.now()
        set_to(
            cast, rulebook="baccarat", document=with_head(lines=[timed("half_hour", 650), bank("round", 50)])
        )
        with time_machine.travel(evening + datetime.timedelta(minutes=31), tick=False):
            collected = cast.send(time_collect, seats=[3])
            assert collected["cents"] == 3 * 650
            fees = named(TimeCollection.objects.get().fees)
            assert [(fee["seat"], fee.get("behind", 0), fee["payer"]) for fee in fees] == [
                (3, 0, "Cy"),
                (3, 1, "Hal"),
                (3, 2, "Ida"),
            ]
            names = Transfer.objects.filter(kind=Transfer.Kind.TIME).values_list("player__name", flat=True)
            assert sorted(filter(None, names)) == ["Cy", "Hal", "Ida"]
            cast.send(back_line_move, seat=3, behind=1, to_seat=6)
            assert cast.send(time_collect)["seats"] == [1, 4], "what Hal has paid moved with him"
            cast.send(
                time_take_back,
                collection_id=collected["collection"],
                reason="the wrong table",
                approver=cast.people["shift_manager"],
            )


class TestBank:
    def test_the_bank_is_offered_at_seats_and_the_record_names_who_stood_behind(self, cast: Cast) -> None:
        """`by_eye:filing.6`, `baccarat:bank.4`, ruling 40: those who stand behind are not asked, and not left out."""
        for _ in range(2):
            dealt(cast, BETS[:1])
            cast.send(round_settle, hands=NATURAL, positions=[])
        for seat in (3, 4):
            assert cast.state().step.seat == seat
            cast.send(offer_answer, seat=seat, answer="declined")
        assert cast.state().step.kind == "renew"
        entry = JournalEntry.objects.filter(command="offer_answer").latest("id")
        assert [(each["seat"], each["behind"], each["player"]) for each in entry.data["not_asked"]] == [
            (3, 1, Player.objects.get(name="Hal").pk),
            (3, 2, Player.objects.get(name="Ida").pk),
        ]
        rotation = table_rotation(cast.table, hours_period(1, timezone.now()))
        assert rotation.exceptions == []
        assert [str(stay.place) for stay in rotation.runs[-1].behind] == ["3b", "3c"]

    def test_a_bettor_who_takes_a_seat_is_asked(self, cast: Cast) -> None:
        dealt(cast, BETS[:1])
        cast.send(round_settle, hands=NATURAL, positions=[])
        cast.send(back_line_move, seat=3, behind=1, to_seat=2)
        dealt(cast, BETS[:1])
        cast.send(round_settle, hands=NATURAL, positions=[])
        assert cast.state().step.seat == 2

    def test_a_bank_that_steps_back_gives_up_its_turn(self, cast: Cast) -> None:
        cast.send(player_move, seat=1, to_seat=3, to_back_line=True)
        assert read_table(cast.table).turn is None
        assert there(cast) == {"3": "Cy", "3b": "Hal", "3c": "Ida", "3d": "Ana", "4": "Dee"}


class TestRenamed:
    """Hal of place 3b is called otherwise since he bet, and Ida of 3c has the name that he had."""

    @staticmethod
    def rename(cast: Cast) -> None:
        for name, new in (("Hal", "Hal Marsh"), ("Ida", "Hal")):
            player = newcomer(cast, name)
            player.name = new
            player.save()

    def test_the_record_of_a_round_says_where_each_bettor_stood(self, cast: Cast) -> None:
        round_ = dealt(cast, BETS)
        cast.send(round_settle, hands=NATURAL, positions=[])
        self.rename(cast)
        cast.send(back_line_leave, seat=3, behind=1)
        round_.refresh_from_db()
        record = record_of(round_)
        moved = {name for each in record.movements for name in (each.source, each.target)}
        seats = {"Seat 3 · Cy", "Seat 3b · Hal Marsh", "Seat 3c · Hal", "Seat 4 · Dee"}
        assert {name for name in moved if name.startswith("Seat")} == seats
        assert [(str(each.place), each.player) for each in record.positions] == [
            ("3", "Cy"),
            ("3b", "Hal Marsh"),
            ("3c", "Hal"),
            ("4", "Dee"),
        ], "as they are called today"

    def test_so_does_the_record_of_a_round_that_was_opened_again_and_voided(self, cast: Cast) -> None:
        cast.send(round_open, bank_wager_cents=50_000)
        cast.send(bets_place, positions=BETS)
        cast.send(bets_close)
        cast.send(undo, reason="too early", approver=cast.people["floor"])
        cast.send(round_void, reason="device failure", approver=cast.people["shift_manager"])
        self.rename(cast)
        sources = {each.source for each in record_of(Round.objects.get()).movements}
        assert {"Seat 3 · Cy", "Seat 3b · Hal Marsh", "Seat 3c · Hal"} <= sources

    def test_the_report_of_uncovered_wagers_says_it_too(self, cast: Cast) -> None:
        dealt(cast, BETS, wager=1000)
        cast.send(round_settle, hands=NATURAL, positions=[])
        self.rename(cast)
        wagers = rows(drawn(cast, "coverage"), "wagers")
        uncovered = {("3c", "Hal"), ("3", "Cy"), ("3b", "Hal Marsh"), ("4", "Dee")}
        assert {(row["seat"], row["player"]) for row in wagers} == uncovered

    def test_wagers_repeat_of_those_who_are_still_there(self, cast: Cast) -> None:
        dealt(cast, BETS)
        cast.send(round_settle, hands=NATURAL, positions=[])
        self.rename(cast)
        cast.send(round_open, bank_wager_cents=50_000, repeat_bets=True)
        live = Round.objects.get(ended_at__isnull=True)
        assert [(str(place_of(bet)), bet["player"], bet["wagers"]) for bet in named(live.bets)] == [
            ("3", "Cy", {"player": 2000}),
            ("3b", "Hal Marsh", {"banker": 1000, "tie": 500}),
            ("3c", "Hal", {"player": 1500}),
            ("4", "Dee", {"banker": 4000}),
        ]

    def test_wagers_of_another_who_has_the_name_now_do_not_repeat(self, cast: Cast) -> None:
        dealt(cast, BETS)
        cast.send(round_settle, hands=NATURAL, positions=[])
        self.rename(cast)
        cast.send(back_line_leave, seat=3, behind=1)
        cast.send(back_line_move, seat=3, behind=2, to_seat=3, to_back_line=True)
        assert there(cast)["3b"] == "Hal"
        cast.send(round_open, bank_wager_cents=50_000, repeat_bets=True)
        assert [str(place_of(bet)) for bet in Round.objects.get(ended_at__isnull=True).bets] == ["3", "4"]

    def test_a_step_is_taken_back(self, cast: Cast) -> None:
        cast.send(round_open, bank_wager_cents=50_000)
        cast.send(bets_place, positions=BETS)
        cast.send(bets_place, positions=[{"seat": 3, "behind": 1, "wagers": {}}])
        self.rename(cast)
        cast.send(undo)
        assert {str(place_of(bet)): bet["wagers"] for bet in Round.objects.get().bets}["3b"] == {
            "banker": 1000,
            "tie": 500,
        }
