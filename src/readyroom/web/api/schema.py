"""The OpenAPI schema: the errors of each operation, its authentication, and the whole document."""

from __future__ import annotations

from functools import partial
from typing import Any

from litestar import get, post
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityRequirement, SecurityScheme

from readyroom import __version__
from readyroom.web.api.request_models import BODIES
from readyroom.web.api.response_models import Error
from readyroom.web.rendering import AppRequest

OF_A_SEAT: list[SecurityRequirement] = [{"seat": []}]
OF_ANYBODY: list[SecurityRequirement] = [{}, *OF_A_SEAT]
seat_get = partial(get, sync_to_thread=True, security=OF_A_SEAT)
seat_post = partial(post, sync_to_thread=True, security=OF_A_SEAT, status_code=200)
"""The decorators of operations for which the secret of a seat is required."""

_REFUSED = {
    400: "The request is malformed.",
    401: "The bearer token is missing, or not the secret of a seat, a side or a player.",
    403: "The secret belongs to a seat of another match or tournament, or the request came from another site.",
    404: "No such match, campaign, tournament or game.",
    409: "It is not your turn, the match has changed, or it is over or not started.",
    413: "The request is too large.",
    422: "The answer is illegal, or the match cannot be created with these settings.",
    429: "Too many requests.",
}


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """Return the error responses of an operation for the schema."""
    return {
        status: ResponseSpec(Error, description=_REFUSED[status], generate_examples=False)
        for status in (*statuses, 400, 429)
    }


class ExactRenderPlugin(JsonRenderPlugin):
    """Adds what Litestar leaves out: a body with an unknown field is rejected."""

    def render(self, request: AppRequest, openapi_schema: dict[str, Any]) -> bytes:
        """Render the schema as JSON."""
        for asked in BODIES:
            openapi_schema["components"]["schemas"][asked.__name__]["additionalProperties"] = False
        return super().render(request, openapi_schema)


def openapi(description: str) -> OpenAPIConfig:
    """Return the schema configuration; without a page for it, which would load files from elsewhere."""
    return OpenAPIConfig(
        title="Ready Room",
        version=__version__,
        description=description,
        path="/api/schema",
        render_plugins=[ExactRenderPlugin()],
        components=Components(security_schemes={"seat": SecurityScheme(type="http", scheme="bearer")}),
        use_handler_docstrings=True,
    )
