"""Models of the floor, by noun."""

from .alerts import Alert
from .boxes import DropBox
from .chip_calls import ChipCall
from .collections import TimeCollection, Waiver
from .expiry import ExpiryOverride
from .journal import JournalEntry
from .line_up import LineUpPlan, Meal, Push, Relief
from .meter import MeterMovement, ProgressiveMeter, ProgressiveWin
from .offline import OfflineEntry, TabletGap
from .procedures import Deck, Procedure
from .racks import RackCount, RackWithdrawal
from .rounds import Round
from .shifts import Down, Shift
from .stored_answers import StoredAnswer
from .tables import Seating, Table
from .transfers import Transfer
from .tray import BuyIn, SlipCounter, TraySlip
from .turns import Offer, Pause, Turn, Withdrawal
from .waiting import WaitingEntry

__all__ = [
    "Alert",
    "BuyIn",
    "ChipCall",
    "Deck",
    "Down",
    "DropBox",
    "ExpiryOverride",
    "JournalEntry",
    "LineUpPlan",
    "Meal",
    "MeterMovement",
    "Offer",
    "OfflineEntry",
    "Pause",
    "Procedure",
    "ProgressiveMeter",
    "ProgressiveWin",
    "Push",
    "RackCount",
    "RackWithdrawal",
    "Relief",
    "Round",
    "Seating",
    "Shift",
    "SlipCounter",
    "StoredAnswer",
    "Table",
    "TabletGap",
    "TimeCollection",
    "Transfer",
    "TraySlip",
    "Turn",
    "WaitingEntry",
    "Waiver",
    "Withdrawal",
]
