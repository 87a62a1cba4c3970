"""What each seat sees, and other positions that the guard could not tell from the true one."""

from __future__ import annotations

from random import Random

from lantern_strait.state import GUARD, RUNNER, Boat, Data, Strait
from readyroom.engine.game import View


def view(state: Strait, data: Data, seat: str | None) -> View:
    """[R1] The runner sees where each boat is; everybody else, only how many came through."""
    whole = seat == RUNNER
    return {
        "nights": state.nights,
        "caught": _told(state.caught),
        "came through": len(state.landed),
        "harbour": _told(state.harbour) if whole else None,
        "sailing": _told(state.sailing) if whole else None,
        "landed": _told(state.landed) if whole else None,
        "skies to come": [sky.name for sky in state.cup.contents],
    }


def _told(boats: list[Boat]) -> dict[str, int]:
    return {boat.key: boat.drums for boat in boats}


def resample(state: Strait, data: Data, seat: str, random: Random) -> Strait:
    """[R1] For the guard, any boat not caught may have come through, or be tonight's; the state given is changed."""
    if seat == GUARD:
        unseen, landed, tonight = [*state.harbour, *state.sailing, *state.landed], len(state.landed), len(state.sailing)
        random.shuffle(unseen)
        state.landed, state.sailing = unseen[:landed], unseen[landed : landed + tonight]
        state.harbour = unseen[landed + tonight :]
    return state
