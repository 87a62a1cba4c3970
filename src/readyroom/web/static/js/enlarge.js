/** Enlarged copies of pieces of the board. */

const NS = "http://www.w3.org/2000/svg";
const SIDE = /(?<![\w-])in-(?!pile|turn)[\w-]+/;
const MARGIN = 0.06; // of the drawing's size

/**
 * Return a drawing of parts of a chart, with all around them left out; null if they are not rendered.
 * @param {SVGGraphicsElement[]} parts
 * @returns {SVGSVGElement | null}
 */
export function enlarged(parts) {
  const chart = parts[0]?.ownerSVGElement;
  const screen = chart && outermost(chart).getScreenCTM();
  if (!screen) return null;
  const toChart = DOMMatrix.fromMatrix(screen).inverse();
  const corners = parts.flatMap((part) => {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    return [new DOMPoint(left, top), new DOMPoint(right, bottom)].map((point) => point.matrixTransform(toChart));
  });
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const edge = Math.max(width, height) * MARGIN;
  const box = [left - edge, top - edge, width + 2 * edge, height + 2 * edge].map((value) => value.toFixed(1));
  const drawing = document.createElementNS(NS, "svg");
  drawing.setAttribute("viewBox", box.join(" "));
  drawing.setAttribute("aria-hidden", "true");
  for (const part of parts) {
    const parent = /** @type {SVGGraphicsElement} */ (part.parentNode).getScreenCTM();
    const { a, b, c, d, e, f } = parent ? toChart.multiply(DOMMatrix.fromMatrix(parent)) : new DOMMatrix();
    const group = drawing.appendChild(document.createElementNS(NS, "g"));
    group.setAttribute("class", sideOf(part));
    group.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")})`);
    group.append(copyOf(part));
  }
  return drawing;
}

/** @param {SVGSVGElement} chart */
export function outermost(chart) {
  let svg = chart;
  while (svg.ownerSVGElement) svg = svg.ownerSVGElement;
  return svg;
}

/**
 * Return the class that colours the side of an element, `in-ROLE`; empty if it has none.
 * @param {Element} element
 */
export function sideOf(element) {
  for (let at = /** @type {Element | null} */ (element); at; at = at.parentElement) {
    const [found] = SIDE.exec(at.getAttribute("class") ?? "") ?? [];
    if (found) return found;
  }
  return "";
}

/**
 * Return a copy of a part that nothing on the page takes for the part itself.
 * @param {Element} part
 */
export function copyOf(part) {
  const copy = /** @type {Element} */ (part.cloneNode(true));
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of [...element.attributes].map((attribute) => attribute.name)) {
      if (/^(data-|tabindex$|role$|aria-|id$)/.test(name)) element.removeAttribute(name);
    }
  }
  for (const title of copy.querySelectorAll("title")) title.remove();
  copy.classList.remove("can", "chosen", "lit", "held", "goal", "aimed", "drags", "sent", "in-pile", "piece");
  return copy;
}
