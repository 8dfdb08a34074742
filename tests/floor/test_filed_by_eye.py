"""Games that a room files by their spots: tables, rounds, fees, the bank's rotation and the report, without a card."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from cardroom.demo.other_games import BY_EYE as ROOM
from cardroom.filings import services
from cardroom.filings.errors import FilingError
from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.floor.checks.filings import plays_as_filed
from cardroom.floor.checks.limits import limited_wagers, limits_proposed
from cardroom.floor.commands.bank import offer_answer
from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_finish, round_open
from cardroom.floor.commands.seats import down_start, player_leave, player_seat
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.commands.tables import table_close, table_open, table_set
from cardroom.floor.errors import BadInput, NotNow
from cardroom.floor.models import JournalEntry, Round, Table, Transfer
from cardroom.floor.reads.bets import quote_preview
from cardroom.floor.reads.table_record import table_record
from cardroom.floor.reads.table_state import read_table
from cardroom.floor.room_file import RoomFileRefused, room_set_up, written_room
from cardroom.people.models import Employment, Player, Role, Staff
from cardroom.people.names import named
from cardroom.reports.catalogue.questions import REPORTS
from cardroom.reports.queries.parser import report_query_of
from cardroom.reports.verification.fee_audit import audit_fees
from cardroom.rooms.models import Room
from cardroom.web.placards.placard import table_placard
from games.registry import RULEBOOKS
from tests.cast import PLAYERS, Cast
from tests.fees.documents import (
    band,
    bank,
    per_position,
    player,
    positions,
    timed,
    wager,
    wager_band,
    with_lines,
)
from tests.filing import SINCE, filed_long_ago, filer, schedule_draft, table_settings
from tests.kept import kept
from tests.reports.commands import as_superuser, of_table, report

from .test_corrections import as_recorded, correct

BACCARAT, BLACKJACK, HOLDEM = 1, 2, 5


class FiledRoom(Cast):
    """The cast in the room of the file, at a table of it."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.room = room_set_up(ROOM.read_bytes(), file=ROOM.name, by=self.people["room_manager"]).room
        for role in (Role.DEALER, Role.FLOOR, Role.SHIFT_MANAGER, Role.ROOM_MANAGER):
            Employment.objects.create(staff=self.people[role], room=self.room, role=role)
        self.players = {seat: Player.objects.create(room=self.room, name=PLAYERS[seat]) for seat in (1, 2, 3)}
        self.table = Table.objects.get(room=self.room, number=number)

    def start(self) -> None:
        """Open a shift and the table as the file has set it, with three players."""
        self.send_room(shift_open, name="Swing")
        self._open_as_set(box=70)

    def play_on(self, number: int) -> None:
        """Go on at another table of the room, with the same players; a box hangs there."""
        for seat in self.players:
            self.send(player_leave, seat=seat)
        self.send(table_close, "floor")
        self.table = Table.objects.get(room=self.room, number=number)
        self._open_as_set(box=71)

    def _open_as_set(self, box: int) -> None:
        self.send(table_open, "floor")
        self.hang_box(box)
        self.send(down_start, "floor", dealer_id=self.people["dealer"].pk)
        for seat, person in self.players.items():
            self.send(player_seat, seat=seat, player_id=person.pk)

    def finish(self, positions: list[dict[str, Any]]) -> Round:
        """A whole round."""
        self.send(round_open, bank_wager_cents=100_000)
        self.send(bets_place, positions=positions)
        self.send(bets_close)
        self.send(round_deal)
        return Round.objects.get(pk=self.send(round_finish)["round"])


@pytest.fixture
def filed(db: None, request: pytest.FixtureRequest) -> FiledRoom:
    """The room of the file; for a test of a played round, with that round."""
    return kept(_played if "played" in request.fixturenames else _filed)


def _filed() -> FiledRoom:
    return FiledRoom(BACCARAT)


def _played() -> FiledRoom:
    filed = _filed()
    filed.start()
    filed.bank_to(1)
    filed.finish([{"seat": 2, "wagers": {"player": 5000, "tie": 500}}])
    return filed


def test_a_table_cites_its_own_rules_and_never_another_games_document(filed: FiledRoom) -> None:
    filed.start()
    state = table_record(read_table(filed.table))
    assert state["next"]["clause"] == "by_eye:round.3"
    assert clauses_of_others(state) == set()


def clauses_of_others(record: Any) -> set[str]:
    """The clauses of other games' documents that a record cites."""
    text = json.dumps(record)
    return {book for book in RULEBOOKS if f"{book}:" in text} - {"by_eye"}


def test_case_23_neither_do_the_steps_of_a_round_nor_the_pages_of_the_rotation(filed: FiledRoom) -> None:
    filed.start()
    filed.bank_to(1)
    found = []

    def look() -> None:
        found.append(clauses_of_others(table_record(filed.state())))

    look()
    for _ in range(2):
        filed.send(round_open, bank_wager_cents=100_000)
        filed.send(bets_place, positions=[{"seat": 2, "wagers": {"player": 5000}}])
        look()
        filed.send(bets_close)
        look()
        filed.send(round_deal)
        look()
        filed.send(round_finish)
    look()
    for seat in (2, 3):
        filed.send(offer_answer, seat=seat, answer="declined")
        look()
    record = table_record(filed.state())
    assert (record["next"]["kind"], record["next"]["clause"]) == ("renew", "ruling 40")
    assert set().union(*found) == set()
    client = Client()
    client.force_login(filed.people["floor"])
    page = client.get(f"/tables/{filed.table.pk}/rotation/").content.decode()
    assert "by_eye:round.3" in page and clauses_of_others(page) == set()


def test_the_fee_notice_and_refusals_call_a_wager_as_the_layout_does(filed: FiledRoom) -> None:
    filed.table = Table.objects.get(room=filed.room, number=BLACKJACK)
    notice = table_placard(filed.table)
    main = notice.rulebook.main_name
    assert main and notice.tariff[0].for_each.startswith(main)
    assert "ante" not in " ".join(row.for_each for row in notice.tariff).lower()
    filed.start()
    filed.bank_to(1)
    filed.send(round_open, bank_wager_cents=100_000)
    wager = next(iter(read_table(filed.table).terms.rulebook.main))
    with pytest.raises(BadInput, match=rf"Seat 2: {main} of \$0.01 is outside"):
        filed.send(bets_place, positions=[{"seat": 2, "wagers": {wager: 1}}])


def test_the_rooms_file_is_written_and_read_as_the_same_room(filed: FiledRoom) -> None:
    assert [game.book.name for game in filed.room.gamefiling_versions.order_by("number")] == [
        "Baccarat",
        "No Bust Blackjack",
        "Pai Gow Tiles",
        "Pai Gow Poker",
        "Ultimate Texas Hold'em",
    ]
    text = written_room(filed.room).replace("example-room", "copy").replace("Example Room", "Copy")
    room_set_up(text.encode(), file="copy.toml", by=filed.people["shift_manager"])
    assert written_room(Room.objects.get(code="copy")) == text


#: $1 a hand, 50 cents for a tie wager up to $5 and $1 up to $25; the bank $2 against one position and $3 against more.
OTHERS = with_lines(
    player(100),
    wager_band("tie", 100, 500, 50),
    wager_band("tie", 600, 2500, 100),
    positions(1, 1, 200),
    positions(2, None, 300),
)


def schedule_of_others(filed: FiledRoom, document: dict[str, Any] = OTHERS, number: int = 60) -> FeeSchedule:
    """File `document` for the game of the table, and set the table to it within the limits that are proposed."""
    by, game = filer(filed.room), filed.table.game
    assert game is not None
    said = {"rulebook": "by_eye", "document": document, "games": [game.number]}
    draft = schedule_draft(room=filed.room, number=number, by=by, **said)
    schedule = services.file(draft, by=by, effective_from=SINCE, state_reference="GEGA-000124")
    wagers = limited_wagers(game.rulebook, game.options, main_by_schedule=True)
    proposed = limits_proposed(wagers, schedule.schedule)
    filed.send(table_set, "floor", game_id=game.pk, schedule_id=schedule.pk, wager_limits=proposed)
    filed.table.refresh_from_db()
    return schedule


def test_bands_of_positions_and_of_a_side_wager_are_charged_dropped_and_posted(filed: FiledRoom) -> None:
    schedule_of_others(filed)
    assert filed.table.wager_limits["tie"] == [100, 2500], "no further than the schedule has a fee for"
    filed.start()
    filed.bank_to(1)
    round_ = filed.finish(
        [
            {"seat": 2, "wagers": {"player": 5000, "tie": 500}},
            {"seat": 3, "wagers": {"banker": 10000, "tie": 600}},
        ]
    )
    assert {fee["seat"]: fee["cents"] for fee in round_.fees} == {2: 150, 3: 200, 1: 300}
    assert (round_.drop_cents, round_.bank_fee_band) == (650, "2+ positions in play")
    dropped = Transfer.objects.filter(round=round_, target="drop").values_list("seat", "cents")
    assert sorted(dropped) == [(1, 300), (2, 150), (3, 200)]
    notice = table_placard(filed.table)
    assert [(row.who, row.for_each, row.cents) for row in notice.tariff[1:]] == [
        ("Each player", "Tie wager of $1 - $5", 50),
        ("Each player", "Tie wager of $6 - $25", 100),
        ("The player-dealer", "round with one position in play", 200),
        ("The player-dealer", "round with 2+ positions in play", 300),
    ]
    made = report(filed)
    assert made.typed_figures["differences"] == []
    assert of_table(made, filed.table.number)["drop_expected_cents"] == 650
    assert audit_fees(Round.objects.all(), [made.shift_id]).differing == 0


def test_a_side_wager_for_which_there_is_no_fee_is_refused_by_its_name(filed: FiledRoom) -> None:
    schedule = schedule_of_others(filed)
    wide = {**filed.table.wager_limits, "tie": [100, 5000]}
    with pytest.raises(BadInput, match=r"Tie of \$50 is outside \$1 - \$25, for which") as refused:
        filed.send(
            table_set, "floor", game_id=filed.table.game_id, schedule_id=schedule.pk, wager_limits=wide
        )
    assert (refused.value.code, refused.value.path) == ("outside_bands", "wager_limits.tie")
    filed.start()
    filed.bank_to(1)
    filed.send(round_open, bank_wager_cents=100_000)
    with pytest.raises(BadInput, match=r"Tie of \$30 is outside") as bet:
        filed.send(bets_place, positions=[{"seat": 2, "wagers": {"player": 5000, "tie": 3000}}])
    assert bet.value.path == "positions[0].wagers.tie"


def test_players_pay_by_time_alone_and_the_bank_nothing(filed: FiledRoom) -> None:
    schedule_of_others(filed, with_lines(timed("half_hour", 500)))
    filed.start()
    filed.bank_to(1)
    round_ = filed.finish([{"seat": 2, "wagers": {"player": 5000}}])
    assert (round_.drop_cents, round_.bank_fee_band) == (0, "")
    assert [row.payer for row in table_placard(filed.table).tariff] == ["player"]
    assert report(filed).typed_figures["differences"] == []


@pytest.mark.parametrize(
    ("lines", "due", "basis"),
    [
        ((bank("round", 200), bank("position", 50)), 300, "per round + per position"),
        (
            (band(500, 2500, 25, per="own_ante"), band(2600, None, 75, per="own_ante")),
            100,
            "per main wager, by band",
        ),
        ((band(500, 2500, 100, per="largest_ante"), band(2600, None, 200, per="largest_ante")), 200, "$26+"),
    ],
)
def test_the_banks_other_fees_are_charged_at_a_table(
    filed: FiledRoom, lines: tuple[Any, ...], due: int, basis: str
) -> None:
    """Against $25 on Player and $100 on Banker."""
    schedule_of_others(filed, with_lines(player(0), *lines))
    filed.start()
    filed.bank_to(1)
    round_ = filed.finish([{"seat": 2, "wagers": {"player": 2500}}, {"seat": 3, "wagers": {"banker": 10000}}])
    assert (round_.bank_fee_cents, round_.drop_cents, round_.bank_fee_band) == (due, due, basis)
    assert report(filed).typed_figures["differences"] == []


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('id = "banker"', 'id = "player"', "game[0].options.spots[1].id cannot be filed"),
        ("seats = 9", "seats = 13", "game[0].options.seats cannot be filed"),
        ("main = true", "mian = true", "game[0].options.spots[0].mian cannot be filed"),
        ('recording = "fees"', 'recording = "cards"', "table[0].recording cannot be set"),
    ],
)
def test_a_slip_in_the_file_is_told_with_its_place(db: None, old: str, new: str, says: str) -> None:
    by = Staff.objects.create(username="setter", display_name="Setter")
    text = ROOM.read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(RoomFileRefused) as refused:
        room_set_up(text.replace(old, new, 1).encode(), file="room.toml", by=by)
    assert says in str(refused.value)
    assert not Room.objects.exists()


def test_two_rounds_their_fees_the_bank_and_a_report_that_ties_out(filed: FiledRoom) -> None:
    filed.start()
    filed.bank_to(1)
    first = filed.finish(
        [
            {"seat": 2, "wagers": {"player": 5000, "tie": 500}, "tips": {"player": 100}},
            {"seat": 3, "wagers": {"banker": 15000, "dragon_7": 100}},
        ]
    )
    second = filed.finish([{"seat": 2, "wagers": {"player": 1000, "banker": 1000}}])
    assert (first.total_table_action_cents, second.total_table_action_cents) == (20000, 2000)
    # $20.00 of action in the second band: the bank pays $2, each player $1.
    assert (first.player_fees_cents, first.bank_fee_cents) == (200, 200)
    assert (second.player_fees_cents, second.bank_fee_cents) == (100, 100)
    assert (first.sheet, first.settlement, first.recording) == (None, None, "fees")
    assert set(first.transfers.values_list("kind", flat=True)) == {Transfer.Kind.FEE}
    assert filed.state().step.kind == "offer"
    assert filed.send(offer_answer, seat=2, answer="accepted")["seat"] == 2

    made = report(filed)

    assert made.typed_figures["differences"] == []
    sums = of_table(made, BACCARAT)
    assert (sums["rounds_settled"], sums["rounds_by_eye"]) == (2, 2)
    assert (sums["total_table_action_cents"], sums["drop_expected_cents"]) == (22000, 600)
    again = audit_fees(Round.objects.all(), [made.shift_id])
    assert (again.rounds, again.differing) == (2, 0)


def test_fees_by_spot_stand_beside_fees_by_action_in_one_report(filed: FiledRoom, client: Client) -> None:
    """$1 a bet and 50 cents a Lucky Pairs at the table of blackjack, by the schedule that names its spots."""
    filed.start()
    filed.bank_to(1)
    filed.finish([{"seat": 2, "wagers": {"player": 5000}}])
    filed.play_on(BLACKJACK)
    filed.bank_to(1)
    played = filed.finish(
        [
            {"seat": 2, "wagers": {"bet": 5000, "pairs": 500}},
            {"seat": 3, "wagers": {"bet": 1000, "bust": 500}},
        ]
    )
    assert [(fee["seat"], fee["cents"]) for fee in played.fees] == [(2, 150), (3, 100), (1, 200)]
    made = report(filed)
    assert made.typed_figures["differences"] == []
    assert of_table(made, BACCARAT)["drop_expected_cents"] == 200
    assert of_table(made, BLACKJACK)["drop_expected_cents"] == 450
    again = audit_fees(Round.objects.all(), [made.shift_id])
    assert (again.rounds, again.differing) == (2, 0)
    call_command("verify", stdout=StringIO())
    client.force_login(filed.people["floor"])
    placard = client.get(f"/tables/{filed.table.pk}/placard/").content.decode()
    assert "Lucky Pairs wager" in placard
    display = client.get(f"/tables/{filed.table.pk}/display/").content.decode()
    assert "Lucky Pairs" in display
    assert ">pairs" not in display


def test_a_schedule_that_names_other_spots_is_not_set(filed: FiledRoom) -> None:
    filed.table = Table.objects.get(room=filed.room, number=HOLDEM)
    game = filed.room.gamefiling_versions.get(number=HOLDEM)
    by_spot = filed.room.feeschedule_versions.get(number=2)
    with pytest.raises(BadInput, match=r"is approved for game 2, and not for ") as refused:
        filed.send(table_set, "floor", game_id=game.pk, schedule_id=by_spot.pk)
    assert (refused.value.code, refused.value.path) == ("schedule_of_another_approval", "schedule_id")
    of_every_game = FeeSchedule(
        room=filed.room, number=61, rulebook="by_eye", document=by_spot.document, title="Of every game"
    )
    schedule = filed_long_ago(of_every_game, filer(filed.room))
    with pytest.raises(BadInput, match=r"has a fee for bet, pairs, and .* has no such wager") as refused:
        filed.send(table_set, "floor", game_id=game.pk, schedule_id=schedule.pk)
    assert (refused.value.code, refused.value.path) == ("schedule_names_other_wagers", "schedule_id")


def test_a_wager_that_stands_alone_is_charged_for_itself_and_counts_toward_no_action(
    running: Cast, client: Client
) -> None:
    """Beside a main wager of another player: alone at the table, there is no action to bank."""
    spots = [*FILED["spots"][:1], {**FILED["spots"][1], "alone": True}]
    fees = with_lines(per_position(100), wager("tie", 50), band(1000, None, 200))
    by = filer(running.room)
    drafted = schedule_draft(
        room=running.room, number=5, rulebook="by_eye", document={**fees, "ante_min_cents": 1000}, by=by
    )
    filed = services.file(drafted, by=by, effective_from=SINCE, state_reference="by spot")
    settings = table_settings(
        running.room, rulebook="by_eye", options={**FILED, "spots": spots}, schedule_id=filed.pk
    )
    running.send(table_set, "floor", **settings, recording="fees")
    running.send(round_open, bank_wager_cents=100_000)
    running.send(bets_place, positions=[{"seat": 1, "wagers": {"tie": 500}}])
    with pytest.raises(BadInput, match="below the first band"):
        running.send(bets_close)
    client.force_login(running.people["dealer"])
    page = client.get(f"/tables/{running.table.pk}/")
    assert page.status_code == 200
    assert "below the first band" in page.content.decode()
    running.send(
        bets_place, positions=[{"seat": 1, "wagers": {"tie": 500}}, {"seat": 2, "wagers": {"player": 4000}}]
    )
    state = read_table(Table.objects.get(pk=running.table.pk))
    assert state.live is not None
    preview = quote_preview(state, state.live, state.live.bets)
    assert preview is not None and preview.drop_cents == 150 + 100 + 200
    running.send(bets_close)
    closed = Round.objects.get()
    assert [(fee["seat"], fee["cents"]) for fee in closed.fees] == [(1, 150), (2, 100), (3, 200)]
    assert closed.total_table_action_cents == 4000


TWO_SPOTS: dict[str, Any] = {
    "name": "Blackjack two spots",
    "seats": 8,
    "decks": 6,
    "spots": [
        {"id": "bet", "name": "Bet", "main": True},
        {"id": "bet2", "name": "Second spot", "main": True},
    ],
}


@pytest.fixture
def two_spots(running: Cast) -> Cast:
    """Blackjack on two spots: $5 to $200 each; $1 for $5 to $100, $2 for $101 to $200; seat 3 banks and pays $3 a round."""
    by = filer(running.room)
    bands = [
        {"payer": "player", "per": "own_ante", "lower_cents": low, "upper_cents": up, "fee_cents": fee}
        for low, up, fee in ((500, 10_000, 100), (10_100, 20_000, 200))
    ]
    document = {
        "clause": "filing",
        "ante_min_cents": 500,
        "ante_max_cents": 20_000,
        "lines": [*bands, {"payer": "bank", "per": "round", "fee_cents": 300}],
    }
    drafted = schedule_draft(room=running.room, number=5, rulebook="by_eye", document=document, by=by)
    filed = services.file(drafted, by=by, effective_from=SINCE, state_reference="two spots")
    settings = table_settings(
        running.room, rulebook="by_eye", options={**TWO_SPOTS, "positions": 2}, schedule_id=filed.pk
    )
    running.send(table_set, "floor", **settings, recording="fees")
    return running


@pytest.mark.parametrize(("cents", "fee"), [(4000, 200), (15_000, 400)])
def test_each_main_spot_has_its_limit_and_its_fee(two_spots: Cast, cents: int, fee: int) -> None:
    """$40 and $40 are $1 + $1; $150 and $150 are both within $200, and $2 + $2."""
    two_spots.send(round_open, bank_wager_cents=100_000)
    two_spots.send(bets_place, positions=[{"seat": 4, "wagers": {"bet": cents, "bet2": cents}}])
    two_spots.send(bets_close)
    round_ = Round.objects.get()
    assert [(each["seat"], each["cents"]) for each in round_.fees] == [(4, fee), (3, 300)]
    assert round_.total_table_action_cents == 2 * cents


def test_two_small_wagers_are_both_below_the_least(two_spots: Cast) -> None:
    two_spots.send(round_open, bank_wager_cents=100_000)
    for wagers, spot in (({"bet": 300, "bet2": 300}, "bet"), ({"bet": 500, "bet2": 300}, "bet2")):
        with pytest.raises(BadInput) as refused:
            two_spots.send(bets_place, positions=[{"seat": 4, "wagers": wagers}])
        assert refused.value.path == f"positions[0].wagers.{spot}"


def test_one_player_holds_as_many_positions_as_the_filing_says(two_spots: Cast) -> None:
    """Each with a fee of its own; a third is refused, and without the term a second one."""
    player = two_spots.players[4]
    two_spots.send(player_leave, seat=5)
    two_spots.send(player_seat, seat=5, player_id=player.pk)
    two_spots.send(player_leave, seat=6)
    with pytest.raises(NotNow) as refused:
        two_spots.send(player_seat, seat=6, player_id=player.pk)
    assert refused.value.code == "too_many_positions"
    two_spots.send(round_open, bank_wager_cents=100_000)
    two_spots.send(
        bets_place,
        positions=[{"seat": 4, "wagers": {"bet": 4000}}, {"seat": 5, "wagers": {"bet": 15_000}}],
    )
    two_spots.send(bets_close)
    assert [(fee["seat"], fee["cents"]) for fee in Round.objects.get().fees] == [(4, 100), (5, 200), (3, 300)]


@pytest.mark.parametrize(
    ("more", "code", "path"),
    [
        ({}, "clause_missing", "options.sources.direction"),
        ({"sources": {"direction": "4"}, "number": "GEGR-2"}, "approval_number", "options.number"),
    ],
)
def test_a_filing_with_clauses_names_its_number_and_the_clause_of_each_term(
    running: Cast, more: dict[str, Any], code: str, path: str
) -> None:
    options = {**TWO_SPOTS, "direction": "counterclockwise", "number": "GEGR-1", **more}
    game = GameFiling(room=running.room, number=9, rulebook="by_eye", options=options, title="Two")
    with pytest.raises(FilingError) as refused:
        services.file_at_once(game, by=filer(running.room), effective_from=SINCE, state_reference="GEGR-1")
    assert (refused.value.code, refused.value.path) == (code, path)


def test_a_table_says_how_many_decks_are_in_use_where_the_filing_leaves_that_open(running: Cast) -> None:
    settings = table_settings(running.room, rulebook="by_eye", options={**TWO_SPOTS, "decks": [3, 8]})
    running.send(table_set, "floor", **settings, recording="fees", decks=6)
    table = Table.objects.get(pk=running.table.pk)
    assert (table.options["decks"], table.book.cards.decks) == (6, (6, 6))
    assert plays_as_filed(table)
    for decks in (2, 9):
        with pytest.raises(BadInput) as refused:
            running.send(table_set, "floor", **settings, decks=decks)
        assert (refused.value.code, refused.value.path) == ("bad_option", "decks")
    running.send(round_open, bank_wager_cents=100_000)
    assert Round.objects.get().options["decks"] == 6


def test_a_seat_that_the_filed_game_has_not(filed: FiledRoom) -> None:
    filed.start()
    more = Player.objects.create(room=filed.room, name="Dee")
    with pytest.raises(NotNow, match="has seats 1 to 9"):
        filed.send(player_seat, seat=10, player_id=more.pk)
    filed.send(player_seat, seat=9, player_id=more.pk)
    game = filed.room.gamefiling_versions.get(number=HOLDEM)
    schedule = filed.room.feeschedule_versions.get(number=5)
    with pytest.raises(NotNow, match="Ultimate Texas Hold'em by these rules has seats 1 to 7"):
        filed.send(table_set, "floor", game_id=game.pk, schedule_id=schedule.pk)


def test_a_wager_that_the_filing_does_not_name_and_one_outside_its_limits(filed: FiledRoom) -> None:
    filed.start()
    filed.bank_to(1)
    filed.send(round_open, bank_wager_cents=100_000)
    for wagers, path in (
        ({"ante": 1000}, "positions[0].wagers.ante"),
        ({"tie": 500}, "positions[0].wagers.tie"),
        ({"player": 500}, "positions[0].wagers.player"),
        ({"player": 1000, "tie": 20_000}, "positions[0].wagers.tie"),
    ):
        with pytest.raises(BadInput) as refused:
            filed.send(bets_place, positions=[{"seat": 2, "wagers": wagers}])
        assert refused.value.path == path


def test_a_table_of_it_records_fees_alone(running: Cast) -> None:
    settings = table_settings(running.room, rulebook="by_eye", options=FILED)
    for recording in ("cards", None):  # left out, it stays as it is: cards
        with pytest.raises(BadInput, match="not carded") as refused:
            running.send(table_set, "floor", **settings, recording=recording)
        assert (refused.value.code, refused.value.path) == ("settled_by_eye", "recording")
    running.send(table_set, "floor", **settings, recording="fees")
    table = Table.objects.get(pk=running.table.pk)
    assert (table.rulebook, table.recording) == ("by_eye", "fees")
    assert (
        JournalEntry.objects.filter(command="table_set").order_by("-seq")[0].data["after"]["recording"]
        == "fees"
    )


FILED: dict[str, Any] = {
    "name": "Baccarat",
    "seats": 9,
    "decks": 8,
    "spots": [{"id": "player", "name": "Player", "main": True}, {"id": "tie", "name": "Tie"}],
}


@pytest.fixture
def played(filed: FiledRoom) -> Round:
    """A finished round, at a table whose bank sits at seat 1."""
    return Round.objects.get(table=filed.table)


def test_its_wagers_are_corrected_and_the_report_ties_out(filed: FiledRoom, played: Round) -> None:
    record = as_recorded(played)
    record["positions"][0]["wagers"] = {"banker": 7000}
    answer = correct(filed, record)
    assert Round.objects.get(pk=answer["round"]).total_table_action_cents == 7000
    record["positions"][0]["wagers"] = {"tie": 500}
    with pytest.raises(BadInput, match="Tie needs a wager on Player or Banker"):
        correct(filed, {**record, "round_id": answer["round"]})
    made = report(filed)
    assert made.typed_figures["differences"] == []
    assert of_table(made, BACCARAT)["total_table_action_cents"] == 7000
    out = StringIO()
    call_command("verify", stdout=out)


def test_its_wagers_repeat_in_the_next_round(filed: FiledRoom, played: Round) -> None:
    filed.send(round_open, bank_wager_cents=100_000, repeat_bets=True)
    bets = Round.objects.latest("pk").bets
    assert [(bet["seat"], bet["wagers"]) for bet in bets] == [(2, played.bets[0]["wagers"])]


def test_action_that_was_tampered_with_shows_in_the_report(filed: FiledRoom, played: Round) -> None:
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_round SET total_table_action_cents = 5001 WHERE id = %s", [played.pk])
    (difference,) = report(filed).typed_figures["differences"]
    assert difference["figure"] == "total_table_action_cents"


def test_options_that_were_tampered_with_show_and_break_no_report(filed: FiledRoom, played: Round) -> None:
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_round SET options = '{}' WHERE id = %s", [played.pk])
    made = report(filed)
    (difference,) = made.typed_figures["differences"]
    assert difference["figure"] == "total_table_action_cents"
    assert audit_fees(Round.objects.all(), [made.shift_id]).differing == 1


@pytest.mark.parametrize("name", sorted(REPORTS))
def test_every_report_is_made_of_its_rounds(filed: FiledRoom, played: Round, name: str) -> None:
    query = report_query_of(REPORTS[name], filed.room, filed.people["room_manager"], timezone.now())
    document = named(REPORTS[name].make(query))
    found = document.grid("off_file")
    assert found is None or not found.rows
