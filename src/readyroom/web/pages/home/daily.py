"""The challenge of the day: today's, those of past days, and a player's own result."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any, NamedTuple

from litestar import Response, Router, get, post
from litestar.concurrency import sync_to_thread
from litestar.response import Redirect

from readyroom.engine.errors import ReadyRoomError
from readyroom.store import MatchSummary, Player, Store
from readyroom.store.daily import DAILY_PREFIX, Attempt, DailyResult
from readyroom.store.errors import AttemptUnfinished, DaySecret, UnknownLink
from readyroom.study.daily import keys
from readyroom.study.daily.challenge import Challenge, NoChallenge, challenge_of
from readyroom.study.daily.keys import EPOCH, DaySealed, parse_day
from readyroom.study.daily.results import RUNS, Baseline, Score, score_of, share_text
from readyroom.web import catalog
from readyroom.web.api.auth import bearer
from readyroom.web.jobs.client_jobs import ClientJobs, cancel
from readyroom.web.pages.players.profile import COOKIE, get_or_create_player
from readyroom.web.rendering import AppRequest, Page, Reply, address
from readyroom.web.security import client

OF_A_MATCH = re.compile(r"/(m|api/v1/matches)/\{id(?::str)?\}(?:/(.+))?")
"""Routes of a match and of its parts, on pages and in the API."""
OPEN_PARTS = re.compile(
    r"answer|undo|pass|takeback(/answer)?|table|seats|turning-points|advice|analysis(/progress)?|events|playback|presence"
    r"|talk|say|note|hide|plan(/check|/file)?|plan-template/[^/]+|dice\.json|board\.svg|decisions|ask-back|allow-back"
    "|officer"
)
"""The parts of an attempt that its player can use before the day is over; none shows the dice key or the record."""
QUANTILES = (0.05, 0.5, 0.95)
"""The shares of bot runs whose scores are shown."""
DAYS_SHOWN = 31
"""The most days on a page of the archive."""


class ResultRow(NamedTuple):
    """A result in the table of a day, with the percentage of bot runs that it is better than, if that is known."""

    result: DailyResult
    percentile: int | None
    score: str
    is_mine: bool


class DayItem(NamedTuple):
    """A day in the archive: its challenge (None: not installed), its counted attempts, and whether one is mine."""

    day: date
    challenge: Challenge | None
    attempts: int
    is_mine: bool


# -- the seal --------------------------------------------------------------------------------------------------------


async def check_seal(request: AppRequest) -> None:
    """Raise `DaySecret` if a request would show an attempt, or its dice, before its day is over.

    Until then an attempt is open to its player alone, and even to them without record, replay and dice key.
    """
    match_id = request.path_params.get("id")
    found = OF_A_MATCH.fullmatch(request.scope["path_template"])
    if found is not None and isinstance(match_id, str) and match_id.startswith(DAILY_PREFIX):
        await sync_to_thread(_check_seal, request, found[1] == "m", match_id, found[2] or "")


def _check_seal(request: AppRequest, is_page: bool, id: str, part: str) -> None:
    store: Store = request.app.state.site.store
    summary = store.listings.summary(id)
    if not summary.is_sealed():
        return
    is_own = _is_own_page(request, store, summary) if is_page else _is_own_seat(request, store, summary)
    if not is_own or (part and not OPEN_PARTS.fullmatch(part)):
        raise DaySecret


def _is_own_page(request: AppRequest, store: Store, summary: MatchSummary) -> bool:
    session = request.cookies.get(COOKIE)
    player = store.players.of_session(session) if session else None
    return player is not None and summary.has_player(player.id)


def _is_own_seat(request: AppRequest, store: Store, summary: MatchSummary) -> bool:
    try:
        return bool(secret := bearer(request)) and store.seats.match_by_link(secret)[0].id == summary.id
    except UnknownLink:
        return False


# -- what pages show -------------------------------------------------------------------------------------------------


def day_context(store: Store, player: Player | None, challenge: Challenge) -> dict[str, Any]:
    """Return what the pages of a day show; how matches ended only after the day, or after the viewer's own attempt."""
    own = store.daily.attempt(player.id, challenge.day) if player is not None else None
    today, baseline = store.daily.today(), store.daily.baseline(challenge)
    is_over = challenge.day < today
    return {
        "challenge": challenge,
        "colour": catalog.colour(challenge.game, challenge.side),
        "changed": challenge.game.non_default_options(challenge.options),
        "own": own,
        "is_over": is_over,
        "is_open": is_over or (own is not None and own.outcome is not None),
        "hours_left": max(0, int((keys.ends(challenge.day) - keys.clock()).total_seconds() // 3600)),
        "rows": result_rows(store, player, challenge, baseline),
        "bot_scores": [] if baseline is None else [score_text(challenge, baseline.score_at(p)) for p in QUANTILES],
        "dice_hash": store.daily.dice_hash(challenge.day),
        "anchor": store.daily.keys.anchor,
        "is_shared": store.daily.keys.is_shared,
        "runs": RUNS,
        "before": challenge.day - timedelta(days=1) if challenge.day > EPOCH else None,
    }


def best_of_days(store: Store, player: Player | None, days: int) -> list[tuple[Challenge, ResultRow]]:
    """Return the best result of each of the last days before today that has one, the last day first."""
    today = store.daily.today()
    played = store.daily.counts(known := [today - timedelta(days=n) for n in range(1, days + 1)])
    challenges = [_known(day) for day in known if day.isoformat() in played]
    return [
        (challenge, rows[0])
        for challenge in challenges
        if challenge is not None and (rows := result_rows(store, player, challenge, store.daily.baseline(challenge)))
    ]


def result_rows(
    store: Store, player: Player | None, challenge: Challenge, baseline: Baseline | None
) -> list[ResultRow]:
    """Return the results of a day."""
    me = player.id if player is not None else ""
    return [
        ResultRow(
            result,
            None if baseline is None else baseline.percentile(result.score),
            score_text(challenge, result.score),
            result.player == me,
        )
        for result in store.daily.results(challenge, me)
    ]


def score_text(challenge: Challenge, score: Score) -> str:
    """Return the lead over the other side, or the score alone without one."""
    if challenge.other_seats:
        return f"{'+' if score.lead > 0 else '−' if score.lead < 0 else ''}{abs(score.lead)}"
    return str(score.lead)


def played_challenge(store: Store, text: str) -> Challenge:
    """Return the challenge of a date; raise `NoSuchDay`, `NoChallenge`, or `DaySealed` before the day."""
    day = parse_day(text)
    if day > store.daily.today():
        raise DaySealed(day)
    return challenge_of(day)


def today(store: Store) -> Challenge | None:
    """Return the challenge of today; None if it is not installed."""
    return _known(store.daily.today())


# -- pages -----------------------------------------------------------------------------------------------------------


@get("/challenge", sync_to_thread=True)
def challenge_page(page: Page, store: Store) -> Response[str]:
    """Show the challenge of today."""
    return _day_page(page, store, store.daily.today())


@get("/challenge/{day:str}", sync_to_thread=True)
def past_page(page: Page, store: Store, day: str) -> Response[str]:
    """Show the challenge of a day that has begun."""
    return _day_page(page, store, played_challenge(store, day).day)


def _day_page(page: Page, store: Store, day: date) -> Response[str]:
    try:
        challenge = challenge_of(day)
    except NoChallenge as error:
        return page("challenge.html", challenge=None, why=str(error))
    return page("challenge.html", **day_context(store, page.player, challenge))


@post("/challenge", sync_to_thread=True)
def start(request: AppRequest, store: Store, player: Player | None, client_tag: str) -> Reply:
    """Start an attempt at the challenge of today; where the counted one is not finished, open it instead."""
    return _start(request, store, player, client_tag, store.daily.today().isoformat())


@post("/challenge/{day:str}", sync_to_thread=True)
def start_past(request: AppRequest, store: Store, player: Player | None, client_tag: str, day: str) -> Reply:
    """Start an attempt at the challenge of a day that has begun."""
    return _start(request, store, player, client_tag, day)


def _start(request: AppRequest, store: Store, player: Player | None, client_tag: str, day: str) -> Reply:
    challenge = played_challenge(store, day)
    arrival = get_or_create_player(request, store, player)
    try:
        match = store.daily.begin(arrival.player, challenge.day, client=client_tag).id
    except AttemptUnfinished as unfinished:
        match = unfinished.id
    return arrival.seated(Redirect(f"/m/{match}", status_code=303))


@get("/challenge/archive", sync_to_thread=True)
def archive_page(page: Page, store: Store, until: str = "") -> Response[str]:
    """Show past challenges, the last one first, up to a date."""
    today = store.daily.today()
    last = min(parse_day(until), today - timedelta(days=1)) if until else today - timedelta(days=1)
    days = [day for n in range(DAYS_SHOWN) if (day := last - timedelta(days=n)) >= EPOCH]
    counts, mine = store.daily.counts(days), store.daily.counted_days(page.player.id) if page.player else set[str]()
    items = [DayItem(day, _known(day), counts.get(day.isoformat(), 0), day.isoformat() in mine) for day in days]
    earlier = days[-1] - timedelta(days=1) if days and days[-1] > EPOCH else None
    return page("challenge-archive.html", items=items, earlier=earlier)


def _known(day: date) -> Challenge | None:
    try:
        return challenge_of(day)
    except ReadyRoomError:
        return None


@get("/challenge/{day:str}/result", sync_to_thread=True)
def result_page(page: Page, store: Store, client_jobs: ClientJobs, day: str) -> Reply:
    """Show the player's own result of a day, how it compares with bot runs, and a text to share."""
    challenge = played_challenge(store, day)
    context = day_context(store, page.player, challenge)
    own: Attempt | None = context["own"]
    if own is None or own.outcome is None:
        return Redirect(f"/challenge/{day}", status_code=303)
    score, baseline = score_of(challenge, own.outcome), store.daily.baseline(challenge)
    percentile = None if baseline is None else baseline.percentile(score)
    where = f"{address(page.request)}/challenge/{day}"
    return page(
        "challenge-result.html",
        **context,
        score=score_text(challenge, score),
        percentile=percentile,
        text=share_text(challenge, percentile, where if where.startswith("http") else ""),
        place=1 + sum(row.result.score > score for row in context["rows"]),
        job=None if baseline is not None else client_jobs.baseline_job(challenge.slot.key),
    )


@post("/challenge/{day:str}/baseline", sync_to_thread=True)
def compute_baseline(request: AppRequest, store: Store, client_jobs: ClientJobs, day: str) -> Redirect:
    """Play the bot runs of a challenge, if they are not known yet."""
    challenge = played_challenge(store, day)
    if store.daily.baseline(challenge) is None:
        client_jobs.baseline(client(request), challenge, store.daily.write_baseline)
    return Redirect(f"/challenge/{day}/result", status_code=303)


@post("/challenge/{day:str}/baseline/cancel", sync_to_thread=True)
def cancel_baseline(request: AppRequest, store: Store, client_jobs: ClientJobs, day: str) -> Redirect:
    """Cancel the bot runs that this client has started."""
    job = client_jobs.baseline_job(played_challenge(store, day).slot.key)
    if job is not None:
        cancel(job, client(request))
    return Redirect(f"/challenge/{day}/result", status_code=303)


router = Router(
    "/",
    route_handlers=[
        *(challenge_page, past_page, start, start_past, archive_page, result_page),
        *(compute_baseline, cancel_baseline),
    ],
    include_in_schema=False,
)
