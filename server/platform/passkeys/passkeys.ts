import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
  VerifiedAuthenticationResponse,
  WebAuthnCredential,
} from "@simplewebauthn/server";
import type { Selectable } from "kysely";

import type { Context } from "../../context.ts";
import { MINUTE_IN_MS } from "../clock.ts";
import { countChanged, hasChanged } from "../database/changes.ts";
import type { Queries } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import type { RateLimiter } from "../rate-limit/rate-limit.ts";
import { cleanText, parseJsonObject } from "../text.ts";

/**
 * Passkeys (WebAuthn, level 3) of operators and members: a key pair in a device that asks for a finger, a face or a
 * PIN. The device stores it under its owner's handle, so it needs no address to log in (a discoverable credential). Who
 * may add or use one is decided by the owners' own modules.
 */
export type Passkeys = {
  /** The options for `navigator.credentials.create`; devices that have one of this owner refuse. */
  beginAdding(owner: NamedOwner, site: PasskeySite): Promise<BegunPasskey>;
  /** `undefined` for an answer that is not valid, or a passkey that is known already. */
  verifyNew(answer: PasskeyAnswer): Promise<NewPasskey | undefined>;
  add(owner: PasskeyOwner, passkey: NewPasskey & { name: string }, trx: Queries): Promise<boolean>;
  /** The options for `navigator.credentials.get`. */
  beginProof(site: PasskeySite): Promise<BegunProof>;
  /** The owner behind a valid answer, if it is of this kind. */
  prove(kind: PasskeyOwner["kind"], answer: PasskeyAnswer): Promise<ProvedPasskey | undefined>;
  /** The oldest first. */
  list(owner: PasskeyOwner, on?: Queries): Promise<PasskeyView[]>;
  /** Returns whether it was this owner's. */
  remove(owner: PasskeyOwner, id: string, trx: Queries): Promise<boolean>;
  removeAll(owner: PasskeyOwner, trx: Queries): Promise<number>;
};

export type PasskeyOwner = { kind: "operator" | "member"; id: number };

/** `rpName` is what a device may show; `email` distinguishes its passkeys of this site. */
export type NamedOwner = PasskeyOwner & { rpName: string; email: string; name: string };

/** `host` without the port is what a passkey belongs to; it must be a name. */
export type PasskeySite = { host: string; origin: string };

export type BegunPasskey = { options: PublicKeyCredentialCreationOptionsJSON };
export type BegunProof = { options: PublicKeyCredentialRequestOptionsJSON };

/** JSON of the browser, and the challenge that it got. */
export type PasskeyAnswer = PasskeySite & { challenge: string; response: string };

export type NewPasskey = Pick<Row, "id" | "publicKey" | "counter" | "isSynced" | "isBackedUp">;

export type ProvedPasskey = { ownerId: number; passkeyId: string };

/** `isSynced`: its maker may copy it to the owner's other devices; unknown until an old one is used. */
export type PasskeyView = {
  id: string;
  name: string;
  createdAt: Date;
  usedAt: Date | undefined;
  isSynced: boolean | undefined;
};

type PasskeysContext = Pick<Context, "db" | "clock"> & { rateLimiter: RateLimiter };

type Row = Selectable<Schema["passkeys"]>;

/** The library is loaded at its first use: few processes need it. */
const loadLibrary = () => import("@simplewebauthn/server");

/** Longer than a browser waits for its user. */
const CHALLENGE_LIFE_IN_MS = 15 * MINUTE_IN_MS;
const NAME_MAX_LENGTH = 60;

export function createPasskeys(ctx: PasskeysContext): Passkeys {
  const { db } = ctx;
  return {
    beginAdding: (owner, site) => beginAdding(db, owner, site),
    verifyNew: (answer) => verifyNew(ctx, answer),
    add: (owner, passkey, trx) => addPasskey(ctx, { owner, passkey }, trx),
    async beginProof({ host }) {
      const { generateAuthenticationOptions } = await loadLibrary();
      return { options: await generateAuthenticationOptions({ rpID: host, userVerification: "required" }) };
    },
    prove: (kind, answer) => provePasskey(ctx, kind, answer),
    list: (owner, on = db) => listPasskeys(on, owner),
    remove: (owner, id, trx) =>
      hasChanged(trx.deleteFrom("passkeys").where("id", "=", id).where(toColumn(owner), "=", owner.id)),
    removeAll: (owner, trx) => countChanged(trx.deleteFrom("passkeys").where(toColumn(owner), "=", owner.id)),
  };
}

const toColumn = ({ kind }: Pick<PasskeyOwner, "kind">) => (kind === "operator" ? "operatorId" : "memberId");

/** A number says nothing about a person, as the standard asks (WebAuthn, section 14.6.1). */
const toHandle = ({ kind, id }: PasskeyOwner) => new TextEncoder().encode(`${kind} ${id}`);

async function beginAdding(db: Queries, owner: NamedOwner, { host }: PasskeySite): Promise<BegunPasskey> {
  const { generateRegistrationOptions } = await loadLibrary();
  const known = await listPasskeys(db, owner);
  const options = await generateRegistrationOptions({
    rpName: owner.rpName,
    rpID: host,
    userID: toHandle(owner),
    userName: owner.email,
    userDisplayName: owner.name,
    excludeCredentials: known.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { options };
}

async function verifyNew(ctx: PasskeysContext, answer: PasskeyAnswer): Promise<NewPasskey | undefined> {
  // The library checks the fields.
  const response = parseJsonObject(answer.response) as RegistrationResponseJSON | undefined;
  if (!response || isFramed(response) || !(await isFirstUse(ctx, answer.challenge))) return undefined;
  const { verifyRegistrationResponse } = await loadLibrary();
  const verified = await unlessInvalid(verifyRegistrationResponse({ response, ...expected(answer) }));
  if (!verified?.verified) return undefined;
  const { credential, credentialDeviceType, credentialBackedUp } = verified.registrationInfo;
  return {
    id: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString("base64url"),
    counter: credential.counter,
    isSynced: credentialDeviceType === "multiDevice" ? 1 : 0,
    isBackedUp: credentialBackedUp ? 1 : 0,
  };
}

async function addPasskey(
  { clock }: PasskeysContext,
  { owner, passkey: { name, ...passkey } }: { owner: PasskeyOwner; passkey: NewPasskey & { name: string } },
  trx: Queries,
): Promise<boolean> {
  const named = {
    ...passkey,
    name: Array.from(cleanText(name) || "A passkey")
      .slice(0, NAME_MAX_LENGTH)
      .join(""),
  };
  const added = await trx
    .insertInto("passkeys")
    .values({ ...named, [toColumn(owner)]: owner.id, createdAt: clock() })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return added !== undefined;
}

/**
 * The library refuses a counter that does not rise: the key was copied. So is one whose use was recorded meanwhile.
 * The device names the owner, who must be the one that we know (WebAuthn, section 7.2, step 6), and whether the key may
 * be copied never changes (step 18).
 */
async function provePasskey(
  ctx: PasskeysContext,
  kind: PasskeyOwner["kind"],
  answer: PasskeyAnswer,
): Promise<ProvedPasskey | undefined> {
  const response = parseJsonObject(answer.response) as AuthenticationResponseJSON | undefined;
  if (!response || isFramed(response) || typeof response.id !== "string") return undefined;
  if (!(await isFirstUse(ctx, answer.challenge))) return undefined;
  const row = await ctx.db.selectFrom("passkeys").selectAll().where("id", "=", response.id).executeTakeFirst();
  const ownerId = row?.[toColumn({ kind })] ?? undefined;
  if (!row || ownerId === undefined || !namesOwner({ kind, id: ownerId }, response)) return undefined;
  const { verifyAuthenticationResponse } = await loadLibrary();
  const verified = await unlessInvalid(
    verifyAuthenticationResponse({ response, ...expected(answer), credential: toCredential(row) }),
  );
  if (!verified?.verified || !(await noteUse(ctx, row, verified))) return undefined;
  return { ownerId, passkeyId: row.id };
}

function namesOwner(owner: PasskeyOwner, { response }: AuthenticationResponseJSON): boolean {
  const given: unknown = response?.userHandle;
  return given === Buffer.from(toHandle(owner)).toString("base64url");
}

/** No page of ours is within another site's page, so no answer may be (WebAuthn, sections 7.1 and 7.2). */
function isFramed({ response }: { response?: { clientDataJSON?: unknown } }): boolean {
  const text = Buffer.from(String(response?.clientDataJSON), "base64url").toString();
  return parseJsonObject(text)?.crossOrigin === true;
}

function expected({ challenge, origin, host }: PasskeyAnswer) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
  };
}

function toCredential({ id, publicKey, counter }: Row): WebAuthnCredential {
  return { id, publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")), counter };
}

/** Returns whether no other use was recorded since `row` was read, and the flags are as they may be. */
async function noteUse(
  { db, clock }: PasskeysContext,
  row: Row,
  { authenticationInfo }: VerifiedAuthenticationResponse,
): Promise<boolean> {
  const { newCounter, credentialDeviceType, credentialBackedUp } = authenticationInfo;
  const isSynced = credentialDeviceType === "multiDevice" ? 1 : 0;
  if (row.isSynced !== null && row.isSynced !== isSynced) return false;
  const used = { counter: newCounter, isSynced, isBackedUp: credentialBackedUp ? 1 : 0, usedAt: clock() } as const;
  const noted = db.updateTable("passkeys").set(used).where("id", "=", row.id).where("counter", "=", row.counter);
  return hasChanged(noted);
}

/** The challenge is in the browser's sealed cookie. Recording its answer makes it work once. */
async function isFirstUse({ rateLimiter }: PasskeysContext, challenge: string): Promise<boolean> {
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

async function listPasskeys(db: Queries, owner: PasskeyOwner): Promise<PasskeyView[]> {
  const rows = await db
    .selectFrom("passkeys")
    .selectAll()
    .where(toColumn(owner), "=", owner.id)
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: row.createdAt,
    usedAt: row.usedAt ?? undefined,
    isSynced: row.isSynced === null ? undefined : row.isSynced === 1,
  }));
}
