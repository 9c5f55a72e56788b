import { devices, type PlaywrightTestOptions } from "@playwright/test";

import type { SiteOptions } from "./fixtures.ts";
import type { AppName } from "./app.ts";
import type { ScriptMode } from "./network.ts";

export const desktop = { viewport: { width: 1280, height: 900 } };
const { defaultBrowserType: _, ...pixel } = devices["Pixel 7"];
/** With a seventh of its pixels: no check here needs more, and a machine without a graphics card is slow. */
const phone = { ...pixel, viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 };

type Circumstances = { name: string; use: Partial<PlaywrightTestOptions> & Pick<SiteOptions, "script" | "app"> };

/**
 * The circumstances of every journey: a choice of device, script mode and app in which each pair that differs much
 * comes once. A server sends the other pairs the same pages. `npm test` runs those with the tag.
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
