"""
YAML as our records use it: strict to read, canonical to write.

PyYAML alone takes the last of two equal keys without a word and writes paragraphs as quoted lines; here
a repeated key is an error with its line, and any text of several lines is a literal block.

Nearly every record is of the plainest YAML, which `emitter` writes and `scanner` reads many times faster than
the library does. What they are not sure of they leave to it, so that they change neither the text nor the values.
"""

from __future__ import annotations

from lorebook.yamltext import emitter, library, scanner


def read(text: str, *, where: str) -> object:
    """
    Return what the YAML document *text* says, as plain Python values.

    Raises DataError, naming *where* and the line, for anything that is not one YAML document of plain values.
    """
    plain = scanner.read(text)
    return library.read(text, where=where) if plain is None else plain


def write(value: object) -> str:
    """
    Return *value* (plain Python values) as canonical YAML: equal values give equal text.
    """
    return emitter.write(value) or library.write(value)
