/** Lists of options that the board has pieces for: they are folded away until the player wants to see them, on this device. */

import { closest } from "./dom.js";

const STORED = "readyroom-lists";

export function initFold() {
  const { classList } = document.documentElement;
  classList.toggle("lists-open", localStorage.getItem(STORED) === "open");
  document.addEventListener("click", (event) => {
    if (!closest(event, "#fold")) return;
    localStorage.setItem(STORED, classList.toggle("lists-open") ? "open" : "folded");
  });
}
