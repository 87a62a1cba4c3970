"""A SQLite file has one server; other programs may use it too."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.helpers import Shell
from tests.server.running import ForkedServer, open_store

from readyroom.store.database import FILE
from readyroom.store.errors import DatabaseInUse
from readyroom.store.server_lock import only_server


@pytest.mark.slow(2)
def test_second_server_on_one_file_is_refused_until_the_first_ends(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with ForkedServer(home) as first:
        (tmp_path / "link").symlink_to(home)
        second = ForkedServer(tmp_path / "other", f"sqlite:///{tmp_path}/link/{FILE}")
        with pytest.raises(
            AssertionError, match=rf"Another server \(process {first.pid}\) is using .*{FILE}\. Stop it"
        ):
            second.start()
        second.kill()
        assert Shell(home).run("admin", "list").code == 0
        with closing(open_store(home, None)) as store:
            assert store.listings.public_matches() == []
        first.kill()
        first.start()


def test_lock_is_of_one_sqlite_file(tmp_path: Path) -> None:
    with only_server(f"sqlite:///{tmp_path}/one.sqlite"):
        assert [each.name for each in tmp_path.iterdir() if each.is_file()] == ["one.sqlite.server"]
        with only_server(f"sqlite:///{tmp_path}/two.sqlite"), only_server("postgresql://host/name"):
            pass
    assert "process 7" in str(DatabaseInUse("file", "7"))
    assert "process" not in str(DatabaseInUse("file"))
