"""Small studies requested by visitors: one at a time, in a separate process, with a time limit."""

from __future__ import annotations

import logging
import secrets
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock, Thread

import msgspec

from readyroom.engine.data import ready
from readyroom.engine.errors import ReadyRoomError
from readyroom.study.folder import FACTS, PAGE, finished
from readyroom.study.studyfile import Study, checked, parse_study

LOGGER = logging.getLogger("readyroom.web")
MOST = 400
"""The most matches of a study, all cases together."""
LONGEST = 90.0
"""Seconds after which a study is stopped."""
KEPT = 12
"""The number of studies remembered."""
FILE = "study.toml"


class Busy(ReadyRoomError):
    """Another study is running."""

    def __init__(self) -> None:
        super().__init__("Another study is running. Try again in a minute.")


class NoSuchStudy(ReadyRoomError):
    """No such study is remembered."""

    def __init__(self) -> None:
        super().__init__("Study not found. Only the most recent studies are kept.")


class TooLarge(ReadyRoomError):
    """The study has more matches than allowed here."""

    def __init__(self, asked: int) -> None:
        super().__init__(f"A study here can have at most {MOST} matches in total; this one would have {asked:,}.")


class StudyJob:
    """A requested study: its text, its progress, and in the end its report or the reason why there is none."""

    def __init__(self, text: str, study: Study) -> None:
        self.id = secrets.token_urlsafe(9)
        self.text, self.study = text, study
        self.page, self.error = "", ""
        self.sentences: Sequence[str] = ()
        self.unsure = 0
        self._kept = TemporaryDirectory(prefix="study-")
        self.folder = Path(self._kept.name) / "study"

    @property
    def over(self) -> bool:
        """Whether the job has ended."""
        return bool(self.page or self.error)

    @property
    def all_matches(self) -> int:
        """The number of matches."""
        return self.study.matches * len(self.study.cases)

    @property
    def played(self) -> int:
        """The number of finished matches."""
        return self.all_matches if self.page else finished(self.folder, self.study)

    def gather(self) -> None:
        """Read the report and the findings from the folder."""
        from readyroom.study.measures import MeasureResult  # slow to load, and few servers need it
        from readyroom.study.study_page import describe_result

        facts = msgspec.json.decode((self.folder / FACTS).read_bytes())
        self.sentences, self.unsure = describe_result(msgspec.convert(facts["result"], ready(MeasureResult)))
        self.page = (self.folder / PAGE).read_text(encoding="utf-8")

    def discard(self) -> None:
        """Delete the folder."""
        self._kept.cleanup()


class StudyRunner:
    """The running study and the last finished ones."""

    def __init__(self) -> None:
        self._asked: dict[str, StudyJob] = {}
        self._one_at_a_time = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self, text: str) -> StudyJob:
        """Start a study from its text.

        Raises `InvalidData` or `Unknown` if the text is no valid study, `TooLarge` or `Busy` if it cannot run here now.
        """
        study = checked(parse_study(text.encode(), FILE), FILE)
        if study.matches * len(study.cases) > MOST:
            raise TooLarge(study.matches * len(study.cases))
        if not self._one_at_a_time.acquire(blocking=False):
            raise Busy
        asked = StudyJob(text, study)
        self._asked[asked.id] = asked
        for old in list(self._asked)[:-KEPT]:
            del self._asked[old]
        Thread(target=self._play, args=(asked,), name="study", daemon=True).start()
        return asked

    def find(self, id: str) -> StudyJob:
        """Return the study of this id; raise `NoSuchStudy`."""
        if id not in self._asked:
            raise NoSuchStudy
        return self._asked[id]

    def close(self) -> None:
        """Stop the running study."""
        if self._process is not None:
            self._process.kill()

    def wait(self) -> None:
        """Wait until no study is running."""
        with self._one_at_a_time:
            pass

    def _play(self, asked: StudyJob) -> None:
        try:
            asked.error = self._worked(asked)
            if not asked.error:
                asked.gather()
        except Exception:
            LOGGER.exception("a study failed")
            asked.error = "Something went wrong. The error was logged."
        finally:
            self._process = None
            asked.discard()
            self._one_at_a_time.release()

    def _worked(self, asked: StudyJob) -> str:
        """Run the study in a process; return the reason if it fails."""
        command = [sys.executable, "-m", "readyroom.study.background", str(asked.folder), FILE]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            _, faults = self._process.communicate(asked.text.encode(), timeout=LONGEST)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            return f"Stopped after {LONGEST:.0f} seconds. Run it on your own computer without a time limit."
        if self._process.returncode:
            LOGGER.error("a study ended with %s: %s", self._process.returncode, faults.decode(errors="replace"))
            return "Stopped before the end."
        return ""
