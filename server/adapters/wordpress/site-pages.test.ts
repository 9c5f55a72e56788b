import { expect, test } from "vitest";

import { type FakeContent, type FakeItem, makeVideos, ORIGIN } from "../../../tests/fakes/wordpress-items.ts";
import { openContentApp } from "../../../tests/helpers/content-app.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";

/** Permalinks like `/what-is-new/` make posts and pages look the same; one post links to others. */
function listPosts(hrefs: string[]): FakeContent {
  const [sample] = makeVideos(1) as [FakeItem];
  const make = (id: number, slug: string, more: Partial<FakeItem> = {}): FakeItem => ({
    ...structuredClone(sample),
    id,
    link: `${ORIGIN}/${slug}/`,
    ...more,
  });
  const links = hrefs.map((href) => `<a href="${href}">a</a>`).join(" ");
  const posts = [
    make(1, "what-is-new", { content: { rendered: `<p>${links}</p>`, protected: false } }),
    make(2, "rest"),
    make(3, "redundancies", { status: "private" }),
    make(4, "soon", { status: "draft" }),
    make(5, "let-go"),
  ];
  return { lists: { videos: [], posts, tutorials: [] }, uploads: new Map(), pages: [`${ORIGIN}/about/`] };
}

async function openLinks(hrefs: string[]) {
  const app = await openContentApp({ content: listPosts(hrefs) });
  await app.catalogue.refresh();
  const listDead = async () => {
    const page = await app.catalogue.editorial.listGaps({ filter: "links", page: 1 });
    const message = page?.rows.find(({ id }) => id === 1)?.findings.filter(({ gap }) => gap === "links") ?? [];
    return message.map((finding) => finding.message.replace(app.cms.url, ""));
  };
  return Object.assign(app, { listDead });
}

const deadLink = (path: string) => `A link doesn't lead to a published item: ${path}`;

test("a link to a private item, a draft or one that never was is a dead link, and one to a page is none", async () => {
  const dead = ["/redundancies/", "/soon/", "/never/#why", `${ORIGIN}/nor-this`];
  const alive = [
    "/rest/",
    "/about",
    `${ORIGIN}/about/?a=1`,
    "/",
    "/feed/",
    "/wp-login.php",
    "/a.pdf",
    "/category/news/",
  ];
  await using app = await openLinks([...dead, ...alive]);
  expect(await app.listDead()).toEqual(dead.map((href) => deadLink(href.replace(ORIGIN, ""))));
});

test("a link to an item that is withdrawn becomes a dead link, and one to a page that came is none within the hour", async () => {
  await using app = await openLinks(["/let-go/", "/new-page/"]);
  expect(await app.listDead()).toEqual([deadLink("/new-page/")]);
  app.cms.content.pages = [`${ORIGIN}/new-page/`];
  app.cms.withdraw("posts", 5);
  app.clock.advance(MINUTE_IN_MS);
  await app.catalogue.refresh();
  expect(await app.listDead()).toEqual([deadLink("/let-go/"), deadLink("/new-page/")]);
  app.clock.advance(HOUR_IN_MS);
  await app.catalogue.refresh();
  expect(await app.listDead()).toEqual([deadLink("/let-go/")]);
});

test("where WordPress does not show its pages, no link is doubted, and nothing else fails", async () => {
  const content = listPosts(["/never/"]);
  await using app = await openContentApp({ content });
  app.cms.trouble = { kind: "500", on: "v2/pages" };
  await app.catalogue.refresh();
  expect(app.catalogue.status()).toMatchObject({ fault: undefined, counts: { read: 3 } });
  const page = await app.catalogue.editorial.listGaps({ filter: "links", page: 1 });
  expect(page?.total).toBe(0);
});
