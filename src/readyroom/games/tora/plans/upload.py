"""[5, 7] Plan files: loaded in place of the sheets, and templates to start from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from readyroom.engine.game import MatchView, PlanFiles
from readyroom.engine.rules.decisions import Decision
from readyroom.games.tora.figures import JAPAN, USA, Data
from readyroom.games.tora.plans import alerts, attack_sheets, builtin, deployment
from readyroom.games.tora.plans.data import AmericanPlan, JapanesePlan, Parked
from readyroom.games.tora.plans.editor import EDITOR
from readyroom.games.tora.plans.lock import Plan
from readyroom.games.tora.plans.phase import CHANGES, REVISE, answer, entered
from readyroom.games.tora.plans.reading import BadPlan, Complaint, Draft, read_draft, write_csv, write_toml
from readyroom.games.tora.plans.sheets import Answered, answers_so_far, plan_in_progress
from readyroom.games.tora.plans.validation import Where, completed
from readyroom.games.tora.view import ToraView

SHEETS = frozenset(
    {
        *(alerts.ALERTS, alerts.RADAR, alerts.PATROL, alerts.IN_PORT),
        *(deployment.FIELD, deployment.UNDER, deployment.OVER),
        *(deployment.ANCHORAGE, deployment.MOORING, deployment.BERTH, deployment.COLUMN),
        *(attack_sheets.DAY, attack_sheets.WAVES, attack_sheets.TURN, attack_sheets.WAVE),
        *(attack_sheets.MESSAGE, attack_sheets.CIPHER, attack_sheets.KEY),
        REVISE,
    }
)
"""The piece keys of planning questions."""
SENT = (attack_sheets.MESSAGE, attack_sheets.CIPHER, attack_sheets.KEY)
PIECE_BY_PIECE = (deployment.OVER, deployment.MOORING, deployment.BERTH, deployment.COLUMN)


class Paper(NamedTuple):
    """A plan from a file: the plan, the file's name, and the line of each entry."""

    plan: Plan
    file: str
    draft: Draft


def _read(text: bytes, file: str, options: Mapping[str, str], data: Data) -> Paper:
    plan, draft = read_draft(text, file, data, int(options["waves_max"]))
    return Paper(plan, file, draft)


def _side(paper: Paper) -> str:
    return JAPAN if isinstance(paper.plan, JapanesePlan) else USA


def is_planning(decision: Decision) -> bool:
    """Return whether a question belongs to the planning sheets."""
    return decision.piece_key.partition(":")[0] in SHEETS


def _answer(paper: Paper, decision: Decision, data: Data) -> list[str]:
    """[15.1] Answer from a file; a file loaded when plans may be changed changes the plan."""
    _check_gone_out(paper, decision)
    if decision.piece_key == REVISE:
        return [CHANGES]
    keys = answer(paper.plan, decision, data)
    assert keys is not None
    offered = set(decision.keys)
    unknown = next((key for key in keys if key not in offered), None)
    if unknown is not None:
        reason = f"{decision.question} The file has {unknown}, which conflicts with earlier answers."
        line = paper.draft.line(_where(paper.plan, decision.piece_key, [unknown]))
        raise BadPlan(paper.file, [Complaint(line, decision.rule, reason)])
    return keys


def _check_gone_out(paper: Paper, decision: Decision) -> None:
    """[15.2] Reject a file that names another day or message than those sent (T28)."""
    if not isinstance(paper.plan, JapanesePlan):
        return
    sent = {option.key: option for option in decision.unavailable}
    complaints = [
        Complaint(paper.draft.line((entry,)), sent[key].rule, f"{sent[key].text}: {sent[key].reason}")
        for entry, key in attack_sheets.sent_keys(paper.plan).items()
        if key in sent
    ]
    if complaints:
        raise BadPlan(paper.file, complaints)


def _validate(paper: Paper, view: MatchView[ToraView], data: Data) -> None:
    """[5, 7] Reject a file that contradicts answers already given, with line and rule."""
    answers, complaints = answers_so_far(view, _side(paper)), list[Complaint]()
    for answered in answers:
        given, file = Counter(answered.keys), Counter(_entered(paper.plan, answered, data))
        if given != file:
            line = paper.draft.line(_where(paper.plan, answered.about, [*(file - given), *(given - file)]))
            complaints.append(Complaint(line, answered.rule, _describe_difference(answered, given, file)))
    if isinstance(paper.plan, AmericanPlan):
        made = plan_in_progress(view, USA, AmericanPlan) or AmericanPlan()
        complaints += _stacked_otherwise(paper, completed(paper.plan, data), made, answers)
        complaints += _berthed_otherwise(paper, completed(paper.plan, data), made, data)
    if complaints:
        raise BadPlan(paper.file, complaints)


def _entered(plan: Plan, answered: Answered, data: Data) -> list[str]:
    """Return a plan's answer to a question already answered; that answer where the plan has none.

    Berths are compared ship by ship and stacks field by field, since their questions may come in another order.
    """
    silent = isinstance(plan, JapanesePlan) and _says_nothing(plan, answered.about)
    by_piece = answered.about.partition(":")[0] in PIECE_BY_PIECE or answered.keys == [deployment.OWN]
    keys = None if silent or by_piece else entered(plan, answered.about, data)
    return answered.keys if keys is None else keys


def _says_nothing(plan: JapanesePlan, about: str) -> bool:
    """Return whether a plan has no message, or no such wave; the number of waves is compared separately."""
    kind, _, rest = about.partition(":")
    if kind in (attack_sheets.TURN, attack_sheets.WAVE):
        return int(rest.partition(":")[0]) > len(plan.wave)
    return kind in SENT and not plan.message


def _describe_difference(answered: Answered, given: Counter[str], file: Counter[str]) -> str:
    more, fewer = (
        ", ".join(key if count == 1 else f"{count} × {key}" for key, count in keys.items())
        for keys in (given - file, file - given)
    )
    how = f"without {fewer}" if not more else f"with {more} instead of {fewer}" if fewer else f"with {more} in addition"
    return _already(answered.question, how)


def _already(question: str, how: str) -> str:
    return f"{question} Already answered, {how}. Take that answer back or change the file."


def _stacked_otherwise(
    paper: Paper, whole: AmericanPlan, made: AmericanPlan, answers: Iterable[Answered]
) -> Iterator[Complaint]:
    """[5.11] Yield the fields whose stacks differ from the file's."""
    for answered in answers:
        kind, _, field = answered.about.partition(":")
        if kind == deployment.OVER and _stacks(made.parked, field) != _stacks(whole.parked, field):
            line = paper.draft.line(_where(paper.plan, answered.about, ()))
            yield Complaint(line, answered.rule, _already(answered.question, "with other stacks than the file has"))


def _stacks(parked: Iterable[Parked], field: str) -> Counter[tuple[str, str]]:
    """Count the stacks of each kind on a field."""
    counts = Counter[tuple[str, str]]()
    for entry in parked:
        if entry.field == field and entry.under:
            counts[entry.top, entry.under] += entry.places
    return counts


def _berthed_otherwise(paper: Paper, whole: AmericanPlan, made: AmericanPlan, data: Data) -> Iterator[Complaint]:
    """[5.14] Yield the ships whose berths differ from the file's."""
    names = {card.key: card.name for card in data.ships.ship}
    for key, berth in made.berths.items():
        if berth != whole.berths[key]:
            where = deployment.berth_title(berth)
            reason = f"{names[key]} already anchors elsewhere, {where}. Take that answer back or change the file."
            yield Complaint(paper.draft.line(("berths", key)), "5.14", reason)


def _where(plan: Plan, about: str, keys: Sequence[str]) -> Where:
    """Return the path in a plan of a question's entry; `keys` are the relevant answer keys."""
    kind, _, key = about.partition(":")
    if isinstance(plan, JapanesePlan):
        return _in_attack(plan, kind, key)
    if kind == alerts.ALERTS:
        category, _, day = keys[0].partition("-")
        return (category, int(day) - 1)
    if kind in (alerts.RADAR, alerts.PATROL):
        return (kind, int(keys[0].split("-")[1]) - 1)
    if kind == alerts.IN_PORT:
        return ("in_port", key)
    if kind in (deployment.FIELD, deployment.UNDER, deployment.OVER):
        squadron = kind == deployment.FIELD
        named = (
            at
            for at, each in enumerate(plan.parked)
            if (key in (each.top, each.under) if squadron else each.field == key and each.under)
        )
        return ("parked", next(named, 0))
    return ("berths", key)


def _in_attack(plan: JapanesePlan, kind: str, key: str) -> Where:
    if kind == attack_sheets.WAVES:
        return ("wave", len(plan.wave) - 1)
    if kind not in (attack_sheets.TURN, attack_sheets.WAVE):
        return (kind,)
    number, _, type_ = key.partition(":")
    wave = int(number) - 1
    if kind == attack_sheets.TURN:
        return ("wave", wave, "turn")
    index = next((at for at, group in enumerate(plan.wave[wave].group) if group.type == type_), None)
    return ("wave", wave) if index is None else ("wave", wave, "group", index)


def _templates(side: str, data: Data) -> dict[str, str]:
    """Return the named plans of a side, each as TOML and as CSV."""
    files: dict[str, str] = {}
    for key in builtin.plans()[side]:
        plan = builtin.named(key)
        files |= {f"{key}.toml": write_toml(plan), f"{key}.csv": write_csv(plan, data)}
    return files


PLAN_FILES = PlanFiles(
    read=_read,
    side=_side,
    is_planning=is_planning,
    answer=_answer,
    templates=_templates,
    restarts_plan=lambda decision: decision.piece_key == REVISE,
    validate=_validate,
    editor=EDITOR,
)
