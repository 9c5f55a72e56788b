import type { ActionFunctionArgs } from "react-router";

import { requireRooms, requireSender } from "../../../middleware/guards.ts";
import { tell } from "./answers.ts";

export async function removePicture(form: FormData, args: ActionFunctionArgs) {
  const member = requireSender(args, { form });
  await requireRooms(args.context).avatars.remove(member.id);
  return tell("picture-removed", args);
}
