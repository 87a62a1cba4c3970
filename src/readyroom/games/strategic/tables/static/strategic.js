/** What the effects of Strategic War and Air Raid Pearl Harbor share: formations, counts that change, rows of a table. */

import { drawDie, flatten, GAP, land, panelCorner, shortResult, SIZE, tumble } from "readyroom/playback/dice.js";
import { panelPlace } from "readyroom/playback/plain.js";

/**
 * @typedef {import("readyroom/playback/stage.js").Beat} Beat
 * @typedef {import("readyroom/playback/stage.js").Box} Box
 * @typedef {import("readyroom/playback/stage.js").Point} Point
 * @typedef {import("readyroom/playback/stage.js").Roll} Roll
 * @typedef {import("readyroom/playback/stage.js").Stage} Stage
 *
 * A line of a panel of rolls: the dice, if any, what they need, and what comes of them, in the color of a side. At its end
 * are the results of the dice, unless it says something else.
 * @typedef {{rolls: Roll[], text: string, side: string, note?: string[], end?: string}} Row
 *
 * Rolls that are made at once, under a heading if it is not empty.
 * @typedef {{title: string, rows: Row[]}} Part
 */

const STEPS = 14; // key frames of a way
export const LABEL = 24; // pixels between what is said of things next to each other
const CELL = { width: 31, height: 19 }; // pixels
const ROW = { height: 22, line: 14, heading: 19, pad: 8, letter: 5.9, end: 64, least: 210, most: 480 }; // pixels

/**
 * Return the reference to a symbol of the board; ids may have a prefix.
 * @param {Stage} stage
 * @param {string} name
 */
function symbol(stage, name) {
  return `#${stage.root.querySelector(`[id$="${name}"]`)?.id ?? name}`;
}

/**
 * Make a small picture in front of the board, in a side's color; it is not visible before it is animated.
 * @param {Stage} stage
 * @param {string} name of the symbol
 * @param {string} side a class such as `in-usa`
 * @param {{size?: number, turn?: number}} [options] its scale, and degrees
 * @returns {SVGGElement}
 */
export function picture(stage, name, side, { size = 0.5, turn = 0 } = {}) {
  const group = stage.make("g", { class: `pb-picture ${side}`, opacity: 0 });
  stage.make("use", { href: symbol(stage, name), transform: `rotate(${turn}) scale(${size})` }, group);
  return group;
}

/**
 * Return points of a curve from one point to another.
 * @param {Point} from
 * @param {Point} to
 * @param {number} [bend] how far its middle is to the left, as part of its length
 * @returns {Point[]}
 */
export function curve(from, to, bend = 0.18) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const middle = { x: from.x + dx / 2 + dy * bend, y: from.y + dy / 2 - dx * bend };
  return Array.from({ length: STEPS + 1 }, (_, at) => {
    const t = at / STEPS;
    const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
    return { x: a * from.x + b * middle.x + c * to.x, y: a * from.y + b * middle.y + c * to.y };
  });
}

/**
 * Move a picture along points, and leave it there until the beat ends.
 * @param {Stage} stage
 * @param {Element} element
 * @param {Point[]} points
 * @param {number} ms
 * @param {{delay?: number, heading?: boolean, vanish?: boolean, easing?: string}} [options] whether it points where it goes (it
 *   is drawn pointing upward), and whether it fades at the end
 */
export function travel(
  stage,
  element,
  points,
  ms,
  { delay = 0, heading = false, vanish = false, easing = "ease-in-out" } = {},
) {
  const frames = points.map(({ x, y }, at) => {
    const [before, after] = [points[Math.max(0, at - 1)], points[Math.min(points.length - 1, at + 1)]];
    const turn = before && after ? (Math.atan2(after.y - before.y, after.x - before.x) * 180) / Math.PI + 90 : 0;
    const isEnd = at === points.length - 1;
    return { transform: `translate(${x}px,${y}px) rotate(${heading ? turn : 0}deg)`, opacity: isEnd && vanish ? 0 : 1 };
  });
  return stage.move(element, frames, ms, { delay, easing, fill: "both" });
}

/**
 * Let a formation fly from some points to others; resolve when the last is there.
 * @param {Stage} stage
 * @param {string} name of the symbol
 * @param {string} side
 * @param {Point[]} from
 * @param {Point[]} to
 * @param {{count?: number, ms?: number, delay?: number, size?: number, bend?: number, spread?: number, vanish?: boolean}} [options]
 * @returns {Promise<SVGGElement[]>}
 */
export async function formation(
  stage,
  name,
  side,
  from,
  to,
  { count = 6, ms = 1100, delay = 0, size = 0.5, bend = 0.16, spread = 10, vanish = true } = {},
) {
  if (!from.length || !to.length) return [];
  const planes = Array.from({ length: count }, () => picture(stage, name, side, { size }));
  await Promise.all(
    planes.map((plane, at) => {
      const [start, end] = [from[at % from.length], to[at % to.length]];
      if (!start || !end) return undefined;
      const [dx, dy] = [((at % 3) - 1) * spread, (Math.floor(at / 3) % 2 ? 0.6 : -0.6) * spread];
      const way = curve({ x: start.x + dx, y: start.y + dy }, { x: end.x + dx, y: end.y + dy }, bend);
      return travel(stage, plane, way, ms, { delay: delay + at * 70, heading: true, vanish });
    }),
  );
  return planes;
}

/**
 * Let a picture sink or fall: it turns, shrinks and fades.
 * @param {Stage} stage
 * @param {Element} element
 * @param {Point} at where it is
 * @param {{delay?: number, drop?: number}} [options]
 */
export function goDown(stage, element, { x, y }, { delay = 0, drop = 14 } = {}) {
  const frames = [
    { transform: `translate(${x}px,${y}px)`, opacity: 1 },
    { transform: `translate(${x}px,${y + drop * 0.3}px) rotate(24deg)`, opacity: 0.9, offset: 0.5 },
    { transform: `translate(${x}px,${y + drop}px) rotate(38deg) scale(.5)`, opacity: 0 },
  ];
  return stage.flash(element, frames, 800, { delay, fill: "both" });
}

/**
 * Put the event's drawing on the board and return by how much the numbers of some counters changed.
 * @param {Stage} stage
 * @param {string[]} keys
 * @param {number} [line] the number of one of the event's lines, for the drawing at that line
 * @returns {Promise<Map<string, number>>}
 */
export async function showAndCount(stage, keys, line) {
  const before = new Map(keys.map((key) => [key, numberOf(stage, key)]));
  await stage.show({}, line);
  return new Map(keys.map((key) => [key, numberOf(stage, key) - (before.get(key) ?? 0)]));
}

/**
 * Return the number on a counter; 0 if it is not on the board.
 * @param {Stage} stage
 * @param {string} key
 */
function numberOf(stage, key) {
  return Number(stage.find(key)?.querySelector(".sw-count, .bd-many")?.textContent ?? 0) || 0;
}

/**
 * Show by how much numbers changed, next to their counters and in the colour of their side: ships and interceptors have others
 * above them.
 * @param {Stage} stage
 * @param {Map<string, number>} changes
 * @param {(change: number) => string} [words] what it says of a change
 */
export function labelChanges(stage, changes, words = (change) => (change > 0 ? `+${change}` : `−${-change}`)) {
  let number = 0;
  return Promise.all(
    [...changes].map(([key, change]) => {
      const box = stage.box(key);
      if (!change || !box) return undefined;
      const lower = (number++ % 2) * LABEL * stage.unit; // its neighbor's words are as wide
      const y = box.y + (/^([mei]|ca)/.test(key) ? box.h / 2 + 28 * stage.unit + lower : 8 - box.h / 2 - lower);
      return stage.label({ x: box.x, y }, words(change), { side: stage.side(stage.find(key)) });
    }),
  );
}

/**
 * Return what a log line says that a result of a table does, such as "shoot down 1 squadron"; empty if it does not say.
 * @param {string} text
 */
export function effectSaid(text) {
  return /\b((?:shoots? down|turns? back|ha(?:s|ve) no effect)\b.*?) \(result /.exec(text)?.[1] ?? "";
}

/**
 * Roll an event's dice next to its target, say what they do, and light up the cell of the table that they give.
 * @param {Beat} event
 * @param {Stage} stage
 * @param {string} [table] the table's name: the board has its rows as `data-NAME`
 * @param {Promise<unknown>} [during] what plays while the dice tumble
 * @param {{near: Point, below: boolean, side?: string}} [place] of the panel with the dice; the class of the side that rolls, by
 *   default that of the first piece which the event names
 */
export async function rollOnTable(
  event,
  stage,
  table = "",
  during = Promise.resolve(),
  place = panelPlace(event, stage),
) {
  if (!event.rolls.length) {
    await during;
    return;
  }
  const { near, below, side = stage.side(stage.find(event.keys[0] ?? "") ?? stage.find(event.target)) } = place;
  const said = effectSaid(event.text);
  const rolls = said ? event.rolls.map((roll) => ({ ...roll, outcome: said })) : event.rolls;
  const read = readTable(stage.chart.getAttribute(`data-${table}`) ?? "", event.rolls[0]?.result ?? "");
  const strip = read && { width: (read.cells.length + 1) * CELL.width, height: (1 + read.rows.length) * CELL.height };
  const dice = stage.dice(rolls, near, { side, below, under: strip ?? undefined });
  await Promise.all([dice.roll(), during]);
  if (read) await lightCell(stage, read, dice.under, side);
}

/**
 * Draw the row of a table that a roll was made on, with the rolled cell lit; several rows one below the other.
 * @param {Stage} stage
 * @param {NonNullable<ReturnType<typeof readTable>>} read
 * @param {string} transform where it goes
 * @param {string} side
 */
async function lightCell(stage, read, transform, side) {
  const strip = stage.make("g", { class: `pb-strip ${side}`, transform });
  const inner = stage.make("g", {}, strip);
  /** @type {SVGElement[]} */
  const lit = [];
  const draw = (
    /** @type {string} */ text,
    /** @type {number} */ column,
    /** @type {number} */ row,
    /** @type {string} */ kind,
  ) => {
    const cell = stage.make("g", { class: `pb-cell ${kind}` }, inner);
    const [left, down] = [column * CELL.width, row * CELL.height];
    stage.make("rect", { x: left, y: down, width: CELL.width, height: CELL.height }, cell);
    stage.make("text", { x: left + CELL.width / 2, y: down + 13.5 }, cell).textContent = text;
    return cell;
  };
  read.cells.forEach((text, at) => draw(text, at + 1, 0, "pb-head"));
  draw("row", 0, 0, "pb-head");
  read.rows.forEach(({ label, results }, at) => {
    draw(label, 0, at + 1, "pb-head");
    results.forEach((text, column) => {
      const cell = draw(text, column + 1, at + 1, "");
      if (column === read.column) lit.push(cell);
    });
  });
  await stage.move(inner, [{ opacity: 0 }, { opacity: 1 }], 160);
  for (const cell of lit) {
    cell.classList.add("pb-lit");
    stage.move(cell, [{ opacity: 0.2 }, { opacity: 1 }], 260);
  }
  await stage.wait(400);
}

/**
 * Find a roll in a table of the board: its first column, then the results of each row from strength 1, such as
 * `2;0,0/1;0/1,0/2`. Return null if the roll has no row there.
 * @param {string} table
 * @param {string} result the roll's arithmetic, such as `2d6 + 3 air range = 10, row 5: 1/3`
 */
export function readTable(table, result) {
  const [first = "", ...lines] = table.split(";");
  const total = /= (−?-?\d+)/.exec(result)?.[1]?.replace("−", "-");
  const labels = [...result.matchAll(/row (\d+)/g)].map(([, label]) => Number(label));
  const rows = [...new Set(labels)].map((label) => ({
    label: String(label),
    results: lines[label - 1]?.split(",") ?? [],
  }));
  const columns = rows[0]?.results.length ?? 0;
  if (!total || !columns || rows.some(({ results }) => results.length !== columns)) return null;
  const least = Number(first);
  const cells = Array.from({ length: columns }, (_, at) => `${least + at}${at === columns - 1 ? "+" : ""}`);
  return { cells, rows, column: Math.max(0, Math.min(columns - 1, Number(total) - least)) };
}

/**
 * Return points around a box, inside of it.
 * @param {Box} box
 * @param {number} count
 * @param {number} [part] of the box
 * @returns {Point[]}
 */
export function scattered({ x, y, w, h }, count, part = 0.4) {
  return Array.from({ length: count }, (_, at) => ({
    x: x + Math.sin(at * 2.4 + 0.6) * w * part,
    y: y + Math.cos(at * 1.7 + 0.3) * h * part,
  }));
}

/**
 * Break a text into lines of at most some letters, at spaces.
 * @param {string} text
 * @param {number} letters
 */
export function wrapText(text, letters) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    lines.push(last !== undefined && last.length + word.length < letters ? `${lines.pop()} ${word}` : word);
  }
  return lines;
}

/** The width of a result at the end of a row. */
const endWidth = (/** @type {string} */ result) => (result ? result.length * ROW.letter + 12 : 0);

/**
 * Return a row with its result: at the end, or within the text if it is long.
 * @param {Row} row
 * @param {string} result
 */
export const arranged = (row, result) =>
  endWidth(result) > ROW.end ? { ...row, text: `${row.text}: ${result}`, end: "" } : { ...row, end: result };

/**
 * Draw a panel with rolls in rows; their dice tumble at once. Return a function that lets the dice of a part land, and
 * then says what comes of them; and one that removes the panel.
 * @param {Stage} stage
 * @param {Part[]} parts
 * @param {{near: Point, below: boolean, most?: number, within?: Stage["visible"]}} place with its width in pixels, if it is
 *   wider than its words, and the part of the board that it may cover
 */
export function rollsPanel(stage, parts, { near, below, most, within }) {
  const { unit } = stage;
  const { pad, line, heading, letter } = ROW;
  const view = within ?? stage.visible;
  const dice = (/** @type {Row} */ { rolls }) => rolls.flatMap((roll) => flatten(roll)).length;
  const resultOf = (/** @type {Row} */ { rolls, end: own }) => own ?? rolls.map(shortResult).join(", ");
  const shown = parts.map((part) => ({ ...part, rows: part.rows.map((row) => arranged(row, resultOf(row))) }));
  const rows = shown.flatMap((part) => part.rows);
  const start = pad + Math.max(0, ...rows.map(dice)) * (SIZE + GAP) + 4;
  const end = pad + Math.max(0, ...rows.map((row) => endWidth(row.end)));
  const longest = Math.max(
    ...rows.flatMap(({ text, note = [] }) => [text, ...note].map((one) => one.length)),
    ...parts.map(({ title }) => title.length - 8),
  );
  const room = Math.min(most ?? ROW.most, (view.right - view.left) / unit - 12);
  const width = most ? room : Math.max(ROW.least, Math.min(room, start + longest * letter + end));
  const letters = Math.floor((width - start - end) / letter);
  const drawn = shown.map(({ title, rows: own }) => ({
    title,
    rows: own.map((row) => ({
      ...row,
      notes: (row.note ?? []).flatMap((one) => wrapText(one, letters)),
      lines: wrapText(row.text, letters),
    })),
  }));
  const high = (/** @type {{notes: string[], lines: string[]}} */ { notes, lines }) =>
    ROW.height + (notes.length + lines.length - 1) * line;
  const head = (/** @type {{title: string}} */ { title }) => (title ? heading : 0);
  const height = drawn.reduce((sum, part) => sum + head(part) + part.rows.reduce((all, row) => all + high(row), 4), 0);
  const scale = Math.min(unit, (view.bottom - view.top - 8) / height);
  const { x, y } = panelCorner(stage, { width: width * scale, height: height * scale }, { near, below, within });
  /** @type {SVGElement} */
  const panel = stage.make("g", { class: "pb-panel pb-rows", transform: `translate(${x} ${y}) scale(${scale})` });
  const inner = stage.make("g", {}, panel);
  stage.make("rect", { class: "pb-card", width, height, rx: 4 }, inner);
  let top = 0;
  const acts = drawn.map((part) => {
    if (part.title) {
      stage.make("rect", { class: "pb-heading", y: top, width, height: heading }, inner);
      stage.make("text", { class: "pb-name", x: pad, y: top + 13.6 }, inner).textContent = part.title;
    }
    top += head(part) + 2;
    const all = part.rows.map((row) => {
      const group = stage.make("g", { class: row.side, transform: `translate(0 ${top})` }, inner);
      const lines = row.rolls.flatMap((roll) => flatten(roll).map((die) => ({ die, sides: roll.sides })));
      const own = lines.flatMap(({ die, sides }, at) =>
        die ? [drawDie(stage, group, { x: pad + at * (SIZE + GAP), y: 2 }, { die, sides, at })] : [],
      );
      for (const { element } of own) element.parentElement?.setAttribute("opacity", "0"); // until they are rolled
      row.notes.forEach((text, at) => {
        stage.make("text", { class: "pb-note", x: start, y: 14 + at * line }, group).textContent = text;
      });
      const words = stage.make("g", { class: "pb-said", opacity: 0 }, group);
      row.lines.forEach((text, at) => {
        stage.make("text", { x: start, y: 15 + (row.notes.length + at) * line }, words).textContent = text;
      });
      stage.make("text", { class: "pb-cell-name", x: width - pad, y: 15 }, words).textContent = row.end;
      top += high(row);
      return { own, words };
    });
    top += 2;
    return all;
  });
  stage.move(inner, [{ transform: "scaleY(0)" }, {}], 180); // what is below it is never seen through it
  let reading = Promise.resolve();
  /** @param {number} at */
  const roll = async (at) => {
    if (stage.stopped) return;
    const some = acts[at] ?? [];
    const own = some.flatMap((row) => row.own);
    if (own.length) stage.sound.play("dice", own.length);
    for (const { element } of own) element.parentElement?.removeAttribute("opacity");
    const settle = tumble(stage, own);
    await Promise.all(own.map((die, number) => land(stage, die, number * 30)));
    settle();
    for (const { words } of some) {
      words.setAttribute("opacity", "1");
      stage.move(words, [{ opacity: 0 }, { opacity: 1 }], 160);
    }
    const now = shown[at]?.rows ?? [];
    stage.onRolled?.(now.flatMap(({ rolls }) => rolls));
    const letters = now.reduce((sum, { text }) => sum + text.length, 0);
    reading = reading.then(() => stage.read(letters));
  };
  const leave = async () => {
    await reading; // what the dice did can be read to the end
    panel.remove();
  };
  return { roll, leave };
}
