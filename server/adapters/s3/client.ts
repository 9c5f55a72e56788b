import { type Clock, SECOND_IN_MS } from "../../platform/clock.ts";
import { errorText } from "../../platform/faults.ts";
import { presign, type S3Key } from "./presign.ts";

/**
 * `url`: browsers fetch from it, a bucket or a CDN. `bucketUrl`: the bucket behind a CDN. `key`: for the bucket;
 * without one nothing is signed or sent.
 */
export type S3Setting = { url: string; bucketUrl: string | undefined; key: S3Key | undefined };

export type S3Options = { clock: Clock; timeOut?: ((ms: number) => AbortSignal) | undefined };

export type S3Client = S3Setting & {
  clock: Clock;
  store: string;
  isSigned: boolean;
  /** @throws, in words without the address, when there is no timely answer. */
  send: (request: S3Request) => Promise<Response>;
};

type S3Request = {
  method: "GET" | "HEAD" | "PUT";
  name: string;
  /** At `url` without a signature, as browsers fetch; otherwise the bucket, with our key. */
  isPublic?: boolean;
  limitInMs?: number;
  headers?: Record<string, string>;
  body?: ReadableStream;
};

/** A page's pictures wait meanwhile. */
const ANSWER_LIMIT_IN_MS = 2 * SECOND_IN_MS;
const SIGNED_FOR_SECONDS = 3600;

export function createS3Client(
  { url, bucketUrl, key }: S3Setting,
  { clock, timeOut = (ms) => AbortSignal.timeout(ms) }: S3Options,
): S3Client {
  const store = bucketUrl ?? url;

  async function send({ method, name, isPublic, limitInMs = ANSWER_LIMIT_IN_MS, headers, body }: S3Request) {
    const address = toObjectAddress(isPublic ? url : store, name);
    const signing = key && !isPublic && { method, at: clock(), forSeconds: SIGNED_FOR_SECONDS, key };
    // Node streams it. A stream with a known length is not sent in chunks, which S3 refuses.
    const stream = body && { body, duplex: "half" };
    try {
      return await fetch(signing ? presign(address, signing) : address, {
        method,
        redirect: "manual",
        signal: timeOut(limitInMs),
        ...(headers && { headers }),
        ...stream,
      });
    } catch (error) {
      const reason = errorText(error instanceof Error && error.cause ? error.cause : error);
      throw new Error(`${new URL(address).host} does not answer: ${reason}`, { cause: error });
    }
  }

  return { url, bucketUrl, key, clock, store, isSigned: key !== undefined && bucketUrl === undefined, send };
}

export function toObjectAddress(base: string, name: string): string {
  return `${base.replace(/\/$/, "")}/${name}`;
}

const CACHE_CONTROL = "max-age=86400";

export function toObjectHeaders(contentType: string, sizeInBytes: number): Record<string, string> {
  return { "Content-Type": contentType, "Content-Length": String(sizeInBytes), "Cache-Control": CACHE_CONTROL };
}
