import type { Selectable } from "kysely";

import type { Audit } from "../../platform/audit/audit.ts";
import type { Challenges } from "../../members/challenges/challenges.ts";
import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Schema } from "../../platform/database/schema.ts";
import type { Passkeys } from "../../platform/passkeys/passkeys.ts";
import type { RateLimiter } from "../../platform/rate-limit/rate-limit.ts";
import type { Seal } from "../../platform/seal.ts";
import type { Role } from "./roles.ts";

export type OperatorsContext = Context & {
  rateLimiter: RateLimiter;
  challenges: Challenges;
  audit: Audit;
  passkeys: Passkeys;
  productName: string;
  /** Seals the secrets of one-time codes. */
  seal: Seal;
};

export type Operator = {
  id: number;
  email: string;
  name: string;
  role: Role;
  createdAt: Date;
  /** The invitation was accepted: until then there is no password. */
  isActive: boolean;
};

export function operatorRows(db: Queries) {
  return db.selectFrom("operators").selectAll();
}

export function toOperator(row: Selectable<Schema["operators"]>): Operator {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    createdAt: row.createdAt,
    isActive: row.passwordHash !== null,
  };
}

export async function findOperator(db: Queries, operatorId: number): Promise<Operator | undefined> {
  const row = await operatorRows(db).where("id", "=", operatorId).executeTakeFirst();
  return row && toOperator(row);
}
