"""
Run a file of activation vectors and say which pass.

    python -m tests.conformance FILE.jsonl

The last line is JSON: {"passed": n, "failed": n, "by_class": {class: {"passed": n, "failed": n}}}. Exit code 1
when any vector fails.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from tests.conformance.vectors import differences, read, run


def main(path: Path) -> int:
    """Print passed and failed by feature class, failures by name."""
    passed, failed = Counter[str](), Counter[str]()
    totals = Counter[bool]()
    for vector in read(path):
        differs = differences(run(vector["input"]), vector["expected"])
        if differs:
            print(f"{vector['id']}: {', '.join(differs)}")
        (failed if differs else passed).update(vector["features"])
        totals[not differs] += 1
    classes = sorted({*passed, *failed})
    for name in classes:
        print(f"{name:24}{passed[name]:>6} passed{failed[name]:>6} failed")
    by_class = {name: {"passed": passed[name], "failed": failed[name]} for name in classes}
    print(json.dumps({"passed": totals[True], "failed": totals[False], "by_class": by_class}))
    return int(totals[False] > 0)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1])))
