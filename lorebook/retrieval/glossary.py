"""
The games' terms: one concept, all the words for it in English and Chinese.

A form is found in a text after folding (see `folding`). Latin forms are found as whole words, whatever
stands between the words of a form (space, hyphen, slash, apostrophe, nothing: `face-down`, `face down`,
`facedown`), with or without a plural or possessive s, and with `&` for `and`. Chinese forms are found
anywhere. Where forms overlap, those are taken that cover the most words with the fewest forms, so that
`Tribute Summon` is not also `Tribute`.

Short forms that ordinary words or names may also spell are kept apart, because case tells them:

- `abbreviations` are found as they are written or all in lower case (`ED`, `ed`, but not the name `Ed`);
- `exact` forms are found only as they are written (`OPT`, but not the verb `opt`).

All other forms are found in any case. A form belongs to one concept, unless the glossary lists it as
ambiguous (`MP`: Main Phase or Mana Points): then a mention names all its concepts.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, NamedTuple, Self

from pydantic import Field, StringConstraints, ValidationError

from lorebook import yamltext
from lorebook.errors import DataError, InputError, RulesetError
from lorebook.folding import fold
from lorebook.records import SLUG, Frozen, Language, Line, faults
from lorebook.retrieval.terms import Term, Trie, key, tokenize

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

_ConceptId = Annotated[str, StringConstraints(pattern=f"^{SLUG}$")]


class Concept(Frozen):
    """
    One thing the games have a word for; the first form of each language is the canonical term.
    """

    id: _ConceptId
    en: tuple[Line, ...] = Field(min_length=1)
    zh: tuple[Line, ...] = Field(min_length=1)
    abbreviations: tuple[Line, ...] = Field(default=(), description="Found as written or in lower case.")
    exact: tuple[Line, ...] = Field(default=(), description="Found only as written.")
    related: tuple[_ConceptId, ...] = Field(default=(), description="Weaker links: wider terms, counterparts.")

    @property
    def forms(self) -> tuple[str, ...]:
        """
        All the words for it, canonical terms first within their language.
        """
        return (*self.en, *self.abbreviations, *self.exact, *self.zh)

    def canonical(self, language: Language) -> str | None:
        """
        Return the term to use in *language*, or None for a language that the glossary does not have.
        """
        return {"en": self.en[0], "zh": self.zh[0]}.get(language)


class GlossaryFile(Frozen):
    """
    What `glossary.yaml` holds.
    """

    ambiguous: tuple[Line, ...] = Field(default=(), description="Forms that may belong to several concepts.")
    concepts: tuple[Concept, ...] = Field(min_length=1)


class Mention(NamedTuple):
    """
    A place in a text that names a concept; *also* are the other concepts of an ambiguous form.
    """

    concept: str
    start: int
    end: int
    surface: str
    also: tuple[str, ...] = ()

    @property
    def concepts(self) -> tuple[str, ...]:
        """
        All the concepts that the words may mean.
        """
        return (self.concept, *self.also)


class Glossary:
    """
    Concepts, and the search for their forms in texts; compiled at the first search.
    """

    def __init__(self, concepts: Iterable[Concept], *, ambiguous: Iterable[str] = (), where: str = "glossary") -> None:
        """
        Check and keep *concepts*.

        Raises RulesetError for a repeated id, a link to no concept, or a form of two concepts not in *ambiguous*.
        """
        self.concepts = tuple(concepts)
        self.ambiguous = tuple(ambiguous)
        self._where = where
        self._by_id = {concept.id: concept for concept in self.concepts}
        self._check()

    @classmethod
    def load(cls, path: Path) -> Self:
        """
        Read a `glossary.yaml`.

        Raises RulesetError, naming the file and the field that is wrong.
        """
        where = f"{path.parent.name}/{path.name}"
        try:
            plain = yamltext.read(path.read_text("utf-8"), where=where)
            held = GlossaryFile.model_validate(plain)
        except (OSError, UnicodeDecodeError) as error:
            raise RulesetError(f"cannot be read: {error}", where=where) from error
        except ValidationError as error:
            raise RulesetError(faults(error)[0], where=where) from error
        except DataError as error:
            raise RulesetError(error.what, where=where) from error
        return cls(held.concepts, ambiguous=held.ambiguous, where=where)

    def dump(self) -> bytes:
        """
        Return the canonical text of the glossary's file.
        """
        held = GlossaryFile(ambiguous=self.ambiguous, concepts=self.concepts)
        return yamltext.write(held.model_dump(mode="json", exclude_defaults=True)).encode()

    def concept(self, concept_id: str) -> Concept:
        """
        Return the concept with *concept_id*.

        Raises InputError when there is none.
        """
        if concept_id not in self._by_id:
            raise InputError(f"no concept {concept_id!r}", where=self._where)
        return self._by_id[concept_id]

    def find(self, text: str) -> list[Mention]:
        """
        Return the mentions of concepts in *text*, in order, none overlapping; places are those of *text* itself.
        """
        return list(self._mentions(text))

    def concepts_in(self, text: str) -> frozenset[str]:
        """
        Return the ids of all concepts that *text* may name.
        """
        return frozenset(concept for mention in self._mentions(text) for concept in mention.concepts)

    def covered(self, text: str) -> float:
        """
        Return the share of the letters and digits of *text*, from 0 to 1, that name concepts.
        """
        letters = sum(map(str.isalnum, text))
        named = sum(sum(map(str.isalnum, mention.surface)) for mention in self._mentions(text))
        return named / letters if letters else 0.0

    def expansions(self, text: str, language: Language | None = None) -> list[str]:
        """
        Return the canonical terms of the concepts in *text*, in the order of their first mention.

        In every language, or only in *language*; terms that *text* already uses are among them.
        """
        found = dict.fromkeys(concept for mention in self._mentions(text) for concept in mention.concepts)
        languages = ("en", "zh") if language is None else (language,)
        terms = (self._by_id[concept].canonical(each) for concept in found for each in languages)
        return list(dict.fromkeys(term for term in terms if term is not None))

    @cached_property
    def chinese_terms(self) -> frozenset[str]:
        """
        The Chinese forms that are one term: the canonical ones, and of the others those that hold no other form.

        The rest are phrases, in which a part is still meant: 通常召唤 in 通常召唤两次.
        """
        forms = {form for concept in self.concepts for form in concept.zh}
        canonical = {concept.zh[0] for concept in self.concepts}
        return frozenset(form for form in forms if form in canonical or not _holds_any(form, forms))

    def same_term(self, a: str, b: str) -> bool:
        """
        Whether *a* and *b*, each as a whole, are spellings of one term or words for one concept.
        """
        return fold(a) == fold(b) or key(a) == key(b) or bool(self._named_by(a) & self._named_by(b))

    def variants(self, term: str) -> tuple[str, ...]:
        """
        Return all the words for what *term*, as a whole, names; none when it names no concept.
        """
        named = self._named_by(term)
        forms = (form for concept in self.concepts if concept.id in named for form in concept.forms)
        return tuple(dict.fromkeys(forms))

    def related(self, concept_id: str) -> tuple[str, ...]:
        """
        Return the ids of the concepts that are close to *concept_id* but not the same.

        Raises InputError when there is no such concept.
        """
        return self.concept(concept_id).related

    def _named_by(self, term: str) -> frozenset[str]:
        """
        The concepts of which *term*, from its first to its last word, is a form.
        """
        tokens = tokenize(term)
        whole = (found.concepts for found in self._trie.found_at(tokens, 0, term) if found.stop == len(tokens))
        return frozenset(next(whole, ())) if tokens else frozenset()

    def _mentions(self, text: str) -> Iterator[Mention]:
        tokens = tokenize(text)
        before = 0
        for found in self._trie.cover(tokens, text):
            start, end = tokens[found.start].start, tokens[found.stop - 1].end
            # One character may hold several words (`㍿`): its second form would overlap the first.
            if start >= before:
                yield Mention(found.concepts[0], start, end, text[start:end], found.concepts[1:])
                before = end

    @cached_property
    def _trie(self) -> Trie:
        trie = Trie()
        for concept in self.concepts:
            for form in (*concept.en, *concept.zh):
                trie.add(Term(concept.id, form))
            for form in concept.abbreviations:
                trie.add(Term(concept.id, form, (form, form.lower())))
            for form in concept.exact:
                trie.add(Term(concept.id, form, (form,)))
        return trie

    def _check(self) -> None:
        for concept in self.concepts:
            if self._by_id[concept.id] is not concept:
                raise RulesetError(f"the id {concept.id} stands twice", where=self._where)
        for concept in self.concepts:
            for linked in concept.related:
                if linked not in self._by_id:
                    raise RulesetError(f"{concept.id} is related to {linked}, which is not there", where=self._where)
        self._check_owners()

    def _check_owners(self) -> None:
        owners: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
        for concept in self.concepts:
            for form in concept.forms:
                if not key(form):
                    raise RulesetError(f"{concept.id}: {form!r} holds no word", where=self._where)
                owners[key(form)].add(concept.id)
        allowed = {key(unicodedata.normalize("NFKC", form)) for form in self.ambiguous}
        for words, concepts in owners.items():
            if len(concepts) > 1 and words not in allowed:
                named = " and ".join(sorted(concepts))
                raise RulesetError(f"the form {' '.join(words)!r} belongs to {named}", where=self._where)


def _holds_any(form: str, forms: Collection[str]) -> bool:
    """
    Whether a part of *form*, of two characters at least, is one of *forms*.
    """
    cuts = ((start, end) for start in range(len(form)) for end in range(start + 2, len(form) + 1))
    return any(form[start:end] in forms for start, end in cuts if end - start < len(form))
