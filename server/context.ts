import type { Clock } from "./clock.ts";
import type { Queries } from "./database/database.ts";
import type { KeyedHash } from "./keyed-hash.ts";
import type { Log } from "./log.ts";
import type { ReachPoint } from "./payments/saga-points.ts";

/** What every module works with. A module that needs others adds them: `AccountsContext = Context & { sessions: Sessions }`. */
export type Context = {
  db: Queries;
  clock: Clock;
  log: Log;
  reach: ReachPoint;
  keyedHash: (purpose: string) => KeyedHash;
};
