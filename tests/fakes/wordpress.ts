import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { type Clock, systemClock } from "../../server/platform/clock.ts";
import { listen } from "../helpers/loopback.ts";
import {
  fakeLists,
  type FakeContent,
  type FakeItem,
  type FakeList,
  type FakeUpload,
  listSamples,
  ORIGIN,
  readSample,
} from "./wordpress-items.ts";

/**
 * A WordPress's REST API and uploads on the loopback, filled with recordings of a real one. Answers depend on the user,
 * as at a real one: `queryLoop` and `logInOut` in a text show each user something else.
 */
export type WordpressFake = AsyncDisposable & {
  url: string;
  content: FakeContent;
  /** Gives the item a new date, as WordPress does. */
  save(list: FakeList, item: Partial<FakeItem> & { id: number }): void;
  /** Deletes an item, or takes it back to a draft: the API shows no difference. */
  withdraw(list: FakeList, id: number): void;
  /** For all requests, or those whose path contains `on`. */
  trouble: { kind: Trouble; on?: string } | undefined;
  /** The `Retry-After` of its 429. */
  retryAfter: string | undefined;
  /** Its host's time for an item, the number of items that is too much, and the resulting trouble. */
  weakness: { msPerItem: number; tooMany: number; fails: Trouble };
  /** In place of an item, by id: the result of a failing plugin filter. */
  garbled: Map<number, unknown>;
  requests: FakeRequest[];
  /** The user of the Editor's token may edit others' items. Otherwise they see what a subscriber sees. */
  isEditor: boolean;
  /** Items sent whole, with their texts. */
  sentItems: number;
  /** Settles when a request with this in its address comes in. */
  nextRequest(part: string): Promise<void>;
};

export type FakeRequest = { path: string; query: URLSearchParams; authorisation: string | undefined };

type FakeOptions = {
  content?: FakeContent;
  /** By token. */
  users?: { editor?: string; subscriber?: string };
  /** It shows nothing without a log-in. */
  isClosed?: boolean;
  /** Lets time pass in place of waiting. */
  takeTime?: (ms: number) => void;
  clock?: Clock;
  /** Such as `/blog`. */
  folder?: string;
  port?: number;
};

type Viewer = "stranger" | "subscriber" | "editor";

/** In a text: titles and texts of all articles that the user may read. */
export const queryLoop = "<!-- wp:query /-->";
/** In a text: the user's link to log in or out. */
export const logInOut = "<!-- wp:loginout /-->";

const FOREVER = 2_000_000_000;
/** For any request. */
const TOO_LONG_IN_MS = 60_000;

export async function startWordpressFake(options: FakeOptions = {}): Promise<WordpressFake> {
  const { content = listSamples(), clock = systemClock, folder = "", users = {}, isClosed = false } = options;
  const { takeTime = () => undefined } = options;
  const waiting: { part: string; resolve: () => void }[] = [];
  const server = createServer((request, response) => answer(request, response));
  const { url: origin, ...listening } = await listen(server, options.port);

  const fake: WordpressFake = {
    url: origin + folder,
    content,
    trouble: undefined,
    retryAfter: undefined,
    weakness: { msPerItem: 0, tooMany: Infinity, fails: "500" },
    garbled: new Map(),
    requests: [],
    isEditor: true,
    sentItems: 0,
    save(list, item) {
      const modified_gmt = clock().toISOString().slice(0, 19);
      const before = content.lists[list]?.find(({ id }) => id === item.id);
      const blank = { status: "publish", featured_media: 0, date: modified_gmt, date_gmt: modified_gmt };
      const others = content.lists[list]?.filter(({ id }) => id !== item.id) ?? [];
      content.lists[list] = [...others, { ...blank, ...before, modified_gmt, ...item }];
    },
    withdraw(list, id) {
      content.lists[list] = content.lists[list]?.filter((item) => item.id !== id) ?? [];
    },
    nextRequest: (part) => new Promise((resolve) => waiting.push({ part, resolve })),
    [Symbol.asyncDispose]: listening[Symbol.asyncDispose],
  };
  return fake;

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", origin);
    const path = url.pathname.slice(folder.length);
    const { authorization: authorisation } = request.headers;
    fake.requests.push({ path, query: url.searchParams, authorisation });
    for (const each of waiting.splice(0)) {
      if (url.href.includes(each.part)) each.resolve();
      else waiting.push(each);
    }
    const kind = url.href.includes(fake.trouble?.on ?? "") ? fake.trouble?.kind : undefined;
    const away = `http://localhost:${new URL(origin).port}${url.pathname}`;
    if (fake.retryAfter !== undefined) response.setHeader("Retry-After", fake.retryAfter);
    if (kind && causeTrouble(kind, response, { takeTime, away })) return;
    if (path.startsWith("/wp-content/uploads/")) return sendUpload(content.uploads, path, { request, response });
    answerApi({ path, query: url.searchParams, authorisation, kind }, { response, away });
  }

  function answerApi(
    { path, query, authorisation, kind }: FakeRequest & { kind: Trouble | undefined },
    { response, away }: { response: ServerResponse; away: string },
  ) {
    response.setHeader("Date", clock().toUTCString());
    const send = createSender(response, origin);
    const viewer = findViewer(authorisation);
    if (!viewer || (isClosed && viewer === "stranger") || kind === "unauthorised")
      return send({ status: 401, body: { code: "rest_forbidden", data: { status: 401 } } });
    if (path === "/wp-json/wp/v2/media") return send({ status: 200, body: listMedia(content, query) });
    if (path === "/wp-json/wp/v2/pages")
      return send({ status: 200, body: (content.pages ?? []).map((link) => ({ link })) });
    const [, listName, id] = /^\/wp-json\/wp\/v2\/(\w+)(?:\/(\d+))?$/.exec(path) ?? [];
    const list = fakeLists.find((each) => each === listName);
    if (list && id) return send(findOne(content.lists[list] ?? [], Number(id), { query, viewer, content }));
    if (!list || (list === "videos" && kind === "no-videos")) return send(toError("nothing"));
    if (query.has("status") && viewer !== "editor") return send(statusForbidden(viewer === "stranger" ? 401 : 403));
    const page = toPage(kind === "empty" ? [] : (content.lists[list] ?? []), query);
    if ("status" in page) return send(page);
    const { msPerItem, tooMany, fails } = fake.weakness;
    if (page.items.length >= tooMany) return void causeTrouble(fails, response, { takeTime, away });
    takeTime(page.items.length * msPerItem);
    if (query.has("_embed")) fake.sentItems += page.items.length;
    const pageCount = kind === "wrong-page-count" ? FOREVER : page.pageCount;
    const headers =
      kind === "no-page-count" ? {} : { "X-WP-Total": String(page.total), "X-WP-TotalPages": String(pageCount) };
    const body = page.items.map((item) =>
      fake.garbled.has(item.id) ? fake.garbled.get(item.id) : render(item, viewer, content),
    );
    return send({ status: 200, body, headers });
  }

  function findViewer(authorisation: string | undefined): Viewer | undefined {
    if (authorisation === undefined) return "stranger";
    const isFrom = (token: string | undefined) => token !== undefined && authorisation === toAuthorisation(token);
    if (isFrom(users.editor)) return fake.isEditor ? "editor" : "subscriber";
    return isFrom(users.subscriber) ? "subscriber" : undefined;
  }
}

type Sent = { status: number; body: unknown; headers?: Record<string, string> };

function createSender(response: ServerResponse, origin: string) {
  return ({ status, body, headers = {} }: Sent): void => {
    const text = JSON.stringify(body).replaceAll(ORIGIN, origin);
    response.writeHead(status, { "Content-Type": "application/json; charset=UTF-8", ...headers }).end(text);
  };
}

function toAuthorisation(token: string): string {
  return token.includes(":") ? `Basic ${Buffer.from(token).toString("base64")}` : `Bearer ${token}`;
}

/** As it was recorded. */
function toError(part: string): Sent {
  const errors = readSample("errors") as { request: string; status: number; body: object }[];
  const { status = 500, body = {} } = errors.find(({ request }) => request.includes(part)) ?? {};
  return { status, body };
}

/** An unpublished item only for users who may edit it (`get_item_permissions_check` of `WP_REST_Posts_Controller`). */
function findOne(
  all: FakeItem[],
  id: number,
  { query, viewer, content }: { query: URLSearchParams; viewer: Viewer; content: FakeContent },
): Sent {
  const item = all.find((each) => each.id === id);
  if (!item) return toError("videos/999999");
  const isShown = item.status === "publish" || viewer === "editor";
  if (isShown) return { status: 200, body: render(show(item, query), viewer, content) };
  const message = "Sorry, you are not allowed to do that.";
  return { status: 403, body: { code: "rest_forbidden", message, data: { status: 403 } } };
}

/** As `sanitize_post_statuses` refuses a status; `status` is that of the reason. */
function statusForbidden(status: 401 | 403): Sent {
  const message = "Status is forbidden.";
  const details = { status: { code: "rest_forbidden_status", message, data: { status } } };
  const params = { status: message };
  const body = { code: "rest_invalid_param", message: "Invalid parameter(s): status" };
  return { status: 400, body: { ...body, data: { status: 400, params, details } } };
}

type Shown = { id: number; [field: string]: unknown };
type Page = { items: Shown[]; total: number; pageCount: number };

/** As WordPress cuts a list: published items by default. */
function toPage(all: FakeItem[], query: URLSearchParams): Page | Sent {
  const perPage = Number(query.get("per_page") ?? 10);
  if (!(perPage >= 1 && perPage <= 100)) return toError("per_page=101");
  const since = query.get("modified_after");
  const include = query.get("include")?.split(",").map(Number);
  const statuses = query.get("status")?.split(",") ?? ["publish"];
  const sortKeys: Record<string, (item: FakeItem) => number> = {
    modified: ({ modified_gmt }) => Date.parse(modified_gmt),
    date: (item) => Date.parse(String(item["date"])),
  };
  const sortKey = sortKeys[query.get("orderby") ?? ""] ?? (({ id }: FakeItem) => id);
  const found = all
    .filter(({ status }) => statuses.includes(status))
    .filter(({ id }) => !include || include.includes(id))
    .filter(({ modified_gmt }) => since === null || Date.parse(`${modified_gmt}Z`) > Date.parse(since))
    .toSorted((a, b) => (sortKey(a) - sortKey(b)) * (query.get("order") === "asc" ? 1 : -1));
  const pageCount = Math.ceil(found.length / perPage);
  const page = Number(query.get("page") ?? 1);
  if (page > 1 && page > pageCount) return toError("page=99");
  const shown = found.slice((page - 1) * perPage, page * perPage).map((item) => show(item, query));
  return { items: shown, total: found.length, pageCount };
}

function show(item: FakeItem, query: URLSearchParams): Shown {
  const fields = query.get("_fields")?.split(",");
  if (fields) {
    const given = fields.filter((name) => name in item).map((name) => [name, item[name]]);
    return { id: item.id, ...Object.fromEntries(given) };
  }
  const { _embedded, ...plain } = item;
  return query.has("_embed") && _embedded ? { ...plain, _embedded } : plain;
}

/** As the user sees it: text behind a password is empty, and blocks depend on the user. */
function render(item: Shown, viewer: Viewer, { lists: { posts } }: FakeContent): Shown {
  const { content, ...rest } = item as Shown & { content?: { rendered: string; protected?: boolean } };
  if (!content) return item;
  const listPosts = () =>
    posts
      .filter(({ status }) => status === "publish" || (status === "private" && viewer === "editor"))
      .map((post) => {
        const { title, content: text } = post as FakeItem &
          Record<"title" | "content", { rendered: string; protected?: boolean }>;
        const front = post.status === "private" ? "Private: " : "";
        return `<li>${front}${title.rendered} ${text.protected ? "" : text.rendered}</li>`;
      })
      .join("");
  const rendered = content.rendered
    .replaceAll(queryLoop, () => `<ul class="wp-block-post-template">${listPosts()}</ul>`)
    .replaceAll(logInOut, logInOutBlocks[viewer === "stranger" ? "stranger" : "user"]);
  return { ...rest, content: { ...content, rendered: content.protected ? "" : rendered } };
}

const logInOutBlocks = {
  stranger: `<div class="logged-out wp-block-loginout"><a rel="nofollow" href="${ORIGIN}/wp-login.php">Log in</a></div>`,
  user: `<div class="logged-in wp-block-loginout"><a rel="nofollow" href="${ORIGIN}/wp-login.php?action=logout&amp;_wpnonce=5ec4e7">Log out</a></div>`,
};

/** By ids: attachments, and covers that items give only to `/media`. */
function listMedia({ lists: all, attachments = [] }: FakeContent, query: URLSearchParams): unknown[] {
  const wanted = new Set(query.get("include")?.split(",").map(Number));
  const items = Object.values(all).flat();
  const covers = items
    .filter(({ featured_media }) => wanted.has(featured_media))
    .flatMap((item) => item["cover"] ?? []);
  return [...covers, ...attachments.filter(({ id }) => wanted.has(id))];
}

/** Affects every matching request until it is removed. */
export type Trouble =
  /** Never answers. */
  | "slow"
  | "500"
  | "429"
  /** Random bytes. */
  | "garbage"
  /** A page for people, with 200. */
  | "html"
  | "firewall"
  | "false"
  /** The list of a plugin that answers nothing but 200. */
  | "empty-object"
  /** Far too large, with its length announced. */
  | "huge"
  /** Never ends. */
  | "endless"
  /** To a host that is not this one. */
  | "redirect-away"
  | "redirect-in-a-circle"
  /** The connection ends in the middle of the answer. */
  | "half"
  /** The announced length is wrong. */
  | "wrong-length"
  | "wrong-page-count"
  | "no-page-count"
  /** The connection ends without an answer. */
  | "reset"
  /** Every list is empty. */
  | "empty"
  /** The token was revoked. */
  | "unauthorised"
  /** A post type whose plugin was switched off. */
  | "no-videos";

/** Causes the trouble; false if the answer itself must do it. */
function causeTrouble(
  trouble: Trouble,
  response: ServerResponse,
  { away, takeTime }: { away: string; takeTime: (ms: number) => void },
): boolean {
  const json = { "Content-Type": "application/json; charset=UTF-8", "X-WP-Total": "1", "X-WP-TotalPages": "1" };
  const plain: Partial<Record<Trouble, () => void>> = {
    slow: () => takeTime(TOO_LONG_IN_MS),
    "500": () =>
      response.writeHead(500, { "Content-Type": "text/html" }).end("<p>There has been a critical error.</p>"),
    "429": () => response.writeHead(429).end(),
    garbage: () => response.writeHead(200, json).end(Buffer.from([0xff, 0x00, 0x7b, 0x80])),
    html: () => response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>Log in</title>"),
    firewall: () =>
      response.writeHead(403, { "Content-Type": "text/html" }).end("<!doctype html><title>Just a moment…</title>"),
    false: () => response.writeHead(200, json).end("false"),
    "empty-object": () => response.writeHead(200, json).end("{}"),
    huge: () => response.writeHead(200, { ...json, "Content-Length": "900000000" }).write("["),
    endless: () => pour(response, json),
    "redirect-away": () => response.writeHead(302, { Location: away }).end(),
    "redirect-in-a-circle": () => response.writeHead(302, { Location: "/wp-json/wp/v2/videos" }).end(),
    half: () => response.writeHead(200, json).write('[{"id": 1, "title": ', () => response.destroy()),
    "wrong-length": () =>
      response.writeHead(200, { ...json, "Content-Length": "5000" }).write("[]", () => response.destroy()),
    reset: () => response.destroy(),
  };
  const act = plain[trouble];
  act?.();
  return act !== undefined;
}

/** As fast as the reader reads, until it stops. */
function pour(response: ServerResponse, headers: Record<string, string>): void {
  const chunk = `[${" ".repeat(65_536)}`;
  response.writeHead(200, headers);
  const go = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", go);
  go();
}

/** As a web server sends it, whole or in part by range. */
function sendUpload(
  uploads: Map<string, FakeUpload>,
  path: string,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): void {
  const upload = uploads.get(decodeURIComponent(path.slice("/wp-content/uploads/".length)));
  if (!upload) return void response.writeHead(404, { "Content-Type": "text/html" }).end("<p>Not found.</p>");
  const { bytes, contentType } = upload;
  const headers = { "Content-Type": contentType, "Accept-Ranges": "bytes" };
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
  if (first === undefined) return void response.writeHead(200, headers).end(bytes);
  const end = Math.min(last ? Number(last) : Infinity, bytes.byteLength - 1);
  const range = `bytes ${first}-${end}/${bytes.byteLength}`;
  response.writeHead(206, { ...headers, "Content-Range": range }).end(bytes.subarray(Number(first), end + 1));
}
