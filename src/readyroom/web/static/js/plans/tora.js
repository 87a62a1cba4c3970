/** The planning charts of Tora! Tora! Tora!: Oahu for both sides, and the sheets of the side that plans. */

import { drawAttack } from "./tora-attack.js";
import { drawDefence } from "./tora-defence.js";

/** @type {import("./editor.js").Draw} */
export function draw(root, editor) {
  return editor.sheet.side === "usa" ? drawDefence(root, editor) : drawAttack(root, editor);
}
