/** The page of a match, live or as a replay. */

import { answerForm, initAnswer, update } from "./answer.js";
import { prepareBoard } from "./board.js";
import { initChart } from "./chart.js";
import { query } from "./dom.js";
import { initFind } from "./find.js";
import { initFold } from "./fold.js";
import { initHints } from "./hints.js";
import { initKeyboard } from "./keyboard.js";
import { initLive } from "./live.js";
import { initShow } from "./playback/show.js";
import { initQueue } from "./playback/queue.js";
import { initPlay } from "./play.js";
import { initSwap, scrollToDecision } from "./swap.js";
import { localizeTimes } from "./times.js";
import { initTitle, showTurn } from "./title.js";
import { initTooltip } from "./tooltip.js";
import { initZoom } from "./zoom.js";

document.documentElement.classList.add("scripted");
initFold();
initTitle();
initAnswer();
initPlay();
initTooltip();
initFind();
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
if (answerForm()) scrollToDecision();
localizeTimes();
if (query("#dock")) import("./chat.js").then(({ initChat }) => initChat());
if (query("#replay")) import("./replay.js").then(({ initReplay }) => initReplay());

/** Load the gestures of the pointer once there is one. */
async function loadGestures() {
  const [{ initDrag }, { initStacks }] = await Promise.all([import("./drag.js"), import("./stacks.js")]);
  initDrag();
  initStacks();
}
document.addEventListener("pointerover", loadGestures, { once: true });
