"""Tokyo Express, installed: on the pages, in the terminal, in a study, and as an environment.

`test_tokyo_express.py` runs this file in a process that finds the game by its metadata.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.server import Browser, Site, opened
from typer.testing import CliRunner

from readyroom import env, games
from readyroom.cli.app import app
from readyroom.web.static_files import game_file


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    result = opened(tmp_path_factory.mktemp("home"))
    yield result
    result.close()


@pytest.fixture
def browser(site: Site) -> Iterator[Browser]:
    with site.browser() as result:
        yield result


def run(*words: str) -> str:
    """What a command prints."""
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == 0, result.output
    return result.output


def test_game_is_on_page_of_new_matches(browser: Browser) -> None:
    page = browser.get("/new?game=express").text
    for words in ("The dark of the moon", "Tassafaronga", "Bot: doctrine", "Loads all or half of the destroyers"):
        assert words in page
    assert "coast watchers" in browser.get("/games/express/rules").text
    assert "The table of fire" in browser.get("/games/express/charts").text


def test_board_has_its_own_styles(browser: Browser) -> None:
    match = browser.begin(game="express", scenario="tassafaronga", seat_japan="bot:doctrine", seat_usa="me")
    page = browser.get(f"/m/{match}").text
    assert 'class="board-wide te"' in page
    assert 'class="board-narrow te"' in page
    assert "Where do the cruisers wait tonight?" in page
    assert 'te-place te-sea piece can" data-key="slot"' in page
    own = game_file("express", "board.css")
    assert own in page
    assert ".te-sea" in browser.get(own).text
    assert 'class="board-wide te"' in browser.get(f"/m/{match}/replay").text
    assert "Night 1" in browser.get(f"/m/{match}/report").text


def test_tutorial_is_started_and_guided(browser: Browser) -> None:
    assert "A first night in the Slot" in browser.get("/tutorial").text
    response = browser.form("/tutorial", {"game": "express"})
    assert response.status_code == 303, response.text
    page = browser.get(response.headers["location"]).text
    assert "Your torpedo boats watch one" in page


def test_commands_know_the_game(tmp_path: Path) -> None:
    data = json.loads(run("simulate", "express", "--games", "4", "--bot", "usa=search:2", "--workers", "1", "--json"))
    assert (data["game"], data["games"]) == ("express", 4)
    assert "[4.3]" in run("chart", "express", "fire")
    assert "1/2" in run("odds", "express", "fire")
    assert "Each cruiser fires twice" in run("rules", "express", "4.3")
    radar = run("study", "radar", "--games", "2", "--workers", "1", "--out", str(tmp_path / "radar"), "--json")
    assert "Drums landed" in radar
    ladder = ["--bots", "doctrine,random", "--games", "2", "--workers", "1", "--out", str(tmp_path / "ladder")]
    assert "Elo" in run("ladder", "express", *ladder)


def test_record_is_verified_and_analyzed(tmp_path: Path) -> None:
    run("play", "express", "--seat", "japan=doctrine", "--seat", "usa=doctrine", "--seed", "one")
    assert "Verified: " in run("verify", "express-1")
    assert "Night 1" in run("report", "express-1")
    asked = json.loads(run("advise", "express-1", "--at", "5", "--trials", "2", "--json"))
    assert asked
    assert run("what-if", "express-1", "--at", "5", "--matches", "2", "--json")


def test_environment_plays_the_game() -> None:
    face = env.pettingzoo("express")
    face.reset(seed=1)
    steps = 0
    for agent in face.agent_iter():
        seen, _, over, broken, _ = face.last()
        steps += 1
        face.step(None if over or broken else int(face.action_space(agent).sample(seen["action_mask"])))
    assert steps > 10


def test_game_is_found_by_metadata() -> None:
    assert "express" in games.game_names()
