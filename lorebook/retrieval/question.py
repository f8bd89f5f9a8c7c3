"""
A query read in all the ways in which it can be searched.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Self

from lorebook.retrieval.glossary import Glossary
from lorebook.retrieval.passages import SENTENCE_END
from lorebook.retrieval.words import telling, terms
from lorebook.scripts import language_of

MAX_QUESTION = 10_000
"""The characters of the longest question that is taken; a longer text is a document, not a question."""

_LONGEST_EMBEDDED = 1_500
_FEWEST_PARTS, _MOST_PARTS = 2, 6


@dataclass(frozen=True)
class Question:
    """
    A query, and what the glossary knows about it.

    *words* are its own terms, *telling* those without what it is asked with; *synonyms* the terms of the other
    forms of its concepts, in all languages; *concepts* the concepts it names (an ambiguous word shares its
    weight among them); *terms* its concepts as the canonical terms of each language that it is not written in,
    for models whose cross-language similarity is weak; *covered* the share of its letters that name concepts. A
    scene of several sentences is also searched by its *parts*, each a question of its own.
    """

    text: str
    language: str
    words: Mapping[str, float]
    telling: Mapping[str, float]
    synonyms: Mapping[str, float]
    concepts: Mapping[str, float]
    terms: Mapping[str, str]
    covered: float
    parts: tuple[Self, ...] = ()

    @classmethod
    def read(cls, text: str, glossary: Glossary, languages: Iterable[str]) -> Self:
        """
        Read *text*, to be searched in *languages*.
        """
        languages, own = tuple(languages), language_of(text)
        parts = tuple(cls._read(part, own, glossary, languages) for part in sentences(text[:_LONGEST_EMBEDDED]))
        return replace(cls._read(text, own, glossary, languages), parts=parts)

    @classmethod
    def _read(cls, text: str, own: str, glossary: Glossary, languages: Iterable[str]) -> Self:
        concepts = weigh_concepts(text, glossary)
        words = dict(Counter(terms(text, query=True)))
        others = {language: "; ".join(glossary.expansions(text, language)) for language in languages if language != own}
        return cls(
            text=text,
            language=own,
            words=words,
            telling=dict(Counter(telling(text))),
            synonyms=_synonyms(concepts, glossary, known=words),
            concepts=concepts,
            terms={language: joined for language, joined in others.items() if joined},
            covered=glossary.covered(text),
        )

    def embedded(self, languages: Iterable[str]) -> dict[str, str]:
        """
        Return the texts to embed: the query under its name "", and its concepts' terms by each of *languages*.

        Only their beginnings: a model's time grows with the text, and 10,000 characters take it most of a minute.
        """
        terms = {language: self.terms[language] for language in languages if language in self.terms}
        return {name: text[:_LONGEST_EMBEDDED] for name, text in {"": self.text, **terms}.items()}


def sentences(text: str) -> list[str]:
    """
    Return the sentences of *text*, neighbours joined where there are many; none where it is one sentence only.
    """
    found = [part.strip() for part in SENTENCE_END.split(text) if any(map(str.isalnum, part))]
    if len(found) < _FEWEST_PARTS:
        return []
    share = math.ceil(len(found) / _MOST_PARTS)
    return [" ".join(found[start : start + share]) for start in range(0, len(found), share)]


def weigh_concepts(text: str, glossary: Glossary) -> dict[str, float]:
    """
    Return the concepts that *text* names, each with how often.
    """
    weights: dict[str, float] = {}
    for mention in glossary.find(text):
        for concept in mention.concepts:
            weights[concept] = weights.get(concept, 0.0) + 1 / len(mention.concepts)
    return weights


def _synonyms(concepts: Mapping[str, float], glossary: Glossary, *, known: Mapping[str, float]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for concept, weight in concepts.items():
        for form in glossary.concept(concept).forms:
            for term in terms(form, query=True):
                weights[term] = max(weights.get(term, 0.0), min(weight, 1.0))
    return {term: weight for term, weight in weights.items() if term not in known}
