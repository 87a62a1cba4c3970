"""The tables, as the newest revision has them; `migrations` builds the very same.

Times are seconds since 1970. What is only read as a whole (options, log lines, entries) is JSON text.

Two message authentication codes (MACs) seal a match; `integrity` makes and checks them with a key that is not in the
database:

- `matches.head`, written with each decision: the match's row except the columns named below, its checkpoint, its log,
  and the hash, time and audience of each entry.
- `matches.seating`, written when a seat changes: `host`, `guided`, `handed`, `decided` and `decided_for` of the match,
  and of each seat `seat`, `place`, `name`, `side`, `who`, `bot`, `words` and `banned`.

Code that changes one of these columns outside `live` and `lobby` must write the seal again. No seal covers the columns
`head`, `seating`, `changed`, `damaged`, `expires`, `visited`, `announced`, `revisions` and `experience` of `matches`,
`campaign`, `chapter`, `follows`, `salt`, `tournament`, `clock`, `draw_offer` and `help`, links and times of seats, and
the other tables, such as players, sessions, sittings, friends, invitations, campaigns, tournaments, chat, notes,
notebooks, scenarios and the audit log.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
    text,
    true,
)

metadata = MetaData()

ID, HASH, NAME = String(16), String(64), String(80)
NUMBER = BigInteger().with_variant(Integer(), "sqlite")
"""SQLite counts a primary key up by itself only if it is called INTEGER."""

players = Table(
    "players",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", NAME, nullable=False),
    Column("recovery", HASH, nullable=False, unique=True),
    Column("since", Double, nullable=False),
    Column("hook", Text, nullable=False, server_default=""),
    Column("mail", Text, nullable=False, server_default=""),
    Column("seen", Double, nullable=False, server_default="0"),
    Column("expires", Double),
    Column("ladder", Double),
    Column("alerts", Text, nullable=False, server_default=""),
)
"""`seen` is when the player last came; `expires` when the player will be deleted, once that is announced; `ladder` when
the player joined the ladder, if they did; `alerts` are the keys of games, each between spaces, of whose open seats they
want to know."""

sessions = Table(
    "sessions",
    metadata,
    Column("session", HASH, primary_key=True),
    Column("player", ID, ForeignKey("players.id"), nullable=False, index=True),
    Column("since", Double, nullable=False),
    Column("seen", Double, nullable=False, server_default="0"),
    Column("device", Text, nullable=False, server_default=""),
)
"""`device` names browser and system, so that a player recognizes the session in a list."""

pushes = Table(
    "pushes",
    metadata,
    Column("id", HASH, primary_key=True),
    Column("session", HASH, ForeignKey("sessions.session", ondelete="CASCADE"), nullable=False, index=True),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", Text, nullable=False),
    Column("auth", Text, nullable=False),
    Column("since", Double, nullable=False),
)
"""Browsers that get push notifications: the address of the push service, and the keys that only the browser can read
them with. They end with the session; `id` is the hash of the address."""

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", Text, primary_key=True),
    Column("player", ID, ForeignKey("players.id"), nullable=False, index=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("name", NAME, nullable=False),
    Column("since", Double, nullable=False),
    Column("used", Double),
)
"""Passkeys of players who have added one; `id` is the credential id in base64url."""

challenges = Table(
    "challenges",
    metadata,
    Column("challenge", HASH, primary_key=True),
    Column("expires", Double, nullable=False),
)
"""Passkey challenges that were answered, until they expire: each is answered once."""

_LIVE, _OVER = text("outcome IS NULL"), text("outcome IS NOT NULL")
"""The conditions of the indexes for lists of public matches."""
_COUNTED = text("counted")

matches = Table(
    "matches",
    metadata,
    Column("id", ID, primary_key=True),
    Column("host", ID, ForeignKey("players.id"), index=True),
    Column("game", NAME, nullable=False),
    Column("title", Text, nullable=False),
    Column("version", NAME, nullable=False),
    Column("scenario", Text, nullable=False),
    Column("scenario_title", Text, nullable=False),
    Column("own", Text),
    Column("options", Text, nullable=False),
    Column("pace", String(8), nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("guided", Boolean, nullable=False),
    Column("created", Double, nullable=False),
    Column("changed", Double, nullable=False),
    Column("seed", Text),
    Column("secret", LargeBinary, nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("begun", Boolean, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("phase", Text, nullable=False),
    Column("waiting", Text, nullable=False),
    Column("lines", Integer, nullable=False),
    Column("barrier", Integer, nullable=False),
    Column("seal", String(64), nullable=False),
    Column("header", Text),
    Column("outcome", Text),
    Column("ending", Text),
    Column("record", Text),
    Column("handed", Integer, nullable=False, server_default="0"),
    Column("origin", String(8), nullable=False, server_default=""),
    Column("signer", Text, nullable=False, server_default=""),
    Column("signature", Text, nullable=False, server_default=""),
    Column("head", Text, nullable=False, server_default=""),
    Column("seating", Text, nullable=False, server_default=""),
    Column("damaged", Text),
    Column("expires", Double),
    Column("visited", Double),
    Column("revisions", Text, nullable=False, server_default=""),
    Column("announced", Double, nullable=False, server_default="0"),
    Column("client", String(32), nullable=False, server_default=""),
    Column("experience", String(16), nullable=False, server_default=""),
    Column("campaign", ID, index=True),
    Column("chapter", NAME, nullable=False, server_default=""),
    Column("follows", String(64), nullable=False, server_default=""),
    Column("salt", String(64), nullable=False, server_default=""),
    Column("tournament", ID),
    Column("clock", Text, nullable=False, server_default=""),
    Column("decided", String(8), nullable=False, server_default=""),
    Column("decided_for", NAME, nullable=False, server_default=""),
    Column("draw_offer", Text, nullable=False, server_default=""),
    Column("help", Boolean, nullable=False, server_default=false()),
    Index("ix_matches_game", "game", "listed", "announced"),
    Index("ix_matches_live", "listed", "announced", "client", "id", sqlite_where=_LIVE, postgresql_where=_LIVE),
    Index("ix_matches_over", "listed", "announced", sqlite_where=_OVER, postgresql_where=_OVER),
)
"""`header` is there once the match has begun, `outcome` and `ending` once it is over; `record` only where it was played
to its end elsewhere. `handed` counts how often a seat was given to a bot or taken back.

`origin` says why a player may know the dice, as in the header of a record; empty if none can. `signature` is the
server's, made with the key `signer`, of the header before the first decision. `head` and `seating` are the seals of a
match (see `integrity`); `damaged` is the reason why it is quarantined. `expires` is when it will be deleted, once that
is announced, and `visited` when one of its players came and cancelled that. `revisions` has the revision that each
viewer can see, where it differs from the true one, as JSON (see `entries.unseen`), and `announced` is the time of the
last change that everyone could see. `client` is a keyed hash of the address of the client that created the match, or
gave its last seat to a bot, for limits and fair turns. `experience` says which opponents its host looks for: "new",
"skilled" or, empty, anyone. `help`: its players have agreed on hints and analysis: when it was opened, or, alone in
a game of one side, by using them.
A match of a `campaign` (which may be gone) is the one of its `chapter`; `follows` is the
hash of the campaign's record up to it, and `salt` hides its scenario `own`, with a sealed order, until it is over. A
match of a `tournament` (which may be gone) is one of its pairings. `clock` has the clocks of the sides as JSON (see
`clock.Clock`; empty: none). `decided` says how its players decided it: "time", "resigned" or "draw" (empty: they have
not), and `decided_for` is the side that wins then. `draw_offer` is the last offer of a draw as JSON (see
`cards.DrawOffer`)."""

checkpoints = Table(
    "checkpoints",
    metadata,
    Column("match", ID, ForeignKey("matches.id"), primary_key=True),
    Column("position", Integer, nullable=False),
    Column("blocks", Integer, nullable=False),
    Column("lines", Integer, nullable=False),
    Column("state", LargeBinary, nullable=False),
)
"""The checkpoint from which a match is resumed; in a table of its own, because a row is written as a whole."""

seats = Table(
    "seats",
    metadata,
    Column("match", ID, ForeignKey("matches.id"), primary_key=True),
    Column("seat", NAME, primary_key=True),
    Column("place", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("side", Text, nullable=False),
    Column("who", String(8), nullable=False),
    Column("bot", NAME, nullable=False),
    Column("link", HASH, unique=True),
    Column("lent", Boolean, nullable=False, server_default=true()),
    Column("spent", HASH, index=True),
    Column("came", Double),
    Column("words", Text, nullable=False),
    Column("banned", Text),
    Column("left_by", Text, nullable=False, server_default=""),
)
"""`lent`: whether someone not in the seat knows the link, such as the host who sent it; the first who joins by such a
link ends it, and it is kept as `spent`, which seats no one. `came` is when someone first came to the seat; `words` the
nonce that its player adds to the dice key. `banned` is the reason of an admin's ban, if any.
`left_by` are the ids of players who have left the seat since the start, separated by spaces."""

sittings = Table(
    "sittings",
    metadata,
    Column("match", ID, ForeignKey("matches.id"), primary_key=True),
    Column("seat", NAME, primary_key=True),
    Column("player", ID, ForeignKey("players.id"), primary_key=True, index=True),
    Column("since", Double, nullable=False),
    Column("seen", Double),
)
"""The players of each seat, and when each last opened or closed a page of the match (null: never)."""

away = Table(
    "away",
    metadata,
    Column("match", ID, ForeignKey("matches.id"), primary_key=True),
    Column("player", ID, ForeignKey("players.id"), primary_key=True, index=True),
)
"""The matches that a player has hidden from their list."""

friends = Table(
    "friends",
    metadata,
    Column("player", ID, ForeignKey("players.id"), primary_key=True),
    Column("friend", ID, ForeignKey("players.id"), primary_key=True, index=True),
)
"""Who a player has marked as a friend, which only they can see."""

invitations = Table(
    "invitations",
    metadata,
    Column("match", ID, ForeignKey("matches.id"), primary_key=True),
    Column("player", ID, ForeignKey("players.id"), primary_key=True, index=True),
    Column("seats", Text, nullable=False, server_default="[]"),
)
"""The players that the host of a match has invited, until they answer; `seats` are the keys of the seats that each is
invited to, as JSON."""

entries = Table(
    "entries",
    metadata,
    Column("match", ID, ForeignKey("matches.id"), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("undo", Boolean, nullable=False),
    Column("told", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("hash", String(32), nullable=False, server_default=""),
    Column("unseen", Text, nullable=False, server_default=""),
    sqlite_with_rowid=False,
)
"""The lines of the record: `n` is the revision that a decision or undo made, so of two racing ones one must lose.
`hash` is the hash of its line in the record; `unseen` names the viewers who could notice nothing of it, as JSON."""

log = Table(
    "log",
    metadata,
    Column("match", ID, ForeignKey("matches.id"), primary_key=True),
    Column("i", Integer, primary_key=True),
    Column("line", Text, nullable=False),
    sqlite_with_rowid=False,
)

messages = Table(
    "messages",
    metadata,
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("match", ID, ForeignKey("matches.id"), nullable=False, index=True),
    Column("player", ID, ForeignKey("players.id")),
    Column("side", Text),
    Column("text", Text, nullable=False),
    Column("at", Double, nullable=False),
)
"""A message without a player is the server's own."""

notes = Table(
    "notes",
    metadata,
    Column("match", ID, ForeignKey("matches.id"), primary_key=True),
    Column("player", ID, ForeignKey("players.id"), primary_key=True),
    Column("text", Text, nullable=False),
)

notebooks = Table(
    "notebooks",
    metadata,
    Column("id", ID, primary_key=True),
    Column("player", ID, ForeignKey("players.id"), nullable=False, index=True),
    Column("game", NAME, nullable=False),
    Column("title", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("changed", Double, nullable=False),
    Column("link", HASH, unique=True),
    Column("result", LargeBinary),
    Column("ran", Double),
)
"""`text` is a study file, `link` the secret by which others can read the notebook, `result` the report of the last run
at `ran`."""

scenarios = Table(
    "scenarios",
    metadata,
    Column("id", ID, primary_key=True),
    Column("player", ID, ForeignKey("players.id"), nullable=False, index=True),
    Column("game", NAME, nullable=False),
    Column("title", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("created", Double, nullable=False),
    Column("changed", Double, nullable=False),
    Column("link", HASH, unique=True),
    Column("listed", Boolean, nullable=False),
    Column("result", LargeBinary),
    Index("ix_scenarios_listed", "listed", "changed"),
)
"""The scenarios of players: `text` is a scenario file, `version` how often it was saved, `link` the secret by which
others can read it, `listed` whether it is shown to everyone, `result` that of the last trial. A match keeps the text
that it began with."""

takebacks = Table(
    "takebacks",
    metadata,
    Column("match", ID, ForeignKey("matches.id"), primary_key=True),
    Column("seat", NAME, nullable=False),
    Column("position", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("allowed", Text, nullable=False),
)
"""Who requests a takeback, and from which revision on; it expires once the match has moved on."""

passes = Table(
    "passes",
    metadata,
    Column("match", ID, ForeignKey("matches.id"), primary_key=True),
    Column("seat", NAME, primary_key=True),
    Column("until", String(8), nullable=False),
    Column("turn", Integer, nullable=False),
    Column("phase", Text, nullable=False),
    Column("lines", Integer, nullable=False),
)
"""Seats that pass for a while: until the phase or the turn is over, or dice are rolled; and the turn, the phase and the
number of lines in the seat's log when they began."""

highlights = Table(
    "highlights",
    metadata,
    Column("match", ID, ForeignKey("matches.id"), primary_key=True),
    Column("revision", Integer, nullable=False),
    Column("rules", String(32), nullable=False),
    Column("found", LargeBinary, nullable=False),
)
"""What was found in a finished match by the rules with this hash: its turning points, its scores, and a scene."""

ratings = Table(
    "ratings",
    metadata,
    Column("game", NAME, primary_key=True),
    Column("player", ID, ForeignKey("players.id"), primary_key=True, index=True),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("at", Double, nullable=False),
)
"""The Glicko-2 ratings of the players on the ladder; `at` is when the last rated match ended."""

rated = Table(
    "rated",
    metadata,
    Column("match", ID, ForeignKey("matches.id"), primary_key=True),
    Column("player", ID, ForeignKey("players.id"), primary_key=True, index=True),
    Column("score", Double, nullable=False),
    Column("before", Double, nullable=False),
    Column("after", Double, nullable=False),
    Column("at", Double, nullable=False),
)
"""The rated matches: each player's score (1, 0.5 or 0), and their rating before and after."""

attempts = Table(
    "attempts",
    metadata,
    Column("match", ID, primary_key=True),
    Column("day", String(10), nullable=False),
    Column("player", ID, ForeignKey("players.id"), nullable=False, index=True),
    Column("counted", Boolean, nullable=False),
    Column("at", Double, nullable=False),
    Index("ix_attempts_counted", "day", "player", unique=True, sqlite_where=_COUNTED, postgresql_where=_COUNTED),
)
"""Attempts at challenges of the day, begun `at`; a player has one counted attempt a day. The match may be gone, which
does not allow another attempt, so this refers to no match."""

baselines = Table(
    "baselines",
    metadata,
    Column("slot", Text, primary_key=True),
    Column("scores", LargeBinary, nullable=False),
)
"""What bots reach in a challenge, where the program's own file has no figures for the installed game."""

campaigns = Table(
    "campaigns",
    metadata,
    Column("id", ID, primary_key=True),
    Column("host", ID, ForeignKey("players.id"), index=True),
    Column("title", Text, nullable=False),
    Column("pace", String(8), nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("created", Double, nullable=False),
    Column("changed", Double, nullable=False),
    Column("record", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("begun", Boolean, nullable=False),
    Column("ended", Boolean, nullable=False),
    Column("current", ID),
    Column("choices", Text, nullable=False),
    Column("client", String(32), nullable=False, server_default=""),
)
"""`record` has the campaign's own lines, without the records of its matches. `current` is the match of the chapter in
progress. `choices` has what sides have decided between two chapters, and the sealed order of the chapter in progress,
as JSON. `revision` counts the changes, so of two racing ones one must lose."""

members = Table(
    "members",
    metadata,
    Column("campaign", ID, ForeignKey("campaigns.id"), primary_key=True),
    Column("side", NAME, primary_key=True),
    Column("player", ID, ForeignKey("players.id"), index=True),
    Column("bot", NAME, nullable=False),
    Column("link", HASH, unique=True),
    Column("words", Text, nullable=False),
)
"""Who plays each side of a campaign: a player or a bot; neither while the side waits for someone with the link. `words`
are added to the dice key of each match."""

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", ID, primary_key=True),
    Column("host", ID, ForeignKey("players.id"), index=True),
    Column("title", Text, nullable=False),
    Column("game", NAME, nullable=False),
    Column("scenario", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("both", Boolean, nullable=False),
    Column("places", Integer, nullable=False),
    Column("pace", String(8), nullable=False),
    Column("days", Integer, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("state", String(8), nullable=False),
    Column("created", Double, nullable=False),
    Column("changed", Double, nullable=False),
    Column("previous", ID, unique=True),
    Column("client", String(32), nullable=False, server_default=""),
    Column("minutes", Integer, nullable=False, server_default="0"),
)
"""`about` names the game and the scenario. `kind` is "robin" or "knockout", `both` whether each pair plays two matches.
A match that waits for a player for `days` is lost; its clocks have `minutes` per side, or it has none (0). `state` is
"open", "running" or "over". `previous` is the tournament (which may be gone) whose players play again."""

entrants = Table(
    "entrants",
    metadata,
    Column("tournament", ID, ForeignKey("tournaments.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("player", ID, ForeignKey("players.id"), index=True),
    Column("out", Boolean, nullable=False),
    Column("link", HASH, unique=True),
    Column("words", Text, nullable=False),
    Column("client", String(32), nullable=False, server_default=""),
)
"""The players of a tournament. `number` is the seed once it has started; `player` is empty once they were deleted, and
`out` says that they have withdrawn, or were removed before the start: such a row is deleted when it starts. `link` is
the secret of a program; `words` are added to the dice key of each match; `client` is as for matches.
"""

pairings = Table(
    "pairings",
    metadata,
    Column("tournament", ID, ForeignKey("tournaments.id"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("game", Integer, primary_key=True),
    Column("one", Integer, nullable=False),
    Column("two", Integer),
    Column("match", ID, nullable=False),
    Column("result", String(8), nullable=False),
    Column("reason", String(16), nullable=False),
)
"""The matches of a tournament, by the numbers of their players: see `tournaments.pairings`. A match may be gone."""

puzzles = Table(
    "puzzles",
    metadata,
    Column("puzzle", Text, primary_key=True),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
)
"""The Glicko-2 ratings of puzzles: how hard they are for those who have tried them."""

puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("game", NAME, primary_key=True),
    Column("player", ID, ForeignKey("players.id"), primary_key=True, index=True),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("at", Double, nullable=False),
)
"""How well players solve the puzzles of a game; `at` is when the last one was answered."""

puzzle_answers = Table(
    "puzzle_answers",
    metadata,
    Column("puzzle", Text, primary_key=True),
    Column("player", ID, ForeignKey("players.id"), primary_key=True, index=True),
    Column("answer", Text, nullable=False),
    Column("solved", Boolean, nullable=False),
    Column("at", Double, nullable=False),
)
"""The first answer of a player to a puzzle, as its keys; only this one is rated."""

journal = Table(
    "journal",
    metadata,
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("at", Double, nullable=False),
    Column("act", String(16), nullable=False),
    Column("match", ID),
    Column("seat", NAME),
    Column("player", ID),
    Column("why", Text, nullable=False),
)
"""What admins have done. It names matches and players that may be gone, so it refers to no table; the
servers read it on, and so learn what to let go."""

server = Table(
    "server",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("value", Text, nullable=False),
)
"""What the server notes for itself: `key`, the id of the key that seals the matches; `sealed`, when all matches of
version 1.0 were sealed; `probe`, which health checks write; `backup`, when the last scheduled backup began."""
