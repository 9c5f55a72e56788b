import type { Member } from "../../../server/members/accounts/accounts.ts";
import type { Access } from "../../../server/money/membership/membership.ts";
import type { ServedApi } from "../../../server/provider/served.ts";
import {
  type CallAnswer,
  type CallInput,
  type CallName,
  type calls,
  filePaths,
} from "../../../server/provider/wire.ts";
import { api as messages, forms, reset } from "../../../server/refusals.ts";
import type { Services } from "../../../server/services.ts";
import { tooMany, tooSoon } from "../../forms/messages.ts";
import { answerMedia } from "../machine/media/answer-media.ts";
import { countPages } from "../../../server/platform/count.ts";

/** A request with the key. `address`: the person's, as the caller gives it. */
export type Visit = { services: Services; api: ServedApi; request: Request; url: URL; site: string; address: string };

export type Asker = { member: Member; token: string };

/** `member`: where the call needs one. */
export type CallContext<Name extends CallName> = Visit & {
  input: CallInput<Name>;
} & ((typeof calls)[Name]["needs"] extends "key" ? unknown : Asker);

export type Handler<Name extends CallName> = (context: CallContext<Name>) => Promise<ApiAnswer<CallAnswer<Name>>>;

export type Handlers = { [Name in CallName]: Handler<Name> };

export type ApiAnswer<Body> = { ok: true; body: Body; headers?: Record<string, string> } | ApiRefusal;

/** `sentences`: as on pages. `code`: for programs. */
export type ApiRefusal = {
  ok: false;
  status: number;
  sentences: string[];
  code?: string;
  headers?: Record<string, string>;
};

export function answer<Body>(body: Body, headers?: Record<string, string>): ApiAnswer<Body> {
  return { ok: true, body, ...(headers && { headers }) };
}

export function refuse(status: number, ...sentences: string[]): ApiRefusal {
  return { ok: false, status, sentences };
}

/** As WordPress says how much there is. */
export function toTotals(total: number, size: number): Record<string, string> {
  return { "X-Total": String(total), "X-TotalPages": String(countPages(total, size)) };
}

/** An instant in UTC; null without a subscription. */
export function toSubscriptionEnd(access: Access): string | null {
  return (access.isActive && access.endsAt?.toISOString()) || null;
}

/** The wait is for people and programs. */
export function refuseWait({ waitInMs }: { waitInMs: number }, sentence = tooMany(waitInMs)): ApiRefusal {
  return { ok: false, sentences: [sentence], ...tooSoon(waitInMs) };
}

export function answerMessage(message: string) {
  return answer({ message, data: { status: 200 as const } });
}

/** Few such calls are answered, because something could be guessed. */
export function delicate<Name extends CallName>(handle: Handler<Name>): Handler<Name> {
  return async (context) => {
    const refusal = await context.api.limits.countDelicate();
    return refusal ? refuseWait(refusal) : handle(context);
  };
}

/** Another member's or no member's: the answer is the same. */
export const NOT_YOURS = messages["not-yours"];
export const LOG_IN = messages["not-logged-in"];
export const NO_SUBSCRIPTION = forms["no-subscription"];
export const FALLBACK = reset.fault;

/** No cache stores it. */
export function toResponse(result: ApiAnswer<unknown>): Response {
  const headers = { "Cache-Control": "no-store", ...result.headers };
  if (result.ok) return Response.json(result.body, { headers });
  const message = result.sentences.join(" ");
  const { status, code } = result;
  const body = {
    ...(code !== undefined && { code }),
    message,
    data: { message, status },
    ...(result.sentences.length > 1 && { errors: result.sentences }),
  };
  return Response.json(body, { status, headers });
}

/** A file by its path below `/api/`; `undefined` for any other path. */
export async function answerFile(
  visit: Visit,
  path: string,
  findAsker: (visit: Visit) => Promise<Asker | undefined>,
): Promise<Response | ApiRefusal | undefined> {
  const kind = path.startsWith(filePaths.media) ? "media" : path.startsWith(filePaths.avatar) ? "avatar" : undefined;
  if (!kind) return undefined;
  const { request, services } = visit;
  if (request.method !== "GET") return { ...refuse(405, messages.method("GET")), headers: { Allow: "GET" } };
  const asker = await findAsker(visit);
  if (!asker) return refuse(401, LOG_IN);
  const name = path.slice(filePaths[kind].length);
  if (kind === "avatar") return answerPicture(await services.avatars.find(asker.member.id, name));

  const access = await services.membership.findAccess(asker.member.id);
  if (!access.isActive) return refuse(403, NO_SUBSCRIPTION);
  const media = await services.catalogue.findMedia(name);
  if (!media) return refuse(404, messages["no-file"]);
  if (typeof media === "string") return refuse(503, messages["file-unavailable"]);
  const serving = { request, memberId: asker.member.id, services, cacheControl: "no-store" };
  const file = await answerMedia(media, serving);
  if (file !== "busy") return file;
  return { ...refuse(429, messages["too-many-files"]), headers: { "Retry-After": "10" } };
}

/** Callers only request their own member's picture, so a 404 reveals nothing. */
function answerPicture(picture: Uint8Array | undefined): Response | ApiRefusal {
  if (!picture) return refuse(404, messages["no-file"]);
  return new Response(new Uint8Array(picture), {
    headers: { "Content-Type": "image/webp", "Cache-Control": "no-store" },
  });
}
