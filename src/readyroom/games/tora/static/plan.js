/** The planning charts of Tora! Tora! Tora!: Oahu for both sides, and the sheets of the side that plans. */

import { drawAttack } from "./plan-attack.js";
import { drawDefence } from "./plan-defence.js";

/** @type {import("readyroom/plans/editor.js").Draw} */
export function draw(root, editor) {
  return editor.sheet.side === "usa" ? drawDefence(root, editor) : drawAttack(root, editor);
}
