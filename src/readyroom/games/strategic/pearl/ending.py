"""[PH.13] What the end of the raid shows: the score at any time, and what each side has lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from readyroom.engine.rules.state import Loss, ScaleBand, ScoreScale, Shape
from readyroom.games.strategic.pearl.scoring import points, scores
from readyroom.games.strategic.pearl.state import JAPAN, USA, RaidState, Ship
from readyroom.games.strategic.tables.figures import Data


def standing(state: RaidState, data: Data) -> dict[str, int]:
    """[PH.13] Return what each side has scored; the Magic cards kept count once they are revealed."""
    if state.raid.over:
        return scores(state.raid)
    return {side: sum(value for _, value in lines) for side, lines in points(state.raid).items()}


def scale(state: RaidState, data: Data) -> ScoreScale:
    """[PH.13, P10] Return the difference in score between the limits from which each side wins."""
    totals, win = scores(state.raid), state.raid.opening.win
    bands = [
        ScaleBand("United States wins", side=USA),
        ScaleBand("draw", win.usa + 1),
        ScaleBand("Japan wins", win.japan, JAPAN),
    ]
    return ScoreScale("difference in points", totals[JAPAN] - totals[USA], bands)


def losses(state: RaidState, data: Data) -> list[Loss]:
    """[PH.13] Return ships sunk and damaged, light ships, and aircraft."""
    raid = state.raid
    harbor = raid.opening.harbor.light
    squadrons = len(raid.lost) + len(list(raid.squadrons()))
    found = [
        *_ship_losses(USA, raid.american_ships()),
        Loss(side=USA, shape="ship", name="light-ship factors", count=harbor - raid.light, total=harbor),
        Loss(side=USA, shape="fighter", name="aircraft units", count=raid.american_losses),
        *_ship_losses(JAPAN, raid.carriers),
        Loss(side=JAPAN, shape="bomber", name="squadrons", count=len(raid.lost), total=squadrons),
    ]
    return [loss for loss in found if loss.count]


def _ship_losses(side: str, ships: Iterable[Ship]) -> Iterator[Loss]:
    for ship in sorted(ships, key=lambda ship: not ship.sunk):
        if ship.hit:
            fate = "sunk" if ship.sunk else "damaged"
            shape: Shape = "carrier" if ship.carrier else "ship"
            yield Loss(side=side, shape=shape, name=ship.name, fate=fate, gone=ship.sunk)
