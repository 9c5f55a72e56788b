import { afterAll, afterEach, expect, test } from "vitest";

import { MINUTE_IN_MS } from "../../server/platform/clock.ts";
import type { Trouble } from "../fakes/wordpress.ts";
import { readHeading } from "../helpers/page.ts";
import { describe, openTours } from "./tour.ts";
import { openTroubledSite } from "./troubled-site.ts";

/** One app lives through one trouble after the other. */
const site = await openTroubledSite();
const expectUsualTour = await openTours(site);
const member = site.openBrowser({ address: "198.51.100.77" });
await member.logIn("member@dormouse.example");
afterAll(() => site[Symbol.asyncDispose]());

const { cms } = site.parts;
const causeTrouble = (kind: Trouble) => () => void (cms.trouble = { kind });

const troubles: { of: string; strike: () => void | Promise<void> }[] = [
  { of: "that is down", strike: () => site.lines.cms.shut() },
  { of: "that resets connections", strike: causeTrouble("reset") },
  { of: "that breaks off in the middle", strike: causeTrouble("half") },
  { of: "that answers 429", strike: causeTrouble("429") },
  { of: "that answers 500", strike: causeTrouble("500") },
  { of: "that answers bytes that are nothing", strike: causeTrouble("garbage") },
  { of: "that answers a page for people", strike: causeTrouble("html") },
  { of: "that has lost everything", strike: causeTrouble("empty") },
  { of: "whose line talks nonsense", strike: () => site.lines.cms.answer(Buffer.from("220 not HTTP at all\r\n")) },
];

afterEach(mend);

async function mend(): Promise<void> {
  cms.trouble = undefined;
  await site.lines.cms.mend();
}

let articles = 90_000;

/** Returns its path and title. */
function publish(): { path: string; title: string } {
  articles += 1;
  const [sample] = cms.content.lists.posts;
  if (!sample) throw new Error("The CMS has no article to copy");
  const title = `Article ${articles}`;
  cms.save("posts", { ...structuredClone(sample), id: articles, title: { rendered: title } });
  return { path: `/?view=read&item=${articles}`, title };
}

test.each(troubles)(
  "a CMS $of: members read what was there, operators read why, and the new article comes when it is well",
  async ({ strike }) => {
    const { path, title } = publish();
    await strike();
    await site.live(MINUTE_IN_MS);
    await expectUsualTour();
    expect((await member.get(path)).status).toBe(404);
    expect(site.services.catalogue.status().fault).toEqual(expect.any(String));
    await site.live(16 * MINUTE_IN_MS);
    expect((await member.get("/readyz")).text).toBe('{"database":true,"catalogue":true,"isCatalogueStale":true}');

    await mend();
    await site.live(MINUTE_IN_MS);
    expect(site.services.catalogue.status()).toMatchObject({ fault: undefined, isStale: false });
    expect(readHeading((await member.get(path)).text)).toBe(title);
    await expectUsualTour();
  },
);

test("a CMS that is slow: no member waits for it, and its article comes late and whole", async () => {
  const { path, title } = publish();
  site.lines.cms.hold();
  let isRead = false;
  const reading = site.services.jobs.run("refresh-catalogue").finally(() => void (isRead = true));
  await expectUsualTour();
  expect((await member.get(path)).status).toBe(404);
  expect(isRead).toBe(false);
  await mend();
  await reading;
  expect(readHeading((await member.get(path)).text)).toBe(title);
});

test("a picture that was shown stays, and one that was not says in a sentence that it cannot be had now", async () => {
  const { text } = await member.get("/?view=read");
  const pictures = [...text.matchAll(/src="(\/media\/[^"]+)"/g)].map(([, path = ""]) => path);
  const [first = "", second = ""] = [...new Set(pictures)];
  expect(describe(await member.get(first))).toBe("200");
  await site.lines.cms.shut();
  expect(describe(await member.get(first))).toBe("200");
  const away = await member.get(second);
  expect(away).toMatchObject({ status: 503, text: "This file is not available right now." });
  await mend();
  // As the answer says: in a minute.
  site.clock.advance(MINUTE_IN_MS);
  expect(describe(await member.get(second))).toBe("200");
});
