"""[1.5] What was lost in a cruise, for its end."""

from __future__ import annotations

from collections.abc import Iterator

from readyroom.engine.rules.state import Loss
from readyroom.games.picket.figures.data import Data
from readyroom.games.picket.state import NAMES, Picket


def losses(state: Picket, data: Data) -> list[Loss]:
    """[1.5, 10] Return ships lost and damaged, officers killed, and planes shot down by type."""
    return [*_american(state, data.ship.tracks.full), *_japanese(state, data)]


def _american(state: Picket, full: int) -> Iterator[Loss]:
    causes = dict(entry.split(": ", 1) for entry in state.tally.lost)
    if state.ship.lost:
        causes[state.ship.name] = state.ship.lost
    for ship, cause in causes.items():
        yield Loss(side="usa", shape="ship", name=ship, fate=f"lost: {cause}")
    struck = {tour.ship for tour in state.tally.tours if tour.struck}
    if state.ship.name not in causes and (state.ship.name in struck or state.ship.hull < full):
        by = "struck by planes, " if state.ship.name in struck else ""
        yield Loss(
            side="usa",
            shape="ship",
            name=state.ship.name,
            fate=f"{by}hull {max(0, state.ship.hull)} of {full}",
            gone=False,
        )
        causes[state.ship.name] = ""
    for tour in state.tally.tours:
        if tour.struck and tour.ship not in causes:
            yield Loss(side="usa", shape="ship", name=tour.ship, fate="struck by planes", gone=False)
    for fallen in state.tally.fallen:
        yield Loss(side="usa", shape="crew", name=NAMES[fallen.officer], fate="killed")


def _japanese(state: Picket, data: Data) -> Iterator[Loss]:
    for key, number in sorted(state.tally.types.items(), key=lambda one: (-one[1], one[0])):
        yield Loss(side="japan", shape="bomber", name=data.cards[key].name, fate="shot down", count=number)
