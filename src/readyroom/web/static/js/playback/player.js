/** Plays events on a board, one beat after the other. */

import { groupEvents, unfold } from "./events.js";
import { plain } from "./plain.js";

/**
 * @typedef {import("./events.js").Playback} Playback
 * @typedef {import("./stage.js").Beat} Beat
 * @typedef {import("./stage.js").Effect} Effect
 * @typedef {import("./stage.js").Stage} Stage
 *
 * @typedef {object} Listeners
 * @property {(beat: Beat) => void} [onBegin] called as a beat begins: what it tries may be said, not what comes of it
 * @property {(beat: Beat) => void | Promise<void>} [onEnd] called when its drawing is on the board
 */

const PAUSE = 80; // milliseconds between beats
const LONGEST = 9000; // of an effect, at normal speed

/**
 * Play events on a stage. It ends early when the stage is stopped.
 * @param {Stage} stage
 * @param {Playback} playback
 * @param {object} [options]
 * @param {Record<string, Effect>} [options.effects] the named effects of the game
 * @param {string} [options.prefix] of the parts of this board
 * @param {Listeners} [options.listeners]
 */
export async function playEvents(stage, playback, { effects = {}, prefix = "", listeners = {} } = {}) {
  const [before, ...frames] = unfold(playback, prefix);
  stage.prepare(before ?? "");
  await stage.show();
  let shown = -1;
  for (const beat of groupEvents(playback.events)) {
    if (stage.stopped) return;
    shown += beat.lines.length;
    stage.event = beat;
    stage.prepare(frames[shown] ?? "");
    listeners.onBegin?.(beat);
    await perform(stage, beat, stage.still ? plain : (effects[beat.effect] ?? plain));
    if (stage.stopped) return;
    await listeners.onEnd?.(beat);
    await stage.wait(PAUSE);
  }
}

/**
 * Show a beat. An effect that fails or does not end costs its animation, nothing else.
 * @param {Stage} stage
 * @param {Beat} beat
 * @param {Effect} effect
 */
async function perform(stage, beat, effect) {
  try {
    await Promise.race([effect(beat, stage), stage.wait(LONGEST)]);
  } catch (error) {
    console.error(`The effect ${beat.effect || "plain"} failed.`, error);
  }
  await stage.show();
  stage.clear();
}
