import { type ActionFunctionArgs, data } from "react-router";

import { forms, passkeys as table } from "../../../server/refusals.ts";
import { memberChallenge, toPasskeySite } from "../../forms/passkey-challenge.ts";
import { runIntent } from "../../forms/intents.ts";
import { callerContext } from "../../frame/context.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import type { Route } from "./+types/passkeys.ts";

/* Script asks here for the options of a passkey, as JSON. Its answer then comes with a form of the page. Script also says that it has shown the offer. */

/** Without a loader here, a data request would get that of the layout. */
export function loader() {
  throw data(null, { status: 404 });
}

export function action(args: Route.ActionArgs) {
  if (!requireServices(args.context).capabilities.canLogInWithoutPassword)
    throw data(forms["no-such-form"], { status: 400 });
  return runIntent(args, {
    "begin-log-in": beginLogIn,
    "begin-proof": beginProof,
    "begin-adding": beginAdding,
    "offer-shown": endOffer,
  });
}

async function beginLogIn(_: FormData, args: ActionFunctionArgs) {
  const { options } = await requireServices(args.context).memberPasskeys.beginLogIn(toPasskeySite(args.url));
  return memberChallenge.answer("log-in", options, args);
}

async function beginProof(_: FormData, args: ActionFunctionArgs) {
  const { options } = await requireServices(args.context).memberPasskeys.beginLogIn(toPasskeySite(args.url));
  return memberChallenge.answer("proof", options, args);
}

async function beginAdding(_: FormData, args: ActionFunctionArgs) {
  const { member, token = "" } = args.context.get(callerContext);
  const { memberPasskeys } = requireServices(args.context);
  const begun = member && (await memberPasskeys.beginAdding({ memberId: member.id, token }, toPasskeySite(args.url)));
  if (!begun) return Response.json({ problem: table["not-fresh"] }, { status: 403 });
  return memberChallenge.answer("adding", begun.options, args);
}

/** A device without a screen lock shows none, and the next may. */
async function endOffer(_: FormData, { context }: ActionFunctionArgs) {
  const { member } = context.get(callerContext);
  if (member) await requireServices(context).memberPasskeys.endOffer(member.id);
  return Response.json({});
}
