"""The chronicle of a campaign: a front page for each chapter, losses, turning points, and what history says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from readyroom.campaign.format import ChapterEnd
from readyroom.campaign.page import describe_war
from readyroom.campaign.war import Played, War, start_war
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.facts import FactValue, find_fact
from readyroom.engine.game import load_game
from readyroom.engine.report import epilogue
from readyroom.engine.text import capitalize_first, escape_markdown, join_list
from readyroom.store import Player, Store
from readyroom.store.campaigns import CampaignSummary
from readyroom.web.jobs.replays import Replays
from readyroom.web.pages.campaigns.war_map import draw_war_map
from readyroom.web.pages.campaigns.war_room import Step, campaign_context, tide_chart, time_line
from readyroom.web.pages.match.ending import SideLosses, known_highlights, losses_by_side

MOST_SENTENCES = 6
"""The most sentences of an epilogue that are shown at once."""


class Compared(NamedTuple):
    """A fact as it was in this war and in history."""

    title: str
    here: str
    history: str


class FrontPage(NamedTuple):
    """A chapter as a newspaper has it: the headline, what happened, the address of a picture, and what it cost."""

    step: Step
    headline: str
    text: str
    sentences: Sequence[str]
    picture: str
    losses: Sequence[SideLosses]
    turning_points: Sequence[Mapping[str, Any]]
    compared: Sequence[Compared]


def chronicle_context(
    store: Store, replays: Replays, summary: CampaignSummary, player: Player | None, client: str
) -> dict[str, Any]:
    """Return the context of the chronicle."""
    war, by_chapter = store.campaigns.war(summary.id), store.campaigns.matches(summary.id)
    steps = list(time_line(war, by_chapter))
    pages = [
        _front_page(store, replays, war, step, played, client) for step, played in zip(steps, war.played, strict=False)
    ]
    return {
        **campaign_context(war, summary, player),
        "war": describe_war(war),
        "map": draw_war_map(war),
        "steps": steps,
        "tide": war.tide,
        "chart": tide_chart(war, steps),
        "pages": pages,
        "most_sentences": MOST_SENTENCES,
        "closed": war.closed,
        "winner": war.campaign.sides[war.closed.winner] if war.closed and war.closed.winner else "",
        "history": history_of(war),
    }


def _front_page(store: Store, replays: Replays, war: War, step: Step, played: Played, client: str) -> FrontPage:
    compared = list(compare_with_history(war, played))
    match = step.match
    if match is None or match.outcome is None or not played.facts.get("title"):
        title = str(played.facts.get("title", "")) or step.chapter.summary
        return FrontPage(step, capitalize_first(title), step.chapter.summary, [], "", [], [], compared)
    try:
        with store.matches.open(match.id) as live:
            sentences, losses = epilogue(live), losses_by_side(live)
            is_drawn = live.game.presentation.layout is not None
    except ReadyRoomError:  # the match is damaged, or its game was replaced
        sentences, losses, is_drawn = [], [], False
    found = known_highlights(store, replays, match, None, client)
    return FrontPage(
        step,
        capitalize_first(match.outcome.title),
        match.outcome.text,
        sentences,
        f"/m/{match.id}/board.svg?r={match.revision}" if is_drawn else "",
        losses,
        found["turning_points"] or [],
        compared,
    )


def compare_with_history(war: War, played: Played) -> Iterator[Compared]:
    """Yield the facts of a chapter that history's example has too."""
    for key, value in played.chapter.history.items():
        if key in played.facts and key != "winner" and played.how in ("played", "instead"):
            yield Compared(_title_of(war, played, key), fact_text(played.facts[key]), fact_text(value))


def _title_of(war: War, played: Played, key: str) -> str:
    """Return the title of a fact; "*" in it stands for the end of its key, such as the name of a ship."""
    game = load_game(played.chapter.game)
    seats = list(game.rules.seats(game.first_scenario, game.resolve({})))
    if key == "lead":
        first, second = (game.side_name(side, seats) for side in dict.fromkeys(seat.side for seat in seats))
        return f"Points of {first} minus those of {second}"
    if key.startswith("score "):
        return f"Points of {game.side_name(key.removeprefix('score '), seats)}"
    facts = game.known_facts(seats)
    try:
        title = find_fact(facts, key).title
    except ReadyRoomError:
        return capitalize_first(key)
    return title if key in facts else f"{title}: {key.split()[-1]}"


def fact_text(value: FactValue) -> str:
    """Return a fact for readers."""
    if isinstance(value, list):
        return join_list(value) or "none"
    return capitalize_first(str(value)).replace("-", "−") if isinstance(value, int) else capitalize_first(value)


def history_of(war: War) -> War:
    """Return the same campaign with every chapter as in history."""
    text, own_files, variants = war.header.text, tuple(war.header.files.items()), tuple(war.header.variants)
    return _history(text, own_files, variants)


@lru_cache(maxsize=16)
def _history(text: str, own_files: tuple[tuple[str, str], ...], variants: tuple[str, ...]) -> War:
    war = start_war(text, dict(own_files), variants)
    while (chapter := war.next_chapter) is not None:
        if war.begin() is not None:
            facts = dict(chapter.history)
            war.restore_finish(
                ChapterEnd(finished=chapter.key, how="played", record="", facts=facts, losses=[], ledger={})
            )
    return war


def chronicle_text(context: Mapping[str, Any]) -> str:
    """Return the chronicle as Markdown."""
    return "\n".join([*_lines(context), ""])


def _lines(context: Mapping[str, Any]) -> Iterator[str]:
    campaign, closed = context["campaign"], context["closed"]
    yield from (f"# {escape_markdown(campaign.title)}", "")
    yield escape_markdown("; ".join(f"{one.name}: {one.who}" for one in context["seated"])) + "."
    if closed:
        who = f"{context['winner']} wins" if context["winner"] else "Neither side wins"
        yield from ("", f"**{escape_markdown(closed.ending)}.** {who}, tide {context['tide']:+d}.")
    for page in context["pages"]:
        yield from _page_lines(page, context["sides"])


def _page_lines(page: FrontPage, sides: Mapping[str, str]) -> Iterator[str]:
    step = page.step
    date = f", {step.chapter.date}" if step.chapter.date else ""
    yield from ("", f"## {step.number}. {escape_markdown(step.title)}{date}", "")
    yield f"**{page.headline}.** {page.text}"
    note = f" ({step.note})" if step.note else ""
    winner = f"{sides[step.winner]} won; " if step.winner else ""
    yield from ("", f"{winner}tide {step.tide:+d}{note}.")
    yield from _list("", page.sentences)
    yield from _list("Turning points", (_turning(one) for one in page.turning_points))
    losses = (f"{side.name}: {', '.join(f'{loss.name} {loss.fate}' for loss in side.losses)}" for side in page.losses)
    yield from _list("Losses", losses)
    history = (f"{one.title}: {one.here} here, {one.history} in history" for one in page.compared)
    yield from _list("Against history", history)


def _turning(one: Mapping[str, Any]) -> str:
    return f"{', '.join(one['heading'])}: {one['headline'] or one['text']}"


def _list(title: str, lines: Iterable[str]) -> Iterator[str]:
    items = [f"- {line}" for line in lines]
    if items:
        yield from ("", *([f"### {title}", ""] if title else []), *items)
