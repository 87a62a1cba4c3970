"""What a chapter is played with: its game, scenario and options before and after its rows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from readyroom.campaign.schema import Chapter, Substitute
from readyroom.engine.errors import UnknownScenario
from readyroom.engine.game import Game, Scenario, load_game
from readyroom.engine.toml import write_toml


class ChapterConfig(NamedTuple):
    """The game, scenario, seats and options of a chapter as its file names them; `key` is the chapter's."""

    key: str
    game: str
    scenario: str | dict[str, Any]
    seats: Mapping[str, str]
    options: Mapping[str, str]

    def load(self) -> Game[Any, Any]:
        """Return the game."""
        return load_game(self.game)

    def resolve(self) -> dict[str, str]:
        """Return the choices of all options."""
        return self.load().resolve(self.options)

    @property
    def file(self) -> str:
        """The name of the scenario's file, from which its key follows."""
        name = self.scenario if isinstance(self.scenario, str) else self.key
        return f"{Path(name).stem}.toml"

    def printed(self, files: Mapping[str, str]) -> Scenario:
        """Return the scenario without any change; raise `UnknownScenario` or `InvalidData`."""
        game = self.load()
        if isinstance(self.scenario, dict):
            return game.own_scenario(write_toml(self.scenario).encode(), self.file)
        if self.scenario.endswith(".toml"):
            if self.scenario not in files:
                raise UnknownScenario(self.scenario, files, where=game.key)
            return game.own_scenario(files[self.scenario].encode(), self.scenario)
        return game.scenario(self.scenario)

    def tables(self, files: Mapping[str, str]) -> dict[str, Any]:
        """Return the content of the unchanged scenario as tables of plain data."""
        return content_of(self.printed(files))

    def scenario_of(self, tables: Mapping[str, Any], files: Mapping[str, str]) -> Scenario:
        """Return the scenario with this content: the game's own if nothing differs, else a custom one.

        Raises:
            InvalidData: the game cannot play it.
        """
        if isinstance(self.scenario, str) and not self.scenario.endswith(".toml"):
            printed = self.load().scenario(self.scenario)
            if tables == content_of(printed):
                return printed
        return self.written(tables)

    def written(self, tables: Mapping[str, Any]) -> Scenario:
        """Return a custom scenario with this content; raise `InvalidData` if the game cannot play it."""
        return self.load().own_scenario(write_toml(tables).encode(), self.file)


def content_of(scenario: Scenario) -> dict[str, Any]:
    """Return the content of a scenario as tables of plain data."""
    tables: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(scenario.content))
    return tables


def config_of(chapter: Chapter, instead: Substitute | None) -> ChapterConfig:
    """Return the config of a chapter, or of what is played instead."""
    if instead is None:
        return ChapterConfig(chapter.key, chapter.game, chapter.scenario, chapter.seats, chapter.options)
    return ChapterConfig(
        chapter.key,
        instead.game or chapter.game,
        instead.scenario or chapter.scenario,
        instead.seats or chapter.seats,
        instead.options or ({} if instead.game else chapter.options),
    )
