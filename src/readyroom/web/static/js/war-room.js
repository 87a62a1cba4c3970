/** The war room: it shows every change of the campaign, and what a worker has found. */

import { refreshPart, showCopyButtons } from "./app.js";
import { get } from "./dom.js";

const AGAIN = 2000; // milliseconds

/** Whether the player is filling in a form or has opened a part, which an update must not undo. */
const isBusy = () => document.querySelector("#war-room :is(details[open], :checked)") !== null;

/** Update the page, and again while a worker is still looking for moments. */
async function refresh() {
  await refreshPart("#war-room");
  showCopyButtons();
  waitForMore();
}

/** Ask again soon if the page says that more is coming. */
function waitForMore() {
  if (get("#war-room").dataset.again !== undefined) setTimeout(() => (isBusy() ? waitForMore() : refresh()), AGAIN);
}

const stream = new EventSource(get("#war-room").dataset.watch ?? "");
stream.addEventListener("campaign", refresh);
waitForMore();
