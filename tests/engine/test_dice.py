"""Dice: fair, and determined by key and event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readyroom.engine.errors import InvalidDice
from readyroom.engine.rules.dice import (
    Dice,
    KeyedDice,
    RecordedDice,
    fingerprint,
    fixed_dice,
    key_of,
    new_secret,
    secret_of_seed,
)

KEY = bytes(range(32))
GOLDEN_FACES = [3, 5, 4, 2, 5, 1, 2, 4, 3, 6, 4, 2]
GOLDEN_TWENTIES = [11, 13, 14, 8, 17, 5]
GOLDEN_DRAW = "squall"
GOLDEN_SECRET = "50267ee7a58d2879635d8de21306a18652d6c2609313d884d908a923c9839d4c"
GOLDEN_KEY = "d5f6325ad8f987531add4ee4f79dcb0a2d4c859bfefa4fb8a5250f99227d3722"
GOLDEN_FINGERPRINT = "f9fd5f55a5e0a386e9f3ef35f3ad0606"


def chi_square(counts: Counter[object], cells: int) -> float:
    expected = counts.total() / cells
    empty = cells - len(counts)
    return sum((seen - expected) ** 2 / expected for seen in counts.values()) + empty * expected


def critical(freedom: int) -> float:
    """Return the chi-square value with p of about 1e-6 (Wilson-Hilferty approximation)."""
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + 4.753 * part**0.5) ** 3)


@pytest.mark.parametrize("sides", [2, 3, 4, 6, 8, 10, 12, 20, 100, 129, 200, 255])
def test_keyed_dice_are_fair(sides: int) -> None:
    dice = KeyedDice(KEY)
    faces = Counter[object]()
    for number in range(300 + 20 * sides):
        faces.update(dice.roll(f"1|fair|1|{number}|1", 5, sides))
    assert set(faces) <= set(range(1, sides + 1))
    assert chi_square(faces, sides) < critical(sides - 1)


@pytest.mark.parametrize("apart", ["events", "dice", "keys", "blocks"])
def test_keyed_dice_are_independent(apart: str) -> None:
    dice = KeyedDice(KEY)
    pairs: Iterable[tuple[int, int]]
    if apart == "events":
        pairs = pairwise(dice.roll(f"1|strike|12.2|akagi|{n}", 1)[0] for n in range(6000))
    elif apart == "dice":
        pairs = ((two[0], two[1]) for two in (dice.roll(f"1|strike|12.2|akagi|{n}", 2) for n in range(6000)))
    elif apart == "keys":
        other = KeyedDice(KEY[::-1])
        pairs = ((dice.roll(str(n), 1)[0], other.roll(str(n), 1)[0]) for n in range(6000))
    else:
        pairs = ((many[0], many[-1]) for many in (dice.roll(f"1|blocks|1|x|{n}", 65) for n in range(6000)))
    counts = Counter[object](pairs)
    assert set(counts) <= set(product(range(1, 7), repeat=2))
    assert chi_square(counts, 36) < critical(35)


@pytest.mark.parametrize("count", [0, 1, 60, 64, 65, 200, 1000])
def test_rolls_continue_beyond_one_block(count: int) -> None:
    data = KeyedDice(KEY).roll("1|volley|12.4|akagi|1", count)
    assert len(data) == count
    assert set(data) <= set(range(1, 7))


def test_later_blocks_do_not_repeat_the_first() -> None:
    data = KeyedDice(KEY).roll("1|volley|12.4|akagi|1", 300)
    assert len({data[at : at + 50] for at in range(0, 300, 50)}) == 6


@given(
    event=st.text(min_size=1, max_size=20),
    first=st.integers(0, 150),
    then=st.integers(0, 150),
    sides=st.integers(2, 255),
    between=st.booleans(),
)
def test_roll_with_start_continues(event: str, first: int, then: int, sides: int, between: bool) -> None:
    dice, other = KeyedDice(KEY), KeyedDice(KEY)
    data = dice.roll(event, first, sides)
    if between:
        dice.roll(event + "other", 3, sides)
        dice.roll(event, 2, 6)
    data += dice.roll(event, then, sides, start=first)
    assert data == other.roll(event, first + then, sides)
    assert all(1 <= face <= sides for face in data)


@pytest.mark.parametrize("sides", [0, -1, 256, 1000])
def test_a_die_has_one_to_255_sides(sides: int) -> None:
    with pytest.raises(InvalidDice, match="1 to 255 sides"):
        KeyedDice(KEY).roll("1|a|b|c|1", 1, sides)


def test_event_dice_do_not_depend_on_earlier_rolls() -> None:
    fresh, used = KeyedDice(KEY), KeyedDice(KEY)
    for number in range(20):
        used.roll(f"1|other|1|x|{number}", 70)
        used.pick(f"1|other|1|x|{number}", ["a", "b"])
    assert fresh.roll("2|strike|12.2|akagi|1", 70) == used.roll("2|strike|12.2|akagi|1", 70)


def test_keyed_dice_golden_values() -> None:
    """Old records depend on these values."""
    dice = KeyedDice(b"k" * 32)
    assert list(dice.roll("3|strike|12.2|akagi|1", 12)) == GOLDEN_FACES
    assert list(dice.roll("3|strike|12.2|akagi|1", 6, 20)) == GOLDEN_TWENTIES
    assert dice.pick("3|cup|4|weather|1", ["clear", "haze", "squall", "storm"]) == GOLDEN_DRAW
    assert secret_of_seed("a study").hex() == GOLDEN_SECRET
    assert key_of(b"s" * 32, {"usa": "spruance", "japan": "nagumo"}).hex() == GOLDEN_KEY
    assert fingerprint(b"s" * 32) == GOLDEN_FINGERPRINT


# -- draws -------------------------------------------------------------------------------------------------------------


def test_draw_does_not_depend_on_key_order() -> None:
    dice, keys = KeyedDice(KEY), [f"chit-{n}" for n in range(8)]
    for number in range(50):
        assert dice.pick(f"1|cup|3|x|{number}", keys) == dice.pick(f"1|cup|3|x|{number}", keys[::-1])


def test_draws_without_replacement_are_fair() -> None:
    """Drawing another counter does not change the draw of the lowest."""
    dice, keys = KeyedDice(KEY), [f"chit-{n}" for n in range(8)]
    for number in range(50):
        drawn = dice.pick(f"1|cup|3|x|{number}", keys)
        other = next(key for key in keys if key != drawn)
        assert dice.pick(f"1|cup|3|x|{number}", [key for key in keys if key != other]) == drawn


def test_draws_are_fair() -> None:
    dice, keys = KeyedDice(KEY), ["a", "b", "c", "d", "e"]
    drawn = Counter[object](dice.pick(f"1|cup|3|x|{number}", keys) for number in range(5000))
    assert chi_square(drawn, 5) < critical(4)


# -- secrets, nonces, fingerprints -------------------------------------------------------------------------------------


def test_each_nonce_changes_key() -> None:
    keys = {
        key_of(b"s" * 32, nonces)
        for nonces in (
            {},
            {"usa": "x"},
            {"usa": "y"},
            {"japan": "x"},
            {"usa": "x", "japan": "x"},
            {"usa": ""},
            {"usa": "x|1|y"},
            {"usa": "x", "y": ""},
        )
    }
    assert len(keys) == 8


def test_key_does_not_depend_on_nonce_order() -> None:
    one = key_of(b"s" * 32, {"usa": "x", "japan": "y"})
    assert one == key_of(b"s" * 32, {"japan": "y", "usa": "x"})


def test_fingerprints_differ_and_hide_secret() -> None:
    one, other = new_secret(), new_secret()
    assert one != other
    assert len(one) == 32
    assert fingerprint(one) != fingerprint(other)
    assert fingerprint(one) not in (one.hex(), key_of(one, {}).hex())
    assert fingerprint(one) == fingerprint(one)


# -- fixed and entered dice --------------------------------------------------------------------------------------------


def test_fixed_dice_show_faces_in_order() -> None:
    dice = fixed_dice(6, 5, 4, 3, 2)
    assert list(dice.roll("one", 2)) == [6, 5]
    assert list(dice.roll("two", 1)) == [4]
    assert list(dice.roll("one", 2)) == [6, 5]
    assert list(dice.roll("one", 1, start=2)) == [3]
    assert list(dice.roll("one", 3)) == [6, 5, 3]
    assert dice.remembered == {"one": [6, 5, 3], "two": [4]}


def test_too_few_fixed_dice_raise() -> None:
    with pytest.raises(InvalidDice, match=r"2\|strike needs 3 dice from 1 to 6, got \[1\]"):
        fixed_dice(1).roll("2|strike", 3)


def test_impossible_face_is_rejected() -> None:
    dice = fixed_dice(7, 6)
    with pytest.raises(InvalidDice, match="from 1 to 6"):
        dice.roll("e", 1)
    assert list(dice.roll("e", 1)) == [6]


def test_fixed_draws_come_in_order() -> None:
    dice = fixed_dice(draws=["b", "a"])
    assert dice.pick("one", ["a", "b"]) == "b"
    assert dice.pick("two", ["a", "b"]) == "a"
    assert dice.pick("one", ["a", "b"]) == "b"
    with pytest.raises(InvalidDice, match="No fixed draw is left for three"):
        dice.pick("three", ["a", "b"])


def test_fixed_draw_must_be_in_cup() -> None:
    with pytest.raises(InvalidDice, match=r"'z' cannot be drawn for one\. Available: a, b"):
        fixed_dice(draws=["z"]).pick("one", ["a", "b"])


def test_fixed_dice_use_fallback() -> None:
    dice = fixed_dice(6, draws=["b"], fallback=KeyedDice(KEY))
    assert dice.roll("one", 1) == b"\x06"
    assert dice.roll("two", 5) == KeyedDice(KEY).roll("two", 5)
    assert dice.pick("one", ["a", "b"]) == "b"
    assert dice.pick("two", ["a", "b"]) == KeyedDice(KEY).pick("two", ["a", "b"])


def test_fixed_dice_fallback_within_event() -> None:
    """Re-rolls in an event get its next dice, not the first ones."""
    dice = fixed_dice(fallback=KeyedDice(KEY))
    assert dice.roll("one", 3) + dice.roll("one", 5, start=3) == KeyedDice(KEY).roll("one", 8)


def test_recorded_dice_ask_source_once() -> None:
    requests: list[tuple[str, int, int]] = []

    def ask(event: str, count: int, sides: int) -> list[int]:
        requests.append((event, count, sides))
        return [3] * count

    def draw(event: str, keys: Sequence[str]) -> str:
        requests.append((event, len(keys), 0))
        return keys[-1]

    dice: Dice = RecordedDice(ask, draw)
    for _ in range(3):
        assert list(dice.roll("one", 2, 8)) == [3, 3]
        assert list(dice.roll("one", 1, 8, start=2)) == [3]
        assert dice.pick("two", ["a", "b"]) == "b"
    assert requests == [("one", 2, 8), ("one", 1, 8), ("two", 2, 0)]


def test_large_rolls_use_numbered_blocks() -> None:
    """Each fallback block is a separate hash that anyone with the key can compute."""
    names = ["1|fire|12.2|akagi|1", "1|fire|12.2|akagi|1||1", "1|fire|12.2|akagi|1||2"]
    blocks = [blake2b(name.encode(), key=b"k" * 32).digest() for name in names]
    fair = [byte % 6 + 1 for block in blocks for byte in block if byte < 252]
    assert list(KeyedDice(b"k" * 32).roll(names[0], len(fair))) == fair


def test_draw_without_picker_raises() -> None:
    with pytest.raises(InvalidDice, match="no source of draws for one"):
        RecordedDice(lambda event, count, sides: [1] * count).pick("one", ["a"])
