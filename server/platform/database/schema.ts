import type { CompanyTables } from "./tables/companies.ts";
import type { MemberTables } from "./tables/members.ts";
import type { OperationTables } from "./tables/operations.ts";
import type { PaymentTables } from "./tables/payments.ts";

export type { AccountType, NightState, PositionState } from "./tables/members.ts";

/**
 * The tables, the same on SQLite and PostgreSQL. Instants are ISO 8601 text in UTC (`2026-11-20T03:00:00.000Z`):
 * it sorts as it reads, on both engines and in any tool an operator opens. In code each is a `Date` (`rows.ts`).
 */
export type Schema = MemberTables & CompanyTables & PaymentTables & OperationTables;
