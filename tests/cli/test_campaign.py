"""Tests of `readyroom campaign`, and of campaigns in `simulate` and `verify`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.helpers import Shell

from readyroom.campaign.library import campaign_text

BOTS = ("--seat", "japan=doctrine", "--seat", "usa=doctrine")


def started(shell: Shell, *args: str) -> str:
    """Start a short war of bots; return its name."""
    result = shell.run("campaign", "new", "three-battles", *args, "--seed", "cli")
    assert result.code == 0, result.err
    return result.out.split()[-1]


def test_list_names_campaigns_and_variants(shell: Shell) -> None:
    out = shell.run("campaign", "list").out
    assert "long-war: The Long War." in out
    assert "--variant no-raid: No raid on Pearl Harbor." in out


def test_check_and_facts_help_authors(shell: Shell, tmp_path: Path) -> None:
    text, _ = campaign_text("three-battles")
    own = tmp_path / "own.toml"
    own.write_text(text, encoding="utf-8")
    assert (
        "own.toml can be played: The Long War: three battles, 3 chapters."
        in shell.run("campaign", "check", str(own)).out
    )
    own.write_text(text.replace('game = "midway"', 'game = "midwey"', 1), encoding="utf-8")
    result = shell.run("campaign", "check", str(own))
    assert result.code == 2
    assert "found 'midwey'; did you mean 'midway'?" in result.err.replace("\n", " ")
    facts = shell.run("campaign", "facts", "midway").out
    assert "fact sunk usa: American carriers sunk [16.2]. A number from 0 to 32." in facts
    assert "fact carriers sunk: Carriers sunk, by name [16.2]. A list of names." in facts


def test_war_between_bots_is_played_to_its_end_and_verified(shell: Shell, tmp_path: Path) -> None:
    name = started(shell, *BOTS)
    for chapter in ("Pearl Harbor", "Midway", "Okinawa"):
        result = shell.run("campaign", "next", name)
        assert f"- {chapter}, " in result.out, result.err
    assert shell.run("campaign", "next", name).code == 2
    assert "The ending: " in shell.run("campaign", "page", name).out
    copy = tmp_path / "war.jsonl"
    assert shell.run("campaign", "export", name, str(copy)).code == 0
    verified = shell.run("verify", str(copy))
    assert verified.code == 0
    assert "3 of 3 chapters, 3 matches verified." in verified.out.replace("\n", " ")
    copy.write_text(
        copy.read_text(encoding="utf-8").replace('"seat":"captain"', '"seat":"captaim"', 1), encoding="utf-8"
    )
    changed = shell.run("verify", str(copy), "--json")
    assert changed.code == 1
    assert "chapter Okinawa: " in json.loads(changed.out)["differs"]
    assert shell.run("campaign", "import", str(copy)).code == 2


def test_person_leaves_a_chapter_and_resumes_it(shell: Shell) -> None:
    name = started(shell, "--seat", "usa=human")
    assert shell.run("campaign", "next", name, "--skip").code == 0
    shell.run("campaign", "next", name, typed="quit\n")
    shell.run("campaign", "next", name, typed="quit\n")
    [match] = [path for path in shell.files() if path.endswith("midway-1.jsonl")]
    assert Path(match).read_text(encoding="utf-8").startswith('{"readyroom":1,"game":"midway"')
    played = shell.run("campaign", "next", name, "--bots")
    assert "- Midway, 4 June 1942: " in played.out, played.err
    assert '"bots_from":' in (shell.home / "campaigns" / f"{name}.jsonl").read_text(encoding="utf-8")
    assert shell.run("verify", str(shell.home / "campaigns" / f"{name}.jsonl")).code == 0


def test_imported_war_goes_on(shell: Shell, tmp_path: Path) -> None:
    name, copy = started(shell, *BOTS), tmp_path / "war.jsonl"
    shell.run("campaign", "next", name, "--skip")
    shell.run("campaign", "export", name, str(copy))
    out = shell.run("campaign", "import", str(copy)).out
    assert "Imported as three-battles-2: 1 of 3 chapters." in out
    assert shell.run("campaign", "next", "three-battles-2", "--skip").code == 0


def test_order_is_sealed_until_the_match_is_over(shell: Shell) -> None:
    result = shell.run("campaign", "new", "long-war", "--seat", "japan=human", "--seed", "cli")
    name = result.out.split()[-1]
    for _ in range(7):
        shell.run("campaign", "next", name, "--skip")
    asked = shell.run("campaign", "next", name)
    assert asked.code == 2
    assert "--order noon: Both at noon" in asked.err
    played = shell.run("campaign", "next", name, "--order", "noon", "--bots")
    assert "order: Both at noon" in played.out, played.err


def test_war_ends_early(shell: Shell) -> None:
    name = started(shell, *BOTS)
    assert shell.run("campaign", "end", name).code == 2
    assert shell.run("campaign", "end", name, "--agreed").out == "Neither side wins: An armistice at sea.\n"
    assert "The war is over" in shell.run("campaign", "next", name).err


def test_simulated_campaigns_are_counted(shell: Shell) -> None:
    args = ("simulate", "campaign:three-battles", "--games", "4", "--seed", "s", "--bot", "japan=doctrine")
    result = json.loads(shell.run(*args, "--json").out)
    assert sum(result["winners"].values()) == result["games"] == 4
    assert [chapter["key"] for chapter in result["chapters"]] == ["pearl", "midway", "okinawa"]
    assert "4 campaigns: The Long War: three battles." in shell.run(*args).out
    assert shell.run("simulate", "campaign:three-battles", "--option", "x=y").code == 2
    assert shell.run("simulate", "midway", "--variant", "x").code == 2


def test_links_are_measured_by_the_same_dice(shell: Shell) -> None:
    args = ("simulate", "campaign:three-battles", "--games", "1", "--seed", "s", "--variant", "no-raid", "--links")
    links = json.loads(shell.run(*args, "--json").out)["links"]
    assert {link["chapter"] for link in links} == {"midway", "okinawa"}


def test_unknown_names_are_refused(shell: Shell) -> None:
    assert "Known: long-war" in shell.run("campaign", "new", "short-war").err
    assert shell.run("campaign", "page", "three-battles-9").code == 2
    assert "no-raid" in shell.run("campaign", "new", "three-battles", "--variant", "nothing").err
    assert "the sides are japan, usa" in shell.run("campaign", "new", "three-battles", "--seat", "axis=human").err
