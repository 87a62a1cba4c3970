/** The replay of a match: its Play button plays what happened, step by step, until the end. */

import { prepareBoard, resetBoard } from "./board.js";
import { announce, closest, get, isVisible, query, queryAll, textOf } from "./dom.js";
import { isForTable, onHtmx } from "./htmx.js";
import { isTextField } from "./keyboard.js";
import { chosenPace, speed } from "./playback/settings.js";
import { drawingIn, playbackUrl, reportFailure, show, skip } from "./playback/show.js";

/**
 * @typedef {import("./playback/stage.js").Beat} Beat
 * @typedef {import("./playback/stage.js").PlayedEvent} PlayedEvent
 *
 * A moment to which a link leads: the number of its line among those of its step, NaN if the link names none, and what it
 * happens to; or only the next step.
 * @typedef {{line: number, about: string, isStep?: boolean}} Moment
 */

const RETRY = 50; // milliseconds
const STEP = 1500; // between steps without playback
const FOLLOW = 2000; // until a live match is asked again for what comes next
const PAUSE = 900; // after what was played: the caption says what is decided next
const SECRET = 150; // where it says only that something is

let isPlaying = false;
/** Whether the caption of the step that is shown was there long enough. */
let isRead = true;
let timer = 0;
let announced = "";
/** The seat whose board a narrow screen shows; empty: the first. */
let shownSeat = "";
/** The moment whose step is played, after which the replay stays. @type {Moment | null} */
let moment = null;
/** How often something began to play, or was left: what began earlier goes no further. */
let run = 0;
/** Whether the replay goes to the next step by its link, after that was played. */
let isGoing = false;

/** Restore what a step has replaced, and announce the step once. */
function prepareStep() {
  get("#play").textContent = isPlaying ? "Pause" : "Play";
  showBoard();
  showMove();
  showStep();
  if (isPlaying) get("#caption").textContent = query(".decided-next")?.firstChild?.textContent ?? "";
  const text = [".strip-turn", ".decided"].map((selector) => textOf(query(selector))).join(". ");
  if (text !== announced) announce(text);
  announced = text;
}

/** Where there is room for one board only, show that of a seat, and mark its button. */
function showBoard() {
  const sections = queryAll("#board > section[data-seat]");
  const own = sections.find(({ dataset }) => dataset.seat === shownSeat) ?? sections[0];
  for (const section of sections) section.classList.toggle("is-other", section !== own);
  for (const button of queryAll(".board-switch [data-board]"))
    button.setAttribute("aria-pressed", String(button.dataset.board === own?.dataset.seat));
}

/** Scroll the list of moves, and only the list, to the phase that is shown. */
function showMove() {
  const move = query("#moves [aria-current]");
  if (move) get("#moves").scrollTop = move.offsetTop - get("#moves").clientHeight / 3;
}

/** Scroll the log to the lines of the step that is shown, and at the end of the match to its end. */
function showStep() {
  const lines = queryAll(query("#replay-end") ? "#replay .log li" : "#replay .log li:not(.is-earlier)");
  const line = query("#replay-end") ? lines.at(-1) : (lines[0] ?? query("#replay .log > p:last-child"));
  if (line) showLine(/** @type {HTMLElement} */ (line));
}

/** Scroll all of the board into view, or its upper end. */
function scrollToBoard() {
  const board = get("#board");
  const free = innerHeight - (parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom) || 0);
  board.scrollIntoView({ block: board.offsetHeight > free ? "start" : "nearest", behavior: "instant" });
}

/** @param {Moment | null} [only] what to play, instead of all that follows */
function play(only = null) {
  moment = only;
  isRead = true;
  run += 1;
  if (!only?.isStep) scrollToBoard();
  setPlaying(true);
  get("#play").textContent = "Pause";
  step();
}

/** While it plays, the list of moves does not name what is still to come. @param {boolean} on */
function setPlaying(on) {
  isPlaying = on;
  document.body.classList.toggle("is-replaying", on);
  showMove();
}

function pause() {
  setPlaying(false);
  clearTimeout(timer);
  skip();
  prepareStep();
}

/** Go to the next step, once the last one has come, after what happens in it was played. */
async function step() {
  if (query(".htmx-request, .htmx-settling")) {
    timer = setTimeout(step, RETRY);
    return;
  }
  if (!query("#step-on[href]")) {
    if (query("#replay[data-live]")) timer = setTimeout(follow, FOLLOW);
    else pause();
    return;
  }
  const [isPlain, own] = [speed() === "off", run];
  if (!isPlain && !isRead && !isSecret()) {
    isRead = true;
    timer = setTimeout(step, PAUSE / chosenPace() - SECRET);
    return;
  }
  if ((!isPlain && !(await playStep())) || run !== own) return;
  if (moment) setPlaying(false); // it stays there, and `land` follows
  isGoing = true;
  query("#step-on[href]")?.click();
  isGoing = isRead = false;
  if (isPlaying) timer = setTimeout(step, isPlain ? STEP : SECRET);
}

/** Return whether the caption says no more than that something was decided. */
const isSecret = () => / made a secret decision\.$/.test(textOf(query("#caption")));

/** Mark the line of the moment that was played in the log, and keep what it happened to in view. */
function land() {
  if (!moment) return;
  const { line, about, isStep } = moment;
  moment = null;
  if (isStep) return;
  if (line >= 0) location.replace(`#line-${line}`);
  const name = CSS.escape(about);
  const piece = queryAll(`#board :is([data-key="${name}"], [data-place="${name}"])`).find(isVisible);
  const board = get("#board");
  requestAnimationFrame(() => {
    if (board.offsetHeight <= innerHeight || !piece) scrollToBoard();
    else piece.scrollIntoView({ block: "center", behavior: "instant" });
  });
}

/** Ask a live match for what comes next, and continue. */
function follow() {
  get("#replay").dispatchEvent(new Event("again"));
  timer = setTimeout(step, RETRY);
}

/** Play what happens from this step to the next, on all boards at once. Return false if that failed: then it is paused. */
async function playStep() {
  const replay = get("#replay");
  const since = Number(replay.dataset.at);
  const boards = queryAll("#board > section")
    .filter(isVisible)
    .flatMap((section) => {
      const root = drawingIn(section);
      const { seat, prefix } = section.dataset;
      // The first step begins with all that happens before the first decision.
      const fields = { since: since || -1, upto: since + 1, live: 0, ...(seat ? { board: seat } : {}) };
      return root ? [{ root, prefix, url: playbackUrl(replay.getAttribute("hx-get") ?? "", fields) }] : [];
    });
  if (!boards.length) return true;
  resetBoard();
  let isClear = false;
  const onBegin = (/** @type {Beat} */ beat) => {
    if (!isClear) clearLast();
    isClear = true;
    showPhase(beat);
  };
  try {
    await show(boards, { onBegin, onEvent: noteEvent });
    return true;
  } catch (error) {
    reportFailure(error, "Select Play to try again, or Next for the next step.");
    moment = null;
    pause();
    return false;
  }
}

/** Replace what the step before has shown next to the board by the decision whose results play. */
function clearLast() {
  for (const decided of queryAll("#replay .decided")) decided.hidden = !decided.matches(".decided-next");
  for (const card of queryAll("#replay .step-more > .card")) card.hidden = true;
  for (const line of queryAll("#replay .log li")) line.classList.add("is-earlier");
  query("#replay .log > p:last-child")?.remove(); // that nothing happened
}

/** @param {Beat} beat */
function showPhase({ turn, title }) {
  const strip = query("#replay .strip-turn");
  if (strip) strip.lastChild?.replaceWith(` of ${get("#position").getAttribute("max")} · Turn ${turn}, ${title}`);
}

/**
 * Note what was played.
 * @param {PlayedEvent} event
 * @param {number} at
 */
function noteEvent(event, at) {
  if (moment && (moment.line >= 0 ? at <= moment.line : event.moment))
    moment.about = event.target || event.keys[0] || "";
  addLine(event);
}

/**
 * Add what was played to the log, under its phase.
 * @param {PlayedEvent} event
 */
function addLine({ turn, title, text }) {
  const log = get("#replay .log");
  const heading = `Turn ${turn} · ${title}`;
  let chapter = queryAll(".chapter", log).at(-1);
  if (!chapter || textOf(query("h3", chapter)) !== heading) {
    chapter = make("section", "chapter");
    chapter.append(make("h3", "", heading), make("ol"));
    log.append(chapter);
  }
  const line = make("li");
  line.append(make("span", "log-text", text));
  get("ol", chapter).append(line);
  showLine(line);
}

/** Scroll the log, and only the log, to a line. @param {HTMLElement} line */
function showLine(line) {
  for (const part of queryAll("#replay .step-more, #replay .log"))
    part.scrollTop += line.getBoundingClientRect().top - part.getBoundingClientRect().top - part.clientHeight / 2;
}

/**
 * @param {string} name
 * @param {string} [className]
 * @param {string} [text]
 */
function make(name, className = "", text = "") {
  return Object.assign(document.createElement(name), { className, textContent: text });
}

/**
 * Show what is at a mark of the timeline, or where its slider is dragged to.
 * @param {string} text
 * @param {number} [share] where that is, as a share of the timeline
 */
function showTitle(text, share = 0) {
  const title = get("#timeline-title");
  title.textContent = text;
  const [width, own] = [get(".timeline").clientWidth, title.offsetWidth / 2];
  title.style.left = `${Math.min(width - own, Math.max(own, share * width))}px`;
}

/**
 * Return the phase that a position is in.
 * @param {number} at
 */
function phaseAt(at) {
  const move = queryAll("#moves .move")
    .filter(({ dataset }) => Number(dataset.at) <= at)
    .at(-1);
  return move?.dataset.title ?? "";
}

/** @param {string | undefined} at a position */
function shareOf(at) {
  return Number(at) / Math.max(1, Number(get("#position").getAttribute("max")));
}

function initTimeline() {
  const showMark = (/** @type {Event} */ event) => {
    const mark = closest(event, ".timeline-marks a");
    if (mark) showTitle(mark.getAttribute("aria-label") ?? "", shareOf(mark.dataset.at));
  };
  const hideTitle = (/** @type {Event} */ event) => closest(event, ".timeline") && showTitle("");
  for (const name of ["pointerover", "focusin"]) document.addEventListener(name, showMark);
  for (const name of ["pointerout", "focusout", "change"]) document.addEventListener(name, hideTitle);
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.id !== "position") return;
    showTitle(`${target.value} of ${target.max} · ${phaseAt(Number(target.value))}`, shareOf(target.value));
  });
  document.addEventListener("click", (event) => {
    const mark = closest(event, ".timeline-marks a, .move-moment");
    if (!mark || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const slider = /** @type {HTMLInputElement} */ (get("#position"));
    slider.value = String(Number(mark.dataset.at) - 1);
    slider.form?.requestSubmit();
    play(momentOf(mark.getAttribute("href")));
  });
  document.addEventListener(
    "submit",
    (event) => {
      if (isPlaying && closest(event, "#replay form")) pause();
    },
    true,
  );
}

/**
 * Return the moment of a link.
 * @param {string | null} link
 * @returns {Moment}
 */
const momentOf = (link) => ({ line: parseInt(link?.split("#line-")[1] ?? ""), about: "" });

/** Play at once where the address asks for it, and only the first time: the rest of the match, or one step. */
function autoplay() {
  const url = new URL(location.href);
  const wanted = url.searchParams.get("play");
  if (!wanted) return;
  url.searchParams.delete("play");
  history.replaceState(history.state, "", url);
  play(wanted === "step" ? momentOf(location.hash) : null);
}

/** Show the board if the address names a line of the log: the browser has scrolled the log and the page to it. */
function showLinked() {
  if (location.hash) requestAnimationFrame(scrollToBoard);
}

/**
 * Play the next step instead of going there at once; a second time, skip the rest of it. The other steps end what plays.
 * @param {MouseEvent} event
 */
function handleStep(event) {
  const link = closest(event, "#replay .steps a[href]");
  if (!link || isGoing || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const isNext = link.id === "step-on";
  if (isNext && (isPlaying || speed() !== "off")) {
    event.preventDefault();
    event.stopPropagation();
    if (isPlaying) pause();
    else play({ line: NaN, about: "", isStep: true });
  } else if (isPlaying) {
    run += 1;
    moment = null;
    pause();
  }
}

/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "#step-back", ArrowRight: "#step-on", Home: "#step-first", End: "#step-last" };

/** @param {KeyboardEvent} event */
function handleKey(event) {
  const { target, key } = event;
  const hasModifier = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
  const isFree = target instanceof Element && !isTextField(target) && !target.closest("#board, dialog");
  if (key === " " && !hasModifier && isFree && !target.closest("a, button, summary, input")) {
    event.preventDefault();
    if (!isPlaying) play();
    return;
  }
  if (!KEYS[key] || hasModifier || !isFree || query("dialog[open]")) return;
  event.preventDefault();
  get(KEYS[key]).click();
}

export function initReplay() {
  initTimeline();
  document.addEventListener("keydown", handleKey);
  document.addEventListener("click", handleStep, true);
  showMove();
  showStep();
  if (document.readyState === "complete") showLinked();
  else addEventListener("load", showLinked);
  showBoard();
  autoplay();
  document.addEventListener("click", (event) => {
    const { target } = event;
    const choice = closest(event, ".board-switch [data-board]");
    if (choice) {
      if (isPlaying) pause();
      shownSeat = choice.dataset.board ?? "";
      showBoard();
    }
    if (!(target instanceof Element) || target.id !== "play") return;
    if (isPlaying) pause();
    else play();
  });
  onHtmx("afterSwap", (detail) => {
    if (isForTable(detail) || !query("#replay")) return;
    prepareBoard();
    prepareStep();
    if (!isPlaying) land();
  });
}
