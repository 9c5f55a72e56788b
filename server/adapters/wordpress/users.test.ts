import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { type FakeContent, type FakeItem, makeVideos, ORIGIN } from "../../../tests/fakes/wordpress-items.ts";
import { logInOut, queryLoop } from "../../../tests/fakes/wordpress.ts";
import { openContentApp } from "../../../tests/helpers/content-app.ts";

const editor = "editor:abcd efgh";
const subscriber = "reader:ijkl mnop";

/** A public article with blocks that depend on the user, a private one, and one with a password. */
function listPrivate(): FakeContent {
  const [sample] = makeVideos(1) as [FakeItem];
  const make = (id: number, title: string, text: string): FakeItem => {
    const content = { rendered: `<p>${text}</p>`, protected: false };
    return { ...structuredClone(sample), id, title: { rendered: title }, content };
  };
  const posts = [
    make(1, "What is new", `${queryLoop}${logInOut}`),
    { ...make(2, "Redundancies", "Whom we let go in spring."), status: "private" },
    { ...make(3, "Board", ""), content: { rendered: "<p>Pay of the board.</p>", protected: true } },
  ];
  return { lists: { videos: [], posts, tutorials: [] }, uploads: new Map() };
}

const secrets = /private|redundancies|let go|pay of the board|log out|_wpnonce/i;

describe("published items", () => {
  test("are read as a stranger reads them, though an Editor's token is set: lists, changes and what is on disk", async () => {
    await using app = await openContentApp({ content: listPrivate(), editor });
    await app.catalogue.refresh();
    app.cms.save("posts", { id: 4, ...listPrivate().lists.posts[0], title: { rendered: "What is newer" } });
    app.clock.advance(60_000);
    await app.catalogue.refresh();
    expect(app.catalogue.status()).toMatchObject({ fault: undefined, counts: { read: 1 } });
    expect(app.catalogue.findItem("read", 1)?.readTexts().bodyHtml).toContain("What is new");
    expect(JSON.stringify(app.catalogue.findItem("read", 1))).not.toMatch(secrets);
    for (const term of ["redundancies", "let go", "pay"])
      expect(app.catalogue.search({ term, order: "best" }).counts.read, term).toBe(0);
    expect(await readFile(join(app.folder, "items.ndjson"), "utf8")).not.toMatch(
      /redundancies|let go|log out|_wpnonce/i,
    );
    expect(new Set(app.cms.requests.map(({ authorisation }) => authorisation))).toEqual(new Set([undefined]));
  });

  test.each([
    [subscriber, `Basic ${Buffer.from(subscriber).toString("base64")}`],
    ["eyJhbGciOi", "Bearer eyJhbGciOi"],
  ])("are read as a subscriber (%s) where WordPress demands a log-in", async (token, authorisation) => {
    await using app = await openContentApp({ content: listPrivate(), editor, subscriber: token, isClosed: true });
    await app.catalogue.refresh();
    expect(app.catalogue.status()).toMatchObject({ fault: undefined, counts: { read: 1 } });
    expect(JSON.stringify(app.catalogue.findItem("read", 1))).not.toMatch(secrets);
    expect(new Set(app.cms.requests.map((request) => request.authorisation))).toEqual(new Set([authorisation]));
  });

  test.each([
    ["shows", false],
    ["does not show", true],
  ])(
    "have their files looked up without a log-in, also where a reader is set and WordPress %s them",
    async (_, isClosed) => {
      const content = listPrivate();
      const cover = { id: 77, source_url: `${ORIGIN}/wp-content/uploads/moon.jpg`, alt_text: "A moon" };
      Object.assign(content.lists.posts[0] ?? {}, { featured_media: 77, cover, _embedded: {} });
      await using app = await openContentApp({ content, editor, subscriber, isClosed });
      await app.catalogue.refresh();
      app.cms.save("posts", { ...content.lists.posts[0]!, id: 9, status: "draft" });
      await app.source.drafts?.find({ kind: "read", id: 9 });
      const { picture } = app.catalogue.findItem("read", 1) ?? {};
      expect(picture).toEqual(isClosed ? { scene: expect.any(Number) } : expect.objectContaining({ alt: "A moon" }));
      expect(app.catalogue.status().losses.flatMap(({ losses }) => losses.map(({ why }) => why))).toEqual(
        expect.arrayContaining(isClosed ? ["the source shows no file with the number 77"] : []),
      );
      const requests = app.cms.requests.filter(({ path }) => path.endsWith("/media"));
      expect(requests.map((request) => request.authorisation)).toEqual([undefined, undefined]);
    },
  );

  test("are not read at all where WordPress demands a log-in and no reader is set: the Editor is none", async () => {
    await using app = await openContentApp({ content: listPrivate(), editor, isClosed: true });
    await app.catalogue.refresh();
    expect(app.catalogue.isReady()).toBe(false);
    expect(app.catalogue.status().fault).toContain("set CMS_READER_TOKEN");
    expect(await app.source.check()).toMatchObject({
      isWell: false,
      message: expect.stringContaining("CMS_READER_TOKEN"),
    });
  });
});

describe("what is on disk", () => {
  const asReadByAnEditor = async (folder: string) => {
    const path = join(folder, "items.ndjson");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace(/"readAs":"[^"]*",/, "").replaceAll("What is new", "Redundancies"));
  };

  test("from before, when an Editor may have read it, is not served, also while WordPress is away", async () => {
    await using app = await openContentApp({ content: listPrivate(), editor });
    await app.catalogue.refresh();
    await asReadByAnEditor(app.folder);
    app.cms.trouble = { kind: "reset" };
    const next = app.restart();
    await next.catalogue.open();
    await next.catalogue.refresh();
    expect(next.catalogue.isReady()).toBe(false);
    app.cms.trouble = undefined;
    await next.catalogue.refresh();
    expect(next.catalogue.findItem("read", 1)?.title).toBe("What is new");
  });

  test("is served to the reader who read it, with a new password too, and to no other", async () => {
    await using app = await openContentApp({ content: listPrivate(), subscriber });
    await app.catalogue.refresh();
    const isReadyAs = async (readerToken: string | undefined) => {
      const { catalogue } = app.restart({ readerToken });
      await catalogue.open();
      return catalogue.isReady();
    };
    expect(await Promise.all(["reader:new password", "other:ijkl mnop", "reader", undefined].map(isReadyAs))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(await readFile(join(app.folder, "items.ndjson"), "utf8")).not.toContain("ijkl");
  });
});

describe("the check", () => {
  test("warns where the reader of what is published may edit", async () => {
    await using app = await openContentApp({ editor, given: { editorToken: undefined, readerToken: editor } });
    const { isWell, message } = await app.source.check();
    expect(isWell).toBe(false);
    expect(message).toMatch(/^The user of CMS_READER_TOKEN may see private “videos”.*Subscriber/);
    app.cms.isEditor = false;
    expect(await app.source.check()).toMatchObject({
      isWell: true,
      message: expect.stringContaining("CMS_READER_TOKEN"),
    });
  });

  test("warns where the user of CMS_TOKEN may not see drafts", async () => {
    await using app = await openContentApp({ editor });
    expect(await app.source.check()).toMatchObject({ isWell: true });
    app.cms.isEditor = false;
    const message = expect.stringContaining("Give that user the role Editor");
    expect(await app.source.check()).toEqual({ isWell: false, message });
  });
});

test("a draft is shown as the Editor sees it", async () => {
  await using app = await openContentApp({ content: listPrivate(), editor, subscriber, isClosed: true });
  app.cms.save("posts", { ...(listPrivate().lists.posts[0] as FakeItem), id: 9, status: "draft" });
  expect(await app.source.drafts?.find({ kind: "read", id: 9 })).toMatchObject({ ok: true, draft: { id: 9 } });
  expect(new Set(app.cms.requests.map(({ authorisation }) => authorisation))).toEqual(
    new Set([`Basic ${Buffer.from(editor).toString("base64")}`]),
  );
});
