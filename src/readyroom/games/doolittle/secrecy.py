"""[6.0] Secrecy: tests, the risk, and the alert."""

from __future__ import annotations

from readyroom.engine.rules.checks import Check
from readyroom.games.doolittle.figures.common import Icon
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.planning.china import check_event_at_sea
from readyroom.games.doolittle.state import T

ALERT, FAILED, RISK, VALUE = "alert", "failed-tests", "risk", "secrecy-value"
"""[6.1] The keys of the security track's boxes on the board."""


def secrecy_check(table: T) -> Check:
    """[6.3.1] Return the check of a secrecy test."""
    security = table.state.security
    return Check("6.3.1", "secrecy test", dice=security.value, at_least=security.risk)


def secrecy_test(table: T, subject: str, why: str) -> bool:
    """[6.3, 6.3.1, DR101] Make a test: the risk grows, a failure may raise the alert. Return whether it passes."""
    security, figures = table.state.security, table.data.security
    roll = table.roll(secrecy_check(table), subject)
    text = "Secrecy holds after" if roll else "Secrecy suffers from"
    add_risk(table, figures.test.risk)
    if not roll:
        security.failed = min(figures.track.failed_max, security.failed + figures.test.failed)
    table.log_line("6.3.1", "{} {}.", text, why, roll, target=RISK if roll else FAILED)
    if not roll:
        least = figures.alert_by_failed.at(security.failed)
        if least > security.alert:
            raise_alert(table, least - security.alert, "6.2")
    return roll.passed


def add_risk(table: T, amount: int) -> None:
    """[6.1] Add to the risk, as far as its track goes."""
    security, track = table.state.security, table.data.security.track
    security.risk = max(track.risk_min, min(track.risk_max, security.risk + amount))


def icon_hint(data: Data, icon: Icon) -> str:
    """[6.3.1] Describe the effect of an icon when a test fails at sea; empty without an icon."""
    if not icon:
        return ""
    figures, most = data.security.icons.icon[icon], data.security.track.alert_max
    parts = []
    if figures.airstrike_from <= most:
        parts.append("an airstrike" + (f" from alert {figures.airstrike_from}" if figures.airstrike_from else ""))
    if figures.alert:
        parts.append(f"else alert +{figures.alert} on the task force")
    return f"{figures.title}: if the test fails, {', '.join(parts) or 'nothing more'}"


def brings_airstrike(table: T, icon: Icon, *, force: bool) -> bool:
    """[6.3.1, DR68] Return whether the icon of a failed test at sea brings planes; else the alert may rise.

    `force` says that the task force was met, and not a recon or a submarine.
    """
    if table.state.segment != "naval" or not icon:
        return False
    figures = table.data.security.icons.icon[icon]
    if table.state.security.alert >= figures.airstrike_from:
        return True
    if force:
        raise_alert(table, figures.alert, "6.3.1")
    return False


def raise_alert(table: T, levels: int, rule: str) -> None:
    """[6.2] Raise the alert, as far as its track goes."""
    security = table.state.security
    before = security.alert
    security.alert = min(table.data.security.track.alert_max, before + levels)
    if security.alert > before:
        moment = f"Japan is on guard: alert {security.alert}"
        table.reveal(rule, "Japan is on guard: the alert rises to {}.", security.alert, target=ALERT, moment=moment)
        if before < table.data.planning.events.alert <= security.alert:
            check_event_at_sea(table)
