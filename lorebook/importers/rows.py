"""
The lines that the blocks inside one element of Markdown make.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.token import Token


class Rows:
    """
    Lines of text: items of inner lists with their marks, rows of tables with their cells.
    """

    def __init__(self) -> None:
        self._rows: list[str] = []
        self._cells: list[str] = []
        self._counts: list[int | None] = []
        self._fresh = False

    @property
    def text(self) -> str:
        """
        What has been added, a line for each row.
        """
        return "\n".join(row for row in self._rows if row.strip())

    def see(self, token: Token) -> None:
        """
        Take notice of a list, an item or a table's row that begins or ends with *token*.
        """
        if token.type in ("bullet_list_open", "ordered_list_open"):
            self._counts.append(starts_at(token) if token.tag == "ol" else None)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self._counts.pop()
        elif token.type == "list_item_open":
            self._fresh = True
        elif token.type == "tr_close":
            self._rows.append(" | ".join(self._cells))
            self._cells = []

    def add(self, text: str, *, in_cell: bool = False) -> None:
        """
        Add *text* as a row, or as a cell of the row that has begun.
        """
        if in_cell:
            self._cells.append(text.replace("\n", " "))
        elif text.strip():
            self._rows.append(self._mark() + text)

    def _mark(self) -> str:
        if not self._counts:
            return ""
        indent, self._fresh, fresh = "  " * len(self._counts), False, self._fresh
        if not fresh:
            return f"{indent}  "
        count = self._counts[-1]
        if count is None:
            return f"{indent}- "
        self._counts[-1] = count + 1
        return f"{indent}{count}. "


def starts_at(token: Token) -> int:
    """
    Return the number of the first item of the list that *token* opens.
    """
    start = token.attrGet("start")
    return 1 if start is None else int(start)
