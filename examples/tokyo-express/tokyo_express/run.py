"""The night: boats, cruisers, guns, torpedoes and landing."""

from __future__ import annotations

from readyroom.authoring import Chart, Fire, KeyedText, Option, OptionInfo, Outcome, Steps, Volley
from tokyo_express.state import JAPAN, USA, Data, Express, Ship, T


def table_of_fire(data: Data) -> Chart:
    """[4.1, 4.3] Return the table of fire, which boats and guns share."""
    return data.charts.chart[0]


def boats_attack(table: T) -> Steps:
    """[4.1] Let each squadron of boats attack a destroyer."""
    table.state.tonight.met = True
    table.reveal("4", "The torpedo boats meet the Express: {}.", table.state.afloat)
    for number in range(table.state.squadrons):
        squadron = KeyedText(f"Squadron {number + 1}", f"boats-{number + 1}")
        yield from _fire(table, "4.1", "boats", squadron, f"Target of squadron {number + 1}?")


def _fire(table: T, rule: str, column: str, who: KeyedText, question: str) -> Steps:
    """[4.1, 4.3] Choose a destroyer afloat and roll on the table of fire."""
    if not table.state.afloat:
        return
    chart, sky = table_of_fire(table.data), [table.state.sky]
    chance = float(chart.odds(column, sky).get("hit", 0))
    target = yield from table.choose(
        USA, rule, question, table.state.afloat, info=lambda ship: OptionInfo("set on fire", chance)
    )
    consulted = table.roll_on_chart(chart, column, who.keys[0], sky)
    table.log_line(rule, "{} fires at {}: {}.", who, target, consulted, target=target)
    if consulted.cell == "hit":
        _burn(table, target)


def _burn(table: T, ship: Ship) -> None:
    """[1.1] Remove a destroyer that is hit."""
    table.state.ready.remove(ship)
    table.state.burnt.append(ship)
    table.log_line("1.1", "{} is hit and burns.", ship, target=ship)


def meet(table: T) -> Steps:
    """[4.2] Ask Japan whether to press on or turn away."""
    state = table.state
    state.tonight.met = True
    table.reveal("4", "The cruisers meet the Express: {}.", state.afloat)
    answer = yield from table.choose(
        JAPAN,
        "4.2",
        f"{len(state.cruisers)} cruisers block the passage. Press on?",
        [Option("press", "press on"), Option("turn", "turn away")],
    )
    state.tonight.turned = answer.key == "turn"
    if state.tonight.turned:
        table.log_line("4.2", "The Express turns away.")


def guns(table: T) -> Steps:
    """[4.3] Let each cruiser fire twice."""
    for cruiser in table.state.cruisers:
        for _ in range(table.data.figures.salvos):
            who = KeyedText(cruiser.name, cruiser.key)
            yield from _fire(table, "4.3", "guns", who, f"Which destroyer does {cruiser.name} fire at?")


def torpedoes(table: T) -> Steps:
    """[4.4] Roll for the escorts' torpedoes; Japan chooses which cruisers are hit."""
    state, figures = table.state, table.data.figures
    state.tonight.fired = True
    escorts = [ship for ship in state.afloat if ship.key in state.tonight.escorts]
    if not escorts:
        table.log_line("4.4", "The Express fires no torpedoes.", is_miss=True)
        return
    volley = Volley("4.4", "torpedoes", figures.torpedoes * len(escorts), Fire(at_least=figures.torpedo_hits_at))
    salvo = table.roll(volley, "torpedoes")
    table.log_line("4.4", "Torpedoes: {}.", salvo)
    hits = min(salvo.hits, len(state.cruisers))
    struck = yield from table.choose_some(
        JAPAN, "4.4", "Which cruisers are hit?", state.cruisers, at_least=hits, at_most=hits
    )
    for cruiser in struck:
        state.cruisers.remove(cruiser)
        state.torpedoed.append(cruiser)
        table.log_line("4.4", "{} is torpedoed.", cruiser, target=cruiser)


def land(table: T) -> None:
    """[5] Land the drums of loaded destroyers afloat, and end the night."""
    state, run = table.state, table.state.run
    if run is not None:
        carriers = [] if run.turned else [ship for ship in state.afloat if ship.key in run.loaded]
        state.landed.append(table.data.figures.drums * len(carriers))
        table.reveal("5", "{} drums are landed.", state.landed[-1])
    state.run = None


def points(state: Express, data: Data) -> int:
    """[6] Return Japan's points so far."""
    figures = data.figures
    return (
        sum(state.landed) + figures.cruiser_points * len(state.torpedoed) - figures.destroyer_points * len(state.burnt)
    )


def count(table: T) -> None:
    """[6] Count the points after the last night, or when no destroyer is left."""
    state = table.state
    if state.at.turn < state.nights and state.ready:
        return
    score = points(state, table.data)
    winner, title = (JAPAN, "the island is fed") if score >= state.need else (USA, "the island starves")
    table.log_line("6", "Japan has {} of {} points.", score, state.need)
    table.end_match(Outcome(winner, title, f"Japan has {score} of {state.need} points.", {JAPAN: score}))
