"""The pages on hosting match settings, limits, metrics, commands and example files."""

from __future__ import annotations

import inspect
import re
import subprocess
from pathlib import Path

import pytest
from tests.package.test_container import COMPOSE, known
from tests.server.test_backup import by_dump
from typer.main import get_command

from readyroom.bots import turns
from readyroom.cli.server.admin import app as admin
from readyroom.engine.data import LONGEST_LINE, MOST_PARTS
from readyroom.store import chat, clock, friends, limits
from readyroom.store import notebooks as store_notebooks
from readyroom.store import scenarios as store_scenarios
from readyroom.store.accounts import passkeys
from readyroom.store.accounts.players import SESSION_DAYS
from readyroom.store.admin.expiry import DAYS, NOTICE_DAYS
from readyroom.store.limits import STATE_BYTES, WORDS_LENGTH
from readyroom.store.live import live_match, live_matches
from readyroom.store.lobby.bot_matches import BotMatchLimits
from readyroom.store.lobby.listings import LISTED_EACH
from readyroom.store.lobby.seating import SEAT_PLAYERS
from readyroom.store.names import NAME_LENGTH
from readyroom.store.tournaments.pairings import MOST
from readyroom.store.tournaments.tournaments import LISTED, MOST_UNFINISHED, PLAYERS_EACH
from readyroom.study import notebooks as study_notebooks
from readyroom.study import trial
from readyroom.web import connections, security, threads
from readyroom.web.jobs import analysis, client_jobs, replays, tasks, workers
from readyroom.web.live import broadcast
from readyroom.web.monitoring import metrics
from readyroom.web.pages.campaigns import pages as campaign_pages
from readyroom.web.pages.games import notebooks, scenario_forms
from readyroom.web.pages.games.search import MOST_HITS
from readyroom.web.pages.games.search_query import MOST_WORDS
from readyroom.web.pages.home import home
from readyroom.web.settings import NAMES, BadSetting, Settings, expiry_of

ROOT = Path(__file__).parents[2]
PAGES = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("hosting.md", "settings-and-limits.md")]
PAGE = "\n".join(PAGES)
LIMITS = {
    "requests per minute": Settings().rate,
    "requests per minute, with static files, health checks and missing pages": security.ALL_REQUESTS * Settings().rate,
    "new players per hour": security.NEW_PLAYERS,
    "new matches per hour": security.NEW_MATCHES,
    "unfinished matches in which only bots play, also per player": BotMatchLimits().each,
    "unfinished matches in which only bots play, of all clients": BotMatchLimits().all,
    "studies per hour, also of notebooks, and trials of scenarios": security.NEW_STUDIES,
    "uploaded campaigns per hour": security.UPLOADS,
    "what-ifs and match reviews per minute": security.WHAT_IFS,
    "analyses per minute": security.ANALYSES,
    "comments of a spectator on a match": chat.COMMENTS,
    "seconds between two signals that a player is typing in the chat of a match": broadcast.TYPING_AGAIN,
    "friends of a player": friends.MOST_FRIENDS,
    "invitations of a player that are not answered": friends.MOST_INVITATIONS,
    "minutes of a side on the clock of a match": clock.LONGEST,
    "open event streams": security.STREAMS,
    "open event streams of all clients, per process": security.ALL_STREAMS,
    "requests in progress, without event streams": security.AT_ONCE,
    "matches of a client in the public list": LISTED_EACH,
    "players of a public tournament who join from one address": PLAYERS_EACH,
    "connections": connections.CONNECTIONS,
    "connections of all clients, per process": connections.ALL_CONNECTIONS,
    "seconds until the headers of a request are sent": connections.HEADER_SECONDS,
    "kilobytes of the headers of a request": connections.HEADER_BYTES // 1024,
    f"seconds in which a body may be slower than {connections.BODY_RATE} bytes per second": connections.BODY_SECONDS,
    "seconds in which a client may read nothing of a response": connections.READING_SECONDS,
    "kilobytes per form": security.BODY // 1024,
    "kilobytes per form of a new match": home.FORM_BYTES // 1024,
    "bytes of a custom scenario's pieces": STATE_BYTES,
    "characters of a line of a scenario or plan file": LONGEST_LINE,
    "parts of a key in a scenario or plan file": MOST_PARTS,
    "players of a seat": SEAT_PLAYERS,
    "words of a search": MOST_WORDS,
    "results of a search": MOST_HITS,
    "characters of a name": NAME_LENGTH,
    "characters of a player's text for the dice": WORDS_LENGTH,
    "passkeys per player": passkeys.MOST,
    "days of a session without a visit": SESSION_DAYS,
    "decisions and undos of a match": limits.ENTRIES,
    "undos of a seat in a match": limits.UNDOS,
    "decisions and undos after which nothing can be undone": limits.LAST_UNDO,
    "characters of an imported record": limits.RECORD_LENGTH,
    "changes of dice in an imported record": limits.FORKS,
    "characters of the first line of an imported record": limits.HEADER_LENGTH,
    "characters of another line of an imported record": limits.LINE_LENGTH,
    "characters of the seed of an imported record, and of a seat's text for the dice in it": WORDS_LENGTH,
    "bytes of the scenario of an imported record": limits.SCENARIO_LENGTH,
    "seconds of processor time to read the ledger and links of an imported campaign": tasks.WAR_SECONDS,
    "requests of a client that are worked on at a time": threads.EACH,
    "requests of all clients that are worked on at a time, per process": threads.REQUESTS,
    "the same, while all clients that wait have just used processor time": threads.UNRESERVED,
    "megabytes of replay positions in memory, per process": replays.INDEX_BYTES // workers.MB,
    "matches in memory, per process": live_matches.MAX_CACHED,
    "decisions and log lines of the matches in memory, per process": live_matches.MAX_CACHED_LINES,
    "seconds that bots play in a request": live_match.BOTS_TIME,
    "seconds of a turn of bots in a worker": turns.TURN,
    "jobs of all clients that wait, per process": workers.MOST_WAITING,
    "seconds of an analysis": analysis.LIMIT.seconds,
    "seconds of a longer analysis": analysis.LONGER.seconds,
    f"seconds of {client_jobs.PAIRS} rollouts of a what-if": client_jobs.SECONDS,
    "matches of a study": client_jobs.MOST_MATCHES,
    "matches of a notebook's study, without those that solve the mixes": client_jobs.MOST_NOTEBOOK_MATCHES,
    "notebooks of a player": store_notebooks.MOST_NOTEBOOKS,
    "characters of a notebook's notes": study_notebooks.NOTES_LENGTH,
    "characters of a notebook's study file": store_notebooks.TEXT_LENGTH,
    "changed figures of a notebook": study_notebooks.MOST_FIGURES,
    "kilobytes of a notebook's form": notebooks.FORM_BYTES // 1024,
    "kilobytes of a notebook's result": store_notebooks.RESULT_BYTES // 1024,
    "players of a round robin": MOST["robin"],
    "players of a knockout": MOST["knockout"],
    "unfinished tournaments that a player organises": MOST_UNFINISHED,
    "tournaments in a list": LISTED,
    "scenarios of a player": store_scenarios.MOST_SCENARIOS,
    "characters of a scenario that is made here": store_scenarios.TEXT_LENGTH,
    "shared scenarios in a list": store_scenarios.MOST_LISTED,
    "values of a scenario": scenario_forms.MOST_FIELDS,
    "kilobytes of the form of an uploaded campaign": campaign_pages.BODY // 1024,
    "kilobytes of a scenario's form": scenario_forms.FORM_BYTES // 1024,
    "matches of a scenario's trial": trial.MATCHES,
    "seconds of a scenario's trial": trial.SECONDS,
    "kilobytes of the result of a scenario's trial": store_scenarios.RESULT_BYTES // 1024,
    "results of each kind that are kept, per process": client_jobs.KEPT,
}
JOBS = {
    "bots": workers.BOTS,
    "imports": workers.IMPORT,
    "long replays": workers.REPLAY,
    "verifications": workers.VERIFY,
    "analyses": workers.ANALYSIS,
    "opening positions of scenarios": workers.OPENING,
    "longer analyses": workers.LONG_ANALYSIS,
    "what-ifs": workers.WHAT_IF,
    "match reviews": workers.REVIEW,
    "studies": workers.STUDY,
    "notebooks' studies": workers.NOTEBOOK,
    "trials of scenarios": workers.TRIAL,
    "runs of bots": workers.BOT_RUNS,
}

FILES = {"DATABASE": "database", "SECRET": "signing", "SMTP": "smtp"}


def section(title: str) -> str:
    """Return the text under a heading."""
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def rows(title: str) -> list[list[str]]:
    """Return the rows of the table under a heading, without its header."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def names(title: str) -> list[str]:
    """Return the code names in the first column of that table."""
    return [match[1] for row in rows(title) if (match := re.match(r"`([^`]+)`", row[0]))]


def test_page_lists_all_settings() -> None:
    assert set(names("Settings")) == NAMES | {"FORWARDED_ALLOW_IPS"}
    assert known() == NAMES


def test_page_has_default_values() -> None:
    values, default = (
        {row[0].strip("`"): row[2].strip("`") for row in rows("Settings")},
        Settings.from_environment({"READYROOM_SECRET": "a key"}),
    )
    assert values["READYROOM_RATE"] == str(default.rate)
    assert values["READYROOM_METRICS"] == default.metrics
    assert (values["READYROOM_LOG"] == "requests") is default.log_requests
    assert (values["READYROOM_HOOKS"] == "anywhere") is default.hooks_anywhere
    assert values["READYROOM_ACCOUNTS"] == default.accounts


def test_page_has_rate_limits() -> None:
    stated = {row[0]: row[1] for row in rows("Limits")}
    assert {what: float(stated[what].replace(",", "")) for what in stated if what not in JOBS} == LIMITS
    assert f"least every {broadcast.HEARTBEAT:.0f} seconds" in PAGE.replace("\n", " ")


def test_page_has_days_until_expiry() -> None:
    named = {re.findall(r"`(\w+)`", row[0])[0]: int(row[1]) for row in rows("Expiry")}
    assert named == DAYS
    default = {row[0]: row[2] for row in rows("Settings")}["`READYROOM_EXPIRE`"]
    assert expiry_of({"READYROOM_EXPIRE": default.strip("`")}) == DAYS == expiry_of({})
    assert expiry_of({"READYROOM_EXPIRE": "off"}) is None
    assert NOTICE_DAYS == 14
    assert "two weeks before" in section("Expiry")
    for wrong in ("lobbies", "boats=3", "matches=0", "matches=-1"):
        with pytest.raises(BadSetting, match="READYROOM_EXPIRE"):
            expiry_of({"READYROOM_EXPIRE": wrong})


def test_page_has_budgets_of_jobs() -> None:
    stated = {row[0]: row[1] for row in rows("Limits")}
    assert set(JOBS.values()) == set(workers.KINDS)
    for what, kind in JOBS.items():
        budget = f"{kind.cpu_seconds} s CPU, {kind.seconds:.0f} s, {kind.memory // workers.MB} MB"
        assert stated[what] == f"{kind.per_client} at a time, {budget}"
    last = list(JOBS)[-7:]
    assert [what for what, kind in JOBS.items() if kind.long] == last


def test_page_lists_all_metrics() -> None:
    counted = set(re.findall(r'"(readyroom_\w+)"', inspect.getsource(metrics)))
    assert {name.removesuffix("_total") for name in names("Health and metrics")} == counted


def test_page_lists_all_commands() -> None:
    verbs = get_command(admin).commands  # type: ignore[attr-defined]
    values = {row[0].split()[2].strip("`"): " ".join(row) for row in rows("Administration")}
    assert set(values) == {name for name, verb in verbs.items() if not verb.hidden}
    for verb, text in values.items():
        options = {option for parameter in verbs[verb].params for option in parameter.opts}
        assert set(re.findall(r"--[\w-]+", text)) <= options


def test_page_has_tested_postgres_backup_commands() -> None:
    items = re.findall(r"^\$ (pg_\w+ .*)$", section("Backups"), re.MULTILINE)
    assert [line.split()[0] for line in items] == ["pg_dump", "pg_restore"]
    tried = inspect.getsource(by_dump)
    assert all(option in tried for line in items for option in re.findall(r"--[\w-]+(?:=custom)?", line))


def test_container_secrets_are_created_as_documented(tmp_path: Path) -> None:
    (commands,) = re.findall(r"^```bash\n(.*?)^```$", section("In containers"), re.MULTILINE | re.DOTALL)
    subprocess.run(["sh", "-e", "-c", commands], cwd=tmp_path, check=True, timeout=30)
    secrets = {str(path.relative_to(tmp_path)): path for path in (tmp_path / "secrets").iterdir()}
    assert set(secrets) == {secret["file"] for secret in COMPOSE["secrets"].values()}
    assert (tmp_path / "secrets").stat().st_mode & 0o077 == 0
    files = {f"READYROOM_{name}_FILE": str(secrets[f"secrets/{file}"]) for name, file in FILES.items()}
    settings = Settings.from_environment(files)
    password = secrets["secrets/password"].read_text().strip()
    user = COMPOSE["services"]["database"]["environment"]["POSTGRES_USER"]
    assert settings.database == f"postgresql+psycopg://{user}:{password}@database/readyroom"


def test_proxy_examples_are_complete() -> None:
    caddy, nginx = re.findall(r"^```text\n(.*?)^```$", section("A web server in front"), re.MULTILINE | re.DOTALL)
    port = COMPOSE["services"]["server"]["ports"][0].rpartition(":")[0]
    for data in (caddy, nginx):
        assert port in data
        assert data.count("{") == data.count("}")
        assert "/metrics" in data
    for needed in ("Host $host", "X-Forwarded-For", "X-Forwarded-Proto", "proxy_buffering off", "access_log off"):
        assert needed in nginx
    assert nginx.count("access_log off") == nginx.count("error_log /var/log/nginx/games.error.log crit") == 2
    silence = re.search(r"proxy_read_timeout (\d+)s", nginx)
    assert silence is not None
    assert int(silence[1]) > 2 * broadcast.HEARTBEAT
