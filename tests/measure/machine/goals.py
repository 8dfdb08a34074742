"""What is done first where a command is not taken in the present state, and the commands that no run carries out.

`BEFORE` names commands that may lead to the state that a command needs, in the order in which they are given; it is asked
again after each of them. A command that is not there is taken in most states, or comes to be: a new command needs a line
only where the long run does not reach it.
"""

from __future__ import annotations

#: Steps among commands: the command that the table waits for (`Floor.next_step`), half an hour of the clock, an offer that is
#: declined, and the last round corrected with what its box would have got.
NEXT, WAIT, DECLINED, RECHARGED = (
    "the next step",
    "half an hour",
    "an offer declined",
    "a round charged anew",
)

#: A round is played to its end; one that is not, is void.
BETWEEN = (NEXT, NEXT, NEXT, NEXT, "round_void")
_COUNTED = ("boxes_drop", "count_enter", "count_enter", "count_again")

BEFORE: dict[str, tuple[str, ...]] = {
    "account_open": ("account_close",),
    "alert_acknowledge": ("commands_set_aside",),
    "back_line_join": ("player_seat",),
    "back_line_leave": ("back_line_join",),
    "back_line_move": ("back_line_join",),
    "bank_card_show": ("round_deal",),
    "bank_wager_set": ("round_void", NEXT, "round_open"),
    "bets_close": ("bets_place",),
    "bets_place": (NEXT, NEXT, NEXT, NEXT),
    "bets_reopen": ("bets_close",),
    "board_show": ("round_deal",),
    "box_waive": ("boxes_drop",),
    "variance_check_again": (*BETWEEN, "round_record", "boxes_drop", "count_enter", "count_enter", RECHARGED),
    "boxes_drop": ("boxes_place",),
    "buy_in": ("boxes_place", "tray_open"),
    "buy_in_take_back": ("buy_in",),
    "count_again": ("boxes_drop", "count_enter", "count_enter"),
    "count_correct": _COUNTED,
    "count_enter": ("boxes_drop",),
    "count_waive": ("dealing_set", *5 * ("round_record",)),
    "decisions_record": ("round_deal",),
    "deck_choose": ("deck_place", "round_open"),
    "deck_inspect": ("deck_place",),
    "deck_place": (*BETWEEN, "deck_retire"),
    "deck_retire": ("deck_place",),
    "dealing_set": BETWEEN,
    "dispute_decide": ("dispute_open",),
    "down_end": ("down_start",),
    "down_start": ("down_end",),
    "exclusion_lift": ("exclusion_enter",),
    "fee_waive": ("bets_place",),
    "game_discard": ("game_draft",),
    "game_document_attach": ("game_draft",),
    "game_document_detach": ("game_draft",),
    "game_edit": ("game_draft",),
    "game_file": ("game_draft",),
    "game_withdraw": ("game_draft", "game_file"),
    "hand_in_reverse": ("tips_hand_in",),
    "hours_reverse": ("hours_enter",),
    "irregularity_report": ("round_deal",),
    "job_cancel": ("background_report_start",),
    "meal_end": ("meal_start",),
    "meal_start": ("down_end",),
    "meter_link": ("meter_unlink", *BETWEEN),
    "meter_set": BETWEEN,
    "meter_unlink": ("meter_link",),
    "offer_answer": (*BETWEEN, "turn_end"),
    "offers_ask_again": ("offers_decline",),
    "offers_decline": (*BETWEEN, "turn_end"),
    "player_erase": ("player_add",),
    "player_leave": ("player_seat",),
    "player_move": ("player_seat",),
    "player_unmerge": ("player_merge",),
    "pool_close": ("tips_hand_in", "shift_close"),
    "pool_rule_withdraw": ("pool_rule_set",),
    "push_reverse": ("push_start",),
    "recut_order": ("bets_close",),
    "round_correct": (*BETWEEN, "round_record"),
    "round_deal": ("bets_close",),
    "round_finish": ("round_deal",),
    "round_open": (NEXT, NEXT, NEXT, NEXT),
    "round_record": BETWEEN,
    "round_settle": ("round_deal",),
    "round_void": ("round_open",),
    "runner_answer": ("runner_call",),
    "schedule_discard": ("schedule_draft",),
    "schedule_edit": ("schedule_draft",),
    "schedule_file": ("schedule_draft",),
    "rack_close": ("player_seat",),
    "rack_hand_over": (*BETWEEN, "player_seat"),
    "rack_open": ("player_seat",),
    "schedule_withdraw": ("schedule_draft", "schedule_file"),
    "shift_close": ("shift_open", *BETWEEN, "tray_close"),
    "shift_open": ("shift_close",),
    "review_ask": ("dispute_open",),
    "review_end": ("dispute_open", "review_ask"),
    "seat_hold": ("player_seat",),
    "seat_hold_end": ("seat_hold",),
    "slip_take_back": ("tray_fill",),
    "subscription_end": ("subscription_make",),
    "table_close": ("table_open", *BETWEEN, "tray_close"),
    "table_open": ("table_close",),
    "table_set": BETWEEN,
    "time_collect": (WAIT,),
    "time_take_back": ("time_collect",),
    "tips_hand_in": ("shift_open",),
    "tray_close": (*BETWEEN, "tray_open"),
    "tray_credit": ("tray_open",),
    "tray_fill": ("tray_open",),
    "tray_open": ("tray_close",),
    "turn_end": BETWEEN,
    "turn_renew": (*BETWEEN, "round_record", "round_record", *7 * (DECLINED,)),
    "undo": ("round_open",),
    "waiver_withdraw": ("fee_waive",),
    "win_confirm": ("win_key",),
    "win_key": ("bets_place", "round_settle"),
    "win_withdraw": ("win_key",),
}

#: The commands that not even the long run carries out, and why.
NEVER: dict[str, str] = {
    "later_bets_place": "only a game that is filed with wagers after the deal takes them, and no start has one "
    "(`tests/floor/test_ran_out.py`)",
    "relief_take": "a relief waits only in a room where reliefs sign, which none of the starts is "
    "(`tests/floor/test_line_up.py`)",
    "reliefs_confirm": "the same",
    "reliefs_cancel": "the same",
    "turn_pause": "only the rotation profile `every_hour` stops the game; it is suspended, and among the starts one alone has it "
    "(`tests/floor/test_rotation.py`)",
}
