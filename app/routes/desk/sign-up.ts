import { formatDateTime } from "../../../server/format.ts";
import type { Services } from "../../../server/services.ts";
import { type DeskView, readNumber } from "./view.ts";

/** A sign-up or a renewal under way: its person may write before they are a member. */
export async function findSignUpScreen({ signUp, plans }: Services, { params }: DeskView) {
  const id = readNumber(params, "id");
  const draft = id === undefined ? undefined : await signUp.findOpen(id);
  if (!draft) return undefined;
  const plan = plans.find(({ type }) => type === draft.planType)?.label;
  const facts: [label: string, value: string | undefined][] = [
    ["Name", `${draft.firstName} ${draft.lastName}`],
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
    memberId: draft.memberId,
  };
}

export type SignUpScreen = NonNullable<Awaited<ReturnType<typeof findSignUpScreen>>>;
