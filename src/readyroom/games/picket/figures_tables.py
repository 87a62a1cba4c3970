"""The tables of Picket Duty that are thrown on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import msgspec

from readyroom.engine.charts import Chart
from readyroom.games.picket.figures_common import Section, Weapon

# -- the tables ------------------------------------------------------------------------------------------------------

_TABLES = {
    "stations": "1-1",
    "team": "3-1",
    "surface": "4-1",
    "land_radar": "5-1",
    "weather": "6-1",
    "storm": "6-2",
    "typhoon_days": "6-3",
    "typhoon": "6-4",
    "storm_repairs": "6-5",
    "air": "7-1",
    "markers": "7-2",
    "kikusui_markers": "7-3",
    "attack": "8-1",
    "attack_a": "8-1A",
    "attack_b": "8-1B",
    "attack_c": "8-1C",
    "attack_d": "8-1D",
    "attack_e": "8-1E",
    "attack_f": "8-1F",
    "random_attack": "8-2",
    "waves": "8-3",
    "kikusui": "22",
    "bearing": "22-1",
    "height": "22-1-height",
    "fire": "9-2",
    "strike": "10",
    "damage_forward": "11-forward",
    "damage_midship": "11-midship",
    "damage_aft": "11-aft",
    "near_miss": "11-1",
    "bomb": "12-1",
    "torpedo": "12-2",
    "ohka": "12-3",
    "killed": "13",
    "hull": "14-1",
    "random_damage": "15",
    "sinks": "16",
    "all_hands": "17",
    "repairs": "18",
    "replenishment": "18-1",
    "maneuvers": "19",
    "control": "20",
    "flooding": "21",
    "explosion": "21-1",
    "morale": "23",
    "supplies": "24",
    "stations_april": "2-2A",
    "stations_may_1": "2-3A",
    "stations_may_5": "2-3B",
    "stations_may_6": "2-3C",
    "stations_may_7": "2-3D",
    "stations_may_21": "2-3E",
    "stations_may_22": "2-3F",
    "stations_june_1": "2-4A",
    "stations_june_17": "2-4B",
    "stations_june_24": "2-4C",
}


class Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename=_TABLES, dict=True):
    """All tables of the charts, each by what it is for; in the file they stand by their printed numbers."""

    stations: Chart
    team: Chart
    surface: Chart
    land_radar: Chart
    weather: Chart
    storm: Chart
    typhoon_days: Chart
    typhoon: Chart
    storm_repairs: Chart
    air: Chart
    markers: Chart
    kikusui_markers: Chart
    attack: Chart
    attack_a: Chart
    attack_b: Chart
    attack_c: Chart
    attack_d: Chart
    attack_e: Chart
    attack_f: Chart
    random_attack: Chart
    waves: Chart
    kikusui: Chart
    bearing: Chart
    height: Chart
    fire: Chart
    strike: Chart
    damage_forward: Chart
    damage_midship: Chart
    damage_aft: Chart
    near_miss: Chart
    bomb: Chart
    torpedo: Chart
    ohka: Chart
    killed: Chart
    hull: Chart
    random_damage: Chart
    sinks: Chart
    all_hands: Chart
    repairs: Chart
    replenishment: Chart
    maneuvers: Chart
    control: Chart
    flooding: Chart
    explosion: Chart
    morale: Chart
    supplies: Chart
    stations_april: Chart
    stations_may_1: Chart
    stations_may_5: Chart
    stations_may_6: Chart
    stations_may_7: Chart
    stations_may_21: Chart
    stations_may_22: Chart
    stations_june_1: Chart
    stations_june_17: Chart
    stations_june_24: Chart

    @cached_property
    def all(self) -> Mapping[str, Chart]:
        """The tables by their printed numbers."""
        return {number: getattr(self, name) for name, number in _TABLES.items()}

    def letter(self, letter: str) -> Chart:
        """[6.6] The lettered table of an attack."""
        return self.all[f"8-1{letter}"]

    def damage(self, section: Section) -> Chart:
        """[7.3] The main damage table of a section."""
        return self.all[f"11-{section}"]

    def special(self, weapon: Weapon) -> Chart:
        """[7.2] The table of a special weapon."""
        return {"bomb": self.bomb, "torpedo": self.torpedo, "ohka": self.ohka}[weapon]
