/** The replay of a match: its Play button plays what happened, step by step, until the end. */

import { prepareBoard, resetBoard } from "./board.js";
import { announce, get, query, queryAll, textOf } from "./dom.js";
import { isForTable, onHtmx } from "./htmx.js";
import { speed } from "./playback/settings.js";
import { drawingIn, playbackUrl, show, skip } from "./playback/show.js";

const RETRY = 50; // milliseconds
const STEP = 1500; // between steps without playback
const PAUSE = 350; // after what was played

let isPlaying = false;
let timer = 0;
let announced = "";

/** Restore what a step has replaced, and announce the step once. */
function prepareStep() {
  get("#play").textContent = isPlaying ? "Pause" : "Play";
  const text = [".strip-turn", ".decided"].map((selector) => textOf(query(selector))).join(". ");
  if (text !== announced) announce(text);
  announced = text;
}

function play() {
  isPlaying = true;
  get("#play").textContent = "Pause";
  step();
}

function pause() {
  isPlaying = false;
  clearTimeout(timer);
  skip();
  prepareStep();
}

/** Go to the next step, once the last one has come, after what happens in it was played. */
async function step() {
  if (query(".htmx-request, .htmx-settling")) {
    timer = setTimeout(step, RETRY);
    return;
  }
  if (!query("#step-on[href]")) {
    pause();
    return;
  }
  const isPlain = speed() === "off";
  if (!isPlain) await playStep();
  query("#step-on[href]")?.click();
  if (isPlaying) timer = setTimeout(step, isPlain ? STEP : PAUSE);
}

/** Play what happens from this step to the next, on all boards at once. */
async function playStep() {
  const replay = get("#replay");
  const since = Number(replay.dataset.at);
  const boards = queryAll("#board > section").flatMap((section) => {
    const root = drawingIn(section);
    const { seat, prefix } = section.dataset;
    // The first step begins with all that happens before the first decision.
    const fields = { since: since || -1, upto: since + 1, live: 0, ...(seat ? { board: seat } : {}) };
    return root ? [{ root, prefix, url: playbackUrl(replay.getAttribute("hx-get") ?? "", fields) }] : [];
  });
  resetBoard();
  try {
    if (boards.length) await show(boards);
  } catch (error) {
    console.warn("The playback ended early.", error);
  }
}

export function initReplay() {
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element) || target.id !== "play") return;
    if (isPlaying) pause();
    else play();
  });
  onHtmx("afterSwap", (detail) => {
    if (isForTable(detail) || !query("#replay")) return;
    prepareBoard();
    prepareStep();
  });
}
