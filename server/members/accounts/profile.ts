import type { AuditNote } from "../../platform/audit/audit.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { TooMany } from "../../platform/rate-limit/rate-limit.ts";
import {
  type ConfirmEmailResult,
  type ConfirmLinkResult,
  countAddressEmail,
  countNewAddress,
  requestAddress,
  type ResendEmailResult,
} from "./address-change.ts";
import type { AddressAnswer, AddressQuestion } from "./address-hold.ts";
import { type AccountsContext, entryPurposes } from "./context.ts";
import { isPasswordOff, type MemberProof, proveMember } from "./password-switch.ts";
import { provePassword } from "./log-in.ts";
import {
  changeHeld,
  findAccount,
  findMemberByEmail,
  type Account,
  holdOpenMember,
  noPending,
  passwordColumns,
  requireFree,
  unlessTaken,
} from "./members.ts";
import { checkNewPassword, hashPassword, type NewPassword, type NewPasswordRefusal } from "./passwords.ts";
import {
  checkName,
  cleanName,
  type FieldRefusal,
  mapProfile,
  type ProfileField,
  type ProfileFields,
  profileFieldNames,
  profileFields,
} from "./profile-fields.ts";
import { cleanEmail, isEmail, toEmailKey } from "../../platform/email-address.ts";

export type Profile = {
  find(memberId: number): Promise<ProfileView | undefined>;
  /**
   * Saves all edited fields or none. Other fields keep their current value, and a change made elsewhere meanwhile is
   * not overwritten silently. A new address needs the password (ASVS 7.5.1), or a fresh session while that is off, and counts once it is proved;
   * `isEmailPending`: this save requested one.
   */
  save(change: ProfileChange): Promise<SaveProfileResult>;
  /** By the code sent to the new address. `site`: for the email to the old one. */
  confirmEmailByCode(memberId: number, code: string, site?: string): Promise<ConfirmEmailResult>;
  /** The data that the page behind that email's link may show before its button is pressed. */
  findEmailLink(token: string): Promise<{ email: string } | undefined>;
  /** By that email's link, on any device. */
  confirmEmailByLink(token: string, site?: string): Promise<ConfirmLinkResult>;
  /** Sends a new code and link, and voids the earlier ones. `note`: of an operator who requests it. */
  resendConfirmation(
    memberId: number,
    from: { address: string; site: string },
    note?: AuditNote,
  ): Promise<ResendEmailResult>;
  cancelEmailChange(memberId: number): Promise<void>;
  /** The data for the page behind the old address's link, while an operator's change waits. */
  findAddressQuestion(token: string): Promise<AddressQuestion | undefined>;
  /** By that link: the old address agrees or objects. */
  answerAddressChange(answer: { token: string; isAgreed: boolean; site?: string }): Promise<AddressAnswer>;
  /** A job: applies proved addresses to which the old one has not objected; returns how many. */
  moveHeldAddresses(): Promise<number>;
  /** The data that the page behind the undo link may show. */
  findUndo(token: string): Promise<{ email: string } | undefined>;
  /**
   * Restores the old address, reopens the account and ends all its sessions. The password stops working and is reset at
   * that address (`PasswordReset`), so neither the link nor an old password lets an intruder in.
   */
  undoEmail(token: string): Promise<"undone" | "email-registered" | "over">;
  /** Checks the old password, ends all sessions but the current one, drops a pending address and emails the owner. */
  changePassword(change: PasswordChange): Promise<ChangePasswordResult>;
};

/** `shown` is what the form showed, `wanted` what came back. */
export type ProfileChange = Edit & {
  memberId: number;
  password: string | undefined;
  /** Of the session: where the password is off, it must be fresh. */
  token?: string | undefined;
  address: string;
  site: string;
};

export type Edit = { shown: ProfileFields; wanted: ProfileFields };

export type PasswordChange = NewPassword & {
  memberId: number;
  oldPassword: string;
  currentToken: string | undefined;
  address: string;
  site?: string | undefined;
};

/** `email` counts until `pendingEmail` is proved, or until `pendingUntil` if the old address may object. */
export type ProfileView = ProfileFields & {
  pendingEmail: string | undefined;
  pendingUntil?: Date | undefined;
  isPasswordOff?: true;
};

export type ProfileRefusal =
  | FieldRefusal
  | "email-registered"
  | "password-wanted"
  | "password-wrong"
  | "passkey-wanted";

/**
 * `isProvedElsewhere`: the email to the new address leads to the provider's pages. `refused-elsewhere` has the
 * provider's sentence for the member; `unavailable`: the provider does not answer.
 */
export type SaveProfileResult =
  | { ok: true; isEmailPending: boolean; isProvedElsewhere?: boolean }
  | { ok: false; reason: "refused-elsewhere"; message: string }
  | { ok: false; reason: "unavailable" }
  | { ok: false; reason: "refused"; refusals: ProfileRefusal[] }
  | { ok: false; reason: "changed-elsewhere"; now: ProfileView }
  | TooMany;

export type ChangePasswordResult =
  | { ok: true }
  | { ok: false; reason: "refused"; refusals: ("old-password-wrong" | NewPasswordRefusal)[] }
  | TooMany;

export async function findProfile({ db }: AccountsContext, memberId: number): Promise<ProfileView | undefined> {
  const account = await findAccount(memberId, db);
  return account && account.eraseAt === undefined ? toView(account) : undefined;
}

function toView({ pendingEmail, pendingUntil, isPendingProved, passwordOffAt, ...fields }: Account): ProfileView {
  const shown = mapProfile((field) => fields[field]);
  return {
    ...shown,
    pendingEmail,
    pendingUntil: isPendingProved ? pendingUntil : undefined,
    ...(passwordOffAt && { isPasswordOff: true }),
  };
}

type Proved = Extract<MemberProof, { ok: true }>;

export async function saveProfile(ctx: AccountsContext, change: ProfileChange): Promise<SaveProfileResult> {
  const edited = { ...change, wanted: cleanFields(change.wanted) };
  const account = await findAccount(change.memberId, ctx.db);
  const refusals = listFaults(edited);
  let proof: Proved | undefined;
  if (account && isOtherAddress(edited, account)) {
    const checked = await checkAddress(ctx, edited);
    if (checked.tooMany) return checked.tooMany;
    proof = checked.proof;
    refusals.push(...checked.refusals);
  }
  if (refusals.length > 0) return refuse(...refusals);

  const tooMany = proof && (await countAddressEmail(ctx, edited.wanted.email));
  if (tooMany) return tooMany;
  const work = ctx.db.transaction().execute((trx) => keep(ctx, edited, { proof, trx }));
  return unlessTaken(work, refuse("email-registered"));
}

type AddressCheck = { refusals: ProfileRefusal[]; tooMany?: TooMany | undefined; proof?: Proved };

async function checkAddress(
  ctx: AccountsContext,
  { memberId, token, password, address, wanted }: ProfileChange,
): Promise<AddressCheck> {
  if (!password && !(await isPasswordOff(memberId, ctx.db))) return { refusals: ["password-wanted"] };
  const proof = await proveMember(ctx, { memberId, token, password: password ?? "", address });
  if (!proof.ok && proof.reason === "too-many-attempts") return { refusals: [], tooMany: proof };
  if (!proof.ok && proof.reason === "not-fresh") return { refusals: ["passkey-wanted"] };
  if (!proof.ok) return { refusals: ["password-wrong"] };
  if (!isEmail(wanted.email)) return { refusals: [] };
  const tooMany = await countNewAddress(ctx, memberId);
  const other = await findMemberByEmail(wanted.email, ctx.db);
  return { refusals: other && other.id !== memberId ? ["email-registered"] : [], tooMany, proof };
}

async function keep(
  ctx: AccountsContext,
  { memberId, shown, wanted, site }: ProfileChange,
  { proof, trx }: { proof: Proved | undefined; trx: Queries },
): Promise<SaveProfileResult> {
  const held = await holdOpenMember(memberId, trx);
  if (!held) return { ok: false, reason: "changed-elsewhere", now: { ...shown, pendingEmail: undefined } };
  const edit = { shown, wanted };
  if (isOvertaken(edit, held)) return { ok: false, reason: "changed-elsewhere", now: toView(held) };
  if (proof && proof.passwordHash !== held.passwordHash) return refuse("password-wrong");

  const columns = mapProfile((field) => (isEdited(field, edit) ? wanted[field] : held[field]));
  // Another spelling of the same address needs no proof.
  if (!isSameAddress(wanted.email, held.email)) columns.email = held.email;
  await changeHeld(held, { columns, trx });
  if (proof) {
    await requireFree(wanted.email, { held, trx });
    await requestAddress(ctx, { held: { ...held, firstName: columns.firstName }, email: wanted.email, site }, trx);
  }
  return { ok: true, isEmailPending: proof !== undefined };
}

function refuse(...refusals: ProfileRefusal[]): SaveProfileResult & { ok: false } {
  return { ok: false, reason: "refused", refusals };
}

const cleaners = { name: cleanName, email: cleanEmail };

export function cleanFields(typed: ProfileFields): ProfileFields {
  return mapProfile((field) => cleaners[profileFields[field].kind](typed[field]));
}

function isEdited(field: ProfileField, { shown, wanted }: Edit): boolean {
  return !isSameText(wanted[field], shown[field]);
}

/** A form gives back cleaned text, while an old account may have a name that is not clean. */
function isSameText(a: string, b: string): boolean {
  return cleanName(a) === cleanName(b);
}

export function pickEdited(edit: Edit): Partial<ProfileFields> {
  return Object.fromEntries(
    profileFieldNames.filter((field) => isEdited(field, edit)).map((field) => [field, edit.wanted[field]]),
  );
}

export function isOtherAddress(edit: Edit, account: Pick<Account, "email">): boolean {
  return isEdited("email", edit) && !isSameAddress(edit.wanted.email, account.email);
}

function isSameAddress(a: string, b: string): boolean {
  return toEmailKey(a) === toEmailKey(b);
}

/** Another request has changed an edited field to something else. */
export function isOvertaken(edit: Edit, held: ProfileFields): boolean {
  return profileFieldNames.some((field) => isChangedElsewhere(field, { edit, held }));
}

function isChangedElsewhere(field: ProfileField, { edit, held }: { edit: Edit; held: ProfileFields }): boolean {
  const isSameAs = (other: ProfileFields) => isSameText(held[field], other[field]);
  return isEdited(field, edit) && !isSameAs(edit.shown) && !isSameAs(edit.wanted);
}

export function listFaults(edit: Edit): ProfileRefusal[] {
  const faults = profileFieldNames.map((field) => isEdited(field, edit) && checkField(field, edit.wanted[field]));
  return faults.filter((fault) => fault !== undefined && fault !== false);
}

function checkField(field: ProfileField, text: string): FieldRefusal | undefined {
  const row = profileFields[field];
  if (row.kind === "email") return isEmail(text) ? undefined : row.refusals.invalid;
  const refusals: { missing?: FieldRefusal; long: FieldRefusal } = row.refusals;
  const fault = checkName(text);
  return fault && refusals[fault];
}

type PasswordRefusals = Extract<ChangePasswordResult, { reason: "refused" }>["refusals"];

export async function changePassword(
  ctx: AccountsContext,
  { memberId, oldPassword, currentToken, address, site, ...wanted }: PasswordChange,
): Promise<ChangePasswordResult> {
  const { db, clock, log, sessions, challenges, emails, productName } = ctx;
  const proof = await provePassword(ctx, { memberId, password: oldPassword, address });
  if (!proof.ok && proof.reason === "too-many-attempts") return proof;
  const account = await findAccount(memberId, db);
  const refusals: PasswordRefusals = account ? checkNewPassword(wanted, { ...account, productName }) : [];
  if (!proof.ok) return refusePassword("old-password-wrong", ...refusals);
  if (refusals.length > 0) return refusePassword(...refusals);

  const passwordHash = await hashPassword(wanted.password);
  const result = await db.transaction().execute(async (trx): Promise<ChangePasswordResult> => {
    const held = await holdOpenMember(memberId, trx);
    // Another tab may have changed the password meanwhile.
    if (held?.passwordHash !== proof.passwordHash) return refusePassword("old-password-wrong");
    await changeHeld(held, { columns: { ...passwordColumns(passwordHash), ...noPending }, trx });
    await sessions.endOthers(memberId, currentToken ?? "", trx);
    await challenges.voidAll({ owner: memberId, purposes: entryPurposes }, trx);
    await emails.passwordChanged({ member: held, at: clock(), site }, trx);
    return { ok: true };
  });
  if (result.ok) log.info({ member: memberId }, "a password was changed");
  return result;
}

function refusePassword(...refusals: PasswordRefusals): ChangePasswordResult {
  return { ok: false, reason: "refused", refusals };
}
