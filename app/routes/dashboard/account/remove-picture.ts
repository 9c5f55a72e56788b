import type { ActionFunctionArgs } from "react-router";

import { profile } from "../../../../server/refusals.ts";
import { toEcho } from "../../../forms/read-submission.ts";
import { requireRooms, requireSender } from "../../../middleware/guards.ts";
import { refuse, tell } from "./answers.ts";
import { mayChange } from "./may-change.ts";

export async function removePicture(form: FormData, args: ActionFunctionArgs) {
  const member = requireSender(args, { form });
  const rooms = requireRooms(args.context);
  if (!(await mayChange(rooms, member.id)))
    return refuse({ form: "profile", echo: toEcho(profile.ours.locked) }, { status: 403 });
  await rooms.avatars.remove(member.id);
  return tell("picture-removed", args);
}
