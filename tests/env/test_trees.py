"""Whole trees of small games, and MCCFR on the miniature of Midway."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyspiel
import pytest

from docs import mccfr
from readyroom import env
from readyroom.engine.errors import UnknownRule
from readyroom.engine.game import MatchView
from readyroom.engine.rules.checks import Check, Fire, Volley
from readyroom.engine.rules.decisions import Decision, DecisionKind, Option
from readyroom.env.trees import (
    CHANCE,
    Answer,
    Answers,
    ChosenDice,
    TooLarge,
    TooManyAnswers,
    Tree,
    Undecided,
    every,
    first,
    fullest,
)

DOCS = Path(__file__).parents[2] / "docs"
PLANES = ("hiryu-f-1", "hiryu-db-1", "yorktown-f-1", "yorktown-db-1")


def question(*keys: str, most: int | None = None, **kwargs: Any) -> Decision:
    options = [Option(key, key, limit=kwargs.pop("times", 1)) for key in keys]
    return Decision(DecisionKind.SOME, "usa", "7", "Which?", options, 0, most or len(keys), **kwargs)


# -- answers -----------------------------------------------------------------------------------------------------------


def test_every_answer_is_listed_once() -> None:
    answers = every(question("a", "b", "c"))
    assert len(answers) == len(set(answers)) == 8


def test_fullest_answers_leave_nothing_to_add() -> None:
    assert fullest(question("a", "b")) == [("a", "b")]
    assert fullest(question("a", "b", "c", most=2)) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert first(question("a", "b", "c", most=2)) == [("a", "b")]


def test_too_many_answers_raise_error() -> None:
    with pytest.raises(TooManyAnswers, match=r"'Which\?' has more than 4096 answers\. Allow fewer for rule 7"):
        every(question(*(f"x{n}" for n in range(13))))


def test_tree_has_a_limit() -> None:
    with pytest.raises(TooLarge, match="more than 5 positions"):
        env.tree("midway", scenario="duel", most_positions=5)


def test_arguments_of_trees_are_checked() -> None:
    with pytest.raises(UnknownRule, match=r"'99.9' in midway"):
        env.tree("midway", scenario="duel", answers={"99.9": every}, otherwise=first, most_hits=1)
    with pytest.raises(ValueError, match="most_hits=0 is not allowed; use a whole number of at least 1"):
        env.tree("midway", scenario="duel", otherwise=first, most_hits=0)
    with pytest.warns(UserWarning, match="No question of this tree is asked by 17.2"):
        env.tree("midway", scenario="duel", answers={"17.2": every}, otherwise=first, most_hits=1)


def test_answers_are_functions() -> None:
    with pytest.raises(TypeError, match=r"14\.1 are 'evry'"):
        env.tree("midway", scenario="duel", answers={"14.1": "evry"})  # type: ignore[dict-item]


# -- dice --------------------------------------------------------------------------------------------------------------


def test_roll_is_undecided_until_chosen() -> None:
    with pytest.raises(Undecided) as caught:
        ChosenDice({}, 4).roll("an event", 2)
    assert caught.value.chances == [1 / 36] * 36
    rolls = {ChosenDice({caught.value.event: at}, 4).roll("an event", 2) for at in range(36)}
    assert len(rolls) == 36
    assert all(1 <= face <= 6 for roll in rolls for face in roll)
    assert ChosenDice({}, 4).pick("a draw", ["only"]) == "only"


def test_results_of_checks_and_volleys_have_exact_chances() -> None:
    from readyroom.env.trees import _check_results, _volley_results

    passed, failed = _check_results(Check("15", "repair", at_least=5))
    assert passed.chance == pytest.approx(1 / 3)
    assert passed.result
    assert not failed.result
    assert [each.chance for each in _check_results(Check("15", "never", at_least=7))] == [1.0]
    dive = Volley("12.4", "dive bombing", 1, Fire(at_least=5, again=6, best=1, further=1))
    results = _volley_results(dive, 2)
    assert [each.result.hits for each in results] == [0, 1, 2]
    assert [each.chance for each in results] == pytest.approx([2 / 3, 1 / 6 + 5 / 36, 1 / 36])


# -- the tree ----------------------------------------------------------------------------------------------------------


def plan(*planes: str, choice: str = "") -> Answers:
    """Return answers that spot these planes in turn 1; a `choice` may also be left out."""

    def answers(decision: Decision, view: MatchView[Any]) -> Sequence[Answer]:
        own = tuple(key for key in planes if key in decision.keys and view.turn == 1)
        return [tuple(key for key in own if key != choice), own] if choice in own else [own]

    return answers


def small_tree(*planes: str, choice: str, cap: str = "") -> Tree:
    """Return the tree in which only one plane's flight is a choice; `cap` is the order of the one that flies CAP."""

    def launch(decision: Decision, view: MatchView[Any]) -> Sequence[Answer]:
        return [next(answer for answer in fullest(decision) if cap in answer or cap not in decision.keys)]

    answers = {"14.1": plan(*planes, choice=choice), "13.1": launch}
    return env.tree("midway", scenario="duel", answers=answers, otherwise=first, most_hits=4)


@pytest.mark.rule("midway", "M28", "12.4", "18.2")
def test_chances_of_strike_are_summed_up() -> None:
    """Each of two points hits on 5 and 6; one hit cripples."""
    tree = small_tree("yorktown-db-1", choice="yorktown-db-1")
    assert (tree.players, tree.information_sets) == (("Japan", "United States"), (0, 1))
    assert tree.root.player == 1
    nothing, strike = tree.root.children
    assert nothing.rewards == (0, 0)
    assert strike.rewards == pytest.approx((-5 / 9, 5 / 9))


@pytest.mark.rule("midway", "M28", "11.3")
def test_combat_air_patrol_lowers_chance() -> None:
    """Its two dice hit on 4 and more: both points survive in a quarter of the cases, one in half of them."""
    tree = small_tree("yorktown-db-1", "hiryu-f-1", choice="hiryu-f-1", cap="hiryu-f-1@japan-cap")
    assert tree.root.player == 0
    alone, covered = tree.root.children
    crippled = 1 / 4 * 5 / 9 + 1 / 2 * 1 / 3
    assert alone.rewards == pytest.approx((-5 / 9, 5 / 9))
    assert covered.rewards == pytest.approx((-crippled, crippled))


@pytest.mark.slow(1)
def test_tree_is_openspiel_game() -> None:
    tree = small_tree(*PLANES, choice="yorktown-f-1")
    game = tree.openspiel()
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    state = game.new_initial_state()
    assert [state.action_to_string(action) for action in state.legal_actions()] == list(tree.root.labels)
    assert 0 <= pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game)) <= 1


# -- MCCFR on the miniature --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def duel() -> Tree:
    return mccfr.grow()


@pytest.mark.torture(60)
def test_information_sets_have_same_answers(duel: Tree) -> None:
    seen: dict[tuple[int, bytes], Sequence[str]] = {}
    for node in duel.nodes():
        if node.children and node.player != CHANCE:
            assert seen.setdefault((node.player, node.information), node.labels) == node.labels
            assert len(node.labels) == len(node.children)
        elif node.children:
            assert sum(node.chances) == pytest.approx(1)
        else:
            assert sum(node.rewards) == pytest.approx(0)
    assert min(duel.information_sets) > 300


@pytest.mark.torture(10)
def test_mccfr_is_hardly_exploitable_after_thousand_iterations(duel: Tree) -> None:
    uniform, *_, last = mccfr.solve(duel.openspiel(), 20_000, target=0.05)
    assert last.exploitability < 0.05 < uniform.exploitability


@pytest.mark.torture(30)
def test_exploitability_of_mccfr_falls_below_hundredth(duel: Tree) -> None:
    *_, last = mccfr.solve(duel.openspiel(), 50_000, target=0.01)
    assert last.exploitability < 0.01


def test_page_shows_abstraction() -> None:
    page = (DOCS / "research.md").read_text(encoding="utf-8")
    assert all(f"| {rule} |" in page for rule in mccfr.ANSWERS)
