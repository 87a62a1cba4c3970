/** A note about a message that arrives while the chat is out of sight. */

import { get, query, queryAll, textOf } from "./dom.js";
import { onHtmx } from "./htmx.js";

const LONGEST = 120; // characters

let newest = "";
let isInSight = false;

const lastMessage = () => queryAll("#said .message").at(-1);

/** Show the newest message, unless the player has sent it or can see it. */
function showNewest(isOwn = false) {
  const message = lastMessage();
  if (!message || message.id === newest) return;
  newest = message.id;
  if (isOwn || isInSight) return;
  const note = get("#new-message");
  const text = textOf(query(".message-text", message));
  note.textContent = `${textOf(query("b", message))}: ${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}`;
  note.hidden = false;
}

export function initChat() {
  /** @type {HTMLAnchorElement | null} */
  const note = query("#new-message");
  if (!note) return;
  newest = lastMessage()?.id ?? "";
  new IntersectionObserver((entries) => {
    isInSight = entries.at(-1)?.isIntersecting ?? false;
    if (isInSight) note.hidden = true;
  }).observe(get("#chat-title"));
  onHtmx("afterSwap", ({ target, requestConfig }) => {
    if (target?.id === "said") showNewest(requestConfig.verb === "post");
  });
  note.addEventListener("click", (event) => {
    event.preventDefault();
    get("#talk").scrollIntoView({ block: "center" });
    get("#said").focus({ preventScroll: true });
  });
}
