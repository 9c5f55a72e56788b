import type { ActionFunctionArgs } from "react-router";
import { z } from "zod";

import type { ProfileRefusal } from "../../../../server/accounts/profile.ts";
import { person, profile } from "../../../../server/refusals.ts";
import { toFieldErrors, type Complaint } from "../../../forms/field-errors.ts";
import { personWords } from "../../../forms/person-words.ts";
import { readSubmission } from "../../../forms/read-submission.ts";
import { tooMany, tooSoon } from "../../../forms/wait-text.ts";
import { requireRooms, requireSender } from "../../../middleware/guards.ts";
import { whereaboutsOf } from "../../../whereabouts.ts";
import { refuse, tell } from "./answers.ts";
import { keepPicture } from "./keep-picture.ts";
import { mayChange } from "./may-change.ts";

/** Whatever is missing is an empty text, which the room has a word for. */
const text = z.string().default("");

const details = z.object({
  firstName: text,
  lastName: text,
  email: text,
  currentPassword: text,
  shownFirstName: text,
  shownLastName: text,
  shownEmail: text,
});

type Field = keyof z.infer<typeof details>;

/** What is said of each refusal, and beside which field (spec, section 5). A new one does not compile until it has words. */
const words: Record<ProfileRefusal, Complaint<Field>> = {
  ...personWords,
  "first-name-long": ["firstName", person.ours["name-long"]],
  "last-name-long": ["lastName", person.ours["name-long"]],
  "password-wanted": ["currentPassword", profile.ours["password-wanted"]],
  "password-wrong": ["currentPassword", profile.ours["password-wrong"]],
};

/** Names, address and picture. The picture is kept even where the rest is refused: nobody should have to choose it twice. */
export async function saveProfile(form: FormData, args: ActionFunctionArgs) {
  const member = requireSender(args, { form, kept: ["firstName", "lastName", "email", "shownEmail"] });
  const submission = readSubmission(form, details, ["currentPassword"]);
  if (!submission.ok) return refuse({ form: "profile", echo: submission.echo });
  const { value, echo } = submission;
  const rooms = requireRooms(args.context);
  if (!(await mayChange(rooms, member.id)))
    return refuse({ form: "profile", echo: echo(profile.ours.locked) }, { status: 403 });

  const picture = await keepPicture(rooms, member.id, form.get("picture"));
  if (picture.fault) {
    const fieldErrors = { picture: [picture.fault.words] };
    return refuse({ form: "profile", echo: echo({ fieldErrors }) }, picture.fault.init);
  }
  const result = await rooms.profile.save({
    ...whereaboutsOf(args.context, args.url),
    memberId: member.id,
    wanted: { firstName: value.firstName, lastName: value.lastName, email: value.email },
    shown: { firstName: value.shownFirstName, lastName: value.shownLastName, email: value.shownEmail },
    password: value.currentPassword || undefined,
  });
  if (result.ok) return tell(result.isProvedElsewhere ? "email-elsewhere" : "saved", args);
  const refused = { form: "profile", isPictureKept: picture.isKept } as const;
  switch (result.reason) {
    case "refused": {
      const complaints = result.refusals.map((reason) => words[reason]);
      return refuse({ ...refused, echo: echo({ fieldErrors: toFieldErrors(details, complaints) }) });
    }
    case "changed-elsewhere":
      return refuse({ ...refused, echo: echo(profile.ours["changed-elsewhere"]), now: result.now }, { status: 409 });
    case "not-taken":
      return refuse({ ...refused, echo: echo(result.message) });
    case "unreachable":
      return refuse({ ...refused, echo: echo(profile.ours.unreachable) }, { status: 503 });
    case "too-many-attempts":
      return refuse({ ...refused, echo: echo(tooMany(result.waitInMs)) }, tooSoon(result.waitInMs));
  }
}
