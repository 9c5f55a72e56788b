import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
  VerifiedAuthenticationResponse,
  WebAuthnCredential,
} from "@simplewebauthn/server";
import type { Selectable } from "kysely";

import { MINUTE_IN_MS } from "../../platform/clock.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Schema } from "../../platform/database/schema.ts";
import { findOperator, type Operator, type OperatorsContext } from "./context.ts";
import { cleanText } from "../../platform/text.ts";

/**
 * Passkeys (WebAuthn, level 2): a key pair in a device that asks for a finger, a face or a PIN, so it is both factors.
 * The library is loaded at its first use: few processes need it.
 */
const loadLibrary = () => import("@simplewebauthn/server");

export type PasskeySite = { host: string; origin: string };

export type BegunPasskey = { options: PublicKeyCredentialCreationOptionsJSON };
export type BegunLogIn = { options: PublicKeyCredentialRequestOptionsJSON };

/** JSON of the browser, and the challenge that it got. */
export type PasskeyAnswer = PasskeySite & { challenge: string; response: string };

export type PasskeyView = { id: string; name: string; createdAt: Date; usedAt: Date | undefined };

/** Longer than a browser waits for its user. */
const CHALLENGE_LIFE_IN_MS = 15 * MINUTE_IN_MS;
const NAME_MAX_LENGTH = 60;

export async function beginPasskey(
  { db, productName }: OperatorsContext,
  operator: Operator,
  { host }: PasskeySite,
): Promise<BegunPasskey> {
  const { generateRegistrationOptions } = await loadLibrary();
  const known = await passkeyRows(db).where("operatorId", "=", operator.id).execute();
  const options = await generateRegistrationOptions({
    rpName: `${productName} desk`,
    rpID: host,
    userID: new TextEncoder().encode(`operator ${operator.id}`),
    userName: operator.email,
    userDisplayName: operator.name,
    excludeCredentials: known.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { options };
}

export async function beginLogIn({ host }: PasskeySite): Promise<BegunLogIn> {
  const { generateAuthenticationOptions } = await loadLibrary();
  return { options: await generateAuthenticationOptions({ rpID: host, userVerification: "required" }) };
}

export async function addPasskey(
  ctx: OperatorsContext,
  operator: Operator,
  { name, ...answer }: PasskeyAnswer & { name: string },
): Promise<boolean> {
  const response = readJson(answer.response) as RegistrationResponseJSON | undefined;
  if (!response || !(await isFirstUse(ctx, answer.challenge))) return false;
  const { verifyRegistrationResponse } = await loadLibrary();
  const verified = await unlessInvalid(verifyRegistrationResponse({ response, ...expected(answer) }));
  if (!verified?.verified) return false;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  const row = {
    id,
    operatorId: operator.id,
    publicKey: Buffer.from(publicKey).toString("base64url"),
    counter,
    name: Array.from(cleanText(name) || "A passkey")
      .slice(0, NAME_MAX_LENGTH)
      .join(""),
    createdAt: ctx.clock(),
  };
  return ctx.db.transaction().execute(async (trx) => {
    const added = await trx
      .insertInto("operatorPasskeys")
      .values(row)
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (added) await ctx.audit.record({ operator: operator.email, action: "desk passkey added", facts: {} }, trx);
    return added !== undefined;
  });
}

/** The library refuses a counter that does not rise: the key was copied. */
export async function provePasskey(ctx: OperatorsContext, answer: PasskeyAnswer): Promise<Operator | undefined> {
  const response = readJson(answer.response) as AuthenticationResponseJSON | undefined;
  if (!response || typeof response.id !== "string" || !(await isFirstUse(ctx, answer.challenge))) return undefined;
  const row = await passkeyRows(ctx.db).where("id", "=", response.id).executeTakeFirst();
  if (!row) return undefined;
  const { verifyAuthenticationResponse } = await loadLibrary();
  const verified = await unlessInvalid(
    verifyAuthenticationResponse({ response, ...expected(answer), credential: toCredential(row) }),
  );
  if (!verified?.verified) return undefined;
  await noteUse(ctx, row, verified);
  return findOperator(ctx.db, row.operatorId);
}

function expected({ challenge, origin, host }: PasskeyAnswer) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
  };
}

type PasskeyRow = Selectable<Schema["operatorPasskeys"]>;

function toCredential({ id, publicKey, counter }: PasskeyRow): WebAuthnCredential {
  return { id, publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")), counter };
}

async function noteUse(
  { db, clock }: OperatorsContext,
  { id }: PasskeyRow,
  { authenticationInfo }: VerifiedAuthenticationResponse,
): Promise<void> {
  const used = { counter: authenticationInfo.newCounter, usedAt: clock() };
  await db.updateTable("operatorPasskeys").set(used).where("id", "=", id).execute();
}

/** The challenge is in the browser's sealed cookie. Recording its answer makes it work once. */
async function isFirstUse({ rateLimiter }: OperatorsContext, challenge: string): Promise<boolean> {
  return (await rateLimiter.take(`passkey challenge ${challenge}`, CHALLENGE_LIFE_IN_MS)).number === 1;
}

/** The library throws for an answer that is malformed, of another origin, or badly signed. */
async function unlessInvalid<Verified>(work: Promise<Verified>): Promise<Verified | undefined> {
  try {
    return await work;
  } catch {
    return undefined;
  }
}

/** The library checks the fields. */
function readJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function passkeyRows(db: Queries) {
  return db.selectFrom("operatorPasskeys").selectAll();
}

export async function listPasskeys({ db }: OperatorsContext, operatorId: number): Promise<PasskeyView[]> {
  const rows = await passkeyRows(db).where("operatorId", "=", operatorId).orderBy("createdAt").execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: row.createdAt,
    usedAt: row.usedAt ?? undefined,
  }));
}

export async function removePasskey({ db }: OperatorsContext, operatorId: number, id: string): Promise<boolean> {
  const removed = db.deleteFrom("operatorPasskeys").where("id", "=", id).where("operatorId", "=", operatorId);
  return (await removed.executeTakeFirst()).numDeletedRows > 0n;
}
