"""The 6 Card Bonus columns as `000` and `002` print them, and hands that make each of their lines."""

from __future__ import annotations

#: What each column pays to one, line by line.
SIX_CARD_COLUMNS = {
    "TCP-6B1": (1000, 200, 50, 25, 20, 10, 5),
    "TCP-6B2": (1000, 200, 50, 25, 15, 10, 5),
    "TCP-6B3": (1000, 200, 100, 20, 15, 9, 8),
    "TCP-6B4": (1000, 200, 100, 20, 15, 10, 7),
}
#: In the order of the lines: a player's hand and a bank's whose six cards make it, cards of both being needed.
SIX_CARD_HANDS = (
    ("As Ks Qs", "Js Ts 2c"),  # royal flush
    ("9h 8h 7h", "6h 5h 2c"),  # straight flush
    ("9h 9d 9c", "9s 2c Kd"),  # four of a kind
    ("9h 9d 4h", "4s 4c 9c"),  # full house
    ("Kh 9h 7h", "4h 2h Qc"),  # flush
    ("9h 8d 7c", "6s 5h Kc"),  # straight
    ("9h 9d 2c", "9s 4c Kd"),  # three of a kind
)
#: Two pairs, the best hand that no column pays: player's and bank's cards.
SIX_CARD_LOSER = ("Kh Kd 4c", "4s Qc 2d")
