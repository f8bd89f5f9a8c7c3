"""
Parts that are read when they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping


class Parts(Mapping[str, bytes]):
    """
    A mapping from names to what their readers return.
    """

    def __init__(self, readers: Mapping[str, Callable[[], bytes]]) -> None:
        self._readers = readers

    def __getitem__(self, name: str) -> bytes:
        return self._readers[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)

    def __contains__(self, name: object) -> bool:
        return name in self._readers
