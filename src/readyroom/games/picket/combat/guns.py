"""[6.8, 7.4] Which guns can fire where, and with which modifiers."""

from __future__ import annotations

from readyroom.engine.rules.checks import Modifiers
from readyroom.games.picket.figures.common import Height
from readyroom.games.picket.figures.data import Data
from readyroom.games.picket.figures.ship import GunCard
from readyroom.games.picket.state import Counter, Mount, Picket

MK37, PLOT, WILLOW = "mk37", "plotting-room", "willow"


def works(state: Picket, data: Data, key: str) -> bool:
    """[7.3.P, 7.7.M, 7.8.2.J] Return whether a gun can fire: not destroyed, and still supplied (P14)."""
    card, mount = data.mounts[key], state.ship.mounts.get(key)
    if mount is None or mount.hits >= card.boxes or not state.ship.ammunition or state.ship.all_hands:
        return False
    return not silent(state, data, card)


def silent(state: Picket, data: Data, card: GunCard) -> bool:
    """[1.1, 7.8.2.J] Return whether the loss of its magazines silences a gun (P12)."""
    feeds = card.feeds
    if state.rulings.magazines == "both" and card.kind != "5-inch":
        feeds = sorted({feed for other in data.mounts.values() if other.kind == card.kind for feed in other.feeds})
    return all(state.ship.rooms[feed].destroyed for feed in feeds)


def masked_heights(state: Picket, data: Data, bearing: int) -> set[str]:
    """[7.4.A, 7.4.B, 7.4.C, 7.4.E] Return the heights that list and trim mask in this direction."""
    ship, tilt = state.ship, data.guns.tilt
    masked = set[str]()
    angles = {"starboard": ship.heel, "port": -ship.heel, "bow": ship.trim, "stern": -ship.trim}
    for to, angle in angles.items():
        limit = max(
            (one for one in tilt.limit if one.to == to and angle >= one.at), key=lambda one: one.at, default=None
        )
        if limit is not None:
            for side, heights in limit.bars.items():
                if bearing in tilt.bearings[side]:
                    masked.update(heights)
    return masked


def bears(state: Picket, data: Data, key: str, plane: Counter) -> bool:
    """[6.8.G, 6.8.H] Return whether a gun can fire at a plane: by its arc, and by list and trim."""
    return plane.bearing in data.mounts[key].arc and plane.height not in masked_heights(state, data, plane.bearing)


def directed(state: Picket, data: Data, key: str) -> bool:
    """[6.8.C.3, 6.8.D, 6.8.E, 6.8.F, 7.8.2.J] Return whether a gun's director works; without steam none does."""
    director = next((one.key for one in data.directors.values() if key in one.serves), "")
    if not director or state.ship.gear[director].hits or not state.ship.power:
        return False
    return director != MK37 or state.ship.works(PLOT)


def aimed(state: Picket, data: Data, key: str, *, slaved: bool) -> bool:
    """[6.8.C.1, 6.8.D] Return whether a director aims a gun."""
    return directed(state, data, key) and (slaved or data.mounts[key].kind != "5-inch" or not state.plan.advanced)


def is_wooden(state: Picket, data: Data, key: str, plane: Counter) -> bool:
    """[11.6.C] Return whether a gun's shells may pass through a plane."""
    return state.rulings.willow == "yes" and plane.plane == WILLOW and data.mounts[key].kind != "20mm"


def fit(state: Picket, data: Data, key: str) -> int:
    """[12.1] Return what the fit of guns adds to a gun's roll."""
    armament = data.guns.armaments.get(state.plan.armament)
    return armament.bonus.get(key, 0) if armament else 0


def has_magazine_hit(state: Picket, data: Data, key: str) -> bool:
    """[7.8.2.J] Return whether a magazine of a gun is hit."""
    return any(not state.ship.rooms[feed].whole for feed in data.mounts[key].feeds)


def modifiers(state: Picket, data: Data, key: str, plane: Counter, *, slaved: bool) -> Modifiers:
    """[6.8.C.1, 6.8.D, 11.1.A, 11.2.A, 11.6.C, 12.1] Return a gun's fire modifiers against a plane, by name."""
    card, fire, ship = data.mounts[key], data.duty.fire, state.ship
    height: Height = plane.height  # type: ignore[assignment]
    with_director, wood = aimed(state, data, key, slaved=slaved), is_wooden(state, data, key, plane)
    director = data.guns.fire.director[card.kind] if with_director else 0
    return [
        ("director", 0 if wood else director),
        ("a wooden plane", fire.willow if wood and card.kind == "5-inch" and not with_director else 0),
        ("gunnery officer", ship.value("gunnery")),
        (f"height {height}", data.guns.fire.height[card.kind][height]),
        ("magazine hit", fire.magazine if has_magazine_hit(state, data, key) else 0),
        ("fit", 0 if wood else fit(state, data, key)),
        ("ace crew", fire.ace if is_ace(state, data, ship.mounts[key]) and not wood else 0),
        ("morale", ship.morale if state.rulings.morale_fire == "yes" else 0),
    ]


def is_ace(state: Picket, data: Data, mount: Mount) -> bool:
    """[11.2.A] Return whether the crew of an undamaged gun has enough kills."""
    return state.rulings.aces == "yes" and mount.kills >= data.duty.fire.ace_kills and not mount.hits
