"""Columns that take little room.

Documents and sentences are packed into bytes, digests are the bytes that they are, words that come again and again are
codes, and keys are short.

The facts that come by the thousand (rounds, their journal, answers to commands) say the same words over and over. What
of them is looked at as a whole, and never searched by the database, is stored packed; sums and names that reports ask
for have columns of their own.
"""

from .fields import (
    ChainField,
    DigestField,
    InstantField,
    PackedJSONField,
    PackedTextField,
    ShortKey,
    WordField,
)
from .text import pack, unpack

__all__ = [
    "ChainField",
    "DigestField",
    "InstantField",
    "PackedJSONField",
    "PackedTextField",
    "ShortKey",
    "WordField",
    "pack",
    "unpack",
]
