import { cleanEmail, isEmail, toEmailKey } from "../../platform/email-address.ts";
import { HOUR_IN_MS } from "../../platform/clock.ts";
import { countChanged } from "../../platform/database/changes.ts";
import type { Queries } from "../../platform/database/database.ts";
import { type Operator, operatorRows, type OperatorsContext, toOperator } from "./context.ts";
import { acceptInvitation, findInvitation, showSecret, type InvitationAnswer, invite } from "./invitations.ts";
import {
  logInByPasskey,
  logInByPassword,
  type OperatorCredentials,
  type PasskeyLogIn,
  type PasswordProof,
  provePassword,
} from "./operator-log-in.ts";
import {
  endOperatorSession,
  endOperatorSessions,
  findOperatorSession,
  listOperatorSessions,
} from "./operator-sessions.ts";
import { makeSecret, replaceRecoveryCodes } from "./one-time-codes.ts";
import type { PasskeyAnswer, PasskeySite } from "../../platform/passkeys/passkeys.ts";
import { addPasskey, beginPasskey, toOwner } from "./passkeys.ts";
import type { Role } from "./roles.ts";
import { cleanText } from "../../platform/text.ts";

export type { Operator } from "./context.ts";

/** More than a person does in an hour, and few enough to stop a stolen session early. */
const ACTS = { attempts: 200, windowInMs: HOUR_IN_MS };

export type NewOperator = { email: string; name: string; role: Role };

/** Operators are no members: their log-in, sessions and tables are separate. */
export type Operators = ReturnType<typeof createOperators>;

export function createOperators(ctx: OperatorsContext) {
  const { db } = ctx;
  return {
    /** The invitation is a secret for that person alone. `undefined` when the address is taken. */
    add: (operator: NewOperator, trx?: Queries) =>
      transact(ctx, trx, (inTransaction) => addOperator(inTransaction, operator)),
    /** For an operator who lost their device: voids password, codes, passkeys and sessions. */
    inviteAgain: (operatorId: number, trx?: Queries) =>
      transact(ctx, trx, (inTransaction) => inviteAgain(inTransaction, operatorId)),
    async find(email: string): Promise<Operator | undefined> {
      const row = await operatorRows(db).where("emailKey", "=", toEmailKey(email)).executeTakeFirst();
      return row && toOperator(row);
    },
    list: async () => (await operatorRows(db).orderBy("emailKey").execute()).map(toOperator),
    /** Includes invited operators. */
    isThereAny: async () => (await operatorRows(db).limit(1).executeTakeFirst()) !== undefined,
    async setRole(operatorId: number, role: Role, trx: Queries = db): Promise<void> {
      await trx.updateTable("operators").set({ role }).where("id", "=", operatorId).execute();
    },
    /** Ends their sessions; the audit log stays. */
    async remove(operatorId: number, trx: Queries = db): Promise<void> {
      await trx.deleteFrom("operators").where("id", "=", operatorId).execute();
    },
    /** Locks the owners, so that two of them cannot demote or remove one another at once. */
    isLastOwner: (operatorId: number, trx: Queries) => isLastOwner(trx, operatorId),
    /** The data that the page of an invitation shows before its form is sent. */
    findInvitation: (token: string) => findInvitation(ctx, token),
    /** Replaces a secret that was shown before. */
    showSecret: (token: string) => showSecret(ctx, token),
    /** Sets the password if the first one-time code is right; returns recovery codes, to show once, and a session. */
    acceptInvitation: (answer: InvitationAnswer) => acceptInvitation(ctx, answer),
    logIn: (credentials: OperatorCredentials) => logInByPassword(ctx, credentials),
    beginPasskeyLogIn: (site: PasskeySite) => ctx.passkeys.beginProof(site),
    logInByPasskey: (answer: PasskeyLogIn) => logInByPasskey(ctx, answer),
    provePassword: (proof: PasswordProof) => provePassword(ctx, proof),
    findSession: (token: string) => findOperatorSession(ctx, token),
    listSessions: (operatorId: number, tokenHash: string) => listOperatorSessions(ctx, operatorId, tokenHash),
    endSession: (token: string) => endOperatorSession(ctx, token),
    /** All but the one with `currentHash`; returns how many sessions ended. */
    endSessions: (operatorId: number, currentHash: string | undefined, trx: Queries) =>
      endOperatorSessions({ db: trx }, operatorId, currentHash),
    purge: () => countChanged(db.deleteFrom("operatorSessions").where("expiresAt", "<=", ctx.clock())),
    countAct: (operatorId: number) => ctx.rateLimiter.count(`desk acts of ${operatorId}`, ACTS),
    listPasskeys: (operatorId: number) => ctx.passkeys.list(toOwner(operatorId)),
    beginPasskey: (operator: Operator, site: PasskeySite) => beginPasskey(ctx, operator, site),
    addPasskey: (operator: Operator, answer: PasskeyAnswer & { name: string }) => addPasskey(ctx, operator, answer),
    removePasskey: (operatorId: number, id: string, trx: Queries) => ctx.passkeys.remove(toOwner(operatorId), id, trx),
    /** Voids all earlier codes; show the new ones now. */
    replaceRecoveryCodes: (operatorId: number, trx: Queries) => replaceRecoveryCodes({ ...ctx, db: trx }, operatorId),
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
