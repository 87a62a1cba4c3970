"""Tools: helpers that a game brings. Input is not sent anywhere else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from litestar import Response, Router, get, post
from litestar.datastructures import FormMultiDict

from readyroom.engine.errors import ReadyRoomError, UnknownTool
from readyroom.engine.forms import Tool, ToolResult
from readyroom.web.pages import Page
from readyroom.web.reading import reader

LONGEST = 2000
"""More letters than these are never worked on."""


class Worked(NamedTuple):
    """A tool, what was filled in, and what came of it or why nothing could."""

    name: str
    tool: Tool
    values: Mapping[str, str]
    answer: ToolResult | None = None
    wrong: str = ""


def _laid(tools: Mapping[str, Tool]) -> list[Worked]:
    return [Worked(name, tool, tool.values) for name, tool in tools.items()]


@get("/games/{name:str}/tools", sync_to_thread=True)
def desk(page: Page, name: str) -> Response[str]:
    """The tools of a game, as they lie there."""
    book = reader(name)
    tools = book.game.tools(book.game.data)
    if not tools:
        raise UnknownTool("desk", tools, where=name)
    return page("tools.html", book=book, game=book.game, tab="desk", tools=_laid(tools))


@post("/games/{name:str}/tools", sync_to_thread=True, status_code=200)
def work(page: Page, form: FormMultiDict, name: str) -> Response[str]:
    """Work with one of them. It is a form that is sent and no address, so that no log keeps what was typed."""
    book = reader(name)
    tools, wanted = book.game.tools(book.game.data), str(form.get("tool", ""))
    if wanted not in tools:
        raise UnknownTool(wanted, tools, where=name)
    done = _worked(wanted, tools[wanted], form)
    layout = [done if one.name == wanted else one for one in _laid(tools)]
    status = 422 if done.wrong else 200
    return page("tools.html", status=status, secret=True, book=book, game=book.game, tab="desk", tools=layout)


def _worked(name: str, tool: Tool, form: FormMultiDict) -> Worked:
    values = {key: str(form.get(key, default))[:LONGEST] for key, default in tool.values.items()}
    try:
        return Worked(name, tool, values, tool.run(values, where=name))
    except ReadyRoomError as refusal:
        return Worked(name, tool, values, wrong=str(refusal))


router = Router("/", route_handlers=[desk, work], include_in_schema=False)
