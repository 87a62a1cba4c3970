"""The JSON API: the same actions as the pages, with the secret of a seat's link as the bearer token.

Without a secret one sees what spectators see. The schema is at /api/schema/openapi.json.
"""

from __future__ import annotations

from litestar import Router
from litestar.openapi import OpenAPIConfig

from readyroom.web.api import games, matches, playing, schema, seats, talk


def openapi() -> OpenAPIConfig:
    """Return the configuration of the schema."""
    return schema.openapi(__doc__ or "")


router = Router(
    "/api/v1",
    route_handlers=[
        *(games.list_games, games.one_game, matches.list_matches, matches.open_match),
        *(seats.my_seat, matches.look, seats.sit, seats.take, seats.begin, seats.new_link, seats.hand_over),
        *(
            playing.decide,
            playing.plan,
            playing.undo,
            playing.asked_back,
            playing.ask_back,
            playing.allow_back,
            playing.advice,
            playing.ask_officer,
        ),
        *(talk.heard, talk.say, matches.record, matches.events),
    ],
    tags=["v1"],
)
"""All handlers in the order of the schema."""
