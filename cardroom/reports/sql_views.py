"""SQL views of exceptions and of the house's win (`cardroom.core.sql_views`; columns in docs/sql.md)."""

# ruff: noqa: S608 -- the SQL is put together from this module's own words alone

from __future__ import annotations

from typing import Final

from cardroom.core.sql_views import Dialect, View


def _waived(to: Dialect) -> str:
    """What the waiver `e` came to in its round `r`, in cents: the fees that carry its rule, of one player where it covers one."""

    def fee(key: str) -> str:
        return to.field("fee", key)

    return (
        f"(SELECT COALESCE(SUM(CAST({fee('waived')} AS BIGINT)), 0) FROM {to.elements('r.fees', 'fee')} "
        f"WHERE {fee('waiver')} = e.rule AND (e.seat IS NULL OR "
        f"(CAST({fee('seat')} AS BIGINT) = e.seat AND COALESCE(CAST({fee('behind')} AS BIGINT), 0) = e.behind)))"
    )


def _exceptions(to: Dialect) -> str:
    """One row a command that took something back, let something go or overrode a refusal, with who ordered or approved it."""

    def part(
        kind: str, of: str, *, day: str, table: str, at: str, by: str, approver: str, joins: str,
        where: str = "1 = 1", shift: str = "s.name", number: str = "NULL", person: str = "NULL", cents: str = "NULL",
        reason: str = "e.reason", jackpot: str = "NULL", shift_day: str = "s.gaming_day",
    ) -> str:  # fmt: skip
        """One kind: `of` is its table, read as `e`, and `joins` bring the shift `s`, the round `r` and what else it names."""
        return f"""
SELECT '{kind}' AS kind, e.id AS source_id, room.code AS room, {day} AS gaming_day, {shift} AS shift,
    t.number AS table_number, {number} AS round_number, {person} AS concerns,
    {cents} AS cents, {to.dollars(cents)} AS dollars, {jackpot} AS jackpot_cents, {reason} AS reason,
    {to.staff("maker")} AS recorded_by, {to.staff("approver")} AS approved_by,
    {to.instant(at, "made")}, {shift_day} AS shift_gaming_day
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
    box = "JOIN floor_dropbox AS b ON b.id = e.box_id JOIN floor_shift AS s ON s.id = b.shift_id"
    drop = "player_fees_cents + {0}.bank_fee_cents + {0}.rake_cents - {0}.refunded_cents"
    changed = f"e.{drop.format('e')} - (r.{drop.format('r')})"
    name = f"COALESCE(player.name, {to.staff('person')})"
    parts = [
        part(
            "void", "floor_round", day="e.gaming_day", table="e.table_id", at="e.ended_at", number="e.number",
            by="e.voided_by_id", approver="e.void_approved_by_id", joins=shift, where="e.state = 'void'",
            cents="e.refunded_cents", jackpot="e.jackpot_refunded_cents", reason="e.void_reason",
        ),
        part(
            "correction", "floor_round", day="e.gaming_day", table="e.table_id", at="e.corrected_at", number="e.number",
            by="e.corrected_by_id", approver="e.correction_approved_by_id",
            joins=f"{shift} JOIN floor_round AS r ON r.id = e.corrects_id", cents=changed, reason="e.correction_reason",
            jackpot="e.jackpot_cents - r.jackpot_cents",
        ),
        part(
            "waiver", "floor_waiver", day="r.gaming_day", table="e.table_id", at="e.made_at", number="r.number",
            by="e.recorded_by_id", approver="e.ordered_by_id", joins=of_round, person="e.title",
            cents=_waived(to), where="e.withdrawn_at IS NULL",
        ),
        part(
            "time_taken_back", "floor_timecollection", day="s.gaming_day", table="e.table_id", at="e.made_at",
            by="e.recorded_by_id", approver="e.approved_by_id", joins=shift, cents="e.cents",
            where="e.reverses_id IS NOT NULL",
        ),
        *(
            part(
                kind, of, day="s.gaming_day", table="e.table_id", at="e.made_at", by=by, approver="e.approved_by_id",
                joins=shift, cents="e.cents", where="e.reverses_id IS NOT NULL",
            )
            for kind, of, by in (
                ("slip_taken_back", "floor_trayslip", "e.made_by_id"),
                ("buy_in_taken_back", "floor_buyin", "e.recorded_by_id"),
            )
        ),
        part(
            "tray_variance", "floor_trayslip", day="s.gaming_day", table="e.table_id", at="e.made_at",
            by="e.made_by_id", approver="e.approved_by_id", joins=shift, person="e.kind",
            cents="e.cents - e.expected_cents", reason="e.note", where="e.cents <> e.expected_cents",
        ),
        part(
            "expiry_override", "floor_expiryoverride", day="e.gaming_day", table="e.table_id", at="e.made_at",
            by="e.recorded_by_id", approver="e.ordered_by_id", shift="NULL", shift_day="NULL", person=name,
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
            "variance", "drop_variancecheck", day="s.gaming_day", table="b.table_id", at="e.made_at",
            by="note.made_by_id", approver="note.owner_id", cents="e.counted_cents - e.expected_cents",
            joins=f"{box} LEFT JOIN drop_variancenote AS note ON note.id = "
            "(SELECT last.id FROM drop_variancenote AS last WHERE last.variance_check_id = e.id ORDER BY last.seq DESC LIMIT 1)",
            person="COALESCE(note.status, 'open')", reason="COALESCE(note.text, '')", where="e.is_over",
        ),
    ]  # fmt: skip
    return "\nUNION ALL".join(parts)


def _house_win(to: Dialect) -> str:
    """One row a table and shift where the house banked: what it won by its slips, by its rounds and by the transfers.

    A tray is closed when openers and closers take turns, and a closer is the last of them: no two slips that follow one
    another are of one kind, and there are as many of each.
    """
    by_slips = "slips.closed + slips.credits + COALESCE(cash.bought, 0) - slips.opened - slips.fills"
    of_closed = (
        "CASE WHEN slips.alternate = 0 AND slips.openers = slips.closers AND slips.openers > 0 THEN {} END"
    )
    won, by_rounds = of_closed.format(by_slips), "COALESCE(played.won, 0)"
    known = "CASE WHEN COALESCE(played.unseen, 0) = 0 THEN {} END"
    return f"""
SELECT room.code AS room, t.number AS table_number, s.gaming_day, s.name AS shift,
    COALESCE(slips.opened, 0) AS opened_cents, COALESCE(slips.fills, 0) AS fills_cents,
    COALESCE(slips.credits, 0) AS credits_cents, COALESCE(cash.bought, 0) AS bought_in_cents,
    {of_closed.format("slips.closed")} AS closed_cents,
    {won} AS win_by_slips_cents, {to.dollars(won)} AS win_by_slips_dollars,
    CASE WHEN COALESCE(cash.bought, 0) > 0 THEN ROUND(100.0 * ({won}) / cash.bought, 1) END AS hold_percent,
    {known.format(by_rounds)} AS win_by_rounds_cents, {to.dollars(known.format(by_rounds))} AS win_by_rounds_dollars,
    {known.format("COALESCE(moved.won, 0)")} AS win_by_transfers_cents,
    {known.format(f"({won}) - {by_rounds}")} AS difference_cents,
    COALESCE(played.meter, 0) AS meter_wins_cents, COALESCE(played.tips, 0) AS tips_cents
FROM (
    SELECT shift_id, table_id FROM floor_trayslip
    UNION SELECT shift_id, table_id FROM floor_buyin
    UNION SELECT shift_id, table_id FROM floor_round WHERE rotation = 'house_banks' AND state = 'settled'
) AS place
JOIN floor_shift AS s ON s.id = place.shift_id
JOIN floor_table AS t ON t.id = place.table_id
JOIN rooms_room AS room ON room.id = s.room_id
LEFT JOIN (
    SELECT shift_id, table_id,
        SUM(CASE WHEN kind = 'opener' THEN cents ELSE 0 END) AS opened,
        SUM(CASE WHEN kind = 'fill' THEN cents ELSE 0 END) AS fills,
        SUM(CASE WHEN kind = 'credit' THEN cents ELSE 0 END) AS credits,
        SUM(CASE WHEN kind = 'closer' THEN cents ELSE 0 END) AS closed,
        SUM(CASE WHEN kind = 'opener' THEN 1 ELSE 0 END) AS openers,
        SUM(CASE WHEN kind = 'closer' THEN 1 ELSE 0 END) AS closers,
        SUM(CASE WHEN kind = before THEN 1 ELSE 0 END) AS alternate
    FROM (
        SELECT shift_id, table_id, kind, cents, CASE WHEN kind IN ('opener', 'closer') THEN COALESCE(
            LAG(kind) OVER (
                PARTITION BY shift_id, table_id, CASE WHEN kind IN ('opener', 'closer') THEN 1 ELSE 0 END ORDER BY id
            ), 'closer') END AS before
        FROM floor_trayslip
    ) AS in_order
    GROUP BY shift_id, table_id
) AS slips ON slips.shift_id = place.shift_id AND slips.table_id = place.table_id
LEFT JOIN (
    SELECT shift_id, table_id, SUM(cents) AS bought FROM floor_buyin GROUP BY shift_id, table_id
) AS cash ON cash.shift_id = place.shift_id AND cash.table_id = place.table_id
LEFT JOIN (
    SELECT r.shift_id, r.table_id,
        SUM(r.taken_cents - r.paid_cents + r.meter_cents
            - COALESCE(old.taken_cents - old.paid_cents + old.meter_cents, 0)) AS won,
        SUM(r.meter_cents - COALESCE(old.meter_cents, 0)) AS meter,
        SUM(r.tips_cents - COALESCE(old.tips_cents, 0)) AS tips,
        SUM(CASE WHEN r.recording = 'fees' THEN 1 ELSE 0 END) AS unseen
    FROM floor_round AS r LEFT JOIN floor_round AS old ON old.id = r.corrects_id
    WHERE r.rotation = 'house_banks' AND r.state = 'settled' GROUP BY r.shift_id, r.table_id
) AS played ON played.shift_id = place.shift_id AND played.table_id = place.table_id
LEFT JOIN (
    SELECT shift_id, table_id, SUM(CASE WHEN target = 'tray' THEN cents ELSE -cents END) AS won
    FROM floor_transfer WHERE (source = 'tray' OR target = 'tray') AND kind <> 'buy_in' GROUP BY shift_id, table_id
) AS moved ON moved.shift_id = place.shift_id AND moved.table_id = place.table_id
"""


VIEWS: Final = (View("exceptions", _exceptions), View("house_win", _house_win))
