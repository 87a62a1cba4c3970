"""Tests of `readyroom play`."""

from __future__ import annotations

import re
from itertools import cycle

import pytest
from tests.cli.helpers import THROW, Shell, decided, sit_down

from readyroom.engine.record import format as records

SEEDED = ("play", "midway", "--seat", "japan=human", "--seed", "a lesson")


def test_play_without_input_reaches_first_decision(shell: Shell) -> None:
    result = shell.run("play")
    assert result.code == 0
    for text in (
        "Choose a game",
        "Choose a side",
        "Which squadrons land, and on which carrier? [9.2]",
        "readyroom play --resume midway-1",
    ):
        assert text in result.out
    assert shell.record().is_file()


@pytest.mark.parametrize(("typed", "side"), [("2\n", "United States (you)"), ("japan\n", "Japan (you)")])
def test_player_chooses_side_and_bot_gets_other(shell: Shell, typed: str, side: str) -> None:
    result = shell.run("play", "midway", typed=f"nonsense\n{typed}")
    assert "Type a number from 1 to 3" in result.out
    assert side in result.out
    assert "guarded" in result.out


def test_two_friends_may_say_so_when_they_are_asked(shell: Shell) -> None:
    result = shell.run("play", "midway", typed="3\n")
    assert "Japan: human; United States: human." in result.out
    assert "Pass the screen to Japan" in result.out


def test_answer_is_logged_and_saved(shell: Shell) -> None:
    result = shell.run(*SEEDED, typed="1,2,hiryu-tb-3@soryu\n")
    chosen = "Chosen: Hiryu TB 1 (5) → Hiryu, Hiryu TB 2 (5) → Hiryu, Hiryu TB 3 (5) → Soryu."
    assert chosen in " ".join(result.out.split())
    assert decided(shell.record().read_text(), "japan") == 1


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("999", "There is no option 999. [9.2]"),
        ("1-5", "Hiryu: together these cost 25 points; the budget is 20. [9.2]"),
        ("1,1", "hiryu-tb-1@hiryu was chosen 2 times"),
        ("1,33", "Hiryu TB 1 (5) → Hiryu and Hiryu TB 1 (5) → Soryu exclude each other"),
        ("abc", "'abc' is not among the options. [9.2]"),
        ("rule 99", "No rule named '99'"),
        ("odds nix", "No chart or check named 'nix'"),
        ("odds strike dive=x", "dive=x"),
        ("log x", "takes a number of lines"),
        ("undo", "You have no decision to undo."),
        ("save /", "nothing was saved"),
        ("why nix", "'nix' is not an option"),
    ],
)
def test_wrong_input_is_answered_and_loses_nothing(shell: Shell, line: str, text: str) -> None:
    result = shell.run(*SEEDED, typed=f"{line}\n")
    assert result.code == 0
    assert text in " ".join(result.out.split())
    assert decided(shell.record().read_text(), "japan") == 0


def test_commands_tell_what_a_player_wants_to_know(shell: Shell) -> None:
    result = shell.run(*SEEDED, typed="rule\nrule 12.4\nodds\nodds strike dive=40\nkeys\nhelp\nboard\nall\nlog\nsave\n")
    for text in (
        "9.2 Twenty points",
        "12.4 ",
        "odds strike carrier=akagi [dive=…]",
        "40 dive and 0 torpedo points against Akagi [12]",
        "Hiryu, Soryu, Akagi and Kaga land 4 torpedo-bomber",
        "hiryu-db-1@hiryu: 5 Hiryu DB 1 (5) → Hiryu",
        "Every decision is saved automatically",
        "take back your last decision",
    ):
        assert text in result.out, text
    assert result.out.count("Which squadrons land, and on which carrier?") == 2


def test_why_says_which_rule_keeps_an_option_away(shell: Shell) -> None:
    result = shell.run(
        "play",
        "midway",
        "--seat",
        "usa=human",
        "--seat",
        "japan=random",
        "--seed",
        "w",
        typed="all\nwhy\nwhy enterprise-f-5\nwhy 1\nnone\nnone\nall\nwhy\n",
    )
    assert "only squadrons that were spotted on deck can launch" in " ".join(result.out.split())
    assert "[13.1]" in result.out
    assert "Enterprise F 5 (5): Enterprise F 5" not in result.out
    assert result.out.count("Enterprise F 5 (5) is in the hangar;") >= 1


def test_where_nothing_is_left_out_why_says_so(shell: Shell) -> None:
    result = shell.run("play", "midway", "--seat", "usa=human", "--seed", "x", typed="why 3\n")
    assert "No options are unavailable." in result.out
    assert "0 unavailable" not in result.out


def test_undo_takes_back_and_the_record_says_so(shell: Shell) -> None:
    result = shell.run(*SEEDED, typed="all\nall\nundo\nundo\nundo\n2\n")
    assert result.out.count("Taken back.") == 2
    parsed = records.parse(shell.record().read_text())
    assert [type(line).__name__ for _, line in parsed.entries] == ["Entry", "Entry", "Entry", "Undo", "Undo", "Entry"]
    assert shell.run("verify", "midway-1").code == 0


def test_save_copies_without_overwriting(shell: Shell) -> None:
    copy, foreign = shell.home / "copy.jsonl", shell.home / "foreign.txt"
    shell.home.mkdir()
    foreign.write_text("mine")
    result = shell.run(*SEEDED, typed=f"all\nsave {copy}\nall\nsave {copy}\nsave {foreign}\nsave {shell.home}/x.key\n")
    assert result.out.count(f"Saved to {copy}") == 2 or "".join(result.out.split()).count(f"Savedto{copy}") == 2
    assert copy.read_text() == shell.record().read_text()
    assert foreign.read_text() == "mine"
    assert not (shell.home / "x.key").exists()
    assert copy.with_suffix(".key").stat().st_mode & 0o777 == 0o600
    assert "Soryu" in shell.run("play", "--resume", str(copy)).out


def test_save_creates_no_folders(shell: Shell) -> None:
    result = shell.run(*SEEDED, typed=f"save {shell.home}/nix/x.jsonl\n", COLUMNS="400")
    assert f"{shell.home}/nix is not a folder; nothing was saved." in result.out
    assert not (shell.home / "nix").exists()


@pytest.mark.slow(2)
def test_whole_game_against_the_doctrine(shell: Shell) -> None:
    result = shell.run(*SEEDED, typed="all\n" * 600)
    assert result.code == 0
    for text in ("Dice seed hash", "Dice key:", "readyroom verify midway-1"):
        assert text in result.out
    assert max(map(len, result.out.splitlines())) <= 80
    headings = [line for line in result.out.splitlines() if re.fullmatch(r"Turn \d+ · .+", line)]
    assert len(headings) == len(set(headings)), "each phase has its heading once"
    assert "\x1b" not in result.out
    proof = shell.run("verify", "midway-1")
    assert (proof.code, proof.err) == (0, "")
    assert "Verified: " in proof.out
    assert "is over" in shell.run("play", "--resume", "midway-1").err
    assert "No unfinished match" in shell.run("play", "--resume").err


@pytest.mark.torture(8)
@pytest.mark.parametrize("scenario", ["midway", "daybreak", "no-yorktown"])
@pytest.mark.parametrize("option", ["seats=groups", "sight=open", "attack=next-move"])
def test_whole_games_by_two_people_at_one_screen(shell: Shell, scenario: str, option: str) -> None:
    args = ("--scenario", scenario, "--option", option, "--seat", "japan=human", "--seat", "usa=human", "--seed", "x")
    result = shell.run("play", *args, typed="all\n1\n" * 2000)
    assert "Dice seed hash" in result.out
    assert max(map(len, result.out.splitlines())) <= 80
    assert shell.run("verify", "midway-1").code == 0


def test_handover_separates_sides(shell: Shell) -> None:
    result = shell.run(
        "play", "midway", "--seat", "japan=human", "--seat", "usa=human", "--seed", "x", typed="\n" * 5 + "none\n" * 4
    )
    assert result.out.index("Pass the screen to Japan") < result.out.index("Japan (you)")
    assert result.out.index("Pass the screen to United States") < result.out.index("United States (you)")


def test_handover_allows_undo(shell: Shell) -> None:
    args = ("play", "midway", "--seat", "japan=human", "--seat", "usa=human", "--seed", "x", "--scenario", "daybreak")
    typed = "\n" + "none\n" * 20
    plain = shell.run(*args, typed=typed).out
    assert plain.count("Pass the screen to United States") > 0
    before = plain.partition("Pass the screen to United States")[0].count("\n> ")
    text = shell.run(*args, typed="\n" + "none\n" * before + "undo\n").out
    after = text.partition("Pass the screen to United States")[2]
    assert "You can still type `undo`" in text
    assert "Taken back." in after
    assert "United States (you)" not in after
    assert "Japan (you)" in after


def test_handover_clears_scrollback(shell: Shell) -> None:
    args = ("play", "midway", "--seat", "japan=human", "--seat", "usa=human", "--seed", "x")
    color = {"FORCE_COLOR": "1", "TERM": "xterm-256color"}
    text = shell.run(*args, typed="\n", **color).out
    assert text.count("\x1b[3J") == 2
    assert (
        text.index("\x1b[3J") < text.index("Pass the screen to Japan") < text.rindex("\x1b[3J") < text.index("Carrier ")
    )
    assert "\x1b" not in shell.run(*args, "--plain", typed="\n", **color).out


def test_help_offers_only_what_fits_the_question(shell: Shell) -> None:
    assert "option 1 three times" not in shell.run(*SEEDED, typed="help\n").out


def test_illegal_answer_names_bot_and_seat(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readyroom.cli.play.session.make_bot", lambda *_: lambda *_: ["x"])
    result = shell.run("play", "midway", "--seat", "japan=doctrine", "--seat", "usa=random", "--plain")
    assert result.code == 2
    assert "The bot doctrine of japan gave an illegal answer: 'x' is not among" in result.err


def test_bots_alone_play_to_the_end(shell: Shell) -> None:
    result = shell.run(
        "play", "midway", "--seat", "japan=random", "--seat", "usa=random", "--seed", "x", "--option", "turn_limit=8"
    )
    assert result.code == 0
    assert "Verify:" in result.out
    assert "Type `help`" not in result.out


def test_dice_from_a_real_table_are_asked_for_and_may_be_mistyped(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = cycle(["", "7", "x", None])
    asked: list[str] = []

    def answer(prompt: str) -> str:
        match = THROW.match(prompt)
        if match is None:
            return "quit" if len(asked) > 12 else "all"
        asked.append(prompt)
        mistyped = next(wrong)
        return "1" * int(match[1]) if mistyped is None else mistyped

    sit_down(monkeypatch, answer)
    args = ("play", "midway", "--seat", "usa=human", "--seat", "japan=random", "--dice", "table")
    result = shell.run(*args)
    assert "A 6-sided die has no 7." in result.out or "dice needed" in result.out
    assert asked[0].startswith("Roll 1d6 for Which search group finds the Japanese fleet [17.2 The die, turn 3]")
    before = shell.record().read_text()
    assert '"dice":{"3|usa-move|17.2|fleet|1":[1]}' in before
    monkeypatch.undo()
    again = shell.run("play", "--resume")
    assert again.code == 0
    assert shell.record().read_text() == before


def test_colour_is_only_for_those_who_want_it(shell: Shell) -> None:
    coloured = {"FORCE_COLOR": "1", "NO_COLOR": "", "TERM": "xterm-256color"}
    assert "\x1b[91m" in shell.run(*SEEDED, **coloured).out
    assert "\x1b[9" not in shell.run(*SEEDED, **{**coloured, "NO_COLOR": "1"}).out
    assert "\x1b" not in shell.run(*SEEDED, "--plain", **coloured).out
    assert "\x1b" not in shell.run(*SEEDED).out


def test_bot_accepts_takeback_without_dice(shell: Shell) -> None:
    """The last answer of a step can be undone although the bot's next move is automatic."""
    text = ("play", "midway", "--seat", "japan=doctrine", "--seat", "usa=human", "--seed", "leave")
    result = shell.run(*text, typed="1-2,17,33\nundo\nquit\n").out
    assert "Points left: Enterprise 10, Hornet 15, Yorktown 15." in " ".join(result.split())
    assert "Taken back. The bots agree, because no dice were rolled since." in result
    assert result.count("Which squadrons are spotted on deck for next turn?") == 2
    assert '"leave":true' in shell.record().read_text()
    assert shell.run("verify", "midway-1").code == 0
