import { cardDetails } from "../../../../server/refusals.ts";
import { readForm } from "../../../forms/intents.ts";
import { parseForm } from "../../../forms/parse-form.ts";
import type { Route } from "./+types/methods.ts";
import { card, notFound, requireDemoGateways } from "./open-gateways.ts";

/** Returns `{ methodId }`, or `{ problems }` by field. */
export async function action({ request, context }: Route.ActionArgs) {
  const gateways = requireDemoGateways(context);
  const submission = parseForm(await readForm(request), card, Object.keys(card.shape));
  if (!submission.ok) return refuse([{ field: "number", sentence: cardDetails.unread }]);
  const made = await gateways.makeMethod(submission.value);
  return made.ok ? Response.json({ methodId: made.methodId }) : refuse(made.problems);
}

export function loader() {
  return notFound();
}

function refuse(problems: { field: string; sentence: string }[]): Response {
  return Response.json({ problems }, { status: 400 });
}
