import { devices, type PlaywrightTestOptions } from "@playwright/test";

import type { SiteOptions } from "./fixtures.ts";
import type { AppName } from "./app.ts";
import type { ScriptMode } from "./network.ts";

export const desktop = { viewport: { width: 1280, height: 900 } };
const { defaultBrowserType: _, ...pixel } = devices["Pixel 7"];
/** With a seventh of its pixels, which no check here needs and a machine without a graphics card draws slowly. */
const phone = { ...pixel, viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 };

type Circumstances = { name: string; use: Partial<PlaywrightTestOptions> & Pick<SiteOptions, "script" | "app"> };

const modes: ScriptMode[] = ["on", "off", "blocked", "late"];

/**
 * The circumstances of every journey: the embedded app on a desktop and on a phone, with script on, off, blocked and late; and the apps
 * that are not the embedded one, each in one of the two ways that differ most, for what a page does in the others is its own.
 */
export const circumstances: Circumstances[] = [
  ...modes.flatMap((script) => [
    { name: `desktop, script ${script}`, use: circumstancesOf(desktop, script) },
    { name: `phone, script ${script}`, use: circumstancesOf(phone, script) },
  ]),
  { name: "desktop, script on, real parts", use: circumstancesOf(desktop, "on", "real") },
  { name: "phone, script off, a provider", use: circumstancesOf(phone, "off", "remote") },
];

function circumstancesOf(device: Partial<PlaywrightTestOptions>, script: ScriptMode, app: AppName = "embedded") {
  return { ...device, script, app, javaScriptEnabled: script !== "off" };
}

/** For the desk, which is no flow of members': each script mode once, each device twice, each app. */
export const deskCircumstances = [
  "desktop, script on, real parts",
  "phone, script off, a provider",
  "desktop, script blocked",
  "phone, script late",
].map((name) => {
  const found = circumstances.find((each) => each.name === name);
  if (!found) throw new Error(`No circumstances are called “${name}”`);
  return found;
});
