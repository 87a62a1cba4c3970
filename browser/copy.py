"""Copy the browser's third-party files from npm to where the server serves them; minify our own scripts and styles."""

from __future__ import annotations

import os
import subprocess
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
FROM = HERE / "node_modules"
UNHINTED = HERE / "fonts"
SOURCE = HERE.parent / "src" / "readyroom"
TO = SOURCE / "web" / "static" / "vendor"

PARTS = {
    "htmx.min.js": "htmx.org/dist/htmx.min.js",
    "idiomorph-ext.min.js": "idiomorph/dist/idiomorph-ext.min.js",
}
FONTS = {
    "plex-sans-400": "ibm-plex-sans/files/ibm-plex-sans-latin-400-normal",
    "plex-sans-600": "ibm-plex-sans/files/ibm-plex-sans-latin-600-normal",
    "plex-mono-500": "ibm-plex-mono/files/ibm-plex-mono-latin-500-normal",
}
FONTS_WITHOUT_HINTING = ("plex-serif-600", "plex-condensed-500")
"""Made by fonts.mjs."""
LICENCES = {
    "htmx": "htmx.org",
    "idiomorph": "idiomorph",
    "plex": "@fontsource/ibm-plex-sans",
}


def sources() -> dict[str, Path]:
    """Map each file to copy to its source in npm's folder."""
    parts = {name: FROM / source for name, source in PARTS.items()}
    fonts = {f"fonts/{name}.woff2": FROM / "@fontsource" / f"{source}.woff2" for name, source in FONTS.items()}
    fonts |= {f"fonts/{name}.woff2": UNHINTED / f"{name}.woff2" for name in FONTS_WITHOUT_HINTING}
    licences = {
        f"licences/{name}.txt": text for name, package in LICENCES.items() for text in (FROM / package).glob("LICENSE*")
    }
    return parts | fonts | licences


def expected_files() -> list[str]:
    """Return the names of all files after copying."""
    fonts = (*FONTS, *FONTS_WITHOUT_HINTING)
    return [*PARTS, *(f"fonts/{name}.woff2" for name in fonts), *(f"licences/{name}.txt" for name in LICENCES)]


def minified() -> dict[str, bytes]:
    """Return our files as browsers need them, each under the hash of its source, by which the server finds it."""
    ours = [file for kind in ("js", "css") for file in SOURCE.rglob(f"static/**/*.{kind}") if TO not in file.parents]
    if not ours:
        return {}
    with TemporaryDirectory() as folder:
        options = ["--minify", "--format=esm", "--target=es2022", "--log-level=warning"]
        esbuild = next(FROM.glob("@esbuild/*/bin/esbuild"))  # that of this platform
        subprocess.run([esbuild, *ours, *options, f"--outbase={SOURCE}", f"--outdir={folder}"], check=True)
        return {
            f"min/{blake2b(file.read_bytes(), digest_size=6).hexdigest()}{file.suffix}": Path(
                folder, file.relative_to(SOURCE)
            ).read_bytes()
            for file in ours
        }


def main() -> None:
    """Write new files and remove old ones. Unchanged files stay, because a server may be using them."""
    wanted = {name: source.read_bytes() for name, source in sources().items()} | minified()
    for name, content in wanted.items():
        write_file(content, TO / name)
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
