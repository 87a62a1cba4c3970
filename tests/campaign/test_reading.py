"""An invalid campaign is refused with file, line, and what was expected."""

from __future__ import annotations

from time import process_time

import pytest

from readyroom.campaign.library import UnknownCampaign, campaign_names, campaign_text, load_campaign
from readyroom.campaign.reading import UnknownVariant, read_campaign
from readyroom.engine.errors import InvalidData
from readyroom.engine.toml import toml_lines, write_toml


def refusal(old: str, new: str) -> str:
    """Return the error of the short campaign after a change of its text."""
    text, files = campaign_text("three-battles")
    assert old in text
    changed = text.replace(old, new, 1)
    with pytest.raises(InvalidData) as caught:
        read_campaign(changed.encode(), "own.toml", files)
    if f"line {text[: text.index(old)].count(chr(10)) + 1}," not in str(caught.value):
        pytest.fail(f"{caught.value} has another line than {text[: text.index(old)].count(chr(10)) + 1}")
    return str(caught.value)


@pytest.mark.parametrize("name", campaign_names())
def test_shipped_campaigns_are_valid(name: str) -> None:
    assert load_campaign(name).chapter


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('into = "yard"', 'into = "yards"', "did you mean 'yard'"),
        ('take = "fact yard hits"', 'take = "fact yard hit"', "did you mean 'yard hits'"),
        ('take = "spring", plus', 'take = "sprung", plus', "did you mean 'spring'"),
        ('table = "band"', 'table = "bands"', "did you mean 'band'"),
        ('game = "tora"', 'game = "torra"', "did you mean 'tora'"),
        ('scenario = "december"', 'scenario = "decembre"', "expected a scenario: december"),
        ('seats = { japan = "japan"', 'seats = { japon = "japan"', "expected a side: japan, usa"),
        ('"carrier.enterprise.dive_bombers", ', '"carrier.essex.dive_bombers", ', "enterprise, hornet, yorktown"),
        ('take = "yard", table = "unsound"', 'take = "yard", table = "result"', "a value of table result for"),
        ('when = ["missing", "at least", 1]', 'when = ["missing", "more than", 1]', '"at most", value]'),
        ('"raids.0.1", "raids.6.1"], as = "text", plus', '"raids.0.0", "raids.6.1"], as = "text", plus', "'kikusui'"),
        ('into = "yard"', 'inti = "yard"', "the unknown field `inti`; did you mean 'into'?"),
        ("times = 0.5, low = 0, high = 4", "times = 0.5, low = 4, high = 0", "a number up to `high`, which is 0"),
        ('plus = -1, when = ["spring", "is", 2]', 'value = "few", how = "set"', "expected a whole number in carrier["),
        ('history = { title = "United States wins"', 'history = { title = "America wins"', "How the battle ended"),
    ],
)
def test_error_names_line_and_what_was_expected(old: str, new: str, expected: str) -> None:
    assert expected in refusal(old, new)


def test_number_of_variants_is_limited() -> None:
    text, files = campaign_text("three-battles")
    more = "".join(f'[variant.more-{n}]\ntitle = "More"\n' for n in range(40))
    with pytest.raises(InvalidData, match="at variant: expected at most 30 entries, found 42"):
        read_campaign(f"{text}\n{more}".encode(), "own.toml", files, check_all=False)


BEFORE = 'usa = "usa" }\nbefore = ['


@pytest.mark.parametrize("extra", ["times = inf", "times = nan", f"plus = 1{'0' * 900}, times = 1.5"])
def test_numbers_that_cannot_be_computed_are_refused(extra: str) -> None:
    text, files = campaign_text("three-battles")
    changed = text.replace(BEFORE, f'{BEFORE}{{ into = "spring", take = "spring", {extra} }}, ', 1)
    with pytest.raises(InvalidData, match=r"line 60, chapter\[1\]\.before\[0\]"):
        read_campaign(changed.encode(), "own.toml", files)


def test_campaign_that_takes_long_to_check_is_refused_at_once() -> None:
    text, files = campaign_text("three-battles")
    rows = '{ into = "carrier.hiryu.dive_bombers", plus = -1 },\n' * 3_500
    began = process_time()
    with pytest.raises(InvalidData, match="checked with at most 4,000 values"):
        read_campaign(text.replace(BEFORE, f"{BEFORE}{rows}", 1).encode(), "own.toml", files)
    ledger = "".join(f'[ledger.{"a" * 150}{n}]\ntitle = "x"\nstart = 0\nsource = "own"\n' for n in range(700))
    wrong = text.replace(BEFORE, f'{BEFORE}{{ into = "{"a" * 180}b" }}, ', 1)
    with pytest.raises(InvalidData, match="a ledger quantity") as caught:
        read_campaign(f"{wrong}\n{ledger}".encode(), "own.toml", files)
    assert len(str(caught.value)) < 1_000
    assert process_time() - began < 10


def test_words_missing_in_a_table_are_named() -> None:
    old = '"draw" = 0, "Japanese marginal'
    text, files = campaign_text("three-battles")
    changed = text.replace(old, '"Japanese marginal', 1)
    with pytest.raises(InvalidData, match="a value of table watch for 'draw'"):
        read_campaign(changed.encode(), "own.toml", files)


def test_scenario_that_the_game_refuses_names_its_field() -> None:
    text, files = campaign_text("three-battles")
    with pytest.raises(InvalidData, match=r"own.toml: at line \d+, chapter\[2\]"):
        read_campaign(text.replace('first = "04-06"', 'first = "13-06"').encode(), "own.toml", files)


def test_unknown_variant_lists_the_known_ones() -> None:
    with pytest.raises(UnknownVariant, match="no-raid"):
        load_campaign("three-battles", ["no-rade"])


def test_unknown_campaign_lists_the_known_ones() -> None:
    with pytest.raises(UnknownCampaign, match="Did you mean 'long-war'"):
        load_campaign("longwar")


def test_lines_of_list_items_are_found() -> None:
    lines = dict(toml_lines('[[chapter]]\nafter = [\n  { into = "a" }, # [\n  { into = ["b",\n "c"] },\n]\nkey = "x"'))
    assert lines["chapter", 0, "after", 0] == 3
    assert lines["chapter", 0, "after", 1] == 4
    assert lines["chapter", 0, "key"] == 7


def test_tables_are_written_as_they_are_read() -> None:
    import tomllib

    tables = {"a": 1, "b": [], "c": {"<=25": "x", "d": {"e": [{"f": [1, "2"]}]}}, "g": [{"h": True}, {"i": "\x7fé\n"}]}
    assert tomllib.loads(write_toml(tables)) == tables


@pytest.mark.parametrize("game", ["midway", "tora", "picket", "doolittle", "war", "pearl"])
def test_every_scenario_is_written_out_as_it_was(game: str) -> None:
    from readyroom.campaign.config import content_of
    from readyroom.engine.game import load_game

    loaded = load_game(game)
    for scenario in loaded.rules.scenarios(loaded.data):
        own = loaded.own_scenario(write_toml(content_of(scenario)).encode(), f"{scenario.key}.toml")
        assert content_of(own) == content_of(scenario)
