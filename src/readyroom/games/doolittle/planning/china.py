"""[13.2.3, 13.2.4] Landing sites in China: prepared, stocked, and lost again."""

from __future__ import annotations

from readyroom.engine.rules.checks import Check
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Steps
from readyroom.games.doolittle.figures.flight import SiteCard
from readyroom.games.doolittle.figures.planning import CHINA
from readyroom.games.doolittle.names import number_word
from readyroom.games.doolittle.planning import incident_effects
from readyroom.games.doolittle.state import Doolittle, T


def landing_permitted(state: Doolittle) -> bool:
    """[13.2.3] Return whether landing in China is granted."""
    return CHINA in state.talks.granted


def may_supply(state: Doolittle) -> bool:
    """[13.2.3] Return whether sites may still be prepared and stocked this month."""
    return landing_permitted(state) and state.notes.supplied != state.notes.month


def prepared_sites(table: T) -> list[SiteCard]:
    """[13.2.3] Return the sites that have a beacon."""
    return [site for site in table.data.flight.sites_in("china") if site.key in table.state.sky.beacons]


def supply_china(table: T) -> Steps:
    """[13.2.3] Prepare sites; then send fuel and a groundcrew, unless India is in turmoil."""
    if not landing_permitted(table.state):
        return
    table.state.notes.supplied = table.state.notes.month
    yield from _prepare(table)
    if not prepared_sites(table):
        return
    if incident_effects.supplies_blocked(table.state):
        table.log_line("15.1.2.E", "Neither fuel nor groundcrews can be sent to China.")
        return
    yield from _send_fuel(table)
    yield from _send_groundcrew(table)


def stockpile_check(table: T, site: SiteCard) -> Check:
    """[13.2.3] Return the check to prepare a site."""
    return Check("13.2.3", f"preparing {site.name}", dice=table.data.planning.sites.dice, at_least=site.stockpile)


def _prepare(table: T) -> Steps:
    """[13.2.3, 13.2.4, DR136] Try to prepare sites without a beacon one by one, each once a month."""
    sky, tried = table.state.sky, set[str]()
    while True:
        options = []
        for site in table.data.flight.sites_in("china"):
            if site.key not in {*sky.beacons, *sky.taken, *tried}:
                check = stockpile_check(table, site)
                info = OptionInfo(f"{check.arithmetic()}; landing {site.landing}", float(check.odds()))
                options.append(Option(f"prepare-{site.key}", site.name, site, info))
        if not options:
            return
        options.append(Option("prepare-none", "no other site" if tried else "no site"))
        question = f"Which landing site in China do you prepare {'next' if tried else 'first'}?"
        chosen = yield from table.choose(table.state.captain, "13.2.3", question, options)
        if chosen.value is None:
            return
        site = chosen.value
        tried.add(site.key)
        roll = table.roll(stockpile_check(table, site), site.key)
        text = "is prepared for bombers" if roll else "cannot be prepared this month"
        table.log_line("13.2.3", "{} {}.", site.name, text, roll, target=site.key)
        if roll:
            sky.beacons[site.key] = 0
            table.state.add_to_story("prepared", "", site.key)


def fuel_to_send(table: T) -> int:
    """[13.2.3] Return how much fuel can go to China this month."""
    figures, talked = table.data.planning.sites, table.state.talks
    leader = table.data.planning.calendar.row[CHINA].leader.lower()
    both = CHINA in talked.briefed and leader in talked.briefed
    left = figures.fuel_total - sum(table.state.sky.stock.values())
    return max(0, min(figures.fuel_briefed if both else figures.fuel, left))


def _send_fuel(table: T) -> Steps:
    """[13.2.3] Send fuel to prepared sites."""
    amount, stock = fuel_to_send(table), table.state.sky.stock
    options = [
        Option(f"fuel-{site.key}", site.name, site.key, OptionInfo(f"{stock.get(site.key, 0)} fuel there"))
        for site in prepared_sites(table)
    ]
    question = f"Where do you send fuel in China? Up to {amount}."
    chosen = yield from table.choose_some(
        table.state.captain, "13.2.3", question, options, at_most=amount, limit=lambda option: amount
    )
    for option in options:
        if sent := sum(one.key == option.key for one in chosen):
            stock[option.value] = stock.get(option.value, 0) + sent
            table.log_line("13.2.3", "{} fuel goes to {}.", sent, option.text, target=option.value)


def _send_groundcrew(table: T) -> Steps:
    """[13.2.3] Send one groundcrew a month to a prepared site."""
    crews = table.state.sky.groundcrews
    for _ in range(table.data.planning.sites.groundcrews):
        options = [
            Option(f"crew-{site.key}", site.name, site.key, OptionInfo(f"{crews.get(site.key, 0)} there"))
            for site in prepared_sites(table)
        ]
        options.append(Option("crew-none", "Nowhere"))
        chosen = yield from table.choose(table.state.captain, "13.2.3", "Where do you send a groundcrew?", options)
        if chosen.value:
            crews[chosen.value] = crews.get(chosen.value, 0) + 1
            table.log_line("13.2.3", "A groundcrew goes to {}.", chosen.text, target=chosen.value)


def check_event(table: T) -> None:
    """[13.2.4] Check for an event at the end of a month with a beacon in China."""
    if prepared_sites(table):
        event_check(table)


def check_event_at_sea(table: T) -> None:
    """[6.2, 13.2.4, DR67] Check for an event when the alert reaches four at sea, in the campaign."""
    if table.state.segment == "naval" and table.state.blotter is not None:
        event_check(table)


def event_check(table: T) -> None:
    """[13.2.4, DR123] Roll for an event in China: nothing, a Japanese attack, or a storm."""
    figures = table.data.planning
    extensive = len(prepared_sites(table)) >= figures.events.extensive_sites
    modifiers = [("extensive preparations", figures.events.extensive)] if extensive else []
    event = table.roll_on_chart(figures.event_chart, "event", "china", modifiers)
    table.log_line("13.2.4", "China: {}.", EVENTS[event.cell], event)
    if event.cell == "none":
        return
    site = struck_site(table)
    if event.cell == "attack":
        capture_site(table, site)
    else:
        _apply_storm(table, site)


EVENTS = {"none": "nothing happens", "attack": "the Japanese attack", "storm": "a storm"}


def struck_site(table: T) -> SiteCard:
    """[13.2.4] Return the landing site that an event is about, by two more dice."""
    where = table.roll_on_chart(table.data.planning.location_chart, "site", "where")
    site = table.data.flight.site[where.cell]
    table.log_line("13.2.4", "It is {}.", site.name, where, target=site.key)
    return site


def capture_site(table: T, site: SiteCard, rule: str = "13.2.4") -> None:
    """[13.2.4] Capture a site: beacon, fuel and groundcrew are gone, and no bomber can land there."""
    sky = table.state.sky
    sky.beacons.pop(site.key, None)
    sky.groundcrews.pop(site.key, None)
    if sky.stock.pop(site.key, 0) and table.state.blotter is not None:
        table.state.blotter.fuel_kept = False
    if site.key not in sky.taken:
        sky.taken.append(site.key)
        moment = f"{site.name} is in Japanese hands"
        table.log_line(rule, "{} is in Japanese hands.", site.name, target=site.key, moment=moment)
        table.state.add_to_story("site-lost", "", site.key)
    else:
        table.log_line(rule, "{} was in Japanese hands already.", site.name, target=site.key)


def _apply_storm(table: T, site: SiteCard) -> None:
    """[13.2.4] Remove a die of fuel from a site."""
    stock = table.state.sky.stock
    total = sum(table.roll_dice("13.2.4", "storm", table.data.planning.events.storm_fuel_dice))
    lost = min(stock.get(site.key, 0), total)
    table.log_line("13.2.4", "The storm takes {} fuel from {} (roll {}).", number_word(lost), site.name, total)
    if lost:
        stock[site.key] -= lost
