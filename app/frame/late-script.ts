/** Undocumented markers that the framework writes. `late-script.test.ts` looks for each in the installed versions. */
export const HINT = '<link rel="modulepreload"';
export const MODULE = ' type="module" async=""';
export const LOADER_DATA = "window.__reactRouterContext.streamController";

/** `Layout` in root.tsx ends every page so. */
const DOCUMENT_END = "</body></html>";

/**
 * Loads the page that Back or Forward leads to, until hydration. History entries made by script share a document, even
 * after a reload: the browser then changes only the address, and the router would hydrate this page as the other. A
 * router that listens already does not get this event.
 */
function loadWhereHistoryLeads(): void {
  const { pathname, search } = location;
  addEventListener("popstate", (event) => {
    const isElsewhere = location.pathname !== pathname || location.search !== search;
    if (!isElsewhere || document.documentElement.dataset.enhanced !== undefined) return;
    event.stopImmediatePropagation();
    location.reload();
  });
}

/** Fetches a page's script once the page has loaded or is used. `finishPage` writes it into the page. */
function waitForPage(): void {
  const hints = document.currentScript?.previousElementSibling as HTMLTemplateElement;
  const inert = document.querySelector(`script[type="text/plain"]`) as HTMLScriptElement;
  const waiting = new AbortController();
  const { signal } = waiting;

  function start(): void {
    if (signal.aborted) return;
    waiting.abort();
    const module = document.createElement("script");
    module.type = "module";
    module.nonce = inert.nonce;
    module.text = inert.text;
    document.head.append(hints.content, module);
  }

  function startIfServed({ target }: Event): void {
    if (target instanceof Element && target.closest("a, button, input, select, textarea, summary")) start();
  }

  addEventListener("pointerover", startIfServed, { signal });
  addEventListener("keydown", startIfServed, { signal });
  // Safari has no idle callback.
  addEventListener("load", () => (window.requestIdleCallback ?? setTimeout)(start), { signal });
  // A picture or a player that never arrives delays `load`.
  setTimeout(start, 5000);
}

const starter = [loadWhereHistoryLeads, waitForPage].map((start) => `(${start.toString()})()`).join(";");

/**
 * A rendered page with its loader data, and with its script kept off the line until the first paint and the first pictures are there.
 * Until then links and forms work as HTML does.
 *
 * It leans on undocumented names. (`readManifest` in tools/budgets.ts leans on others.)
 * - React writes `HINT` for each script into the head, where they compete with styles and pictures. They go into a template.
 * - React Router's `<Scripts>` writes one module with `MODULE`, which runs as soon as it is fetched. It becomes inert text.
 * - Its browser side reads `LOADER_DATA`; its own `StreamTransfer` would write the same two calls behind the page.
 *
 * The starter brings hints and module back. A page without script, such as one that is only an error, stays whole.
 * @param html as React rendered the document.
 * @param handoff the loader data, as the framework's `serverHandoffStream` has them.
 */
export function finishPage(html: string, handoff: string, nonce: string): string[] {
  const data = `<script nonce="${nonce}">${LOADER_DATA}.enqueue(${toScriptString(handoff)});${LOADER_DATA}.close();</script>`;
  const page = html.slice(0, -DOCUMENT_END.length);
  const hintsAt = page.indexOf(HINT);
  const moduleAt = page.lastIndexOf(MODULE);
  if (hintsAt === -1 || moduleAt === -1) return ["<!doctype html>", page, data, DOCUMENT_END];
  let restAt = hintsAt;
  while (page.startsWith(HINT, restAt)) restAt = page.indexOf(">", restAt) + 1;
  const hints = page.slice(hintsAt, restAt);
  const inert = [page.slice(restAt, moduleAt), ' type="text/plain"', page.slice(moduleAt + MODULE.length)];
  const start = `<template>${hints}</template><script nonce="${nonce}">${starter}</script>`;
  return ["<!doctype html>", page.slice(0, hintsAt), ...inert, data, start, DOCUMENT_END];
}

/** A JavaScript string that cannot end its script element. Since ES2019 one may have any JSON text. */
function toScriptString(text: string): string {
  return JSON.stringify(text).replaceAll("<", "\\u003c");
}
