/** The settings of playback, kept on the device. */

/** @typedef {"off" | "normal" | "fast"} Speed */

const KEY = "readyroom-speed";
const BUSY = 12; // beats; more of them play fast

/** By what durations are divided, by speed. @type {Record<Speed, number>} */
const PACES = { off: 1, normal: 1, fast: 2.2 };

/**
 * Return what the device has kept; null if nothing, or if the browser refuses.
 * @param {string} key
 */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Keep something on the device, if the browser allows it.
 * @param {string} key
 * @param {string} value
 */
export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It lasts as long as the page.
  }
}

/** @returns {Speed} */
export function speed() {
  const kept = recall(KEY);
  return kept === "off" || kept === "fast" ? kept : "normal";
}

/** @param {string} value */
export function setSpeed(value) {
  remember(KEY, value);
}

/** Return whether nothing may move. */
export function prefersStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Return the pace of a playback: fast where many beats are to be shown.
 * @param {Speed} value
 * @param {number} beats
 */
export function paceFor(value, beats) {
  return beats > BUSY ? PACES.fast : PACES[value];
}
