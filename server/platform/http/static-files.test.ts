import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createServer, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { expect, test } from "vitest";

import { openFolder } from "../../../tests/helpers/folder.ts";
import { listen } from "../../../tests/helpers/loopback.ts";
import { precompress } from "../../../tools/precompress.ts";
import { createStaticFiles } from "./static-files.ts";

const SCRIPT = "console.log('good night');\n".repeat(100);
const built = {
  "assets/app-4f2a.js": SCRIPT,
  "assets/app-4f2a.css": "body { color: midnightblue }\n".repeat(50),
  "assets/fonts/figtree.woff2": "a font",
  "assets/dawn.avif": "a picture",
  "assets/night.webp": "a picture",
  "icon.svg": "<svg></svg>",
  "icon.png": "a picture",
  "favicon.ico": "an icon",
  "robots.txt": "User-agent: *\n",
  "site.webmanifest": "{}",
};
const neverServed = {
  "index.html": "<p>no page is a file</p>",
  "data.json": "{}",
  "notes.md": "notes",
  "assets/app-4f2a.js.map": "{}",
  ".env": "SECRET=1",
  ".hidden.png": "a picture",
  ".htaccess": "secret",
  ".vite/manifest.json": "{}",
  LICENCE: "words",
};

/** A client build in a temporary folder, with a secret beside it, behind a real server. */
async function openStaticFiles(files: Record<string, string> = { ...built, ...neverServed }, prepare = precompress) {
  const home = await openFolder();
  const folder = join(home.folder, "client");
  await mkdir(folder);
  await writeFile(join(home.folder, "secret.txt"), "a secret");
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  prepare(folder);
  const serve = createStaticFiles(folder);
  const server = createServer((request, response) => {
    if (!serve((request.url ?? "").slice(1), request, response)) response.writeHead(404).end("not a file");
  });
  const listening = await listen(server);
  const { port } = listening;

  async function ask(path: string, headers: OutgoingHttpHeaders = {}, method = "GET") {
    const request = httpRequest({ port, path, method, headers, host: "127.0.0.1", agent: false }).end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
  }
  async function close() {
    await listening[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  }
  return { folder, ask, [Symbol.asyncDispose]: close };
}

test.each([
  ["/assets/app-4f2a.js", "text/javascript; charset=utf-8"],
  ["/assets/app-4f2a.css", "text/css; charset=utf-8"],
  ["/assets/fonts/figtree.woff2", "font/woff2"],
  ["/assets/dawn.avif", "image/avif"],
  ["/assets/night.webp", "image/webp"],
  ["/icon.svg", "image/svg+xml"],
  ["/icon.png", "image/png"],
  ["/favicon.ico", "image/x-icon"],
  ["/robots.txt", "text/plain; charset=utf-8"],
  ["/site.webmanifest", "application/manifest+json"],
])("%s is sent as %s, and kept for ever if its name has a hash, else for an hour", async (path, contentType) => {
  await using app = await openStaticFiles();
  const { status, headers, body } = await app.ask(path);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-type": contentType,
    "content-length": String(body.byteLength),
    "cache-control": path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "public, max-age=3600",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    vary: "Accept-Encoding",
  });
  expect(headers).not.toHaveProperty("content-encoding");
  expect(body.toString()).toBe(built[path.slice(1) as keyof typeof built]);
});

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, zstd", "zstd"],
  ["gzip", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["identity", undefined],
  ["exotic", undefined],
])("a browser that accepts %s gets the script as %s", async (accepted, encoding) => {
  await using app = await openStaticFiles();
  const { headers, body } = await app.ask("/assets/app-4f2a.js", { "Accept-Encoding": accepted });
  const decoders = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };
  const plain = encoding ? decoders[encoding as keyof typeof decoders](body) : body;
  expect(plain.toString()).toBe(SCRIPT);
  expect(headers["content-encoding"]).toBe(encoding);
  expect(headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "content-length": String(body.byteLength),
    vary: "Accept-Encoding",
  });
  expect(body.byteLength).toBeLessThan(encoding ? SCRIPT.length / 10 : SCRIPT.length + 1);
});

test.each(["/icon.png", "/assets/dawn.avif", "/assets/fonts/figtree.woff2"])(
  "%s is small already and is sent as it is",
  async (path) => {
    await using app = await openStaticFiles();
    const { headers } = await app.ask(path, { "Accept-Encoding": "gzip, br, zstd" });
    expect(headers).not.toHaveProperty("content-encoding");
  },
);

test("a browser that has a file already is told so, without the file", async () => {
  await using app = await openStaticFiles();
  const { headers } = await app.ask("/assets/app-4f2a.js");
  expect(headers.etag).toMatch(/^W\/"[\w-]{22}"$/);
  const again = await app.ask("/assets/app-4f2a.js", { "If-None-Match": headers.etag, "Accept-Encoding": "br" });
  expect(again.status).toBe(304);
  expect(again.body).toHaveLength(0);
  expect(again.headers).toMatchObject({
    etag: headers.etag,
    vary: "Accept-Encoding",
    "cache-control": "public, max-age=31536000, immutable",
  });
  expect(again.headers).not.toHaveProperty("content-encoding");
});

test("a browser that has another file, or an older one, gets this one", async () => {
  await using app = await openStaticFiles();
  const style = await app.ask("/assets/app-4f2a.css");
  expect((await app.ask("/assets/app-4f2a.js", { "If-None-Match": style.headers.etag })).status).toBe(200);
  expect((await app.ask("/assets/app-4f2a.js", { "If-None-Match": "nonsense" })).status).toBe(200);
});

test("a file's ETag depends on its bytes", async () => {
  await using app = await openStaticFiles({ "a.txt": "one", "b.txt": "one", "c.txt": "two" });
  const tags = await Promise.all(["/a.txt", "/b.txt", "/c.txt"].map(async (path) => (await app.ask(path)).headers));
  expect(tags[0]?.etag).toBe(tags[1]?.etag);
  expect(tags[0]?.etag).not.toBe(tags[2]?.etag);
});

test("HEAD is answered as GET is, without the file", async () => {
  await using app = await openStaticFiles();
  for (const accepted of ["identity", "br"]) {
    const headers = { "Accept-Encoding": accepted };
    const { date: _date, ...got } = (await app.ask("/assets/app-4f2a.js", headers)).headers;
    const head = await app.ask("/assets/app-4f2a.js", headers, "HEAD");
    expect(head).toMatchObject({ status: 200, headers: got });
    expect(head.body).toHaveLength(0);
  }
});

test.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])("%s to a file is passed on", async (method) => {
  await using app = await openStaticFiles();
  expect((await app.ask("/robots.txt", {}, method)).body.toString()).toBe("not a file");
});

test.each([
  "/",
  "/assets",
  "/../secret.txt",
  "/assets/../../secret.txt",
  "/%2e%2e/secret.txt",
  "/..%2fsecret.txt",
  "/..\\secret.txt",
  "/ROBOTS.TXT",
  "/robots.txt/",
  "/robots.txt%00",
  "/robots.txt?v=1",
  "/__proto__",
  "/constructor",
  ...Object.keys(neverServed).map((name) => `/${name}`),
])("there is no file at %s", async (path) => {
  await using app = await openStaticFiles();
  const { status, headers, body } = await app.ask(path);
  expect({ status, body: body.toString() }).toEqual({ status: 404, body: "not a file" });
  expect(headers).not.toHaveProperty("etag");
});

test.each([".br", ".zst", ".gz"])(
  "the %s form of a file is beside it, and has no address of its own",
  async (suffix) => {
    await using app = await openStaticFiles();
    const forms = (await readdir(app.folder, { recursive: true })).filter((name) => name.endsWith(suffix));
    expect(forms.toSorted()).toEqual(
      ["assets/app-4f2a.css", "assets/app-4f2a.js", "icon.svg", "robots.txt", "site.webmanifest"].map(
        (name) => name + suffix,
      ),
    );
    for (const name of forms) expect((await app.ask(`/${name}`)).status).toBe(404);
  },
);

test("an uncompressed build is sent as it is", async () => {
  await using app = await openStaticFiles(built, () => {});
  const { headers, body } = await app.ask("/assets/app-4f2a.js", { "Accept-Encoding": "br, gzip, zstd" });
  expect(body.toString()).toBe(SCRIPT);
  expect(headers).not.toHaveProperty("content-encoding");
});

test.each(['W/"other", ETAG', "ETAG", "*"])("If-None-Match: %s is understood", async (header) => {
  await using app = await openStaticFiles();
  const { headers } = await app.ask("/assets/app-4f2a.js");
  const again = await app.ask("/assets/app-4f2a.js", { "If-None-Match": header.replace("ETAG", headers.etag ?? "") });
  expect(again.status).toBe(304);
});
