/** The theme of the page, switched without loading it again: what is selected stays. */

import { get, queryAll } from "./dom.js";

/**
 * Save the theme of a button and show it; without a connection only this page has it.
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} button
 */
export function switchTheme(form, button) {
  const body = new FormData(form, button);
  fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => {});
  const theme = button.value;
  const isForced = ["light", "dark"].includes(theme);
  document.documentElement.dataset.theme = theme;
  get("meta[name=color-scheme]").setAttribute("content", isForced ? theme : "light dark");
  for (const other of queryAll("button", form)) other.ariaPressed = String(other === button);
}
