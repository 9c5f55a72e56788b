import type { ActionFunctionArgs } from "react-router";

import { visitorContext } from "../../../context.ts";
import { textOf } from "../../../forms/text-of.ts";
import { requireRooms, requireSender } from "../../../middleware/guards.ts";
import { tell } from "./answers.ts";

/** Signs out one of a member's devices, named by its id, or every one but this. */
export async function endSessions(form: FormData, args: ActionFunctionArgs) {
  const { id: memberId } = requireSender(args, { form });
  const { sessions } = requireRooms(args.context);
  const device = textOf(form, "device");
  if (device !== "") {
    await sessions.endOne(memberId, device);
    return tell("device-ended", args);
  }
  await sessions.endOthers(memberId, args.context.get(visitorContext).token ?? "");
  return tell("devices-ended", args);
}
