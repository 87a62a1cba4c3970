/**
 * The stream of events of a page that is out of sight. A browser has six connections to a server, and each stream takes
 * one, so only some hidden pages keep theirs; the others close it, and look for news from time to time.
 */

import { refresh } from "./htmx.js";

const MOST = 3; // hidden pages of a browser that keep their streams
const PATIENCE = 10_000; // milliseconds until a hidden page closes its stream
const LOOK = 30_000; // milliseconds between two looks of a page without a stream

/** A stream of events that can be closed for a while; those who listen to it do not notice. */
class Stream extends EventTarget {
  /** Called as by an `EventSource`. @type {((event: Event) => void) | null} */
  onerror = null;
  /** @type {((event: Event) => void) | null} */
  onopen = null;
  isPaused = false;
  /** @type {Set<string>} */
  #types = new Set();
  /** @type {EventSource} */
  #source;

  /** @param {string} url */
  constructor(url) {
    super();
    this.url = url;
    this.#source = this.#connect();
  }

  get readyState() {
    return this.#source.readyState;
  }

  #connect() {
    const source = new EventSource(this.url, { withCredentials: true });
    source.onerror = (event) => this.onerror?.(event);
    source.onopen = (event) => {
      this.onopen?.(event);
      this.onopen = null; // the next times are no news
    };
    for (const type of this.#types) this.#forward(source, type);
    return source;
  }

  /**
   * @param {EventSource} source
   * @param {string} type
   */
  #forward(source, type) {
    source.addEventListener(type, ({ data }) => this.dispatchEvent(new MessageEvent(type, { data })));
  }

  /**
   * @param {string} type
   * @param {EventListenerOrEventListenerObject | null} listener
   */
  addEventListener(type, listener) {
    if (!this.#types.has(type)) this.#forward(this.#source, type);
    this.#types.add(type);
    super.addEventListener(type, listener);
  }

  close() {
    this.#source.close();
  }

  pause() {
    this.isPaused = true;
    this.close();
  }

  resume() {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.#source = this.#connect();
  }
}

/** @type {Stream | null} */
let stream = null;
let timer = 0;
/** Whether it was closed since the page was last visible. */
let hasRested = false;
/** Gives back the place among those that keep their streams. */
let release = () => {};

/**
 * Take a place among the hidden pages that keep their streams; return whether one was free.
 * @param {number} [place]
 * @returns {Promise<boolean>}
 */
function takePlace(place = 0) {
  if (!navigator.locks || place >= MOST) return Promise.resolve(false);
  return new Promise((resolve) => {
    navigator.locks.request(`readyroom-stream-${place}`, { ifAvailable: true }, (lock) => {
      if (!lock || !document.hidden) {
        resolve(lock ? true : takePlace(place + 1));
        return undefined;
      }
      resolve(true);
      return new Promise((free) => (release = () => free(undefined)));
    });
  });
}

/** Close the stream if enough hidden pages keep theirs. */
async function rest() {
  if (!document.hidden || (await takePlace()) || !document.hidden) return;
  stream?.pause();
  hasRested = true;
  timer = setTimeout(look, LOOK * (0.8 + 0.4 * Math.random()));
}

/** Open the stream again: it begins with the newest revision, and the page loads what is new; so do its messages. */
function resume() {
  stream?.resume();
  stream?.dispatchEvent(new MessageEvent("talk"));
}

/** Look for news for a moment. */
function look() {
  resume();
  timer = setTimeout(rest, PATIENCE / 2);
}

/** Open the stream of a page that is visible again, and load what it has missed. */
function wake() {
  release();
  if (!hasRested) return;
  hasRested = false;
  resume();
  refresh();
}

/** Let htmx use streams that can rest. It makes them when the page is complete, after the scripts have run. */
export function initStream() {
  const { htmx } = /** @type {{htmx?: import("./htmx.js").Htmx}} */ (globalThis);
  if (!htmx) return;
  htmx.createEventSource = (url) => (stream = new Stream(url));
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(rest, PATIENCE);
    else wake();
  });
  if (document.hidden) timer = setTimeout(rest, PATIENCE);
}
