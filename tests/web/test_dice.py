"""Dice that no one can predict: attacks on them, labels where they are known, and what proves them."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from litestar.testing import TestClient
from tests.web.clients import BOT, FRIEND, ME, Guest, Site, site

from readyroom import Match
from readyroom.engine.game import load_game
from readyroom.engine.record.format import Entry, parse
from readyroom.engine.record.labels import dice_label
from readyroom.engine.record.signature import Signer, check_signature
from readyroom.engine.rules.dice import KeyedDice, key_of, secret_of_seed
from readyroom.store import SeatAssignment, Store
from readyroom.testing.playouts import AnyMatch, play_on
from readyroom.web.app import create_app
from readyroom.web.pages.match.dice import KEYS
from readyroom.web.pages.redirects import MOVED
from readyroom.web.settings import BadSetting, Settings

__all__ = ["site"]

EVENT = "1|phase|rule|piece|1"
TOKEN = re.compile(r"[\w-]{6,}")
ANYONE = SeatAssignment("anyone")


# -- predicting ------------------------------------------------------------------------------------------------------


def candidates(texts: list[str]) -> Iterator[bytes]:
    """Yield what could be the secret: each token of the texts in every reading, and as a seed."""
    for token in {token for text in texts for token in TOKEN.findall(text)}:
        yield secret_of_seed(token)
        yield token.encode()
        if len(token) % 2 == 0 and re.fullmatch(r"[0-9a-fA-F]+", token):
            yield bytes.fromhex(token)
        try:
            yield base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        except ValueError:
            continue


def is_predicted(site: Site, match_id: str, texts: list[str]) -> bool:
    """Return whether a player who knows these texts can compute the rolls of a match."""
    with site.store.matches.open(match_id) as match:
        nonces, true = match.nonces, match._dice.current.dice
    for secret in candidates(texts):
        for key in (secret[:64], key_of(secret, nonces)):
            if KeyedDice(key).roll(EVENT, 20) == true.roll(EVENT, 20):
                return True
    return False


def seen(site: Site, host: Guest, match_id: str) -> list[str]:
    """Return everything that the host gets of a match over HTTP."""
    here = f"/m/{match_id}"
    paths = ("", "/table", "/replay", "/report", "/report.md", "/record.jsonl", "/dice.json", "/talk", "/seats")
    pages = [host.get(f"{here}{path}") for path in paths]
    pages += [host.get(f"/api/v1/matches/{match_id}?since=0&view=true"), host.get("/"), host.get(KEYS)]
    return [f"{page.headers}\n{page.text}" for page in pages]


@pytest.mark.torture(12)
def test_host_predicts_no_roll_of_matches_without_label(site: Site) -> None:
    host, guest = site.guest("Host"), site.guest("Guest")
    predicted = 0
    for number in range(25):
        form = {"game": "midway", "do": "open", "seat-usa": "me", "words": f"words of the host {number}"}
        sits = ("friend", "anyone", "bot:doctrine")[number % 3]
        new = host.post("/new", {**form, "seat-japan": sits}).headers["location"]
        lobby = host.page(new)
        if sits == "friend":
            link = re.findall(r'value="[^"]+(/s/[\w-]+)"', lobby)[0]
            guest.post(link, {"words": "guest"})
        elif sits == "anyone":
            guest.post(f"{new}/take", {"seat": "japan", "words": "guest"})
        match_id = new.removeprefix("/m/")
        summary = site.store.listings.summary(match_id)
        assert summary.started
        assert summary.dice_label == ""
        predicted += is_predicted(site, match_id, [lobby, *seen(site, host, match_id)])
    assert predicted == 0


@pytest.mark.parametrize("origin", ["seed", "import"])
def test_attack_succeeds_on_labelled_matches(site: Site, origin: str) -> None:
    host = site.guest("Host")
    if origin == "seed":
        match_id = site.store.lobby.create(
            host.player, "midway", None, {}, {"usa": ME, "japan": BOT}, seed="known-seed"
        ).id
        known = ["known-seed"]
    else:
        match_id = site.store.records.import_match(unfinished().record(), host.player, b"k" * 32)
        known = [(b"k" * 32).hex()]
    assert is_predicted(site, match_id, known)
    assert site.store.listings.summary(match_id).dice_label == dice_label(origin, over=False)


def test_seed_is_not_shown_before_the_end(site: Site) -> None:
    host = site.guest("Host")
    who = {"usa": ME, "japan": BOT}
    match_id = site.store.lobby.create(host.player, "midway", None, {}, who, seed="not-for-players").id
    assert not [text for text in seen(site, host, match_id) if "not-for-players" in text]


# -- labels ----------------------------------------------------------------------------------------------------------

PARTS = {
    *("/table", "/seats", "/talk", "/analysis", "/turning-points", "/presence", "/playback"),
    *("/board.svg", "/poster.svg"),
}
API_PARTS = {"/playback"}
"""Parts of a page that has the label, the data of events that its board plays, and its drawing for lists."""
OTHER = {
    "/events",
    "/advice",
    "/odds",
    "/analysis/progress",
    "/plan",
    "/plan/hint",
    "/plan-template/{file:str}",
    "/whole.jsonl",
}
API_OTHER = {"/events", "/talk", "/advice", "/officer", "/ask-back", "/draw"}
"""What shows nothing of the match: events, an answer or messages for a player, a template; or only if it is damaged."""


def unfinished(decisions: int = 4) -> AnyMatch:
    """Return a match as a host brings it along, with a known key."""
    match: AnyMatch = Match(load_game("midway"), secret=b"k" * 32)
    for _ in play_on(match, Random(1), upto=decisions):
        pass
    return match


@pytest.fixture(scope="module")
def known(site: Site) -> dict[str, tuple[Guest, str]]:
    """Matches with known dice: in the lobby, in play, handed over, and over, with a player of each."""
    host, guest = site.guest("Host"), site.guest("Guest")
    who = {"usa": ME, "japan": ANYONE}
    lobby = site.store.lobby.create(host.player, "midway", None, {}, who, seed="s", listed=True).id
    hot_seat = site.store.records.import_match(unfinished().record(), host.player, b"k" * 32)
    shared = site.store.records.import_match(unfinished().record(), host.player, b"k" * 32)
    secret = site.store.seats.new_link(shared, "japan", host.player.id)
    site.store.seats.join_by_link(secret, guest.player.id)
    site.store.seats.leave_seat(shared, "japan", host.player.id)
    over = site.store.records.import_match(unfinished().record(), host.player, b"k" * 32)
    assert not site.play_until(over)
    return {
        "lobby": (site.guest("Visitor"), lobby),
        "hot-seat": (host, hot_seat),
        "shared": (guest, shared),
        "over": (host, over),
    }


def routes(site: Site, start: str) -> list[str]:
    """Return the rest of each GET route of a match."""
    paths = [
        route.path for route in site.app.routes if "GET" in getattr(route, "methods", ()) and route.path not in MOVED
    ]
    return sorted(path.removeprefix(start) for path in paths if path == start or path.startswith(f"{start}/"))


@pytest.mark.slow(6)
def test_every_page_of_a_match_shows_label(site: Site, known: dict[str, tuple[Guest, str]]) -> None:
    shown = set[str]()
    rest = set(routes(site, "/m/{id:str}"))
    assert rest >= PARTS | OTHER
    for guest, match_id in known.values():
        label = html.escape(site.store.listings.summary(match_id).dice_label)
        assert label
        for path in rest - PARTS - OTHER:
            response = guest.get(f"/m/{match_id}{path}{'?seat=japan' if path == '/take' else ''}")
            if response.status_code != 200 or response.headers.get("hx-redirect"):
                assert response.status_code in (200, 303, 400, 403, 404, 409), path
            elif path == "/record.jsonl":
                assert parse(response.text).header.origin == site.store.listings.summary(match_id).origin
                shown.add(path)
            else:
                assert label in response.text, f"{path} of {match_id} does not show the label"
                shown.add(path)
    assert shown == rest - PARTS - OTHER


def test_handover_shows_label(site: Site, known: dict[str, tuple[Guest, str]]) -> None:
    host, match_id = known["hot-seat"]
    page = host.page(f"/m/{match_id}")
    assert "Pass the screen" in page
    assert dice_label("import", over=False) in page


def test_label_of_solo_match_is_quiet_and_after_the_board(site: Site) -> None:
    guest = site.guest("Pupil")
    match_id = guest.post("/tutorial", {"game": "midway"}).headers["location"].removeprefix("/m/")
    page = guest.page(f"/m/{match_id}")
    assert page.count('<aside class="dice-known') == 1
    assert page.index("</main>") < page.index('class="dice-known dice-quiet"')


def test_lists_of_matches_show_label(site: Site, known: dict[str, tuple[Guest, str]]) -> None:
    visitor, lobby = known["lobby"]
    tag = re.compile(
        rf'title="{re.escape(dice_label("seed", over=False))}">Predictable dice</span>.*?/m/{lobby}"', re.DOTALL
    )
    assert tag.search(visitor.page("/"))
    guest, shared = known["shared"]
    assert 'who can predict every roll.">Predictable dice</span>' in guest.page("/")
    assert 'who can predict every roll.">Predictable dice</span>' in guest.page("/me")
    guest.post(f"/m/{shared}/hide")
    assert 'who can predict every roll.">Predictable dice</span>' in guest.page("/me/hidden")


def test_invitation_shows_label_before_joining(site: Site) -> None:
    host, friend = site.guest("Host"), site.guest()
    match_id = site.store.records.import_match(unfinished().record(), host.player, b"k" * 32)
    host.page(f"/m/{match_id}")
    made = host.post(f"/m/{match_id}/link", {"seat": "japan"})
    label = dice_label("import", over=False)
    assert label in made.text
    link = re.findall(r'value="[^"]+(/s/[\w-]+)"', made.text)[0]
    page = friend.page(link)
    assert label in page
    assert "the dice are fixed" in page
    secret = link.removeprefix("/s/")
    data = friend.get("/api/v1/seat", Authorization=f"Bearer {secret}").json()
    assert data["dice"] == {"origin": "import", "label": label, "signer": "", "signature": ""}


def test_api_shows_label(site: Site, known: dict[str, tuple[Guest, str]]) -> None:
    rest = set(routes(site, "/api/v1/matches/{id:str}"))
    assert rest == API_OTHER | API_PARTS | {"", "/record"}, "a new route shows the label, or is named here"
    for guest, match_id in known.values():
        summary = site.store.listings.summary(match_id)
        dice = guest.get(f"/api/v1/matches/{match_id}").json()["dice"]
        assert (dice["origin"], dice["label"]) == (summary.origin, summary.dice_label)
    over = known["over"][1]
    record = known["over"][0].get(f"/api/v1/matches/{over}/record")
    assert parse(record.text).header.origin == "import"
    listed = {match["id"]: match for match in site.guest().get("/api/v1/matches").json()}
    assert listed[known["lobby"][1]]["dice"]["label"] == dice_label("seed", over=False)


def test_api_match_with_seed_is_labelled(site: Site) -> None:
    body = {"game": "midway", "seats": {"japan": "bot:doctrine"}, "seed": "for a study"}
    made = site.client.post("/api/v1/matches", json=body).json()
    data = site.guest().get(f"/api/v1/matches/{made['id']}").json()
    assert data["dice"]["origin"] == "seed"
    assert data["dice"]["label"] == dice_label("seed", over=False)
    with site.store.matches.open(made["id"]) as match:
        assert match.secret == secret_of_seed("for a study")


def test_match_played_on_is_labelled(site: Site, known: dict[str, tuple[Guest, str]]) -> None:
    host, over = known["over"]
    _, first = parse(site.store.records.text(over)).entries[0]
    assert isinstance(first, Entry)
    answer = host.post(f"/m/{over}/play-on", {"at": "1", "key": list(first.chose)})
    assert answer.status_code == 303, answer.text
    branch = answer.headers["location"].removeprefix("/m/")
    assert site.store.listings.summary(branch).dice_label == dice_label("branch", over=False)
    assert dice_label("branch", over=False) in host.page(f"/m/{branch}")


def test_finished_import_says_imported_and_not_predictable(site: Site, known: dict[str, tuple[Guest, str]]) -> None:
    text = site.store.records.text(known["over"][1])
    match_id = site.store.records.import_match(text, site.guest("Reader").player)
    for path in ("", "/replay", "/report", "/report.md"):
        page = site.guest().page(f"/m/{match_id}{path}")
        assert "Imported: this match was played elsewhere" in page
        assert "predict" not in page


# -- words and signatures --------------------------------------------------------------------------------------------


def test_pages_fill_in_random_words(site: Site) -> None:
    host, friend = site.guest("Host"), site.guest()
    field = re.compile(r'name="words"[^>]* value="([\w-]{16})"[^>]* data-random')
    drawn = [*field.findall(host.page("/new?game=midway")), *field.findall(host.page("/new?game=midway"))]
    form = {"game": "midway", "do": "open", "seat-usa": "me", "seat-japan": "friend", "words": drawn[0]}
    new = host.post("/new", form).headers["location"]
    link = re.findall(r'value="[^"]+(/s/[\w-]+)"', host.page(new))[0]
    drawn += field.findall(friend.page(link))
    friend.post(link, {"words": drawn[-1], "name": "Friend"})
    site.store.lobby.create(host.player, "midway", None, {}, {"usa": ME, "japan": ANYONE})
    assert len(set(drawn)) == len(drawn) == 3
    with site.store.matches.open(new.removeprefix("/m/")) as match:
        assert match.nonces == {"usa": drawn[0], "japan": drawn[-1]}
    page = site.guest().page(new)
    assert drawn[0] in page
    assert drawn[-1] in page


def test_open_seat_in_lobby_has_random_words(site: Site) -> None:
    host = site.guest("Host")
    match_id = site.store.lobby.create(host.player, "midway", None, {}, {"usa": ME, "japan": ANYONE}).id
    for guest, path in ((site.guest("Anna"), ""), (site.guest(), "/take?seat=japan")):
        assert re.search(r'name="words"[^>]* value="[\w-]{16}"', guest.page(f"/m/{match_id}{path}"))


def test_newcomer_in_lobby_is_led_to_the_seat_page(site: Site) -> None:
    host = site.guest("Host")
    match_id = site.store.lobby.create(host.player, "midway", None, {}, {"usa": ME, "japan": ANYONE}).id
    page = site.guest().page(f"/m/{match_id}")
    assert f'href="/m/{match_id}/take?seat=japan"' in page
    assert 'name="words"' not in page


def test_words_kept_after_an_error_are_not_replaced(site: Site) -> None:
    page = site.guest("Host").post("/new", {"game": "midway", "do": "look", "words": "my own words 123"}).text
    assert 'value="my own words 123"' in page
    assert "data-random" not in page


def test_match_page_shows_signature_before_first_decision(site: Site) -> None:
    host = site.guest("Host")
    who = {"usa": ME, "japan": FRIEND}
    made = site.store.lobby.create(host.player, "midway", None, {}, who, dice_nonce="mine")
    key = Signer(site.app.state.settings.signing_key).key
    lobby = host.page(f"/m/{made.id}")
    assert key in lobby
    assert site.store.listings.summary(made.id).fingerprint in lobby
    site.store.seats.join_by_link(made.links["japan"], site.guest("Guest").player.id, "yours")
    summary = site.store.listings.summary(made.id)
    page = site.guest().page(f"/m/{made.id}")
    for text in (summary.fingerprint, summary.signature, key, "mine", "yours"):
        assert text in page.partition('id="verify"')[2]
    data = site.guest().get(f"/m/{made.id}/dice.json").json()
    assert (data["signer"], data["signature"]) == (key, summary.signature)
    signed = json.loads(data["text"].partition("\n")[2])
    assert (signed["match"], signed["fingerprint"]) == (made.id, summary.fingerprint)
    assert signed["nonces"] == {"usa": "mine", "japan": "yours"}
    with site.store.matches.open(made.id) as match:
        assert check_signature(match.header, key) == key


def test_server_publishes_its_key(site: Site) -> None:
    data = site.guest().get(KEYS).json()
    assert data["key"] == Signer(site.app.state.settings.signing_key).key
    assert data["algorithm"] == "Ed25519"
    assert data["former_keys"] == []


# -- the signing key -------------------------------------------------------------------------------------------------


def test_signing_key_is_created_once_and_private(tmp_path: Path) -> None:
    values = {"READYROOM_HOME": str(tmp_path), "READYROOM_SECRET": "a secret"}
    first, again = Settings.from_environment(values), Settings.from_environment(values)
    assert first.signing_key == again.signing_key == (tmp_path / "signing.key").read_text()
    assert (tmp_path / "signing.key").stat().st_mode & 0o777 == 0o600
    assert first.signing_key not in repr(first)


def test_signing_key_of_environment_or_file_is_used(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("A" * 43 + "\n")
    values = {"READYROOM_HOME": str(tmp_path), "READYROOM_SECRET": "a secret"}
    for name, value in (("READYROOM_SIGNING_KEY", "A" * 43), ("READYROOM_SIGNING_KEY_FILE", str(tmp_path / "key"))):
        assert Settings.from_environment({**values, name: value}).signing_key == "A" * 43
    assert not (tmp_path / "signing.key").exists()


def test_invalid_signing_keys_are_named_and_not_shown(tmp_path: Path) -> None:
    values = {"READYROOM_HOME": str(tmp_path), "READYROOM_SECRET": "a secret"}
    with pytest.raises(BadSetting, match="READYROOM_SIGNING_KEY") as error:
        Settings.from_environment({**values, "READYROOM_SIGNING_KEY": "my-short-key"})
    assert "my-short-key" not in str(error.value)
    with pytest.raises(BadSetting, match="READYROOM_FORMER_KEYS"):
        Settings.from_environment({**values, "READYROOM_FORMER_KEYS": "nonsense"})


def test_rotated_key_keeps_old_signatures(tmp_path: Path) -> None:
    old, new = Signer("A" * 43), Signer(f"{'B' * 42}A")
    with closing(Store(f"sqlite:///{tmp_path}/readyroom.db")) as store:
        store.sign_with(old)
        host = store.players.create("Host").player
        match_id = store.lobby.create(host, "midway", None, {}, {"usa": ME, "japan": BOT}).id
        app = create_app(Settings(home=tmp_path, rate=0, signing_key=f"{'B' * 42}A", former_keys=(old.key,)), store)
        with TestClient(app) as client:
            assert client.get(KEYS).json()["key"] == new.key
            assert client.get(KEYS).json()["former_keys"] == [old.key]
            assert client.get(f"/api/v1/matches/{match_id}").json()["dice"]["signer"] == old.key
        with store.matches.open(match_id) as match:
            assert check_signature(match.header, old.key)
