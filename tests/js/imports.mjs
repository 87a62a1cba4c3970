/** Finds imports as the server does: `readyroom/NAME.js` is a script of the server; a game's folders of scripts are one. */

import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

const SERVER = new URL("../../src/readyroom/web/static/js/", import.meta.url);
const SHARED = "../../tables/static/"; // from the scripts of a game to those that it shares with another

/**
 * @param {string} specifier
 * @param {{parentURL?: string}} context
 * @param {(specifier: string, context: object) => Promise<{url: string}>} next
 */
export async function resolve(specifier, context, next) {
  const isOurs = !context.parentURL?.includes("node_modules") && /^(\.|readyroom\/).*\.js$/.test(specifier);
  if (!isOurs) return next(specifier, context);
  const found = (/** @type {string} */ one) => next(one, context).then((result) => ({ ...result, format: "module" }));
  if (specifier.startsWith("readyroom/")) return found(new URL(specifier.slice("readyroom/".length), SERVER).href);
  return found(specifier).catch(() => found(SHARED + specifier));
}

if (isMainThread) register(import.meta.url);
