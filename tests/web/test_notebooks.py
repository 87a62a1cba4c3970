"""The pages of notebooks: settings, charts, runs, sharing, limits and safety."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.web.server import Browser, Site

from readyroom.study import notebooks
from readyroom.study.notebook_report import notebook_report
from readyroom.study.notebooks import from_text, unpack_report
from readyroom.study.studies import run
from readyroom.web.jobs.client_jobs import ClientJobs, NotebookJob
from readyroom.web.jobs.tasks import CannotBePlayed, play_notebook
from readyroom.web.jobs.workers import NOTEBOOK
from readyroom.web.pages.games import notebook_forms

DIVE = "cell:combat/dive/fire/at_least"
POISON = '<script>alert("x")</script>'


@pytest.fixture
def kept(browser: Browser) -> str:
    """Return the address of a new notebook."""
    return begin(browser)


def begin(browser: Browser, **fields: str) -> str:
    answer = browser.form("/notebooks", {"game": "midway", "scenario": "duel", **fields})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def text_of(browser: Browser, address: str) -> str:
    answer = browser.get(f"{address}/study.toml")
    assert answer.status_code == 200
    return answer.text


def chart_address(address: str, at: str = "combat") -> str:
    return f"{address}/chart?at={quote(at, safe='')}"


def job_of(site: Site, address: str) -> NotebookJob:
    jobs: ClientJobs = site.app.state.site.client_jobs
    found = jobs.notebook_job(address.removeprefix("/notebooks/"))
    assert found is not None
    return found


# -- changing --------------------------------------------------------------------------------------------------------


def test_new_notebook_is_listed_and_has_all_charts(browser: Browser, kept: str) -> None:
    assert f'href="{kept}"' in browser.get("/studies").text
    page = browser.get(kept).text
    assert "Notebook for Afternoon duel</h1>" in page
    for title in ("Combat", "Which search group finds the Japanese fleet", "Scenarios, Afternoon duel: Carriers"):
        assert f">{title}</button>" in page
    assert "Change an option or a chart first." in page
    assert browser.form(f"{kept}/run").status_code == 422


def test_run_and_chart_buttons_save_the_settings(browser: Browser, site: Site, kept: str) -> None:
    fields = {"settings": "yes", "notes": "Why", "scenario": "duel"}
    answer = browser.form(kept, {**fields, "chart": "charts/chart/search"})
    assert answer.headers["location"] == chart_address(kept, "charts/chart/search")
    assert from_text(text_of(browser, kept)).notes == "Why"
    assert browser.form(f"{kept}/run", {**fields, "option-cap_rings": "9"}).status_code == 422
    assert browser.form(f"{kept}/run", {**fields, "notes": "Two", "option-cap_rings": "2"}).status_code == 303
    assert job_of(site, kept)
    browser.form(f"{kept}/cancel")
    saved = from_text(text_of(browser, kept))
    assert (saved.notes, saved.options) == ("Two", {"cap_rings": "2"})


def test_options_and_notes_are_saved(browser: Browser, kept: str) -> None:
    fields = {"title": "Two rings", "notes": "# Why\r\n\r\n*Less* cover.", "option-cap_rings": "2", "amount": "50"}
    assert browser.form(kept, {**fields, "scenario": "duel", "settings": "yes"}).status_code == 303
    saved = from_text(text_of(browser, kept))
    assert (saved.title, saved.notes, saved.matches) == ("Two rings", "# Why\n\n*Less* cover.", 50)
    assert (saved.options, saved.solve) == ({"cap_rings": "2"}, False)
    page = browser.get(kept).text
    assert "<h3>Why</h3>" in page
    assert "<em>Less</em>" in page
    assert re.search(r"<td>3</td><td><b>2</b></td>", page)
    assert "only one of them has an effect" not in page
    browser.form(chart_address(kept), {DIVE: "4"})
    assert "only one of them has an effect" in browser.get(kept).text
    assert browser.form(f"{kept}/reset", {"what": "cap_rings"}).status_code == 303
    assert from_text(text_of(browser, kept)).options == {}


def test_chart_is_edited_and_reset(browser: Browser, kept: str) -> None:
    page = browser.get(chart_address(kept)).text
    assert f'name="{DIVE}" value="5" min="1" max="100"' in page
    assert browser.form(chart_address(kept), {DIVE: "4"}).status_code == 303
    assert from_text(text_of(browser, kept)).figures == {"combat/dive/fire/at_least": 4}
    page = browser.get(kept).text
    assert "Combat: Dive bombers, least roll that hits" in page
    assert "1 changed" in page
    assert "was 5" in browser.get(chart_address(kept)).text
    assert browser.form(chart_address(kept), {DIVE: "5"}).status_code == 303
    assert from_text(text_of(browser, kept)).figures == {}
    browser.form(chart_address(kept), {DIVE: "4"})
    assert browser.form(f"{kept}/reset").status_code == 303
    assert from_text(text_of(browser, kept)).figures == {}


def test_wrong_figures_are_explained_at_their_fields(browser: Browser, kept: str) -> None:
    answer = browser.form(chart_address(kept), {DIVE: "many", "cell:combat/deck/points": "30"})
    assert answer.status_code == 422
    assert "Dive bombers, least roll that hits: Enter a whole number from 1 to 100." in answer.text
    assert 'value="many"' in answer.text
    assert 'value="30"' in answer.text
    search = "charts/chart/search"
    answer = browser.form(chart_address(kept, search), {f"cell:{search}/rows/4/group": "9"})
    assert answer.status_code == 422
    assert "groups numbered from 1" in answer.text
    assert from_text(text_of(browser, kept)).figures == {}
    assert browser.get(chart_address(kept, "weather")).status_code == 404


def test_wrong_settings_are_rejected_and_kept_in_the_form(browser: Browser, kept: str) -> None:
    for wrong in ({"option-cap_rings": "9"}, {"scenario": "moon"}, {"amount": "1000000"}, {"title": " "}):
        answer = browser.form(kept, {"notes": "My long notes", "settings": "yes", **wrong})
        assert answer.status_code == 422, wrong
        assert "My long notes</textarea>" in answer.text
    assert browser.form(kept, {"notes": "x" * (notebooks.NOTES_LENGTH + 1)}).status_code == 422
    assert browser.form("/notebooks", {"game": "chess"}).status_code == 404
    assert browser.form("/notebooks", {"game": "midway", "scenario": "moon"}).status_code == 404
    assert browser.form("/notebooks", {"game": "midway", "scenario": "/etc/passwd.toml"}).status_code == 404


# -- running ---------------------------------------------------------------------------------------------------------


@pytest.mark.torture(8)
@pytest.mark.slow(8)
def test_run_gives_the_figures_of_the_study_file(
    browser: Browser, friend: Browser, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notebook_forms, "AMOUNTS", (4,))
    for name in ("PAIR_MATCHES", "FEWEST_OF_A_PAIR"):
        monkeypatch.setattr(notebooks, name, 1)
    kept = begin(browser)
    browser.form(kept, {"amount": "4", "solve": "yes", "settings": "yes"})
    browser.form(chart_address(kept), {DIVE: "3"})
    assert browser.form(f"{kept}/run").status_code == 303
    job = job_of(site, kept)
    job.job.result(120)
    assert job.kept.wait(60)
    page = browser.get(kept).text
    for text in ("Won by Japan", "Run again", "Mixes re-solved from 1 matches", "Full report", "hx-get"):
        assert (text in page) is (text != "hx-get"), text
    assert "The notebook has changed since this run" not in page
    assert "What is changed" in browser.get(f"{kept}/report").text
    text = text_of(browser, kept)
    file = tmp_path / "study.toml"
    file.write_text(text)
    result = run(file, workers=1).result
    player = site.store.players.of_session(browser.cookies["readyroom"])
    assert player is not None
    found = site.store.notebooks.find(kept.removeprefix("/notebooks/"), player.id)
    assert found.result is not None
    assert unpack_report(found.result) == notebook_report(text, result, "readyroom study study.toml")
    browser.form(f"{kept}/share")
    link = re.search(r'href="(/n/[\w-]{43})"', browser.get(kept).text)
    assert link is not None
    assert "Won by Japan" in friend.get(link[1]).text
    assert "What is changed" in friend.get(f"{link[1]}/report").text
    browser.form(chart_address(kept), {DIVE: "2"})
    assert "The notebook has changed since this run" in browser.get(kept).text


@pytest.mark.slow(2)
def test_one_run_of_a_client_at_a_time_and_it_can_be_cancelled(browser: Browser, site: Site) -> None:
    first, second = begin(browser), begin(browser)
    for address in (first, second):
        browser.form(chart_address(address), {DIVE: "3"})
    assert browser.form(f"{first}/run").status_code == 303
    page = browser.get(first).text
    assert f'hx-get="{first}"' in page
    assert f'action="{first}/cancel"' in page
    assert browser.form(f"{first}/run").status_code == 303
    refused = browser.form(f"{second}/run")
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) >= 1
    assert browser.form(f"{first}/cancel").status_code == 303
    assert job_of(site, first).kept.wait(60)
    assert "was stopped" in browser.get(first).text
    browser.form(f"{first}/delete")
    assert browser.get(first).status_code == 404


def test_game_that_fails_with_its_figures_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(*args: object, **named: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("readyroom.study.studies.run", fail)
    with pytest.raises(CannotBePlayed, match=r"cannot be played with these changes \(ZeroDivisionError: division"):
        play_notebook('title = "A"\ngame = "midway"\n', tmp_path)


def test_notebooks_have_a_budget() -> None:
    assert NOTEBOOK.long
    assert NOTEBOOK.per_client == 1


# -- sharing and safety ----------------------------------------------------------------------------------------------


def test_strangers_can_do_nothing(browser: Browser, friend: Browser, kept: str) -> None:
    for path in ("", "/chart?at=combat", "/report", "/study.toml"):
        assert friend.get(kept + path).status_code == 401
    friend.form("/me/name", {"name": "Stranger"})
    for path in ("", "/chart?at=combat", "/report", "/study.toml"):
        assert friend.get(kept + path).status_code == 404
    for path in ("", "/chart?at=combat", "/reset", "/run", "/cancel", "/share", "/copy", "/delete"):
        assert friend.form(kept + path, {DIVE: "4", "title": "Mine"}).status_code == 404, path
    assert from_text(text_of(browser, kept)).figures == {}
    assert kept not in friend.get("/studies").text


def test_link_shows_a_copy_that_cannot_be_changed(browser: Browser, friend: Browser, kept: str) -> None:
    browser.form(kept, {"title": "Shared", "notes": "Look", "option-cap_rings": "2"})
    assert browser.form(f"{kept}/share").status_code == 303
    link = re.search(r'href="(/n/[\w-]{43})"', browser.get(kept).text)
    assert link is not None
    answer = friend.get(link[1])
    assert answer.status_code == 200
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-store"
    for text in ("Shared", "Look", "Not run yet", "Copy to mine"):
        assert text in answer.text
    assert kept not in answer.text
    assert friend.post(link[1]).status_code in (403, 405)
    copied = friend.form(f"{link[1]}/copy").headers["location"]
    assert from_text(text_of(friend, copied)).title == "Copy of Shared"
    assert from_text(text_of(friend, copied)).options == {"cap_rings": "2"}
    browser.form(f"{kept}/share", {"do": "stop"})
    for path in ("", "/report", "/study.toml"):
        assert friend.get(link[1] + path).status_code == 404
    assert friend.form(f"{link[1]}/copy").status_code == 404
    assert friend.get(copied).status_code == 200


def test_own_texts_are_escaped(browser: Browser, friend: Browser, kept: str) -> None:
    notes = (
        f"{POISON}\n\n[a](javascript:alert(1)) ![b](https://example.com/x.png) <img src=x onerror=alert(1)>\n\n"
        "[c](https://example.com)\n\n[d](data:text/html,x)\n\n# <b>Head</b>"
    )
    browser.form(kept, {"title": POISON, "notes": notes})
    assert tomllib.loads(text_of(browser, kept))["title"] == POISON
    browser.form(f"{kept}/share")
    link = re.search(r'href="(/n/[\w-]{43})"', browser.get(kept).text)
    assert link is not None
    for page in (browser.get(kept).text, browser.get("/studies").text, friend.get(link[1]).text):
        assert POISON not in page
        assert "<img src=x" not in page
        assert 'href="javascript' not in page
        assert 'href="data' not in page
        assert "example.com/x.png" not in page or '<img src="https' not in page
    assert '<a href="https://example.com" rel="nofollow noopener noreferrer ugc">c</a>' in friend.get(link[1]).text
    assert browser.form(chart_address(kept), {DIVE: POISON}).status_code == 422
    assert POISON not in browser.form(chart_address(kept), {DIVE: POISON}).text


def test_number_of_notebooks_and_runs_is_limited(
    browser: Browser, open_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("readyroom.store.notebooks.MOST_NOTEBOOKS", 1)
    begin(browser)
    refused = browser.form("/notebooks", {"game": "midway"})
    assert refused.status_code == 409
    assert "1 notebooks, which is the limit" in refused.text
    monkeypatch.setattr("readyroom.web.security.NEW_STUDIES", 1)
    with open_site(rate=1000).browser() as client:
        assert client.form("/notebooks/x/run").status_code == 401
        refused = client.form("/notebooks/x/run")
    assert refused.status_code == 429
    assert "Limit reached: 1 studies an hour" in refused.text
