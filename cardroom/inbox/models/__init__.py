"""Models of the inbox."""

from .disputes import Dispute
from .items import Item, ItemPerson, ItemStep, Search

__all__ = ["Dispute", "Item", "ItemPerson", "ItemStep", "Search"]
