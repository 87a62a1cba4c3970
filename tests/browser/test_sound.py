"""The sounds of playback, rendered without a loudspeaker."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser import sounds
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.matches import create_match, join_seat
from tests.server.running import Server

RENDERED = """async (plays) => {
  const script = document.querySelector("script[src$='/app.js']").src;
  const { Voices } = await import(script.replace("app.js", "playback/voices.js"));
  const rate = 44100, found = [];
  for (const sounds of plays) {
    const context = new OfflineAudioContext(2, rate * 4, rate);
    const voices = new Voices(context);
    voices.setVolume(100);
    context.suspend(0.1).then(() => {
      for (const [name, args, pan = 0] of sounds) voices.play(name, args, { pan });
      context.resume();
    });
    const buffer = await context.startRendering();
    const [left, right] = [buffer.getChannelData(0), buffer.getChannelData(1)];
    const power = (data) => data.reduce((sum, value) => sum + value * value, 0);
    const peak = left.reduce((most, value, at) => Math.max(most, Math.abs(value), Math.abs(right[at])), 0);
    const seconds = left.findLastIndex((value, at) => Math.max(Math.abs(value), Math.abs(right[at])) > 0.003) / rate;
    const rms = Math.sqrt((power(left) + power(right)) / 2 / rate / seconds);
    found.push({ peak, seconds: seconds - 0.1, rms, balance: power(left) / power(right), sample: left[rate / 5] });
  }
  return found;
}"""
"""Plays sounds at once, for each of some lists of them, and measures what is heard."""

LISTEN = """() => {
  window.started = 0;
  const start = AudioScheduledSourceNode.prototype.start;
  AudioScheduledSourceNode.prototype.start = function (...when) { window.started += 1; start.apply(this, when); };
  const play = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...when) { window.started += 1; play.apply(this, when); };
}"""
"""Counts the voices that begin."""


@pytest.mark.torture(8)
def test_each_sound_is_audible_not_clipped_and_like_no_other(visit: Visit, server: Server) -> None:
    found = {name: sounds.measure(one) for name, one in sounds.render(visit("Anna").go("/games")).items()}
    for name, sound in found.items():
        assert 0.2 < sound.peak < 0.95, (name, sound)
        assert 0.2 < sound.seconds < 3, (name, sound)
        assert 0.03 < sound.rms < 0.25, (name, sound)
        assert sound.small > 0.014, (name, sound, "phones play nothing below 300 Hz")
        assert sound.last < 0.02, (name, sound, "it ends with a click")
    for one, other in combinations(found, 2):
        apart = sounds.distance(found[one], found[other])
        assert apart > 0.5, (one, other, apart)
    assert max(one.rms for one in found.values()) < 4 * min(one.rms for one in found.values())
    assert found["machine guns"].centroid > 2 * found["flak"].centroid


@pytest.mark.torture(4)
def test_sounds_vary_come_from_their_side_and_stay_within_limits(visit: Visit, server: Server) -> None:
    boom: tuple[str, list[float], float] = ("boom", [0, 1], 0)
    first, second, left, right, many, battle = rendered(
        visit, [boom], [boom], [("boom", [0, 1], -1)], [("boom", [0, 1], 1)], [boom] * 40, [*sounds.SOUNDS.values()] * 3
    )
    assert first["sample"] != second["sample"]
    assert left["balance"] > 4
    assert right["balance"] < 1 / 4
    assert many["rms"] < 2 * first["rms"], "of many alike, a few are heard"
    assert battle["peak"] < 0.98


def rendered(visit: Visit, *plays: Sequence[Sequence[Any]]) -> list[dict[str, float]]:
    """Return what is heard of each list of sounds that are played at once."""
    found: list[dict[str, float]] = visit("Anna").go("/games").evaluate(RENDERED, list(plays))
    return found


@pytest.mark.torture(7)
def test_sound_is_heard_at_once_and_its_switches_are_remembered(visit: Visit, server: Server) -> None:
    anna = visit("Anna")
    table = join_seat(anna, create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"])
    table.wait_for_decision()
    page = table.page
    page.evaluate(LISTEN)
    loaded = "performance.getEntriesByType('resource').some(({ name }) => name.includes('/voices.'))"
    assert not page.evaluate(loaded), "sounds are loaded once they are on"
    button, settings = page.locator("#sound"), page.locator("#sound-more summary")
    expect(settings).to_be_hidden()
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_contain_text("60 %")
    page.wait_for_function("() => window.started > 0")
    assert page.evaluate(loaded)
    settings.click()
    page.evaluate("window.started = 0")
    page.get_by_role("button", name="Test").click()
    page.wait_for_function("() => window.started > 25")
    page.evaluate("window.started = 0")
    bell, effects = page.get_by_label("Bell when it is your turn"), page.get_by_label("Effects on the board")
    page.wait_for_timeout(300)  # samples are not played too often
    page.get_by_label("Volume").fill("80")
    bell.uncheck()
    bell.check()
    effects.uncheck()
    assert page.evaluate("window.started") >= 4
    expect(button).to_contain_text("80 %")
    assert not violations(page)
    page.keyboard.press("Escape")
    expect(bell).to_be_hidden()
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.hover()
    page.keyboard.press("Shift")  # the first key wakes the sound
    expect(button).to_contain_text("80 %")
    settings.click()
    expect(effects).not_to_be_checked()
    expect(bell).to_be_checked()
