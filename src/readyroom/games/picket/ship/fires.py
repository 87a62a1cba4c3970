"""[7.8.1] Fires on the decks."""

from __future__ import annotations

from readyroom.games.picket.figures.common import SECTIONS
from readyroom.games.picket.rolls import roll_die
from readyroom.games.picket.ship.damage import sink
from readyroom.games.picket.state import T
from readyroom.games.picket.text import fire_key


def fight_deck_fires(table: T) -> None:
    """[7.8.1.A, 7.8.1.B, 7.8.1.C, 7.8.1.D, 7.8.1.E] Roll up to two dice for each burning deck (P35).

    A failure on a full track loses the ship.
    """
    ship, figures = table.state.ship, table.data.damage.deck_fires
    for section in SECTIONS:
        for _ in range(figures.rolls):
            if not ship.fires[section] or ship.lost:
                break
            most = figures.out_to - (figures.water_lines if ship.water_lines else 0)
            rolled = roll_die(table, "7.8.1", f"fire-{section}", goal=f"out on {most} or less")
            if rolled <= most:
                ship.fires[section] = 0
                table.log_line("7.8.1", "The fires on the {} deck are out.", section, rolled, target=fire_key(section))
            elif ship.fires[section] >= table.data.ship.tracks.deck_fires:
                text = "The fires on the {} deck are out of control."
                table.log_line("7.8.1.D", text, section, rolled, target=fire_key(section))
                sink(table, "7.8.1.D", "lost to fire")
            else:
                ship.fires[section] += 1
                table.log_line("7.8.1.C", "The fires on the {} deck spread.", section, rolled, target=fire_key(section))
