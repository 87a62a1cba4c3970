/** The panel with the dice of a beat: they tumble, then those that count fill with the colour of their side. */

/**
 * @typedef {import("./stage.js").Box} Box
 * @typedef {import("./stage.js").Die} Die
 * @typedef {import("./stage.js").Point} Point
 * @typedef {import("./stage.js").Roll} Roll
 * @typedef {import("./stage.js").Stage} Stage
 * @typedef {{element: SVGElement, face: SVGElement, die: Die, sides: number, at: number, round: number,
 *   isDown: boolean}} Drawn
 */

export const SIZE = 17; // pixels of a die
export const GAP = 4;
const COLUMNS = 10;
const MOST = 60; // dice of a roll that are drawn; a note says of how many
const APART = 8; // from a panel to what it must not hide
const FARNESS = 4; // what a board's width from a panel to its place costs
const HIDING = 600; // what it costs to hide pieces as large as the panel: a board width away is better than a corner of one
const LEADING = 90; // what a line over a board's width to what a panel is about costs, and one over another piece
const CROSSING = 9;
const SUBJECT = 3; // times as much, to hide what it is about
const STEPS = 25; // columns and rows of places that are tried
const SUBJECTS = 12; // pieces that it must not hide
const LARGE = 0.2; // of the board; a panel may lie on what is larger
const ROW = 25; // pixels for a roll in one line
const FEW = 3; // dice of a roll in one line
const REMOTE = 14; // pixels between a panel and its subject from which a line joins them
const POINTS = 12; // of a line that are looked at
const NOTE = 13; // pixels for the line that says how dice count
const BAND = 34; // letters of a name and a result that are in one line
const CHANGE = 61; // milliseconds between the faces of a die that tumbles

/** Which of nine places have a pip, by face. @type {Record<number, number[]>} */
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/**
 * Return the dice of a roll in rows, with null between rounds.
 * @param {Roll} roll
 * @returns {(Die | null)[]}
 */
export function flatten({ rounds }) {
  return rounds.flatMap((round, at) => (at ? [null, ...round] : round)).slice(0, MOST);
}

/**
 * Return the column and row of each die, or of the arrow for null; a round that does not fit next to the one before it is in
 * rows of its own, which begin with its arrow.
 * @param {(Die | null)[]} dice
 * @param {number} columns
 */
export function arrange(dice, columns) {
  let [column, row] = [0, 0];
  return dice.map((die, at) => {
    const end = dice.indexOf(null, at + 1);
    const needed = die ? 1 : (end < 0 ? dice.length : end) - at;
    if (column && column + needed > columns) [column, row] = [0, row + 1];
    return { column: column++, row };
  });
}

/**
 * Return the result of a roll without what the dice show: of "25d6, hit on 6: 4 hits" it is "4 hits".
 * @param {Roll} roll
 */
export const shortResult = ({ outcome }) => outcome;

/**
 * Return what a roll needs: "needs 7 or more with 2 dice + 1 navigation"; or that not all dice are drawn.
 * @param {Roll} roll
 */
export function howTheyCount({ need, rounds }) {
  const count = rounds.flat().length;
  return count > MOST ? `${MOST} of ${count} dice are drawn` : need;
}

/** What a roll needs, without its dice. @param {Roll} roll */
const shortNeed = ({ need }) => need.replace(/^\d+ (dice|die) /, "").split(" with ")[0] ?? "";

/**
 * Return the line from a panel to a box: between the points of both that are nearest to each other.
 * @param {Point} corner
 * @param {{width: number, height: number}} size
 * @param {Box} box
 */
function lineTo({ x, y }, { width, height }, box) {
  const near = (/** @type {number} */ value, /** @type {number} */ least, /** @type {number} */ most) =>
    Math.max(least, Math.min(most, value));
  const from = { x: near(box.x, x + 12, x + width - 12), y: near(box.y, y, y + height) };
  const to = {
    x: near(from.x, box.x - box.w / 2, box.x + box.w / 2),
    y: near(from.y, box.y - box.h / 2, box.y + box.h / 2),
  };
  return { from, to, length: Math.hypot(to.x - from.x, to.y - from.y) };
}

/**
 * Return where a panel goes: next to what it is about or near a point, within what is visible of the board, where it does not
 * hide what the beat is about, and little else, and where its line to that crosses no other piece.
 * @param {Stage} stage
 * @param {{width: number, height: number}} size of the panel, in lengths of the chart
 * @param {{near: Point, below: boolean, within?: Stage["visible"], about?: Box | null}} wanted
 * @returns {Point} its corner
 */
export function panelCorner(stage, size, { near, below, within: frame = stage.visible, about = null }) {
  const { width, height } = size;
  const { left, top, right, bottom } = frame;
  const within = (/** @type {number} */ value, /** @type {number} */ least, /** @type {number} */ most) =>
    Math.max(least + 4, Math.min(most - 4, value));
  const at = (/** @type {number} */ x, /** @type {number} */ y) => ({
    x: within(x, left, right - width),
    y: within(y, top, bottom - height),
  });
  const { target = "", keys = [] } = stage.event ?? {};
  const most = LARGE * stage.size.width * stage.size.height;
  const boxesOf = (/** @type {(string | Element)[]} */ all) =>
    all.flatMap((one) => {
      const box = stage.box(one);
      return box && box.w * box.h < most ? [box] : [];
    });
  const subjects = [...boxesOf([...new Set([target, ...keys.slice(0, SUBJECTS)])]), ...(about ? [about] : [])];
  const small = stage.pieces.filter((piece) => !piece.hasAttribute("data-place")); // a panel may lie on places
  const others = boxesOf([...small, ...stage.names]).filter((box) => !stage.isLarge(box));
  const wanted = at(near.x - width / 2, below ? near.y : near.y - height);
  /** How much of some boxes a panel in a place hides, of its own size. */
  const hidden = (/** @type {Point} */ { x, y }, /** @type {Box[]} */ boxes) =>
    boxes.reduce((sum, box) => {
      const across = Math.min(x + width, box.x + box.w / 2) - Math.max(x, box.x - box.w / 2);
      const down = Math.min(y + height, box.y + box.h / 2) - Math.max(y, box.y - box.h / 2);
      return sum + (Math.max(0, across) * Math.max(0, down)) / (width * height);
    }, 0);
  /** What the line to what it is about costs, by its length and by the pieces that it crosses. */
  const leading = (/** @type {Point} */ place) => {
    if (!about) return 0;
    const { from, to, length } = lineTo(place, size, about);
    const crossed = others.filter((box) =>
      Array.from({ length: POINTS }, (_, number) => number / POINTS).some(
        (part) =>
          Math.abs(from.x + (to.x - from.x) * part - box.x) < box.w / 2 &&
          Math.abs(from.y + (to.y - from.y) * part - box.y) < box.h / 2,
      ),
    );
    return (LEADING * length) / stage.size.width + CROSSING * crossed.length;
  };
  const cost = (/** @type {Point} */ place) =>
    HIDING * (SUBJECT * hidden(place, subjects) + hidden(place, others) / (about ? 3 : 1)) +
    (FARNESS * Math.hypot(place.x - wanted.x, place.y - wanted.y)) / stage.size.width +
    leading(place);
  const away = APART * stage.unit;
  const around = about
    ? Array.from({ length: 25 }, (_, number) =>
        at(
          about.x + ((number % 5) / 4 - 0.5) * (width + about.w + 2 * away) - width / 2,
          about.y + (Math.floor(number / 5) / 4 - 0.5) * (height + about.h + 2 * away) - height / 2,
        ),
      )
    : [];
  const grid = Array.from({ length: STEPS * STEPS }, (_, number) =>
    at(
      left + ((number % STEPS) / (STEPS - 1)) * (right - left - width),
      top + (Math.floor(number / STEPS) / (STEPS - 1)) * (bottom - top - height),
    ),
  );
  let [best, least] = [wanted, cost(wanted)];
  for (const place of [...around, ...grid]) {
    const costs = least && cost(place);
    if (costs < least) [best, least] = [place, costs];
  }
  return best;
}

/**
 * Draw a frame around what a panel is about, and a line to it; null if that is large.
 * @param {Stage} stage
 * @param {Point} corner
 * @param {{width: number, height: number}} size
 * @param {Box | null} box
 * @returns {SVGElement | null}
 */
function lead(stage, corner, size, box) {
  if (!box) return null;
  const { from, to, length } = lineTo(corner, size, box);
  const group = stage.make("g", { class: "pb-leader" });
  const frame = { x: box.x - box.w / 2 - 3, y: box.y - box.h / 2 - 3, width: box.w + 6, height: box.h + 6, rx: 4 };
  stage.make("rect", frame, group);
  if (length > REMOTE * stage.unit) stage.make("path", { d: `M${from.x} ${from.y}L${to.x} ${to.y}` }, group);
  stage.move(group, [{ opacity: 0 }, { opacity: 1 }], 260);
  return group;
}

/**
 * Draw the panel; its dice lie still until `roll`.
 * @param {Stage} stage
 * @param {Roll[]} rolls
 * @param {Point} near
 * @param {{side?: string, below?: boolean, under?: {width: number, height: number}, isSaid?: boolean, few?: number,
 *   about?: Box | null}} [options] `under`: the pixels of something that is put under the panel; `isSaid`: names and results
 *   say all that the log does; `few`: the most dice of rolls in one line each; `about`: what a line leads to, by default
 *   what the beat happens to
 */
export function dicePanel(
  stage,
  rolls,
  near,
  {
    side = "",
    below = true,
    under = { width: 0, height: 0 },
    isSaid = false,
    few = FEW,
    about = stage.box(stage.event?.target ?? ""),
  } = {},
) {
  const { unit } = stage;
  const isList = rolls.length > 1 && rolls.every((roll) => flatten(roll).length <= few);
  const parts = rolls.flatMap((roll) => {
    const dice = flatten(roll);
    if (!dice.length) return []; // a gun without dice
    const columns = Math.min(COLUMNS, Math.max(dice.length, 6));
    const note = howTheyCount(roll);
    const isLong = roll.name.length + shortResult(roll).length > BAND;
    const rows = (arrange(dice, columns).at(-1)?.row ?? 0) + 1;
    if (isList) return { roll, dice, columns: dice.length, note: "", isLong: false, height: ROW };
    const height = 27 + rows * (SIZE + GAP) + (note ? NOTE : 0) + (isLong ? NOTE + 2 : 0);
    return { roll, dice, columns, note, isLong, height };
  });
  const widths = parts.map(({ roll, columns, note, isLong }) => {
    const [name, result] = [roll.name.length, shortResult(roll).length];
    if (isList) return columns * (SIZE + GAP) + (name + Math.max(result, shortNeed(roll).length)) * 6.6 + 36;
    const letters = isLong ? Math.max(name, result) : name + result;
    return Math.max(columns * (SIZE + GAP) + 14, letters * 6.6 + (isLong ? 18 : 30), note.length * 5.6 + 16);
  });
  const width = Math.max(150, ...widths);
  const apart = isList ? 0 : 3;
  const height = parts.reduce((sum, part) => sum + part.height + apart, 0);
  const { left, top: start, right, bottom } = stage.visible;
  const all = { width: Math.max(width, under.width), height: height + (under.height && under.height + APART) };
  const scale = Math.min(unit, (right - left - 8) / all.width, (bottom - start - 8) / all.height);
  const size = { width: all.width * scale, height: all.height * scale };
  const subject = about && about.w * about.h < LARGE * stage.size.width * stage.size.height ? about : null;
  const corner = panelCorner(stage, size, { near, below, about: subject });
  const place = (/** @type {number} */ wide, /** @type {number} */ down) =>
    `translate(${corner.x + ((all.width - wide) / 2) * scale} ${corner.y + down * scale}) scale(${scale})`;
  const leader = lead(stage, corner, size, subject);
  /** @type {SVGElement} */
  const panel = stage.make("g", { class: `pb-panel ${side}`, transform: place(width, 0) });
  const inner = stage.make("g", {}, panel);
  let top = 0;
  /** @type {Drawn[]} */
  const drawn = [];
  const results = parts.map((part) => {
    const result = drawRoll(stage, inner, { ...part, width, top, side, isList }, drawn);
    top += part.height + apart;
    return result;
  });

  /**
   * Let the dice of each round tumble for about half a second, however many they are; then they show what they show, and
   * those that are rolled again follow.
   * @param {() => unknown} [during] what happens as soon as they have landed
   */
  const roll = async (during = () => undefined) => {
    if (stage.stopped) return;
    stage.sound.play("dice", drawn.length);
    const settle = tumble(stage, drawn);
    for (let round = 0; drawn.some((die) => die.round >= round); round += 1) {
      const now = drawn.filter((die) => die.round === round);
      for (const { element } of now) element.closest(".pb-round")?.removeAttribute("visibility");
      const last = Math.max(1, now.length - 1);
      await Promise.all(now.map((die, at) => land(stage, die, (at / last) * 220)));
    }
    settle();
    for (const result of results) {
      result.setAttribute("opacity", "1");
      stage.move(result, [{ opacity: 0 }, { opacity: 1 }], 160);
    }
    stage.onRolled?.(rolls);
    const letters = rolls.reduce((sum, { name, outcome }) => sum + (name.length + outcome.length) / 2, 0);
    const ms = 750 + Math.min(400, drawn.length * 12);
    await Promise.all([during(), isSaid ? stage.read(letters) : stage.wait(ms)]);
  };
  const leave = async () => {
    leader?.remove();
    await stage.move(panel, [{ opacity: 1 }, { opacity: 0 }], 180, { fill: "forwards" });
    panel.remove();
  };
  return { panel, roll, leave, under: place(under.width, height + APART) };
}

/**
 * Draw the band and the dice of a roll; return its result, which is not visible yet.
 * @param {Stage} stage
 * @param {SVGElement} parent
 * @param {{roll: Roll, dice: (Die | null)[], columns: number, note: string, isLong: boolean, height: number, width: number,
 *   top: number, side: string, isList: boolean}} part `isLong`: its result is below its dice; `isList`: all is in one line
 * @param {Drawn[]} drawn all dice of the panel
 * @returns {SVGElement}
 */
function drawRoll(stage, parent, { roll, dice, columns, note, isLong, height, width, top, side, isList }, drawn) {
  const role = (roll.side && stage.side(roll.side)) || side;
  const group = stage.make("g", { class: role, transform: `translate(0 ${top})` }, parent);
  stage.make("rect", { class: "pb-card", width, height, rx: 4 }, group);
  let [layer, round] = [group, 0];
  /** Draw a die, or begin the dice that are rolled again, which are not visible yet. */
  const draw = (/** @type {Die | null} */ die, /** @type {number} */ x, /** @type {number} */ y) => {
    if (die) drawn.push(drawDie(stage, layer, { x, y }, { die, sides: roll.sides, at: drawn.length, round }));
    else {
      layer = stage.make("g", { class: "pb-round", visibility: "hidden" }, group);
      round += 1;
      if (!isList) stage.make("text", { class: "pb-again", x: x + 3, y: y + 13 }, layer).textContent = "→";
    }
  };
  if (isList) {
    dice.forEach((die, at) => draw(die, 7 + at * (SIZE + GAP), 4));
    stage.make("text", { class: "pb-sum", x: 12 + columns * (SIZE + GAP), y: 17 }, group).textContent = roll.name;
    const end = { class: "pb-sum pb-end", x: width - 8, y: 17 };
    stage.make("text", { ...end, class: "pb-sum pb-end pb-need" }, group).textContent = shortNeed(roll);
    const said = stage.make("text", { ...end, opacity: 0 }, group);
    said.textContent = shortResult(roll);
    return said;
  }
  stage.make("path", { class: "pb-band", d: `M0 18V4Q0 0 4 0H${width - 4}Q${width} 0 ${width} 4V18Z` }, group);
  stage.make("text", { class: "pb-name", x: 8, y: 13.2 }, group).textContent = roll.name;
  const cells = arrange(dice, columns);
  dice.forEach((die, at) => {
    const { column, row } = /** @type {{column: number, row: number}} */ (cells[at]);
    draw(die, 7 + column * (SIZE + GAP), 23 + row * (SIZE + GAP));
  });
  const low = height - 6;
  if (note) stage.make("text", { class: "pb-note", x: 8, y: isLong ? low - NOTE - 2 : low }, group).textContent = note;
  const place = isLong ? { class: "pb-sum", x: 8, y: low } : { class: "pb-result", x: width - 8, y: 13.4 };
  const result = stage.make("text", { ...place, opacity: 0 }, group);
  result.textContent = shortResult(roll);
  return result;
}

/**
 * Draw a die that shows any face until it lands; `at` is its number in the panel.
 * @param {Stage} stage
 * @param {Element} parent
 * @param {Point} place
 * @param {{die: Die, sides: number, at: number, round?: number}} which
 * @returns {Drawn}
 */
export function drawDie(stage, parent, { x, y }, { die, sides, at, round = 0 }) {
  const place = stage.make("g", { transform: `translate(${x} ${y})` }, parent);
  const element = stage.make("g", { class: "pb-die" }, place);
  stage.make("rect", { width: SIZE, height: SIZE, rx: 3.4 }, element);
  const one = { element, face: stage.make("g", {}, element), die, sides, at, round, isDown: false };
  showFace(one, ((at * 5 + die.face) % sides) + 1);
  return one;
}

/**
 * Let the faces of dice change until they land. Return a function that ends it.
 * @param {Stage} stage
 * @param {Drawn[]} drawn
 */
export function tumble(stage, drawn) {
  const change = () => {
    for (const die of drawn)
      if (!die.isDown) showFace(die, Math.floor((performance.now() / CHANGE + die.at * 7) % die.sides) + 1);
  };
  const tumbling = stage.still ? undefined : setInterval(change, CHANGE);
  return () => clearInterval(tumbling);
}

/**
 * Let a die fall into its place and show its face.
 * @param {Stage} stage
 * @param {Drawn} drawn
 * @param {number} delay
 */
export async function land(stage, drawn, delay) {
  const { element, die, at } = drawn;
  // From below, and around its middle: it stays off the title above it.
  const pose = (/** @type {number[]} */ ...[x = 0, y = 0, turn = 0, scale = 1]) =>
    `translate(${x + SIZE / 2}px,${y + SIZE / 2}px) rotate(${turn}deg) scale(${scale}) translate(${-SIZE / 2}px,${-SIZE / 2}px)`;
  const frames = [
    { transform: pose(Math.sin(at * 3.7) * 12, 14 + (at % 4) * 5, -220 + ((at * 37) % 180), 0.7), opacity: 0 },
    { opacity: 1, offset: 0.2 },
    { transform: pose(0, 2, 14), offset: 0.75 },
    { transform: pose(), opacity: 1 },
  ];
  await stage.move(element, frames, 400, { delay });
  drawn.isDown = true;
  showFace(drawn, die.face);
  element.classList.add(die.hit ? "pb-hit" : "pb-miss");
  if (die.hit) stage.move(element, [{ transform: "translate(-2px,-2px) scale(1.24)" }, { transform: "none" }], 180);
}

/**
 * Draw a face: pips on a die with six sides, a number on others.
 * @param {Drawn} drawn
 * @param {number} value
 */
function showFace({ face, sides }, value) {
  const pips = sides === 6 ? PIPS[value] : undefined;
  const make = (/** @type {string} */ name, /** @type {Record<string, number>} */ attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, number] of Object.entries(attributes)) made.setAttribute(key, String(number));
    return made;
  };
  if (pips) {
    face.replaceChildren(
      ...pips.map((at) => make("circle", { cx: 4.2 + (at % 3) * 4.3, cy: 4.2 + Math.floor(at / 3) * 4.3, r: 1.75 })),
    );
    return;
  }
  const text = make("text", { x: SIZE / 2, y: SIZE / 2 + 4 });
  text.textContent = String(value);
  face.replaceChildren(text);
}
