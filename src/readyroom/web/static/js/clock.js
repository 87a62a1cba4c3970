/** The clocks of a match: those of the sides that are to decide run, second by second. */

import { query, queryAll } from "./dom.js";

/**
 * The time that a clock showed when the page came from the server.
 * @typedef {{ text: string, at: number }} Start
 */

/** @type {WeakMap<Element, Start>} */
const starts = new WeakMap();

/**
 * Return seconds as hours, minutes and seconds; zero if they are over.
 * @param {number} seconds
 */
function clockText(seconds) {
  const left = Math.max(0, Math.ceil(seconds));
  const hours = Math.floor(left / 3600);
  const minutes = Math.floor(left / 60) % 60;
  const shown = hours ? `${hours}:${`${minutes}`.padStart(2, "0")}` : `${minutes}`;
  return `${shown}:${`${left % 60}`.padStart(2, "0")}`;
}

function tick() {
  for (const clock of queryAll(".clocks time")) {
    const text = clock.dataset.left ?? "0";
    let start = starts.get(clock);
    if (start?.text !== text) starts.set(clock, (start = { text, at: performance.now() }));
    const passed = "running" in clock.dataset ? (performance.now() - start.at) / 1000 : 0;
    const left = Number(text) - passed;
    clock.textContent = clockText(left);
    clock.parentElement?.classList.toggle("is-over", left <= 0);
  }
  const claim = query("#claim");
  if (claim && query(".clocks .is-running.is-over:not(.is-mine)") && !query(".clocks .is-mine.is-over"))
    claim.hidden = false;
}

tick();
setInterval(tick, 1000);
