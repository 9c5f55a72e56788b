import { api as words } from "../../../server/refusals.ts";
import { answer, refuse } from "./answers.ts";
import type { Asker, Handler, Visit } from "./visit.ts";

export const getsubscriptionstatus: Handler<"getsubscriptionstatus"> = async ({ rooms, member }) =>
  answer((await rooms.membership.findAccess(member.id)).isActive);

/** What is paid for is active by itself; no word makes it so. */
export const managesubscriptionstatus: Handler<"managesubscriptionstatus"> = async (asked) => {
  const { rooms, member, input } = asked;
  if (input.newStatus === "active") {
    const standing = await findStanding(asked);
    return standing.hasActiveSubscription ? answer(standing) : refuse(409, words.ours["order-wanted"]);
  }
  const seat = (await rooms.codes.listSeatsFor(member.id))[0]?.code ?? null;
  await rooms.transact(async (trx) => {
    const isEnded = await rooms.membership.revoke(member.id, trx);
    await rooms.codes.releaseSeat(member.id, trx);
    const action = { operator: "api", action: "subscription end", memberId: member.id };
    if (isEnded || seat) await rooms.audit.record({ ...action, facts: { newStatus: input.newStatus, seat } }, trx);
  });
  return answer(await findStanding(asked));
};

export const activatesubscription: Handler<"activatesubscription"> = async (asked) => {
  await asked.api.orders.settle(asked.member);
  return answer(await findStanding(asked));
};

async function findStanding({ rooms, member }: Visit & Asker) {
  const access = await rooms.membership.findAccess(member.id);
  return {
    id: member.id,
    status: access.isActive ? ("active" as const) : ("inactive" as const),
    hasActiveSubscription: access.isActive,
    subscription_ends_at: (access.isActive && access.endsAt?.toISOString()) || null,
  };
}
