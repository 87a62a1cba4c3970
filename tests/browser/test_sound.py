"""The sounds of playback, rendered without a loudspeaker."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.matches import create_match, join_seat
from tests.server.running import Server

RENDERED = """async () => {
  const script = document.querySelector("script[src$='/app.js']").src;
  const { Sound } = await import(script.replace("app.js", "playback/sound.js"));
  const plays = {
    landing: (sound) => sound.land(),
    dice: (sound) => sound.rattle(20), engines: (sound) => sound.engines(2), guns: (sound) => sound.guns(5),
    flak: (sound) => sound.flak(12), torpedo: (sound) => sound.torpedo(), dive: (sound) => sound.dive(),
    hit: (sound) => sound.boom(0, 1), hits: (sound) => [0, 1, 2, 3, 4].forEach((at) => sound.boom(at * 0.11, 1)),
    splash: (sound) => sound.splash(), sinking: (sound) => sound.sink(), thud: (sound) => sound.thud(),
    tick: (sound) => sound.tick(), bell: (sound) => sound.bell(),
  };
  const found = {};
  for (const [name, play] of Object.entries(plays)) {
    const context = new OfflineAudioContext(1, 44100 * 4, 44100);
    const sound = new Sound(context);
    sound.setVolume(100);
    play(sound);
    const data = (await context.startRendering()).getChannelData(0);
    const peak = data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const last = data.findLastIndex((value) => Math.abs(value) > 0.001);
    const loud = data.slice(0, last + 1).reduce((sum, value) => sum + value * value, 0);
    found[name] = { peak, seconds: last / 44100, rms: Math.sqrt(loud / (last + 1)) };
  }
  return found;
}"""

LISTEN = """() => {
  window.started = 0;
  const start = AudioScheduledSourceNode.prototype.start;
  AudioScheduledSourceNode.prototype.start = function (...when) { window.started += 1; start.apply(this, when); };
  const play = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...when) { window.started += 1; play.apply(this, when); };
}"""
"""Counts the voices that begin."""


@pytest.mark.torture(4)
def test_each_sound_is_audible_short_and_not_clipped(visit: Visit, server: Server) -> None:
    anna = visit("Anna")
    anna.go("/games")
    found = anna.page.evaluate(RENDERED)
    for name, sound in found.items():
        assert sound["rms"] > 0.004, (name, sound)
        assert 0.02 < sound["peak"] < 1, (name, sound)
        assert sound["seconds"] < 3, (name, sound)


@pytest.mark.torture(7)
def test_sound_is_heard_at_once_and_its_switches_are_remembered(visit: Visit, server: Server) -> None:
    anna = visit("Anna")
    table = join_seat(anna, create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"])
    table.wait_for_decision()
    page = table.page
    page.evaluate(LISTEN)
    button, settings = page.locator("#sound"), page.locator("#sound-more summary")
    expect(settings).to_be_hidden()
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_contain_text("60 %")
    page.wait_for_function("() => window.started > 0")
    settings.click()
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
