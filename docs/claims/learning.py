"""What the captain who learns has learnt: the example of the page on research, played again."""

from __future__ import annotations

from collections.abc import Iterator

from docs.claims.parts import head, row

from docs import learn


def lines(matches: int, trials: int = learn.TRIALS) -> Iterator[str]:
    """A line for each of the three captains."""
    yield f"*Hilger's Pair*, in {trials} matches that none of the captains has seen; {{doc}}`research` explains it.\n"
    yield head("captain", "worth", "±")
    for name, measured in learn.main(matches, trials).items():
        yield row(name, f"{measured.mean:+.3f}".replace("-", "−"), f"{measured.error:.3f}")
