"""Tests of the API: all operations, errors and access rights."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import httpx
import msgspec
import pytest
from tests.web.server import PATIENCE, Site

from readyroom.web import catalog
from readyroom.web.api.response_models import Error, GameFacts, MatchStatus, PublicMatch
from readyroom.web.client import decision_of

Json = dict[str, Any]


@pytest.fixture
def program(site: Site) -> Iterator[httpx.Client]:
    """An API client without cookies."""
    with httpx.Client(base_url=f"{site.url}/api/v1", timeout=PATIENCE, verify=False) as client:
        yield client


def bearer(secret: str) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def opened(program: httpx.Client, **data: Any) -> tuple[str, dict[str, str]]:
    """Create a match; return its path and seat secrets."""
    answer = program.post("/matches", json={"game": "midway", **data})
    assert answer.status_code == 201, answer.text
    new = answer.json()
    return f"/matches/{new['id']}", new["seats"]


def standing(program: httpx.Client, match: str, secret: str = "", **asked: Any) -> Json:
    answer = program.get(match, params=asked, headers=bearer(secret) if secret else {})
    assert answer.status_code == 200, answer.text
    data: Json = answer.json()
    return data


def sample(pending: Json, random: Random) -> list[str]:
    return list(decision_of(pending).sample(random))


# -- games -----------------------------------------------------------------------------------------------------------


def test_games_are_listed(program: httpx.Client) -> None:
    data = program.get("/games").json()
    assert [game["key"] for game in data] == list(catalog.games())
    game = program.get("/games/midway").json()
    assert game in data
    assert [seat["key"] for seat in game["seats"]] == ["japan", "usa"]
    assert game["bots"][0] == "guarded"
    assert msgspec.convert(game, GameFacts, strict=True).key == "midway"
    assert program.get("/games/chess").status_code == 404


# -- creating matches ------------------------------------------------------------------------------------------------


def test_solitaire_match_starts_at_once(program: httpx.Client) -> None:
    match, secrets = opened(program, seats={"usa": "bot:doctrine"})
    assert list(secrets) == ["japan"]
    assert len(secrets["japan"]) == 43
    assert standing(program, match)["begun"]


def test_match_waits_for_friends(program: httpx.Client) -> None:
    match, secrets = opened(program, seats={"usa": "friend"}, words="mine")
    assert not standing(program, match)["begun"]
    waiting = program.post(f"{match}/decisions", json={"keys": [], "revision": 0}, headers=bearer(secrets["usa"]))
    assert (waiting.status_code, waiting.json()["error"]) == (409, "NotBegun")
    response = program.post(f"{match}/sit", json={"words": "yours"}, headers=bearer(secrets["usa"]))
    assert response.status_code == 200
    assert response.json()["begun"]
    assert response.json()["seat"] == "usa"


def test_created_match_has_requested_settings(site: Site, program: httpx.Client) -> None:
    match, _ = opened(
        program,
        scenario="daybreak",
        options={"seats": "groups", "turn_limit": "8"},
        seats={"japan": "bot:random", "usa": "anyone", "hornet": "me"},
        pace="days",
        listed=True,
    )
    data = standing(program, match)
    assert data["scenario"] == "Found at daybreak"
    assert data["options"]["turn_limit"] == "8"
    assert data["pace"] == "days"
    assert (data["seats"][0]["key"], data["seats"][0]["bot"]) == ("hiryu", "random")
    summary = site.store.listings.summary(data["id"])
    assert [seat.key for seat in summary.seats if seat.open] == ["enterprise", "yorktown"]


@pytest.mark.parametrize(
    ("data", "status", "error"),
    [
        ({"game": "chess"}, 404, "UnknownGame"),
        ({"scenario": "atlantis"}, 404, "UnknownScenario"),
        ({"scenario": "../../etc/passwd.toml"}, 404, "UnknownScenario"),
        ({"options": {"tea": "yes"}}, 404, "UnknownOption"),
        ({"seats": {"atlantis": "me"}}, 404, "UnknownSeat"),
        ({"seats": {"usa": "bot:deep-blue"}}, 404, "UnknownBot"),
        ({"seats": {"usa": "the cat"}}, 422, "BadSeating"),
        ({"own": "title = 3"}, 422, "DataMisfit"),
        ({"own": "a = " + "[" * 5000}, 422, "DataMisfit"),
        ({"pace": "slow"}, 400, "ValidationException"),
        ({"words": "x" * 201}, 400, "ValidationException"),
        ({"surprise": 1}, 400, "ValidationException"),
        ({"game": None}, 400, "ValidationException"),
    ],
)
def test_invalid_match_is_rejected(program: httpx.Client, data: Json, status: int, error: str) -> None:
    answer = program.post("/matches", json={"game": "midway", **data})
    assert (answer.status_code, answer.json()["error"]) == (status, error)
    msgspec.convert(answer.json(), Error)


# -- match state -----------------------------------------------------------------------------------------------------


def test_status_matches_schema(program: httpx.Client) -> None:
    match, secrets = opened(program, seats={"usa": "bot:doctrine"})
    random = Random(4)
    for _ in range(12):
        data = standing(program, match, secrets["japan"], since=0, view=True)
        assert data.keys() == {field.name for field in msgspec.structs.fields(MatchStatus)}
        exact = msgspec.convert(data, MatchStatus, strict=True)
        assert json.loads(msgspec.json.encode(exact)) == data, "the response has nothing beyond the schema"
        if data["pending"] is None:
            break
        answer = {"keys": sample(data["pending"], random), "revision": data["pending"]["revision"]}
        program.post(f"{match}/decisions", json=answer, headers=bearer(secrets["japan"]))


def test_log_starts_at_requested_line(program: httpx.Client) -> None:
    match, secrets = opened(program)
    random, seen = Random(2), list[Json]()
    for _ in range(120):
        for secret in secrets.values():
            data = standing(program, match, secret)
            assert data["log"] == []
            if data["pending"] is not None:
                answer = {"keys": sample(data["pending"], random), "revision": data["pending"]["revision"]}
                done = program.post(f"{match}/decisions", json=answer, headers=bearer(secret))
                assert done.status_code == 200, done.text
        new = standing(program, match, since=len(seen))
        seen += new["log"]
        assert new["lines"] == len(seen)
    assert standing(program, match, since=0)["log"] == seen
    assert seen


def test_spectator_has_no_decision_and_public_view(site: Site, program: httpx.Client) -> None:
    match, secrets = opened(program)
    data = standing(program, match, view=True)
    assert (data["seat"], data["pending"], data["can_undo"]) == (None, None, False)
    with site.store.matches.open(data["id"]) as live:
        assert data["view"] == json.loads(msgspec.json.encode(live.view(None)))
    mine = standing(program, match, secrets["usa"], view=True)
    assert mine["view"]["seat"] == "usa"
    assert mine["view"] != data["view"]


# -- decisions -------------------------------------------------------------------------------------------------------


def test_full_match_is_played_and_verified(program: httpx.Client) -> None:
    match, secrets = opened(program, options={"turn_limit": "8"})
    random, data = Random(7), standing(program, match)
    assert program.get(f"{match}/record").json()["error"] == "NotOver"
    while data["outcome"] is None:
        seat = data["waiting"][0]
        if data["seat"] != seat:
            data = standing(program, match, secrets[seat])
        answer = {"keys": sample(data["pending"], random), "revision": data["pending"]["revision"]}
        done = program.post(f"{match}/decisions", json=answer, headers=bearer(secrets[seat]))
        assert done.status_code == 200, done.text
        before, data = data["revision"], done.json()
        assert data["revision"] == before + 1 or data["outcome"]
    assert data["secret"] is not None
    over = program.post(f"{match}/decisions", json={"keys": [], "revision": 1}, headers=bearer(secrets["usa"]))
    assert (over.status_code, over.json()["error"]) == (409, "MatchOver")
    record = program.get(f"{match}/record")
    assert record.headers["content-type"].startswith("application/jsonl")
    assert record.text.splitlines()[-1].startswith('{"outcome"')


def test_illegal_answer_returns_legal_options(program: httpx.Client) -> None:
    match, secrets = opened(program, seats={"usa": "bot:doctrine"})
    pending = standing(program, match, secrets["japan"])["pending"]
    answer = {"keys": ["kamikaze"], "revision": pending["revision"]}
    refused = program.post(f"{match}/decisions", json=answer, headers=bearer(secrets["japan"]))
    assert (refused.status_code, refused.json()["error"]) == (422, "IllegalChoice")
    assert refused.json()["rule"] == pending["rule"]
    assert refused.json()["legal"] == [option["key"] for option in pending["options"]]
    assert standing(program, match, secrets["japan"])["pending"] == pending


def test_replayed_answer_is_rejected(program: httpx.Client) -> None:
    match, secrets = opened(program)
    seat = standing(program, match)["waiting"][0]
    pending = standing(program, match, secrets[seat])["pending"]
    answer = {"keys": sample(pending, Random(1)), "revision": pending["revision"]}
    assert program.post(f"{match}/decisions", json=answer, headers=bearer(secrets[seat])).status_code == 200
    again = program.post(f"{match}/decisions", json=answer, headers=bearer(secrets[seat]))
    assert again.status_code == 409
    assert again.json()["error"] in ("MovedOn", "NotYourDecision")


def test_undo_reverts_decision(program: httpx.Client) -> None:
    match, secrets = opened(program)
    random, data, seat = Random(3), dict[str, Any](), ""
    for _ in range(200):
        seat = standing(program, match)["waiting"][0]
        data = standing(program, match, secrets[seat])
        body = {"keys": sample(data["pending"], random), "revision": data["pending"]["revision"]}
        done = program.post(f"{match}/decisions", json=body, headers=bearer(secrets[seat])).json()
        if done["can_undo"]:
            break
    back = program.post(f"{match}/undo", headers=bearer(secrets[seat]))
    assert back.status_code == 200, back.text
    assert back.json()["pending"]["question"] == data["pending"]["question"]
    assert back.json()["revision"] == done["revision"] + 1
    other = next(key for key in secrets if key != seat)
    excluded = program.post(f"{match}/undo", headers=bearer(secrets[other]))
    assert (excluded.status_code, excluded.json()["error"]) == (409, "CannotUndo")
    assert program.post(f"{match}/undo").status_code == 401


# -- other match operations ------------------------------------------------------------------------------------------


def test_joined_seat_reports_new_secret(program: httpx.Client) -> None:
    match, secrets = opened(program, seats={"usa": "friend"})
    host, guest = (seat["sits"] for seat in standing(program, match)["seats"])
    assert re.fullmatch(r"\w+ \w+ \(program\)", host)
    assert guest == "invited"
    program.post(f"{match}/sit", json={"name": "Deep Sea"}, headers=bearer(secrets["usa"]))
    program.post(f"{match}/sit", json={"name": "Deep Sea"}, headers=bearer(secrets["usa"]))
    assert [seat["sits"] for seat in standing(program, match)["seats"]] == [host, "Deep Sea"]


def test_open_seat_is_listed_and_joined(program: httpx.Client) -> None:
    match, _ = opened(program, seats={"usa": "anyone"}, listed=True)
    ident = match.removeprefix("/matches/")
    result = next(data for data in program.get("/matches").json() if data["id"] == ident)
    assert msgspec.to_builtins(msgspec.convert(result, PublicMatch, strict=True)) == result
    assert [seat["key"] for seat in result["seats"] if seat["open"]] == ["usa"]
    taken = program.post(f"{match}/take", json={"seat": "usa", "name": "Spruance"})
    assert (taken.status_code, taken.json()["begun"]) == (201, True)
    assert standing(program, match, taken.json()["secret"])["seat"] == "usa"
    again = program.post(f"{match}/take", json={"seat": "usa"})
    assert (again.status_code, again.json()["error"]) == (409, "SeatTaken")
    assert program.post(f"{match}/take", json={"seat": "x"}).status_code == 404


def test_seat_starts_match_without_host(site: Site, program: httpx.Client) -> None:
    match, secrets = opened(program, seats={"usa": "friend"})
    assert program.post(f"{match}/begin").status_code == 401
    begun = program.post(f"{match}/begin", headers=bearer(secrets["japan"]))
    assert (begun.status_code, begun.json()["begun"]) == (200, True)
    with site.browser() as browser:
        hosted = browser.begin(seat_japan="me", seat_usa="friend")
        secret = browser.links(hosted)["usa"].removeprefix("/s/")
        refused = program.post(f"/matches/{hosted}/begin", headers=bearer(secret))
        assert (refused.status_code, refused.json()["error"]) == (403, "NotTheHost")


def test_new_link_invalidates_old_one(program: httpx.Client) -> None:
    match, secrets = opened(program)
    made = program.post(f"{match}/link", json={}, headers=bearer(secrets["usa"])).json()
    assert made["seat"] == "usa"
    assert program.get(match, headers=bearer(secrets["usa"])).status_code == 401
    assert standing(program, match, made["secret"])["seat"] == "usa"


def test_sent_secret_is_replaced_by_own(program: httpx.Client) -> None:
    match, secrets = opened(program, seats={"usa": "friend"})
    program.post(f"{match}/sit", json={}, headers=bearer(secrets["usa"]))
    assert standing(program, match, secrets["usa"])["lent"]
    mine = "m" * 43
    for brought in (secrets["usa"], mine):
        made = program.post(f"{match}/link", json={"secret": mine}, headers=bearer(brought))
        assert (made.status_code, made.json()["secret"]) == (201, mine), "asked again, it is answered again"
    assert program.get(match, headers=bearer(secrets["usa"])).status_code == 401
    data = standing(program, match, mine)
    assert (data["seat"], data["lent"]) == ("usa", False)
    short = program.post(f"{match}/link", json={"secret": "short"}, headers=bearer(mine))
    assert short.status_code == 400
    taken = program.post(f"{match}/link", json={"secret": mine}, headers=bearer(secrets["japan"]))
    assert taken.status_code == 422


def test_seat_is_assigned_to_bot_and_reclaimed(program: httpx.Client) -> None:
    match, secrets = opened(program)
    handed = program.post(f"{match}/hand-over", json={"bot": "random"}, headers=bearer(secrets["usa"]))
    assert handed.status_code == 200
    assert {seat["key"]: seat["bot"] for seat in handed.json()["seats"]} == {"japan": "", "usa": "random"}
    again = program.post(f"{match}/hand-over", json={"bot": "random"}, headers=bearer(secrets["usa"]))
    assert again.status_code == 409
    back = program.post(f"{match}/sit", json={}, headers=bearer(secrets["usa"])).json()
    assert all(seat["sits"].endswith(" (program)") for seat in back["seats"])
    response = program.post(f"{match}/hand-over", json={"bot": "nobody"}, headers=bearer(secrets["usa"]))
    assert (response.status_code, response.json()["error"]) == (404, "UnknownBot")


def test_invitation_shows_what_spectators_see_and_can_only_join(program: httpx.Client) -> None:
    match, secrets = opened(program, seats={"usa": "friend"})
    program.post(f"{match}/begin", headers=bearer(secrets["japan"]))
    spectator, invited = (standing(program, match, each, view=True, since=0) for each in ("", secrets["usa"]))
    assert invited["seat"] == "usa"
    assert [invited[key] for key in ("view", "log", "pending")] == [
        spectator[key] for key in ("view", "log", "pending")
    ]
    program.post(f"{match}/talk", json={"text": "Secret", "to": "side"}, headers=bearer(secrets["japan"]))
    for path, data in (("decisions", {"keys": [], "revision": 0}), ("resign", None), ("hand-over", {"bot": "random"})):
        refused = program.post(f"{match}/{path}", json=data, headers=bearer(secrets["usa"]))
        assert (refused.status_code, refused.json()["error"]) == (403, "NotYourSeat"), path
    joined = program.post(f"{match}/sit", json={}, headers=bearer(secrets["usa"])).json()
    assert joined["pending"] or joined["seat"] == "usa"
    assert standing(program, match, secrets["usa"], view=True)["view"] != spectator["view"]


def test_new_secret_ends_the_stream_of_the_old_one(program: httpx.Client) -> None:
    match, secrets = opened(program, seats={"japan": "bot:doctrine"})
    with program.stream("GET", f"{match}/events", headers=bearer(secrets["usa"])) as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: here"
        assert program.post(f"{match}/link", json={}, headers=bearer(secrets["usa"])).status_code == 201
        assert "event: seats" in list(lines), "the stream ends"


def test_chat_reaches_its_audience_only(program: httpx.Client) -> None:
    match, secrets = opened(program, seats={"usa": "friend"})
    for text, to, seat in (("Good luck", "all", "usa"), ("Scout north", "side", "japan")):
        response = program.post(f"{match}/talk", json={"text": text, "to": to}, headers=bearer(secrets[seat]))
        assert response.status_code == 204, response.text
    assert program.post(f"{match}/talk", json={"text": "x"}).status_code == 401
    events = {
        seat: [data["text"] for data in program.get(f"{match}/talk", headers=bearer(secret)).json()]
        for seat, secret in secrets.items()
    }
    assert events == {"japan": ["Good luck", "Scout north"], "usa": ["Good luck"]}
    public = program.get(f"{match}/talk").json()
    assert [(data["text"], data["side"]) for data in public] == [("Good luck", None)]
    assert public[0]["name"].endswith(" (program)")


def test_program_that_looks_keeps_its_match(site: Site, program: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    match, secrets = opened(program, seats={"usa": "friend"})
    match_id = match.rpartition("/")[2]
    with monkeypatch.context() as patch:
        patch.setattr("readyroom.store.admin.expiry.now", lambda: time.time() + 366 * 86400)
        site.app.state.site.expire()
    assert program.get(match).status_code == 200
    assert site.store.listings.summary(match_id).expires is not None, "a spectator is no player"
    assert program.get(match, headers=bearer(secrets["usa"])).status_code == 200
    assert site.store.listings.summary(match_id).expires is None


def test_hint_answers_own_decision(program: httpx.Client) -> None:
    match, secrets = opened(program)
    seat = standing(program, match)["waiting"][0]
    pending = standing(program, match, secrets[seat])["pending"]
    data = program.get(f"{match}/advice", headers=bearer(secrets[seat])).json()
    assert (data["bot"], data["revision"]) == ("guarded", pending["revision"])
    answer = {"keys": data["keys"], "revision": data["revision"]}
    other = next(key for key in secrets if key != seat)
    assert program.get(f"{match}/advice", headers=bearer(secrets[other])).json()["keys"] == []
    assert program.get(f"{match}/advice").status_code == 401
    assert program.post(f"{match}/decisions", json=answer, headers=bearer(secrets[seat])).status_code == 200


def test_takeback_is_requested_accepted_declined_and_cancelled(site: Site, program: httpx.Client) -> None:
    match, secrets = opened(program)
    ident, random = match.removeprefix("/matches/"), Random(3)
    for _ in range(300):
        seat = standing(program, match)["waiting"][0]
        data = standing(program, match, secrets[seat])
        body = {"keys": sample(data["pending"], random), "revision": data["pending"]["revision"]}
        program.post(f"{match}/decisions", json=body, headers=bearer(secrets[seat]))
        with site.store.matches.open(ident) as live:
            before = live.takeback_position(seat)
            continues = live.decision_count - before if before is not None else 0
        if continues:
            break
    other = next(key for key in secrets if key != seat)
    asks = program.post(f"{match}/ask-back", headers=bearer(secrets[seat]))
    assert asks.status_code == 200, asks.text
    wish = program.get(f"{match}/ask-back").json()
    assert (wish["seat"], wish["decisions"]) == (seat, continues)
    assert wish["sentence"].endswith("1 decision would be undone.")
    assert " requests a takeback to turn " in wish["sentence"]
    program.post(f"{match}/allow-back", json={"allow": False}, headers=bearer(secrets[seat]))
    assert program.get(f"{match}/ask-back").json() is None
    program.post(f"{match}/ask-back", headers=bearer(secrets[seat]))
    assert program.post(f"{match}/allow-back", json={"allow": True}, headers=bearer(secrets[seat])).status_code == 403
    given = program.post(f"{match}/allow-back", json={"allow": True}, headers=bearer(secrets[other]))
    assert given.status_code == 200
    assert standing(program, match, secrets[seat])["pending"]["question"] == data["pending"]["question"]


def test_draw_is_offered_and_declined_and_seat_resigns(site: Site, program: httpx.Client) -> None:
    match, secrets = opened(program)
    one, other = (bearer(secrets[seat]) for seat in ("japan", "usa"))
    assert program.get(f"{match}/draw").json() is None
    assert program.post(f"{match}/draw").status_code == 401
    assert program.post(f"{match}/draw", headers=one).status_code == 200
    assert program.get(f"{match}/draw").json() == {"seat": "japan"}
    assert program.post(f"{match}/draw-answer", json={"accept": True}, headers=one).status_code == 403
    assert program.post(f"{match}/draw-answer", json={"accept": False}, headers=other).status_code == 200
    assert program.get(f"{match}/draw").json() is None
    assert program.post(f"{match}/draw", headers=one).status_code == 409
    assert program.post(f"{match}/resign").status_code == 401
    status = program.post(f"{match}/resign", headers=other).json()
    assert status["decided"] == {"how": "resigned", "winner": "japan"}
    assert status["outcome"] is None
    assert program.post(f"{match}/resign", headers=one).status_code == 409


# -- access rights ---------------------------------------------------------------------------------------------------


def test_only_the_seat_may_answer(program: httpx.Client) -> None:
    match, secrets = opened(program)
    waiting = standing(program, match)["waiting"]
    seat = waiting[0]
    pending = standing(program, match, secrets[seat])["pending"]
    answer = {"keys": sample(pending, Random(1)), "revision": pending["revision"]}
    other = next(key for key in secrets if key != seat)
    response = program.post(f"{match}/decisions", json=answer)
    assert response.status_code == 401
    assert response.headers["www-authenticate"] == "Bearer"
    assert program.post(f"{match}/decisions", json=answer, headers=bearer("x" * 43)).status_code == 401
    assert program.post(f"{match}/decisions", json=answer, headers={"Authorization": "Basic eDp5"}).status_code == 401
    wrong = program.post(f"{match}/decisions", json=answer, headers=bearer(secrets[other]))
    assert wrong.status_code in (409, 422), "the other side answers its own question or none"
    elsewhere, others = opened(program)
    table = program.post(f"{match}/decisions", json=answer, headers=bearer(others[seat]))
    assert (table.status_code, table.json()["error"]) == (403, "NotYourSeat")
    assert program.get(elsewhere, headers=bearer(secrets[seat])).status_code == 403
    assert standing(program, match, secrets[seat])["revision"] == pending["revision"]


def test_cookie_does_not_authenticate(site: Site, program: httpx.Client) -> None:
    with site.browser() as browser:
        match = browser.begin(seat_japan="me", seat_usa="bot:doctrine")
        answer = browser.post(f"/api/v1/matches/{match}/decisions", json={"keys": [], "revision": 0})
        assert answer.status_code == 401
        assert browser.get(f"/api/v1/matches/{match}").json()["seat"] is None


def test_program_and_browser_share_a_seat(site: Site, program: httpx.Client) -> None:
    with site.browser() as browser:
        match = browser.begin(seat_japan="bot:doctrine", seat_usa="friend")
        secret = browser.links(match)["usa"].removeprefix("/s/")
        response = program.post(f"/matches/{match}/sit", json={}, headers=bearer(secret))
        assert response.json()["begun"]
        assert response.json()["pending"] is not None


def test_secrets_and_hidden_plans_are_not_returned(site: Site, program: httpx.Client) -> None:
    match, secrets = opened(program, options={"turn_limit": "8"})
    random, events = Random(11), dict[str, str]()
    ident = match.removeprefix("/matches/")
    with site.store.matches.open(ident) as live:
        dice = live.secret
    assert dice is not None
    for _ in range(60):
        for seat in (*secrets, ""):
            answer = program.get(
                match, params={"since": 0, "view": True}, headers=bearer(secrets[seat]) if seat else {}
            )
            events[seat] = answer.text
            for word in (*secrets.values(), dice.hex()):
                assert word not in answer.text
        data = {seat: json.loads(events[seat]) for seat in secrets}
        for seat, mine in data.items():
            if mine["pending"] is not None:
                question = mine["pending"]["question"]
                assert question not in events[""]
                assert mine["pending"]["seat"] == seat
        seat = next(seat for seat in secrets if data[seat]["pending"])
        pending = data[seat]["pending"]
        body = {"keys": sample(pending, random), "revision": pending["revision"]}
        assert program.post(f"{match}/decisions", json=body, headers=bearer(secrets[seat])).status_code == 200


# -- malformed requests ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"x"',
        b'{"keys": "usa", "revision": 0}',
        b'{"keys": [1], "revision": 0}',
        b'{"keys": [], "revision": -1}',
        b'{"keys": [], "revision": 1e9999}',
        b'{"keys": ["\\ud800"], "revision": 0}',
        b'{"keys": [], "revision": 0, "more": 1}',
        b'{"keys": ' + b"[" * 20_000,
        b"\xff\xfe\x00",
    ],
)
def test_malformed_answer_is_rejected(program: httpx.Client, body: bytes) -> None:
    match, secrets = opened(program)
    headers = {**bearer(secrets["usa"]), "Content-Type": "application/json"}
    answer = program.post(f"{match}/decisions", content=body, headers=headers)
    assert answer.status_code in (400, 422), answer.text
    assert standing(program, match)["revision"] == 0


def test_oversized_answer_is_rejected(program: httpx.Client) -> None:
    match, secrets = opened(program)
    answer = {"keys": ["x" * 150] * 1000, "revision": 0}
    assert program.post(f"{match}/decisions", json=answer, headers=bearer(secrets["usa"])).status_code == 413

    def drip() -> Iterator[bytes]:
        yield from (b" " * 10_000 for _ in range(20))

    headers = {**bearer(secrets["usa"]), "Content-Type": "application/json"}
    assert program.post(f"{match}/decisions", content=drip(), headers=headers).status_code == 413


@pytest.mark.parametrize("match", ["x", "..", "%00", "a'b", "ä", "x" * 3000])
def test_unknown_match_returns_404(program: httpx.Client, match: str) -> None:
    assert program.get(f"/matches/{match}").status_code == 404


@pytest.mark.parametrize("query", ["since=-1", "since=x", "since=99999999999", "view=perhaps"])
def test_invalid_query_is_rejected(program: httpx.Client, query: str) -> None:
    match, _ = opened(program)
    assert program.get(f"{match}?{query}").status_code == 400


# -- events ----------------------------------------------------------------------------------------------------------


def test_event_stream_reports_moves(program: httpx.Client) -> None:
    match, secrets = opened(program, seats={"japan": "bot:doctrine"})
    data = standing(program, match, secrets["usa"])
    with program.stream("GET", f"{match}/events", headers=bearer(secrets["usa"])) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert "content-encoding" not in stream.headers
        lines = stream.iter_lines()
        assert [next(lines), next(lines), next(lines)] == ["event: here", f"data: {data['revision']}", ""]
        answer = {"keys": sample(data["pending"], Random(1)), "revision": data["pending"]["revision"]}
        done = program.post(f"{match}/decisions", json=answer, headers=bearer(secrets["usa"])).json()
        assert [next(lines), next(lines)] == ["event: moved", f"data: {done['revision']}"]
