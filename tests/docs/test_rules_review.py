"""The rules review names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
REVIEW = (TESTS.parent / "docs" / "rules-review.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`(?:tests/)?([\w/]+/test_\w+\.py)`(?: `(test_\w+)`)?")


def test_rules_review_names_existing_tests() -> None:
    named = NAMED.findall(REVIEW)
    assert len(named) > 100
    missing = []
    for name, test in named:
        file = next(
            (path for path in (TESTS / "games" / name, TESTS / "examples" / name, TESTS / name) if path.exists()), None
        )
        if file is None or f"def {test}" not in file.read_text(encoding="utf-8"):
            missing.append((name, test))
    assert missing == []
