"""Copies the browser's third-party parts from npm's folder to where the table serves them."""

from __future__ import annotations

import shutil
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
LICENCES = {"htmx": "htmx.org", "htmx-ext-sse": "htmx-ext-sse", "idiomorph": "idiomorph", "plex": "@fontsource/ibm-plex-sans"}


def laid() -> list[str]:
    """What lies there when all is copied, by its place in the folder."""
    return [*PARTS, *(f"fonts/{name}.woff2" for name in FONTS), *(f"licences/{name}.txt" for name in LICENCES)]


def main() -> None:
    """Lay everything anew, so that nothing of an older version stays."""
    shutil.rmtree(TO, ignore_errors=True)
    (TO / "fonts").mkdir(parents=True)
    (TO / "licences").mkdir()
    for name, source in PARTS.items():
        shutil.copyfile(FROM / source, TO / name)
    for name, source in FONTS.items():
        shutil.copyfile(FROM / "@fontsource" / f"{source}.woff2", TO / "fonts" / f"{name}.woff2")
    for name, package in LICENCES.items():
        for text in (FROM / package).glob("LICENSE*"):
            shutil.copyfile(text, TO / "licences" / f"{name}.txt")


if __name__ == "__main__":
    main()
