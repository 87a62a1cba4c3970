"""[13.0.1, 13.5.6] The totals of the blotter: weight, ratings, morale, training points, dice of secrecy, and risk."""

from __future__ import annotations

from msgspec.structs import replace

from readyroom.engine.rules.checks import Modifiers, nonzero_modifiers, signed
from readyroom.engine.rules.cups import Cup
from readyroom.games.doolittle.figures.attack import Squadron
from readyroom.games.doolittle.figures.common import MONTHS, Month, covering
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.planning import Diplomat, ModificationCard, MoraleBox
from readyroom.games.doolittle.pieces import Bomber, EliteMan, Marker
from readyroom.games.doolittle.planning.state import Blotter
from readyroom.games.doolittle.state import Doolittle

RADIO, NORDEN, MARK_TWAIN = "radio-removed", "norden-removed", "mark-twain"
PROPELLERS, DE_ICERS = "propellers", "de-icers"
TELEPHONE, FBI, QUARANTINE = "telephone", "fbi", "quarantine"
TURRETS = 2
"""The turrets of a bomber: one on top, one below."""
DECK = "short-take-off"
"""The name of the fifth category of training, which has a track of its own."""
CHITS = "chits"
"""The cup of incidents; those of later months lie in cups of their own until then."""


def set_up(state: Doolittle, data: Data) -> None:
    """[13.0.1, 15.1] Set up the blotter: bombers in the hangar, elite crewmen in a cup, chits by month."""
    men = Cup([EliteMan(key=card.key) for card in data.bombers.elites.elite])
    state.blotter = Blotter({key: Bomber(key=key) for key in data.bombers.cards}, men)
    state.ratings = data.bombers.factory
    state.security.value = data.security.track.value_min
    if state.rulings.incidents == "yes":
        state.cups[CHITS] = Cup([])
        for month in MONTHS:
            name = f"{CHITS}-{month}"
            keys = [key for key in data.incidents.chits.markers if key.startswith(f"{name}-")]
            state.cups[name] = Cup([Marker(key=key) for key in keys])


def has_doolittle(state: Doolittle, month: Month) -> bool:
    """[13.1.1, DR74] Return whether Doolittle is in a month's box; by telephone he counts as in each of them."""
    return state.notes.doolittle in (month, TELEPHONE)


def made_modifications(state: Doolittle, data: Data) -> list[ModificationCard]:
    """[13.3.1] Return the modifications that were made, each step by itself."""
    return [data.modifications.cards[key] for key in state.notes.modifications]


def bomber_weight(state: Doolittle, data: Data) -> int:
    """[13.3.2, DR75, DR76] Return what a bomber weighs."""
    figures = data.modifications.factory
    return max(figures.weight_min, figures.weight + sum(card.weight for card in made_modifications(state, data)))


def is_heavy(state: Doolittle, data: Data) -> bool:
    """[13.4.9] Return whether the weight marker is in the heavy part of its track."""
    return bomber_weight(state, data) >= data.modifications.factory.heavy_from


def squadron_ratings(state: Doolittle, data: Data) -> Squadron:
    """[13.3.2, 13.3.3, 13.4.4] Return the ratings of the squadron after modifications, training and damage."""
    made, plain = state.notes.modifications, data.bombers.factory
    changes = made_modifications(state, data)
    guns = data.modifications.factory.guns + sum(card.gunnery for card in changes)
    return replace(
        plain,
        gunnery=max(0, guns + trained_rating(state, data, "gunnery", "gunnery")),
        evasion=trained_rating(state, data, "hedgehopping", "evasion"),
        elite_evasion=trained_rating(state, data, "hedgehopping", "elite_evasion"),
        night_evasion=trained_rating(state, data, "night", "night_evasion"),
        navigation={
            "day": trained_rating(state, data, "navigation", "navigation"),
            "night": trained_rating(state, data, "night", "navigation"),
        },
        guzzle=data.modifications.guzzle.at(bomber_weight(state, data)) + state.notes.carburetors,
        fuel=max([plain.fuel, *(card.fuel for card in changes)]),
        norden=NORDEN not in made,
        mark_twain=MARK_TWAIN in made,
        radio=RADIO not in made,
        de_icers=DE_ICERS in made,
        extra_ordnance=any(card.box_blast for card in changes),
    )


def trained_rating(state: Doolittle, data: Data, category: str, rating: str) -> int:
    """[13.4.4, DR77] Return a rating from training in a category; none without a level."""
    for key, level in state.notes.training.items():
        track = data.training.training.track[key]
        if track.category == category:
            return int(getattr(track.level[level - 1], rating))
    return 0


def morale_shift(state: Doolittle, data: Data) -> int:
    """[13.4.3] Return morale with all shifts, as if its track had no end."""
    blotter, figures = state.notes, data.training
    shifts = [card.morale for card in made_modifications(state, data)]
    shifts += [figures.measures.measure[key].morale for key in blotter.measures]
    shifts.append(figures.sites.liberty_morale if blotter.liberty else 0)
    shifts.append(figures.morale.briefed if blotter.squadron_briefed else 0)
    shifts.append(figures.morale.doolittle if has_doolittle(state, "march") else 0)
    return figures.morale.start + sum(shifts)


def morale_box(state: Doolittle, data: Data) -> MoraleBox:
    """[13.4.3] Return the box of the morale track."""
    boxes = data.training.morale.box
    return boxes[max(0, min(len(boxes) - 1, morale_shift(state, data)))]


def training_points(state: Doolittle, data: Data) -> int:
    """[13.4.4] Return the training points that morale, the field and modifications give."""
    site = data.training.sites.site.get(state.notes.site)
    given = morale_box(state, data).training + (site.training if site else 0)
    return max(0, given + sum(card.training for card in made_modifications(state, data)))


def deck_capacity(state: Doolittle, data: Data) -> int:
    """[13.4.9] Return how many bombers may go aboard, by the track of the short take-off."""
    figures = data.training.short_take_off
    return next((one.capacity for one in figures.space if one.space == state.notes.deck), figures.untrained)


def secrecy_dice(state: Doolittle, data: Data) -> int:
    """[13.5.6] Return the secrecy value: dice of the field, of the measures, and of a small squadron."""
    blotter, figures = state.notes, data.training
    dice = sum(figures.measures.measure[key].secrecy for key in blotter.measures)
    dice += figures.sites.site[blotter.site].secrecy if blotter.site else 0
    if 0 < blotter.selected <= data.embarkation.risk.few_bombers:
        dice += data.embarkation.risk.few_dice
    return min(data.security.track.value_max, dice)


def fixed_risks(state: Doolittle, data: Data) -> list[tuple[str, int]]:
    """[13.5.6] Return what is added to the risk for certain, by its name."""
    blotter, talks, figures = state.notes, state.talks, data.embarkation.risk
    calendar = sum(data.planning.calendar.risk[month] for month in blotter.calendar.values())
    markers = len(talks.briefed) + len(talks.leaders) + sum(talks.urgent.values())
    named = [
        ("diplomats", calendar),
        ("markers on the calendar", figures.marker * markers),
        ("the squadron was informed", figures.squadron_briefed if blotter.squadron_briefed else 0),
        ("extra training", figures.extra * len(blotter.extra)),
    ]
    return [(name, value) for name, value in named if value]


LIBERTY = "liberty"


def squadron_size_modifier(state: Doolittle, rows: dict[str, int]) -> tuple[str, int]:
    """[13.5.6] Return the modifier for the number of bombers selected."""
    number = state.notes.selected
    names = covering(rows, number)
    return f"{number} bombers", rows[names[0]] if names else 0


def liberty_modifiers(state: Doolittle, data: Data, site: str, *, fbi: bool) -> Modifiers:
    """[13.5.6] Return the modifiers of liberty's risk: the field, the number of bombers, and the F.B.I."""
    figures, card = data.embarkation.variable, data.training.sites.site.get(site)
    return [
        (card.title if card else "", figures.liberty_site.get(site, 0)),
        squadron_size_modifier(state, figures.liberty_bombers),
        ("F.B.I.", figures.liberty_fbi * fbi),
    ]


def liberty_risk(data: Data) -> str:
    """[13.5.6] Return the risk that liberty adds, from the least number of its column to the most."""
    low, high = risk_range(data, LIBERTY)
    return f"+{low} to +{high}"


def risk_range(data: Data, category: str) -> tuple[int, int]:
    """[13.5.6] Return the least and the largest risk in a column of the variable risks."""
    chart = data.embarkation.risk_chart
    risks = [int(cells[chart.columns.index(category)]) for cells in chart.rows.values()]
    return min(risks), max(risks)


def liberty_words(state: Doolittle, data: Data, site: str, *, settled: bool = False) -> str:
    """[13.5.6] Return the range and average of liberty's risk in April, and with the F.B.I. if it may come."""
    watched = FBI in state.notes.measures
    text = _risk(state, data, site, fbi=watched)
    if watched or settled:
        return text
    return f"{text} (with the F.B.I. {_risk(state, data, site, fbi=True)})"


def _risk(state: Doolittle, data: Data, site: str, *, fbi: bool) -> str:
    modifiers = nonzero_modifiers(liberty_modifiers(state, data, site, fbi=fbi))
    chances = data.embarkation.risk_chart.odds(LIBERTY, modifiers)
    values = sorted(int(cell) for cell, chance in chances.items() if chance)
    mean = float(sum(int(cell) * chance for cell, chance in chances.items()))
    return f"risk +{values[0]} to +{values[-1]}, {mean:.1f} on average"


def refusal_words(state: Doolittle, data: Data, diplomat: Diplomat, briefed: tuple[str, ...] = ()) -> str:
    """[13.2.2, 13.2.3, 13.5.6] Return the cost of a first refusal: the leader's marker, its risk, and later talks."""
    row = data.planning.calendar.row[diplomat]
    leader = row.leader.lower()
    if not leader or diplomat in state.talks.denied:
        return ""
    fresh = leader not in state.talks.leaders and leader not in briefed
    risk = f"risk +{data.embarkation.risk.marker}, " if fresh else ""
    return f"refused: {risk}{row.leader} {signed(row.denied)} in later talks"
