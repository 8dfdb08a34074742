"""The SQL view of exceptions (`cardroom.core.sql_views`; columns in docs/sql.md)."""

# ruff: noqa: S608 -- the SQL is put together from this module's own words alone

from __future__ import annotations

from typing import Final

from cardroom.core.sql_views import Dialect, View


def _exceptions(to: Dialect) -> str:
    """One row an act that took something back, let something go or overrode a refusal, with who ordered or approved it."""

    def part(
        kind: str, of: str, *, day: str, table: str, at: str, by: str, approver: str, joins: str,
        where: str = "1 = 1", shift: str = "s.name", number: str = "NULL", person: str = "NULL", cents: str = "NULL",
        reason: str = "e.reason",
    ) -> str:  # fmt: skip
        """One kind: `of` is its table, read as `e`, and `joins` bring the shift `s`, the round `r` and what else it names."""
        return f"""
SELECT '{kind}' AS kind, e.id AS source_id, room.code AS room, {day} AS gaming_day, {shift} AS shift,
    t.number AS table_number, {number} AS round_number, {person} AS concerns,
    {cents} AS cents, {to.dollars(cents)} AS dollars, {reason} AS reason,
    {to.staff("maker")} AS recorded_by, {to.staff("approver")} AS approved_by,
    {at} AS made_utc, {to.local(at)} AS made_local
FROM {of} AS e
JOIN rooms_room AS room ON room.id = e.room_id
{joins}
JOIN floor_table AS t ON t.id = {table}
LEFT JOIN people_staff AS maker ON maker.id = {by}
LEFT JOIN people_staff AS approver ON approver.id = {approver}
WHERE {where}"""

    shift = "LEFT JOIN floor_shift AS s ON s.id = e.shift_id"
    of_round = (
        "LEFT JOIN floor_round AS r ON r.id = e.round_id LEFT JOIN floor_shift AS s ON s.id = r.shift_id"
    )
    at_the_time = (
        "LEFT JOIN floor_round AS r ON r.id = e.round_id LEFT JOIN floor_shift AS s ON s.room_id = e.room_id "
        "AND s.opened_at <= e.made_at AND (s.closed_at IS NULL OR s.closed_at > e.made_at)"
    )
    box = "JOIN drop_dropbox AS b ON b.id = e.box_id JOIN floor_shift AS s ON s.id = b.shift_id"
    drop = "player_fees_cents + {0}.bank_fee_cents + {0}.rake_cents - {0}.refunded_cents"
    changed = f"e.{drop.format('e')} - (r.{drop.format('r')})"
    name = f"COALESCE(player.name, {to.staff('person')})"
    parts = [
        part(
            "void", "floor_round", day="e.gaming_day", table="e.table_id", at="e.ended_at", number="e.number",
            by="e.voided_by_id", approver="e.void_approved_by_id", joins=shift, where="e.state = 'void'",
            cents="e.refunded_cents", reason="e.void_reason",
        ),
        part(
            "correction", "floor_round", day="e.gaming_day", table="e.table_id", at="e.corrected_at", number="e.number",
            by="e.corrected_by_id", approver="e.correction_approved_by_id",
            joins=f"{shift} JOIN floor_round AS r ON r.id = e.corrects_id", cents=changed, reason="e.correction_reason",
        ),
        part(
            "waiver", "floor_waiver", day="r.gaming_day", table="e.table_id", at="e.made_at", number="r.number",
            by="e.recorded_by_id", approver="e.ordered_by_id", joins=of_round, person="e.title",
            where="e.withdrawn_at IS NULL",
        ),
        part(
            "time_taken_back", "floor_timecollection", day="s.gaming_day", table="e.table_id", at="e.made_at",
            by="e.recorded_by_id", approver="e.approved_by_id", joins=shift, cents="e.cents",
            where="e.reverses_id IS NOT NULL",
        ),
        part(
            "expiry_override", "floor_expiryoverride", day="e.gaming_day", table="e.table_id", at="e.made_at",
            by="e.recorded_by_id", approver="e.ordered_by_id", shift="NULL", person=name,
            joins="LEFT JOIN people_player AS player ON player.id = e.player_id "
            "LEFT JOIN people_staff AS person ON person.id = e.staff_id",
        ),
        part(
            "table_without_box", "floor_procedure", day="s.gaming_day", table="e.table_id", at="e.made_at",
            number="r.number", by="e.recorded_by_id", approver="e.ordered_by_id", joins=at_the_time,
            where="e.kind = 'box_waived'",
        ),
        part(
            "count_waived", "floor_procedure", day="s.gaming_day", table="e.table_id", at="e.made_at",
            number="r.number", by="e.recorded_by_id", approver="e.ordered_by_id", joins=at_the_time,
            where="e.kind = 'count_waived'",
        ),
        part(
            "count_corrected", "drop_countsheet", day="s.gaming_day", table="b.table_id", at="e.made_at",
            by="e.made_by_id", approver="e.approved_by_id", joins=box, cents="e.total_cents",
            where="e.kind = 'correction'",
        ),
        part(
            "variance", "drop_weighing", day="s.gaming_day", table="b.table_id", at="e.made_at",
            by="note.made_by_id", approver="note.owner_id", cents="e.counted_cents - e.expected_cents",
            joins=f"{box} LEFT JOIN drop_variancenote AS note ON note.id = "
            "(SELECT last.id FROM drop_variancenote AS last WHERE last.weighing_id = e.id ORDER BY last.seq DESC LIMIT 1)",
            person="COALESCE(note.status, 'open')", reason="COALESCE(note.says, '')", where="e.is_over",
        ),
    ]  # fmt: skip
    return "\nUNION ALL".join(parts)


VIEWS: Final = (View("exceptions", _exceptions),)
