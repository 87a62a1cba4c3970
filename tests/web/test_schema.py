"""Tests of the API against its schema with generated valid and invalid requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.config import SchemathesisConfig
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, unsupported_method
from tests.store.playing import enrolled
from tests.web.server import PATIENCE, Site

from readyroom.study.puzzles.puzzle import puzzles_of
from readyroom.web import api

pytestmark = pytest.mark.slow
EXAMPLES = 15
"""Requests of each kind per operation, both for an unknown and for a running match."""
CONFIG = """
[checks]
positive_data_acceptance.expected-statuses = ["2xx", 401, 403, 404, 409, 422]
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 409, 413, 415, 422]
"""
"""Valid requests may be illegal in this match (409, 422) but never malformed (400)."""
QUICK = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
VERBS = sorted(
    (method, route.path.replace(":str", ""))
    for route in api.router.routes
    for method in route.methods
    if method != "OPTIONS"
)
SELDOM = (
    "players/{id}",
    "record",
    "events",
    "take",
    "undo",
    "ask-back",
    "allow-back",
    "hand-over",
    "plan",
    "claim",
    "resign",
    "draw",
    "draw-answer",
)
"""Operations that rarely succeed in the running match."""
PUZZLE = next(iter(puzzles_of("midway")))


@dataclass
class Interface:
    """The API schema and a running match with its seat secrets."""

    site: Site
    schema: Any
    match: str
    secrets: dict[str, str]
    program: httpx.Client
    campaign: str
    side: str
    link: str
    cup: str
    entrant: str

    def callers(self, path: str) -> Iterator[dict[str, str]]:
        """Yield headers without a secret, with a valid one (of a seat, side or player) and a wrong one."""
        yield {}
        own = self.side if "/campaigns" in path else self.entrant if "/tournaments" in path else self.secrets["japan"]
        yield {"Authorization": f"Bearer {own}"}
        yield {"Authorization": "Bearer nonsense"}

    def learn(self, answer: Any) -> None:
        """Store the new seat secret after a new link was created."""
        if answer.status_code == 201 and answer.request.url.endswith("/link"):
            self.secrets[answer.json()["seat"]] = answer.json()["secret"]

    def help(self, case: Any) -> None:
        """Replace half of the generated bodies by an existing game or a legal answer."""
        body = case.body
        if case.query and "game" in case.query and len(case.query["game"] or "") % 2:
            case.query["game"] = "midway"
        if isinstance(body, dict) and body.keys() & {"concede", "remove", "start", "withdraw"}:
            case.body = {}  # its player stays in the tournament
            return
        if not isinstance(body, dict) or len(str(body)) % 2:
            return
        if "title" in body:
            case.body = {"title": "Cup", "game": "midway"}
        elif "game" in body:
            case.body = {
                **{key: body[key] for key in body.keys() & {"pace", "listed", "name", "text"}},
                "game": "midway",
            }
        elif "campaign" in body:
            case.body = {"campaign": "three-battles"}
        elif body.keys() & {"order", "risk", "offer", "accept"}:
            case.body = {}
        elif "keys" in body:
            data = self.question(case.path)
            if data is not None:
                keys = [option["key"] for option in data["options"]]
                legal = {"keys": keys[: data["at_least"]], "revision": data["revision"]}
                case.body = {name: legal.get(name, value) for name, value in body.items()}

    def question(self, path: str) -> Any:
        """Return the question of the puzzle or of a seat in the match; None if there is none now."""
        if "/puzzles" in path:
            return self.program.get(f"/puzzles/{PUZZLE}").json()["decision"]
        bearer = {"Authorization": f"Bearer {self.secrets['japan']}"}
        return self.program.get("/seat", headers=bearer).json()["pending"]

    def places(self, path: str) -> list[dict[str, str] | None]:
        """Return path parameters: None for generated ones, and existing ones except for the endless event stream."""
        if path.endswith("/events"):
            return [None]
        ids = {"/campaigns": self.campaign, "/tournaments": self.cup, "/puzzles": PUZZLE}
        known = {
            "id": next((one for start, one in ids.items() if start in path), self.match),
            "game": "midway",
            "day": "2026-01-02",
            "link": self.link,
        }
        return [None, *({name: value} for name, value in known.items() if f"{{{name}}}" in path)]


@pytest.fixture(scope="module")
def interface(site: Site) -> Iterator[Interface]:
    """The schema as clients load it, and a running match."""
    config = SchemathesisConfig.from_str(CONFIG)
    schema = schemathesis.openapi.from_url(f"{site.url}/api/schema/openapi.json", config=config)
    with httpx.Client(base_url=f"{site.url}/api/v1", timeout=PATIENCE, verify=False) as program:
        new = program.post("/matches", json={"game": "midway"}).json()
        war = program.post("/campaigns", json={"campaign": "three-battles"}).json()
        cup = program.post("/tournaments", json={"title": "Cup", "game": "midway", "places": 16, "kind": "knockout"})
        author = enrolled(site.store).id
        scenario = site.store.scenarios.create(author, "midway", "A duel", 'title = "A duel"')
        site.store.scenarios.share(scenario, author, listed=True)
        link = site.store.scenarios.find(scenario, author).link or ""
        sides, entrant = war["sides"]["usa"], cup.json()
        yield Interface(
            site, schema, new["id"], new["seats"], program, war["id"], sides, link, entrant["id"], entrant["secret"]
        )


def test_all_operations_are_tested(interface: Interface) -> None:
    result = [operation.ok() for operation in interface.schema.get_all_operations()]
    assert sorted((operation.method.upper(), operation.path) for operation in result) == sorted(VERBS)


@pytest.mark.sample(2)
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize(("method", "path"), VERBS, ids=lambda value: value.rpartition("/")[2] or value)
def test_operations_conform_to_the_schema(interface: Interface, method: str, path: str, mode: GenerationMode) -> None:
    operation = interface.schema[path][method]
    seen: Counter[int] = Counter()
    for place in interface.places(path):

        @QUICK
        @given(case=operation.as_strategy(generation_mode=mode, path_parameters=place))
        def asks(case: Any) -> None:
            if mode is GenerationMode.POSITIVE:
                interface.help(case)
            for headers in interface.callers(path):
                answer = case.call(headers=headers, timeout=PATIENCE)
                seen[answer.status_code] += 1
                interface.learn(answer)
                ignored = [negative_data_rejection] if _strangers(operation, case) else []
                case.validate_response(answer, headers=headers, excluded_checks=[unsupported_method, *ignored])

        try:
            asks()
        except Unsatisfiable:
            assert mode is GenerationMode.NEGATIVE, "a verb without parameters cannot be asked wrongly"
    assert all(status < 500 for status in seen), seen
    assert mode is GenerationMode.NEGATIVE or path.endswith(SELDOM) or min(seen) < 300, seen


def _strangers(operation: Any, case: Any) -> bool:
    """Return whether the query has unknown parameters, which the API ignores."""
    known = {data["name"] for data in operation.definition.raw.get("parameters", ()) if data.get("in") == "query"}
    return bool(set(case.query or ()) - known)


@pytest.mark.torture(5)
def test_operation_sequences_conform_to_the_schema(interface: Interface) -> None:
    seen: Counter[int] = Counter()

    class Program(interface.schema.as_state_machine()):  # type: ignore[misc]
        def before_call(self, case: Any) -> None:
            interface.help(case)
            if case.operation.path.endswith("/events"):
                case.path_parameters["id"] = "none"

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return {"timeout": PATIENCE, "headers": {"Authorization": f"Bearer {interface.secrets['usa']}"}}

        def after_call(self, response: Any, case: Any) -> None:
            seen[response.status_code] += 1
            interface.learn(response)

    Program.run(settings=settings(QUICK, max_examples=60, stateful_step_count=5))
    assert {200, 201} <= seen.keys()
    assert all(status < 500 for status in seen), seen


def test_unknown_methods_are_rejected(site: Site, interface: Interface) -> None:
    with httpx.Client(base_url=site.url) as client:
        for path in {path for _, path in VERBS}:
            at = path.format(game="midway", id=interface.match, day="2026-01-02", link=interface.link)
            known = {method for method, known in VERBS if known == path} | {"OPTIONS"}
            for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"):
                if method not in known:
                    assert client.request(method, at).status_code == 405, (method, at)


def test_schema_lists_required_fields(interface: Interface) -> None:
    raw = interface.schema.raw_schema
    bodies = raw["components"]["schemas"]
    verbs = {(method.upper(), path): data for path, held in raw["paths"].items() for method, data in held.items()}
    asked = [data["requestBody"]["content"]["application/json"] for data in verbs.values() if "requestBody" in data]
    names = [body["schema"]["$ref"].rpartition("/")[2] for body in asked]
    assert len(names) > 5
    assert all(bodies[name]["additionalProperties"] is False for name in names)
    needed = {at: data.get("security") for at, data in verbs.items()}
    assert needed["POST", "/api/v1/matches/{id}/decisions"] == [{"seat": []}]
    assert needed["GET", "/api/v1/matches/{id}"] == [{}, {"seat": []}]
    assert needed["GET", "/api/v1/games"] is None
    since = next(p for p in verbs["GET", "/api/v1/matches/{id}"]["parameters"] if p["name"] == "since")
    assert (since["schema"]["minimum"], since["schema"]["maximum"]) == (0, 1_000_000)
