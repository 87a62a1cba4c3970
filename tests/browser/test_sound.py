"""The sounds of playback, rendered without a loudspeaker."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser import sounds
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.matches import create_match, join_seat
from tests.server.running import Server

from readyroom.web.static_files import STATIC

SCRIPTS = STATIC / "js" / "playback"
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

PASSING = """async () => {
  const script = document.querySelector("script[src$='/app.js']").src;
  const { Voices } = await import(script.replace("app.js", "playback/voices.js"));
  const rate = 44100, open = (seconds) => new OfflineAudioContext(2, rate * seconds, rate);
  const sky = open(3), passing = new Voices(sky);
  passing.setVolume(100);
  sky.suspend(0.1).then(() => { passing.play("engines", [2], { pan: 1, from: -1 }); sky.resume(); });
  const heard = await sky.startRendering();
  const power = (channel, start) =>
    heard.getChannelData(channel).slice(start * rate, (start + 0.4) * rate).reduce((sum, one) => sum + one * one, 0);
  const passed = [0.3, 2].map((start) => power(0, start) / power(1, start));
  const screen = open(5), blips = new Voices(screen);
  blips.setVolume(100);
  for (const at of [0.1, 1.1, 2.1, 3.1]) screen.suspend(at).then(() => { blips.play("blip", []); screen.resume(); });
  const tones = (await screen.startRendering()).getChannelData(0);
  const pitches = [0.14, 1.14, 2.14, 3.14].map((at) => {
    const part = tones.slice(at * rate, (at + 0.1) * rate);
    return part.reduce((sum, one, n) => sum + (n > 0 && one > 0 && part[n - 1] <= 0), 0) / 0.1;
  });
  let count = 0;
  const start = AudioScheduledSourceNode.prototype.start;
  AudioScheduledSourceNode.prototype.start = function (...when) { count += 1; start.apply(this, when); };
  const busy = new Voices(open(1)), started = {};
  const ten = ["blip", "thud", "tick", "splash", "land", "ping", "alarm", "rush", "card", "seal"];
  for (const name of ten) busy.play(name, []);
  started.ten = count;
  busy.play("morse", []);
  started.busy = count;
  busy.play("bell", []);
  started.bell = count;
  AudioScheduledSourceNode.prototype.start = start;
  return [passed, pitches, started];
}"""
"""Measures how loud the left is against the right as aircraft pass, the pitch of a sound played again and again, and
the sources of ten sounds at once, with one more, and with a bell."""

CUT = """async () => {
  const script = document.querySelector("script[src$='/app.js']").src;
  const { Sound } = await import(script.replace("app.js", "playback/sound.js"));
  const sound = new Sound(), heard = async (play) => {
    window.started = 0;
    play();
    await null;
    return window.started > 0;
  };
  await sound.wake();
  const found = { played: await heard(() => sound.play("boom", 0, 1)) };
  found.cut = await heard(() => { sound.hush(); sound.play("boom", 0, 1); });
  await new Promise((resolve) => setTimeout(resolve, 20));
  found.later = await heard(() => sound.play("boom", 0, 1));
  found.won = await heard(() => sound.ring("victory"));
  Object.defineProperty(document, "hidden", { value: true, configurable: true });
  found.hidden = await heard(() => sound.play("boom", 0, 1));
  found.bell = await heard(() => sound.ring("bell"));
  delete document.hidden;
  return found;
}"""
"""Says what is heard: as playback is skipped, and while the page is hidden."""

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


@pytest.mark.torture(2)
def test_aircraft_pass_no_sound_repeats_and_a_dozen_are_not_at_once(visit: Visit, server: Server) -> None:
    passed, pitches, started = visit("Anna").go("/games").evaluate(PASSING)
    assert passed[0] > 2, "from the left"
    assert passed[1] < 1 / 2, "to the right"
    for one, two in pairwise(pitches):
        assert abs(two / one - 1) > 0.02, pitches
    assert started["busy"] == started["ten"]
    assert started["bell"] > started["busy"], "a bell is always heard"


def test_legend_names_each_sound() -> None:
    voices, rare = ((SCRIPTS / name).read_text(encoding="utf-8") for name in ("voices.js", "rare.js"))
    made = re.findall(r"^  (\w+)\(/\*\* @type \{Voices\} \*/", voices, re.MULTILINE)
    assert len(made) > 20
    assert sorted(made) == sorted(re.findall(r"^  (\w+): \[\"", rare, re.MULTILINE))
    assert {name for name, _ in sounds.SOUNDS.values()} == set(made), "all are measured"


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
    legend = page.get_by_role("group", name="Sounds", exact=True)
    page.wait_for_timeout(6200)  # until all samples were played
    page.evaluate("window.started = 0")
    legend.get_by_role("button", name="Sonar").click()
    page.wait_for_function("() => window.started > 2")
    heard = page.evaluate(CUT)
    assert heard == {"played": True, "cut": False, "later": True, "won": True, "hidden": False, "bell": True}
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
