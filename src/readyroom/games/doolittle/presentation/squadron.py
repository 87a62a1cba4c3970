"""[2.0, 4.6.3] Bombers, crewmen and markers, in words and figures for a reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from readyroom.engine.game import View
from readyroom.games.doolittle.names import count

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


def hazard(data: View) -> Hazard:
    """A marker's position."""
    fighter, box = data["fighter"], data["box"]
    if "kind" not in data:
        red = " with the red box" if box else ""
        title = f"An interceptor's front{red}" if fighter else f"A hazard face down{red}"
        return Hazard(data["at"], "", "", "?", title, True, fighter, box)
    return Hazard(data["at"], data["key"], data["kind"], _short(data), _hazard_title(data), False, fighter, box)


def _short(data: View) -> str:
    """A marker in a few letters: its range, what it adds, or a word."""
    if data.get("range"):
        low, high = data["range"]
        return str(low) if low == high else f"{low}-{high}"
    adds = "".join(f"{LETTERS[what]}{signed(value)}" for what, value in data.get("adds", {}).items())
    named = SHORT.get(data["kind"])
    return named or adds or str(data["name"]).lower()[:8]


def _hazard_title(data: View) -> str:
    text = str(data["name"])
    if data.get("range"):
        low, high = data["range"]
        text += f", hits on {low}" if low == high else f", hits on {low} to {high}"
    for what, value in data.get("adds", {}).items():
        text += f", {what} {signed(value)}"
    return f"{text}{', stays' if data.get('stay') else ''}. {data['text']}".strip()


def _elite(data: View | None) -> Elite | None:
    if data is None:
        return None
    spent = ", used" if data["used"] else ", once" if data["once"] else ""
    title = f"{data['name']}, elite {data['role']}: {data['benefit'].lower()}{spent}"
    return Elite(data["name"], ROLES[data["role"]], data["benefit"].lower(), data["used"], title)


def plane(data: View, number: int, names: Mapping[str, str]) -> Plane:
    """[2.1] A bomber as it is."""
    elite = _elite(data["elite"])
    attached = [hazard(one) for one in data["attached"]]
    assigned = [hazard(one) for one in data["assigned"]]
    status = _status(data, names)
    carries = "bombs aboard" if data["loaded"] else "bombs gone"
    texts = [f"{data['pilot']}, bomber {number}", carries]
    texts += ["damaged"] if data["hits"] and not data["fate"] else []
    texts += [status, elite.title if elite else ""]
    texts += [count(data["fumes"], "marker") + " of fumes"] if data["fumes"] else []
    texts += [one.title.split(".")[0] for one in (*assigned, *attached)]
    return Plane(
        data["key"],
        number,
        data["pilot"],
        data["serial"],
        data["loaded"],
        data["hits"],
        elite,
        attached,
        assigned,
        data["fumes"],
        data["area"],
        data["box"],
        data["enters"],
        data["fate"],
        status,
        data["flight"],
        "; ".join(filter(None, texts)),
        data["at"],
        data["fuel"],
    )


def _status(status: View, names: Mapping[str, str]) -> str:
    """Where a bomber is, or what became of it."""
    if status["fate"]:
        where = f", {status['where']}" if status["where"] and status["fate"] not in ("home", "destroyed") else ""
        return f"{FATES[status['fate']]}{where}"
    if status["area"]:
        return names.get(status["box"] or status["area"], status["area"])
    if status["enters"]:
        return f"{'late, ' if status['delayed'] else ''}enters on turn {status['enters']}"
    return f"at {status['site']}" if status["site"] else status["base"] or "in the air"
