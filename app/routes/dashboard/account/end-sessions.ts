import { data, type ActionFunctionArgs } from "react-router";

import { forms } from "../../../../server/refusals.ts";
import { visitorContext } from "../../../context.ts";
import { textOf } from "../../../forms/text-of.ts";
import { requireRooms, requireSender } from "../../../middleware/guards.ts";
import { tell } from "./answers.ts";

/** Signs out one of a member's devices, named by its id. A form that names none is answered 400. */
export async function endSession(form: FormData, args: ActionFunctionArgs) {
  const { id: memberId } = requireSender(args, { form });
  const device = textOf(form, "device");
  if (device === "") throw data(forms.ours["no-device"], { status: 400 });
  await requireRooms(args.context).sessions.endOne(memberId, device);
  return tell("device-ended", args);
}

/** Signs a member out on every device but this. */
export async function endOtherSessions(form: FormData, args: ActionFunctionArgs) {
  const { id: memberId } = requireSender(args, { form });
  const { token = "" } = args.context.get(visitorContext);
  await requireRooms(args.context).sessions.endOthers(memberId, token);
  return tell("devices-ended", args);
}
