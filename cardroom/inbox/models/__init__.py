"""Models of the inbox."""

from .items import Item, ItemPerson, ItemStep, Search

__all__ = ["Item", "ItemPerson", "ItemStep", "Search"]
