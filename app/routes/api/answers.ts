import { api, forms, reset } from "../../../server/refusals.ts";
import { tooMany, tooSoon } from "../../forms/wait-text.ts";

/** What a call is answered with. */
export type ApiAnswer<Body> = { ok: true; body: Body; headers?: Record<string, string> } | ApiRefusal;

/** `sentences`: why not, in the words of the pages. */
export type ApiRefusal = { ok: false; status: number; sentences: string[]; headers?: Record<string, string> };

export function answer<Body>(body: Body, headers?: Record<string, string>): ApiAnswer<Body> {
  return { ok: true, body, ...(headers && { headers }) };
}

export function refuse(status: number, ...sentences: string[]): ApiRefusal {
  return { ok: false, status, sentences };
}

/** Too often: with how long to wait, for people and for programs. */
export function refuseWait({ waitInMs }: { waitInMs: number }, sentence = tooMany(waitInMs)): ApiRefusal {
  return { ok: false, sentences: [sentence], ...tooSoon(waitInMs) };
}

export function sayDone(message: string) {
  return answer({ message, data: { status: 200 as const } });
}

/** Another member's, or nobody's: who asks is not told which. */
export const NOT_YOURS = api.ours["not-yours"];
export const LOG_IN = api.ours["not-logged-in"];
export const NO_SUBSCRIPTION = forms.ours["no-subscription"];
/** What is said when nothing better is known. */
export const FALLBACK = reset.spec.fault;

/** The answer as it goes out: nothing of it is kept by anybody in between. */
export function toResponse(result: ApiAnswer<unknown>): Response {
  const headers = { "Cache-Control": "no-store", ...result.headers };
  if (result.ok) return Response.json(result.body, { headers });
  const message = result.sentences.join(" ");
  const { status } = result;
  const body = { message, data: { message, status }, ...(result.sentences.length > 1 && { errors: result.sentences }) };
  return Response.json(body, { status, headers });
}
