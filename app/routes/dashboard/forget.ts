import { data, type ActionFunctionArgs } from "react-router";

import { parseItemKey } from "../../../server/content/kinds.ts";
import { positions } from "../../../server/refusals.ts";
import { answerDone } from "../../forms/answer.ts";
import { readText } from "../../forms/read-text.ts";
import { requireSender, requireServices } from "../../middleware/guards.ts";

/** The answer to the landing once an item has left its first row. */
export type Forgotten = { forgotten: string };

/** Forgets where a member stopped in an item: a button in the first row of the landing. */
export async function forgetPosition(form: FormData, args: ActionFunctionArgs) {
  const member = requireSender(args, { form });
  const key = readText(form, "item");
  const item = parseItemKey(key);
  if (!item) throw data(positions.unnamed, { status: 400 });
  await requireServices(args.context).positions.forget(member.id, item);
  return answerDone<Forgotten>(args.request, "/#go-on", { answer: { forgotten: key } });
}
