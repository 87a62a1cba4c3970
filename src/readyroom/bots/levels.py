"""Bots by strength for any game: novice, regular, veteran and best.

A novice answers half of the questions at random, and the others as a regular does. A regular is the game's default bot.
A veteran plays a policy of its side's mix, which it draws at the start and keeps: no policy that long searches found
gains much against it. The best begins like a veteran, and looks ahead for half a second at each decision: see
`readyroom.bots.search`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

from readyroom.bots.mixes import Member, mix_for, mixes_of
from readyroom.bots.policies import drawn_member, policy_maker
from readyroom.bots.rollouts import PolicyFactory, answer_of, baseline_policy
from readyroom.engine.game import Bot, Game, ViewFn
from readyroom.engine.match import BotView
from readyroom.engine.rules.decisions import Decision

NOVICE, REGULAR, VETERAN, BEST = "novice", "regular", "veteran", "best"
BEST_SECONDS = 0.5
"""How long the best looks ahead at each decision."""
CARE = 0.5
"""How often a novice answers as a regular does."""


def novice(game: Game[Any, Any], seat: str, random: Random) -> Bot:
    """Return a bot that answers half of the questions at random."""
    regular = baseline_policy(game)(seat, random)

    def decide(decision: Decision, view: ViewFn) -> Sequence[str]:
        answer = answer_of(decision, regular, view)
        return decision.sample(random) if answer is None or random.random() >= CARE else answer

    return decide


def member_number(game: Game[Any, Any], name: str) -> int | None:
    """Return which policy a veteran plays: `veteran:2` the second of its side, `veteran` (0) one that it draws.

    None: the game has no such bot.
    """
    level, colon, text = name.partition(":")
    known = mixes_of(game)
    if level != VETERAN or not known:
        return None
    if not colon:
        return 0
    most = max(len(side.members) for mix in known for side in mix.sides)
    return int(text) if text.isdecimal() and 0 < int(text[:9]) <= most else None


class Veteran:
    """A bot that plays one policy of its side's mix for a match; with a number, that member of the mix.

    `members` are the mix, if not the published one for the match.
    """

    def __init__(
        self, game: Game[Any, Any], seat: str, random: Random, number: int = 0, members: Sequence[Member] = ()
    ) -> None:
        self.game, self.seat, self.random, self.number = game, seat, random, number
        self.members = members
        self.place = random.random()
        self.player: Bot | None = None

    def __call__(self, decision: Decision, view: ViewFn) -> Sequence[str]:
        """Return the answer of the policy."""
        if not isinstance(view, BotView):
            raise TypeError("a veteran needs the BotView that Match.bot_view returns")
        if self.player is None:
            self.player = self._player(view)
        return self.player(decision, view)

    def _player(self, view: BotView) -> Bot:
        mix, space = mix_for(self.game, view.scenario, view.options), self.game.analysis.policies
        members = self.members or (mix.of(view.side).members if mix is not None else ())
        if not members or space is None or view.side not in space.styles:  # such as a calculator of odds
            return baseline_policy(self.game)(self.seat, self.random)
        member = members[min(self.number, len(members)) - 1] if self.number else drawn_member(members, self.place)
        return policy_maker(space, view.side, member.settings)(self.seat, self.random)


def opponents_of(game: Game[Any, Any]) -> PolicyFactory:
    """Return the policy that others are expected to play: that of a veteran, or of the default bot without a mix."""
    return partial(Veteran, game) if mixes_of(game) else baseline_policy(game)
