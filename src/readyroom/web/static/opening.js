/**
 * Runs before the board is read: hides the board, the log and the decision of a match that is about to play its beginning,
 * until its first drawing is there. A classic script, because modules run after the first paint.
 */

(() => {
  const { table = "", lines } = document.currentScript?.dataset ?? {};
  try {
    const isSeen = table in JSON.parse(localStorage.getItem("readyroom-seen") ?? "{}");
    const isOff = localStorage.getItem("readyroom-speed") === "off";
    if (Number(lines) && !isSeen && !isOff) document.documentElement.classList.add("opening");
  } catch {
    // Without storage the page shows what it has.
  }
})();
