// Write the fonts that are drawn large or scaled without their hinting, which shows in small text only and is a third of each file.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import subsetFont from "subset-font";

const FROM = new URL("node_modules/@fontsource/", import.meta.url);
const TO = new URL("fonts/", import.meta.url);
const UNHINTED = {
  "plex-serif-600": "ibm-plex-serif/files/ibm-plex-serif-latin-600-normal.woff2",
  "plex-condensed-500": "ibm-plex-sans-condensed/files/ibm-plex-sans-condensed-latin-500-normal.woff2",
};
const EVERY_CHARACTER = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code)).join("");

await mkdir(TO, { recursive: true });
for (const [name, source] of Object.entries(UNHINTED)) {
  const font = await readFile(new URL(source, FROM));
  const small = await subsetFont(font, EVERY_CHARACTER, { targetFormat: "woff2", noHinting: true });
  await writeFile(new URL(`${name}.woff2`, TO), small);
}
