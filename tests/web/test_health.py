"""Tests of health checks, metrics and logs without secrets."""

from __future__ import annotations

import io
import json
import logging
import time
from collections.abc import Callable, Iterator
from random import Random
from threading import Event

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.web.server import Browser, Site
from tests.web.test_workers import until

from readyroom import __version__
from readyroom.store.errors import NewerDatabase, WriteFailed
from readyroom.web.jobs import workers
from readyroom.web.jobs.workers import WorkerPool
from readyroom.web.monitoring import health
from readyroom.web.monitoring.logs import JSONFormatter, hidden
from readyroom.web.pages.players.profile import COOKIE

Opens = Callable[..., Site]


def figures(visitor: Browser) -> dict[str, float]:
    """Return the metrics by name and labels."""
    response = visitor.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain")
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(response.text)
        for sample in family.samples
        if not sample.name.endswith("_created")
    }


@pytest.fixture(autouse=True)
def each_request_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "INTERVAL", 0.0)


# -- health ----------------------------------------------------------------------------------------------------------


def test_healthy_server_reports_its_version(browser: Browser) -> None:
    for path, status in (("/health", "ready"), ("/health/live", "live")):
        response = browser.get(path)
        assert (response.status_code, response.json()["status"], response.json()["version"]) == (
            200,
            status,
            __version__,
        )
        assert response.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("trouble", [WriteFailed("gone"), NewerDatabase("9999", "0001")])
def test_unready_server_is_still_live(
    site: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    def fails() -> None:
        raise trouble

    monkeypatch.setattr(site.store.integrity, "probe", fails)
    response = browser.get("/health")
    assert (response.status_code, response.json()["status"], response.json()["why"]) == (503, "away", str(trouble))
    assert browser.get("/health/live").status_code == 200


def test_hanging_database_times_out(site: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = Event()
    monkeypatch.setattr(health, "PATIENCE", 0.05)
    monkeypatch.setattr(site.store.integrity, "probe", answers.wait)
    try:
        response = browser.get("/health")
        assert (response.status_code, "did not answer" in response.json()["why"]) == (503, True)
    finally:
        answers.set()


# -- metrics ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "here", "through"), [("off", 404, 404), ("local", 200, 404), ("anywhere", 200, 200)])
def test_metrics_are_shown_as_configured(open_site: Opens, text: str, here: int, through: int) -> None:
    with open_site(metrics=text).browser() as visitor:
        assert visitor.get("/metrics").status_code == here
        for name in ("X-Forwarded-For", "X-Real-IP", "Forwarded"):
            assert visitor.get("/metrics", headers={name: "127.0.0.1"}).status_code == through


def test_metrics_count_events_without_names(open_site: Opens) -> None:
    site = open_site(metrics="local")
    with site.browser() as visitor:
        match = visitor.begin(seat_japan="me", seat_usa="friend")
        link = visitor.links(match)["usa"]
        with site.browser() as friend:
            friend.get(link)
            friend.form(link, {"name": "Lieutenant Tern"})
        before = figures(visitor)
        assert before["readyroom_matches playing"] == 1
        assert before["readyroom_matches_held"] == 1
        assert before["readyroom_requests_total /s/{secret} 200 GET"] == 1
        visitor.get("/nowhere")
        place = site.store.listings.summary(match).waiting[0]
        with site.store.matches.open(match) as held:
            decision = held.pending[place]
            keys = list(decision.sample(Random(1)))
            revision = held.revision_for(place, decision.revision)
        site.store.matches.answer(match, place, keys, revision)
        with visitor.stream("GET", f"/m/{match}/events") as stream:
            lines = stream.iter_lines()
            assert next(lines) == "event: here"
            during = figures(visitor)
        assert during["readyroom_streams"] == 1
        assert during["readyroom_moves_total"] == before["readyroom_moves_total"] + 1
        assert during["readyroom_requests_total none 404 GET"] == 1
        assert during["readyroom_request_seconds_count /m/{id}/events"] == 1
        text = visitor.get("/metrics").text
        secrets = [match, link.removeprefix("/s/"), visitor.cookies[COOKIE], "Tern", "127.0.0.1"]
        assert not [secret for secret in secrets if secret in text]


def test_metrics_work_without_the_database(open_site: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    site = open_site(metrics="local")

    def fails() -> None:
        raise WriteFailed("gone")

    monkeypatch.setattr(site.store.admin, "counts", fails)
    with site.browser() as visitor:
        data = figures(visitor)
    assert data["readyroom_database_up"] == 0
    assert not any(name.startswith("readyroom_matches ") for name in data)


@pytest.mark.torture(5)
def test_full_queue_is_counted_and_leaves_the_server_ready(open_site: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    site = open_site(metrics="local")
    pool: WorkerPool = site.app.state.site.workers
    jobs = [pool.submit(f"client {i}", workers.BOTS, time.sleep, 60) for i in range(pool.workers)]
    until(lambda: all(job.state == "running" for job in jobs))
    monkeypatch.setattr(workers, "MOST_WAITING", 2)
    jobs += [pool.submit("late", workers.STUDY, time.sleep, 60), pool.submit("later", workers.STUDY, time.sleep, 60)]
    with pytest.raises(workers.Busy):
        pool.submit("last", workers.STUDY, time.sleep, 60)
    with site.browser() as visitor:
        assert visitor.get("/health").status_code == 200
        during = figures(visitor)
        assert during["readyroom_jobs bots running"] == pool.workers
        assert (during["readyroom_jobs study waiting"], during["readyroom_jobs review waiting"]) == (2, 0)
        for job in jobs:
            job.cancel()
        after = figures(visitor)
    assert after["readyroom_jobs bots running"] == 0
    assert after["readyroom_jobs_killed_total bots stopped"] == pool.workers
    assert not [name for name in after if "client" in name]


# -- log -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """The output of all loggers at level DEBUG."""
    string_io, root = io.StringIO(), logging.getLogger()
    handler, level = logging.StreamHandler(string_io), root.level
    handler.setFormatter(JSONFormatter())
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield string_io
    root.removeHandler(handler)
    root.setLevel(level)


def test_log_has_no_secret_that_existed(open_site: Opens, log: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    site = open_site(log_requests=True, smtp="smtp://tern:pa55word@127.0.0.1:9", hooks_anywhere=True)
    notices = site.app.state.site.notifier
    notices.grace, notices.live, notices.retries = 0.0, 0.0, ()
    hook, mail = "http://127.0.0.1:9/api/webhooks/77/t0ken-of-the-hook", "lieutenant.tern@example.org"
    with site.browser() as host, site.browser() as friend:
        match = host.begin(seat_japan="me", seat_usa="friend")
        link = host.links(match)["usa"]
        friend.get(link)
        friend.form(link, {"name": "Tern"})
        friend.form("/me/notices", {"hook": hook, "mail": mail})
        recovery = friend.form("/me/recovery").text.partition("/me/recover/")[2][:43]
        friend.get(f"/me/recover/{recovery}")
        friend.get(f"{link}x")
        monkeypatch.setattr(site.store.chat, "messages", lambda *_, **__: 1 / 0 if host.get(link) else [])
        fault = friend.get(f"/m/{match}")
        assert fault.status_code == 500
        logging.getLogger("readyroom.web").warning("%s %s %s", link, hook, mail)
        site.close()
        secrets = [link.removeprefix("/s/"), recovery, hook.rpartition("/")[2], mail, "pa55word"]
        secrets += [visitor.cookies[name] for visitor in (host, friend) for name in (COOKIE, "form")]
    lines = log.getvalue().splitlines()
    assert {"readyroom.requests", "readyroom.web"} <= {json.loads(line)["from"] for line in lines}
    assert any("ZeroDivisionError" in json.loads(line).get("fault", "") for line in lines)
    assert not [secret for secret in secrets if secret in log.getvalue()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GET /s/" + "x" * 43 + " 200", "GET /s/… 200"),
        ("smtp://user:word@mail.example:587", "smtp://…@mail.example:587"),
        ("https://discord.example/api/webhooks/1/abc failed", "https://discord.example/… failed"),
        ("to someone@example.org.", "to …@…."),
        ("fault 1f2e3d4c in readyroom.web.pages.match.table", "fault 1f2e3d4c in readyroom.web.pages.match.table"),
    ],
)
def test_redaction_removes_secrets_only(text: str, expected: str) -> None:
    assert hidden(text) == expected
