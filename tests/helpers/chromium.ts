import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

import { attempt, installFromDebian } from "./debian.ts";

const wholePaths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** Chromium without a window of its own: the same pages for two thirds of the work, but it keeps none for Back. */
const shellPath = "/usr/bin/chromium-headless-shell";

/** A Chromium that is on the machine: the system's, or the one Playwright downloaded. */
export function findChromium(): string {
  const path = [...wholePaths, chromium.executablePath()].find((candidate) => existsSync(candidate));
  if (!path) throw new Error("There is no Chromium: run npm test, which installs one");
  return path;
}

/** The lightest browser on the machine that draws pages as Chromium does. */
export function findShell(): string {
  return existsSync(shellPath) ? shellPath : findChromium();
}

/**
 * Makes sure there is a Chromium: Debian's where that can be installed, else Playwright's own.
 * @throws with what to do when neither can be had.
 */
export function ensureChromium(): void {
  // Apart from each other: older releases have no shell.
  const wanted: string[][] = [];
  if (!isThere()) wanted.push(["chromium"]);
  // The fallback for our own fonts until they are there: with others lines break elsewhere, and pages move.
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
