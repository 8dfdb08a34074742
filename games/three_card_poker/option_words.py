"""The words of Three Card Poker's own options."""

from games.option_words import words_with

OPTION_WORDS = words_with(
    labels={
        "pair_plus_table": "Pair Plus table",
        "pair_plus_requires_win": "Pair Plus is paid",
        "pair_plus_on_fold": "Pair Plus of a folded hand",
        "six_card_bonus_table": "6 Card Bonus table",
        "version": "Version of the game",
        "ante_bonus_table": "Ante bonus table",
        "designator": "Designator",
        "progressive_table": "Progressive paytable",
        "progressive_on_fold": "A folded hand",
        "settling": "Wagers are settled",
        "meter_wins": "When several hands win the meter in one round",
    },
    values={
        ("pair_plus_on_fold", "forfeit"): "is lost",
        ("pair_plus_on_fold", "evaluate"): "is paid or taken by the hand",
        ("pair_plus_requires_win", False): "on the hand alone, once it has called",
        ("pair_plus_requires_win", True): "only when the hand wins",
        ("progressive_on_fold", True): "can win the progressive",
        ("progressive_on_fold", False): "cannot win the progressive",
        ("settling", "seat_by_seat"): "player by player",
        ("settling", "step_by_step"): "step by step: all losing wagers, then all winning ones",
        ("version", "standard"): "ante and pair plus apart",
        ("version", "ante_covers_pair_plus"): "pair plus no more than the ante",
        ("version", "ante_covers_half"): "pair plus no more than twice the ante",
        ("version", "both_within_five"): "both compulsory, within five times each other",
    },
    nones={"six_card_bonus_table": "not offered", "meter_wins": "nothing is filed"},
)
