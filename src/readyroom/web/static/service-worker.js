/**
 * The service worker: keeps static files, shows a page of its own where the server cannot be reached, and shows
 * notifications. Pages always come from the server, which may be this very machine: that works without a network.
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

// The server fills these in.
const VERSION = "0";
const FILES = ["/offline"];

const CACHE = `readyroom-${VERSION}`;
const OFFLINE = "/offline";
/** Static files whose address changes with their content, and fonts, which do not change. */
const STATIC = /^\/static\/(js|games|vendor\/fonts)\/|^\/static\/.*\?v=/;

worker.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => worker.registration.navigationPreload?.enable())
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (STATIC.test(pathname + search)) event.respondWith(file(request));
});

/**
 * Return a page of the server, or the one that says that it cannot be reached.
 * @param {FetchEvent} event
 * @returns {Promise<Response>}
 */
async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(OFFLINE)) ?? Response.error();
  }
}

/**
 * Return a static file from the cache, or from the server, and then keep it.
 * @param {Request} request
 * @returns {Promise<Response>}
 */
async function file(request) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(request);
  if (known) return known;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

// -- notifications --

worker.addEventListener("push", (event) => {
  const { title, text, link, waiting } = event.data?.json() ?? { title: "Ready Room", text: "", link: "/", waiting: 0 };
  const shown = worker.registration.showNotification(title, { body: text, tag: link, data: link });
  const badge = "setAppBadge" in navigator && waiting ? navigator.setAppBadge(waiting) : undefined;
  event.waitUntil(Promise.all([shown, badge]));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(String(event.notification.data ?? "/")));
});

/**
 * Show the page of a match that is open already, or open it.
 * @param {string} path
 */
async function open(path) {
  const windows = await worker.clients.matchAll({ type: "window" });
  const known = windows.find((one) => new URL(one.url).pathname === path);
  await (known ? known.focus() : worker.clients.openWindow(path));
}
