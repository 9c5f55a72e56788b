import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

import { attempt, installFromDebian } from "./debian.ts";

const wholePaths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** Headless Chromium: the same pages for two thirds of the work, but without a cache for Back. */
const shellPath = "/usr/bin/chromium-headless-shell";

/** The system's, or the one that Playwright downloaded. */
export function findChromium(): string {
  const path = [...wholePaths, chromium.executablePath()].find((candidate) => existsSync(candidate));
  if (!path) throw new Error("There is no Chromium: run npm test, which installs one");
  return path;
}

/** The lightest browser that draws pages as Chromium does. */
export function findShell(): string {
  return existsSync(shellPath) ? shellPath : findChromium();
}

/** Installs Debian's Chromium, else Playwright's own. @throws with what to do when neither is available. */
export function ensureChromium(): void {
  // Separately: older releases have no shell.
  const wanted: string[][] = [];
  if (!isThere()) wanted.push(["chromium"]);
  // The fallback for our fonts until they arrive: with others lines break elsewhere, and pages move.
  if (!existsSync("/usr/share/fonts/truetype/liberation")) wanted.push(["fonts-liberation"]);
  if (!existsSync(shellPath)) wanted.push(["chromium-headless-shell"]);
  installFromDebian(wanted);
  if (isThere()) return;
  attempt("npx", ["playwright", "install", "chromium"]);
  if (isThere()) return;
  throw new Error(
    "Chromium could not be installed: install it by hand (Debian: apt-get install chromium) and run again",
  );
}

function isThere(): boolean {
  return [...wholePaths, chromium.executablePath()].some((candidate) => existsSync(candidate));
}
