"""Campaigns."""

from __future__ import annotations

from litestar import Response, get, post

from readyroom.campaign.page import ChangeLine, describe_war
from readyroom.store import SeatAssignment, Store
from readyroom.store.campaigns import CampaignSummary
from readyroom.store.errors import InvalidSeating, NotYourSeat, UnknownLink
from readyroom.web.api.auth import WrongSecret, bearer, create_program
from readyroom.web.api.request_models import CampaignChoices, NewCampaign
from readyroom.web.api.response_models import (
    CampaignChange,
    CampaignModel,
    CampaignSeats,
    CampaignSide,
    ChapterModel,
    CreatedCampaignModel,
    ListedCampaign,
)
from readyroom.web.api.schema import OF_ANYBODY, refusals, seat_post
from readyroom.web.pages.campaigns.pages import BODY, BOT, CampaignSource
from readyroom.web.pages.campaigns.war_room import time_line
from readyroom.web.rendering import AppRequest, address


@get("/campaigns", sync_to_thread=True, summary="List public campaigns", responses=refusals())
def list_campaigns(store: Store) -> list[ListedCampaign]:
    """List the public campaigns, unfinished ones first."""
    return [ListedCampaign(one.id, one.title, one.started, one.over) for one in store.campaigns.public()]


@post(
    "/campaigns",
    sync_to_thread=True,
    request_max_body_size=BODY,
    summary="Create a campaign",
    responses=refusals(403, 404, 422),
)
def open_campaign(request: AppRequest, store: Store, client_tag: str, data: NewCampaign) -> CreatedCampaignModel:
    """Create a campaign for a new player. The secrets of its sides are returned only here."""
    war = CampaignSource(data.campaign, data.text, data.files).war(data.variants)
    wanted = {side: _who(data.sides.get(side, "me")) for side in war.campaign.sides}
    player = create_program(request, store, data.name)
    opened = store.campaigns.create(
        player,
        war,
        wanted,
        pace=data.pace,
        listed=data.listed,
        words=data.words,
        client=client_tag,
    )
    return CreatedCampaignModel(opened.id, f"{address(request)}/campaigns/{opened.id}", opened.links)


def _who(text: str) -> SeatAssignment:
    if text.startswith(BOT):
        return SeatAssignment("bot", text.removeprefix(BOT))
    if text in ("me", "friend"):
        return SeatAssignment("me" if text == "me" else "friend", joins=text == "me")
    raise InvalidSeating(f"A side is me, friend or bot:NAME, not {text!r}.")


@get(
    "/campaigns/{id:str}",
    sync_to_thread=True,
    security=OF_ANYBODY,
    summary="Get a campaign",
    responses=refusals(401, 403, 404),
)
def one_campaign(request: AppRequest, store: Store, id: str) -> CampaignModel:
    """Get the war so far; the secret of a side, as a bearer token, adds the side's own sealed order."""
    return _model(request, store, id)


def _model(request: AppRequest, store: Store, id: str) -> CampaignModel:
    summary, side = _side_of(request, store, id)
    war, member = store.campaigns.war(id), summary.member(side).player if side else ""
    page, shown = describe_war(war), summary if side else summary.seen_by()
    ordering, risking = store.campaigns.undecided(summary, war)
    steps = time_line(war, store.campaigns.matches(id))
    return CampaignModel(
        id=id,
        title=summary.title,
        pace=summary.pace,
        started=summary.started,
        over=summary.over,
        tide=war.tide,
        ending=page.ending,
        winner=(war.closed.winner or "") if war.closed else "",
        sides=[CampaignSide(one.side, war.campaign.sides[one.side], one.name, one.bot) for one in shown.members],
        chapters=[
            ChapterModel(
                step.chapter.key,
                step.title,
                step.chapter.date,
                step.chapter.game,
                step.state,
                step.winner,
                step.tide,
                step.match.id if step.match else "",
            )
            for step in steps
        ],
        ledger=war.ledger,
        changed=[_change(line) for line in page.changed],
        next_battle=[_change(line) for line in page.next_battle],
        current=summary.current,
        order_by=ordering,
        risk_by=risking,
        orders=[one.key for one in war.next_chapter.order] if ordering and war.next_chapter else [],
        own_order=store.campaigns.order(id, member) if member else "",
        offer=summary.offer,
        offered_by=summary.by,
    )


def _change(line: ChangeLine) -> CampaignChange:
    return CampaignChange(line.title, line.before, line.after, line.why, line.source)


def _side_of(request: AppRequest, store: Store, id: str) -> tuple[CampaignSummary, str]:
    """Return the campaign and the side of the bearer token; empty without one."""
    summary = store.campaigns.summary(id)
    if not (secret := bearer(request)):
        return summary, ""
    try:
        found, side = store.campaigns.by_token(secret)
    except UnknownLink as error:
        raise WrongSecret(detail=str(error), headers={"WWW-Authenticate": "Bearer"}) from error
    if found.id != id:
        raise NotYourSeat("This secret belongs to a side of another campaign.")
    return summary, side


def _player_on(request: AppRequest, store: Store, id: str) -> tuple[CampaignSummary, str, str]:
    """Return the campaign, the side of the bearer token and its player, who is created if the side waits for one."""
    summary, side = _side_of(request, store, id)
    if not side:
        raise WrongSecret(
            detail="Only a side can do this. Send its secret as a bearer token.",
            headers={"WWW-Authenticate": "Bearer"},
        )
    player = summary.member(side).player
    if not player:
        player = create_program(request, store).id
        summary = store.campaigns.join(bearer(request), player)
    return summary, side, player


@seat_post("/campaigns/{id:str}/seats", summary="Get the seats of the chapter", responses=refusals(401, 403, 404, 409))
def my_seats(request: AppRequest, store: Store, id: str) -> CampaignSeats:
    """Join the campaign with the side of the secret, and get new secrets of its seats in the match in progress."""
    summary, _, player = _player_on(request, store, id)
    match = store.campaigns.summary(id).current
    own = store.listings.summary(match).seats_of(player) if match else []
    return CampaignSeats(summary.id, match, {seat: store.seats.new_link(match, seat, player) for seat in own})


@seat_post("/campaigns/{id:str}/choices", summary="Make choices of a side", responses=refusals(401, 403, 404, 409, 422))
def choose(request: AppRequest, store: Store, id: str, data: CampaignChoices) -> CampaignModel:
    """Seal an order, call calculated risk or not, make an offer, or answer one."""
    _, side, player = _player_on(request, store, id)
    if data.order is not None:
        store.campaigns.give_order(id, data.order, player)
    if data.risk is not None:
        store.campaigns.answer_risk(id, player, call=data.risk)
    if data.offer is not None:
        store.campaigns.offer(id, data.offer, side, player)
    if data.accept is not None:
        store.campaigns.answer_offer(id, player, accept=data.accept)
    return _model(request, store, id)


@get(
    "/campaigns/{id:str}/record",
    sync_to_thread=True,
    media_type="application/jsonl",
    summary="Get the record of a campaign",
    responses=refusals(404),
)
def campaign_record(store: Store, id: str) -> Response[str]:
    """Get the record with all finished matches, up to the last chapter that is over."""
    return Response(store.campaigns.text(id), media_type="application/jsonl")
