import { type ActionFunctionArgs, data } from "react-router";

import { toFormResult } from "../../../../forms/answer.ts";
import { tooMany, tooSoon } from "../../../../forms/messages.ts";
import { readSwitch } from "../../../../forms/intents.ts";
import { readText } from "../../../../forms/read-text.ts";
import { requireSender, requireServices } from "../../../../frame/middleware/guards.ts";
import { readKnown, writeKnown } from "../undo.ts";
import type { AccountAnswer } from "./account-answer.ts";
import { showFlash } from "./show-flash.ts";

/* Where a member stopped: remembered or not, forgotten, brought back. */

/** Sets the wanted state: a repeat changes nothing. */
export async function switchPositions(form: FormData, args: ActionFunctionArgs) {
  const { id: memberId } = requireSender(args, { form });
  const isOn = readSwitch(form);
  await requireServices(args.context).positions.switchTo(memberId, isOn);
  return showFlash(isOn ? "positions-on" : "positions-off", args);
}

export async function forgetPositions(form: FormData, args: ActionFunctionArgs) {
  const { id: memberId } = requireSender(args, { form });
  const undo = writeKnown(await requireServices(args.context).positions.forgetAll(memberId));
  if (undo === "") return showFlash("positions-forgotten", args);
  // No redirect, also without script: what it restores is too long for an address.
  return data<AccountAnswer>({ flash: "positions-forgotten", undo });
}

export async function restorePositions(form: FormData, args: ActionFunctionArgs) {
  const { id: memberId } = requireSender(args, { form });
  const { catalogue, clock, positions } = requireServices(args.context);
  const undo = readText(form, "undo");
  const result = await positions.restoreAll(memberId, readKnown(undo, { catalogue, now: clock() }));
  if (!result.ok) {
    const refusal = toFormResult(tooMany(result.waitInMs));
    return data<AccountAnswer>({ form: "positions-switch", result: refusal, undo }, tooSoon(result.waitInMs));
  }
  return showFlash(result.isOn ? "positions-restored" : "positions-off", args);
}
