"""Models of tips, by noun."""

from .hand_ins import HandIn
from .hours import WorkedHours
from .rules import PoolRule
from .sheets import PoolSheet

__all__ = ["HandIn", "PoolRule", "PoolSheet", "WorkedHours"]
