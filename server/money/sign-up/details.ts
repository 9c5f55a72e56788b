import { checkPassword, isSamePassword } from "../../members/accounts/passwords.ts";
import { checkName, cleanName } from "../../members/accounts/profile-fields.ts";
import { cleanEmail, isEmail, toEmailKey } from "../../platform/email-address.ts";
import type { Codes } from "../companies/codes.ts";
import { findUnavailability } from "../../platform/database/faults.ts";
import type { AccountType } from "../../platform/database/schema.ts";
import type { Log } from "../../platform/log.ts";
import type { SignUpContext, RequestSource } from "./context.ts";
import { addDraft, changeDraft, type DraftDetails, type DraftRow, findDraft, type StartedDraft } from "./drafts.ts";
import { countDetails, countEmail, sendVerification } from "./verification.ts";
import { cleanText } from "../../platform/text.ts";

export type Details = RequestSource & {
  token: string | undefined;
  accountType: AccountType;
  code: string;
  /** A gift that pays for the membership: it comes from its link, and the account is then an individual's. */
  giftCode?: string | undefined;
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  passwordConfirmation: string;
};

export type DetailsRefusal =
  | { reason: "first-name-missing" }
  | { reason: "last-name-missing" }
  | { reason: "name-too-long"; field: "firstName" | "lastName" }
  | { reason: "email-invalid" }
  | { reason: "email-registered" }
  | { reason: "password-short" }
  | { reason: "password-long" }
  | { reason: "password-common" }
  | { reason: "password-mismatch" }
  | { reason: "code-refused"; message: string }
  | { reason: "code-unchecked" }
  | { reason: "gift-refused"; message: string };

export type SaveDetailsResult =
  | { ok: true; draft: StartedDraft }
  | { ok: false; reason: "refused"; refusals: DetailsRefusal[] }
  /** A payment of this draft is under way or done, so the draft cannot change. */
  | { ok: false; reason: "paying" }
  | { ok: false; reason: "too-many-attempts"; waitInMs: number };

export type Person = { firstName: string; lastName: string; email: string };

/** Removes invisible characters: edge spaces, line breaks, control characters. */
export function toPerson({ firstName, lastName, email }: Details): Person {
  return { firstName: cleanName(firstName), lastName: cleanName(lastName), email: cleanEmail(email) };
}

/** The rules of step 1 that need only the form (docs/behaviour.md, Sign-up). */
export function checkPerson(details: Details, productName: string): DetailsRefusal[] {
  const first = checkName(details.firstName);
  const last = checkName(details.lastName);
  const refusals: (DetailsRefusal | false)[] = [
    first === "missing" && { reason: "first-name-missing" },
    first === "long" && { reason: "name-too-long", field: "firstName" },
    last === "missing" && { reason: "last-name-missing" },
    last === "long" && { reason: "name-too-long", field: "lastName" },
    !isEmail(cleanEmail(details.email)) && { reason: "email-invalid" },
    checkSecret(details, productName),
    !isSamePassword(details.password, details.passwordConfirmation) && { reason: "password-mismatch" },
  ];
  return refusals.filter((refusal) => refusal !== false);
}

function checkSecret(details: Details, productName: string): DetailsRefusal | false {
  const { firstName, lastName, email } = toPerson(details);
  const fault = checkPassword(details.password, { productName, email, names: [firstName, lastName] });
  return fault === undefined ? false : { reason: `password-${fault}` };
}

/** Step 1: checks everything at once, then stores it in the browser's draft or in a new one. */
export async function saveDetails(ctx: SignUpContext, details: Details): Promise<SaveDetailsResult> {
  const tooMany = await countDetails(ctx, details.address);
  if (tooMany) return tooMany;
  const before = await findOpen(ctx, details.token);
  const refusals = await listRefusals(ctx, details, before);
  if (refusals.length > 0) return { ok: false, reason: "refused", refusals };
  if (before && (await ctx.payments.giveUp({ draftId: before.id })) !== "given-up")
    return { ok: false, reason: "paying" };
  return save(ctx, details, before);
}

/** The draft that this browser may still change. Renewals belong to an account; joining starts its own draft. */
async function findOpen(ctx: SignUpContext, token: string | undefined): Promise<DraftRow | undefined> {
  const draft = token === undefined ? undefined : await findDraft(ctx, token);
  return draft?.state === "open" && draft.purpose === "join" ? draft : undefined;
}

async function save(ctx: SignUpContext, details: Details, before: DraftRow | undefined): Promise<SaveDetailsResult> {
  const protectedPassword = await ctx.joining.protectPassword(details.password);
  const person = toPerson(details);
  const isSameEmail = before !== undefined && toEmailKey(before.email) === toEmailKey(person.email);
  const isVerified = isSameEmail && before.isVerified;
  const tooMany = isVerified ? undefined : await countEmail(ctx, person.email);
  if (tooMany) return tooMany;
  const values: DraftDetails = {
    ...person,
    accountType: details.accountType,
    code: details.accountType === "corporate" ? cleanText(details.code) : details.giftCode,
    protectedPassword,
    isVerified,
    site: details.site,
  };

  return ctx.db.transaction().execute(async (trx) => {
    const inTransaction = { ...ctx, db: trx };
    const expiresAt = before && (await changeDraft(inTransaction, { ...values, id: before.id }));
    const draft =
      before && expiresAt && details.token !== undefined
        ? { id: before.id, token: details.token, expiresAt }
        : await addDraft(inTransaction, { ...values, purpose: "join" });
    // Within a minute of the last email none is sent; the page offers one afterwards.
    if (!isVerified) await sendVerification(inTransaction, { ...values, id: draft.id });
    return { ok: true, draft: { token: draft.token, expiresAt: draft.expiresAt } };
  });
}

async function listRefusals(
  ctx: SignUpContext,
  details: Details,
  before: DraftRow | undefined,
): Promise<DetailsRefusal[]> {
  const refusals = checkPerson(details, ctx.productName);
  const { email } = toPerson(details);
  if (await ctx.joining.isAddressTaken({ email, password: details.password, before }))
    refusals.push({ reason: "email-registered" });
  if (details.accountType === "corporate") {
    const refusal = await checkCode(ctx, details.code);
    if (refusal) refusals.push(refusal);
  } else if (details.giftCode !== undefined) {
    const offer = await ctx.gifts.findOffer(details.giftCode);
    if (!offer.ok) refusals.push({ reason: "gift-refused", message: offer.message });
  }
  return refusals;
}

/** `undefined`: the code is valid. A failed check is a refusal too, and logged, unless the database is the cause. */
export async function checkCode(
  { codes, log }: { codes: Codes; log: Log },
  code: string,
): Promise<DetailsRefusal | undefined> {
  try {
    const check = await codes.check(code);
    return check.isValid ? undefined : { reason: "code-refused", message: check.message };
  } catch (error) {
    if (findUnavailability(error)) throw error;
    log.error({ error }, "a code could not be checked");
    return { reason: "code-unchecked" };
  }
}
