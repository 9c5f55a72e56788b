import { expect, test as base, type Page } from "@playwright/test";

import { DEMO_PASSWORD } from "../../server/cli/demo-data.ts";
import { type FakeS3, openFakeS3, s3Key } from "../fakes/s3.ts";
import { createDormouse } from "../helpers/dormouse.ts";
import { type DemoProcess, startDemo } from "../helpers/demo-process.ts";

/** A demo whose media come from a store on another origin, which allows no other site. */

const test = base.extend<{ complaints: string[] }, { store: { demo: DemoProcess; fake: FakeS3 } }>({
  store: [
    async ({}, use) => {
      await using fake = await openFakeS3();
      const env = {
        MEDIA_URL: fake.bucket,
        S3_REGION: s3Key.region,
        S3_ACCESS_KEY_ID: s3Key.accessKeyId,
        S3_SECRET_ACCESS_KEY: s3Key.secretAccessKey,
      };
      const demo = await startDemo(env);
      await createDormouse({ DEMO: "true", DATA_DIR: demo.dataDir, ...env }).ask("media", "push");
      await use({ demo, fake });
      await demo.stop();
    },
    { scope: "worker" },
  ],
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      // The browser itself reports a lost connection; messages about a policy or a refusing store differ.
      page.on("console", (message) => {
        const isOurs = message.type() === "error" && !message.text().startsWith("Failed to load resource");
        if (isOurs) complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(String(error)));
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

async function logIn(page: Page, url: string): Promise<void> {
  const form = { intent: "log-in", email: "member@dormouse.example", password: DEMO_PASSWORD };
  const headers = { Origin: new URL(url).origin };
  expect((await page.request.post(`${url}login`, { form, headers, maxRedirects: 0 })).status()).toBe(303);
}

const listGets = (fake: FakeS3, ending: string) =>
  fake.seen.filter((each) => each.startsWith("GET ") && each.split(" ")[1]?.endsWith(ending));

for (const javaScriptEnabled of [true, false]) {
  test.describe(`script ${javaScriptEnabled ? "on" : "off"}`, () => {
    test.use({ javaScriptEnabled, serviceWorkers: javaScriptEnabled ? "allow" : "block" });

    test("a film, a recording and an article's pictures come from the store", async ({ page, store }) => {
      const { demo, fake } = store;
      await logIn(page, demo.url);
      fake.seen.length = 0;
      await page.goto(`${demo.url}?view=read&item=1001`);
      const drawn = page.locator("img[src^='/media/']").first();
      await drawn.scrollIntoViewIfNeeded();
      await expect.poll(() => drawn.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
      expect(listGets(fake, ".webp")).not.toEqual([]);

      for (const [path, kind, ending] of [
        ["?view=watch&item=2013&play=1", "video", "rain-on-a-window.mp4"],
        ["?view=watch&item=4002", "audio", "a-slow-sea.mp3"],
      ] as const) {
        await page.goto(demo.url + path);
        const player = page.locator(kind).first();
        // A seek to the end requests a range, which only a store with ranges can answer.
        await player.evaluate(async (element: HTMLMediaElement) => {
          element.muted = true;
          await element.play();
          element.currentTime = element.duration - 1;
        });
        await expect
          .poll(() => player.evaluate(({ currentTime, duration }: HTMLMediaElement) => currentTime > duration - 2))
          .toBe(true);
        expect(await player.evaluate(({ error }: HTMLMediaElement) => error)).toBeNull();
        expect(
          listGets(fake, ending).some((each) => / 20[06]$/.test(each)),
          ending,
        ).toBe(true);
      }
    });
  });
}

test.describe("kept on a device", () => {
  test.use({ serviceWorkers: "allow" });

  test("a recording that was heard from the store can be kept, and is heard without a network", async ({
    page,
    context,
    store,
  }) => {
    const { demo } = store;
    await logIn(page, demo.url);
    await page.goto(`${demo.url}?view=watch&item=4002`);
    await page
      .locator("audio")
      .first()
      .evaluate((element: HTMLMediaElement) => element.play());
    await page.getByText("Sample text of the demo library").scrollIntoViewIfNeeded();
    await page.getByRole("button", { name: "Keep on this device" }).click();
    await expect(page.getByRole("button", { name: "Saved. Remove it" })).toBeVisible();
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.reload();
    const play = () =>
      page
        .locator("audio")
        .first()
        .evaluate(async (element: HTMLMediaElement) => {
          await element.play();
          return element.duration;
        });
    expect(Math.round(await play())).toBe(252);
    await context.setOffline(true);
    await page.goto(`${demo.url}kept/watch-4002`);
    expect(Math.round(await play())).toBe(252);
  });
});
