import type { Span } from "../../platform/clock.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { AccountType } from "../../platform/database/schema.ts";
import {
  cancelEmailChange,
  confirmEmailByCode,
  confirmEmailByLink,
  findEmailLink,
  findUndo,
  resendConfirmation,
  undoEmail,
} from "./address-change.ts";
import { answerAddressChange, findAddressQuestion, moveHeldAddresses } from "./address-hold.ts";
import { closeAccount, eraseDueAccounts, findReopening, reopenAccount, type Closure } from "./closure.ts";
import type { AccountsContext } from "./context.ts";
import { createLogInLink, type LogInLink } from "./log-in-link.ts";
import { findByPassword, logIn, type LogIn } from "./log-in.ts";
import {
  admitMember,
  countCreated,
  findMember,
  findMemberByEmail,
  findRecord,
  findRecords,
  holdMember,
  eraseMember,
  holdByEmail,
  listClosed,
  listMembers,
  listOpenMembers,
  type OpenMember,
  replaceHash,
  registerMember,
  setAccountType,
  type AdmittedMember,
  type ClosedPage,
  type Member,
  type MemberRecord,
  type MembersFilter,
  type MembersPage,
  type NewMember,
} from "./members.ts";
import { type MemberSearch, searchMembers } from "./member-search.ts";
import {
  checkResetCode,
  peekResetLink,
  turnsPasswordOn,
  requestReset,
  setPassword,
  useResetLink,
  type PasswordReset,
} from "./password-reset.ts";
import { type PasswordSwitch, switchPassword } from "./password-switch.ts";
import { createMemberPasskeys, type MemberPasskeys } from "./passkeys.ts";
import { changePassword, findProfile, saveProfile, type Profile } from "./profile.ts";
import { type AccountSupport, createSupport } from "./support.ts";
import { findCaller, type FoundCaller } from "./callers.ts";

export type { Member, NewMember, OpenMember } from "./members.ts";
export type { Person } from "./person.ts";

/** A closed account is found only in the records. */
export type Accounts = {
  /** The member logged in by this token; `undefined` for a closed account. */
  findCaller(token: string): Promise<FoundCaller | undefined>;
  findMember(memberId: number, on?: Queries): Promise<Member | undefined>;
  findByEmail(email: string): Promise<Member | undefined>;
  findMemberByPassword(email: string, password: string): Promise<Member | undefined>;
  register(details: NewMember): Promise<Member | undefined>;
  /** `passwordHash`: the password is hashed already. */
  admit(details: AdmittedMember, trx: Queries): Promise<Member | undefined>;
  /** Locks the open account until the transaction ends. */
  holdByEmail(email: string, trx: Queries): Promise<{ member: Member; passwordHash: string } | undefined>;
  /** Returns false where the account no longer had the hash `from`. */
  replaceHash(change: { memberId: number; from: string; to: string }, trx: Queries): Promise<boolean>;
  listOpen(page: { after: number; size: number }): Promise<OpenMember[]>;
  setAccountType(memberId: number, accountType: AccountType, trx: Queries): Promise<void>;
  list(filter: MembersFilter): Promise<MembersPage>;
  /** By an index, without a count, for a page that must be quick among a million. */
  search(search: MemberSearch): Promise<MemberRecord[]>;
  findRecord(memberId: number): Promise<MemberRecord | undefined>;
  findRecords(memberIds: number[]): Promise<Map<number, MemberRecord>>;
  /** The first to be erased first; `at` is the erasure. */
  listClosed(page: ClosedPage): Promise<{ id: number; memberId: number; at: Date }[]>;
  countCreated(span: Span): Promise<number>;
  hold(memberId: number, trx: Queries): Promise<boolean>;
  /** Deletes the account and every row that refers to it; returns whether it existed. */
  erase(memberId: number, trx: Queries): Promise<boolean>;
  /** Erases only an account that its owner has closed and whose erasure is due. */
  eraseDue(account: { memberId: number; dueBy: Date }, trx: Queries): Promise<boolean>;
};

export type OwnAccount = {
  logIn: LogIn;
  logInLink: LogInLink;
  memberPasskeys: MemberPasskeys;
  passwordSwitch: PasswordSwitch;
  passwordReset: PasswordReset;
  profile: Profile;
  closure: Closure;
  support: AccountSupport;
};

export function createAccounts(ctx: AccountsContext): OwnAccount & { accounts: Accounts } {
  const { db, clock } = ctx;
  return {
    accounts: {
      findCaller: (token) => findCaller(ctx, token),
      findMember: (memberId, on = db) => findMember(memberId, on),
      findByEmail: (email) => findMemberByEmail(email, db),
      findMemberByPassword: async (email, password) => (await findByPassword(ctx, email, password))?.member,
      register: (details) => registerMember(ctx, details),
      admit: (details, trx) => admitMember(details, { now: clock(), trx }),

      setAccountType: (memberId, accountType, trx) => setAccountType({ memberId, accountType }, trx),

      holdByEmail: (email, trx) => holdByEmail(email, trx),
      replaceHash: (change, trx) => replaceHash(change, trx),
      listOpen: (page) => listOpenMembers(page, db),

      list: (filter) => listMembers(filter, db),
      search: (search) => searchMembers(db, search),
      findRecord: (memberId) => findRecord(memberId, db),
      findRecords: (memberIds) => findRecords(memberIds, db),
      listClosed: (page) => listClosed(page, db),
      countCreated: (span) => countCreated(span, db),
      hold: async (memberId, trx) => (await holdMember(memberId, trx)) !== undefined,

      erase: (memberId, trx) => eraseMember({ memberId }, trx),
      eraseDue: (account, trx) => eraseMember(account, trx),
    },
    logIn: (credentials) => logIn(ctx, credentials),
    logInLink: createLogInLink(ctx),
    memberPasskeys: createMemberPasskeys(ctx),
    passwordSwitch: { switchTo: (wanted) => switchPassword(ctx, wanted) },
    passwordReset: {
      request: (request) => requestReset(ctx, request),
      checkCode: (answer) => checkResetCode(ctx, answer),
      peekLink: (token) => peekResetLink(ctx, token),
      turnsOn: (grant) => turnsPasswordOn(ctx, grant),
      useLink: (token) => useResetLink(ctx, token),
      setPassword: (change) => setPassword(ctx, change),
    },
    profile: {
      find: (memberId) => findProfile(ctx, memberId),
      save: (change) => saveProfile(ctx, change),
      confirmEmailByCode: (memberId, code, site) => confirmEmailByCode(ctx, { memberId, code, site }),
      findEmailLink: (token) => findEmailLink(ctx, token),
      confirmEmailByLink: (token, site) => confirmEmailByLink(ctx, { token, site }),
      resendConfirmation: (memberId, from, note) => resendConfirmation(ctx, memberId, { ...from, note }),
      cancelEmailChange: (memberId) => cancelEmailChange(ctx, memberId),
      findAddressQuestion: (token) => findAddressQuestion(ctx, token),
      answerAddressChange: (answer) => answerAddressChange(ctx, answer),
      moveHeldAddresses: () => moveHeldAddresses(ctx),
      findUndo: (token) => findUndo(ctx, token),
      undoEmail: (token) => undoEmail(ctx, token),
      changePassword: (change) => changePassword(ctx, change),
    },
    closure: {
      close: (request) => closeAccount(ctx, request),
      findReopening: (token) => findReopening(ctx, token),
      reopen: (token) => reopenAccount(ctx, token),
      eraseDue: (personalData) => eraseDueAccounts(ctx, personalData),
    },
    support: createSupport(ctx),
  };
}
