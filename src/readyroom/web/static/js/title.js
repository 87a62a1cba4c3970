/**
 * What the tab and the app's icon show of the match while it is out of sight: whose turn it is, what the other side offers
 * or requests, unread messages, and how many matches wait; and notifications of these.
 */

import { query } from "./dom.js";
import { ringBell } from "./playback/controls.js";

/** The switch on the profile that turns notifications of this browser on. */
export const NOTIFY = "readyroom-notify";

let name = "";
let notice = "";
let unread = 0;

/** Remember the page's own title. */
export function initTitle() {
  name = document.title;
}

function show() {
  document.title = `${unread ? `(${unread}) ` : ""}${notice && `● ${notice} · `}${name}`;
}

/**
 * Show whether a decision is open, or an offer.
 * @param {boolean} isOpen
 */
export function showTurn(isOpen) {
  const was = notice;
  notice = isOpen ? "Your turn" : (query("[data-offer]")?.dataset.offer ?? "");
  if (isOpen && notice !== was) ringBell();
  if (notice && notice !== was) notify(`Ready Room: ${notice.toLowerCase()}`, name);
  show();
  showWaiting();
}

/**
 * Show the number of unread messages.
 * @param {number} count
 */
export function showUnread(count) {
  unread = count;
  show();
}

/**
 * Notify the player who has another tab or program in front, if they want that.
 * @param {string} title
 * @param {string} body
 */
export async function notify(title, body) {
  if (
    !document.hidden ||
    !localStorage.getItem(NOTIFY) ||
    !("Notification" in window) ||
    Notification.permission !== "granted"
  )
    return;
  const worker = await navigator.serviceWorker?.getRegistration();
  const { pathname } = location;
  worker?.showNotification(title, { body, tag: pathname, data: pathname });
}

/** Show on the icon of the installed app how many matches wait for the player, if the page says so. */
export function showWaiting() {
  const { waiting } = query("[data-waiting]")?.dataset ?? {};
  if (waiting === undefined || !("setAppBadge" in navigator)) return;
  (Number(waiting) ? navigator.setAppBadge(Number(waiting)) : navigator.clearAppBadge()).catch(() => {});
}
