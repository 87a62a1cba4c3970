"""The pieces, the state and the figures of Tokyo Express."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from readyroom.authoring import Charts, Cup, Piece, State, Table

JAPAN, USA = "japan", "usa"
HARBOUR = "harbour"


class Ship(Piece):
    """[1.1] A destroyer or a cruiser."""

    name: str

    def __str__(self) -> str:
        return self.name


class Sky(Piece):
    """[2.1] A counter of the cup: a sky and its die-roll modifier."""

    name: str
    modifier: int


class Run(msgspec.Struct):
    """[2.2] Tonight's run, by keys: loaded destroyers, escorts, and what has happened so far.

    `met` says that something has met it, `fired` that the escorts' torpedoes are away, `turned` that it turned away.
    """

    passage: str
    loaded: list[str]
    escorts: list[str]
    boats: str
    cruisers: str = ""
    reported: bool = False
    met: bool = False
    fired: bool = False
    turned: bool = False

    @property
    def sailing(self) -> list[str]:
        """All destroyers of the run, in an order that does not reveal loads."""
        return sorted([*self.loaded, *self.escorts])


class Express(State):
    """The state: each destroyer, cruiser and sky is in exactly one list."""

    nights: int
    sail: int
    squadrons: int
    need: int
    radar: bool
    ready: list[Ship]
    burnt: list[Ship]
    cruisers: list[Ship]
    torpedoed: list[Ship]
    cup: Cup[Sky]
    above: list[Sky]
    past: list[Sky]
    landed: list[int]
    run: Run | None = None

    @property
    def sky(self) -> tuple[str, int]:
        """[2.1] The night's modifier, with its name."""
        return self.above[0].name, self.above[0].modifier

    @property
    def tonight(self) -> Run:
        """[2.2] Tonight's run, once it is ordered."""
        assert self.run is not None
        return self.run

    @property
    def afloat(self) -> list[Ship]:
        """[1.1] The destroyers of the run that are afloat."""
        return [ship for ship in self.ready if ship.key in self.tonight.sailing]


class Figures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`data/figures.toml`."""

    source: str
    origin: str
    report_at: int
    drums: int
    salvos: int
    torpedoes: int
    torpedo_hits_at: int
    cruiser_points: int
    destroyer_points: int
    passages: dict[str, str]
    sky: list[Sky]


Name = Annotated[str, Meta(min_length=1, max_length=40)]


class Campaign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of `data/scenarios`: how many nights and ships, and how many points Japan needs."""

    title: str
    summary: str
    nights: Annotated[int, Meta(ge=1, le=20)]
    sail: Annotated[int, Meta(title="Most ships in a run", ge=1, le=20)]
    boats: Annotated[int, Meta(title="Squadrons of boats", ge=0, le=20)]
    need: Annotated[
        dict[str, Annotated[int, Meta(ge=0, le=999)]],
        Meta(title="Points that win", description="For Japan, with the option of radar and without."),
    ]
    destroyers: dict[str, Name]
    cruisers: dict[str, Name]

    def __post_init__(self) -> None:
        if set(self.need) != {"yes", "no"}:
            raise ValueError("need must have the points with radar (yes) and without (no)")
        if not self.destroyers:
            raise ValueError("destroyers must name at least one ship")


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One field for each file of the folder `data`, and a dict for its folder of scenarios."""

    figures: Figures
    charts: Charts
    scenarios: dict[str, Campaign]


T = Table[Express, Data]
