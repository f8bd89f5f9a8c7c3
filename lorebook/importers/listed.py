"""
Rules as data: a JSON or YAML list of rules, or a mapping that holds one and says what the ruleset is.

The names of fields are those that people use; a rule may hold rules of its own, which stand in it as in a section.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lorebook.errors import DocumentError
from lorebook.importers.document import MOST_BYTES, Document
from lorebook.importers.draft import Action, Detection, Draft, Reading
from lorebook.importers.fields import (
    EXAMPLES,
    ID,
    KEYS,
    KNOWN,
    NUMBER,
    RELATED,
    RULES,
    SECTION,
    TEXT,
    TITLE,
    field_name,
    fields_of,
    first_of,
)
from lorebook.importers.front_matter import note_front, plain_fact, take_facts
from lorebook.importers.markers import marker_of
from lorebook.importers.naming import title_from
from lorebook.importers.placed import Mapping, Value, read_json, read_yaml
from lorebook.importers.sections import MOST_LEVELS

_LOREBOOK = {"entries", "spec", "lorebookversion", "character_book", "data", "kind", "uid", "insertion_order",
             "secondary_keys", "keysecondary", "selective", "worldinfo", "memory"}  # fmt: skip
_NUMBERED = re.compile(r"[\"']?(?P<number>[^\"':\s]{1,20})[\"']?\s*:(?:\s|$)")
_LINE = re.compile(rf"(?:-\s+)?[\"']?(?:{'|'.join((*TITLE, *TEXT, *NUMBER))})[\"']?\s*:(?:\s|$)", re.IGNORECASE)
_FEW = 4


class ListedImporter:
    """
    Reads rules as JSON or YAML.
    """

    kind = "records"
    needs = "a list of rules in JSON or YAML, each with a text"

    def detect(self, document: Document) -> Detection | None:
        """
        Return what data it is, or None for other text and for lorebooks.
        """
        value = _read_json(document)
        if value is not None:
            rules = sum(1 for _ in _mappings(value))
            fits = rules and not is_lorebook(value)
            return Detection(self.kind, f"a JSON list of {rules} rules", 0.98) if fits else None
        is_yaml = document.suffix in ("yaml", "yml")
        fields = sum(1 for line in document.spoken if _LINE.match(line.text) or (is_yaml and _names_number(line.text)))
        starts = sum(1 for line in document.spoken if line.text.startswith("- "))
        if not fields:
            return None
        reason = f"{fields} fields of rules in YAML"
        if is_yaml:
            return Detection(self.kind, reason, 0.97)
        sure = fields >= _FEW and starts and fields >= len(document.spoken) // 4
        return Detection(self.kind, reason, 0.88 if sure else 0.01)

    def read(self, document: Document) -> Reading:
        """
        Read the rules.

        Raises DocumentError for what is no JSON or YAML, or a lorebook.
        """
        reading = Reading()
        value = _read_json(document)
        if value is None:
            value = read_yaml(_text(document), where=document.name)
        if is_lorebook(value):
            raise lorebook_refused(document)
        reader = _Reader(reading, document)
        reader.take(value, (), is_root=True)
        reader.close()
        reading.put_rest_aside(document, "marks without words")
        return reading


def _text(document: Document) -> str:
    return "\n".join(document.lines)


def is_json(document: Document) -> bool:
    """
    Tell whether *document* is JSON.
    """
    return _read_json(document) is not None


def _read_json(document: Document) -> Value:
    """
    Return the list or mapping that *document* is as JSON, or None where it is no JSON.
    """
    if not document.spoken[0].text.startswith(("{", "[")):
        return None
    try:
        return read_json(_text(document), where=document.name)
    except DocumentError:
        return None


def lorebook_refused(document: Document) -> DocumentError:
    """
    Return the error for a lorebook file.
    """
    hint = "`lorebook match --book` and `lorebook convert` are for lorebook files"
    return DocumentError("is JSON, not a document with rules", where=document.name, hint=hint)


def is_lorebook(value: Value) -> bool:
    """
    Tell whether *value* is a lorebook or card, by its fields.
    """
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, Mapping) and bool(_LOREBOOK & {name.lower() for name in first})


def _mappings(value: Value) -> Iterator[Value]:
    """Yield what may be rules in *value*."""
    if isinstance(value, list):
        yield from (item for item in value if (isinstance(item, Mapping) and _has_text(item)) or isinstance(item, str))
    elif isinstance(value, Mapping) and _is_by_number(value):
        yield from value.values()
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            if field_name(name) in RULES:
                yield from _mappings(inner)


def _has_text(item: Mapping) -> bool:
    return any(field_name(name) in (*TEXT, *RULES) for name in item)


def _is_by_number(item: Mapping) -> bool:
    """Tell whether *item* maps the numbers of rules to rules."""
    said = (isinstance(value, str) or (isinstance(value, Mapping) and _has_text(value)) for value in item.values())
    return bool(item) and all(said) and all(_is_number(name) for name in item)


def _names_number(line: str) -> bool:
    found = _NUMBERED.match(line)
    return found is not None and _is_number(found["number"])


def _is_number(name: str) -> bool:
    marker = marker_of(f"{name.strip().rstrip('.')}. .")
    return marker is not None and marker.rest == "."


class _Stated(NamedTuple):
    """What a mapping says, and the headings that it stands under."""

    fields: dict[str, Value]
    title: str
    text: str
    path: tuple[str, ...]


class _Reader:
    """Turns mappings into drafts."""

    def __init__(self, reading: Reading, document: Document) -> None:
        self._reading = reading
        self._document = document
        self._unknown: dict[str, list[int]] = {}
        self._size = 0
        self._line = 1

    def take(self, value: Value, path: tuple[str, ...], *, is_root: bool = False) -> None:
        """Read the rules in *value*, which stands under the headings *path*; *is_root* says that it is everything."""
        if isinstance(value, Mapping) and _is_by_number(value):
            self._by_number(value, path)
        elif isinstance(value, Mapping):
            self._mapping(value, path, is_root=is_root)
        elif isinstance(value, list):
            for item in value:
                self.take(item, path)
        elif value and value.strip():
            self._string(value.strip(), path)

    def close(self) -> None:
        """Say which fields were not known."""
        for name, lines in self._unknown.items():
            self._reading.note(Action.DROPPED, lines[:100], f"the field “{name}” is not known")

    def _by_number(self, item: Mapping, path: tuple[str, ...]) -> None:
        """Read rules that stand behind their numbers, as fields do behind their names."""
        starts, at = [], item.first
        for name in item:
            at = next((n for n in range(at, item.last + 1) if name in self._document.lines[n - 1]), at)
            starts.append(at)
        for (name, value), first, after in zip(item.items(), starts, [*starts[1:], item.last + 1], strict=True):
            fields: dict[str, Value] = fields_of(value) if isinstance(value, Mapping) else {"text": value}
            rule = Mapping({"number": name.strip().rstrip("."), **fields})
            rule.first, rule.last = first, max(first, after - 1)
            self._mapping(rule, path)

    def _mapping(self, item: Mapping, path: tuple[str, ...], *, is_root: bool = False) -> None:
        fields = fields_of(item)
        inner = next((fields[name] for name in RULES if isinstance(fields.get(name), (list, Mapping))), None)
        said = next((name for name in TEXT if fields.get(name)), "")
        text = "\n\n".join(_prose(fields.get(said)))
        title = plain_fact(next((fields[name] for name in TITLE if plain_fact(fields.get(name))), None))
        whole = is_root and inner is not None
        own = self._own(item, inner)
        if whole and take_facts(item, self._reading):
            note_front(self._reading, own)
        if text and not (whole and said == "description"):
            self._draft(item, own, _Stated(fields, title, text, path))
        elif inner is None:
            self._reading.put_aside(own, "a rule without text")
            self._reading.note(Action.MISSING, own, f"the rule {title or 'on these lines'} has no text")
        elif not whole:
            self._reading.put_aside(own, "heading", title)
        if inner is not None:
            self.take(inner, path if whole or not title else (*path, title)[:MOST_LEVELS])

    def _draft(self, item: Mapping, own: list[int], stated: _Stated) -> None:
        fields, title, text = stated.fields, stated.title, stated.text
        number = plain_fact(first_of(fields, NUMBER)) or None
        section = tuple(_lines(first_of(fields, SECTION), r"\s*(?:>|/|»|›)\s*"))
        keys = tuple(_lines(first_of(fields, KEYS), r"\s*[,，、;；]\s*"))
        names = [*_lines(first_of(fields, ID), "\0"), *([number] if number else []), *([title] if title else [])]
        self._count(text)
        self._reading.drafts.append(
            Draft(
                title=title or title_from(text),
                text=text,
                lines=tuple(own),
                section=(*stated.path, *section)[:MOST_LEVELS],
                examples=tuple(_prose(first_of(fields, EXAMPLES))),
                number=number,
                keys=keys or None,
                named=bool(title),
                by_number=number is not None,
                anchors=tuple(names),
                links=tuple(_lines(first_of(fields, RELATED), r"\s*[,，、;；]\s*")),
            )
        )
        for name in item:
            if field_name(name) not in KNOWN:
                self._unknown.setdefault(name.strip() or "without a name", []).append(item.first)

    def _string(self, text: str, path: tuple[str, ...]) -> None:
        self._count(text)
        words = text.partition("\n")[0].strip()[:40]
        lines, at = self._document.lines, self._line
        found = next((n for n in range(at, len(lines) + 1) if words and words in lines[n - 1]), at)
        self._line = found
        self._reading.drafts.append(Draft(title_from(text), text, (found,), section=path, named=False))

    def _own(self, item: Mapping, inner: Value) -> list[int]:
        """Return the lines of *item* without those of the rules in it."""
        taken = {n for rule in (inner if isinstance(inner, list) else [inner]) if isinstance(rule, Mapping)
                 for n in range(rule.first, rule.last + 1)}  # fmt: skip
        numbers = range(item.first, item.last + 1)
        return [n for n in numbers if self._document.lines[n - 1].strip() and (n not in taken or n == item.first)]

    def _count(self, text: str) -> None:
        self._size += len(text)
        if self._size > MOST_BYTES:
            raise DocumentError("the rules say more than the document has room for", where=self._document.name)


def _prose(value: Value) -> list[str]:
    """Return the texts in *value*: one, a list of them, or of mappings that hold one."""
    if isinstance(value, Mapping):
        value = first_of(fields_of(value), TEXT)
    if isinstance(value, str):
        return [value.strip()] if value.strip() else []
    return [said for item in value or [] if not isinstance(item, list) for said in _prose(item)]


def _lines(value: Value, parting: str) -> list[str]:
    """Return the single lines in *value*: a list, or one text with signs between them."""
    if isinstance(value, str):
        parts: list[str] = re.split(parting, value)
    elif isinstance(value, list):
        parts = [item for item in value if isinstance(item, str)]
    else:
        parts = []
    return [line for part in parts if (line := " ".join(part.split()))]
