"""Tests of the pages and the API of campaigns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from httpx import Response
from tests.web.clients import Guest, Site, open_site, run_here

from readyroom.bots.turns import play_turn
from readyroom.campaign.library import campaign_text
from readyroom.campaign.record import verify_war
from readyroom.web.jobs.workers import WorkerPool


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(WorkerPool, "submit", run_here)
    with open_site(tmp_path) as site:
        yield site


def create(guest: Guest, campaign: str = "three-battles", **fields: Any) -> str:
    """Create a campaign with the form; return the address of its war room."""
    sides = {"side-usa": "me", "side-japan": "friend"}
    response = guest.post("/campaigns/new", {"campaign": campaign, **sides, **fields})
    assert response.status_code == 303, response.text
    return response.headers["location"]


def play_on(site: Site, room: str) -> None:
    """Let bots play the chapter in progress to its end."""
    match = site.store.campaigns.summary(room.split("/")[-1]).current
    while (turn := site.store.matches.bot_turn(match)) is not None:
        site.store.matches.apply_bot_turn(turn, play_turn(turn))
    if site.store.listings.summary(match).outcome is None:
        site.play_until(match)


def undecided(site: Site, war: str) -> tuple[str, str]:
    return site.store.campaigns.undecided(site.store.campaigns.summary(war), site.store.campaigns.war(war))


def api(site: Site, method: str, path: str, secret: str = "", **more: Any) -> Response:
    site.client.cookies.clear()
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    return site.client.request(method, f"/api/v1{path}", headers=headers, **more)


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_two_people_play_chapter_after_chapter_and_read_why(site: Site) -> None:
    ann, ben, eve = site.guest("Ann"), site.guest(), site.guest("Eve")
    room = create(ann, variant="half-an-hour")
    waiting = ann.page(room)
    assert "Waiting for players" in waiting
    link = re.findall(r'value="[^"]*(/campaigns/join/[^"]+)"', waiting)[0]
    assert link not in eve.page(room)
    assert "You are invited" in ben.page(link)
    assert ben.post(link, {"name": "Ben"}).headers["location"] == room
    assert "Someone has joined" in eve.page(link)
    page = ann.page(room)
    match = re.findall(r'href="(/m/\w+)"', page)[0]
    assert f'href="{room}">War room</a>' in ben.page(match)
    assert "Play: your turn" in page + ben.page(room)
    assert "Ten days" not in page, "a chapter of half an hour says so"
    assert "7 December 1941" in page
    play_on(site, room)
    over = ann.page(match)
    assert "Match over" in over
    assert "Rematch" not in over
    assert f'class="button button-strong" href="{room}">War room</a>' in over
    page = text_of(ann.page(room))
    assert "Chapter 2 of 3" in page
    assert "The next battle: Midway" in page
    links = re.findall(r'href="(/m/\w+/replay\?at=\d+&amp;seat=all|/m/\w+/replay\?at=\d+&seat=all)"', eve.page(room))
    assert "/replay?at=" in eve.page(room)
    assert all(eve.get(each.replace("&amp;", "&")).status_code == 200 for each in links[:1])
    for guest, side, kind in ((ann, "usa", "skip"), (ben, "japan", "end")):
        assert guest.post(f"{room}/offer", {"side": side, "kind": kind}).status_code == 303
        assert eve.post(f"{room}/offer/answer", {"accept": "yes"}).status_code == 403
        other = ben if guest is ann else ann
        assert other.post(f"{room}/offer/answer", {"accept": "yes"}).status_code == 303
    over = text_of(eve.page(room))
    assert "The war is over" in over
    assert "by agreement" in over
    chronicle = text_of(eve.page(f"{room}/chronicle"))
    assert "Against history" in chronicle
    assert "## 1. Pearl Harbor" in eve.page(f"{room}/chronicle.md")
    assert "Verified:" in text_of(eve.page(f"{room}/verify"))
    record = eve.page(f"{room}/record.jsonl")
    assert verify_war(record).closed is not None
    files = {"record": ("war.jsonl", record.encode())}
    eve.get("/me")
    imported = eve._ask("POST", "/me/import", data={"_csrf_token": eve.token}, files=files)
    assert imported.headers["location"].startswith("/campaigns/")
    assert eve.page(f"{imported.headers['location']}/record.jsonl") == record
    assert all(title in ann.page("/campaigns") for title in ("My campaigns", "The Long War"))


def test_sealed_order_is_shown_to_its_side_alone(site: Site) -> None:
    ann, ben, eve = site.guest("Ann"), site.guest("Ben"), site.guest("Eve")
    room = create(ann, "long-war", listed="yes")
    war = room.split("/")[-1]
    link = re.findall(r'value="[^"]*(/campaigns/join/[^"]+)"', ann.page(room))[0]
    ben.post(link)
    while not site.store.campaigns.undecided(
        summary := site.store.campaigns.summary(war), site.store.campaigns.war(war)
    )[0]:
        if site.store.campaigns.undecided(summary, site.store.campaigns.war(war))[1]:
            behind = ann if site.store.campaigns.war(war).behind() == "usa" else ben
            assert behind.post(f"{room}/risk", {"call": "no"}).status_code == 303
        else:
            assert ann.post(f"{room}/offer", {"side": "usa", "kind": "skip"}).status_code == 303
            assert ben.post(f"{room}/offer/answer", {"accept": "yes"}).status_code == 303
    due = [choice.text for choice in site.store.campaigns.due(war)[1]]
    assert len(due) == 1
    assert due[0].startswith("Japan: seal an order before ")
    assert "Seal an order" in ben.page(room)
    assert "Seal an order" not in ann.page(room)
    assert ann.post(f"{room}/order", {"order": "noon"}).status_code == 403
    assert ben.post(f"{room}/order", {"order": "noon"}).status_code == 303
    assert "Both at noon" in ben.page(room)
    match = site.store.campaigns.summary(war).current
    hidden = site.store.records.source(match).parsed.sealed
    assert hidden is not None
    paths = [f"{room}{part}" for part in ("", "/chronicle", "/chronicle.md", "/record.jsonl", "/verify")]
    paths += ["/campaigns", "/", f"/api/v1/campaigns/{war}", f"/api/v1/campaigns/{war}/record", f"/m/{match}"]
    paths += [
        f"/m/{match}/{part}" for part in ("report", "replay", "dice.json", "table", "record.jsonl", "playback?since=0")
    ]
    for guest in (ann, eve):
        for path in paths:
            shown = guest.get(path).text
            if shown.startswith('{"readyroom":1,"campaign":'):  # its first line is the campaign's file
                shown = shown.partition("\n")[2]
            assert not any(word in shown for word in ("Both at noon", '"noon"', hidden.salt, "raids = ")), path
    assert ann.get(f"/m/{match}/advice?seat=captain").status_code == 409  # it would know the order
    assert ann.get(f"/m/{match}/analysis?seat=captain").status_code == 409
    play_on(site, room)
    assert "order: Both at noon" in text_of(eve.page(room))


def test_program_plays_a_side_by_its_secret(site: Site) -> None:
    new = {"campaign": "three-battles", "variants": ["half-an-hour"], "sides": {"japan": "bot:doctrine"}}
    created = api(site, "POST", "/campaigns", json=new).json()
    war, secret = created["id"], created["sides"]["usa"]
    seats = api(site, "POST", f"/campaigns/{war}/seats", secret).json()
    assert list(seats["seats"]) == ["usa"]
    assert api(site, "GET", "/seat", seats["seats"]["usa"]).json()["id"] == seats["match"]
    status = api(site, "GET", f"/campaigns/{war}", secret).json()
    assert (status["tide"], status["current"], status["chapters"][0]["state"]) == (0, seats["match"], "now")
    assert api(site, "POST", f"/campaigns/{war}/choices", json={"offer": "skip"}).status_code == 401
    skipped = api(site, "POST", f"/campaigns/{war}/choices", secret, json={"offer": "skip"}).json()
    assert skipped["chapters"][1]["state"] == "now"
    assert api(site, "POST", f"/campaigns/{war}/choices", secret, json={"order": "noon"}).status_code == 409
    assert api(site, "POST", "/campaigns", json={"campaign": "/etc/war.toml"}).status_code == 404


def test_link_by_which_a_person_has_joined_is_no_token(site: Site) -> None:
    host, friend = site.guest("Nimitz"), site.guest("Nagumo")
    room = create(host)
    war = room.split("/")[-1]
    link = re.findall(r"/campaigns/join/([\w-]{43})", host.page(room))[0]
    assert api(site, "GET", f"/campaigns/{war}", link).status_code == 200
    assert friend.post(f"/campaigns/join/{link}").status_code == 303
    assert friend.get(f"/campaigns/join/{link}").headers["location"] == room
    for method, path in (("GET", ""), ("POST", "/seats"), ("POST", "/choices")):
        more = {"json": {"offer": "end"}} if path == "/choices" else {}
        assert api(site, method, f"/campaigns/{war}{path}", link, **more).status_code == 401, path
    assert not site.store.campaigns.summary(war).offer


def test_form_keeps_its_fields_on_an_error(site: Site) -> None:
    ann = site.guest("Ann")
    wrong = {"campaign": "three-battles", "side-usa": "bot:doctrine", "side-japan": "bot:nobody"}
    response = ann.post("/campaigns/new", wrong)
    assert response.status_code == 422
    assert "no bot" in response.text
    assert ann.get("/campaigns/nowhere").status_code == 404
    assert ann.get("/campaigns/new?campaign=nowhere").status_code == 404
    assert ann.get("/campaigns/join/nowhere").status_code == 404
    assert ann.post("/campaigns/new", {"campaign": "three-battles", "solo": "usa"}).status_code == 303


def upload(guest: Guest, **texts: str) -> Response:
    """Upload files of a campaign; a name such as `own_toml` is for `own.toml`."""
    guest.get("/campaigns")
    parts = [("files", (name.replace("_", "."), text.encode())) for name, text in texts.items()]
    return guest._ask("POST", "/campaigns/own", data={"_csrf_token": guest.token}, files=parts)


def test_own_campaign_with_own_scenario_is_uploaded_and_played(site: Site) -> None:
    ann = site.guest("Ann")
    shipped, _ = campaign_text("three-battles")
    text = shipped.replace('title = "The Long War', 'title = "Our War', 1)
    text = text.replace('scenario = "midway"', 'scenario = "own.toml"', 1)
    scenario = (files("readyroom.games.midway") / "data" / "scenarios" / "midway.toml").read_text(encoding="utf-8")
    refused = upload(ann, war_toml=text)
    assert refused.status_code == 422
    assert "war.toml: at line 58, chapter[1].scenario: expected a scenario file next to" in unescape(refused.text)
    refused = upload(ann, war_toml=text.replace('into = "yard"', 'into = "yards"', 1), own_toml=scenario)
    assert "did you mean 'yard'" in unescape(refused.text)
    assert "a campaign's file with chapters" in unescape(upload(ann, own_toml=scenario).text)
    form = upload(ann, own_toml=scenario, war_toml=text)
    assert "New campaign: Our War" in form.text
    own = unescape(re.findall(r'name="own" value="([^"]*)"', form.text)[0])
    assert ann.post("/campaigns/new", {"own": "{", "side-usa": "me"}).status_code == 422
    fields = {"own": own, "side-usa": "me", "side-japan": "bot:doctrine", "variant": "half-an-hour"}
    wrong = ann.post("/campaigns/new", {**fields, "side-japan": "bot:nobody"})
    assert unescape(re.findall(r'name="own" value="([^"]*)"', wrong.text)[0]) == own
    room = ann.post("/campaigns/new", fields).headers["location"]
    assert "Our War" in ann.page(room)
    war = site.store.campaigns.war(room.split("/")[-1])
    assert war.header.files == {"own.toml": scenario}
    assert war.header.variants == ["half-an-hour"]


def test_program_uploads_a_campaign(site: Site) -> None:
    text, _ = campaign_text("three-battles")
    opened = api(site, "POST", "/campaigns", json={"text": text, "sides": {"japan": "bot:doctrine"}})
    assert opened.status_code == 201
    refused = api(site, "POST", "/campaigns", json={"text": text.replace('game = "tora"', 'game = "torra"', 1)})
    assert (refused.status_code, "did you mean 'tora'" in refused.text) == (422, True)


def test_own_campaign_whose_tide_has_no_limits_is_shown(site: Site) -> None:
    text = campaign_text("three-battles")[0].replace("low = -12, high = 12", "low = 0", 1)
    war = api(site, "POST", "/campaigns", json={"text": text, "sides": {"japan": "bot:doctrine"}}).json()["id"]
    assert [site.client.get(f"/campaigns/{war}{page}").status_code for page in ("", "/chronicle")] == [200, 200]


def test_only_players_set_a_lost_match_up_again(site: Site) -> None:
    ann, eve = site.guest("Ann"), site.guest("Eve")
    room = create(ann, "three-battles", **{"side-japan": "bot:doctrine"})
    match = site.store.campaigns.summary(room.split("/")[-1]).current
    site.store.admin.remove(match)
    assert "Set it up again" not in eve.page(room)
    assert eve.post(f"{room}/continue").status_code == 403
    assert "Set it up again" in ann.page(room)
    assert ann.post(f"{room}/continue").status_code == 303
    assert site.store.listings.summary(match).id == match


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('title = "', 'title = "\u202e', "The title of the campaign contains characters that cannot be displayed"),
        ('title = "', f'title = "{"W" * 200}', "the maximum is 200"),
        ('sides = { japan = "', 'sides = { japan = "\\n', "The title of the side contains characters"),
        ('source = "own"', f'source = """{"W" * 900}\n{"W" * 900}\n{"W" * 900}"""', "the maximum is 2000"),
        ('key = "three-battles"', 'key = "../../x"', "a text of the form"),
    ],
)
def test_texts_of_own_campaign_are_checked(site: Site, old: str, new: str, error: str) -> None:
    text, _ = campaign_text("three-battles")
    assert old in text
    refused = api(site, "POST", "/campaigns", json={"text": text.replace(old, new, 1), "sides": {"japan": "bot:easy"}})
    assert (refused.status_code, error in refused.text) == (422, True), refused.text
    assert site.store.campaigns.public() == []


def test_war_room_names_every_ending_with_its_values_and_marks_the_present_one(site: Site) -> None:
    ann = site.guest("Ann")
    for campaign, values in (("three-battles", "+1 to +6"), ("long-war", "+1 to +12")):
        page = ann.page(create(ann, campaign, **{"side-japan": "bot:doctrine"}))
        assert re.findall(r'class="tide-name is-reached"[^>]*>([^<]*)', page) == ["An armistice at sea: 0"]
        assert re.findall(r'class="tide-name"[^>]*>(A neg[^<]*)', page) == [f"A negotiated peace: {values}"]
        assert page.count('class="tide-name') == 5
        assert "The tide now: 0" in page
        end = re.search(r'class="tide-zero" d="M0 [\d.]+H([\d.]+)"', page)
        assert end is not None
        assert 200 < float(end[1]) < 290  # before the name
