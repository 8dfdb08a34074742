"""The tables of the count, by noun; the boxes themselves are the floor's (`cardroom.floor.models.boxes`)."""

from cardroom.floor.models import DropBox

from .sheets import CountSheet
from .variances import VarianceCheck, VarianceNote

__all__ = ["CountSheet", "DropBox", "VarianceCheck", "VarianceNote"]
