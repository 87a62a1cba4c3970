"""Scripts as they are served: without comments, the same program, and small."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from readyroom import games
from readyroom.web.static_files import EFFECTS, STATIC, Name, compact, content, imports_of, versioned

ACORN = Path(__file__).parents[2] / "browser" / "node_modules" / "acorn"
TOKENS = """
const acorn = require(process.argv[1]);
const words = (source) => [...acorn.tokenizer(source, {ecmaVersion: 'latest', sourceType: 'module'})]
  .map(({type, value}) => [type.label, type.label === 'template' ? value.replace(/\\s+/g, ' ') : String(value)]);
const pairs = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const different = pairs.filter(([, before, after]) => JSON.stringify(words(before)) !== JSON.stringify(words(after)));
console.log(JSON.stringify(different.map(([name]) => name)));
"""
MAX = 60_000
"""The most packed bytes of scripts: those with which a match page begins, libraries included; and our own for one game,
with all that is loaded when it is played."""
VENDOR = ("htmx.min.js", "sse.js", "idiomorph-ext.min.js")
PLAYED = ("events", "player", "stage", "moments", "sound")


def packed(name: Name) -> int:
    current, known = versioned()
    return len(content(known[name], current, True))


def test_compact_script_is_the_same_program() -> None:
    files = sorted({part for parts in versioned().files.values() for part in parts if part.suffix == ".js"})
    pairs = [(str(file), file.read_text(), compact(file.read_bytes()).decode()) for file in files]
    assert all("/**" not in after for _, _, after in pairs)
    node = shutil.which("node")
    assert node is not None
    answer = subprocess.run(
        [node, "-e", TOKENS, str(ACORN)], input=json.dumps(pairs), capture_output=True, text=True, check=True
    )
    assert json.loads(answer.stdout) == []


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
