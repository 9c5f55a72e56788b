import { z } from "zod";

import { formatDate } from "../../../server/format.ts";
import { desk as table } from "../../../server/refusals.ts";
import type { Services } from "../../../server/services.ts";
import { href } from "../../paths.ts";
import { defineAct, refuseAct } from "./define-act.ts";
import type { Visitor } from "./operator.ts";

/** What operators do about their own log-in. The reason is always the same, so it is not asked for. */
const OWN = { ownReason: "Own access" };

/** The operator's passkeys and sessions, and the link by which another browser of theirs finds the desk. */
export async function findAccessScreen({ operators }: Services, { operator, tokenHash }: Visitor, origin: string) {
  const [passkeys, sessions] = await Promise.all([
    operators.listPasskeys(operator.id),
    operators.listSessions(operator.id, tokenHash),
  ]);
  return {
    name: "access" as const,
    title: "Your access",
    email: operator.email,
    role: operator.role,
    doorLink: `${origin}${href("/desk")}?door=${operators.makeDoorKey(operator)}`,
    passkeys: passkeys.map(({ id, name, createdAt, usedAt }) => ({
      id,
      name,
      addedOn: formatDate(createdAt),
      usedOn: usedAt && formatDate(usedAt),
    })),
    sessions: sessions.map(({ device, startedAt, isThis }) => ({ device, startedOn: formatDate(startedAt), isThis })),
  };
}

export type AccessScreen = Awaited<ReturnType<typeof findAccessScreen>>;

export const accessActs = {
  "access-recovery": defineAct({
    ...OWN,
    needsPassword: true,
    fields: z.object({}),
    async run(_, { services, by, operator }) {
      const shownOnce = await services.transact(async (trx) => {
        await services.audit.record({ ...by, action: "desk recovery codes", facts: {} }, trx);
        return services.operators.replaceRecoveryCodes(operator.id, trx);
      });
      return { ok: true, message: "These are your new recovery codes. Those before no longer work.", shownOnce };
    },
  }),
  "access-passkey-remove": defineAct({
    ...OWN,
    fields: z.object({ subject: z.string().default("") }),
    async run({ subject }, { services, by, operator }) {
      const isDone = await services.transact(async (trx) => {
        if (!(await services.operators.removePasskey(operator.id, subject, trx))) return false;
        await services.audit.record({ ...by, action: "desk passkey removed", facts: {} }, trx);
        return true;
      });
      return isDone ? { ok: true, message: "The passkey is removed." } : refuseAct(table.ours["no-passkey"]);
    },
  }),
  "access-sessions": defineAct({
    ...OWN,
    fields: z.object({}),
    async run(_, { services, by, operator, tokenHash }) {
      const ended = await services.transact(async (trx) => {
        const count = await services.operators.endSessions(operator.id, tokenHash, trx);
        await services.audit.record({ ...by, action: "desk sessions ended", facts: { ended: count } }, trx);
        return count;
      });
      return { ok: true, message: ended === 0 ? "You are logged in nowhere else." : `Logged out elsewhere: ${ended}.` };
    },
  }),
};
