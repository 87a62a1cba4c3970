"""Scenarios of players in the database: owners, versions, links and limits."""

from __future__ import annotations

import pytest
from tests.store.playing import enrolled

from readyroom.store import Player, Store, scenarios
from readyroom.store.errors import InvalidText, TooManyScenarios, UnknownLink, UnknownOwnScenario


@pytest.fixture
def owner(store: Store) -> Player:
    return enrolled(store)


@pytest.fixture
def kept(store: Store, owner: Player) -> str:
    """Return the id of a scenario."""
    return store.scenarios.create(owner.id, "straits", "Fog", "fog = 1\n")


def test_saving_makes_a_version_only_if_the_text_has_changed(store: Store, owner: Player, kept: str) -> None:
    store.scenarios.save(kept, owner.id, "Fog", "fog = 1\n")
    assert store.scenarios.find(kept, owner.id).version == 1
    store.scenarios.save(kept, owner.id, "Thick fog", "fog = 2\n")
    store.scenarios.write_result(kept, b"tried")
    found = store.scenarios.find(kept, owner.id)
    assert (found.title, found.text, found.version, found.result, found.author) == (
        *("Thick fog", "fog = 2\n", 2, b"tried", owner.name),
    )


def test_only_the_owner_sees_and_changes_a_scenario(store: Store, kept: str) -> None:
    stranger = enrolled(store, "Nagumo").id
    for act in (store.scenarios.find, store.scenarios.delete, store.scenarios.unshare):
        with pytest.raises(UnknownOwnScenario):
            act(kept, stranger)
    with pytest.raises(UnknownOwnScenario):
        store.scenarios.save(kept, stranger, "Mine", "fog = 0\n")
    with pytest.raises(UnknownOwnScenario):
        store.scenarios.share(kept, stranger, listed=True)


def test_link_leads_to_a_scenario_until_it_is_ended(store: Store, owner: Player, kept: str) -> None:
    for wrong in ("", kept, "x" * 500):
        with pytest.raises(UnknownLink):
            store.scenarios.shared(wrong)
    store.scenarios.share(kept, owner.id, listed=False)
    link = store.scenarios.find(kept, owner.id).link
    assert link is not None
    assert store.scenarios.shared(link).text == "fog = 1\n"
    assert store.scenarios.listed() == []
    store.scenarios.share(kept, owner.id, listed=True)
    assert [(one.link, one.author) for one in store.scenarios.listed("straits")] == [(link, owner.name)]
    assert store.scenarios.listed("midway") == []
    store.scenarios.unshare(kept, owner.id)
    assert store.scenarios.listed() == []
    with pytest.raises(UnknownLink):
        store.scenarios.shared(link)


def test_limits_of_scenarios(store: Store, owner: Player, kept: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenarios, "MOST_SCENARIOS", 1)
    with pytest.raises(TooManyScenarios):
        store.scenarios.create(owner.id, "straits", "Rain", "rain = 1\n")
    with pytest.raises(InvalidText):
        store.scenarios.save(kept, owner.id, "Fog", "x" * (scenarios.TEXT_LENGTH + 1))
    with pytest.raises(InvalidText):
        store.scenarios.write_result(kept, bytes(scenarios.RESULT_BYTES + 1))
    store.admin.delete_player(owner.id)
    with pytest.raises(UnknownOwnScenario):
        store.scenarios.find(kept, owner.id)
