"""Tests of the match page: views, answers, undo, handover, chat and live updates."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from time import monotonic
from typing import Any

import msgspec
import pytest
from litestar.datastructures import FormMultiDict
from tests.store.playing import ANYONE
from tests.toys.tiny import ask, plans, tiny
from tests.web.clients import BOT, FRIEND, HTMX, ME, Guest, Site, site, straits_site

from readyroom import games
from readyroom.engine.match import Match
from readyroom.web import formatting
from readyroom.web.live.open_pages import OpenPages
from readyroom.web.pages.match import table_view
from readyroom.web.pages.match.answering import chosen
from readyroom.web.pages.match.events import watched

__all__ = ["site", "straits_site"]

QUESTION = re.compile(r'data-question="([^"]+)"')
KEYS = re.compile(r'data-key="([^"]+)"')


def squadrons(match: Match[Any, Any], side: str) -> dict[str, str]:
    """Return the names of all squadrons of a side by key."""
    squadrons: dict[str, str] = {}

    def walk(tree: Any) -> None:
        if isinstance(tree, dict):
            if "strength" in tree and "key" in tree:
                squadrons[tree["key"]] = tree["name"]
            for branch in tree.values():
                walk(branch)
        elif isinstance(tree, list):
            for branch in tree:
                walk(branch)

    walk(msgspec.to_builtins(match.view(side).table.sides[side]))
    return squadrons


def seen(match: Match[Any, Any], seat: str | None) -> str:
    """Return a seat's view and log as JSON."""
    return msgspec.json.encode([match.view(seat), [line.plain() for line in match.log(seat)]]).decode()


# -- what each viewer sees ---------------------------------------------------------------------------------------------


def test_question_without_a_choice_has_only_a_button(site: Site) -> None:
    usa, japan = site.guest("Spruance"), site.guest("Nagumo")
    match_id = site.duel(usa, japan)
    assert site.play_until(match_id, lambda match: any(asked.only_continues for asked in match.pending.values()))
    with site.store.matches.open(match_id) as match:
        seat = next(iter(match.pending))
    page = (usa if seat == "usa" else japan).page(f"/m/{match_id}")
    assert "There is nothing to decide." in page
    assert "The match waits for you: the others cannot see that you have no choice." in page
    assert re.search(r'<div [^>]*class="options[^"]*"[^>]* hidden>', page)
    assert re.search(r'<button[^>]* id="confirm">Continue</button>', page)
    assert 'id="hint"' not in page


def test_waiting_player_sees_who_decides_and_what_can_be_done(site: Site) -> None:
    usa, japan = site.guest("Spruance"), site.guest("Nagumo")
    match_id = site.duel(usa, japan)
    with site.store.matches.open(match_id) as match:
        asked = next(iter(match.pending))
    waits, decides = (japan, usa) if asked == "usa" else (usa, japan)
    page = waits.page(f"/m/{match_id}")
    assert re.search(r'class="waiting">\s*Waiting for <b', page)
    assert "You have nothing to decide until then" in page
    assert "No other match waits for you." in page
    assert 'href="/me#notices">Notify me when it is my turn</a>' in page
    for other in (decides.page(f"/m/{match_id}"), site.guest().page(f"/m/{match_id}")):
        assert "You have nothing to decide until then" not in other


def test_leaving_asks_first_and_the_other_player_sees_the_empty_seat(site: Site) -> None:
    usa, japan = site.guest("Spruance"), site.guest("Nagumo")
    match_id = site.duel(usa, japan)
    site.play_until(match_id, lambda match: match.decision_count > 0 and set(match.pending) == {"japan"})
    panel = re.sub(r"\s+", " ", japan.page(f"/m/{match_id}/seats"))
    assert re.search(r"<summary>Leave Japan</summary>.*>Leave this match</button> </form> </details>", panel)
    japan.post(f"/m/{match_id}/leave", {"seat": "japan"})
    page = re.sub(r"\s+", " ", usa.page(f"/m/{match_id}"))
    assert "Nagumo has left the seat Japan." in page
    assert re.search(r'class="waiting">No one plays <b[^>]*>Japan</b>', page)
    assert "The match waits until someone plays Japan." in page
    assert '<a href="#seat-list">Invite someone or assign a bot</a>.' in page
    for wrong in ("Waiting for", "updates itself", "takeback"):
        assert wrong not in page


def test_visitor_can_join_a_seat_only_if_it_is_open_to_anyone(site: Site) -> None:
    host, visitor, stranger = site.guest("Spruance"), site.guest("Nagumo"), site.guest()
    for seat, is_open in ((ANYONE, True), (FRIEND, False)):
        match_id = site.opened(host, usa=ME, japan=seat)
        host.post(f"/m/{match_id}/begin")
        take = f"/m/{match_id}/take"
        assert (f'action="{take}"' in visitor.page(f"/m/{match_id}")) is is_open
        assert (f'href="{take}?seat=japan">Join as Japan</a>' in stranger.page(f"/m/{match_id}")) is is_open
        assert take not in host.page(f"/m/{match_id}")
        if is_open:
            before = stranger.page(f"{take}?seat=japan")
            assert "<h1>This seat is open</h1>" in before
            assert "invite" not in before
            assert re.search(r"Anyone can join Spruance and play <strong", before)
            visitor.post(take, {"seat": "japan"})
            assert site.store.listings.summary(match_id).seats_of(visitor.player.id) == ["japan"]
            assert take not in stranger.page(f"/m/{match_id}")


@pytest.mark.slow(2)
def test_pages_hide_what_the_viewer_cannot_know(site: Site) -> None:
    usa, japan, stranger = site.guest("Spruance"), site.guest("Nagumo"), site.guest()
    match_id = site.duel(usa, japan)
    readers: list[tuple[Guest, str | None, tuple[str, ...]]] = [
        (usa, "usa", ("japan",)), (japan, "japan", ("usa",)), (stranger, None, ("usa", "japan")),
    ]  # fmt: skip
    looked_for = 0
    for decisions in range(6, 100, 12):
        assert site.play_until(match_id, lambda match, decisions=decisions: match.decision_count >= decisions)
        for reader, seat, others in readers:
            pages = [
                reader.get(f"/m/{match_id}{path}").text for path in ("", "/table", "/replay", "/report", "/report.md")
            ]
            with site.store.matches.open(match_id) as match:
                known = seen(match, seat)
                hidden = {key: name for side in others for key, name in squadrons(match, side).items()}
            for key, name in hidden.items():
                if f'"{key}"' not in known:
                    looked_for += 1
                    assert not any(f'data-key="{key}"' in page or f'value="{key}"' in page for page in pages), key
                if not re.search(rf"{name}\b", known):
                    assert not any(re.search(rf"{name}\b", page) for page in pages), name
    assert looked_for > 100


def test_player_with_one_seat_views_as_that_seat(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=BOT)
    page = anna.page(f"/m/{match_id}")
    asked = site.asked(match_id, "usa")
    assert QUESTION.search(page)[1] == f"usa {asked['revision']}"  # type: ignore[index]
    assert set(asked_keys(page)) == {option["key"] for option in asked["options"]}


def asked_keys(page: str) -> list[str]:
    return re.findall(r'name="key" value="([^"]+)"', page)


def test_other_players_seat_shows_public_view(site: Site) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    page = anna.page(f"/m/{match_id}?seat=japan")
    assert "The seat Japan is not yours" in page
    assert QUESTION.search(page) is None
    assert 'id="answer"' not in page
    assert anna.get(f"/m/{match_id}?seat=atlantis").text.count("no such seat") == 1


def test_spectator_sees_public_view_and_cannot_act(site: Site) -> None:
    anna, boris, looker = site.guest("Anna"), site.guest("Boris"), site.guest()
    match_id = site.duel(anna, boris)
    page = looker.page(f"/m/{match_id}")
    assert "You are a spectator" in page
    assert 'id="answer"' not in page
    revision = site.revision(match_id)
    assert looker.post(f"/m/{match_id}/answer", {"seat": "japan", "revision": 0, "key": []}).status_code == 403
    assert looker.post(f"/m/{match_id}/undo", {"seat": "japan"}).status_code == 403
    assert site.revision(match_id) == revision


@pytest.mark.parametrize(("game", "own", "other"), [("midway", "usa", "japan"), ("war", "allies", "axis")])
def test_table_shows_own_aim_also_as_tooltip_of_scores(site: Site, game: str, own: str, other: str) -> None:
    anna, aims = site.guest("Anna"), games.load(game).presentation.aims
    seats = {seat.key: ME if seat.side == own else BOT for seat in Match(games.load(game)).seats}
    page = anna.page(f"/m/{site.opened(anna, game, None, **seats)}")
    assert f"<b>Your aim:</b> {aims[own]}" in page
    assert all(f"<title>{aims[side]}</title>" in page for side in (own, other))


def test_unknown_match_returns_404(site: Site) -> None:
    assert site.guest().get("/m/nowhere").status_code == 404
    assert site.guest().get("/m/nowhere/events").status_code == 404


def test_match_not_started_shows_its_lobby(site: Site) -> None:
    anna = site.guest("Anna")
    opened = site.store.lobby.create(anna.player, "midway", None, {}, {"usa": ME, "japan": FRIEND})
    assert 'id="board"' not in anna.page(f"/m/{opened.id}")


# -- answers ---------------------------------------------------------------------------------------------------------


def answer_of(site: Site, match_id: str, seat: str = "usa", count: int = 1) -> dict[str, Any]:
    asked = site.asked(match_id, seat)
    keys = [option["key"] for option in asked["options"][:count]]
    return {"seat": seat, "revision": asked["revision"], "key": keys}


def test_answer_without_script_redirects_to_the_match(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=BOT)
    before = site.asked(match_id, "usa")
    response = anna.post(f"/m/{match_id}/answer", answer_of(site, match_id))
    assert (response.status_code, response.headers["location"]) == (303, f"/m/{match_id}?seat=usa")
    assert site.asked(match_id, "usa")["revision"] > before["revision"]


def test_answer_by_htmx_returns_the_table(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=BOT)
    response = anna.part(f"/m/{match_id}/answer", answer_of(site, match_id))
    assert response.status_code == 200
    assert "<html" not in response.text
    assert QUESTION.search(response.text)[1] == f"usa {site.asked(match_id, 'usa')['revision']}"  # type: ignore[index]


@pytest.mark.parametrize(("text", "shapes"), [("wide", {"wide"}), ("narrow", {"narrow"}), ("<b>", {"wide", "narrow"})])
def test_script_gets_the_fitting_chart(site: Site, text: str, shapes: set[str]) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=BOT)
    part = anna.get(f"/m/{match_id}/table?seat=usa", **{"HX-Request": "true", "Board-Shape": text}).text
    assert set(re.findall(r'<svg class="board-(wide|narrow)', part)) == shapes


@pytest.mark.parametrize(("text", "shapes"), [("?1", {"narrow"}), ("?0", {"wide", "narrow"})])
def test_phone_gets_the_narrow_chart(site: Site, text: str, shapes: set[str]) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=BOT)
    page = anna.get(f"/m/{match_id}", **{"Sec-CH-UA-Mobile": text}).text
    assert set(re.findall(r'<svg class="board-(wide|narrow)', page)) == shapes


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_rejected_answer_keeps_its_selection(site: Site, headers: dict[str, str]) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=BOT)
    form, revision = answer_of(site, match_id, count=6), site.revision(match_id)
    response = anna.post(f"/m/{match_id}/answer", form, **headers)
    assert response.status_code == 409
    assert "ogether these cost 30 points; the budget is 20." in response.text
    assert site.revision(match_id) == revision
    for key in form["key"]:
        assert re.search(rf'value="{key}"[^>]* checked', response.text)
    assert ("<html" in response.text) == (not headers)


def test_stale_answer_returns_409(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=BOT)
    form = answer_of(site, match_id)
    assert anna.part(f"/m/{match_id}/answer", form).status_code == 200
    revision = site.revision(match_id)
    again = anna.part(f"/m/{match_id}/answer", form)
    assert again.status_code == 409
    assert '<p class="noted" role="alert">The match has changed since you loaded it. Please choose again.' in again.text
    assert site.revision(match_id) == revision


def test_answer_needs_own_seat(site: Site) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    site.play_until(match_id, lambda match: "japan" in match.pending)
    form, revision = answer_of(site, match_id, "japan"), site.revision(match_id)
    for action in ("answer", "undo", "takeback", "takeback/answer"):
        assert anna.part(f"/m/{match_id}/{action}", form).status_code == 403
    assert site.revision(match_id) == revision
    assert site.asked(match_id, "japan")["revision"] == form["revision"]


def test_answer_without_token_is_rejected(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=BOT)
    form, revision = answer_of(site, match_id), site.revision(match_id)
    assert anna.post(f"/m/{match_id}/answer", {**form, "_csrf_token": "made up"}).status_code == 403
    assert site.revision(match_id) == revision


@pytest.mark.parametrize("revision", ["", "-1", "x", "9" * 40, None])
def test_nonsense_form_changes_nothing(site: Site, revision: str | None) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=BOT)
    before = site.revision(match_id)
    form = {"seat": "usa", "key": ["no such squadron"], "count": ["99999999"], "revision": revision}
    assert (
        anna.part(f"/m/{match_id}/answer", {key: lines for key, lines in form.items() if lines is not None}).status_code
        == 409
    )
    assert site.revision(match_id) == before


def test_allocated_points_are_numbers(site: Site) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    assert site.play_until(
        match_id, lambda match: any(d.kind.value == "allot" and len(d.values) > 1 for d in match.pending.values())
    )
    seat = site.store.listings.summary(match_id).waiting[0]
    guest = anna if seat == "usa" else boris
    asked = site.asked(match_id, seat)
    page = guest.page(f"/m/{match_id}")
    assert page.count('type="number" name="count"') == len(asked["options"])
    left, counts = asked["at_least"], []
    for option in asked["options"]:
        counts.append(min(left, option["limit"]))
        left -= counts[-1]
    form = {"seat": seat, "revision": asked["revision"], "key": asked_keys(page), "count": counts}
    short = guest.part(f"/m/{match_id}/answer", {**form, "count": [1] + [0] * (len(counts) - 1)})
    assert short.status_code == 409
    assert 'value="1"' in short.text
    assert guest.part(f"/m/{match_id}/answer", form).status_code == 200


def test_take_all_and_hint_only_fill_the_card(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=BOT)
    revision = site.revision(match_id)
    everything = anna.page(f"/m/{match_id}?seat=usa&ask=all")
    filled = formatting.everything(site.asked(match_id, "usa"))
    assert re.findall(r'name="key" value="([^"]+)"[^>]* checked', everything) == filled
    advised = anna.page(f"/m/{match_id}?seat=usa&ask=staff")
    keys = anna.get(f"/m/{match_id}/advice?seat=usa").json()["keys"]
    assert keys
    assert set(re.findall(r'name="key" value="([^"]+)"[^>]* checked', advised)) == set(keys)
    assert "The guarded bot would choose: " in advised
    assert site.revision(match_id) == revision


def test_hint_needs_own_seat(site: Site) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    assert boris.get(f"/m/{match_id}/advice?seat=usa").status_code == 403
    assert site.guest().get(f"/m/{match_id}/advice").status_code == 403


def test_odds_of_a_selection_need_own_seat(site: Site) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    assert anna.get(f"/m/{match_id}/odds?seat=usa&keys=unknown").json() == {"odds": {}}
    assert boris.get(f"/m/{match_id}/odds?seat=usa").status_code == 403
    assert site.guest().get(f"/m/{match_id}/odds").status_code == 403


def test_unavailable_options_have_reasons(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=BOT)
    assert site.play_until(match_id, lambda match: "usa" in match.pending and bool(match.pending["usa"].unavailable))
    page = anna.page(f"/m/{match_id}")
    data = site.asked(match_id, "usa")["refused"][0]
    assert data["reason"] in page
    assert 'id="why-not"' in page


def test_bots_finish_a_match_in_the_background(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=BOT, japan=BOT)
    end = monotonic() + 30
    while (summary := site.store.listings.summary(match_id)).outcome is None and monotonic() < end:
        anna.get(f"/m/{match_id}")
    assert summary.outcome is not None
    page = anna.page(f"/m/{match_id}")
    assert summary.outcome.text in page
    assert f"/m/{match_id}/replay" in page


# -- undo and takeback -----------------------------------------------------------------------------------------------


def test_undo_reverts_the_last_decision(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.duel(anna, site.guest("Boris"))
    assert site.play_until(match_id, lambda match: match.can_undo("usa"))
    assert 'id="undo-button"' in anna.page(f"/m/{match_id}")
    with site.store.matches.open(match_id) as match:
        position, revision = match.decision_count, match.revision
    assert anna.part(f"/m/{match_id}/undo", {"seat": "usa"}).status_code == 200
    assert site.revision(match_id) == revision + 1
    with site.store.matches.open(match_id) as match:
        assert (match.decision_count, list(match.pending)) == (position - 1, ["usa"])


def test_enemy_reads_that_a_decision_was_taken_back(site: Site) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id, message = site.duel(anna, boris), "United States took back the last decision."
    assert site.play_until(match_id, lambda match: match.can_undo("usa"))
    with site.store.matches.open(match_id) as match:
        last = match.revision + 1
    assert message not in boris.page(f"/m/{match_id}")
    assert anna.part(f"/m/{match_id}/undo", {"seat": "usa"}).status_code == 200
    with site.store.matches.open(match_id) as match:
        is_seen = "japan" not in match.unseen.get(last, ())
    assert (message in boris.page(f"/m/{match_id}")) == is_seen
    assert message not in anna.page(f"/m/{match_id}")


@pytest.mark.parametrize("seat", ["blue", None])
def test_undo_is_shown_until_something_else_is_noticed_and_never_if_it_is_hidden(seat: str | None) -> None:
    match = Match(tiny(ask("red"), ask("red"), ask("red")), "only", seed="undo")
    match.decide("red", "a")
    match.undo("red")
    assert table_view.taken_back(match, seat) == "Red"
    assert table_view.taken_back(match, "red") == ""
    match.decide("red", "b")
    assert table_view.taken_back(match, seat) == ""
    hidden = Match(tiny(plans(), ask("red")), "only", seed="undo")
    hidden.observe({})
    hidden.decide("red", "a")
    hidden.undo("red")
    assert table_view.taken_back(hidden, seat) == ""


def test_answer_that_is_undone_is_selected_again(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.duel(anna, site.guest("Boris"))
    assert site.play_until(match_id, lambda match: match.can_undo("usa") and match.decisions_since(0)[-1].chose != ())
    with site.store.matches.open(match_id) as match:
        keys = match.decisions_since(0)[-1].chose
    selected = f'data-filled data-turns="{" ".join(keys)}"'
    taken_back = anna.part(f"/m/{match_id}/undo", {"seat": "usa"}).text
    assert selected in taken_back
    assert "Your answer is still selected; change or confirm it, or press Clear." in taken_back
    assert selected not in anna.page(f"/m/{match_id}"), "other versions of the page keep what the player selects"
    assert selected in anna.page(f"/m/{match_id}?seat=usa&ask=undone"), "without a script"


def test_blocked_undo_says_why(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=BOT)
    response = anna.part(f"/m/{match_id}/undo", {"seat": "usa"})
    assert response.status_code == 409
    assert "You have no decision to undo." in response.text


def test_takeback_against_bots_needs_no_agreement(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=BOT)

    def passed(match: Match[Any, Any]) -> bool:
        return "usa" in match.pending and not match.can_undo("usa") and match.takeback_position("usa") is not None

    assert site.play_until(match_id, passed)
    with site.store.matches.open(match_id) as match:
        before = match.takeback_position("usa")
    assert 'form="undo-by-request" id="undo-button">Undo<' in anna.page(f"/m/{match_id}")
    assert anna.part(f"/m/{match_id}/takeback", {"seat": "usa"}).status_code == 200
    with site.store.matches.open(match_id) as match:
        assert match.decision_count == before


def covered(match: Match[Any, Any]) -> bool:
    """Return whether the United States can only undo with Japan's consent."""
    return "japan" in match.pending and not match.can_undo("usa") and match.takeback_position("usa") is not None


@pytest.mark.parametrize("leave", ["yes", "no"])
def test_takeback_is_accepted_or_declined(site: Site, leave: str) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    assert site.play_until(match_id, covered)
    revision = site.revision(match_id)
    assert anna.part(f"/m/{match_id}/undo", {"seat": "usa"}).status_code == 409
    page = anna.page(f"/m/{match_id}")
    assert "Request takeback" in page
    assert re.search(r'id="undo-obstacle">Your last decision cannot be undone: [^<]* A takeback needs', page), page[
        page.index('id="undo-obst') :
    ][:300]
    assert "Waiting for the other players" in anna.part(f"/m/{match_id}/takeback", {"seat": "usa"}).text
    assert "requests a takeback to turn" in boris.page(f"/m/{match_id}")
    assert "Accept" not in site.guest().page(f"/m/{match_id}")
    assert anna.part(f"/m/{match_id}/takeback/answer", {"seat": "usa", "allow": "yes"}).status_code == 409
    assert boris.part(f"/m/{match_id}/takeback/answer", {"seat": "japan", "allow": leave}).status_code == 200
    assert site.revision(match_id) == revision + (leave == "yes")
    assert (site.asked(match_id, "usa") is not None) == (leave == "yes")
    assert "Accept" not in boris.page(f"/m/{match_id}")


# -- resignation and draw --------------------------------------------------------------------------------------------


def test_player_resigns_and_offers_a_rematch(site: Site) -> None:
    anna, boris, spectator = site.guest("Anna"), site.guest("Boris"), site.guest()
    match_id = site.duel(anna, boris)
    at = f"/m/{match_id}"
    page = anna.page(at)
    assert "Resign as United States?" in page
    assert "This match is not rated." in page
    assert 'id="resign"' not in spectator.page(at)
    assert boris.part(f"{at}/resign", {"seat": "usa"}).status_code == 403
    assert "Victory for Japan by resignation" in anna.part(f"{at}/resign", {"seat": "usa"}).text
    assert boris.part(f"{at}/resign", {"seat": "japan"}).status_code == 409
    for guest, result in ((anna, "You lost"), (boris, "You won")):
        page = guest.page(at)
        assert '<div class="poster side-japan' in page
        for text in (
            result,
            "United States (Anna) resigned.",
            "Rematch",
            "Swap sides",
            "data-share",
            "/report",
            "Play on",
        ):
            assert text in page, text
        for part in ('id="resign"', 'id="answer"', "/review"):
            assert part not in page, part
        assert "Victory for Japan by resignation" in guest.page("/me")
    assert "Rematch" not in spectator.page(at)
    assert spectator.post(f"{at}/continue", {"seat": "usa"}).status_code == 403
    for guest, seat in ((anna, "usa"), (boris, "japan")):
        assert guest.post(f"{at}/continue", {"seat": seat}).status_code == 303
        assert "Decided: Victory for Japan by resignation. You can play on" in guest.page(at)
    assert any('id="answer"' in guest.page(at) for guest in (anna, boris))
    assert anna.post(f"{at}/rematch", {"swap": "no"}).status_code == 303
    assert "Anna</b> would like a rematch" in boris.page(at)
    assert site.play_until(match_id) is False
    assert "Decided before its end: Victory for Japan by resignation." in anna.page(at)


@pytest.mark.parametrize("leave", ["yes", "no"])
def test_draw_is_accepted_or_declined(site: Site, leave: str) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    at = f"/m/{match_id}"
    assert "Withdraw" in anna.part(f"{at}/draw", {"seat": "usa"}).text
    assert "offers a draw" in boris.page(at)
    assert 'data-offer="Draw offered"' in boris.page(at)
    assert "data-offer" not in anna.page(at)
    assert "Accept" not in site.guest().page(at)
    assert anna.part(f"{at}/draw/answer", {"seat": "usa", "allow": "yes"}).status_code == 409
    assert boris.part(f"{at}/draw/answer", {"seat": "japan", "allow": leave}).status_code == 200
    page = anna.page(at)
    assert ("Draw by agreement" in page) == (leave == "yes")
    assert "offers a draw." not in page
    assert 'id="offer-draw"' not in page, "not again at once"


def test_draw_is_not_offered_to_bots_and_hot_seat_resigns_for_its_side(site: Site) -> None:
    anna = site.guest("Anna")
    page = anna.page(f"/m/{site.opened(anna, usa=ME, japan=BOT)}")
    assert 'id="resign"' in page
    assert 'id="offer-draw"' not in page
    match_id = site.opened(anna, usa=ME, japan=ME)
    at = f"/m/{match_id}"
    seat = site.store.listings.summary(match_id).waiting[0]
    assert 'id="offer-draw"' in anna.page(f"{at}?seat={seat}")
    anna.post(f"{at}/resign", {"seat": seat})
    assert site.store.listings.summary(match_id).decided_for not in ("", seat)


def test_players_resign_beside_an_umpire_who_cannot(site: Site) -> None:
    anna, ben, umpire = site.guest("Anna"), site.guest("Ben"), site.guest("Umpire")
    who = {"japan-north": ME, "japan-south": FRIEND, "usa": BOT, "umpire": FRIEND}
    created = site.store.lobby.create(anna.player, "tora", None, {"umpire": "yes", "japan_players": "2"}, who)
    site.store.seats.join_by_link(created.links["umpire"], umpire.player.id)
    site.store.seats.join_by_link(created.links["japan-south"], ben.player.id)
    at = f"/m/{created.id}"
    assert 'id="resign"' not in umpire.page(at)
    page = anna.page(at)
    assert "Victory for United States" in page
    assert "You resign for all of your side: Anna and Ben." in page
    assert 'id="offer-draw"' not in page
    page = ben.page(at)
    assert 'id="resign"' not in page
    assert "Only Japan, north can resign for its side." in page
    assert ben.part(f"{at}/resign", {"seat": "japan-south"}).status_code == 409
    assert anna.part(f"{at}/resign", {"seat": "japan-north"}).status_code == 200
    page = umpire.page(at)
    assert "Victory for United States by resignation" in page
    assert "vs. <b" in page
    assert page.count("Umpire</b>") == 0
    for text in ("You lost", "Rematch", "Harder bot"):
        assert text not in page
    assert "against the " in page
    assert "Lost by resignation" not in umpire.page("/")
    report = umpire.page(f"{at}/report")
    assert "The match ended at turn 0" in report
    assert "what is hidden stays hidden" in umpire.page(f"{at}/replay?at=1000")


# -- hot seat --------------------------------------------------------------------------------------------------------


def test_hot_seat_shows_handover_page(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=ME)
    assert "Pass the screen to" in anna.page(f"/m/{match_id}")
    first = site.store.listings.summary(match_id).waiting[0]
    other = {"usa": "japan", "japan": "usa"}[first]
    page = anna.page(f"/m/{match_id}?seat={first}")
    assert 'id="answer"' in page
    text = anna.page(f"/m/{match_id}?seat={other}")
    assert "Pass the screen to" in text
    assert KEYS.search(text) is None
    assert f"/m/{match_id}?seat={first}" in text


def test_decision_that_passes_the_turn_shows_handover_page(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=ME)
    site.play_until(match_id, lambda match: "usa" in match.pending)
    for _ in range(20):
        response = anna.part(f"/m/{match_id}/answer", answer_of(site, match_id, "usa", 0))
        if site.asked(match_id, "usa") is None:
            break
    assert response.headers["HX-Redirect"] == f"/m/{match_id}?seat=usa"
    assert response.text == ""
    message = anna.page(f"/m/{match_id}?seat=usa")
    assert "Pass the screen to <span" in message
    assert KEYS.search(message) is None
    assert "What happened" not in message
    for path in ("/table?seat=usa", "/talk?seat=usa"):
        assert anna.get(f"/m/{match_id}{path}", **HTMX).text == ""
    assert anna.get(f"/m/{match_id}/replay?seat=usa").status_code == 303
    assert anna.get(f"/m/{match_id}/advice?seat=usa").status_code == 403


def test_undo_works_from_the_handover_page(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=ME)
    site.play_until(match_id, lambda match: "usa" in match.pending)
    while site.asked(match_id, "usa") is not None:
        assert anna.part(f"/m/{match_id}/answer", answer_of(site, match_id, "usa", 0)).status_code == 200
    with site.store.matches.open(match_id) as match:
        able = match.can_undo("usa", shared=True)
    assert able
    text = anna.page(f"/m/{match_id}?seat=usa")
    assert (f'action="/m/{match_id}/undo"' in text) == able
    if able:
        assert anna.post(f"/m/{match_id}/undo", {"seat": "usa"}).headers["location"] == (
            f"/m/{match_id}?seat=usa&ask=undone"
        )
        assert 'id="answer"' in anna.page(f"/m/{match_id}?seat=usa")


def test_secret_planning_shows_own_plan_then_handover(straits_site: Site) -> None:
    site, anna = straits_site, straits_site.guest("Anna")
    match_id = site.opened(anna, "straits", red=ME, blue=ME)
    assert set(site.store.listings.summary(match_id).waiting) == {"red", "blue"}
    for seat in ("red", "blue"):
        page = anna.page(f"/m/{match_id}?seat={seat}")
        assert QUESTION.search(page)[1].startswith(seat)  # type: ignore[index]
    while site.asked(match_id, "red") is not None:
        response = anna.part(f"/m/{match_id}/answer", answer_of(site, match_id, "red"))
    assert "HX-Redirect" in response.headers
    text = anna.page(f"/m/{match_id}?seat=red")
    assert f"/m/{match_id}?seat=blue" in text
    assert 'id="answer"' in anna.page(f"/m/{match_id}?seat=blue")


def test_player_with_two_seats_answers_for_the_pending_one(site: Site) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    options: dict[str, object] = {"seats": "groups"}
    opened = site.store.lobby.create(anna.player, "midway", None, options, {"usa": ME, "japan": FRIEND}, seed="groups")
    for secret in opened.links.values():
        site.store.seats.join_by_link(secret, boris.player.id)
    match_id = opened.id
    site.play_until(
        match_id, lambda match: any(seat.side == "usa" and seat.key in match.pending for seat in match.seats)
    )
    asked = site.store.listings.summary(match_id).waiting[0]
    other = next(key for key in site.store.listings.summary(match_id).seats_of(anna.player.id) if key != asked)
    for path in ("", f"?seat={asked}", f"?seat={other}"):
        page = anna.page(f"/m/{match_id}{path}")
        assert QUESTION.search(page)[1].startswith(f"{asked} ")  # type: ignore[index]


# -- chat ------------------------------------------------------------------------------------------------------------


def test_side_chat_is_private(site: Site) -> None:
    anna, boris, looker = site.guest("Anna"), site.guest("Boris"), site.guest("Clara")
    match_id = site.duel(anna, boris)
    assert anna.part(f"/m/{match_id}/say", {"seat": "usa", "to": "side", "text": "strike at dawn"}).status_code == 200
    assert (
        anna.post(f"/m/{match_id}/say", {"seat": "usa", "to": "all", "text": "good luck <b>you</b>"}).status_code == 303
    )
    assert "strike at dawn" in anna.page(f"/m/{match_id}")
    for other in (boris, looker):
        for path in ("", "/talk"):
            page = other.page(f"/m/{match_id}{path}")
            assert "strike at dawn" not in page
            assert "good luck &lt;b&gt;you&lt;/b&gt;" in page
    assert "strike at dawn" not in boris.page(f"/m/{match_id}/talk?seat=usa")
    assert looker.post(f"/m/{match_id}/say", {"text": "hello"}).status_code == 403
    assert boris.post(f"/m/{match_id}/say", {"seat": "usa", "to": "side", "text": "who is there?"}).status_code == 403


def test_notes_are_private(site: Site) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    assert anna.part(f"/m/{match_id}/note", {"seat": "usa", "text": "he always waits for turn 4"}).status_code == 200
    assert "he always waits for turn 4" in anna.page(f"/m/{match_id}")
    assert "he always waits" not in boris.page(f"/m/{match_id}")
    assert site.guest().post(f"/m/{match_id}/note", {"text": "mine"}).status_code == 403


# -- live updates ----------------------------------------------------------------------------------------------------


def test_open_stream_counts_as_watching() -> None:
    async def looked() -> tuple[bytes, frozenset[str], frozenset[str]]:
        async def events() -> AsyncGenerator[bytes, None]:
            yield b"event: here"
            await asyncio.sleep(60)

        watchers = OpenPages()
        stream = watched(events(), watchers.looking("m", "anna"))
        event, then = await anext(stream), watchers.at("m")
        await stream.aclose()
        return event, then, watchers.at("m")

    assert asyncio.run(looked()) == (b"event: here", frozenset({"anna"}), frozenset())


# -- page structure --------------------------------------------------------------------------------------------------


def test_match_page_has_no_inline_code(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=BOT)
    page = anna.page(f"/m/{match_id}")
    assert not re.search(r"<script(?![^>]* src=)", page)
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|hx-on|javascript:", page)


def test_match_pages_are_not_cached(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=BOT)
    for path in ("", "/table", "/talk", "/replay", "/report"):
        assert anna.get(f"/m/{match_id}{path}").headers["cache-control"] == "no-store"


def test_tutorial_match_has_a_tip(site: Site) -> None:
    anna = site.guest("Anna")
    opened = site.store.lobby.create(anna.player, "midway", None, {}, {"usa": ME, "japan": BOT}, guided=True, seed="a")
    assert 'id="tip-of-the-lesson"' in anna.page(f"/m/{opened.id}")


def test_table_shows_recent_log_and_report_the_rest(site: Site) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    site.play_until(match_id, lambda match: len(match.log("usa")) > table_view.RECENT + 5)
    page = anna.page(f"/m/{match_id}")
    assert page.count("data-line=") == table_view.RECENT
    assert "lines" in page


@pytest.mark.parametrize(
    ("turns", "names"),
    [("b a b", ["b", "a", "b"]), ("", ["a", "b", "b"]), ("b a", ["a", "b", "b"]), ("b a c", ["a", "b", "b"])],
)
def test_selection_order_is_kept_if_valid(turns: str, names: list[str]) -> None:
    form = FormMultiDict([("key", "a"), ("count", "1"), ("key", "b"), ("count", "2"), ("turns", turns)])
    assert chosen(form) == names


def test_log_has_one_direction_which_a_cookie_keeps(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=BOT)
    site.play_until(match_id, lambda match: len(match.log("usa")) > 6 and "usa" in match.pending)

    def numbers() -> list[int]:
        return [int(number) for number in re.findall(r'data-line="(\d+)"', anna.page(f"/m/{match_id}"))]

    newest_first = numbers()
    assert newest_first == sorted(newest_first, reverse=True)
    anna.cookies["readyroom-log"] = "oldest"
    assert numbers() == newest_first[::-1]
    assert "Newest first</button>" in anna.page(f"/m/{match_id}")
