import { findUnavailability, levelOfFault } from "../../../server/platform/database/faults.ts";
import { parseJsonObject } from "../../../server/platform/text.ts";
import { type Call, type CallName, calls } from "../../../server/provider/wire.ts";
import { api as messages } from "../../../server/refusals.ts";
import { addressContext, requestSource } from "../../frame/context.ts";
import { unavailable } from "../../frame/middleware/faults.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import type { Route } from "./+types/api.ts";
import {
  answer,
  answerFile,
  type ApiAnswer,
  type Asker,
  FALLBACK,
  type Handlers,
  LOG_IN,
  NO_SUBSCRIPTION,
  NOT_YOURS,
  refuse,
  refuseWait,
  toResponse,
  type Visit,
} from "./answers.ts";
import * as content from "./content-calls.ts";
import { isUnchanged } from "../machine/media/answer-media.ts";
import * as orders from "./order-calls.ts";
import * as people from "./people-calls.ts";

/** 404 where the settings have no key, 401 for a request without it. */
async function answerApi({ request, url, params, context }: Route.LoaderArgs | Route.ActionArgs): Promise<Response> {
  const services = requireServices(context);
  const { api, log } = services;
  if (!api) return new Response(`${messages["nothing-here"]}\n`, { status: 404 });
  if (!api.isKey(request.headers.get("X-Api-Key"))) {
    log.warn({}, "a call without the key was refused");
    return toResponse(refuse(401, messages["no-key"]));
  }
  try {
    const tooMany = await api.limits.countCall();
    if (tooMany) return toResponse(refuseWait(tooMany));
    const { site } = requestSource(context, url);
    const address = api.chooseAddress(request.headers.get("X-Client-Address"), context.get(addressContext));
    return await answerCall({ services, api, request, url, site, address }, params["*"].replace(/\/$/, ""));
  } catch (error) {
    if (request.signal.aborted) throw error;
    log[levelOfFault(error)]({ error }, "a call of the API failed");
    const kind = findUnavailability(error);
    return toResponse(kind ? refuse(503, unavailable[kind].sentence) : refuse(500, FALLBACK));
  }
}

export const loader = answerApi;
export const action = answerApi;

const entries = Object.entries<Call>(calls) as [CallName, Call][];
const byPath = new Map(entries.map(([name, call]) => [call.path, { name, call }]));

async function answerCall(visit: Visit, path: string): Promise<Response> {
  const { method } = visit.request;
  if (path === "openapi.json") {
    if (method !== "GET") return toResponse(refuseMethod("GET"));
    return toResponse(answer(visit.api.describe(`${visit.site}api`)));
  }
  // Proxies write addresses to their logs.
  if (visit.url.searchParams.has("token")) return toResponse(refuse(400, messages["token-in-query"]));
  const file = await answerFile(visit, path, findAsker);
  if (file) return file instanceof Response ? file : toResponse(file);

  const found = byPath.get(path);
  if (!found) return toResponse(refuse(404, messages["no-call"]));
  if (method !== found.call.method) return toResponse(refuseMethod(found.call.method));
  const response = toResponse(await run(visit, found));
  if (!isUnchanged(visit.request, response.headers)) return response;
  response.headers.delete("Content-Type");
  return new Response(null, { status: 304, headers: response.headers });
}

async function run(visit: Visit, { name, call }: { name: CallName; call: Call }): Promise<ApiAnswer<unknown>> {
  const input = await readInput(visit, call);
  if (!input) return refuse(400, messages["no-object"]);
  const asker = call.needs === "key" ? undefined : await findAsker(visit, input.token);
  if (call.needs !== "key" && !asker) return refuse(401, LOG_IN);
  const parsed = call.in.safeParse(input);
  if (!parsed.success) {
    const sentences = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "input"}: ${message}`);
    return refuse(400, ...sentences.slice(0, MOST_SENTENCES));
  }
  const refusal = asker && (await refuseAsker(visit, { asker, call, input: parsed.data as Named }));
  if (refusal) return refusal;
  // The table of handlers is typed by call, and this name comes from the request.
  const handle = handlers[name] as (context: object) => Promise<ApiAnswer<unknown>>;
  return handle({ ...visit, ...asker, input: parsed.data });
}

const MOST_SENTENCES = 20;

type Named = { id?: number; customer_id?: number };

/** The member of a payload must be the token's. */
async function refuseAsker({ services }: Visit, { asker, call, input }: { asker: Asker; call: Call; input: Named }) {
  const named = [input.id, input.customer_id].filter((id) => id !== undefined);
  if (named.some((id) => id !== asker.member.id)) return refuse(403, NOT_YOURS);
  if (call.needs !== "active") return undefined;
  const { isActive } = await services.membership.findAccess(asker.member.id);
  return isActive ? undefined : refuse(403, NO_SUBSCRIPTION);
}

/** The query of a GET, else the JSON body; for the old reset service also the query, if the settings allow it. */
async function readInput({ request, url, api }: Visit, call: Call): Promise<Record<string, unknown> | undefined> {
  const query = Object.fromEntries(url.searchParams);
  if (call.method === "GET") return query;
  // The HTTP server answers a body that is too large; here it is only unreadable.
  const text = await request.text().catch(() => "unreadable");
  const body = text.trim() === "" ? {} : parseJsonObject(text);
  const takesQuery = call.path.startsWith("bdpwr/") && api.takesQueryCredentials;
  return body && takesQuery ? { ...query, ...body } : body;
}

/** From `Authorization`, with or without `Bearer`; some clients send it in the body. */
export async function findAsker({ request, services }: Visit, inBody?: unknown): Promise<Asker | undefined> {
  const header = request.headers.get("Authorization")?.replace(/^Bearer\s+/i, "");
  const token = header || (typeof inBody === "string" ? inBody : "");
  if (token === "") return undefined;
  const session = await services.sessions.find(token);
  const member = session && (await services.accounts.findMember(session.memberId));
  return member && { member, token };
}

function refuseMethod(allowed: string): ApiAnswer<never> {
  return { ...refuse(405, messages.method(allowed)), headers: { Allow: allowed } };
}

/** A call without a handler does not compile. */
const handlers: Handlers = { ...people, ...orders, ...content, ...content.listCalls };
