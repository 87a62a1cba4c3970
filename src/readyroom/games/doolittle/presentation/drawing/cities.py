"""[3.0, 3.2] The three target maps as mosaics: arcs that neighbors share, and the room for each area's contents.

An area is a ring of arcs; a minus before an arc's name walks it backwards. Two areas adjoin exactly where they share an
arc, so that neighbours touch. All lengths are parts of a sheet of 600 by 560, north is up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from readyroom.engine.drawing import Frame

SHEET = (600.0, 560.0)
Point = tuple[float, float]
Arcs = Mapping[str, Sequence[Point]]


class Plan(NamedTuple):
    """A city: its arcs, the ring of each area, the room in it, which areas are water, and its rivers."""

    arcs: Arcs
    rings: Mapping[str, Sequence[str]]
    rooms: Mapping[str, Frame]
    water: frozenset[str]
    rivers: Sequence[Sequence[Point]]
    rose: Point

    def outline(self, area: str) -> list[Point]:
        """Return the corners of an area, all around."""
        result: list[Point] = []
        for name in self.rings[area]:
            arc = self.arcs[name.removeprefix("-")]
            points = list(reversed(arc)) if name.startswith("-") else list(arc)
            assert not result or result[-1] == points[0], f"{area}: {name}"
            result += points if not result else points[1:]
        assert result[0] == result[-1], area
        return result[:-1]

    def owners(self, arc: str) -> list[str]:
        """Return the areas on either side of an arc; only one at the edge of the map."""
        return [area for area, ring in self.rings.items() if arc in (one.removeprefix("-") for one in ring)]

    def coast(self) -> list[Sequence[Point]]:
        """Return the arcs between land and water."""
        return [arc for name, arc in self.arcs.items() if len({area in self.water for area in self.owners(name)}) > 1]


def _room(left: float, top: float, right: float, bottom: float) -> Frame:
    return Frame(left, top, right - left, bottom - top)


TOKYO = Plan(
    arcs={
        "north-top": [(0, 105), (0, 0), (370, 0)],
        "north-east": [(370, 0), (356, 58), (345, 105), (268, 116), (195, 120)],
        "north-west": [(195, 120), (100, 110), (0, 105)],
        "west-edge": [(0, 238), (0, 105)],
        "west-east": [(195, 120), (210, 176), (205, 230)],
        "west-kawasaki": [(205, 230), (110, 240), (0, 238)],
        "east-top": [(370, 0), (450, 0)],
        "east-chiba": [(450, 0), (438, 80), (446, 150), (410, 225)],
        "east-shore": [(410, 225), (392, 244), (372, 238), (350, 250), (322, 244), (308, 258), (290, 262)],
        "east-kawasaki": [(290, 262), (250, 242), (205, 230)],
        "kawasaki-shore": [(290, 262), (284, 280), (304, 292), (300, 312), (276, 322), (272, 336), (250, 350)],
        "kawasaki-yokohama": [(250, 350), (130, 346), (0, 350)],
        "kawasaki-edge": [(0, 350), (0, 238)],
        "yokohama-shore": [(250, 350), (244, 366), (258, 378), (256, 394), (278, 405)],
        "yokohama-south": [(278, 405), (256, 414), (248, 430), (230, 436), (215, 452)],
        "yokohama-yokosuka": [(215, 452), (110, 448), (0, 452)],
        "yokohama-edge": [(0, 452), (0, 350)],
        "yokosuka-shore": [(215, 452), (238, 464), (228, 482), (256, 492), (262, 508), (240, 524), (226, 560)],
        "yokosuka-edge": [(226, 560), (0, 560), (0, 452)],
        "across-the-bay": [(278, 405), (345, 412), (415, 425)],
        "kisarazu-south": [(415, 425), (424, 450), (398, 474), (430, 488), (440, 520), (455, 560)],
        "bay-mouth": [(455, 560), (226, 560)],
        "kisarazu-shore": [(465, 340), (452, 368), (436, 384), (430, 406), (415, 425)],
        "chiba-shore": [(410, 225), (440, 240), (452, 262), (468, 284), (465, 340)],
        "kisarazu-chiba": [(600, 350), (530, 344), (465, 340)],
        "kisarazu-edge": [(455, 560), (600, 560), (600, 350)],
        "chiba-edge": [(450, 0), (600, 0), (600, 350)],
    },
    rings={
        "tokyo-north": ["north-top", "north-east", "north-west"],
        "tokyo-west": ["-north-west", "west-east", "west-kawasaki", "west-edge"],
        "tokyo-east": ["east-top", "east-chiba", "east-shore", "east-kawasaki", "-west-east", "-north-east"],
        "kawasaki": ["-east-kawasaki", "kawasaki-shore", "kawasaki-yokohama", "kawasaki-edge", "-west-kawasaki"],
        "yokohama": ["-kawasaki-yokohama", "yokohama-shore", "yokohama-south", "yokohama-yokosuka", "yokohama-edge"],
        "yokosuka": ["-yokohama-yokosuka", "yokosuka-shore", "yokosuka-edge"],
        "tokyo-bay-south": ["across-the-bay", "kisarazu-south", "bay-mouth", "-yokosuka-shore", "-yokohama-south"],
        "tokyo-bay-north": [
            *("-east-shore", "chiba-shore", "kisarazu-shore"),
            *("-across-the-bay", "-yokohama-shore", "-kawasaki-shore"),
        ],
        "kisarazu": ["-kisarazu-shore", "-kisarazu-chiba", "-kisarazu-edge", "-kisarazu-south"],
        "chiba": ["chiba-edge", "kisarazu-chiba", "-chiba-shore", "-east-chiba"],
    },
    rooms={
        "tokyo-north": _room(6, 5, 340, 100),
        "tokyo-west": _room(6, 122, 190, 230),
        "tokyo-east": _room(214, 122, 402, 226),
        "kawasaki": _room(6, 245, 246, 344),
        "yokohama": _room(6, 355, 222, 444),
        "yokosuka": _room(6, 457, 218, 555),
        "tokyo-bay-south": _room(268, 426, 394, 555),
        "tokyo-bay-north": _room(310, 266, 440, 374),
        "kisarazu": _room(472, 352, 594, 555),
        "chiba": _room(474, 6, 594, 336),
    },
    water=frozenset({"tokyo-bay-south", "tokyo-bay-north"}),
    rivers=[
        [(310, 0), (322, 40), (300, 92), (312, 150), (304, 200), (318, 246)],
        [(0, 262), (70, 280), (150, 268), (230, 300), (296, 314)],
        [(420, 0), (404, 70), (424, 150), (392, 242)],
    ],
    rose=(560, 296),
)
NAGOYA = Plan(
    arcs={
        "north-edge": [(0, 120), (0, 0), (600, 0), (600, 120)],
        "north-east": [(600, 120), (500, 128), (410, 140)],
        "north-castle": [(410, 140), (300, 148), (190, 140)],
        "north-west": [(190, 140), (90, 126), (0, 120)],
        "west-edge": [(0, 300), (0, 120)],
        "west-castle": [(190, 140), (182, 210), (190, 285)],
        "west-harbor": [(190, 285), (95, 298), (0, 300)],
        "east-edge": [(600, 120), (600, 285)],
        "east-castle": [(410, 140), (418, 200), (410, 265)],
        "east-atsuta": [(600, 285), (500, 274), (410, 265)],
        "castle-atsuta": [(410, 265), (370, 288), (320, 300)],
        "castle-harbor": [(320, 300), (255, 286), (190, 285)],
        "harbor-atsuta": [(320, 300), (334, 356), (330, 420)],
        "harbor-shore": [
            *((330, 420), (312, 438), (288, 420), (262, 424), (246, 446), (214, 440)),
            *((196, 422), (150, 428), (128, 446), (92, 428), (60, 442), (0, 432)),
        ],
        "harbor-edge": [(0, 432), (0, 300)],
        "atsuta-shore": [
            *((330, 420), (352, 436), (392, 430), (414, 452)),
            *((456, 446), (486, 472), (540, 470), (600, 505)),
        ],
        "atsuta-edge": [(600, 285), (600, 505)],
        "bay-mouth": [(600, 505), (600, 560), (0, 560), (0, 432)],
    },
    rings={
        "nagoya-north": ["north-edge", "north-east", "north-castle", "north-west"],
        "nagoya-west": ["-north-west", "west-castle", "west-harbor", "west-edge"],
        "nagoya-east": ["-north-east", "east-edge", "east-atsuta", "-east-castle"],
        "nagoya-castle": ["-north-castle", "east-castle", "castle-atsuta", "castle-harbor", "-west-castle"],
        "nagoya-harbor": ["-west-harbor", "-castle-harbor", "harbor-atsuta", "harbor-shore", "harbor-edge"],
        "atsuta": ["-castle-atsuta", "-east-atsuta", "atsuta-edge", "-atsuta-shore", "-harbor-atsuta"],
        "ise-bay": ["-harbor-shore", "atsuta-shore", "bay-mouth"],
    },
    rooms={
        "nagoya-north": _room(6, 5, 594, 115),
        "nagoya-west": _room(6, 144, 178, 284),
        "nagoya-castle": _room(196, 152, 404, 264),
        "nagoya-east": _room(424, 144, 594, 264),
        "nagoya-harbor": _room(6, 305, 316, 416),
        "atsuta": _room(342, 300, 594, 424),
        "ise-bay": _room(6, 454, 446, 555),
    },
    water=frozenset({"ise-bay"}),
    rivers=[
        [(30, 0), (44, 90), (22, 180), (52, 300), (40, 380), (60, 442)],
        [(600, 60), (470, 40), (330, 70), (160, 58), (120, 130), (160, 220), (132, 330), (150, 428)],
        [(520, 0), (470, 110), (448, 240), (380, 350), (392, 430)],
    ],
    rose=(546, 532),
)
OSAKA_KOBE = Plan(
    arcs={
        "kobe-west-edge": [(0, 250), (0, 0), (150, 0)],
        "kobe-west-kobe": [(150, 0), (146, 120), (140, 232)],
        "kobe-west-shore": [(140, 232), (118, 222), (102, 240), (76, 228), (54, 246), (26, 238), (0, 250)],
        "kobe-edge": [(150, 0), (290, 0)],
        "kobe-nishinomiya": [(290, 0), (294, 110), (285, 212)],
        "kobe-shore": [(285, 212), (262, 226), (236, 214), (214, 226), (196, 214), (168, 234), (140, 232)],
        "nishinomiya-edge": [(290, 0), (410, 0)],
        "nishinomiya-north": [(410, 0), (414, 80), (405, 140)],
        "nishinomiya-harbor": [(405, 140), (360, 195), (320, 240)],
        "nishinomiya-shore": [(320, 240), (308, 222), (285, 212)],
        "north-edge": [(410, 0), (600, 0), (600, 165)],
        "north-castle": [(600, 165), (520, 174), (440, 180)],
        "north-harbor": [(440, 180), (424, 160), (405, 140)],
        "castle-harbor": [(440, 180), (450, 275), (445, 370)],
        "castle-south": [(445, 370), (520, 376), (600, 370)],
        "castle-edge": [(600, 165), (600, 370)],
        "harbor-south": [(445, 370), (380, 382), (310, 390)],
        "harbor-shore": [
            *((310, 390), (296, 368), (318, 352), (312, 334), (286, 322)),
            *((290, 304), (316, 296), (310, 276), (288, 262), (300, 248), (320, 240)),
        ],
        "south-edge": [(600, 370), (600, 560), (262, 560)],
        "south-shore": [(262, 560), (286, 520), (276, 490), (300, 462), (294, 430), (310, 390)],
        "bay-mouth": [(262, 560), (0, 560), (0, 250)],
    },
    rings={
        "kobe-west": ["kobe-west-edge", "kobe-west-kobe", "kobe-west-shore"],
        "kobe": ["kobe-edge", "kobe-nishinomiya", "kobe-shore", "-kobe-west-kobe"],
        "nishinomiya": [
            *("nishinomiya-edge", "nishinomiya-north", "nishinomiya-harbor"),
            *("nishinomiya-shore", "-kobe-nishinomiya"),
        ],
        "osaka-north": ["north-edge", "north-castle", "north-harbor", "-nishinomiya-north"],
        "osaka-castle": ["-north-castle", "castle-edge", "-castle-south", "-castle-harbor"],
        "osaka-harbor": ["-nishinomiya-harbor", "-north-harbor", "castle-harbor", "harbor-south", "harbor-shore"],
        "osaka-south": ["castle-south", "south-edge", "south-shore", "-harbor-south"],
        "osaka-bay": [
            *("-kobe-west-shore", "-kobe-shore", "-nishinomiya-shore"),
            *("-harbor-shore", "-south-shore", "bay-mouth"),
        ],
    },
    rooms={
        "kobe-west": _room(6, 5, 138, 220),
        "kobe": _room(154, 5, 282, 208),
        "nishinomiya": _room(299, 5, 400, 142),
        "osaka-north": _room(421, 5, 594, 154),
        "osaka-castle": _room(456, 184, 594, 366),
        "osaka-harbor": _room(325, 244, 440, 368),
        "osaka-south": _room(316, 392, 594, 555),
        "osaka-bay": _room(6, 256, 266, 546),
    },
    water=frozenset({"osaka-bay"}),
    rivers=[
        [(600, 30), (560, 84), (500, 130), (446, 176), (400, 210), (360, 250), (316, 296)],
        [(240, 0), (250, 110), (236, 214)],
        [(600, 420), (480, 410), (380, 420), (294, 430)],
    ],
    rose=(226, 512),
)
PLANS: Mapping[str, Plan] = {"tokyo": TOKYO, "nagoya": NAGOYA, "osaka-kobe": OSAKA_KOBE}
