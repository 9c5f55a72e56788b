import { redirect, type ActionFunctionArgs } from "react-router";

import type { Closure } from "../../../server/accounts/closure.ts";
import type { Profile } from "../../../server/accounts/profile.ts";
import { textOf } from "../../forms/text-of.ts";
import { requireRooms } from "../../middleware/guards.ts";
import type { Outcome } from "./outcomes.ts";
import { linkPath, outcomePath } from "./paths.ts";
import { goOn } from "./reset-progress.ts";

/** The buttons behind letters' links. One that is over leads back to its page, which says so. */

/** On to the new password, on whatever device the letter is read. */
export async function openReset(form: FormData, args: ActionFunctionArgs) {
  const token = textOf(form, "token");
  const grant = await requireRooms(args.context).passwordReset.useLink(token);
  return grant === undefined ? redirect(linkPath("reset", token), 303) : goOn({ grant }, 3, args);
}

export async function confirmEmail(form: FormData, { context }: ActionFunctionArgs) {
  const token = textOf(form, "token");
  const result = await requireRooms(context).profile.confirmEmailByLink(token);
  return redirect(result === "over" ? linkPath("confirm", token) : outcomePath(confirmed[result]), 303);
}

export async function undoEmail(form: FormData, { context }: ActionFunctionArgs) {
  const token = textOf(form, "token");
  const result = await requireRooms(context).profile.undoEmail(token);
  return redirect(result === "over" ? linkPath("undo", token) : outcomePath(undone[result]), 303);
}

export async function reopen(form: FormData, { context }: ActionFunctionArgs) {
  const token = textOf(form, "token");
  const result = await requireRooms(context).closure.reopen(token);
  return redirect(result === "over" ? linkPath("reopen", token) : outcomePath(reopened[result]), 303);
}

/** Where every other result of a room's function leads. */
type Outcomes<Ask extends (token: string) => Promise<string>> = Record<
  Exclude<Awaited<ReturnType<Ask>>, "over">,
  Outcome
>;

const confirmed: Outcomes<Profile["confirmEmailByLink"]> = {
  confirmed: "email-confirmed",
  "email-registered": "email-taken",
};

const undone: Outcomes<Profile["undoEmail"]> = { undone: "undone", "email-registered": "undo-taken" };

const reopened: Outcomes<Closure["reopen"]> = { reopened: "reopened", "email-taken": "reopen-taken" };
