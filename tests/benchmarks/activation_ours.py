"""
Our engine in the benchmark: a book compiled once, then scanned from the beginning each time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lorebook.matching.books import ActiveBooks
from lorebook.matching.compiled import CompiledBooks
from lorebook.matching.macros import Macros
from lorebook.matching.record import ScanResult
from lorebook.matching.request import ScanRequest
from lorebook.matching.worldinfo import scan
from tests.benchmarks.activation_cases import BOOK, Case
from tests.conformance.placing import place
from tests.conformance.vectors import count_tokens, settings_of


def compiled(book: Mapping[str, Any], settings: Mapping[str, Any]) -> CompiledBooks:
    """Compile *book* as the only one in use."""
    return CompiledBooks({BOOK: book}, ActiveBooks(globally=[BOOK]), settings_of(settings))


def request(messages: Sequence[str], *, max_context: int, macros: Mapping[str, str]) -> ScanRequest:
    """Return a request with nothing around the chat."""
    return ScanRequest(
        messages=messages, max_context=max_context, count_tokens=count_tokens, draw=lambda: 0.5, macros=Macros(macros)
    )


def run(books: CompiledBooks, asked: ScanRequest) -> ScanResult:
    """Scan, and put the texts in their places, as the real engine's function does."""
    result = scan(books, asked)
    place((fired.entry, fired.content) for fired in result.fired.values())
    return result


class Ours:
    """Our engine, ready for one case."""

    name = "ours"

    def __init__(self, case: Case) -> None:
        self._books = compiled(case.entries, case.settings)
        self._request = request(case.messages, max_context=case.max_context, macros=case.macros)

    def __call__(self) -> list[object]:
        """Return the uids that fire, in order of acceptance."""
        return [fired.entry.uid for fired in run(self._books, self._request).fired.values()]
