/** The card of a big moment: its headline, what it is about, the sentence of the log, and the dice that led to it. */

import { closest } from "../dom.js";
import { enlarged } from "../enlarge.js";
import { areCardsKept, chosenPace, keepCards } from "./settings.js";
import { readingTime } from "./stage.js";

/**
 * @typedef {import("./stage.js").Beat} Beat
 * @typedef {import("./stage.js").PlayedEvent} PlayedEvent
 * @typedef {import("./stage.js").Roll} Roll
 * @typedef {import("./stage.js").Stage} Stage
 */

const CARD = 20; // letters that a card and its drawing take as long to see
const LEAST = 2200; // milliseconds that a card stays at normal speed
const LINGER = 1500; // milliseconds that a card stays for players after they can have read it
const DRAWN = "use, path, circle, polygon, image"; // a bare frame or text is no picture

/**
 * Return the dice of a moment, one entry for each roll: its own, or those of the last lines before it about the same piece.
 * Several lines count if their dice have hit it. The moment of several pieces has the rolls of all their lines.
 * @param {Beat} beat
 * @param {PlayedEvent[]} earlier what was played before it
 * @returns {{name: string, text: string}[]}
 */
export function diceOf(beat, earlier) {
  const own = beat.summary
    ? [...earlier, ...beat.lines].filter(({ text }) => beat.summary?.includes(text))
    : beat.lines;
  let rolls = own.flatMap((line) => line.rolls);
  if (!rolls.length) {
    let start = earlier.length;
    while (beat.target && earlier[start - 1]?.target === beat.target) start -= 1;
    const lines = earlier.slice(start).filter((event) => event.rolls.length);
    const last = lines.at(-1)?.rolls ?? [];
    const hits = last.every(isVolley) ? lines.flatMap((line) => line.rolls).filter(hasHit) : [];
    rolls = hits.length ? hits : last;
  }
  return rolls.map((roll) => ({ name: roll.name, text: describe(roll) }));
}

/** @param {Roll} roll */
const isVolley = ({ result }) => / on \d+\+?(,.*)?: /.test(result);
/** @param {Roll} roll */
const hasHit = ({ rounds }) => rounds.flat().some(({ hit }) => hit);

/**
 * Return the dice and the result of a roll: "8 dice: 7 hits", "rolled 6+5: hit", "rolled 2+5 +1 = 8 (needs 7), passed".
 * @param {Roll} roll
 */
function describe(roll) {
  const { rounds, result, outcome } = roll;
  const faces = rounds[0]?.map(({ face }) => face) ?? [];
  if (isVolley(roll)) return `${faces.length} ${faces.length === 1 ? "die" : "dice"}: ${outcome}`;
  const rolled = `rolled ${faces.join("+")}`;
  if (outcome.startsWith(faces.join("+"))) return `rolled ${outcome}`;
  const lowest = /^the \d+ lowest/.exec(result)?.[0];
  return `${rolled}${lowest ? `, ${lowest}` : ""}${outcome ? `: ${outcome}` : ""}`;
}

/**
 * @param {string} name
 * @param {string} [className]
 * @param {string} [text]
 */
function element(name, className = "", text = "") {
  return Object.assign(document.createElement(name), { className, textContent: text });
}

/**
 * Return a larger drawing of what a moment is about, with all that belongs to it on the board, and with what is on other places
 * that it names; null if there is none.
 * @param {Beat} beat
 * @param {Stage} stage
 */
function enlarge(beat, stage) {
  const frame = element("div", "board pb-drawing");
  for (const key of [beat.target, ...beat.keys]) {
    const drawing = (!frame.hasChildNodes() || stage.find(key)?.matches("[data-bare]")) && drawingOf(key, stage);
    if (drawing) frame.append(drawing);
  }
  return frame.hasChildNodes() ? frame : null;
}

/**
 * @param {string} name the key of a piece or place, which may be shown by something else
 * @param {Stage} stage
 */
function drawingOf(name, stage) {
  const key = stage.find(name)?.dataset.card ?? name;
  const piece = stage.find(key);
  if (!piece) return null;
  const added = /** @type {NodeListOf<SVGGraphicsElement>} */ (
    stage.chart.querySelectorAll(`[data-with="${CSS.escape(key)}"]`)
  );
  // Of a bare place, what is on it is shown.
  const parts = [...(piece.matches("[data-bare]") ? [] : [piece]), ...added];
  const drawing = parts.length ? enlarged(parts) : null;
  return drawing?.querySelector(DRAWN) ? drawing : null;
}

/**
 * Show the card of a moment until it can have been read, with a bar that runs down; for players a little longer. It stays
 * as long as the pointer moves over it or the focus is within it. A click, a tap or a key continues at once.
 * @param {Beat} beat
 * @param {Stage} stage
 * @param {object} options
 * @param {PlayedEvent[]} options.earlier what was played before
 * @param {boolean} options.waits whether someone plays, who can choose that cards wait for a click
 * @param {() => void} options.onCancel called when Escape is pressed
 */
export async function showMoment(beat, stage, { earlier, waits, onCancel }) {
  const side = stage.side(stage.find(beat.target) ?? stage.find(beat.keys[0] ?? ""));
  const card = /** @type {HTMLDialogElement} */ (element("dialog", `pb-moment ${side}`));
  card.setAttribute("aria-labelledby", "moment-title");
  card.setAttribute("aria-describedby", "moment-text");
  card.tabIndex = -1;
  const title = Object.assign(element("h2", "pb-headline", beat.moment.replaceAll(/-(?=\d)/g, "\u2011")), {
    id: "moment-title", // hull numbers stay together
  });
  const text = Object.assign(element("p", "pb-text", beat.summary ?? beat.text), { id: "moment-text" });
  const isDate = beat.kind === "phase"; // nothing has happened to anything yet
  const drawing = isDate ? null : enlarge(beat, stage);
  const numbers = element("dl", "pb-numbers");
  for (const { name, text: dice } of isDate ? [] : diceOf(beat, earlier)) {
    const group = element("div");
    group.append(element("dt", "", name), element("dd", "", dice));
    numbers.append(group);
  }
  const button = Object.assign(element("button", "button button-strong", "Continue"), { type: "button" });
  const bar = element("span", "pb-time");
  card.append(bar, element("p", "pb-over", `Turn ${beat.turn} · ${beat.title}`), title, ...(drawing ? [drawing] : []));
  card.append(text, ...(numbers.children.length ? [numbers] : []), button);
  const words = [beat.moment, text.textContent, numbers.textContent].join(" ").length + CARD;
  const isKept = waits && areCardsKept();
  const ms = Math.max(LEAST / chosenPace(), (readingTime(words) + (waits ? LINGER : 0)) / stage.pace);
  document.body.append(card);
  stage.sound.play("bell");
  try {
    card.showModal();
    card.focus({ preventScroll: true }); // and not its button, which would hold it
    const time = bar.animate([{ transform: "none" }, { transform: "scaleX(0)" }], { duration: ms, fill: "forwards" });
    const setKept = (/** @type {boolean} */ kept) => {
      bar.hidden = kept;
      if (kept) time.cancel();
      else time.pause(); // until the pointer and the focus are elsewhere
    };
    if (waits) card.append(keepField(isKept, setKept));
    if (isKept) setKept(true);
    hold(card, time);
    const over = new Promise((resolve) => {
      time.onfinish = resolve;
      card.addEventListener("close", resolve);
      card.addEventListener("click", (event) => {
        if (!closest(event, "label")) resolve(undefined);
      });
      card.addEventListener("keydown", (event) => {
        const isShortcut = event.ctrlKey || event.altKey || event.metaKey;
        if (isShortcut || event.repeat || closest(event, "input")) return;
        if (event.key !== "Enter" && event.key.length > 1) return;
        event.preventDefault();
        resolve(undefined);
      });
      card.addEventListener("cancel", () => onCancel());
    });
    await stage.until(over);
  } finally {
    card.close();
    card.remove();
  }
}

/**
 * Return the switch for cards that wait for a click.
 * @param {boolean} isKept
 * @param {(isKept: boolean) => void} onChange
 */
function keepField(isKept, onChange) {
  const label = element("label", "pb-keep");
  const field = Object.assign(document.createElement("input"), { type: "checkbox", checked: isKept });
  field.addEventListener("change", () => {
    keepCards(field.checked);
    onChange(field.checked);
  });
  label.append(field, " Keep cards open until I continue");
  return label;
}

/**
 * Stop the time of a card while a mouse moves over it, or something in it has the focus.
 * @param {HTMLDialogElement} card
 * @param {Animation} time
 */
function hold(card, time) {
  const isInside = () => card.contains(document.activeElement) && document.activeElement !== card;
  const pause = () => {
    if (time.playState === "running") time.pause();
  };
  const resume = () => {
    if (time.playState === "paused" && !isInside()) time.play();
  };
  // A mouse that rests where a card appears does not hold it.
  card.addEventListener("pointermove", ({ pointerType, movementX, movementY, clientX, clientY }) => {
    if (pointerType !== "mouse" || !(movementX || movementY)) return;
    const { left, top, right, bottom } = card.getBoundingClientRect();
    if (clientX > left && clientX < right && clientY > top && clientY < bottom) pause();
    else resume();
  });
  card.addEventListener("focusin", () => isInside() && pause());
  card.addEventListener("focusout", () => setTimeout(resume));
}
