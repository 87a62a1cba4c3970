"""Records: format, hash chain, replay and verification."""

from __future__ import annotations

import json
import string
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tests.toys import straits
from tests.toys.tiny import T, ask, both, roll_dice, tiny

from readyroom import Match
from readyroom.engine.errors import InvalidRecord
from readyroom.engine.game import PreviousVersion
from readyroom.engine.record import format as records
from readyroom.engine.record.format import Ending, Entry, Fork, Header, Undo, parse, read
from readyroom.engine.record.replay import replay, verify
from readyroom.engine.rules.dice import fixed_dice, secret_of_seed
from readyroom.engine.rules.table import Steps
from readyroom.testing.playouts import AnyGame, AnyMatch, play_on, playout
from readyroom.testing.snapshots import difference, lines, table_snapshot

SMALL = tiny(both(ask("red"), roll_dice()), ask("blue"))


def small_match() -> AnyMatch:
    match = Match(SMALL, seed="small")
    match.decide("red", "a")
    match.decide("blue", "b")
    assert match.outcome is not None
    return match


def match_with_undos() -> AnyMatch:
    match = Match(straits.GAME, "many", seed="undos")
    random = Random(1)
    while match.outcome is None:
        seat = random.choice(list(match.pending))
        match.decide(seat, match.pending[seat].sample(random))
        if match.can_undo(seat) and random.random() < 0.4:
            match.undo(seat)
        elif match.decision_count == 20 and match.revision < 60:
            match.revert_to("red", 18)
    return match


def verification_error(record: str, game: AnyGame = SMALL) -> InvalidRecord:
    with pytest.raises(InvalidRecord) as caught:
        verify(record, game)
    assert str(caught.value).startswith(f"Record is invalid at line {caught.value.line}: ")
    return caught.value


# -- format ------------------------------------------------------------------------------------------------------------


def test_record_has_header_decisions_and_ending() -> None:
    data = [json.loads(line) for line in small_match().record().splitlines()]
    assert len(data) == 4
    header, first, second, ending = data
    assert (header["game"], header["scenario"], header["seats"]) == ("tiny", "only", ["red", "blue"])
    assert (first["n"], first["seat"], first["rule"], first["chose"]) == (1, "red", "1", ["a"])
    assert (second["n"], second["seat"], second["chose"]) == (2, "blue", ["b"])
    assert ending["outcome"]["title"] == "draw"
    assert ending["secrets"] == [secret_of_seed("small").hex()]
    assert all(len(line["hash"]) == 32 for line in data)


def test_unfinished_record_has_no_secret() -> None:
    match = Match(SMALL)
    match.decide("red", "a")
    assert match.secret is not None
    assert match.secret.hex() not in match.record()
    match.decide("blue", "b")
    assert match.secret.hex() in match.record()


def test_record_lines_do_not_change() -> None:
    match, before = Match(straits.GAME, seed="lines"), list[str]()
    for _ in play_on(match, Random(1)):
        texts = list(match.record_lines())
        assert texts[: len(before)] == before
        before = texts
    assert match.record_lines()[: len(before)] == before


def test_record_contains_undone_decisions() -> None:
    match = Match(SMALL, seed="small")
    record_before = match.record()
    match.decide("red", "a")
    assert not match.can_undo("red")
    other = Match(tiny(ask("red"), ask("blue")), seed="small")
    other.decide("red", "a")
    other.undo("red")
    other.decide("red", "b")
    data = [json.loads(line) for line in other.record().splitlines()]
    assert data[2] | {"hash": ""} == {"n": 2, "by": "red", "undo": [1], "leave": False, "hash": ""}
    assert data[3]["chose"] == ["b"]
    assert record_before == Match(SMALL, seed="small").record()


# -- replay ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make", [small_match, match_with_undos, lambda: playout(straits.GAME, "even", {"turns": "8"}, "plain")]
)
def test_record_verifies(make: Any) -> None:
    match: AnyMatch = make()
    assert verify(match.record(), match.game).digest() == match.digest()
    again = replay(match.record(), game=match.game)
    assert not difference(table_snapshot(match), table_snapshot(again))
    assert lines(again.full_log) == lines(match.full_log)
    assert again.record() == match.record()


def test_replay_up_to_any_revision() -> None:
    match, stages = Match(straits.GAME, "many", seed="points"), dict[int, dict[str, bytes]]()
    for _ in play_on(match, Random(4)):
        stages[match.revision] = table_snapshot(match)
    for revision, stage in stages.items():
        again = replay(match.record(), upto=revision, game=straits.GAME)
        assert again.revision == revision
        assert not difference(stage, table_snapshot(again))


def test_replay_accepts_lines() -> None:
    match = small_match()
    assert replay(match.record_lines(), game=SMALL).digest() == match.digest()
    assert replay(iter(match.record().splitlines(keepends=True)), game=SMALL).digest() == match.digest()


def test_unfinished_record_verifies_with_seed_or_secret() -> None:
    seeded, secret = Match(SMALL, seed="small"), Match(SMALL)
    for match in (seeded, secret):
        match.decide("red", "a")
    assert verify(seeded.record(), SMALL).digest() == seeded.digest()
    assert "published only when the match is over" in verification_error(secret.record()).differs
    assert replay(secret.record(), game=SMALL, secret=secret.secret).digest() == secret.digest()
    with pytest.raises(InvalidRecord, match="does not match the published dice seed hash"):
        replay(secret.record(), game=SMALL, secret=b"x" * 32)


def test_record_contains_nonces() -> None:
    match = Match(SMALL, nonces={"red": "hello", "blue": "ciào|1"})
    match.decide("red", "a")
    match.decide("blue", "a")
    assert verify(match.record(), SMALL).state.notes == match.state.notes


@pytest.mark.parametrize("forks", [1, 2, 3])
def test_fork_of_fork_verifies(forks: int) -> None:
    match = Match(straits.GAME, seed="fork")
    for number in range(forks):
        for _ in play_on(match, Random(number), upto=7 * (number + 1)):
            pass
        match = match.fork(bytes([number]) * 32)
    for _ in play_on(match, Random(9)):
        pass
    assert verify(match.record(), straits.GAME).digest() == match.digest()


def test_two_forks_at_same_position_verify() -> None:
    match = Match(SMALL, seed="fork").fork(b"1" * 32).fork(b"2" * 32)
    match.decide("red", "a")
    match.decide("blue", "b")
    assert verify(match.record(), SMALL).digest() == match.digest()


# -- entered dice ------------------------------------------------------------------------------------------------------


def _match_with_entered_dice(upto: int = 3) -> AnyMatch:
    game = tiny(both(roll_dice(2, "first"), ask("red"), roll_dice(2)), both(ask("blue"), roll_dice(1)), ask("red"))
    match = Match(game, dice=fixed_dice(1, 2, 3, 4, 5))
    for seat, answer in [("red", "a"), ("blue", "b"), ("red", "c")][:upto]:
        match.decide(seat, answer)
    return match


def test_manual_dice_are_recorded_with_decision() -> None:
    data = [json.loads(line) for line in _match_with_entered_dice().record().splitlines()]
    assert data[0]["dice"] == "told"
    assert data[1]["dice"] == {"1|phase-1|2|first|1": [1, 2], "1|phase-1|2|dice|1": [3, 4]}
    assert data[2]["dice"] == {"1|phase-2|2|dice|1": [5]}
    assert "dice" not in data[3]


@pytest.mark.parametrize("upto", [1, 2, 3])
def test_record_with_manual_dice_is_replayed(upto: int) -> None:
    match = _match_with_entered_dice(upto)
    again = replay(match.record(), game=match.game)
    assert again.state.notes == match.state.notes
    assert again.record() == match.record()


@pytest.mark.parametrize("upto", [2, 3])
def test_record_with_manual_dice_verifies(upto: int) -> None:
    match = _match_with_entered_dice(upto)
    assert verify(match.record(), match.game).digest() == match.digest()


def test_missing_manual_draw_raises() -> None:
    def draw(table: T) -> Steps:
        table.state.tokens.append(table.draw(table.state.cup, "3", "bag"))
        return
        yield

    match: AnyMatch = Match(tiny(both(ask("red"), draw)), dice=fixed_dice(draws=["c2"]))
    match.decide("red", "a")
    assert verify(match.record(), match.game).digest() == match.digest()
    error = verification_error(with_changes(match, {2: {"drawn": None}}), match.game)
    assert (error.line, error.differs) == (2, "The record has no draw for 1|phase-1|3|bag|1")


# -- tampering ---------------------------------------------------------------------------------------------------------

STAND_INS = string.ascii_letters[:8] + string.digits + ' "{}[],:\\\n\r\u2028é\x00'


def with_changed_character(record: str, places: Iterator[int], random: Random) -> Iterator[tuple[int, str]]:
    """Return the record with one character replaced, and the number of its line."""
    for place in places:
        stand_in = random.choice([letter for letter in STAND_INS if letter != record[place]])
        yield record.count("\n", 0, place) + 1, record[:place] + stand_in + record[place + 1 :]


def test_any_change_in_small_record_is_found() -> None:
    record, random = small_match().record(), Random(1)
    for _ in range(2):
        for line, text in with_changed_character(record, iter(range(len(record))), random):
            assert verification_error(text).line == line, text


def test_any_change_in_large_record_is_found() -> None:
    record, random = match_with_undos().record(), Random(2)
    places = iter(random.sample(range(len(record)), 300))
    for line, text in with_changed_character(record, places, random):
        assert verification_error(text, straits.GAME).line == line


@pytest.mark.parametrize("text", ["drop", "swap", "repeat"])
def test_missing_swapped_or_repeated_lines_are_found(text: str) -> None:
    texts = playout(straits.GAME, seed="lines").record().splitlines(keepends=True)
    for at in range(1, len(texts) - 2):
        other = list(texts)
        if text == "drop":
            del other[at]
        elif text == "swap":
            other[at], other[at + 1] = other[at + 1], other[at]
        else:
            other.insert(at, other[at])
        expected = at + 2 if text == "repeat" else at + 1
        assert verification_error("".join(other), straits.GAME).line == expected


def with_changes(match: AnyMatch, change: dict[int, dict[str, Any]]) -> str:
    """Return a record with changed lines and a valid hash chain."""
    parsed = parse(match.record())
    items: list[Any] = [parsed.header, *(line for _, line in parsed.entries), parsed.ending]
    text: list[str] = []
    for number, line in enumerate(items, start=1):
        fields = {name: getattr(line, name) for name in line.__struct_fields__} | change.get(number, {})
        line = type(line)(**fields)
        text.append(records.next_line(line, text[-1]) if text else records.first_line(line))
    return "".join(f"{line}\n" for line in text)


def test_invalid_unicode_names_line() -> None:
    first, rest = small_match().record().split("\n", 1)
    with pytest.raises(InvalidRecord, match="line 2: it is not UTF-8 text"):
        parse(f"{first}\n\ud800{rest}")


def test_forging_without_changes_gives_same_record() -> None:
    assert with_changes(small_match(), {}) == small_match().record()


@pytest.mark.parametrize(
    ("change", "line", "differs"),
    [
        ({1: {"game": "tiniest"}}, 1, None),
        ({1: {"version": "0"}}, 1, "played by version 0; installed is 1"),
        ({1: {"data": "x"}}, 1, "different game data"),
        ({1: {"scenario": "none"}}, 1, "No scenario named 'none'"),
        ({1: {"options": {"x": "y"}}}, 1, "No option named 'x'"),
        ({1: {"seats": ["blue", "red"]}}, 1, "the seats are red, blue, not blue, red"),
        ({1: {"fingerprint": "0" * 32}}, 1, "does not match the published dice seed hash"),
        ({1: {"readyroom": 99}}, 1, "its format is 99"),
        ({1: {"nonces": {"green": "x"}}}, 1, "No seat named 'green'"),
        ({2: {"chose": ("z",)}}, 2, "'z' is not among the options"),
        ({2: {"seat": "blue"}}, 2, "It is not Blue"),
        ({2: {"seat": "green"}}, 2, "No seat named 'green'"),
        ({2: {"rule": "9"}}, 2, "the pending decision is under rule 1, not 9"),
        ({3: {"n": 7}}, 3, "its number should be 2"),
        ({2: {"chose": ("b",)}}, 4, "the final position differs"),
        ({4: {"state": "0" * 32}}, 4, "the final position differs"),
        ({4: {"secrets": ["zz"]}}, 4, "the dice key is not hexadecimal"),
        ({4: {"secrets": ["00" * 32]}}, 1, "does not match the published dice seed hash"),
        ({3: {"block": 4}}, 4, "a different record"),
    ],
)
def test_forged_record_with_valid_chain_is_rejected(
    change: dict[int, dict[str, Any]], line: int, differs: str | None
) -> None:
    if differs is None:
        with pytest.raises(InvalidRecord, match="No game named 'tiniest'"):
            replay(with_changes(small_match(), change))
        return
    error = verification_error(with_changes(small_match(), change))
    assert error.line == line
    assert differs in error.differs


def test_forged_outcome_is_rejected() -> None:
    ending = parse(small_match().record()).ending
    assert ending is not None
    won = type(ending.outcome)("red", "Red wins", "Of course.")
    assert (
        "the outcome is draw, not Red wins"
        in verification_error(with_changes(small_match(), {4: {"outcome": won}})).differs
    )


def test_impossible_undo_is_rejected() -> None:
    match = Match(tiny(ask("red"), ask("red"), ask("blue")), seed="u")
    match.decide("red", "a")
    match.decide("red", "b")
    match.undo("red")
    header, one, two, undo = match.record_lines()
    assert undo.startswith('{"n":3')
    for result in (Undo(3, "blue", (2,), False), Undo(3, "red", (1,), False), Undo(3, "red", (1, 2, 3), True)):
        forged_line = records.next_line(result, two)
        error = verification_error("".join(f"{line}\n" for line in (header, one, two, forged_line)), match.game)
        assert error.line == 4


def test_missing_or_early_ending_is_rejected() -> None:
    texts = small_match().record().splitlines(keepends=True)
    assert (
        "the match is over after replay, but the record has no outcome"
        in verification_error("".join(texts[:-1])).differs
    )
    after = records.next_line(Entry(3, "red", "1", ("a",)), texts[-1].rstrip("\n"))
    error = verification_error("".join([*texts, f"{after}\n"]))
    assert (error.line, error.differs) == (5, "the record continues after its end")
    ending = parse(small_match().record()).ending
    assert isinstance(ending, Ending)
    early = [texts[0], f"{records.next_line(ending, texts[0].rstrip())}\n"]
    assert "the match is not over after replay" in verification_error("".join(early)).differs


def test_forged_fork_is_rejected() -> None:
    match = Match(SMALL, seed="fork").fork(b"1" * 32)
    match.decide("red", "a")
    match.decide("blue", "b")
    error = verification_error(with_changes(match, {2: {"fork": "0" * 32}}))
    assert error.line == 2
    assert "new dice does not match their dice seed hash" in error.differs
    assert isinstance(parse(match.record()).entries[0][1], Fork)


# -- truncated and invalid files ---------------------------------------------------------------------------------------


def test_truncated_record_can_be_repaired() -> None:
    record = small_match().record()
    first = record.index("\n") + 1
    for end in range(first, len(record)):
        if record[end - 1] == "\n":
            continue
        cut = record[:end]
        with pytest.raises(InvalidRecord) as caught:
            parse(cut)
        assert caught.value.line == cut.count("\n") + 1
        mended = parse(cut, repair=True)
        assert mended.is_incomplete
        assert len(mended.entries) == cut.count("\n") - 1
        match = replay(mended, game=SMALL, secret=secret_of_seed("small"))
        assert match.decision_count == len(mended.entries)


def test_complete_record_needs_no_repair() -> None:
    assert not parse(small_match().record(), repair=True).is_incomplete


def test_only_last_line_can_be_repaired() -> None:
    texts = small_match().record().splitlines(keepends=True)
    texts[1] = texts[1][:-9] + "\n"
    with pytest.raises(InvalidRecord, match="line 2"):
        parse("".join(texts), repair=True)
    with pytest.raises(InvalidRecord, match="line 1"):
        parse(texts[0][:-5], repair=True)


@pytest.mark.parametrize(
    "text",
    ["", "\n", "hello", "hello\n", "{}\n", "[]\n", "\x00\x01\x02", "null\n", '{"hash":"0"}\n', "\n\n\n", "é" * 50],
)
def test_non_record_is_rejected(text: str) -> None:
    assert verification_error(text).line == 1


def test_valid_chain_of_invalid_lines_is_rejected() -> None:
    header = records.first_line(parse(small_match().record()).header)
    nonsense = records.chain_lines([{"n": 1, "what": 2}], header[-34:-2])[0]
    assert "it is not a record line" in verification_error(f"{header}\n{nonsense}\n").differs
    other = records.chain_lines([{"readyroom": 1}], "")[0]
    assert "it is not a record header" in verification_error(f"{other}\n").differs


def test_binary_file_is_rejected(tmp_path: Any) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\xff\xfe\x00")
    with pytest.raises(InvalidRecord, match=r"picture\.png is not a text file"):
        read(path)


def test_truncated_character_can_be_repaired(tmp_path: Any) -> None:
    """A file cut within a multi-byte character is reported as truncated."""
    game = tiny(ask("red"), ask("blue"))
    match = Match(game, seed="s", nonces={"red": "é"})
    path = tmp_path / "match.jsonl"
    match.decide("red", "a")
    path.write_text(match.record() + '{"n":2,"seat":"é', encoding="utf-8")
    path.write_bytes(path.read_bytes()[:-1])
    assert parse(read(path), repair=True).is_incomplete


def test_lone_surrogate_is_rejected() -> None:
    record = small_match().record()
    assert verification_error(record.replace("red", "r\udc80d", 1)).line == 1


def test_header_fields() -> None:
    header = parse(playout(straits.GAME, "many", {"turns": "8"}, "h", upto=3).record()).header
    assert isinstance(header, Header)
    assert header.options == {"turns": "8", "weather": "fair"}
    assert (header.scenario, header.seed, header.dice) == ("many", "h", "keyed")


# -- records of an earlier version of the game -------------------------------------------------------------------------


def next_version(game: AnyGame, options: dict[str, str] | None = None) -> AnyGame:
    """Return the next version of the game, which accepts the present one."""
    previous = {game.version: PreviousVersion(game.data_fingerprint, options or {})}
    return replace(game, version="2", previous=previous)


def test_record_of_previous_version_verifies_where_rules_agree() -> None:
    match = small_match()
    assert verify(match.record(), next_version(match.game)).outcome == match.outcome


def test_record_of_previous_version_may_end_in_another_layout() -> None:
    match = small_match()
    record = with_changes(match, {4: {"state": "0" * 32}})
    assert verify(record, next_version(match.game)).outcome is not None


def test_record_of_previous_version_names_line_and_versions() -> None:
    match = small_match()
    error = verification_error(with_changes(match, {2: {"chose": ("z",)}}), next_version(match.game))
    assert error.line == 2
    assert error.differs.endswith("(played under rules version 1; installed is 2)")


def test_record_of_previous_version_with_another_winner_is_rejected() -> None:
    match = small_match()
    won = type(match.ending().outcome)("red", "draw", "It is over.")
    error = verification_error(with_changes(match, {4: {"outcome": won}}), next_version(match.game))
    assert "under rules version 1" in error.differs


def test_record_of_previous_version_with_own_figures_is_rejected() -> None:
    match = small_match()
    assert (
        "different game data"
        in verification_error(with_changes(match, {1: {"data": "x"}}), next_version(match.game)).differs
    )
