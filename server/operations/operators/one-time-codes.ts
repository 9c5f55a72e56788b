import { randomInt } from "node:crypto";
import { Secret, TOTP } from "otpauth";

import type { Context } from "../../context.ts";
import type { Seal } from "../../platform/seal.ts";
import { hasChanged } from "../../platform/database/changes.ts";
import { tidyDigits } from "../../platform/text.ts";

/**
 * The second factor: an app's codes (RFC 6238: SHA-1, six digits, thirty seconds, as apps read), and recovery codes.
 */
const PERIOD_IN_S = 30;
/** A phone's clock may be half a minute off, and typing takes a while. */
const WINDOW = 1;

type CodesContext = Pick<Context, "db" | "clock" | "keyedHash"> & { seal: Seal };

/** 160 bits, as base32 (RFC 4226, section 4). */
export function makeSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** For the QR code that sets up an app. */
export function toUri({ secret, label, issuer }: { secret: string; label: string; issuer: string }): string {
  return toTotp(secret, { label, issuer }).toString();
}

function toTotp(secret: string, names: { label?: string; issuer?: string } = {}): TOTP {
  return new TOTP({ ...names, secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: 6, period: PERIOD_IN_S });
}

/** `undefined` if the code is wrong or of another time. */
function findStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const delta = toTotp(secret).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_IN_S) + delta;
}

/**
 * Uses up an app's code or a recovery code; returns whether it was valid. Of two requests with one code one succeeds.
 */
export async function claimCode(ctx: CodesContext, operatorId: number, typed: string): Promise<boolean> {
  const code = tidyCode(typed);
  return /^\d{6}$/.test(code) ? claimStep(ctx, operatorId, code) : claimRecoveryCode(ctx, operatorId, code);
}

function tidyCode(typed: string): string {
  return tidyDigits(typed).toUpperCase();
}

/** Does not use the code up. */
export async function isRecoveryCode(ctx: CodesContext, operatorId: number, typed: string): Promise<boolean> {
  const codes = ctx.db.selectFrom("operatorRecoveryCodes").select("operatorId").where("operatorId", "=", operatorId);
  const found = codes.where("codeHash", "=", hashCode(ctx, operatorId, tidyCode(typed)));
  return (await found.executeTakeFirst()) !== undefined;
}

/** `undefined` when it was sealed under another `SESSION_SECRET`. */
async function readSecret({ db, seal }: CodesContext, operatorId: number): Promise<string | undefined> {
  const row = await db.selectFrom("operators").select("totpSecret").where("id", "=", operatorId).executeTakeFirst();
  return row && seal.open(row.totpSecret);
}

async function claimStep(ctx: CodesContext, operatorId: number, code: string): Promise<boolean> {
  const secret = await readSecret(ctx, operatorId);
  const step = secret === undefined ? undefined : findStep(secret, code, ctx.clock());
  if (step === undefined) return false;
  const operator = ctx.db.updateTable("operators").set({ totpStep: step }).where("id", "=", operatorId);
  return hasChanged(operator.where((where) => where.or([where("totpStep", "is", null), where("totpStep", "<", step)])));
}

function claimRecoveryCode(ctx: CodesContext, operatorId: number, code: string): Promise<boolean> {
  const codes = ctx.db.deleteFrom("operatorRecoveryCodes").where("operatorId", "=", operatorId);
  return hasChanged(codes.where("codeHash", "=", hashCode(ctx, operatorId, code)));
}

function hashCode({ keyedHash }: CodesContext, operatorId: number, code: string): string {
  return keyedHash("recovery code")(`${operatorId} ${code}`);
}

const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 10;
/** Without characters that are easily misread. Ten of these are 44 bits, behind a rate limit. */
const ALPHABET = "34679CDFGHJKMNPQRTVWXY";

/** Replaces all recovery codes by ten, each valid once. Only hashes are stored, so show them now. */
export async function replaceRecoveryCodes(ctx: CodesContext, operatorId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: RECOVERY_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join(""),
  );
  await ctx.db.deleteFrom("operatorRecoveryCodes").where("operatorId", "=", operatorId).execute();
  await ctx.db
    .insertInto("operatorRecoveryCodes")
    .values(codes.map((code) => ({ codeHash: hashCode(ctx, operatorId, code), operatorId })))
    .execute();
  return codes.map((code) => `${code.slice(0, RECOVERY_LENGTH / 2)}-${code.slice(RECOVERY_LENGTH / 2)}`);
}
