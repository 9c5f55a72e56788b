import { sql } from "kysely";

import { cleanEmail, isEmail, toEmailKey } from "../../../platform/email-address.ts";
import type { Companies } from "../companies.ts";
import type { Challenges } from "../../../members/challenges/challenges.ts";
import type { Context } from "../../../context.ts";
import type { Queries } from "../../../platform/database/database.ts";
import type { RateLimiter } from "../../../platform/rate-limit/rate-limit.ts";

/** A person who may see a company's page. An address of several companies is several contacts. */
export type Contact = { id: number; companyId: number; email: string; invitedAt: Date };

export type CompanyPageContext = Context & {
  rateLimiter: RateLimiter;
  challenges: Challenges;
  companies: Pick<Companies, "findName" | "findContract" | "listIds" | "countSeats">;
  emails: {
    companyInvitation(mail: InvitationMail, trx: Queries): Promise<void>;
    companyLogIn(mail: LogInMail, trx: Queries): Promise<void>;
  };
};

export type InvitationMail = { contact: Contact; companyName: string; site: string };

/** Without a `contact` no email is sent. */
export type LogInMail = {
  contact: Contact | undefined;
  companyName: string;
  site: string;
  code: string;
  token: string;
};

export const LOG_IN_PURPOSE = "company-log-in";

export type NewContact = {
  companyId: number;
  email: string;
  site: string;
};

export type InviteRefusal = "company-unknown" | "email-invalid" | "contact-known" | "contacts-many";

export type InviteResult = { ok: true; contact: Contact } | { ok: false; reason: InviteRefusal };

/** A longer list would be of staff. */
const MAX_CONTACTS = 20;

/** Also emails the contact, in the caller's transaction. */
export async function inviteContact(
  ctx: CompanyPageContext,
  { companyId, email, site }: NewContact,
): Promise<InviteResult> {
  const { db, clock, companies, emails } = ctx;
  if (!isEmail(cleanEmail(email))) return { ok: false, reason: "email-invalid" };
  const companyName = await companies.findName(companyId, db);
  if (companyName === undefined) return { ok: false, reason: "company-unknown" };
  if ((await listContacts(db, companyId)).length >= MAX_CONTACTS) return { ok: false, reason: "contacts-many" };
  const contact = await db
    .insertInto("companyContacts")
    .values({
      companyId,
      email: cleanEmail(email),
      emailKey: toEmailKey(email),
      invitedAt: clock(),
    })
    .onConflict((conflict) => conflict.columns(["companyId", "emailKey"]).doNothing())
    .returning(contactColumns)
    .executeTakeFirst();
  if (!contact) return { ok: false, reason: "contact-known" };
  await emails.companyInvitation({ contact, companyName, site }, db);
  return { ok: true, contact };
}

export async function listContacts(db: Queries, companyId: number): Promise<Contact[]> {
  return contactRows(db).where("companyId", "=", companyId).orderBy("emailKey").execute();
}

/** Ends the contact's sessions and links too; false if the contact is not the company's. */
export async function removeContact(
  { db, challenges }: CompanyPageContext,
  { companyId, contactId }: { companyId: number; contactId: number },
): Promise<boolean> {
  const removed = db.deleteFrom("companyContacts").where("id", "=", contactId).where("companyId", "=", companyId);
  if ((await removed.executeTakeFirst()).numDeletedRows === 0n) return false;
  await challenges.voidAll({ owner: contactId, purposes: [LOG_IN_PURPOSE] }, db);
  return true;
}

/** The earliest first. */
export async function listContactsFor(db: Queries, email: string): Promise<Contact[]> {
  return contactRows(db).where("emailKey", "=", toEmailKey(email)).orderBy("id").execute();
}

export async function findContact(db: Queries, contactId: number): Promise<Contact | undefined> {
  return contactRows(db).where("id", "=", contactId).executeTakeFirst();
}

/** Locks a contact until the transaction ends, so that log-in and removal cannot overlap; false if there is none. */
export async function holdContact(trx: Queries, contactId: number): Promise<boolean> {
  const held = trx
    .updateTable("companyContacts")
    .set({ invitedAt: sql`invited_at` })
    .where("id", "=", contactId);
  return (await held.executeTakeFirst()).numUpdatedRows > 0n;
}

const contactColumns = ["id", "companyId", "email", "invitedAt"] as const;

function contactRows(db: Queries) {
  return db.selectFrom("companyContacts").select(contactColumns);
}
