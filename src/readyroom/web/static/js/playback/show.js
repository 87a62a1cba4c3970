/** Shows a playback on the boards of a page: what it needs is loaded first, and it can be skipped. */

import { currentShape } from "../chart.js";
import { announce, capitalize, closest, get, query, queryAll, showError, textOf } from "../dom.js";
import { reveal } from "../zoom.js";
import { initControls, loadSound } from "./controls.js";
import { chosenPace, prefersStill, speed } from "./settings.js";

/**
 * @typedef {import("./events.js").Playback} Playback
 * @typedef {import("./stage.js").Beat} Beat
 * @typedef {import("./stage.js").Effect} Effect
 * @typedef {import("./stage.js").PlayedEvent} PlayedEvent
 * @typedef {import("./stage.js").Stage} Stage
 *
 * A board of the page: the element with its drawing, where its events are, what the ids of its parts start with, and the
 * drawing that it has in the end.
 * @typedef {object} Board
 * @property {HTMLElement} root
 * @property {URL} url
 * @property {string} [prefix]
 *
 * @typedef {object} Choices
 * @property {boolean} [waits] whether someone plays, so that cards stay longer
 * @property {boolean} [cuts] whether the first drawing is put on the board at once, and no piece slides to it
 * @property {boolean} [isOwn] whether it begins with an answer of this page, whose orders the board has shown already
 * @property {() => void} [onStart] called before the first event
 * @property {() => void} [onBoard] called when the first drawing is on the board
 * @property {(beat: Beat) => void} [onBegin] called as a beat begins
 * @property {(event: PlayedEvent, at: number, all: number) => void} [onEvent] called after each event is shown
 * @property {(event: PlayedEvent) => boolean} [wanted] if given, nothing is played unless it wants one of the events
 * @property {() => string | null} [after] returns the drawing of the first board in the end, if it is to slide there
 */

/**
 * `sounds`: what is heard of the player's own orders, by effect.
 * @typedef {object} GameEffects
 * @property {Record<string, Effect>} [effects]
 * @property {import("./stage.js").Together} [together]
 * @property {Record<string, (sound: import("./sound.js").Sound) => void>} [sounds]
 */

const PATIENCE = 15000; // milliseconds to wait for the events
const MARKS = / (can|about)(?=[ "])/g;
const NARROW = "(max-width: 43.99rem)";
const SOON = 700; // milliseconds until the page says that they are loading
const WAITING_CARDS = 2; // with more in a playback, only the last stays longer for the player

/** @type {Stage[]} */
let stages = [];

/** By how much what plays is faster than the chosen speed. */
let speedUp = 1;

/** What is being loaded, if it is skipped before it plays. */
let loading = { isOn: false, isSkipped: false };

/** Return whether boards are playing, or about to. */
export const isShowing = () => stages.length > 0 || loading.isOn;

/**
 * Return the element with a drawing that can be played on; null if there is none, or the board is text.
 * @param {ParentNode | null} root the part of the page with the board
 * @returns {HTMLElement | null}
 */
export function drawingIn(root) {
  if (!root) return null;
  const board = query(":scope > .board:not(.summary-image)", root);
  return board && query(":scope > svg[viewBox]", board) ? board : null;
}

/**
 * Return the address of what happened.
 * @param {string} page the address of the table or of the replay
 * @param {Record<string, string | number>} fields
 */
export function playbackUrl(page, fields) {
  const url = new URL(page, location.href);
  url.pathname = url.pathname.replace(/\/(table|replay)$/, "/playback");
  url.searchParams.delete("at");
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, String(value));
  return url;
}

/**
 * @param {URL} url
 * @returns {Promise<Playback>}
 */
async function fetchPlayback(url) {
  const headers = { "Board-Shape": currentShape() };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE) });
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return response.json();
}

/** Load what plays, with the named effects of the game, if it has any. A page on which nothing is played does without. */
async function loadParts() {
  const [events, player, stage, sound, { effects = {}, together, sounds = {} }] = await Promise.all([
    import("./events.js"),
    import("./player.js"),
    import("./stage.js"),
    loadSound(),
    loadEffects(),
  ]);
  const groups = (!prefersStill() && together) || new Set();
  return { ...events, ...player, ...stage, sound, effects, sounds, together: groups };
}

/**
 * Load the named effects of the game. Without them, or if they cannot be loaded, its events get the plain effect.
 * @returns {Promise<GameEffects>}
 */
async function loadEffects() {
  const address = query("#board")?.dataset.effects;
  if (!address) return {};
  try {
    return await import(address);
  } catch (error) {
    console.error("The effects of the game cannot be loaded.", error);
    return {};
  }
}

/**
 * Play what happened. The boards show what they showed last when it ends: the caller replaces that.
 * @param {Board[]} boards
 * @param {Choices} [choices]
 * @returns {Promise<boolean>} whether it was played to the end, and not skipped
 */
export async function show(boards, choices = {}) {
  const { waits = false, cuts, isOwn, onStart, onBoard, onBegin, onEvent, wanted = () => true, after } = choices;
  const [playbacks, parts] = await load(boards);
  const {
    captionOf,
    countOrders,
    effects,
    together,
    budgetOf,
    groupEvents,
    speedUpFor,
    playEvents,
    put,
    questionOf,
    readingTime,
    sound,
    sounds,
    Stage,
    textsOf,
  } = parts;
  const [first] = playbacks;
  if (loading.isSkipped) return false;
  if (!first?.events.some(wanted)) return true;
  const done = isOwn ? countOrders(first.events) : 0;
  for (const name of new Set(first.events.slice(0, done).map(({ effect }) => effect))) sounds[name]?.(sound);
  if (done === first.events.length) return true;
  const isFast = speed() === "fast" && !prefersStill();
  const all = groupEvents(first.events.slice(done), together, isFast);
  const sayingTime = (/** @type {Beat} */ beat) => readingTime(captionOf(textsIn(beat), lettersOfCaption()).length);
  const [budget, left] = [budgetOf(all), [...all]];
  speedUp = speedUpFor(left, budget, sayingTime);
  const pace = chosenPace() * speedUp;
  const moments = all.filter(({ moment }) => moment).length;
  const cards = moments ? import("./moments.js") : null;
  const options = { pace, still: prefersStill(), sound, colours: first.colours };
  stages = boards.map(({ root }) => new Stage(root, options));
  const shows = stages.map((stage, at) => ({
    stage,
    playback: /** @type {Playback} */ (playbacks[at]),
    prefix: boards[at]?.prefix,
  }));
  /** @type {PlayedEvent[]} */
  const shown = [];
  let seen = 0;
  let started = performance.now();
  /** Until the caption can have been read; null while it does not say yet what happens. @type {Promise<unknown> | null} */
  let reading = null;
  const report = (/** @type {Beat} */ beat, texts = textsIn(beat)) => {
    const letters = caption(beat, captionOf(texts, lettersOfCaption()));
    reading = new Promise((resolve) => setTimeout(resolve, readingTime(letters) / (chosenPace() * speedUp)));
  };
  const [stage] = stages;
  if (stage)
    stage.onRolled = (rolls) => {
      if (stage.event) report(stage.event, textsOf(stage.event, rolls));
    };
  setPlaying(true);
  onStart?.();
  sound.pace = pace;
  if (first.events.some(({ rolls }) => rolls.length)) sound.offer();
  try {
    if (first.omitted) {
      showCaption(`${first.omitted} earlier ${first.omitted === 1 ? "event is" : "events are"} in the log.`);
      await stage?.read(0);
    }
    for (const event of first.events.slice(0, done)) onEvent?.(event, shown.push(event) - 1, first.events.length);
    await playEvents(shows, effects, {
      together,
      isFast,
      done,
      cuts,
      onBoard,
      onBegin: (beat) => {
        speedUp = speedUpFor(left, budget - (performance.now() - started) * chosenPace(), sayingTime);
        left.shift();
        for (const one of stages) {
          one.pace = chosenPace() * speedUp;
          reveal(one.find(beat.target) ?? one.find(beat.keys[0] ?? ""));
        }
        showPhase(beat);
        reading = null;
        if (beat.rolls.length) caption(beat, questionOf(beat));
        else report(beat);
        onBegin?.(beat);
      },
      onEnd: async (beat, one) => {
        if (!reading) report(beat);
        for (const event of beat.lines) onEvent?.(event, shown.push(event) - 1, first.events.length);
        announce(textsIn(beat).join(" "));
        if (!beat.moment) {
          await one.until(reading ?? Promise.resolve());
          return;
        }
        seen += 1;
        for (const each of stages) each.begin(beat); // also if the beat was cut short
        const isWaiting = waits && (moments <= WAITING_CARDS || seen === moments);
        const earlier = shown.slice(0, -beat.lines.length);
        const opened = performance.now();
        await (await cards)?.showMoment(beat, one, { earlier, waits: isWaiting, onCancel: skip });
        started += performance.now() - opened; // cards have their own time
        showCaption("");
      },
    });
    const last = after?.();
    // what the next decision marks follows
    if (stage && last && !stage.ended) await put(stage, last.replace(MARKS, ""));
    return stages.every(({ ended }) => !ended);
  } finally {
    for (const one of stages) one.close();
    stages = [];
    setPlaying(false);
    showCaption("");
  }
}

/**
 * Load what happened and what plays it. The page says so if that takes long.
 * @param {Board[]} boards
 */
async function load(boards) {
  const timer = setTimeout(() => showCaption("Loading what happened …"), SOON);
  loading = { isOn: true, isSkipped: false };
  try {
    return await Promise.all([Promise.all(boards.map(({ url }) => fetchPlayback(url))), loadParts()]);
  } finally {
    clearTimeout(timer);
    loading.isOn = false;
    showCaption("");
  }
}

/**
 * Report that nothing is played.
 * @param {unknown} error
 * @param {string} instead what the page shows, or what the viewer can do
 */
export function reportFailure(error, instead) {
  console.warn("The playback ended early.", error);
  showError(`What happened cannot be played. ${instead}`);
}

/** Skip the rest of what is played. */
export function skip() {
  loading.isSkipped = true;
  for (const stage of stages) stage.ended = true;
  next();
}

/** Show the next thing that happened. */
function next() {
  for (const stage of stages) {
    stage.endBeat();
    stage.sound.hush();
  }
}

/** @param {boolean} isPlaying */
function setPlaying(isPlaying) {
  query("#board")?.classList.toggle("is-playing", isPlaying);
  for (const button of queryAll("#next-beat, #skip-playback")) button.hidden = !isPlaying;
  document.dispatchEvent(new Event("boardview"));
}

/**
 * Show a text about a beat in the caption. Return the number of its letters.
 * @param {Beat} beat
 * @param {string} text
 */
function caption(beat, text) {
  showCaption(text, beat.title);
  return text.length;
}

/** What is said of the lines of a beat. @param {Beat} beat */
const textsIn = ({ lines }) => lines.map(({ caption }) => caption);

/** The letters that one reads at a glance, or that the three lines of the caption hold next to a title. */
const lettersOfCaption = () =>
  Math.min(matchMedia(NARROW).matches ? 90 : 110, (query("#caption")?.clientWidth || 400) * 0.45 - 45);

/**
 * @param {string} text
 * @param {string} [title]
 */
function showCaption(text, title = "") {
  const bold = title
    ? [
        Object.assign(document.createElement("b"), {
          textContent: `${capitalize(title)}${/ /.test(title) ? "" : " phase"}.`,
        }),
        " ",
      ]
    : [];
  query("#caption")?.replaceChildren(...bold, text);
}

/**
 * Mark the turn and the phase of a beat in the track of the page; a phase that its short form lacks takes the place of the
 * marked one.
 * @param {Beat} beat
 */
function showPhase({ turn, title }) {
  const number = query(".track-turn");
  if (number) number.textContent = `Turn ${turn}`;
  for (const list of queryAll(".track ol")) {
    const steps = queryAll("li:not(.track-turn)", list);
    const now = steps.find((step) => step.matches(".now"));
    const next = steps.find((step) => textOf(step) === title);
    if (next) {
      now?.classList.remove("now");
      next.classList.add("now");
    } else if (now) get("a", now).textContent = title;
  }
}

/** @param {KeyboardEvent} event */
function handleKeydown(event) {
  if (!isShowing() || event.ctrlKey || event.altKey || event.metaKey || query("dialog[open], #help[open]")) return;
  const isOnControl = closest(event, "input, select, textarea, button, summary, a[href]") !== null;
  if (event.key !== "Escape" && (event.key !== " " || isOnControl)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (event.key === "Escape") skip();
  else next();
}

/** @param {Event} event */
function handleClick(event) {
  if (!isShowing()) return;
  const isSkip = closest(event, "#skip-playback") !== null;
  if (!isSkip && !closest(event, "#board .board, .caption, #next-beat")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (isSkip) skip();
  else next();
}

export function initShow() {
  document.addEventListener("keydown", handleKeydown, true);
  document.addEventListener("click", handleClick, true);
  initControls((value) => {
    if (value === "off") skip();
    for (const stage of stages) stage.pace = chosenPace() * speedUp;
  });
}
