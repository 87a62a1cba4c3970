/** Oahu and the four sectors of approach, and the calendar of the ten days. */

import { h, s } from "readyroom/plans/parts.js";

/**
 * @typedef {{size: [number, number], at: [number, number], ring: number, lochs: string, coast: string, ridges: string[],
 *   clouds: Record<string, [number, number, number, number]>, fields: Record<string, [number, number]>}} Oahu
 */

const EDGE = 3;
const NAMES = /** @type {Record<string, string>} */ ({
  NW: "northwest",
  NE: "northeast",
  SE: "southeast",
  SW: "southwest",
});

/**
 * Return the name of a quadrant in words.
 * @param {string} quadrant
 */
export const nameOf = (quadrant) => NAMES[quadrant.slice(-2)] ?? quadrant;

/**
 * Return the frame of a quadrant on the chart: left, top, width, height.
 * @param {Oahu} oahu
 * @param {string} quadrant
 * @param {number} [aside] how much more sea the chart shows in the west and in the east
 */
export function frameOf({ size, at }, quadrant, aside = 0) {
  const [north, west] = [quadrant.startsWith("N"), quadrant.endsWith("W")];
  const [left, right] = west ? [EDGE - aside, at[0]] : [at[0], size[0] + aside - EDGE];
  const [top, bottom] = north ? [EDGE, at[1]] : [at[1], size[1] - EDGE];
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/**
 * Draw the island and the sea around it.
 * @param {Oahu} oahu
 * @param {string} label
 * @param {number} [aside] how much more sea it shows in the west and in the east
 */
export function drawOahu({ size, at, ring, lochs, coast, ridges, fields }, label, aside = 0) {
  const [width, height] = size;
  const whole = width + 2 * aside;
  const drawing = s(
    "svg",
    { class: "plan-oahu", viewBox: `${-aside} 0 ${whole} ${height}`, role: "group", "aria-label": label },
    s("rect", { class: "bd-sea", x: -aside, width: whole, height }),
    s("path", { class: "bd-shoal", d: coast }),
    s("path", { class: "bd-surf", d: coast }),
    s("path", { class: "bd-land", d: coast }),
    ...ridges.map((d) => s("path", { class: "bd-ridge", d })),
    s("path", { class: "bd-loch", d: lochs, transform: `translate(${at[0]} ${at[1]})` }),
    s("circle", { class: "bd-ringline", cx: at[0], cy: at[1], r: ring }),
    s("path", {
      class: "bd-cross",
      d: `M${at[0]} ${EDGE}V${height - EDGE}M${EDGE - aside} ${at[1]}H${width + aside - EDGE}`,
    }),
    ...Object.entries(fields).map(([key, [x, y]]) =>
      s(
        "g",
        { class: "plan-field-mark" },
        s("circle", { class: "bd-spot", cx: x, cy: y, r: 4 }),
        s("text", { class: "bd-fieldname", x: x + 7, y: y + 4 }, key[0]?.toUpperCase() + key.slice(1)),
      ),
    ),
    s("text", { class: "bd-ocean", x: width / 2, y: 24, "text-anchor": "middle" }, "Pacific Ocean"),
  );
  drawing.style.setProperty("--aspect", (whole / height).toFixed(3));
  return drawing;
}

/**
 * A day of the calendar as a heading: its weekday and number.
 * @param {[number, string]} day
 */
export function dayName([day, weekday]) {
  return [h("span", { class: "plan-weekday" }, weekday), " ", h("b", {}, String(day))];
}
