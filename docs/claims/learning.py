"""The result of the learning agent of the page on research."""

from __future__ import annotations

from collections.abc import Iterator

from docs.claims.parts import head, row

from docs import learn


def lines(matches: int, trials: int = learn.TRIALS) -> Iterator[str]:
    """Yield a line for each of the three agents."""
    yield f"*Hilger's Pair*, in {trials} test matches; {{doc}}`research` explains it.\n"
    yield head("agent", "reward", "±")
    for name, measured in learn.main(matches, trials).items():
        yield row(name, f"{measured.mean:+.3f}".replace("-", "−"), f"{measured.error:.3f}")
