"""Close the stays by which one player sat at two tables, before the database allows one stay alone.

Two acts at two tables have no lock in common: until the next migration's constraint both could seat the same player. The
stay in which the player has the bank or wagers in play goes on, else the latest; the others end now, each with an entry
in the journal of its table.
"""

from typing import Any

from django.db import migrations
from django.db.models import Count
from django.utils import timezone

from cardroom.floor.journal import entry_hash

REASON = "The player sat at two tables at once; one stay alone goes on."


def double_seatings_end(apps: Any, schema_editor: Any) -> None:
    stays = apps.get_model("floor", "Seating").objects.filter(left_at__isnull=True)
    double = stays.order_by().values("player").annotate(times=Count("pk")).filter(times__gt=1)
    for player in double.values_list("player", flat=True):
        mine = list(stays.filter(player=player).select_related("table", "player").order_by("seated_at", "pk"))
        busy = [stay for stay in mine if _is_busy(apps, stay)]
        if len(busy) > 1:
            where = " and ".join(f"seat {stay.seat} of table {stay.table.number}" for stay in busy)
            raise RuntimeError(
                f"{busy[0].player.name} (player {player}) banks or has wagers in play at {where}. Start the site as it "
                "was before, end these rounds or let the player leave one of the tables, and migrate again."
            )
        kept = busy[0] if busy else mine[-1]
        for stay in mine:
            if stay.pk != kept.pk:
                _end(apps, stay)


def _is_busy(apps: Any, stay: Any) -> bool:
    turns = apps.get_model("floor", "Turn").objects
    if turns.filter(table=stay.table_id, player=stay.player_id, ended_at__isnull=True).exists():
        return True
    rounds = apps.get_model("floor", "Round").objects.filter(table=stay.table_id, ended_at__isnull=True)
    return any(
        round_.bank_seat == stay.seat
        or any(bet["seat"] == stay.seat and bet["wagers"] for bet in round_.bets)
        for round_ in rounds
    )


def _end(apps: Any, stay: Any) -> None:
    entries = apps.get_model("floor", "JournalEntry").objects.filter(chain=f"table:{stay.table_id}")
    last = entries.order_by("-seq").values_list("at", flat=True).first()
    now = max(timezone.now(), stay.seated_at, last or stay.seated_at)
    stay.left_at = now
    stay.save(update_fields=["left_at"])
    clock, _ = apps.get_model("people", "Staff").objects.get_or_create(
        username="house-clock",
        defaults={"display_name": "House clock", "is_active": False, "password": "!"},
    )
    table = stay.table
    entry = apps.get_model("floor", "JournalEntry")(
        room_id=table.room_id,
        table_id=table.pk,
        chain=f"table:{table.pk}",
        seq=table.chain_seq + 1,
        at=now,
        actor_id=clock.pk,
        actor_name=clock.display_name,
        roles="",
        act="player_leave",
        data={"seat": stay.seat, "player": stay.player_id, "name": stay.player.name},
        reason=REASON,
    )
    entry.hash = entry_hash(entry, table.chain_hash)
    entry.save(force_insert=True)
    apps.get_model("floor", "Table").objects.filter(pk=table.pk).update(
        chain_seq=entry.seq, chain_hash=entry.hash, version=table.version + 1
    )


class Migration(migrations.Migration):
    dependencies = [("floor", "0026_shown_card"), ("people", "0005_homes_found")]

    operations = [migrations.RunPython(double_seatings_end, migrations.RunPython.noop)]
