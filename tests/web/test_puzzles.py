"""Tests of the pages and the API of puzzles."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from html import unescape
from pathlib import Path

import pytest
from tests.web.clients import BOT, ME, Site, open_site

from readyroom.store.ladder.glicko import Rating
from readyroom.store.puzzles import PuzzleRating, expected_rating
from readyroom.study.daily import keys
from readyroom.study.puzzles.puzzle import Puzzle, puzzle_games, puzzles_of
from readyroom.study.puzzles.titles import puzzle_names, puzzle_of_the_day
from readyroom.web.pages.games import puzzles
from readyroom.web.pages.games.puzzles import position


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with open_site(tmp_path) as site:
        yield site


def key_of(puzzle: Puzzle, at: int) -> str:
    """Return the key of the option of the puzzle's question that stands for answer number `at`, the best first."""
    decision = puzzle.match(log=False).pending[puzzle.spec.seat]
    wanted = puzzle.spec.answers[at]
    return next(key for key in puzzle.question(decision).keys if puzzle.answer(decision, [key]) == wanted)


def test_solution_is_shown_only_after_the_answer(site: Site) -> None:
    guest = site.guest()
    for game in puzzle_games():
        puzzle = next(iter(puzzles_of(game).values()))
        before = guest.get(f"/puzzles/{puzzle.id}").text
        data = guest.get(f"/api/v1/puzzles/{puzzle.id}").text
        assert puzzle.id in guest.get(f"/games/{game}/puzzles").text
        for text in (before, data):
            assert puzzle.source.seed not in text
            assert "played on" not in text
            assert str(puzzle.spec.answers[1].loss.mean) not in text
        answered = guest.post(f"/puzzles/{puzzle.id}", {"key": key_of(puzzle, 0)})
        assert answered.status_code == 303, answered.text
        assert "Solved" in guest.get(f"/puzzles/{puzzle.id}").text
        assert site.guest().get(f"/puzzles/{puzzle.id}").text.count("played on") == 0


def test_first_answer_rates_player_and_puzzle(site: Site) -> None:
    guest = site.guest()
    puzzle = next(iter(puzzles_of("pearl").values()))
    before = site.store.puzzles.rating(puzzle).rating.rating
    guest.post(f"/puzzles/{puzzle.id}", {"key": key_of(puzzle, 1)})
    guest.post(f"/puzzles/{puzzle.id}", {"key": key_of(puzzle, 0)})
    after = site.store.puzzles.rating(puzzle)
    assert (after.tries, after.solved) == (1, 0)
    assert after.rating.rating > before
    assert puzzles.level(puzzle, after) == puzzles.level(puzzle, PuzzleRating(expected_rating(puzzle)))
    assert "Not solved" in guest.get(f"/puzzles/{puzzle.id}").text
    assert "Your rating is open until" in guest.get(f"/puzzles/{puzzle.id}").text
    listed = guest.get("/games/pearl/puzzles").text
    assert "±" not in listed
    assert listed.count(">unrated<") == len(puzzles_of("pearl"))


def test_few_answers_do_not_change_the_difficulty() -> None:
    puzzle = next(iter(puzzles_of("pearl").values()))
    first = puzzles.level(puzzle, PuzzleRating(expected_rating(puzzle)))
    easy, hard = (PuzzleRating(Rating(rating), tries=puzzles.RATED - 1) for rating in (900.0, 2100.0))
    assert puzzles.level(puzzle, easy) == puzzles.level(puzzle, hard) == first
    assert puzzles.level(puzzle, hard._replace(tries=puzzles.RATED)) == "hard"


def test_each_puzzle_has_its_own_name(site: Site) -> None:
    for game in puzzle_games():
        names = puzzle_names(game)
        assert len(set(names.values())) == len(names) == len(puzzles_of(game))
        listed = unescape(site.guest().get(f"/games/{game}/puzzles").text)
        assert all(f">{name}</a>" in listed for name in names.values())
    assert puzzle_names("midway")["midway-24bc1670"] == "Soryu sunk: which squadrons launch?"


def test_each_puzzle_has_its_day() -> None:
    count = sum(len(puzzles_of(game)) for game in puzzle_games())
    days = [puzzle_of_the_day(date(2026, 1, 1) + timedelta(days=n)) for n in range(count + 1)]
    assert len({puzzle.id for puzzle in days if puzzle is not None}) == count
    assert days[0] == days[-1]


def test_puzzle_of_the_day_shows_its_board_and_how_many_solved_it(site: Site) -> None:
    guest = site.guest()
    puzzle = puzzle_of_the_day(keys.clock().date())
    assert puzzle is not None
    for path in ("/puzzles", "/community"):
        page = guest.page(path)
        assert f'href="/puzzles/{puzzle.id}"' in page
        assert "No one has tried it yet." in page
    assert f'href="/puzzles/{puzzle.id}"' in guest.page("/")
    image = guest.get(f"/puzzles/{puzzle.id}/board.svg")
    assert image.headers["content-type"].startswith("image/svg+xml")
    guest.post(f"/puzzles/{puzzle.id}", {"key": key_of(puzzle, 0)})
    assert "You solved it. 1 of 1 have solved it." in " ".join(guest.page("/puzzles").split())


def test_puzzles_are_listed_with_boards_and_marks_of_what_is_solved(site: Site) -> None:
    guest = site.guest()
    puzzle = next(iter(puzzles_of("pearl").values()))
    page = guest.page("/puzzles")
    assert "0 of 34 solved" in page
    assert "Next puzzle" in page
    assert page.count("/board.svg") == 1 + len(puzzle_games())
    guest.post(f"/puzzles/{puzzle.id}", {"key": key_of(puzzle, 0)})
    assert "1 of 34 solved" in guest.page("/puzzles")
    page = guest.page("/games/pearl/puzzles")
    assert f'src="/puzzles/{puzzle.id}/board.svg"' in page
    assert page.count("✓ solved") == 1


def test_illegal_answer_is_rejected_and_not_counted(site: Site) -> None:
    guest = site.guest()
    puzzle = next(iter(puzzles_of("pearl").values()))
    assert guest.post(f"/puzzles/{puzzle.id}", {"key": "nothing"}).status_code == 409
    assert site.store.puzzles.rating(puzzle).tries == 0
    assert guest.get("/puzzles/pearl-nowhere").status_code == 404


def test_play_on_starts_a_match_at_the_decision_after_the_answer(site: Site) -> None:
    guest = site.guest()
    for game in puzzle_games():
        puzzle = next(iter(puzzles_of(game).values()))
        here = f"/puzzles/{puzzle.id}"
        assert "Play on from here" not in guest.get(here).text
        assert guest.post(f"{here}/play-on", {}).headers["location"] == here
        guest.post(here, {"key": key_of(puzzle, 1)})
        assert "Play on from here" in guest.get(here).text
        room = guest.post(f"{here}/play-on", {}).headers["location"]
        assert guest.get(room).status_code == 200
        with site.store.matches.open(room.removeprefix("/m/")) as match:
            decision = puzzle.match(log=False).pending[puzzle.spec.seat]
            assert match.pending[puzzle.spec.seat].keys == decision.keys
        seats = site.store.listings.summary(room.removeprefix("/m/")).seats
        own = {seat.key for seat in seats if seat.players}
        assert puzzle.spec.seat in own
        assert all(seat.bot for seat in seats if seat.key not in own)


def test_api_answer_returns_the_solution(site: Site) -> None:
    guest = site.guest()
    puzzle = next(iter(puzzles_of("pearl").values()))
    result = guest._ask("POST", f"/api/v1/puzzles/{puzzle.id}", json={"keys": [key_of(puzzle, 0)]}).json()
    assert result["solved"]
    assert not result["rated"]
    assert len(result["answers"]) == len(puzzle.spec.answers)
    person = site.guest("Abe")
    secret = site.store.seats.new_link(site.opened(person, usa=ME, japan=BOT), "usa", person.player.id)
    data, headers = {"keys": [key_of(puzzle, 0)]}, {"Authorization": f"Bearer {secret}"}
    refused = guest._ask("POST", f"/api/v1/puzzles/{puzzle.id}", json=data, headers=headers)
    assert refused.status_code == 403, "a person answers in a browser"


def test_texts_of_answers_say_how_they_differ() -> None:
    for game in puzzle_games():
        for name in puzzles_of(game):
            known = position(name)
            assert len(set(known.texts)) == len(known.texts), name
    known = position("midway-3c866ae5")
    assert known.common == "3 × Yorktown DB"
    assert "4 × Enterprise DB, Hornet DB" in known.texts
    assert not any("Yorktown DB" in text for text in known.texts)


def test_answers_name_the_options_that_the_board_shows(site: Site) -> None:
    page = site.guest().get("/puzzles/midway-47c9985e").text
    assert 'data-means="hiryu-db-1@hiryu hiryu-db-2@hiryu' in page
    assert 'data-among="hiryu-db-1@hiryu' in page
