/** The end of a match as a picture: the server's drawing as a PNG file, shared where the browser can, or else saved. */

const SIZE = { width: 1200, height: 630 };
const SHOWN_FOR = 2500; // milliseconds

/**
 * Return a drawing of the server as a PNG file.
 * @param {string} address
 * @param {string} name
 */
async function fileOf(address, name) {
  const image = new Image(SIZE.width, SIZE.height);
  image.src = address;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), SIZE);
  canvas.getContext("2d")?.drawImage(image, 0, 0, SIZE.width, SIZE.height);
  /** @type {Blob | null} */
  const blob = await new Promise((resolve) => canvas.toBlob(resolve));
  if (!blob) throw new Error("The browser makes no picture of it.");
  return new File([blob], name, { type: "image/png" });
}

/**
 * Save a file as the browser saves downloads.
 * @param {File} file
 */
function save(file) {
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(href), SHOWN_FOR);
}

/**
 * Share a file; return whether the browser has done so, or has asked the player, who declined.
 * @param {ShareData} data
 */
async function share(data) {
  if (!navigator.canShare?.(data)) return false;
  try {
    await navigator.share(data);
  } catch (error) {
    return /** @type {Error} */ (error).name === "AbortError";
  }
  return true;
}

/**
 * Share the picture of a link, or save it where the browser shares no files.
 * @param {HTMLAnchorElement} link
 */
export async function sharePicture(link) {
  const label = link.textContent;
  link.textContent = "Drawing…";
  try {
    const file = await fileOf(link.href, link.download.replace(/svg$/, "png"));
    const isShared = await share({ files: [file], title: link.dataset.title });
    if (!isShared) save(file);
    link.textContent = isShared ? label : "Saved";
  } catch {
    link.textContent = "Not possible here";
  }
  setTimeout(() => {
    link.textContent = label;
  }, SHOWN_FOR);
}
