"""
The order of entries where a program has none but that of their list, and where each entry has a number for it.

SillyTavern puts entries of the same number in the reverse of their list, so each of a list gets a number of its own;
and where the numbers rise along the list, the list says what they say.
"""

from __future__ import annotations

from dataclasses import replace

from lorebook.book import Book
from lorebook.formats.format import Content


def numbered(content: Content) -> Content:
    """
    Return *content* with the place of each entry as its order, where there are several.
    """
    book = content.book
    if book is None or len(book.entries) < 2:  # noqa: PLR2004 (one has no order)
        return content
    entries = tuple(
        entry.model_copy(update={"settings": entry.settings.model_copy(update={"insertion_order": place})})
        for place, entry in enumerate(book.entries)
    )
    return replace(content, book=book.model_copy(update={"entries": entries}))


def is_in_order(book: Book) -> bool:
    """
    Say whether the list of *book* has its entries, of which there are several, in their order.
    """
    orders = [entry.settings.insertion_order for entry in book.entries]
    return len(orders) > 1 and orders == sorted(orders)
