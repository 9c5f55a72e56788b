import type { ActionFunctionArgs } from "react-router";
import { z } from "zod";

import type { ProfileRefusal } from "../../../../server/accounts/profile.ts";
import { readSubmission } from "../../../forms/read-submission.ts";
import { tooMany } from "../../../forms/wait-text.ts";
import { requireRooms, requireSender } from "../../../middleware/guards.ts";
import { whereaboutsOf } from "../../signup/whereabouts.ts";
import { refuse, tell } from "./answers.ts";
import { keepPicture } from "./keep-picture.ts";
import { LOCKED, mayChange } from "./may-change.ts";

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

const TOO_LONG = "This is too long: please use 80 characters or fewer.";

/** What is said of each refusal, and beside which field (spec, section 5). A new one does not compile until it has words. */
const refusals: Record<ProfileRefusal, [field: Field, sentence: string]> = {
  "first-name-missing": ["firstName", "You need to enter a first name."],
  "first-name-long": ["firstName", TOO_LONG],
  "last-name-missing": ["lastName", "You need to enter a surname."],
  "last-name-long": ["lastName", TOO_LONG],
  "email-invalid": ["email", "You must use a valid email address"],
  "email-registered": ["email", "This email is already registered."],
  "password-wanted": ["currentPassword", "Please enter your current password: your email address is about to change."],
  "password-wrong": ["currentPassword", "This is not your current password."],
};

const CHANGED_ELSEWHERE =
  "Your details were changed elsewhere meanwhile, so they are not saved yet. Look at what they are by now, then save again.";

/** Names, address and picture. The picture is kept even where the rest is refused: nobody should have to choose it twice. */
export async function saveProfile(form: FormData, args: ActionFunctionArgs) {
  const member = requireSender(args, { form, kept: ["firstName", "lastName", "email", "shownEmail"] });
  const submission = readSubmission(form, details, ["currentPassword"]);
  if (!submission.ok) return refuse({ form: "profile", echo: submission.echo });
  const { value, echo } = submission;
  const rooms = requireRooms(args.context);
  if (!(await mayChange(rooms, member.id))) return refuse({ form: "profile", echo: echo(LOCKED) }, 403);

  const picture = await keepPicture(rooms, member.id, form.get("picture"));
  if (picture.fault) return refuse({ form: "profile", echo: echo({ fieldErrors: { picture: [picture.fault] } }) });
  const result = await rooms.profile.save({
    ...whereaboutsOf(args.context, args.url),
    memberId: member.id,
    wanted: { firstName: value.firstName, lastName: value.lastName, email: value.email },
    shown: { firstName: value.shownFirstName, lastName: value.shownLastName, email: value.shownEmail },
    password: value.currentPassword || undefined,
  });
  if (result.ok) return tell("saved", args);
  const refused = { form: "profile", isPictureKept: picture.isKept } as const;
  switch (result.reason) {
    case "refused":
      return refuse({ ...refused, echo: echo({ fieldErrors: toFieldErrors(result.refusals) }) });
    case "changed-elsewhere":
      return refuse({ ...refused, echo: echo(CHANGED_ELSEWHERE), now: result.now }, 409);
    case "too-many-attempts":
      return refuse({ ...refused, echo: echo(tooMany(result.waitInMs)) }, 429);
  }
}

/** The sentences by field, in the order in which the fields stand on the page. */
function toFieldErrors(refused: ProfileRefusal[]): Record<string, string[]> {
  const complaints = refused.map((reason) => refusals[reason]);
  const sentencesAt = (name: string) => complaints.filter(([field]) => field === name).map(([, sentence]) => sentence);
  const wrong = Object.keys(details.shape).filter((name) => sentencesAt(name).length > 0);
  return Object.fromEntries(wrong.map((name) => [name, sentencesAt(name)]));
}
