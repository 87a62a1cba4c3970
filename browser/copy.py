"""Copy the browser's third-party files from npm's folder to where the server serves them."""

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
    """Map each file to copy to its source in npm's folder."""
    parts = {name: FROM / source for name, source in PARTS.items()}
    fonts = {f"fonts/{name}.woff2": FROM / "@fontsource" / f"{source}.woff2" for name, source in FONTS.items()}
    licences = {
        f"licences/{name}.txt": text for name, package in LICENCES.items() for text in (FROM / package).glob("LICENSE*")
    }
    return parts | fonts | licences


def expected_files() -> list[str]:
    """Return the names of all files after copying."""
    return [*PARTS, *(f"fonts/{name}.woff2" for name in FONTS), *(f"licences/{name}.txt" for name in LICENCES)]


def main() -> None:
    """Copy new files and remove old ones. Unchanged files stay, because a server may be using them."""
    wanted = sources()
    for name, source in wanted.items():
        write_file(source.read_bytes(), TO / name)
    for old in [file for file in TO.rglob("*") if file.is_file()]:
        if str(old.relative_to(TO)) not in wanted:
            old.unlink()


def write_file(content: bytes, place: Path) -> None:
    """Write a file atomically unless it has this content already."""
    if place.is_file() and place.read_bytes() == content:
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    temporary = place.with_name(f".{place.name}.{os.getpid()}")
    temporary.write_bytes(content)
    temporary.replace(place)


if __name__ == "__main__":
    main()
