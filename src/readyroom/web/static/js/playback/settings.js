/** The settings of playback, kept on the device. */

/**
 * @typedef {"off" | "normal" | "fast"} Speed
 *
 * The version of a table that the player has seen.
 * @typedef {{revision: number, lines: number}} Seen
 */

/** Where the sound is kept: "on" or "off". */
export const SOUND = "readyroom-sound";
/** Where it is kept whether effects, and the bell at one's turn, are heard: "on", which is the default, or "off". */
export const EFFECTS = "readyroom-effects";
export const BELL = "readyroom-bell";
const SEEN = "readyroom-seen";
const MOST_SEEN = 100; // tables
const KEY = "readyroom-speed";
const CARDS = "readyroom-cards";

/** The divisor of durations, by speed. @type {Record<Speed, number>} */
const PACES = { off: 1, normal: 1, fast: 3 };

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

/** Return whether the cards of big moments stay until the player continues. */
export const areCardsKept = () => recall(CARDS) === "kept";

/** @param {boolean} kept */
export const keepCards = (kept) => remember(CARDS, kept ? "kept" : "timed");

/** Return whether nothing may move. */
export function prefersStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Return the pace of a playback at the chosen speed. */
export const chosenPace = () => PACES[speed()];

/** @returns {Record<string, Seen>} */
function allSeen() {
  try {
    return JSON.parse(recall(SEEN) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * Return what was last seen of a table; null if nothing was.
 * @param {string} table its address
 */
export function lastSeen(table) {
  return allSeen()[table] ?? null;
}

/**
 * Note what was seen of a table. The oldest of many tables are forgotten.
 * @param {string} table its address
 * @param {Seen} seen
 */
export function noteSeen(table, seen) {
  const all = Object.entries(allSeen()).filter(([name]) => name !== table);
  remember(SEEN, JSON.stringify(Object.fromEntries([...all, [table, seen]].slice(-MOST_SEEN))));
}
