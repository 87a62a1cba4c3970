"""Studies of campaigns: who wins, what each chapter is worth, how the ledger develops, and what each link does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from typing import Any, NamedTuple

import msgspec

from readyroom.campaign.library import campaign_text
from readyroom.campaign.playing import play_war
from readyroom.campaign.schema import Campaign
from readyroom.campaign.war import War, start_war, without_rows
from readyroom.engine.rules.dice import new_secret
from readyroom.study.matches import chunk, map_parallel
from readyroom.study.results import StudyResult
from readyroom.study.simulate import Percentiles, percentiles_of

CHUNK = 5
"""Campaigns that a worker plays before it reports."""


class WarSetup(NamedTuple):
    """A campaign to play, as data for another process; `without` is a link that is left out."""

    text: str
    files: Mapping[str, str]
    variants: Sequence[str]
    bots: Mapping[str, str]
    seed: str
    without: tuple[str, str, int] | None = None


class PlayedWar(NamedTuple):
    """A campaign: its winner or None, its ending, and of each chapter how it was played, its winner and the ledger."""

    winner: str | None
    ending: str
    chapters: Sequence[tuple[str, str, str | None, Mapping[str, int]]]


class ChapterResult(msgspec.Struct, frozen=True):
    """What a chapter was in many campaigns.

    `hows` counts how it was played, `winners` who won it. `wins_war` has for each side how often it won this chapter,
    and how often then also the war; the ledger is after the chapter.
    """

    key: str
    hows: dict[str, int]
    winners: dict[str, int]
    wins_war: dict[str, tuple[int, int]]
    ledger: dict[str, Percentiles]


class LinkResult(msgspec.Struct, frozen=True):
    """A link switched off: what it is, and in how many campaigns of the same dice another side won."""

    chapter: str
    why: str
    into: str
    winners: dict[str, int]
    differ: int


class CampaignResult(StudyResult, frozen=True, kw_only=True):
    """What many campaigns gave; it is the same for the same seed."""

    campaign: str
    title: str
    games: int
    seed: str
    variants: list[str]
    bots: dict[str, str]
    winners: dict[str, int]
    endings: dict[str, int]
    chapters: list[ChapterResult]
    links: list[LinkResult]


def simulate_campaign(
    name: str,
    *,
    bots: Mapping[str, str] | None = None,
    variants: Iterable[str] = (),
    games: int = 100,
    seed: str | None = None,
    workers: int = 1,
    links: bool = False,
    progress: Callable[[int], None] | None = None,
) -> CampaignResult:
    """Play campaigns between bots.

    Args:
        name: a shipped campaign, or the file of one.
        bots: a bot's name for each side; a game that lacks it is played by its default bot.
        variants: the variants to play.
        games: how many campaigns.
        seed: any text that fixes everything; random by default.
        workers: how many processes share the work.
        links: also play them again without each link in turn.
        progress: called with the number of campaigns finished so far.

    An interrupt (KeyboardInterrupt) ends the study early: the result covers the finished campaigns.
    """
    text, files = campaign_text(name)
    setup = WarSetup(text, files, list(variants), dict(bots or {}), new_secret().hex()[:16] if seed is None else seed)
    war = start_war(text, files, setup.variants)
    played = _play_all(setup, games, workers, progress)
    results = list(_link_results(setup, war.campaign, played, workers)) if links else []
    return _result(war.campaign, setup, played, results)


def _play_all(
    setup: WarSetup, games: int, workers: int, progress: Callable[[int], None] | None = None
) -> list[PlayedWar]:
    played: list[PlayedWar] = []
    parts = chunk(games, CHUNK)
    with suppress(KeyboardInterrupt), closing(map_parallel(partial(play_part, setup), parts, workers)) as work:
        for part in work:
            played += part
            if progress is not None:
                progress(len(played))
    return played


def play_part(setup: WarSetup, numbers: Iterable[int]) -> list[PlayedWar]:
    """Play the campaigns of these numbers; each follows from the seed and its own number alone."""
    return [_play(setup, number) for number in numbers]


def _play(setup: WarSetup, number: int) -> PlayedWar:
    war = start_war(setup.text, setup.files, setup.variants, f"{setup.seed}/{number}")
    if setup.without is not None:
        war.campaign = without_rows(war.campaign, *setup.without)
    play_war(war, setup.bots)
    return describe_war(war)


def describe_war(war: War) -> PlayedWar:
    """Describe a finished campaign."""
    assert war.closed is not None
    chapters = [
        (one.chapter.key, one.how, one.winner, {key: value for key, value in one.ledger.items() if type(value) is int})
        for one in war.played
    ]
    return PlayedWar(war.closed.winner, war.closed.ending, chapters)


def _link_results(
    setup: WarSetup, campaign: Campaign, played: Sequence[PlayedWar], workers: int
) -> Iterator[LinkResult]:
    """Play the same campaigns without each link that the page shows."""
    for chapter in campaign.chapter:
        for part in ("before", "after"):
            for number, row in enumerate(getattr(chapter, part)):
                if row.why:
                    other = setup._replace(without=(chapter.key, part, number))
                    changed = _play_all(other, len(played), workers)
                    pairs = zip(played, changed, strict=False)
                    differ = sum(first.winner != second.winner for first, second in pairs)
                    into = ", ".join(row.targets)
                    yield LinkResult(chapter.key, row.why, into, _count(one.winner for one in changed), differ)


def _count(winners: Iterable[str | None]) -> dict[str, int]:
    return dict(sorted(Counter(winner or "nobody" for winner in winners).items()))


def _result(campaign: Campaign, setup: WarSetup, played: list[PlayedWar], links: list[LinkResult]) -> CampaignResult:
    return CampaignResult(
        campaign=campaign.key,
        title=campaign.title,
        games=len(played),
        seed=setup.seed,
        variants=list(setup.variants),
        bots=dict(setup.bots),
        winners=_count(one.winner for one in played),
        endings=dict(sorted(Counter(one.ending for one in played).items())),
        chapters=[_chapter_result(campaign, at, played) for at in range(len(campaign.chapter))],
        links=links,
    )


def _chapter_result(campaign: Campaign, at: int, played: Sequence[PlayedWar]) -> ChapterResult:
    chapters: list[Any] = [one.chapters[at] for one in played]
    won = {side: [one for one in played if one.chapters[at][2] == side] for side in campaign.sides}
    names = chapters[0][3] if chapters else ()
    return ChapterResult(
        campaign.chapter[at].key,
        dict(sorted(Counter(how for _, how, _, _ in chapters).items())),
        _count(winner for _, _, winner, _ in chapters),
        {side: (len(wars), sum(one.winner == side for one in wars)) for side, wars in won.items()},
        {name: percentiles_of([ledger[name] for _, _, _, ledger in chapters]) for name in names},
    )
