import type { ActFormProps } from "./act-form.tsx";

/** The situation of a member, from which the needed acts follow. */
export type MemberSituation = {
  names: Record<string, string>;
  isClosed: boolean;
  hasAccess: boolean;
  /** A company pays for them, so they have nothing to renew. */
  isPaidByCompany: boolean;
  /** A new address waits for its code. */
  hasPending: boolean;
  getsNewsletter: boolean;
  /** A term was ended before its time, and not because its money went back. */
  isRevoked: boolean;
  /** The order, paid within the last days, whose money may be asked for back. */
  recentOrder: { id: number; left: string; date: string } | undefined;
};

/**
 * The acts about a member, those that they most probably write about first: what waits, then access for those who have none. Of a closed
 * account only orders can be given back, and data exported or erased: its member alone opens it again, by their email.
 */
export function listMemberActs(member: MemberSituation): ActFormProps[] {
  const { names, isClosed, hasAccess, isPaidByCompany, hasPending, getsNewsletter, isRevoked, recentOrder } = member;
  const refund: ActFormProps[] = recentOrder
    ? [{ act: "member refund", item: recentOrder.id, words: { amount: recentOrder.left, date: recentOrder.date } }]
    : [];
  const data: ActFormProps[] = [{ act: "member export" }, { act: "member erase" }];
  if (isClosed) return [...refund, ...data];
  const access: ActFormProps[] = hasAccess
    ? [{ act: "member reset" }, ...refund, { act: "member term" }]
    : [{ act: "member term" }, { act: "member reset" }, ...refund];
  return [
    ...(hasPending ? [{ act: "member verification" as const }] : []),
    ...(isRevoked ? [{ act: "member restore" as const }] : []),
    ...access,
    ...(isPaidByCompany ? [] : [{ act: "member renewal-link" as const }]),
    { act: "member name", values: names },
    { act: "member address" },
    { act: "member sessions" },
    ...(getsNewsletter ? [{ act: "member newsletter-end" as const }] : []),
    { act: "member merge-code" },
    { act: "member merge" },
    { act: "member deactivate" },
    { act: "member close" },
    ...data,
  ];
}
