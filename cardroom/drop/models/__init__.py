"""Models of drop and count, by noun; `DropBox` is the floor's (`cardroom.floor.models.boxes`)."""

from cardroom.floor.models import DropBox

from .sheets import CountSheet
from .variances import VarianceCheck, VarianceNote

__all__ = ["CountSheet", "DropBox", "VarianceCheck", "VarianceNote"]
