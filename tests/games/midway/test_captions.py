"""Captions of Midway say in words which squadrons fly."""

from __future__ import annotations

import re

from tests.browser.matches import played_by_bots

from readyroom import Match, games
from readyroom.games.midway.captions import caption

CODES = re.compile(r"\b(F|TB|DB|CAP)\b")


def test_captions_of_a_match_have_no_codes() -> None:
    match = played_by_bots(Match(games.load("midway"), "duel", seed="2"), lambda _: False)
    texts = [line.text for line in match.full_log if CODES.search(line.text)]
    assert len(texts) > 15
    assert [text for text in texts if CODES.search(caption(text))] == []


def test_losses_of_many_squadrons_are_summed_up() -> None:
    losses = ["Hornet TB 1 takes 5 hits and is destroyed", "Enterprise 2 TB take 9 hits and are destroyed"]
    assert caption(", ".join([*losses, "Hornet TB 2 takes 1 hit (4 left)."])) == (
        "Torpedo bombers of Hornet and Enterprise take 15 hits: 3 squadrons of 4 are destroyed."
    )


def test_caption_without_squadrons_is_the_line() -> None:
    assert caption("soryu is crippled.") == "soryu is crippled."
