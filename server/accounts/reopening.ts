import type { Challenges } from "../challenges/challenges.ts";
import type { Queries } from "../database/database.ts";
import { linkPurposes, memberIdIn } from "./account-links.ts";
import type { Closure } from "./closure.ts";
import { changeHeld, emailColumns, findAccount, holdMember, requireFree, unlessTaken } from "./held-member.ts";

const { reopen: purpose } = linkPurposes;

/** Takes a closing back, by the link in the letter about it. */
export function createReopening({
  db,
  challenges,
}: {
  db: Queries;
  challenges: Challenges;
}): Pick<Closure, "findReopening" | "reopen"> {
  return {
    async findReopening(token) {
      const subject = await challenges.peekLink(purpose, token);
      const account = subject === undefined ? undefined : await findAccount(memberIdIn(subject), db);
      return account?.closedEmail === undefined ? undefined : { email: account.closedEmail };
    },

    async reopen(token) {
      const subject = await challenges.peekLink(purpose, token);
      if (subject === undefined) return "over";
      const work = db.transaction().execute(async (trx) => {
        const held = await holdMember(memberIdIn(subject), trx);
        const isClaimed = (await challenges.claimLink(purpose, token, trx)) !== undefined;
        if (!isClaimed || held?.closedEmail === undefined) return "over" as const;
        await requireFree(held.closedEmail, { held, trx });
        const columns = { ...emailColumns(held.closedEmail), closed_email: null, erase_at: null };
        await changeHeld(held, { columns, trx });
        return "reopened" as const;
      });
      return unlessTaken(work, "email-taken" as const);
    },
  };
}
