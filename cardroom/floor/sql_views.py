"""SQL views of rounds, fees, transfers, offers, tray slips, buy-ins, racks and meters (`cardroom.core.sql_views`; columns in docs/sql.md)."""

# ruff: noqa: S608 -- the SQL is put together from this module's own words alone

from __future__ import annotations

from typing import Final

from cardroom.core.sql_views import Dialect, View


def _rounds(to: Dialect) -> str:
    """One row a round as it was recorded, and one a correction of it; `stands` is 1 for the one that counts."""
    drop = "r.player_fees_cents + r.bank_fee_cents + r.rake_cents - r.refunded_cents"
    return f"""
SELECT r.id AS round_id, room.code AS room, t.number AS table_number, r.gaming_day, s.name AS shift,
    r.number AS round_number, r.revision, r.state,
    CASE WHEN EXISTS (SELECT 1 FROM floor_round AS later WHERE later.corrects_id = r.id) THEN 0 ELSE 1 END AS stands,
    r.rulebook, game.title AS game, game.number AS game_number, game.version AS game_version,
    game.state_reference AS approval, r.recording, {to.staff("dealer")} AS dealer,
    r.bank_seat, banker.name AS bank_player, r.bank_wager_cents, r.positions, r.total_table_action_cents,
    r.player_fees_cents, r.bank_fee_cents, r.rake_cents, r.waived_cents, r.refunded_cents,
    {drop} AS drop_cents, {to.dollars(drop)} AS drop_dollars,
    r.jackpot_cents - r.jackpot_refunded_cents AS jackpot_cents,
    r.taken_cents, {to.dollars("r.taken_cents")} AS taken_dollars,
    r.paid_cents, {to.dollars("r.paid_cents")} AS paid_dollars, r.meter_cents,
    r.uncovered_cents, r.tips_cents, {to.dollars("r.tips_cents")} AS tips_dollars,
    {to.instant("r.opened_at", "opened")},
    {to.instant("r.ended_at", "ended")},
    r.void_reason, r.correction_reason, r.corrects_id,
    s.gaming_day AS shift_gaming_day, r.dealer_id, r.bank_player_id, r.turn_id
FROM floor_round AS r
JOIN rooms_room AS room ON room.id = r.room_id
JOIN floor_table AS t ON t.id = r.table_id
JOIN people_staff AS dealer ON dealer.id = r.dealer_id
LEFT JOIN floor_shift AS s ON s.id = r.shift_id AND s.room_id = r.room_id
LEFT JOIN people_player AS bank ON bank.id = r.bank_player_id
LEFT JOIN people_player AS banker ON banker.id = COALESCE(bank.merged_into_id, bank.id)
LEFT JOIN filings_gamefiling AS game ON game.id = r.game_id
"""


def _fees(to: Dialect) -> str:
    """One row a fee that went into a box at a table; what was given back, or taken back by a correction, is negative.

    Time counts for the game of the last round opened at the table before it was collected.
    """
    into = "f.target IN ('drop', 'jackpot')"
    cents = f"CASE WHEN {into} THEN f.cents ELSE -f.cents END"
    return f"""
SELECT f.id AS fee_id, room.code AS room, t.number AS table_number, s.gaming_day, s.name AS shift,
    r.number AS round_number, r.gaming_day AS round_gaming_day, f.kind,
    game.title AS game, game.number AS game_number, game.version AS game_version, game.state_reference AS approval,
    CASE WHEN {into} THEN f.target ELSE f.source END AS box,
    CASE WHEN {into} THEN f.source ELSE f.target END AS paid_by,
    f.seat, person.name AS player, {cents} AS cents, {to.dollars(cents)} AS dollars,
    {to.instant("f.made_at", "made")},
    f.round_id, f.time_collection_id, f.reverses_id, f.player_id
FROM floor_transfer AS f
JOIN floor_shift AS s ON s.id = f.shift_id
JOIN rooms_room AS room ON room.id = s.room_id
JOIN floor_table AS t ON t.id = f.table_id
LEFT JOIN floor_round AS r ON r.id = f.round_id
LEFT JOIN people_player AS player ON player.id = f.player_id
LEFT JOIN people_player AS person ON person.id = COALESCE(player.merged_into_id, player.id)
LEFT JOIN filings_gamefiling AS game ON game.id = CASE WHEN f.round_id IS NOT NULL THEN r.game_id ELSE (
    SELECT played.game_id FROM floor_round AS played WHERE played.table_id = f.table_id AND played.opened_at <= f.made_at
    ORDER BY played.opened_at DESC, played.id DESC LIMIT 1) END
WHERE ({into} OR f.source IN ('drop', 'jackpot')) AND f.kind <> 'buy_in'
"""


def _transfers(to: Dialect) -> str:
    """One row a movement of cents from one account to another, always positive; one that takes another back goes the other way."""
    return f"""
SELECT f.id AS transfer_id, room.code AS room, t.number AS table_number, s.gaming_day, s.name AS shift,
    r.number AS round_number, r.gaming_day AS round_gaming_day, f.kind, f.source, f.target, f.seat,
    person.name AS player, f.wager, f.cents, {to.dollars("f.cents")} AS dollars,
    {to.instant("f.made_at", "made")},
    f.round_id, f.time_collection_id, f.buy_in_id, f.box_id, f.reverses_id, f.player_id
FROM floor_transfer AS f
JOIN floor_shift AS s ON s.id = f.shift_id
JOIN rooms_room AS room ON room.id = s.room_id
JOIN floor_table AS t ON t.id = f.table_id
LEFT JOIN floor_round AS r ON r.id = f.round_id
LEFT JOIN people_player AS player ON player.id = f.player_id
LEFT JOIN people_player AS person ON person.id = COALESCE(player.merged_into_id, player.id)
"""


def _offers(to: Dialect) -> str:
    """One row an answer to an offer of the bank; `withdrawn_utc` is set on one that was recorded by mistake.

    `passed_over` is 1 where nobody was asked, because by what is on record the player may not bank.
    """
    return f"""
SELECT o.id AS offer_id, room.code AS room, t.number AS table_number, s.gaming_day, s.name AS shift,
    o.cycle, o.attempt, o.seat, person.name AS player, o.answer, o.reason,
    CASE WHEN o.passed_over THEN 1 ELSE 0 END AS passed_over,
    {to.instant("o.answered_at", "answered")},
    {to.staff("recorder")} AS recorded_by,
    {to.instant("w.withdrawn_at", "withdrawn")}, o.player_id, o.recorded_by_id
FROM floor_offer AS o
JOIN floor_shift AS s ON s.id = o.shift_id
JOIN rooms_room AS room ON room.id = s.room_id
JOIN floor_table AS t ON t.id = o.table_id
JOIN people_player AS player ON player.id = o.player_id
JOIN people_player AS person ON person.id = COALESCE(player.merged_into_id, player.id)
JOIN people_staff AS recorder ON recorder.id = o.recorded_by_id
LEFT JOIN floor_withdrawal AS w ON w.offer_id = o.id
"""


def _tray_slips(to: Dialect) -> str:
    """One row a slip of a tray; one that takes another back is negative."""
    difference = "slip.cents - slip.expected_cents"
    return f"""
SELECT slip.id AS slip_id, room.code AS room, t.number AS table_number, s.gaming_day, s.name AS shift,
    slip.number AS slip_number, slip.kind, slip.chips, slip.cents, {to.dollars("slip.cents")} AS dollars,
    slip.expected_cents, {to.dollars("slip.expected_cents")} AS expected_dollars,
    {difference} AS difference_cents, {to.dollars(difference)} AS difference_dollars,
    slip.note, slip.reason, {to.staff("maker")} AS made_by, {to.staff("approver")} AS approved_by,
    {to.instant("slip.made_at", "made")}, slip.reverses_id
FROM floor_trayslip AS slip
JOIN floor_shift AS s ON s.id = slip.shift_id
JOIN rooms_room AS room ON room.id = s.room_id
JOIN floor_table AS t ON t.id = slip.table_id
JOIN people_staff AS maker ON maker.id = slip.made_by_id
JOIN people_staff AS approver ON approver.id = slip.approved_by_id
"""


def _buy_ins(to: Dialect) -> str:
    """One row a buy-in: cash for chips at a seat; one that takes another back is negative."""
    return f"""
SELECT b.id AS buy_in_id, room.code AS room, t.number AS table_number, s.gaming_day, s.name AS shift,
    b.seat, person.name AS player, b.cents, {to.dollars("b.cents")} AS dollars,
    b.reason, {to.staff("recorder")} AS recorded_by,
    CASE WHEN approver.id IS NULL THEN '' ELSE {to.staff("approver")} END AS approved_by,
    {to.instant("b.made_at", "made")}, b.reverses_id
FROM floor_buyin AS b
JOIN floor_shift AS s ON s.id = b.shift_id
JOIN rooms_room AS room ON room.id = s.room_id
JOIN floor_table AS t ON t.id = b.table_id
JOIN people_player AS player ON player.id = b.player_id
JOIN people_player AS person ON person.id = COALESCE(player.merged_into_id, player.id)
JOIN people_staff AS recorder ON recorder.id = b.recorded_by_id
LEFT JOIN people_staff AS approver ON approver.id = b.approved_by_id
"""


def _rack_counts(to: Dialect) -> str:
    """One row a count of a provider's rack; at a hand-over `player` takes over from `relieved`, and `held_bank` is 1 where it banked.

    One that was undone has `withdrawn_utc`.
    """
    return f"""
SELECT c.id AS rack_count_id, room.code AS room, t.number AS table_number, s.gaming_day, s.name AS shift,
    c.kind, firm.name AS provider, c.seat, player.name AS player, relieved.name AS relieved,
    CASE WHEN c.turn_id IS NULL THEN 0 ELSE 1 END AS held_bank,
    c.chips, c.cents, {to.dollars("c.cents")} AS dollars,
    {to.staff("maker")} AS recorded_by, {to.staff("witness")} AS witnessed_by,
    {to.instant("c.counted_at", "counted")}, {to.instant("w.withdrawn_at", "withdrawn")}, c.turn_id
FROM floor_rackcount AS c
LEFT JOIN floor_rackwithdrawal AS w ON w.count_id = c.id
JOIN floor_shift AS s ON s.id = c.shift_id
JOIN rooms_room AS room ON room.id = s.room_id
JOIN floor_table AS t ON t.id = c.table_id
JOIN people_provider AS firm ON firm.id = c.provider_id
JOIN people_player AS player ON player.id = c.player_id
LEFT JOIN people_player AS relieved ON relieved.id = c.relieved_id
JOIN people_staff AS maker ON maker.id = c.recorded_by_id
JOIN people_staff AS witness ON witness.id = c.witnessed_by_id
"""


def _meter_movements(to: Dialect) -> str:
    """One row a change of a progressive meter, from whichever of its tables; the last one of a meter is what it shows."""
    return f"""
SELECT m.id AS movement_id, room.code AS room, m.meter_id, meter.name AS meter, t.number AS table_number,
    r.gaming_day, r.number AS round_number, m.kind, m.cents, {to.dollars("m.cents")} AS dollars,
    m.shown_cents, {to.dollars("m.shown_cents")} AS shown_dollars, m.reserve_cents, m.reason,
    {to.staff("maker")} AS made_by, {to.instant("m.made_at", "made")}, m.round_id
FROM floor_metermovement AS m
JOIN rooms_room AS room ON room.id = m.room_id
JOIN floor_progressivemeter AS meter ON meter.id = m.meter_id
JOIN floor_table AS t ON t.id = m.table_id
JOIN people_staff AS maker ON maker.id = m.made_by_id
LEFT JOIN floor_round AS r ON r.id = m.round_id AND r.table_id = m.table_id
"""


VIEWS: Final = (
    View("rounds", _rounds),
    View("fees", _fees),
    View("transfers", _transfers),
    View("offers", _offers),
    View("tray_slips", _tray_slips),
    View("buy_ins", _buy_ins),
    View("rack_counts", _rack_counts),
    View("meter_movements", _meter_movements),
)
