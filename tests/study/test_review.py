"""Match review: units, skill, luck, marks and reproducibility."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from tests.bots.untested_mix import untested_mix
from tests.study.comparing import agree, without_times

from readyroom import bots, games
from readyroom.bots import mixes
from readyroom.bots.mixes import Member
from readyroom.bots.statistics import Interval
from readyroom.engine.errors import InvalidData
from readyroom.engine.match import Match
from readyroom.engine.record.format import parse
from readyroom.engine.record.turning_points import KeyMoment
from readyroom.study.estimates import players
from readyroom.study.ladder import run_ladder
from readyroom.study.review import opening
from readyroom.study.review import review as reviews
from readyroom.study.review.luck import NoValues, adjust, study_luck
from readyroom.study.review.pages import LEFT, cause, course_steps, courses, review_page
from readyroom.study.review.review import MOST_UNCLEAR, Effort, Evaluation, Review, TurningPoint, allocate, review
from readyroom.study.review.units import Answer, Player, Unit, find_units
from readyroom.study.review.what_if import NoSuchDecision

RECORDS = Path(__file__).parents[1] / "records"
LITTLE = Effort(gains=20, positions=20, opening=10, confirmation=12)
ROUNDING = 1e-4


def played(name: str, names: dict[str, str], seed: str, scenario: str | None = None) -> str:
    """Return the record of a match between these bots."""
    match = Match(games.load(name), scenario, seed=seed)
    random = Random(seed)
    bots.play_to_end(match, {seat: bots.make_bot(match.game, name, seat, random) for seat, name in names.items()})
    return match.record()


@lru_cache
def random_captain() -> str:
    """Return a watch of Picket Duty played at random."""
    return played("picket", {"captain": "random"}, "x1", "first-watch")


@lru_cache
def eager_japan() -> str:
    """Return a battle of Midway in which Japan played in another style than the default bot."""
    return played("midway", {"japan": "eager", "usa": "guarded"}, "x1")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the values of openings in an empty folder."""
    monkeypatch.setenv("READYROOM_HOME", str(tmp_path))


def reviewed(record: str, seed: str = "verdict", **more: Any) -> Review:
    return review(record, samples=2, seed=seed, **{"effort": LITTLE, **more})


def units(record: str, wanted: dict[str, str] | None = None) -> list[Unit]:
    parsed = parse(record)
    game = games.load(parsed.header.game)
    seats = game.rules.seats(game.first_scenario, game.resolve({}))
    return find_units(parsed, game, players(game, seats, wanted or {}), "verdict")


# -- units -----------------------------------------------------------------------------------------------------------


def test_unit_has_all_decisions_of_a_seat_up_to_the_first_dice() -> None:
    found = units((RECORDS / "blown-up.jsonl").read_text())
    assert [(unit.n, unit.last) for unit in found[:3]] == [(1, 1), (2, 3), (4, 7)]
    assert all(before.last < after.n for before, after in pairwise(found))


def test_units_as_the_bot_plays_do_not_differ() -> None:
    found = units(played("midway", {"japan": "guarded", "usa": "guarded"}, "same"))
    assert len(found) > 20
    assert not any(unit.variants or unit.differs for unit in found)


def test_same_decks_in_another_order_do_not_differ() -> None:
    """Units are compared by the positions that they lead to."""
    record = played("midway", {"japan": "guarded", "usa": "guarded"}, "same")
    first = units(record)[0]
    game = games.load("midway")
    match: Match[Any, Any] = Match(game, seed="same")
    for answer in first.answers:
        match.decide(first.seat, answer.keys[::-1])
    random = Random("same")
    bots.play_to_end(match, {seat: bots.make_bot(game, "guarded", seat, random) for seat in ("japan", "usa")})
    again = units(match.record())[0]
    assert again.answers != first.answers
    assert not again.variants


def test_units_leave_out_what_was_taken_back() -> None:
    record = (RECORDS / "decisions-taken-back.jsonl").read_text()
    undone = {n for _, entry in parse(record).entries for n in getattr(entry, "undo", ())}
    assert undone
    assert not undone & {unit.n for unit in units(record)}


def test_player_is_known_by_what_it_decided() -> None:
    """The posterior of a policy follows Bayes' rule; a unit that no policy would play changes nothing."""
    player = Player(("one", "two"), (0.25, 0.75))
    assert player.after((0.0, 0.0)).likely == pytest.approx((0.25, 0.75))
    assert player.after((1.0, 0.0)).likely == pytest.approx((1 / 1.15, 0.15 / 1.15))
    assert [player.name(place) for place in (0.2, 0.3)] == ["one", "two"]


@pytest.fixture
def mixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the veteran of Midway play one of two styles."""
    space = games.load("midway").analysis.policies
    assert space is not None
    members = {
        side: [
            Member(name=style, share=0.5, settings=msgspec.to_builtins(space.styles[side][style]))
            for style in ("guarded", "eager")
        ]
        for side in ("japan", "usa")
    }
    mix = untested_mix("midway", "midway", members)
    monkeypatch.setattr(mixes, "mixes", lambda package: [mix] if "midway" in package else [])


@pytest.fixture
def unmixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all sides be compared with their default bots."""
    monkeypatch.setattr(mixes, "mixes", lambda package: [])


def test_veteran_is_compared_with_the_policy_that_it_plays(mixed: None) -> None:
    """Once its units have shown which policy a veteran drew, the other policies hardly count."""
    record = played("midway", {"japan": "veteran:2", "usa": "veteran:1"}, "x2")
    own = [unit for unit in units(record, {"japan": "veteran", "usa": "veteran"}) if unit.side == "japan"]
    assert own[0].players["japan"].likely == (0.5, 0.5)
    differing = [unit for unit in own if unit.variants]
    assert differing[0].differs == pytest.approx(0.5)
    assert differing[0].same == (0.0, 1.0)
    assert own[-1].player.likely[1] > 0.9
    assert all(unit.differs < 0.1 for unit in differing[1:])


# -- figures ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_start_skill_and_luck_add_up_to_the_outcome(unmixed: None) -> None:
    result = reviewed(eager_japan())
    for side in result.sides:
        parts = side.start.mean + side.skill.mean + side.others.mean + side.luck.mean
        assert parts == pytest.approx(side.outcome, abs=ROUNDING)
        assert side.play.mean == pytest.approx(side.start.mean + side.skill.mean, abs=ROUNDING)
    japan, usa = result.sides
    assert usa.others.mean == -japan.skill.mean
    assert japan.differing > 0
    assert usa.differing == 0
    assert usa.skill.mean == usa.skill.error == 0
    assert usa.accuracy.mean == 1


@pytest.mark.slow
def test_review_is_repeatable_with_any_workers() -> None:
    assert without_times(reviewed(random_captain(), workers=2)) == without_times(reviewed(random_captain()))


@pytest.mark.torture(4)
def test_opening_is_valued_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another review of the same opening plays no match for it, whatever its seed."""
    record = (RECORDS / "blown-up.jsonl").read_text()
    first = reviewed(record)
    monkeypatch.setattr(opening, "play_openings", None)
    second = reviewed(record, "another")
    assert second.sides[0].start == first.sides[0].start
    assert first.sides[0].skill.low < 0 < first.sides[0].skill.high, "the bot plays almost as the veteran does"
    assert first.sides[0].luck.mean < 0, "the ship blew up"


@pytest.fixture
def quick_hands(hands: str) -> str:
    """Return a record of the game of hands: paper against rock, and the dice do not matter."""
    match = Match(games.load(hands), seed="hands")
    match.decide("red", "paper")
    match.decide("blue", "rock")
    return match.record()


def test_gain_agrees_with_the_exact_one(quick_hands: str) -> None:
    """Against paper, rock wins one time in six, and a random hand every second time; any hand is as good at first."""
    result = review(quick_hands, samples=20, effort=Effort(gains=100, positions=20, opening=20, confirmation=20))
    red, blue = result.sides
    agree(red.skill, msgspec.structs.replace(red.skill, mean=0.0, error=0.0))
    agree(blue.skill, msgspec.structs.replace(blue.skill, mean=-1 / 3, error=0.0))
    agree(red.start, msgspec.structs.replace(red.start, mean=0.5, error=0.0))
    assert blue.skill.error < 0.03
    assert [mark.mark for mark in blue.marks] == ["blunder"]
    assert not red.marks


def test_marks_need_rollouts_that_did_not_select_them(quick_hands: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without new rollouts beyond chance nothing is marked, however bad a unit looked."""
    monkeypatch.setattr(reviews, "SIGNIFICANT", 2.0)  # every unit is a suspect
    effort = Effort(gains=100, positions=20, opening=20, confirmation=1)
    result = review(quick_hands, samples=2, effort=effort)
    monkeypatch.undo()
    for side in result.sides:
        for mark in side.marks:
            assert mark.gain.error > side.skill.error


def test_suspects_that_were_not_measured_again_are_not_marked(quick_hands: str) -> None:
    result = review(quick_hands, samples=20, effort=Effort(gains=100, positions=0, opening=20, confirmation=0))
    assert result.sides[1].skill.high < 0
    assert [(side.marks, side.unclear) for side in result.sides] == [([], [])] * 2


@pytest.mark.slow
def test_without_changes_and_marks_beyond_chance_the_likeliest_are_listed(
    unmixed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "holm", lambda p_values: [1.0 for _ in p_values])
    found = reviewed(eager_japan())
    japan = found.sides[0]
    assert (japan.turning_points, japan.marks) == ([], [])
    assert 1 <= len(japan.maybe_turning) <= MOST_UNCLEAR
    assert [point.n for point in japan.maybe_turning] == sorted(point.n for point in japan.maybe_turning)
    unclear = [unit for side in found.sides for unit in side.unclear]
    assert {unit.mark for unit in unclear} <= {"unclear"}
    page = review_page(found, "readyroom review x")
    assert "Possible turning points" in page
    assert ("were measured again" in page) == bool(unclear)
    assert all(f"The bot {found.bots[unit.seat]} would: " in page for unit in unclear if unit.instead)


def test_more_samples_go_where_they_reduce_the_error_most() -> None:
    assert allocate([0.09, 0.01, 0.0], [1.0, 1.0, 1.0], [10, 10, 10], 110.0) == [75, 25, 10]
    assert allocate([0.04, 0.04], [1.0, 4.0], [1, 1], 60.0) == [20, 10]
    assert allocate([0.04], [1.0], [50], 10.0) == [50]


def test_unfinished_match_is_rejected() -> None:
    with pytest.raises(NoSuchDecision, match="not over"):
        review("".join(random_captain().splitlines(keepends=True)[:-1]))


@pytest.mark.slow
def test_progress_is_reported() -> None:
    done: list[float] = []
    reviewed(random_captain(), progress=done.append)
    assert done == sorted(done)
    assert len(done) > 5
    assert done[-1] == 1


def test_course_is_drawn_by_turns_and_claims_no_more_than_its_evaluations() -> None:
    def at(n: int, turn: int, mean: float) -> tuple[float, Evaluation]:
        return LEFT + n, Evaluation(n, turn, Interval(mean, 0.05, mean - 0.1, mean + 0.1))

    course = [at(0, 1, 0.5), *(at(n, 1 + n // 4, 0.4 + 0.2 * (n % 2)) for n in range(4, 44))]
    steps = course_steps(course)
    assert [x - LEFT for x, _ in steps] == [0.0, *(5.5 + 4 * n for n in range(10))]
    assert {round(value.mean, 3) for _, value in steps} == {0.5}
    assert {round(value.high - value.low, 3) for _, value in steps} == {0.2}, "as wide as those of the evaluations"
    assert [value.mean for _, value in course_steps(course[:3])] == [each.value.mean for _, each in course[:3]]


@pytest.mark.slow
def test_page_is_complete_without_scripts() -> None:
    result = reviewed(random_captain())
    page = review_page(result, "readyroom review …")
    assert "<script" not in page
    assert page.count('<svg class="figure"') == 1
    for each in result.sides[0].marks:
        assert f"decision {each.n}" in page
    figure: Any = courses(result)[0]
    assert len(figure["marks"]) == len(result.sides[0].marks)
    assert figure["line"].count("C") == figure["band"].count("C") / 2 <= len(result.sides[0].course)
    assert len(figure["rows"]) == len(result.sides[0].course), "the table has all evaluations"
    assert "Expected result of" in page
    hint = bots.default_bot(games.load(result.game))
    assert (f"<i>Hint</i> selects what the bot “{hint}” would choose" in page) == (set(result.bots.values()) != {hint})
    assert "opponent" not in page
    assert not re.search(r"win chance", page, re.IGNORECASE)
    assert [row["text"] for row in figure["grid"]] == ["0", "25", "50", "75", "100"]
    assert all(abs(point.change.mean) >= 0.01 for point in result.sides[0].turning_points)


# -- luck ------------------------------------------------------------------------------------------------------------


def test_luck_of_a_match_is_what_its_dice_gained() -> None:
    found = adjust(eager_japan(), rolls=2)
    assert found.utility == {"japan": 0.0, "usa": 1.0}
    assert found.luck["usa"] - found.luck["japan"] > 0.1
    assert found == adjust(eager_japan(), rolls=2)


def test_game_without_values_has_no_luck(quick_hands: str) -> None:
    with pytest.raises(NoValues, match="no fitted values"):
        adjust(quick_hands)


@pytest.mark.torture(5)
def test_ladder_without_luck_has_narrower_intervals(tmp_path: Path) -> None:
    """The same matches, with the luck of each side taken out."""
    plain, adjusted = (
        run_ladder(
            "midway", ["guarded", "novice"], folder=tmp_path / str(luck), matches=8, seed="x", luck=luck, workers=1
        ).met[0]
        for luck in (True, False)
    )
    assert adjusted.share != plain.share
    assert adjusted.high - adjusted.low < plain.high - plain.low


def test_ladder_of_a_game_for_one_keeps_its_luck(tmp_path: Path) -> None:
    with pytest.raises(InvalidData, match="two sides"):
        run_ladder("picket", ["doctrine", "random"], folder=tmp_path, luck=False)


@pytest.mark.torture(120)
def test_luck_is_unbiased_and_most_of_the_variance() -> None:
    records = [played("midway", {"japan": "guarded", "usa": "eager"}, f"luck {number}") for number in range(300)]
    japan = study_luck(records, workers=2).sides[0]
    assert abs(japan.luck.mean) < 3.3 * japan.luck.error
    assert japan.saved > 1.5
    agree(japan.utility, msgspec.structs.replace(japan.adjusted, error=japan.luck.error))


# -- many reviews ----------------------------------------------------------------------------------------------------


@pytest.mark.torture(60)
def test_repeated_reviews_vary_as_much_as_their_errors_say() -> None:
    effort = Effort(gains=40, positions=0, opening=5, confirmation=1)
    results = [review(eager_japan(), samples=8, seed=f"seed {n}", effort=effort, workers=2) for n in range(40)]
    skills = [result.sides[0].skill for result in results]
    ratio = stdev(skill.mean for skill in skills) / fmean(skill.error for skill in skills)
    assert 0.7 < ratio < 1.3


@pytest.mark.torture(60)
def test_veteran_has_no_skill_over_itself(mixed: None) -> None:
    """A veteran that draws one policy for a match is not charged for it, nor favoured, on average."""
    effort = Effort(gains=4, positions=0, opening=1, confirmation=0)
    skills = [
        side.skill
        for number in range(60)
        for side in review(
            played("midway", {"japan": "veteran", "usa": "veteran"}, f"veteran {number}"),
            samples=4,
            effort=effort,
            bots={"japan": "veteran", "usa": "veteran"},
        ).sides
    ]
    error = stdev(skill.mean for skill in skills) / len(skills) ** 0.5
    assert abs(fmean(skill.mean for skill in skills)) < 3 * error
    assert error < 0.03


@pytest.mark.torture(10)
def test_random_play_is_marked() -> None:
    axis, allies = reviewed(
        played("war", {"axis": "random", "allies": "doctrine"}, "x1", "silent-service"),
        effort=Effort(gains=60, positions=10, opening=20, confirmation=20),
    ).sides
    assert axis.skill.high < 0
    assert allies.others.mean == pytest.approx(-axis.skill.mean)
    assert axis.accuracy.mean < allies.accuracy.mean


@pytest.mark.torture(1)
def test_another_seed_agrees_within_the_errors() -> None:
    one, two = reviewed(random_captain()), reviewed(random_captain(), "another")
    for first, second in zip(one.sides, two.sides, strict=True):
        for figure in ("start", "skill", "luck"):
            agree(getattr(first, figure), getattr(second, figure))


def test_marks_name_what_differs_between_two_long_answers() -> None:
    both = tuple(f"Enterprise F {number} flies" for number in range(1, 10))
    long, longer = (
        Answer("5.2", "Which squadrons fly?", tuple(map(str, choices)), "", choices)
        for choices in (both, (*both, "Hornet TB 1 flies"))
    )
    same = "(and the same 9 choices in both answers)"
    assert [each.text for each in reviews.differing([longer], [long])] == [f"Hornet TB 1 flies {same}"]
    assert [each.text for each in reviews.differing([long], [longer])] == [f"nothing more {same}"]
    assert not reviews.differing([long], [long])


def test_cause_of_a_change_is_a_line_that_fits_or_a_marked_decision() -> None:
    loss = Interval(-0.4, 0.1, -0.6, -0.2)
    sunk = KeyMoment(4, 0, ("Turn 1", "attack"), "1", "Tennessee is sunk.", "", 3, {"japan": 9}, 9)
    shot = sunk._replace(text="A squadron is lost.", rank=1, gains={"usa": 1})
    walk: Any = SimpleNamespace(moments=[sunk, shot])
    found = reviews._Walk.moment_between(walk, 4, 5, "japan", loss.mean)
    assert found is shot
    assert reviews._Walk.moment_between(walk, 4, 5, "japan", 0.2) is sunk
    answer = Answer("1", "Which targets?", ("a",), "Withdraw", ())
    unit = SimpleNamespace(n=4, mark="blunder", gain=loss, played=[answer])
    japan, usa = (SimpleNamespace(side=key, name=name, marks=[]) for key, name in (("japan", "Japan"), ("usa", "Us")))
    japan.marks.append(unit)
    review: Any = SimpleNamespace(sides=[japan, usa])
    point = TurningPoint(n=4, until=5, turn=1, change=loss, text="")
    assert cause(review, cast(Any, japan), point) == "Blunder of Japan in decision 4: Withdraw."
    assert cause(review, cast(Any, usa), point).startswith("What was decided there"), "it gained by the blunder"
    assert cause(review, cast(Any, japan), msgspec.structs.replace(point, text="So it was.")) == "So it was."
