/**
 * The stream of events of a match: each is triggered as "sse:NAME" on the elements that htmx lets wait for it. A browser has
 * six connections to a server, and each stream takes one, so only some pages that are out of sight keep theirs; the others
 * close it, and look for news from time to time.
 */

import { query, queryAll, showError } from "./dom.js";
import { htmx, refresh } from "./htmx.js";
import { shownRevision } from "./swap.js";

const EVENTS = ["moved", "asked", "seats", "talk", "typing"];
const MOST = 3; // hidden pages of a browser that keep their streams
const PATIENCE = 10_000; // milliseconds until a hidden page closes its stream
const LOOK = 30_000; // milliseconds between two looks of a page without a stream
const RETRY = 500; // milliseconds before the stream is opened again after an error; it doubles
const LONGEST = 64_000;

/** @type {EventSource | null} */
let source = null;
let retry = RETRY;
let isInterrupted = false;
/** Whether the stream was closed since the page was last visible. */
let hasRested = false;
let timer = 0;
/** Gives back the place among those that keep their streams. */
let release = () => {};

/** The newest revision that has come. @type {() => number} */
let newest = () => -1;

/** Open the stream. It begins with the newest revision: what is new is loaded. */
function open() {
  const address = query("[sse-connect]")?.getAttribute("sse-connect");
  if (!address) return;
  const opened = new EventSource(address);
  source = opened;
  opened.addEventListener("here", ({ data }) => {
    if (isInterrupted || (query("[data-revision]") && Number(data) > newest())) refresh();
    if (isInterrupted) showError("");
    isInterrupted = false;
    retry = RETRY;
  });
  opened.addEventListener("error", () => {
    isInterrupted = true;
    showError("Connection lost. Reconnecting …");
    if (opened.readyState !== EventSource.CLOSED) return; // else it tries again by itself
    setTimeout(() => opened === source && open(), retry);
    retry = Math.min(LONGEST, 2 * retry);
  });
  opened.addEventListener("presence", ({ data }) => isNews(data) && trigger("presence"));
  for (const name of EVENTS) opened.addEventListener(name, (event) => trigger(name, event));
}

/**
 * Return whether the page may be wrong about who is here or who is to move: as players came or went, or as an update came
 * too late or never, so that its list has another hash than the server's, or is older than its table; or as time has passed
 * since someone was last seen.
 * @param {string} hash
 */
function isNews(hash) {
  const shown = query("#presence")?.dataset;
  if (!shown) return false;
  const since = Number((shown.since ??= String(Date.now())));
  return shown.hash !== hash || Number(shown.at) < shownRevision() || Date.now() - since > Number(shown.again) * 1000;
}

/**
 * @param {string} name
 * @param {Event} [event]
 */
function trigger(name, event) {
  for (const element of queryAll(`[hx-trigger*="sse:${name}"]`)) htmx()?.trigger(element, `sse:${name}`, event);
}

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
  source?.close();
  source = null;
  hasRested = true;
  timer = setTimeout(look, LOOK * (0.8 + 0.4 * Math.random()));
}

/** Look for news for a moment, and for messages. */
function look() {
  open();
  trigger("talk");
  timer = setTimeout(rest, PATIENCE / 2);
}

/** Open the stream of a page that is visible again, and load what it has missed. */
function wake() {
  release();
  if (!hasRested) return;
  hasRested = false;
  if (!source) open();
  trigger("talk");
  trigger("presence");
  refresh();
}

function watchVisibility() {
  clearTimeout(timer);
  if (document.hidden) timer = setTimeout(rest, PATIENCE);
  else wake();
}

/** @param {() => number} newestRevision returns the newest revision that the page has */
export function initStream(newestRevision) {
  newest = newestRevision;
  document.addEventListener("visibilitychange", watchVisibility);
  if (document.readyState === "complete") open();
  else addEventListener("load", open); // then htmx listens
  watchVisibility();
  addEventListener("pagehide", () => source?.close());
  addEventListener("pageshow", ({ persisted }) => persisted && open());
}
