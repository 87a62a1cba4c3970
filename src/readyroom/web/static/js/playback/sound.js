/** The sound of playback, made of noise and tones. Nothing is fetched, and nothing is heard before it is switched on. */

import { announce, query } from "../dom.js";
import { BELL, EFFECTS, recall, remember, SOUND } from "./settings.js";

const VOLUME = "readyroom-volume";
const OFFERED = "readyroom-sound-offered";
const OFFER_TIME = 9000; // milliseconds
const MOST = 16; // voices at once
const SAMPLES_APART = 250; // milliseconds

/** Close the settings of the sound, unless an event is in them. @param {EventTarget | null} target */
function closeSettings(target) {
  const more = query("#sound-more");
  if (more && !(target instanceof Node && more.contains(target))) more.removeAttribute("open");
}

export class Sound {
  /** @type {BaseAudioContext | null} */
  #context = null;
  /** @type {GainNode | null} */
  #out = null;
  /** @type {AudioBuffer | null} */
  #white = null;
  #voices = 0;
  /** Delays are divided by this. */
  pace = 1;

  isOn = recall(SOUND) === "on";
  hasEffects = recall(EFFECTS) !== "off";
  hasBell = recall(BELL) !== "off";
  volume = Number(recall(VOLUME) ?? 60);
  #sampled = 0;

  /** @param {OfflineAudioContext} [context] where to render the sounds, instead of playing them */
  constructor(context) {
    if (!context) {
      document.addEventListener("click", ({ target }) => closeSettings(target));
      document.addEventListener("keydown", ({ key }) => key === "Escape" && closeSettings(null));
      return;
    }
    this.isOn = this.hasEffects = true;
    this.#start(context);
  }

  /**
   * Switch the sound on or off. Browsers allow it to start only in a click or a key press.
   * @param {boolean} isOn
   */
  async turn(isOn) {
    this.isOn = isOn;
    remember(SOUND, isOn ? "on" : "off");
    delete query("#sound")?.dataset.hint;
    await this.wake();
    if (isOn) this.sample();
  }

  /** Offer the sound at its button, once, if the player has never switched it. */
  offer() {
    const button = query("#sound");
    if (!button || recall(SOUND) || recall(OFFERED)) return;
    remember(OFFERED, "yes");
    const offer = "Battles have sound: switch it on here.";
    button.dataset.hint = offer;
    announce(offer);
    setTimeout(() => delete button.dataset.hint, OFFER_TIME);
  }

  /** @param {boolean} isOn whether what happens on the board is heard */
  setEffects(isOn) {
    this.hasEffects = isOn;
    remember(EFFECTS, isOn ? "on" : "off");
    this.#audibly(() => this.rattle(4), isOn);
  }

  /** @param {boolean} isOn whether a bell rings when it is the player's turn */
  setBell(isOn) {
    this.hasBell = isOn;
    remember(BELL, isOn ? "on" : "off");
    this.#audibly(() => this.bell(), isOn);
  }

  /** @param {number} volume 0 to 100 */
  setVolume(volume) {
    this.volume = volume;
    remember(VOLUME, String(volume));
    this.#level();
    this.sample();
  }

  /** Play a sample of the volume, not too often. */
  sample() {
    if (performance.now() - this.#sampled < SAMPLES_APART) return;
    this.#sampled = performance.now();
    this.#audibly(() => (this.hasEffects ? this.rattle(4) : this.bell()));
  }

  /** Ring the bell for the player's turn, if they want that. */
  ring() {
    this.#audibly(() => this.bell(), this.hasBell);
  }

  /**
   * Play something even without effects, at normal speed.
   * @param {() => void} play
   * @param {boolean} [isWanted]
   */
  #audibly(play, isWanted = true) {
    if (!isWanted) return;
    const { hasEffects, pace } = this;
    this.hasEffects = true;
    this.pace = 1;
    play();
    this.hasEffects = hasEffects;
    this.pace = pace;
  }

  /** Make or resume the audio context, if the sound is on. Call it in a click or a key press. */
  async wake() {
    if (this.isOn && !this.#context && "AudioContext" in globalThis) this.#start(new AudioContext());
    this.#level();
    const context = this.#context;
    if (this.isOn && context instanceof AudioContext) await context.resume();
  }

  /** @param {BaseAudioContext} context */
  #start(context) {
    this.#context = context;
    this.#white = context.createBuffer(1, context.sampleRate, context.sampleRate);
    const data = this.#white.getChannelData(0);
    for (let at = 0; at < data.length; at += 1) data[at] = Math.random() * 2 - 1;
    this.#open(context);
  }

  /**
   * Open the way out: a limiter, so that many voices at once do not distort.
   * @param {BaseAudioContext} context
   */
  #open(context) {
    const limiter = context.createDynamicsCompressor();
    limiter.threshold.value = -12;
    limiter.ratio.value = 20;
    limiter.attack.value = 0.001;
    this.#out = context.createGain();
    this.#out.connect(limiter).connect(context.destination);
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
    this.#voices = 0;
    this.#open(context);
  }

  /**
   * Play a voice: a source through a gain that rises quickly and fades.
   * @param {number} at seconds from now, at normal speed
   * @param {number} length seconds
   * @param {number} loudness
   * @param {number} rise seconds
   * @param {(context: BaseAudioContext, start: number) => {source: AudioScheduledSourceNode, last: AudioNode}} make
   */
  #voice(at, length, loudness, rise, make) {
    const [context, out] = [this.#context, this.#out];
    if (!this.isOn || !this.hasEffects || !context || !out || this.#voices >= MOST) return;
    if (context instanceof AudioContext && context.state !== "running") return;
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

  /** An aircraft that lands: its engine slows, and its wheels touch the deck. */
  land() {
    this.tone(0, 0.9, 170, 84, 0.16, "sawtooth");
    this.noise(0.75, 0.12, "bandpass", 900, 500, 0.3);
    this.noise(0.88, 0.3, "lowpass", 420, 70, 0.4);
  }

  /** Machine guns, in bursts of three. @param {number} bursts */
  guns(bursts) {
    for (let at = 0; at < bursts * 3; at += 1) {
      this.noise(0.2 + at * 0.06 + Math.floor(at / 3) * 0.05, 0.05, "bandpass", 900, 500, 0.65);
    }
  }

  /** Anti-aircraft guns. @param {number} [shots] */
  flak(shots = 9) {
    for (let at = 0; at < shots; at += 1) this.noise(0.1 + at * 0.085, 0.22, "lowpass", 1400, 180, 0.5);
  }

  /** A torpedo that runs. */
  torpedo() {
    this.noise(0, 0.7, "bandpass", 500, 1600, 0.8);
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

  /** A column of water that falls back. @param {number} [at] seconds */
  splash(at = 0) {
    this.noise(at, 0.5, "bandpass", 700, 2200, 0.5);
    this.noise(at + 0.25, 0.8, "highpass", 1200, 3000, 0.12);
  }

  /** A ship that goes down: her hull gives way, and the water closes over her. */
  sink() {
    this.noise(0, 2.2, "lowpass", 500, 60, 0.6);
    this.tone(0, 1.8, 110, 38, 0.4, "triangle");
    this.splash(1.1);
  }

  /** A dull knock. @param {number} [loudness] */
  thud(loudness = 0.45) {
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
