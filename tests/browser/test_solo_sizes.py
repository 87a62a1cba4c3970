"""What can be pointed at on the boards of the solitaire games is large enough, in each phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.browser.conftest import Visit
from tests.browser.matches import import_match
from tests.server.running import Server

from readyroom import Match, bots, games
from readyroom.engine.game import MatchView
from readyroom.web import board_svg, formatting

LAPTOP = {"viewport": {"width": 1366, "height": 768}}
LEAST = 36
"""The least size in pixels."""
MATCHES: Mapping[str, list[tuple[str, Mapping[str, str], str]]] = {
    "picket": [
        ("first-watch", {}, "a kamikaze"),
        ("pringle", {}, "1"),
        ("okinawa", {"game": "advanced"}, "2"),
        ("april", {"game": "advanced"}, "3"),
    ],
    "doolittle": [
        *(("campaign", {}, seed) for seed in ("1", "4", "6")),
        ("early", {}, "1"),
        ("capital", {}, "2"),
    ],
}
SIZES = """([keys, html]) => {
  document.querySelector('#board').innerHTML = html;
  const pieces = [...document.querySelectorAll('#board [data-key]')].filter((one) => one.getClientRects().length);
  const has = (piece, name) => (piece.dataset[name] || '').split(' ');
  const parts = [8, 4, 12, 2, 6, 10, 14].map((part) => part / 16);
  const isMet = (piece) => {
    piece.scrollIntoView({block: 'center'});
    const {left, top, width, height} = piece.getBoundingClientRect();
    return parts.some((down) => parts.some((right) => {
      const met = document.elementFromPoint(left + right * width, top + down * height);
      return met && met.closest('[data-key]') === piece;
    }));
  };
  const size = (piece) => {
    const {width, height} = piece.getBoundingClientRect();
    return piece.classList.contains('bd-tiny') || !isMet(piece) ? 0 : Math.min(width, height);
  };
  const largest = (found) => (found.length ? Math.max(...found.map(size)) : null);
  return keys.map((key) => {
    const own = largest(pieces.filter((piece) => piece.dataset.key === key));
    if (own !== null) return own;
    const ends = ['among', 'sweep'].map((name) => largest(pieces.filter((one) => has(one, name).includes(key))));
    return Math.min(...ends.map((end) => end ?? 0));
  });
}"""
"""The size of the piece or label of each option; of options that send a piece somewhere that of the smaller end.

Pieces that something covers have none."""


def questions(game: str) -> Iterator[tuple[Match[Any, Any], MatchView[Any], Any]]:
    """Yield a question of each rule in each phase of some matches by bots."""
    seen = set[tuple[str, str]]()
    for scenario, options, seed in MATCHES[game]:
        match: Match[Any, Any] = Match(games.load(game), scenario, options, seed=seed)
        players = {seat.key: bots.make_bot(match.game, "doctrine", seat.key, Random(5)) for seat in match.seats}
        while match.outcome is None:
            seat, decision = next(iter(match.pending.items()))
            view = match.view(seat)
            if (view.phase, decision.rule) not in seen and not decision.only_continues:
                seen.add((view.phase, decision.rule))
                yield match, view, decision
            match.decide(seat, players[seat](decision, partial(match.view, seat)))


def small_pieces(page: Page, view: MatchView[Any], match: Match[Any, Any], decision: Any) -> dict[str, float]:
    """Return the options of a question whose pieces are too small, with their sizes; draw its board on the page."""
    data = formatting.decision(decision)
    keys = [option["key"] for option in data["options"]]
    sizes = page.evaluate(SIZES, [keys, str(board_svg.draw(match.game, view, data))])
    return {key: size for key, size in zip(keys, sizes, strict=True) if size < LEAST}


@pytest.mark.torture(40)
@pytest.mark.parametrize("game", MATCHES)
def test_all_that_can_be_pointed_at_is_large_enough(visit: Visit, server: Server, game: str) -> None:
    anna = visit("", **LAPTOP)
    opening: Match[Any, Any] = Match(games.load(game), MATCHES[game][0][0], seed="1")
    page = anna.go(f"/m/{import_match(server, anna, opening)}?seat=captain")
    page.locator("#board svg").first.wait_for(state="attached")
    found = {
        f"{view.phase} {decision.rule} {decision.question}": small
        for match, view, decision in questions(game)
        if (small := small_pieces(page, view, match, decision))
    }
    assert not found
