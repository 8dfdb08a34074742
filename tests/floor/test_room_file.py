"""A room as a file: what is written sets up the same room, and a slip anywhere sets up nothing."""

from __future__ import annotations

import datetime
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from cardroom.filings import services
from cardroom.filings.models import FeeSchedule, GameFiling, Levy
from cardroom.floor.commands.must_move import must_move_set
from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import JournalEntry, Table
from cardroom.floor.room_file import RoomFileRefused, room_set_up, written_room
from cardroom.rooms.models import Room
from tests.cast import Cast, closed_cast
from tests.fees.documents import OPTION_1, positions, timed, waiver, with_lines
from tests.filing import game_draft, schedule_draft, table_settings
from tests.games.test_approval import PAPER
from tests.kept import kept

FILED = {"effective_from": datetime.date(2025, 1, 1), "state_reference": "GEGA “7” \\ é"}


@pytest.fixture
def cast(db: None, request: pytest.FixtureRequest) -> Cast:
    """The cast; for a test of the file, in a room with every kind of thing in it."""
    return kept(_furnished) if "text" in request.fixturenames else closed_cast()


@pytest.fixture
def text(cast: Cast) -> str:
    """The file of that room."""
    return written_room(Room.objects.get(pk=cast.room.pk))


def _furnished() -> Cast:
    cast = Cast()
    by, room = cast.people["compliance"], cast.room
    Room.objects.filter(pk=room.pk).update(gaming_day_starts=datetime.time(7, 30), idle_minutes=20)
    assert cast.game.number == 1
    own = {"coverage": "net", "forfeits": "first"}
    draft = game_draft(room=room, number=2, rulebook="california", by=by, options=own, rotation="intervening")
    services.file(draft, by=by, **FILED)
    odd = with_lines(timed("hour", 50), positions(1, 4, 0), positions(5, None, 50))
    schedule = schedule_draft(
        room=room, number=3, document={**odd, "waivers": [waiver("short", "bank", portion_cents=25)]}, by=by
    )
    services.file(schedule, by=by, **FILED)
    tomorrow = timezone.localdate(timezone=room.zone) + datetime.timedelta(days=1)
    coming = schedule_draft(room=room, number=1, document=OPTION_1, by=by, title="Coming")
    services.file(coming, by=by, effective_from=tomorrow, state_reference="BGC 9")
    schedule_draft(room=room, number=8, document={}, by=by)
    limits = {"pair_plus": [100, 10000]}
    filed = {"game_id": cast.game.pk, "schedule_id": cast.schedule(2).pk}
    cast.send(table_set, "floor", **filed, wager_limits=limits)
    cast.send(table_set, "floor", cast.second_table, game_id=draft.pk, schedule_id=schedule.pk)
    Table.objects.create(room=room, number=9)
    return cast


def elsewhere(text: str) -> str:
    return text.replace("Cache Slough", "Elk Slough").replace("cache-slough", "elk-slough")


def test_what_is_written_sets_up_a_room_that_is_written_the_same(cast: Cast, text: str) -> None:
    made = room_set_up(elsewhere(text).encode(), file="room.toml", by=cast.people["compliance"])
    assert (made.schedules, made.games, made.tables) == (4, 2, 3)
    assert written_room(Room.objects.get(code="elk-slough")) == elsewhere(text)
    table = Table.objects.get(room=made.room, number=8)
    assert table.game is not None
    assert table.game.options == {"coverage": "net", "forfeits": "first"}
    assert JournalEntry.objects.filter(command="table_set", actor=cast.people["compliance"]).count() == 2
    assert (table.rotation, Table.objects.get(room=made.room, number=9).game) == ("intervening", None)


def test_decks_that_a_table_chose_and_its_must_move_go_through_the_file(cast: Cast) -> None:
    by, room = cast.people["compliance"], cast.room
    decks = {"number": "GEGR-004900", "cards": {"decks": [3, 8]}, "sources": {"cards.decks": "3, page 2"}}
    draft = game_draft(room=room, number=5, rulebook="baccarat", by=by, options={"approval": decks})
    game = services.file(draft, by=by, effective_from=FILED["effective_from"], state_reference="GEGR-004900")
    settings = table_settings(room, rulebook="baccarat", options={"approval": decks})
    assert settings["game_id"] == game.pk
    cast.send(table_set, "floor", **settings, decks=6)
    cast.send(table_set, "floor", cast.second_table, **settings)
    cast.send(must_move_set, "floor", to_table=cast.second_table.pk)
    written = elsewhere(written_room(Room.objects.get(pk=room.pk)))
    assert written.count("decks = 6\n") == 1
    made = room_set_up(written.encode(), file="room.toml", by=by)
    assert written_room(Room.objects.get(code="elk-slough")) == written
    table = Table.objects.get(room=made.room, number=7)
    assert (table.options["decks"], table.must_move_to.number) == (6, 8)
    for old, new, says in (
        ("decks = 6", "decks = 9", r"table\[0\]\.decks cannot be set: .* 3 to 8 decks"),
        ("must_move_to = 8", "must_move_to = 4", r"table\[0\]\.must_move_to is 4"),
        ("must_move_to = 8", "must_move_to = 7", r"table\[0\]\.must_move_to cannot be set"),
    ):
        other = written.replace(old, new).replace("elk", "oak").replace("Elk", "Oak")
        with pytest.raises(RoomFileRefused, match=says):
            room_set_up(other.encode(), file="room.toml", by=by)


def test_an_approval_goes_through_the_file_as_it_was_filed(cast: Cast) -> None:
    by, room = cast.people["compliance"], cast.room
    paper = {
        **PAPER,
        "bank": {"qualifies": "king_high"},
        "sources": {**PAPER["sources"], "bank.qualifies": "5 “b”"},
    }
    draft = game_draft(room=room, number=5, rulebook="california", by=by, options={"approval": paper})
    filed = services.file(draft, by=by, effective_from=FILED["effective_from"], state_reference="GEGR-004861")
    written = elsewhere(written_room(Room.objects.get(pk=room.pk)))
    made = room_set_up(written.encode(), file="room.toml", by=by)
    assert written_room(Room.objects.get(code="elk-slough")) == written
    again = GameFiling.objects.get(room=made.room, number=5)
    assert again.options == filed.options == {"approval": paper}
    assert again.book is filed.book
    other = written.replace("king_high", "ten_high").replace("elk", "oak").replace("Elk", "Oak")
    with pytest.raises(RoomFileRefused, match=r"options\.approval\.bank\.qualifies"):
        room_set_up(other.encode(), file="room.toml", by=by)


LEVY = {
    "levied_by": "city",
    "authority": "City of Elk",
    "source": "5.32.124",
    "text": "So much of what is collected.",
    "period": "month",
    "base": ["collection"],
    "tables": "authorized",
    "authorized_tables": 9,
    "maximum_cents": None,
    "lines": [
        {"per": "over", "lower_cents": 0, "upper_cents": 1_000_000, "fixed_cents": 50_000},
        {
            "per": "over",
            "lower_cents": 1_000_000,
            "upper_cents": None,
            "fixed_cents": 75_000,
            "basis_points": 500,
        },
    ],
}


def test_a_levy_goes_through_the_file_and_takes_the_same(cast: Cast) -> None:
    by, room = cast.people["compliance"], Room.objects.get(pk=cast.room.pk)
    filed = services.file_at_once(
        Levy(room=room, number=4, title="Tax", document=LEVY), by=by, effective_from=FILED["effective_from"]
    )
    services.draft(Levy(room=room, number=5, document={}), by=by)
    written = elsewhere(written_room(room))
    assert (written.count("[[levy]]"), written.count("[[levy.document.lines]]")) == (1, 2)
    made = room_set_up(written.encode(), file="room.toml", by=by)
    assert made.levies == 1
    assert written_room(Room.objects.get(code="elk-slough")) == written
    again = Levy.objects.get(room=made.room)
    assert (again.levy, again.title, again.effective_from) == (filed.levy, "Tax", filed.effective_from)
    for old, new, says in (
        ("lower_cents = 1000000", "lower_cents = 1000001", r"levy\[0\]\.document cannot be filed: .*line 2"),
        (
            'period = "month"',
            'period = "week"',
            r"levy\[0\]\.document cannot be filed: levy: period is one of",
        ),
        ('title = "Tax"\neffective', "effective", r"levy\[0\]\.title"),
    ):
        assert old in written
        other = written.replace(old, new).replace("elk", "oak").replace("Elk", "Oak")
        with pytest.raises(RoomFileRefused, match=says):
            room_set_up(other.encode(), file="room.toml", by=by)
    assert not Room.objects.filter(code="oak-slough").exists()


def test_drafts_and_people_are_no_part_of_it(text: str) -> None:
    assert text.count("[[schedule]]") == 4
    assert "compliance" not in text
    assert "gaming_day_starts = 07:30:00" in text


def test_a_dry_run_writes_nothing(cast: Cast, text: str) -> None:
    before = counts()
    made = room_set_up(elsewhere(text).encode(), file="room.toml", by=cast.people["compliance"], dry_run=True)
    assert made.tables == 3
    assert counts() == before


_ON_PAIR_PLUS = """[[schedule.line]]
payer = "player"
per = "wager"
wager = "pair_plus"
fee_cents = 50

[[schedule.line]]"""


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("[room]", "[hall]", "room is missing"),
        ("idle_minutes = 20", 'idle_minutes = "20"', "room.idle_minutes must be a whole number, not '20'"),
        ("idle_minutes = 20", "idle_minuets = 20", "room.idle_minuets is not a key that belongs here"),
        ("idle_minutes = 20", "idle_minutes = 0", "room.idle_minutes is refused"),
        ("America/Los_Angeles", "America/Los Angeles", "room.time_zone is refused"),
        ("effective_from = 2025-01-01", 'effective_from = "2025-01-01"', "must be a date"),
        ("effective_from = 2025-01-01", "effective_from = 2025-13-01", "room.toml: "),
        ("fee_cents = 50", "fee_cents = 0.5", "schedule 3, line 1"),
        ("lower_cents = 10100", "lower_cents = 20000", "cannot be filed"),
        (
            "games = [1, 2]",
            "games = [1, 9]",
            "games cannot be filed: schedule: game 9 is not one",
        ),
        ("games = [1, 2]", 'games = ["one"]', "games must be a list of numbers of games"),
        ("fee_cents = 100", "fee_cents = 150", "cannot be filed: schedule: option 1 of california"),
        ("[[schedule.line]]", _ON_PAIR_PLUS, "no fee comes of a pair_plus wager"),
        ('rulebook = "california"', 'rulebook = "nevada"', "rulebook is 'nevada'"),
        ('rulebook = "california"', 'rulebook = "massachusetts"', "may not be filed or played"),
        ('jurisdiction = "california"', 'jurisdiction = "south_dakota"', "may not be filed or played"),
        ('jurisdiction = "california"', 'jurisdiction = "nevada"', "room.jurisdiction is refused"),
        ('rotation = "intervening"', 'rotation = "every_hour"', "game[1].rotation cannot be filed"),
        ('coverage = "net"', 'coverage = "half"', "game[1].options.coverage cannot be filed"),
        ("game = 2", 'rulebook = "california"', "table[1].game is missing"),
        ("game = 1", "game = 5", "table[0].game is 5, of which no version"),
        ("number = 9", "number = 8", "table[2].number is 8"),
        ("pair_plus = [100, 10000]", "pair_plus = [100, 5]", "table[0].wager_limits.pair_plus cannot be set"),
        ('recording = "cards"', 'recording = "eye"', "table[0].recording"),
        ("elk-slough", "gold-bar", "there is such a room already"),
        ("elk-slough", "elk slough", "room.code is refused"),
    ],
)
def test_a_slip_is_refused_with_file_and_place_and_nothing_is_written(
    old: str, new: str, says: str, cast: Cast, text: str
) -> None:
    given = elsewhere(text)
    assert old in given
    before = counts()
    with pytest.raises(RoomFileRefused) as raised:
        room_set_up(given.replace(old, new, 1).encode(), file="room.toml", by=cast.people["compliance"])
    assert "room.toml" in str(raised.value)
    assert says in str(raised.value)
    assert counts() == before


def test_the_commands_write_and_read_a_file(cast: Cast, text: str, tmp_path: Path) -> None:
    out = StringIO()
    call_command("room_export", "cache-slough", stdout=out)
    assert out.getvalue() == text
    file = tmp_path / "elk.toml"
    file.write_text(elsewhere(text), encoding="utf-8")
    output = StringIO()
    call_command("room_import", str(file), by="compliance", dry_run=True, stdout=output)
    assert "nothing was written" in output.getvalue()
    assert not Room.objects.filter(code="elk-slough").exists()
    call_command("room_import", str(file), by="compliance", stdout=output)
    assert "4 fee schedules, 2 games, 0 levies, 3 tables: is set up" in output.getvalue()
    for arguments, says in (
        (("room_export", "nowhere"), "There is no room 'nowhere'"),
        (("room_import", str(file), "--by", "nobody"), "createsuperuser"),
        (("room_import", str(tmp_path / "none.toml"), "--by", "compliance"), "cannot be read"),
        (("room_import", str(file), "--by", "compliance"), "Nothing was written"),
    ):
        with pytest.raises(CommandError, match=says):
            call_command(*arguments)


def counts() -> list[int]:
    models = (Room, FeeSchedule, GameFiling, Table, JournalEntry)
    return [model._default_manager.count() for model in models]
