"""
PDFs for tests, made by hand: lines of text, each with its size, weight and distance from the line above.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Set(NamedTuple):
    """
    One line as it is set.
    """

    text: str
    size: int = 11
    bold: bool = False
    below: int = 14
    left: int = 72


def pdf(pages: Sequence[Sequence[Set]], *, trailer: str = "") -> bytes:
    """
    Return a PDF of *pages*; *trailer* is added to its last dictionary.
    """
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    fonts = ("Helvetica", "Helvetica-Bold /Encoding /WinAnsiEncoding")
    objects += [f"<< /Type /Font /Subtype /Type1 /BaseFont /{font} >>".encode() for font in fonts]
    kids = []
    for page in pages:
        content = _content(page).encode("latin-1")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
        named = "<< /Font << /F1 3 0 R /F2 4 0 R >> >>"
        kids.append(len(objects) + 1)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects)} 0 R"
            f" /Resources {named} >>".encode()
        )
    named = " ".join(f"{kid} 0 R" for kid in kids)
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{named}] >>".encode()
    return _file(objects, trailer)


def _content(page: Sequence[Set]) -> str:
    place, drawn = 760, []
    for line in page:
        place -= line.below
        text = line.text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        drawn.append(f"BT /F{2 if line.bold else 1} {line.size} Tf {line.left} {place} Td ({text}) Tj ET")
    return "\n".join(drawn)


def _file(objects: Sequence[bytes], trailer: str) -> bytes:
    made, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    end = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R {trailer} >>\nstartxref\n{len(made)}\n%%EOF\n"
    return made + head + table + end.encode()
