"""Check that no file contains a retired identifier or an old-fashioned word.

`python tests/test_words.py [-v] PATH ...` counts them; with `-v` it prints each place and a standard word.
"""

import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]

NAMES = frozenset(
    """
    Sitting Footing Throws RememberedDice Purse Refused Consulted DataMisfit PlanMisfit DiceMisfit BadRecord BadQuestion
    RuleFailed CannotSave MovedOn OddsQuestion OddsAnswer ToolAnswer Blank News Tally Judged Inquiry
    Contest Rung Met Verdict SideVerdict Costly NoSuchMoment NobodyLearns Answering TurnEnv AtOnceEnv Promise Findings
    Pitfall Endless Opening Keeping Housekeeping KeptLine MatchCard SeatCard Who BadWords LinkSpent CannotGoOn
    CannotTakeIn CannotKeep NothingAsked Herald Keeper Eyes Tried Shelved Sought Notices Owed Studying Varying
    SaidLimit FewStreams HeadToo WithoutSecrets Watchers ServerSays NoServer Weighed Misasked SessionAtServer
    MatchAtServer MatchAtTable Teller Moored Asked Asking Setting Taken Told Found Shown House
    told said say stood anew beside besides alike thrown allot lasting misfit reckon
    reckoned squeezed by_winner first_of before_last take_back undo_again continue_under laid_out takeback_again
    by_chance play_out think_ahead makers_of usual_of stand_up hand_over take_again put_away ask_back asked_back
    allow_back unstaffed awaiting_word take_in house_says enrol foremost keepsake staffwork broken_off costly_lines
    well_put onlookers barred worded secretly torn mend desk staffed nobody somebody whoever
    number_of pieces_of breadth ticked curtain deed cards_of house dear laid
    _refuse_strangers on_sheet _left_over one_run one_stream a_stream_each chances_by_event proofs Reel Wish _take_up
    Thought Choose turn_to write_down Opened People Resampled Sight Ready in_parts Stocked NoPlan replacing Branch
    kindly Trials whos Desk _stamped _tossed slips let_bots friendly_name in_the_middle Proof Advice _Judge
    wilson Chair Finished endings_of with_lessons Knowledge _retake _affordable student reel sitter awaited
    sat_down comes_back tells_of_this_match knows_where_he_is waits_for_question _asks_back
    known_to_all of_record ends_well goes_on GONE_ON WHITHER Advised AdvisedFinger Witness astray misnamed
    _go_on _officers_go_on go_on _as_told thrower leaks_in_the_log
    """.split()  # noqa: SIM905
)
"""Retired identifiers."""

WORDS = re.compile(
    r"""\b(
      reckon\w* | told | tell(?:s|ing)? | mend(?:s|ed|ing)? | anew | meanwhile | whoever | nobody |
      somebody | besides? | thereby | hangs?\ on | hung\ on | stood | whom | dearer | bring\ back | brings\ back |
      brought\ back | takes?\ in | taken\ in | took\ in | puts?\ away | looks?\ on | looking\ on | onlookers? |
      comes?\ by | goes\ on | go\ on | went\ on | as\ usual | one's\ own | one\ likes | of\ late | by\ what |
      that\ much | dies\ of | the\ like | all\ the\ same | slips?\ of\ the\ pen | parts\ of\ a\ hundred |
      at\ (?:one|your)'?s?\ elbow |
      so\ many | nine\ of\ ten | the\ house(?:'s)? | this\ house | a\ house | lesson'?s\ house | laid |
      wherever\ one | as\ it\ were |
      nevertheless | none\ the\ less | hitherto | whence | thence | therein | thereof | wherein | albeit | forthwith |
      perchance | afresh | to\ and\ fro | by\ (?:everybody|everyone)'s\ leave | sat\ down | put\ down | go-on |
      h(?:e|o)ld(?:s|ing)?\ against |
      make\ good | in\ vain | worth\ so | tick(?:ed|ing) | verdicts? |
      staff\ officer | ask\ the\ (?:staff|officer) | keeps?\ house | keeping\ house | housekeep\w* | first\ evenings? |
      a\ move\ a\ day | points\ of\ 100 | true\ figure | nobody's | whereby | whilst | amongst | henceforth |
      throw(?:s|n|ing)? | threw
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Retired words of text."""

LOWER_CASE = re.compile(WORDS.pattern, re.VERBOSE)
"""The same in lower case, which is found much faster."""

REPLACEMENTS = {
    "Eyes": "Viewer",
    "House": "Server",
    "Keeping": "MatchStore",
    "Setting": "EnvConfig or MatchSetup",
    "Sitting": "EnvMatch",
    "Taken": "WriteConflict",
    "alike": "identical",
    "all the same": "still or but",
    "nevertheless": "still or but",
    "anew": "again",
    "as usual": "by default",
    "barred": "blocked or banned",
    "beside": "next to, except or compared with",
    "besides": "also",
    "bring back": "restore",
    "by_chance": "random",
    "by what": "how or why",
    "cards_of": "list_cards",
    "dear": "expensive",
    "desk": "tools",
    "enrol": "create_player",
    "found": "result, or the name of the thing",
    "go on": "continue",
    "go-on": "continue",
    "go_on": "continue or play_until",
    "goes on": "continues",
    "hangs on": "depends on",
    "held against": "compared with or checked against",
    "hold against": "compare with or check against",
    "house": "server",
    "laid": "set up or put",
    "look on": "watch",
    "looks on": "watches",
    "meanwhile": "in the meantime, or leave it out",
    "mend": "repair or fix",
    "misfit": "data error",
    "nine of ten": "5th to 95th percentile",
    "nobody": "no one, no player or no seat",
    "number_of": "count",
    "of late": "recently",
    "onlooker": "spectator",
    "parts of a hundred": "percentage points",
    "put away": "archive or delete",
    "reckon": "calculate or compute",
    "said": "log lines, messages or text",
    "say": "log_line, print or post_message",
    "slip of the pen": "typing error",
    "so many": "this many",
    "somebody": "someone, or name the role",
    "staff officer": "bot or analysis",
    "stood": "was",
    "take in": "import",
    "take_back": "revert_to",
    "tell": "report, show or distinguish",
    "that much": "this",
    "the house": "the server",
    "the like": "similar",
    "thereby": "so",
    "threw": "rolled",
    "throw": "roll",
    "tick": "select",
    "told": "reported, or inputs, entries or result",
    "verdict": "match review",
    "whoever": "anyone who, or name the role",
    "whom": "who",
    "worded": "text",
}
"""Standard words for the most common retired ones; other forms of a word are found by its stem."""

FLAVOUR = (
    "src/readyroom/games/*/data/*",
    "src/readyroom/games/*/data/scenarios/*",
    "src/readyroom/games/*/tables/data/scenarios/*",
    "src/readyroom/games/doolittle/ending/*",
)
"""Files with flavour text or printed charts, which may use any word."""

ALLOWED: dict[str, tuple[str, ...]] = {
    "src/readyroom/campaign/data/*.toml": ('ending = "told"',),
    "tests/games/strategic/*.py": ("[told]", '"told"'),  # a key of scenario files
    "src/readyroom/store/*.py": ("c.told", "row.told", "`told`"),  # a database column
    "src/readyroom/store/*/*.py": ("c.told", "row.told", '"told"'),
    "tests/store/test_integrity.py": ("c.told", "told="),
    "tests/records/manifest.toml": (  # an option, and seeds
        'ending = "told"',
        "real dice told by hand 58",
        "secret told at the end 88",
        "they come by the dozen 85",
        "nobody can go aboard 128",
        "too little fuel to go on 103",
        "too-little-fuel-to-go-on",
        "nobody in china 181",
        "thrown-at-the-staffs-table",
        "thrown at the staffs table 6",
        "ships-thrown-together",
        "ships thrown together 163",
    ),
    "CHANGELOG.md": ("`reckoned`", "`verdict`", "`readyroom verdict`"),  # names of version 1.0
    "docs/*.md": ("`reckoned`", "--bots reckoned,doctrine"),  # a bot
    "docs/evening.py": ('"a first evening"',),  # a seed
    "docs/play-midway.md": ('"a first evening"',),
    "src/readyroom/games/doolittle/options.toml": ("told = ",),  # stored choices and keys of version 1.0
    "src/readyroom/games/doolittle/planning/view.py": ("    told: bool", "told=notes"),
    "src/readyroom/games/doolittle/presentation/*.py": ("blotter.told",),
    "src/readyroom/games/doolittle/presentation/drawing/*.py": ("blotter.told",),
    "src/readyroom/games/picket/*.toml": ('"reckoned"',),  # the name of a bot
    "src/readyroom/games/picket/mixes.json": ('"name": "reckoned"',),  # the same
    "*.js": ("throw if", "throw new"),
    "src/readyroom/engine/rules/forms.py": ("`throw`",),  # an option's key
    "src/readyroom/games/strategic/tables/calculator.py": ("'throw'",),  # an outcome, which records contain
    "tests/browser/test_strategic.py": ('"1 throw"',),
    "src/readyroom/games/strategic/tables/data/pearl.toml": ("die is thrown",),  # covered by the fingerprint of records
    "examples/tokyo-express/tokyo_express/glossary.toml": ("thrown overboard",),
    "src/readyroom/games/tora/data/doctrines/sunday.toml": ("Nobody",),  # covered by the fingerprint of records
}
"""Phrases that are allowed, by a pattern of files."""

SUFFIXES = (".py", ".md", ".j2", ".html", ".toml", ".js", ".mjs", ".css", ".yml", ".json")


def retired(path: Path) -> Iterator[tuple[int, str, str]]:
    """Yield line number, word and line of each retired name and word in a file."""
    text = path.read_text()
    lines = text.splitlines()
    name = path.relative_to(ROOT).as_posix()
    allowed = [phrase for pattern, phrases in ALLOWED.items() if path.match(pattern) for phrase in phrases]
    for phrase in allowed:
        text = text.replace(phrase, "_" * len(phrase))
    if not (LOWER_CASE.search(text.lower()) or NAMES & set(re.findall(r"\w+", text))):
        return  # most files; they need no tokens
    pieces = _pieces_of_python(text) if name.endswith(".py") else enumerate(text.splitlines(), start=1)
    for number, piece in pieces:
        if piece in NAMES:
            yield number, piece, lines[number - 1].strip()
        elif " " in piece:
            for match in WORDS.finditer(piece):
                at = number + piece[: match.start()].count("\n")
                yield at, match[0], lines[at - 1].strip()


def suggestion(word: str) -> str:
    """Return the standard word for a retired one as a remark; empty if none is listed."""
    text = " ".join(word.split())
    stems = [text, text.lower(), *(text.lower().removesuffix(end) for end in ("s", "n", "ed", "ing", "'s"))]
    return next((f" (use: {REPLACEMENTS[stem]})" for stem in stems if stem in REPLACEMENTS), "")


def describe(path: Path) -> list[str]:
    """Return a line for each hit in a file: place, word, suggestion and text."""
    name = path.relative_to(ROOT)
    return [f"{name}:{at}: {word}{suggestion(word)}: {line}" for at, word, line in retired(path)]


def _pieces_of_python(text: str) -> Iterator[tuple[int, str]]:
    """Yield names, strings and comments with their line numbers."""
    kinds = {tokenize.NAME, tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", -1)}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in kinds:
            yield token.start[0], token.string


def files(paths: list[str]) -> Iterator[Path]:
    """Yield the repository's text files under these paths."""
    command = ["git", "ls-files", *paths]
    for name in subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n"):
        path = ROOT / name
        flavour = any(path.match(pattern) for pattern in FLAVOUR)
        if name.endswith(SUFFIXES) and not flavour and path.name not in (Path(__file__).name, "package-lock.json"):
            yield path


def test_no_file_contains_a_retired_word() -> None:
    hits = [hit for path in files([]) for hit in describe(path)]
    assert not hits, "\n".join(hits)


def test_suggestion_covers_other_forms_of_a_word() -> None:
    assert suggestion("Reckoned") == suggestion("reckon") == " (use: calculate or compute)"
    assert suggestion("Wilson") == ""


if __name__ == "__main__":
    verbose = "-v" in sys.argv
    total = 0
    for path in files([arg for arg in sys.argv[1:] if arg != "-v"]):
        hits = describe(path)
        total += len(hits)
        if verbose:
            print(*hits, sep="\n")
        elif hits:
            print(len(hits), path.relative_to(ROOT))
    print(total)
