"""The example campaign of `docs/campaign.md`: two games, one of them a toy, linked both ways."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.installed import install

from readyroom.campaign.playing import play_war
from readyroom.campaign.reading import read_campaign, read_file
from readyroom.campaign.record import verify_war
from readyroom.campaign.war import start_war
from readyroom.engine.errors import InvalidData

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(autouse=True)
def strait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the toy game."""
    for folder in install(DOCS / "example", tmp_path):
        monkeypatch.syspath_prepend(str(folder))


def test_example_campaign_is_played_and_verified() -> None:
    _, text, files = read_file(DOCS / "lantern-war.toml")
    winners = Counter[str | None]()
    nights = set()
    for number in range(12):
        war = start_war(text, files, (), f"lantern/{number}")
        play_war(war, {"japan": "doctrine", "usa": "doctrine"})
        assert war.closed is not None
        winners[war.closed.winner] += 1
        nights.add(verify_war(war.record()).played[-1].prepared[-1].after if war.played[-1].prepared else "3")
    assert set(winners) >= {"japan", "usa"}
    assert nights == {"2", "3"}


def test_error_on_the_page_is_what_a_wrong_fact_gives() -> None:
    text = (DOCS / "lantern-war.toml").read_text(encoding="utf-8").replace('"fact lead"', '"fact leed"')
    with pytest.raises(InvalidData) as caught:
        read_campaign(text.encode(), "lantern-war.toml", {})
    start, end = str(caught.value).split("lead, turn, ")[0], "found 'fact leed'; did you mean 'lead'?"
    page = " ".join((DOCS / "campaign.md").read_text(encoding="utf-8").split())
    assert start in page
    assert end in page
