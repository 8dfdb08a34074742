"""Models of what a room files: fee schedules and games, each a kind of `Filing`."""

from .documents import FiledDocument
from .filing import Filing, StateFiling
from .games import GameFiling
from .schedules import FeeSchedule

__all__ = ["FeeSchedule", "FiledDocument", "Filing", "GameFiling", "StateFiling"]
