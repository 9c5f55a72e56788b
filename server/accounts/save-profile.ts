import type { Queries } from "../database/database.ts";
import type { TooMany } from "../throttle/throttle.ts";
import type { AccountLimits } from "./account-limits.ts";
import type { Accounts } from "./accounts.ts";
import type { AddressChange } from "./address-change.ts";
import { changeHeld, findAccount, holdOpenMember, requireFree, unlessTaken, type HeldMember } from "./held-member.ts";
import type { PasswordProof, ProvePassword } from "./password-proof.ts";
import type { Profile, ProfileFields, ProfileRefusal, ProfileView, SaveProfileResult } from "./profile.ts";
import { checkName, cleanName, isEmail, toEmailKey } from "./rules.ts";

type SaveRooms = {
  db: Queries;
  accounts: Accounts;
  limits: AccountLimits;
  prove: ProvePassword;
  change: AddressChange;
};

/** A form as it was shown and as it came back; and who it was that asked for another address. */
type Wish = Parameters<Profile["save"]>[0];
/** What a form showed, and how it came back. */
export type Edit = { shown: ProfileFields; wanted: ProfileFields };
type Proved = Extract<PasswordProof, { ok: true }>;

/** The function behind `Profile.save`. */
export function createSaveProfile({ db, accounts, limits, prove, change }: SaveRooms): Profile["save"] {
  return async (wish) => {
    const edit = { shown: wish.shown, wanted: cleanFields(wish.wanted) };
    const account = await findAccount(wish.memberId, db);
    const refusals = listFaults(edit);
    let proof: Proved | undefined;
    if (account && isOtherAddress(edit, account)) {
      const checked = await checkAddress({ ...wish, ...edit });
      if (checked.tooMany) return checked.tooMany;
      proof = checked.proof;
      refusals.push(...checked.refusals);
    }
    if (refusals.length > 0) return refuse(...refusals);

    const tooMany = proof && (await limits.countAddressLetter(edit.wanted.email));
    if (tooMany) return tooMany;
    const work = db.transaction().execute((trx) => keep({ ...wish, ...edit }, { proof, trx }));
    return unlessTaken(work, refuse("email-registered"));
  };

  /** Whether somebody has the address is told to nobody but the owner of the account, and not without end. */
  async function checkAddress({ memberId, password, address, wanted }: Wish): Promise<AddressCheck> {
    if (!password) return { refusals: ["password-wanted"] };
    const proof = await prove({ memberId, password, address });
    if (!proof.ok) return proof.reason === "too-many-attempts" ? { refusals: [], tooMany: proof } : wrongPassword;
    if (!isEmail(wanted.email)) return { refusals: [] };
    const tooMany = await limits.countNewAddress(memberId);
    const other = await accounts.findByEmail(wanted.email);
    return { refusals: other && other.id !== memberId ? ["email-registered"] : [], tooMany, proof };
  }

  async function keep(
    { memberId, shown, wanted, site }: Wish,
    { proof, trx }: { proof: Proved | undefined; trx: Queries },
  ): Promise<SaveProfileResult> {
    const held = await holdOpenMember(memberId, trx);
    if (!held) return { ok: false, reason: "changed-elsewhere", now: { ...shown, pendingEmail: undefined } };
    const edit = { shown, wanted };
    if (isOvertaken(edit, held)) return { ok: false, reason: "changed-elsewhere", now: toView(held) };
    if (proof && proof.passwordHash !== held.passwordHash) return refuse("password-wrong");

    const columns = {
      first_name: isEdited("firstName", edit) ? wanted.firstName : held.firstName,
      last_name: isEdited("lastName", edit) ? wanted.lastName : held.lastName,
      // The same address in another spelling needs no proof.
      email: isEdited("email", edit) && isSameAddress(wanted.email, held.email) ? wanted.email : held.email,
    };
    await changeHeld(held, { columns, trx });
    if (proof) {
      await requireFree(wanted.email, { held, trx });
      await change.ask({ held: { ...held, firstName: columns.first_name }, email: wanted.email, site }, trx);
    }
    return { ok: true, isEmailPending: proof !== undefined };
  }
}

export function toView({ firstName, lastName, email, pendingEmail }: HeldMember): ProfileView {
  return { firstName, lastName, email, pendingEmail };
}

type AddressCheck = { refusals: ProfileRefusal[]; tooMany?: TooMany | undefined; proof?: Proved };

const wrongPassword: AddressCheck = { refusals: ["password-wrong"] };
const fields = ["firstName", "lastName", "email"] as const;
type Field = (typeof fields)[number];

export function cleanFields({ firstName, lastName, email }: ProfileFields): ProfileFields {
  return { firstName: cleanName(firstName), lastName: cleanName(lastName), email: email.trim() };
}

export function isEdited(field: Field, { shown, wanted }: Edit): boolean {
  return wanted[field] !== shown[field];
}

/** Another than the account has by now: one tab may ask for what another has got already. */
export function isOtherAddress(edit: Edit, account: Pick<HeldMember, "email">): boolean {
  return isEdited("email", edit) && !isSameAddress(edit.wanted.email, account.email);
}

function isSameAddress(a: string, b: string): boolean {
  return toEmailKey(a) === toEmailKey(b);
}

/** Whether somebody made something else meanwhile of what was edited. */
export function isOvertaken(edit: Edit, held: ProfileFields): boolean {
  return fields.some((field) => isChangedElsewhere(field, { edit, held }));
}

function isChangedElsewhere(field: Field, { edit, held }: { edit: Edit; held: ProfileFields }): boolean {
  return isEdited(field, edit) && held[field] !== edit.shown[field] && held[field] !== edit.wanted[field];
}

/** What is wrong with what was edited; what was left alone is as it was. */
export function listFaults(edit: Edit): ProfileRefusal[] {
  const first = isEdited("firstName", edit) ? checkName(edit.wanted.firstName) : undefined;
  const last = isEdited("lastName", edit) ? checkName(edit.wanted.lastName) : undefined;
  return [
    ...(first ? [`first-name-${first}` as const] : []),
    ...(last ? [`last-name-${last}` as const] : []),
    ...(isEdited("email", edit) && !isEmail(edit.wanted.email) ? (["email-invalid"] as const) : []),
  ];
}

function refuse(...refusals: ProfileRefusal[]): SaveProfileResult & { ok: false } {
  return { ok: false, reason: "refused", refusals };
}
