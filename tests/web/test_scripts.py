"""Scripts are small as they are served, and styles cheap to apply."""

from __future__ import annotations

import gzip
import re

import pytest

from readyroom import games
from readyroom.web.static_files import EFFECTS, STATIC, Name, content, imports_of, minified, versioned

MAX = 60_000
"""The most packed bytes of scripts: those with which a match page begins, libraries included; and our own for one game,
with all that is loaded when it is played without sound and cards."""
MAX_SOUNDS = 4_000
"""The most packed bytes of what is loaded when sound is switched on."""
VENDOR = ("htmx.min.js", "idiomorph-ext.min.js")
PLAYED = ("events", "player", "stage", "sound")


def packed(name: Name) -> int:
    current, known = versioned()
    return len(content(known[name], current, True))


@pytest.fixture(autouse=True)
def _minified() -> None:
    sources = [part for parts in versioned().files.values() for part in parts if part.suffix == ".js"]
    missing = [str(file) for file in sources if minified(file) == file]
    assert not missing, f"not minified yet; run `python browser/copy.py`: {missing}"


def sizes_of(*roots: Name) -> dict[str, int]:
    """Return the packed sizes of scripts and all that they import."""
    return {"/".join(name): packed(name) for root in roots for name in (root, *imports_of(*root))}


def test_match_page_begins_with_few_scripts() -> None:
    libraries = {name: len(gzip.compress((STATIC / "vendor" / name).read_bytes(), 9, mtime=0)) for name in VENDOR}
    sizes = sizes_of(("js", "match.js")) | libraries
    assert sum(sizes.values()) <= MAX, sorted(sizes.items(), key=lambda pair: -pair[1])


@pytest.mark.parametrize("game", games.game_names())
def test_scripts_of_a_game_are_small(game: str) -> None:
    shared = ("match.js", "stacks.js", *(f"playback/{one}.js" for one in PLAYED))
    sizes = sizes_of((f"games/{game}", EFFECTS), *(("js", path) for path in shared))
    assert sum(sizes.values()) <= MAX, sorted(sizes.items(), key=lambda pair: -pair[1])


def test_sounds_are_small_and_loaded_apart() -> None:
    sounds = ("js", "playback/voices.js")
    assert packed(sounds) <= MAX_SOUNDS
    assert sounds not in imports_of("js", "playback/sound.js")


def test_no_style_is_for_all_parts_of_what_has_something() -> None:
    """A browser then calculates the styles of all of them again at any change, such as a tracer or a new counter."""
    costly = re.compile(r"[^{}]*:has\([^{}]*\)[^{},]*[ >+~](?:\*|(?:text|g|rect|path|circle|use)\b)[^{}(]*\{")
    files = [*STATIC.glob("*.css"), *(part for parts in versioned().files.values() for part in parts)]
    found = {file: costly.findall(file.read_text(encoding="utf-8")) for file in files if file.suffix == ".css"}
    assert found
    assert not {file: rules for file, rules in found.items() if rules}


def test_no_style_depends_on_what_a_replay_has() -> None:
    """A browser then calculates its styles again whenever something is put on the board."""
    assert ".replay:has(" not in (STATIC / "replay.css").read_text(encoding="utf-8")
