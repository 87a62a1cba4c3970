"""Copies the browser's third-party parts from npm's folder to where the table serves them."""

from __future__ import annotations

import os
from pathlib import Path

HERE = Path(__file__).parent
FROM = HERE / "node_modules"
TO = HERE.parent / "src" / "readyroom" / "web" / "static" / "vendor"

PARTS = {
    "htmx.min.js": "htmx.org/dist/htmx.min.js",
    "sse.js": "htmx-ext-sse/sse.js",
    "idiomorph-ext.min.js": "idiomorph/dist/idiomorph-ext.min.js",
}
FONTS = {
    "plex-sans-400": "ibm-plex-sans/files/ibm-plex-sans-latin-400-normal",
    "plex-sans-600": "ibm-plex-sans/files/ibm-plex-sans-latin-600-normal",
    "plex-serif-600": "ibm-plex-serif/files/ibm-plex-serif-latin-600-normal",
    "plex-condensed-500": "ibm-plex-sans-condensed/files/ibm-plex-sans-condensed-latin-500-normal",
    "plex-mono-500": "ibm-plex-mono/files/ibm-plex-mono-latin-500-normal",
}
LICENCES = {
    "htmx": "htmx.org",
    "htmx-ext-sse": "htmx-ext-sse",
    "idiomorph": "idiomorph",
    "plex": "@fontsource/ibm-plex-sans",
}


def sources() -> dict[str, Path]:
    """Where npm has what is to lie in the folder, by its place there."""
    parts = {name: FROM / source for name, source in PARTS.items()}
    fonts = {f"fonts/{name}.woff2": FROM / "@fontsource" / f"{source}.woff2" for name, source in FONTS.items()}
    licences = {
        f"licences/{name}.txt": text for name, package in LICENCES.items() for text in (FROM / package).glob("LICENSE*")
    }
    return parts | fonts | licences


def laid() -> list[str]:
    """What lies there when all is copied, by its place in the folder."""
    return [*PARTS, *(f"fonts/{name}.woff2" for name in FONTS), *(f"licences/{name}.txt" for name in LICENCES)]


def main() -> None:
    """Copy new files and remove those of an older version. Unchanged files stay: a server may be using them."""
    wanted = sources()
    for name, source in wanted.items():
        lay(source.read_bytes(), TO / name)
    for old in [file for file in TO.rglob("*") if file.is_file()]:
        if str(old.relative_to(TO)) not in wanted:
            old.unlink()


def lay(content: bytes, place: Path) -> None:
    """Put a file in its place at once and whole, unless it lies there already."""
    if place.is_file() and place.read_bytes() == content:
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    coming = place.with_name(f".{place.name}.{os.getpid()}")
    coming.write_bytes(content)
    coming.replace(place)


if __name__ == "__main__":
    main()
