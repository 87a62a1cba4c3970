/** The order of the log. */

import { get, queryAll } from "./dom.js";

const COOKIE = "readyroom-log"; // because the server writes the log

/** Turn the log around, and remember its order for all matches. */
export function turnLog() {
  const log = get("#log");
  const order = log.dataset.order === "oldest" ? "newest" : "oldest";
  document.cookie = `${COOKIE}=${order}; path=/; max-age=31536000; samesite=lax`;
  log.dataset.order = order;
  get("#log-order").textContent = order === "oldest" ? "Newest first" : "Oldest first";
  log.append(...queryAll(":scope > :not(.log-head)", log).reverse());
  for (const list of queryAll(".chapter > ol", log)) list.append(...[...list.children].reverse());
  log.scrollTop = order === "oldest" ? log.scrollHeight : 0;
}
