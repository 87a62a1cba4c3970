"""The mixes of known policies under changed rules: all pairs are played, and the matrix game between them is solved.

This finds no new policies; `readyroom.study.policies.policies` does, and takes much longer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from statistics import fmean
from typing import NamedTuple

import msgspec

from readyroom.bots.mixes import Member, mix_for
from readyroom.engine.game import sides
from readyroom.study.matches import MatchSetup
from readyroom.study.matrix_games import solve
from readyroom.study.policies.best_response import paired
from readyroom.study.policies.known import SolvedMixes, SolvedPolicy, SolvedSide, known_policies
from readyroom.study.policies.policy_matches import Bout, play_bouts
from readyroom.study.studyfile import Study, game_of

SHARE_DIGITS = 4


class PairTask(NamedTuple):
    """All matches of a pair of policies in a case, in a form that can be sent to another process."""

    study: Study
    case: int
    pair: int
    bouts: list[Bout]

    @property
    def part(self) -> str:
        """The name of the part's file."""
        return f"pair-{self.case:03}-{self.pair:04}"

    @property
    def size(self) -> int:
        """The number of matches."""
        return len(self.bouts)


def play_pair(task: PairTask) -> tuple[str, list[float]]:
    """Play the matches of a pair; return the utility of each to the first side."""
    setup = task.study.cases[task.case].table
    game_of(task.study, setup)  # another version of the game must not play
    return task.part, [score.utility for score in play_bouts(setup, task.bouts)]


def _known(setup: MatchSetup) -> dict[str, list[Member]]:
    game = setup.load_game()
    return known_policies(game, setup.scenario_of(game), setup.options)


def pair_tasks(study: Study) -> list[PairTask]:
    """Return all pairs of known policies in every case whose mixes are to be solved; all have the same seeds."""
    return [task for number, case in enumerate(study.cases) if case.table.solved for task in _pairs(study, number)]


def _pairs(study: Study, case: int) -> Iterator[PairTask]:
    setup = study.cases[case].table
    known = _known(setup)
    order = list(known)
    for pair, (row, column) in enumerate(_grid(known)):
        policies = paired(order, order[0], row.settings, {} if column is None else column.settings)
        bouts = [Bout(policies, f"{study.seed}/pairs/{number}") for number in range(study.pair_matches)]
        yield PairTask(study, case, pair, bouts)


def _grid(known: Mapping[str, Sequence[Member]]) -> Iterator[tuple[Member, Member | None]]:
    """Yield the pairs of policies, row by row; a solitaire game has one column."""
    first, *others = known.values()
    columns: Sequence[Member | None] = others[0] if others else [None]
    return product(first, columns)


def with_mixes(study: Study, utilities: Mapping[str, Sequence[float]]) -> tuple[Study, list[SolvedMixes]]:
    """Return the study with the solved mixes, and the mixes; `utilities` are those of each part."""
    cases, solved = list(study.cases), []
    for number, case in enumerate(study.cases):
        if case.table.solved:
            mixes = _solve(study, number, utilities)
            cases[number] = case._replace(table=case.table._replace(mixes=mixes))
            solved.append(_describe(study, number, mixes))
    return study._replace(cases=tuple(cases)), solved


def _solve(study: Study, case: int, utilities: Mapping[str, Sequence[float]]) -> dict[str, list[Member]]:
    known = _known(study.cases[case].table)
    means = [fmean(utilities[task.part]) for task in _pairs(study, case)]
    width = len(means) // len(next(iter(known.values())))
    solution = solve([means[at : at + width] for at in range(0, len(means), width)])
    return {
        side: [
            msgspec.structs.replace(one, share=round(float(share), SHARE_DIGITS))
            for one, share in zip(*both, strict=True)
        ]
        for side, *both in zip(known, known.values(), (solution.rows, solution.columns), strict=False)
    }


def _describe(study: Study, case: int, mixes: Mapping[str, Sequence[Member]]) -> SolvedMixes:
    """Return the solved mixes next to the published ones."""
    setup = study.cases[case].table
    game = setup.load_game()
    scenario = setup.scenario_of(game)
    seats = game.rules.seats(scenario, setup.options)
    mix = mix_for(game, scenario.key, setup.options)
    described = []
    for side in sides(seats):
        published = {} if mix is None else {one.name: one.share for one in mix.of(side).members}
        policies = [SolvedPolicy(one.name, published.get(one.name), one.share) for one in mixes[side]]
        described.append(SolvedSide(side, game.side_name(side, seats), policies))
    return SolvedMixes(study.cases[case].name, study.pair_matches, described)
