"""Structs first used by several threads at once."""

from __future__ import annotations

import subprocess
import sys

MANY = """
import sys, threading
import msgspec
from readyroom.engine.data import ready

sys.setswitchinterval(1e-6)
for number in range(60):
    kind = None
    for deep in range(5):
        fields = [(f"field{at}", dict[str, list[int]] | None, None) for at in range(12)]
        kind = msgspec.defstruct(f"Kind{number}{deep}", [*fields, ("under", kind | None if kind else None, None)])
    start = threading.Barrier(4)
    raw = msgspec.msgpack.encode({"under": {"under": {"field1": {"a": [1]}}}})

    def read(kind=kind, start=start):
        start.wait()
        msgspec.msgpack.decode(raw, type=%s)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def _ends(kind: str) -> int:
    return subprocess.run([sys.executable, "-c", MANY % kind], timeout=60).returncode


def test_concurrent_decoder_preparation_is_safe() -> None:
    assert _ends("ready(kind)") == 0
