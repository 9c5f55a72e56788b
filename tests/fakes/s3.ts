import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

import { parseRange } from "../../app/routes/machine/media/answer-media.ts";
import { listen, type Loopback } from "../helpers/loopback.ts";

/** An S3-compatible store with one private bucket. It verifies each signature by its own reading of Amazon's rules. */
export type FakeS3 = Loopback & {
  bucket: string;
  objects: Map<string, { bytes: Buffer; contentType: string; cacheControl: string; storedAt: Date }>;
  /** The method, path and status of each answered request. */
  seen: string[];
  manner: S3Manner;
};

export type S3Manner = {
  /** Reading needs no signature. */
  isPublic?: boolean;
  /** Closes each connection, answers 503, or never answers. */
  trouble?: "resets" | "unavailable" | "silent" | undefined;
  isReadOnly?: boolean;
  now?: () => Date;
};

export const s3Key = { accessKeyId: "DORMOUSEEXAMPLE", secretAccessKey: "not/a+real=secret", region: "eu-west-2" };

const BUCKET = "media";

export async function openFakeS3(manner: S3Manner = {}): Promise<FakeS3> {
  const objects: FakeS3["objects"] = new Map();
  const seen: string[] = [];
  const fake = { objects, seen, manner };
  const server = createServer((request, response) => {
    const { trouble } = fake.manner;
    if (trouble === "silent") return;
    if (trouble === "resets") return void request.socket.destroy();
    response.on("finish", () => seen.push(`${request.method} ${request.url?.split("?")[0]} ${response.statusCode}`));
    void answer(fake, request, response);
  });
  const loopback = await listen(server);
  return Object.assign(fake, loopback, { bucket: `${loopback.url}/${BUCKET}` });
}

type Fake = Pick<FakeS3, "objects" | "manner">;

async function answer({ objects, manner }: Fake, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const { method = "", headers, url = "" } = request;
  const now = manner.now?.() ?? new Date();
  response.setHeader("Date", now.toUTCString());
  const refuse = (status: number, code: string, more = "") => {
    response.writeHead(status, { "Content-Type": "application/xml" });
    response.end(method === "HEAD" ? undefined : `<?xml version="1.0"?><Error><Code>${code}</Code>${more}</Error>`);
  };
  if (manner.trouble === "unavailable") return refuse(503, "SlowDown");
  const [path = "", query = ""] = url.split("?");
  const fault = query === "" ? undefined : findFault({ method, path, query, host: headers.host ?? "", now });
  if (fault) return refuse(...fault);
  const [, bucket, key = ""] = path.split("/");
  if (bucket !== BUCKET) return refuse(404, "NoSuchBucket");
  const isRead = method === "GET" || method === "HEAD";
  if (query === "" && !(isRead && manner.isPublic)) return refuse(403, "AccessDenied");
  if (method === "PUT") {
    if (manner.isReadOnly) return refuse(403, "AccessDenied");
    // Amazon's own: a body in chunks has no length.
    if (headers["content-length"] === undefined) return refuse(411, "MissingContentLength");
    objects.set(key, {
      bytes: body,
      contentType: headers["content-type"] ?? "binary/octet-stream",
      cacheControl: headers["cache-control"] ?? "",
      storedAt: now,
    });
    return void response.writeHead(200).end();
  }
  const object = objects.get(key);
  if (!isRead) return refuse(405, "MethodNotAllowed");
  if (!object) return refuse(404, "NoSuchKey");
  const range = parseRange(headers.range ?? null, object.bytes.length);
  if (range === "unsatisfiable") return refuse(416, "InvalidRange");
  const { start, end } = range ?? { start: 0, end: object.bytes.length - 1 };
  response.writeHead(range ? 206 : 200, {
    "Accept-Ranges": "bytes",
    "Cache-Control": object.cacheControl,
    "Content-Type": object.contentType,
    "Content-Length": end - start + 1,
    "Last-Modified": object.storedAt.toUTCString(),
    ETag: `"${createHash("md5").update(object.bytes).digest("hex")}"`,
    ...(range && { "Content-Range": `bytes ${start}-${end}/${object.bytes.length}` }),
  });
  response.end(method === "HEAD" ? undefined : object.bytes.subarray(start, end + 1));
}

type Signed = { method: string; path: string; query: string; host: string; now: Date };
type Refusal = [status: number, code: string, more?: string];

const MAX_SKEW_IN_MS = 15 * 60_000;
const WEEK_IN_S = 604_800;

/** S3's code for a refused request; `undefined` for a valid one. */
function findFault({ method, path, query, host, now }: Signed): Refusal | undefined {
  const given = new URLSearchParams(query);
  const [id, day, region, ...rest] = (given.get("X-Amz-Credential") ?? "").split("/");
  if (given.get("X-Amz-Algorithm") !== "AWS4-HMAC-SHA256" || rest.join("/") !== "s3/aws4_request")
    return [400, "AuthorizationQueryParametersError"];
  if (id !== s3Key.accessKeyId) return [403, "InvalidAccessKeyId"];
  if (region !== s3Key.region) return [400, "AuthorizationQueryParametersError", `<Region>${s3Key.region}</Region>`];
  const time = given.get("X-Amz-Date") ?? "";
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time) ?? [];
  const at = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
  const seconds = Number(given.get("X-Amz-Expires"));
  if (!(seconds >= 1 && seconds <= WEEK_IN_S) || !time.startsWith(day ?? "-"))
    return [400, "AuthorizationQueryParametersError"];
  if (!(at <= now.getTime() + MAX_SKEW_IN_MS))
    return [403, "AccessDenied", "<Message>Request is not yet valid</Message>"];
  if (now.getTime() > at + seconds * 1000) return [403, "AccessDenied", "<Message>Request has expired</Message>"];

  const signature = given.get("X-Amz-Signature") ?? "";
  const signed = query
    .split("&")
    .filter((part) => !part.startsWith("X-Amz-Signature="))
    .toSorted()
    .join("&");
  const canonical = `${method}\n${path}\n${signed}\nhost:${host}\n\nhost\nUNSIGNED-PAYLOAD`;
  const text = `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/s3/aws4_request\n${createHash("sha256").update(canonical).digest("hex")}`;
  let key: Buffer | string = `AWS4${s3Key.secretAccessKey}`;
  for (const word of [day ?? "", region, "s3", "aws4_request"]) key = createHmac("sha256", key).update(word).digest();
  const right = createHmac("sha256", key).update(text).digest();
  const own = Buffer.from(signature, "hex");
  return own.length === right.length && timingSafeEqual(own, right) ? undefined : [403, "SignatureDoesNotMatch"];
}
