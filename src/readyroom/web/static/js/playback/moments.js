/** The card of a big moment: its headline, what it is about, the sentence of the log, and the dice that led to it. */

import { enlarged } from "../enlarge.js";
import { shortResult } from "./dice.js";

/**
 * @typedef {import("./stage.js").Beat} Beat
 * @typedef {import("./stage.js").Roll} Roll
 * @typedef {import("./stage.js").Stage} Stage
 */

const MOST_ROLLS = 3;
const CONTINUES_AFTER = 6000; // milliseconds, where no one plays

/**
 * Return the dice of beats, without re-rolls, and their hits by the name of the roll, the largest first: those about the
 * same piece, or all if there are none.
 * @param {Beat[]} beats
 * @param {string} target
 * @returns {{name: string, text: string}[]}
 */
export function countDice(beats, target) {
  const events = beats.flatMap(({ lines }) => lines);
  const about = events.filter((event) => event.rolls.length && target && event.target === target);
  const rolls = (about.length ? about : events).flatMap((event) => event.rolls);
  /** @type {Map<string, {dice: number, hits: number, result: string}>} */
  const counts = new Map();
  for (const roll of rolls) {
    const { dice, hits } = counts.get(roll.name) ?? { dice: 0, hits: 0 };
    const sum = { dice: dice + (roll.rounds[0]?.length ?? 0), hits: hits + hitsOf(roll) };
    counts.set(roll.name, { ...sum, result: /\bhits?\b/.test(roll.result) ? "" : shortResult(roll) });
  }
  return [...counts]
    .sort(([, one], [, two]) => two.dice - one.dice)
    .slice(0, MOST_ROLLS)
    .map(([name, { dice, hits, result }]) => {
      const rolled = count(dice, "die", "dice");
      return { name, text: result ? `${rolled}: ${result}` : `${rolled}, ${count(hits, "hit", "hits")}` };
    });
}

/**
 * Return the hits of a roll: those of its result, as a die may score several, or the dice that hit.
 * @param {Roll} roll
 */
function hitsOf({ result, rounds }) {
  const named = /(\d+) hits?$/.exec(result)?.[1];
  return named === undefined ? rounds.flat().filter(({ hit }) => hit).length : Number(named);
}

const count = (/** @type {number} */ number, /** @type {string} */ one, /** @type {string} */ more) =>
  `${number} ${number === 1 ? one : more}`;

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
 * @param {Beat[]} options.beats those since the last card
 * @param {boolean} options.waits whether someone plays; otherwise it continues by itself
 * @param {() => void} options.onCancel called when Escape is pressed
 */
export async function showMoment(beat, stage, { beats, waits, onCancel }) {
  const side = stage.side(stage.find(beat.target) ?? stage.find(beat.keys[0] ?? ""));
  const card = /** @type {HTMLDialogElement} */ (element("dialog", `pb-moment ${side}`));
  card.setAttribute("aria-labelledby", "moment-title");
  const title = Object.assign(element("h2", "pb-headline", beat.moment.replaceAll(/-(?=\d)/g, "\u2011")), {
    id: "moment-title", // hull numbers stay together
  });
  const isDate = beat.kind === "phase"; // nothing has happened to anything yet
  const drawing = isDate ? null : enlarge(beat, stage);
  const numbers = element("dl", "pb-numbers");
  for (const { name, text } of isDate ? [] : countDice(beats, beat.target)) {
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
    await stage.until(waits ? done : Promise.race([done, stage.wait(CONTINUES_AFTER * stage.pace)]));
  } finally {
    card.close();
    card.remove();
  }
}
