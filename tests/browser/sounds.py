"""Render the sounds of playback without a loudspeaker, measure them, and draw their spectrograms.

Run `PYTHONPATH=. python tests/browser/sounds.py FOLDER` to get a WAV file of each sound, a table, and a picture.
"""

from __future__ import annotations

import base64
import sys
import tempfile
import wave
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from playwright.sync_api import Page

RATE = 44100
START = 0.1
"""Seconds before a sound begins."""
QUIET = 0.003
"""What is heard, as a share of the largest value."""
SOUNDS: Mapping[str, tuple[str, list[float]]] = {
    "dice": ("dice", [20]),
    "engines": ("engines", [2]),
    "landing": ("land", []),
    "machine guns": ("guns", [5]),
    "near guns": ("salvo", [3]),
    "far guns": ("salvo", [3, 0.25]),
    "flak": ("flak", [12]),
    "torpedo": ("torpedo", []),
    "dive": ("dive", []),
    "falling bombs": ("fall", []),
    "depth charges": ("depth", []),
    "fire": ("fire", [1.5]),
    "sonar": ("ping", []),
    "telephone": ("phone", []),
    "radio": ("morse", []),
    "victory": ("victory", []),
    "defeat": ("defeat", []),
    "hit": ("boom", [0, 1]),
    "splash": ("splash", [0]),
    "sinking": ("sink", []),
    "thud": ("thud", []),
    "damage": ("tick", [2]),
    "radar": ("blip", []),
    "alarm": ("alarm", []),
    "flooding": ("rush", []),
    "card": ("card", []),
    "seal": ("seal", []),
    "bell": ("bell", [2]),
}
RENDERED = """async ([name, args]) => {
  const script = document.querySelector("script[src$='/app.js']").src;
  const { Voices } = await import(script.replace("app.js", "playback/voices.js"));
  const context = new OfflineAudioContext(2, 44100 * 4, 44100);
  const voices = new Voices(context);
  voices.setVolume(100);
  context.suspend(0.1).then(() => { voices.play(name, args, {}); context.resume(); });
  const buffer = await context.startRendering();
  const [left, right] = [buffer.getChannelData(0), buffer.getChannelData(1)];
  const bytes = new Uint8Array(Float32Array.from(left, (value, at) => (value + right[at]) / 2).buffer);
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
}"""
"""Returns a sound as it is heard, both channels together, as 32-bit floats in base 64."""
SMALL = 300.0
"""The lowest frequency in hertz of a small loudspeaker."""
BANDS = (20.0, 80.0, 160.0, 320.0, 640.0, 1280.0, 2560.0, 5120.0, 20000.0)
"""The edges in hertz of the bands of a fingerprint."""
SLICES = 6
"""The parts of equal length of a fingerprint."""
Samples = np.ndarray[Any, np.dtype[np.float32]]


class Measured(NamedTuple):
    """A sound in figures.

    `peak` is its largest value (1: as loud as possible), `seconds` its length, `rms` its loudness while it is heard,
    `small` that of a phone's loudspeaker, which has nothing below 300 Hz, `centroid` the mean frequency in hertz by
    power, and `first` and `last` the largest steps from one sample to the next in its first and last 2 milliseconds, as
    a share of the peak.
    """

    peak: float
    seconds: float
    rms: float
    small: float
    centroid: float
    first: float
    last: float
    fingerprint: Samples


def render(page: Page) -> dict[str, Samples]:
    """Return each sound as samples, on a page that loads the scripts."""
    return {
        name: np.frombuffer(base64.b64decode(page.evaluate(RENDERED, [*play])), "<f4") for name, play in SOUNDS.items()
    }


def measure(samples: Samples) -> Measured:
    """Measure a sound."""
    peak = float(np.abs(samples).max())
    heard = np.flatnonzero(np.abs(samples) > QUIET)
    sound = samples[heard[0] : heard[-1] + 1]
    power = np.abs(np.fft.rfft(sound)) ** 2
    hertz = np.fft.rfftfreq(len(sound), 1 / RATE)
    steps, edge = np.abs(np.diff(samples)), round(0.002 * RATE)
    return Measured(
        peak,
        len(sound) / RATE,
        float(np.sqrt((sound**2).mean())),
        float(np.sqrt((sound**2).mean() * power[hertz > SMALL].sum() / power.sum())),
        float((power * hertz).sum() / power.sum()),
        float(steps[heard[0] - 2 : heard[0] + edge].max()) / peak,
        float(steps[heard[-1] - edge : heard[-1] + 2].max()) / peak,
        _fingerprint(sound),
    )


def _fingerprint(sound: Samples) -> Samples:
    """Return the power of a sound in bands of frequency and parts of its time, and its length."""
    rows = []
    for part in np.array_split(sound, SLICES):
        power, hertz = np.abs(np.fft.rfft(part)) ** 2, np.fft.rfftfreq(len(part), 1 / RATE)
        rows.append(np.histogram(hertz, BANDS, weights=power)[0])
    shares = np.log10(np.array(rows) / np.sum(rows) + 1e-4) + 4
    return np.append(shares.ravel(), 4 * np.log2(len(sound) / RATE))


def distance(one: Measured, other: Measured) -> float:
    """Return how different two sounds are: the root mean square over bands and parts, in decades of power."""
    return float(np.sqrt(((one.fingerprint - other.fingerprint) ** 2).mean()))


def spectrogram(samples: Samples, height: int = 96, width: int = 320) -> Any:
    """Return the spectrogram of a sound as an array of grey values, low frequencies at the bottom, on a log scale."""
    size, hop = 1024, len(samples) // width
    edges = np.geomspace(40, 16000, height + 1)
    hertz = np.fft.rfftfreq(size, 1 / RATE)
    rows = np.clip(np.searchsorted(hertz, edges[:-1]), 1, len(hertz) - 1)
    window = np.hanning(size)
    padded = np.pad(samples, (0, size))
    columns = [np.abs(np.fft.rfft(padded[at * hop : at * hop + size] * window))[rows] for at in range(width)]
    decibels = 20 * np.log10(np.array(columns).T[::-1] + 1e-4)
    return np.uint8(np.clip((decibels + 40) / 80 * 255, 0, 255))


def _main(folder: Path) -> None:
    from PIL import Image, ImageDraw
    from playwright.sync_api import sync_playwright
    from tests.chromium import program
    from tests.server.running import Server

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, Server(Path(place)) as server, sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=program(), args=["--no-sandbox"]).new_page()
        page.goto(f"{server.url}/games")
        sounds = render(page)
    found = {name: measure(samples) for name, samples in sounds.items()}
    picture = Image.new("L", (3 * 330, 116 * -(-len(sounds) // 3)), 255)
    for number, (name, samples) in enumerate(sounds.items()):
        with wave.open(str(folder / f"{name.replace(' ', '-')}.wav"), "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            file.writeframes(np.int16(np.clip(samples, -1, 1) * 32767).tobytes())
        left, top = 330 * (number % 3), 116 * (number // 3)
        picture.paste(Image.fromarray(255 - spectrogram(samples)), (left, top + 16))
        ImageDraw.Draw(picture).text((left + 4, top + 2), name, fill=0)
        one = found[name]
        near = min((distance(one, two), other) for other, two in found.items() if other != name)
        loud, small = (20 * np.log10(value) for value in (one.rms, one.small))
        print(f"{name:14} peak {one.peak:.2f}  {one.seconds:.2f} s  {loud:6.1f} dB  small {small:6.1f} dB", end="  ")
        print(f"{one.centroid:6.0f} Hz  first {one.first:.3f} last {one.last:.3f}  nearest {near[1]} {near[0]:.2f}")
    picture.save(folder / "spectrograms.png")


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
