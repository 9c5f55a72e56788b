import type { ActName } from "../../../../server/operations/acts/acts.ts";
import type { ActFormProps } from "../act-form.tsx";

export type MemberSituation = {
  names: Record<string, string>;
  isClosed: boolean;
  hasAccess: boolean;
  hasEnded: boolean;
  isPaidByCompany: boolean;
  /** A new address waits for its code. */
  hasPending: boolean;
  getsNewsletter: boolean;
  /** A term was ended early, and not by a refund. */
  isRevoked: boolean;
  /** A recently paid order, which the member may want refunded. */
  recentOrder: { id: number; left: string; date: string } | undefined;
};

/**
 * A member's most probable acts first: what waits, then access for those without. Money that went back and a term that
 * an operator ended ask for nothing. A closed account allows only refunds,
 * export and erasure: its member alone reopens it, by email.
 */
export function listMemberActs(member: MemberSituation): ActFormProps<ActName>[] {
  const { names, isClosed, hasAccess, hasEnded, isPaidByCompany, hasPending, getsNewsletter, isRevoked, recentOrder } =
    member;
  const refund: ActFormProps<ActName>[] = recentOrder
    ? [{ act: "member refund", item: recentOrder.id, words: { amount: recentOrder.left, date: recentOrder.date } }]
    : [];
  const data: ActFormProps<ActName>[] = [{ act: "member export" }, { act: "member erase" }];
  if (isClosed) return [...refund, ...data];
  const isNeeded = hasEnded && !isRevoked;
  const renewal: ActFormProps<ActName>[] = isPaidByCompany ? [] : [{ act: "member renewal-link", isNeeded }];
  const access: ActFormProps<ActName>[] = hasAccess
    ? [{ act: "member reset" }, ...refund, { act: "member term" }, ...renewal]
    : [
        ...(hasEnded ? renewal : []),
        { act: "member term" },
        { act: "member reset" },
        ...refund,
        ...(hasEnded ? [] : renewal),
      ];
  return [
    ...(hasPending ? [{ act: "member verification" as const, isNeeded: true }] : []),
    ...(isRevoked ? [{ act: "member restore" as const }] : []),
    ...access,
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
