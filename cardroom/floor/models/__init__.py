"""The floor's tables, by noun."""

from .alerts import Alert
from .commands import StoredAnswer
from .journal import JournalEntry
from .rounds import Round, Transfer
from .shifts import Down, Shift
from .tables import Seating, Table
from .turns import Offer, Pause, Turn

__all__ = [
    "Alert",
    "Down",
    "JournalEntry",
    "Offer",
    "Pause",
    "Round",
    "Seating",
    "Shift",
    "StoredAnswer",
    "Table",
    "Transfer",
    "Turn",
]
