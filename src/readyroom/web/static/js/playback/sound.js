/** The sound of playback: what is heard, where from, and how loud. Nothing is loaded or heard before it is switched on. */

import { query } from "../dom.js";
import { BELL, EFFECTS, recall, remember, SOUND } from "./settings.js";

/** @typedef {import("./voices.js").SoundName} SoundName */

const VOLUME = "readyroom-volume";
const SAMPLES_APART = 250; // milliseconds

/** Close the settings of the sound, unless an event is in them. @param {EventTarget | null} target */
function closeSettings(target) {
  const more = query("#sound-more");
  if (more && !(target instanceof Node && more.contains(target))) more.removeAttribute("open");
}

export class Sound {
  /** @type {AudioContext | null} */
  #context = null;
  /** @type {import("./voices.js").Voices | null} */
  #voices = null;
  /** The sound's delays are divided by this. */
  pace = 1;
  /** Where it happens on the screen, and where what moves comes from: −1, left, to 1, right. */
  pan = 0;
  from = 0;
  /** Whether what is shown was cut short: the rest of it is not heard. */
  isCut = false;

  isOn = recall(SOUND) === "on";
  hasEffects = recall(EFFECTS) !== "off";
  hasBell = recall(BELL) !== "off";
  volume = Number(recall(VOLUME) ?? 60);
  #sampled = 0;

  constructor() {
    document.addEventListener("click", ({ target }) => closeSettings(target));
    document.addEventListener("keydown", ({ key }) => key === "Escape" && closeSettings(null));
    document.addEventListener("visibilitychange", () => document.hidden && this.#voices?.hush());
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
    if (!recall(SOUND)) import("./rare.js").then(({ offer }) => offer());
  }

  /** @param {boolean} isOn whether what happens on the board is heard */
  setEffects(isOn) {
    this.hasEffects = isOn;
    remember(EFFECTS, isOn ? "on" : "off");
    if (isOn) this.#sound("dice", [4]);
  }

  /** @param {boolean} isOn whether a bell rings when it is the player's turn */
  setBell(isOn) {
    this.hasBell = isOn;
    remember(BELL, isOn ? "on" : "off");
    this.ring("bell");
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
    if (this.hasEffects) this.#sound("dice", [4]);
    else this.#sound("bell");
  }

  /** List the sounds, and play some of them one after the other. */
  async test() {
    await this.wake();
    (await import("./rare.js")).test((name, args) => this.#sound(name, args, { from: -1 }));
  }

  /** Ring the bell for the player's turn, if they want that, or play how the match has ended. @param {string} end */
  ring(end) {
    if (end === "bell" ? this.hasBell : this.hasEffects) this.#sound(/** @type {SoundName} */ (end), [2]);
  }

  /** Load the sounds and let them begin, if the sound is on. Call it in a click or a key press. */
  async wake() {
    if (!this.isOn) this.#context?.suspend();
    if (!this.isOn || !("AudioContext" in globalThis)) return;
    this.#context ??= new AudioContext();
    const begun = this.#context.resume();
    const { Voices } = await import("./voices.js");
    this.#voices ??= new Voices(this.#context);
    this.#level();
    await begun;
  }

  #level() {
    this.#voices?.setVolume(this.volume);
  }

  /** Stop what sounds, and what was to follow. */
  hush() {
    this.isCut = true;
    setTimeout(() => (this.isCut = false)); // what waits until then has ended too
    this.#voices?.hush();
  }

  /**
   * Play a sound of what happens on the board, while the page is seen.
   * @param {SoundName} name
   * @param {number[]} args
   */
  play(name, ...args) {
    if (this.hasEffects && !this.isCut && !document.hidden) this.#sound(name, args, this);
  }

  /**
   * @param {SoundName} name
   * @param {number[]} [args]
   * @param {{pan?: number, from?: number, pace?: number}} [options]
   */
  #sound(name, args = [], options) {
    if (this.isOn && this.#context?.state === "running") this.#voices?.play(name, args, options);
  }
}
