"""Campaigns: the list, a new one, invitations, the war room and its forms, the chronicle, and the record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated, NamedTuple

import msgspec
from litestar import Response, Router, get, post
from litestar.datastructures import FormMultiDict, UploadFile
from litestar.params import Parameter
from litestar.response import Redirect, Stream

from readyroom.bots import BEST, NOVICE, RANDOM, VETERAN, is_offered
from readyroom.campaign.library import campaign_names, shipped_campaign
from readyroom.campaign.reading import MOST
from readyroom.campaign.schema import Campaign
from readyroom.campaign.war import War, shipped_war, start_war
from readyroom.engine.data import LONGEST, check_own, parse, ready
from readyroom.engine.errors import InvalidData, ReadyRoomError
from readyroom.engine.game import load_game
from readyroom.store import Player, SeatAssignment, Store
from readyroom.store.campaigns import CampaignSummary
from readyroom.store.errors import NotYourSeat, UnknownLink
from readyroom.store.limits import WORDS_LENGTH
from readyroom.store.lobby.setup import random_words
from readyroom.store.names import NAME_LENGTH
from readyroom.web import catalog
from readyroom.web.jobs.replays import Replays
from readyroom.web.jobs.workers import Job
from readyroom.web.live.broadcast import EventBroadcaster
from readyroom.web.live.open_pages import OpenPages
from readyroom.web.pages.campaigns.chronicle import chronicle_context, chronicle_text
from readyroom.web.pages.campaigns.war_room import campaign_context, war_room_context
from readyroom.web.pages.match.events import changes
from readyroom.web.pages.match.lobby import TOO_LONG, kept_links, links_cookie, qr_code
from readyroom.web.pages.players.profile import get_or_create_player, random_name
from readyroom.web.rendering import AppRequest, Page, Reply, address, as_file
from readyroom.web.security import client

DOCTRINE = "doctrine"
BOTS: Mapping[str, str] = {NOVICE: "easy", DOCTRINE: "medium", VETERAN: "hard", BEST: "hard", RANDOM: "at random"}
"""The bots that may play a side in all games of a campaign, and how hard they are to beat."""
BODY = 1024 * 1024
"""The most bytes of a request with an uploaded campaign, encoded as a form or as JSON."""
BOT = "bot:"
"""The prefix of a bot's name in a side's field."""
PEOPLE: Mapping[str, str] = {"me": "Me", "friend": "Friend (invite link)"}
Name = Annotated[str, Parameter(max_length=100)]


class CampaignSource(msgspec.Struct, frozen=True):
    """Where a campaign comes from: a shipped one by its name, or a file's text and the scenario files that it names."""

    name: str = ""
    text: str = ""
    files: Annotated[dict[str, str], msgspec.Meta(max_length=MOST)] = {}

    def war(self, variants: Iterable[str] = ()) -> War:
        """Return the campaign before its first chapter; raise as `shipped_war` or `start_war`."""
        if not self.text:
            return shipped_war(self.name, variants)
        return start_war(self.text, self.files, variants, file=self.name or "campaign", check_all=False)


class CampaignItem(NamedTuple):
    """A shipped campaign in the list: its name, content, and the titles of its games."""

    name: str
    campaign: Campaign
    games: Sequence[str]


class WarItem(NamedTuple):
    """A campaign in a list: its summary, and where it stands in words."""

    summary: CampaignSummary
    sides: Sequence[tuple[str, str, str]]
    state: str
    mine: bool


# -- the list and new campaigns --------------------------------------------------------------------------------------


@get("/campaigns", sync_to_thread=True)
def campaigns_page(page: Page, store: Store, player: Player | None) -> Response[str]:
    """Show the campaigns that can be played, the player's own, and public ones."""
    return _campaigns(page, store, player)


def _campaigns(page: Page, store: Store, player: Player | None, error: str = "", *, status: int = 200) -> Response[str]:
    me = player.id if player is not None else ""
    return page(
        "campaigns.html",
        status=status,
        error=error,
        shipped=shipped(),
        mine=[_war_item(store, one, me) for one in (store.campaigns.of_player(me) if me else [])],
        public=[_war_item(store, one, me) for one in store.campaigns.public(me)],
    )


def shipped() -> list[CampaignItem]:
    """Return the shipped campaigns whose games are installed, the shortest first."""
    items = []
    for name in campaign_names():
        campaign = shipped_campaign(name)
        games = dict.fromkeys(chapter.game for chapter in campaign.chapter)
        if all(game in catalog.games() for game in games):
            items.append(CampaignItem(name, campaign, [catalog.find(game).title for game in games]))
    return sorted(items, key=lambda item: len(item.campaign.chapter))


def _war_item(store: Store, summary: CampaignSummary, me: str) -> WarItem:
    try:
        war = store.campaigns.war(summary.id)
        context = campaign_context(war, summary, store.players.get(me) if me else None)
        sides = [(one.name, one.colour, one.who) for one in context["seated"]]
        number, chapters = len(war.played), war.campaign.chapter
        state = war.closed.ending if war.closed else f"chapter {min(number + 1, len(chapters))} of {len(chapters)}"
    except ReadyRoomError:  # a game is not installed, or the record is damaged
        return WarItem(summary, [], "cannot be read", bool(summary.sides_of(me)))
    state = state if summary.started else "waiting for players"
    return WarItem(summary, sides, state, summary.has_player(me))


@get("/campaigns/new", sync_to_thread=True)
def new_campaign(page: Page, campaign: Name = "") -> Response[str]:
    """Show the form of a new campaign."""
    return _form(page, CampaignSource(campaign or campaign_names()[0]), {})


@post("/campaigns/own", sync_to_thread=True, request_max_body_size=BODY)
def own_campaign(page: Page, store: Store, player: Player | None, form: FormMultiDict) -> Response[str]:
    """Show the form of a new campaign from uploaded files; show the list again with the error if they are invalid."""
    try:
        return _form(page, _uploaded(form), {})
    except ReadyRoomError as error:
        return _campaigns(page, store, player, str(error), status=422)


def _decode(own: str) -> CampaignSource:
    """Return the campaign that the form has kept from the upload."""
    try:
        return msgspec.json.decode(own, type=ready(CampaignSource))
    except (msgspec.DecodeError, UnicodeError) as error:
        raise InvalidData("the form", "own", "the campaign that was uploaded", "something else") from error


def _uploaded(form: FormMultiDict) -> CampaignSource:
    """Return the campaign in an uploaded form: the file with chapters, and the others next to it."""
    texts = dict[str, str]()
    for upload in form.getall("files", []):
        if isinstance(upload, UploadFile) and upload.filename:
            content = upload.file.read(LONGEST + 1)
            check_own(content, upload.filename)
            try:
                texts[upload.filename] = content.decode().removeprefix("\ufeff")
            except UnicodeDecodeError as error:
                raise InvalidData(upload.filename, "", "a TOML text in UTF-8", "other bytes") from error
    main = next((name for name, text in texts.items() if "chapter" in parse(text.encode(), name)), None)
    if main is None:
        raise InvalidData(next(iter(texts), "the form"), "", "a campaign's file with chapters", "none")
    return CampaignSource(main, texts.pop(main), texts)


@post("/campaigns/new", sync_to_thread=True, request_max_body_size=BODY)
def create_campaign(
    request: AppRequest, page: Page, store: Store, player: Player | None, form: FormMultiDict, client_tag: str
) -> Reply:
    """Create a campaign; show the form again with the error if that is not possible."""
    fields = {key: str(value) for key, value in form.multi_items()}
    variants = [str(value) for value in form.getall("variant", [])]
    source = CampaignSource(fields.get("campaign", ""))
    if own := fields.get("own"):
        source = _decode(own)
    sides = {side: _assignment(fields.get(f"side-{side}", "")) for side in source.war().campaign.sides}
    if solo := fields.get("solo"):  # one click: this side against a bot
        sides = {side: SeatAssignment("me") if side == solo else SeatAssignment("bot", DOCTRINE) for side in sides}
    try:
        war = source.war(variants)
        arrival = get_or_create_player(request, store, player)
        opened = store.campaigns.create(
            arrival.player,
            war,
            sides,
            pace="days" if fields.get("pace") == "days" else "live",
            listed="listed" in fields,
            words=fields.get("words", "").strip()[:WORDS_LENGTH],
            client=client_tag,
        )
    except ReadyRoomError as error:
        return _form(page, source, fields, variants, str(error), status=422)
    response = Redirect(f"/campaigns/{opened.id}", status_code=303)
    if opened.links:
        response.set_cookie(links_cookie(request, f"/campaigns/{opened.id}", opened.links))
    return arrival.seated(response)


def _assignment(text: str) -> SeatAssignment:
    if text.startswith(BOT):
        return SeatAssignment("bot", text.removeprefix(BOT))
    return SeatAssignment("me" if text == "me" else "friend" if text == "friend" else "anyone")


def bots_for(campaign: Campaign) -> dict[str, str]:
    """Return the bots that play at least one game of a campaign, and how hard they are to beat."""
    games = [load_game(chapter.game) for chapter in campaign.chapter]
    return {name: level for name, level in BOTS.items() if any(is_offered(game, name) for game in games)}


def _form(
    page: Page,
    source: CampaignSource,
    fields: Mapping[str, str],
    variants: Sequence[str] = (),
    error: str = "",
    *,
    status: int = 200,
) -> Response[str]:
    campaign = source.war().campaign
    return page(
        "campaign-new.html",
        status=status,
        name=source.name,
        own=msgspec.json.encode(source).decode() if source.text else "",
        campaign=campaign,
        others=[one for one in shipped() if one.name != source.name],
        fields=fields,
        chosen=list(variants),
        error=error,
        people=PEOPLE,
        bots=bots_for(campaign),
        letters=WORDS_LENGTH,
        words=fields.get("words") or random_words(),
    )


# -- invitations -----------------------------------------------------------------------------------------------------


def _kept_links(request: AppRequest, store: Store, id: str) -> dict[str, str]:
    return kept_links(request, partial(_leads_to, store, id))


def _leads_to(store: Store, id: str, side: str, secret: str) -> bool:
    try:
        summary, found = store.campaigns.by_link(secret)
    except UnknownLink:
        return False
    return (summary.id, found) == (id, side) and summary.member(side).is_vacant


@post("/campaigns/{id:str}/link", sync_to_thread=True)
def new_link(request: AppRequest, store: Store, player: Player | None, form: FormMultiDict, id: str) -> Redirect:
    """Create a new invite link to a side; the old one stops working."""
    side = str(form.get("side", ""))
    secret = store.campaigns.new_link(id, side, _signed_in(player).id)
    response = Redirect(f"/campaigns/{id}", status_code=303)
    response.set_cookie(links_cookie(request, f"/campaigns/{id}", {**_kept_links(request, store, id), side: secret}))
    return response


@get("/campaigns/join/{secret:str}", sync_to_thread=True)
def invitation(page: Page, store: Store, secret: str) -> Reply:
    """Show an invitation to a campaign; nothing changes before the button is pressed."""
    return _invitation(page, store, secret)


def _invitation(page: Page, store: Store, secret: str, *, name: str = "", wrong: str = "", status: int = 200) -> Reply:
    summary, side = store.campaigns.by_link(secret)
    if page.player is not None and side in summary.sides_of(page.player.id):
        return Redirect(f"/campaigns/{summary.id}", status_code=303)
    context = campaign_context(store.campaigns.war(summary.id), summary, page.player)
    return page(
        "campaign-join.html",
        status=status,
        secret=True,
        **context,
        side=side,
        action=f"/campaigns/join/{secret}",
        is_taken=not summary.member(side).is_vacant,
        name=name or random_name(),
        name_letters=NAME_LENGTH,
        wrong=wrong,
        letters=WORDS_LENGTH,
        words=random_words(),
    )


@post("/campaigns/join/{secret:str}", sync_to_thread=True)
def join(
    request: AppRequest, page: Page, store: Store, player: Player | None, form: FormMultiDict, secret: str
) -> Reply:
    """Play a side by an invite link."""
    name = " ".join(str(form.get("name", "")).split())
    if len(name) > NAME_LENGTH:
        return _invitation(page, store, secret, name=name, wrong=TOO_LONG, status=422)
    store.campaigns.by_link(secret)  # before a player is created
    arrival = get_or_create_player(request, store, player, name)
    words = str(form.get("words", "")).strip()[:WORDS_LENGTH]
    summary = store.campaigns.join(secret, arrival.player.id, words)
    return arrival.seated(Redirect(f"/campaigns/{summary.id}", status_code=303))


# -- the war room ----------------------------------------------------------------------------------------------------


@get("/campaigns/{id:str}", sync_to_thread=True)
def war_room(page: Page, store: Store, replays: Replays, id: str) -> Response[str]:
    """Show the war room."""
    summary = store.campaigns.summary(id)
    links = _kept_links(page.request, store, id)
    context = war_room_context(store, replays, summary, page.player, client(page.request))
    return page(
        "war-room.html",
        secret=True,
        **context,
        links={side: f"{address(page.request)}/campaigns/join/{secret}" for side, secret in links.items()},
        qr_code=qr_code,
        bots=bots_for(store.campaigns.war(id).campaign),
    )


@get("/campaigns/{id:str}/events", sync_to_thread=True, media_type="text/event-stream")
def events(
    store: Store, player: Player | None, broadcaster: EventBroadcaster, open_pages: OpenPages, id: str
) -> Stream:
    """Stream the changes of a campaign, for its open pages."""
    store.campaigns.summary(id)
    return changes(broadcaster, open_pages, player, id)


@post("/campaigns/{id:str}/order", sync_to_thread=True)
def give_order(store: Store, player: Player | None, form: FormMultiDict, id: str) -> Redirect:
    """Seal an order before the next chapter."""
    store.campaigns.give_order(id, str(form.get("order", "")), _signed_in(player).id)
    return _back(id)


@post("/campaigns/{id:str}/risk", sync_to_thread=True)
def answer_risk(store: Store, player: Player | None, form: FormMultiDict, id: str) -> Redirect:
    """Call calculated risk before the next chapter, or do not."""
    store.campaigns.answer_risk(id, _signed_in(player).id, call=form.get("call") == "yes")
    return _back(id)


@post("/campaigns/{id:str}/offer", sync_to_thread=True)
def offer(store: Store, player: Player | None, form: FormMultiDict, id: str) -> Redirect:
    """Offer something to the other side."""
    store.campaigns.offer(id, str(form.get("kind", "")), str(form.get("side", "")), _signed_in(player).id)
    return _back(id)


@post("/campaigns/{id:str}/offer/answer", sync_to_thread=True)
def answer_offer(store: Store, player: Player | None, form: FormMultiDict, id: str) -> Redirect:
    """Accept, decline or withdraw an offer."""
    store.campaigns.answer_offer(id, _signed_in(player).id, accept=form.get("accept") == "yes")
    return _back(id)


@post("/campaigns/{id:str}/leave", sync_to_thread=True)
def leave(store: Store, player: Player | None, form: FormMultiDict, id: str) -> Redirect:
    """Leave the war with a side, which loses by one ending more."""
    store.campaigns.leave(id, str(form.get("side", "")), _signed_in(player).id)
    return _back(id)


@post("/campaigns/{id:str}/assign-bot", sync_to_thread=True)
def assign_bot(store: Store, player: Player | None, form: FormMultiDict, id: str) -> Redirect:
    """Let a bot play a side in the chapters to come."""
    store.campaigns.assign_bot(id, str(form.get("side", "")), str(form.get("bot", "")), _signed_in(player).id)
    return _back(id)


@post("/campaigns/{id:str}/continue", sync_to_thread=True)
def resume(store: Store, player: Player | None, id: str) -> Redirect:
    """Do what is due, where a match was deleted or a server was stopped."""
    if not store.campaigns.summary(id).has_player(_signed_in(player).id):
        raise NotYourSeat("Only the players of a campaign can do this.")
    store.campaigns.advance(id)
    return _back(id)


def _back(id: str) -> Redirect:
    return Redirect(f"/campaigns/{id}", status_code=303)


def _signed_in(player: Player | None) -> Player:
    if player is None:
        raise NotYourSeat("Only the players of a campaign can do this.")
    return player


# -- what can be taken away ------------------------------------------------------------------------------------------


@get("/campaigns/{id:str}/chronicle", sync_to_thread=True)
def chronicle(page: Page, store: Store, replays: Replays, id: str) -> Response[str]:
    """Show the story of the war so far: a front page for each chapter, and how it went in history."""
    context = chronicle_context(store, replays, store.campaigns.summary(id), page.player, client(page.request))
    return page("chronicle.html", secret=True, **context)


@get("/campaigns/{id:str}/chronicle.md", sync_to_thread=True)
def chronicle_file(page: Page, store: Store, replays: Replays, id: str) -> Response[str]:
    """Return the chronicle as Markdown."""
    context = chronicle_context(store, replays, store.campaigns.summary(id), page.player, client(page.request))
    return as_file(chronicle_text(context), f"campaign-{id}.md", "text/markdown; charset=utf-8")


@get("/campaigns/{id:str}/record.jsonl", sync_to_thread=True)
def record(store: Store, id: str) -> Response[str]:
    """Return the record of a campaign with its finished matches; the chapter in progress is not in it."""
    return as_file(store.campaigns.text(id), f"campaign-{id}.jsonl", "application/jsonl; charset=utf-8")


@get("/campaigns/{id:str}/verify", sync_to_thread=True)
def verify(page: Page, store: Store, replays: Replays, id: str) -> Response[str]:
    """Verify the record of a campaign, and show the result, or the progress."""
    summary = store.campaigns.summary(id)
    text = store.campaigns.text(id)
    found = replays.war_verification(id, summary.revision, text, client(page.request))
    context = campaign_context(store.campaigns.war(id), summary, page.player)
    is_running = isinstance(found, Job)
    return page(
        "campaign-verify.html",
        secret=True,
        **context,
        job_now=found if is_running else None,
        result=None if is_running else found,
        here=f"/campaigns/{id}/verify",
    )


router = Router(
    "/",
    route_handlers=[
        *(campaigns_page, new_campaign, own_campaign, create_campaign, new_link, invitation, join, war_room, events),
        *(give_order, answer_risk, offer, answer_offer, leave, assign_bot, resume),
        *(chronicle, chronicle_file, record, verify),
    ],
    include_in_schema=False,
)
