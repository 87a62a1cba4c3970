/** The stage of playback: the board, a drawing in front of it, and animations that keep to the speed and end at a skip. */

import { headerHeight } from "../layer.js";
import { dicePanel } from "./dice.js";
import { Sound } from "./sound.js";

/**
 * A point in the lengths of the chart (its view box).
 * @typedef {{x: number, y: number}} Point
 *
 * The center and the size of something on the chart.
 * @typedef {Point & {w: number, h: number}} Box
 *
 * Where a piece is put: its center, its size relative to its own, and degrees.
 * @typedef {Point & {scale?: number, turn?: number}} Pose
 *
 * @typedef {{face: number, hit: boolean}} Die
 *
 * A roll with its arithmetic, and its `outcome`: the result without what the dice show.
 * @typedef {{name: string, sides: number, rounds: Die[][], result: string, need: string, ask: string, outcome: string,
 *   side: string | null}} Roll
 *
 * Start, number of lines, and what replaces them.
 * @typedef {[start: number, count: number, lines: string[]]} Change
 *
 * @typedef {object} PlayedEvent
 * @property {number} turn
 * @property {string} phase
 * @property {string} title the title of the phase
 * @property {string} rule
 * @property {string} text the line of the log
 * @property {string} caption the line without abbreviations
 * @property {Roll[]} rolls
 * @property {string[]} keys the pieces that the line names, in its order
 * @property {string} target the key of the piece or place that it happens to; may be empty
 * @property {string} kind
 * @property {boolean} [own] whether it comes of an answer of the viewer
 * @property {string} effect
 * @property {string} moment
 * @property {string} [summary] the lines of all that share a moment
 * @property {Change[]} frame
 *
 * One to four consecutive events that are shown together: the fields of the first, the rolls and keys of all.
 * @typedef {PlayedEvent & {lines: PlayedEvent[]}} Beat
 *
 * Shows a beat. What it does not put on the board with `stage.show()` is put there when it ends.
 * @typedef {(event: Beat, stage: Stage) => Promise<void>} Effect
 *
 * The names of effects that show several events at once; in a map with how many, or with whether a line belongs to others.
 * @typedef {Set<string> | Map<string, number | ((lines: PlayedEvent[], line: PlayedEvent) => boolean)>} Together
 *
 * How `show` moves pieces. `path` returns the two control points of a piece's flight, or null to let it slide; it is
 * asked for pieces that move far. `enter` returns where a new piece comes from, or null to let it fade in. `gone` says
 * what becomes of pieces that leave the board; by default those that the event names fall if something is hit.
 * @typedef {object} Manner
 * @property {(from: Box, to: Box, piece: SVGGraphicsElement) => [Point, Point] | null} [path]
 * @property {(to: Box, piece: SVGGraphicsElement) => Point | null} [enter]
 * @property {boolean} [cuts] whether nothing moves
 * @property {"fade" | "fall"} [gone]
 *
 * @typedef {{piece: SVGGraphicsElement, box: Box, anchor: Point, size: number}} Standing
 * @typedef {{cancel: () => void}} Cancelable
 * @typedef {{morph: (node: Element, next: Element, options: object) => void}} Morpher
 */

const NS = "http://www.w3.org/2000/svg";
const SLIDE = 280; // milliseconds
const FLIGHT = 800;
const APART = 26; // milliseconds between pieces in formation
const FAR = 0.06; // of the chart's width
const LARGEST = 0.02; // of the chart: a larger thing is no piece
const MOVED = 2; // lengths
const STEPS = 12; // key frames of a flight
const LEAST = 120; // pixels of the board within which a panel is put
const EDGE = 40; // from the upper edge that words need to rise
const SHORT = 4; // letters of a label without a plate
const NEAR = 90; // lengths around what happens that should be visible with it

export class Stage {
  /** Everything that a skip ends. @type {Map<Cancelable, Element | null>} */
  #live = new Map();
  /** @type {SVGSVGElement} */
  #overlay;
  /** @type {SVGElement | null} */
  #light = null;
  #radius = 0; // of what is bright
  /** The visible chart, once it was looked for: that needs the layout. @type {SVGSVGElement | null} */
  #chart = null;
  /** Whether the beat is cut short. */
  #isBeatEnded = false;
  /** Where the page scrolls to. @type {number | null} */
  #goal = null;
  /** The drawings at the lines of the beat, as long as the last of them is not on the board. @type {string[]} */
  #next = [];
  /** What puts the words of the board that wait for the picture of what changes them. @type {(() => void)[]} */
  #late = [];

  /**
   * @param {HTMLElement} root the `.board` element that holds the drawing
   * @param {object} [options]
   * @param {number} [options.pace] durations are divided by this
   * @param {boolean} [options.still] whether nothing moves, but steps still take their time
   * @param {Sound} [options.sound]
   * @param {Record<string, string>} [options.colours] the role in the palette of each side
   */
  constructor(root, { pace = 1, still = false, sound = new Sound(), colours = {} } = {}) {
    this.root = root;
    this.pace = pace;
    this.still = still;
    this.sound = sound;
    this.colours = colours;
    /** Whether the rest is skipped. */
    this.ended = false;
    /** The beat that is shown. @type {Beat | null} */
    this.event = null;
    /** Called when dice have landed. @type {((rolls: Roll[]) => void) | null} */
    this.onRolled = null;
    this.#overlay = this.make("svg", { class: "pb-overlay", "aria-hidden": "true" }, root);
    this.#fit();
  }

  /** Whether the beat is cut short, or all of the rest is skipped: then nothing moves and nothing waits. */
  get stopped() {
    return this.ended || this.#isBeatEnded;
  }

  // -- what is on the board --

  /** The chart that is visible when the beat begins. @returns {SVGSVGElement} */
  get chart() {
    if (this.#chart?.isConnected) return this.#chart;
    const charts = /** @type {SVGSVGElement[]} */ ([...this.root.querySelectorAll(":scope > svg[viewBox]")]);
    const isVisible = (/** @type {Element} */ svg) => svg !== this.#overlay && svg.getClientRects().length > 0;
    return (this.#chart = /** @type {SVGSVGElement} */ (charts.find(isVisible) ?? charts[0]));
  }

  /** The size of the chart in its own lengths. */
  get size() {
    const { width, height } = this.chart.viewBox.baseVal;
    return { width, height };
  }

  /** The part of the chart that is on the screen when the page has scrolled; all of it if that is hardly any. */
  get visible() {
    const { left, top } = this.chart.getBoundingClientRect();
    const frame = this.root.getBoundingClientRect();
    const { unit, size } = this;
    const ahead = (this.#goal ?? scrollY) - scrollY;
    const part = {
      left: Math.max(0, (Math.max(0, frame.left) - left) * unit),
      top: Math.max(0, (Math.max(headerHeight() + ahead, frame.top) - top) * unit),
      right: Math.min(size.width, (Math.min(innerWidth, frame.right) - left) * unit),
      bottom: Math.min(size.height, (Math.min(this.#floor + ahead, frame.bottom) - top) * unit),
    };
    const isTiny = Math.min(part.right - part.left, part.bottom - part.top) < LEAST * unit;
    return isTiny ? { left: 0, top: 0, right: size.width, bottom: size.height } : part;
  }

  /** Where the screen ends, or what covers its lower end begins: on a phone, the sheet with the decision or the caption. */
  get #floor() {
    const tops = ["#card", ".playback-bar", ".transport"].map((selector) => {
      const part = document.querySelector(selector);
      const { left, top, height } = part?.getBoundingClientRect() ?? { left: 0, top: 0, height: 0 };
      const covers = part && height && left < 50 && /sticky|fixed/.test(getComputedStyle(part).position);
      return covers ? top : innerHeight;
    });
    return Math.min(innerHeight, ...tops);
  }

  /** How many lengths of the chart a pixel of the page has. */
  get unit() {
    return 1 / (this.chart.getScreenCTM()?.a || 1);
  }

  /**
   * Return the piece or place with a key, or null if it is not on the board.
   * @param {string} key
   * @returns {SVGGraphicsElement | null}
   */
  find(key) {
    const name = CSS.escape(key);
    return key ? this.chart.querySelector(`[data-key="${name}"], [data-place="${name}"]`) : null;
  }

  /** The pieces on the board. @returns {SVGGraphicsElement[]} */
  get pieces() {
    return [...this.chart.querySelectorAll("[data-key]")].filter((piece) => piece instanceof SVGGraphicsElement);
  }

  /** The names of pieces that are written next to them. */
  get names() {
    return [...this.chart.querySelectorAll("text[data-with]")];
  }

  /**
   * Return the keys of those that are on the board.
   * @param {string[]} keys
   */
  present(keys) {
    return keys.filter((key) => this.find(key));
  }

  /**
   * Return the box of a piece, place or part of the chart where the drawing puts it, whatever moves it now. For a piece it
   * is that of its body, without its labels.
   * @param {string | Element | null} what a key or an element
   * @returns {Box | null}
   */
  box(what) {
    const element = typeof what === "string" ? this.find(what) : what;
    return element instanceof SVGGraphicsElement ? standing(element, this.chart).box : null;
  }

  /**
   * Return the boxes of pieces, and the center of them all; null if none is on the board.
   * @param {string[]} keys
   * @returns {(Point & {boxes: Box[]}) | null}
   */
  center(keys) {
    const boxes = keys.map((key) => this.box(key)).filter((box) => box !== null);
    if (!boxes.length) return null;
    const mean = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / values.length;
    return { x: mean(boxes.map(({ x }) => x)), y: mean(boxes.map(({ y }) => y)), boxes };
  }

  /**
   * Return the class that colours a side's things, `in-ROLE`; empty if the element or side has none.
   * @param {Element | string | null} of an element on the board, or the key of a side
   */
  side(of) {
    if (typeof of === "string") return this.colours[of] ? `in-${this.colours[of]}` : "";
    const colored = of?.closest("[class*='in-']");
    return /\bin-[\w-]+/.exec(colored?.getAttribute("class") ?? "")?.[0] ?? "";
  }

  // -- animations --

  /**
   * Make an SVG element, by default in front of the board. Elements of the overlay have `class="board"` styles around them.
   * @param {string} name
   * @param {Record<string, string | number>} [attributes]
   * @param {Element | null} [parent]
   * @returns {any}
   */
  make(name, attributes = {}, parent = this.#overlay) {
    const made = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
    parent?.append(made);
    return made;
  }

  /**
   * Animate an element; resolve when that is over. Animate nothing but `transform`, `opacity` and `strokeDashoffset`.
   * @param {Element} element
   * @param {Keyframe[]} frames
   * @param {number} ms at normal speed
   * @param {KeyframeAnimationOptions & {delay?: number}} [options]
   * @returns {Promise<void>}
   */
  async move(element, frames, ms, { delay = 0, ...more } = {}) {
    if (this.stopped || this.still) return;
    const times = { duration: ms / this.pace, delay: delay / this.pace };
    const count = this.#countOf(element);
    if (count) this.move(count, frames, ms, { delay, ...more });
    const run = element.animate(frames, { easing: "ease-in-out", fill: "backwards", ...more, ...times });
    this.#live.set(run, element);
    try {
      await run.finished;
    } catch {
      // cancelled
    } finally {
      this.#live.delete(run);
    }
  }

  /** @param {Element} piece */
  #pileOf(piece) {
    const key = piece.getAttribute("data-key");
    return key ? this.chart.querySelector(`[data-stack~="${CSS.escape(key)}"]`) : null;
  }

  /**
   * Return the count of a pile, if it is another element that lies on this piece: it moves with it.
   * @param {Element} piece
   */
  #countOf(piece) {
    const key = piece.getAttribute("data-key");
    const pile = this.#pileOf(piece);
    const isOn = pile?.getAttribute("transform") === piece.getAttribute("transform");
    return pile !== piece && pile?.getAttribute("data-stack")?.endsWith(key ?? "") && isOn ? pile : null;
  }

  /**
   * Animate an element of the overlay, then remove it.
   * @param {Element} element
   * @param {Keyframe[]} frames
   * @param {number} ms
   * @param {KeyframeAnimationOptions & {delay?: number}} [options]
   */
  async flash(element, frames, ms, options) {
    await this.move(element, frames, ms, options);
    element.remove();
  }

  /**
   * Wait, unless the rest is skipped.
   * @param {number} ms at normal speed
   * @returns {Promise<void>}
   */
  wait(ms) {
    return this.until(new Promise((resolve) => setTimeout(resolve, ms / this.pace)));
  }

  /**
   * Wait until a text can have been read, unless the rest is skipped.
   * @param {number} letters
   */
  read(letters) {
    return this.wait(readingTime(letters));
  }

  /**
   * Wait for a promise, unless the rest is skipped.
   * @param {Promise<unknown>} promise
   * @returns {Promise<void>}
   */
  until(promise) {
    if (this.stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = () => {
        this.#live.delete(waiting);
        resolve();
      };
      const waiting = { cancel: stop };
      this.#live.set(waiting, null);
      promise.then(stop, stop);
    });
  }

  /**
   * Return a function that makes CSS transforms for a piece. Each puts the piece somewhere on the chart; all have the same
   * functions, so they interpolate. Without a pose, the piece is where the drawing puts it. Make it before you change the
   * page, as it reads the layout.
   * @param {SVGGraphicsElement} piece
   * @param {Point} [pivot] what is put there, in the drawing; by default the center of the piece
   * @returns {(pose?: Partial<Pose>) => string}
   */
  poser(piece, pivot = standing(piece, this.chart).box) {
    const parent = toChart(/** @type {SVGGraphicsElement} */ (piece.parentNode), this.chart).inverse();
    const from = new DOMPoint(pivot.x, pivot.y).matrixTransform(parent);
    const { a, b, c, d, e, f } = ownMatrix(piece);
    const back = `translate(${-from.x.toFixed(2)}px,${-from.y.toFixed(2)}px)`;
    const own = `matrix(${[a, b, c, d, e, f].map((value) => value.toFixed(4)).join(",")})`;
    return ({ x = pivot.x, y = pivot.y, scale = 1, turn = 0 } = {}) => {
      const to = new DOMPoint(x, y).matrixTransform(parent);
      const there = `translate(${to.x.toFixed(2)}px,${to.y.toFixed(2)}px)`;
      return `${there} rotate(${turn}deg) scale(${scale}) ${back} ${own}`;
    };
  }

  /**
   * Let a piece fly from one box to another along a curve.
   * @param {SVGGraphicsElement} piece
   * @param {Pose} from
   * @param {Pose} to
   * @param {object} [options]
   * @param {[Point, Point]} [options.path] control points; by default a slight curve
   * @param {number} [options.delay]
   * @param {number} [options.ms]
   * @param {number} [options.lift] how much larger it is half way
   * @param {(pose?: Partial<Pose>) => string} [options.pose] the piece's poser, if it was made before
   */
  fly(piece, from, to, { path, delay = 0, ms = FLIGHT, lift = 0.3, pose = this.poser(piece) } = {}) {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const [one, two] = path ?? [
      { x: from.x + dx * 0.25, y: from.y + dy * 0.45 },
      { x: to.x, y: from.y + dy * 0.7 },
    ];
    /** @type {Point[]} */
    const points = [];
    const frames = Array.from({ length: STEPS + 1 }, (_, at) => {
      const t = at / STEPS;
      const mix = (/** @type {"x" | "y"} */ axis) =>
        (1 - t) ** 3 * from[axis] +
        3 * (1 - t) ** 2 * t * one[axis] +
        3 * (1 - t) * t ** 2 * two[axis] +
        t ** 3 * to[axis];
      const [x, y, height] = [mix("x"), mix("y"), Math.sin(Math.PI * t)];
      points.push({ x, y });
      const scale = (from.scale ?? 1) * (1 - t) + (to.scale ?? 1) * t + lift * height;
      return { transform: pose({ x, y, scale, turn: height * Math.sign(dx) * 7 }) };
    });
    const count = this.#countOf(piece);
    piece.parentNode?.append(piece, ...(count ? [count] : [])); // in front of the others
    this.#trail(points, this.side(piece), delay, ms);
    return this.move(piece, frames, ms, { delay, easing: "cubic-bezier(.45,.05,.3,1)" });
  }

  /**
   * @param {Point[]} points
   * @param {string} side
   * @param {number} delay
   * @param {number} ms
   */
  #trail(points, side, delay, ms) {
    if (delay > 260 || this.still) return;
    const d = `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
    const trail = this.make("path", { class: `pb-trail ${side}`, d, opacity: 0 });
    this.flash(trail, [{ opacity: 0 }, { opacity: 0.75, offset: 0.4 }, { opacity: 0 }], ms * 1.3, { delay });
  }

  // -- frames --

  /**
   * Have the drawings at the lines of a beat ready for `show`.
   * @param {string[]} frames
   */
  prepare(frames) {
    this.#next = frames;
  }

  /**
   * Put the drawing of the event on the board: pieces go there from where they were, new ones appear, and those that left
   * the board fade or fall. Resolve when that is over. Calling it again does nothing.
   * @param {Manner} [manner]
   * @param {number} [line] the number of one of the event's lines, for the drawing at that line; by default the last
   * @returns {Promise<void>}
   */
  async show(manner = {}, line = this.#next.length - 1) {
    const html = this.#next[line];
    if (line === this.#next.length - 1) this.#next = [];
    if (html === undefined) return;
    const before = this.#standings();
    const focused = /** @type {Element | null} */ (document.activeElement)?.closest("[data-key]");
    const focusedKey = focused && this.chart.contains(focused) ? focused.getAttribute("data-key") : null;
    const next = document.createElement("template");
    next.innerHTML = html;
    const ghosts = manner.cuts ? [] : this.#ghosts(before, next.content);
    this.#draw(next.content);
    if (focusedKey && !this.chart.contains(document.activeElement)) this.#focus(focusedKey);
    if (this.stopped || this.still || manner.cuts) return this.#catchUp();
    const starts = [...this.#settle(before, manner)];
    await Promise.all([...starts.map((start) => start()), this.#leave(ghosts, manner)]);
    this.#catchUp();
  }

  /** Put the words that have waited until the pieces are where they go. */
  #catchUp() {
    for (const put of this.#late.splice(0)) put();
  }

  /** @param {string} key */
  #focus(key) {
    const piece = this.find(key);
    piece?.setAttribute("tabindex", "-1");
    piece?.focus({ preventScroll: true });
  }

  /** Return where every piece and place is now. @returns {Map<string, Standing>} */
  #standings() {
    const { chart } = this;
    const all = /** @type {Map<string, Standing>} */ (new Map());
    for (const [name, piece] of named(chart, KEYED)) all.set(name, standing(piece, chart));
    return all;
  }

  /** @param {DocumentFragment} content */
  #draw(content) {
    this.#release();
    this.#catchUp();
    const all = () => [...this.chart.querySelectorAll("text")];
    const texts = new Map(all().map((text) => [text, [placeOf(text), text.innerHTML]]));
    const known = [...texts.values()].map(String);
    const next = [...content.children];
    const now = [...this.root.children].filter((child) => child !== this.#overlay);
    const { Idiomorph } = /** @type {{Idiomorph?: Morpher}} */ (globalThis);
    if (Idiomorph && now.length === next.length) {
      // With an id, a piece is found in the next drawing and keeps its element.
      for (const drawing of [...now, ...next]) for (const [name, piece] of named(drawing, MOVABLE)) piece.id ||= name;
      now.forEach((old, at) => Idiomorph.morph(old, /** @type {Element} */ (next[at]), { morphStyle: "outerHTML" }));
      for (const piece of this.root.querySelectorAll("[id*=' ']")) piece.removeAttribute("id");
    } else {
      for (const old of now) old.remove();
      this.root.prepend(content);
    }
    for (const text of this.stopped || this.still ? [] : all()) {
      const [now, was] = [text.innerHTML, texts.get(text)];
      if (was?.[1] === now) continue;
      const place = placeOf(text);
      const isOld = text.closest("[data-key], [data-stack]") || known.includes(`${place},${now}`);
      const [from, old = ""] = was ?? [isOld ? "" : place];
      if (place !== from) continue;
      text.innerHTML = old;
      this.#late.push(() => (text.innerHTML = now));
    }
    this.#fit();
  }

  /** End what moves or holds pieces of the board, also if it has run to its end. */
  #release() {
    for (const [run, element] of [...this.#live]) if (element && !this.#overlay.contains(element)) run.cancel();
    for (const run of this.chart.getAnimations({ subtree: true })) if (!(run instanceof CSSAnimation)) run.cancel();
  }

  /** Give the overlay the lengths of the chart. */
  #fit() {
    const { width, height } = this.size;
    const box = `0 0 ${width} ${height}`;
    if (this.#overlay.getAttribute("viewBox") !== box) this.#overlay.setAttribute("viewBox", box);
  }

  /**
   * Yield what starts the ways of all pieces from where they were. The layout is read before: to start one changes it.
   * @param {Map<string, Standing>} before
   * @param {Manner} manner
   */
  *#settle(before, manner) {
    const all = this.#standings();
    if (this.#isRearranged(before, all)) {
      return this.#catchUp();
    }
    let turn = 0;
    /** The pile of the last that flies: a pile flies as one. @type {Element | null} */
    let last = null;
    /** @type {Map<Element, Point>} */
    const shifts = new Map();
    /** @type {(now: Standing, from: Pose, path?: [Point, Point]) => () => Promise<void>} */
    const flight = ({ piece, box }, from, path) => {
      const pile = this.#pileOf(piece);
      if (!pile || pile !== last) turn += 1;
      last = pile;
      const options = { path, delay: APART * (turn - 1), pose: this.poser(piece) };
      return () => this.fly(piece, from, box, options);
    };
    for (const [name, now] of all) {
      const { piece, anchor, box, size } = now;
      const old = before.get(name);
      const isFixed = this.isFixed(now);
      if (!old || (isFixed && hasMoved(old, now))) {
        const start = isFixed ? null : manner.enter?.(box, piece);
        if (start) yield flight(now, { ...start, scale: 0.7 });
        else yield () => this.move(piece, [{ opacity: 0 }, { opacity: 1 }], SLIDE);
        continue;
      }
      if (isFixed) continue;
      const outer = shiftOf(piece.parentElement, shifts);
      const shift = { x: old.anchor.x - anchor.x - outer.x, y: old.anchor.y - anchor.y - outer.y };
      const scale = old.size / size || 1;
      if (Math.hypot(shift.x, shift.y) < 0.5 && Math.abs(scale - 1) < 0.02) continue;
      shifts.set(piece, { x: shift.x + outer.x, y: shift.y + outer.y });
      const path = Math.hypot(shift.x, shift.y) > FAR * this.size.width && manner.path?.(old.box, box, piece);
      if (path) yield flight(now, { ...old.box, scale }, path);
      else {
        const pose = this.poser(piece, anchor);
        const from = pose({ x: anchor.x + shift.x, y: anchor.y + shift.y, scale });
        yield () => this.move(piece, [{ transform: from }, { transform: pose() }], SLIDE);
      }
    }
    if (!turn) this.#catchUp(); // words wait for what flies
  }

  /**
   * Return whether something is no piece but a place of the board, such as a panel, an area or a row of a list: it never
   * moves.
   * @param {{piece: Element, box: Box}} standing
   */
  isFixed({ piece, box }) {
    return piece.hasAttribute("data-place") || this.isLarge(box);
  }

  /**
   * Return whether a box is larger than a piece is.
   * @param {{w: number, h: number}} box
   */
  isLarge({ w, h }) {
    const { width, height } = this.size;
    return w * h > LARGEST * width * height;
  }

  /**
   * Return whether most places of the board are elsewhere than before: then no piece goes anywhere.
   * @param {Map<string, Standing>} before
   * @param {Map<string, Standing>} all
   */
  #isRearranged(before, all) {
    const places = [...all].filter(([name, { box }]) => before.has(name) && this.isLarge(box));
    const moved = places.filter(([name, now]) => hasMoved(/** @type {Standing} */ (before.get(name)), now));
    return moved.length > places.length / 2;
  }

  /**
   * Copy the pieces that the next drawing does not have, with the symbols that they use, to the overlay.
   * @param {Map<string, Standing>} before
   * @param {DocumentFragment} content
   */
  #ghosts(before, content) {
    if (this.stopped || this.still) return [];
    const kept = new Set([...content.querySelectorAll(KEYED)].map(nameOf));
    const gone = [...before].filter(
      ([name, old]) => name.startsWith("key ") && !kept.has(name.replace(/\++$/, "")) && !this.isFixed(old),
    );
    return gone.map(([, { piece, box }]) => {
      const { a, b, c, d, e, f } = toChart(/** @type {SVGGraphicsElement} */ (piece.parentNode), this.chart);
      const group = this.make("g", { class: this.side(piece), transform: `matrix(${[a, b, c, d, e, f].join(" ")})` });
      const ghost = /** @type {SVGGraphicsElement} */ (piece.cloneNode(true));
      for (const use of ghost.querySelectorAll("use")) {
        const symbol = document.getElementById(use.getAttribute("href")?.slice(1) ?? "");
        if (symbol) use.replaceWith(inlined(symbol, use));
      }
      const key = ghost.dataset.key ?? "";
      for (const name of ["data-key", "tabindex", "role", "aria-label"]) ghost.removeAttribute(name);
      group.append(ghost);
      return { ghost, group, box, key };
    });
  }

  /**
   * @param {{ghost: SVGGraphicsElement, group: SVGElement, box: Box, key: string}[]} ghosts
   * @param {Manner} manner
   */
  async #leave(ghosts, manner) {
    const { kind = "", keys = [] } = this.event ?? {};
    const isHit = kind === "hit" || kind === "sink";
    await Promise.all(
      ghosts.map(async ({ ghost, group, box, key }, at) => {
        const way = manner.gone ?? (isHit && keys.includes(key) ? "fall" : "fade");
        if (way === "fall") await this.fall(ghost, box, at * 70);
        else await this.move(ghost, [{ opacity: 1 }, { opacity: 0 }], SLIDE, { fill: "both" });
        group.remove();
      }),
    );
  }

  // -- what any effect can use --

  /**
   * Let a piece go down in smoke. At the end it is not visible.
   * @param {SVGGraphicsElement} piece
   * @param {Box} from
   * @param {number} [delay]
   */
  fall(piece, from, delay = 0) {
    this.smoke(from, { count: 5, delay });
    const pose = this.poser(piece, from);
    return this.move(
      piece,
      [
        { transform: pose(), opacity: 1 },
        { transform: pose({ y: from.y + 6, turn: 40, scale: 0.9 }), opacity: 1, offset: 0.35 },
        { transform: pose({ y: from.y + 24, turn: 210, scale: 0.2 }), opacity: 0 },
      ],
      720,
      { delay, fill: "both", easing: "ease-in" },
    );
  }

  /**
   * Let puffs of smoke rise.
   * @param {Point} from
   * @param {{count?: number, delay?: number, height?: number}} [options]
   */
  smoke({ x, y }, { count = 5, delay = 0, height = 22 } = {}) {
    if (this.still) return;
    for (let at = 0; at < count; at += 1) {
      const puff = this.make("circle", { class: `pb-puff${at % 3 ? " pb-gray" : ""}`, r: 4, opacity: 0 });
      const dx = x + (at % 2 ? 5 : -5) * Math.sin(at * 2.1);
      const frames = [
        { transform: `translate(${dx}px,${y}px) scale(.4)`, opacity: 0 },
        { opacity: 0.75, offset: 0.25 },
        { transform: `translate(${dx + 6}px,${y - height}px) scale(2.1)`, opacity: 0 },
      ];
      this.flash(puff, frames, 800, { delay: delay + at * 80 });
    }
  }

  /**
   * Draw a ring around something: once, and without flashing.
   * @param {Box | null} box
   */
  ring(box) {
    if (!box) return Promise.resolve();
    const [w, h] = [box.w + 8, box.h + 8];
    const attributes = { class: "pb-ring", x: -w / 2, y: -h / 2, width: w, height: h, rx: 7 };
    const ring = this.make("rect", { ...attributes, transform: `translate(${box.x} ${box.y})` });
    const at = `translate(${box.x}px,${box.y}px)`;
    if (this.still) return this.wait(900).then(() => ring.remove());
    const frames = [
      { opacity: 0, transform: `${at} scale(1.12)` },
      { opacity: 1, transform: `${at} scale(1)`, offset: 0.25 },
      { opacity: 1, transform: `${at} scale(1)`, offset: 0.75 },
      { opacity: 0, transform: `${at} scale(1)` },
    ];
    return this.flash(ring, frames, 900);
  }

  /**
   * Show a few words that rise from a point, or from above a piece, such as "−2"; at the upper edge from below it.
   * @param {Point & {w?: number, h?: number}} at
   * @param {string} text
   * @param {{delay?: number, side?: string}} [options] the class of the side that it concerns, which gives its colour
   */
  label({ x, y, w = 0, h = 0 }, text, { delay = 0, side = text[0] === "+" ? "pb-gain" : "" } = {}) {
    if (!this.isLarge({ w, h })) y -= h / 2;
    const scale = Math.max(1, this.unit);
    if (y < EDGE * scale) y += h + EDGE * scale;
    const words = this.make("g", { class: side, opacity: this.still ? 1 : 0 });
    const width = text.length * 7.6 + 12;
    const isLong = text.length > SHORT;
    if (isLong) this.make("rect", { class: "pb-plate", x: -width / 2, y: -15, width, height: 20, rx: 4 }, words);
    this.make("text", { class: "pb-words" }, words).textContent = text;
    const half = (width / 2) * scale * 1.2;
    x = Math.max(half, Math.min(this.size.width - half, x)); // within the chart
    if (this.still) {
      words.setAttribute("transform", `translate(${x} ${y - 12}) scale(${scale})`);
      return Promise.resolve();
    }
    const frames = [
      { transform: `translate(${x}px,${y}px) scale(${0.6 * scale})`, opacity: 0 },
      { transform: `translate(${x}px,${y - 12}px) scale(${1.2 * scale})`, opacity: 1, offset: 0.3 },
      { opacity: 1, offset: 0.8 },
      { transform: `translate(${x}px,${y - 20}px) scale(${scale})`, opacity: 0 },
    ];
    return this.flash(words, frames, isLong ? 1400 : 900, { delay });
  }

  /**
   * Darken the rest of the board a little; only what is looked at stays bright. It lasts as long as the phase, so that the
   * board is as dark for all of an attack.
   * @param {Point} at
   * @param {number} radius
   */
  spot({ x, y }, radius) {
    if (this.stopped || this.still) return;
    const to = `translate(${x}px,${y}px) scale(${radius / 130})`;
    let light = /** @type {SVGElement} */ (this.#light);
    if (!this.#light) {
      const { width, height } = this.size;
      const reach = (2 * Math.hypot(width, height) * 130) / radius;
      const frame = this.make("svg", { width, height, viewBox: `0 0 ${width} ${height}` }, null); // cuts the shade off
      this.#overlay.prepend(frame);
      const glow = this.make("radialGradient", { id: "pb-spot" }, this.make("defs", {}, frame));
      for (const [offset, shade] of [
        [0, 0],
        [130 / reach, 0],
        [310 / reach, 0.34],
        [1, 0.34],
      ]) {
        this.make("stop", { offset: offset ?? 0, "stop-color": "#0e1d29", "stop-opacity": shade ?? 0 }, glow);
      }
      const square = { x: -reach, y: -reach, width: 2 * reach, height: 2 * reach, fill: "url(#pb-spot)" };
      light = this.make("rect", square, frame);
      this.#light = light;
      this.move(light, [{ opacity: 0 }, { opacity: 1 }], 260);
    } else light.style.transition = `transform ${320 / this.pace}ms`;
    this.#radius = radius;
    light.style.transform = to;
  }

  /** Make the whole board bright again. */
  brighten() {
    const light = this.#light;
    this.#light = null;
    if (light) this.flash(light, [{ opacity: 1 }, { opacity: 0 }], 240, { fill: "forwards" });
  }

  /**
   * Shake a piece, by at most six lengths.
   * @param {string} key
   * @param {{delay?: number, strength?: number}} [options]
   */
  shake(key, { delay = 0, strength = 1 } = {}) {
    const piece = this.find(key);
    const box = this.box(key);
    if (!piece || !box) return Promise.resolve();
    const by = Math.min(2, strength);
    const pose = this.poser(piece);
    const frames = [0, 3, -3, 2, -1, 0].map((dx) => ({
      transform: pose({ x: box.x + dx * by, y: box.y + Math.abs(dx) * 0.4 }),
    }));
    return this.move(piece, frames, 480, { delay });
  }

  /**
   * Show the dice of a beat in a panel next to a point. Return it: `roll()` lets them tumble and show their faces, and
   * `leave()` removes the panel.
   * @param {Roll[]} rolls
   * @param {Point} near
   * @param {{side?: string, below?: boolean, under?: {width: number, height: number}, isSaid?: boolean, few?: number,
   *   about?: Box | null}} [options] the class of the side that rolls where a roll does not say; below or above the point;
   *   the pixels of something under the panel; whether names and results say all that the lines of the log do; the most dice
   *   of rolls in one line each; what a line leads to
   */
  dice(rolls, near, options) {
    return dicePanel(this, rolls, near, options);
  }

  /**
   * Scroll the page so that a box of the chart is visible, and what is around it; no more than needed. A board that the
   * screen can hold becomes visible as a whole: then the page does not move again.
   * @param {Box | null} box
   */
  scrollTo(box) {
    const screen = this.chart.getScreenCTM();
    if (!box || !screen || this.stopped) return;
    const frame = this.root.getBoundingClientRect();
    const at = (/** @type {number} */ y) =>
      Math.max(frame.top, Math.min(frame.bottom, new DOMPoint(box.x, y).matrixTransform(screen).y));
    const [header, free] = [headerHeight(), this.#floor];
    const [top, bottom] = [at(box.y - box.h / 2 - NEAR), at(box.y + box.h / 2 + NEAR)];
    if (top > header - 1 && bottom < free + 1) return;
    const [first, last] = frame.height <= free - header ? [frame.top, frame.bottom] : [top, bottom];
    const goal = scrollY + (first < header ? first - header : Math.min(first - header, last - free));
    this.#goal = Math.max(0, Math.min(document.documentElement.scrollHeight - innerHeight, goal));
    scrollTo({ top: this.#goal, behavior: this.still ? "auto" : "smooth" });
  }

  // -- the end --

  /**
   * Begin a beat, or what belongs to none.
   * @param {Beat | null} beat
   */
  begin(beat) {
    const isSame = beat?.phase === this.event?.phase && beat?.turn === this.event?.turn;
    this.event = beat;
    this.#chart = null;
    this.#isBeatEnded = false;
    this.#goal = null;
    const box = this.#light && this.box(beat?.target ?? "");
    if (!isSame) this.brighten();
    else if (box) this.spot(box, this.#radius);
  }

  /** Cut the beat short: what moves or waits ends at once. */
  endBeat() {
    this.#isBeatEnded = true;
    for (const run of [...this.#live.keys()]) run.cancel();
  }

  /** Skip the rest: what moves or waits ends at once. */
  stop() {
    this.ended = true;
    this.endBeat();
  }

  /** Stop what still moves after a beat, and remove all that is in front of the board. */
  clear() {
    for (const run of [...this.#live.keys()]) run.cancel();
    this.#overlay.replaceChildren(...(this.#light ? [/** @type {Element} */ (this.#light.parentElement)] : []));
    this.#catchUp();
  }

  /** End the playback: only the board is left. */
  close() {
    this.stop();
    this.#overlay.remove();
  }
}

/**
 * Return how long a text must stay to be read, in milliseconds at normal speed.
 * @param {number} letters
 */
export function readingTime(letters) {
  return Math.max(900, Math.min(4500, 400 + 24 * letters));
}

// -- where things are --

/**
 * Return whether something is elsewhere than before.
 * @param {Standing} old
 * @param {Standing} now
 */
const hasMoved = ({ anchor: from }, { anchor: to }) => Math.hypot(from.x - to.x, from.y - to.y) > MOVED;

/**
 * Where a text is: on its piece, or on the board.
 * @param {SVGTextElement} text
 */
function placeOf(text) {
  const owner = text.closest(MOVABLE);
  const { e, f } = (!owner && text.getScreenCTM()) || { e: owner && nameOf(owner), f: "" };
  return [e, f, ...["x", "y", "transform"].map((name) => text.getAttribute(name))].join(" ");
}

const KEYED = "[data-key], [data-place]";
const MOVABLE = `${KEYED}, [data-stack]`;
const SHAPES = "g, use, path, rect, circle, ellipse, polygon, polyline, line, svg, image";

/** @param {Element} element */
function nameOf(element) {
  const [key, place, pile] = ["data-key", "data-place", "data-stack"].map((name) => element.getAttribute(name));
  return key ? `key ${key}` : place ? `place ${place}` : `pile ${pile?.split(" ").at(-1)}`;
}

/**
 * Yield the elements of a drawing, each with a name that no other has.
 * @param {Element} drawing
 * @param {string} which
 * @returns {Generator<[string, SVGGraphicsElement]>}
 */
function* named(drawing, which) {
  const names = new Set();
  for (const piece of /** @type {NodeListOf<SVGGraphicsElement>} */ (drawing.querySelectorAll(which))) {
    let name = nameOf(piece);
    while (names.has(name)) name += "+";
    names.add(name);
    yield [name, piece];
  }
}

/**
 * Return what an element's own `transform` attribute says.
 * @param {SVGGraphicsElement} element
 * @returns {DOMMatrix}
 */
function ownMatrix(element) {
  const own = element.transform?.baseVal.consolidate()?.matrix;
  return own ? new DOMMatrix([own.a, own.b, own.c, own.d, own.e, own.f]) : new DOMMatrix();
}

/**
 * Return the matrix from the coordinates within an element to those of the chart.
 * @param {SVGGraphicsElement} element
 * @param {SVGSVGElement} chart
 * @returns {DOMMatrix}
 */
function toChart(element, chart) {
  if (element === /** @type {SVGGraphicsElement} */ (chart)) return new DOMMatrix();
  const [screen, own] = [chart.getScreenCTM(), element.getScreenCTM()];
  return screen && own ? DOMMatrix.fromMatrix(screen).inverse().multiply(DOMMatrix.fromMatrix(own)) : new DOMMatrix();
}

/**
 * Return where an element is: the box of its body, which is its first shape, and an anchor that does not depend on what
 * else is drawn with it.
 * @param {SVGGraphicsElement} piece
 * @param {SVGSVGElement} chart
 * @returns {Standing}
 */
function standing(piece, chart) {
  const body = /** @type {SVGGraphicsElement | null} */ (
    [...piece.children].find((child) => child.matches(SHAPES) && child instanceof SVGGraphicsElement)
  );
  const isAnchored = piece.hasAttribute("transform") || Boolean(body?.hasAttribute("transform"));
  let matrix = toChart(/** @type {SVGGraphicsElement} */ (piece.parentNode), chart).multiply(ownMatrix(piece));
  if (body) matrix = matrix.multiply(ownMatrix(body));
  const { x, y, width, height } = (body ?? piece).getBBox();
  const corners = [new DOMPoint(x, y), new DOMPoint(x + width, y + height)].map((point) =>
    point.matrixTransform(matrix),
  );
  const [one, two] = /** @type {[DOMPoint, DOMPoint]} */ (corners);
  const box = {
    x: (one.x + two.x) / 2,
    y: (one.y + two.y) / 2,
    w: Math.abs(two.x - one.x),
    h: Math.abs(two.y - one.y),
  };
  const anchor = isAnchored ? { x: matrix.e, y: matrix.f } : { x: box.x, y: box.y };
  return { piece, box, anchor, size: isAnchored ? Math.hypot(matrix.a, matrix.b) : 1 };
}

/**
 * Return how far the nearest moving element around a piece is from its place.
 * @param {Element | null} element
 * @param {Map<Element, Point>} shifts
 * @returns {Point}
 */
function shiftOf(element, shifts) {
  for (let at = element; at; at = at.parentElement) {
    const shift = shifts.get(at);
    if (shift) return shift;
  }
  return { x: 0, y: 0 };
}

/**
 * Return a copy of a symbol with all symbols that it uses, in place of a `use` element.
 * @param {Element} symbol
 * @param {SVGUseElement} use
 */
function inlined(symbol, use) {
  const group = document.createElementNS(NS, "g");
  for (const name of ["class", "transform"]) {
    const value = use.getAttribute(name);
    if (value) group.setAttribute(name, value);
  }
  const [x, y] = [use.getAttribute("x") ?? 0, use.getAttribute("y") ?? 0];
  const copy = /** @type {Element} */ (symbol.cloneNode(true));
  copy.removeAttribute("id");
  if (Number(x) || Number(y)) {
    const inner = document.createElementNS(NS, "g");
    inner.setAttribute("transform", `translate(${x} ${y})`);
    inner.append(copy);
    group.append(inner);
  } else group.append(copy);
  const uses = copy.matches("use") ? [copy] : [...copy.querySelectorAll("use")];
  for (const nested of /** @type {SVGUseElement[]} */ (uses)) {
    const other = document.getElementById(nested.getAttribute("href")?.slice(1) ?? "");
    if (other) nested.replaceWith(inlined(other, nested));
  }
  return group;
}
