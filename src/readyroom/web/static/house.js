// What every page may use: copying a link, watching a lobby, and showing the seats that a choice brings.
"use strict";

for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  const said = button.textContent;
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = "Copied";
  } catch {
    field.focus();
    field.select();
    button.textContent = "Press Ctrl+C";
  }
  setTimeout(() => { button.textContent = said; }, 2500);
});

// A part of this page, from the same page fetched anew; null if it is not there any more.
async function anew(part, request) {
  const answer = await fetch(request);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector(part);
  if (fresh) document.querySelector(part).replaceWith(document.adoptNode(fresh));
  return fresh;
}

const lobby = document.querySelector("[data-watch]");
if (lobby) {
  const refresh = async () => {
    if (!await anew("#gathering", location.pathname)) location.reload();
    for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
  };
  const stream = new EventSource(lobby.dataset.watch);
  stream.addEventListener("moved", refresh);
  stream.addEventListener("seats", refresh);
}

document.addEventListener("change", (event) => {
  const form = event.target.closest("[data-look]") && event.target.form;
  if (!form) return;
  const told = new FormData(form);
  told.set("do", "look");
  told.delete("file");
  anew("#seats", new Request(form.action, { method: "POST", body: told }));
});

const trouble = document.getElementById("wrong-form");
if (trouble) trouble.focus();
