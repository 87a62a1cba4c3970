/**
 * The pages of a notebook: says what is allowed as one types, marks the figures that differ from the published ones, and
 * warns before changes are lost that were not saved.
 */

import { queryAll } from "./dom.js";

/**
 * Check a field as its text changes, mark it, and say what is wrong with it.
 * @param {HTMLInputElement | HTMLSelectElement} field
 */
function check(field) {
  const text = field.value.trim();
  field.classList.toggle("changed", text !== field.dataset.published);
  field.toggleAttribute("aria-invalid", false);
  field.setCustomValidity("");
  const wrong = !field.validity.valid;
  if (wrong) {
    field.setAttribute("aria-invalid", "true");
    field.setCustomValidity(`Enter ${field.dataset.allowed}.`);
  }
  const message = field.form?.querySelector("[data-message]");
  if (message)
    message.textContent = wrong ? `${field.getAttribute("aria-label")}: enter ${field.dataset.allowed}.` : "";
}

for (const form of queryAll("[data-figures]")) {
  form.addEventListener("input", (event) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) check(event.target);
  });
}

for (const form of queryAll("[data-guarded]")) {
  let changed = false;
  form.addEventListener("input", () => (changed = true));
  form.addEventListener("submit", () => (changed = false));
  window.addEventListener("beforeunload", (event) => {
    if (changed) event.preventDefault();
  });
}
