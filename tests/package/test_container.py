"""The Containerfile and compose.yaml fit the package, the server's settings, and each other."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from tests.package.wheels import ROOT
from typer.main import get_command

from readyroom.cli.app import app
from readyroom.web.monitoring import health
from readyroom.web.settings import IN_FILES, Settings, database_of

SETTING = re.compile(r"\b(READYROOM_[A-Z_]+)\b")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVER, DATABASE = COMPOSE["services"]["server"], COMPOSE["services"]["database"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def steps() -> list[tuple[str, str]]:
    """The instructions of the Containerfile, each with what follows it."""
    text = (ROOT / "Containerfile").read_text().replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split(maxsplit=1)[0], line.split(maxsplit=1)[1]) for line in lines]


def last(instruction: str) -> str:
    """What the last instruction of a kind says."""
    return [text for name, text in steps() if name == instruction][-1]


def known() -> set[str]:
    """The settings that the program reads, and the files that some of them may lie in."""
    read = {
        name
        for path in (ROOT / "src" / "readyroom").rglob("*.py")
        for name in re.findall(r'"(READYROOM_[A-Z_]+)"', path.read_text(encoding="utf-8"))
    }
    return read | {f"{name}_FILE" for name in IN_FILES}


# -- the image -------------------------------------------------------------------------------------------------------


def test_copied_files_exist_and_are_not_ignored() -> None:
    let_in = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    copied = [text.split()[:-1] for name, text in steps() if name == "COPY" and "--from" not in text]
    sources = {source for each in copied for source in each}
    assert sources == set(let_in)
    assert all((ROOT / source).exists() for source in sources)
    assert {PROJECT["readme"], *PROJECT["license-files"], "pyproject.toml", "src"} <= sources
    assert "src/readyroom/web/static/vendor" in (ROOT / ".dockerignore").read_text().splitlines()


def test_image_builds_like_makefile() -> None:
    text = "\n".join(f"{name} {what}" for name, what in steps())
    assert "npm ci" in text
    assert "npm ci" in (ROOT / "Makefile").read_text()
    assert re.search(r"pip wheel .* \.$", text, re.MULTILINE)
    assert "--no-index --find-links /wheels readyroom" in text
    least = tuple(map(int, PROJECT["requires-python"].removeprefix(">=").split(".")))
    assert text.count("FROM ${PYTHON_IMAGE}") == 2
    (base,) = re.findall(r"^ARG PYTHON_IMAGE=python:(\d+)\.(\d+)", text, re.MULTILINE)
    assert tuple(map(int, base)) >= least


def test_images_are_pinned_by_digest(tmp_path: Path) -> None:
    for name in ("Makefile", "Containerfile", "compose.yaml"):
        shutil.copy(ROOT / name, tmp_path)
    docker = tmp_path / "bin" / "docker"
    docker.parent.mkdir()
    docker.write_text('#!/bin/sh\n[ "$2" = imagetools ] && echo sha256:$DIGIT\n')
    docker.chmod(0o755)

    def make(target: str, digit: str = "") -> subprocess.CompletedProcess[str]:
        env = {"PATH": f"{docker.parent}:{os.environ['PATH']}", "DIGIT": digit * 64}
        return subprocess.run(["make", target], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=30)

    for digit in "ab":
        assert make("pin-images", digit).returncode == 0
        assert make("check-images").returncode == 0
        for name, many in (("Containerfile", 2), ("compose.yaml", 1)):
            text = (tmp_path / name).read_text()
            assert text.count(f"@sha256:{digit * 64}") == many == text.count("@sha256:")
    shutil.copy(ROOT / "compose.yaml", tmp_path)
    (tmp_path / "compose.yaml").write_text(re.sub("@sha256:.*", "", (tmp_path / "compose.yaml").read_text()))
    unpinned = make("check-images")
    assert unpinned.returncode != 0
    assert unpinned.stdout.startswith("postgres:17 is not pinned")
    docker.write_text("#!/bin/sh\nexit 1\n")
    assert "needs docker and a network" in make("pin-images").stdout


def test_makefile_pins_all_images() -> None:
    (line,) = re.findall(r"^IMAGES := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    based = {text.partition("=")[2] for name, text in steps() if name == "ARG"} | {DATABASE["image"]}
    assert {image.partition("@")[0] for image in based} == set(line.split())


def test_image_runs_unprivileged_on_exposed_port() -> None:
    assert last("USER") not in ("root", "0")
    entry, words = json.loads(last("ENTRYPOINT")), json.loads(last("CMD"))
    assert entry[0] in PROJECT["scripts"]
    serve = get_command(app).commands[words[0]]  # type: ignore[attr-defined]
    options = {option for parameter in serve.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options
    port = words[words.index("--port") + 1]
    assert last("EXPOSE") == port
    assert [each.split(":") for each in SERVER["ports"]] == [["127.0.0.1", port, port]]


def test_image_has_health_check() -> None:
    asked = re.search(r"http://127\.0\.0\.1:(\d+)(/\w+)", last("HEALTHCHECK"))
    assert asked is not None
    assert asked[1] == last("EXPOSE")
    assert asked[2] in {path for handler in (health.ready, health.live) for path in handler.paths}


# -- the composition -------------------------------------------------------------------------------------------------


def test_compose_settings_are_known() -> None:
    named = set(SETTING.findall(json.dumps(SERVER) + last("ENV")))
    assert named <= known()
    assert {"READYROOM_URL", "READYROOM_DATABASE_FILE", "READYROOM_SECRET_FILE"} <= named
    assert "READYROOM_METRICS_FILE" not in known()


def test_secrets_are_in_ignored_files() -> None:
    declared = COMPOSE["secrets"]
    assert set(declared) == {*SERVER["secrets"], *DATABASE["secrets"]}
    for service in (SERVER, DATABASE):
        for name, value in service["environment"].items():
            if name.endswith("_FILE"):
                assert value.removeprefix("/run/secrets/") in service["secrets"]
            assert "PASSWORD" not in name or name.endswith("_FILE")
    assert all(secret["file"].startswith("secrets/") for secret in declared.values())
    assert "secrets/" in (ROOT / ".gitignore").read_text().splitlines()


def test_container_has_minimal_privileges() -> None:
    assert SERVER["read_only"] is True
    assert SERVER["cap_drop"] == ["ALL"]
    assert SERVER["tmpfs"] == ["/tmp"]
    assert [volume.split(":")[1] for volume in SERVER["volumes"]] == [last("VOLUME")]
    assert f"READYROOM_HOME={last('VOLUME')}" in last("ENV")
    assert {volume.split(":")[0] for each in (SERVER, DATABASE) for volume in each["volumes"]} == set(
        COMPOSE["volumes"]
    )
    assert SERVER["depends_on"]["database"]["condition"] == "service_healthy"
    assert "healthcheck" in DATABASE


def test_only_reverse_proxy_is_trusted() -> None:
    (network,) = COMPOSE["networks"]["default"]["ipam"]["config"]
    assert SERVER["environment"]["FORWARDED_ALLOW_IPS"] == network["subnet"]
    assert ip_network(network["subnet"]).is_private


def test_secret_files_become_settings(tmp_path: Path) -> None:
    written = {
        "database": "postgresql://readyroom:word@database/readyroom\n",
        "signing": "a key\n",
        "smtp": "",
    }
    for name, text in written.items():
        (tmp_path / name).write_text(text)
    data = {
        name: str(value).replace("/run/secrets", str(tmp_path))
        for name, value in SERVER["environment"].items()
        if name.endswith("_FILE")
    }
    settings = Settings.from_environment({**data, "READYROOM_HOME": str(tmp_path / "home")})
    assert settings.database == database_of(data) == "postgresql+psycopg://readyroom:word@database/readyroom"
    assert (settings.secret, settings.smtp) == ("a key", "")


def test_unreadable_secret_file_is_named(tmp_path: Path) -> None:
    for place in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(Exception, match="READYROOM_SECRET_FILE must be a readable text file"):
            Settings.from_environment({"READYROOM_SECRET_FILE": str(place), "READYROOM_HOME": str(tmp_path)})
