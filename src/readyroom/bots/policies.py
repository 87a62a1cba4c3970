"""The policies of a side among which a search bot chooses.

The first one is what a veteran would play: a member of the side's mix, drawn by share. In a game without a mix it is
the bot or plan that is best in the book. The others are the rest of the mix, the policies by which the mix was tested,
the game's bots and plans, and policies that differ from the first one in one parameter.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate
from random import Random
from typing import Any, NamedTuple

import msgspec

from readyroom.bots.book import book
from readyroom.bots.mixes import Member, Mix, mix_for
from readyroom.bots.parameters import Parameter, Settings, parameters_of, settings_of
from readyroom.bots.rollouts import PolicyFactory, policies_for
from readyroom.engine.game import Bot, Game, PolicySpace
from readyroom.engine.match import BotView

STEP = 0.3
"""By which part of its range a parameter differs from that of the first policy."""
UNKNOWN = -0.02
"""The gain that is expected of a policy of which nothing is known."""


class SidePolicy(NamedTuple):
    """A policy of a side: its name, its maker, and its gain over the first one according to earlier studies."""

    name: str
    maker: PolicyFactory
    gain: float = 0.0


def side_policies(game: Game[Any, Any], view: BotView, place: float) -> list[SidePolicy]:
    """Return the policies of a seat's side, the first one by a number from 0 to 1 that was drawn for the match."""
    space, mix = game.analysis.policies, mix_for(game, view.scenario, view.options)
    if space is not None and view.side not in space.styles:  # such as a calculator of odds
        space = None
    if space is not None and mix is not None:
        return _of_mix(space, mix, view.side, place)
    return _of_book(game, space, view)


def drawn_member(members: Sequence[Member], place: float) -> Member:
    """Return the member of a mix that a number from 0 to 1 draws by share."""
    limits = list(accumulate(member.share for member in members))
    return members[min(bisect_right(limits, place * limits[-1]), len(members) - 1)]


def policy_maker(space: PolicySpace, side: str, settings: Settings) -> PolicyFactory:
    """Return the maker of bots that play a side by a policy."""
    return partial(_bot, space, msgspec.convert(settings, space.type_of(side)))


def _bot(space: PolicySpace, policy: Any, seat: str, random: Random) -> Bot:
    return space.bot(policy, seat, random)


def _of_mix(space: PolicySpace, mix: Mix, side: str, place: float) -> list[SidePolicy]:
    """Return the members of a mix, from the one that was drawn, the policies that tested it, and those near the first.

    What is known of them are the payoffs against the other side's mix.
    """
    own, gains = mix.of(side), _payoffs(mix, side)
    first = drawn_member(own.members, place)
    base = gains[first.name]
    known = [(member.name, member.settings, gains[member.name] - base) for member in own.members]
    known.sort(key=lambda each: each[0] != first.name)
    known += [(test.name, test.settings, test.gain.mean) for test in own.tests]
    known += [(name, settings, UNKNOWN) for name, settings in _near(space, side, first.settings)]
    names, seen = set[str](), list[Settings]()
    policies = []
    for name, settings, gain in known:
        if name not in names and settings not in seen:
            names.add(name)
            seen.append(settings)
            policies.append(SidePolicy(name, policy_maker(space, side, settings), gain))
    return policies


def _payoffs(mix: Mix, side: str) -> dict[str, float]:
    """Return the utility of each member of a side against the other side's mix."""
    own, others = mix.of(side), [each for each in mix.sides if each.side != side]
    shares = [member.share for member in others[0].members] if others else [1.0]
    is_first = mix.sides[0].side == side

    def mean(row: Sequence[float]) -> float:
        return sum(share * utility for share, utility in zip(shares, row, strict=True)) / sum(shares)

    table = [[cell.mean for cell in row] for row in mix.payoffs]
    rows = table if is_first else [[1.0 - cell for cell in column] for column in zip(*table, strict=True)]
    return {member.name: mean(row) for member, row in zip(own.members, rows, strict=True)}


def _of_book(game: Game[Any, Any], space: PolicySpace | None, view: BotView) -> list[SidePolicy]:
    """Return the bots and plans that the book does not rate worse than the default one, the best first."""
    entries = book(game.package).gains(game.key, view.scenario, view.side)
    makers = policies_for(game, view.side)
    default = next(iter(makers))
    gains = {name: entries[name].gain if name in entries else 0.0 for name in makers}
    kept = [name for name in makers if gains[name] >= 0.0]
    first = max(kept, key=lambda name: gains[name]) if game.analysis.bots else default
    kept.sort(key=lambda name: name != first)
    policies = [SidePolicy(name, makers[name], gains[name] - gains[first]) for name in kept]
    styles = space.styles[view.side] if space is not None else {}
    if space is not None and first in styles:
        near = _near(space, view.side, settings_of(styles[first]))
        policies += [SidePolicy(name, policy_maker(space, view.side, each), UNKNOWN) for name, each in near]
    return policies


def _near(space: PolicySpace, side: str, settings: Settings) -> Iterator[tuple[str, Settings]]:
    """Yield policies with one parameter changed, by name."""
    for parameter in parameters_of(space.type_of(side)):
        own = settings.get(parameter.name)
        for value in _other_values(parameter, own) if own is not None else ():
            if value != own:
                yield f"{parameter.name}={value}", {**settings, parameter.name: value}


def _other_values(parameter: Parameter, own: Any) -> list[Any]:
    """Return other values of a parameter: all other choices, or one below and one above."""
    if parameter.choices:
        return list(parameter.choices)
    unit = parameter.unit(own)
    return [parameter.value(min(max(unit + step, 0.0), 1.0)) for step in (-STEP, STEP)]
