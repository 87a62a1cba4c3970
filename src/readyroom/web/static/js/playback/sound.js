/** The sound of playback, made of noise and tones. Nothing is fetched, and nothing is heard before it is switched on. */

import { recall, remember } from "./settings.js";

const ON = "readyroom-sound";
const VOLUME = "readyroom-volume";
const MOST = 12; // voices at once

export class Sound {
  /** @type {AudioContext | null} */
  #context = null;
  /** @type {GainNode | null} */
  #out = null;
  /** @type {AudioBuffer | null} */
  #white = null;
  #voices = 0;
  /** Delays are divided by this. */
  pace = 1;

  isOn = recall(ON) === "on";
  volume = Number(recall(VOLUME) ?? 60);

  /**
   * Switch the sound on or off. Browsers allow it to start only in a click or a key press.
   * @param {boolean} isOn
   */
  turn(isOn) {
    this.isOn = isOn;
    remember(ON, isOn ? "on" : "off");
    this.wake();
  }

  /** @param {number} volume 0 to 100 */
  setVolume(volume) {
    this.volume = volume;
    remember(VOLUME, String(volume));
    this.#level();
  }

  /** Make or resume the audio context, if the sound is on. Call it in a click or a key press. */
  wake() {
    if (this.isOn && !this.#context && "AudioContext" in globalThis) {
      this.#context = new AudioContext();
      this.#out = this.#context.createGain();
      this.#out.connect(this.#context.destination);
      this.#white = this.#context.createBuffer(1, this.#context.sampleRate, this.#context.sampleRate);
      const data = this.#white.getChannelData(0);
      for (let at = 0; at < data.length; at += 1) data[at] = Math.random() * 2 - 1;
    }
    if (this.isOn) this.#context?.resume();
    this.#level();
  }

  #level() {
    if (this.#out) this.#out.gain.value = this.isOn ? this.volume / 200 : 0;
  }

  /** Stop what sounds. */
  hush() {
    const [context, old] = [this.#context, this.#out];
    if (!context || !old) return;
    old.gain.setTargetAtTime(0, context.currentTime, 0.02);
    setTimeout(() => old.disconnect(), 200);
    this.#out = context.createGain();
    this.#out.connect(context.destination);
    this.#voices = 0;
    this.#level();
  }

  /**
   * Play a voice: a source through a gain that rises quickly and fades.
   * @param {number} at seconds from now, at normal speed
   * @param {number} length seconds
   * @param {number} loudness
   * @param {number} rise seconds
   * @param {(context: AudioContext, start: number) => {source: AudioScheduledSourceNode, last: AudioNode}} make
   */
  #voice(at, length, loudness, rise, make) {
    const [context, out] = [this.#context, this.#out];
    if (!this.isOn || !context || !out || context.state !== "running" || this.#voices >= MOST) return;
    const start = context.currentTime + at / this.pace;
    const { source, last } = make(context, start);
    const gain = context.createGain();
    gain.gain.setValueAtTime(0.0001, start);
    gain.gain.exponentialRampToValueAtTime(Math.max(0.0002, loudness), start + rise);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
    last.connect(gain).connect(out);
    this.#voices += 1;
    source.onended = () => {
      this.#voices = Math.max(0, this.#voices - 1);
      gain.disconnect();
    };
    source.start(start);
    source.stop(start + length);
  }

  /**
   * Play filtered noise whose filter glides.
   * @param {number} at
   * @param {number} length
   * @param {BiquadFilterType} type
   * @param {number} from hertz
   * @param {number} to hertz
   * @param {number} loudness
   */
  noise(at, length, type, from, to, loudness) {
    this.#voice(at, length, loudness, 0.012, (context, start) => {
      const source = context.createBufferSource();
      source.buffer = this.#white;
      source.loop = true;
      const filter = context.createBiquadFilter();
      filter.type = type;
      filter.frequency.setValueAtTime(from, start);
      filter.frequency.exponentialRampToValueAtTime(to, start + length);
      source.connect(filter);
      return { source, last: filter };
    });
  }

  /**
   * Play a gliding tone.
   * @param {number} at
   * @param {number} length
   * @param {number} from hertz
   * @param {number} to hertz
   * @param {number} loudness
   * @param {OscillatorType} [type]
   */
  tone(at, length, from, to, loudness, type = "sine") {
    this.#voice(at, length, loudness, 0.05, (context, start) => {
      const source = context.createOscillator();
      source.type = type;
      source.frequency.setValueAtTime(from, start);
      source.frequency.exponentialRampToValueAtTime(to, start + length);
      return { source, last: source };
    });
  }

  /** Dice. @param {number} count */
  rattle(count) {
    const knocks = Math.min(9, Math.round(3 + count / 4));
    for (let at = 0; at < knocks; at += 1) this.noise(at * 0.055, 0.045, "bandpass", 2600 - at * 60, 1500, 0.35);
  }

  /** Aircraft engines. @param {number} seconds */
  engines(seconds) {
    this.tone(0, seconds + 0.4, 82, 104, 0.16, "sawtooth");
    this.tone(0.03, seconds + 0.4, 87, 99, 0.12, "sawtooth");
  }

  /** Machine guns, in bursts of three. @param {number} bursts */
  guns(bursts) {
    for (let at = 0; at < bursts * 3; at += 1) {
      this.noise(0.2 + at * 0.06 + Math.floor(at / 3) * 0.05, 0.05, "bandpass", 900, 500, 0.35);
    }
  }

  /** Anti-aircraft guns. @param {number} [shots] */
  flak(shots = 9) {
    for (let at = 0; at < shots; at += 1) this.noise(0.1 + at * 0.085, 0.22, "lowpass", 1400, 180, 0.5);
  }

  /** A torpedo that runs. */
  torpedo() {
    this.noise(0, 0.6, "bandpass", 500, 1600, 0.2);
  }

  /** A dive. */
  dive() {
    this.tone(0, 1, 620, 240, 0.14, "sawtooth");
  }

  /** An explosion. @param {number} [at] seconds @param {number} [loudness] */
  boom(at = 0, loudness = 0.6) {
    this.noise(at, 0.9, "lowpass", 700, 50, loudness);
    this.tone(at, 0.7, 74, 28, loudness);
  }

  /** A dull knock. @param {number} [loudness] */
  thud(loudness = 0.3) {
    this.noise(0, 0.35, "lowpass", 420, 70, loudness);
  }

  /** A tick, lower at each step. @param {number} [step] */
  tick(step = 0) {
    this.tone(0, 0.12, Math.max(60, 300 - step * 14), Math.max(50, 240 - step * 12), 0.3, "triangle");
  }

  /** A bell. */
  bell() {
    this.tone(0, 2.2, 523, 520, 0.3);
    this.tone(0, 1.6, 1306, 1300, 0.1);
  }
}
