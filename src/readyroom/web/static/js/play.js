/**
 * Answers with the pieces of the board: what is selected with a piece, what is picked up and where it can go, and what the
 * board shows of it.
 */

import {
  answerForm,
  currentSelection,
  decisionId,
  onUpdate,
  options,
  setCounts,
  shownCounts,
  toggle,
} from "./answer.js";
import { boardElements, clearCopies, labelOf } from "./board.js";
import { announce, isVisible, query, queryAll, splitKeys, textOf } from "./dom.js";
import {
  boxOf,
  centerOf,
  initLayer,
  panelButton,
  showArrow,
  showCounts,
  showLinks,
  showPanel,
  visibleFrame,
} from "./layer.js";
import { contains } from "./placing.js";
import * as selection from "./selection.js";
import { scrollToDecision } from "./swap.js";
import { accepted, carried, common, roleOf } from "./targets.js";

/**
 * @typedef {import("./board.js").Piece} Piece
 * @typedef {import("./layer.js").Box} Box
 * @typedef {import("./layer.js").Point} Point
 * @typedef {import("./board.js").Group} Group
 * @typedef {{key: string, from: string, to: string}} Way
 * @typedef {typeof import("./showing-copies.js") & typeof import("./counts.js")} Drawing
 */

const PRESSED = 4; // what can be clicked counts this many times where a panel covers it
const NEEDED = 30; // and while something is held, this many times; what is held and its targets, twice that
const WIDE = 0.25; // of the board
const LARGE = 2.5; // times the area of another piece
const SHORT = 50; // characters of what fits next to an arrow
const NAME_ENDS = /[,;:.\n(]/;

/** The pieces that are picked up. @type {Piece[]} */
let held = [];
/** Their targets, each with the options of a drop on it. @type {Map<Piece, string[]>} */
let targets = new Map();
/** How many of them are picked up, and how many there are. */
let amount = { times: 1, size: 1 };
/** The copy of them that was picked up. @type {Group | null} */
let again = null;
/** What shows a selection on the board, once loaded. @type {Drawing | null} */
let drawing = null;
/** The drops of a decision: an option, the piece that was dropped, and its target. */
let drops = { decision: /** @type {string | undefined} */ (undefined), ways: /** @type {Way[]} */ ([]) };
/** What was selected last, and the decision that it belongs to. */
let last = {
  key: "",
  decision: /** @type {string | undefined} */ (undefined),
  isPlaced: false,
  odds: "",
  keys: "",
  swept: /** @type {Piece | null} */ (null),
};
/** The part that asks for the odds of a selection, once it is loaded. @type {typeof import("./odds.js") | null} */
let odds = null;
/** Return the keys of what is selected. */
const keysNow = () => (answerForm() ? selection.keysText(currentSelection()) : "");

const knownKeys = () => new Set(queryAll("#answer [data-key]").map(({ dataset }) => dataset.key ?? ""));

/**
 * Return whether a piece stands for an option.
 * @param {Piece} piece
 */
export function isOption(piece) {
  const known = knownKeys();
  const role = roleOf(piece);
  return role.among.some((key) => known.has(key)) || accepted(role, known).length > 0;
}

/**
 * Return the name of a piece: the first words of its label.
 * @param {Piece} piece
 */
export function nameOf(piece) {
  return (labelOf(piece) || "This").split(NAME_ENDS)[0]?.trim() ?? "";
}

/** Return the pieces that are picked up. */
export const heldPieces = () => held;
/**
 * Return whether a piece is picked up, or one that lies in its pile.
 * @param {Piece} piece
 */
export function isHeld(piece) {
  const keys = splitKeys(piece.dataset.stack);
  return held.some((other) => other === piece || keys.includes(other.dataset.key ?? ""));
}

/** Return their targets, each with the options of a drop on it. */
export const heldTargets = () => targets;

/**
 * Return the targets of pieces: each element of the board on which one of them can be dropped, with the options of that. A
 * place that has no room for them is none.
 * @param {Piece[]} pieces
 * @returns {Map<Piece, string[]>}
 */
function targetsOf(pieces) {
  const known = new Set(selection.affordable(currentSelection()).map(({ key }) => key));
  const roles = pieces.map(roleOf);
  const piled = new Set(pieces.flatMap(({ dataset }) => splitKeys(dataset.stack)));
  /** @type {Map<Piece, string[]>} */
  const found = new Map();
  for (const element of boardElements()) {
    if (pieces.includes(element) || piled.has(element.dataset.key ?? "")) continue;
    const role = roleOf(element);
    const keys = new Set(roles.flatMap((piece) => common(piece, role, known)));
    if (keys.size && isVisible(element)) found.set(element, [...keys]);
  }
  return found;
}

/**
 * Return how many of a stack a piece can send to a target; 1 for a piece that is no stack.
 * @param {Piece} piece
 */
export function sizeOf(piece) {
  const role = roleOf(piece);
  const now = currentSelection();
  const size = Number(piece.dataset.size) || 1;
  if (size > 1) {
    const keys = new Set(role.among);
    return Math.max(1, size - selection.countSelected(now.options.filter(({ key }) => keys.has(key))));
  }
  const isOnly = role.isAbout && queryAll("#board .about").filter(isVisible).length === 1;
  return now.kind === "allot" && isOnly ? Math.max(1, now.most - selection.countSelected(now.options)) : 1;
}

/** Return how many are picked up, of how many. */
export const heldAmount = () => amount;

/**
 * Pick up more or fewer of a stack. Return whether it can be divided.
 * @param {number} change
 */
export function divide(change) {
  const { times, size } = amount;
  if (!held.length || size < 2) return false;
  amount.times = Math.max(1, Math.min(size, times + change));
  announce(`${amount.times} of ${size}.`);
  return true;
}

/**
 * Pick up pieces: their targets are marked until they are dropped.
 * @param {Piece[]} pieces
 * @param {Group | null} [copy] the copy of them that is picked up
 */
export function pickUp(pieces, copy = null) {
  release();
  held = pieces;
  again = copy;
  const size = copy?.count ?? (pieces.length === 1 && pieces[0] ? sizeOf(pieces[0]) : pieces.length);
  amount = { times: size, size };
  targets = targetsOf(pieces);
  for (const piece of pieces) piece.classList.add("held");
  for (const target of targets.keys()) target.classList.add("goal");
  query("#board")?.classList.add("is-holding");
}

/** Release what is picked up. Return whether there was anything. */
export function release() {
  const had = held.length > 0;
  held = [];
  again = null;
  targets = new Map();
  for (const element of queryAll("#board .held, #board .goal")) element.classList.remove("held", "goal");
  query("#board")?.classList.remove("is-holding");
  showArrow(null);
  return had;
}

/**
 * Return the selection after what is picked up is dropped on a target, and how many are placed of those that are dropped.
 * Without a target, it goes nowhere.
 * @param {Piece | null} target
 */
export function afterDrop(target) {
  const known = knownKeys();
  const before = currentSelection();
  const { times } = amount;
  const pieces = held.length > 1 ? held.slice(0, times) : held;
  let now = again && (!target || held.length === 1) ? takenBack(before, again, times) : before;
  let [placed, dropped] = [0, 0];
  for (const piece of pieces) {
    const role = roleOf(piece);
    const keys = target ? common(role, roleOf(target), known) : [];
    const own = role.among.filter((key) => known.has(key));
    const isMoved = own.length > 0 && !(Number(piece.dataset.size) > 1);
    const most = held.length > 1 ? sizeOf(piece) : times;
    // Of a pile that is sent elsewhere as a whole, one goes to the new target.
    if (!again && target && countFor(own) === Number(piece.dataset.size))
      now = selection.withCounts(
        now,
        selection.lower(
          now,
          own.filter((key) => !keys.includes(key)),
          most,
        ),
      );
    if (!target) {
      now = again ? now : selection.withCounts(now, selection.lower(now, own));
      continue;
    }
    const there = () => selection.countSelected(now.options.filter(({ key }) => keys.includes(key)));
    const earlier = most > 1 ? there() : 0;
    now = selection.withCounts(
      now,
      isMoved ? selection.assign(now, own, keys) : selection.raise(now, evenly(target, keys), most),
    );
    placed += Math.min(most, there() - earlier);
    dropped += most;
  }
  if (before.kind === "one") placed = dropped;
  return { now, placed, dropped };
}

/**
 * Say that fewer are placed than are dropped, if it is so.
 * @param {{placed: number, dropped: number}} after
 */
export const shortfall = ({ placed, dropped }) =>
  placed < dropped ? (placed ? `Only ${placed} of ${dropped}` : "None") : "";

/**
 * Drop what is picked up on a target: select the options that send it there.
 * @param {Piece | null} target
 */
export function drop(target) {
  const [known, before, after] = [knownKeys(), currentSelection(), afterDrop(target)];
  const { now } = after;
  if (target)
    for (const piece of held.slice(0, amount.times))
      noteDrop(piece, target, common(roleOf(piece), roleOf(target), known));
  release();
  touch(target);
  setCounts(new Map(now.options.map(({ key, count }) => [key, count])));
  const changed = now.options.filter(
    ({ key, count }, at) => count && before.options[at]?.key === key && before.options[at]?.count !== count,
  );
  const texts = selection.groupCounts(changed.map(({ text, count }) => [text, count]));
  const few = shortfall(after);
  const none = few ? "" : "None selected.";
  announce(
    (few && `${few} placed. `) +
      (texts.length > 3 ? `${selection.countSelected(now.options)} selected.` : texts.join(", ") || none),
  );
}

/**
 * Return a selection without what a copy shows.
 * @param {selection.Selection} now
 * @param {Group} copy
 * @param {number} times how many of it are taken back
 */
function takenBack(now, { pieces, target }, times) {
  const known = knownKeys();
  const keys = pieces.flatMap((piece) => common(roleOf(piece), roleOf(target), known));
  return selection.withCounts(now, selection.lower(now, keys, times));
}

/**
 * Note what was dropped where, as an option that has a piece of its own does not say it. A place can be dragged to a piece,
 * too: what goes is what has options to go, or else what the question is about, unless that is far larger, such as the ship
 * that is attacked; between two places nothing goes.
 * @param {Piece} piece
 * @param {Piece} target
 * @param {string[]} keys
 */
function noteDrop(piece, target, keys) {
  const decision = decisionId();
  if (drops.decision !== decision) drops = { decision, ways: [] };
  const movers = [piece, target].filter((one) => roleOf(one).among.length);
  const isClear = !movers.length && keys.some((key) => startsIn(boardElements().filter(isVisible)).has(key));
  if (isClear) return;
  const about = [piece, target].find((one) => roleOf(one).isAbout);
  const option = about === piece ? target : piece;
  const isLarge = about && sizeOnPage(about) > LARGE * sizeOnPage(option);
  const mover = movers[0] ?? (isLarge ? option : about);
  if (!mover) return;
  const [from, to] = [nameKey(mover), nameKey(mover === piece ? target : piece)];
  for (const key of keys) {
    drops.ways = drops.ways.filter((way) => way.key !== key || way.from !== from);
    drops.ways.push({ key, from, to });
  }
}

/** @param {Piece} piece */
function sizeOnPage(piece) {
  const { width, height } = boxOf(piece);
  return width * height;
}

/**
 * Pick up a copy.
 * @param {Group} copy
 */
export function pickUpCopy(copy) {
  pickUp(copy.pieces, copy);
  announceHeld();
  update();
}

function announceHeld() {
  const [first] = held;
  const name = held.length > 1 || !first ? `${held.length} pieces` : nameOf(first);
  const count = targets.size === 1 ? "1 target" : `${targets.size} targets`;
  announce(`${name} picked up. Choose one of ${count}.`);
}

/**
 * Select with a piece: what is picked up goes to it, or its option is selected, or it is picked up, or its options are
 * selected in turn or all at once. Return whether it has any.
 * @param {Piece} piece
 * @param {boolean} fewer
 */
export function selectPiece(piece, fewer) {
  const known = knownKeys();
  const role = roleOf(piece);
  if (held.length && !held.includes(piece) && held.some((other) => common(roleOf(other), role, known).length)) {
    drop(piece);
    return true;
  }
  if (known.has(role.own)) {
    release();
    touch(piece);
    return toggle(role.own, fewer);
  }
  const among = role.among.filter((key) => known.has(key));
  const isFor = accepted(role, known).length > 0;
  if (among.length && !(isFor && piece.dataset.stack)) selectAmong(piece, among, fewer);
  else if (isFor) selectFor(piece, fewer);
  else return false;
  return true;
}

/**
 * Pick up a piece if it has targets; return whether it has.
 * @param {Piece} piece
 */
export function lift(piece) {
  pickUp([piece]);
  if (targets.size) {
    announceHeld();
    scrollToDecision();
    update();
  } else release();
  return held.length > 0;
}

/**
 * Pick up a piece; if it is picked up already, or nothing on the board is its target, select the next of its options.
 * @param {Piece} piece
 * @param {string[]} keys its options
 * @param {boolean} fewer
 */
function selectAmong(piece, keys, fewer) {
  const own = options().filter(({ key }) => keys.includes(key));
  if (fewer) {
    release();
    setCounts(selection.lower(currentSelection(), keys));
    announce("None selected.");
    return;
  }
  if (!isHeld(piece) && keys.length > 1 && lift(piece)) return;
  const counts = selection.cycle(own);
  if (![...counts.values()].some(Boolean)) release();
  touch(piece);
  setCounts(counts);
  announce(options().find(({ key, count }) => keys.includes(key) && count)?.text ?? "None selected.");
}

/**
 * Select for a target: one more or fewer of what can be counted or of a pile, else all that is still free, or none.
 * @param {Piece} piece
 * @param {boolean} fewer
 */
function selectFor(piece, fewer) {
  const now = currentSelection();
  const keys = accepted(roleOf(piece), knownKeys());
  const hasLimits = now.options.some(({ key, limit }) => limit > 1 && keys.includes(key));
  touch(piece);
  if (fewer) setCounts(selection.lower(now, keys, 1));
  else if (now.kind === "one") setCounts(selection.cycle(now.options.filter(({ key }) => keys.includes(key))));
  else if (piece.dataset.stack || hasLimits) setCounts(selection.raise(now, evenly(piece, keys), 1));
  else {
    last.swept = piece;
    setCounts(selection.sweep(now, new Set(keys)));
  }
  announce(`${countFor(keys)} selected.`);
}

/**
 * Return the options of a target in the order in which they are selected: those of a pile in turn.
 * @param {Piece} piece
 * @param {string[]} keys
 */
const evenly = (piece, keys) => (piece.dataset.stack ? selection.fewestFirst(currentSelection().options, keys) : keys);

/** @param {string[]} keys */
const countFor = (keys) => selection.countSelected(options().filter(({ key }) => keys.includes(key)));

/**
 * Select what a lasso holds, and pick up those of its pieces that can go somewhere.
 * @param {Box} lasso in the window
 */
export function selectInside(lasso) {
  const known = knownKeys();
  const inside = boardElements().filter((element) => {
    const { x, y } = centerOf(boxOf(element));
    return isVisible(element) && contains(lasso, x, y);
  });
  const own = inside.map(({ dataset }) => dataset.key ?? "").filter((key) => known.has(key));
  const movers = own.length ? [] : withoutPiles(inside.filter((element) => isMover(element, known, lasso)));
  release();
  if (own.length) {
    touch(inside.filter(({ dataset }) => known.has(dataset.key ?? "")).at(-1) ?? null);
    setCounts(selection.lasso(currentSelection(), own));
    announce(`${countFor(own)} of ${own.length} selected.`);
  }
  if (movers.length) {
    pickUp(movers);
    announceHeld();
    update();
  }
}

/**
 * Return whether a lasso picks a piece up: one that can go somewhere, or one that the question is about and that is all
 * inside.
 * @param {Piece} piece
 * @param {Set<string>} known
 * @param {Box} lasso
 */
function isMover(piece, known, lasso) {
  const { among, isAbout } = roleOf(piece);
  const { left, top, width, height } = boxOf(piece);
  const isInside = contains(lasso, left, top) && contains(lasso, left + width, top + height);
  return among.some((key) => known.has(key)) || (isAbout && isInside);
}

/**
 * Leave out the piles whose pieces can move themselves.
 * @param {Piece[]} movers
 */
function withoutPiles(movers) {
  const keys = new Set(movers.map(({ dataset }) => dataset.key ?? ""));
  return movers.filter(({ dataset }) => !splitKeys(dataset.stack).some((key) => keys.has(key)));
}

/** Return whether a lasso has anything to hold. */
export function canLasso() {
  const known = knownKeys();
  if (known.size < 2 || currentSelection().kind === "one") return false;
  return boardElements().some((element) => carried(roleOf(element), known).length);
}

/**
 * Return what the decision says of options: their chance or note, if it is the same for all.
 * @param {string[]} keys
 */
export function hintOf(keys) {
  const shared = textOf(query("#answer .common")).replace(/\.$/, "");
  const notes = queryAll("#answer [data-key]")
    .filter(({ dataset }) => keys.includes(dataset.key ?? ""))
    .map((row) =>
      [".share", ".option-note"]
        .map((part) => textOf(query(part, row)))
        .filter(Boolean)
        .join(", "),
    );
  const [first = ""] = notes;
  return notes.every((note) => note === first) ? first || (shared.length < SHORT ? shared : "") : "";
}

// -- what the board shows of it --

/** @param {Piece | null} piece */
function touch(piece) {
  last = { key: nameKey(piece), decision: decisionId(), isPlaced: false, odds: "", keys: "", swept: null };
}

/**
 * Return whether the last choice was a target itself, for all that it can take: choosing it again takes that back.
 * @param {Piece} target
 */
export const isSwept = (target) => last.swept === target;

/**
 * Return what finds an element of the board again after a swap.
 * @param {Piece | null} piece
 */
const nameKey = (piece) => piece?.dataset.key || piece?.dataset.place || piece?.dataset.stack || "";

/**
 * @param {string} key
 * @returns {Piece | undefined}
 */
const elementOf = (key) =>
  key ? boardElements().find((element) => nameKey(element) === key && isVisible(element)) : undefined;

/** Bring arrows, counts and panel in step with the selection. */
export function update() {
  clearCopies();
  if (!answerForm() || query("#board.is-playing")) {
    showLinks([]);
    showCounts([]);
    showPanel(null);
    return;
  }
  const rows = options();
  const counts = new Map([...shownCounts(rows)].filter(([, count]) => count));
  const elements = counts.size ? boardElements().filter(isVisible) : [];
  const frame = visibleBoard();
  const isInside = (/** @type {Point} */ { x, y }) => contains(frame, x, y);
  const badges = drawing?.badgesOf(counts, rows, elements).filter(([box]) => isInside(centerOf(box))) ?? [];
  if (counts.size && !drawing) loadDrawing();
  if (query("#odds")) loadOdds().then(({ listOdds }) => listOdds());
  const boxes = showCounts(badges);
  const ways = drawing?.showCopies(drawing.grouped(linksOf(counts, elements)), boxes) ?? [];
  showLinks(ways.filter((way) => way.every(isInside)));
  updatePanel();
}

/** Load what draws copies and counts, with the first selection. */
async function loadDrawing() {
  const [copies, counts] = await Promise.all([import("./showing-copies.js"), import("./counts.js")]);
  if (drawing) return;
  drawing = { ...copies, ...counts };
  update();
}

/**
 * Return the pieces that each option sends somewhere; a pile counts if those in it cannot go alone.
 * @param {Piece[]} elements
 */
function startsIn(elements) {
  /** @type {Map<string, Piece[]>} */
  const starts = new Map();
  for (const element of [...elements].sort((a, b) => Number("stack" in a.dataset) - Number("stack" in b.dataset))) {
    for (const key of roleOf(element).among) {
      const own = starts.get(key) ?? [];
      if (!own.length || !element.dataset.stack) starts.set(key, [...own, element]);
    }
  }
  return starts;
}

/**
 * Return the options that send something to an element; a pile is no place for what lies in it.
 * @param {Piece} element
 */
function sentTo(element) {
  const own = splitKeys(element.dataset.stack);
  return roleOf(element).sweep.filter((key) => !own.includes(key));
}

/**
 * Return what the selected options send where. Where an option has a piece of its own, only a drop says that.
 * @param {Map<string, number>} counts
 * @param {Piece[]} elements
 * @returns {Group[]}
 */
function linksOf(counts, elements) {
  const isDrawn = new Set(elements.map(({ dataset }) => dataset.key));
  const ends = new Map(elements.flatMap((element) => sentTo(element).map((key) => [key, element])));
  const starts = startsIn(elements);
  const named = new Map(elements.map((element) => [nameKey(element), element]));
  const dropped = new Map(drops.decision === decisionId() ? drops.ways.map((way) => [way.key, way]) : []);
  return [...counts].flatMap(([key, count]) => {
    const [start, other] = starts.get(key) ?? [];
    const isAssigned = !isDrawn.has(key) || start?.dataset.key === key;
    const way = isAssigned ? undefined : dropped.get(key);
    const piece = way ? named.get(way.from) : isAssigned || !other ? start : undefined;
    const target = way ? named.get(way.to) : isAssigned ? ends.get(key) : named.get(key);
    return piece && target ? [{ pieces: [piece], target, count }] : [];
  });
}

/** Return the part of the window in which the board is seen, without what covers it. */
function visibleBoard() {
  const board = query("#board .board");
  return board ? boxOf(board) : visibleFrame();
}

/** Show the panel: what is picked up, or the stepper of what was selected last. */
function updatePanel() {
  const piece = held[0] ?? (last.decision === decisionId() ? elementOf(last.key) : undefined);
  const content = held.length ? holdingPanel() : piece ? selectionPanel(piece) : [];
  const box = piece && content.length ? boxOf(piece) : null;
  const { x, y } = box ? centerOf(box) : { x: 0, y: 0 };
  const isSeen = box && contains(visibleBoard(), x, y);
  const needed = [...held, ...targets.keys()].map(boxOf);
  const pressed = [...weighed(obstacles(), held.length ? NEEDED : PRESSED), ...weighed(needed, NEEDED)];
  const avoid = last.isPlaced && !held.length ? undefined : [...pressed, ...places()];
  const isFree = held.length > 0 || matchMedia("(max-width: 60rem)").matches; // next to it may be no room on a phone
  showPanel(isSeen ? box : null, content, avoid, isFree);
  last.isPlaced = !held.length && isSeen === true;
}

/** Let boxes count several times where they are covered. @type {(boxes: Box[], weight: number) => Box[]} */
const weighed = (boxes, weight) => boxes.map((box) => ({ ...box, weight }));

/** Return the boxes of what can be clicked or aimed at. */
export const obstacles = () => queryAll("#board :is(.can, .goal, .held, .about)").filter(isVisible).map(boxOf);

/** Return the boxes of all that has a name on the board, but not of wide waters and lands. */
function places() {
  const { width, height } = visibleBoard();
  const boxes = queryAll("#board .board :is([data-key], [data-place], .bd-copy)").filter(isVisible).map(boxOf);
  return boxes.filter((box) => box.width * box.height < WIDE * width * height);
}

function holdingPanel() {
  const [first] = held;
  const name = held.length > 1 || !first ? `${held.length} pieces` : nameOf(first);
  const stepper = amount.size > 1 ? stepperOf(amount.times) : [];
  const isSent = held.every((piece) => countFor(roleOf(piece).among));
  return [`${name}: choose ${isSent ? "another" : "a"} target.`, ...stepper, panelButton("Cancel", "release")];
}

/** @param {number} count */
const stepperOf = (count) => [
  panelButton("−", "fewer", "step"),
  Object.assign(document.createElement("b"), { textContent: count }),
  panelButton("+", "more", "step"),
];

/** @param {Piece} piece */
function selectionPanel(piece) {
  const count = countFor(accepted(roleOf(piece), knownKeys()));
  // Until new odds come, the former ones stay, or there is room for the first, so that nothing moves below the pointer.
  last.odds = count ? (oddsAt(piece, currentSelection(), updatePanel) ?? (last.odds || "…")) : "";
  const text = last.odds ? [Object.assign(document.createElement("small"), { textContent: last.odds })] : [];
  return [...(isCounted(piece) ? stepperOf(count) : []), ...text];
}

/**
 * Return the odds of a selection for a target, empty if there are none; null if they are asked for.
 * @param {Piece} target
 * @param {selection.Selection} now
 * @param {() => void} onCome called when they come
 * @returns {string | null}
 */
export function oddsAt(target, now, onCome) {
  if (!query("#odds")) return "";
  if (odds) return odds.oddsOf(target, now, onCome);
  loadOdds().then(onCome);
  return null;
}

const loadOdds = async () => (odds ??= await import("./odds.js"));

/**
 * Change how often the options of a target are selected.
 * @param {Piece} piece
 * @param {number} change 1 or −1
 */
export function step(piece, change) {
  const now = currentSelection();
  const keys = accepted(roleOf(piece), knownKeys());
  last.keys = "";
  setCounts(change > 0 ? selection.raise(now, evenly(piece, keys), change) : selection.lower(now, keys, -change));
}

/**
 * Return whether the number of a target can be changed.
 * @param {Piece} piece
 */
export function isCounted(piece) {
  const keys = accepted(roleOf(piece), knownKeys());
  const own = options().filter(({ key }) => keys.includes(key));
  return currentSelection().most > 1 && own.length + Math.max(...own.map(({ limit }) => limit)) > 2;
}

/** @param {string} action */
function act(action) {
  const piece = elementOf(last.key);
  if (action === "release" && release()) update();
  if (held.length && (action === "more" || action === "fewer") && divide(action === "more" ? 1 : -1)) updatePanel();
  else if (piece && (action === "more" || action === "fewer")) step(piece, action === "more" ? 1 : -1);
}

/** Place everything again, after the view of the board has changed. */
export function replace() {
  last.isPlaced = false;
  update();
}

export function initPlay() {
  initLayer(act);
  onUpdate(() => {
    release(); // what was selected in the list needs no target
    // The panel goes with a selection that something else changes, such as the list or a hint.
    if (last.keys && last.keys !== keysNow()) last.key = "";
    last.keys = keysNow();
    update();
  });
  addEventListener("resize", replace);
  document.addEventListener("boardview", replace);
}
