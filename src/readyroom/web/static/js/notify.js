/** Notifications of this browser, on the profile: while a match is open in the background, and by push where the server can. */

import { get, query } from "./dom.js";
import { NOTIFY } from "./title.js";

/** @type {HTMLFormElement | null} */
const form = query("[data-notify]");
const isPossible = "Notification" in window && "serviceWorker" in navigator;
/** Whether this browser notifies, as far as it knows itself. */
const isOn = () => localStorage.getItem(NOTIFY) !== null && Notification.permission === "granted";

/** @param {string} text */
const decode = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

/**
 * Show what the button does, and why it may not help.
 * @param {HTMLFormElement} form
 * @param {string} [problem]
 */
function show(form, problem = "") {
  const isPushMissing = Boolean(form.dataset.key) && form.dataset.subscribed === undefined;
  const isActive = isPossible && isOn() && !isPushMissing;
  const button = /** @type {HTMLButtonElement} */ (get("button", form));
  button.textContent = isActive ? "Turn off on this device" : "Turn on for this device";
  form.dataset.active = isActive ? "yes" : "no";
  const isDenied = isPossible && Notification.permission === "denied";
  button.disabled = isDenied && !isActive;
  const why = isDenied
    ? "This browser blocks notifications of this site. Allow them in its site settings, then reload this page."
    : problem;
  get("[data-state]", form).textContent = why || (isActive ? "This device notifies you." : "");
}

/**
 * Subscribe at the push service of the browser, and put the subscription into the form.
 * @param {HTMLFormElement} form
 */
async function subscribe(form) {
  const { key } = form.dataset;
  if (!key) return;
  const { pushManager } = await navigator.serviceWorker.ready;
  const old = await pushManager.getSubscription();
  await old?.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: decode(key) });
  const { endpoint, keys } = made.toJSON();
  for (const [name, value] of Object.entries({ endpoint, ...keys })) {
    /** @type {HTMLInputElement | null} */
    const field = query(`[name="${name}"]`, form);
    if (field) field.value = value ?? "";
  }
}

async function unsubscribe() {
  const worker = await navigator.serviceWorker.getRegistration();
  const subscription = await worker?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}

/**
 * Turn notifications on or off, here and, by the form, at the server.
 * @param {HTMLFormElement} form
 */
async function toggle(form) {
  if (form.dataset.active === "yes") {
    localStorage.removeItem(NOTIFY);
    await unsubscribe();
    form.action = `${form.action}/off`;
  } else {
    if ((await Notification.requestPermission()) !== "granted") return show(form);
    await subscribe(form);
    localStorage.setItem(NOTIFY, "on");
  }
  if (form.dataset.key) form.submit();
  else show(form);
}

if (form && isPossible) {
  form.hidden = false;
  show(form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    toggle(form).catch((error) => show(form, `This browser cannot be notified: ${error.message}`));
  });
} else if (form) {
  const hint = query("[data-no-notify]");
  if (hint) hint.hidden = false;
}
