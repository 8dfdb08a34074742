"""SQL views of exceptions and of the house's win (`cardroom.core.sql_views`; columns in docs/sql.md)."""

# ruff: noqa: S608 -- the SQL is put together from this module's own words alone

from __future__ import annotations

from typing import Final

from cardroom.core.sql_views import Dialect, View

#: What `house_win` adds up of slips, buy-ins, rounds and transfers: cents, slips of a kind, and what tells a place of the house.
_SUMS: Final = (
    *("placed", "opened", "fills", "credits", "closed", "openers", "closers", "alternate"),
    *("bought", "won", "meter", "tips", "unseen", "moved"),
)


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

    # The room of a shift is said too: by room and gaming day a shift is found.
    shift = "LEFT JOIN floor_shift AS s ON s.id = e.shift_id AND s.room_id = e.room_id"
    of_round = (
        "LEFT JOIN floor_round AS r ON r.id = e.round_id AND r.table_id = e.table_id "
        "LEFT JOIN floor_shift AS s ON s.id = r.shift_id AND s.room_id = e.room_id"
    )
    # Told twice: by its bounds, by which a shift finds its entries, and as the last one opened before, by which an entry
    # finds its shift. By the bounds alone each entry would be compared with every shift before it.
    at_the_time = (
        "LEFT JOIN floor_round AS r ON r.id = e.round_id LEFT JOIN floor_shift AS s ON s.room_id = e.room_id "
        "AND s.opened_at <= e.made_at AND e.made_at < COALESCE(s.closed_at, '9999-12-31') AND s.opened_at >= ("
        "SELECT MAX(earlier.opened_at) FROM floor_shift AS earlier WHERE earlier.room_id = e.room_id "
        "AND earlier.opened_at <= e.made_at)"
    )
    box = (
        "JOIN floor_dropbox AS b ON b.id = e.box_id "
        "JOIN floor_shift AS s ON s.id = b.shift_id AND s.room_id = e.room_id"
    )
    drop = "player_fees_cents + {0}.bank_fee_cents + {0}.rake_cents - {0}.refunded_cents"
    changed = f"e.{drop.format('e')} - (r.{drop.format('r')})"
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
        # Each of the two by a unique index of its own, which has the day.
        *(
            part(
                "expiry_override", "floor_expiryoverride", day="e.gaming_day", table="e.table_id", at="e.made_at",
                by="e.recorded_by_id", approver="e.ordered_by_id", shift="NULL", shift_day="NULL", person=name,
                joins=f"LEFT JOIN {of} AS person ON person.id = e.{who}_id", where=f"e.{who}_id IS NOT NULL",
            )
            for who, of, name in (
                ("player", "people_player", "person.name"),
                ("staff", "people_staff", to.staff("person")),
            )
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

    Slips, buy-ins, rounds and transfers are one list of cents, each with its place, and are added up once: so a condition
    on a gaming day, room or table reaches the index of each of their tables. A join of sums would be made of all there is.
    """
    place = "room.code AS room, t.number AS table_number, s.gaming_day, s.name AS shift"

    def part(of: str, joins: str = "", where: str = "1 = 1", **sums: str) -> str:
        """The rows of table `of`, read as `f`: their place, and what each adds to the sums; nothing to those it does not name."""
        columns = ", ".join(f"{sums.get(name, '0')} AS {name}" for name in _SUMS)
        return f"""
    SELECT {place}, {columns}
    FROM {of} AS f
    JOIN floor_shift AS s ON s.id = f.shift_id
    JOIN floor_table AS t ON t.id = f.table_id
    JOIN rooms_room AS room ON room.id = s.room_id
    {joins}
    WHERE {where}"""

    def of_kind(kind: str, value: str) -> str:
        return f"CASE WHEN f.kind = '{kind}' THEN {value} ELSE 0 END"

    count = "f.kind IN ('opener', 'closer')"
    # By what `place` names, and not by ids: only so does a condition on it reach below the window.
    before = (
        "LAG(f.kind) OVER (PARTITION BY room.code, t.number, s.gaming_day, s.name, "
        f"CASE WHEN {count} THEN 1 ELSE 0 END ORDER BY f.id)"
    )
    parts = [
        part(
            "floor_trayslip", placed="1", opened=of_kind("opener", "f.cents"), fills=of_kind("fill", "f.cents"),
            credits=of_kind("credit", "f.cents"), closed=of_kind("closer", "f.cents"),
            openers=of_kind("opener", "1"), closers=of_kind("closer", "1"),
            alternate=f"CASE WHEN {count} AND f.kind = COALESCE({before}, 'closer') THEN 1 ELSE 0 END",
        ),
        part("floor_buyin", placed="1", bought="f.cents"),
        part(
            "floor_round", placed="1", joins="LEFT JOIN floor_round AS old ON old.id = f.corrects_id",
            where="f.rotation = 'house_banks' AND f.state = 'settled'",
            won="f.taken_cents - f.paid_cents + f.meter_cents "
            "- COALESCE(old.taken_cents - old.paid_cents + old.meter_cents, 0)",
            meter="f.meter_cents - COALESCE(old.meter_cents, 0)", tips="f.tips_cents - COALESCE(old.tips_cents, 0)",
            unseen="CASE WHEN f.recording = 'fees' THEN 1 ELSE 0 END",
        ),
        part(
            "floor_transfer", where="(f.source = 'tray' OR f.target = 'tray') AND f.kind <> 'buy_in'",
            moved="CASE WHEN f.target = 'tray' THEN f.cents ELSE -f.cents END",
        ),
    ]  # fmt: skip
    of = {name: f"SUM(fact.{name})" for name in _SUMS}
    by_slips = f"{of['closed']} + {of['credits']} + {of['bought']} - {of['opened']} - {of['fills']}"
    of_closed = f"CASE WHEN {of['alternate']} = 0 AND {of['openers']} = {of['closers']} AND {of['openers']} > 0 THEN {{}} END"
    won = of_closed.format(by_slips)
    known = f"CASE WHEN {of['unseen']} = 0 THEN {{}} END"
    return f"""
SELECT fact.room, fact.table_number, fact.gaming_day, fact.shift,
    {of["opened"]} AS opened_cents, {of["fills"]} AS fills_cents,
    {of["credits"]} AS credits_cents, {of["bought"]} AS bought_in_cents,
    {of_closed.format(of["closed"])} AS closed_cents,
    {won} AS win_by_slips_cents, {to.dollars(won)} AS win_by_slips_dollars,
    CASE WHEN {of["bought"]} > 0 THEN ROUND(100.0 * ({won}) / {of["bought"]}, 1) END AS hold_percent,
    {known.format(of["won"])} AS win_by_rounds_cents, {to.dollars(known.format(of["won"]))} AS win_by_rounds_dollars,
    {known.format(of["moved"])} AS win_by_transfers_cents,
    {known.format(f"({won}) - {of['won']}")} AS difference_cents,
    {of["meter"]} AS meter_wins_cents, {of["tips"]} AS tips_cents
FROM ({" UNION ALL".join(parts)}
) AS fact
GROUP BY fact.room, fact.table_number, fact.gaming_day, fact.shift
HAVING SUM(fact.placed) > 0
"""


VIEWS: Final = (View("exceptions", _exceptions), View("house_win", _house_win))
