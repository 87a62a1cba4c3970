/** The page of a match, live or as a replay. */

import { answerForm, initAnswer, update } from "./answer.js";
import { prepareBoard } from "./board.js";
import { initChart } from "./chart.js";
import { initChat } from "./chat.js";
import { initDrag } from "./drag.js";
import { initHints } from "./hints.js";
import { initKeyboard } from "./keyboard.js";
import { initLive } from "./live.js";
import { initPlan } from "./plan.js";
import { initShow } from "./playback/show.js";
import { initQueue } from "./playback/queue.js";
import { initReplay } from "./replay.js";
import { initSwap, scrollToDecision, showTitle } from "./swap.js";
import { localizeTimes } from "./times.js";
import { initTooltip } from "./tooltip.js";

document.documentElement.classList.add("scripted");
initAnswer();
initTooltip();
initDrag();
initKeyboard();
initHints();
initSwap();
initShow();
initLive();
initReplay();
initQueue();
initChart();
initChat();
initPlan();
prepareBoard();
showTitle();
update();
if (answerForm()) scrollToDecision();
localizeTimes();
