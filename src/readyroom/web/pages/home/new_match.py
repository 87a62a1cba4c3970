"""The form of a new match: read, validated field by field, and kept on errors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from litestar.datastructures import FormMultiDict, UploadFile

from readyroom.bots import default_bot
from readyroom.engine.errors import InvalidData, ReadyRoomError
from readyroom.engine.game import GameOption, Scenario, Seat
from readyroom.store import Pace, SeatAssignment
from readyroom.store.clock import CHOICES
from readyroom.store.limits import WORDS_LENGTH
from readyroom.web import catalog

OWN = "own"
"""The form's value for a custom scenario."""
SCENARIO_BYTES = 48 * 1024
"""The most characters of a scenario file."""
BOT = "bot:"
"""The prefix of a bot's name in a seat's field."""
CLOCKS: Mapping[str, str] = {"0": "No clock"} | {str(minutes): f"{minutes} minutes a side" for minutes in CHOICES}
"""What can be chosen for the clock, by the value of the field."""
CHALLENGED = "challenged"
"""The value of a seat's field for the player who is challenged."""
PEOPLE: Mapping[str, str] = {"me": "Me", "friend": "Friend (invite link)", "anyone": "Open to anyone"}

OPPONENTS: Mapping[str, str] = {
    "bot": "A bot, now",
    "friend": "A friend, by link",
    "anyone": "Anyone who joins",
    "me": "Myself, one screen",
}
"""Who may have all seats of the other sides, by the value in a button."""


@dataclass
class NewMatchForm:
    """A match as requested; `wrong` has the errors by field; `words_drawn`: the words are the server's default.

    `challenged` is the name of the player who is invited to some of the seats, if any. `sides_before` has the side of
    each seat that the form had: other options may give others.
    """

    game: catalog.AnyGame
    scenario: str = ""
    own: str = ""
    options: dict[str, str] = field(default_factory=dict)
    seats: dict[str, str] = field(default_factory=dict)
    sides_before: dict[str, str] = field(default_factory=dict)
    pace: Pace = "live"
    minutes: int = 0
    listed: bool = False
    help_agreed: bool = False
    words: str = ""
    words_drawn: bool = False
    challenged: str = ""
    errors: dict[str, str] = field(default_factory=dict)

    @cached_property
    def found_scenario(self) -> Scenario:
        """The requested scenario, or the first one while the custom one is invalid."""
        if self.scenario == OWN:
            return self._own_scenario() or self.game.first_scenario
        known = {scenario.key: scenario for scenario in catalog.scenarios(self.game)}
        return known.get(self.scenario, self.game.first_scenario)

    def _own_scenario(self) -> Scenario | None:
        if not self.own.strip():
            self.errors.setdefault("own", "Choose a scenario file or enter its text.")
            return None
        if (size := len(self.own.encode(errors="replace"))) > SCENARIO_BYTES:
            self.errors.setdefault("own", too_long("Your scenario", size))
            return None
        try:
            return catalog.own_scenario(self.game, self.own)
        except InvalidData as error:
            self.errors.setdefault("own", explain_scenario_error(error, self.own))
        except ReadyRoomError as error:
            self.errors.setdefault("own", str(error))
        return None

    @cached_property
    def table(self) -> list[Seat]:
        """The seats that the scenario and the options give."""
        known = {option.key: option for option in self.game.options}
        fit = {key: choice for key, choice in self.options.items() if choice in known[key].choices}
        return list(self.game.rules.seats(self.found_scenario, self.game.resolve(fit)))

    @property
    def sides(self) -> list[str]:
        """The sides that can win; a third one is an umpire's."""
        return list(dict.fromkeys(seat.side for seat in self.table))[:2]

    def seat_options(self) -> list[GameOption]:
        """Return the options with a choice that changes the number of seats."""
        defaults, scenario, seats = self.game.resolve({}), self.found_scenario, self.game.rules.seats
        count = len(seats(scenario, defaults))
        return [
            option
            for option in self.game.options
            if not option.retired
            and any(len(seats(scenario, {**defaults, option.key: choice})) != count for choice in option.choices)
        ]

    def occupant(self, seat: Seat) -> str:
        """Return who is to play a seat: the form's value, or me on the first side.

        A new seat goes to the one who has all former seats of its side. Others are by default for the player who is
        challenged, or else for bots; an umpire is me if I play no seat, or else is invited by a link.
        """
        before = {who for key, who in self.seats.items() if self.sides_before.get(key) == seat.side}
        if seat.key not in self.seats and len(before) == 1:
            return before.pop()
        other = CHALLENGED if self.challenged else BOT + default_bot(self.game)
        if seat.side not in self.sides:
            other = "me" if self.seats and "me" not in self.seats.values() else "friend"
        default = "me" if seat.side == self.table[0].side else other
        return self.seats.get(seat.key, default)

    def open_others(self) -> None:
        """List the match, and open the seats of all sides but the first to anyone."""
        self.listed = True
        self.seats = {seat.key: "anyone" for seat in self.table if seat.side != self.table[0].side}

    def arrange(self, side: str, others: str = "") -> None:
        """Take the seats of a side, or the umpire's, and give all others to one of `OPPONENTS`."""
        who = BOT + default_bot(self.game) if others == "bot" else others
        sides = {*self.sides, side}
        self.seats = {seat.key: "me" if seat.side == side else who for seat in self.table if seat.side in sides}

    def arrangement(self) -> tuple[str, str]:
        """Return the first side with a seat of mine, and who of `OPPONENTS` has all others; empty if neither fits."""
        mine = next((seat.side for seat in self.table if self.occupant(seat) == "me"), "")
        others = {self.occupant(seat).partition(":")[0] for seat in self.table if seat.side in {*self.sides} - {mine}}
        return mine, others.pop() if len(others) == 1 else ""

    @property
    def people(self) -> Mapping[str, str]:
        """The people who can have a seat, by the value of its field."""
        return {CHALLENGED: self.challenged, **PEOPLE} if self.challenged else PEOPLE

    def challenged_seats(self) -> list[str]:
        """Return the seats for the player who is challenged."""
        return [seat.key for seat in self.table if self.challenged and self.occupant(seat) == CHALLENGED]

    def assignments(self) -> dict[str, SeatAssignment]:
        """Return the seat assignments for the store; invalid fields are noted in `wrong`."""
        return {seat.key: self._who(seat) for seat in self.table}

    def _who(self, seat: Seat) -> SeatAssignment:
        text = self.occupant(seat)
        if text.startswith(BOT) and text.removeprefix(BOT) in catalog.bots(self.game):
            return SeatAssignment("bot", text.removeprefix(BOT))
        if text in self.people:
            return SeatAssignment("friend" if text == CHALLENGED else text)  # type: ignore[arg-type]
        self.errors[f"seat-{seat.key}"] = f"Choose who plays this seat; {text!r} is unknown."
        return SeatAssignment("anyone")

    def check(self) -> bool:
        """Return whether the form is valid; errors are noted in `wrong`."""
        known = {scenario.key for scenario in catalog.scenarios(self.game)} | {OWN, ""}
        if self.scenario not in known:
            self.errors["scenario"] = "Choose one of these scenarios."
        for option in self.game.options:
            if self.options.get(option.key, option.default) not in option.choices:
                self.errors[f"option-{option.key}"] = "Choose one of these."
        if len(self.words) > WORDS_LENGTH:
            self.errors["words"] = f"At most {WORDS_LENGTH} characters; this has {len(self.words)}."
        self.assignments()
        strangers = self.seats.keys() - {seat.key for seat in self.table}
        if strangers and not self.errors:
            text = "The seats have changed with this scenario or these options. Check them and continue."
            self.errors["seats"] = text
        return not self.errors


def read(form: FormMultiDict, files: Mapping[str, str]) -> NewMatchForm:
    """Read a form; `files` are the texts of its uploaded files. Raise `UnknownGame` if its game is not installed."""
    messages = {key: str(value) for key, value in form.multi_items() if not isinstance(value, UploadFile)}
    setup = NewMatchForm(catalog.find(messages.get("game", "")))
    setup.scenario = messages.get("scenario", "")
    setup.own = files.get("file") or messages.get("own", "")
    if files.get("file"):
        setup.scenario = OWN
    setup.options = {o.key: messages[f"option-{o.key}"] for o in setup.game.options if f"option-{o.key}" in messages}
    setup.seats = {key.removeprefix("seat-"): value for key, value in messages.items() if key.startswith("seat-")}
    setup.sides_before = {
        key.removeprefix("side-of-"): value for key, value in messages.items() if key.startswith("side-of-")
    }
    setup.pace = "days" if messages.get("pace") == "days" else "live"
    setup.minutes = chosen_minutes(messages.get("minutes", ""))
    setup.listed = "listed" in messages
    setup.help_agreed = "help" in messages
    setup.words = messages.get("words", "").strip()
    return setup


def chosen_minutes(text: str) -> int:
    """Return the minutes per side of a form; 0, for no clock, for anything that is not offered."""
    return next((minutes for minutes in CHOICES if text == str(minutes)), 0)


def file_text(name: str, content: bytes) -> tuple[str, str]:
    """Return the text of an uploaded file, and the error if there is one."""
    if len(content) > SCENARIO_BYTES:
        return "", too_long(name, len(content))
    try:
        return content.decode().removeprefix("\ufeff"), ""
    except UnicodeDecodeError:
        return "", f"{name} is not UTF-8 text."


def too_long(name: str, size: int) -> str:
    """Return the error for a scenario that is too long."""
    return f"{name} has {size:,} bytes; the maximum is {SCENARIO_BYTES:,}."


_LINE = re.compile(r"\(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")
_MISSING = re.compile(r"the key `([^`]*)`")
TOML = "Each TOML line has a name, an equals sign and a value; text is in quotation marks."


def explain_scenario_error(error: InvalidData, text: str) -> str:
    """Explain an invalid scenario with its line, for someone who has never written one."""
    at = _LINE.search(error.actual)
    if at is not None:
        place = f"Line {at['line']}, column {at['column']} of your" if at["line"] else "The end of your"
        what = error.actual[: at.start()].rstrip()
        return f"{place} scenario is not valid TOML: {what[:1].lower()}{what[1:]}. {TOML}"
    line = line_of(error.key, text)
    named = f" ({error.key})" if error.key and error.key != f"line {line}" else ""
    place = f"Line {line} of your scenario{named}" if line else f"Your scenario{named}"
    if missing := _MISSING.fullmatch(error.expected):
        return f"{place} is invalid: {missing[1]} is missing. See the game's own scenario files."
    return f"{place} is invalid: {error.problem}"


def line_of(key: str, text: str) -> int:
    """Return the line of a key such as `fleet.ships[2].name`; 0 if unknown."""
    if match := re.match(r"line (\d+)$", key):
        return int(match[1])
    lines, reached = text.splitlines(), 0
    for name, index in re.findall(r"([\w-]+)((?:\[[^\]]*\])*)", key):
        wanted = re.compile(
            rf"""^\s*(\[+\s*)?([\w"'.-]+\.)?["']?{re.escape(name)}["']?\s*(=|\]|\.)|[{{,]\s*{re.escape(name)}\s*="""
        )
        hits = [n for n, line in enumerate(lines, start=1) if n >= reached and wanted.search(line)]
        if index[1:-1].isdecimal():
            tables = [n for n in hits if lines[n - 1].lstrip().startswith("[[")]
            hits = tables[int(index[1:-1]) :] or hits
        reached = hits[0] if hits else reached
    return reached


def plain(setup: NewMatchForm) -> dict[str, Any]:
    """Return the form as data: each field with its value, choices and error."""
    game = setup.game
    return {
        "setup": setup,
        "wrong": setup.errors,
        "game": game,
        "games": [*catalog.games().values()],
        "scenarios": catalog.scenarios(game),
        "forces": catalog.forces,
        "chosen": setup.scenario or game.first_scenario.key,
        "with_files": [scenario for scenario in catalog.scenarios(game) if catalog.has_file(game, scenario.key)],
        "options": [
            (option, setup.options.get(option.key, option.default), catalog.rule_summary(game, option.rule))
            for option in game.options
            if not option.retired
        ],
        "seat_options": setup.seat_options(),
        "changed": any(setup.options.get(o.key, o.default) != o.default for o in game.options),
        "sides": [
            (side, [(seat, setup.occupant(seat), setup.errors.get(f"seat-{seat.key}", "")) for seat in side.seats])
            for side in catalog.sides(game, setup.table)
        ],
        "people": setup.people,
        "mine_and_others": setup.arrangement(),
        "opponents": {CHALLENGED: setup.challenged, **OPPONENTS} if setup.challenged else OPPONENTS,
        "bots": catalog.bots_by_level(game),
        "recommended": default_bot(game),
        "letters": WORDS_LENGTH,
        "clocks": CLOCKS,
    }
