"""The options of both games; each is also a field of the calculator."""

from __future__ import annotations

from readyroom.engine.game import load_options
from readyroom.engine.rules.forms import FormField

_OPTIONS = {option.key: option for option in load_options(__name__.rpartition(".")[0])}
_WAR = ("submarine_results", "bombing_results", "heavy", "codebreaking", "excess", "questions")
STRATEGIC_WAR = [option for key, option in _OPTIONS.items() if key in (*_WAR, "nationality")]
"""The options of Strategic War."""
AIR_RAID = [option for key, option in _OPTIONS.items() if key not in _WAR]
"""The options of Air Raid Pearl Harbor."""
RULINGS = "Rules options"
"""The heading of the rulings in the calculator."""


def ruling(key: str) -> FormField:
    """Return the calculator's field for a ruling."""
    option = _OPTIONS[key]
    return FormField(option.title, option.default, option.choices, group=RULINGS)
