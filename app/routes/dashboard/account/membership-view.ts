import type { Member } from "../../../../server/accounts/accounts.ts";
import { formatDate, formatPence } from "../../../../server/format.ts";
import type { Access } from "../../../../server/membership/membership.ts";
import { CORPORATE_PLAN_LABEL } from "../../../../server/membership/rules.ts";
import type { Services } from "../../../../server/services.ts";

/** What a member has paid for, or their company has, in words. */
export type MembershipView = {
  plan: string | undefined;
  /** When it ends or ended. */
  ending: string;
  company: string | undefined;
  receipts: { number: string; date: string; amount: string }[];
};

export async function findMembership(services: Services, { id, accountType }: Member): Promise<MembershipView> {
  const { membership, payments, plans } = services;
  const access = await membership.findAccess(id);
  const held = await membership.listFor(id);
  const accessEndsAt = access.isActive ? access.endsAt?.getTime() : undefined;
  const running = held.find(({ endsAt, revokedAt }) => !revokedAt && endsAt.getTime() === accessEndsAt);
  const plan = plans.find(({ type }) => type === running?.planType)?.label;
  const receipts = await payments.listReceipts(id);
  // Whoever has renewed in another way has another account type, and the old term yet. What an operator gave has no order.
  const payer = receipts.find(({ orderId }) => orderId === running?.orderId)?.accountType ?? accountType;
  return {
    plan: running && (payer === "corporate" ? CORPORATE_PLAN_LABEL : plan),
    ending: sayEnding(access, {
      coverEnd: access.isActive ? await membership.findCoverEnd(id) : undefined,
      lastEnd: held[0]?.endsAt,
    }),
    company: payer === "corporate" ? await findCompany(services, id) : undefined,
    receipts: receipts.map(({ number, paidAt, amountInPence }) => ({
      number,
      date: formatDate(paidAt),
      amount: formatPence(amountInPence),
    })),
  };
}

type Ends = { coverEnd: Date | undefined; lastEnd: Date | undefined };

function sayEnding(access: Access, { coverEnd, lastEnd }: Ends): string {
  if (coverEnd) return `Ends on ${formatDate(coverEnd)}, nothing more is taken.`;
  if (access.isActive) return "It is active.";
  if (access.isUnknown) return "We cannot see it just now. Please come back in a few minutes.";
  return lastEnd ? `It has ended. It was paid for until ${formatDate(lastEnd)}.` : "There is none.";
}

/** Who pays. A code that nobody can join by any more still has its company. */
async function findCompany({ codes }: Services, memberId: number): Promise<string | undefined> {
  const [seat] = await codes.listSeatsFor(memberId);
  if (!seat) return undefined;
  const check = await codes.check(seat.code, memberId);
  return (check.isValid ? check.code : await codes.find(seat.code))?.company?.name;
}
