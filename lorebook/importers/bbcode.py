"""
A game written up in a forum's BBCode.
"""

from __future__ import annotations

import re

from lorebook.importers.document import Document
from lorebook.importers.draft import Detection, Draft, Reading
from lorebook.importers.naming import title_from

_TAG = re.compile(r"\[(?:/?(?:list|b|i|u|s|quote|code|url|img|size|color|center)(?:=[^\]]*)?|\*)\]", re.IGNORECASE)


class BbcodeImporter:
    """
    Reads BBCode.
    """

    kind = "bbcode"
    needs = "BBCode: there is no tag such as [list] or [*] in it"

    def detect(self, document: Document) -> Detection | None:
        """
        Return the number of tags, or None without any.
        """
        tags = sum(len(_TAG.findall(line.text)) for line in document.spoken)
        return Detection(self.kind, f"{tags} BBCode tags", 0.9 if tags > 3 else 0.3) if tags else None  # noqa: PLR2004

    def read(self, document: Document) -> Reading:
        """
        Read each block as a rule.
        """
        reading = Reading()
        for block in document.blocks:
            text = _TAG.sub("", "\n".join(line.text for line in block)).strip()
            if text:
                reading.drafts.append(Draft(title_from(text), text, tuple(line.number for line in block)))
            else:
                reading.drop(block, "empty markup")
        return reading
