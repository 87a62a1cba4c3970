"""Playing: answers, hints, analysis and takebacks."""

from __future__ import annotations

from litestar import get
from litestar.concurrency import sync_to_thread

from readyroom.bots.analysis import DecisionAnalysis
from readyroom.store import Store
from readyroom.web.api.auth import own_seat
from readyroom.web.api.request_models import Answer, DrawAnswer, PlanRequest, Since, TakebackAnswer, View
from readyroom.web.api.response_models import DrawModel, HintModel, MatchStatus, TakebackModel
from readyroom.web.api.schema import OF_A_SEAT, refusals, seat_get, seat_post
from readyroom.web.api.status import match_status
from readyroom.web.jobs.analysis import AnalysisService
from readyroom.web.pages.match import table_view, takeback
from readyroom.web.pages.match.plans import PLAN_BYTES
from readyroom.web.rendering import AppRequest


@seat_post("/matches/{id:str}/decisions", summary="Make a decision", responses=refusals(401, 403, 404, 409, 413, 422))
def decide(
    request: AppRequest, store: Store, id: str, data: Answer, since: Since = None, view: View = False
) -> MatchStatus:
    """Answer the seat's pending decision. On return the answer is saved; quick bots have answered."""
    summary, seat = own_seat(request, store, id)
    reached = store.matches.answer(id, seat, data.keys, data.revision, summary.true_revision)
    return match_status(store, summary, seat, reached, since, view)


@seat_post(
    "/matches/{id:str}/plan",
    request_max_body_size=4 * PLAN_BYTES,
    summary="Load a plan file",
    responses=refusals(401, 403, 404, 409, 413, 422),
)
def plan(request: AppRequest, store: Store, id: str, data: PlanRequest) -> MatchStatus:
    """Answer all pending planning decisions of the seat with a plan file."""
    summary, seat = own_seat(request, store, id)
    return match_status(store, summary, seat, store.matches.plan(id, seat, data.text.encode(), data.file))


@seat_post("/matches/{id:str}/undo", summary="Take back", responses=refusals(401, 403, 404, 409))
def undo(request: AppRequest, store: Store, id: str, since: Since = None, view: View = False) -> MatchStatus:
    """Undo the seat's last decision, unless dice, revealed information or an enemy decision followed it."""
    summary, seat = own_seat(request, store, id)
    return match_status(store, summary, seat, store.matches.undo(id, seat), since, view)


@seat_post("/matches/{id:str}/claim", summary="Claim the win on time", responses=refusals(401, 403, 404, 409))
def claim_win(request: AppRequest, store: Store, id: str) -> MatchStatus:
    """Claim the win while the opponent is to decide and only their time is over; the match can be played on."""
    _, seat = own_seat(request, store, id)
    store.matches.claim_win(id, seat)
    return match_status(store, store.listings.summary(id), seat)


@seat_post("/matches/{id:str}/resign", summary="Resign", responses=refusals(401, 403, 404, 409))
def resign(request: AppRequest, store: Store, id: str) -> MatchStatus:
    """Resign for the seat's side; the match can be played on, but this stays its result."""
    _, seat = own_seat(request, store, id)
    store.matches.resign(id, seat)
    return match_status(store, store.listings.summary(id), seat)


@get("/matches/{id:str}/draw", sync_to_thread=True, summary="Get the draw offer", responses=refusals(404))
def draw_offer(store: Store, id: str) -> DrawModel | None:
    """Get the open draw offer, or null."""
    offer = store.matches.draw_offer(store.listings.summary(id))
    return None if offer is None else DrawModel(offer.seat)


@seat_post("/matches/{id:str}/draw", summary="Offer a draw", responses=refusals(401, 403, 404, 409))
def offer_draw(request: AppRequest, store: Store, id: str) -> MatchStatus:
    """Offer a draw until the opponent's next decision, or accept theirs; bots decline at once."""
    _, seat = own_seat(request, store, id)
    store.matches.offer_draw(id, seat)
    return match_status(store, store.listings.summary(id), seat)


@seat_post("/matches/{id:str}/draw-answer", summary="Answer a draw offer", responses=refusals(401, 403, 404, 409))
def answer_draw(request: AppRequest, store: Store, id: str, data: DrawAnswer) -> MatchStatus:
    """Accept or decline a draw offer; the side that made it withdraws it by declining."""
    _, seat = own_seat(request, store, id)
    store.matches.answer_draw(id, seat, data.accept)
    return match_status(store, store.listings.summary(id), seat)


@get("/matches/{id:str}/ask-back", sync_to_thread=True, summary="Get the takeback request", responses=refusals(404))
def takeback_request(store: Store, id: str) -> TakebackModel | None:
    """Get the pending takeback request, or null."""
    prompt = takeback.takeback_prompt(store, store.listings.summary(id))
    if prompt is None:
        return None
    return TakebackModel(prompt.asked.seat, prompt.sentence, prompt.decisions, prompt.asked.allowed)


@seat_post("/matches/{id:str}/ask-back", summary="Request a takeback", responses=refusals(401, 403, 404, 409))
def request_takeback(request: AppRequest, store: Store, id: str) -> MatchStatus:
    """Request a takeback of the seat's last decision; bots accept at once. Refused while another side has no player."""
    _, seat = own_seat(request, store, id)
    store.matches.request_takeback(id, seat)
    summary = store.listings.summary(id)
    return match_status(store, summary, seat, summary.true_revision)


@seat_post("/matches/{id:str}/allow-back", summary="Answer a takeback request", responses=refusals(401, 403, 404, 409))
def answer_takeback(request: AppRequest, store: Store, id: str, data: TakebackAnswer) -> MatchStatus:
    """Accept or decline a takeback request; the seat that made it cancels it by declining."""
    _, seat = own_seat(request, store, id)
    store.matches.answer_takeback(id, seat, data.allow)
    summary = store.listings.summary(id)
    return match_status(store, summary, seat, summary.true_revision)


@seat_get("/matches/{id:str}/advice", summary="Get a hint", responses=refusals(401, 403, 404, 409))
def advice(request: AppRequest, store: Store, id: str) -> HintModel:
    """Get a hint: what the game's default bot would answer, seeing only what the seat sees."""
    summary, seat = own_seat(request, store, id)
    store.matches.use_help(summary)
    with store.matches.open(id, summary.true_revision) as match:
        decision = match.pending.get(seat)
        if decision is None or not match.game.analysis.bots:
            return HintModel("", [], match.revision_for(seat))
        return HintModel(*table_view.advice(match, decision), match.revision_for(seat, decision.revision))


@get(
    "/matches/{id:str}/officer",
    security=OF_A_SEAT,
    summary="Analyze a decision",
    responses=refusals(401, 403, 404, 409),
)
async def analyze(request: AppRequest, store: Store, analysis_service: AnalysisService, id: str) -> DecisionAnalysis:
    """Analyze the seat's decision by rollouts from positions that the seat cannot distinguish.

    It takes a second or two, and longer while others wait; 429 with the seconds to wait if too many do. Disconnecting
    cancels it.
    """
    summary, seat = await sync_to_thread(own_seat, request, store, id)
    return await analysis_service.analyze(request, store, summary, seat)
