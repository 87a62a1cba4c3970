"""What can be varied in the captain's play: the risks that are taken over a city and on the way."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the captain weighs risks. Values over a city are in points: a hit at a target counts 5.

    Attributes:
        risk, risk_hurt: the cost of each hazard that an area is likely to bring, and its cost for a damaged bomber.
        late, late_hurt: the cost of being over the city when the attack ends, and that for a damaged bomber.
        patience: what a later turn is worth next to this one, for hazards grow and others take the targets.
        crowd: what each other loaded bomber beyond the targets of an area leaves of its best run.
        sure: with less than this chance the wind is not tried.
        spare: with less fuel than this nothing is tried that may cost some, and the first landing site is looked for.
        fresh: how much a city that no one has bombed is preferred: its guns sleep, and it counts by itself.
    """

    risk: Annotated[float, Meta(ge=0, le=1)] = 0.12
    risk_hurt: Annotated[float, Meta(ge=0, le=2)] = 0.35
    late: Annotated[float, Meta(ge=0, le=4)] = 0.85
    late_hurt: Annotated[float, Meta(ge=0, le=6)] = 2.0
    patience: Annotated[float, Meta(ge=0.5, le=1.1)] = 0.95
    crowd: Annotated[float, Meta(ge=0, le=1)] = 0.7
    sure: Annotated[float, Meta(ge=0, le=1)] = 0.45
    spare: Annotated[int, Meta(ge=0, le=6)] = 2
    fresh: Annotated[float, Meta(ge=0.5, le=3)] = 1.4


DOCTRINE = Policy()
STYLES = {
    "doctrine": DOCTRINE,
    "bold": Policy(risk=0.0, risk_hurt=0.1, late=0.3, late_hurt=0.8, sure=0.25, spare=1),
    "careful": Policy(risk=0.4, risk_hurt=1.2, late=2.0, late_hurt=5.0, sure=0.6, spare=3),
}
"""The doctrine, and two from which a search also starts."""
