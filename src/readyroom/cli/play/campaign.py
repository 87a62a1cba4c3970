"""`readyroom campaign`: campaigns in the terminal."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path
from random import Random
from typing import Annotated

import msgspec
import typer

from readyroom.bots.playing import play_on
from readyroom.campaign.library import campaign_names, campaign_text, load_campaign
from readyroom.campaign.page import describe_war, page_lines
from readyroom.campaign.playing import bot_for, play_chapter, seat_bots
from readyroom.campaign.reading import read_file
from readyroom.campaign.record import is_war, read_war
from readyroom.campaign.war import AnyMatch, Setup, War, WarError, chapter_seed, start_war
from readyroom.cli.arguments import CommandError, GameName, Plain, Seed, parse_pairs
from readyroom.cli.play.commands import play_session
from readyroom.cli.play.saved_matches import HUMAN, SavedMatch, find_record
from readyroom.cli.play.session import Session
from readyroom.cli.screen import Screen
from readyroom.engine import files
from readyroom.engine.data import invalid_data
from readyroom.engine.errors import InvalidRecord, Unknown
from readyroom.engine.game import load_game
from readyroom.engine.home import data_folder
from readyroom.engine.record import format as records
from readyroom.engine.record.replay import replay
from readyroom.engine.text import count_noun

app = typer.Typer(help="Play campaigns: matches of several games that follow from each other.")
PLAYERS = ".players"
"""The suffix of the file next to a record."""
DEFAULT = "doctrine"
"""The bot of a side that no one plays."""
WarName = Annotated[str, typer.Argument(metavar="WAR", help="A campaign of yours by name, or its record file.")]


class UnknownWar(Unknown):
    """No campaign in progress, and no file, has this name."""

    kind = "campaign"


class Players(msgspec.Struct, forbid_unknown_fields=True):
    """What is stored next to a war's record: who plays each side, and the chapter in progress.

    `match` is the record of its match, `order` and `salt` are its sealed order.
    """

    sides: dict[str, str]
    match: str = ""
    order: str = ""
    salt: str = ""


def folder() -> Path:
    """Return the folder of the campaigns in progress."""
    return data_folder() / "campaigns"


class WarFile:
    """A campaign in a file, with its players next to it."""

    def __init__(self, path: Path, war: War, players: Players) -> None:
        self.path, self.war, self.players = path, war, players

    @classmethod
    def open(cls, name: str) -> WarFile:
        """Return the campaign of this name or file; raise `UnknownWar`, or `InvalidRecord` if it was changed."""
        path = find_war(name)
        text, key = records.read(path), path.with_suffix(PLAYERS)
        try:
            players = msgspec.json.decode(key.read_bytes(), type=Players) if key.is_file() else None
        except msgspec.DecodeError as error:
            raise invalid_data(str(key), error) from error
        war = read_war(text, (players.order, players.salt) if players and players.salt else None)
        return cls(path, war, players or Players(dict.fromkeys(war.campaign.sides, DEFAULT)))

    def save(self) -> None:
        """Write record and players."""
        files.save(self.path.with_suffix(PLAYERS), msgspec.json.encode(self.players).decode() + "\n", mode=0o600)
        files.save(self.path, self.war.record())


def find_war(name: str) -> Path:
    """Return the record file of a campaign; raise `UnknownWar` if there is none."""
    for path in (Path(name), folder() / f"{name}.jsonl"):
        if path.is_file():
            return path
    raise UnknownWar(name, sorted(path.stem for path in folder().glob("*.jsonl")), where=f"{folder()} or as a file")


@app.command("list")
def list_campaigns() -> None:
    """List the campaigns with their variants."""
    for name in campaign_names():
        campaign = load_campaign(name)
        typer.echo(f"{name}: {campaign.title}. {campaign.summary}")
        for key, variant in campaign.variant.items():
            typer.echo(f"  --variant {key}: {variant.title}. {variant.summary}")


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="CAMPAIGN", help="A campaign's name, or your own .toml file.")],
    seat: Annotated[
        list[str] | None,
        typer.Option("--seat", metavar="SIDE=WHO", help="Who plays a side: human or a bot's name; repeatable."),
    ] = None,
    variant: Annotated[
        list[str] | None, typer.Option("--variant", metavar="KEY", help="Play a variant; repeatable.")
    ] = None,
    seed: Seed = None,
) -> None:
    """Start a campaign; `readyroom campaign next` plays its chapters."""
    text, own_files = campaign_text(name)
    war = start_war(text, own_files, variant or (), seed)
    players = parse_pairs(seat, "--seat", "japan=human")
    for side in players:
        war.side(side)
    sides = {side: players.get(side, DEFAULT if players else HUMAN) for side in war.campaign.sides}
    kept = WarFile(_free_path(war.campaign.key), war, Players(sides))
    kept.save()
    typer.echo(f"{war.campaign.title} begins. Play its first chapter: readyroom campaign next {kept.path.stem}")


@app.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A campaign of your own (.toml).")],
) -> None:
    """Check a campaign's file and every link in it, without starting it."""
    campaign, _, _ = read_file(file)
    typer.echo(f"{file.name} can be played: {campaign.title}, {count_noun(len(campaign.chapter), 'chapter')}.")


@app.command()
def facts(game: GameName) -> None:
    """List what a match of a game reports to a campaign: each fact with its range or words."""
    played = load_game(game)
    scenario = next(iter(played.rules.scenarios(played.data)))
    for key, fact in played.known_facts(played.rules.seats(scenario, played.resolve({}))).items():
        rule = f" [{fact.rule}]" if fact.rule else ""
        typer.echo(f"fact {key}: {fact.title}{rule}. {fact.describe_values()}.")


def _free_path(key: str) -> Path:
    stem = re.sub(r"[^a-z0-9-]", "-", key.lower()) or "campaign"
    paths = (folder() / f"{stem}-{number}.jsonl" for number in count(1))
    return next(path for path in paths if not path.exists() and not path.with_suffix(PLAYERS).exists())


@app.command("next")
def next_chapter(
    name: WarName,
    order: Annotated[
        str | None, typer.Option("--order", metavar="KEY", help="The sealed order of the side that gives one.")
    ] = None,
    risk: Annotated[
        str, typer.Option("--risk", metavar="SIDE", help="Call calculated risk: the chapter counts double.")
    ] = "",
    skip: Annotated[bool, typer.Option("--skip", help="Skip the chapter: history's facts are entered.")] = False,
    bots: Annotated[bool, typer.Option("--bots", help="Let bots play the chapter on to its end.")] = False,
    plain: Plain = False,
) -> None:
    """Play the next chapter, or resume the one in progress."""
    kept = WarFile.open(name)
    if kept.war.closed is not None:
        raise WarError(f"The war is over: {kept.war.closed.ending}.")
    if skip:
        kept.war.skip()
        kept.players = Players(kept.players.sides)
    elif kept.war.setup is None and not _has_human(kept):
        play_chapter(kept.war, kept.players.sides, _random(kept.war), order=order or "", risk=risk)
    else:
        _play(kept, order, risk, bots, Screen(plain))
    kept.save()
    if kept.war.setup is None:
        typer.echo("\n".join(page_lines(describe_war(kept.war))))


def _random(war: War) -> Random:
    return Random() if war.header.seed is None else Random(f"{war.header.seed}/bots/{len(war.played)}")


def _has_human(kept: WarFile) -> bool:
    """Return whether a person plays a seat of the next chapter."""
    setup = kept.war.preview()
    seats = setup.config.seats if setup else {}
    ordered = setup.chapter.ordered_by if setup and setup.chapter.order else ""
    return any(kept.players.sides.get(side) == HUMAN for side in [*seats, ordered])


def _play(kept: WarFile, order: str | None, risk: str, bots: bool, screen: Screen) -> None:
    """Begin or resume the match of a chapter, and end the chapter if the match is over."""
    setup = kept.war.setup
    if setup is None:
        setup = _begin(kept, order, risk)
        if setup is None:
            return
    elif order or risk:
        raise CommandError("The chapter has begun; its order and its risk are given.")
    saved = _resume(kept, setup) if kept.players.match else _start(kept, setup)
    match, bots_from = saved.match, None
    if bots and match.outcome is None:
        bots_from = match.decision_count
        play_on(match, seat_bots(setup, match, kept.players.sides, _random(kept.war)))
        saved.keep()
    elif match.outcome is None:
        play_session(Session(saved, screen))
        if match.outcome is None:
            screen.print(f"It is a chapter of a campaign: continue with readyroom campaign next {kept.path.stem}")
    if match.outcome is not None:
        kept.war.finish(match, bots_from)
        kept.players = Players(kept.players.sides)


def _begin(kept: WarFile, order: str | None, risk: str) -> Setup | None:
    chapter = kept.war.next_chapter
    assert chapter is not None
    human = kept.players.sides.get(chapter.ordered_by) == HUMAN
    if chapter.order and human and order is None:
        known = "; ".join(f"--order {one.key}: {one.title}" for one in chapter.order)
        raise CommandError(f"{kept.war.side(chapter.ordered_by)} seals an order before this chapter. {known}.")
    if chapter.order and order is None:
        order = _random(kept.war).choice(chapter.order).key
    setup = kept.war.begin(order or "", risk)
    if setup is not None:
        kept.players.order = setup.order.key if setup.order else ""
        kept.players.salt = setup.salt
    return setup


def _start(kept: WarFile, setup: Setup) -> SavedMatch:
    match = setup.new_match(chapter_seed(kept.war, setup.chapter.key))
    sides = kept.players.sides
    seats = {seat.key: sides.get(setup.side_of(seat.key) or "", DEFAULT) for seat in match.seats}
    named = {seat: who if who == HUMAN else bot_for(match.game, who) for seat, who in seats.items()}
    saved = SavedMatch.start(match, named, None)
    kept.players.match = saved.name
    kept.save()
    return saved


def _resume(kept: WarFile, setup: Setup) -> SavedMatch:
    path = find_record(kept.players.match)
    text = records.read(path)
    try:
        is_over = records.parse(text, repair=True).ending is not None
    except InvalidRecord as error:
        raise WarError(f"The match of the chapter cannot be resumed: {path}: {error}") from error
    if not is_over:
        return SavedMatch.resume(path, None)
    match: AnyMatch = replay(text)
    return SavedMatch(path, match, {}, None)


@app.command()
def page(name: WarName) -> None:
    """Print the war so far: the tide, what changed, the next battle, names."""
    typer.echo("\n".join(page_lines(describe_war(WarFile.open(name).war))))


@app.command()
def end(
    name: WarName,
    agreed: Annotated[bool, typer.Option("--agreed", help="Both sides take the ending that the tide shows.")] = False,
    leave: Annotated[str, typer.Option("--leave", metavar="SIDE", help="A side leaves, and loses by one more.")] = "",
) -> None:
    """End a campaign before its last chapter."""
    if agreed == bool(leave):
        raise CommandError("Say --agreed, or --leave SIDE.")
    kept = WarFile.open(name)
    closed = kept.war.agree() if agreed else kept.war.leave(leave)
    kept.save()
    winner = f"{kept.war.side(closed.winner)} wins" if closed.winner else "Neither side wins"
    typer.echo(f"{winner}: {closed.ending}.")


@app.command("import")
def import_war(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The record of a campaign.")],
) -> None:
    """Take over a campaign from its record, after verifying it."""
    from readyroom.campaign.record import verify_war

    text = records.read(file)
    if not is_war(text):
        raise CommandError(f"{file} is not the record of a campaign.")
    war = verify_war(text)
    kept = WarFile(_free_path(war.campaign.key), war, Players(dict.fromkeys(war.campaign.sides, HUMAN)))
    kept.save()
    typer.echo(f"Imported as {kept.path.stem}: {len(war.played)} of {len(war.campaign.chapter)} chapters.")


@app.command()
def export(
    name: WarName,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it.")],
) -> None:
    """Write the record of a campaign and all its matches to one file."""
    if file.exists():
        raise CommandError(f"{file} exists; nothing was written.")
    files.save(file, WarFile.open(name).war.record())
