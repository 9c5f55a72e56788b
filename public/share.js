/**
 * Shares the address of an item: by the phone's own sheet where there is one, else by copying it. Somebody who opens it and is no member
 * sees the welcome, and the item after joining or logging in.
 */

const base = new URL(".", import.meta.url).pathname;

/**
 * The button for the item that a toolbar names, such as `read-1001`; nothing where it names none.
 * @param {HTMLElement} toolbar
 * @returns {Node[]}
 */
export function makeShareButton(toolbar) {
  const { keep = "", look = "" } = toolbar.dataset;
  const [, kind, id] = /^(\w+)-(\d+)$/.exec(keep) ?? [];
  if (!kind) return [];
  const url = `${location.origin}${base}?view=${kind}&item=${id}`;
  const button = document.createElement("button");
  button.type = "button";
  button.className = look;
  button.textContent = "share" in navigator ? "Share" : "Copy link";
  const said = document.createElement("span");
  said.role = "status";
  button.addEventListener("click", () => void share(url, said));
  return [button, document.createTextNode(" "), said];
}

/** @param {string} url @param {HTMLElement} said says what became of it */
async function share(url, said) {
  said.textContent = "";
  if ("share" in navigator) {
    const title = document.querySelector("h1")?.textContent ?? "";
    const failure = await navigator.share({ title, url }).catch((/** @type {Error} */ error) => error.name);
    // A sheet that was closed again has done all it was asked for.
    if (failure === undefined || failure === "AbortError") return;
  }
  // A page that came without https may not copy; the address can be copied by hand then.
  const isCopied = await navigator.clipboard?.writeText(url).then(
    () => true,
    () => false,
  );
  said.textContent = isCopied ? "Link copied." : url;
}
