import { AsyncLocalStorage } from "node:async_hooks";
import type { KyselyPlugin } from "kysely";

import type { Database } from "../../server/database/database.ts";

/**
 * A power cut without a process: from a chosen breath on (a query, a call to the gateway) nothing of one piece of work happens any
 * more, and its open transaction is rolled back. Finer than the saga's points: it cuts between any two queries.
 */
export type Power = {
  supply(database: Database): Database;
  /** One more breath of the work that is under way. @throws when its power is gone. */
  breathe(): void;
  /** Does work that lives for so many breaths; `died` when that was too few. */
  live<Result>(breaths: number, work: () => Promise<Result>): Promise<Result | "died">;
};

class PowerCut extends Error {}

export function createPower(): Power {
  const lives = new AsyncLocalStorage<{ breaths: number }>();

  function breathe(): void {
    const life = lives.getStore();
    if (!life) return;
    life.breaths -= 1;
    if (life.breaths < 0) throw new PowerCut("The power is gone");
  }

  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      breathe();
      return node;
    },
    transformResult: async ({ result }) => result,
  };

  return {
    supply: (database) => ({ ...database, db: database.db.withPlugin(plugin) }),
    breathe,
    live: (breaths, work) =>
      lives.run({ breaths }, async () => {
        try {
          const result = await work();
          return (lives.getStore()?.breaths ?? 0) < 0 ? "died" : result;
        } catch (error) {
          // Whatever went wrong after the cut went wrong because of it.
          if ((lives.getStore()?.breaths ?? 0) < 0) return "died";
          throw error;
        }
      }),
  };
}
