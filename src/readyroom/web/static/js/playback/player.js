/** Plays events on boards, one beat after the other. */

import { groupEvents, unfold } from "./events.js";
import { plain } from "./plain.js";

/**
 * @typedef {import("./events.js").Playback} Playback
 * @typedef {import("./stage.js").Beat} Beat
 * @typedef {import("./stage.js").Effect} Effect
 * @typedef {import("./stage.js").Stage} Stage
 *
 * A board, what happens on it, and what the ids of its parts start with.
 * @typedef {{stage: Stage, playback: Playback, prefix?: string}} Show
 *
 * @typedef {object} Listeners
 * @property {import("./stage.js").Together} [together] the names of effects that show several events at once
 * @property {boolean} [isFast] whether lesser events are shown together
 * @property {number} [done] how many events need no playing: the first drawing is that after them
 * @property {boolean} [cuts] whether the first drawing is put on the board at once
 * @property {() => void} [onBoard] called when it is there
 * @property {(beat: Beat) => void} [onBegin] called as a beat begins: what it tries may be said, not what comes of it
 * @property {(beat: Beat, stage: Stage) => void | Promise<void>} [onEnd] called when its drawing is on the board
 */

const PAUSE = 80; // milliseconds between beats
const LONGEST = 12000; // of an effect

/**
 * Play the same events on one board or several. It ends early when the first stage has ended.
 * @param {Show[]} shows
 * @param {Record<string, Effect>} [effects] the named effects of the game
 * @param {Listeners} [listeners] for the first board
 */
export async function playEvents(shows, effects = {}, listeners = {}) {
  const { together, isFast, done = 0, cuts, onBoard, onBegin, onEnd } = listeners;
  const boards = shows.map(({ stage, playback, prefix }) => {
    const [before = "", ...frames] = unfold(playback, prefix).slice(done);
    return { stage, before, frames, beats: groupEvents(playback.events.slice(done), together, isFast) };
  });
  const [first] = boards;
  if (!first) return;
  const onBoards = boards.map(({ stage, before }) => put(stage, before, { cuts }));
  onBoard?.();
  await Promise.all(onBoards);
  let shown = 0;
  for (const [at, beat] of first.beats.entries()) {
    if (first.stage.ended) return;
    const start = shown;
    shown += beat.lines.length;
    onBegin?.(beat);
    const acts = boards.map(({ stage, frames, beats }) =>
      perform(stage, beats[at] ?? beat, frames.slice(start, shown), effects),
    );
    await Promise.all(acts);
    if (first.stage.ended) return;
    await onEnd?.(beat, first.stage);
    await first.stage.wait(PAUSE);
  }
}

/**
 * Put a drawing on a board where nothing happens.
 * @param {Stage} stage
 * @param {string} html
 * @param {import("./stage.js").Manner} [manner]
 */
export async function put(stage, html, manner) {
  stage.begin(null);
  stage.prepare([html]);
  await stage.show(manner);
}

/**
 * Show a beat. An effect that fails or does not end costs its animation, nothing else.
 * @param {Stage} stage
 * @param {Beat} beat
 * @param {string[]} frames the drawing at each of its lines
 * @param {Record<string, Effect>} effects
 */
async function perform(stage, beat, frames, effects) {
  stage.begin(beat);
  stage.prepare(frames);
  const box = stage.box(beat.target) ?? stage.box(beat.keys[0] ?? "");
  stage.scrollTo(box);
  stage.sound.pan = box ? (2 * box.x) / stage.size.width - 1 : 0;
  const effect = stage.still ? plain : (effects[beat.effect] ?? plain);
  try {
    await Promise.race([effect(beat, stage), stage.wait(LONGEST)]);
  } catch (error) {
    console.error(`The effect ${beat.effect || "plain"} failed.`, error);
  }
  await stage.show();
  stage.clear();
}
