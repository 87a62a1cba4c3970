"""Errors as a page, a part of a page, or JSON: each with its status and what to do next."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from typing import Any

from litestar import Response
from litestar.exceptions import HTTPException, InternalServerException, NotFoundException, PermissionDeniedException

from readyroom.engine import errors as engine
from readyroom.engine.text import count_noun
from readyroom.store import errors as store
from readyroom.study.daily.keys import DaySealed, NoSuchDay
from readyroom.study.puzzles.puzzle import NoSuchPuzzle
from readyroom.study.recorded import NoSuchRecord
from readyroom.study.review.what_if import NoSuchDecision
from readyroom.web.jobs import client_jobs, workers
from readyroom.web.pages.match import replay
from readyroom.web.pages.redirects import redirect_former_address, redirect_former_game
from readyroom.web.rendering import PLAYER, AppRequest, Page, wants_part
from readyroom.web.security import TooMany

LOGGER = logging.getLogger("readyroom.web")

DISCONNECTED = "client disconnected prematurely"
"""What Litestar says of a request whose body broke off, which is no fault of ours."""
ELSEWHERE, BUSY, FAULT, AWAY, FULL = 409, 429, 500, 503, 507
RETRY_AFTER = "10"
"""Seconds after which to try again what is busy, unless the limit knows better."""

WAIT = (workers.Busy, store.TooManyBotMatches)
"""Errors that say after how many seconds to try again."""
STATUSES: Mapping[int, tuple[type[Exception], ...]] = {
    401: (store.UnknownPlayer,),
    403: (
        *(store.NotYourSeat, store.SeatBanned, store.NotTheHost, store.PasskeyRejected, client_jobs.NotYourJob),
        store.DaySecret,
    ),
    404: (
        *(engine.Unknown, NoSuchDecision, client_jobs.NoSuchStudy, client_jobs.NoSuchImport),
        *(
            store.UnknownMatchId,
            store.UnknownCampaignId,
            store.UnknownTournament,
            store.UnknownLink,
            store.UnknownNotebook,
            store.UnknownOwnScenario,
            NoSuchDay,
            DaySealed,
            NoSuchPuzzle,
            NoSuchRecord,
        ),
    ),
    422: (
        *(engine.IllegalChoice, engine.InvalidData, engine.InvalidQuery, engine.InvalidPlan, engine.InvalidRecord),
        *(store.InvalidText, store.InvalidSeating, store.ImportRejected, client_jobs.TooLarge, RecursionError),
    ),
    BUSY: WAIT,
    FAULT: (engine.RuleError,),
    FULL: (store.StorageFull,),
    AWAY: (store.WriteFailed, engine.SaveError, store.MatchDamaged),
}
"""The status of each error; all others are conflicts (409)."""

TITLES: Mapping[int, tuple[str, str]] = {
    400: ("Bad request", "Go back, reload the page and try again."),
    401: ("Sign in required", "Join a seat, or open your recovery link."),
    403: (
        "Not allowed",
        "If you joined on another device, create a recovery link on your profile there and open it here.",
    ),
    404: ("Page not found", "The address may be wrong, or the match was deleted."),
    405: ("Not supported", "Go back and use the buttons on the page."),
    409: ("Not possible now", "Go back to the match to see its current state."),
    413: ("File too large", "Go back and choose a smaller file."),
    415: ("Unsupported format", "Send a form or JSON."),
    422: ("Not possible", "Go back and choose something else."),
    429: ("Too many requests", "Wait a moment and try again."),
    500: (
        "Server error",
        "Nothing that was confirmed is lost. Reload the page; if the error persists, report its reference to the "
        "server admin.",
    ),
    503: ("Temporarily unavailable", "The server is under maintenance. Reload the page in a minute."),
    507: ("Server full", "Go back and try again later."),
}

TITLES_OF: Mapping[type[Exception], tuple[str, str]] = {
    store.MatchDamaged: ("Match damaged", "The server admin can check it and restore it from a backup."),
    store.UnknownMatchId: ("Match not found", ""),
    store.UnknownLink: ("Link not valid", ""),
    store.UnknownCampaignId: ("Campaign not found", ""),
    store.UnknownTournament: ("Tournament not found", ""),
    store.TournamentRefused: ("Not possible now", "Go back to the tournament to see its current state."),
    store.TooManyTournaments: ("Too many tournaments", ""),
    store.UnknownNotebook: ("Notebook not found", ""),
    store.UnknownOwnScenario: ("Scenario not found", ""),
    store.TooManyScenarios: ("Too many scenarios", "Delete one on the page of scenarios."),
    store.TooManyNotebooks: ("Too many notebooks", "Delete one on the page of studies."),
    store.LinkAlreadyUsed: ("Link not valid", ""),
    store.DaySecret: ("Sealed", ""),
    store.SeatBanned: ("Seat banned", "Only the server admin can lift the ban; you can still watch."),
    store.PasskeyRejected: (
        "Passkey not accepted",
        "A recovery link from your profile on another device also signs you in.",
    ),
    store.TooManyBotMatches: ("Too many matches", ""),
    client_jobs.NotYourJob: ("Not allowed", ""),
    workers.Busy: ("Please wait", ""),
    workers.JobFailed: ("Not finished", ""),
    PermissionDeniedException: ("Not allowed", "Reload the page and try again. This site needs cookies."),
}
"""Titles and advice of statuses that need an explanation."""


def status_of(error: Exception) -> int:
    """Return the HTTP status of an error."""
    if isinstance(error, InternalServerException) and error.detail == DISCONNECTED:
        return 400
    if isinstance(error, HTTPException):
        return error.status_code
    default = ELSEWHERE if isinstance(error, engine.ReadyRoomError) else FAULT
    return next((status for status, kinds in STATUSES.items() if isinstance(error, kinds)), default)


def error_response(request: AppRequest, error: Exception) -> Response[Any]:
    """Return the response to a request that was rejected or failed."""
    if isinstance(error, engine.UnknownGame) and (moved := redirect_former_game(request)) is not None:
        return moved
    if isinstance(error, NotFoundException) and (moved := redirect_former_address(request)) is not None:
        return moved
    status = status_of(error)
    number = secrets.token_hex(4) if status in (FAULT, AWAY) and not isinstance(error, store.MatchDamaged) else ""
    if status == FULL:
        LOGGER.error("%s", error)
    if number:
        LOGGER.error("error %s", number, exc_info=error)
    sentence = _sentence(error, status)
    headers = _headers(error, status)
    if request.url.path.startswith("/api/"):
        return Response(_facts(error, sentence, number), status_code=status, headers=headers)
    title, advice = TITLES_OF.get(type(error)) or TITLES.get(status, TITLES[400 if status < 500 else 500])
    if status in (404, 429) and sentence:
        advice = ""
    elif status == BUSY and headers["Retry-After"].isdecimal():
        advice = f"Wait {count_noun(int(headers['Retry-After']), 'second')}, then try again."
    page = Page(request, request.scope["state"].get(PLAYER))
    texts = {"title": title, "advice": advice, "sentence": sentence, "number": number, "whole": "", "back": ""}
    if isinstance(error, store.TournamentRefused) and request.url.path.startswith("/tournaments/"):
        texts["back"] = request.url.path.rpartition("/")[0]
    if isinstance(error, store.MatchDamaged):
        texts["whole"] = replay.link_to_whole_part(request.app.state.site.store, error.id, page.player)
    response = page("_refused.html" if wants_part(request) else "error.html", status=status, secret=True, **texts)
    response.headers.update(headers)
    return response


def _headers(error: Exception, status: int) -> dict[str, str]:
    if isinstance(error, WAIT):
        return {"Retry-After": str(error.retry_after)}
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    return {"Retry-After": RETRY_AFTER, **headers} if status == BUSY else headers


def _sentence(error: Exception, status: int) -> str:
    """Return the error message; that of an internal error stays in the log, as it may hold private data."""
    if status == FAULT:
        return "Something went wrong. The error was logged."
    if status == AWAY and not isinstance(error, store.MatchDamaged):
        return "Your request was not saved, and nothing has changed."
    if isinstance(error, RecursionError):
        return "Your request is nested too deeply."
    if isinstance(error, TooMany):
        return error.detail
    return "" if isinstance(error, HTTPException) else str(error)


NAMES_OF_V1 = {
    "ImportRejected": "CannotTakeIn",
    "InvalidArchive": "BadArchive",
    "InvalidData": "DataMisfit",
    "InvalidDice": "DiceMisfit",
    "InvalidPlan": "PlanMisfit",
    "InvalidQuery": "BadQuestion",
    "InvalidRecord": "BadRecord",
    "InvalidSeating": "BadSeating",
    "InvalidText": "BadWords",
    "LinkAlreadyUsed": "LinkSpent",
    "NoTakebackRequest": "NothingAsked",
    "NotStarted": "NotBegun",
    "PlanNotApplicable": "NoPlan",
    "RuleError": "RuleFailed",
    "SaveError": "CannotSave",
    "StaleRevision": "MovedOn",
    "UnreadableMatch": "CannotGoOn",
    "WriteFailed": "CannotKeep",
}
"""The names of these errors in version 1 of the API."""


def _facts(error: Exception, sentence: str, number: str) -> dict[str, Any]:
    """Return an error as API data."""
    name = type(error).__name__
    facts: dict[str, Any] = {"error": NAMES_OF_V1.get(name, name), "sentence": sentence}
    if number:
        facts |= {"error": "Fault", "number": number}
    if isinstance(error, engine.IllegalChoice):
        facts |= {"rule": error.rule, "reason": error.reason, "legal": error.legal}
    elif isinstance(error, WAIT):
        facts["retry_after"] = error.retry_after
    elif isinstance(error, HTTPException) and not number:
        facts |= {"sentence": error.detail} | ({"extra": error.extra} if error.extra else {})
    return facts
