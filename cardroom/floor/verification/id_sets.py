"""Sets of ids, small enough to be stored: ids of one table lie close together, so each thousand of them is one number's bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

#: So many ids share one number: its bit n stands for the n-th of them.
_BITS: Final = 1024


class IdSet:
    """A set of ids of one table."""

    def __init__(self, ids: Iterable[int] = ()) -> None:
        self._chunks: dict[int, int] = {}
        for pk in ids:
            self.add(pk)

    def add(self, pk: int) -> None:
        """Take an id in."""
        chunk, bit = divmod(pk, _BITS)
        self._chunks[chunk] = self._chunks.get(chunk, 0) | 1 << bit

    def update(self, other: IdSet) -> None:
        """Take in every id of another set."""
        for chunk, bits in other._chunks.items():
            self._chunks[chunk] = self._chunks.get(chunk, 0) | bits

    def __contains__(self, pk: int) -> bool:
        chunk, bit = divmod(pk, _BITS)
        return bool(self._chunks.get(chunk, 0) >> bit & 1)

    def __iter__(self) -> Iterator[int]:
        """Yield the ids in their order."""
        for chunk, bits in sorted(self._chunks.items()):
            yield from (chunk * _BITS + bit for bit in range(bits.bit_length()) if bits >> bit & 1)

    def __len__(self) -> int:
        return sum(bits.bit_count() for bits in self._chunks.values())

    def to_json(self) -> list[list[int | str]]:
        """Return the set as JSON: of each thousand its number, and its bits in hexadecimal digits."""
        return [[chunk, f"{bits:x}"] for chunk, bits in sorted(self._chunks.items())]

    @classmethod
    def from_json(cls, stored: Iterable[tuple[int, str]]) -> IdSet:
        """Read what `to_json` has returned."""
        read = cls()
        read._chunks = {int(chunk): int(bits, 16) for chunk, bits in stored}
        return read
