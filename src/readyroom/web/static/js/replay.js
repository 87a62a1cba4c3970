/** The replay of a match: its Play button steps on until the end. */

import { prepareBoard } from "./board.js";
import { announce, get, query, textOf } from "./dom.js";
import { isForTable, onHtmx } from "./htmx.js";

const RETRY = 50; // milliseconds

let timer = 0;
let speed = "";
let announced = "";

/** @returns {HTMLSelectElement} */
const speedField = () => get("#pace");

/** Restore what a step has replaced, and announce the step once. */
function prepareStep() {
  get("#play").textContent = timer ? "Pause" : "Play";
  if (speed) speedField().value = speed;
  const text = [".strip-turn", ".decided"].map((selector) => textOf(query(selector))).join(". ");
  if (text !== announced) announce(text);
  announced = text;
}

function play() {
  timer = setTimeout(step, 0);
  get("#play").textContent = "Pause";
}

function pause() {
  clearTimeout(timer);
  timer = 0;
  prepareStep();
}

/** Go to the next step, once the last one has come. */
function step() {
  if (query(".htmx-request, .htmx-settling")) {
    timer = setTimeout(step, RETRY);
    return;
  }
  const next = query("#step-on[href]");
  if (!next) {
    pause();
    return;
  }
  next.click();
  timer = setTimeout(step, Number(speedField().value));
}

export function initReplay() {
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element) || target.id !== "play") return;
    if (timer) pause();
    else play();
  });
  document.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLSelectElement && target.id === "pace") speed = target.value;
  });
  onHtmx("afterSwap", (detail) => {
    if (isForTable(detail) || !query("#replay")) return;
    prepareBoard();
    prepareStep();
  });
}
