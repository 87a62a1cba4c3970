/** A pop-over with a rule, a term or a chart, next to the link that leads to it: the page with the match stays. */

import { placeBubble } from "./bubble.js";
import { get, query, queryAll } from "./dom.js";
import { boxOf } from "./layer.js";
import { covered } from "./placing.js";

const MARGIN = 8; // pixels
const PULL = 48; // pixels by which the sheet of a small screen is pulled to close it or to make it high
const SMALL_SCREEN = "(max-width: 44rem), (max-width: 60rem) and (max-height: 34rem)";
const LINK = /^\/games\/([\w-]+)\/(rules|charts)$/;

/** What was fetched, by address. @type {Map<string, Promise<string>>} */
const texts = new Map();
/** The links that led here, the last one last. @type {HTMLAnchorElement[]} */
let trail = [];
/** What had the focus before. @type {HTMLElement | null} */
let opener = null;

/**
 * Return the address of the help that a link leads to; null if it leads elsewhere.
 * @param {string} href
 */
export function helpAddress(href) {
  const url = new URL(href, location.href);
  const [, game, page] = LINK.exec(url.pathname) ?? [];
  const key = decodeURIComponent(url.hash.slice(1));
  if (!game || !key || url.origin !== location.origin) return null;
  return `/games/${game}/help/${encodeURIComponent(page === "charts" ? `chart-${key}` : key)}`;
}

/** @param {string} address */
function fetchHelp(address) {
  const known = texts.get(address);
  if (known) return known;
  const text = fetch(address).then((response) => {
    if (!response.ok) throw new Error(`The server answered ${response.status}.`);
    return response.text();
  });
  text.catch(() => texts.delete(address));
  texts.set(address, text);
  return text;
}

/** Return the pop-over; it is made when it is first needed. */
function popover() {
  const known = query("#help");
  if (known) return known;
  const box = Object.assign(document.createElement("div"), { id: "help", className: "help", tabIndex: -1 });
  box.popover = "auto";
  box.setAttribute("role", "dialog");
  box.setAttribute("aria-labelledby", "help-title");
  const bar = Object.assign(document.createElement("p"), { className: "help-bar" });
  const back = Object.assign(document.createElement("button"), { id: "help-back", type: "button", className: "link" });
  back.textContent = "◀ Back";
  const whole = Object.assign(document.createElement("a"), { id: "help-whole", textContent: "Open in the rulebook" });
  const close = Object.assign(document.createElement("button"), { type: "button", className: "button button-small" });
  close.textContent = "Close";
  back.addEventListener("click", () => {
    trail.pop();
    const last = trail.pop();
    if (last) showHelp(last);
  });
  close.addEventListener("click", () => box.hidePopover());
  box.addEventListener("toggle", handleToggle);
  bar.addEventListener("pointerdown", pull);
  bar.append(back, whole, close);
  box.append(bar, Object.assign(document.createElement("div"), { id: "help-body" }));
  document.body.append(box);
  return box;
}

/**
 * Let a finger pull the sheet of a small screen down, which closes it, or up.
 * @param {PointerEvent} event
 */
function pull({ clientY, target, pointerId }) {
  const [box, element] = [get("#help"), /** @type {HTMLElement} */ (target)];
  if (!matchMedia(SMALL_SCREEN).matches || element.closest("a, button")) return;
  element.setPointerCapture(pointerId);
  element.onpointermove = (move) => (box.style.translate = `0 ${Math.max(0, move.clientY - clientY)}px`);
  element.onpointerup = element.onpointercancel = (end) => {
    const down = end.type === "pointerup" ? end.clientY - clientY : 0;
    element.onpointermove = element.onpointerup = element.onpointercancel = null;
    box.style.translate = "";
    if (down > PULL) box.hidePopover();
    else if (down < -PULL) box.classList.add("is-high");
  };
}

/** Give the focus back where it was, or to the decision if that is gone. @param {Event} event */
function handleToggle(event) {
  const isOpen = /** @type {ToggleEvent} */ (event).newState === "open";
  const box = /** @type {HTMLElement} */ (event.target);
  box.toggleAttribute("open", isOpen);
  if (isOpen) return;
  box.classList.remove("is-high");
  const active = document.activeElement;
  const isLost = !active || active === document.body || box.contains(active);
  if (isLost) (opener?.isConnected ? opener : query("#question"))?.focus({ preventScroll: true });
  trail = [];
}

/**
 * Put the pop-over below its link, above it, or below the decision, where it covers neither question nor answers; where
 * there is no such room, where it covers few. On a small screen it is a sheet at the bottom.
 * @param {HTMLElement} box
 */
function place(box) {
  box.style.left = box.style.top = "";
  if (matchMedia(SMALL_SCREEN).matches || !opener) return;
  const link = boxOf(opener);
  const size = { width: box.offsetWidth, height: box.offsetHeight };
  const left = Math.min(Math.max(MARGIN, link.left), innerWidth - size.width - MARGIN);
  const isFolded = (query("#options")?.clientWidth ?? 0) <= 1;
  const answers = queryAll(`#answer :is(.confirm${isFolded ? "" : ", .option"}), #question`).map(boxOf);
  const belowCard = query("#card")?.getBoundingClientRect().bottom ?? 0;
  const top = [link.top + link.height, link.top - size.height - 2 * MARGIN, belowCard]
    .map((edge) => edge + MARGIN)
    .find(
      (at) => at >= MARGIN && at + size.height + MARGIN <= innerHeight && !covered({ left, top: at, ...size }, answers),
    );
  const view = { left: 0, top: 0, width: innerWidth, height: innerHeight };
  const spared = queryAll("#board .can").map(boxOf);
  const at = top === undefined ? placeBubble({ size, targets: [link], avoided: answers, spared, view }) : { left, top };
  box.style.left = `${at.left}px`;
  box.style.top = `${at.top}px`;
}

/**
 * Show what a link leads to in the pop-over; follow the link if that fails.
 * @param {HTMLAnchorElement} link
 */
export async function showHelp(link) {
  const address = helpAddress(link.href);
  try {
    const text = await fetchHelp(address ?? "");
    const box = popover();
    const isOpen = box.matches(":popover-open");
    if (!box.contains(link) && !trail.includes(link)) {
      opener = link;
      trail = [];
    }
    trail.push(link);
    get("#help-body").innerHTML = text;
    get("#help-back").hidden = trail.length < 2;
    /** @type {HTMLAnchorElement} */ (get("#help-whole")).href = link.href;
    if (!isOpen) box.showPopover();
    box.setAttribute("open", "");
    box.scrollTop = 0;
    place(box);
    box.focus({ preventScroll: true });
    query(".help-wanted")?.scrollIntoView({ block: "nearest" });
  } catch (error) {
    console.warn("The help is not available.", error);
    location.assign(link.href);
  }
}
