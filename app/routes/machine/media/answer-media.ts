import type { Media } from "../../../../server/content/items/source.ts";
import type { MediaInFlight } from "../../../../server/platform/gate.ts";
import type { Log } from "../../../../server/platform/log.ts";

type Serving = {
  request: Request;
  memberId: number;
  cacheControl: string;
  services: { mediaInFlight: MediaInFlight; log: Log };
};

/** A slow reader holds no more than this of a file in memory. */
const CHUNK_BYTES = 32_768;

/**
 * A file, or its requested range, as fast as the reader reads. `busy`: the member has reached the limit of files in
 * flight.
 * @throws when it cannot be read from the start; a later fault breaks the answer off.
 */
export async function answerMedia(media: Media, serving: Serving): Promise<Response | "busy"> {
  const headers = new Headers({
    "Content-Type": media.contentType,
    "Accept-Ranges": "bytes",
    "Cache-Control": serving.cacheControl,
    ...toValidators(media),
  });
  if (isUnchanged(serving.request, headers)) return new Response(null, { status: 304, headers });
  const { sizeInBytes, maxRangeBytes = sizeInBytes } = media;
  const isOutdated = isOutdatedRange(serving.request, headers);
  const range = isOutdated ? undefined : parseRange(serving.request.headers.get("Range"), sizeInBytes);
  if (range === "unsatisfiable" || (!range && !isOutdated && sizeInBytes > maxRangeBytes)) {
    headers.set("Content-Range", `bytes */${sizeInBytes}`);
    return new Response(null, { status: 416, headers });
  }
  const { start, end } = range ?? { start: 0, end: sizeInBytes - 1 };
  const part = { start, end: range ? Math.min(end, start + maxRangeBytes - 1) : end };
  if (range) headers.set("Content-Range", `bytes ${part.start}-${part.end}/${sizeInBytes}`);
  headers.set("Content-Length", String(part.end - part.start + 1));
  const status = range ? 206 : 200;
  if (serving.request.method === "HEAD") return new Response(null, { status, headers });
  const body = await openBody(media, part, serving);
  return body === "busy" ? body : new Response(body, { status, headers });
}

/** RFC 9110, section 8.8. */
function toValidators({ sizeInBytes, changedAt }: Media): Record<string, string> {
  if (!changedAt) return {};
  const tag = `"${sizeInBytes.toString(36)}-${changedAt.getTime().toString(36)}"`;
  return { ETag: tag, "Last-Modified": changedAt.toUTCString() };
}

/** By tag, or else by time (RFC 9110, sections 13.1.2 and 13.1.3). */
export function isUnchanged({ headers }: Request, answer: Headers): boolean {
  const tag = opaqueTag(answer.get("ETag"));
  const known = headers.get("If-None-Match")?.split(",").map(opaqueTag);
  if (known) return tag !== undefined && (known.includes(tag) || known.includes("*"));
  const changed = Date.parse(answer.get("Last-Modified") ?? "");
  return changed <= Date.parse(headers.get("If-Modified-Since") ?? "");
}

function opaqueTag(tag: string | null): string | undefined {
  return tag?.trim().replace(/^W\//, "");
}

/** The range is of another version, so only the whole helps (RFC 9110, section 13.1.5). */
function isOutdatedRange({ headers }: Request, answer: Headers): boolean {
  const version = headers.get("If-Range");
  if (version === null || !headers.has("Range")) return false;
  return version !== answer.get("ETag") && version !== answer.get("Last-Modified");
}

/** Reads the first bytes before the answer begins, so that an unreadable file gets its own answer. */
async function openBody(
  media: Media,
  part: ByteRange,
  { request, memberId, services }: Serving,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | "busy"> {
  const finish = services.mediaInFlight.begin(memberId);
  if (!finish) return "busy";
  // A visitor who has left reads no more, even if the body is never cancelled.
  request.signal.addEventListener("abort", finish, { once: true });
  const chunkBytes = media.maxRangeBytes ?? CHUNK_BYTES;
  const readFrom = (from: number) => media.read(from, Math.min(part.end, from + chunkBytes - 1));
  let at = part.start;
  let first: Uint8Array<ArrayBuffer> | undefined;
  try {
    first = await readFrom(at);
  } catch (error) {
    finish();
    throw error;
  }
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const bytes = first ?? (await readFrom(at));
          first = undefined;
          at += bytes.byteLength;
          controller.enqueue(bytes);
        } catch (error) {
          services.log.warn({ error }, "a file of the content could not be read to its end");
          finish();
          throw error;
        }
        if (at <= part.end) return;
        controller.close();
        finish();
      },
      cancel: finish,
    },
    { highWaterMark: 0 },
  );
}

/** Both ends included. */
export type ByteRange = { start: number; end: number };

/** RFC 9110, section 14.1.2; anything but a single range is answered whole, as the RFC allows. */
export function parseRange(header: string | null, size: number): ByteRange | "unsatisfiable" | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  return start > end || start >= size ? "unsatisfiable" : { start, end };
}

/** In pixels: `?w=400`; `undefined` for anything else. */
export function readWidth(text: string | null): number | undefined {
  return /^[1-9]\d{0,4}$/.test(text ?? "") ? Number(text) : undefined;
}
