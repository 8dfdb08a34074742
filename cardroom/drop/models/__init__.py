"""The tables of drop and count, by noun."""

from .boxes import DropBox
from .sheets import CountSheet
from .variances import VarianceNote, Weighing

__all__ = ["CountSheet", "DropBox", "VarianceNote", "Weighing"]
