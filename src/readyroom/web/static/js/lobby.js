/** A lobby that updates itself: it says who joins, also while another tab is in front, and opens the match when it starts. */

import { drawWords, refreshPart, showCopyButtons } from "./app.js";
import { get, queryAll } from "./dom.js";
import { notify } from "./title.js";

const name = document.title;

/** @returns {Map<string | undefined, string>} the sentences about players who sit, by seat */
const seated = () => new Map(queryAll("[data-seated]").map(({ dataset }) => [dataset.seated, dataset.joined ?? ""]));

/**
 * Say what has happened: on the page, and in the title of a tab that is out of sight.
 * @param {string} text
 */
async function announce(text) {
  const note = get("#joined");
  note.textContent = text;
  note.hidden = false;
  if (!document.hidden) return;
  document.title = `● ${text} · ${name}`;
  await notify(`Ready Room: ${text}`, name);
}

/** Update the seats after a change; when the match has started, load its page. */
async function refresh() {
  const before = seated();
  const isLobby = await refreshPart("#lobby-seats");
  showCopyButtons();
  drawWords();
  const joined = [...seated().values()].filter((text) => ![...before.values()].includes(text));
  if (isLobby && joined.length) await announce(joined.join(" "));
  if (isLobby) return;
  await announce("The match has started.");
  location.reload();
}

const stream = new EventSource(get("[data-watch]").dataset.watch ?? "");
for (const event of ["moved", "seats"]) stream.addEventListener(event, refresh);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) document.title = name;
});
