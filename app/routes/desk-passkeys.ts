import type { ActionFunctionArgs } from "react-router";

import { desk as table } from "../../server/refusals.ts";
import { browserOf, requestSource } from "../context.ts";
import { runIntent } from "../forms/intents.ts";
import { tooMany, tooSoon } from "../forms/messages.ts";
import { textOf } from "../forms/text-of.ts";
import { requireServices } from "../middleware/guards.ts";
import type { Route } from "./+types/desk-passkeys.ts";
import { challengeCookie, deskSessionCookie } from "./desk/cookies.ts";
import { operatorMiddleware, requireOperator } from "./desk/operator.ts";

/** What script sends about passkeys, and gets JSON for. Only a browser that has the desk's door key reaches it. */
export const middleware = [operatorMiddleware];

export const action = (args: Route.ActionArgs) =>
  runIntent(args, { "begin-log-in": beginLogIn, "log-in": logIn, "begin-adding": beginAdding, add });

const siteOf = (url: URL) => ({ host: url.hostname, origin: url.origin });

/** The options for the browser; their challenge comes back sealed, so that the server keeps nothing. */
function answerOptions(options: { challenge: string }, { context, url }: ActionFunctionArgs): Response {
  const { challenge } = options;
  const cookie = challengeCookie.write({ challenge }, { url, services: requireServices(context) });
  return Response.json({ options }, { headers: cookie ? { "Set-Cookie": cookie } : {} });
}

function refuse(problem: string, init: ResponseInit = { status: 400 }): Response {
  return Response.json({ problem }, init);
}

async function beginLogIn(_: FormData, args: ActionFunctionArgs) {
  const { options } = await requireServices(args.context).operators.beginPasskeyLogIn(siteOf(args.url));
  return answerOptions(options, args);
}

async function logIn(form: FormData, args: ActionFunctionArgs) {
  const { request, context, url } = args;
  const services = requireServices(context);
  const challenge = challengeCookie.read(request, { url, services })?.challenge;
  if (challenge === undefined) return refuse(table.ours["passkey-refused"]);
  const { address } = requestSource(context, url);
  const { userAgent } = browserOf(request, context);
  const answer = { ...siteOf(url), challenge, response: textOf(form, "response"), address, userAgent };
  const result = await services.operators.logInByPasskey(answer);
  if (result.ok) return Response.json({}, { headers: { "Set-Cookie": deskSessionCookie(url, result.session) } });
  if (result.reason === "too-many-attempts") return refuse(tooMany(result.waitInMs), tooSoon(result.waitInMs));
  return refuse(table.ours["passkey-refused"]);
}

async function beginAdding(_: FormData, args: ActionFunctionArgs) {
  const { operator } = requireOperator(args.context);
  const { options } = await requireServices(args.context).operators.beginPasskey(operator, siteOf(args.url));
  return answerOptions(options, args);
}

async function add(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const { operator } = requireOperator(context);
  const services = requireServices(context);
  const challenge = challengeCookie.read(request, { url, services })?.challenge;
  const answer = { ...siteOf(url), challenge: challenge ?? "", response: textOf(form, "response") };
  const isAdded =
    challenge !== undefined &&
    (await services.operators.addPasskey(operator, { ...answer, name: textOf(form, "name") }));
  return isAdded ? Response.json({}) : refuse(table.ours["passkey-refused"]);
}
