import { after, HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import type { Bucket } from "../../content/catalogue/media-store.ts";
import type { Media } from "../../content/items/source.ts";
import { checkStore, explainRefusal } from "./check.ts";
import { createS3Client, type S3Options, type S3Setting, toObjectAddress, toObjectHeaders } from "./client.ts";
import { presign } from "./presign.ts";

/**
 * Addresses are signed for twelve hours from a time four hours apart, at least a quarter of an hour ago, which is S3's
 * tolerance. So each is valid for seven hours or more, a night with a paused film, and repeats for four.
 */
const SIGNED_FOR_MS = 12 * HOUR_IN_MS;
const SAME_FOR_MS = 4 * HOUR_IN_MS;
const CLOCKS_DIFFER_BY_MS = 15 * MINUTE_IN_MS;

/** A slower upload is given up. */
const SLOWEST_BYTES_PER_MS = 50;
/** S3's limit (`PutObject`). */
const MAX_PUT_BYTES = 5_000_000_000;
const CHUNK_BYTES = 262_144;

export function openS3(setting: S3Setting, options: S3Options): Bucket {
  const client = createS3Client(setting, options);
  const { url, store, key, isSigned, send } = client;
  return {
    origin: new URL(url).origin,
    hasKey: key !== undefined,

    toAddress(name) {
      const address = toObjectAddress(url, name);
      if (!key || !isSigned) return address;
      const latest = after(options.clock(), -CLOCKS_DIFFER_BY_MS).getTime();
      const at = new Date(latest - (latest % SAME_FOR_MS));
      return presign(address, { method: "GET", at, forSeconds: SIGNED_FOR_MS / SECOND_IN_MS, key });
    },

    async find(name) {
      const { ok, status, headers } = await send({ method: "HEAD", name, isPublic: !isSigned });
      if (ok) {
        const storedAt = new Date(headers.get("Last-Modified") ?? 0);
        return { sizeInBytes: Number(headers.get("Content-Length") ?? 0), storedAt };
      }
      // S3 answers 403 for a missing object to a key that may not list the bucket.
      if (status === 404 || status === 403) return undefined;
      throw new Error(`${new URL(url).host} answered with ${status}`);
    },

    async put(name, file) {
      const { contentType, sizeInBytes } = file;
      if (sizeInBytes > MAX_PUT_BYTES) throw new Error("it is larger than the 5 GB that a store takes at once");
      const response = await send({
        method: "PUT",
        name,
        headers: toObjectHeaders(contentType, sizeInBytes),
        body: toStream(file),
        limitInMs: 30 * SECOND_IN_MS + Math.ceil(sizeInBytes / SLOWEST_BYTES_PER_MS),
      });
      if (!response.ok) throw new Error(await explainRefusal(client, response, store));
      await response.body?.cancel();
    },

    check: () => checkStore(client),
  };
}

/** Holds one part in memory. */
function toStream(file: Media): ReadableStream<Uint8Array> {
  const { sizeInBytes, maxRangeBytes = CHUNK_BYTES } = file;
  let at = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const bytes = await file.read(at, Math.min(sizeInBytes, at + maxRangeBytes) - 1);
        at += bytes.byteLength;
        controller.enqueue(bytes);
        if (at >= sizeInBytes) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
