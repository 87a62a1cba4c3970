"""Scheduled backups: archives in a folder, each verified by a restore into a scratch database.

Another process writes and verifies them, so that moves do not wait. Of several servers on one database, one does it.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile
from threading import Event, Lock, Thread

from sqlalchemy import insert, update

from readyroom.engine.errors import ReadyRoomError
from readyroom.store import Store
from readyroom.store.base import now
from readyroom.store.database import WriteConflict
from readyroom.store.integrity import read_note
from readyroom.store.tables import server
from readyroom.web import affinity
from readyroom.web.settings import Settings

PREFIX, SUFFIX = "ready-room-", ".zip"
RETRY = 3600.0
"""Seconds until a failed backup is tried again."""
PATIENCE = 6 * 3600.0
"""The time limit of one backup in seconds."""
LOOK = 60.0
"""Seconds between two looks whether a backup is due."""
HOUR = 3600.0

logger = logging.getLogger("readyroom.web")


class Backups:
    """Writes a backup whenever one is due, and deletes those beyond the number to keep.

    `failure` is a sentence about the last backup if it failed; empty otherwise.
    """

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings, self._store = settings, store
        self._stopped, self._writing = Event(), Lock()
        self._process: subprocess.Popen[str] | None = None
        self.failure = ""

    def start(self) -> None:
        """Start the schedule, if there is one."""
        if self._settings.backup is not None:
            self._check_folder(self._settings.backup)
            Thread(target=self._run, name="backups", daemon=True).start()

    def _check_folder(self, folder: Path) -> None:
        """Report at the start that the folder cannot be written, even if the next backup is not due yet."""
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with TemporaryFile(dir=folder):
                pass
        except OSError as error:
            self.failure = f"Backups cannot be written to {folder}: {error.strerror or error}."
            logger.error("%s", self.failure)

    def stop(self) -> None:
        """Stop the schedule, and a backup that is being written; its temporary files are deleted later."""
        self._stopped.set()
        if (process := self._process) is not None:
            process.terminate()

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                if self._claim():
                    self.write()
            except ReadyRoomError as error:
                self._fail(str(error))
            self._stopped.wait(LOOK)

    def _claim(self) -> bool:
        """Return whether a backup is due that no other server is writing, and note that this one does."""
        with self._store.database.glance() as connection:
            last = read_note(connection, "backup")
        if last is not None and now() - float(last) < self._settings.backup_hours * HOUR:
            return False
        note = f"{now():.3f}"
        try:
            with self._store.database.writing() as connection:
                if last is None:
                    connection.execute(insert(server), {"name": "backup", "value": note})
                    return True
                mine = update(server).where(server.c.name == "backup", server.c.value == last)
                return connection.execute(mine.values(value=note)).rowcount == 1
        except WriteConflict:
            return False

    def write(self) -> Path | None:
        """Write and verify a backup now; return its file, or None if that failed: then `failure` says why."""
        with self._writing:
            return self._write()

    def _write(self) -> Path | None:
        folder = self._settings.backup
        assert folder is not None
        path = folder / f"{PREFIX}{datetime.now(UTC):%Y%m%d-%H%M%S}{SUFFIX}"
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for left in folder.glob(f"{PREFIX}*{SUFFIX}.*"):
                if left.is_dir():
                    shutil.rmtree(left, ignore_errors=True)
                else:
                    left.unlink(missing_ok=True)
            why = self._archive(path)
            if not why:
                for old in sorted(folder.glob(f"{PREFIX}*{SUFFIX}"))[: -self._settings.backup_keep]:
                    old.unlink(missing_ok=True)
        except (OSError, subprocess.SubprocessError) as error:
            why = str(error)
        if self._stopped.is_set():
            return None
        if why:
            self._fail(why)
            return None
        self.failure = ""
        logger.info("backup %s was written and verified", path.name)
        return path

    def _archive(self, path: Path) -> str:
        """Write and verify an archive in another process; return why that failed."""
        command = [sys.executable, "-m", "readyroom", "backup", "--verify", str(path)]
        url = self._store.database.url.render_as_string(hide_password=False)
        own = {"READYROOM_DATABASE": url, "READYROOM_SECRET": self._settings.key or ""}
        if self._settings.key is None:
            own["READYROOM_HOME"] = str(Path(str(self._store.database.url.database)).parent)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("READYROOM_")} | own
        self._process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        affinity.allow(self._process.pid)
        try:
            _, errors = self._process.communicate(timeout=PATIENCE)
            return "" if self._process.returncode == 0 else errors.strip().rpartition("\n")[2] or "it was ended"
        finally:
            self._process.kill()
            self._process = None

    def _fail(self, why: str) -> None:
        """Note a failed backup, and that it is due again in an hour."""
        self.failure = f"The last scheduled backup failed: {why.rstrip('.')}."
        logger.error("backup failed: %s", why)
        due = now() - self._settings.backup_hours * HOUR + RETRY
        try:
            with self._store.database.writing() as connection:
                connection.execute(update(server).where(server.c.name == "backup").values(value=f"{due:.3f}"))
        except ReadyRoomError:
            logger.warning("a backup is tried again after %d hours", self._settings.backup_hours)
