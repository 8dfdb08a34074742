"""One progressive meter for several tables: linking, what each round is settled by, wins, and that no cent is lost."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import Sum

from cardroom.core.triggers import triggers_lifted
from cardroom.floor.commands.meters import meter_link, meter_set, meter_unlink
from cardroom.floor.commands.rounds import (
    bets_close,
    bets_place,
    round_deal,
    round_open,
    round_record,
    round_settle,
    round_void,
)
from cardroom.floor.commands.tables import table_set
from cardroom.floor.commands.wins import win_confirm, win_key
from cardroom.floor.models import JournalEntry, MeterMovement, ProgressiveMeter, Round, Table, Transfer
from cardroom.floor.reads.meters import meter_of, meter_record
from cardroom.floor.verification.meters import meters_verify
from cardroom.floor.verification.rows import rows_verify
from cardroom.people.models import Role
from cardroom.rooms.models import Room
from tests.cast import Cast, house_cast
from tests.filing import table_settings
from tests.kept import kept

from .procedures import refused
from .test_house_banked import second_table

clause = pytest.mark.clause
SEED = 100_000
SPADES = "As Ks Qs"
MISS = "8s 8c 3d"
BANK = "2c 4d 7h"
#: By how much each progressive wager moves the meter, and its reserve, in these tests.
ADDS, RESERVES = 20, 5


@pytest.fixture(params=["massachusetts", "south_dakota"])
def rulebook(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def tables(db: None, rulebook: str) -> tuple[Cast, Cast]:
    """Tables 7 and 8 of a room, each with a meter of its own; each wager adds to it."""
    return kept({"massachusetts": _massachusetts, "south_dakota": _south_dakota}[rulebook])


@pytest.fixture
def linked(db: None, rulebook: str) -> tuple[Cast, Cast]:
    """The same; table 8 plays for the meter of table 7."""
    return kept({"massachusetts": _massachusetts_linked, "south_dakota": _south_dakota_linked}[rulebook])


def _tables(rulebook: str) -> tuple[Cast, Cast]:
    cast = house_cast(rulebook)
    Room.objects.update(meter_contribution_cents=ADDS, meter_reserve_cents=RESERVES)
    return cast, second_table(cast, rulebook)


def _massachusetts() -> tuple[Cast, Cast]:
    return _tables("massachusetts")


def _south_dakota() -> tuple[Cast, Cast]:
    return _tables("south_dakota")


def _massachusetts_linked() -> tuple[Cast, Cast]:
    return _linked("massachusetts")


def _south_dakota_linked() -> tuple[Cast, Cast]:
    return _linked("south_dakota")


def _linked(rulebook: str) -> tuple[Cast, Cast]:
    tables = _tables(rulebook)
    link(*tables)
    return tables


def of(cast: Cast) -> Table:
    return Table.objects.select_related("room", "meter").get(pk=cast.table.pk)


def shows(cast: Cast) -> tuple[int, int]:
    """What the meter of a table shows, and its reserve."""
    stands = meter_of(of(cast))
    assert stands is not None
    return stands.shown_cents, stands.reserve_cents


def link(to: Cast, cast: Cast, **more: Any) -> dict[str, Any]:
    meter_id = of(to).meter_id
    signed = {"reason": "one jackpot for the pit", "approver": cast.people["shift_manager"], **more}
    return cast.send(meter_link, "floor", meter_id=meter_id, **signed)


def link_refused(to: Cast, cast: Cast) -> str:
    signed = {"reason": "one jackpot for the pit", "approver": cast.people["shift_manager"]}
    return refused(cast, meter_link, "floor", meter_id=of(to).meter_id, **signed)


def unlink(cast: Cast) -> dict[str, Any]:
    return cast.send(
        meter_unlink, "floor", reason="moves to another pit", approver=cast.people["shift_manager"]
    )


def dealt(cast: Cast) -> None:
    """A round up to the deal in which both of two seats bet the progressive."""
    cast.send(round_open)
    wagers = {"ante": 1000, "progressive": 100}
    cast.send(bets_place, positions=[{"seat": seat, "wagers": wagers} for seat in seats(cast)])
    cast.send(bets_close)
    cast.send(round_deal)


def seats(cast: Cast) -> tuple[int, int]:
    return (4, 5) if 4 in cast.players else (1, 2)


def hands(cast: Cast, hand: str) -> dict[str, Any]:
    """The first of the two seats holds `hand`, the other one misses."""
    held = zip(seats(cast), (hand, MISS), strict=True)
    return {
        "bank_hand": BANK,
        "positions": [{"seat": seat, "hand": cards, "decision": "play"} for seat, cards in held],
    }


def settled(cast: Cast, hand: str = MISS) -> dict[str, Any]:
    other = "Jc 9d 5h" if hand == MISS else hand
    return cast.send(round_settle, **hands(cast, other))["settlement"]


def played(cast: Cast, hand: str = MISS) -> dict[str, Any]:
    dealt(cast)
    return settled(cast, hand)


def confirmed(cast: Cast) -> None:
    """Key the win of the first seat in, and let the floor confirm it."""
    cast.send(win_confirm, "floor", win_id=cast.send(win_key, seat=seats(cast)[0])["win"])


def from_meters() -> int:
    """What transfers took off the account of meters, in cents."""
    paid = Transfer.objects.filter(source=Transfer.Account.METER).aggregate(Sum("cents"))["cents__sum"]
    return int(paid or 0)


def moved(kind: str) -> list[tuple[int, int]]:
    """Table and cents of the movements of a kind."""
    return list(MeterMovement.objects.filter(kind=kind).order_by("id").values_list("table__number", "cents"))


# -- linking and unlinking


def test_each_table_has_a_meter_of_its_own_until_it_is_linked(tables: tuple[Cast, Cast]) -> None:
    first, second = tables
    assert of(first).meter_id != of(second).meter_id
    played(first)
    assert (shows(first), shows(second)) == ((SEED + 40, 10), (SEED, 0))
    assert [meter.name for meter in ProgressiveMeter.objects.all()] == ["Table 7", "Table 8"]


def test_a_table_that_is_linked_hands_over_what_players_have_added_and_its_reserve(
    tables: tuple[Cast, Cast],
) -> None:
    first, second = tables
    played(first)
    played(second)
    played(second)
    own = of(second).meter
    answer = link(first, second, name=" The Mill River Progressive ")
    assert (answer["meter"], answer["shown_cents"], answer["reserve_cents"]) == (
        of(first).meter_id,
        SEED + 40 + 80,
        10 + 20,
    )
    assert shows(first) == shows(second) == (SEED + 120, 30)
    assert own is not None
    left = MeterMovement.objects.filter(meter=own).order_by("id").values_list("kind", "cents", "shown_cents")
    assert list(left) == [
        ("opened", SEED, SEED),
        ("wagered", 40, SEED + 40),
        ("wagered", 40, SEED + 80),
        ("handed", -80, SEED),
        ("closed", -SEED, 0),
    ]
    assert moved("taken") == [(8, 80)]
    state = meter_record(of(second))
    assert state is not None
    assert (state["name"], state["tables"]) == ("The Mill River Progressive", [7, 8])
    entry = JournalEntry.objects.get(command="meter_link")
    assert (entry.table_id, entry.reason) == (second.table.pk, "one jackpot for the pit")
    assert entry.data["after"] == {"id": of(first).meter_id, "name": "The Mill River Progressive"}
    assert of(second).history.first().meter_id == of(first).meter_id  # type: ignore[attr-defined]
    assert list(meters_verify()) == []


def test_linking_and_unlinking_again_and_again_adds_no_seed(linked: tuple[Cast, Cast]) -> None:
    first, second = linked
    for _ in range(3):
        unlink(second)
        assert shows(second) == (SEED, 0)
        link(first, second)
    assert shows(first) == (SEED, 0)
    assert list(meters_verify()) == []


def test_what_the_meter_shows_stays_with_the_tables_that_play_on_for_it(linked: tuple[Cast, Cast]) -> None:
    first, second = linked
    played(first)
    played(second)
    unlink(first)  # the one that it was opened for leaves
    assert (shows(first), shows(second)) == ((SEED, 0), (SEED + 80, 20))
    refused_again = refused(
        second, meter_unlink, "floor", reason="again", approver=second.people["shift_manager"]
    )
    assert refused_again == "meter_not_linked"


def test_only_the_floor_links_and_a_second_person_signs_between_rounds(tables: tuple[Cast, Cast]) -> None:
    first, second = tables
    given = {
        "meter_id": of(first).meter_id,
        "reason": "one jackpot",
        "approver": second.people["shift_manager"],
    }
    assert refused(second, meter_link, **given) == "forbidden", "a dealer links none"
    own = {**given, "approver": second.people["floor"]}
    assert refused(second, meter_link, "floor", **own) == "second_person_required"
    assert refused(second, meter_link, "floor", **{**given, "reason": " "}) == "reason_required"
    assert (
        refused(second, meter_link, "floor", **{**given, "meter_id": of(second).meter_id}) == "meter_linked"
    )
    dealt(second)
    assert refused(second, meter_link, "floor", **given) == "round_live"
    settled(second, "Th 9h 8h")
    assert refused(second, meter_link, "floor", **given) == "win_waits"
    confirmed(second)
    dealt(first)  # the other table plays on
    link(first, second)
    assert refused(second, meter_link, "floor", **given) == "meter_linked"


def test_a_table_of_a_shared_meter_is_unlinked_before_it_joins_another(
    linked: tuple[Cast, Cast], rulebook: str
) -> None:
    first, second = linked
    other = ProgressiveMeter.objects.create(room=first.room, name="Table 9")
    Table.objects.create(room=first.room, number=9, rulebook=rulebook, options=of(first).options, meter=other)
    given = {"meter_id": other.pk, "reason": "one jackpot", "approver": second.people["shift_manager"]}
    assert refused(second, meter_link, "floor", **given) == "meter_linked"
    unlink(second)
    second.send(meter_link, "floor", **given)
    given["meter_id"] = ProgressiveMeter.objects.create(room=first.room, name="nobody's").pk
    assert refused(first, meter_link, "floor", **given) == "unknown_meter"


@pytest.mark.parametrize("change", ["progressive_table", "meter_wins", "rulebook"])
def test_linked_tables_play_the_same_progressive(
    tables: tuple[Cast, Cast], rulebook: str, change: str
) -> None:
    first, second = tables
    options = {"progressive_table": {"progressive_table": 2}, "meter_wins": {"meter_wins": "They share it."}}
    other = {"massachusetts": "south_dakota", "south_dakota": "massachusetts"}[rulebook]
    if change == "rulebook":
        Table.objects.filter(pk=second.table.pk).update(rulebook=other)
    else:
        settings = table_settings(first.room, rulebook=rulebook, options=options[change])
        second.send(table_set, "floor", **settings)
    assert link_refused(first, second) == "other_progressive"
    offered = [meter_id for meter_id, _ in _offered(second)]
    assert offered == []


def test_a_linked_table_is_set_to_no_other_progressive(linked: tuple[Cast, Cast], rulebook: str) -> None:
    first, second = linked
    other = table_settings(first.room, rulebook=rulebook, options={"progressive_table": 2})
    assert refused(second, table_set, "floor", **other) == "other_progressive"
    same = table_settings(first.room, rulebook=rulebook, options={"six_card_bonus_table": "TCP-6B2"})
    second.send(table_set, "floor", **same)
    unlink(second)
    second.send(table_set, "floor", **other)


def test_the_form_offers_the_meters_of_tables_that_play_alike(tables: tuple[Cast, Cast]) -> None:
    first, second = tables
    assert _offered(second) == [(of(first).meter_id, "Table 7 · Table 7 · $1,000")]


def _offered(cast: Cast) -> list[tuple[int, str]]:
    from cardroom.core.commands import COMMANDS
    from cardroom.floor.reads.table_state import read_table

    [pick] = [each.pick for each in COMMANDS["meter_link"].inputs if each.name == "meter_id"]
    assert pick is not None
    return list(pick(read_table(of(cast))))


# -- rounds of linked tables


@clause("massachusetts:13(d)(a)", "south_dakota:(16)(a)(i)")
def test_a_round_is_settled_by_what_the_meter_shows_then(linked: tuple[Cast, Cast]) -> None:
    first, second = linked
    dealt(first)
    dealt(second)
    settled(second)  # adds between "no more bets" and the settlement of the other table
    settlement = settled(first, SPADES)
    assert settlement["meter_paid"] == from_meters() == SEED + 80
    round_ = Round.objects.get(table=first.table)
    assert round_.sheet is not None
    assert (round_.sheet["meter"], round_.meter_cents) == (SEED + 80, SEED + 80)
    assert moved("wagered") == [(8, 40), (7, 40)]


def test_a_void_round_adds_nothing_to_the_linked_meter(linked: tuple[Cast, Cast]) -> None:
    first, second = linked
    dealt(first)
    played(second)
    first.send(round_void, reason="device failure", approver=first.people[Role.SHIFT_MANAGER])
    assert shows(first) == (SEED + 40, 10)


@clause(
    "massachusetts:13(d)(c)",
    "south_dakota:(16)(a)(iv)",
    "south_dakota:(16)(a)(v)",
    "south_dakota:(16)(a)(v).2",
)
def test_a_win_at_one_table_starts_the_meter_anew_for_all(linked: tuple[Cast, Cast]) -> None:
    first, second = linked
    dealt(first)
    dealt(second)
    settled(first, SPADES)
    assert shows(second) == (SEED + 40, 10), "until it is confirmed the meter shows what was won"
    confirmed(first)
    assert shows(first) == shows(second) == (SEED + 10, 0)
    assert settled(second, SPADES)["meter_paid"] == SEED + 10 + 40
    confirmed(second)
    assert moved("win") == [(7, -(SEED + 40)), (8, -(SEED + 50))]
    assert from_meters() == 2 * SEED + 90
    assert shows(first) == (SEED + 10, 0)
    assert list(meters_verify()) == []


@clause("massachusetts:13(d)(c)", "south_dakota:(16)(a)(iv)")
def test_a_second_win_waits_until_the_first_is_confirmed(linked: tuple[Cast, Cast], rulebook: str) -> None:
    first, second = linked
    unlink(second)  # both are set to a game with this text before they are linked again
    filed = {"meter_wins": "The hand that is keyed in first takes the meter."}
    settings = table_settings(first.room, rulebook=rulebook, options=filed)
    for cast in linked:
        cast.send(table_set, "floor", **settings)
    link(first, second)
    dealt(first)
    dealt(second)
    settled(first, SPADES)
    won = hands(second, SPADES)
    assert refused(second, round_settle, **won) == "meter_won"
    with pytest.raises(Exception, match="The hand that is keyed in first takes the meter"):
        second.send(round_settle, **won)
    assert from_meters() == SEED + 40, "the same cents are not paid twice"
    confirmed(first)
    assert second.send(round_settle, **won)["settlement"]["meter_paid"] == SEED + 50


@clause("south_dakota:(16)(a)(v).2")
def test_what_other_tables_add_while_a_win_waits_stays_in_the_meter(linked: tuple[Cast, Cast]) -> None:
    first, second = linked
    played(first, SPADES)
    played(second)
    played(second)
    assert shows(first) == (SEED + 40 + 80, 30)
    confirmed(first)
    assert moved("win") == [(7, -(SEED + 40))]
    assert shows(second) == (SEED + 30 + 80, 0), "seed, reserve, and what was added since"
    assert list(meters_verify()) == []


def test_a_win_off_the_tray_holds_up_no_other_table(linked: tuple[Cast, Cast]) -> None:
    first, second = linked
    played(first, "Th 9h 8h")
    assert played(second, SPADES)["meter_paid"] == SEED + 80
    confirmed(first)
    confirmed(second)
    assert shows(first) == (SEED + 20, 0)


def test_no_table_joins_while_a_win_of_the_meter_waits(tables: tuple[Cast, Cast]) -> None:
    first, second = tables
    played(first, SPADES)
    assert link_refused(first, second) == "meter_won"
    confirmed(first)
    link(first, second)


def test_a_linked_meter_is_set_when_no_wager_is_locked_in_for_it(linked: tuple[Cast, Cast]) -> None:
    first, second = linked
    given = {
        "shown_cents": 250_000,
        "reason": "as the display says",
        "approver": first.people["shift_manager"],
    }
    dealt(second)
    assert refused(first, meter_set, "floor", **given) == "round_live"
    settled(second, SPADES)
    assert refused(first, meter_set, "floor", **given) == "meter_won"
    confirmed(second)
    second.send(round_open)  # wagers can still be placed and withdrawn
    first.send(meter_set, "floor", **given)
    assert shows(second) == (250_000, 0)
    assert moved("set") == [(7, 250_000 - SEED - 10)]


def test_a_whole_sheet_is_recorded_on_the_meter_that_linked_tables_have_moved(
    linked: tuple[Cast, Cast], rulebook: str
) -> None:
    first, second = linked
    sheet = {
        "rulebook": rulebook,
        "bank_hand": BANK,
        "positions": [
            {"seat": 4, "wagers": {"ante": 1000, "progressive": 100}, "hand": SPADES, "decision": "play"}
        ],
        "meter": SEED + 20,
    }
    played(second)
    assert refused(first, round_record, sheet=sheet) == "meter_differs"
    recorded = first.send(round_record, sheet={**sheet, "meter": SEED + 60})
    assert recorded["settlement"]["meter_paid"] == SEED + 60


def test_a_meter_is_never_deleted(tables: tuple[Cast, Cast]) -> None:
    made = ProgressiveMeter.objects.create(room=tables[0].room, name="a third")
    with pytest.raises(DatabaseError, match="never deleted"), transaction.atomic():
        ProgressiveMeter.objects.filter(pk=made.pk).delete()


# -- what verify finds


@pytest.mark.parametrize(
    ("table", "change", "text"),
    [
        ("floor_metermovement", "reason = 'fine' WHERE kind = 'set'", "a column of it was changed"),
        (
            "floor_metermovement",
            "cents = cents + 1 WHERE kind = 'wagered'",
            "a column of it was changed",
        ),
        ("floor_metermovement", "cents = cents + 1 WHERE kind = 'wagered'", "cents, and 100041 follow from"),
        (
            "floor_metermovement",
            "kind = 'taken' WHERE kind = 'opened'",
            "is taken, which no meter begins with",
        ),
        ("floor_metermovement", "round_id = NULL WHERE kind = 'win'", "of the meter, which paid 0"),
        ("floor_metermovement", "round_id = NULL WHERE kind = 'win'", "no confirmed win was of it"),
        ("floor_round", "meter_cents = 1 WHERE meter_cents > 0", "its round pays 1 cents of the meter"),
    ],
)
def test_verification_finds_what_was_changed_past_the_triggers(
    linked: tuple[Cast, Cast], table: str, change: str, text: str
) -> None:
    first, second = linked
    played(first)
    played(second, SPADES)
    confirmed(second)
    given = {
        "shown_cents": 250_000,
        "reason": "as the display says",
        "approver": first.people["shift_manager"],
    }
    first.send(meter_set, "floor", **given)
    assert list(meters_verify()) == []
    with triggers_lifted(connection, [table]), connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET {change}")
    found = [*meters_verify(), *map(str, rows_verify(models=[MeterMovement]))]
    assert any(text in each for each in found), found
