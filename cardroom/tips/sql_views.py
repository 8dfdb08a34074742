"""SQL view of tips (`cardroom.core.sql_views`; columns in docs/sql.md)."""

# ruff: noqa: S608 -- the SQL is put together from this module's own words alone

from __future__ import annotations

from typing import Final

from cardroom.core.sql_views import Dialect, View


def _tips(to: Dialect) -> str:
    """One row a tip: handed in by a dealer, or won in a round. What was taken back is negative."""
    won = "CASE WHEN f.target = 'tips' THEN f.cents ELSE -f.cents END"
    return f"""
SELECT 'hand_in' AS source, h.id AS source_id, room.code AS room, s.gaming_day, s.name AS shift,
    t.number AS table_number, NULL AS round_number, {to.staff("dealer")} AS dealer,
    h.cents, {to.dollars("h.cents")} AS dollars,
    {to.instant("h.made_at", "made")}, h.reason, h.dealer_id
FROM tips_handin AS h
JOIN floor_shift AS s ON s.id = h.shift_id
JOIN rooms_room AS room ON room.id = s.room_id
JOIN people_staff AS dealer ON dealer.id = h.dealer_id
LEFT JOIN floor_down AS d ON d.id = h.down_id
LEFT JOIN floor_table AS t ON t.id = d.table_id
UNION ALL
SELECT 'won', f.id, room.code, s.gaming_day, s.name, t.number, r.number, {to.staff("dealer")},
    {won}, {to.dollars(won)}, {to.instant("f.made_at", "made")}, '', r.dealer_id
FROM floor_transfer AS f
JOIN floor_shift AS s ON s.id = f.shift_id
JOIN rooms_room AS room ON room.id = s.room_id
JOIN floor_table AS t ON t.id = f.table_id
JOIN floor_round AS r ON r.id = f.round_id
JOIN people_staff AS dealer ON dealer.id = r.dealer_id
WHERE f.target = 'tips' OR f.source = 'tips'
"""


VIEWS: Final = (View("tips", _tips),)
