"""Models of what a room files: fee schedules, games and levies, each a kind of `Filing`."""

from .documents import FiledDocument
from .filing import Filing, StateFiling
from .games import GameFiling
from .levies import Levy
from .schedules import FeeSchedule

__all__ = ["FeeSchedule", "FiledDocument", "Filing", "GameFiling", "Levy", "StateFiling"]
