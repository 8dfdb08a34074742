"""The codes under which words that come with every round are stored (`cardroom.packed.WordField`).

They are what the database holds, and docs/storage.md tells readers of a copy so: a code is never given to another word.
A word that is not listed is stored as it is; once rows hold it so, it gets a code by a migration of them alone.
"""

from __future__ import annotations

from typing import Final

#: Accounts that cents move between.
ACCOUNTS: Final = {
    "seat": "s",
    "bank": "b",
    "drop": "d",
    "tokes": "t",
    "jackpot": "j",
    "tray": "h",
    "meter": "m",
}

#: Kinds of transfers.
TRANSFERS: Final = {
    "fee": "f",
    "fee_refund": "fr",
    "take": "t",
    "pay": "p",
    "toke": "o",
    "time": "c",
    "jackpot": "j",
    "jackpot_refund": "jr",
    "rake": "r",
}

#: Wagers (`games.wagers`).
WAGERS: Final = {
    "ante": "a",
    "play": "p",
    "pair_plus": "pp",
    "six_card_bonus": "s",
    "bad_beat": "b",
    "cover_all": "c",
    "progressive": "g",
    "ante_bonus": "ab",
    "envy": "e",
}

#: Rulebooks, and profiles of rotation.
RULEBOOKS: Final = {
    "california": "c",
    "designated_player": "d",
    "massachusetts": "m",
    "shuffle_master": "f",
    "south_dakota": "s",
}
ROTATIONS: Final = {
    "every_hand": "h",
    "every_hour": "u",
    "forty_minutes": "f",
    "intervening": "i",
    "two_rounds": "t",
}

#: Answers to an offer of the bank, whose codes sort as the words do: shift reports count answers in their order and
#: hash what they counted. And how a turn at the bank ends.
ANSWERS: Final = {"absent": "ab", "accepted": "ac", "declined": "d", "ineligible": "i"}
ENDS: Final = {"passed": "p", "renewed": "r", "left": "l", "closed": "c", "mistake": "m"}

#: Kinds of procedures, and the clauses of those that every round has.
PROCEDURES: Final = {
    "inspected": "i",
    "idle_ended": "ie",
    "deck_chosen": "dc",
    "dealt": "d",
    "fees_dropped": "f",
    "bank_card": "b",
    "recut": "r",
    "stub_count": "s",
    "device_count": "dv",
    "count_waived": "cw",
    "irregularity": "x",
    "withdrawn": "w",
    "box_waived": "bw",
}
CLAUSES: Final = {
    "california:deck.3": "c3",
    "california:deck.3.c": "c3c",
    "california:fees.5": "c5",
    "ruling 45": "r45",
}

#: Roles as the journal keeps them, where somebody holds one alone.
ROLES: Final = {
    "dealer": "d",
    "floor": "f",
    "shift_manager": "s",
    "count": "c",
    "compliance": "o",
    "room_manager": "m",
    "provider_lead": "p",
    "inspector": "i",
    "support": "u",
}

#: Acts in the journal that come with rounds, players and dealers.
ACTS: Final = {
    "alert_acknowledge": "aa",
    "alert_over": "ao",
    "alert_raise": "ar",
    "bank_wager_set": "bw",
    "bets_close": "bc",
    "bets_place": "bp",
    "bets_repeat": "br",
    "down_end": "de",
    "down_start": "ds",
    "fee_waive": "fw",
    "meter_move": "mm",
    "offer_answer": "oa",
    "offers_ask_again": "og",
    "player_leave": "pl",
    "player_move": "pm",
    "player_seat": "ps",
    "procedure_bank_card": "pb",
    "procedure_inspected": "pi",
    "procedure_irregularity": "px",
    "procedure_stub_count": "pc",
    "round_correct": "rc",
    "round_deal": "rd",
    "round_finish": "rf",
    "round_open": "ro",
    "round_settle": "rs",
    "round_void": "rv",
    "time_collect": "tc",
    "tips_hand_in": "th",
    "turn_begin": "tb",
    "turn_end": "te",
    "turn_pause": "tp",
    "undo": "un",
}
