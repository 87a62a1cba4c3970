"""Tests of invalid data: one row for each error, with the key and the reason reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.games.doolittle.figures_helpers import Change, again, both, changed, drop, laid_over, put

from readyroom.engine.errors import InvalidData
from readyroom.games.doolittle.figures.check import check

ALONE = {"key": "nagoya-castle", "name": "Nagoya", "hazards_max": 3, "perimeter": False, "adjacent": []}
"""A map of one area without an entry."""
SEVEN = [
    *(["b01", "b03"], ["b05", "b07"], ["b08", "b09"], ["b11", "b12"]),
    *(["b13", "b14"], ["b15", "b02"], ["b04", "b06"]),
]
"""One flight more than allowed."""

BOMBERS: list[tuple[str, Change, str, str]] = [
    ("bombers.toml", put("roster", "origin", to=" "), "roster.origin", "a sentence"),
    ("bombers.toml", put("roster", "bomber", 1, "key", to="b01"), "roster.bomber", "every key once"),
    ("bombers.toml", put("roster", "bomber", 1, "serial", to="2344"), "roster.bomber.serial", "'2344' twice"),
    ("bombers.toml", put("elites", "elite", 1, "key", to="e01"), "elites.elite", "'e01' twice"),
    ("bombers.toml", put("elites", "elite", 0, "home", to="b99"), "elites.elite e01.home", "'b99'"),
    ("bombers.toml", drop("benefits", "medic"), ".benefit", "'medic'"),
    ("bombers.toml", put("armour", "normal", to=["scratched", "destroyed"]), "armour.normal", "'scratched'"),
    ("bombers.toml", put("armour", "added", to=["damaged"]), "armour.added", "as the last step, found damaged"),
    ("bombers.toml", put("armour", "removed", to=[]), "armour.removed", "as the last step, found nothing"),
    ("bombers.toml", drop("standard", "navigation", "day"), "standard.navigation.day", "a row"),
    ("bombers.toml", drop("factory", "navigation", "night"), "factory.navigation.night", "a row"),
]

TARGETS: list[tuple[str, Change, str, str]] = [
    ("targets.toml", drop("maps", "nagoya"), "maps.nagoya", "a row"),
    ("targets.toml", put("maps", "tokyo", "area", 0, "box", 0, "key", to="chiba"), "maps.area", "'chiba' twice"),
    ("targets.toml", put("maps", "tokyo", "area", 0, "adjacent", to=["chiba"]), "adjacent", "which adjoins it"),
    ("targets.toml", put("maps", "tokyo", "area", 0, "adjacent", to=["kyoto"]), "adjacent", "'kyoto'"),
    (
        "targets.toml",
        put("maps", "tokyo", "area", 0, "adjacent", to=["tokyo-west", "tokyo-east", "tokyo-north"]),
        "maps.tokyo.area.tokyo-north.adjacent",
        "found 'tokyo-north'",
    ),
    (
        "targets.toml",
        put("maps", "tokyo", "area", 0, "adjacent", to=["tokyo-west", "tokyo-east", "tokyo-west"]),
        "maps.tokyo.area.tokyo-north.adjacent",
        "'tokyo-west' twice",
    ),
    ("targets.toml", put("maps", "nagoya", "area", 0, "key", to="kobe"), "maps", "kobe"),
    ("targets.toml", drop("maps", "tokyo", "cups", "night"), "maps.tokyo.cups.night", "a row"),
    ("targets.toml", put("maps", "tokyo", "cups", "day", to="none"), "maps.tokyo.cups.day", "'none'"),
    ("targets.toml", drop("maps", "tokyo", "area", 6, "box", 0, "carrier"), "maps.tokyo.area.box.carrier", "1 boxes"),
    ("targets.toml", put("maps", "nagoya", "area", to=[ALONE]), "maps.nagoya.area", "on the perimeter, found none"),
    ("hazards.toml", put("reserve", "cup", to="soup"), "reserve.cup", "'soup'"),
    ("hazards.toml", put("cups", "tokyo-day", "total", to=39), "cups.tokyo-day.total", "39"),
    ("hazards.toml", put("cups", "tokyo-day", "marker", 0, "kind", to="bats"), "marker.0.kind", "'bats'"),
    ("hazards.toml", put("cups", "tokyo-day", "marker", 0, "high", to=4), "marker.0", "a range within 2 and 12"),
    ("hazards.toml", put("cups", "tokyo-day", "marker", 0, "low", to=1), "marker.0", "found 1 to 6"),
    ("hazards.toml", put("cups", "tokyo-day", "marker", 0, "high", to=13), "marker.0", "found 5 to 13"),
    ("hazards.toml", put("cups", "tokyo-day", "marker", 15, "high", to=13), "marker.15", "found 4 to 13"),
    ("hazards.toml", drop("cups", "tokyo-day", "marker", 14, "approach"), "marker.14", "what it adds to approach"),
    ("hazards.toml", drop("cups", "tokyo-day", "marker", 7, "box"), "marker.7.box", "box = true, found false"),
    (
        "hazards.toml",
        put("cups", "tokyo-day", "marker", 13, "box", to=True),
        "marker.13.box",
        "box = false, found true",
    ),
    ("attack.toml", drop("detonations", "rows", "2"), "detonations.rows", "one range for 2"),
    ("attack.toml", put("detonations", "rows", "2-3", to=0), "detonations.rows", "one range for 2, found 2 and 2-3"),
    ("attack.toml", put("detonations", "rows", "many", to=5), "detonations.rows.many", "a range such as"),
    ("attack.toml", drop("A8", "rows", "2-3"), "chart A8, rows", "one row for a result of 2"),
]

FLIGHT: list[tuple[str, Change, str, str]] = [
    ("security.toml", put("alert_by_failed", "reach", to=[0, 8]), "alert_by_failed.reach", "0 to 9"),
    ("security.toml", put("alert_by_failed", "rows", "9+", to=5), "alert_by_failed.rows", "at most 4"),
    ("security.toml", put("alert_by_failed", "rows", "8", to=1), "alert_by_failed.rows", "levels that rise"),
    ("security.toml", drop("alert_by_failed", "rows", "8"), "alert_by_failed.rows", "one range for 8"),
    ("security.toml", drop("icons", "icon", "line"), "icons.icon.line", "a row"),
    (
        "security.toml",
        put("icons", "icon", "star", to={"title": "star", "airstrike_from": 9, "alert": 0}),
        "icons.icon",
        "'star'",
    ),
    ("flight.toml", again("zones", "zone", 0), "zones.zone", "'Z1' twice"),
    ("flight.toml", put("zones", "china_from", to="Z13"), "zones.china_from", "'Z13'"),
    ("flight.toml", put("zones", "japan", to="Z13"), "zones.japan", "'Z13'"),
    ("flight.toml", put("zones", "zone", 0, "sea_area", to="atlantic"), "zones.zone Z1.sea_area", "'atlantic'"),
    ("flight.toml", drop("zones", "zone", 0, "draw", 0, "count"), "zones.zone Z1.draw", "a count, or halved, found 0"),
    (
        "flight.toml",
        put("zones", "zone", 0, "draw", 0, "halved", to=True),
        "zones.zone Z1.draw",
        "a count, or halved, found 1",
    ),
    ("flight.toml", again("cities", "city", 0), "cities.city", "'tokyo' twice"),
    ("flight.toml", again("sites", "site", 0), "sites.site", "'lishui' twice"),
    ("flight.toml", put("sites", "site", 0, "zones", to=["Z13"]), "sites.site lishui.zones", "'Z13'"),
    ("flight.toml", put("sites", "site", 1, "fuel_from", to=["Z12"]), "sites.site chuchow.fuel_from", "'Z12'"),
    ("flight.toml", drop("sites", "site", 0, "stockpile"), "sites.site lishui.stockpile", "in China alone, found 0"),
    (
        "flight.toml",
        put("sites", "site", 6, "stockpile", to=7),
        "sites.site korea.stockpile",
        "in China alone, found 7",
    ),
    ("flight.toml", put("winds", "box", 0, "zones", to=["Z2"]), "winds.box.zones", "a row"),
    ("flight.toml", put("winds", "box", 0, "zones", to=["Z1", "Z2"]), "winds.box.zones", "'Z2' twice"),
    ("flight.toml", put("winds", "box", 0, "sea_box", to="hawaii"), "winds.box W1.sea_box", "'hawaii'"),
    ("flight.toml", drop("winds", "box", 0, "sea_box"), "winds.box W1", "found 'W1'"),
    ("flight.toml", put("weather", "rows", "4", 3, to="fog"), "weather-west.rows.4, column W7", "'fog'"),
    ("flight.toml", put("clock", "box", 1, "label", to="0600"), "clock.box", "'0600' twice"),
    ("flight.toml", put("clock", "box", 11, "light", to="day"), "clock.box", "7 hours by night"),
    ("flight.toml", put("emergency", "rows", "3", to=["0230"]), "emergency-launch.rows.3", "'0230'"),
    ("flight.toml", put("emergency", "columns", to=["time"]), "emergency-launch.columns", "'time'"),
    ("flight.toml", put("launch", "west_of", to="atlantic"), "launch.west_of", "'atlantic'"),
    ("flight.toml", put("first_zone", "rows", "1-2", to=["Z2", "Z3", "Z4", "Z0"]), "first-zone.rows.1-2", "'Z0'"),
    ("flight.toml", put("first_zone", "columns", 0, to="influence-east"), "first-zone.columns", "'influence-east'"),
    ("flight.toml", put("launch", "fuel", to={"Z0": 1}), "launch.fuel", "'Z0'"),
    ("flying.toml", put("F1", "rows", "5", to=["swim", "ditch", "fumes"]), "F1.rows.5, column low", "'swim'"),
    ("flying.toml", put("F1", "columns", 1, to="low in a gale"), "F1.columns", "'low in a gale'"),
    ("flying.toml", put("F2", "rows", "7", 0, to="doldrums"), "F2.rows.7, column calm", "'doldrums'"),
    ("flying.toml", put("F2", "columns", 3, to="fog"), "F2.columns", "'fog'"),
    ("flying.toml", drop("effects", "wind", "headwind"), "effects.wind.headwind", "a row"),
    ("flying.toml", put("bonus", "removes", "crash", to=1), "bonus.removes", "'crash'"),
    ("flight_hazards.toml", drop("cups", "III"), "cups.III", "a row"),
    ("flight_hazards.toml", put("cups", "I", "total", to=21), "cups.I.total", "21"),
    ("flight_hazards.toml", drop("shadow", "rows", "4"), "shadow.rows", "one range for 4"),
    ("flight_hazards.toml", put("shadow", "reach", to=[0, 3]), "shadow.reach", "0 to 4"),
]

SEA: list[tuple[str, Change, str, str]] = [
    ("sea.toml", put("areas", "area", 0, "key", to="pacific"), "areas.area", "'pacific' twice"),
    ("sea.toml", put("areas", "west_of_line", to="azores"), "areas.west_of_line", "'azores'"),
    ("sea.toml", put("areas", "winds", to=["influence", "defense", "japan", "azores"]), "areas.winds", "'azores'"),
    ("sea.toml", put("weather", "rows", "2", 0, to="fog"), "N2.rows.2, column east", "'fog'"),
    ("sea.toml", put("weather", "columns", 0, to="south"), "N2.columns", "'south'"),
    ("sea.toml", drop("moves", "west"), "moves.west", "a row"),
    ("sea.toml", drop("moves", "east", "move", "gale"), "moves.east.move.gale", "a row"),
    ("sea.toml", drop("areas", "area", 0, "draw", 0, "count"), "areas.area pacific-coast.draw", "a count, or each"),
    (
        "sea.toml",
        put("areas", "area", 0, "draw", 0, "each", to="alert"),
        "areas.area pacific-coast.draw",
        "found 1 and alert",
    ),
    ("sea.toml", again("turns", "turn", 0), "turns.turn", "'2-5 April' twice"),
    ("ships.toml", put("fleet", "ship", 3, "key", to="grayson"), "fleet.ship", "'grayson' twice"),
    ("ships.toml", put("fleet", "launches", to="wasp"), "fleet.launches", "'wasp'"),
    ("ships.toml", drop("fleet", "ship", 7, "refuel"), "fleet.ship cimarron.refuel", "for oilers alone, found 0"),
    ("ships.toml", put("fleet", "ship", 0, "refuel", to=7), "fleet.ship hornet.refuel", "for oilers alone, found 7"),
    ("ships.toml", again("recon", "marker", 0), "recon.marker", "'ca-18' twice"),
    ("ships.toml", put("recon", "marker", 2, "ship", to="essex"), "recon.marker vf6.ship", "'essex'"),
    ("ships.toml", put("layout", "space", 1, "adjacent", to=["center"]), "adjacent", "which adjoins it"),
    ("ships.toml", put("layout", "distress", to="keel"), "layout.distress", "'keel'"),
    ("ships.toml", put("layout", "center", to="keel"), "layout.center", "'keel'"),
    ("ships.toml", drop("layout", "dive", "odd"), "layout.dive.odd", "a row"),
    ("ships.toml", drop("layout", "torpedo", "5-6"), "layout.torpedo", "one range for 5"),
    ("ships.toml", drop("layout", "i_boat", "6"), "layout.i_boat", "one range for 6"),
    ("ships.toml", put("layout", "torpedo", "1-2", 0, to="deep"), "layout.torpedo.1-2", "'deep'"),
    ("ships.toml", drop("layout", "torpedo", "1-2", 1), "layout.torpedo.1-2", "one of port, found 'center'"),
    ("ships.toml", put("layout", "dive", "odd", 1, to="ahead"), "layout.dive.odd", "found 'ahead'"),
    ("ships.toml", put("layout", "i_boat", "6", 1, to="port"), "layout.i_boat.6", "found 'port'"),
    ("ships.toml", put("layout", "far_arrows", 1, to="7"), "layout.far_arrows", "found '7'"),
    ("ships.toml", put("layout", "straggler_arrows", 1, to="0"), "layout.far_arrows", "found '0'"),
    ("ships.toml", drop("layout", "usual", "DD"), "layout.usual.DD", "a row"),
    ("ships.toml", put("layout", "usual", "AO", to=["alongside"]), "layout.usual.AO", "'alongside'"),
    ("ships.toml", put("layout", "space", 0, "room", to=3), "layout.space", "room for 10 center, found 3"),
    ("ships.toml", put("fleet", "ship", 1, "size", to=12), "layout.space", "room for 26 about it, found 25"),
    ("sea_hazards.toml", drop("cups", "central"), "cups.central", "a row"),
    ("sea_hazards.toml", put("cups", "west", "total", to=27), "cups.west.total", "27"),
    ("sea_hazards.toml", drop("cups", "east", "marker", 2, "recovery"), "marker.2.recovery", "alone, found 0"),
    ("sea_hazards.toml", put("cups", "east", "marker", 0, "recovery", to=5), "marker.0.recovery", "alone, found 5"),
    ("naval.toml", put("N7", "columns", 3, to="fog"), "N7.columns", "'fog'"),
    ("naval.toml", drop("N7", "rows", "emergency"), "N7.rows.emergency", "a row"),
    ("naval.toml", put("N7", "rows", "planned", 0, to="four"), "N7.rows.planned, column calm", "'four'"),
    ("naval.toml", put("N7-botched", "rows", "6", 0, to="swims"), "N7-botched.rows.6, column result", "'swims'"),
    ("naval.toml", put("N7-botched", "columns", to=["end"]), "N7-botched.columns", "'end'"),
    ("naval.toml", put("ashore", "base", 1, "first", to="wake"), "ashore.base midway-island.first", "'wake'"),
    ("naval.toml", drop("refuel", "modifier", "storm"), "refuel.modifier.storm", "a row"),
    ("naval.toml", drop("refuel", "damaged", "calm"), "refuel.damaged.calm", "a row"),
    ("naval.toml", put("carrier_aim", "even", to="wasp"), "carrier_aim.even", "'wasp'"),
    ("naval.toml", put("carrier_aim", "odd", to="essex"), "carrier_aim.odd", "'essex'"),
    ("airstrike.toml", put("X1", "rows", "12", 0, to="maybe"), "X1.rows.12, column recon", "'maybe'"),
    ("airstrike.toml", put("X1", "columns", 1, to="force"), "X1.columns", "'force'"),
    ("airstrike.toml", put("X2", "columns", 1, to="force"), "X2.columns", "'force'"),
    ("airstrike.toml", put("X2", "rows", "2-4", 0, to="9/2"), "X2.rows.2-4, column recon", "'9/2'"),
    ("airstrike.toml", put("X2", "rows", "2-4", 0, to="3/2"), "X2.rows.2-4, column recon", "'3/2'"),
    ("airstrike.toml", put("X2", "rows", "2-4", 0, to="few"), "X2.rows.2-4, column recon", "'few'"),
    ("airstrike.toml", put("X2", "rows", "2-4", 0, to="few/2"), "X2.rows.2-4, column recon", "'few/2'"),
    ("airstrike.toml", put("X3", "columns", 0, to="CAP"), "X3.columns", "'CAP'"),
    ("airstrike.toml", put("X3", "rows", "2-4", 0, to="2Z"), "X3.rows.2-4, column no CAP", "'2Z'"),
    ("airstrike.toml", put("X4", "rows", "6", 0, to="smoke"), "X4.rows.6, column result", "'smoke'"),
    ("airstrike.toml", put("X5", "rows", "2", 0, to="list"), "X5.rows.2, column torpedo", "'list'"),
    ("airstrike.toml", put("X5", "columns", 2, to="level"), "X5.columns", "'level'"),
    ("airstrike.toml", put("X6", "rows", "12+", 0, to="rout"), "X6.rows.12+, column any one", "'rout'"),
    ("airstrike.toml", put("X6", "columns", 2, to="all"), "X6.columns", "'all'"),
    ("airstrike.toml", put("arrival", "middle_areas", 0, to="azores"), "arrival", "'azores'"),
    ("airstrike.toml", put("arrival", "east_of", to="wake"), "arrival", "'wake'"),
]

PLANNING: list[tuple[str, Change, str, str]] = [
    ("planning.toml", drop("calendar", "row", "stilwell"), "calendar.row.stilwell", "a row"),
    ("planning.toml", drop("calendar", "risk", "april"), "calendar.risk.april", "a row"),
    ("planning.toml", put("P3", "rows", "5-6", 0, to="flood"), "P3.rows.5-6, column event", "'flood'"),
    ("planning.toml", put("P3", "columns", to=["what"]), "P3.columns", "'what'"),
    ("planning.toml", put("P3-site", "rows", "2", to=["korea"]), "P3-site.rows.2", "'korea'"),
    ("planning.toml", put("P3-site", "columns", to=["where"]), "P3-site.columns", "'where'"),
    ("planning.toml", drop("doolittle", "box", "april"), "doolittle.box.april", "a row"),
    ("planning.toml", put("selection", "most", to=25), "selection.most", "24, the number of"),
    ("modifications.toml", again("modifications", "modification", 0), "modifications", "'radio-removed' twice"),
    ("modifications.toml", put("modifications", "modification", 2, "needs", to="luck"), "mark-twain.needs", "'luck'"),
    (
        "modifications.toml",
        put("modifications", "modification", 4, "excludes", to=["laser"]),
        "modifications.modification top-turret-removed.excludes",
        "'laser'",
    ),
    (
        "modifications.toml",
        drop("modifications", "modification", 5, "excludes"),
        "modifications.modification top-turret-improved.excludes",
        "top-turret-removed, found nothing",
    ),
    ("modifications.toml", drop("modifications", "modification", 9), "modifications.G", "a row"),
    ("modifications.toml", put("factory", "weight", to=4), "guzzle.reach", "0 to 8"),
    ("modifications.toml", put("guzzle", "reach", to=[1, 7]), "guzzle.reach", "0 to 7"),
    ("modifications.toml", put("guzzle", "rows", "3", to=8), "guzzle.rows", "7, as bombers.toml"),
    ("training.toml", put("training", "track", "fifty-caliber", "needs", to="luck"), "track.fifty-caliber", "'luck'"),
    ("training.toml", put("training", "track", "thirty-caliber", "unless", to="luck"), "thirty-caliber", "'luck'"),
    ("training.toml", put("morale", "start", to=-1), "morale.start", "0 to 6, found -1"),
    ("training.toml", put("morale", "start", to=7), "morale.start", "0 to 6, found 7"),
    ("training.toml", drop("short_take_off", "space", 10), "short_take_off.space.12", "a row"),
    ("training.toml", put("short_take_off", "space", 0, "mishaps", to="x"), "mishaps", "letters c and d"),
    ("training.toml", put("short_take_off", "space", 0, "capacity", to=20), "capacity", "capacities that rise"),
    ("embarkation.toml", put("cup", "total", to=13), "cup.total", "13"),
    ("embarkation.toml", put("transit", "site", to={"area-51": 3}), "transit.site", "'area-51'"),
    ("embarkation.toml", put("variable", "liberty_site", to={"area-51": 3}), "transit.site", "'area-51'"),
    ("embarkation.toml", put("P4", "rows", "2-4", 0, to="four"), "P4.rows.2-4, column hazards", "'four'"),
    ("embarkation.toml", put("P4-crane", "rows", "2-3", 0, to="splash"), "P4-crane.rows.2-3, column", "'splash'"),
    ("embarkation.toml", put("P4-delay", "rows", "4+", 0, to="early"), "P4-delay.rows.4+, column", "'early'"),
    ("embarkation.toml", put("P4-delay", "columns", to=["when"]), "P4-delay.columns", "'when'"),
    ("embarkation.toml", put("P5", "rows", "3", 0, to="four"), "P5.rows.3, column attack", "'four'"),
    ("embarkation.toml", put("P5", "columns", 3, to="telegraph"), "P5.columns", "'telegraph'"),
    ("incidents.toml", drop("chits", "months", "april"), "chits.months.april", "a row"),
    ("incidents.toml", put("chits", "months", "april", "atlantis", to=1), "chits.months.april", "'atlantis'"),
    ("incidents.toml", drop("chits", "totals", "wake"), "chits.totals.wake", "a row"),
    ("incidents.toml", put("chits", "months", "april", to={"ceylon": 1}), "chits.totals.quit-india", "2"),
    ("incidents.toml", put("bataan", "called_off", to={"atlantis": 1}), "bataan.called_off", "'atlantis'"),
    ("incidents.toml", put("ceylon", "fished", to="whale"), "bataan.called_off", "'whale'"),
    ("incidents.toml", put("shanghai", "trek", to=-3), "shanghai.trek", "-2, found -3"),
    ("incidents.toml", put("bataan", "grounds", to="e99"), "bataan.grounds", "'e99'"),
    ("incidents.toml", put("rabaul", "earliest_turn", to="1 May"), "rabaul.earliest_turn", "'1 May'"),
]

ENDING: list[tuple[str, Change, str, str]] = [
    ("denouement.toml", put("D1", "rows", "1", 0, to="swims"), "D1.rows.1, column undamaged", "'swims'"),
    ("denouement.toml", put("D2", "rows", "1", 0, to="eaten"), "D2.rows.1, column east of Japan", "'eaten'"),
    ("denouement.toml", put("D2", "columns", 1, to="Korea"), "D2.columns", "'Korea'"),
    ("denouement.toml", drop("homeward", "number", "japan"), "homeward.number.japan", "a row"),
    ("denouement.toml", put("D3", "rows", "1-2", 0, to="whale"), "D3.rows.1-2, column incident", "'whale'"),
    ("denouement.toml", put("D3", "columns", to=["what"]), "D3.columns", "'what'"),
    ("denouement.toml", put("D4", "rows", "1", 0, to="4"), "D4.rows.1, column fit 1", "'4'"),
    ("denouement.toml", put("D4", "columns", 0, to="fit 0"), "D4.columns", "'fit 0'"),
    ("denouement.toml", put("D4-close", "rows", "1", 0, to="eaten"), "D4-close.rows.1, column effect", "'eaten'"),
    ("denouement.toml", put("landing", "iced_site", to="moscow"), "landing.iced_site", "'moscow'"),
    ("denouement.toml", drop("landing", "weather", "gale"), "landing.weather.gale", "a row"),
    ("denouement.toml", drop("internment", "rows", "denied"), "internment.rows.denied", "a row"),
    ("denouement.toml", put("internment", "columns", 1, to="8-13"), "internment.columns", "for 7"),
    ("denouement.toml", put("internment", "rows", "denied", to=[10, 11, 12]), "internment.rows.denied", "4 cells"),
    ("denouement.toml", drop("passage", "rows", "agreed"), "passage.rows.agreed", "a row"),
    ("denouement.toml", put("passage", "starred", to=["perhaps"]), "soviet.row", "'perhaps'"),
    ("denouement.toml", put("soviet", "row", to="maybe"), "soviet.row", "'maybe'"),
    ("denouement.toml", put("routes", "route", 0, "start", to="hanoi"), "routes.route", "'hanoi'"),
    ("denouement.toml", put("routes", "route", 0, "end", to="hanoi"), "routes.route", "'hanoi'"),
    ("denouement.toml", drop("routes", "route", 0, "fuel"), "lishui to kian.fuel", "on foot, found None"),
    ("denouement.toml", put("routes", "route", 12, "fuel", to=1), "trekking to chuchow.fuel", "on foot, found 1"),
    ("denouement.toml", again("routes", "route", 0), "routes.route", "'lishui to kian' twice"),
    ("denouement.toml", drop("routes", "route", 11), "routes.route kweilin", "chungking"),
    ("denouement.toml", drop("routes", "route", 15), "routes.route trekking", "chungking"),
    ("denouement.toml", drop("routes", "weather_box", "kian"), "routes.weather_box.kian", "a row"),
    ("denouement.toml", put("routes", "weather_box", "kian", to="W9"), "routes.weather_box.kian", "'W9'"),
    ("debriefing.toml", drop("attack_grades", "text", "solid"), "attack_grades.text.solid", "a row"),
    ("debriefing.toml", drop("raid_grades", "text", "struck"), "raid_grades.text.struck", "a row"),
    ("debriefing.toml", drop("worth", "launch_area", "japan"), "worth.launch_area.japan", "a row"),
    ("debriefing.toml", drop("worth", "launch", "none"), "worth.launch.none", "a row"),
    ("debriefing.toml", drop("worth", "doolittle", "lost"), "worth.doolittle.lost", "a row"),
    ("debriefing.toml", drop("perspectives", "ussr"), "perspectives.ussr", "a row"),
    ("debriefing.toml", drop("perspectives", "army", "band", 2), "perspectives.army.band", "one range for 10"),
    (
        "debriefing.toml",
        both(
            put("perspectives", "army", "band", 0, "points", to="1-9"),
            put("perspectives", "army", "band", 1, "points", to="<=0"),
        ),
        "perspectives.army.band",
        "from the lowest points to the highest, found 1-9, <=0",
    ),
    ("debriefing.toml", drop("checks", "prisoners"), "checks.prisoners", "a row"),
    ("debriefing.toml", drop("checks", "reprisal", "band", 1), "checks.reprisal.band", "one range for 5"),
    ("debriefing.toml", put("checks", "alliances", "grades", to=[0, 1, 4]), "checks.alliances.grades", "4 grades"),
    ("debriefing.toml", put("verdict", "reach", to=[0, 31]), "verdict", "32"),
    ("history.toml", drop("campaign", "facts", "released"), "campaign.facts.released", "ussr counts it"),
    ("history.toml", put("raid", "bounds", "lost", "expected", to=0.2), "raid.bounds.lost.expected", "found 0.2"),
    ("history.toml", put("raid", "bounds", "lost", "expected", to=4.1), "raid.bounds.lost.expected", "found 4.1"),
]

SCENARIOS: list[tuple[str, Change, str, str]] = [
    ("scenarios/capital.toml", put("entry", 1, "bomber", to="b01"), "bombers", "'b01' twice"),
    ("scenarios/capital.toml", put("entry", 1, "bomber", to="b99"), "bombers", "'b99'"),
    ("scenarios/capital.toml", put("elites", "e99", to="b02"), "elites", "'e99'"),
    ("scenarios/capital.toml", put("elites", "e01", to="b16"), "elites.e01", "'b16'"),
    ("scenarios/capital.toml", put("elites", "e11", to="b01"), "elites", "'b01' twice"),
    ("scenarios/capital.toml", put("map", to="kyoto"), "map", "'kyoto'"),
    ("scenarios/capital.toml", drop("light"), "light", "day or night"),
    ("scenarios/capital.toml", both(drop("entry"), drop("elites")), "entry", "the turn and area of each bomber"),
    ("scenarios/capital.toml", put("entry", 0, "area", to="tokyo-bay-north"), "entry b01.area", "'tokyo-bay-north'"),
    ("scenarios/capital.toml", put("entry", 0, "turn", to=0), "entry[0].turn", "at least 1, found 0"),
    ("scenarios/capital.toml", put("entry", 0, "turn", to=10), "entry b01.turn", "1 to 9, found 10"),
    ("scenarios/bay.toml", put("counted_areas", 0, to="kobe"), "counted_areas", "'kobe'"),
    ("scenarios/early.toml", put("start_zone", to="Z13"), "start_zone", "'Z13'"),
    ("scenarios/early.toml", put("launch_area", to="hawaii"), "launch_area", "'hawaii'"),
    ("scenarios/early.toml", put("hour", to="0815"), "hour", "'0815'"),
    ("scenarios/early.toml", drop("winds", "W4"), "winds.W4", "a row"),
    ("scenarios/early.toml", put("advice", 0, to="kyoto"), "advice", "'kyoto'"),
    ("scenarios/carrier.toml", put("rendezvous_area", to="azores"), "rendezvous_area", "'azores'"),
    ("scenarios/carrier.toml", put("planned_area", to="azores"), "planned_area", "'azores'"),
    ("scenarios/carrier.toml", put("rendezvous_turn", to="1 May"), "rendezvous_turn", "'1 May'"),
    ("scenarios/carrier.toml", put("submarines", "nautilus", to="japan"), "submarines", "'nautilus'"),
    ("scenarios/carrier.toml", put("submarines", "trout", to="azores"), "submarines.trout", "'azores'"),
    ("scenarios/early.toml", put("flights", to=SEVEN), "flights", "at most 6, found 7"),
    ("scenarios/early.toml", put("flights", 2, to=["b08", "b09", "b10", "b17", "b18"]), "flights.2", "2 to 4 bombers"),
    ("scenarios/early.toml", both(put("flights", 0, to=["b01"]), drop("elites")), "flights.0", "bombers, found 1"),
    ("scenarios/carrier.toml", put("bands", to={"<=9": "costly"}), "bands", "one range for 10"),
    ("scenarios/carrier.toml", put("bands", "<=25", to="solid"), "bands.<=25", "'solid'"),
    ("scenarios/capital.toml", put("bands", "<=11", to="scant"), "bands.<=11", "'scant'"),
    ("scenarios/carrier.toml", again("variant", 0), "variant", "'free-flights' twice"),
    ("scenarios/carrier.toml", put("variant", 3, "submarines", "tuna", to="azores"), "submarines.tuna", "'azores'"),
    (
        "scenarios/early.toml",
        put("variant", 1, "stockpile", 0, "site", to="vladivostok"),
        "variant beacons.stockpile",
        "'vladivostok'",
    ),
]

MISFITS = [*BOMBERS, *TARGETS, *FLIGHT, *SEA, *PLANNING, *ENDING, *SCENARIOS]


@pytest.mark.sample(84)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "change", "key", "name"), MISFITS, ids=[f"{file} {key}" for file, _, key, _ in MISFITS]
)
def test_inconsistent_data_is_rejected(file: str, change: Change, key: str, name: str) -> None:
    with pytest.raises(InvalidData) as refused:
        check(changed(file, change))
    assert file in str(refused.value)
    assert key in refused.value.key
    assert name in str(refused.value)


def test_unknown_field_is_rejected() -> None:
    with pytest.raises(InvalidData, match=r"attack\.toml: at turns"):
        changed("attack.toml", put("turns", "lats", to=9))


def test_printed_chart_replaces_built_in_chart(tmp_path: Path) -> None:
    data = laid_over("flying.toml", put("F2", "rows", "7", to=["tailwind"] * 4), tmp_path)
    check(data)
    assert data.flying.wind_chart.cell(7, "calm") == "tailwind"
