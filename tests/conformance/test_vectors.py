"""Our engine answers what SillyTavern's engine answered."""

from __future__ import annotations

import pytest

from tests.conformance.vectors import differences, read, run
from tests.conftest import SHARED

VECTORS = SHARED / "activation" / "vectors" / "dev.jsonl"


def test_every_vector() -> None:
    if not VECTORS.is_file():
        pytest.skip("the vectors are not here")
    failed = {
        vector["id"]: differs
        for vector in read(VECTORS)
        if (differs := differences(run(vector["input"]), vector["expected"]))
    }
    assert not failed
