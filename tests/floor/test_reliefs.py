"""A relief who takes over a table ends the other's down and begins theirs, and leaves another table only where that is asked for."""

from __future__ import annotations

import functools

import pytest
from django.db import transaction

from cardroom.floor.commands.seats import down_end, down_start
from cardroom.floor.errors import NotNow, Stale
from cardroom.floor.models import Down, JournalEntry, Table
from cardroom.floor.verification.rows import rows_verify
from cardroom.people.models import Role
from tests.cast import running_cast, written
from tests.floor.test_locks import in_thread
from tests.floor.test_one_seat import open_second
from tests.waiting import until_somebody_waits

pytestmark = pytest.mark.postgresql


def dealing(*tables: Table) -> list[str | None]:
    """Who deals at each table."""
    downs = {down.table_id: str(down.dealer) for down in Down.objects.filter(ended_at__isnull=True)}
    return [downs.get(table.pk) for table in tables]


def test_a_dealer_leaves_another_table_for_this_one_where_that_is_asked_for(db: None) -> None:
    cast = running_cast()
    second, first = open_second(cast), cast.table
    dealer, stale, rows = cast.people["dealer"], cast.meta("floor"), written()
    with pytest.raises(NotNow, match="would have no dealer") as refused:
        cast.send(down_start, "floor", second, dealer_id=dealer.pk)
    assert refused.value.code == "dealer_elsewhere"
    with pytest.raises(NotNow) as refused:
        cast.send(down_start, "floor", dealer_id=dealer.pk, from_elsewhere=True)
    assert refused.value.code == "deals_here" and written() == rows

    answer = cast.send(down_start, "floor", second, dealer_id=dealer.pk, from_elsewhere=True)
    assert answer["left"] == first.pk and dealing(first, second) == [None, "Dealer"]
    ended, begun = Down.objects.get(table=first), Down.objects.get(table=second, dealer=dealer)
    assert ended.ended_at == begun.started_at == Down.objects.get(dealer=cast.people["dealer_2"]).ended_at
    left, taken = (JournalEntry.objects.filter(table=each).latest("seq") for each in (first, second))
    assert (left.command, left.data) == (
        "down_end",
        {"before": "Dealer", "after": None, "to_table": second.pk},
    )
    assert (taken.command, taken.data["from_table"]) == ("down_start", first.pk)
    assert list(rows_verify()) == []
    with pytest.raises(Stale):  # whoever works at the table that was left looks again
        down_end(stale, first.pk)


def test_a_table_of_another_room_is_not_left(db: None) -> None:
    cast = running_cast()
    both = cast.hire("rival_dealer", Role.DEALER)
    cast.send(down_start, "rival_floor", cast.rival_table, dealer_id=both.pk)
    with pytest.raises(NotNow, match="a table of another room"):
        cast.send(down_start, "floor", dealer_id=both.pk, from_elsewhere=True)
    assert dealing(cast.table, cast.rival_table) == ["Dealer", "Rival dealer"]


@pytest.mark.django_db(transaction=True)
def test_two_dealers_who_change_tables_at_once_lock_both_tables_in_one_order() -> None:
    """The second waits for the first, is no deadlock, and takes the table that was left."""
    cast = running_cast()
    second = open_second(cast)
    first, second_meta = cast.people["dealer"], cast.meta("floor_2")
    swap = functools.partial(
        down_start, second_meta, cast.table.pk, dealer_id=cast.people["dealer_2"].pk, from_elsewhere=True
    )
    with transaction.atomic():
        cast.send(down_start, "floor", second, dealer_id=first.pk, from_elsewhere=True)
        thread, outcome = in_thread(swap)
        until_somebody_waits()
    thread.join(timeout=30)
    [refused] = outcome
    assert isinstance(refused, Stale), refused  # its table was left by the first
    swapped = cast.send(down_start, "floor_2", dealer_id=cast.people["dealer_2"].pk)
    assert swapped["left"] is None and dealing(cast.table, second) == ["Dealer 2", "Dealer"]
