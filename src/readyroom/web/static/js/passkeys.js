/** Passkeys: the forms that add one to a player, and that sign in with one. */

import { get, queryAll } from "./dom.js";

/** @typedef {"add" | "get"} Ceremony */

/** Return whether this browser can use passkeys with the server's JSON. */
export function supportsPasskeys() {
  return typeof PublicKeyCredential === "function" && "parseCreationOptionsFromJSON" in PublicKeyCredential;
}

/**
 * Return what to say about an error of the browser; empty if the user has cancelled.
 * @param {unknown} error
 */
export function describeError(error) {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "AbortError") return "";
  if (name === "InvalidStateError") return "This device has a passkey for you already.";
  return "The passkey could not be used. Reload the page and try again.";
}

/**
 * Ask the server for its options, and the browser for a credential.
 * @param {HTMLFormElement} form
 * @returns {Promise<Credential | null>}
 */
async function askForCredential(form) {
  const response = await fetch(`${form.action}/options`, { method: "POST", body: new FormData(form) });
  if (!response.ok) throw new Error(String(response.status));
  const options = await response.json();
  if (form.dataset.passkey === "add") {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return navigator.credentials.create({ publicKey });
  }
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return navigator.credentials.get({ publicKey });
}

/**
 * Send a form with the browser's credential.
 * @param {HTMLFormElement} form
 */
async function sendWithCredential(form) {
  const trouble = get(".wrong", form);
  trouble.hidden = true;
  try {
    const credential = /** @type {PublicKeyCredential | null} */ (await askForCredential(form));
    if (!credential) return;
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: "credential", value: JSON.stringify(credential.toJSON()) });
    form.append(field);
    form.submit();
  } catch (error) {
    trouble.textContent = describeError(error);
    trouble.hidden = trouble.textContent === "";
  }
}

/** Let the forms of the page work. */
function start() {
  for (const form of /** @type {HTMLFormElement[]} */ (queryAll("form[data-passkey]"))) {
    get("button", form).toggleAttribute("disabled", !supportsPasskeys());
    if (!supportsPasskeys()) {
      const trouble = get(".wrong", form);
      trouble.textContent = "This browser does not support passkeys.";
      trouble.hidden = false;
    }
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      sendWithCredential(form);
    });
  }
}

if (typeof document !== "undefined") start();
