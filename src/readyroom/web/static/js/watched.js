/** A campaign or tournament: its page shows every change, and what a worker has found. */

import { refreshPart, showCopyButtons } from "./app.js";
import { get, query } from "./dom.js";

const AGAIN = 2000; // milliseconds
const watched = () => get("[data-watch]");

/** Whether the player is filling in a form or has opened a part, which an update must not undo. */
const isBusy = () => query("[data-watch] :is(details[open], :checked)") !== null;

/** Whether the player is typing. */
const isTyping = () => query("[data-watch] input:not([readonly]):focus") !== null;

/** Update the page, with the same parts open and the same texts typed; reload if what it shows is gone. */
async function refresh() {
  if (isTyping()) return void setTimeout(refresh, AGAIN);
  const before = watched();
  if (!(await refreshPart("[data-watch]"))) return location.reload();
  for (const part of watched().querySelectorAll("details[id], input[id]:not([readonly])")) {
    const old = query(`#${part.id}`, before);
    if (part instanceof HTMLDetailsElement && old instanceof HTMLDetailsElement) part.open = old.open;
    if (part instanceof HTMLInputElement && old instanceof HTMLInputElement) part.value = old.value;
  }
  showCopyButtons();
  waitForMore();
}

/** Ask again soon if the page says that more is coming. */
function waitForMore() {
  if (watched().dataset.again !== undefined) setTimeout(() => (isBusy() ? waitForMore() : refresh()), AGAIN);
}

const stream = new EventSource(watched().dataset.watch ?? "");
for (const event of ["campaign", "tournament"]) stream.addEventListener(event, refresh);
waitForMore();
