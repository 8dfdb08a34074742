"""The floor's tables, by noun."""

from .commands import StoredAnswer
from .journal import JournalEntry
from .rounds import Round, Transfer
from .shifts import Down, Shift
from .tables import Seating, Table
from .turns import Offer, Turn

__all__ = [
    "Down",
    "JournalEntry",
    "Offer",
    "Round",
    "Seating",
    "Shift",
    "StoredAnswer",
    "Table",
    "Transfer",
    "Turn",
]
