/** A new version of the table in place of the old one: what the player had open, selected or focused stays. */

import { answerForm, decisionId, options, setCounts, update } from "./answer.js";
import { focusPiece, isChoice, prepareBoard, resetBoard, visiblePieces } from "./board.js";
import { announce, get, query, queryAll, textOf } from "./dom.js";
import { closeAnalysis, keepsAnalysis } from "./hints.js";
import { isTextField } from "./keyboard.js";
import { headerHeight } from "./layer.js";
import { release } from "./play.js";
import { ringBell } from "./playback/controls.js";
import { showTurn } from "./title.js";
import { hideTooltip } from "./tooltip.js";

/**
 * @typedef {ReturnType<typeof readPage>} Snapshot
 * @typedef {{beforeAttributeUpdated: Function, beforeNodeMorphed: Function}} Callbacks
 */

const ANNOUNCED = 3; // more log lines than this are counted instead
const NEW_FOR = 4000; // milliseconds
const MARGIN = 12; // pixels
const SMALL_SCREEN = "(max-width: 60rem)";

/** These open and close with the decision that they belong to. */
const FOR_ONE_DECISION = [
  "why-not",
  "noted-all",
  "latest",
  "paper",
  "tip-of-the-lesson",
  "end-of-the-lesson",
  "my-task",
];

/** @type {Snapshot | null} */
let before = null;
/** What the table was before a playback. @type {Partial<Snapshot> | null} */
let held = null;

/** @returns {HTMLElement | null} */
const header = () => query("[data-revision]");
/** @returns {HTMLInputElement | null} */
const expandedField = () => query("#expanded");
const isOldestFirst = () => get("#log").dataset.order === "oldest";
const isOver = () => Boolean(query("#card .proof"));

/** Return the revision of the table that is shown; -1 if there is none. */
export function shownRevision() {
  return Number(header()?.dataset.revision ?? -1);
}

/** Take down the state of the table before a new version replaces it. */
export function beforeSwap() {
  hideTooltip();
  release();
  before = { ...readPage(), ...held };
  held = null;
  resetBoard();
}

/** Return the number of log lines that the table counts. */
export function shownLines() {
  return Number(header()?.dataset.lines ?? 0);
}

/**
 * Prepare the table for the playback of what happened before its next version comes. Unless the decision is the same in
 * both, it is over: what was selected is remembered, and the card says that the next one follows.
 * @param {string | undefined} next the next decision
 */
export function holdTable(next) {
  hideTooltip();
  release();
  resetBoard();
  if (answerForm() && decisionId() === next) return;
  const { decision, isOver, counts, heading, isExpanded, open } = readPage();
  held = { decision, isOver, counts, heading, isExpanded, open };
  closeAnalysis();
  const card = get("#card");
  const hadFocus = card.contains(document.activeElement);
  const title = waitingTitle();
  card.replaceChildren(title);
  update();
  if (hadFocus) title.focus({ preventScroll: true });
}

/**
 * Hold back what the page shows of what it is about to play: whose turn it is and, if that is not known yet, the decision and
 * the log. Return the log, and a function that shows all again.
 * @param {boolean} isKnown
 */
export function holdBack(isKnown) {
  const [card, log, strip, { dataset }] = [get("#card"), get("#log"), get(".strip-turn"), get("[data-revision]")];
  const track = query(".track");
  const { lines } = dataset;
  const held = isKnown ? [strip] : [strip, card, log];
  const kept = held.map((element) => ({ element, children: [...element.childNodes] }));
  const chapters = document.createDocumentFragment();
  const phases = track?.innerHTML ?? "";
  const title = waitingTitle();
  if (!isKnown) {
    card.style.minHeight = `${card.offsetHeight}px`;
    raise(log, log.offsetTop - card.offsetTop);
    chapters.append(...queryAll(":scope > :not(.log-head)", log));
    card.replaceChildren(title);
    update();
  }
  return {
    chapters,
    release() {
      for (const { element, children } of kept) element.replaceChildren(...children);
      if (track) track.innerHTML = phases;
      dataset.lines = lines;
      card.style.minHeight = log.style.cssText = "";
      if (!isKnown) log.scrollTop = isOldestFirst() ? log.scrollHeight : 0;
    },
  };
}

/**
 * Show the log in the column of a wide window above its place, over a card that is not seen.
 * @param {HTMLElement} log
 * @param {number} gap
 */
function raise({ style, offsetHeight }, gap) {
  if (gap <= 0 || matchMedia(SMALL_SCREEN).matches) return;
  const [height, marginBottom, translate] = [`${offsetHeight + gap}px`, `${-gap}px`, `0 ${-gap}px`];
  Object.assign(style, { flex: "none", height, marginBottom, translate });
}

/** Return the title of the card while something plays: only for screen readers, as the header says so, too. */
function waitingTitle() {
  get(".strip-turn").textContent = "Showing what happened";
  const title = Object.assign(document.createElement("h2"), {
    id: "question",
    tabIndex: -1,
    className: "playback-title",
  });
  title.textContent = "First, the playback.";
  return title;
}

/**
 * Add a line of the next version to the log.
 * @param {HTMLElement} line
 */
export function appendLogLine(line) {
  const log = get("#log");
  query(":scope > .muted", log)?.remove(); // it says that nothing has happened
  const chapter = /** @type {HTMLElement} */ (line.closest(".chapter"));
  const heading = textOf(query("h3", chapter));
  const isOldest = isOldestFirst();
  let own = queryAll(".chapter", log).at(isOldest ? -1 : 0);
  if (!own || textOf(query("h3", own)) !== heading) {
    own = document.adoptNode(/** @type {HTMLElement} */ (chapter.cloneNode(true)));
    query("ol", own)?.replaceChildren();
    if (isOldest) log.append(own);
    else get(".log-head", log).after(own);
  }
  const copy = document.adoptNode(/** @type {HTMLElement} */ (line.cloneNode(true)));
  const list = get("ol", own);
  if (isOldest) list.append(copy);
  else list.prepend(copy);
  mark([copy]);
  const { dataset } = get("[data-revision]");
  dataset.lines = String(Number(line.dataset.line) + 1);
  if (log.contains(document.activeElement)) return;
  log.scrollTop = isOldest ? log.scrollHeight : 0;
}

function readPage() {
  const active = document.activeElement ?? document.body;
  return {
    decision: decisionId(),
    isOver: isOver(),
    counts: new Map(options().map(({ key, count }) => [key, count])),
    heading: textOf(query("#question")),
    lines: shownLines(),
    isExpanded: Boolean(expandedField()?.checked),
    open: new Map(allDetails().map((details) => [details.id, details.open])),
    hasFocus: active !== document.body,
    hasRequest: query(".request") !== null,
    isBusy: isTextField(active) || Boolean(active.closest("#log, #talk, #dock, .track, #help")),
    findFocus: focusFinder(active),
  };
}

/** @returns {HTMLDetailsElement[]} */
const allDetails = () => queryAll("#table details[id]");

/**
 * Return a function that finds the focused piece, option or element in the new version.
 * @param {Element} element
 * @returns {() => HTMLElement | SVGElement | null | undefined}
 */
function focusFinder(element) {
  const piece = /** @type {SVGElement | null} */ (element.closest("#board [data-key]"));
  if (piece) return () => visiblePieces().find(({ dataset }) => dataset.key === piece.dataset.key);
  const row = element.matches("#table input") ? element.closest("#answer [data-key]") : null;
  if (row) return () => options().find(({ key }) => key === row.getAttribute("data-key"))?.input;
  return () => (element.id ? document.getElementById(element.id) : null);
}

/** Restore the state of the table in its new version, announce what is new, and focus a new decision. */
export function afterSwap() {
  prepareBoard();
  showTurn(answerForm() !== null);
  const old = before;
  before = null;
  if (!old) {
    update();
    return;
  }
  const isSame = answerForm() !== null && decisionId() === old.decision;
  if (decisionId() !== old.decision) closeAnalysis();
  restoreForm(old, isSame);
  restoreDetails(old, isSame);
  const lines = markNewLines(old.lines);
  announceNews(old, isSame, lines);
  restoreFocus(old, isSame);
  const isFilled = answerForm()?.dataset.filled !== undefined; // as by a hint
  if (answerForm() && (!isSame || isFilled) && !old.isBusy) scrollToDecision();
  if (isOver() && !old.isOver) {
    ringBell(query("[data-end]")?.dataset.end);
    query(".track > ol")?.scrollTo(0, 0); // where the Tab key has moved it
    if (!old.isBusy) get(".poster-over").scrollIntoView({ block: "center" });
  }
  if (!old.hasRequest && query(".request")) get("#card").scrollTop = 0;
}

/**
 * Restore what was selected if the decision is the same and the server has not filled it in.
 * @param {Snapshot} old
 * @param {boolean} isSame
 */
function restoreForm(old, isSame) {
  if (isSame && answerForm()?.dataset.filled === undefined) {
    setCounts(new Map(options().map(({ key }) => [key, old.counts.get(key) ?? 0])));
  }
  const field = expandedField();
  if (field && old.isExpanded && (isSame || !answerForm())) field.checked = true;
  update();
}

/**
 * @param {Snapshot} old
 * @param {boolean} isSame
 */
function restoreDetails(old, isSame) {
  for (const details of allDetails()) {
    const open = old.open.get(details.id);
    if (open !== undefined && (isSame || !FOR_ONE_DECISION.includes(details.id))) details.open = open;
  }
}

/**
 * Focus what was focused if that was lost, or a new decision, or the end of the match.
 * @param {Snapshot} old
 * @param {boolean} isSame
 */
function restoreFocus(old, isSame) {
  const isLost = () => document.activeElement === document.body;
  const form = answerForm();
  if ((isSame || !form) && isLost()) {
    /** @type {HTMLElement | null} */
    const next = old.hasFocus ? query(".request, #question") : null;
    const element = old.findFocus() ?? next;
    if (element?.closest("#board")) focusPiece(/** @type {SVGElement} */ (element));
    else element?.focus({ preventScroll: true });
  }
  const hasEnded = isOver() && !old.isOver;
  const isNew = form ? !isSame : (old.decision && isLost()) || hasEnded;
  if (isNew && !old.isBusy) query("#question")?.focus({ preventScroll: true });
}

// -- what is new --

/**
 * Mark the new lines of the log for a while, scroll to the first, and return them, the oldest first.
 * @param {number} count how many lines are old
 * @returns {HTMLElement[]}
 */
function markNewLines(count) {
  const numberOf = (/** @type {HTMLElement} */ line) => Number(line.dataset.line);
  const lines = queryAll("[data-line]").filter((line) => numberOf(line) >= count);
  mark(lines);
  scrollLogTo(lines);
  return lines.sort((a, b) => numberOf(a) - numberOf(b));
}

/**
 * Mark lines of the log as new for a while.
 * @param {HTMLElement[]} lines
 */
function mark(lines) {
  for (const line of lines) {
    line.classList.add("new");
    setTimeout(() => line.classList.remove("new"), NEW_FOR);
  }
}

/**
 * Scroll the log to the first new line, unless it has the focus.
 * @param {HTMLElement[]} lines in the order of the page
 */
function scrollLogTo(lines) {
  const log = get("#log");
  if (!lines.length || log.contains(document.activeElement)) return;
  const [first] = lines;
  log.scrollTop = first && isOldestFirst() ? first.offsetTop - get(".log-head", log).offsetHeight : 0;
}

/**
 * Return the newest of several texts, after a count of the others.
 * @param {string[]} texts
 */
export function summarizeNews(texts) {
  const more = texts.length - ANNOUNCED;
  const count = more > 0 ? [`${more} more log ${more === 1 ? "line" : "lines"}.`] : [];
  return [...count, ...texts.slice(-ANNOUNCED)];
}

/**
 * Announce the new lines of the log, and then an error, a message or the new decision.
 * @param {Snapshot} old
 * @param {boolean} isSame
 * @param {HTMLElement[]} lines
 */
function announceNews(old, isSame, lines) {
  const texts = summarizeNews(lines.map((line) => textOf(query(".log-text", line))));
  const request = old.hasRequest ? null : query(".request p");
  if (request) texts.push(textOf(request));
  const message = query("#card .refused, #card p.noted, #card .noted > p");
  const heading = textOf(query("#question"));
  if (message) texts.push(textOf(message));
  else if (!isSame || heading !== old.heading) texts.push(heading);
  if (texts.length) announce(texts.join(" "));
}

/**
 * On a small screen, and with a board that is higher than the window, scroll into the part that the decision leaves free:
 * the targets of what is picked up, or the pieces that are or can be chosen, as many as fit, and as many of the others and of
 * their targets as there is room for.
 * @param {boolean} [isOpening] the page was opened: one choice in view is enough, as its board is best seen from the top
 */
export function scrollToDecision(isOpening) {
  const card = get("#card");
  card.scrollTop = 0;
  const isTipOpen = query("#tip-of-the-lesson[open]") !== null;
  const isHigh = (query("#board .board")?.offsetHeight ?? 0) > innerHeight;
  if (isTipOpen || !(isHigh || matchMedia(SMALL_SCREEN).matches)) return;
  const keys = new Set(options().map(({ key }) => key));
  const held = visiblePieces().filter((piece) => piece.matches(".held, .goal"));
  const marked = held.length ? held : visiblePieces().filter((piece) => piece.matches(".can, .about"));
  if (!marked.length) return;
  const choices = marked.filter((piece) => isChoice(piece, keys));
  const chosen = marked.filter((piece) => piece.matches(held.length ? ".goal" : ".chosen"));
  const cardBox = card.getBoundingClientRect();
  const isBelow = getComputedStyle(card).position === "sticky" && cardBox.left < 50;
  const above = headerHeight();
  const free = innerHeight - above - (isBelow ? cardBox.height : 0);
  if (isOpening && choices.some((piece) => spanOf([piece], above)[1] <= free)) return;
  const wanted = mostWithin([chosen, choices, marked].find(({ length }) => length) ?? [], free);
  const top = topFor(spanOf(wanted, above), spanOf(marked, above), free);
  if (top !== 0) scrollTo({ top: top + scrollY });
}

/**
 * Return as many elements as fit into a height together.
 * @param {Element[]} elements
 * @param {number} height
 */
export function mostWithin(elements, height) {
  const groups = elements.map((first) => {
    const [start] = spanOf([first]);
    return elements.filter((one) => {
      const [top, bottom] = spanOf([one]);
      return one === first || (top >= start && bottom <= start + height);
    });
  });
  return groups.sort((one, other) => other.length - one.length)[0] ?? [];
}

/**
 * Return from where to where elements are in the window below its header, with a margin.
 * @param {Element[]} elements
 * @param {number} [above] the height of the header
 * @returns {[top: number, bottom: number]}
 */
function spanOf(elements, above = 0) {
  const boxes = elements.map((element) => element.getBoundingClientRect());
  const margin = MARGIN + above;
  return [
    Math.min(...boxes.map(({ top }) => top)) - margin,
    Math.max(...boxes.map(({ bottom }) => bottom)) - above + MARGIN,
  ];
}

/**
 * Return by how much to scroll: 0 if all is seen; what is wanted has precedence.
 * @param {[top: number, bottom: number]} wanted
 * @param {[top: number, bottom: number]} all
 * @param {number} free height
 */
export function topFor([top, bottom], [first, last], free) {
  if (first >= -MARGIN && last <= free + MARGIN) return 0;
  if (last - first <= free) return (first + last - free) / 2;
  const isAbove = top - first > last - bottom;
  return isAbove ? Math.max(first, bottom - free) : Math.min(top, last - free);
}

// -- what a swap does not touch --

/** Skip unchanged parts of the board and the log, which are most of the page, and keep the marks of new lines. */
function limitMorphing() {
  const { Idiomorph } = /** @type {{Idiomorph?: {defaults: {callbacks: Callbacks}}}} */ (globalThis);
  if (!Idiomorph) return;
  const { callbacks } = Idiomorph.defaults;
  callbacks.beforeAttributeUpdated = (/** @type {string} */ name, /** @type {Element} */ element) =>
    !((name === "class" && element.matches("[data-line].new")) || (name === "open" && element.matches(".dice-fold")));
  callbacks.beforeNodeMorphed = (/** @type {Node} */ node, /** @type {Node} */ next) => {
    if (!(node instanceof Element && next instanceof Element)) return true;
    const isLarge = node instanceof SVGElement || node.hasAttribute("data-line");
    return !keepsAnalysis(node, next) && !(isLarge && node.isEqualNode(next));
  };
}

export function initSwap() {
  limitMorphing();
  const log = query("#log");
  if (log && isOldestFirst()) log.scrollTop = log.scrollHeight;
}
