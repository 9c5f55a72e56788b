import { noteChanges } from "./hydration.ts";

const HINT = '<link rel="modulepreload"';
const MODULE = ' type="module" async=""';

/** Fetches a page's script once the page is there or is used, whichever comes first. `delayScript` writes it into the page. */
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
  // A picture or a player that never arrives keeps `load` away.
  setTimeout(start, 5000);
}

const starter = `(${noteChanges.toString()})();(${waitForPage.toString()})()`;

/** A page up to its script, and what starts that later: the end of the page, because from then on changes are noted. */
export type LatePage = { page: string; starter: string };

/**
 * Keeps script off the line until the first paint and the first pictures are there. React writes hints of the scripts into the head,
 * where they compete with styles and pictures, and a module that runs as soon as it is fetched. Here the hints go into a template and the
 * module becomes inert text; the starter brings both back after `load` and an idle moment, or when a visitor points at or presses a key on
 * something that script serves. Until then links and forms work as HTML does, and what add-ons change is noted.
 * @param html a rendered page without the end of its body, whose last element is the framework's module.
 */
export function delayScript(html: string, nonce: string): LatePage {
  const hintsAt = html.indexOf(HINT);
  const moduleAt = html.lastIndexOf(MODULE);
  if (hintsAt === -1 || moduleAt === -1) return { page: html, starter: "" };
  let restAt = hintsAt;
  while (html.startsWith(HINT, restAt)) restAt = html.indexOf(">", restAt) + 1;
  const hints = html.slice(hintsAt, restAt);
  const module = `${html.slice(restAt, moduleAt)} type="text/plain"${html.slice(moduleAt + MODULE.length)}`;
  return {
    page: html.slice(0, hintsAt) + module,
    starter: `<template>${hints}</template><script nonce="${nonce}">${starter}</script>`,
  };
}
