"""A campaign from its first chapter to its end, and the proof of its record."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest
from tests.campaign.helpers import BOTS, finish, short_war, war_at

from readyroom.campaign.format import ChapterEnd
from readyroom.campaign.library import campaign_names, campaign_text
from readyroom.campaign.page import describe_war, page_lines
from readyroom.campaign.playing import play_war
from readyroom.campaign.record import is_war, read_war, verify_war
from readyroom.campaign.war import War, WarError, start_war
from readyroom.engine.errors import InvalidRecord
from readyroom.engine.record.format import Header, parse
from readyroom.engine.record.replay import replay, verify

SHORT, LONG = "three-battles", "long-war"
GOLDEN = Path(__file__).with_name("golden.jsonl")


def test_same_seed_plays_the_same_war() -> None:
    text, files = campaign_text(SHORT)
    war = start_war(text, files, (), "golden")
    play_war(war, BOTS)
    assert war.record() == short_war()


def test_golden_record_still_verifies() -> None:
    war = verify_war(GOLDEN.read_text(encoding="utf-8"))
    assert war.closed is not None
    assert [one.chapter.key for one in war.played] == ["pearl", "midway", "okinawa"]


def test_reading_a_record_gives_the_same_war() -> None:
    record = short_war()
    war = read_war(record)
    assert is_war(record)
    assert war.record() == record
    assert war.ledger == verify_war(record).ledger


def test_match_of_a_war_verifies_alone_and_names_the_war_before_it() -> None:
    war = read_war(short_war())
    for number, lines in war.records.items():
        match = verify("\n".join([*lines, ""]))
        assert match.header.before == war.lines[number - 1][-34:-2]


def test_header_without_war_is_read_as_before() -> None:
    header = parse((Path(__file__).parents[1] / "records" / "an-afternoon-duel.jsonl").read_text()).header
    assert header.before is msgspec.UNSET
    assert b'"before"' not in msgspec.json.encode(header)
    assert msgspec.json.decode(msgspec.json.encode(header), type=Header) == header


@pytest.mark.slow(8)
def test_one_changed_character_is_found_with_its_line_and_chapter() -> None:
    record, random = short_war(), Random(31)
    titles = {"Pearl Harbor", "Midway", "Okinawa"}
    named = 0
    for _ in range(200):
        at = random.randrange(len(record) - 1)
        other = random.choice([one for one in 'abcxyz019{}",:\n é' if one != record[at]])
        with pytest.raises(InvalidRecord) as caught:
            verify_war(record[:at] + other + record[at + 1 :])
        assert caught.value.line == record[:at].count("\n") + 1
        named += any(f"chapter {title}:" in str(caught.value) for title in titles)
    assert named > 150


def test_swapped_or_missing_chapters_are_found() -> None:
    lines = short_war().splitlines()
    starts = [at for at, line in enumerate(lines) if line.startswith('{"chapter":')]
    first, second, third = starts
    without = [*lines[:first], *lines[second:]]
    swapped = [*lines[:first], *lines[second:third], *lines[first:second], *lines[third:]]
    for changed in (without, swapped):
        with pytest.raises(InvalidRecord, match="at line 2"):
            verify_war("\n".join([*changed, ""]))


def test_facts_that_the_match_does_not_have_are_found() -> None:
    """A forger who works out all hashes again is found by the match."""
    war = read_war(short_war())
    forged = start_war(war.header.text, {}, (), "golden")
    forged.begin()
    forged.records[len(forged.lines)] = war.records[2]
    record = parse([*war.records[2], ""])
    assert record.ending is not None
    finish_line = war.played[0]
    facts = dict(finish_line.facts) | {"title": "Japanese strategic victory"}
    line = ChapterEnd(
        finished="pearl",
        how="played",
        record=war.records[2][-1][-34:-2],
        facts=facts,
        losses=list(finish_line.losses),
        ledger={},
    )
    forged.restore_finish(line)
    assert read_war(forged.record()).ledger["spring"] == 2
    with pytest.raises(InvalidRecord, match="chapter Pearl Harbor: repeating the campaign writes a different line"):
        verify_war(forged.record())


def test_match_of_another_war_is_refused() -> None:
    text, files = campaign_text(SHORT)
    war = start_war(text, files, (), "other")
    war.begin()
    stranger = replay("\n".join([*read_war(short_war()).records[2], ""]))
    with pytest.raises(WarError, match="not the finished match"):
        war.finish(stranger)


# -- orders, risk, substitutes, early ends ---------------------------------------------------------------------------


def test_sealed_order_is_hidden_until_the_match_is_over() -> None:
    war = war_at(LONG, "okinawa")
    setup = war.begin("late", salt="5a17")
    assert setup is not None
    assert "late" not in war.lines[-1]
    assert "kikusui" not in war.lines[-1]
    match = setup.new_match("s", log=False, checkpoints=False)
    assert match.header.own is None
    assert match.header.sealed == setup.sealed.hash if setup.sealed else False
    with pytest.raises(InvalidRecord, match="its scenario is sealed until the match is over"):
        replay(match.record())
    again = replay(match.record(), sealed=setup.sealed)
    assert again.scenario.text == setup.scenario.text


def test_war_with_a_sealed_order_is_read_while_it_is_played() -> None:
    war = war_at(LONG, "okinawa")
    war.begin("late", salt="5a17")
    stranger, owner = read_war(war.record()), read_war(war.record(), ("late", "5a17"))
    assert stranger.next_chapter is None
    assert stranger.setup is None
    assert owner.setup is not None
    with pytest.raises(InvalidRecord):
        read_war(war.record(), ("early", "5a17"))


@pytest.mark.parametrize("chapter", ["lingayen", "okinawa"])
def test_orders_are_worth_the_same(chapter: str) -> None:
    sizes = set()
    for order in war_at(LONG, chapter).campaign.find_chapter(chapter).order:
        setup = war_at(LONG, chapter).begin(order.key)
        assert setup is not None
        raids = [watch for day in setup.scenario.content.raids for watch in day]
        sizes.add((sum(watch == "kikusui" for watch in raids), sum(watch in "ABCDEF" for watch in raids)))
    assert len(sizes) == 1


def test_side_that_is_behind_may_once_double_a_chapter() -> None:
    war = war_at(SHORT, "midway", tide=-4)
    assert war.behind() == "japan"
    with pytest.raises(WarError, match="United States may not call calculated risk"):
        war.begin(risk="usa")
    assert war.begin(risk="japan") is not None
    line = read_war(short_war()).played[1]
    facts = dict(line.facts) | {"lead": 10, "sunk usa": 1, "strength lost japan": 100}
    war.restore_finish(ChapterEnd(finished="midway", how="played", record="", facts=facts, losses=[], ledger={}))
    assert war.tide == 4
    war.ledger["tide"] = -5
    assert war.behind() is None


def test_skipped_chapter_enters_history_and_leaves_the_tide() -> None:
    war = war_at(SHORT, "midway", tide=3)
    played = war.skip()
    assert (played.how, war.tide, war.ledger["crews"]) == ("skipped", 3, 265)
    assert read_war(start_and_skip().record()).played[0].how == "skipped"


def start_and_skip() -> War:
    """Return a war whose first chapter was skipped."""
    text, files = campaign_text(SHORT)
    war = start_war(text, files)
    war.skip()
    return war


def test_sides_agree_on_an_early_end() -> None:
    war = start_and_skip()
    closed = war.agree()
    assert (closed.how, closed.ending) == ("agreed", "An armistice at sea")
    assert read_war(war.record()).closed == closed
    with pytest.raises(WarError, match="over"):
        war.agree()


def test_side_that_leaves_loses_by_one_ending_more() -> None:
    war = start_and_skip()
    war.ledger["tide"] = 3
    closed = war.leave("japan")
    assert (closed.winner, closed.ending, closed.by) == ("usa", "An armistice at sea", "japan")


def test_chapter_left_in_the_middle_is_proved() -> None:
    war = start_and_skip()
    war.begin()
    war.leave("usa")
    assert read_war(war.record()).closed == war.closed


@pytest.mark.parametrize("name", campaign_names())
def test_variants_can_be_played_through(name: str) -> None:
    for variant in war_at(name, "").campaign.variant:
        war = war_at(name, "", (variant,))
        assert war.closed is not None, variant
        war = war_at(name, "okinawa", (variant,))
        assert war.begin() is not None, variant


def test_no_raid_on_tokyo_sends_both_carriers_to_the_coral_sea() -> None:
    setup = war_at(LONG, "coral-sea", ("no-tokyo",)).begin()
    assert setup is not None
    keys = [card.key for card in setup.scenario.content.carrier]
    assert keys == ["lexington", "yorktown", "enterprise", "shokaku", "zuikaku", "junyo", "zuiho"]


# -- the page --------------------------------------------------------------------------------------------------------


def test_page_says_how_the_next_battle_differs_and_why() -> None:
    war = war_at(SHORT, "pearl")
    finish(war, title="Japanese strategic victory", yard_hits=50, lost_japan=29)
    text = "\n".join(page_lines(describe_war(war)))
    assert "- Pearl Harbor, 1 to 10 December 1941: Japan won; tide +1, now +1." in text
    assert "- How far Japan came by spring 1942: 2 instead of 1: the result at Pearl Harbor" in text
    assert "- Hornet: dive bombers: 5 instead of 8: the yard and the tanks at Pearl Harbor were hit" in text


def test_page_does_not_show_a_sealed_order() -> None:
    war = war_at(LONG, "okinawa")
    before = describe_war(war).next_battle
    war.begin("late", salt="5a17")
    after = describe_war(war).next_battle
    assert {"raids, 5: 3", "raids, 6: 3"}.isdisjoint(line.title for line in after)
    assert after == before


def test_page_lists_careers_of_ships() -> None:
    page = describe_war(read_war(short_war()))
    assert page.careers
    assert all(career.fates for career in page.careers)
    assert page.ending
