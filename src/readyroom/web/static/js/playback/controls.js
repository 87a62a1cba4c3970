/** The controls of playback below the board: speed, sound and volume. */

import { query } from "../dom.js";
import { onHtmx } from "../htmx.js";
import { recall, setSpeed, SOUND, speed } from "./settings.js";

/** @typedef {import("./sound.js").Sound} Sound */

/** @type {Promise<Sound> | null} */
let loading = null;

/** Return the sound of this page. A page without playback does without its script. */
export function loadSound() {
  loading ??= import("./sound.js").then(({ Sound }) => new Sound());
  return loading;
}

/** Show the settings: a new version of the page has the defaults. */
async function showSettings() {
  const field = /** @type {HTMLSelectElement | null} */ (query("#speed"));
  if (field) field.value = speed();
  if (loading || recall(SOUND) === "on") showSound(await loadSound());
}

/** @param {Sound} sound */
function showSound(sound) {
  query("#sound")?.setAttribute("aria-pressed", String(sound.isOn));
  const more = query("#sound-more");
  if (more) more.hidden = !sound.isOn;
  const level = query("#sound-level");
  if (level) level.textContent = `${sound.volume} %`;
  const set = (/** @type {string} */ id, /** @type {Partial<HTMLInputElement>} */ values) =>
    Object.assign(query(id) ?? {}, values);
  set("#volume", { value: String(sound.volume) });
  set("#effects", { checked: sound.hasEffects });
  set("#bell", { checked: sound.hasBell });
}

async function switchSound() {
  const sound = await loadSound();
  const turned = sound.turn(!sound.isOn);
  showSound(sound);
  await turned;
}

/**
 * Ring the bell: it is the player's turn; or play how the match has ended. A page that has had no sound yet stays quiet.
 * @param {string} [end]
 */
export async function ringBell(end = "bell") {
  if (recall(SOUND) === "on" && loading) (await loading).ring(end);
}

const WAKING = ["click", "keydown"];

/** Browsers let sound begin with a click or a key other than Escape only: with the first one, if it was left on. */
async function wakeSound() {
  if (!navigator.userActivation.hasBeenActive) return;
  for (const name of WAKING) document.removeEventListener(name, wakeSound);
  const sound = await loadSound();
  sound.wake();
  showSound(sound);
}

/** @param {(speed: string) => void} onSpeed called when another speed is chosen */
export function initControls(onSpeed) {
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element)) return;
    if (target.id === "sound") switchSound();
    if (target.id === "sound-test") loadSound().then((sound) => sound.test());
  });
  document.addEventListener("input", async ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !["volume", "effects", "bell"].includes(target.id)) return;
    const sound = await loadSound();
    if (target.id === "volume") sound.setVolume(Number(target.value));
    else if (target.id === "effects") sound.setEffects(target.checked);
    else sound.setBell(target.checked);
    showSound(sound);
  });
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLSelectElement) || target.id !== "speed") return;
    setSpeed(target.value);
    onSpeed(target.value);
  });
  if (recall(SOUND) === "on") {
    for (const name of WAKING) document.addEventListener(name, wakeSound);
  }
  onHtmx("afterSwap", showSettings);
  showSettings();
}
