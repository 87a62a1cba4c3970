"""[1.9] The raid in the letter of one of the flyers; if none comes home, another writes it."""

from __future__ import annotations

from collections.abc import Iterator

from readyroom.engine.text import capitalize_first
from readyroom.games.doolittle import names
from readyroom.games.doolittle.ending import facts
from readyroom.games.doolittle.ending.story import Page, Sentence, Story
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.state import CALLED_OFF, Happening

ENDS = ("chungking", "rescued", "released", "home", "interned", "captured")
"""The fates of crews that can write, those first whose letters are the best."""
DOWN = ("landed", "crashed", "ditched")
"""[2.1, 14.1.2] What became of bombers whose crews can write, as long as nothing more is known of them."""


def letter(teller: Story) -> Page:
    """Return the letter: of a crew that lives, if there is one; of the chaplain, or of a sailor."""
    if teller.off or not teller.flew():
        return _write_from_deck(teller)
    writer = _writer(teller)
    if writer is None:
        return _write_from_chaplain(teller)
    bomber, end = writer
    landing = [*_write_flight(teller, bomber, down=True), _say(teller, f"end-{end}", _ref(teller, bomber))]
    parts = [list(_write_opening(teller, bomber, end)), list(_write_flight(teller, bomber, down=False)), landing]
    heading = Sentence(_greeting(teller, "home"), [_ref(teller, bomber)])
    return Page("letter", heading, [one for one in parts if one], _signature(teller, bomber))


def _say(teller: Story, key: str, *of: str, at: int = 0, **texts: str) -> Sentence:
    """Return a sentence of the letter; if there are several versions, each event takes its own."""
    known = teller.data.debriefing.tales.letter[key]
    text = known if isinstance(known, str) else known[at % len(known)]
    return Sentence(capitalize_first(text.format(**texts)), of)


def _greeting(teller: Story, key: str, **texts: str) -> str:
    return str(teller.data.debriefing.tales.letter[key]).format(**texts)


def _ref(teller: Story, bomber: Bomber) -> str:
    """Return the subjects of a bomber's crew: its own marker, or the bomber."""
    return f"{'crew' if facts.crew_of(teller.state, bomber.key) else 'bomber'} {bomber.key}"


def _writer(teller: Story) -> tuple[Bomber, str] | None:
    """Return the bomber whose crew has most to report, of those whose crews can write; first of those who are free."""
    ends = list[tuple[Bomber, str]]()
    for bomber in facts.flown_bombers(teller.state):
        end = facts.crew_fate(teller.state, bomber) or (bomber.fate if bomber.fate in DOWN else "")
        ends.append((bomber, end))
    for kinds in (ENDS[:4], DOWN, ENDS[4:5], ENDS[5:]):
        able = [(bomber, end) for bomber, end in ends if end in kinds]
        if able:
            return max(able, key=lambda one: len(_own_happenings(teller, one[0])))
    return None


def _own_happenings(teller: Story, bomber: Bomber) -> list[tuple[int, Happening]]:
    """Return the happenings of a bomber, and those of the flight that it flew in when they happened."""
    flight = teller.state.find_flight(bomber.key)
    keys = {bomber.key} | ({flight.key} if flight else set())
    bombed = {one.where for _, one in teller.of(("hit", "missed", "area"), bomber.key)}
    result = []
    over = max((at for at, one in enumerate(teller.state.story) if one.who == bomber.key), default=-1)
    for at, one in enumerate(teller.state.story):
        if at > over:
            break
        if one.who in keys or (one.what == "attack" and _is_in_city(teller, one.where, bombed)):
            result.append((at, one))
    down = next((at for at, one in result if one.who == bomber.key and one.what in DOWN), over)
    return _first_attacks([(at, one) for at, one in result if one.who == bomber.key or at <= down])


def _is_in_city(teller: Story, city: str, bombed: set[str]) -> bool:
    """Return whether one of these places is in a city."""
    maps = teller.data.targets.maps.get(city)
    return maps is not None and any(one in maps.boxes or one in maps.areas for one in bombed)


def _first_attacks(result: list[tuple[int, Happening]]) -> list[tuple[int, Happening]]:
    """Return each attack on a city once."""
    seen, kept = set(), []
    for at, one in result:
        if one.what != "attack" or one.where not in seen:
            kept.append((at, one))
            seen.add(one.where)
    return kept


def _write_opening(teller: Story, bomber: Bomber, end: str) -> Iterator[Sentence]:
    """Yield where he writes from, and how it began."""
    yield _say(teller, f"open-{end}", _ref(teller, bomber))
    kind = facts.launch_kind(teller.state, teller.data)
    if kind in ("planned", "emergency"):
        yield _say(teller, kind, "launch", at=len(bomber.key + bomber.where))


def _write_flight(teller: Story, bomber: Bomber, *, down: bool) -> Iterator[Sentence]:
    """Yield what happened to the crew, in order: on the way and over the city, or, `down`, at its end and after it."""
    known = teller.data.debriefing.tales.letter
    for at, one in _own_happenings(teller, bomber):
        if one.segment != "planning" and one.what in known and (one.what in _DOWNWARD) == down:
            yield _sentence(teller, at, one)


_DOWNWARD = (
    *("found", "landed", "crashed", "ditched", "captured"),
    *("on-foot", "saved", "wrecked", "interned", "close-call"),
)
"""What belongs to the end of the flight, and to what came after it."""


def _sentence(teller: Story, at: int, one: Happening) -> Sentence:
    place = names.place_name(teller.data, one.where)
    box = f"the {place}" if any(one.where in maps.boxes for maps in teller.data.targets.maps.values()) else place
    texts = {"city": place, "site": place, "area": place, "box": box, "by": teller.by(one.where), "story": ""}
    if one.what == "close-call":
        texts["story"] = teller.data.denouement.close_call.cell(int(one.where), "story")
    return _say(teller, one.what, f"story {at}", at=at, **texts)


def _signature(teller: Story, bomber: Bomber) -> str:
    """Return the signature: an elite crewman's name, or the pilot's."""
    crew = facts.crew_of(teller.state, bomber.key)
    men = crew.elites if crew else [bomber.elite] if bomber.elite else []
    pilot = names.pilot_name(teller.data, bomber.key)
    for man in men:
        card = teller.data.bombers.crewmen[man.key]
        if card.name != pilot:
            return _greeting(teller, "sign-man", man=card.name, role=card.role, pilot=pilot)
    return _greeting(teller, "sign", pilot=pilot)


def _write_from_deck(teller: Story) -> Page:
    """[12.0.1, 15.1.2] Return the letter of a sailor or a grounded airman, if no one flew."""
    refs = teller.refs(CALLED_OFF) if teller.off else ["fact launched"]
    if teller.off:
        sentences = [_say(teller, "open-off", *refs), _say(teller, "end-off", *refs)]
    else:
        sentences = [_say(teller, key, *refs, at=1) for key in ("open-sailor", "kept", "end-sailor")]
    return Page("letter", Sentence(_greeting(teller, "sailor"), refs), [sentences], _greeting(teller, "sign-sailor"))


def _write_from_chaplain(teller: Story) -> Page:
    """Return the chaplain's letter, if no one is left to write."""
    bomber = max(facts.flown_bombers(teller.state), key=lambda one: len(_own_happenings(teller, one)))
    ref = _ref(teller, bomber)
    sentences = [_say(teller, "open-lost", ref)]
    for at, one in teller.of("destroyed", bomber.key):
        sentences.append(_say(teller, "destroyed", f"story {at}", at=at, by=teller.by(one.where)))
    fate = facts.crew_fate(teller.state, bomber)
    sentences.append(_say(teller, "end-missing" if fate == "missing" else "end-killed", ref))
    greeting = _greeting(teller, "mother", pilot=names.pilot_name(teller.data, bomber.key))
    return Page("letter", Sentence(greeting, [ref]), [sentences], _greeting(teller, "sign-chaplain"))
