import type { MemberRecord } from "../../members/accounts/members.ts";
import { toPerson } from "../../members/accounts/person.ts";
import { displayFullName } from "../../members/accounts/profile-fields.ts";
import { isEmail } from "../../platform/email-address.ts";
import type { CodeView } from "../../money/companies/code.ts";
import type { CompanyDetails } from "../../money/companies/company.ts";
import type { Operator } from "../operators/operators.ts";
import type { GiftDetailsForDesk } from "../../money/gifts/gifts.ts";
import { companies, desk, deskHealth, gifts } from "../../refusals.ts";
import type { Services } from "../../services.ts";
import type { OpenDraft } from "../../money/sign-up/drafts.ts";
import { toCount } from "../../platform/count.ts";

export type Subjects = {
  member: MemberRecord;
  "sign-up": OpenDraft;
  company: CompanyDetails;
  code: CodeView;
  gift: GiftDetailsForDesk;
  self: Self;
  /** The list of emails on a screen; a command may name an email of any. */
  "email list": EmailList;
  none: "none";
};

export type SubjectName = keyof Subjects;

export type EmailList = "failed" | "waiting" | "any";

export type Self = { operator: Operator; tokenHash: string };

export type Subject<Found> = {
  word?: string;
  find(services: Services, text: string, self: Self | undefined): Promise<Found | undefined> | Found | undefined;
  /** By an operator's word in a command, where that differs. */
  findByWord?(services: Services, word: string): Promise<Found | undefined>;
  /** The sentence about a word that cannot name it. */
  findMistake?(word: string): string | undefined;
  missingAtDesk: string;
  missingInCommand(word: string): string;
  /** Names the subject at the start of a command's sentence. */
  title?(found: Found): string;
  /** Names the subject in the JSON of a command. */
  json?(found: Found): object;
};

export const subjects: { [Name in SubjectName]: Subject<Subjects[Name]> } = {
  member: {
    word: "EMAIL|ID",
    find: ({ accounts }, text) => findNumbered(text, (id) => accounts.findRecord(id)),
    async findByWord({ accounts }, word) {
      if (!isEmail(word)) return findNumbered(word, (id) => accounts.findRecord(id));
      const member = await accounts.findByEmail(word);
      return member && accounts.findRecord(member.id);
    },
    findMistake: (word) =>
      isEmail(word) || isNumber(word) ? undefined : `Name a member by email address or number, not “${word}”.`,
    missingAtDesk: desk["no-account"],
    missingInCommand: (word) => `There is no member with the ${isEmail(word) ? "address" : "number"} ${word}.`,
    title: (member) => `${displayFullName(member)} <${member.closedEmail ?? member.email}>`,
    json: toPerson,
  },
  "sign-up": {
    word: "EMAIL|ID",
    find: ({ signUp }, text) => findNumbered(text, (id) => signUp.findOpen(id)),
    async findByWord({ signUp }, word) {
      if (!isEmail(word)) return findNumbered(word, (id) => signUp.findOpen(id));
      return (await signUp.listOpen(word))[0];
    },
    findMistake: (word) =>
      isEmail(word) || isNumber(word) ? undefined : `Name a sign-up by email address or number, not “${word}”.`,
    missingAtDesk: desk["no-sign-up"],
    missingInCommand: (word) => `There is no unfinished sign-up ${word}.`,
    title: ({ email }) => email,
    json: ({ id, email }) => ({ id, email }),
  },
  company: {
    word: "NAME|ID",
    find: (services, text) => findNumbered(text, (id) => services.companies.findById(id)),
    findByWord: (services, word) => services.companies.find(word),
    missingAtDesk: companies["company-unknown"],
    missingInCommand: (word) => `There is no company “${word}”.`,
    title: ({ name }) => name,
    json: ({ id, name }) => ({ id, name }),
  },
  code: {
    word: "CODE",
    find: ({ codes }, text) => codes.findView(text),
    missingAtDesk: companies["code-unknown"],
    missingInCommand: (word) => `There is no code “${word}”.`,
    title: ({ code }) => code,
  },
  gift: {
    word: "CODE|ID",
    find: (services, text) => findNumbered(text, (id) => services.gifts.find(id)),
    findByWord: (services, word) =>
      isNumber(word) ? services.gifts.find(Number(word)) : services.gifts.findByCode(word),
    missingAtDesk: gifts["no-gift"],
    missingInCommand: (word) => `There is no gift “${word}”.`,
    title: ({ id }) => `Gift ${id}`,
    json: ({ id }) => ({ id }),
  },
  self: {
    find: (_services, _text, self) => self,
    missingAtDesk: desk["not-logged-in"],
    missingInCommand: () => desk["not-logged-in"],
  },
  "email list": {
    find: (_services, text) => (text === "failed" || text === "waiting" ? text : undefined),
    findByWord: async () => "any",
    missingAtDesk: deskHealth["no-email"],
    missingInCommand: () => deskHealth["no-email"],
  },
  none: {
    find: () => "none",
    missingAtDesk: "",
    missingInCommand: () => "",
  },
};

function isNumber(word: string): boolean {
  return /^\d{1,9}$/.test(word);
}

function findNumbered<Found>(
  text: string,
  find: (id: number) => Promise<Found | undefined>,
): Promise<Found | undefined> | undefined {
  const id = toCount(text);
  return id === undefined ? undefined : find(id);
}
