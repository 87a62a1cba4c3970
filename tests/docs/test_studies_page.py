"""The page on studies: tables and examples."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from readyroom.study.studies import check_study
from readyroom.study.studyfile import Study

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "studies.md").read_text(encoding="utf-8")
FIGURES = (DOCS / "studies-pairs.txt").read_text(encoding="utf-8")
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def pairs(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the script that writes the tables."""
    monkeypatch.syspath_prepend(str(DOCS))
    return import_module("pairs")


def test_each_study_has_table_of_all_cases(pairs: ModuleType) -> None:
    for name in pairs.STUDIES:
        study: Study = check_study(name)
        text = FIGURES.partition(f"% {Path(name).stem}\n")[2].partition("\n% ")[0]
        assert text.startswith(f"\n*{study.title}*, {pairs.GAMES:,} matches of each case:")
        assert all(f"| {case.name} | Won by Japan |" in text for case in study.cases[1:])


def test_table_combines_two_studies(pairs: ModuleType) -> None:
    head, *rows = list(pairs.table(*pairs.both("enterprise-guns", 8, 1)))
    assert head.count("\n") == 1
    assert [row.split(" | ")[0] for row in rows] == ["| enterprise_aa=12"] * 8


def test_page_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = PYTHON.findall(PAGE)
    exec(code.replace("matches=200", "matches=4, workers=1"), {})
    assert capsys.readouterr().out.startswith("With enterprise_aa=12, ")
