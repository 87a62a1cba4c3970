/**
 * What a piece of the board does in answer to a decision: which options it carries when it is dragged, and which it accepts
 * when another is dropped on it.
 *
 * @typedef {import("./board.js").Piece} Piece
 *
 * @typedef {object} Role
 * @property {string} own its key
 * @property {string[]} among the options that send it somewhere
 * @property {string[]} sweep the options that send something to it
 * @property {boolean} isAbout whether the question is about it
 */

import { splitKeys } from "./dom.js";

/** @type {Role} */
const NONE = { own: "", among: [], sweep: [], isAbout: false };

/**
 * Return what a drawing says of a piece.
 * @param {Element | null} element
 * @returns {Role}
 */
export function roleOf(element) {
  if (!(element instanceof SVGElement)) return NONE;
  const { key = "", among, sweep } = element.dataset;
  return { own: key, among: splitKeys(among), sweep: splitKeys(sweep), isAbout: element.classList.contains("about") };
}

/**
 * Return the options that a piece carries: those that send it somewhere and its own; all if the question is about it.
 * @param {Role} role
 * @param {Set<string>} known the keys of all options
 */
export function carried({ own, among, isAbout }, known) {
  const keys = [...new Set([...among, own])].filter((key) => known.has(key));
  return isAbout && !keys.length ? [...known] : keys;
}

/**
 * Return the options that a piece accepts: those that send something to it, and its own.
 * @param {Role} role
 * @param {Set<string>} known
 */
export function accepted({ own, sweep }, known) {
  return [...new Set([...sweep, own])].filter((key) => known.has(key));
}

/**
 * Return the options that a drop selects, in the order of the piece; none if a piece is dropped on itself. What the
 * question is about accepts the pieces that are options themselves.
 * @param {Role} piece
 * @param {Role} target
 * @param {Set<string>} known
 */
export function common(piece, target, known) {
  if (piece.own && piece.own === target.own) return [];
  const accepts = new Set(accepted(target, known));
  if (!accepts.size && target.isAbout && known.has(piece.own)) return [piece.own];
  return carried(piece, known).filter((key) => accepts.has(key));
}
