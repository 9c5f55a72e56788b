import type { ActionFunctionArgs } from "react-router";

import { toEcho } from "../../../forms/read-submission.ts";
import { requireRooms, requireSender } from "../../../middleware/guards.ts";
import { refuse, tell } from "./answers.ts";
import { LOCKED, mayChange } from "./may-change.ts";

export async function removePicture(form: FormData, args: ActionFunctionArgs) {
  const member = requireSender(args, { form });
  const rooms = requireRooms(args.context);
  if (!(await mayChange(rooms, member.id))) return refuse({ form: "profile", echo: toEcho(LOCKED) }, { status: 403 });
  await rooms.avatars.remove(member.id);
  return tell("picture-removed", args);
}
