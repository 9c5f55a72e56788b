import { checkPassword } from "../accounts/passwords.ts";
import { checkName, cleanName, isEmail, toEmailKey } from "../accounts/rules.ts";
import type { Codes } from "../codes/codes.ts";
import type { Queries } from "../database/database.ts";
import type { Log } from "../log.ts";
import type { Payments } from "../payments/payments.ts";
import type { Admission } from "./admission.ts";
import type { DraftDetails, DraftRow, Drafts } from "./drafts.ts";
import type { Details, DetailsRefusal, SaveDetailsResult, SignUp } from "./sign-up.ts";
import type { Limits, Verification } from "./verification.ts";

/** Who the person is, as it will be kept. */
export type Person = { firstName: string; lastName: string; email: string };

/** Without what nobody sees: edges, line breaks, control characters. */
export function toPerson({ firstName, lastName, email }: Details): Person {
  return { firstName: cleanName(firstName), lastName: cleanName(lastName), email: email.trim() };
}

/** Every rule of step 1 that needs nobody else (spec, section 5). */
export function checkPerson(details: Details, productName: string): DetailsRefusal[] {
  const first = checkName(details.firstName);
  const last = checkName(details.lastName);
  const refusals: (DetailsRefusal | false)[] = [
    first === "missing" && { reason: "first-name-missing" },
    first === "long" && { reason: "name-too-long", field: "firstName" },
    last === "missing" && { reason: "last-name-missing" },
    last === "long" && { reason: "name-too-long", field: "lastName" },
    !isEmail(details.email.trim()) && { reason: "email-invalid" },
    checkSecret(details, productName),
    details.password !== details.passwordConfirmation && { reason: "password-mismatch" },
  ];
  return refusals.filter((refusal) => refusal !== false);
}

function checkSecret(details: Details, productName: string): DetailsRefusal | false {
  const { firstName, lastName, email } = toPerson(details);
  const fault = checkPassword(details.password, { productName, email, names: [firstName, lastName] });
  return fault === undefined ? false : { reason: `password-${fault}` };
}

type DetailsServices = {
  db: Queries;
  admission: Admission;
  codes: Codes;
  payments: Payments;
  drafts: Drafts;
  verification: Verification;
  limits: Limits;
  productName: string;
  log: Log;
};

/** Step 1: everything is checked at once, then kept in the browser's draft or in a new one. */
export function createSaveDetails(services: DetailsServices): SignUp["saveDetails"] {
  const { db, payments, admission, drafts, verification, limits } = services;

  return async (details) => {
    const tooMany = await limits.countDetails(details.address);
    if (tooMany) return tooMany;
    const before = await findOpen(details.token);
    const refusals = await listRefusals(details, { ...services, before });
    if (refusals.length > 0) return { ok: false, reason: "refused", refusals };
    if (before && (await payments.giveUp(before.id)) !== "given-up") return { ok: false, reason: "paying" };
    const keptPassword = await admission.keepPassword(details.password);
    return save(details, { before, keptPassword });
  };

  /** The draft that this browser may still change. A renewal's is about an account that exists; joining starts its own. */
  async function findOpen(token: string | undefined): Promise<DraftRow | undefined> {
    const draft = token === undefined ? undefined : await drafts.find(token);
    return draft?.state === "open" && draft.purpose === "join" ? draft : undefined;
  }

  async function save(
    details: Details,
    { before, keptPassword }: { before: DraftRow | undefined; keptPassword: string },
  ): Promise<SaveDetailsResult> {
    const person = toPerson(details);
    const isSameEmail = before !== undefined && toEmailKey(before.email) === toEmailKey(person.email);
    const isVerified = isSameEmail && before.isVerified;
    const tooMany = isVerified ? undefined : await limits.countEmail(person.email);
    if (tooMany) return tooMany;
    const kept: DraftDetails = {
      ...person,
      accountType: details.accountType,
      code: details.accountType === "corporate" ? details.code.trim() : undefined,
      keptPassword,
      isVerified,
      site: details.site,
    };

    return db.transaction().execute(async (trx) => {
      const expiresAt = before && (await drafts.change(before.id, kept, trx));
      const draft =
        before && expiresAt && details.token !== undefined
          ? { id: before.id, token: details.token, expiresAt }
          : await drafts.add({ ...kept, purpose: "join" }, trx);
      // Within a minute of the email before there is none; the page offers one when the minute is over.
      if (!isVerified) await verification.send({ ...kept, id: draft.id }, trx);
      return { ok: true, draft: { token: draft.token, expiresAt: draft.expiresAt } };
    });
  }
}

/** Everything that is wrong with step 1, at once. */
async function listRefusals(
  details: Details,
  services: DetailsServices & { before: DraftRow | undefined },
): Promise<DetailsRefusal[]> {
  const { admission, productName, before } = services;
  const refusals = checkPerson(details, productName);
  const { email } = toPerson(details);
  if (await admission.isTaken({ email, password: details.password, before }))
    refusals.push({ reason: "email-registered" });
  if (details.accountType === "corporate") {
    const refusal = await checkCode(details.code, services);
    if (refusal) refusals.push(refusal);
  }
  return refusals;
}

/** Whether somebody may join by a code; codes that cannot be asked about are a refusal too, and logged. */
export async function checkCode(
  code: string,
  { codes, log }: { codes: Codes; log: Log },
): Promise<DetailsRefusal | undefined> {
  try {
    const check = await codes.check(code);
    return check.isValid ? undefined : { reason: "code-refused", message: check.message };
  } catch (error) {
    log.error({ error }, "a code could not be checked");
    return { reason: "code-unchecked" };
  }
}
