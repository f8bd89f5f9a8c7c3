"""
The tree of docutils as blocks of text: what each says, where it begins, what points to it and what it points to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docutils import nodes

from lorebook.importers.counting import counted
from lorebook.importers.document import Document
from lorebook.importers.draft import Action, Reading
from lorebook.importers.elements import join_lines
from lorebook.importers.inline import target_of

ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{2,}")
"""A line of punctuation under or over a heading."""

_ROLE = re.compile(r":(?P<role>[a-zA-Z][\w:+.-]{0,40}):`(?P<text>[^`<]*)(?:<(?P<target>[^`>]*)>)?`")
_REFERRING = ("ref", "numref", "term", "any")
_DIRECTIVE = re.compile(r"\.\.\s+[\w:+.-]+::[ \t]*")
_OPTION = re.compile(r"\s*:[\w-]+:.*")
_STYLES = {"loweralpha": "a", "upperalpha": "A", "lowerroman": "i", "upperroman": "I"}
_BLOCKS = (nodes.paragraph, nodes.literal_block, nodes.doctest_block, nodes.math_block)


class Block:
    """A block of the tree: what it says and where it begins."""

    def __init__(self, text: str, line: int, *, level: int = 0, tight: bool = False, numbered: bool = True) -> None:
        self.text = text
        self.line = line
        self.level = level
        self.tight = tight
        self.numbered = numbered
        self.term = ""
        self.anchors: list[str] = []
        self.links: list[str] = []
        self.facts: dict[object, object] = {}


class Walk:
    """Walks the tree of docutils."""

    def __init__(self, reading: Reading, document: Document) -> None:
        self._reading = reading
        self._lines = document.lines
        self._anchors: list[str] = []
        self._line = 1

    def blocks(self, node: nodes.Node, depth: int) -> Iterator[Block]:  # noqa: C901 (a list of kinds of nodes)
        """Yield the blocks in *node*, which is *depth* sections inside."""
        for child in node.children:
            self._see(child)
            if isinstance(child, nodes.section):
                yield from self._section(child, depth + 1)
            elif isinstance(child, nodes.system_message):
                yield from self._unknown(child)
            elif isinstance(child, (nodes.comment, nodes.substitution_definition)) or _is_contents(child):
                yield Block("", self._line)
            elif isinstance(child, nodes.target):
                self._anchors += _names(child)
            elif isinstance(child, nodes.table):
                yield self._block(child, "\n".join(_rows(child)), numbered=False)
            elif isinstance(child, (nodes.bullet_list, nodes.enumerated_list)):
                yield from self._items(child)
            elif isinstance(child, nodes.field_list):
                yield self._fields(child)
            elif isinstance(
                child, (*_BLOCKS, nodes.line_block, nodes.term, nodes.definition_list_item, nodes.footnote)
            ):
                is_text = not isinstance(child, (nodes.literal_block, nodes.doctest_block))
                block = self._block(child, _text(child), numbered=is_text)
                block.term = _term(child)
                yield block
            elif isinstance(child, nodes.Element):
                yield from self.blocks(child, depth)

    def _see(self, node: nodes.Node) -> None:
        self._line = max(self._line, getattr(node, "line", None) or self._line)

    def _section(self, section: nodes.section, depth: int) -> Iterator[Block]:
        for child in section.children[:1]:
            self._see(child)
            line = max(1, self._line - 1)
            overlined = line > 1 and ADORNMENT.fullmatch(self._lines[line - 2].strip())
            block = self._block(
                child, " ".join(_text(child).split()), line=line - 1 if overlined else line, level=depth
            )
            block.anchors += _names(section)
            yield block
        rest = nodes.section("", *section.children[1:])
        yield from self.blocks(rest, depth)

    def _unknown(self, message: nodes.system_message) -> Iterator[Block]:
        """Yield the text of a directive that docutils does not know; of one that it may not run, nothing."""
        source = next((child for child in message.children if isinstance(child, nodes.literal_block)), None)
        line = int(message.get("line") or self._line)
        if source is None or not _DIRECTIVE.match(source.astext()):
            return
        if "disabled" in message.children[0].astext():
            yield Block("", line)
            return
        first, *rest = _DIRECTIVE.sub("", source.astext(), count=1).split("\n")
        said = [part.strip() for part in [first, *rest] if part.strip() and not _OPTION.fullmatch(part)]
        numbers = [number for number in range(line, line + len(rest) + 1) if number <= len(self._lines)]
        name = source.astext().partition("::")[0].removeprefix("..").strip()
        self._reading.note(Action.MENDED, numbers[:1], f"the directive “{name}” is not known; its text is kept")
        block = Block("", line)
        block.text = _without_roles(join_lines(said), block.links)
        yield block

    def _items(self, listed: nodes.Element) -> Iterator[Block]:
        for mark, item in zip(_marks(listed), listed.children, strict=False):
            self._see(item)
            yield self._block(item, f"{mark} {_text(item)}", tight=True, numbered=mark != "-")

    def _fields(self, fields: nodes.field_list) -> Block:
        pairs = [(field.children[0].astext(), _text(field.children[1])) for field in fields.children]
        block = self._block(fields, "\n".join(f"{name}: {said}" for name, said in pairs))
        block.facts = dict(pairs)
        return block

    def _block(
        self, node: nodes.Node, text: str, *, line: int = 0, level: int = 0, tight: bool = False, numbered: bool = True
    ) -> Block:
        block = Block("", line or self._line, level=level, tight=tight, numbered=numbered)
        block.text = _without_roles(text, block.links)
        block.anchors, self._anchors = self._anchors, []
        if isinstance(node, nodes.Element):
            for inner in node.findall(nodes.reference):
                link = inner.get("refid") or target_of(inner.get("refuri", ""))
                block.links += [link] if link else []
            for named in node.findall(nodes.target):
                block.anchors += _names(named)
        return block


def _is_contents(node: nodes.Node) -> bool:
    """Tell whether *node* is the list of headings that docutils makes for `.. contents::`."""
    return isinstance(node, nodes.topic) and "contents" in node.get("classes", ())


def _names(node: nodes.Element) -> list[str]:
    return [*node.get("ids", ()), *node.get("names", ()), *([node["refid"]] if node.get("refid") else [])]


def _without_roles(text: str, links: list[str]) -> str:
    def said(found: re.Match[str]) -> str:
        target = found["target"] or found["text"]
        if found["role"] in _REFERRING and (name := nodes.make_id(target)):
            links.append(name)
        return (found["text"] or target).strip().lstrip("~!")

    return _ROLE.sub(said, text)


def _text(node: nodes.Node) -> str:
    """Return the text of *node*: paragraphs with their lines joined, inner lists with their marks."""
    if isinstance(node, (nodes.literal_block, nodes.doctest_block, nodes.math_block)):
        return node.astext()
    if isinstance(node, nodes.TextElement):
        return join_lines([part for line in node.astext().split("\n") if (part := line.strip())])
    if isinstance(node, (nodes.bullet_list, nodes.enumerated_list)):
        items = zip(_marks(node), node.children, strict=False)
        return "\n".join(f"  {mark} {_text(item)}".replace("\n", "\n  ") for mark, item in items)
    if isinstance(node, nodes.table):
        return "\n".join(_rows(node))
    if isinstance(node, (nodes.system_message, nodes.comment)):
        return ""
    return "\n".join(said for child in node.children if (said := _text(child)))


def _term(node: nodes.Node) -> str:
    """Return the term that an entry of a list of definitions is about."""
    first = node.children[0] if isinstance(node, nodes.definition_list_item) else None
    return " ".join(_text(first).split()) if isinstance(first, nodes.term) else ""


def _rows(table: nodes.Element) -> Iterator[str]:
    for row in table.findall(nodes.row):
        yield " | ".join(_text(entry).replace("\n", " ") for entry in row.children)


def _marks(listed: nodes.Element) -> Iterator[str]:
    if isinstance(listed, nodes.bullet_list):
        yield from ("-" for _ in listed.children)
        return
    style, start = _STYLES.get(listed.get("enumtype", ""), "1"), int(listed.get("start", 1))
    for count in range(start, start + len(listed.children)):
        yield f"{listed.get('prefix', '')}{counted(count, style)}{listed.get('suffix', '.')}"
