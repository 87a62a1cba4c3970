"""[2.0, 4.6.3] Bombers, crewmen and markers, in words and figures for a reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readyroom.games.doolittle.names import count

Shown = Mapping[str, Any]
SHORT = {
    "balloons": "wires",
    "break-off": "breaks",
    "crash": "crash",
    "panicked-streets": "panic",
    "ryuho": "CV",
    "hiyo": "CV",
    "compass-error": "compass",
    "faulty-compass": "compass",
    "faulty-doors": "doors",
    "flying-boat": "boat",
    "fuel-leak": "leak",
    "fuel-evaporation": "dry tank",
    "mechanical": "engine",
    "medals": "medals",
    "vessel": "vessel",
    "interceptor": "fighter",
}
"""Kinds of markers, as short as a chip has room for."""
LETTERS = {"approach": "A", "detonation": "D", "gunnery": "G", "landing": "L"}
"""What a marker adds to, in a letter."""
FATES = {
    "home": "home",
    "destroyed": "destroyed",
    "ditched": "down",
    "captured": "captured",
    "landed": "landed",
    "crashed": "crashed",
    "ashore": "ashore",
    "overboard": "overboard",
    "saved": "saved",
    "wrecked": "burned",
    "seized": "seized",
    "interned": "interned",
}
ROLES = {
    "pilot": "pilot",
    "copilot": "copilot",
    "doctor": "doctor",
    "engineer": "engineer",
    "gunner": "gunner",
    "navigator": "navigator",
    "bombardier": "bombardier",
}


def signed(value: int) -> str:
    """A value with its sign, as it is printed.

    >>> signed(2), signed(0), signed(-1)
    ('+2', '0', '−1')
    """
    return f"{value:+d}".replace("-", "−") if value else "0"


@dataclass(frozen=True, slots=True)
class Hazard:
    """[4.2, 4.6.3, 8.3.7] A marker: face down with its front, or turned over; then its key is known."""

    at: str
    key: str
    kind: str
    short: str
    title: str
    hidden: bool
    fighter: bool
    box: bool

    @property
    def style(self) -> str:
        """What it looks like."""
        if self.hidden:
            return "hidden"
        return "good" if self.short.startswith(("A+", "D+", "medals", "CV")) else "open"


@dataclass(frozen=True, slots=True)
class Elite:
    """[2.3] An elite crewman."""

    name: str
    role: str
    benefit: str
    used: bool
    title: str


@dataclass(frozen=True, slots=True)
class Plane:
    """[2.1] A bomber."""

    key: str
    number: int
    pilot: str
    serial: str
    loaded: bool
    hits: int
    elite: Elite | None
    attached: Sequence[Hazard]
    assigned: Sequence[Hazard]
    fumes: int
    area: str
    box: str
    enters: int
    fate: str
    status: str
    flight: str
    title: str
    at: str
    fuel: int

    @property
    def hazards(self) -> Sequence[Hazard]:
        """[4.4] All hazards that it has, in the order in which it is asked about them."""
        return (*self.assigned, *self.attached)

    @property
    def lost(self) -> bool:
        """Whether nothing is left of it."""
        return self.fate in ("destroyed", "captured", "ditched")


def hazard(found: Shown) -> Hazard:
    """A marker as it lies."""
    fighter, box = found["fighter"], found["box"]
    if "kind" not in found:
        red = " with the red box" if box else ""
        title = f"An interceptor's front{red}" if fighter else f"A hazard face down{red}"
        return Hazard(found["at"], "", "", "?", title, True, fighter, box)
    return Hazard(found["at"], found["key"], found["kind"], _short(found), _told(found), False, fighter, box)


def _short(found: Shown) -> str:
    """A marker in a few letters: its range, what it adds, or a word."""
    if found.get("range"):
        low, high = found["range"]
        return str(low) if low == high else f"{low}-{high}"
    adds = "".join(f"{LETTERS[what]}{signed(value)}" for what, value in found.get("adds", {}).items())
    named = SHORT.get(found["kind"])
    return named or adds or str(found["name"]).lower()[:8]


def _told(found: Shown) -> str:
    words = str(found["name"])
    if found.get("range"):
        low, high = found["range"]
        words += f", hits on {low}" if low == high else f", hits on {low} to {high}"
    for what, value in found.get("adds", {}).items():
        words += f", {what} {signed(value)}"
    return f"{words}{', stays' if found.get('stay') else ''}. {found['text']}".strip()


def _elite(found: Shown | None) -> Elite | None:
    if found is None:
        return None
    spent = ", used" if found["used"] else ", once" if found["once"] else ""
    title = f"{found['name']}, elite {found['role']}: {found['benefit'].lower()}{spent}"
    return Elite(found["name"], ROLES[found["role"]], found["benefit"].lower(), found["used"], title)


def plane(found: Shown, number: int, names: Mapping[str, str]) -> Plane:
    """[2.1] A bomber as it is."""
    elite = _elite(found["elite"])
    attached = [hazard(one) for one in found["attached"]]
    assigned = [hazard(one) for one in found["assigned"]]
    status = _status(found, names)
    carries = "bombs aboard" if found["loaded"] else "bombs gone"
    words = [f"{found['pilot']}, bomber {number}", carries]
    words += ["damaged"] if found["hits"] and not found["fate"] else []
    words += [status, elite.title if elite else ""]
    words += [count(found["fumes"], "marker") + " of fumes"] if found["fumes"] else []
    words += [one.title.split(".")[0] for one in (*assigned, *attached)]
    return Plane(
        found["key"],
        number,
        found["pilot"],
        found["serial"],
        found["loaded"],
        found["hits"],
        elite,
        attached,
        assigned,
        found["fumes"],
        found["area"],
        found["box"],
        found["enters"],
        found["fate"],
        status,
        found["flight"],
        "; ".join(filter(None, words)),
        found["at"],
        found["fuel"],
    )


def _status(found: Shown, names: Mapping[str, str]) -> str:
    """Where a bomber is, or what became of it."""
    if found["fate"]:
        where = f", {found['where']}" if found["where"] and found["fate"] not in ("home", "destroyed") else ""
        return f"{FATES[found['fate']]}{where}"
    if found["area"]:
        return names.get(found["box"] or found["area"], found["area"])
    if found["enters"]:
        return f"{'late, ' if found['delayed'] else ''}enters on turn {found['enters']}"
    return f"at {found['site']}" if found["site"] else found["base"] or "in the air"
