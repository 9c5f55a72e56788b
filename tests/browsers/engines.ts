import type { Browser } from "./browser.ts";
import { startFirefox } from "./firefox.ts";
import { findEngine } from "./install.ts";
import { startWebKit } from "./webkit.ts";

export type Engine = { name: string; start: () => Promise<Browser> };

const firefoxPath = findEngine("firefox");
const webKitPath = findEngine("webKit");

/** Beside Chromium, which has the journeys of `tests/e2e`. */
export const engines: Engine[] = [
  ...(firefoxPath
    ? [true, false].map((hasScript) => ({
        name: `Firefox, script ${hasScript ? "on" : "off"}`,
        start: () => startFirefox(firefoxPath, hasScript),
      }))
    : []),
  ...(webKitPath ? [{ name: "WebKit, script on", start: () => startWebKit(webKitPath) }] : []),
];
