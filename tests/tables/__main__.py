"""
Print how many rows of the table of keys each engine has right, by class.

    python -m tests.tables [--wrong ENGINE]

`sillytavern` is our preset of that name with whole words, `sillytavern, parts` the same without; fast-tavern is
asked where it is installed (`pip install fast-tavern`). With --wrong, every row that ENGINE has wrong.
"""

from __future__ import annotations

import sys
from collections import Counter

from tests.tables.keys import engines, read


def main(wrong: str | None) -> None:
    """Ask every engine every row."""
    rows, asked = read(), engines()
    right = {name: Counter(row.kind for row in rows if ask(row) == row.matches) for name, ask in asked.items()}
    sizes = Counter(row.kind for row in rows)
    print(f"{'class':28}{'rows':>6}" + "".join(f"{name:>20}" for name in asked))
    for kind, size in sizes.items():
        print(f"{kind:28}{size:>6}" + "".join(f"{right[name][kind]:>20}" for name in asked))
    shares = "".join(f"{right[name].total():>11} = {right[name].total() / len(rows):6.1%}" for name in asked)
    print(f"{'all':28}{len(rows):>6}{shares}")
    for row in rows if wrong else ():
        if asked[wrong or ""](row) != row.matches:
            print(f"{row.kind}: {row.key!r} in {row.text!r} should {'' if row.matches else 'not '}match: {row.why}")


if __name__ == "__main__":
    main(sys.argv[2] if sys.argv[1:2] == ["--wrong"] else None)
