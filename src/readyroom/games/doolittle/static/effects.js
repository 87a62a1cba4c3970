/** Effects of The Doolittle Raid: take-off, the course along the chart, hazards, bombs, landings, canopies. */

import { panelPlace, plain } from "readyroom/playback/plain.js";
import { blast, bursts, splash, tracers } from "readyroom/playback/effects.js";

/**
 * @typedef {import("readyroom/playback/stage.js").Beat} Beat
 * @typedef {import("readyroom/playback/stage.js").Box} Box
 * @typedef {import("readyroom/playback/stage.js").Effect} Effect
 * @typedef {import("readyroom/playback/stage.js").PlayedEvent} PlayedEvent
 * @typedef {import("readyroom/playback/stage.js").Point} Point
 * @typedef {import("readyroom/playback/stage.js").Stage} Stage
 */

const CAPTION = 95; // letters
const PULSE = 350; // milliseconds between explosions
const at = (/** @type {Point} */ { x, y }) => `translate(${x}px,${y}px)`;
const between = (/** @type {Point} */ a, /** @type {Point} */ b, /** @type {number} */ part) => ({
  x: a.x + (b.x - a.x) * part,
  y: a.y + (b.y - a.y) * part,
});
const first = (/** @type {Beat} */ event) => event.keys[0] ?? "";

/**
 * Let the dice of a beat fall next to its target, or to a key. Return what removes them.
 * @param {Beat} event
 * @param {Stage} stage
 * @param {string} [key]
 * @returns {Promise<() => Promise<void>>}
 */
export async function roll(event, stage, key = event.target) {
  if (!event.rolls.length) return () => Promise.resolve();
  const place = placeOf(stage, key);
  const { near, below } = panelPlace({ ...event, target: key }, stage);
  if (place && stage.box(key) && place.y !== stage.box(key)?.y) Object.assign(near, { x: place.x, y: place.y - 24 });
  const rolls = (event.lines.length > 1 ? event.lines : [event]).flatMap((line) => {
    const word = / hits | hit /.test(line.text) ? "hit" : / miss(es)? /.test(line.text) ? "miss" : "";
    const who = whoRolls(line, stage);
    return line.rolls.map((one) => {
      if (word) one.outcome = one.outcome.replace(/passed|failed/, word); // also on the card
      return { ...one, name: who ? `${who}: ${one.name.charAt(0).toLowerCase()}${one.name.slice(1)}` : one.name };
    });
  });
  const dice = stage.dice(rolls, near, { side: stage.side("usa"), below, about: place });
  await dice.roll();
  return () => dice.leave();
}

/**
 * Return the flight or the bomber that a line is about; empty if it is about neither.
 * @param {PlayedEvent} event
 * @param {Stage} stage
 */
function whoRolls({ keys, target }, stage) {
  return [...keys, target].map((key) => nameIn(titleOf(stage, key))).find(Boolean) ?? "";
}

/**
 * Return the name of the flight, or of the pilot of the bomber, that a title is about; empty if it is about neither.
 * @param {string} title
 */
export function nameIn(title) {
  return /^Bomber \d+, ([^,;:]+)/.exec(title)?.[1] ?? /^(?:Flight|Lone) [^,;:]+/.exec(title)?.[0] ?? "";
}

/** The title of a piece or place; empty if it is not on the board. @param {Stage} stage @param {string} key */
export const titleOf = (stage, key) => stage.find(key)?.querySelector("title")?.textContent ?? "";

/**
 * Return where something happens to a bomber: at its plane in its flight on the chart if that is there, else at the bomber
 * itself.
 * @param {Stage} stage
 * @param {string} key
 * @returns {Box | null}
 */
export function placeOf(stage, key) {
  const flight = key && stage.chart.querySelector(`.dl-flight[data-members~="${CSS.escape(key)}"]`);
  if (!flight) return stage.box(key);
  const number = flight.getAttribute("data-members")?.split(" ").indexOf(key) ?? 0;
  return stage.box(flight.querySelectorAll("use")[number] ?? flight);
}

/**
 * Fly straight, with a slight curve.
 * @type {(from: Point, to: Point) => [Point, Point]}
 */
export const curve = (from, to) => [
  { x: between(from, to, 0.3).x, y: from.y - 14 },
  { x: between(from, to, 0.75).x, y: to.y - 14 },
];

// -- scenes: a picture of its own in front of the board --

const SCENE = { w: 430, h: 150 };

/**
 * Open a picture in the middle of the visible board. Return its group, which has its own lengths, what says below its title
 * what comes of it, and what closes it.
 * @param {Stage} stage
 * @param {string} name of the scene, for its colours
 * @param {string} title who is seen, and where
 */
export function openScene(stage, name, title) {
  const { width, height } = stage.size;
  const scale = Math.min(1.35, (width - 20) / SCENE.w);
  const x = (width - SCENE.w * scale) / 2;
  const y = Math.min(height * 0.3, 170);
  const group = stage.make("g", { class: `pb-scene pb-${name}`, transform: `translate(${x} ${y}) scale(${scale})` });
  const clip = stage.make("clipPath", { id: "pb-scene-clip" }, group);
  stage.make("rect", { width: SCENE.w, height: SCENE.h, rx: 5 }, clip);
  const inner = stage.make("g", { "clip-path": "url(#pb-scene-clip)" }, group);
  stage.make("rect", { class: "pb-sky", width: SCENE.w, height: SCENE.h }, inner);
  stage.make("text", { class: "pb-scene-title", x: 12, y: 22 }, group).textContent = title;
  stage.move(group, [{ opacity: 0 }, { opacity: 1 }], 220);
  const say = async (/** @type {string} */ text) => {
    stage.make("text", { class: "pb-scene-title", x: 12, y: 42 }, group).textContent = text;
    await stage.wait(1000);
  };
  const close = async () => {
    await stage.move(group, [{ opacity: 1 }, { opacity: 0 }], 220, { fill: "both" });
    group.remove();
  };
  stage.make("rect", { class: "pb-frame", width: SCENE.w, height: SCENE.h, rx: 5 }, group);
  return { inner, say, close };
}

/**
 * A bomber seen from the side, flying to the left.
 * @param {Stage} stage
 * @param {Element} parent
 */
export function bomber(stage, parent) {
  const group = stage.make("g", { class: "pb-bomber", opacity: 0 }, parent);
  const d = "M-30 0C-27-5-18-7-8-7L20-6 27-14H33L31-3C22 2 2 5-14 5-22 5-28 3-30 0Z";
  stage.make("path", { d }, group);
  stage.make("path", { class: "pb-glass", d: "M-29-1C-27-4-22-5.5-18-6V-1ZM-14-7Q-9-10-3-7Z" }, group);
  stage.make("path", { class: "pb-wing", d: "M-9-2H10L7 4H-7Z" }, group);
  stage.make("ellipse", { class: "pb-propeller", cx: -11, cy: 1, rx: 1.6, ry: 10 }, group);
  return group;
}

/** @type {Effect} */
async function takeoff(event, stage) {
  const leave = await roll(event, stage);
  const text = event.lines.map((line) => line.text).join(" ");
  const falls = /falls into the sea/.test(text);
  const crashes = /crashes on the deck|destroyed by/.test(text);
  const hard = /barely|in trouble|too early/.test(text);
  await leave();
  if (event.rule === "12.4.1") {
    await stage.show({ path: curve });
    return;
  }
  const { inner, close } = openScene(
    stage,
    "deck",
    `${event.text.replace(/ (takes off|is in trouble|barely|crashes|falls|shuts|is).*$/, "")} · USS Hornet`,
  );
  stage.make(
    "path",
    {
      class: "pb-waves",
      d: "M-20 118q14-8 28 0t28 0 28 0 28 0 28 0 28 0 28 0 28 0 28 0 28 0 28 0 28 0 28 0 28 0 28 0 28 0V160H-20Z",
    },
    inner,
  );
  stage.make("path", { class: "pb-hull", d: "M96 96H440V128H132Q108 122 96 96Z" }, inner);
  stage.make("path", { class: "pb-planks", d: "M92 90H440V97H96Z" }, inner);
  stage.make("path", { class: "pb-island", d: "M310 90V58H322V40H330V58H346V70H356V90Z" }, inner);
  stage.sound.play("engines", 1.6);
  const planes = Math.min(4, Math.max(1, stage.present(event.keys).length || event.keys.length));
  const runs = Array.from({ length: planes }, (_, number) => {
    const plane = bomber(stage, inner);
    const last = number === planes - 1;
    const dip = falls && last ? 128 : hard && last ? 116 : 96;
    const delay = number * 420;
    const start = { transform: "translate(300px,82px)", opacity: 0 };
    const deck = { transform: "translate(285px,82px)", opacity: 1, offset: 0.08 };
    if (crashes && last) {
      stage.wait(delay + 760).then(() => {
        if (!stage.stopped) blastIn(stage, inner, { x: 170, y: 84 });
      });
      return stage.move(
        plane,
        [
          start,
          deck,
          { transform: "translate(170px,84px) rotate(-9deg)", opacity: 1, offset: 0.7 },
          { transform: "translate(164px,88px) rotate(-14deg)", opacity: 1 },
        ],
        1200,
        { delay, fill: "both", easing: "ease-in" },
      );
    }
    const end =
      falls && last
        ? { transform: "translate(30px,136px) rotate(-24deg)", opacity: 1 }
        : { transform: "translate(-60px,20px) rotate(14deg)", opacity: 1 };
    return stage.move(
      plane,
      [
        start,
        deck,
        { transform: "translate(110px,82px)", opacity: 1, offset: 0.55 },
        { transform: `translate(66px,${dip}px) rotate(${falls && last ? -16 : -5}deg)`, opacity: 1, offset: 0.72 },
        end,
      ],
      1500,
      { delay, fill: "both", easing: "ease-in" },
    );
  });
  await Promise.all(runs);
  await stage.wait(crashes ? 500 : 200);
  await close();
  await stage.show({ gone: "fade" });
}

/**
 * An explosion within a scene.
 * @param {Stage} stage
 * @param {Element} parent
 * @param {Point} point
 */
export function blastIn(stage, parent, point) {
  const group = stage.make("g", { opacity: 0 }, parent);
  for (const [name, r] of Object.entries({ "pb-blast": 22, "pb-flash": 15, "pb-core": 8 }))
    stage.make("circle", { class: name, r }, group);
  stage.sound.play("boom", 0, 0.8);
  const frames = [
    { transform: `${at(point)} scale(.2)`, opacity: 0 },
    { transform: `${at(point)} scale(1.3)`, opacity: 1, offset: 0.25 },
    { transform: `${at(point)} scale(1.7)`, opacity: 0 },
  ];
  return stage.flash(group, frames, 800);
}

// -- ways over the chart --

/**
 * Draw a course from one point to another.
 * @param {Stage} stage
 * @param {Point} from
 * @param {Point} to
 */
async function course(stage, from, to) {
  const d = `M${from.x} ${from.y}L${to.x} ${to.y}`;
  const line = stage.make("path", { class: "pb-course", d, pathLength: 100, "stroke-dasharray": "100 100" });
  await stage.move(line, [{ strokeDashoffset: 100 }, { strokeDashoffset: 0 }], 700, { fill: "both" });
  stage.flash(line, [{ opacity: 1 }, { opacity: 0 }], 900, { fill: "both" });
}

/** @type {Effect} */
async function leg(event, stage) {
  const leave = await roll(event, stage);
  await leave();
  const mover = stage
    .present([...event.keys, "task-force"])
    .find((key) => key.startsWith("flight-") || key === "task-force");
  const before = mover ? stage.box(mover) : null;
  const sea = mover === "task-force";
  if (!sea) stage.sound.play("engines", 0.8);
  const moving = stage.show({ path: curve });
  const after = mover ? stage.box(mover) : null;
  if (before && after && Math.hypot(before.x - after.x, before.y - after.y) > 8) {
    await Promise.all([moving, course(stage, before, after)]);
    return;
  }
  const target = stage.box(event.target);
  stage.ring(target ?? after);
  await Promise.all([moving, stage.wait(600)]);
}

/** @type {Effect} */
async function altitude(event, stage) {
  const box = stage.box(event.target);
  const [piece, up] = [stage.find(event.target), /climbs/.test(event.text)];
  if (piece && box) {
    const pose = stage.poser(piece);
    stage.sound.play("engines", 0.6);
    await stage.move(
      piece,
      [
        { transform: pose() },
        { transform: pose({ scale: up ? 1.3 : 0.8, y: box.y + (up ? -12 : 10) }) },
        { transform: pose() },
      ],
      900,
    );
  }
  await stage.show();
}

/** @type {Effect} */
async function fuel(event, stage) {
  const leave = await roll(event, stage);
  const box = stage.box(event.target);
  await leave();
  if (!box) return stage.show();
  stage.ring(box);
  if (/uses \d+ fuel|guzzles/.test(event.text) && !/does not/.test(event.text)) {
    const drop = stage.make("path", { class: "pb-drop", d: "M0-8Q6 0 4 4 0 9-4 4-6 0 0-8Z", opacity: 0 });
    const x = box.x + 6;
    stage.flash(
      drop,
      [
        { transform: `${at({ x, y: box.y + 6 })} scale(1.4)`, opacity: 1 },
        { transform: `${at({ x, y: box.y + 52 })} scale(.7)`, opacity: 0 },
      ],
      800,
    );
  }
  await stage.wait(600);
  await stage.show();
}

/** @type {Effect} */
async function enter(event, stage) {
  const { width } = stage.size;
  stage.sound.play("engines", 0.9);
  const from = stage.box(first(event));
  await stage.show({
    enter: (to) => ({ x: width + 40, y: to.y - 60 }),
    path: (a, b) => [between(a, b, 0.2), { x: b.x + 70, y: b.y - 24 }],
  });
  if (!from) await stage.ring(stage.box(first(event)));
}

/** @type {Effect} */
async function leave(event, stage) {
  const [piece, box] = [stage.find(first(event)), stage.box(first(event))];
  if (piece && box) {
    const pose = stage.poser(piece);
    stage.sound.play("engines", 0.8);
    await stage.move(
      piece,
      [
        { transform: pose(), opacity: 1 },
        { transform: pose({ x: box.x - 240, y: box.y - 30, turn: -12, scale: 0.8 }), opacity: 0 },
      ],
      900,
      { fill: "both", easing: "ease-in" },
    );
  }
  await stage.show();
}

/** @type {Effect} */
async function approach(event, stage) {
  const dice = await roll(event, stage);
  stage.ring(stage.box(event.target));
  await Promise.all([dice(), stage.show({ path: (from, to) => [between(from, to, 0.4), between(from, to, 0.8)] })]);
}

/** @type {Effect} */
async function search(event, stage) {
  if (/ comes in to land at /.test(event.text)) return (await rare()).comeIn(event, stage);
  const goal = stage.box(event.target);
  if (goal && event.rolls.length && !stage.still) {
    const radius = 26;
    const ring = stage.make("circle", { class: "pb-search", r: radius });
    const frames = [0, 1, 2, 3, 4].map((step) => ({
      transform: at({
        x: goal.x + Math.cos(step * 1.9) * goal.w * 0.5,
        y: goal.y + Math.sin(step * 2.3) * goal.h * 0.7,
      }),
    }));
    stage.flash(ring, [...frames, { transform: at(goal), opacity: 0 }], 1200);
  }
  await leg(event, stage);
}

// -- hazards --

/** @type {Effect} */
async function hazard(event, stage) {
  const dice = await roll(event, stage);
  const box = placeOf(stage, event.target) ?? stage.center(event.keys);
  const words = event.text.replace(/[.,].*$/, "");
  const isDrawn = / drawn\.$/.test(event.text);
  const count = isDrawn ? Math.min(5, Number(/(\d+) hazard/.exec(event.text)?.[1] ?? 1)) : 1;
  await dice();
  if (!box || stage.still) {
    await plain({ ...event, rolls: [] }, stage);
    return;
  }
  const scale = Math.max(1, Math.min(2, stage.unit));
  await Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const token = stage.make("g", { class: "pb-token", opacity: 0 });
      const back = stage.make("g", {}, token);
      stage.make("rect", { x: -22, y: -15, width: 44, height: 30, rx: 4 }, back);
      stage.make("text", { class: "pb-query", y: 7 }, back).textContent = "?";
      const from = number - (count - 1) / 2;
      const start = { x: box.x + from * 30, y: box.y - 90 };
      const wide = Math.max(64, words.length * 6.4 + 18);
      const edge = isDrawn ? 0 : (wide * scale) / 2 + 4;
      const x = Math.max(edge, Math.min(stage.size.width - edge, box.x + from * 24));
      const end = { x, y: box.y };
      await stage.move(
        token,
        [
          { transform: `${at(start)} scale(${scale}) rotate(-12deg)`, opacity: 0 },
          { transform: `${at(end)} scale(${scale}) rotate(0deg)`, opacity: 1 },
        ],
        420,
        { delay: number * 90, fill: "both", easing: "ease-out" },
      );
      if (isDrawn) {
        await stage.wait(250);
        await stage.flash(
          token,
          [
            { transform: `${at(end)} scale(${scale})`, opacity: 1 },
            { transform: `${at(end)} scale(${scale * 0.7})`, opacity: 0 },
          ],
          260,
          { fill: "both" },
        );
        return;
      }
      const turn = [{ transform: "scale(1,1)" }, { transform: "scale(0,1)" }];
      await stage.move(back, turn, 170, { fill: "both", easing: "ease-in" });
      back.replaceChildren();
      stage.make("rect", { class: "pb-open", x: -wide / 2, y: -15, width: wide, height: 30, rx: 4 }, back);
      stage.make("text", { class: "pb-title", y: 4.5 }, back).textContent = words;
      await stage.move(back, turn.reverse(), 200, { fill: "both", easing: "ease-out" });
      await Promise.all([stage.show(), stage.wait(650)]);
      await stage.flash(
        token,
        [
          { transform: `${at(end)} scale(${scale})`, opacity: 1 },
          { transform: `${at(end)} scale(${scale})`, opacity: 0 },
        ],
        220,
        { fill: "both" },
      );
    }),
  );
  await stage.show();
}

/** Whether a line says that a bomber is damaged or lost; what led to it has been shown. */
const isLoss = (/** @type {Beat} */ event) =>
  !event.rolls.length && /is destroyed|is damaged|comes down|is wrecked/.test(event.text);

/**
 * Show that a bomber is damaged, or goes down.
 * @param {Beat} event
 * @param {Stage} stage
 */
async function showLoss(event, stage) {
  const key = stage.find(event.target) ? event.target : first(event);
  const [piece, box] = [stage.find(key), placeOf(stage, key)];
  if (!piece || !box || stage.still) return stage.show();
  const isDamaged = /is damaged/.test(event.text);
  stage.sound.play("boom", 0, 0.6);
  blast(stage, box, { size: isDamaged ? 0.8 : 1.4 });
  stage.smoke(box, { count: isDamaged ? 5 : 10, height: 50 });
  await stage.wait(350);
  if (isDamaged) {
    await Promise.all([stage.show(), stage.shake(key, { strength: 1.2 }), stage.wait(600)]);
    return;
  }
  const isOnMap = piece.matches(".dl-counter");
  if (!isOnMap) await stage.wait(700);
  return stage.show({ gone: isOnMap ? "fall" : "fade" });
}

/** @type {Effect} */
async function flak(event, stage) {
  const key = stage.find(event.target) ? event.target : first(event);
  const box = placeOf(stage, key);
  if (isLoss(event)) return showLoss(event, stage);
  if (!box) return plain(event, stage);
  stage.sound.play("flak", 7);
  const puffs = bursts(stage, [box], { count: 12, spread: 30 });
  tracers(
    stage,
    [
      { x: box.x - 40, y: box.y + 90 },
      { x: box.x + 50, y: box.y + 84 },
    ],
    [box],
    { count: 14, ms: 700, spread: 22 },
  );
  const [dice] = await Promise.all([roll(event, stage, key), stage.wait(700)]);
  await Promise.all([dice(), puffs]);
  if (/ hits |damaged|destroyed/.test(event.text) && event.rolls.length) {
    blast(stage, box, { size: 0.8 });
    await stage.shake(key, { strength: 1.2 });
  }
  await stage.show();
}

/** @type {Effect} */
async function fighters(event, stage) {
  const key = stage.find(event.target) ? event.target : first(event);
  const box = placeOf(stage, key);
  if (isLoss(event)) return showLoss(event, stage);
  if (!box || stage.still) return plain(event, stage);
  stage.sound.play("engines", 1.1);
  stage.sound.play("guns", 5);
  const swarm = Array.from({ length: /fighters|planes/i.test(event.text) ? 3 : 1 }, (_, number) => {
    const plane = stage.make("path", { class: "pb-zero", d: SHAPES.plane, opacity: 0 });
    const frames = Array.from({ length: 9 }, (_step, step) => {
      const angle = number * 2.1 + (step / 8) * Math.PI * 2.4 - 1.2;
      const [dx, dy] = [Math.cos(angle) * (60 + 26 * (1 - step / 8)), Math.sin(angle) * 40 - 10];
      const turn = (angle * 180) / Math.PI + 180;
      return {
        transform: `translate(${box.x + dx}px,${box.y + dy}px) rotate(${turn}deg) scale(${0.75 * Math.max(1.2, stage.unit)})`,
        opacity: step === 0 || step === 8 ? 0 : 1,
      };
    });
    return stage.flash(plane, frames, 1300, { delay: number * 120, easing: "linear" });
  });
  tracers(
    stage,
    [
      { x: box.x + 44, y: box.y - 34 },
      { x: box.x - 50, y: box.y + 20 },
    ],
    [box],
    { count: 18, ms: 900, delay: 200, spread: 10 },
  );
  const [dice] = await Promise.all([roll(event, stage, key), ...swarm]);
  await dice();
  if (/ hits\.|is damaged/.test(event.text)) await stage.shake(key, { strength: 1.2 });
  await stage.show();
}

/** @type {Effect} */
async function bombs(event, stage) {
  const target = stage.box(event.target);
  const from = stage.box(first(event));
  if (!target) return plain(event, stage);
  const dice = await roll(event, stage);
  await dice();
  const misses = /miss|no effect/.test(event.text);
  const above = { x: target.x, y: Math.max(20, target.y - target.h / 2 - 16) };
  const plane = stage.find(first(event));
  stage.spot(target, 110);
  if (plane && from) {
    stage.sound.play("engines", 1.2);
    await stage.fly(plane, from, above, { path: [between(from, above, 0.4), above], ms: 700, lift: 0.15 });
    const beyond = { x: above.x + (above.x - from.x || 40) * 0.5, y: above.y - 14 };
    stage.fly(plane, above, from, { path: [beyond, between(beyond, from, 0.5)], ms: 1500, lift: 0.15 });
  }
  const spread = misses ? { x: 46, y: 26 } : { x: Math.min(30, target.w * 0.28), y: 5 };
  stage.sound.play("fall", 4);
  const falling = [0, 1, 2, 3].map((number) => {
    const bomb = stage.make("path", { class: "pb-bomb", d: "M0-8Q5-2 3 6L5 11H-5L-3 6Q-5-2 0-8Z", opacity: 0 });
    const end = {
      x: target.x + (number - 1.5) * spread.x * 0.66 + (misses ? 34 : 0),
      y: target.y + (number % 2 ? spread.y : -spread.y),
    };
    const frames = [
      { transform: `${at(above)} scale(1.1)`, opacity: 1 },
      { transform: `${at(between(above, end, 0.5))} scale(.85) rotate(170deg)`, opacity: 1, offset: 0.5 },
      { transform: `${at(end)} scale(.5) rotate(180deg)`, opacity: 1 },
    ];
    return stage.flash(bomb, frames, 780, { delay: number * 130, easing: "ease-in" }).then(() => end);
  });
  const ends = await Promise.all(falling);
  for (const [number, end] of ends.slice(0, 3).entries()) {
    blast(stage, end, { delay: number * PULSE, size: misses ? 0.9 : 1.6 });
    stage.sound.play("boom", (number * PULSE) / 1000, misses ? 0.4 : 0.8);
  }
  if (!misses) {
    stage.smoke(target, { count: 14, delay: 200, height: 80 });
    stage.shake(event.target, { strength: 1 });
  }
  await stage.wait(2 * PULSE + 300);
  await stage.show();
  const now = stage.box(first(event));
  if (now) await stage.label(now, "bombs gone");
  stage.brighten();
}

const SHAPES = {
  boat: "M-14 2H14L10 9H-10ZM-5 2V-5H4V2ZM0-5V-14",
  ship: "M-22 2H22L17 10H-18ZM-8 2V-6H6V2ZM-2-6V-15H3V-6",
  plane: "M0-12C2-12 2.6-9 2.8-6L18-3V1L2.8 2 2 9 6 11V13H-6V11L-2 9-2.8 2-18 1V-3L-2.8-6C-2.6-9-2-12 0-12Z",
  submarine: "M-24 4Q-20-2-8-2H-4V-8H4V-2H12Q22-1 26 4 22 9 12 9H-12Q-22 9-24 4Z",
};

/**
 * Let something Japanese appear next to a place. Return where it is, and what removes it.
 * @param {Stage} stage
 * @param {keyof typeof SHAPES} shape
 * @param {Box} target
 */
async function appear(stage, shape, target) {
  const scale = Math.max(1.3, stage.unit * 1.2);
  const isLeft = target.x > stage.size.width / 2;
  const here = { x: target.x + (isLeft ? -1 : 1) * (target.w / 2 + 30 * scale), y: target.y };
  const thing = stage.make("g", { class: "pb-boat", opacity: 0 });
  stage.make("path", { d: SHAPES[shape] }, thing);
  const pose = (/** @type {number} */ size, /** @type {number} */ down = 0) =>
    `translate(${here.x}px,${here.y + down}px) scale(${scale * size})`;
  await stage.move(
    thing,
    [
      { transform: pose(0.8), opacity: 0 },
      { transform: pose(1), opacity: 1 },
    ],
    350,
    { fill: "both" },
  );
  const leave = (/** @type {boolean} */ sinks) =>
    stage.flash(
      thing,
      [
        { transform: pose(1), opacity: 1 },
        { transform: pose(sinks ? 0.8 : 1, sinks ? 14 : 0), opacity: 0 },
      ],
      sinks ? 900 : 350,
      { fill: "both" },
    );
  return { here, scale, leave };
}

/** @type {Effect} */
async function torpedo(event, stage) {
  const target = stage.box(event.target);
  if (!target || stage.still) return plain(event, stage);
  const isRun = /[Tt]orpedo/.test(event.text);
  if (!isRun) stage.sound.play("ping");
  const boat = isRun ? null : await appear(stage, "submarine", target);
  const dice = await roll(event, stage);
  await dice();
  const hits = / hit | hits /.test(event.text);
  if (isRun) {
    const start = { x: target.x - 30, y: target.y + 120 };
    const end = hits ? target : { x: target.x + target.w / 2 + 60, y: target.y - 70 };
    stage.sound.play("torpedo");
    const d = `M${start.x} ${start.y}L${end.x} ${end.y}`;
    const wake = stage.make("path", { class: "pb-wake", d, pathLength: 100, "stroke-dasharray": "100 100" });
    await stage.move(wake, [{ strokeDashoffset: 100 }, { strokeDashoffset: 0 }], 900, {
      fill: "both",
      easing: "linear",
    });
    stage.flash(wake, [{ opacity: 1 }, { opacity: 0 }], 400, { fill: "both" });
    if (hits) {
      stage.sound.play("boom", 0, 0.9);
      blast(stage, target, { size: 1.4 });
      stage.shake(event.target, { strength: 1.5 });
      await splash(stage, target, { size: 2 });
    }
  } else if (boat && /drives the I-boat off/.test(event.text)) {
    stage.sound.play("depth");
    const charges = [-16, 4, 20].map((dx, number) =>
      splash(stage, { x: boat.here.x + dx, y: boat.here.y }, { size: 1.6, delay: number * PULSE }),
    );
    await Promise.all([...charges, boat.leave(true)]);
  } else stage.ring(target);
  await Promise.all([stage.show(), stage.wait(500)]);
}

/** @type {Effect} */
async function picketBoat(event, stage) {
  const target = stage.box(event.target);
  if (!target || stage.still) return plain(event, stage);
  const shape = /flying boat/.test(event.text) ? "plane" : event.rule === "12.6.6.H" ? "ship" : "boat";
  const boat = await appear(stage, shape, target);
  const dice = await roll(event, stage);
  await dice();
  const isSunk = /is sunk/.test(event.text);
  if (/reports|fails to evade|is not sunk| sees | has seen /.test(event.text)) {
    stage.sound.play("morse");
    for (const r of [9, 16, 23]) {
      const d = `M${-r} -14A${r} ${r} 0 0 1 ${r} -14`;
      const wave = stage.make("path", { class: "pb-radio", d, opacity: 0 });
      const there = `${at(boat.here)} scale(${boat.scale})`;
      const frames = [{ opacity: 0 }, { opacity: 1, offset: 0.4 }, { opacity: 0 }].map((one) => ({
        ...one,
        transform: there,
      }));
      stage.flash(wave, frames, 900, { delay: r * 22 });
    }
    await stage.wait(900);
  }
  if (isSunk) {
    stage.sound.play("boom", 0, 0.7);
    blast(stage, boat.here, { size: 1.5 });
    stage.smoke(boat.here, { count: 8, height: 44 });
  }
  stage.ring(target);
  await Promise.all([boat.leave(isSunk), stage.show(), stage.wait(900)]);
}

// -- crews --

/** @type {Effect} */
async function trek(event, stage) {
  const dice = await roll(event, stage);
  const goal = stage.box(event.target);
  const start = stage.center(event.keys);
  await dice();
  const way = / draws a Japanese search /.test(event.text) ? 0.5 : 1; // half way they are searched for
  if (start && goal && !stage.still && Math.hypot(start.x - goal.x, start.y - goal.y) > 20) {
    const size = Math.max(1.6, 1.3 * stage.unit);
    await Promise.all(
      [0, 1, 2].map((number) => {
        const man = stage.make("g", { class: "pb-man", opacity: 0 });
        stage.make("circle", { cy: -2.6, r: 2.1 }, man);
        stage.make("path", { d: "M-3 4.2Q-3 0 0 0T3 4.2Z" }, man);
        const frames = Array.from({ length: 11 }, (_, step) => {
          const here = between(start, goal, (way * step) / 10);
          return {
            transform: `translate(${here.x}px,${here.y - (step % 2 ? 3 : 0)}px) scale(${size})`,
            opacity: step % 10 ? 1 : 0,
          };
        });
        return stage.flash(man, frames, 1300, { delay: number * 160, easing: "linear" });
      }),
    );
  }
  stage.ring(goal);
  await stage.show({ path: curve });
}

const rare = () => import("./rare.js");

/**
 * Return whether a bomber lands as those before it: those that land safely are shown at once.
 * @param {PlayedEvent[]} lines
 * @param {PlayedEvent} line
 */
const areSafe = (lines, line) => lines.length < 4 && [...lines, line].every(({ text }) => / lands safely/.test(text));

/**
 * Return whether a caption can hold a line of the score with those before it.
 * @param {PlayedEvent[]} lines
 * @param {PlayedEvent} line
 */
const areShort = (lines, line) => [...lines, line].map(({ text }) => text).join(" ").length <= CAPTION;

/** The effects that show several events at once. */
export const together = new Map([
  ["landfall", areSafe],
  ["front-page", areShort],
]);

/** What the points on the board come from. @param {Stage} stage */
const scoreOn = (stage) => stage.chart.querySelector(".dl-score title")?.textContent ?? "";

/**
 * Return an effect that also says why the points have changed.
 * @param {Effect} effect
 * @returns {Effect}
 */
const scored = (effect) => async (event, stage) => {
  const before = scoreOn(stage);
  await effect(event, stage);
  if (scoreOn(stage) !== before) await (await rare()).sayPoints(event, stage, before, scoreOn(stage));
};

/** @type {Record<string, Effect>} */
export const effects = {
  takeoff,
  landfall: async (event, stage) => (await rare()).landfall(event, stage),
  leg,
  altitude,
  fuel,
  enter,
  leave,
  approach,
  evade: plain,
  search,
  hazard,
  flak,
  fighters,
  bombs,
  torpedo,
  "picket-boat": picketBoat,
  "bail-out": async (event, stage) => (await rare()).bailOut(event, stage),
  trek,
  "front-page": async (event, stage) => (await rare()).frontPage(event, stage),
  alert: async (event, stage) => (await rare()).alert(event, stage),
  secrecy: plain,
  paper: plain,
  patrol: plain,
  weather: plain,
  lights: plain,
  clock: plain,
  order: plain,
};

for (const [name, effect] of Object.entries(effects)) effects[name] = scored(effect);
