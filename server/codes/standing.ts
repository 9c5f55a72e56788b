import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Log } from "../log.ts";
import type { DebitGateway } from "../payments/debit-gateway.ts";
import { collect, isToBeCollected, listCollections } from "./collections.ts";
import { findCompanyRow } from "./company-rows.ts";
import { isCollectable, lookAt } from "./look.ts";
import { takeIn, type CompanyLetters, type Picture } from "./take-in.ts";

/** Brings what we know of a company in line with the gateway, and does what follows. */
export type Standing = {
  /**
   * Asks the gateway and acts on it until nothing changes any more, so it ends right whoever else is at it. Throws when the gateway
   * cannot be asked; what was done until then stays done, and the next call goes on.
   */
  settle(companyId: number, debitId?: string): Promise<void>;
};

/** Enough for a company that nobody has looked at for years: each of them takes two rounds. */
const MAX_ROUNDS = 50;

export type StandingRooms = {
  db: Queries;
  clock: Clock;
  gateway: DebitGateway;
  log: Log;
  productName: string;
  tell: CompanyLetters | undefined;
};

export function createStanding(rooms: StandingRooms): Standing {
  const { db, clock, gateway, log, productName, tell } = rooms;

  return {
    async settle(companyId, debitId) {
      for (let round = 1; round <= MAX_ROUNDS; round += 1) {
        if (!(await settleOnce(companyId, debitId))) return;
      }
      throw new Error(`Company ${companyId} does not come to rest`);
    },
  };

  /** Answers whether anything has changed, by us or by somebody else meanwhile. */
  async function settleOnce(companyId: number, debitId: string | undefined): Promise<boolean> {
    const company = await findCompanyRow(companyId, db);
    if (!company) return false;
    const collections = await listCollections(companyId, db);
    const sight = await lookAt({ company, collections, debitId }, gateway);
    const hasChanged = await takeIn({ company, collections, sight }, { db, now: clock(), log, tell });
    return hasChanged || collectNext({ company, collections, sight });
  }

  async function collectNext({ company, collections, sight }: Picture): Promise<boolean> {
    const next = collections.find(isToBeCollected);
    if (!next || !sight.mandate || !isCollectable(sight.mandate)) return false;
    await collect(next, { company, mandateId: sight.mandate.id, productName }, { db, clock, gateway });
    return true;
  }
}
