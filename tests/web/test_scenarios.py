"""The pages of players' scenarios: forms of all games, errors, trials, sharing, matches and studies, and safety."""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from tests.web.server import Browser, Site

from readyroom.campaign.config import content_of
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.match import Match
from readyroom.engine.scenario_form import FormField, FormGroup
from readyroom.engine.toml import write_toml
from readyroom.store.scenarios import TEXT_LENGTH
from readyroom.study import trial
from readyroom.study.studyfile import checked, parse_study
from readyroom.web import catalog
from readyroom.web.jobs import tasks
from readyroom.web.jobs.client_jobs import ClientJobs
from readyroom.web.jobs.workers import Job, JobKind, WorkerPool
from readyroom.web.pages.games import scenario_forms, studies
from readyroom.web.pages.games.scenario_forms import FIELD, HAS

POISON = '<script>alert("x")</script>'


@pytest.fixture(autouse=True)
def without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run jobs at once in this process: to start workers takes seconds, and they have tests of their own."""

    def submit(pool: WorkerPool, client: str, kind: JobKind, function: Callable[..., Any], *args: Any) -> Job:
        job = Job(pool, client, kind, (function, args))
        try:
            pool._end(job, function(*args))
        except ReadyRoomError as error:
            pool._end(job, error=error)
        return job

    monkeypatch.setattr(WorkerPool, "submit", submit)


def begin(browser: Browser, game: str = "midway", scenario: str = "duel") -> str:
    answer = browser.form("/scenarios", {"game": game, "scenario": scenario})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def fields_of(page: str) -> dict[str, str | list[str]]:
    """Return the fields of a page's form as a browser without scripts would send them."""
    texts = dict(re.findall(r'<input [^>]*?name="(f:[^"]*)"[^>]*? value="([^"]*)"', page))
    for name, inner in re.findall(r'<select [^>]*?name="(f:[^"]*)"[^>]*>(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)" selected', inner) or re.search(r'<option value="([^"]*)"', inner)
        texts[name] = chosen[1] if chosen else ""
    texts |= dict(re.findall(r'<textarea [^>]*?name="(f:[^"]*)"[^>]*>\n(.*?)</textarea>', page, re.DOTALL))
    plain = {name: html.unescape(text) for name, text in texts.items()}
    return {**plain, HAS: re.findall(r'name="has" value="([^"]*)"', page)}


def check(browser: Browser, address: str, fields: dict[str, str | list[str]]) -> dict[str, object]:
    answer = browser.form(f"{address}/check", fields)
    assert answer.status_code == 200, answer.text
    result: dict[str, object] = answer.json()
    return result


def numbers_of(game: catalog.AnyGame, text: str) -> list[FormField]:
    """Return the visible fields of numbers of a scenario."""
    form = scenario_forms.from_text(game, text).form
    assert form is not None
    fields = [part for part in form.walk() if isinstance(part, FormField) and not part.hidden]
    return [field for field in fields if field.rule.kind in ("whole", "number")]


# -- the forms ---------------------------------------------------------------------------------------------------------


def test_form_of_every_scenario_reads_back_the_same_scenario() -> None:
    for game in catalog.games().values():
        for scenario in catalog.scenarios(game):
            tables = content_of(scenario)
            form = scenario_forms.form_of(game, tables)
            drawn = form.draw(tables)
            parts = list(drawn.walk())
            texts = {part.name: part.text for part in parts if isinstance(part, FormField)}
            again, wrong = form.read(
                texts, [each.name for each in parts if isinstance(each, FormGroup) and each.present]
            )
            assert not wrong, (game.key, scenario.key)
            draft = scenario_forms.from_text(game, write_toml(again))
            assert draft.scenario is not None, draft.message
            assert draft.scenario.content == scenario.content
            for part in numbers_of(game, draft.text):
                assert part.rule.high < 1_000_000, f"{game.key}: {part.name} has no limit"


def test_every_game_has_a_form_a_board_and_messages_at_fields(browser: Browser, site: Site) -> None:
    for game in catalog.games().values():
        richest = max(catalog.scenarios(game), key=lambda one: len(scenario_forms.text_to_start(game, one.key)))
        text = scenario_forms.text_to_start(game, richest.key)
        address = begin(browser, game.key, richest.key)
        fields = fields_of(browser.get(address).text)
        first = check(browser, address, fields)
        assert first["valid"], (game.key, first["message"])
        assert 'class="board' in str(first["board"])
        title = {**fields, f"{FIELD}title": "Another day"}
        assert tomllib.loads(str(check(browser, address, title)["text"]))["title"] == "Another day"
        number = next(f"{FIELD}{part.name}" for part in numbers_of(game, text) if f"{FIELD}{part.name}" in fields)
        wrong = check(browser, address, {**fields, number: "many"})
        assert not wrong["valid"]
        assert "Enter a whole number" in str(wrong["errors"]), (game.key, number, wrong)
        assert browser.form(address, {**fields, number: "many", "do": "save"}).status_code == 422
        assert browser.form(address, {**title, "do": "save"}).status_code == 303
        file = browser.get(f"{address}/file")
        assert game.own_scenario(file.content, "another-day.toml").title == "Another day"
        assert 'filename="another-day.toml"' in file.headers["content-disposition"]


def test_entries_are_added_and_removed(browser: Browser) -> None:
    address = begin(browser)
    fields = fields_of(browser.get(address).text)
    added = check(browser, address, {**fields, "do": "add:carrier"})
    carriers = tomllib.loads(str(added["text"]))["carrier"]
    assert len({carrier["key"] for carrier in carriers}) == len(carriers) == 3
    assert added["valid"]
    removed = check(browser, address, {**fields_of(str(added["form"])), "do": "remove:carrier/0"})
    assert [each["key"] for each in tomllib.loads(str(removed["text"]))["carrier"]] == [
        carrier["key"] for carrier in carriers[1:]
    ]
    without = check(browser, address, {**fields, "do": "add:nowhere/7"})
    assert "place of the form" in str(without["errors"])


def test_text_is_checked_with_line_field_and_what_was_expected(browser: Browser) -> None:
    address = begin(browser)
    text = browser.get(f"{address}/file").text
    for old, new, message, field in (
        ('side = "usa"', "side = 3", "of your scenario (carrier[0].side)", "carrier/0/side"),
        ("antiaircraft = 0", "antiaircraft = 61", "from 0 to 60", "carrier/0/antiaircraft"),
        ("antiaircraft = 0\n", "", "antiaircraft is missing", "carrier/0/antiaircraft"),
        ("found =", "fond =", "unknown field `fond`", ""),
        ("found =", "found", "is not valid TOML", ""),
    ):
        assert old in text, old
        found = check(browser, address, {"mode": "text", "text": text.replace(old, new, 1)})
        assert not found["valid"]
        assert message in str(found["message"]), found["message"]
        assert not field or field in dict(found["errors"]), found  # type: ignore[call-overload]
    nested = check(browser, address, {"mode": "text", "text": "a = " + "[" * 400 + "]" * 400})
    assert not nested["valid"]
    assert check(browser, address, {"mode": "text", "text": "#" * (TEXT_LENGTH + 1)})["valid"] is False


# -- playing -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow(6)
def test_trial_shows_the_balance(browser: Browser, friend: Browser, site: Site) -> None:
    address = begin(browser)
    page = browser.get(address).text
    fields = {**fields_of(page), f"{FIELD}last_turn": "2"}
    assert friend.form(f"{address}/try", fields).status_code in (401, 404)
    assert browser.form(f"{address}/try", fields).headers["location"] == f"{address}#trial"
    jobs: ClientJobs = site.app.state.site.client_jobs
    job = jobs.trial_job(address.removeprefix("/scenarios/"))
    assert job is not None
    job.job.result(120)
    assert job.kept.wait(30)
    page = browser.get(address).text
    assert f"{trial.MATCHES} matches between bots" in page
    assert "95 % CI" in page
    assert "has changed since this trial" not in page
    browser.form(address, {**fields, f"{FIELD}last_turn": "3", "do": "save"})
    assert "has changed since this trial" in browser.get(address).text


def test_trial_names_what_a_game_cannot_play(monkeypatch: pytest.MonkeyPatch) -> None:
    game = catalog.find("midway")
    text = scenario_forms.text_to_start(game, "duel")

    def fail(*_: object, **__: object) -> None:
        raise KeyError("akagi")

    monkeypatch.setattr(Match, "__init__", fail)
    with pytest.raises(tasks.CannotBegin, match="KeyError"):
        tasks.draw_opening("midway", text, "")
    with pytest.raises(tasks.CannotBegin, match="KeyError"):
        tasks.try_scenario("midway", text)


def test_match_keeps_the_text_that_it_began_with(browser: Browser, friend: Browser, site: Site) -> None:
    address = begin(browser)
    key, text = address.removeprefix("/scenarios/"), browser.get(f"{address}/file").text
    page = browser.get(f"/new?game=midway&custom={key}").text
    assert html.escape(text, quote=False).strip() in page.replace("&#34;", '"').replace("&#39;", "'")
    match = browser.begin(scenario="own", own=text, seat_usa="friend", seat_japan="me")
    browser.form(address, {"mode": "text", "text": text.replace("My ", "Our "), "do": "save"})
    assert "Our Afternoon duel" in browser.get("/scenarios").text
    assert site.store.listings.summary(match).scenario == "My Afternoon duel"
    for path in (f"/m/{match}", "/scenarios", f"/new?game=midway&custom={key}"):  # the opponent learns no address of it
        assert key not in friend.get(path).text.replace(f"custom={key}", "")
    assert friend.get(f"/new?game=midway&custom={key}").status_code == 404


def test_study_of_a_scenario_has_it_written_out(browser: Browser) -> None:
    address = begin(browser)
    page = browser.get(f"/studies?game=midway&scenario={address.removeprefix('/scenarios/')}").text
    assert "My Afternoon duel" in page
    game, own = catalog.find("midway"), browser.get(f"{address}/file").text
    text = studies.study_text(game, {"vary": "options.cap_rings", "matches": "100"}, own)
    study = checked(parse_study(text.encode(), "study.toml"), "study.toml")
    assert {case.table.scenario_of(game).title for case in study.cases} == {"My Afternoon duel"}


# -- sharing and safety ------------------------------------------------------------------------------------------------


def test_others_can_read_copy_and_play_a_shared_scenario(browser: Browser, friend: Browser, site: Site) -> None:
    address = begin(browser)
    for path in ("", "/file", "/trial"):
        assert friend.get(address + path).status_code in (401, 404)
    for path in ("", "/check", "/try", "/share", "/copy", "/delete", "/cancel"):
        assert friend.form(address + path, {"do": "save"}).status_code in (401, 404), path
    assert browser.form(f"{address}/share", {"do": "list"}).status_code == 303
    found = re.search(r'value="[^"]*(/scenario/[\w-]+)"', browser.get(address).text)
    assert found is not None
    link = found[1]
    page = friend.get(link)
    assert "My Afternoon duel" in page.text
    assert page.headers["referrer-policy"] == "no-referrer"
    assert f'href="{link}"' in friend.get("/scenarios").text
    listed = friend.get("/api/v1/scenarios?game=midway").json()
    assert [f"/scenario/{one['link']}" for one in listed] == [link]
    assert (
        friend.get(link.replace("/scenario/", "/api/v1/scenarios/")).json()["text"]
        == browser.get(f"{address}/file").text
    )
    assert "Afternoon duel" in friend.get(f"/new?game=midway&custom={link.removeprefix('/scenario/')}").text
    copied = friend.form(f"{link}/copy").headers["location"]
    assert friend.form(copied, {"mode": "text", "text": "", "do": "save"}).status_code == 422
    browser.form(f"{address}/share", {"do": "stop"})
    assert friend.get(link).status_code == 404
    assert friend.get(copied).status_code == 200


def test_scenario_cannot_bring_markup_or_too_much(browser: Browser) -> None:
    address = begin(browser)
    text = browser.get(f"{address}/file").text
    evil = text.replace("My Afternoon duel", POISON.replace('"', '\\"')).replace(
        'name = "Enterprise"', 'name = "<b>x</b>"'
    )
    found = check(browser, address, {"mode": "text", "text": evil})
    assert "<script>" not in str(found["board"])
    assert "<b>x" not in str(found["board"]) + str(found["form"])
    assert browser.form(address, {"mode": "text", "text": evil, "do": "save"}).status_code == 303
    browser.form(f"{address}/share", {"do": "list"})
    for path in (address, "/scenarios", "/new?game=midway"):
        assert POISON not in browser.get(path).text
    many = "\n".join("[[carrier]]\nk=1" for n in range(2100))
    assert "too many values" in str(check(browser, address, {"mode": "text", "text": many})["message"])
    huge = {"mode": "text", "text": "x" * (scenario_forms.FORM_BYTES + 1)}
    assert browser.form(f"{address}/check", huge).status_code == 413


def test_file_is_uploaded_or_rejected_with_its_error(browser: Browser) -> None:
    def upload(content: bytes) -> httpx.Response:
        return browser.form("/scenarios", {"game": "midway", "do": "file"}, files={"file": ("mine.toml", content)})

    text = scenario_forms.text_to_start(catalog.find("midway"), "duel")
    assert upload(text.encode()).status_code == 303
    assert "is not UTF-8" in upload(b"\xff").text
    assert "found is missing" in upload(text.replace("found = true", "").replace("found = false", "").encode()).text
    assert "the maximum is" in upload(b"#" * (TEXT_LENGTH + 9)).text


def test_api_checks_a_scenario(browser: Browser) -> None:
    text = scenario_forms.text_to_start(catalog.find("midway"), "duel")
    good = browser.post("/api/v1/scenarios/check", json={"game": "midway", "text": text}).json()
    assert good == {"valid": True, "title": "My Afternoon duel", "message": "", "field": "", "line": 0}
    wrong = text.replace("antiaircraft = 0", "antiaircraft = 61")
    bad = browser.post("/api/v1/scenarios/check", json={"game": "midway", "text": wrong}).json()
    line = 1 + wrong.splitlines().index("antiaircraft = 61")
    assert (bad["valid"], bad["field"], bad["line"]) == (False, "carrier/0/antiaircraft", line)
