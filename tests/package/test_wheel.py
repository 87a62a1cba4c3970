"""The wheel has everything that the application needs, and runs without anything else."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import httpx
import pytest
from tests.package.wheels import ROOT, bare, built, copied, installed, run

STUDIES = ("numpy", "scipy", "polars", "matplotlib", "distributed", "pandas", "webauthn")
"""What only studies or passkeys need, and what takes long to load."""
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
OURS = re.compile(r'(?:href|src)="(/static/[^"]+)"')
FONT = re.compile(r"url\(\"?(/?[^\")]+\.woff2)")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    place = tmp_path_factory.mktemp("dist")
    done = built(ROOT, place)
    assert done.returncode == 0, done.stderr
    (path,) = place.glob("*.whl")
    return path


def test_wheel_contains_pages_games_and_migrations(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    sources = {
        str(file.relative_to(ROOT / "src"))
        for file in (ROOT / "src" / "readyroom").rglob("*")
        if file.is_file() and file.suffix != ".pyc"
    }
    assert sources <= inside
    vendor = {name for name in inside if "/static/vendor/" in name}
    assert {Path(name).suffix for name in vendor} == {".js", ".css", ".woff2", ".txt"}
    assert not [name for name in inside if name.startswith(("tests/", "docs/", "browser/")) or "node_modules" in name]


@pytest.mark.torture(4)
def test_sdist_builds_same_wheel_without_npm(wheel: Path, tmp_path: Path) -> None:
    assert built(ROOT, tmp_path, "sdist").returncode == 0
    shutil.unpack_archive(next(tmp_path.glob("*.tar.gz")), tmp_path / "unpacked")
    (tree,) = (tmp_path / "unpacked").iterdir()
    done = built(tree, tmp_path / "dist")
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(next(tmp_path.glob("dist/*.whl"))) as other:
        assert set(one.namelist()) == set(other.namelist())


def test_wheel_build_without_pages_fails(tmp_path: Path) -> None:
    done = built(copied(tmp_path / "tree"), tmp_path / "dist")
    assert done.returncode != 0
    assert not list(tmp_path.glob("dist/*.whl"))
    assert "htmx.min.js" in done.stderr
    assert "`make wheel`" in done.stderr
    assert "Traceback" not in done.stderr


def test_server_does_not_import_what_few_requests_need() -> None:
    message = f"import sys, readyroom.cli.app, readyroom.web.app; print(*set({STUDIES}) & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", message], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == []


@pytest.mark.torture(8)
def test_installed_wheel_works(wheel: Path, tmp_path: Path) -> None:
    programs = installed(wheel, tmp_path / "venv")
    home = tmp_path / "home"
    home.mkdir()
    where = [str(programs / "python"), "-c", "import readyroom; print(readyroom.__file__)"]
    completed_process = subprocess.run(
        where, env=bare(programs, home), capture_output=True, text=True, check=True, timeout=60
    )
    assert str(tmp_path) in completed_process.stdout
    _serves(programs, home)
    seats = ("--seat", "japan=doctrine", "--seat", "usa=doctrine")
    for words, message in (
        (("games",), "A Terrible Resolve"),
        (("play", "midway", *seats, "--seed", "alone"), "midway-1"),
        (("verify", "midway-1"), "Verified: "),
        (("simulate", "tora", "--games", "2"), "2 matches"),
    ):
        done = run(programs, home, *words)
        assert done.returncode == 0, done.stderr
        assert message in done.stdout + done.stderr


def _serves(programs: Path, home: Path) -> None:
    """The front page comes, and all that it needs comes from here."""
    command = [str(programs / "readyroom"), "serve", "--port", "0"]
    with subprocess.Popen(command, env=bare(programs, home), stdout=subprocess.PIPE, text=True) as served:
        try:
            assert served.stdout is not None
            address = ADDRESS.search(served.stdout.readline())
            assert address is not None
            with httpx.Client(base_url=address[0], trust_env=False, timeout=20) as visitor:
                needed = [
                    *OURS.findall(visitor.get("/").text),
                    "/static/vendor/htmx.min.js",
                    "/static/vendor/idiomorph-ext.min.js",
                ]
                style = visitor.get("/static/site.css").text
                needed += [f"/static/{name.removeprefix('/static/')}" for name in FONT.findall(style)]
                assert any(name.endswith(".woff2") for name in needed)
                assert {visitor.get(name).status_code for name in needed} == {200}
        finally:
            served.terminate()
