"""[5, 7] Plans on paper: files that are sent in where the sheets are filled, and files to begin one's own with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from readyroom.engine.decisions import Decision
from readyroom.engine.game import PlanFiles
from readyroom.games.tora import alerts, attack_plan, deployment, named
from readyroom.games.tora.figures import JAPAN, USA, Data
from readyroom.games.tora.plan import JapanesePlan
from readyroom.games.tora.planning import CHANGES, REVISE, answer
from readyroom.games.tora.plans import BadPlan, Complaint, Draft, read_draft, write_csv, write_toml
from readyroom.games.tora.seal import Plan

SHEETS = frozenset(
    {
        *(alerts.ALERTS, alerts.RADAR, alerts.PATROL, alerts.IN_PORT),
        *(deployment.FIELD, deployment.UNDER, deployment.OVER),
        *(deployment.ANCHORAGE, deployment.MOORING, deployment.BERTH, deployment.COLUMN),
        *(attack_plan.DAY, attack_plan.WAVES, attack_plan.TURN, attack_plan.WAVE),
        *(attack_plan.MESSAGE, attack_plan.CIPHER, attack_plan.KEY),
        REVISE,
    }
)
"""What questions of planning are about."""


class Paper(NamedTuple):
    """A plan on paper: the plan, the name of its file, and the line of each entry."""

    plan: Plan
    file: str
    draft: Draft


def _read(text: bytes, file: str, options: Mapping[str, str], data: Data) -> Paper:
    plan, draft = read_draft(text, file, data, int(options["waves_max"]))
    return Paper(plan, file, draft)


def _side(paper: Paper) -> str:
    return JAPAN if isinstance(paper.plan, JapanesePlan) else USA


def asks(decision: Decision) -> bool:
    """Whether a question stands on the planning sheets."""
    return decision.about.partition(":")[0] in SHEETS


def _answer(paper: Paper, decision: Decision, data: Data) -> list[str]:
    """[15.1] Whoever sends a plan in where plans may be changed once more, changes it."""
    _check_gone_out(paper, decision)
    if decision.about == REVISE:
        return [CHANGES]
    keys = answer(paper.plan, decision, data)
    assert keys is not None
    return keys


def _check_gone_out(paper: Paper, decision: Decision) -> None:
    """[15.2] A file that names another day or message than those that have gone out is refused (T28)."""
    if not isinstance(paper.plan, JapanesePlan):
        return
    gone = {refused.key: refused for refused in decision.refused}
    complaints = [
        Complaint(paper.draft.line((entry,)), gone[key].rule, f"{gone[key].text}: {gone[key].reason}")
        for entry, key in attack_plan.sent_keys(paper.plan).items()
        if key in gone
    ]
    if complaints:
        raise BadPlan(paper.file, complaints)


def _written(side: str, data: Data) -> dict[str, str]:
    """The named plans of a side, each as TOML and as CSV."""
    files: dict[str, str] = {}
    for key in named.plans()[side]:
        plan = named.named(key)
        files |= {f"{key}.toml": write_toml(plan), f"{key}.csv": write_csv(plan, data)}
    return files


PLAN_FILES = PlanFiles(read=_read, side=_side, asks=asks, answer=_answer, written=_written)
