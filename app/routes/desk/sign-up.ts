import { displayFullName } from "../../../server/accounts/rules.ts";
import { formatDateTime } from "../../../server/format.ts";
import type { Services } from "../../../server/services.ts";
import { toChallenge, toEmail } from "./member.ts";
import { type DeskView, readNumber } from "./view.ts";

const EMAILS_SHOWN = 20;
const WHAT_FOR = "A code and a link for the address";

/** A sign-up or a renewal under way. People ask for help before they are members, too. */
export async function findSignUpScreen({ signUp, outbox, plans }: Services, { params }: DeskView) {
  const id = readNumber(params, "id");
  const draft = id === undefined ? undefined : await signUp.findOpen(id);
  if (!draft) return undefined;
  const [challenges, emails] = await Promise.all([
    signUp.listChallenges(draft.id),
    outbox.list({ recipient: draft.email, limit: EMAILS_SHOWN }),
  ]);
  const plan = plans.find(({ type }) => type === draft.planType)?.label;
  const facts: [label: string, value: string | undefined][] = [
    ["Name", displayFullName(draft)],
    ["Email", draft.email],
    ["Address verified", draft.isVerified ? "yes" : "not yet"],
    ["Type", draft.accountType],
    ["Code", draft.code],
    ["Plan", plan],
    ["Begun", formatDateTime(draft.createdAt)],
    ["Kept until", formatDateTime(draft.expiresAt)],
  ];
  return {
    name: "sign-up" as const,
    title: draft.purpose === "join" ? "A sign-up under way" : "A renewal under way",
    facts,
    isVerified: draft.isVerified,
    challenges: challenges.map((challenge) => toChallenge(WHAT_FOR, challenge)),
    // The address may have been another member's before.
    emails: emails
      .filter(({ createdAt, memberId }) => createdAt >= draft.createdAt && memberId === draft.memberId)
      .map(toEmail),
    memberId: draft.memberId,
  };
}

export type SignUpScreen = NonNullable<Awaited<ReturnType<typeof findSignUpScreen>>>;
