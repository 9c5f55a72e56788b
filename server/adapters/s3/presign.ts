import { createHash, createHmac } from "node:crypto";

/** For an S3-compatible store; signatures name the region. */
export type S3Key = { accessKeyId: string; secretAccessKey: string; region: string };

/** `at`: the time of the signature, to the second. `forSeconds`: its validity, a week at most. */
type Signing = { method: "GET" | "HEAD" | "PUT"; at: Date; forSeconds: number; key: S3Key };

/**
 * Signs an address in its query: AWS Signature Version 4 over method, host and address, without the body
 * ("Authenticating Requests: Using Query Parameters", Amazon S3 API Reference). `address` has no query.
 */
export function presign(address: string, { method, at, forSeconds, key }: Signing): string {
  const { origin, host, pathname } = new URL(address);
  const path = pathname
    .split("/")
    .map((part) => encode(decodeURIComponent(part)))
    .join("/");
  const time = at.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const scope = `${day}/${key.region}/s3/aws4_request`;
  // In the order of their names, as the signature requires.
  const query = Object.entries({
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": `${key.accessKeyId}/${scope}`,
    "X-Amz-Date": time,
    "X-Amz-Expires": String(forSeconds),
    "X-Amz-SignedHeaders": "host",
  })
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join("&");
  const request = [method, path, query, `host:${host}`, "", "host", "UNSIGNED-PAYLOAD"].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", time, scope, createHash("sha256").update(request).digest("hex")].join("\n");
  const signingKey = [day, key.region, "s3", "aws4_request"].reduce(hmac, Buffer.from(`AWS4${key.secretAccessKey}`));
  return `${origin}${path}?${query}&X-Amz-Signature=${hmac(signingKey, toSign).toString("hex")}`;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** All but RFC 3986's unreserved characters; `encodeURIComponent` leaves a few more. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
