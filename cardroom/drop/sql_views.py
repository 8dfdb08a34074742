"""SQL view `counts`, a row a verified count sheet (`cardroom.core.sql_views`; columns in docs/sql.md)."""

# ruff: noqa: S608 -- the SQL is put together from this module's own words alone

from __future__ import annotations

from typing import Final

from cardroom.core.sql_views import Dialect, View


def _counts(to: Dialect) -> str:
    """One row a count sheet of a box whose count stands: before that no user is shown a figure (4 CCR 12385).

    `other_shifts_cents` is what of the box other shifts dropped than the one that it was hung in (ruling 58).
    """
    others = (
        "(SELECT COALESCE(SUM(CASE WHEN moved.target = b.kind THEN moved.cents ELSE -moved.cents END), 0) "
        "FROM floor_transfer AS moved WHERE moved.box_id = b.id AND moved.shift_id <> b.shift_id)"
    )
    return f"""
SELECT c.id AS count_sheet_id, room.code AS room, t.number AS table_number, s.gaming_day, s.name AS shift,
    b.number AS box_number, b.kind AS box, c.seq, c.kind,
    CASE WHEN EXISTS (SELECT 1 FROM drop_countsheet AS later WHERE later.box_id = c.box_id AND later.seq > c.seq)
        THEN 0 ELSE 1 END AS stands,
    c.total_cents AS counted_cents, {to.dollars("c.total_cents")} AS counted_dollars,
    w.expected_cents, {to.dollars("w.expected_cents")} AS expected_dollars,
    CAST({others} AS bigint) AS other_shifts_cents, {to.dollars(others)} AS other_shifts_dollars,
    w.counted_cents - w.expected_cents AS difference_cents,
    {to.dollars("w.counted_cents - w.expected_cents")} AS difference_dollars,
    {to.instant("c.made_at", "made")}, {to.staff("counter")} AS counted_by,
    {to.staff("approver")} AS approved_by, c.reason,
    {to.instant("b.dropped_at", "dropped")},
    c.box_id, c.made_by_id AS counted_by_id, c.approved_by_id
FROM drop_countsheet AS c
JOIN floor_dropbox AS b ON b.id = c.box_id
JOIN floor_shift AS s ON s.id = b.shift_id
JOIN rooms_room AS room ON room.id = s.room_id
JOIN floor_table AS t ON t.id = b.table_id
JOIN people_staff AS counter ON counter.id = c.made_by_id
LEFT JOIN people_staff AS approver ON approver.id = c.approved_by_id
LEFT JOIN drop_variancecheck AS w ON w.id = (SELECT MAX(last.id) FROM drop_variancecheck AS last WHERE last.sheet_id = c.id)
WHERE b.counted_at IS NOT NULL
"""


VIEWS: Final = (View("counts", _counts),)
