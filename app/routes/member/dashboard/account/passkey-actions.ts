import { type ActionFunctionArgs, data } from "react-router";
import { z } from "zod";

import type { Flash } from "./flash-messages.ts";
import { forms, passkeys as table, profile } from "../../../../../server/refusals.ts";
import { refuse, toFormResult } from "../../../../forms/answer.ts";
import { refuseTooMany } from "../../../../forms/messages.ts";
import { parseForm } from "../../../../forms/parse-form.ts";
import { memberChallenge } from "../../../../forms/passkey-challenge.ts";
import { readSwitch } from "../../../../forms/intents.ts";
import { readText } from "../../../../forms/read-text.ts";
import { callerContext, readBrowser, requestSource } from "../../../../frame/context.ts";
import { requireSender, requireServices } from "../../../../frame/middleware/guards.ts";
import { showFlash } from "./show-flash.ts";

/* A member's passkeys: each change needs the password or a passkey again. */

function requirePasskeys(form: FormData, args: ActionFunctionArgs) {
  const { id: memberId } = requireSender(args, { form });
  const { capabilities, memberPasskeys, passwordSwitch } = requireServices(args.context);
  if (!capabilities.canLogInWithoutPassword) throw data(forms["no-such-form"], { status: 400 });
  const { token = "" } = args.context.get(callerContext);
  return { memberPasskeys, passwordSwitch, own: { memberId, token }, ...requestSource(args.context, args.url) };
}

const proof = z.object({ passkeyPassword: z.string().default("") });

export async function proveByPassword(form: FormData, args: ActionFunctionArgs) {
  const { memberPasskeys, own, address } = requirePasskeys(form, args);
  const submission = parseForm(form, proof, ["passkeyPassword"]);
  if (!submission.ok) return refuse("passkey-proof", submission.reply());
  const result = await memberPasskeys.prove({ ...own, address, password: submission.value.passkeyPassword });
  if (result.ok) return showFlash("passkey-proved", args);
  if (result.reason === "too-many-attempts") return refuseTooMany("passkey-proof", result, submission.reply);
  const fieldErrors = { passkeyPassword: [profile["password-wrong"]] };
  return refuse("passkey-proof", submission.reply({ fieldErrors }));
}

/** By the row that asks for it. */
const provedFlashes = new Map<string, Flash>([
  ["open", "proved-for-email"],
  ["close", "proved-for-closing"],
]);

export async function proveByPasskey(form: FormData, args: ActionFunctionArgs) {
  const { memberPasskeys, own, address } = requirePasskeys(form, args);
  const result = await memberPasskeys.prove({ ...own, address, ...memberChallenge.read("proof", form, args) });
  if (result.ok) return showFlash(provedFlashes.get(readText(form, "row")) ?? "passkey-proved", args);
  if (result.reason === "too-many-attempts") return refuseTooMany("passkey-proof", result);
  return refuse("passkey-proof", toFormResult(table.refused));
}

export async function addPasskey(form: FormData, args: ActionFunctionArgs) {
  const { memberPasskeys, own, site } = requirePasskeys(form, args);
  const answer = memberChallenge.read("adding", form, args);
  const { userAgent } = readBrowser(args.request, args.context);
  const result = await memberPasskeys.add({ ...own, answer, userAgent, site });
  return result === "added" ? showFlash("passkey-added", args) : refuse("passkey-add", toFormResult(table[result]));
}

export async function removePasskey(form: FormData, args: ActionFunctionArgs) {
  const { memberPasskeys, own, site } = requirePasskeys(form, args);
  const endsSessions = readText(form, "endsSessions") !== "";
  const result = await memberPasskeys.remove({ ...own, id: readText(form, "passkey"), endsSessions, site });
  if (result === "not-fresh" || result === "too-few") return refuse("passkey-add", toFormResult(table[result]));
  // Another tab may have removed it: the list shows that it is gone.
  return showFlash("passkey-removed", args);
}

/** Sets the wanted state: a repeat changes nothing. */
export async function switchPassword(form: FormData, args: ActionFunctionArgs) {
  const { passwordSwitch, own, site } = requirePasskeys(form, args);
  const isOn = readSwitch(form);
  const result = await passwordSwitch.switchTo({ ...own, isOn, site });
  if (result === "switched") return showFlash(isOn ? "password-on" : "password-off", args);
  const sentence = table[result === "too-few" ? "too-few-to-switch" : result];
  return refuse("passkey-add", toFormResult(sentence));
}

/** The landing offers no passkey any more. */
export async function declinePasskey(form: FormData, args: ActionFunctionArgs) {
  const { memberPasskeys, own } = requirePasskeys(form, args);
  await memberPasskeys.endOffer(own.memberId);
  return showFlash("passkey-declined", args);
}
