import { readFileSync } from "node:fs";
import { join } from "node:path";

import { ask, decode } from "./requests.ts";
import type { Server } from "./servers.ts";

/** The bytes that a browser fetches for a page by itself, as they travel (Brotli), without pictures. */
export type Weight = { scriptBytes: number; viewBytes: number };

/** A `<link>` of a page, by its attributes as they are written. */
export type Link = Record<string, string>;

type Place = { server: Server; path: string; cookie?: string };

/** Weighs a page by what its HTML names, from the files of the build. */
export async function weigh(place: Place, buildDir: string): Promise<Weight> {
  const { html, byteLength } = await fetchPage(place);
  const links = readLinks(html);
  const hrefs = (isWanted: (link: Link) => boolean) =>
    links.filter(isWanted).map(({ href = "" }) => href.replace(/#.*/, ""));
  const scripts = new Set([
    ...hrefs(({ rel }) => rel === "modulepreload"),
    ...[...html.matchAll(/"(\/assets\/[\w.-]+\.js)"/g)].map(([, path = ""]) => path),
  ]);
  const looks = hrefs(({ rel, as }) => rel === "stylesheet" || as === "font");
  const sum = (paths: Iterable<string>) =>
    [...paths].reduce((total, path) => total + readCompressed(join(buildDir, "client", path)).byteLength, 0);
  return { scriptBytes: sum(scripts), viewBytes: byteLength + sum(new Set(looks)) };
}

/** The links of a page, for a page of the limit with the same ones. */
export async function findLinks(place: Place): Promise<Link[]> {
  return readLinks((await fetchPage(place)).html);
}

async function fetchPage({ server, path, cookie }: Place): Promise<{ html: string; byteLength: number }> {
  const headers = { "Accept-Encoding": "br", ...(cookie && { Cookie: cookie }) };
  const reply = await ask(server.origin + path, { headers });
  if (reply.status !== 200) throw new Error(`${path} answers ${reply.status}`);
  return { html: await decode(reply), byteLength: reply.body.byteLength };
}

function readLinks(html: string): Link[] {
  return [...html.matchAll(/<link ([^>]*?)\/?>/gi)].map(([, attributes = ""]) =>
    Object.fromEntries(
      [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name.toLowerCase(), value]),
    ),
  );
}

/** A built file as a browser gets it: pictures and fonts are compressed by their own nature. */
function readCompressed(path: string): Buffer {
  try {
    return readFileSync(`${path}.br`);
  } catch {
    return readFileSync(path);
  }
}
