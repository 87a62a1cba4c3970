"""`readyroom verify`: verify a record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from readyroom.cli.arguments import AsJson, DataFolder, RecordFile, game_of, record_text
from readyroom.cli.paper import print_json
from readyroom.engine.errors import InvalidRecord
from readyroom.engine.match import Match
from readyroom.engine.record import format as records
from readyroom.engine.record.replay import verify as verify_record


def verify(file: RecordFile, data: DataFolder = None, as_json: AsJson = False) -> None:
    """Verify a record: its dice, the legality of every decision, and its outcome."""
    path, text, figures = record_text(file, data)
    facts = proof(text, figures)
    if as_json:
        print_json({"file": str(path), **facts})
    else:
        typer.echo(facts["sentence"], err=not facts["verifies"])
    if not facts["verifies"]:
        raise typer.Exit(1)


def proof(text: str, data: Path | None = None) -> dict[str, Any]:
    """Return whether a record is valid, the sentence that says so, and the facts behind it."""
    try:
        parsed = records.parse(text)
        if parsed.ending is None and parsed.header.seed is None and parsed.header.dice == "keyed":
            return _too_early(1 + len(parsed.entries))
        match = verify_record(text, game_of(text, data))
    except InvalidRecord as error:
        return {"verifies": False, "sentence": str(error), "line": error.line, "differs": error.differs}
    return _proved(match, parsed.header)


def _too_early(lines: int) -> dict[str, Any]:
    sentence = (
        "The record can be verified when the match is over and its dice key is published; "
        f"its hash chain is intact up to line {lines}."
    )
    return {"verifies": False, "sentence": sentence, "line": lines, "differs": "the match is not over"}


def _proved(match: Match[Any, Any], header: records.Header) -> dict[str, Any]:
    outcome = match.outcome
    ending = f"{outcome.title} ({outcome.text.rstrip('.')})" if outcome else "the match is not over yet"
    checks = match.game.rules.integrity_checks(match.state) if outcome else ()
    broken = [sentence for sentence, holds in checks if not holds]
    dice = f"dice seed hash {match.fingerprint}" if header.dice == "keyed" else "manual dice"
    holds = f"Verified: {ending}, {match.decision_count} decisions, {dice}."
    proved = [holds, *(sentence for sentence, _ in checks)]
    return {
        "verifies": not broken,
        "sentence": f"Not verified: {' '.join(broken)}" if broken else " ".join(proved),
        "outcome": None if outcome is None else {"winner": outcome.winner, "title": outcome.title},
        "decisions": match.decision_count,
        "fingerprint": match.fingerprint,
        "secret": match.published_secret,
    }
