"""What both boards show: each place with what is known to lie there, read from a view and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from readyroom.engine.game import MatchView
from tokyo_express.state import HARBOUR, JAPAN, USA

SHORTLAND = "shortland"


@dataclass(frozen=True)
class Shown:
    """A ship, or the boats, as a counter: `state` is what is known of her, and the key may be an option's."""

    key: str
    name: str
    side: str
    state: str = ""


@dataclass(frozen=True)
class Place:
    """A harbour or a passage: its key, which is an option's too, and what lies there."""

    key: str
    name: str
    ships: list[Shown]


@dataclass(frozen=True)
class Scene:
    """A title, a line beneath it, and the places from north-west to south-east."""

    title: str
    line: str
    places: list[Place]


def scene(view: MatchView[Any]) -> Scene:
    """The night as the seat of this view knows it."""
    table = view.table
    title = f"Night {min(table['night'], table['nights']) or 1} of {table['nights']}: {table['sky'] or 'dusk'}"
    line = f"Japan has {table['points']} of {table['need']} points; {sum(table['landed'])} drums lie on the beach"
    lying = {SHORTLAND: "Shortland", **table["passages"], HARBOUR: "Tulagi"}
    pairs = [*_destroyers(table, _plan(view)), *_patrols(table)]
    return Scene(title, line, [Place(key, name, [s for at, s in pairs if at == key]) for key, name in lying.items()])


def _plan(view: MatchView[Any]) -> Mapping[str, Any]:
    """Japan's orders: those given, or those on the sheet that is being filled in."""
    given: Mapping[str, Any] = view.table["tonight"] or view.sheets.get(JAPAN) or {}
    return given


def _destroyers(table: Mapping[str, Any], plan: Mapping[str, Any]) -> list[tuple[str, Shown]]:
    """Each destroyer with the place where she is known to be; at Shortland as long as nobody has seen her elsewhere."""
    loaded, sailing = plan.get("loaded") or (), plan.get("sailing") or ()
    escort = "escort" if plan.get("loaded") is not None else ""
    pairs = []
    for key, name in table["ready"].items():
        at = plan.get("passage") or SHORTLAND if key in sailing else SHORTLAND
        state = "drums" if key in loaded else escort if key in sailing else ""
        pairs.append((at, Shown(key, name, JAPAN, state)))
    return pairs + [(SHORTLAND, Shown(key, name, JAPAN, "burnt")) for key, name in table["burnt"].items()]


def _patrols(table: Mapping[str, Any]) -> list[tuple[str, Shown]]:
    """Cruisers and boats where they are known to lie, and otherwise in their harbour."""
    tonight = table["tonight"] or {}
    cruisers, boats = tonight.get("cruisers") or HARBOUR, tonight.get("boats") or HARBOUR
    pairs = [(cruisers, Shown(key, name, USA)) for key, name in table["cruisers"].items()]
    pairs += [(HARBOUR, Shown(key, name, USA, "torpedoed")) for key, name in table["torpedoed"].items()]
    return pairs + [(boats, Shown(f"boats-{n + 1}", f"boats {n + 1}", USA)) for n in range(table["squadrons"])]
