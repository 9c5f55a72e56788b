import { expect, test } from "vitest";

import { HOUR_IN_MS, MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { bad, openHostileProvider, type HostileProvider } from "../fakes/hostile-provider.ts";
import { readWords } from "../helpers/page.ts";
import { details } from "../helpers/account-page.ts";
import { openFrontSite } from "../helpers/provider.ts";

/** A front whose provider is no Dormouse and behaves badly. */

const MEMBER = "member@dormouse.example";
const TOKEN = "canary-token-0a1b2c3d4e";

const item = (id: number, type: string) => ({
  id,
  type,
  date: "2026-11-20T07:00:00",
  title: { rendered: `Item ${id}` },
  content: { rendered: "<p>Sleep well.</p>" },
});

/** A provider that is no Dormouse answers in the other of two shapes. */
function behaveWell(provider: HostileProvider): void {
  const saved = new Set<number>();
  const answers: Record<string, unknown> = {
    "users/grabtoken": { data: { jwt_token: TOKEN } },
    "users/login": { data: { user: { ID: "7" } }, first_name: "Ada", last_name: "Lovell", email: MEMBER },
    "users/getcurrentuser": [{ first_name: "Ada", last_name: "Lovell", email: MEMBER, avatar_url: "" }],
    "users/patchuser": { first_name: "Adele", last_name: "Lovell", email: MEMBER },
    "subscription/getsubscriptionstatus": "active",
    "media/getwatches": [item(2001, "videos")],
    "media/getreads": [item(1001, "post")],
    "media/getlearns": [item(3001, "tutorials")],
  };
  for (const [path, json] of Object.entries(answers)) provider.behave({ json }, path);
  provider.behave(
    () => ({ json: { videos: Object.fromEntries([...saved].map((id) => [id, item(id, "videos")])), post: [] } }),
    "media/getallfaves",
  );
  provider.behave(({ body }) => {
    const { mediaId } = JSON.parse(body) as { mediaId: number };
    if (!saved.delete(mediaId)) saved.add(mediaId);
    return { json: "done" };
  }, "media/postfave");
}

async function openFrontForAnother() {
  const provider = await openHostileProvider();
  const site = await openFrontSite(provider.url, { providerPatience: provider.patience });
  return {
    ...site,
    provider,
    browser: site.openBrowser(),
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

test("a provider with the other answer shapes works, and its favourites toggle only when they should", async () => {
  await using app = await openFrontForAnother();
  behaveWell(app.provider);
  const { browser } = app;
  expect((await browser.logIn(MEMBER)).location).toBe("/");
  expect((await browser.get("/?view=watch")).text).toContain("Item 2001");
  for (const action of ["save", "save"]) {
    expect((await browser.post("/favourites", { [action]: "watch-2001", from: "/" })).status).toBe(303);
  }
  expect(app.provider.seen.filter(({ path }) => path === "media/postfave")).toHaveLength(1);
  expect((await browser.get("/?view=favourites&kind=watch")).text).toContain("Item 2001");

  // The provider does not tell the end.
  const account = await browser.get("/?account=membership");
  expect(account.text).toContain(">Active<");
  expect(account.text).not.toContain("Ends on");
  const saved = await browser.post("/?account=open", { ...details, firstName: "Adele" });
  expect(saved.location).toContain("flash=saved");
  expect((await browser.get("/")).text).toContain("Adele Lovell");
});

test.each(bad)("a provider that answers with %s lets no member in, and the page says so", async (manner) => {
  await using app = await openFrontForAnother();
  app.provider.turn(manner);
  for (const path of ["/", "/login", "/signup", "/readyz", "/healthz"]) await app.browser.get(path);
  const answer = await app.browser.logIn(MEMBER);
  expect(answer.status).toBe(503);
  expect(readWords(answer.text)).toContain("We can't log you in right now. Please try again in a few minutes.");
  expect(answer.text).toContain(MEMBER);
  expect(app.browser.cookies.has("session")).toBe(false);
});

const pages = ["/", "/?view=watch", "/?view=watch&item=2001", "/?view=favourites", "/?q=sleep", "/?account=open"];

test.each(bad)(
  "once it answers with %s, members see the last content, then a sentence, and nothing breaks",
  async (manner) => {
    await using app = await openFrontForAnother();
    const { browser, provider } = app;
    behaveWell(provider);
    await browser.logIn(MEMBER);
    await browser.get("/?view=watch");
    provider.turn(manner);
    app.clock.advance(MINUTE_IN_MS);
    await app.services.catalogue.refresh();
    for (const path of pages) {
      const page = await browser.get(path);
      expect([path, page.status]).toEqual([path, 200]);
      expect(readWords(page.text)).not.toContain("We can't see");
    }
    expect((await browser.get("/?view=watch")).text).toContain("Item 2001");
    await expectRefused(app);

    app.clock.advance(HOUR_IN_MS);
    const page = await browser.get("/?view=watch");
    expect(page.status).toBe(200);
    expect(readWords(page.text)).toContain("We can't see your subscription.");
    expect(page.text).not.toContain("Item 2001");
    const logged = JSON.stringify(app.log.lines);
    for (const secret of [TOKEN, MEMBER, "sleep-well"]) expect(logged).not.toContain(secret);
  },
);

/** Typed text is not lost silently. */
async function expectRefused({ browser }: Awaited<ReturnType<typeof openFrontForAnother>>): Promise<void> {
  const toggled = await browser.post("/favourites", { save: "watch-2001", from: "/" });
  expect(toggled.status).toBe(503);
  expect(readWords(toggled.text)).toContain("We can't change your favourites just now.");
  const saved = await browser.post("/?account=open", { ...details, firstName: "Augusta" });
  expect(saved.status).toBe(503);
  expect(readWords(saved.text)).toContain("We can't save your details just now.");
  expect(saved.text).toContain('value="Augusta"');
}
