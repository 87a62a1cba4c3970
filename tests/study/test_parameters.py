"""The parameters of policies, and the distribution from which a search draws them."""

from __future__ import annotations

from random import Random
from statistics import fmean, pstdev
from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta

from readyroom import games
from readyroom.bots.parameters import parameters_of, random_settings, settings_of
from readyroom.engine.game import PolicySpace
from readyroom.study.policies.parameters import LEAST_SHARE, LEAST_SPREAD, Sampler


class Example(msgspec.Struct, frozen=True):
    size: Annotated[int, Meta(ge=1, le=9)] = 4
    mass: Annotated[float, Meta(ge=5, le=125, extra={"log": True})] = 25.0
    calm: bool = False
    order: Literal["first", "last", "none"] = "first"


PARAMETERS = parameters_of(Example)


def spaces() -> list[tuple[str, PolicySpace]]:
    """Return the policies of all games that declare some."""
    known = [(name, games.load(name).analysis.policies) for name in games.game_names()]
    return [(name, space) for name, space in known if space is not None]


def test_number_spans_its_range() -> None:
    size, mass, *_ = PARAMETERS
    assert [size.value(unit) for unit in (0.0, 0.5, 1.0)] == [1, 5, 9]
    assert [mass.value(unit) for unit in (0.0, 0.5, 1.0)] == [5.0, 25.0, 125.0]
    for each in (size, mass):
        for number in range(11):
            assert each.unit(each.value(number / 10)) == pytest.approx(number / 10, abs=0.06)


def test_field_without_range_is_rejected() -> None:
    with pytest.raises(TypeError, match="cap is no parameter"):
        parameters_of(msgspec.defstruct("Endless", [("cap", int)]))


def test_drawn_settings_are_policies() -> None:
    random = Random(1)
    around = Sampler.around(PARAMETERS, settings_of(Example()))
    for settings in [around.draw(random) for _ in range(50)] + [random_settings(PARAMETERS, random) for _ in range(50)]:
        assert settings_of(msgspec.convert(settings, Example)) == settings


def test_sampler_moves_to_the_best_and_never_freezes() -> None:
    sampler, random = Sampler.around(PARAMETERS, settings_of(Example())), Random(2)
    best = settings_of(Example(size=9, mass=125.0, calm=True, order="last"))
    for _ in range(12):
        sampler.learn([best] * 6)
    drawn = [sampler.draw(random) for _ in range(200)]
    assert fmean(settings["size"] for settings in drawn) > 8.5
    assert 0.8 < fmean(settings["calm"] for settings in drawn) < 1
    assert sampler.spreads["mass"] == LEAST_SPREAD
    assert min(sampler.shares["order"]) == LEAST_SHARE
    assert pstdev(settings["mass"] for settings in drawn) > 0


def test_policies_of_every_game_are_in_their_space() -> None:
    found = spaces()
    assert {"midway"} <= {name for name, _ in found}
    for name, space in found:
        game = games.load(name)
        assert set(space.styles) == {seat.side for seat in game.rules.seats(game.first_scenario, game.resolve({}))}
        for side, styles in space.styles.items():
            assert parameters_of(space.type_of(side))
            for policy in (*styles.values(), *space.challengers.get(side, {}).values()):
                assert msgspec.convert(settings_of(policy), space.type_of(side)) == policy
