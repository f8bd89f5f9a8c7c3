"""
What a search returns: rules, each with the passage that answers and the evidence that brought it.
"""

from __future__ import annotations

from pydantic import Field

from lorebook.records import Frozen, Language, RuleId


class Evidence(Frozen):
    """
    Why a rule was found.
    """

    number: str | None = Field(default=None, description="The rule's number or id, where the query cites it.")
    keys: tuple[str, ...] = Field(default=(), description="Keys and titles of the rule that stand in the query.")
    concepts: tuple[str, ...] = Field(default=(), description="Concepts of the glossary in both, the rarest first.")
    words: tuple[str, ...] = Field(default=(), description="Words of the query that the rule has too.")
    lexical: float = Field(default=0.0, ge=0, description="BM25 of the rule's best passage.")
    lexical_rank: int | None = Field(default=None, description="Among the rules that were looked at.")
    similarity: float | None = Field(default=None, description="Cosine of the rule's nearest passage to the query.")
    dense_rank: int | None = Field(default=None, description="Among the rules that were looked at.")
    relevance: float | None = Field(default=None, description="What a reranker says of question and passage.")
    fused_rank: int | None = Field(default=None, description="The place that the rule had before the reranker.")


class Hit(Frozen):
    """
    A rule that was found, and its best passage.
    """

    rule: RuleId
    ruleset: str
    language: Language
    text: str = Field(description="The best passage, in the query's language where the rule has it.")
    score: float = Field(ge=0, le=1)
    evidence: Evidence

    def why(self) -> list[str]:
        """
        Say the evidence in words, the plainest first.
        """
        cited = self.evidence.number
        said = [f"{'id' if cited == self.rule else 'number'} {cited}"] if cited else []
        if self.evidence.keys:
            said.append(f"key {', '.join(self.evidence.keys)}")
        if self.evidence.concepts:
            said.append(f"concept {', '.join(self.evidence.concepts)}")
        if self.evidence.words:
            said.append(f"words {', '.join(self.evidence.words)} (rank {self.evidence.lexical_rank})")
        if self.evidence.similarity is not None:
            said.append(f"meaning {self.evidence.similarity:.2f} (rank {self.evidence.dense_rank})")
        if self.evidence.relevance is not None:
            said.append(f"reranked {self.evidence.relevance:.2f} (rank {self.evidence.fused_rank} before)")
        return [*said, f"score {self.score:.2f}"]


class Near(Frozen):
    """
    A rule that comes near a question without answering it for sure.
    """

    rule: RuleId
    title: str = Field(description="With the headings above it.")
    score: float = Field(ge=0, le=1)
    why: tuple[str, ...] = Field(description="What speaks for it all the same, in words, the plainest first.")
