import { extendTimes, makeSessionToken, startTimes, workLimits } from "../../../members/sessions/session-times.ts";
import { type CompanyPageContext, type Contact, findContact, listContactsFor } from "./contacts.ts";

/** Opaque tokens in a cookie of their own, hashes in a table of their own. */
export type StartedContactSession = { token: string };

/** `others`: the address's contacts at other companies. */
export type FoundContactSession = { contact: Contact; others: { id: number; companyName: string }[] };

type SessionsContext = Pick<CompanyPageContext, "db" | "clock" | "keyedHash" | "companies">;

function hashToken({ keyedHash }: SessionsContext, token: string): string {
  return keyedHash("contact session")(token);
}

export async function startContactSession(ctx: SessionsContext, contactId: number): Promise<StartedContactSession> {
  const token = makeSessionToken();
  await ctx.db
    .insertInto("contactSessions")
    .values({
      tokenHash: hashToken(ctx, token),
      contactId,
      ...startTimes(workLimits, ctx.clock()),
    })
    .execute();
  return { token };
}

/** A session that was used within thirty minutes; using it extends it. */
export async function findContactSession(
  ctx: SessionsContext,
  token: string,
): Promise<FoundContactSession | undefined> {
  const now = ctx.clock();
  const tokenHash = hashToken(ctx, token);
  const session = await ctx.db
    .selectFrom("contactSessions")
    .select(["contactId", "createdAt", "seenAt"])
    .where("tokenHash", "=", tokenHash)
    .where("expiresAt", ">", now)
    .executeTakeFirst();
  const contact = session && (await findContact(ctx.db, session.contactId));
  if (!contact) return undefined;
  const extended = extendTimes(workLimits, session, now);
  if (extended) {
    await ctx.db.updateTable("contactSessions").set(extended).where("tokenHash", "=", tokenHash).execute();
  }
  return { contact, others: await listOthers(ctx, contact) };
}

async function listOthers(
  { db, companies }: SessionsContext,
  contact: Contact,
): Promise<FoundContactSession["others"]> {
  const others = (await listContactsFor(db, contact.email)).filter(({ id }) => id !== contact.id);
  return Promise.all(
    others.map(async ({ id, companyId }) => ({ id, companyName: (await companies.findName(companyId, db)) ?? "" })),
  );
}

/** Switches a session to another company; false if the address is no contact there. */
export async function switchContact(
  ctx: SessionsContext,
  { token, contactId }: { token: string; contactId: number },
): Promise<boolean> {
  const session = await findContactSession(ctx, token);
  if (!session?.others.some(({ id }) => id === contactId)) return false;
  const own = ctx.db.updateTable("contactSessions").where("tokenHash", "=", hashToken(ctx, token));
  await own.set({ contactId }).execute();
  return true;
}

export async function endContactSession(ctx: SessionsContext, token: string): Promise<void> {
  await ctx.db.deleteFrom("contactSessions").where("tokenHash", "=", hashToken(ctx, token)).execute();
}

export async function purgeContactSessions({ db, clock }: SessionsContext): Promise<number> {
  const expired = db.deleteFrom("contactSessions").where("expiresAt", "<=", clock());
  return Number((await expired.executeTakeFirst()).numDeletedRows);
}
