"""The scenarios that players make, kept as the texts of scenario files."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update

from readyroom.store.base import Part, bounded, clean_text, new_id, new_secret, now
from readyroom.store.errors import InvalidText, TooManyScenarios, UnknownLink, UnknownOwnScenario, UnknownPlayer
from readyroom.store.limits import TITLE_LENGTH
from readyroom.store.rows import AnyRow
from readyroom.store.tables import players, scenarios

MOST_SCENARIOS = 50
"""The most scenarios of a player."""
TEXT_LENGTH = 48 * 1024
"""The most characters of a scenario."""
MOST_LISTED = 100
"""The most shared scenarios in a list, the last changed first."""
RESULT_BYTES = 16 * 1024
"""The most bytes of the result of a trial."""
SECRET_LENGTH = 64


class OwnScenarioSummary(msgspec.Struct, frozen=True):
    """A player's scenario in a list; `version` counts how often it was saved, `link` is its secret if it is shared."""

    id: str
    game: str
    title: str
    changed: float
    version: int
    link: str | None
    listed: bool


class OwnScenario(OwnScenarioSummary, frozen=True):
    """A player's scenario: its text, the result of its last trial, and its author's id and name."""

    text: str
    result: bytes | None
    player: str
    author: str


class SharedScenario(msgspec.Struct, frozen=True):
    """A scenario in the list of those that are shown to everyone."""

    link: str
    game: str
    title: str
    changed: float
    author: str


_summary = tuple(scenarios.c[name] for name in OwnScenarioSummary.__struct_fields__)
_whole = select(scenarios, players.c.name.label("author")).join_from(scenarios, players)


class Scenarios(Part):
    """The scenarios of all players. Only their owner can change them; who has a scenario's link can see it."""

    def create(self, player_id: str, game: str, title: str, text: str) -> str:
        """Keep a new scenario, and return its id; `TooManyScenarios`, `InvalidText`, `UnknownPlayer`."""
        at, values = now(), _checked(title, text)
        row = {"id": new_id(), "player": player_id, "game": game, "created": at, "changed": at, **values}
        with self._shared.database.writing() as connection:
            # The row of the player is locked, so that the number cannot change before the commit.
            known = select(players.c.id).where(players.c.id == player_id).with_for_update()
            if connection.execute(known).first() is None:
                raise UnknownPlayer
            own = select(func.count()).select_from(scenarios).where(scenarios.c.player == player_id)
            if (connection.execute(own).scalar() or 0) >= MOST_SCENARIOS:
                raise TooManyScenarios(MOST_SCENARIOS)
            connection.execute(insert(scenarios), {**row, "version": 1, "listed": False})
        return str(row["id"])

    def of_player(self, player_id: str) -> list[OwnScenarioSummary]:
        """Return the scenarios of a player, the last changed first."""
        wanted = select(*_summary).where(scenarios.c.player == player_id).order_by(scenarios.c.changed.desc())
        with self._shared.database.glance() as connection:
            return [OwnScenarioSummary(*row) for row in connection.execute(wanted)]

    def listed(self, game: str = "") -> list[SharedScenario]:
        """Return the scenarios that are shown to everyone, of one game or of all, the last changed first."""
        columns = (scenarios.c.link, scenarios.c.game, scenarios.c.title, scenarios.c.changed, players.c.name)
        wanted = select(*columns).join_from(scenarios, players).where(scenarios.c.listed, scenarios.c.link.is_not(None))
        if game:
            wanted = wanted.where(scenarios.c.game == game)
        with self._shared.database.glance() as connection:
            rows = connection.execute(wanted.order_by(scenarios.c.changed.desc()).limit(MOST_LISTED))
            return [SharedScenario(*row) for row in rows]

    def find(self, id: str, player_id: str) -> OwnScenario:
        """Return a scenario of a player; raise `UnknownOwnScenario` if there is none, or it is someone else's."""
        with self._shared.database.glance() as connection:
            wanted = _whole.where(scenarios.c.id == id, scenarios.c.player == player_id)
            row = connection.execute(wanted).one_or_none()
        if row is None:
            raise UnknownOwnScenario
        return _scenario(row)

    def shared(self, secret: str) -> OwnScenario:
        """Return the scenario that a link leads to; raise `UnknownLink`."""
        with self._shared.database.glance() as connection:
            wanted = _whole.where(scenarios.c.link == secret[:SECRET_LENGTH])
            row = connection.execute(wanted).one_or_none() if secret else None
        if row is None:
            raise UnknownLink("link to a scenario")
        return _scenario(row)

    def save(self, id: str, player_id: str, title: str, text: str) -> None:
        """Save a scenario as its next version, unless nothing has changed; `UnknownOwnScenario`, `InvalidText`."""
        values = _checked(title, text)
        with self._shared.database.writing() as connection:
            row = _own(connection, id, player_id)
            if values["text"] != row.text:
                values |= {"version": row.version + 1, "changed": now()}
                connection.execute(update(scenarios).where(scenarios.c.id == id).values(**values))

    def delete(self, id: str, player_id: str) -> None:
        """Delete a scenario of a player; raise `UnknownOwnScenario`."""
        with self._shared.database.writing() as connection:
            _own(connection, id, player_id)
            connection.execute(delete(scenarios).where(scenarios.c.id == id))

    def share(self, id: str, player_id: str, *, listed: bool) -> None:
        """Give a scenario a link that cannot be guessed, unless it has one; show it to everyone if it is `listed`."""
        with self._shared.database.writing() as connection:
            link = _own(connection, id, player_id).link or new_secret()
            connection.execute(update(scenarios).where(scenarios.c.id == id).values(link=link, listed=listed))

    def unshare(self, id: str, player_id: str) -> None:
        """End the link of a scenario for good; raise `UnknownOwnScenario`."""
        with self._shared.database.writing() as connection:
            _own(connection, id, player_id)
            connection.execute(update(scenarios).where(scenarios.c.id == id).values(link=None, listed=False))

    def write_result(self, id: str, result: bytes) -> None:
        """Keep the result of a trial in place of the earlier one; nothing happens if the scenario is gone."""
        if len(result) > RESULT_BYTES:
            raise InvalidText(f"The result has {len(result):,} bytes; the maximum is {RESULT_BYTES:,}.")
        with self._shared.database.writing() as connection:
            connection.execute(update(scenarios).where(scenarios.c.id == id).values(result=result))


def _checked(title: str, text: str) -> dict[str, object]:
    """Return title and text for the row; raise `InvalidText`."""
    return {
        "title": clean_text(title, TITLE_LENGTH, "The title of the scenario", lines=False),
        "text": bounded(text, TEXT_LENGTH, "The scenario"),
    }


def _own(connection: Connection, id: str, player_id: str) -> AnyRow:
    """Return the locked row of a player's scenario; raise `UnknownOwnScenario`."""
    wanted = select(scenarios).where(scenarios.c.id == id, scenarios.c.player == player_id)
    row = connection.execute(wanted.with_for_update()).one_or_none()
    if row is None:
        raise UnknownOwnScenario
    return row


def _scenario(row: AnyRow) -> OwnScenario:
    return OwnScenario(**{name: getattr(row, name) for name in OwnScenario.__struct_fields__})
