/** The page of a match, live or as a replay. */

import { answerForm, initAnswer, update } from "./answer.js";
import { prepareBoard } from "./board.js";
import { initChart } from "./chart.js";
import { closest, localizeTimes, query } from "./dom.js";
import { initDrag } from "./drag.js";
import { initHints } from "./hints.js";
import { initKeyboard } from "./keyboard.js";
import { initLive } from "./live.js";
import { initShow } from "./playback/show.js";
import { initQueue } from "./playback/queue.js";
import { initPlay } from "./play.js";
import { initSwap, scrollToDecision } from "./swap.js";
import { initTitle, showTurn } from "./title.js";
import { initTooltip } from "./tooltip.js";
import { initZoom } from "./zoom.js";

const LISTS = "readyroom-lists";

/** Fold away lists of options that the board has pieces for, until the player wants to see them, on this device. */
function initLists() {
  const { classList } = document.documentElement;
  classList.toggle("lists-open", localStorage.getItem(LISTS) === "open");
  document.addEventListener("click", (event) => {
    if (!closest(event, "#fold")) return;
    localStorage.setItem(LISTS, classList.toggle("lists-open") ? "open" : "folded");
  });
}

document.documentElement.classList.add("scripted");
initLists();
initTitle();
initAnswer();
initPlay();
initTooltip();
initDrag();
initZoom();
initKeyboard();
initHints();
initSwap();
initShow();
initLive();
initQueue();
initChart();
prepareBoard();
showTurn(answerForm() !== null);
update();
if (answerForm()) scrollToDecision(true);
localizeTimes();
/** One after the other: a note of empty.js comes after undo.js has hidden the last one. */
async function loadNotes() {
  (await import("./undo.js")).initUndo();
  (await import("./second-press.js")).initSecondPress();
  if (query("#auto-continue")) (await import("./empty.js")).initEmpty();
}
if (query("#table")) loadNotes();
if (query("#dock")) import("./chat.js").then(({ initChat }) => initChat());
if (query("#replay")) import("./replay.js").then(({ initReplay }) => initReplay());
/** @type {Promise<void> | null} */
let stacks = null;
const loadStacks = () => (stacks ??= import("./stacks.js").then(({ initStacks }) => initStacks()));
for (const name of ["pointerover", "keydown"]) document.addEventListener(name, loadStacks, { once: true });
/** @type {Promise<void> | null} */
let pieces = null;
for (const name of ["pointerover", "focusin"]) {
  document.addEventListener(name, (event) => {
    if (closest(event, "[data-about]"))
      pieces ??= import("./log-pieces.js").then(({ initLogPieces }) => initLogPieces(event));
  });
}
