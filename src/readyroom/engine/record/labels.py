"""Labels of matches whose dice someone may know."""

from __future__ import annotations

_PRESENT = {
    "seed": "Predictable dice: this match uses a seed. Anyone who knows it can predict every roll.",
    "import": "Predictable dice: this match was imported by its host, who can predict every roll.",
    "branch": "Predictable dice: this match repeats the dice of a finished match. Its host can predict rolls.",
    "daily": "Challenge of the day: everyone has the same dice. This attempt counts.",
    "practice": "Practice: everyone has the dice of the challenge of the day. This attempt does not count.",
    "past": "Predictable dice: this match repeats the dice of an earlier challenge of the day.",
}
_PAST = {
    "seed": "Predictable dice: this match used a seed. Anyone who knew it could predict every roll.",
    "import": "Predictable dice: this match was imported by its host, who could predict every roll.",
    "branch": "Predictable dice: this match repeated the dice of a finished match. Its host could predict rolls.",
    "daily": "Challenge of the day: everyone had the same dice. This was a counted attempt.",
    "practice": "Practice: everyone had the dice of the challenge of the day. This attempt did not count.",
    "past": "Predictable dice: this match repeated the dice of an earlier challenge of the day.",
}
REPLAY_ONLY = "Imported: this match was played elsewhere and is only for replay."
UNSIGNED = (
    "Older match: an earlier version of the server started it and did not sign its dice. "
    "If its host imported it, they can predict every roll."
)


def dice_label(origin: str, *, over: bool) -> str:
    """Return the label of a match by its origin; empty if no player can know the dice.

    Args:
        origin: as in the header of a record; empty for a normal match. An unknown one raises `KeyError`.
        over: whether the match is over.
    """
    return (_PAST if over else _PRESENT)[origin] if origin else ""
