import { cleanEmail, isEmail, toEmailKey } from "../../platform/email-address.ts";
import { HOUR_IN_MS } from "../../platform/clock.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { TooMany } from "../../platform/rate-limit/rate-limit.ts";
import { type Operator, operatorRows, type OperatorsContext, toOperator } from "./context.ts";
import {
  acceptInvitation,
  type Accepted,
  findInvitation,
  showSecret,
  type ShownSecret,
  type Invitation,
  type InvitationAnswer,
  invite,
} from "./invitations.ts";
import {
  logInByPasskey,
  logInByPassword,
  type OperatorCredentials,
  type OperatorLogIn,
  type PasskeyLogIn,
  type PasswordProof,
  type PasswordProofResult,
  provePassword,
} from "./operator-log-in.ts";
import {
  endOperatorSession,
  endOperatorSessions,
  findOperatorSession,
  type FoundOperatorSession,
  listOperatorSessions,
  type OperatorSessionView,
} from "./operator-sessions.ts";
import { makeSecret, replaceRecoveryCodes } from "./one-time-codes.ts";
import type {
  BegunPasskey,
  BegunProof,
  PasskeyAnswer,
  PasskeySite,
  PasskeyView,
} from "../../platform/passkeys/passkeys.ts";
import { addPasskey, beginPasskey, toOwner } from "./passkeys.ts";
import type { Role } from "./roles.ts";
import { cleanText } from "../../platform/text.ts";

export type { Operator } from "./context.ts";

/** More than a person does in an hour, and few enough to stop a stolen session early. */
const ACTS = { attempts: 200, windowInMs: HOUR_IN_MS };

/** Operators are no members: their log-in, sessions and tables are separate. */
export type Operators = {
  /** The invitation is a secret for that person alone. `undefined` when the address is taken. */
  add(operator: NewOperator, trx?: Queries): Promise<{ operator: Operator; invitation: string } | undefined>;
  /** For an operator who lost their device: voids password, codes, passkeys and sessions. */
  inviteAgain(operatorId: number, trx?: Queries): Promise<{ invitation: string }>;
  find(email: string): Promise<Operator | undefined>;
  list(): Promise<Operator[]>;
  /** Includes invited operators. */
  isThereAny(): Promise<boolean>;
  setRole(operatorId: number, role: Role, trx?: Queries): Promise<void>;
  /** Ends their sessions; the audit log stays. */
  remove(operatorId: number, trx?: Queries): Promise<void>;
  /** Locks the owners, so that two of them cannot demote or remove one another at once. */
  isLastOwner(operatorId: number, trx: Queries): Promise<boolean>;

  /** The data that the page of an invitation shows before its form is sent. */
  findInvitation(token: string): Promise<Invitation | undefined>;
  /** Replaces a secret that was shown before. */
  showSecret(token: string): Promise<ShownSecret | undefined>;
  /** Sets the password if the first one-time code is right; returns recovery codes, to show once, and a session. */
  acceptInvitation(answer: InvitationAnswer): Promise<Accepted>;

  logIn(credentials: OperatorCredentials): Promise<OperatorLogIn>;
  beginPasskeyLogIn(site: PasskeySite): Promise<BegunProof>;
  logInByPasskey(answer: PasskeyLogIn): Promise<OperatorLogIn>;
  provePassword(proof: PasswordProof): Promise<PasswordProofResult>;

  findSession(token: string): Promise<FoundOperatorSession | undefined>;
  listSessions(operatorId: number, tokenHash: string): Promise<OperatorSessionView[]>;
  endSession(token: string): Promise<void>;
  /** All but the one with `currentHash`; returns how many sessions ended. */
  endSessions(operatorId: number, currentHash: string | undefined, trx: Queries): Promise<number>;
  purge(): Promise<number>;
  /** Returns how long to wait if it is one act too many. */
  countAct(operatorId: number): Promise<TooMany | undefined>;

  listPasskeys(operatorId: number): Promise<PasskeyView[]>;
  beginPasskey(operator: Operator, site: PasskeySite): Promise<BegunPasskey>;
  /** Returns whether the browser's answer was valid. */
  addPasskey(operator: Operator, answer: PasskeyAnswer & { name: string }): Promise<boolean>;
  /** Returns whether it was this operator's. */
  removePasskey(operatorId: number, id: string, trx: Queries): Promise<boolean>;
  /** Voids all earlier codes; show the new ones now. */
  replaceRecoveryCodes(operatorId: number, trx: Queries): Promise<string[]>;
};

export type NewOperator = { email: string; name: string; role: Role };

export function createOperators(ctx: OperatorsContext): Operators {
  const { db } = ctx;
  return {
    add: (operator, trx) => transact(ctx, trx, (inTransaction) => addOperator(inTransaction, operator)),
    inviteAgain: (operatorId, trx) => transact(ctx, trx, (inTransaction) => inviteAgain(inTransaction, operatorId)),
    async find(email) {
      const row = await operatorRows(db).where("emailKey", "=", toEmailKey(email)).executeTakeFirst();
      return row && toOperator(row);
    },
    list: async () => (await operatorRows(db).orderBy("emailKey").execute()).map(toOperator),
    isThereAny: async () => (await operatorRows(db).limit(1).executeTakeFirst()) !== undefined,
    async setRole(operatorId, role, trx = db) {
      await trx.updateTable("operators").set({ role }).where("id", "=", operatorId).execute();
    },
    async remove(operatorId, trx = db) {
      await trx.deleteFrom("operators").where("id", "=", operatorId).execute();
    },
    isLastOwner: (operatorId, trx) => isLastOwner(trx, operatorId),
    findInvitation: (token) => findInvitation(ctx, token),
    showSecret: (token) => showSecret(ctx, token),
    acceptInvitation: (answer) => acceptInvitation(ctx, answer),
    logIn: (credentials) => logInByPassword(ctx, credentials),
    beginPasskeyLogIn: (site) => ctx.passkeys.beginProof(site),
    logInByPasskey: (answer) => logInByPasskey(ctx, answer),
    provePassword: (proof) => provePassword(ctx, proof),
    findSession: (token) => findOperatorSession(ctx, token),
    listSessions: (operatorId, tokenHash) => listOperatorSessions(ctx, operatorId, tokenHash),
    endSession: (token) => endOperatorSession(ctx, token),
    endSessions: (operatorId, currentHash, trx) => endOperatorSessions({ db: trx }, operatorId, currentHash),
    async purge() {
      const expired = db.deleteFrom("operatorSessions").where("expiresAt", "<=", ctx.clock());
      return Number((await expired.executeTakeFirst()).numDeletedRows);
    },
    countAct: (operatorId) => ctx.rateLimiter.count(`desk acts of ${operatorId}`, ACTS),
    listPasskeys: (operatorId) => ctx.passkeys.list(toOwner(operatorId)),
    beginPasskey: (operator, site) => beginPasskey(ctx, operator, site),
    addPasskey: (operator, answer) => addPasskey(ctx, operator, answer),
    removePasskey: (operatorId, id, trx) => ctx.passkeys.remove(toOwner(operatorId), id, trx),
    replaceRecoveryCodes: (operatorId, trx) => replaceRecoveryCodes({ ...ctx, db: trx }, operatorId),
  };
}

function transact<Result>(
  ctx: OperatorsContext,
  trx: Queries | undefined,
  work: (inTransaction: OperatorsContext) => Promise<Result>,
): Promise<Result> {
  return trx ? work({ ...ctx, db: trx }) : ctx.db.transaction().execute((own) => work({ ...ctx, db: own }));
}

/** @throws {RangeError} for an address or a name that the command should have refused. */
async function addOperator(ctx: OperatorsContext, { email, name, role }: NewOperator) {
  if (!isEmail(email) || cleanText(name) === "") throw new RangeError("An operator needs an address and a name");
  const row = await ctx.db
    .insertInto("operators")
    .values({
      email: cleanEmail(email),
      emailKey: toEmailKey(email),
      name: cleanText(name),
      role,
      totpSecret: ctx.seal.seal(makeSecret()),
      createdAt: ctx.clock(),
    })
    .onConflict((conflict) => conflict.column("emailKey").doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) return undefined;
  const operator = toOperator(row);
  return { operator, invitation: await invite(ctx, operator) };
}

async function inviteAgain(ctx: OperatorsContext, operatorId: number): Promise<{ invitation: string }> {
  const row = await ctx.db
    .updateTable("operators")
    .set({ passwordHash: null, totpSecret: ctx.seal.seal(makeSecret()), totpStep: null })
    .where("id", "=", operatorId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await ctx.passkeys.removeAll(toOwner(operatorId), ctx.db);
  for (const table of ["operatorSessions", "operatorRecoveryCodes"] as const) {
    await ctx.db.deleteFrom(table).where("operatorId", "=", operatorId).execute();
  }
  return { invitation: await invite(ctx, toOperator(row)) };
}

async function isLastOwner(trx: Queries, operatorId: number): Promise<boolean> {
  const owners = trx.updateTable("operators").set({ role: "owner" }).where("role", "=", "owner");
  const begun = (await owners.returning(["id", "passwordHash"]).execute()).filter((row) => row.passwordHash !== null);
  return begun.length === 1 && begun[0]?.id === operatorId;
}
