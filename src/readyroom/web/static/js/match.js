/** The page of a match, live or as a replay. */

import { answerForm, initAnswer, update } from "./answer.js";
import { prepareBoard } from "./board.js";
import { initChart } from "./chart.js";
import { initChat } from "./chat.js";
import { initDrag } from "./drag.js";
import { initHints } from "./hints.js";
import { initKeyboard } from "./keyboard.js";
import { initLive } from "./live.js";
import { initShow } from "./playback/show.js";
import { initQueue } from "./playback/queue.js";
import { initReplay } from "./replay.js";
import { initSwap, scrollToDecision } from "./swap.js";
import { localizeTimes } from "./times.js";
import { initTitle, showTurn } from "./title.js";
import { initTooltip } from "./tooltip.js";

document.documentElement.classList.add("scripted");
initTitle();
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
prepareBoard();
showTurn(answerForm() !== null);
update();
if (answerForm()) scrollToDecision();
localizeTimes();
