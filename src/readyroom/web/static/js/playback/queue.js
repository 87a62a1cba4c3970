/**
 * Holds a new version of the table while the board plays what happened. However a playback ends, the table of the server
 * replaces it.
 */

import { update } from "../answer.js";
import { prepareBoard, resetBoard } from "../board.js";
import { query, textOf } from "../dom.js";
import { isForTable, onHtmx, swapTable } from "../htmx.js";
import {
  appendLogLine,
  beforeSwap,
  holdBack,
  holdTable,
  scrollToDecision,
  shownLines,
  shownRevision,
} from "../swap.js";
import { lastSeen, noteSeen, speed } from "./settings.js";
import { showTurn } from "../title.js";
import { drawingIn, isShowing, playbackUrl, reportFailure, show, skip } from "./show.js";

/**
 * @typedef {import("../htmx.js").Detail} Detail
 * @typedef {import("./settings.js").Seen} Seen
 *
 * A version of the table that the server has sent and the page does not show yet.
 * @typedef {{detail: Detail, page: Document, revision: number, lines: number}} Held
 */

const BEFORE_ALL = -1; // the revision before all that happens before the first decision
const BEGINNING = 12; // lines of the log, as in table.html; with more, a match has not just begun

/** @type {Held | null} */
let held = null;
/** Whether what is played begins with an answer of this page, and whether it lies on the board already. */
let [isOwn, isPlaced] = [false, false];
/** Whether what happened while the player was away is played. */
let isCatchingUp = false;
/** What the player had seen before, as long as playing what they missed is offered. @type {Seen | null} */
let offered = null;

/** Return the newest revision that has come from the server, shown or not. */
export function newestRevision() {
  return Math.max(held?.revision ?? -1, shownRevision());
}

/**
 * Hold a response for the table if something is to be played first, or if something is held already. Return whether the
 * page must not show it yet.
 * @param {Detail} detail
 */
export function holdSwap(detail) {
  const next = read(detail);
  if (held || isCatchingUp) {
    if (held && next.lines < held.lines) skip(); // an undo: what is played has not happened
    held = next;
    return true;
  }
  dismiss();
  const isNews = next.revision > shownRevision() && next.lines > shownLines();
  if (speed() === "off" || !isNews || !drawingIn(board())) return false;
  held = next;
  run();
  return true;
}

/** The part of the page, or of another version, with the board. */
const board = (/** @type {ParentNode} */ root = document) => query("#board", root);

/**
 * @param {Detail} detail
 * @returns {Held}
 */
function read(detail) {
  const page = new DOMParser().parseFromString(detail.xhr.responseText, "text/html");
  const { revision = "-1", lines = "0" } = query("[data-revision]", page)?.dataset ?? {};
  return { detail, page, revision: Number(revision), lines: Number(lines) };
}

/** Play until the page has caught up with the newest version, then show that. */
async function run() {
  try {
    await untilVisible();
    const { page, detail } = /** @type {Held} */ (held);
    isOwn = detail.requestConfig.verb === "post";
    isPlaced = query("#board .bd-copy") !== null;
    holdTable(query("#answer", page)?.dataset.question);
    await catchUp();
  } catch (error) {
    reportFailure(error, "The table shows what came of it.");
  } finally {
    const last = /** @type {Held} */ (held);
    held = null;
    beforeSwap();
    swapTable(last.detail);
  }
}

async function catchUp() {
  let [revision, lines] = [shownRevision(), shownLines()];
  while (held && held.revision > revision && held.lines > lines) {
    const goal = held;
    if (!(await play(goal, revision))) return;
    [revision, lines] = [goal.revision, goal.lines];
  }
}

/**
 * Play what happened since a revision; return false if the rest is skipped.
 * @param {Held} goal
 * @param {number} since
 */
async function play(goal, since) {
  const root = drawingIn(board());
  if (!root) return false;
  const url = playbackUrl(address(), { since, upto: goal.revision });
  return show([{ root, url }], {
    waits: url.searchParams.has("seat"),
    cuts: isPlaced,
    isOwn,
    onEvent: ({ text }, at, all) => showLine(goal.page, goal.lines - all + at, text),
    after: () => (held === goal && drawingIn(board(goal.page))?.innerHTML) || null,
  });
}

/** Wait until the tab is visible. Its title shows at once whose turn it is. */
function untilVisible() {
  if (!document.hidden) return Promise.resolve();
  showTurn(Boolean(held && query("#answer", held.page)));
  return new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
    document.addEventListener("visibilitychange", () => resolve(), { once: true });
  });
}

/**
 * Add a line of a log to that of the page, if it is the one that an event reports.
 * @param {ParentNode} log
 * @param {number} number
 * @param {string} text
 */
function showLine(log, number, text) {
  const line = query(`[data-line="${number}"]`, log);
  if (line && textOf(query(".log-text", line)) === text.replace(/\s+/g, " ").trim()) appendLogLine(line);
}

// -- while the player was away --

/** The address of the table, which names the match and the seat. */
const address = () => query("#table")?.getAttribute("hx-get") ?? "";

/** Note what the player has seen, if they can see it. */
function noteShown() {
  if (address() && !document.hidden && !offered)
    noteSeen(address(), { revision: shownRevision(), lines: shownLines() });
}

/** Offer to play what happened since the player was here. If it has just begun, play a match from its beginning. */
function offer() {
  const seen = address() ? lastSeen(address()) : null;
  const isPossible = speed() !== "off" && address() && drawingIn(board());
  if (isPossible && !seen && shownLines() && shownLines() <= BEGINNING) {
    untilVisible().then(() => playSince(BEFORE_ALL));
    return;
  }
  showTable();
  if (!isPossible) return;
  if (!seen || seen.revision >= shownRevision() || seen.lines >= shownLines()) return;
  offered = seen;
  showOffer();
}

/** Show what was hidden until a match plays its beginning; see opening.js. */
const showTable = () => document.documentElement.classList.remove("opening");

function showOffer() {
  const box = query("#away");
  if (box) box.hidden = offered === null;
}

/** Take the offer back: it is played, or the player does not want it, or the match continues. */
function dismiss() {
  offered = null;
  showOffer();
  noteShown();
}

/**
 * Return whether the board shows an event, and not its line alone.
 * @param {import("./stage.js").PlayedEvent} event
 */
const isSeen = ({ kind, rolls, moment }) => Boolean(rolls.length || moment) || (kind !== "note" && kind !== "phase");

function playMissed() {
  const since = offered?.revision;
  dismiss();
  if (since !== undefined) playSince(since);
}

/**
 * Play what the table shows already.
 * @param {number} since the revision that the player had seen
 */
async function playSince(since) {
  const root = drawingIn(board());
  if (!root || held || isShowing()) {
    showTable();
    return;
  }
  resetBoard();
  const last = root.innerHTML;
  isCatchingUp = true;
  const isOpening = since === BEFORE_ALL;
  if (!isOpening) query("#question")?.focus({ preventScroll: true });
  const lines = shownLines();
  /** @type {ReturnType<typeof holdBack> | null} */
  let back = null;
  try {
    const url = playbackUrl(address(), { since, upto: shownRevision() });
    await show([{ root, url }], {
      waits: url.searchParams.has("seat"),
      wanted: isOpening ? isSeen : undefined,
      cuts: true,
      onStart: () => (back = holdBack(!isOpening)),
      onBoard: showTable,
      onEvent: ({ text }, at, all) => isOpening && back && showLine(back.chapters, lines - all + at, text),
      after: () => last,
    });
  } catch (error) {
    reportFailure(error, "It is in the log.");
  } finally {
    isCatchingUp = false;
    showTable();
    /** @type {ReturnType<typeof holdBack> | null} */ (back)?.release();
    if (root.innerHTML !== last) root.innerHTML = last;
    prepareBoard();
    update();
    if (held) run();
    else if (isOpening && query("#answer")) scrollToDecision(true);
  }
}

export function initQueue() {
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element)) return;
    if (target.id === "play-away") playMissed();
    if (target.id === "skip-away") dismiss();
  });
  document.addEventListener("visibilitychange", noteShown);
  onHtmx("afterSwap", (detail) => {
    if (!isForTable(detail)) return;
    showOffer();
    noteShown();
  });
  offer();
  noteShown();
}
