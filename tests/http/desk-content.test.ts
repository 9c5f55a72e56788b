import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { makeVideos, ORIGIN, type FakeItem } from "../fakes/wordpress-items.ts";
import { ada, logIn } from "../helpers/account-page.ts";
import { API_KEY, createApiClient } from "../helpers/api-client.ts";
import { openContentApp } from "../helpers/content-app.ts";
import { openDesk } from "../helpers/desk.ts";
import { createFixedContent } from "../helpers/fixed-content.ts";
import { findDangers } from "../helpers/html-dangers.ts";
import { readHeading, readWords } from "../helpers/page.ts";
import { openSite } from "../helpers/site.ts";

const uploads = `${ORIGIN}/wp-content/uploads`;
const preview = "/desk/content/watch-9001";
/** The document in the preview's frame: a member's page. */
const frame = "/desk/content/watch-9001/frame";

const hostile =
  `<p onclick="x()">Words <script>alert(1)</script></p><img src="${uploads}/draft.png" onerror="x()">` +
  '<a href="/?p=1000">the other one</a> <a href="https://nhs.example/">away</a><iframe src="https://evil.example/"></iframe>';

/** A WordPress with two published videos and one draft. */
async function openDraftSite() {
  const create = { width: 16, height: 9, channels: 3 as const, background: "#214" };
  const picture = { bytes: await sharp({ create }).png().toBuffer(), contentType: "image/png" };
  const draft: FakeItem = {
    ...makeVideos(1, 9001)[0]!,
    status: "draft",
    title: { rendered: "Ferryman &amp; <script>alert(2)</script> moon" },
    content: { rendered: hostile, protected: false },
    acf: { video_url: `${uploads}/draft.mp4`, transcript: "<p>Quiet oars.</p>" },
    _embedded: {
      author: [{ name: "Maren Holt" }],
      "wp:featuredmedia": [{ source_url: `${uploads}/cover.png`, alt_text: "A ferry" }],
    },
  };
  const files = new Map([
    ["draft.png", picture],
    ["cover.png", picture],
    ["draft.mp4", { bytes: Buffer.from("a film"), contentType: "video/mp4" }],
  ]);
  const app = await openContentApp({
    content: { lists: { videos: [...makeVideos(2), draft], posts: [], tutorials: [] }, uploads: files },
    editor: "editor:abcd efgh",
  });
  const site = await openSite({ API_KEY }, { content: app.source });
  await site.services.catalogue.refresh();
  const desk = await openDesk(site, "support");
  const dispose = async () => {
    await site[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
  };
  return { app, site, desk, [Symbol.asyncDispose]: dispose };
}

const withoutCards = (html: string) => html.replaceAll(/<article class="card-[^]*?<\/article>/g, "");

function listFiles(page: string): string[] {
  const html = withoutCards(page);
  return [...new Set([...html.matchAll(/\/(?:desk\/drafts\/[\w-]+|media)\/[\da-f]{32}\.\w+/g)].map(([file]) => file))];
}

describe("what the content lacks", () => {
  test("is a list with filters by kind and by gap, each item leading to its preview", async () => {
    await using site = await openSite();
    const desk = await openDesk(site, "support");
    const all = await desk.get("/desk/content");
    expect([all.status, readHeading(all.text)]).toEqual([200, "What's missing"]);
    expect(all.text).toContain('href="/desk/content/watch-2016"');
    const words = readWords((await desk.get("/desk/content?kind=watch&gap=transcript")).text);
    expect(words).toMatch(/No transcript \(3\)/);
    expect(words).toContain("A talk from the village hall");
    expect(words).not.toContain("Breathe with the moon");
    expect(words).toContain("We don't check links to other sites");
    expect(readWords((await desk.get("/desk/content?kind=learn&gap=links")).text)).toContain("No items match.");
    // An unknown filter is ignored.
    expect((await desk.get("/desk/content?kind=x&gap=y")).text).toContain('/desk/content/watch-2016"');
  });

  test("has pages of 50, and no page past the last", async () => {
    const items = Array.from({ length: 120 }, (_, at) => ({
      id: at + 1,
      type: "post",
      date: "2026-11-01T00:00:00",
      title: { rendered: `Item ${at + 1}` },
      content: { rendered: "<p>Sleep.</p>" },
    }));
    await using site = await openSite({}, { content: createFixedContent(items) });
    const desk = await openDesk(site, "support");
    const first = await desk.get("/desk/content?gap=author");
    expect(first.text.match(/<th scope="row"/g)).toHaveLength(50);
    expect(first.text).toContain('href="/desk/content?gap=author&amp;page=2"');
    const last = await desk.get("/desk/content?gap=author&page=3");
    expect(last.text.match(/<th scope="row"/g)).toHaveLength(20);
    expect(readWords(last.text)).toContain("Page 3 of 3");
    expect(last.text).not.toContain("page=4");
    for (const page of ["4", "0", "x"]) expect((await desk.get(`/desk/content?page=${page}`)).status).toBe(404);
  });

  test("names a file that the CMS turned out not to have, once the preview has asked for it", async () => {
    await using open = await openDraftSite();
    const { app, site, desk } = open;
    app.cms.save("videos", { id: 1000, acf: { video_url: `${uploads}/gone.mp4`, transcript: "<p>Said.</p>" } });
    app.clock.advance(MINUTE_IN_MS);
    await site.services.catalogue.refresh();
    const path = "/desk/content/watch-1000";
    expect(readWords((await desk.get(path)).text)).not.toContain(".mp4 is missing");
    expect(readWords((await desk.get(`${path}?files=ask`)).text)).toMatch(/The file [\da-f]{32}\.mp4 is missing/);
    expect(readWords((await desk.get("/desk/content?gap=links")).text)).toContain(".mp4 is missing");
  });
});

describe("a draft", () => {
  test("is listed, and previewed as members would see it, made safe", async () => {
    await using open = await openDraftSite();
    const { app, desk } = open;
    const list = await desk.get("/desk/drafts");
    expect(readWords(list.text)).toContain("Ferryman & moon Video Draft");
    expect(list.text).toContain('href="/desk/content/watch-9001"');

    const page = await desk.get(preview);
    expect([page.status, readHeading(page.text)]).toEqual([200, "Preview"]);
    expect(page.text).toContain(`src="${frame.replace("&", "&amp;")}"`);
    const { status, text, headers } = await desk.get(frame);
    expect([status, readHeading(text)]).toEqual([200, "Ferryman & moon"]);
    expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'self'");
    expect(page.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
    const words = `${readWords(page.text)} ${readWords(text)}`;
    for (const each of [
      "This is a preview. It isn't published, so members can't see it.",
      "By Maren Holt",
      "Transcript Quiet oars.",
      "State Draft",
      "script: scripts of a text never run here",
      "We don't check other sites",
      "https://nhs.example/",
    ])
      expect(words).toContain(each);
    const [article = ""] = /<article[^]*<\/article>/.exec(text) ?? [];
    const body = /<div class="prose-prose">([^]*?)<\/div>/.exec(article)?.[1] ?? "";
    expect(findDangers(body)).toEqual([]);
    expect(article).not.toMatch(/<script|onerror|onclick|evil\.example/);
    expect(article).toContain('href="/desk/content/watch-1000"');
    expect(text).not.toContain(new URL(app.cms.url).host);
    expect(withoutCards(text)).not.toMatch(/"\/media\//);
  });

  test("has a picture, a picture in its text and a film, for operators alone", async () => {
    await using open = await openDraftSite();
    const { site, desk } = open;
    const files = listFiles((await desk.get(frame)).text + (await desk.get(`${frame}?play=1`)).text);
    expect(files).toHaveLength(3);
    const member = await logIn(site, ada);
    const stranger = site.openBrowser();
    for (const file of files) {
      const shown = await desk.browser.get(file);
      expect(shown.status, file).toBe(200);
      expect(shown.headers.get("Cache-Control")).toBe("private, no-store");
      const name = file.split("/").at(-1);
      for (const path of [file, `/media/${name}`]) {
        expect([403, 404]).toContain((await member.get(path)).status);
        expect([403, 404]).toContain((await stranger.get(path)).status);
      }
      expect((await desk.browser.get(`/media/${name}`)).status).toBe(404);
      expect((await desk.browser.get(`/desk/drafts/watch-1000/${name}`)).status).toBe(404);
      expect((await desk.browser.get(`/desk/drafts/9001/${name}`)).status).toBe(404);
    }
    const film = files.find((file) => file.endsWith(".mp4")) ?? "";
    const part = await desk.browser.get(film, { Range: "bytes=2-5" });
    expect([part.status, part.text]).toEqual([206, "film"]);
    expect((await desk.browser.get(files[0] ?? "", { Range: "bytes=999999999-" })).status).toBe(416);
  });

  test("is in no list, search, page, kept page or answer of the API that members get", async () => {
    await using open = await openDraftSite();
    const { site, desk } = open;
    await desk.get("/desk/drafts");
    await desk.get(preview);
    await site.services.catalogue.refresh();
    const member = await logIn(site, ada);
    const paths = ["/", "/?view=watch", "/?q=ferryman", "/?q=", "/?view=favourites", "/awake"];
    for (const path of paths)
      expect((await member.get(path)).text, path).not.toMatch(/Ferryman|Quiet oars|item=9001|watch-9001/);
    const page = await member.get("/?view=watch&item=9001");
    expect([page.status, page.text]).toEqual([404, expect.not.stringMatching(/Ferryman|Quiet oars/)]);
    expect((await member.get("/kept/watch-9001")).status).toBe(404);
    for (const path of [preview, frame, "/desk/drafts"]) {
      const refused = await member.get(path);
      expect([refused.status, refused.text]).toEqual([403, expect.not.stringMatching(/Ferryman|Quiet oars/)]);
    }
    const client = createApiClient(site);
    const token = await client.grabToken(ada);
    const { json, text } = await client.call("getwatches", {}, { token });
    expect(json).toHaveLength(2);
    expect(text).not.toContain("9001");
  });

  test("that is gone, or an item that never was, is not found", async () => {
    await using open = await openDraftSite();
    const { app, desk } = open;
    app.cms.withdraw("videos", 9001);
    for (const path of [
      preview,
      "/desk/content/watch",
      "/desk/content/x-9001",
      "/desk/content/watch--1",
      frame,
      "/desk/content/watch/frame",
    ])
      expect((await desk.get(path)).status, path).toBe(404);
  });

  test.each([
    ["slow", "it did not answer in time"],
    ["500", "its web server's log says why"],
  ] as const)("cannot be shown while WordPress is in trouble (%s), and a sentence says so", async (kind, reason) => {
    await using open = await openDraftSite();
    const { app, desk } = open;
    const [file = ""] = listFiles((await desk.get(frame)).text);
    app.cms.trouble = { kind };
    app.clock.advance(2 * MINUTE_IN_MS);
    for (const path of ["/desk/drafts", preview]) {
      const { status, text } = await desk.get(path);
      expect([status, readWords(text)], path).toEqual([200, expect.stringContaining(reason)]);
    }
    expect([404, 503]).toContain((await desk.browser.get(file)).status);
    // Published items are in memory.
    expect((await desk.get("/desk/content/watch-1000")).status).toBe(200);
  });

  test("is not shown where the token may not read it, or the source has none", async () => {
    await using open = await openDraftSite();
    open.app.cms.isEditor = false;
    expect(readWords((await open.desk.get("/desk/drafts")).text)).toContain("Give that user the role Editor");
    await using site = await openSite({}, { content: createFixedContent() });
    const desk = await openDesk(site, "support");
    expect(readWords((await desk.get("/desk/drafts")).text)).toContain("only gives what is published");
    expect((await desk.get(preview)).status).toBe(404);
  });
});

describe("the preview of an item that is published", () => {
  test("shows its picture, film and captions to an operator who is no member", async () => {
    await using site = await openSite();
    const desk = await openDesk(site, "support");
    const page = await desk.get("/desk/content/watch-2005?play=1");
    expect(readWords(page.text)).toContain("It's published. Members see it like this");
    expect(page.text).toContain('src="/desk/content/watch-2005/frame?play=1"');
    const { text } = await desk.get("/desk/content/watch-2005/frame?play=1");
    const files = [...new Set([...text.matchAll(/"(\/media\/[\w-]+\.\w+)"/g)].map(([, file = ""]) => file))];
    expect(new Set(files.map((file) => file.split(".").at(-1)))).toEqual(new Set(["webp", "mp4", "webm", "vtt"]));
    const stranger = site.openBrowser();
    for (const file of files) {
      expect((await desk.browser.get(file, { Range: "bytes=0-9" })).status, file).toBe(206);
      expect((await stranger.get(file)).status, file).toBe(403);
    }
    await site.db.deleteFrom("operatorSessions").execute();
    expect((await desk.browser.get(files[0] ?? "")).status).toBe(403);
  });

  test("asks another host for its film only after Play, as for members", async () => {
    await using site = await openSite();
    const desk = await openDesk(site, "support");
    expect(readWords((await desk.get("/desk/content/watch-2017")).text)).toContain("It has no transcript.");
    const { text } = await desk.get("/desk/content/watch-2017/frame");
    expect(text).not.toContain("<iframe");
    expect(text).toContain('href="/desk/content/watch-2017?play=1"');
    expect((await desk.get("/desk/content/watch-2017/frame?play=1")).text).toContain("youtube-nocookie.com");
  });

  test.each([
    ["read", 1001],
    ["watch", 2005],
    ["watch", 2017],
    ["watch", 4002],
    ["learn", 3001],
  ])("is the page that members have of %s %i, but for where its links lead", async (kind, id) => {
    await using site = await openSite();
    const desk = await openDesk(site, "support");
    const member = await logIn(site, ada);
    const pageIn = (html: string) =>
      /<div class="item-page">[^]*?(?=<\/form>|<\/main>)/
        .exec(html)?.[0]
        .replaceAll(/ href="[^"]*"/g, "")
        .replaceAll(/(<p class="item-source">)[^<]*/g, "$1")
        // Such an id is React's own, and a mark for script.
        .replaceAll(/ (?:id|aria-labelledby)="_[^"]*"|<!-- -->|<!--\/?\$-->/g, "");
    const shown = pageIn((await desk.get(`/desk/content/${kind}-${id}/frame`)).text);
    expect(shown).toContain("<h1");
    expect(shown).toBe(pageIn((await member.get(`/?view=${kind}&item=${id}`)).text));
  });

  test("has the style sheets of members' pages, and no script", async () => {
    await using site = await openSite();
    const desk = await openDesk(site, "support");
    const { text } = await desk.get("/desk/content/read-1001/frame");
    const sheetsIn = (html: string) => new Set(html.match(/\/assets\/[\w-]+\.css/g));
    expect(sheetsIn(text)).toEqual(sheetsIn((await (await logIn(site, ada)).get("/?view=read&item=1001")).text));
    expect(text).not.toContain("<script");
  });

  test("of a piece of Awake now says where members meet it", async () => {
    await using site = await openSite();
    const desk = await openDesk(site, "support");
    const words = readWords((await desk.get("/desk/content/read-5001")).text);
    expect(words).toContain("It's a piece for Awake now");
    const piece = await desk.get("/desk/content/read-5001/frame");
    expect([piece.status, piece.headers.get("X-Frame-Options")]).toEqual([200, "SAMEORIGIN"]);
    expect(piece.text).toContain('<main class="piece">');
    expect(readWords(piece.text)).not.toContain("By Dormouse Team");
  });
});
