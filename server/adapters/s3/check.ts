import { readBounded } from "../../platform/bounded-answer.ts";
import { MINUTE_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import { errorText } from "../../platform/faults.ts";
import type { PartCheck } from "../../platform/part-check.ts";
import { type S3Client, toObjectHeaders } from "./client.ts";

const CHECK_KEY = "dormouse-check.txt";
const CHECK_TEXT = "Dormouse has its media here.\n";
const LIMIT_IN_MS = 10 * SECOND_IN_MS;
/** S3 refuses signatures a quarter of an hour away from its own clock. */
const MAX_SKEW_IN_MS = 5 * MINUTE_IN_MS;
const MAX_ERROR_BYTES = 64_000;

const WHILE_AWAY = "Meanwhile this server sends the files itself.";
const OPEN_TO_ALL = "Its addresses aren't signed, so anyone who has an address can read that file.";

/** Writes an object and reads it as browsers do; without a key it only reads. */
export async function checkStore(client: S3Client): Promise<PartCheck> {
  try {
    return await (client.key ? checkWithKey(client) : checkWithoutKey(client));
  } catch (error) {
    return wrong(`${errorText(error)}. ${WHILE_AWAY}`);
  }
}

async function checkWithKey(client: S3Client): Promise<PartCheck> {
  const { send, store, url, isSigned } = client;
  const headers = toObjectHeaders("text/plain; charset=utf-8", CHECK_TEXT.length);
  const object = { name: CHECK_KEY, limitInMs: LIMIT_IN_MS };
  const written = await send({ ...object, method: "PUT", headers, body: new Blob([CHECK_TEXT]).stream() });
  if (!written.ok) return wrong(await explainRefusal(client, written, store));
  await written.body?.cancel();
  const skew = skewText(client, written);
  if (skew) return wrong(`${new URL(store).host}: ${skew}`);

  const read = await send({ ...object, method: "GET", isPublic: !isSigned });
  if (!read.ok) return wrong(await explainRefusal(client, read, url));
  const { host } = new URL(url);
  if ((await readText(read)) !== CHECK_TEXT)
    return wrong(
      `${host} returns a different ${CHECK_KEY} from the one we wrote. Does the CDN lead to the bucket at S3_URL?`,
    );
  if (!isSigned) return note(`${host} has what was written to the bucket. ${OPEN_TO_ALL}`);
  const stranger = await send({ ...object, method: "GET", isPublic: true });
  await stranger.body?.cancel();
  return stranger.ok
    ? wrong(
        `${host} answers without a signature, so anyone who guesses an address can read a file. Make the bucket private.`,
      )
    : { isWell: true, message: `${host}: an object was written, and read by its signed address alone.` };
}

async function checkWithoutKey({ send, url }: S3Client): Promise<PartCheck> {
  const { host } = new URL(url);
  const read = await send({ method: "GET", name: CHECK_KEY, limitInMs: LIMIT_IN_MS });
  await read.body?.cancel();
  if (read.ok) return note(`${host} answers. ${OPEN_TO_ALL}`);
  if (read.status >= 500) return wrong(`${host} answered with ${read.status}. ${WHILE_AWAY}`);
  const missing = `${host} answers, but has no ${CHECK_KEY} (${read.status})`;
  return note(`${missing}: send the files from where S3_ACCESS_KEY_ID is set. ${OPEN_TO_ALL}`);
}

function wrong(message: string): PartCheck {
  return { isWell: false, message };
}

function note(message: string): PartCheck {
  return { isWell: true, isNote: true, message };
}

/** With the remedy, in one line ("Error responses", Amazon S3 API Reference). */
export async function explainRefusal(client: S3Client, response: Response, address: string): Promise<string> {
  const { status, headers } = response;
  const text = await readText(response).catch(() => "");
  const find = (tag: string) => new RegExp(`<${tag}>([^<]{1,200})</${tag}>`).exec(text)?.[1] ?? "";
  const code = find("Code");
  const region = headers.get("x-amz-bucket-region") ?? find("Region");
  const setting = address === client.bucketUrl ? "S3_URL" : "MEDIA_URL";
  const todo =
    skewText(client, response) ??
    regionText(client, region) ??
    todos.find(([known]) => known.test(`${status} ${code}`))?.[1](setting) ??
    `is ${setting} the address of the bucket? ${find("Message")}`;
  return `${new URL(address).host} answered with ${status}${code && ` ${code}`}: ${todo.trim()}`;
}

const todos: [known: RegExp, todo: (setting: string) => string][] = [
  [/ NoSuchBucket$/, (setting) => `there is no such bucket, so ${setting} is wrong.`],
  [/ InvalidAccessKeyId$/, () => "it does not know S3_ACCESS_KEY_ID."],
  [/ SignatureDoesNotMatch$/, () => "S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY do not belong together."],
  [
    /^3|Redirect$| Authorization(?:Header|Query)/,
    (setting) => `the bucket is elsewhere, so ${setting} or S3_REGION is wrong.`,
  ],
  [/^403/, () => "the key may not do it. Allow it s3:PutObject and s3:GetObject on this bucket."],
];

function regionText({ key }: S3Client, region: string): string | undefined {
  return region && key && region !== key.region
    ? `the bucket is in the region ${region}, so set S3_REGION=${region}.`
    : undefined;
}

/** Where this machine's clock is wrong, which only some stores refuse. */
function skewText({ clock }: S3Client, { headers }: Response): string | undefined {
  const skewInMs = clock().getTime() - Date.parse(headers.get("Date") ?? "");
  if (!(Math.abs(skewInMs) > MAX_SKEW_IN_MS)) return undefined;
  const minutes = Math.round(Math.abs(skewInMs) / MINUTE_IN_MS);
  const off = `${minutes} minutes ${skewInMs > 0 ? "ahead of" : "behind"} the store's`;
  return `the clock of this machine is ${off}: set it by a time server.`;
}

async function readText(response: Response): Promise<string> {
  const bytes = await readBounded(response, { maxBytes: MAX_ERROR_BYTES, tooLong });
  return Buffer.from(bytes).toString("utf8");
}

function tooLong(): Error {
  return new Error("the answer is too long");
}
