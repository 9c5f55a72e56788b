import { readdir } from "node:fs/promises";

import { expect, test } from "./fixtures.ts";

/** Tests that journeys in the real app use the real parts. */
test.use({ app: "real" });

test("the app with real parts uses nothing of the demo: no database or mail on disk, no demo gateway", async ({
  page,
  site,
}) => {
  // The folder has the copy of the first start for `demo reset`, wherever the database is.
  const names = (await readdir(site.dataDir)).filter((name) => !name.startsWith("demo-start-"));
  expect(names).toEqual(["catalogue"]);
  for (const path of ["/demo-gateway/methods", "/demo-gateway/card/1", "/demo-gateway/authenticate/1"]) {
    expect((await page.request.get(site.url(path))).status()).toBe(404);
  }
});

test("pictures and films of the CMS reach a member through our own host", async ({ page, site }) => {
  await site.logIn({ path: "/?view=read&item=1003" });
  const picture = page.getByRole("main").getByRole("img").first();
  await expect(picture).toHaveAttribute("src", /^\/media\//);
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await site.open("/?view=watch&item=2013");
  await page.getByRole("link", { name: /^Play:/ }).click();
  const film = page.getByRole("dialog").locator("video");
  await expect(film.locator("source").first()).toHaveAttribute("src", /^\/media\/[\da-f]+\.mp4$/);
  await expect(film).toHaveJSProperty("duration", 40);
});

test("a recording plays through our own host when asked, and links lead to our pages", async ({ page, site }) => {
  const requested: string[] = [];
  page.on("request", (request) => void (request.url().endsWith(".wav") && requested.push(request.url())));
  await site.logIn({ path: "/?view=read&item=1003" });
  const player = page.getByLabel("A second of quiet", { exact: true });
  await expect(player).toHaveJSProperty("paused", true);
  await expect(player).toHaveJSProperty("loop", false);
  expect(requested).toEqual([]);
  await player.evaluate((audio: HTMLAudioElement) => audio.play());
  await expect(player).toHaveJSProperty("ended", true);
  await expect(player).toHaveJSProperty("duration", 1);
  expect(new Set(requested.map((address) => new URL(address).origin))).toEqual(
    new Set([new URL(site.url("/")).origin]),
  );
  await page.getByRole("link", { name: "The other article" }).click();
  await expect(page).toHaveURL(site.url("/?view=read&item=1004"));
});
