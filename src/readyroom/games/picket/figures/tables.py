"""The tables of Picket Duty that are rolled on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import msgspec

from readyroom.engine.rules.charts import Chart
from readyroom.games.picket.figures.common import Section, Weapon


class Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """All tables by purpose; the file has them by printed number."""

    stations: Chart = msgspec.field(name="1-1")
    team: Chart = msgspec.field(name="3-1")
    surface: Chart = msgspec.field(name="4-1")
    land_radar: Chart = msgspec.field(name="5-1")
    weather: Chart = msgspec.field(name="6-1")
    storm: Chart = msgspec.field(name="6-2")
    typhoon_days: Chart = msgspec.field(name="6-3")
    typhoon: Chart = msgspec.field(name="6-4")
    storm_repairs: Chart = msgspec.field(name="6-5")
    air: Chart = msgspec.field(name="7-1")
    markers: Chart = msgspec.field(name="7-2")
    kikusui_markers: Chart = msgspec.field(name="7-3")
    attack: Chart = msgspec.field(name="8-1")
    attack_a: Chart = msgspec.field(name="8-1A")
    attack_b: Chart = msgspec.field(name="8-1B")
    attack_c: Chart = msgspec.field(name="8-1C")
    attack_d: Chart = msgspec.field(name="8-1D")
    attack_e: Chart = msgspec.field(name="8-1E")
    attack_f: Chart = msgspec.field(name="8-1F")
    random_attack: Chart = msgspec.field(name="8-2")
    waves: Chart = msgspec.field(name="8-3")
    kikusui: Chart = msgspec.field(name="22")
    bearing: Chart = msgspec.field(name="22-1")
    height: Chart = msgspec.field(name="22-1-height")
    fire: Chart = msgspec.field(name="9-2")
    strike: Chart = msgspec.field(name="10")
    damage_forward: Chart = msgspec.field(name="11-forward")
    damage_midship: Chart = msgspec.field(name="11-midship")
    damage_aft: Chart = msgspec.field(name="11-aft")
    near_miss: Chart = msgspec.field(name="11-1")
    bomb: Chart = msgspec.field(name="12-1")
    torpedo: Chart = msgspec.field(name="12-2")
    ohka: Chart = msgspec.field(name="12-3")
    killed: Chart = msgspec.field(name="13")
    hull: Chart = msgspec.field(name="14-1")
    random_damage: Chart = msgspec.field(name="15")
    sinks: Chart = msgspec.field(name="16")
    all_hands: Chart = msgspec.field(name="17")
    repairs: Chart = msgspec.field(name="18")
    replenishment: Chart = msgspec.field(name="18-1")
    maneuvers: Chart = msgspec.field(name="19")
    control: Chart = msgspec.field(name="20")
    flooding: Chart = msgspec.field(name="21")
    explosion: Chart = msgspec.field(name="21-1")
    morale: Chart = msgspec.field(name="23")
    supplies: Chart = msgspec.field(name="24")
    stations_april: Chart = msgspec.field(name="2-2A")
    stations_may_1: Chart = msgspec.field(name="2-3A")
    stations_may_5: Chart = msgspec.field(name="2-3B")
    stations_may_6: Chart = msgspec.field(name="2-3C")
    stations_may_7: Chart = msgspec.field(name="2-3D")
    stations_may_21: Chart = msgspec.field(name="2-3E")
    stations_may_22: Chart = msgspec.field(name="2-3F")
    stations_june_1: Chart = msgspec.field(name="2-4A")
    stations_june_17: Chart = msgspec.field(name="2-4B")
    stations_june_24: Chart = msgspec.field(name="2-4C")

    @cached_property
    def all(self) -> Mapping[str, Chart]:
        """Return the tables by printed number."""
        return {field.encode_name: getattr(self, field.name) for field in msgspec.structs.fields(self)}

    def letter(self, letter: str) -> Chart:
        """[6.6] Return the lettered table of an attack."""
        return self.all[f"8-1{letter}"]

    def damage(self, section: Section) -> Chart:
        """[7.3] Return the main damage table of a section."""
        return self.all[f"11-{section}"]

    def special(self, weapon: Weapon) -> Chart:
        """[7.2] Return the table of a special weapon."""
        return {"bomb": self.bomb, "torpedo": self.torpedo, "ohka": self.ohka}[weapon]
