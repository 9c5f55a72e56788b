import { devices, type PlaywrightTestOptions } from "@playwright/test";

import type { SiteOptions } from "./fixtures.ts";
import type { AppName } from "./app.ts";
import type { ScriptMode } from "./network.ts";

export const desktop = { viewport: { width: 1280, height: 900 } };
const { defaultBrowserType: _, ...pixel } = devices["Pixel 7"];
/** With a seventh of its pixels, which no check here needs and a machine without a graphics card draws slowly. */
const phone = { ...pixel, viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 };

type Circumstances = { name: string; use: Partial<PlaywrightTestOptions> & Pick<SiteOptions, "script" | "app"> };

/**
 * The circumstances of every journey: each device, each script mode and each app, in the pairs that differ most. A server answers the other
 * pairs with the same pages. `npm test` walks in those with the tag.
 */
export const circumstances: Circumstances[] = [
  { name: "desktop, script on, real parts", use: inCircumstances(desktop, "on", "real") },
  { name: "phone, script on", use: inCircumstances(phone, "on") },
  { name: "phone, script off, a provider", use: inCircumstances(phone, "off", "remote") },
  { name: "desktop, script blocked", use: inCircumstances(desktop, "blocked") },
  { name: "phone, script late @core", use: inCircumstances(phone, "late") },
];

function inCircumstances(device: Partial<PlaywrightTestOptions>, script: ScriptMode, app: AppName = "embedded") {
  return { ...device, script, app, javaScriptEnabled: script !== "off" };
}
