"""A process that plays matches and prints each acknowledged answer, until it is killed."""

from __future__ import annotations

import os
import sys
import traceback
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import closing
from random import Random

from readyroom.store import Player, SeatAssignment, Store


def play(store: Store, host: Player, random: Random) -> None:
    """Create and play matches, against a bot and with both seats."""
    while True:
        other = random.choice([SeatAssignment("me"), SeatAssignment("bot", "random")])
        match_id = store.lobby.create(host, "midway", None, {}, {"usa": SeatAssignment("me"), "japan": other}).id
        tell(match_id, 0)
        while answer(store, match_id, random):
            pass


def answer(store: Store, match_id: str, random: Random) -> bool:
    """Answer or sometimes undo, and print it; return False once the match is over."""
    with store.matches.open(match_id) as match:
        if match.outcome is not None:
            return False
        seat, decision = random.choice(list(match.pending.items()))
        keys, able = decision.sample(random), match.can_undo(seat)
        revision = match.revision_for(seat, decision.revision)
    if able and random.random() < 0.1:
        tell(match_id, store.matches.undo(match_id, seat))
    else:
        tell(match_id, store.matches.answer(match_id, seat, list(keys), revision))
    return True


def tell(match_id: str, revision: int) -> None:
    """Print an acknowledged answer in a single write."""
    sys.stdout.buffer.write(f"{match_id} {revision}\n".encode())
    sys.stdout.buffer.flush()


def create_player(url: str) -> None:
    """Open a database, in which there may be no tables yet, create a player, and print the name."""
    with closing(Store(url)) as store:
        print(store.players.create("Somebody").player.name, flush=True)


def main(url: str, seed: str) -> None:
    """Play in two threads, until one fails."""
    store = Store(url)
    host = store.players.create("Somebody").player
    with ThreadPoolExecutor() as threads:
        playing = [threads.submit(play, store, host, Random(f"{seed} {n}")) for n in range(2)]
        next(as_completed(playing)).add_done_callback(_fail)


def _fail(playing: Future[None]) -> None:
    traceback.print_exception(playing.exception())
    os._exit(1)
