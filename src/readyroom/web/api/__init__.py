"""The JSON API: the same actions as the pages, with the secret of a seat's link as the bearer token.

Without a secret one sees what spectators see. The schema is at /api/schema/openapi.json.
"""

from __future__ import annotations

from litestar import Router
from litestar.openapi import OpenAPIConfig

from readyroom.web.api import (
    campaigns,
    challenge,
    games,
    matches,
    people,
    playing,
    puzzles,
    scenarios,
    schema,
    seats,
    talk,
    tournaments,
)


def openapi() -> OpenAPIConfig:
    """Return the configuration of the schema."""
    return schema.openapi(__doc__ or "")


router = Router(
    "/api/v1",
    route_handlers=[
        *(games.list_games, games.one_game, matches.list_matches, matches.list_results, matches.open_match),
        *(scenarios.list_scenarios, scenarios.shared_scenario, scenarios.check_scenario),
        *(people.list_ladders, people.one_ladder, people.player, people.scenarios_of_the_week),
        *(challenge.todays_challenge, challenge.challenge_of_a_day, challenge.start_attempt),
        *(challenge.start_past_attempt, puzzles.list_puzzles, puzzles.one_puzzle, puzzles.answer_puzzle),
        *(campaigns.list_campaigns, campaigns.open_campaign, campaigns.one_campaign),
        *(campaigns.my_seats, campaigns.choose, campaigns.campaign_record),
        *(tournaments.list_tournaments, tournaments.open_tournament, tournaments.one_tournament),
        *(tournaments.join_tournament, tournaments.tournament_seats, tournaments.act_in_tournament),
        *(seats.my_seat, matches.look, seats.join_by_link, seats.take_seat, seats.begin),
        *(seats.new_link, seats.assign_bot, playing.decide, playing.plan, playing.undo),
        *(playing.takeback_request, playing.request_takeback, playing.answer_takeback),
        *(playing.advice, playing.analyze, playing.claim_win, playing.resign),
        *(playing.draw_offer, playing.offer_draw, playing.answer_draw),
        *(talk.messages, talk.post_message, matches.record, matches.match_playback, matches.events),
    ],
    tags=["v1"],
)
"""All handlers in the order of the schema."""
