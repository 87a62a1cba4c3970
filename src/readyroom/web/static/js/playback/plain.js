/** The effect of events without one of their own: a ring, dice in a panel, and pieces that slide to their places. */

/**
 * @typedef {import("./stage.js").Beat} Beat
 * @typedef {import("./stage.js").Stage} Stage
 */

const READ = 500; // milliseconds for a line without dice and without motion
const PER_LETTER = 9;
const LONGEST = 1500;

/**
 * Return where the panel of a beat's dice goes: below what they are about in the upper half of the chart, above it in the
 * lower half.
 * @param {Beat} event
 * @param {Stage} stage
 */
export function panelPlace(event, stage) {
  const { width, height } = stage.size;
  const box = stage.box(event.target) ?? stage.center(event.keys);
  if (!box) return { near: { x: width / 2, y: height / 3 }, below: true };
  const below = box.y < height / 2;
  const away = "h" in box ? box.h / 2 + 8 : 24;
  return { near: { x: box.x, y: box.y + (below ? away : -away) }, below };
}

/** @type {import("./stage.js").Effect} */
export async function plain(event, stage) {
  const target = stage.box(event.target);
  const ring = stage.ring(target);
  if (event.rolls.length) {
    const { near, below } = panelPlace(event, stage);
    const dice = stage.dice(event.rolls, near, { side: stage.side(stage.find(event.target)), below });
    await dice.roll();
    await Promise.all([stage.show(), dice.leave()]);
    return;
  }
  if (event.kind === "sink") stage.sound.play("sink");
  else if (event.kind === "hit") stage.sound.play("thud");
  const letters = event.lines.reduce((sum, { text }) => sum + text.length, 0);
  await Promise.all([stage.show(), stage.wait(Math.min(LONGEST, READ + PER_LETTER * letters))]);
  if (target && stage.still) await ring;
}
