"""Columns that take little room: JSON documents packed into bytes, and digests as the bytes that they are.

The facts that come by the thousand (rounds, their journal, answers to commands) say the same words over and over. What
of them is looked at as a whole, and never searched by the database, is stored packed; sums and names that reports ask
for have columns of their own.
"""

from .fields import DigestField, PackedJSONField
from .text import pack, unpack

__all__ = ["DigestField", "PackedJSONField", "pack", "unpack"]
