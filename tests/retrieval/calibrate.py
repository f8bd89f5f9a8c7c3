"""
Fits the coefficients of the score on judged questions, and says how well they do on questions that they do not know.

    python -m tests.retrieval.calibrate QUERIES.jsonl WORKSPACE...           only figures
    python -m tests.retrieval.calibrate QUERIES.jsonl WORKSPACE... --write   and the coefficients into the recipe

(whose values `lorebook.retrieval.recipe` has as its defaults; a test says where they differ).

Of every question the best rules are looked at: those that hold a judged quote answer, the others do not, and none
does for a question that has no answer. A logistic regression of the signs (`lorebook.retrieval.calibration`) is
fitted to that. Figures come from folds: a question is judged by coefficients fitted without its group.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tomlkit
from numpy.typing import NDArray

from lorebook import atomic
from lorebook.retrieval.calibration import LOOKED_AT, Signs
from lorebook.retrieval.evaluation import Sources, documents_near, read_queries
from lorebook.retrieval.judging import JudgedQuery
from lorebook.workspace import Workspace

RECIPE = Path(__file__).parents[2] / "index" / "recipe.toml"
_FOLDS = 5
# Unanswerable questions are few among the judged ones and many in life.
_UNANSWERABLE = 40.0
_RIDGE = 2.0
_THRESHOLDS = (0.1, 0.15, 0.18, 0.19, 0.2, 0.22, 0.25, 0.3)

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """
    A question put to a workspace: the signs of its best rules, and which of them answer.
    """

    workspace: str
    fold: int
    answerable: bool
    signs: Array
    answers: NDArray[np.bool_]


def ask(queries: Sequence[JudgedQuery], root: Path, documents: Path | None) -> list[Asked]:
    """
    Put *queries* to the workspace *root*; *documents* holds the texts that it does not.
    """
    workspace = Workspace.open(root)
    workspace.searching.ensure()
    sources = Sources(queries, workspace.rulesets.values(), documents)
    judge = sources.judge()
    asked = []
    for query in queries:
        found = workspace.searching.index.signs(query.query, rulesets=sources.filter_of(query), limit=LOOKED_AT)
        answers = [judge.score(query, [rule]).ndcg > 0 if query.quotes else False for rule, _ in found]
        fold = zlib.crc32((query.group or query.id).encode()) % _FOLDS
        signs = np.asarray([sign for _, sign in found], dtype=np.float64)
        asked.append(Asked(str(root), fold, bool(query.quotes), signs, np.asarray(answers)))
    return asked


def fit(asked: Sequence[Asked]) -> Array:
    """
    Return the bias and the coefficients, in the order of `Signs`, by Newton's method on a ridge-penalised likelihood.
    """
    rows = np.vstack([item.signs for item in asked])
    truth = np.concatenate([item.answers for item in asked]).astype(np.float64)
    weights = np.concatenate([np.full(len(item.signs), 1.0 if item.answerable else _UNANSWERABLE) for item in asked])
    mean, deviation = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    design = np.column_stack([np.ones(len(rows)), (rows - mean) / deviation])
    penalty = np.diag([0.0, *[_RIDGE] * rows.shape[1]])
    beta = np.zeros(design.shape[1])
    for _ in range(50):
        guess = 1 / (1 + np.exp(-design @ beta))
        gradient = design.T @ (weights * (truth - guess)) - penalty @ beta
        curvature = (design * (weights * guess * (1 - guess))[:, None]).T @ design + penalty
        beta += np.linalg.solve(curvature, gradient)
    slopes = beta[1:] / deviation
    return np.concatenate([[beta[0] - slopes @ mean], slopes])


def best_scores(asked: Sequence[Asked]) -> Array:
    """
    Return the best score of each question, by coefficients fitted on the other folds.
    """
    scores = np.zeros(len(asked))
    for fold in range(_FOLDS):
        beta = fit([item for item in asked if item.fold != fold])
        for place, item in enumerate(asked):
            if item.fold == fold:
                scores[place] = (1 / (1 + np.exp(-(beta[0] + item.signs @ beta[1:])))).max(initial=0.0)
    return scores


def figures(asked: Sequence[Asked]) -> dict[str, dict[str, list[float] | float]]:
    """
    Return, for each workspace, the cross-validated shares of false activation and silence by threshold.
    """
    scores = best_scores(asked)
    result: dict[str, dict[str, list[float] | float]] = {}
    for name in dict.fromkeys(item.workspace for item in asked):
        own = np.asarray([item.workspace == name for item in asked])
        can = np.asarray([item.answerable for item in asked])
        yes, no = scores[own & can], scores[own & ~can]
        auc = float(np.mean([(yes > value).mean() + (yes == value).mean() / 2 for value in no]))
        result[name] = {"auc": round(auc, 3)}
        for threshold in _THRESHOLDS:
            result[name][str(threshold)] = [
                round(float((no >= threshold).mean()), 3),
                round(float((yes < threshold).mean()), 3),
            ]
    return result


def write(beta: Array, path: Path) -> None:
    """
    Put the coefficients into the recipe at *path*, whose comments stay.
    """
    recipe = tomlkit.parse(path.read_text("utf-8"))
    table = recipe["calibration"]
    for name, value in zip(("bias", *Signs._fields), beta, strict=True):
        table[name] = round(float(value), 3)
    atomic.write_file(path, tomlkit.dumps(recipe).encode())


def main() -> int:
    """
    Fit, and print the figures.
    """
    given = _arguments()
    queries = read_queries(given.queries)
    asked = [item for root in given.workspaces for item in ask(queries, root, documents_near(given.queries))]
    beta = fit(asked)
    for name, shares in figures(asked).items():
        print(name, "AUC", shares.pop("auc"))
        for threshold, pair in shares.items():
            print(f"  first = {threshold}: false activation and silence, cross-validated: {pair}")
    print(json.dumps(dict(zip(("bias", *Signs._fields), np.round(beta, 3).tolist(), strict=True))))
    if given.write:
        write(beta, RECIPE)
    return 0


def _arguments() -> argparse.Namespace:
    usage = argparse.ArgumentParser(
        prog="python -m tests.retrieval.calibrate", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    usage.add_argument("queries", type=Path, help="judged questions, a JSON object a line")
    usage.add_argument("workspaces", type=Path, nargs="+", help="workspaces that the coefficients must do for")
    usage.add_argument("--write", action="store_true", help="put the coefficients into the recipe")
    return usage.parse_args()


if __name__ == "__main__":
    sys.exit(main())
