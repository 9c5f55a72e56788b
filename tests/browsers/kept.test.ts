import { describe, expect, inject, test } from "vitest";

import { engines } from "./engines.ts";
import { visitLoggedIn } from "./visitor.ts";

const { url: root } = inject("demo");

/** A WebKit without codecs plays nothing, and has nothing in its cache then. */
const playUntilHeard = `() => {
  const sound = document.querySelector("audio");
  sound.muted = true;
  if (sound.paused) sound.play().catch(() => undefined);
  return sound.error !== null || sound.networkState === HTMLMediaElement.NETWORK_NO_SOURCE || sound.currentTime > 0;
}`;

describe.each(engines.filter(({ name }) => name.endsWith("on")))("in $name", ({ start }) => {
  test("a recording that was played is kept on the device, and Undo brings it back once it is removed", async () => {
    await using browser = await start();
    await using visitor = await visitLoggedIn(browser, { root, path: "/?view=watch&item=4003" });
    await expect.poll(() => visitor.page.evaluate<boolean>(playUntilHeard)).toBe(true);
    await visitor.page.evaluate(`() => document.querySelector("[data-keep]").scrollIntoView()`);
    await visitor.press("button", "Keep on this device");
    await visitor.see("Kept. Remove it");
    await visitor.press("button", "Kept. Remove it");
    await visitor.see("Keep on this device");
    await visitor.press("button", "Undo");
    await visitor.see("Kept. Remove it");
    await visitor.open("/kept");
    await visitor.see("Brown noise");
    await visitor.press("button", "Remove all of it");
    await visitor.see("Nothing is kept here.");
    await visitor.press("button", "Undo");
    await visitor.see("Brown noise");
    await visitor.press("button", "Remove all of it");
    await visitor.see("Nothing is kept here.");
  });
});
