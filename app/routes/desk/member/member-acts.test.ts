import { expect, test } from "vitest";

import { listMemberActs, type MemberSituation } from "./member-acts.ts";

const quiet: MemberSituation = {
  names: { firstName: "Ada", lastName: "Lovell" },
  isClosed: false,
  hasAccess: true,
  hasEnded: false,
  isPaidByCompany: false,
  hasPending: false,
  getsNewsletter: false,
  isRevoked: false,
  recentOrder: undefined,
};
const recentOrder = { id: 7, left: "£60.00", date: "20/11/2026 03:00" };

const firstTwo = (member: Partial<MemberSituation>) =>
  listMemberActs({ ...quiet, ...member })
    .slice(0, 2)
    .map(({ act, isNeeded }) => (isNeeded ? `${act} in gold` : act));

test.each<[string, Partial<MemberSituation>, string[]]>([
  ["has access", {}, ["member reset", "member term"]],
  ["has just paid", { recentOrder }, ["member reset", "member refund"]],
  ["never had access", { hasAccess: false }, ["member term", "member reset"]],
  ["had access until lately", { hasAccess: false, hasEnded: true }, ["member renewal-link in gold", "member term"]],
  [
    "had access from a company",
    { hasAccess: false, hasEnded: true, isPaidByCompany: true },
    ["member term", "member reset"],
  ],
  ["waits for a code at a new address", { hasPending: true }, ["member verification in gold", "member reset"]],
  [
    "was ended by an operator",
    { hasAccess: false, hasEnded: true, isRevoked: true },
    ["member restore", "member renewal-link"],
  ],
  ["is closed and has just paid", { isClosed: true, recentOrder }, ["member refund", "member export"]],
  ["is closed", { isClosed: true, hasPending: true, isRevoked: true }, ["member export", "member erase"]],
])("a member who %s is offered first what that needs", (_name, member, acts) => {
  expect(firstTwo(member)).toEqual(acts);
});

test("every act of an open account is offered once", () => {
  const acts = listMemberActs({ ...quiet, hasPending: true, getsNewsletter: true, isRevoked: true, recentOrder });
  expect(new Set(acts.map(({ act }) => act)).size).toBe(acts.length);
  expect(acts.find(({ act }) => act === "member refund")).toMatchObject({ item: 7, words: { amount: "£60.00" } });
});

test("a link to renew is not offered for a member whose company pays", () => {
  const acts = listMemberActs({ ...quiet, isPaidByCompany: true });
  expect(acts.map(({ act }) => act)).not.toContain("member renewal-link");
});
