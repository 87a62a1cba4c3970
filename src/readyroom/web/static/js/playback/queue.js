/**
 * Holds a new version of the table while the board plays what happened. However a playback ends, the table of the server
 * replaces it.
 */

import { currentShape } from "../chart.js";
import { announce, closest, query, textOf } from "../dom.js";
import { swapTable } from "../htmx.js";
import { appendLogLine, beforeSwap, holdTable, shownLines, shownRevision, showTitle } from "../swap.js";
import { paceFor, prefersStill, speed } from "./settings.js";

/**
 * @typedef {import("../htmx.js").Detail} Detail
 * @typedef {import("./events.js").Playback} Playback
 * @typedef {import("./stage.js").Beat} Beat
 * @typedef {import("./stage.js").Effect} Effect
 * @typedef {import("./stage.js").Stage} Stage
 * @typedef {import("./sound.js").Sound} Sound
 *
 * A version of the table that the server has sent and the page does not show yet.
 * @typedef {{detail: Detail, page: Document, revision: number, lines: number}} Held
 */

const PATIENCE = 5000; // milliseconds to wait for the events

/** @type {Sound | null} */
let sound = null;
/** @type {Held | null} */
let held = null;
/** @type {Stage | null} */
let stage = null;

/** Return the newest revision that has come from the server, shown or not. */
export function newestRevision() {
  return Math.max(held?.revision ?? -1, shownRevision());
}

/** Return whether something is played or waits to be. */
export const isPlaying = () => held !== null;

/**
 * Hold a response for the table if something is to be played first, or join what is held already. Return whether the page
 * must not show it yet.
 * @param {Detail} detail
 */
export function holdSwap(detail) {
  const next = read(detail);
  if (held) {
    if (next.lines < held.lines) stage?.stop(); // an undo: what is played has not happened
    held = next;
    return true;
  }
  if (speed() === "off" || !drawing() || next.revision <= shownRevision() || next.lines <= shownLines()) return false;
  held = next;
  run();
  return true;
}

/**
 * @param {Detail} detail
 * @returns {Held}
 */
function read(detail) {
  const page = new DOMParser().parseFromString(detail.xhr.responseText, "text/html");
  const { revision = "-1", lines = "0" } = query("[data-revision]", page)?.dataset ?? {};
  return { detail, page, revision: Number(revision), lines: Number(lines) };
}

/** The element with the drawing; null if the board is text. */
const drawing = (/** @type {ParentNode} */ root = document) => {
  const board = query("#board > .board", root);
  return board && query("svg[viewBox]", board) ? board : null;
};

/** Play until the page has caught up with the newest version, then show that. */
async function run() {
  try {
    await untilVisible();
    const { page } = /** @type {Held} */ (held);
    holdTable(query("#answer", page)?.dataset.question);
    await catchUp();
  } catch (error) {
    console.warn("The playback ended early.", error);
  } finally {
    finish();
  }
}

async function catchUp() {
  let [revision, lines] = [shownRevision(), shownLines()];
  while (held && held.revision > revision && held.lines > lines) {
    const goal = held;
    const [playback, parts] = await Promise.all([fetchEvents(revision, goal.revision), loadParts()]);
    if (playback.events.length && !(await play(goal, playback, parts))) return;
    [revision, lines] = [goal.revision, goal.lines];
  }
}

/**
 * Play events; return false if the rest is skipped.
 * @param {Held} goal
 * @param {Playback} playback
 * @param {Awaited<ReturnType<typeof loadParts>>} parts
 */
async function play(goal, playback, { effects, groupEvents, playEvents, Sound, Stage }) {
  const board = drawing();
  if (!board) return false;
  sound ??= new Sound();
  const pace = paceFor(speed(), groupEvents(playback.events).length);
  stage = new Stage(board, { pace, still: prefersStill(), sound, colours: playback.colours });
  sound.pace = pace;
  let line = goal.lines - playback.events.length;
  try {
    await playEvents(stage, playback, {
      effects,
      listeners: {
        onBegin: (beat) => showCaption(beat, beat.rolls.map(({ name }) => name).join(", ")),
        onEnd: (beat) => {
          showCaption(beat);
          for (const event of beat.lines) showLine(goal.page, line++, event.text);
          announce(beat.lines.map(({ text }) => text).join(" "));
        },
      },
    });
    const after = drawing(goal.page);
    if (after && held === goal) {
      stage.prepare(after.innerHTML);
      await stage.show();
    }
    return !stage.stopped;
  } finally {
    stage.close();
    stage = null;
  }
}

/** Show the newest version of the table. */
function finish() {
  const last = held;
  held = null;
  stage?.close();
  stage = null;
  query("#caption")?.replaceChildren();
  if (!last) return;
  beforeSwap();
  swapTable(last.detail);
}

/** Wait until the tab is visible. Its title shows at once whose turn it is. */
function untilVisible() {
  if (!document.hidden) return Promise.resolve();
  showTitle(Boolean(held && query("#answer", held.page)));
  return new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
    document.addEventListener("visibilitychange", () => resolve(), { once: true });
  });
}

/**
 * Fetch what happened between two revisions.
 * @param {number} since
 * @param {number} upto
 * @returns {Promise<Playback>}
 */
async function fetchEvents(since, upto) {
  const table = /** @type {HTMLElement} */ (query("#table"));
  const url = new URL(table.getAttribute("hx-get") ?? "", location.href);
  url.pathname = url.pathname.replace(/\/table$/, "/playback");
  url.searchParams.set("since", String(since));
  url.searchParams.set("upto", String(upto));
  const signal = AbortSignal.timeout(PATIENCE);
  const response = await fetch(url, { signal, headers: { "Board-Shape": currentShape() } });
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return response.json();
}

/** Load what plays, with the named effects of the game, if it has any. A page on which nothing is played does without. */
async function loadParts() {
  const name = query("#board")?.dataset.effects;
  const [{ groupEvents }, { playEvents }, { Sound }, { Stage }, named] = await Promise.all([
    import("./events.js"),
    import("./player.js"),
    import("./sound.js"),
    import("./stage.js"),
    name ? import(`../effects/${name}.js`) : { effects: {} },
  ]);
  const effects = /** @type {Record<string, Effect>} */ (named.effects);
  return { effects, groupEvents, playEvents, Sound, Stage };
}

/**
 * Say what happens, or with `short` what is tried: what comes of it must not be said before the dice show it.
 * @param {Beat} beat
 * @param {string} [short]
 */
function showCaption(beat, short) {
  const text = short || beat.lines.map(({ text }) => text).join(" ");
  const rule = Object.assign(document.createElement("b"), { textContent: beat.title });
  query("#caption")?.replaceChildren(rule, ` ${text}`);
}

/**
 * Add a line of the new version to the log, if it is the one that an event tells.
 * @param {Document} page
 * @param {number} number
 * @param {string} text
 */
function showLine(page, number, text) {
  const line = query(`#log [data-line="${number}"]`, page);
  if (line && textOf(query(".log-text", line)) === text.replace(/\s+/g, " ").trim()) appendLogLine(line);
}

/** Skip what is played: the table of the server is shown at once. */
export function skip() {
  stage?.stop();
}

/** @param {KeyboardEvent} event */
function handleKeydown(event) {
  if (!stage || event.ctrlKey || event.altKey || event.metaKey || query("dialog[open]")) return;
  const isOnControl = closest(event, "input, select, textarea, button, summary, a[href]") !== null;
  if (event.key !== "Escape" && (event.key !== " " || isOnControl)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  skip();
}

/** @param {Event} event */
function handleClick(event) {
  if (!stage || !closest(event, "#board .board")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  skip();
}

export function initPlayback() {
  document.addEventListener("keydown", handleKeydown, true);
  document.addEventListener("click", handleClick, true);
  document.addEventListener("click", (event) => {
    if (closest(event, "#skip-playback")) skip();
  });
}
