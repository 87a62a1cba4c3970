/** Things that the effects of several games draw in front of the board: explosions, columns of water, tracers, flak. */

/**
 * @typedef {import("./stage.js").Box} Box
 * @typedef {import("./stage.js").Point} Point
 * @typedef {import("./stage.js").Stage} Stage
 */

const at = (/** @type {Point} */ { x, y }) => `translate(${x}px,${y}px)`;

/**
 * An explosion with smoke. Explosions must be 0.35 s apart, or in at most three pulses.
 * @param {Stage} stage
 * @param {Point} point
 * @param {{delay?: number, size?: number}} [options]
 */
export function blast(stage, point, { delay = 0, size = 1 } = {}) {
  if (stage.still) return Promise.resolve();
  const group = stage.make("g", { opacity: 0 });
  for (const [name, r] of Object.entries({ "pb-blast": 13, "pb-flash": 9, "pb-core": 4.5 })) {
    stage.make("circle", { class: name, r }, group);
  }
  stage.smoke(point, { count: 4, delay: delay + 120, height: 30 * size });
  const frames = [
    { transform: `${at(point)} scale(.2)`, opacity: 0 },
    { transform: `${at(point)} scale(${1.15 * size})`, opacity: 1, offset: 0.2 },
    { transform: `${at(point)} scale(${1.5 * size})`, opacity: 0 },
  ];
  return stage.flash(group, frames, 620, { delay });
}

/**
 * A column of water, and a ring around it.
 * @param {Stage} stage
 * @param {Point} point
 * @param {{delay?: number, size?: number}} [options]
 */
export function splash(stage, point, { delay = 0, size = 1 } = {}) {
  if (stage.still) return Promise.resolve();
  stage.sound.play("splash", delay / 1000);
  const column = stage.make("g", { opacity: 0 });
  for (const dx of [-5, 0, 5]) {
    const d = `M${dx - 2.5} 0Q${dx} ${dx ? -18 : -30} ${dx + 2.5} 0Z`;
    stage.make("path", { class: "pb-spray", d }, column);
  }
  const ring = stage.make("ellipse", { class: "pb-ripple", rx: 10, ry: 4, opacity: 0 });
  const rise = [
    { transform: `${at(point)} scale(1,.1)`, opacity: 0 },
    { transform: `${at(point)} scale(${size},${size})`, opacity: 1, offset: 0.3 },
    { transform: `${at(point)} scale(${1.2 * size},.2)`, opacity: 0 },
  ];
  const spread = [
    { transform: `${at(point)} scale(.3)`, opacity: 1 },
    { transform: `${at(point)} scale(${2.2 * size})`, opacity: 0 },
  ];
  return Promise.all([stage.flash(column, rise, 720, { delay }), stage.flash(ring, spread, 800, { delay })]);
}

/**
 * Tracers from some points to others.
 * @param {Stage} stage
 * @param {Point[]} from
 * @param {Point[]} to
 * @param {{count?: number, ms?: number, delay?: number, spread?: number}} [options] how many, and in how long a time
 */
export function tracers(stage, from, to, { count = 30, ms = 800, delay = 0, spread = 8 } = {}) {
  if (stage.still || !from.length || !to.length) return Promise.resolve();
  return Promise.all(
    Array.from({ length: count }, (_, number) => {
      const a = /** @type {Point} */ (from[number % from.length]);
      const b = /** @type {Point} */ (to[(number * 3 + 1) % to.length]);
      const [dx, dy] = [b.x - a.x, b.y - a.y];
      const length = Math.hypot(dx, dy) || 1;
      const d = `M0 0L${(dx / length) * 9} ${(dy / length) * 9}`;
      const tracer = stage.make("path", { class: "pb-tracer", d, opacity: 0 });
      const end = { x: b.x + Math.sin(number) * spread, y: b.y + Math.cos(number * 2) * spread };
      const frames = [
        { transform: at(a), opacity: 1 },
        { transform: at(end), opacity: 0.9 },
      ];
      return stage.flash(tracer, frames, 210, { delay: delay + (number / count) * ms, fill: "none", easing: "linear" });
    }),
  );
}

/**
 * Dark puffs of flak around some points.
 * @param {Stage} stage
 * @param {Point[]} around
 * @param {{count?: number, delay?: number, spread?: number}} [options]
 */
export function bursts(stage, around, { count = 14, delay = 0, spread = 26 } = {}) {
  if (stage.still || !around.length) return Promise.resolve();
  return Promise.all(
    Array.from({ length: count }, (_, number) => {
      const near = /** @type {Point} */ (around[number % around.length]);
      const puff = stage.make("g", { opacity: 0 });
      stage.make("circle", { class: "pb-puff", r: 4.6 }, puff);
      stage.make("circle", { class: "pb-puff pb-gray", r: 3.2, cx: 4, cy: -3 }, puff);
      stage.make("circle", { class: "pb-puff pb-light", r: 2.4, cx: -4, cy: -2 }, puff);
      const [x, y] = [near.x + Math.sin(number * 5.1) * spread, near.y + Math.cos(number * 3.3) * spread * 0.8];
      const frames = [
        { transform: `translate(${x}px,${y}px) scale(.2)`, opacity: 0 },
        { transform: `translate(${x}px,${y}px) scale(1.25)`, opacity: 1, offset: 0.14 },
        { transform: `translate(${x + 4}px,${y - 5}px) scale(1.7)`, opacity: 0 },
      ];
      return stage.flash(puff, frames, 900, { delay: delay + 120 + number * 52 });
    }),
  );
}
