"""`readyroom tool`: a game's tools."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from readyroom.cli.arguments import AsJson, GameName, find_game, parse_pairs
from readyroom.cli.paper import print_json, show
from readyroom.engine.errors import UnknownTool


def tool(
    game: GameName,
    name: Annotated[str | None, typer.Argument(metavar="TOOL", help="One of the game's tools.")] = None,
    values: Annotated[list[str] | None, typer.Argument(metavar="NAME=VALUE", help="The tool's inputs.")] = None,
    as_json: AsJson = False,
) -> None:
    """Use a tool of a game, such as a cipher; without TOOL, list them."""
    playing = find_game(game)
    tools = playing.presentation.tools(playing.data)
    if name is None:
        for key, each in tools.items():
            show(Text(f"{key}: {each.title} [{each.rule}]", "bold"), Text(f"  {each.about}"))
            show(*(Text(f"  {blank}={one.value}: {one.label}") for blank, one in each.form_fields.items()))
        if not tools:
            show(Text(f"{playing.title} has no tools."))
        return
    if name not in tools:
        raise UnknownTool(name, tools, where=game)
    result = tools[name].run(parse_pairs(values or [], "An input", "key=3"), where=name)
    if as_json:
        print_json({"rows": [{"what": what, "text": text, "stands_out": out} for what, text, out in result.rows]})
        return
    show(*(Text(f"{what}: {text}", "bold" if out else "") for what, text, out in result.rows), Text(result.note))
