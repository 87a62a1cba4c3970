"""Notebooks in the database: owners, links and limits."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.store.playing import enrolled

from readyroom.store import Player, Store, notebooks
from readyroom.store.errors import InvalidText, TooManyNotebooks, UnknownLink, UnknownNotebook, UnknownPlayer


@pytest.fixture
def owner(store: Store) -> Player:
    return enrolled(store)


@pytest.fixture
def kept(store: Store, owner: Player) -> str:
    """Return the id of a notebook."""
    return store.notebooks.create(owner.id, "straits", " Fog ", "fog = 1\n")


def test_notebook_is_kept_and_listed(store: Store, owner: Player, kept: str) -> None:
    found = store.notebooks.find(kept, owner.id)
    assert (found.title, found.game, found.text, found.link, found.result, found.ran) == (
        *("Fog", "straits", "fog = 1\n"),
        *(None, None, None),
    )
    other = store.notebooks.create(owner.id, "straits", "Rain", "rain = 1\n")
    store.notebooks.edit(kept, owner.id, lambda text: ("Thick fog", text + "more = 1\n"))
    assert [(one.id, one.title) for one in store.notebooks.of_player(owner.id)] == [
        (kept, "Thick fog"),
        (other, "Rain"),
    ]
    assert store.notebooks.find(kept, owner.id).text == "fog = 1\nmore = 1\n"
    store.notebooks.delete(other, owner.id)
    assert [one.id for one in store.notebooks.of_player(owner.id)] == [kept]


def test_only_the_owner_sees_and_changes_it(store: Store, kept: str) -> None:
    stranger = enrolled(store, "Nagumo").id
    for act in (store.notebooks.find, store.notebooks.delete, store.notebooks.share, store.notebooks.unshare):
        with pytest.raises(UnknownNotebook):
            act(kept, stranger)
    with pytest.raises(UnknownNotebook):
        store.notebooks.edit(kept, stranger, lambda text: ("Mine", text))
    assert store.notebooks.of_player(stranger) == []


def test_link_leads_to_it_until_it_is_ended(store: Store, owner: Player, kept: str) -> None:
    for wrong in ("", kept, "x" * 43, "x" * 500):
        with pytest.raises(UnknownLink):
            store.notebooks.shared(wrong)
    store.notebooks.share(kept, owner.id)
    link = store.notebooks.find(kept, owner.id).link
    assert link is not None
    assert len(link) == 43
    store.notebooks.share(kept, owner.id)
    assert store.notebooks.shared(link).id == kept
    store.notebooks.unshare(kept, owner.id)
    with pytest.raises(UnknownLink):
        store.notebooks.shared(link)
    store.notebooks.share(kept, owner.id)
    assert store.notebooks.find(kept, owner.id).link != link


def test_result_is_kept(store: Store, owner: Player, kept: str) -> None:
    store.notebooks.write_result(kept, b"result")
    found = store.notebooks.find(kept, owner.id)
    assert found.result == b"result"
    assert found.ran is not None
    store.notebooks.write_result("gone", b"result")
    with pytest.raises(InvalidText, match="maximum"):
        store.notebooks.write_result(kept, bytes(notebooks.RESULT_BYTES + 1))


def test_limits_are_kept(store: Store, owner: Player, kept: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebooks, "MOST_NOTEBOOKS", 2)
    store.notebooks.create(owner.id, "straits", "Second", "")
    with pytest.raises(TooManyNotebooks, match="2 notebooks"):
        store.notebooks.create(owner.id, "straits", "Third", "")
    with pytest.raises(UnknownPlayer):
        store.notebooks.create("no-one", "straits", "A", "")
    for title, text in (("", ""), ("x" * 101, ""), ("A\nB", ""), ("A", "x" * (notebooks.TEXT_LENGTH + 1)), ("A", "\0")):
        with pytest.raises(InvalidText):
            store.notebooks.edit(kept, owner.id, lambda _, new=(title, text): new)  # type: ignore[misc]
    assert store.notebooks.find(kept, owner.id).title == "Fog"


def test_failed_change_leaves_it_alone(store: Store, owner: Player, kept: str) -> None:
    def fail(text: str) -> tuple[str, str]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.notebooks.edit(kept, owner.id, fail)
    assert store.notebooks.find(kept, owner.id).title == "Fog"


def test_notebooks_go_with_their_player(store: Store, owner: Player, kept: str) -> None:
    store.notebooks.share(kept, owner.id)
    link = store.notebooks.find(kept, owner.id).link or ""
    store.admin.delete_player(owner.id)
    with pytest.raises(UnknownLink):
        store.notebooks.shared(link)


@pytest.mark.slow(3)
def test_archive_has_notebooks(store: Store, owner: Player, kept: str, tmp_path: Path) -> None:
    never_run = store.notebooks.create(owner.id, "straits", "Never run", "")
    store.notebooks.write_result(kept, b"\x00result")
    store.archive(tmp_path / "all.zip")
    restored = Store.restore(tmp_path / "all.zip", f"sqlite:///{tmp_path}/restored.sqlite", accept=True)
    assert restored.notebooks.find(kept, owner.id).result == b"\x00result"
    assert restored.notebooks.find(never_run, owner.id).result is None
    restored.close()
