"""
Rulesets of any size, grown from the shipped rules, and vectors for them that no model has to make.

A grown rule is a shipped one with other sentences of the shipped rules, other numbers and made-up names; of what is
asked about it one question stays, so that there are as many rules as in an imported book. Its vectors are those of
shipped passages in the same language, turned a little, so that they lie as real ones do.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lorebook.records import Rule, Wording
from lorebook.retrieval.passages import passages_of
from lorebook.retrieval.recipe import Recipe
from lorebook.retrieval.space import Space
from lorebook.retrieval.vectors import Vault
from lorebook.ruleset import MANIFEST, Ruleset
from tests.benchmarks.retrieval_ours import RECIPE, ROOT, VECTORS

if TYPE_CHECKING:
    from lorebook.retrieval.embedders import Vectors
    from lorebook.retrieval.passages import Passage

_RULES = 2_000
"""In a ruleset."""
_TURNED = 0.5
_SENTENCES = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}")
_SYLLABLES = "ar bel cim dor fen gul hast ir jun kel lom mir nev or pran quet ris sul tam ur vel wex yl zan".split()
_SIGNS = "晨雾潭岭鸦烛帆盐铃桥霜穗砂塔井犬炉舟莲矛"


class Growth:
    """
    Rules that are drawn one after another, the same ones each time.
    """

    def __init__(self) -> None:
        """
        Read the shipped rules.
        """
        self._draw = random.Random(1)  # noqa: S311 (no secrets)
        self._cutting = Recipe.load(RECIPE).cutting
        self._shipped = [Ruleset.load(path.parent) for path in sorted((ROOT / "rules").glob(f"*/{MANIFEST}"))]

    def rulesets(self, passages: int) -> Iterator[Ruleset]:
        """
        Yield rulesets that have together so many *passages*, or a few more.
        """
        bases = [rule for ruleset in self._shipped for rule in ruleset.rules]
        manifest = self._shipped[0].manifest.model_copy(update={"documents": (), "languages": ("en", "zh")})
        number = held = 0
        while held < passages:
            name = f"grown-{number // _RULES}"
            rules: list[Rule] = []
            while held < passages and len(rules) < _RULES:
                rule = self._grown(bases[number % len(bases)], f"{name}/rule-{number}", number)
                held += sum(1 for _ in passages_of(Ruleset(name, manifest, [rule]), self._cutting))
                rules.append(rule)
                number += 1
            yield Ruleset(name, manifest, rules)

    def passages(self, rulesets: Sequence[Ruleset]) -> list[Passage]:
        """
        Return the passages of *rulesets*.
        """
        return [passage for ruleset in rulesets for passage in passages_of(ruleset, self._cutting)]

    def keep_vectors(self, passages: Sequence[Passage], space: Space, folder: Path) -> None:
        """
        Write vectors for *passages* into *folder*, as if a model had made them.
        """
        vault = Vault(space)
        rng = np.random.default_rng(1)
        for language, known in self._known(space).items():
            keys = list(dict.fromkeys(passage.key for passage in passages if passage.language == language))
            rows = known[rng.integers(len(known), size=len(keys))]
            turned = rows + _TURNED / space.dimension**0.5 * rng.standard_normal(rows.shape, dtype=np.float32)
            vault.add(keys, turned / np.linalg.norm(turned, axis=1, keepdims=True))
        vault.save(folder, [passage.key for passage in passages])

    def _known(self, space: Space) -> dict[str, Vectors]:
        """The vectors of shipped passages that are kept beside the rules, by language."""
        vault = Vault(space, [VECTORS])
        keys: dict[str, list[str]] = {}
        for passage in self.passages(self._shipped):
            if passage.key in vault:
                keys.setdefault(passage.language, []).append(passage.key)
        return {language: vault.rows(held) for language, held in keys.items()}

    @cached_property
    def _sentences(self) -> dict[str, list[str]]:
        pools: dict[str, list[str]] = {}
        for ruleset in self._shipped:
            for rule in ruleset.rules:
                for language, wording in rule.wordings.items():
                    pools.setdefault(language, []).extend(filter(None, _SENTENCES.split(wording.text)))
        return pools

    def _grown(self, base: Rule, rule_id: str, number: int) -> Rule:
        names = {
            "en": "".join(self._draw.choices(_SYLLABLES, k=3)).title(),
            "zh": "".join(self._draw.sample(_SIGNS, 3)),
        }
        wordings = {
            language: self._worded(wording, language, names.get(language, names["en"]))
            for language, wording in base.wordings.items()
        }
        return Rule(id=rule_id, order=number, original=base.original, wordings=wordings)

    def _worded(self, base: Wording, language: str, name: str) -> Wording:
        drawn = self._draw.sample(self._sentences[language], k=len(list(filter(None, _SENTENCES.split(base.text)))))
        joint = "" if language == "zh" else " "
        return Wording(
            title=f"{name}{joint}{base.title}",
            section=base.section,
            text=joint.join(self._renamed(sentence, name) for sentence in drawn),
            examples=tuple(self._renamed(example, name) for example in base.examples),
            keys=(*base.keys[:1], *(f"{name}{joint}{key}" for key in base.keys[1:])),
            asked=tuple(f"{name}: {self._renamed(asked, name)}" for asked in base.asked[:1]),
        )

    def _renamed(self, text: str, name: str) -> str:
        numbered = _NUMBER.sub(lambda _: str(self._draw.randint(1, 30)), text)
        return _NAME.sub(lambda found: name if self._draw.random() < 0.5 else found.group(), numbered)
