"""A process that plays match after match and tells each answer that was acknowledged, until it is killed."""

from __future__ import annotations

import sys
import threading
from random import Random

from readyroom.store import Player, SeatAssignment, Store


def play(store: Store, host: Player, random: Random) -> None:
    """Open matches against a bot and against oneself, and play them."""
    while True:
        other = random.choice([SeatAssignment("me"), SeatAssignment("bot", "random")])
        match_id = store.lobby.create(host, "midway", None, {}, {"usa": SeatAssignment("me"), "japan": other}).id
        tell(match_id, 0)
        while answer(store, match_id, random):
            pass


def answer(store: Store, match_id: str, random: Random) -> bool:
    """Answer, or now and then take back, and tell it; False once the match is over."""
    with store.matches.open(match_id) as match:
        if match.outcome is not None:
            return False
        seat, decision = random.choice(list(match.pending.items()))
        keys, revision, able = decision.sample(random), decision.revision, match.can_undo(seat)
    if able and random.random() < 0.1:
        tell(match_id, store.matches.undo(match_id, seat))
    else:
        tell(match_id, store.matches.answer(match_id, seat, list(keys), revision))
    return True


def tell(match_id: str, revision: int) -> None:
    """What was acknowledged, in one write."""
    sys.stdout.buffer.write(f"{match_id} {revision}\n".encode())
    sys.stdout.buffer.flush()


def main(url: str, seed: str) -> None:
    """Play in two threads."""
    store = Store(url)
    host = store.players.create("Somebody").player
    for n in range(2):
        threading.Thread(target=play, args=(store, host, Random(f"{seed} {n}")), daemon=True).start()
    threading.Event().wait()
