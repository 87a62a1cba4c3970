"""[7, 15.2] The Japanese sheets: the day, the waves with their entry turns and units, and the message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import msgspec

from readyroom.engine.rules.decisions import Option, Unavailable
from readyroom.engine.rules.table import Choice
from readyroom.engine.text import capitalize_first
from readyroom.games.tora.figures import JAPAN, AirType, Data
from readyroom.games.tora.plans import cipher
from readyroom.games.tora.plans.data import ORDNANCE_TITLES, Group, JapanesePlan, Ordnance, WaveOrder
from readyroom.games.tora.plans.sheets import Note, forget
from readyroom.games.tora.plans.validation import available, day_name, days, ordnance_error
from readyroom.games.tora.state import T

DAY, WAVES, TURN, WAVE, MESSAGE, CIPHER, KEY = "day", "waves", "turn", "wave", "message", "cipher", "key"
"""Piece keys of the questions; `turn:2` and `wave:2:kate` name the wave and the type."""


def plan_attack(table: T, seat: str, started: JapanesePlan | None = None, note: Note = forget) -> Choice[JapanesePlan]:
    """[7] Make the attack plan; if day and message have been sent already, the rest of it."""
    plan = started or (yield from plan_day(table, seat, note))
    note(day=plan.day, wave=())
    waves = yield from _plan_waves(table, seat, plan, note)
    return msgspec.structs.replace(plan, wave=tuple(waves))


def plan_day(table: T, seat: str, note: Note = forget) -> Choice[JapanesePlan]:
    """[7.1, 15.2] Choose the day and, by option, the message that names it; the plan has no waves yet."""
    data = table.data
    day = yield from table.choose(
        seat,
        "7.1",
        "On which day do you attack?",
        [Option(f"day-{day}", day_name(data, day), day) for day in days(data)],
        piece_key=DAY,
    )
    plan = JapanesePlan(day.value, ())
    note(day=plan.day, wave=())
    if table.state.rulings.cipher == "yes":
        plan = yield from plan_message(table, seat, plan)
    return plan


def _plan_waves(table: T, seat: str, started: JapanesePlan, note: Note) -> Choice[list[WaveOrder]]:
    """[7.3] Choose the number of waves, and for each its entry turn and units."""
    most = min(table.state.rulings.waves_max, table.data.air.limits.waves)
    titles = {1: "one wave", 2: "two waves", 3: "three waves"}
    count = yield from table.choose(
        seat,
        "7.3",
        "How many waves do you send?",
        [Option(str(number), titles[number], number) for number in range(1, most + 1)],
        unavailable=partial(gone_out, started, table.data) if started.message else None,
        piece_key=WAVES,
    )
    waves: list[WaveOrder] = []
    for number in range(1, count.value + 1):
        turn = yield from _plan_turn(table, seat, number, count.value, waves)

        def note_groups(groups: list[Group], turn: int = turn) -> None:
            note(wave=(*waves, WaveOrder(turn, tuple(groups))))

        groups = yield from _plan_groups(table, seat, number, waves, note_groups)
        waves.append(WaveOrder(turn, tuple(groups)))
    return waves


def _plan_turn(table: T, seat: str, number: int, count: int, waves: list[WaveOrder]) -> Choice[int]:
    """[7.3, 8.1] Wave 1 enters on turn 1; a later one on any turn after the wave before it (T6)."""
    figures = table.data.planning.waves
    if number == 1:
        return figures.first_turn
    last, default = figures.last_turn - (count - number), figures.later_turns[number - 2]
    chosen = yield from table.choose(
        seat,
        "7.3",
        f"On which turn does wave {number} enter (if there is room)?",
        [
            Option(f"turn-{turn}", f"turn {turn}{' (default)' if turn == default else ''}", turn)
            for turn in range(waves[-1].turn + 1, last + 1)
        ],
        piece_key=f"{TURN}:{number}",
    )
    return int(chosen.value)


def group_key(type: str, sector: str, ordnance: Ordnance) -> str:
    """Return the option key of a group: type, sector, and ordnance if any."""
    return f"{type}-{sector}" if ordnance is Ordnance.NONE else f"{type}-{sector}-{ordnance.value}"


def _plan_groups(
    table: T, seat: str, number: int, waves: list[WaveOrder], note_groups: Callable[[list[Group]], None]
) -> Choice[list[Group]]:
    """[7.2, 7.3, 7.4] Choose a wave's units type by type, with sector and ordnance; at most 48 in all."""
    groups: list[Group] = []
    types = table.data.air.of(JAPAN)
    for each in types:
        room = table.data.air.limits.wave_units - sum(group.units for group in groups)
        left = min(room, available(each, [wave.of(each.key) for wave in waves]))
        later = types[types.index(each) + 1 :]
        last = not any(available(other, [wave.of(other.key) for wave in waves]) for other in later)
        chosen = yield from table.choose_some(
            seat,
            "7.3",
            f"Wave {number}: how many {each.title} units fly, from which sector, with what ordnance? At most {left}.",
            _group_options(table.data, each),
            at_least=1 if last and not groups else 0,
            at_most=left,
            limit=lambda option, left=left: left,  # type: ignore[misc]
            unavailable=partial(_not_carried, table.data, each),
            piece_key=f"{WAVE}:{number}:{each.key}",
        )
        counted = Counter(option.key for option in chosen)
        options = {option.key: option.value for option in chosen}
        groups += [msgspec.structs.replace(options[key], units=units) for key, units in counted.items()]
        note_groups(groups)
    return groups


def _group_options(data: Data, each: AirType) -> list[Option]:
    carried = [Ordnance(name) for name in each.ordnance] or [Ordnance.NONE]
    return [
        Option(
            group_key(each.key, sector, ordnance),
            f"{each.title} from {sector}{ordnance.phrase}",
            Group(sector, each.key, 1, ordnance),
            cell=(sector, each.title if ordnance is Ordnance.NONE else capitalize_first(ORDNANCE_TITLES[ordnance])),
        )
        for sector in data.places.sectors
        for ordnance in carried
    ]


def _not_carried(data: Data, each: AirType) -> Iterator[Unavailable]:
    """[7.4] Yield the ordnance that a type does not carry."""
    others = [load for load in Ordnance if load.value not in each.ordnance and load is not Ordnance.NONE]
    for sector in data.places.sectors:
        for load in others:
            text = f"{each.title} from {sector}{load.phrase}"
            yield Unavailable(group_key(each.key, sector, load), text, "7.4", ordnance_error(each, load))


def plan_message(table: T, seat: str, plan: JapanesePlan) -> Choice[JapanesePlan]:
    """[15.2] Choose the message, which spells the date, its cipher and key (T28)."""
    texts = cipher.plaintexts(plan.day)
    text = yield from table.choose(
        seat,
        "15.2",
        "Which message do you send?",
        [Option(f"text-{number}", plain, plain) for number, plain in enumerate(texts, start=1)],
        piece_key=MESSAGE,
    )
    way = yield from table.choose(
        seat,
        "15.2",
        "In which cipher?",
        [Option(key, f"{each.title}: {each.text}") for key, each in cipher.CIPHERS.items()],
        piece_key=CIPHER,
    )
    key = yield from table.choose(
        seat,
        "15.2",
        "With which key?",
        [Option(_key_of(key), key or "without a key", key) for key in cipher.KEYS[way.key]],
        piece_key=KEY,
    )
    return msgspec.structs.replace(plan, message=text.value, cipher=way.key, key=key.value)


def _key_of(key: str) -> str:
    return key.lower() or "none"


def sent_keys(plan: JapanesePlan) -> dict[str, str]:
    """[15.2] Return what a plan sends, entry by entry, as keys of `gone_out`."""
    keys = {"day": f"day-{plan.day}"}
    if plan.message:
        text = cipher.offered(plan.message, plan.day)
        keys |= {"message": f"text-{text}", "cipher": f"cipher-{plan.cipher}", "key": f"key-{_key_of(plan.key)}"}
    return keys


def gone_out(sent: JapanesePlan, data: Data) -> Iterator[Unavailable]:
    """[15.2] Yield the options ruled out once a day and a message have been sent (T28)."""
    known = {f"day-{day}": day_name(data, day) for day in days(data)}
    known |= {f"text-{number}": text for number, text in enumerate(cipher.plaintexts(sent.day), start=1)}
    known |= {f"cipher-{key}": f"{each.title} cipher" for key, each in cipher.CIPHERS.items()}
    known |= {f"key-{_key_of(key)}": f"Key {key}" for key in cipher.KEYS[sent.cipher]}
    reason = f"The message naming {day_name(data, sent.day)} has been sent and cannot be changed."
    sent_already = set(sent_keys(sent).values())
    for key, text in known.items():
        if key not in sent_already:
            yield Unavailable(key, text, "T28", reason)


def attack_answer(plan: JapanesePlan, data: Data, about: str) -> list[str] | None:
    """Return a plan's answer to a question of the Japanese sheets as keys, None for others and for waves it lacks.

    A plan without a message sends the first on offer, in the first cipher.
    """
    kind, _, rest = about.partition(":")
    if kind in (TURN, WAVE) and int(rest.partition(":")[0]) > len(plan.wave):
        return None
    if kind == DAY:
        return [f"day-{plan.day}"]
    if kind == WAVES:
        return [str(len(plan.wave))]
    if kind == TURN:
        return [f"turn-{plan.wave[int(rest) - 1].turn}"]
    if kind == WAVE:
        number, _, type_ = rest.partition(":")
        groups = [group for group in plan.wave[int(number) - 1].group if group.type == type_]
        return [group_key(type_, group.sector, group.ordnance) for group in groups for _ in range(group.units)]
    if kind == MESSAGE:
        return [f"text-{cipher.offered(plan.message, plan.day) or 1}"]
    way = plan.cipher or next(iter(cipher.CIPHERS))
    if kind == CIPHER:
        return [way]
    if kind != KEY:
        return None
    return [_key_of(plan.key if plan.key in cipher.KEYS[way] else cipher.KEYS[way][0])]
