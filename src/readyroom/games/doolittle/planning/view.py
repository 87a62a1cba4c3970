"""[13.0.1] The planner's blotter as a captain sees it: everything but the cups, and all that could be chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from readyroom.engine.rules.checks import signed
from readyroom.games.doolittle.figures.common import MONTHS, Month
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.planning import Diplomat, Level, ModificationCard, Track
from readyroom.games.doolittle.piece_views import EliteView, elite_view
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.planning import blotter as notes_of
from readyroom.games.doolittle.planning.blotter import liberty_risk, liberty_words
from readyroom.games.doolittle.planning.state import Blotter
from readyroom.games.doolittle.planning.training import level_words
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage.state import Plan


class TalkView(msgspec.Struct, frozen=True, kw_only=True):
    """[13.1.1, 13.2.1] A row of the calendar: the sum that each month needs, its diplomat, and the markers on it."""

    key: str
    name: str
    asks: str
    needs: Mapping[Month, int]
    placed: str
    briefed: bool
    leader: str
    leader_placed: bool
    leader_briefed: bool
    risk: int
    urgent: int
    granted: bool
    denied: bool
    submarines: int

    @property
    def result(self) -> str:
        """How the talk went, once it is known."""
        return "agreed" if self.granted else "refused" if self.denied else ""


class ModificationView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """[13.3.3] A modification; in the catalogue with its text and its figures."""

    key: str
    box: str
    title: str
    text: str | None = None
    effects: str | None = None


class TrackView(msgspec.Struct, frozen=True, kw_only=True):
    """[13.3.1] The modifications track."""

    modifications: int
    weight: int
    heavy: bool
    guzzle: int
    guns: int
    fuel: int
    armour: str


class MoraleView(msgspec.Struct, frozen=True, kw_only=True):
    """[13.4.3] The track of morale: titles, elite crewmen and training points of its boxes, and the present box."""

    at: int
    boxes: Sequence[tuple[str, int, int]]
    title: str


class TrainingView(msgspec.Struct, frozen=True, kw_only=True):
    """[13.4.4] A training track, its level, and the cost and the effect of each."""

    key: str
    title: str
    used: bool
    level: int
    levels: Sequence[int]
    effects: Sequence[str]
    short: Sequence[str]
    extra: bool


class ShortDeckView(msgspec.Struct, frozen=True, kw_only=True):
    """[13.4.9] The track of the short take-off: its spaces with their mishaps and capacities."""

    space: int
    capacity: int
    extra: bool
    spaces: Sequence[tuple[int, str, int]]


class ElitesView(msgspec.Struct, frozen=True, kw_only=True):
    """[2.3] The elite crewmen who fly with no one yet, and how many are in the cup."""

    aside: Sequence[EliteView]
    cup: int


class FieldView(msgspec.Struct, frozen=True, kw_only=True):
    """[13.2.3, 13.2.4] A landing site in China as it is prepared."""

    key: str
    name: str
    stockpile: int
    beacon: bool
    fuel: int
    groundcrew: int
    taken: bool


class PlanView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """[13.5.1] The naval plan; at sea without the submarines, which are then on the map."""

    rendezvous_area: str
    rendezvous_turn: str
    launch_area: str
    submarines: Mapping[str, str] | None = None
    enterprise: bool
    delayed: bool


NO_PLAN = PlanView(rendezvous_area="", rendezvous_turn="", launch_area="", enterprise=False, delayed=False)


class IncidentsView(msgspec.Struct, frozen=True, kw_only=True):
    """[15.1] The chits that were drawn with their titles and texts, how they went, and how many are in the cup."""

    chits: Sequence[tuple[str, str, str]]
    turns: Sequence[str]
    cup: int


class ChoiceView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """[13.4.1, 13.4.2] A field where the squadron may train, with its training; or a measure, with its morale."""

    key: str
    title: str
    secrecy: int
    training: int | None = None
    morale: int | None = None


class RosterView(msgspec.Struct, frozen=True, kw_only=True):
    """[13.1.2] A bomber of the roster: chosen, still in its hangar, or lost."""

    key: str
    pilot: str
    state: str
    hits: int
    condition: str = msgspec.field(name="words")


class BlotterView(msgspec.Struct, frozen=True, kw_only=True):
    """[13.0.1] The blotter with all its markers, and what is printed on it."""

    month: str
    calendar: Sequence[TalkView]
    month_risk: Mapping[Month, int]
    doolittle: str
    boxes: Mapping[str, str]
    selected: int
    modifications: Sequence[ModificationView]
    track: TrackView
    site: str
    liberty: bool
    measures: Sequence[str]
    morale: MoraleView
    told: bool
    points: int
    training: Sequence[TrainingView]
    deck: ShortDeckView
    elites: ElitesView
    secrecy: int
    risk: Sequence[tuple[str, int]]
    open_risk: Sequence[str]
    diligence: int
    repairs: int
    china: Sequence[FieldView]
    plan: PlanView | None
    incidents: IncidentsView
    catalogue: Sequence[ModificationView]
    liberty_effects: str
    told_effects: str
    sites: Sequence[ChoiceView]
    all_measures: Sequence[ChoiceView]
    areas: Sequence[tuple[str, str]]
    turns: Sequence[str]
    diligence_most: int
    bombers: Sequence[RosterView]


def blotter_view(state: Doolittle, data: Data) -> BlotterView | None:
    """[13.0.1] Return the blotter; only in the campaign."""
    notes, training, figures = state.blotter, data.training, data.embarkation
    if notes is None:
        return None
    made, morale = notes_of.made_modifications(state, data), notes_of.morale_box(state, data)
    kinds = data.incidents.chits.kind
    return BlotterView(
        month=notes.month,
        calendar=[_talk_view(state, data, diplomat) for diplomat in data.planning.calendar.row],
        month_risk=dict(data.planning.calendar.risk),
        doolittle=notes.doolittle,
        boxes={month: card.text for month, card in data.planning.doolittle.box.items()},
        selected=notes.selected,
        modifications=[ModificationView(key=one.key, box=one.box, title=one.title) for one in made],
        track=TrackView(
            modifications=len(notes.modifications),
            weight=notes_of.bomber_weight(state, data),
            heavy=notes_of.is_heavy(state, data),
            guzzle=state.ratings.guzzle,
            guns=state.ratings.gunnery,
            fuel=state.ratings.fuel,
            armour=state.armour,
        ),
        site=training.sites.site[notes.site].title if notes.site else "",
        liberty=notes.liberty,
        measures=[training.measures.measure[key].title for key in notes.measures],
        morale=MoraleView(
            at=training.morale.box.index(morale),
            boxes=[(box.title, box.elites, box.training) for box in training.morale.box],
            title=morale.title,
        ),
        told=notes.squadron_briefed,
        points=notes.points,
        training=[_training_view(notes, key, track) for key, track in training.training.track.items()],
        deck=ShortDeckView(
            space=notes.deck,
            capacity=notes_of.deck_capacity(state, data),
            extra=notes_of.DECK in notes.extra,
            spaces=[(one.space, one.mishaps, one.capacity) for one in training.short_take_off.space],
        ),
        elites=_elites_view(notes, data),
        secrecy=notes_of.secrecy_dice(state, data),
        risk=list(notes_of.fixed_risks(state, data)),
        open_risk=_open_risk(state, data),
        diligence=notes.diligence,
        repairs=notes.repairs,
        china=_field_views(state, data),
        plan=plan_view(state.plan, submarines=True),
        incidents=IncidentsView(
            chits=[(kind, kinds[kind].title, kinds[kind].text) for kind in notes.chits],
            turns=list(notes.turns),
            cup=len(state.cups[notes_of.CHITS].contents) if notes_of.CHITS in state.cups else 0,
        ),
        catalogue=[
            ModificationView(key=one.key, box=one.box, title=one.title, text=one.text, effects=effects(one))
            for one in data.modifications.modifications.modification
        ],
        liberty_effects=f"morale {signed(training.sites.liberty_morale)}, risk {liberty_risk(data)}",
        told_effects=f"morale {signed(training.morale.briefed)}, risk {signed(figures.risk.squadron_briefed)}",
        sites=[
            ChoiceView(key=key, title=one.title, secrecy=one.secrecy, training=one.training)
            for key, one in training.sites.site.items()
        ],
        all_measures=[
            ChoiceView(key=key, title=one.title, secrecy=one.secrecy, morale=one.morale)
            for key, one in training.measures.measure.items()
        ],
        areas=[(area.key, area.name) for area in data.sea.areas.area],
        turns=list(data.sea.turns.turn),
        diligence_most=figures.crane.diligence_most,
        bombers=list(roster(state, data)),
    )


def _talk_view(state: Doolittle, data: Data, diplomat: Diplomat) -> TalkView:
    """[13.1.1, 13.2.1, 13.5.6] Return a row of the calendar; its month and each marker on it add to the risk."""
    row, talks, placed = data.planning.calendar.row[diplomat], state.talks, state.notes.calendar.get(diplomat)
    leader, urgent = row.leader.lower(), talks.urgent.get(diplomat, 0)
    markers = sum(one in talks.briefed for one in (diplomat, leader)) + (leader in talks.leaders) + urgent
    month_risk = data.planning.calendar.risk[placed] if placed else 0
    return TalkView(
        key=diplomat,
        name=row.name,
        asks=row.asks,
        needs={month: row.needs[month] for month in MONTHS if month in row.needs},
        placed=placed or "",
        briefed=diplomat in talks.briefed,
        leader=row.leader,
        leader_placed=leader in talks.leaders,
        leader_briefed=leader in talks.briefed,
        risk=month_risk + data.embarkation.risk.marker * markers,
        urgent=urgent,
        granted=diplomat in talks.granted,
        denied=diplomat in talks.denied,
        submarines=talks.submarines if not row.leader else 0,
    )


def _open_risk(state: Doolittle, data: Data) -> list[str]:
    """[13.5.6] Return the risks that dice will add in April, as far as they are known to come."""
    notes, late = state.notes, state.plan is not None and state.plan.delayed
    liberty = liberty_words(state, data, notes.site, settled=True).removeprefix("risk ")
    names = [f"liberty {liberty}"] if notes.liberty else []
    names += ["the telephone"] if notes.doolittle == notes_of.TELEPHONE else []
    names += ["the attacks in China"] if state.sky.taken and "stilwell" in notes.calendar else []
    return [*names, *(["the delay"] if late else [])]


def _training_view(notes: Blotter, key: str, track: Track) -> TrainingView:
    """[13.4.4] Return a training track."""
    return TrainingView(
        key=key,
        title=track.title,
        used=(not track.needs or track.needs in notes.modifications) and track.unless not in notes.modifications,
        level=notes.training.get(key, 0),
        levels=[level.cost for level in track.level],
        effects=[level_words(track, level) for level in track.level],
        short=[_short(track, level) for level in track.level],
        extra=key in notes.extra,
    )


def _short(track: Track, level: Level) -> str:
    """[13.4.5 to 13.4.8] Return the ratings of a level, as the track prints them."""
    light = "night" if track.category == "night" else "day"
    named = [("guns +{}", level.gunnery), ("evasion {}", level.evasion), ("pilots +{}", level.elite_evasion)]
    named += [(f"{light} +{{}}", level.navigation), ("evasion +{}", level.night_evasion)]
    return ", ".join(text.format(value) for text, value in named if value)


def _elites_view(notes: Blotter, data: Data) -> ElitesView:
    """[2.3] Return the elite crewmen who have been drawn, each with his key and the text of his benefit."""
    aside = []
    for man in notes.aside:
        benefit = data.bombers.benefits[data.bombers.crewmen[man.key].benefit]
        aside.append(msgspec.structs.replace(elite_view(data, man.key), key=man.key, text=benefit.text))
    return ElitesView(aside=aside, cup=len(notes.men.contents))


def _field_views(state: Doolittle, data: Data) -> list[FieldView]:
    """[13.2.3, 13.2.4] Return the landing sites in China."""
    sky = state.sky
    return [
        FieldView(
            key=site.key,
            name=site.name,
            stockpile=site.stockpile,
            beacon=site.key in sky.beacons,
            fuel=sky.stock.get(site.key, 0),
            groundcrew=sky.groundcrews.get(site.key, 0),
            taken=site.key in sky.taken,
        )
        for site in data.flight.sites_in("china")
    ]


def plan_view(plan: Plan | None, *, submarines: bool) -> PlanView | None:
    """[13.5.1] Return the naval plan, if there is one, with or without the submarines."""
    if plan is None:
        return None
    view = msgspec.convert(plan, PlanView, from_attributes=True)
    return view if submarines else msgspec.structs.replace(view, submarines=None)


def effects(card: ModificationCard) -> str:
    """[13.3.3] Describe the figures of a modification's marker."""
    named = (("weight", card.weight), ("guns", card.gunnery), ("training", card.training), ("morale", card.morale))
    parts = [f"{name} {signed(value)}" for name, value in named if value]
    parts += [f"{card.fuel} fuel"] if card.fuel else []
    return ", ".join([*parts, *([f"blast {card.box_blast}"] if card.box_blast else [])])


def roster(state: Doolittle, data: Data) -> Iterator[RosterView]:
    """[13.1.2] Yield all bombers in the order of the roster."""
    hangar = state.blotter.hangar if state.blotter is not None else {}
    for card in data.bombers.roster.bomber:
        bomber = state.squad.get(card.key) or hangar.get(card.key)
        if bomber is None:
            continue
        chosen, lost = card.key in state.squad, bool(bomber.fate)
        text = "wrecked" if lost else _condition(data, bomber) if chosen else "in the hangar"
        kind = "lost" if lost else "chosen" if chosen else "hangar"
        yield RosterView(key=card.key, pilot=card.pilot, state=kind, hits=bomber.hits, condition=text)


def _condition(data: Data, bomber: Bomber) -> str:
    """Describe a bomber: its elite crewman, damage, hazards of the transit."""
    transit = data.embarkation.cup.markers
    parts = [f"★ {data.bombers.crewmen[bomber.elite.key].name}"] if bomber.elite else []
    parts += ["damaged"] if bomber.hits else []
    parts += [transit[one.key].title.lower() for one in bomber.markers if one.key in transit]
    return ", ".join(parts) or "ready"
