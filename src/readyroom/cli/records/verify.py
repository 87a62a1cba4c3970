"""`readyroom verify`: verify a record."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec import UNSET

from readyroom.campaign.record import is_war, verify_war
from readyroom.cli.arguments import AsJson, CommandError, DataFolder, RecordFile, game_of, record_text
from readyroom.cli.paper import print_json
from readyroom.engine.errors import InvalidRecord
from readyroom.engine.match import Match
from readyroom.engine.record import format as records
from readyroom.engine.record.labels import dice_label
from readyroom.engine.record.replay import verify as verify_record
from readyroom.engine.text import count_noun

Key = Annotated[
    str, typer.Option("--key", metavar="KEY", help="Demand this server's signature: its public key, or a file with it.")
]


def verify(file: RecordFile, key: Key = "", data: DataFolder = None, as_json: AsJson = False) -> None:
    """Verify a record: its signature, its dice, the legality of every decision, and its outcome.

    Of a campaign every match is verified, and every link between them.
    """
    path, text, figures = record_text(file, data)
    demanded = _public_key(key) if key else ""
    facts = war_proof(text, demanded) if is_war(text) else proof(text, figures, demanded)
    if as_json:
        print_json({"file": str(path), **facts})
    else:
        typer.echo(facts["sentence"], err=not facts["verifies"])
    if not facts["verifies"]:
        raise typer.Exit(1)


def _public_key(text: str) -> str:
    """Return a public key: the text, or what a file has, such as a server's /.well-known/readyroom.json."""
    from readyroom.engine.record.signature import is_public_key

    if is_public_key(text):
        return text
    try:
        content = Path(text).read_text(encoding="utf-8").strip()
        key = str(msgspec.json.decode(content)["key"]) if content.startswith("{") else content
    except (OSError, ValueError, KeyError) as error:
        raise CommandError(f"{text} is neither a public key nor a file with one.") from error
    if not is_public_key(key):
        raise CommandError(f"{text} contains no public key.")
    return key


def proof(text: str, data: Path | None = None, key: str = "") -> dict[str, Any]:
    """Return whether a record is valid, the sentence that says so, and the facts behind it.

    `key` is the public key that must have signed it; empty for any, or none.
    """
    from readyroom.engine.record.signature import check_signature

    try:
        parsed = records.parse(text)
        check_signature(parsed.header, key)
        if parsed.ending is None and parsed.header.seed is None and parsed.header.dice == "keyed":
            return _too_early(1 + len(parsed.entries), parsed.header)
        match = verify_record(text, game_of(text, data))
        daily = _daily(parsed, match)
    except InvalidRecord as error:
        return {"verifies": False, "sentence": str(error), "line": error.line, "differs": error.differs}
    proved = _proved(match, parsed.header, demanded=bool(key))
    return proved if daily is None else {**proved, **daily, "sentence": f"{proved['sentence']} {daily['sentence']}"}


def _daily(parsed: records.Parsed, match: Match[Any, Any]) -> dict[str, Any] | None:
    """Return what a record of a challenge of the day proves; None for another match. `InvalidRecord`."""
    if parsed.header.origin not in records.DAILY and parsed.header.day is UNSET:
        return None
    from readyroom.study.daily.results import prove_daily  # takes a moment to load

    found = prove_daily(parsed, match)
    if found is None:
        return None
    facts = {"day": found.challenge.day.isoformat(), "counted": found.is_counted, "anchor": found.anchor}
    return {"sentence": found.sentence, "challenge": facts}


def war_proof(text: str, key: str = "") -> dict[str, Any]:
    """Return whether the record of a campaign is valid, and the sentence that says so; `key` must have signed it."""
    from readyroom.engine.record.signature import check_signature

    try:
        war = verify_war(text)
        for lines in war.records.values():
            check_signature(records.parse([*lines, ""]).header, key)
    except InvalidRecord as error:
        return {"verifies": False, "sentence": str(error), "line": error.line, "differs": error.differs}
    count = f"{len(war.played)} of {count_noun(len(war.campaign.chapter), 'chapter')}"
    ending = f"{war.closed.ending}, {count}" if war.closed else f"{count}, and the campaign is not over yet"
    matches = f"{count_noun(len(war.records), 'match', 'matches')} verified"
    return {
        "verifies": True,
        "sentence": f"Verified: {war.campaign.title}: {ending}, {matches}.",
        "outcome": None if war.closed is None else {"winner": war.closed.winner, "title": war.closed.ending},
        "chapters": len(war.played),
    }


def _too_early(lines: int, header: records.Header) -> dict[str, Any]:
    sentence = (
        "The record can be verified when the match is over and its dice key is published; "
        f"its hash chain is intact up to line {lines}."
    )
    differs = "the match is not over"
    return {"verifies": False, "sentence": sentence, "line": lines, "differs": differs, "signer": header.signer or None}


def _signed(header: records.Header, *, demanded: bool) -> str:
    if header.signer is UNSET:
        return "The record is not signed."
    if demanded:
        return f"Signed with the key {header.signer}."
    return f"Signed with the key {header.signer}: the signature is consistent. Use --key to demand your server's key."


def _proved(match: Match[Any, Any], header: records.Header, *, demanded: bool) -> dict[str, Any]:
    outcome = match.outcome
    ending = f"{outcome.title} ({outcome.text.rstrip('.')})" if outcome else "the match is not over yet"
    checks = match.game.rules.integrity_checks(match.state) if outcome else ()
    broken = [sentence for sentence, holds in checks if not holds]
    dice = f"dice seed hash {match.fingerprint}" if header.dice == "keyed" else "manual dice"
    holds = f"Verified: {ending}, {match.decision_count} decisions, {dice}."
    label = dice_label(header.origin or "", over=outcome is not None)
    proved = [
        holds,
        *(sentence for sentence, _ in checks),
        _signed(header, demanded=demanded),
        *([label] if label else []),
    ]
    return {
        "verifies": not broken,
        "sentence": f"Not verified: {' '.join(broken)}" if broken else " ".join(filter(None, proved)),
        "outcome": None if outcome is None else {"winner": outcome.winner, "title": outcome.title},
        "decisions": match.decision_count,
        "fingerprint": match.fingerprint,
        "secret": match.published_secret,
        "signer": header.signer or None,
        "origin": header.origin or None,
    }
