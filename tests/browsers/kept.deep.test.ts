import { describe, expect, inject, test } from "vitest";

import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { openLine } from "../helpers/line.ts";
import { engines } from "./engines.ts";
import { type Visitor, visitLoggedIn } from "./visitor.ts";

const { url: root } = inject("demo");

/** A WebKit without codecs plays nothing, and then caches nothing. */
const playUntilHeard = `() => {
  const sound = document.querySelector("audio");
  sound.muted = true;
  if (sound.paused) sound.play().catch(() => undefined);
  return sound.error !== null || sound.networkState === HTMLMediaElement.NETWORK_NO_SOURCE || sound.currentTime > 0;
}`;

/** The pages that promise to open offline, with a text of each. */
const keptPages = [
  ["/?view=read&item=1003", "Everything saved on this device"],
  ["/awake", "Another"],
  ["/kept", "Saved for offline"],
] as const;
const failures = [
  ["refused", "You seem to be offline."],
  ["reset", "You seem to be offline."],
  ["bad gateway", "This site isn't answering."],
  ["cut", undefined],
] as const;

/** WebKit on a busy CPU now and then starts no worker (`keep.js`), and the page then asks for another press. */
async function keep({ page, press }: Visitor, engine: string): Promise<void> {
  const mayHang = engine.startsWith("WebKit");
  const look = () => page.evaluate<string>(lookAtButton, String(mayHang)).catch(String);
  await press("button", "Keep on this device");
  await expect.poll(look, { timeout: mayHang ? 240_000 : 60_000 }).toBe("Saved. Remove it");
}

/** Returns the words of the button, or the fault that it shows. */
const lookAtButton = `(mayHang) => {
  const button = document.querySelector("[data-keep] button");
  if (!button.textContent.includes("Try again")) return button.textContent;
  const { fault } = button.dataset;
  if (mayHang === "true" && fault.includes("The worker hangs")) button.click();
  return fault;
}`;

describe.each(engines.filter(({ name }) => name.endsWith("on")))("in $name", ({ name, start }) => {
  test("a recording that was played is kept on the device, and Undo brings it back once it is removed", async () => {
    await using browser = await start();
    await using visitor = await visitLoggedIn(browser, { root, path: "/?view=watch&item=4003" });
    await expect.poll(() => visitor.page.evaluate<boolean>(playUntilHeard)).toBe(true);
    await visitor.page.evaluate(`() => document.querySelector("[data-keep]").scrollIntoView()`);
    await keep(visitor, name);
    await visitor.press("button", "Saved. Remove it");
    await visitor.see("Keep on this device");
    await visitor.press("button", "Undo");
    await visitor.see("Saved. Remove it");
    await visitor.open("/kept");
    await visitor.see("Brown noise");
    await visitor.press("button", "Remove all");
    await visitor.see("Nothing saved yet.");
    await visitor.press("button", "Undo");
    await visitor.see("Brown noise");
    await visitor.press("button", "Remove all");
    await visitor.see("Nothing saved yet.");
  });

  test("what is kept, its list and the page for all others open without a line, however it fails", async () => {
    await using line = await openLine(root);
    await using browser = await start();
    await using visitor = await visitLoggedIn(browser, { root: line.url, path: "/?view=read&item=1003" });
    for (const path of ["/?view=read&item=1003", "/awake"]) {
      await visitor.open(path);
      await visitor.page.evaluate(`() => document.querySelector("[data-keep]").scrollIntoView()`);
      await keep(visitor, name);
    }
    for (const [state, sentence] of failures) {
      await line.set(state);
      const pages = sentence === undefined ? keptPages : [...keptPages, ["/", sentence] as const];
      for (const [path, words] of pages) {
        await visitor.page.open(line.url + path);
        await visitor.see(words);
        expect(await visitor.readPath(), state).toBe(path);
      }
    }
    await line.set("open");
    await visitor.open("/");
    await visitor.arrive(landingTexts.heading);
  });
});
