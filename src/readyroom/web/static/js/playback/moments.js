/** The card of a big moment: its headline, what it is about, the sentence of the log, and the dice that led to it. */

import { enlarged } from "../enlarge.js";

/**
 * @typedef {import("./stage.js").Beat} Beat
 * @typedef {import("./stage.js").PlayedEvent} PlayedEvent
 * @typedef {import("./stage.js").Roll} Roll
 * @typedef {import("./stage.js").Stage} Stage
 */

const CARD = 20; // letters that a card and its drawing take as long to see

/**
 * Return the dice of a moment, one entry for each roll: its own, or those of the last line before it about the same piece.
 * @param {Beat} beat
 * @param {PlayedEvent[]} earlier what was played before it
 * @returns {{name: string, text: string}[]}
 */
export function diceOf(beat, earlier) {
  let rolls = beat.lines.flatMap((line) => line.rolls);
  for (let at = earlier.length - 1; !rolls.length && at >= 0; at -= 1) {
    const event = /** @type {PlayedEvent} */ (earlier[at]);
    if (!beat.target || event.target !== beat.target) break;
    rolls = event.rolls;
  }
  return rolls.map((roll) => ({ name: roll.name, text: describe(roll) }));
}

/**
 * Return the dice and the result of a roll: "8 dice: 7 hits", "rolled 6+5: hit", "rolled 2+5 +1 = 8 (needs 7), passed".
 * @param {Roll} roll
 */
function describe({ rounds, result, outcome }) {
  const faces = rounds[0]?.map(({ face }) => face) ?? [];
  if (/ on \d+\+?(,.*)?: /.test(result)) return `${faces.length} ${faces.length === 1 ? "die" : "dice"}: ${outcome}`;
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
 * Return a larger drawing of what a moment is about, with all that belongs to it on the board; null if it is not there.
 * @param {Beat} beat
 * @param {Stage} stage
 */
function enlarge(beat, stage) {
  const found = [beat.target, ...beat.keys].find((one) => stage.find(one)) ?? "";
  const key = stage.find(found)?.dataset.card ?? found; // a place may be shown by something else
  const piece = stage.find(key);
  if (!piece) return null;
  const added = /** @type {NodeListOf<SVGGraphicsElement>} */ (
    stage.chart.querySelectorAll(`[data-with="${CSS.escape(key)}"]`)
  );
  // Of a bare place, what is on it is shown.
  const parts = [...(piece.matches("[data-bare]") ? [] : [piece]), ...added];
  const drawing = parts.length ? enlarged(parts) : null;
  if (!drawing) return null;
  const frame = element("div", "board pb-drawing");
  frame.append(drawing);
  return frame;
}

/**
 * Show the card of a moment and wait until the player continues. The focus is on its button, and then where it was.
 * @param {Beat} beat
 * @param {Stage} stage
 * @param {object} options
 * @param {PlayedEvent[]} options.earlier what was played before
 * @param {boolean} options.waits whether it waits for the player; otherwise it continues by itself
 * @param {() => void} options.onCancel called when Escape is pressed
 */
export async function showMoment(beat, stage, { earlier, waits, onCancel }) {
  const side = stage.side(stage.find(beat.target) ?? stage.find(beat.keys[0] ?? ""));
  const card = /** @type {HTMLDialogElement} */ (element("dialog", `pb-moment ${side}`));
  card.setAttribute("aria-labelledby", "moment-title");
  const title = Object.assign(element("h2", "pb-headline", beat.moment.replaceAll(/-(?=\d)/g, "\u2011")), {
    id: "moment-title", // hull numbers stay together
  });
  const isDate = beat.kind === "phase"; // nothing has happened to anything yet
  const drawing = isDate ? null : enlarge(beat, stage);
  const numbers = element("dl", "pb-numbers");
  for (const { name, text } of isDate ? [] : diceOf(beat, earlier)) {
    const group = element("div");
    group.append(element("dt", "", name), element("dd", "", text));
    numbers.append(group);
  }
  const button = Object.assign(element("button", "button button-strong", "Continue"), { type: "button" });
  card.append(element("p", "pb-over", `Turn ${beat.turn} · ${beat.title}`), title, ...(drawing ? [drawing] : []));
  card.append(element("p", "pb-text", beat.text), ...(numbers.children.length ? [numbers] : []), button);
  document.body.append(card);
  stage.sound.bell();
  try {
    const done = new Promise((resolve) => {
      button.addEventListener("click", resolve);
      card.addEventListener("close", resolve);
      card.addEventListener("click", ({ target }) => {
        if (target === card) resolve(undefined); // outside the card
      });
      card.addEventListener("cancel", () => onCancel());
    });
    card.showModal();
    button.focus({ preventScroll: true });
    const words = [beat.moment, beat.text, numbers.textContent].join(" ");
    await stage.until(waits ? done : Promise.race([done, stage.read(words.length + CARD)]));
  } finally {
    card.close();
    card.remove();
  }
}
