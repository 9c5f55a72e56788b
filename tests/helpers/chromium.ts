import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const systemPaths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** A Chromium that is on the machine: the system's, or the one Playwright downloaded. */
export function findChromium(): string {
  const path = [...systemPaths, chromium.executablePath()].find((candidate) => existsSync(candidate));
  if (!path) throw new Error("There is no Chromium: run npm test, which installs one");
  return path;
}

/**
 * Makes sure there is a Chromium: Playwright's own where it can be downloaded, else Debian's.
 * @throws with what to do when neither can be had.
 */
export function ensureChromium(): void {
  if ([...systemPaths, chromium.executablePath()].some((candidate) => existsSync(candidate))) return;
  const isDebian = process.platform === "linux" && existsSync("/usr/bin/apt-get") && process.getuid?.() === 0;
  const attempts: [string, string[]][] = [
    ...(isDebian
      ? ([
          ["apt-get", ["update", "-qq"]],
          ["apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-liberation"]],
        ] satisfies [string, string[]][])
      : []),
    ["npx", ["playwright", "install", "chromium"]],
  ];
  console.log("Installing Chromium for the journeys …");
  for (const [command, args] of attempts) {
    try {
      execFileSync(command, args, {
        stdio: "ignore",
        timeout: 600_000,
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      });
    } catch {
      continue;
    }
    if ([...systemPaths, chromium.executablePath()].some((candidate) => existsSync(candidate))) return;
  }
  throw new Error(
    "Chromium could not be installed: install it by hand (Debian: apt-get install chromium) and run again",
  );
}
