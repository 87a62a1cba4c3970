"""Numbers and things as text, for questions, the log and both boards."""

from __future__ import annotations

from readyroom.games.picket.figures.common import HEIGHTS

FIRE, SECTION, DECK, BEARING = "fire", "section", "deck", "bearing"
"""What the keys of places on the board begin with: fires on a deck, sections, sections from above, and bearings."""


def fire_key(section: str) -> str:
    """Return the key of the fires on a deck.

    >>> fire_key("aft")
    'fire-aft'
    """
    return f"{FIRE}-{section}"


def section_key(section: str) -> str:
    """Return the key of a section of the ship."""
    return f"{SECTION}-{section}"


def deck_key(section: str) -> str:
    """Return the key of a section on the ship as seen from above."""
    return f"{DECK}-{section}"


def bearing_key(bearing: int) -> str:
    """Return the key of the sea in a direction.

    >>> bearing_key(45)
    'bearing-045'
    """
    return f"{BEARING}-{bearing:03d}"


def place_text(bearing: int, height: str) -> str:
    """Return a bearing and a height as text.

    >>> place_text(45, "H")
    '045° high'
    """
    return f"{bearing:03d}° {HEIGHTS[height]}"  # type: ignore[index]


def position_text(bearing: int, height: str, section: str) -> str:
    """Return where a plane is as text; a special attacker has no height, but a section that it approaches.

    >>> position_text(180, "M", ""), position_text(-1, "", "aft")
    ('180° medium', 'aft section')
    """
    return f"{section} section" if section else place_text(bearing, height)


def a(name: str) -> str:
    """Return a name with its article.

    >>> a("Oscar"), a("Zero"), a("Ohka")
    ('an Oscar', 'a Zero', 'an Ohka')
    """
    return f"a{'n' if name[0] in 'AEIOaeio' else ''} {name}"


def weapon_name(weapon: str) -> str:
    """Return the name of a special attacker's weapon.

    >>> weapon_name("bomb"), weapon_name("ohka")
    ('bomb', 'Ohka')
    """
    return "Ohka" if weapon == "ohka" else weapon


def leaning(heel: int, trim: int) -> tuple[str, str]:
    """Return list and trim, each as text.

    >>> leaning(-2, 1), leaning(0, 0)
    (('list 2 to port', 'trim 1 by the bow'), ('no list', 'even keel'))
    """
    return (
        f"list {abs(heel)} to {'starboard' if heel > 0 else 'port'}" if heel else "no list",
        f"trim {abs(trim)} by the {'bow' if trim > 0 else 'stern'}" if trim else "even keel",
    )


def leans(heel: int, trim: int) -> str:
    """Return list and trim as text, leaving out zero.

    >>> leans(-2, 1), leans(0, -1)
    ('list 2 to port and trim 1 by the bow', 'trim 1 by the stern')
    """
    return " and ".join(part for part, angle in zip(leaning(heel, trim), (heel, trim), strict=True) if angle)
