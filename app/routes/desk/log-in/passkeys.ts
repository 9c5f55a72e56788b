import { type ActionFunctionArgs, data } from "react-router";

import { desk as table } from "../../../../server/refusals.ts";
import { readBrowser, requestSource } from "../../../frame/context.ts";
import { runIntent } from "../../../forms/intents.ts";
import { tooMany, tooSoon } from "../../../forms/messages.ts";
import { createPasskeyChallenge, toPasskeySite } from "../../../forms/passkey-challenge.ts";
import { readText } from "../../../forms/read-text.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import type { Route } from "./+types/passkeys.ts";
import { deskSession } from "../cookies.ts";
import { requireOperator } from "../operator.ts";

/* Script sends forms about passkeys here, and gets JSON. */

/** Without a loader here, a data request would get the layout's. */
export function loader() {
  throw data(null, { status: 404 });
}

export const action = (args: Route.ActionArgs) =>
  runIntent(args, { "begin-log-in": beginLogIn, "log-in": logIn, "begin-adding": beginAdding, add });

const challenges = createPasskeyChallenge<"log-in" | "add">("desk-passkey");

function refuse(problem: string, init: ResponseInit = { status: 400 }): Response {
  return Response.json({ problem }, init);
}

async function beginLogIn(_: FormData, args: ActionFunctionArgs) {
  const { options } = await requireServices(args.context).operators.beginPasskeyLogIn(toPasskeySite(args.url));
  return challenges.answer("log-in", options, args);
}

async function logIn(form: FormData, args: ActionFunctionArgs) {
  const { request, context, url } = args;
  const services = requireServices(context);
  const answer = challenges.read("log-in", form, args);
  if (answer.challenge === "") return refuse(table["passkey-refused"]);
  const { address } = requestSource(context, url);
  const { userAgent } = readBrowser(request, context);
  const result = await services.operators.logInByPasskey({ ...answer, address, userAgent });
  if (result.ok) return Response.json({}, { headers: { "Set-Cookie": deskSession.write(url, result.session.token) } });
  if (result.reason === "too-many-attempts") return refuse(tooMany(result.waitInMs), tooSoon(result.waitInMs));
  return refuse(table["passkey-refused"]);
}

async function beginAdding(form: FormData, args: ActionFunctionArgs) {
  const { context, url } = args;
  const { operator } = requireOperator(context);
  const { operators } = requireServices(context);
  const { address } = requestSource(context, url);
  const proof = await operators.provePassword({ operator, password: readText(form, "password"), address });
  if (!proof.ok && proof.reason === "too-many-attempts")
    return refuse(tooMany(proof.waitInMs), tooSoon(proof.waitInMs));
  if (!proof.ok) return refuse(table["password-wrong"]);
  const { options } = await operators.beginPasskey(operator, toPasskeySite(url));
  return challenges.answer("add", options, args);
}

async function add(form: FormData, args: ActionFunctionArgs) {
  const { context } = args;
  const { operator } = requireOperator(context);
  const answer = challenges.read("add", form, args);
  const isAdded =
    answer.challenge !== "" &&
    (await requireServices(context).operators.addPasskey(operator, { ...answer, name: readText(form, "name") }));
  return isAdded ? Response.json({}) : refuse(table["passkey-refused"]);
}
