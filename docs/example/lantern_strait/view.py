"""What each seat sees, and other states that it cannot distinguish from the true one."""

from __future__ import annotations

from random import Random

import msgspec

from lantern_strait.state import GUARD, RUNNER, Boat, Data, Strait


class StraitView(msgspec.Struct, frozen=True):
    """[R1] A seat's view: drums by boat in each place, None where the seat may not see them."""

    nights: int
    caught: dict[str, int]
    came_through: int
    harbour: dict[str, int] | None
    sailing: dict[str, int] | None
    landed: dict[str, int] | None
    skies_left: list[str]


def view(state: Strait, data: Data, seat: str | None) -> StraitView:
    """[R1] Return a seat's view: the runner sees where each boat is, others only how many came through."""
    whole = seat == RUNNER
    return StraitView(
        nights=state.nights,
        caught=_drums(state.caught),
        came_through=len(state.landed),
        harbour=_drums(state.harbour) if whole else None,
        sailing=_drums(state.sailing) if whole else None,
        landed=_drums(state.landed) if whole else None,
        skies_left=[sky.name for sky in state.cup.contents],
    )


def _drums(boats: list[Boat]) -> dict[str, int]:
    return {boat.key: boat.drums for boat in boats}


def resample(state: Strait, data: Data, seat: str, random: Random) -> Strait:
    """[R1] For the guard, any boat not caught may have come through or sail tonight. Change the state and return it."""
    if seat == GUARD:
        unseen, landed, tonight = [*state.harbour, *state.sailing, *state.landed], len(state.landed), len(state.sailing)
        random.shuffle(unseen)
        state.landed, state.sailing = unseen[:landed], unseen[landed : landed + tonight]
        state.harbour = unseen[landed + tonight :]
    return state
