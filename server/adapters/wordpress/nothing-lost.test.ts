import { expect, test } from "vitest";

import { type FakeContent, type FakeItem, makeVideos, ORIGIN } from "../../../tests/fakes/wordpress-items.ts";
import { blockNames } from "../../../tests/fakes/wordpress-post-blocks.ts";
import { linkedPost, writePost } from "../../../tests/fakes/wordpress-post-fields.ts";
import { type Piece, PostWriter, UPLOADS } from "../../../tests/fakes/wordpress-post-writer.ts";
import { openContentApp } from "../../../tests/helpers/content-app.ts";
import type { Loss } from "../../content/items/blocks.ts";
import { type Item, type ItemTexts, withTexts } from "../../content/items/item.ts";
import { itemKinds, kinds } from "../../content/items/kinds.ts";
import { nameOfAddress } from "../../content/items/pictures.ts";

/** Tries other posts: `CONTENT_SEED=7 CONTENT_POSTS=5000`. */
const SEED = Number(process.env.CONTENT_SEED ?? 1);
const POSTS = Number(process.env.CONTENT_POSTS ?? 600);

type Post = ReturnType<typeof writePost> & { pieces: Piece[] };

/** One post a seed, each with the next block in turn. */
function writePosts(): { posts: Post[]; content: FakeContent } {
  const lists: FakeContent["lists"] = { videos: [], posts: [{ ...makeVideos(1)[0]!, ...linkedPost }], tutorials: [] };
  const content = { lists, uploads: new Map(), attachments: [] as NonNullable<FakeContent["attachments"]> };
  const posts = Array.from({ length: POSTS }, (_, index): Post => {
    const writer = new PostWriter(SEED + index);
    const post = writePost(writer, blockNames[index % blockNames.length] ?? "");
    lists[post.list].push(post.item);
    content.attachments.push(...writer.attachments);
    return { ...post, pieces: writer.pieces };
  });
  return { posts, content };
}

/**
 * An item as a reader sees it: words, and addresses of files and links. Sanitised HTML has `<` and `"` only in tags.
 */
function toSeen(item: Item & ItemTexts) {
  const html = `${item.bodyHtml} ${item.transcriptHtml ?? ""}`;
  const why = [...item.guideSteps, ...item.nightSteps].map((step) => step.why);
  const text = [item.title, item.author, ...item.terms, ...why, item.sampleNote, html.replace(/<[^<>]*>/g, " ")].join(
    " ",
  );
  const { picture, video, sound, reviewed, breathing } = item;
  const addresses = [...html.matchAll(/ (?:src|href|poster)="([^"]*)"/g)].map(([, address = ""]) => address);
  return {
    html,
    text,
    addresses: [...addresses, JSON.stringify({ picture, video, sound, reviewed, breathing })].join(" "),
  };
}

function isSeen({ kind, marks }: Piece, seen: ReturnType<typeof toSeen>, site: string): boolean {
  if (kind === "text") return marks.some((mark) => seen.text.includes(mark));
  if (kind === "place")
    return marks.some((mark) => {
      const [, place] = new RegExp(`<a href="#([^"]*)">${mark}</a>`).exec(seen.html) ?? [];
      return place !== undefined && seen.html.includes(` id="${place}"`);
    });
  const names = marks.map((mark) =>
    mark.startsWith(UPLOADS) ? nameOfAddress(mark.replace(ORIGIN, site), "").slice(0, -1) : mark,
  );
  return names.some((name) => seen.addresses.includes(name));
}

/** Pieces that are neither in the item nor among its losses; a loss covers as many groups of pieces as it counts. */
function findLost(
  pieces: Piece[],
  item: Item & ItemTexts,
  { losses, site }: { losses: Loss[]; site: string },
): Piece[] {
  const seen = toSeen(item);
  const left = new Map<string, number>();
  for (const { what, why, count } of losses)
    if (!why.endsWith("a link replaces it")) left.set(what, (left.get(what) ?? 0) + count);
  const paid = new Set<number>();
  // Pieces that only one loss can count come first.
  const inOrder = pieces.toSorted((a, b) => a.lossNames.length - b.lossNames.length);
  return inOrder.filter((piece) => {
    if (isSeen(piece, seen, site) || paid.has(piece.group)) return false;
    const what = [...piece.lossNames, "others"].find((name) => (left.get(name) ?? 0) > 0);
    if (what === undefined) return true;
    left.set(what, (left.get(what) ?? 0) - 1);
    paid.add(piece.group);
    return false;
  });
}

function describeLost({ item: source }: Post, lost: Piece[], losses: Loss[]): string {
  const { content, ...rest } = source as FakeItem & { content: { rendered: string } };
  return [
    `CONTENT_SEED=${source.id} CONTENT_POSTS=1 loses in silence:`,
    ...lost.map(
      ({ kind, marks, lossNames }) => `  ${kind} ${marks.join(" or ")}, or ${lossNames.join(", ") || "no loss"}`,
    ),
    `counted: ${losses.map(({ what, why, count }) => `${what} (${why}) × ${count}`).join("; ") || "nothing"}`,
    `source: ${content.rendered}`,
    `fields: ${JSON.stringify({ acf: rest["acf"], cover: rest._embedded })}`,
  ].join("\n");
}

test("each text, picture, film, sound and link of a post is in our item or in its list of losses", async () => {
  const { posts, content } = writePosts();
  await using app = await openContentApp({ content });
  await app.catalogue.refresh();
  const status = app.catalogue.status();
  expect(status).toMatchObject({ fault: undefined, skipped: [] });
  const find = ({ list, item: { id }, pieces }: Post, change: Partial<ItemTexts> = {}) => {
    const kind = itemKinds.find((each) => kinds[each].restBase === list) ?? "read";
    const item = app.catalogue.findItem(kind, id);
    const losses = status.losses.find((each) => each.kind === kind && each.id === id)?.losses ?? [];
    const lost = item ? findLost(pieces, { ...withTexts(item), ...change }, { losses, site: app.cms.url }) : pieces;
    return { lost, losses };
  };
  const reports = posts
    .map((post) => ({ post, ...find(post) }))
    .filter(({ lost }) => lost.length > 0)
    .map(({ post, lost, losses }) => describeLost(post, lost, losses))
    .toSorted((a, b) => a.length - b.length);
  expect(reports[0] ?? "", `${reports.length} of ${POSTS} posts lose something; the shortest`).toBe("");
  // A piece that is removed from an item is detected.
  const found = posts.filter((post) => find(post, { bodyHtml: "" }).lost.length > 0);
  expect(found.length).toBeGreaterThan(POSTS / 2);
});
