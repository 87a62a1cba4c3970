"""Tests of secrecy (rules 6.0 to 6.3.1): test, risk, alert, and icons at sea."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import DATA, log_text, raiders, table

from readyroom.games.doolittle.secrecy import brings_airstrike, raise_alert, secrecy_check, secrecy_test


@pytest.mark.rule("doolittle", "6.0", "6.1")
def test_track_starts_where_the_scenario_sets_it() -> None:
    security = raiders().security
    assert (security.alert, security.failed, security.risk, security.value) == (1, 4, 20, 5)


@pytest.mark.rule("doolittle", "6.3", "6.3.1")
@pytest.mark.parametrize(("last", "passed"), [(4, True), (3, False)])
def test_dice_by_the_value_must_reach_the_risk_which_grows_either_way(last: int, passed: bool) -> None:
    state = raiders()
    assert secrecy_test(table(state, 4, 4, 4, 4, last), "here", "a reason") == passed
    assert (state.security.risk, state.security.failed) == (21, 4 if passed else 5)


@pytest.mark.rule("doolittle", "6.3.1")
def test_fewer_dice_pass_less_often() -> None:
    state = raiders()
    before = secrecy_check(table(state)).odds()
    state.security.value = 4
    assert secrecy_check(table(state)).odds() < before


@pytest.mark.rule("doolittle", "6.2", "6.1")
@pytest.mark.parametrize(
    ("failed", "alert", "then"), [(4, 1, 1), (5, 1, 2), (7, 2, 3), (8, 3, 4), (5, 3, 3), (9, 4, 4)]
)
def test_failures_raise_the_alert_and_it_never_falls(failed: int, alert: int, then: int) -> None:
    state = raiders()
    state.security.failed, state.security.alert = failed, alert
    secrecy_test(table(state, 1, 1, 1, 1, 1), "here", "a reason")
    assert state.security.alert == then
    assert state.security.failed == min(failed + 1, DATA.security.track.failed_max)


@pytest.mark.rule("doolittle", "6.2")
def test_alert_is_at_most_four() -> None:
    state = raiders()
    at = table(state)
    raise_alert(at, 9, "6.2")
    raise_alert(at, 1, "6.2")
    assert state.security.alert == 4
    assert log_text(at).count("on guard") == 1


@pytest.mark.rule("doolittle", "6.3.1")
@pytest.mark.parametrize(
    ("icon", "alert", "force", "strike", "then"),
    [
        ("triangle", 4, True, False, 4),
        ("circle", 0, False, False, 0),
        ("circle", 0, True, False, 1),
        ("circle", 3, False, True, 3),
        ("square", 1, True, False, 2),
        ("square", 2, False, True, 2),
        ("line", 0, False, True, 0),
        ("", 4, True, False, 4),
    ],
)
def test_icon_of_a_failed_test_at_sea_may_bring_planes_or_raise_the_alert(
    icon: str, alert: int, force: bool, strike: bool, then: int
) -> None:
    state = raiders()
    state.segment, state.security.alert = "naval", alert
    assert brings_airstrike(table(state), icon, force=force) == strike  # type: ignore[arg-type]
    assert state.security.alert == then


@pytest.mark.rule("doolittle", "6.3.1")
def test_icon_in_the_air_has_no_further_effect() -> None:
    state = raiders()
    state.security.alert = 3
    assert not brings_airstrike(table(state), "circle", force=True)
    assert state.security.alert == 3
